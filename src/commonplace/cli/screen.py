"""How a turn looks on a terminal, or in a pipe: text as it comes, tool calls as they happen, warnings apart."""

import sys
from collections.abc import Iterable
from typing import assert_never

from commonplace.agent.events import (
    Answered,
    Compacted,
    Recalled,
    Said,
    ToolFinished,
    ToolStarted,
    TurnEvent,
    Warned,
)
from commonplace.cli.output import counted, say, shortened, shown, styled, warn
from commonplace.types.chatting import ToolCall

_LONGEST_ARGUMENT = 60


class Screen:
    """Shows the events of turns. Remarks are for terminals; a pipe gets the answer alone."""

    def __init__(self, *, remarks: bool) -> None:
        self._remarks = remarks
        self._in_line = False

    def show(self, events: Iterable[TurnEvent]) -> Answered | None:
        """Show a turn while it happens; what it came to."""
        answered: Answered | None = None
        for event in events:
            match event:
                case Said(text):
                    print(shown(text), end="", flush=True)
                    self._in_line = not text.endswith("\n")
                case Recalled():
                    self._remark(_recalled(event))
                case ToolStarted(call):
                    self._remark(_call(call))
                case ToolFinished(_, result):
                    outcome = result.code or shortened(result.text, 80)
                    self._remark(f"  → {outcome}", "yellow" if result.failed else "dim")
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
        if self._in_line:
            print(flush=True)
            self._in_line = False

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


def say_block(text: str) -> None:
    """A longer text, apart from what surrounds it."""
    say(text.rstrip() or "(empty)")
