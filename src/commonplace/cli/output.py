"""What the command prints: plain sentences, or one JSON document. Nothing printed can confuse a terminal."""

import os
import re
import shutil
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from pathlib import Path
from typing import IO, cast

from commonplace.cli.wordwrap import WordWrap
from commonplace.files.text import printable

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_wrapping = ContextVar("wrapping", default=False)
_STYLES = {"red": "31", "green": "32", "yellow": "33", "cyan": "36", "bold": "1", "dim": "2"}


def shown(text: str) -> str:
    """Text as a terminal may have it: escape sequences and other control characters become visible."""
    plain = printable(text).replace("\r\n", "\n")
    return _CONTROLS.sub(lambda match: chr(0x2400 + ord(match[0])) if match[0] < " " else "\ufffd", plain)


def say(text: str) -> None:
    print(_laid_out(shown(text), sys.stdout))


def warn(text: str) -> None:
    lead, _, told = _laid_out(f"warning: {shown(text)}", sys.stderr).partition(" ")
    print(styled(lead, "yellow", sys.stderr), told, file=sys.stderr)


@contextmanager
def wrapping() -> Generator[None]:
    """Meanwhile lines are broken between words at the edge of a terminal: for what is read there and not copied."""
    before = _wrapping.set(True)
    try:
        yield
    finally:
        _wrapping.reset(before)


def _laid_out(text: str, stream: IO[str]) -> str:
    if not _wrapping.get() or not stream.isatty():
        return text
    return WordWrap(shutil.get_terminal_size().columns).feed(text)


def styled(text: str, style: str, stream: IO[str] | None = None) -> str:
    """Colour on a terminal whose owner has not asked for none. The text must be readable without."""
    if not _colours(stream or sys.stdout):
        return text
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m"


def say_styled(text: str, style: str) -> None:
    print(styled(_laid_out(shown(text), sys.stdout), style))


def can_move(stream: IO[str]) -> bool:
    """Whether what was printed can be taken back: a terminal that knows how."""
    return stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def _colours(stream: IO[str]) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_json(value: object) -> None:
    import json

    print(json.dumps(plain(value), ensure_ascii=False, indent=2))


def plain(value: object) -> object:
    """Any value of ours as JSON has it: fields by name, times in ISO form, text that can be encoded."""
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Path):
        return printable(str(value))
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {printable(str(key)): plain(item) for key, item in cast(Mapping[object, object], value).items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in cast(list[object], value)]
    return value


def shortened(text: str, length: int = 100) -> str:
    """The first line of a text, cut where it gets long; the cut is visible."""
    line = text.partition("\n")[0]
    return line if line == text and len(line) <= length else line[: length - 1].rstrip() + "…"


def counted(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
