"""What a hook leaves to a process of its own. Imports next to nothing."""

import sys


def hand_over(folder: str, session: str = "", *, flush: bool = True, ended: bool = False) -> None:
    """Let a process of its own do the rest: it outlives the hook, its terminal and its host."""
    import subprocess

    words = [sys.executable, "-m", "commonplace", "hook", "work", "--folder", folder]
    words += ["--session", session] if session else []
    words += [] if flush else ["--take-in"]
    words += ["--ended"] if ended else []
    nothing = subprocess.DEVNULL
    subprocess.Popen(words, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True, cwd="/")
