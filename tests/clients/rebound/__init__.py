"""Plugins that put our classes in the place of a framework's own, in the framework's own tests."""
