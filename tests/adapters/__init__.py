"""Adapters for agent frameworks. Where a framework is no development dependency, its tests are in `clients`."""
