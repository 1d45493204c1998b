"""A memory as a model is asked to compact it, and its answer as a proposal that code can check. Pure.

The model gets numbered entries and must say for each number what becomes of it: it stays, it goes into another
wording, or it is dropped for a reason of three. Nothing here decides whether that is right: see `verifying`.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from commonplace.framing import harmless, harmless_lines, meant
from commonplace.tokens import estimate_tokens

HEADER = "# Long-term Memory"
DROPPED = "Dropped"
_HEADING = re.compile(r"## +(?P<title>\S.*?)\s*")
_BULLET = re.compile(r"[-*] +\[(?P<ids>\d{1,6}(?:\s*,\s*\d{1,6})*)\] +(?P<text>\S.*?)\s*")
_WHY = re.compile(
    r"(?:(?P<why>duplicate of|superseded by) \[(?P<by>\d{1,6})\]|(?P<transient>transient))\.?", re.IGNORECASE
)
_MOST_FINDINGS = 12


class Why(StrEnum):
    """Why an entry is dropped."""

    DUPLICATE = "duplicate of"
    SUPERSEDED = "superseded by"
    TRANSIENT = "transient"


@dataclass(frozen=True, slots=True)
class Item:
    """One entry that a proposal is about: its number, its text, its section, when it was last written, and the
    headings of a person's own that it stands under."""

    id: int
    text: str
    section: str
    written: datetime | None = None
    place: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kept:
    """One entry after compaction, and the numbers of those it stands for."""

    ids: tuple[int, ...]
    text: str
    section: str


@dataclass(frozen=True, slots=True)
class Dropped:
    """An entry that goes, and because of which other one."""

    id: int
    why: Why
    by: int | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """What becomes of each item. `trouble` tells in sentences what makes the whole no such answer, `unread` which
    single steps could not be read."""

    kept: tuple[Kept, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    headings: tuple[str, ...] = ()
    trouble: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


def question(items: Sequence[Item], sections: Iterable[str], fixed: Sequence[str] = ()) -> str:
    """What the model is asked: the sections it may use, the numbered entries, and what stays whatever it says."""
    lines = ["Sections: " + "; ".join(map(harmless, sections)), "", "Entries, the older first within each section:"]
    stands = None
    for item in items:
        below = [title for title in item.place if title != item.section]
        if (item.section, below) != stands:
            stands = item.section, below
            where = f"In {harmless(item.section)}" if item.section else "In no section"
            lines += ["", ", under ".join([where, *map(harmless, below)]) + ":"]
        when = f" ({item.written.date().isoformat()})" if item.written else ""
        lines.append(f"| [{item.id}]{when} {_line(item.text)}")
    if fixed:
        lines += ["", "These stay as they are. They have no number and are no part of your answer:"]
        lines += [f"| {line}" for text in fixed for line in harmless_lines(text)]
    return "\n".join(lines)


def cost(item: Item) -> int:
    """About how many tokens an item takes in the question, and again in the answer."""
    return estimate_tokens(f"| [{item.id}] (2026-11-15) {item.text}") + 2


def second_question(findings: Sequence[str]) -> str:
    """What a model is told whose answer was not accepted."""
    told = [f"- {finding}" for finding in findings[:_MOST_FINDINGS]]
    if len(findings) > _MOST_FINDINGS:
        told.append(f"- … and {len(findings) - _MOST_FINDINGS} more of the same kind")
    return "\n".join(
        [
            "This of your answer was not accepted:",
            *told,
            "",
            "Answer again, the whole of it, in the same form and nothing else.",
            "Keep what you cannot put right as it is.",
        ]
    )


def parse(answer: str, items: Sequence[Item], clean: Callable[[str], str] = str) -> Proposal:
    """Read an answer. An entry that comes back as it was shown is the entry as it is stored. What is quoted of it
    in the trouble is made `clean` before it is cut."""
    shown = {item.id: item for item in items}
    lines = answer.strip().replace("\r\n", "\n").split("\n") if answer.strip() else []
    if not lines:
        return Proposal(trouble=("The answer is empty.",))
    trouble: list[str] = []
    unread: list[str] = []
    if lines[0].rstrip() != HEADER:
        trouble.append(f"The first line must be exactly `{HEADER}`, and nothing may stand before it.")
    kept: list[Kept] = []
    dropped: list[Dropped] = []
    headings: list[str] = []
    for number, line in enumerate(lines[1 if not trouble else 0 :], start=2):
        if not line.strip():
            continue
        if heading := _HEADING.fullmatch(line):
            headings.append(heading["title"])
            continue
        bullet = _BULLET.fullmatch(line)
        if bullet is None or not headings:
            trouble.append(f"Line {number} is neither a heading nor an entry with its numbers: {_short(clean(line))}")
            continue
        ids = tuple(int(id) for id in bullet["ids"].split(","))
        if headings[-1] == DROPPED:
            unread += _drop(ids, bullet["text"], dropped, clean)
        else:
            kept.append(Kept(ids, _as_stored(ids, bullet["text"], shown), headings[-1]))
    return Proposal(tuple(kept), tuple(dropped), tuple(headings), tuple(trouble), tuple(unread))


def _drop(ids: tuple[int, ...], text: str, dropped: list[Dropped], clean: Callable[[str], str]) -> list[str]:
    reason = _WHY.fullmatch(text)
    if reason is None:
        return [f"The reason for dropping {_named(ids)} is none of the three: {_short(clean(text))}"]
    why = Why.TRANSIENT if reason["transient"] else Why(reason["why"].lower())
    dropped.extend(Dropped(id, why, int(reason["by"]) if reason["by"] else None) for id in ids)
    return []


def _as_stored(ids: tuple[int, ...], text: str, shown: dict[int, Item]) -> str:
    """The stored bytes where an entry only comes back, be it with another full stop; else what the model means."""
    item = shown.get(ids[0]) if len(ids) == 1 else None
    if item is not None and _loose(text) in {_loose(_line(item.text)), _loose(item.text)}:
        return item.text
    return meant(text)


def _line(text: str) -> str:
    """An entry as one line that is nothing but text."""
    return " ".join(harmless_lines(text))


def _loose(text: str) -> str:
    return " ".join(text.split()).rstrip(".")


def _named(ids: Sequence[int]) -> str:
    return ", ".join(f"[{id}]" for id in ids)


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")
