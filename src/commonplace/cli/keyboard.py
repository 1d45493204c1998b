"""Where a message is typed: with history and several lines if prompt_toolkit is installed, plainly if not.

The history lives in memory alone, filled from the session: a file of its own would keep what was to be forgotten.
"""

import os
import sys
from collections.abc import Callable, Sequence
from typing import Protocol, cast

_PROMPT = "> "
_CONTINUED = ". "


class Keyboard(Protocol):
    """`read` returns one message; EOFError means Ctrl-D, KeyboardInterrupt Ctrl-C."""

    def read(self) -> str: ...

    def remember(self, texts: Sequence[str]) -> None: ...


def keyboard() -> Keyboard:
    """The best there is for this terminal."""
    if os.environ.get("TERM", "dumb") != "dumb":
        try:
            return _fancy()
        except ImportError:
            pass
    return _Plain()


class _Plain:
    """`input()`, with the line editing of readline where Python has it. A backslash at the end continues the line."""

    def __init__(self) -> None:
        try:
            import readline
        except ImportError:
            self._add: Callable[[str], object] = lambda _: None
        else:
            self._add = readline.add_history

    def read(self) -> str:
        lines = [input(_PROMPT)]
        while lines[-1].endswith("\\"):
            lines[-1] = lines[-1][:-1]
            lines.append(input(_CONTINUED))
        return "\n".join(lines)

    def remember(self, texts: Sequence[str]) -> None:
        for text in texts:
            self._add(" ".join(text.split()))


def _fancy() -> Keyboard:
    """prompt_toolkit is an extra: import it only for a person who has it and sits at a terminal."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import InMemoryHistory
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    keys = KeyBindings()

    @keys.add("enter")
    def _send(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    @keys.add("escape", "enter")
    def _new_line(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    history = InMemoryHistory()
    session: PromptSession[str] = PromptSession(
        _PROMPT, multiline=True, key_bindings=keys, history=history, prompt_continuation=_CONTINUED
    )

    class Fancy:
        def read(self) -> str:
            return session.prompt()

        def remember(self, texts: Sequence[str]) -> None:
            for text in texts:
                history.append_string(text)

    return cast(Keyboard, Fancy())


def at_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()
