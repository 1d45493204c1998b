"""Where the command starts and ends: answers `--version` before anything else is imported, and leaves quickly."""

import gc
import os
import sys

from commonplace import __version__

_GARBAGE = 50_000  # objects before Python looks for cycles; most commands end with fewer


def main() -> int:
    """Run the command line and return its exit status."""
    arguments = sys.argv[1:]
    if arguments in (["--version"], ["-V"]):
        print(f"commonplace {__version__}")
        return 0
    gc.set_threshold(_GARBAGE)
    from commonplace.cli.root import run

    status = run(arguments)
    _leave(status)
    return status


def _leave(status: int) -> None:
    """End the process at once: whatever was written is durable by now, and taking the interpreter apart in order
    takes longer than a save. With a debugger, profiler or coverage watching, or threads at work, it ends in order."""
    threading = sys.modules.get("threading")
    if sys.gettrace() or sys.getprofile() or (threading is not None and threading.active_count() > 1):
        return
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return
    os._exit(status)
