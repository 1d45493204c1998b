"""How a turn looks on a terminal, or in a pipe: text as it comes, tool calls as they happen, warnings apart."""

import re
import shutil
import sys
import unicodedata
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
from commonplace.types.changing import Deed
from commonplace.types.chatting import ToolCall

_LONGEST_ARGUMENT = 60
_NOT_DONE = frozenset({Deed.UNCLEAR, Deed.NOT_FOUND, Deed.REFUSED, Deed.FAILED})
_NARROWEST = 20
_THINKING = "thinking …"
_INDENT = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])?[ \t]*")
_WIDE = re.compile(r"[\u2e80-\uffef]")
_PIECES = re.compile(r"\n|[ \t]+|[\u2e80-\uffef]|[^ \t\n\u2e80-\uffef]+")  # scripts without spaces break anywhere


class WordWrap:
    """Breaks lines between words as text comes in, so that a terminal does not break them within one: a word that
    turns out to be too long for its line is taken back and begins the next. Lines below a bullet are indented like its
    text; code is left alone."""

    def __init__(self, width: int) -> None:
        self._width = max(width, _NARROWEST)
        self._word = ""  # the last word shown: it may go on
        self._line = ""  # what stands in the current line of the text, unbroken
        self._column = 0
        self._in_code = False

    def feed(self, text: str) -> str:
        """What a terminal is to be sent for it."""
        return "".join(map(self._placed, _PIECES.findall(text)))

    def _placed(self, piece: str) -> str:
        if piece == "\n":
            self._in_code ^= self._line.lstrip().startswith("```")
            self._line, self._word, self._column = "", "", 0
            return piece
        is_word = not piece.isspace() and not _WIDE.match(piece)
        begun, self._word = self._word, (self._word + piece if is_word else "")
        self._line += piece
        wide = _columns(piece)
        whole = wide + (_columns(begun) if is_word else 0)
        fits = self._column + wide <= self._width or self._column == whole - wide
        if fits or self._in_code or self._line.startswith("```"):
            self._column += wide
            return piece
        if piece.isspace():
            self._column = self._width  # the break comes with the next word
            return ""
        lead = _INDENT.match(self._line)
        indent = " " * min(_columns(lead[0]) if lead else 0, self._width // 2)
        self._column = len(indent) + whole
        taken_back = "\b" * (whole - wide) + "\x1b[K" if is_word and begun else ""
        return f"{taken_back}\n{indent}{begun if is_word else ''}{piece}"


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(char) else 1 + (unicodedata.east_asian_width(char) in "WF") for char in text)


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
