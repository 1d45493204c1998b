"""What the API's answers look like: the values of the core with all their text as JSON can have it."""

import re
from collections.abc import Sequence
from datetime import date, datetime
from difflib import SequenceMatcher
from typing import Annotated, Generic, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict

from commonplace.files.document import Document
from commonplace.files.text import printable, split_lines
from commonplace.types.book import REQUESTED, Entry
from commonplace.types.book import Section as BookSection
from commonplace.types.keeping import Change as BookChange
from commonplace.types.keeping import FileDiff as BookDiff
from commonplace.types.saving import Waiting as InboxItem
from commonplace.types.searching import Source
from commonplace.types.verdicts import Verdict as GateVerdict
from commonplace.types.verdicts import VerdictKind

_T = TypeVar("_T")
_CONTEXT = 3
_MOST_LINES = 20_000
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def _shown(value: object) -> object:
    return printable(value) if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_shown)]
"""Text whose bytes that are no UTF-8 are shown as U+FFFD."""


def _is_day(value: object) -> object:
    if isinstance(value, str) and not _DAY.fullmatch(value):
        raise ValueError("a day is written as YYYY-MM-DD")
    return value


Day = Annotated[date, BeforeValidator(_is_day, json_schema_input_type=date)]
"""A day in a request: 2026-11-18, and nothing else that could be read as one."""


class Shape(BaseModel):
    """An answer, read from the fields of a value."""

    model_config = ConfigDict(from_attributes=True, frozen=True)


class Page(Shape, Generic[_T]):
    """A part of a list. `next` is the cursor of the part after it; null at the end."""

    items: list[_T]
    next: str | None
    total: int | None


class EntryShape(Shape):
    """One entry. `id` stands for it in just this wording and section, and is its ETag; `plain` is the text without the
    mark of what the user asked for."""

    id: str
    text: Text
    plain: Text
    section: Text
    line: int
    protected: bool
    written: datetime | None = None

    @classmethod
    def of(cls, entry: Entry, id: str | None = None, written: datetime | None = None) -> "EntryShape":
        return cls(
            id=id or entry.id,
            text=entry.text,
            plain=entry.text.removeprefix(REQUESTED).lstrip(),
            section=entry.section,
            line=entry.line,
            protected=entry.text.startswith(REQUESTED),
            written=written,
        )


class SectionShape(Shape):
    """A section with its entries; the title is empty for what stands before all sections."""

    title: Text
    line: int
    entries: list[EntryShape]


def sections_of(document: Document, written: dict[str, datetime] | None = None) -> list[SectionShape]:
    ids = {entry.line: id for entry, id in zip(document.entries, document.ids, strict=True)}
    times = written or {}

    def shaped(section: BookSection) -> SectionShape:
        entries = [EntryShape.of(e, ids[e.line], times.get(e.text.partition("\n")[0])) for e in section.entries]
        return SectionShape(title=section.title, line=section.line, entries=entries)

    return list(map(shaped, document.sections().values()))


class VerdictShape(Shape):
    """What the gate says to a text: what becomes of it, the rule that fired (none: nothing speaks against it), the
    entry that it is about, and what the person can do: `insist`, `update` that entry, or `leave` it."""

    kind: VerdictKind
    rule: str
    reason: Text
    certainty: float
    existing: EntryShape | None
    pieces: list[Text]
    choices: list[Literal["insist", "update", "leave"]]

    @classmethod
    def of(cls, verdict: GateVerdict) -> "VerdictShape":
        stored = verdict.kind is VerdictKind.STORE
        choices: list[Literal["insist", "update", "leave"]] = [] if stored else ["insist", "leave"]
        if verdict.existing is not None:
            choices = ["update", *choices]
        return cls(
            kind=verdict.kind,
            rule=verdict.rule,
            reason=verdict.reason,
            certainty=verdict.certainty,
            existing=EntryShape.of(verdict.existing) if verdict.existing else None,
            pieces=list(verdict.pieces),
            choices=choices,
        )


class Near(Shape):
    """An entry that is close in meaning to something, and how close."""

    entry: EntryShape
    likeness: float | None


class WaitingShape(Shape):
    """What waits in the inbox. `instead_of` is the entry that a change would replace; `why` tells why it waits."""

    id: str
    text: Text
    held: date | None
    rule: Text
    why: Text
    voice: str | None
    session: Text | None
    section: Text
    kind: Literal["addition", "change", "removal"]
    instead_of: Text
    messages: list[Text]
    said: Text
    nearest: list[Near]

    @classmethod
    def of(cls, item: InboxItem, nearest: Sequence[Near] = ()) -> "WaitingShape":
        from commonplace.files.inbox import WHY

        return cls(
            id=item.id,
            text=item.text,
            held=item.held,
            rule=item.rule,
            why=WHY.get(item.rule, item.rule),
            voice=item.voice,
            session=item.session,
            section=item.section,
            kind=item.kind.value,
            instead_of=item.instead_of,
            messages=list(item.messages),
            said=item.said,
            nearest=list(nearest),
        )


