"""Pages: files that hold memories, our own and other programs', as an audit reads and mends them.

A page says which items it has and where, which texts it has at all, and what it is like without some of its items or
with its texts cleaned. What a page does not understand stays as it is, byte for byte.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from functools import cached_property

from commonplace.files.document import REQUESTED, Document
from commonplace.files.structure import BULLET, Block, Heading, indent_of, scan
from commonplace.files.text import encode, folded, split_lines
from commonplace.types.book import MEMORY_FILE

Clean = Callable[[str], str]

_FRONT = re.compile(r"\ufeff?---[ \t]*\r?\n")
_FRONT_END = re.compile(r"^---[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_FRONT_DATE = re.compile(
    r"^[ \t]*(?:last_?updated|updated(?:_at)?|modified|date|created(?:_at)?):\s*[\"']?(\d{4}-\d\d-\d\d)", re.MULTILINE
)
_LINK = re.compile(r"(?:\*\*)?\[[^\]]{0,999}\]\([^)]{0,999}\)")
_MOST_TRIED = 200
_NOT_PROSE = ("```", "~~~", "<!--", "|")


class Depth(StrEnum):
    """What a page is looked through for."""

    ALL = "all"
    GUIDE = "guide"  # as all, but it is there to tell an agent what to do
    LOG = "log"  # what happened: it may pass, and repeat itself
    SECRETS = "secrets"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that a page remembers. `line` counts from 1; in an export it is the number of the record, from 0.
    `block` is the number of what would go with it; None: it cannot be taken out alone. `place` are the headings of a
    person's own that it stands under, and the bullets that it stands within."""

    text: str
    file: str
    line: int
    id: str = ""
    section: str = ""
    since: date | None = None
    is_prose: bool = True
    block: int | None = None
    place: tuple[str, ...] = ()

    @property
    def is_protected(self) -> bool:
        return self.text.startswith(REQUESTED)

    @property
    def bare(self) -> str:
        """The text without the mark of what the user asked for."""
        return self.text.removeprefix(REQUESTED).strip() or self.text


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something about the structure of a page. A `note` is only worth knowing."""

    line: int
    text: str
    why: str
    is_note: bool = False


class Page(ABC):
    """One file."""

    name: str
    depth: Depth
    numbers_lines: bool

    @property
    def is_memory(self) -> bool:
        """Whether it holds what should last, and each thing once."""
        return self.depth in {Depth.ALL, Depth.GUIDE}

    @property
    @abstractmethod
    def data(self) -> bytes: ...

    @property
    @abstractmethod
    def items(self) -> tuple[Item, ...]: ...

    @abstractmethod
    def texts(self) -> Iterator[tuple[int, str]]:
        """Every text of the page with its line or number: more than the items."""

    @abstractmethod
    def oddities(self) -> Iterator[Oddity]: ...

    @abstractmethod
    def without(self, blocks: Set[int]) -> "Page":
        """The page without some blocks, with what is odd about its structure put in order."""

    @abstractmethod
    def cleaned(self, clean: Clean) -> "Page":
        """The page with every text as `clean` makes it."""

    @abstractmethod
    def lines(self) -> list[str]:
        """The page for a person who compares two of them."""


# -- Markdown -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MarkdownPage(Page):
    """A Markdown file, with or without front matter."""

    name: str
    text: str
    depth: Depth = Depth.ALL
    since: date | None = None
    numbers_lines = True

    @property
    def data(self) -> bytes:
        return encode(self.text)

    @cached_property
    def front(self) -> str:
        start = _FRONT.match(self.text)
        end = _FRONT_END.search(self.text, start.end()) if start else None
        return self.text[: end.end()] if end else ""

    @property
    def body(self) -> str:
        return self.text[len(self.front) :]

    @property
    def dated(self) -> date | None:
        """The day that the front matter names, or the one that is known otherwise."""
        found = _FRONT_DATE.search(self.front)
        return day_in(found[1]) if found else self.since

    @cached_property
    def _offset(self) -> int:
        return len(split_lines(self.front))

    @cached_property
    def _document(self) -> Document:
        return Document(split_lines(self.body))

    @cached_property
    def _lines(self) -> tuple[str, ...]:
        return tuple(split_lines(self.body))

    @property
    def items(self) -> tuple[Item, ...]:
        return self._found

    @cached_property
    def _found(self) -> tuple[Item, ...]:
        return tuple(self._items())

    def _items(self) -> Iterator[Item]:
        since = self.dated
        document = self._document
        known = zip(document.blocks, document.entries, document.places, strict=True)
        for number, (block, entry, place) in enumerate(known):
            if not entry.text:
                continue
            parts = list(_parts(entry.text)) if block.marker else [(0, entry.text, ())]
            for at, text, within in parts:
                is_prose = not text.startswith(_NOT_PROSE) and not _LINK.match(text)
                alone = number if len(parts) == 1 else None
                line = entry.line + self._offset + at
                yield Item(text, self.name, line, "", entry.section, since, is_prose, alone, (*place, *within))

    def texts(self) -> Iterator[tuple[int, str]]:
        for start, text in self._units():
            yield start + self._offset + 1, text
        if self.front:
            yield 1, self.front

    def _units(self) -> Iterator[tuple[int, str]]:
        """The lines of each block together, and every other line by itself."""
        at = 0
        for block in self._document.blocks:
            yield from ((line, self._lines[line]) for line in range(at, block.start))
            yield block.start, "".join(self._lines[block.start : block.end])
            at = block.end
        yield from ((line, self._lines[line]) for line in range(at, len(self._lines)))

    def oddities(self) -> Iterator[Oddity]:
        headings, blocks = scan(self._lines)
        for first, second in _doubled(headings):
            why = f"The heading stands on line {first.line + self._offset + 1} already."
            yield Oddity(second.line + self._offset + 1, f"## {second.title}", why)
        for block, entry in zip(blocks, self._document.entries, strict=True):
            line = entry.line + self._offset
            if not entry.text:
                yield Oddity(line, self._lines[block.start].strip(), "The bullet is empty.")
            elif (
                self.name.rpartition("/")[2] == MEMORY_FILE
                and not entry.section
                and any(h.level == 2 for h in headings)
            ):
                yield Oddity(line, entry.text, "It stands outside of every section.", is_note=True)

    def without(self, blocks: Set[int]) -> "MarkdownPage":
        known = zip(self._document.blocks, self._document.entries, strict=True)
        gone = [block for at, (block, entry) in enumerate(known) if at in blocks or (block.marker and not entry.text)]
        document = _taken_out(self._document, gone)
        if document is None:
            document = self._document
            for block in reversed(gone[:_MOST_TRIED]):  # from the end, so that the lines before stay where they are
                document = _taken_out(document, [block]) or document
        return self._with(_joined(document.text))

    def cleaned(self, clean: Clean) -> "MarkdownPage":
        front = clean(self.front) if self.front else ""
        return MarkdownPage(
            self.name, front + "".join(clean(text) for _, text in self._units()), self.depth, self.since
        )

    def lines(self) -> list[str]:
        return split_lines(self.text)

    def _with(self, body: str) -> "MarkdownPage":
        return MarkdownPage(self.name, self.front + body, self.depth, self.since)


def _taken_out(document: Document, blocks: Sequence[Block]) -> Document | None:
    """The document without some blocks and the blank lines that would then be doubled; None if the lines around them
    would be read in another way."""
    ends = {block.start: block.end for block in blocks}
    lines, left, at = split_lines(document.text), list[str](), 0
    while at < len(lines):
        if at not in ends:
            left.append(lines[at])
            at += 1
            continue
        at = ends[at]
        if at < len(lines) and not lines[at].strip() and not (left and left[-1].strip()):
            at += 1
        elif at == len(lines) and len(left) > 1 and not left[-1].strip():
            left.pop()
    bom = "\ufeff" if document.text.startswith("\ufeff") and not "".join(left[:1]).startswith("\ufeff") else ""
    changed = Document(split_lines(bom + "".join(left)))
    known = zip(document.blocks, document.entries, strict=True)
    wanted = [(entry.section, entry.text) for block, entry in known if block.start not in ends]
    return changed if [(entry.section, entry.text) for entry in changed.entries] == wanted else None


def _parts(text: str) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """A bullet and the bullets within it, each with its distance in lines from the first and with the first lines of
    those that it stands within."""
    start, part, fenced = 0, list[str](), False
    above: list[tuple[int, str]] = []
    indent = -1
    for at, line in enumerate(text.split("\n")):
        bullet = None if fenced else BULLET.match(line)
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        if at and bullet and bullet[4]:
            yield start, "\n".join(part).strip(), tuple(said for _, said in above)
            above.append((indent, part[0].strip()))
            start, part, indent = at, [bullet[4]], indent_of(line)
            above = [one for one in above if one[0] < indent]
        else:
            part.append(line)
    yield start, "\n".join(part).strip(), tuple(said for _, said in above)


def _doubled(headings: list[Heading]) -> Iterator[tuple[Heading, Heading]]:
    """Pairs of a heading and a later one with the same title, below the same title of the page."""
    seen: dict[str, Heading] = {}
    for heading in headings:
        if heading.level == 1:
            seen.clear()
        elif folded(heading.title) in seen:
            yield seen[folded(heading.title)], heading
        elif heading.title:
            seen[folded(heading.title)] = heading


def _joined(text: str) -> str:
    """The text with what stands below a doubled heading moved to where the heading stands first."""
    for _ in range(_MOST_TRIED):
        lines = split_lines(text)
        headings, _ = scan(tuple(lines))
        pair = next(_doubled(headings), None)
        if pair is None:
            return text
        moved = _moved(lines, headings, *pair)
        if _entries(moved) != _entries(text):
            return text  # something else depends on where the lines stand
        text = moved
    return text


def _moved(lines: list[str], headings: list[Heading], first: Heading, second: Heading) -> str:
    starts = [heading.line for heading in headings]

    def end_of(heading: Heading) -> int:
        return next((start for start in starts if start > heading.line), len(lines))

    newline = "\r\n" if lines[first.line].endswith("\r\n") else "\n"
    body = "".join(lines[second.line + 1 : end_of(second)]).strip("\r\n").rstrip()
    above, below = lines[: end_of(first)], [*lines[end_of(first) : second.line], *lines[end_of(second) :]]
    while above and not above[-1].strip():
        above.pop()
    above[-1] = above[-1].rstrip("\r\n") + newline
    gap = "" if BULLET.match(above[-1].rstrip("\r\n")) and BULLET.match(body.split("\n")[0]) else newline
    tail = "".join(below).rstrip("\r\n")
    joined = "".join(above) + (gap + body + newline if body else "")
    return joined + (newline + tail.lstrip("\r\n") + newline if tail.strip() else "")


def _entries(text: str) -> list[tuple[str, str]]:
    return sorted((entry.section.casefold(), entry.text) for entry in Document(split_lines(text)).entries)


def day_in(text: str) -> date | None:
    """The day that a time in ISO form begins with."""
    try:
        return datetime.fromisoformat(text[:10]).date()
    except ValueError:
        return None
