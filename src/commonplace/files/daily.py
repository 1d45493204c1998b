"""Daily logs: what happened, one file a day, in blocks that each end with a `---` rule. Pure.

A block that stands for part of a conversation carries a marker, an HTML comment naming the session and the last
message it covers. Markers make logging exactly-once, so text from outside can never forge one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime

from commonplace.errors import ValidationError
from commonplace.files import folders
from commonplace.files.text import decode, encode, printable, split_lines
from commonplace.files.transcripts import check_id

FOLDER = folders.DAILY
_NAME = re.compile(r"(\d{4}-\d{2}-\d{2})\.md")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_RULE_LINE = re.compile(r"^([ \t]*)([-*_])(?=[ \t]*(?:\2[ \t]*){2,}$)", re.MULTILINE)
_MARKER = re.compile(r"^<!-- commonplace session=(\S+) through=(\S+) at=(\S+) -->$")


@dataclass(frozen=True, slots=True)
class Marker:
    """This block covers `session` up to and including the message `through`."""

    session: str
    through: str
    at: datetime

    def line(self) -> str:
        session, through = check_id(self.session, "session"), check_id(self.through, "message")
        return f"<!-- commonplace session={session} through={through} at={self.at.isoformat()} -->"


def file_of(day: date) -> str:
    return f"{FOLDER}/{day.isoformat()}.md"


def day_of(name: str) -> date | None:
    """The date of a daily log's file name; None for any other file."""
    match = _NAME.fullmatch(name.removeprefix(f"{FOLDER}/"))
    try:
        return date.fromisoformat(match[1]) if match else None
    except ValueError:
        return None


def parse_day(text: str) -> date:
    """A date as a person or model gives it: 2026-11-15, and nothing else."""
    try:
        if not _DAY.fullmatch(text.strip()):
            raise ValueError
        return date.fromisoformat(text.strip())
    except ValueError:
        raise ValidationError(f"{printable(text)!r} is not a date.", hint="Write it as YYYY-MM-DD.") from None


def with_block(data: bytes | None, day: date, body: str, marker: Marker | None = None) -> bytes:
    """Append a block; a new log gets its heading first."""
    text = decode(data or b"", file_of(day))
    lines = split_lines(text)
    newline = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    if not text.strip("\ufeff \t\r\n"):
        text += f"# Daily Log {day.isoformat()}{newline}"
    if not text.endswith(("\n", "\r")):
        text += newline
    parts = [_harmless(body), *([marker.line()] if marker else []), "---"]
    block = "\n\n".join(parts).replace("\n", newline)
    return encode(f"{text}{newline}{block}{newline}")


def markers(data: bytes | None, name: str) -> list[Marker]:
    """The markers of a log, in the order in which they stand there."""
    found: list[Marker] = []
    for line in split_lines(decode(data or b"", name)):
        if match := _MARKER.match(line.rstrip("\r\n")):
            try:
                found.append(Marker(match[1], match[2], datetime.fromisoformat(match[3])))
            except ValueError:
                continue
    return found


def blocks(text: str) -> list[tuple[str, str | None]]:
    """What a log says, block by block, each with the session that it stands for, if one is marked."""
    found: list[tuple[str, str | None]] = []
    lines: list[str] = []
    session: str | None = None
    for line in [*(line.rstrip("\r\n") for line in split_lines(text)), "---"]:
        if line == "---":
            if body := "\n".join(lines).strip("\n"):
                found.append((body, session))
            lines, session = [], None
        elif match := _MARKER.match(line):
            session = match[1]
        elif lines or not (line.startswith("# ") and not found):  # the heading of the log is no part of a block
            lines.append(line)
    return found


def _harmless(body: str) -> str:
    """No line of a block's text can end the block, pass for a marker or hide what follows in a comment."""
    lines = "\n".join(line.rstrip("\r\n") for line in split_lines(printable(body))).strip("\n")
    return _RULE_LINE.sub(r"\1\\\2", lines).replace("<!--", "<\\!--")
