"""Where the command starts. Answers `--version` before anything else is imported, and translates every ending."""

import sys

from commonplace import __version__


def main() -> int:
    """Run the command line and return its exit status."""
    arguments = sys.argv[1:]
    if arguments in (["--version"], ["-V"]):
        print(f"commonplace {__version__}")
        return 0
    from commonplace.cli.root import run

    return run(arguments)
