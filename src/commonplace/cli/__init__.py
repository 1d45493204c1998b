"""The `commonplace` command: parse, call, print. No logic of its own; one module per group of commands."""
