"""Commonplace inside other agents: what their hooks tell us, and what we give back. One short process an event."""
