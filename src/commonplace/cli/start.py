"""Where the command starts and ends: answers `--version` before anything else is imported, and leaves quickly."""

import gc
import os
import sys

from commonplace import __version__

_GARBAGE = 50_000  # objects before Python looks for cycles; most commands end with fewer


_NO_EVENTS = ("work", "-h", "--help")  # of `hook`: the others are agents, which call at each turn


def main() -> int:
    """Run the command line and return its exit status."""
    arguments = sys.argv[1:]
    if arguments in (["--version"], ["-V"]):
        print(f"commonplace {__version__}")
        return 0
    gc.set_threshold(_GARBAGE)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # products of a search wait for memory: two threads only spin
    if len(arguments) == 2 and arguments[0] == "hook" and arguments[1] not in _NO_EVENTS and _answered(arguments[1]):
        _leave(0)
        return 0
    from commonplace.cli.root import run

    status = run(arguments)
    _leave(status)
    return status


def _answered(client: str) -> bool:
    """Answer one event of another agent, which waits for it at each turn: without the rest of the command line."""
    import json

    from commonplace.hooks.warm import answer_to

    answer = answer_to(client, sys.stdin.buffer.read().decode("utf-8", "replace"), os.getcwd())
    if answer is not None:
        print(json.dumps(answer, ensure_ascii=True))
    return answer is not None


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
