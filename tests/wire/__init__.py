"""Servers that speak the vendors' wire formats and say what a test tells them to. The clients are the real ones."""
