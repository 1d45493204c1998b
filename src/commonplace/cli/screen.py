"""How a turn looks on a terminal, or in a pipe: text as it comes, tool calls as they happen, warnings apart."""

import shutil
import sys
from collections.abc import Iterable
from typing import assert_never

from commonplace.agent.events import (
    Answered,
    Compacted,
    Heeded,
    Recalled,
    Said,
    ToolFinished,
    ToolStarted,
    TurnEvent,
    Warned,
)
from commonplace.cli.output import can_move, counted, shortened, shown, styled, warn
from commonplace.cli.wordwrap import WordWrap
from commonplace.types.changing import Deed
from commonplace.types.chatting import ToolCall

_LONGEST_ARGUMENT = 60
_NOT_DONE = frozenset({Deed.UNCLEAR, Deed.NOT_FOUND, Deed.REFUSED, Deed.FAILED})
_THINKING = "thinking …"


class Screen:
    """Shows the events of turns. Remarks are for terminals; a pipe gets the answer alone."""

    def __init__(self, *, remarks: bool) -> None:
        self._remarks = remarks
        self._in_line = False
        self._wrap = WordWrap(shutil.get_terminal_size().columns) if remarks and can_move(sys.stdout) else None
        self._thinking = False

    def show(self, events: Iterable[TurnEvent]) -> Answered | None:
        """Show a turn while it happens; what it came to."""
        answered: Answered | None = None
        self._think()
        for event in events:
            self._stop_thinking()
            match event:
                case Said(text):
                    self._print(shown(text))
                case Heeded(done):
                    for one in done:
                        self._remark(f"({one.told})", "yellow" if one.deed in _NOT_DONE else "cyan")
                case Recalled():
                    self._remark(_recalled(event))
                    self._think()
                case ToolStarted(call):
                    self._remark(_call(call))
                case ToolFinished(_, result):
                    outcome = result.code or shortened(result.text, 80)
                    self._remark(f"  → {outcome}", "yellow" if result.failed else "dim")
                    self._think()
                case Compacted(dropped, kept, logged):
                    tail = "" if logged else "; what is not in the log yet follows later"
                    self._remark(f"(the {counted(dropped, 'oldest message')} left the prompt, {kept} stay{tail})")
                case Warned(_, message, hint):
                    self.end_line()
                    warn(f"{message} {hint}".rstrip())
                case Answered():
                    answered = event
                case _:
                    assert_never(event)
        self.end_line()
        return answered

    def end_line(self) -> None:
        self._stop_thinking()
        if self._in_line:
            print(flush=True)
            self._in_line = False
            self._wrap = self._wrap and WordWrap(shutil.get_terminal_size().columns)

    def _print(self, text: str) -> None:
        print(self._wrap.feed(text) if self._wrap else text, end="", flush=True)
        self._in_line = not text.endswith("\n") if text else self._in_line

    def _think(self) -> None:
        """Say that an answer is on its way, where that can be taken back."""
        if self._remarks and can_move(sys.stdout) and not self._in_line:
            print(styled(_THINKING, "dim", sys.stdout), end="", flush=True)
            self._thinking = True

    def _stop_thinking(self) -> None:
        if self._thinking:
            print("\r\x1b[K", end="", flush=True)
            self._thinking = False

    def _remark(self, text: str, style: str = "dim") -> None:
        if self._remarks and text:
            self.end_line()
            print(styled(shown(text), style, sys.stdout), flush=True)


def _recalled(event: Recalled) -> str:
    if not event.memories:
        return ""
    left = f", {event.left_out} did not fit" if event.left_out else ""
    return f"(recalled {counted(event.memories, 'memory', 'memories')}, {event.tokens} tokens{left})"


def _call(call: ToolCall) -> str:
    given = ", ".join(f"{name}={shortened(str(value), _LONGEST_ARGUMENT)!r}" for name, value in call.arguments.items())
    return f"· {call.name}({given})"