Result = Literal[
    "saved",
    "duplicate",
    "alike",
    "held",
    "refused",
    "revised",
    "forgotten",
    "moved",
    "protected",
    "unprotected",
    "rejected",
    "unchanged",
]


class Outcome(Shape):
    """What became of a wish to change something. `entry` is what there is now, `before` what there was; `change` takes
    it back; `etag` is the memory's version afterwards. What the gate stops is an outcome too, not an error."""

    result: Result
    code: str | None = None
    entry: EntryShape | None = None
    before: EntryShape | None = None
    change: str | None = None
    verdict: VerdictShape | None = None
    waiting: WaitingShape | None = None
    etag: str
    message: Text | None = None


class ChangeShape(Shape):
    """One recorded change: when, what, by whom, from which conversation and why."""

    id: str
    short: str
    at: datetime
    summary: Text
    origin: str
    session: Text | None
    reason: Text | None
    undoes: str | None
    voice: str | None
    messages: list[Text]
    files: list[Text]

    @classmethod
    def of(cls, change: BookChange) -> "ChangeShape":
        note = change.note
        return cls(
            id=change.id,
            short=change.short,
            at=change.at,
            summary=note.summary,
            origin=note.origin.value,
            session=note.session,
            reason=note.reason,
            undoes=note.undoes,
            voice=note.voice,
            messages=list(note.messages),
            files=list(change.files),
        )


class DiffLine(Shape):
    """A line of a difference, with its number before and after."""

    kind: Literal["same", "gone", "new"]
    text: Text
    old: int | None
    new: int | None


class Hunk(Shape):
    """Lines that changed, and a few around them."""

    old_start: int
    new_start: int
    lines: list[DiffLine]


class DiffShape(Shape):
    """What happened to one file: its text before and after (null: it was not there), and the lines that differ."""

    name: Text
    before: Text | None
    after: Text | None
    hunks: list[Hunk]

    @classmethod
    def of(cls, diff: BookDiff) -> "DiffShape":
        return cls(name=diff.name, before=diff.before, after=diff.after, hunks=hunks_of(diff.before, diff.after))


def hunks_of(before: str | None, after: str | None) -> list[Hunk]:
    """The lines that differ. Files too large to compare line by line are told as replaced."""
    old, new = ([line.rstrip("\r\n") for line in split_lines(text or "")] for text in (before, after))
    matcher = SequenceMatcher(None, old, new, autojunk=len(old) + len(new) > _MOST_LINES)
    return [_hunk(old, new, group) for group in matcher.get_grouped_opcodes(_CONTEXT)]


def _hunk(old: Sequence[str], new: Sequence[str], group: Sequence[tuple[str, int, int, int, int]]) -> Hunk:
    lines: list[DiffLine] = []
    for tag, i1, i2, j1, j2 in group:
        if tag == "equal":
            pairs = zip(range(i1, i2), range(j1, j2), strict=True)
            lines += [DiffLine(kind="same", text=old[i], old=i + 1, new=j + 1) for i, j in pairs]
            continue
        lines += [DiffLine(kind="gone", text=old[i], old=i + 1, new=None) for i in range(i1, i2)]
        lines += [DiffLine(kind="new", text=new[j], old=None, new=j + 1) for j in range(j1, j2)]
    return Hunk(old_start=group[0][1] + 1, new_start=group[0][3] + 1, lines=lines)


class AroundShape(Shape):
    """What stands around a hit in a conversation: its title, and what was said just before and after."""

    title: Text
    before: Text
    after: Text


class HitShape(Shape):
    """A search result: where it stands, its score, and how the score came about. `entry` is the id of the entry, if it
    is one; `around` is there if it was asked for, and the hit is in a conversation."""

    text: Text
    source: Source
    date: date | None
    heading: Text
    file: Text
    line: int
    session: Text
    message: Text
    speaker: Text
    score: float
    age_days: int | None
    components: dict[str, float]
    entry: str | None = None
    around: AroundShape | None = None


class IndexShape(Shape):
    """How much is indexed. Without a model, search goes by keywords alone; `trouble` says why, if it should not."""

    chunks: int
    vectors_known: int
    vectors_wanted: int
    model: Text
    model_loaded: bool
    trouble: Text


class SessionShape(Shape):
    """One conversation at a glance; `unlogged` messages are not in the daily log yet."""

    id: Text
    title: Text
    started: datetime
    last: datetime
    messages: int
    ended: bool
    unlogged: int
