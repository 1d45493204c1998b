"""The command line is started here as in its own tests."""

from tests.cli.conftest import cli

__all__ = ["cli"]
