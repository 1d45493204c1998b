"""MEMORY.md as a lossless document: sections and entries, and edits that touch nothing else. Pure.

The document is its lines. Parsing only says which lines are headings and entries, so printing it back is
joining the lines, and an edit replaces just the lines of one entry.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache

from commonplace.errors import AmbiguousMatch, NotFound, ValidationError
from commonplace.files.structure import (
    BULLET,
    COMMENT_END,
    RULE,
    Block,
    Heading,
    heading_in,
    indent_of,
    scan,
    without_closing_hashes,
)
from commonplace.files.text import count_whole, decode, encode, folded, on_one_line, split_lines
from commonplace.types.book import MEMORY_FILE, REQUESTED, STANDARD_SECTIONS, Entry, EntryId, Section

TITLE = "# Long-term Memory"

_EVERYWHERE = frozenset({(1, folded(TITLE.lstrip("# "))), *((2, folded(title)) for title in STANDARD_SECTIONS)})
_BOLD = re.compile(r"(\*\*|__)\S.*\1:?")
_LABEL_LEVEL = 7
_PREVIEW = 500
_SHORT = 20
_ITEM = r"(?:[-*+•]|\d{1,2}[.)])[ \t]+(?=\S)"
_LIST = re.compile(rf"^[ \t]{{0,20}}{_ITEM}", re.MULTILINE)
_NEXT_ITEM = re.compile(rf"(?<=\S)(?:(?P<title>[:\uff1a])|[.;,])?[ \t\r]{{0,20}}\n\s{{0,20}}{_ITEM}")
_LEADING_BULLET = re.compile(r"\A(?:[-*+][ \t]+)+")
_LEADING_HASHES = re.compile(r"#{1,6}(?:[ \t]|$)")


@dataclass(frozen=True, slots=True)
class Match:
    """The one place that a text stands for: a whole entry, or `length` characters at `at` of line `line`."""

    block: Block
    whole: bool
    line: int = 0
    at: int = 0
    length: int = 0


class Document:
    """One state of MEMORY.md. Edits return a new document; this one never changes."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = tuple(lines)

    @classmethod
    def parse(cls, data: bytes | None, name: str = MEMORY_FILE) -> Document:
        return _parsed(data or b"", name)

    @property
    def text(self) -> str:
        return "".join(self._lines)

    @property
    def data(self) -> bytes:
        return encode(self.text)

    @property
    def is_blank(self) -> bool:
        return not self.text.removeprefix("\ufeff").strip(" \t\r\n\v\f")

    @property
    def preview(self) -> str:
        """How the text begins, and how much of it is left out."""
        left = len(self.text) - _PREVIEW
        return self.text if left <= 0 else f"{self.text[:_PREVIEW]}… ({left} more characters)"

    @cached_property
    def _structure(self) -> tuple[list[Heading], list[Block]]:
        return scan(self._lines)

    # -- reading ---------------------------------------------------------------------------------------------

    @property
    def blocks(self) -> list[Block]:
        return self._structure[1]

    @cached_property
    def places(self) -> tuple[tuple[str, ...], ...]:
        """For each entry the headings of all levels that it stands under, but for the title and those that every memory
        has. They are a person's own and may say of whom or what it speaks: "Lives in Bern" under Anna is not the same
        under Tom."""
        headings = [(at, found) for at in self._between() if (found := heading_in(self._lines[at]))]
        first = self.blocks[0].start if self.blocks else 0
        if headings and headings[0][0] < first and [level for _, (level, _) in headings].count(1) == 1:
            headings = [one for one in headings if one[1][0] > 1]
        headings.reverse()
        places: list[tuple[str, ...]] = []
        path: list[tuple[int, str]] = []
        for block in self.blocks:
            while headings and headings[-1][0] < block.start:
                _, (level, title) = headings.pop()
                path = [*(above for above in path if above[0] < level), (level, title)]
            label = self._label(block)
            if label or not block.marker:
                path = [above for above in path if above[0] < _LABEL_LEVEL]
            places.append(tuple(title for level, title in path if (level, folded(title)) not in _EVERYWHERE))
            if label:
                path.append((_LABEL_LEVEL, label))
        return tuple(places)

    def _label(self, block: Block) -> str:
        """What a paragraph says that stands as a heading over the bullets below it: it is bold, or underlined, or ends
        in a colon."""
        if block.marker:
            return ""
        text, *more = [line.strip() for line in self._lines[block.start : block.end + 1]]
        length = block.end - block.start
        if more and (RULE.match(more[0]) if length == 1 else length == 2 and more[0] and not more[0].strip("=")):
            return text
        return text if length == 1 and (text.endswith((":", "：")) or _BOLD.fullmatch(text)) else ""

    def _between(self) -> Iterator[int]:
        """The lines that are in no block."""
        at = 0
        for block in self.blocks:
            yield from range(at, block.start)
            at = block.end
        yield from range(at, len(self._lines))

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(self._entry(block) for block in self._structure[1])

    @cached_property
    def ids(self) -> tuple[EntryId, ...]:
        """For each entry what it is called; of several that are alike, the later ones are numbered."""
        seen: Counter[EntryId] = Counter()
        ids: list[EntryId] = []
        for entry in self.entries:
            first = entry.id
            seen[first] += 1
            ids.append(first if seen[first] == 1 else EntryId(f"{first}-{seen[first]}"))
        return tuple(ids)

    def sections(self) -> dict[str, Section]:
        """Title to section, in document order. Sections with the same title are read as one; text under no
        `## ` heading is found under the empty title."""
        headings, blocks = self._structure
        found: dict[str, tuple[str, int, list[Entry]]] = {}
        titles = {-1: ""} | {i: self._title_of(h) for i, h in enumerate(headings)}
        for index, heading in enumerate(headings):
            if titles[index]:
                found.setdefault(folded(titles[index]), (titles[index], heading.line + 1, []))
        for block in blocks:
            title = titles[block.section]
            found.setdefault(folded(title), (title, block.start + 1, []))[2].append(self._entry(block))
        return {title: Section(title, line, tuple(entries)) for title, line, entries in found.values()}

    def find_duplicates(self, text: str) -> Iterator[Entry]:
        """The entries that already say `text`, case, spacing and a closing full stop aside: first those that are just
        that, then, if it is long enough to be no chance, those that have it as whole words. A single short word may be
        repeated."""
        wanted = folded(text).rstrip(" .。")
        if wanted not in folded(self.text) or (len(wanted) <= _SHORT and " " not in wanted):
            return
        known = [(entry, folded(entry.text).rstrip(" .。")) for entry in self.entries]
        yield from (entry for entry, said in known if said == wanted)
        if len(wanted) > _SHORT:
            yield from (entry for entry, said in known if said != wanted and count_whole(wanted, said))

    def locate(self, text: str) -> Match:
        """The single place `text` stands for: an entry that is exactly this, else one whole-word occurrence."""
        if isinstance(text, EntryId):
            return self._called(text)
        wanted = text.strip().replace("\r\n", "\n")
        bare = _LEADING_BULLET.sub("", wanted)
        forms = {wanted, bare, entry_text(wanted)} - {""}
        known = list(zip(self.blocks, self.entries, strict=True))
        whole = [block for block, entry in known if entry.text in forms]
        if not whole and "\n" in wanted:  # as it stands in the file, with the indentation of its lines
            lines = [_lines_of(wanted), _lines_of(bare)]
            whole = [b for b, e in known if _lines_of(self.written(b)) in lines or _lines_of(e.text) in lines]
        if not whole:
            whole = [block for block, entry in known if entry.text.removeprefix(REQUESTED).strip() in forms]
        if len(whole) == 1:
            return Match(whole[0], whole=True)
        if whole:
            raise self._ambiguous(wanted, whole, "entries are exactly this")
        parts = self._parts(wanted) or self._parts(bare) or self._parts_of_lines(wanted)
        if len(parts) == 1:
            return parts[0]
        if parts:
            raise self._ambiguous(wanted, [part.block for part in parts], "places have this text")
        raise NotFound(
            f"No entry has the text {_shortened(wanted)}.",
            hint="Read the memory and copy the entry exactly as it stands there.",
        )

    def _called(self, id: EntryId) -> Match:
        if id not in self.ids:
            raise NotFound(
                f"There is no entry {id} any more; it was changed or removed, or never was there.",
                hint="Read the memory again: each entry is listed with what it is called now.",
            )
        return Match(self.blocks[self.ids.index(id)], whole=True)

    def _parts(self, wanted: str) -> list[Match]:
        """The places within entries that have `wanted` as whole words; the marks of bullets are no part of them."""
        return [
            Match(block, whole=False, line=number, at=at + lead, length=len(wanted))
            for block in self.blocks
            for number in range(block.start, block.end)
            if wanted in (line := self._lines[number])
            for lead in [_marks_length(line)]
            for at in count_whole(wanted, line[lead:])
        ]

    def _parts_of_lines(self, wanted: str) -> list[Match]:
        """The places within entries of several lines that have `wanted` across the end of a line."""
        forms = {wanted, wanted.replace("\n", "\r\n")} if "\n" in wanted else set[str]()
        return [
            Match(block, whole=False, line=block.start, at=at, length=len(form))
            for block in self.blocks
            for form in forms
            for at in count_whole(form, self.written(block))
            if at >= _marks_length(self._lines[block.start])
        ]

    def written(self, block: Block) -> str:
        """The lines of a block as they stand in the file."""
        return "".join(self._lines[block.start : block.end])

    def _ambiguous(self, wanted: str, blocks: Sequence[Block], what: str) -> AmbiguousMatch:
        hint = "Give a longer piece of text that stands in the memory only once."
        if len(set(blocks)) > 1 and len({self._entry(block).text for block in blocks}) == 1:
            hint = (
                "They are the same word for word; `commonplace compact --no-model` or `audit --fix` keeps one of them."
            )
        return AmbiguousMatch(f"{len(blocks)} {what}: {_shortened(wanted)}.", count=len(blocks), hint=hint)

    def entry_at(self, match: Match) -> Entry:
        return self._entry(match.block)

    # -- editing ---------------------------------------------------------------------------------------------

    def with_entry(self, text: str, section: str) -> tuple[Document, Entry]:
        """Append `- text` at the end of `section`, indented as the heading below it; a missing section, or a blank
        document, is created first."""
        if self.is_blank:
            return blank_document(bom=self.text.startswith("\ufeff")).with_entry(text, section)
        text, section = self._harmless(text), self._harmless(section)
        heading = self._last_heading(section)
        if heading is None:
            return self._with_section(section).with_entry(text, section)
        headings, blocks = self._structure
        end = headings[heading + 1].line if heading + 1 < len(headings) else len(self._lines)
        end = self._first_below(headings[heading].line, end)
        last = end - 1
        while not self._lines[last].strip():
            last -= 1
        after_bullet = any(b.marker and b.end == last + 1 for b in blocks)
        newline = self._newline_after(last)
        bullet = f"{self._indentation(end)}- {text}{newline}"
        new = [bullet] if after_bullet else [newline, bullet]
        if last + 1 == end < len(self._lines):
            new.append(newline)
        lines = [*self._lines[: last + 1], *new, *self._lines[last + 1 :]]
        lines[last] = _ended(lines[last], newline)
        line = last + 1 + (0 if after_bullet else 1)
        return Document(lines), Entry(text, headings[heading].title, line + 1)

    def replace(self, match: Match, text: str) -> tuple[Document, Entry]:
        """Put `text` where `match` is; the bullet's marker, indentation and line end stay."""
        text = on_one_line(text) if not match.whole else entry_text(text)
        if not match.whole and match.at == _marks_length(self._lines[match.line]):
            text = _LEADING_BULLET.sub("", text)
        text = self._harmless(text)
        if match.whole and self._entry(match.block).text.startswith(REQUESTED) and not text.startswith(REQUESTED):
            text = f"{REQUESTED} {text}"  # what was asked for stays marked as such
        # Where no bullet stands before it, the text itself could start a fence, a list or a heading.
        for written in (text, "\\" + text):
            document, block = self._with_text(match, written)
            if self._entry(match.block).text.startswith(REQUESTED) and not document._entry(block).text.startswith(
                REQUESTED
            ):
                raise ValidationError(
                    f"`{REQUESTED}` marks what the user asked for; it is not changed.",
                    hint="Change the words after it.",
                )
            if document._is_like(self, block):
                return document, document._entry(block)
        raise ValidationError(
            f"{_shortened(text)} would change how the lines around it are read.",
            hint="Choose another wording, or edit the file by hand.",
        )

    def moved(self, match: Match, section: str) -> tuple[Document, Entry]:
        """The entry at the end of another section, with all its lines; everything else stays."""
        entry = self._entry(match.block)
        changed, new = self.without(match).with_entry(entry.text, section)
        first, *more = entry.text.split("\n")
        end = self._newline_after(match.block.start)
        text = end.join([first, *(f"  {line}" if line else "" for line in more)])
        lines = list(changed._lines)
        lines[new.line - 1] = lines[new.line - 1].replace(entry.text, text)
        changed = Document(split_lines("".join(lines)))
        self._same_but(changed, entry.text, entry.text)
        return changed, Entry(entry.text, new.section, new.line)

    def asked_for(self, match: Match, wanted: bool) -> tuple[Document, Entry]:
        """The entry with the mark of what the user asked for, or without it."""
        block, entry = match.block, self._entry(match.block)
        at = _prefix_length(self._lines[block.start], block)
        bare = entry.text.removeprefix(REQUESTED).lstrip(" \t")
        if wanted == entry.text.startswith(REQUESTED) or not bare:
            return self, entry
        length = 0 if wanted else len(entry.text) - len(bare)
        new = f"{REQUESTED} {bare}" if wanted else bare
        mark = Match(block, whole=False, line=block.start, at=at, length=length)
        changed, edited = self._with_text(mark, f"{REQUESTED} " if wanted else "")
        self._same_but(changed, entry.text, new)
        return changed, changed._entry(edited)

    def _same_but(self, changed: Document, old: str, new: str) -> None:
        """Whether another state has the entries of this one, but for one that has other words or another place."""
        wanted = Counter(entry.text for entry in self.entries)
        wanted[old] -= 1
        wanted[new] += 1
        if Counter(entry.text for entry in changed.entries) != +wanted:
            raise ValidationError(
                f"{_shortened(old)} cannot be taken by itself: how the lines around it are read would change.",
                hint="Edit the file by hand.",
            )

    def _matched(self, match: Match) -> str:
        return "".join(self._lines[match.line : match.block.end])[match.at : match.at + match.length]

    def _with_text(self, match: Match, text: str) -> tuple[Document, Block]:
        block = match.block
        lines = list(self._lines)
        if not match.whole:
            rest = "".join(lines[match.line : block.end])
            changed = split_lines(rest[: match.at] + text + rest[match.at + match.length :])
            lines[match.line : block.end] = changed
            return Document(lines), block._replace(end=match.line + len(changed))
        first = lines[block.start]
        lead = first[: _prefix_length(first, block)]
        if block.marker and lead.endswith(block.marker):
            lead += " "
        lines[block.start : block.end] = [lead + text + _line_end(lines[block.end - 1])]
        return Document(lines), block._replace(end=block.start + 1)

    def _is_like(self, other: Document, edited: Block) -> bool:
        """Whether this document has the headings and entries of `other`, one of them being `edited` now."""
        return (
            len(self._structure[0]) == len(other._structure[0])
            and len(self.blocks) == len(other.blocks)
            and any(block[:4] == edited[:4] for block in self.blocks)
        )

    def _harmless(self, text: str) -> str:
        """`text` such that it does not end a comment that somebody forgot to close, and vanish in it."""
        if COMMENT_END not in text:
            return text
        closed = max((at for at, line in enumerate(self._lines) if COMMENT_END in line), default=-1)
        is_open = any(line.lstrip("\ufeff \t").startswith("<!--") for line in self._lines[closed + 1 :])
        return text.replace(COMMENT_END, "--\\>") if is_open else text

    def without(self, match: Match) -> Document:
        """Remove the entry, and the blank line that would otherwise be doubled."""
        block = match.block
        if not match.whole:
            raise ValidationError(
                f"{_shortened(self._matched(match))} is only a part of the "
                f"entry {_shortened(self._entry(block).text)}.",
                hint="To delete, give the whole entry; to change it, give the new wording.",
            )
        before, after = list(self._lines[: block.start]), list(self._lines[block.end :])
        if after and not after[0].strip() and not (before and before[-1].strip()):
            del after[0]
        elif not after and len(before) > 1 and not before[-1].strip():
            del before[-1]
        bom = "\ufeff" if not before and self.text.startswith("\ufeff") else ""
        return Document(split_lines(bom + "".join([*before, *after])))

    def joined(self, title: str) -> Document:
        """What stands under later headings of this title comes under the first one; all other lines stay."""
        headings = self._structure[0]
        same = [i for i, h in enumerate(headings) if h.level == 2 and folded(h.title) == folded(title)]
        ends = [h.line for h in headings[1:]] + [len(self._lines)]
        first, *later = [(headings[i].line, ends[i]) for i in same]
        moved = [line for start, end in later for line in self._trimmed(start + 1, end)]
        gone = {line for start, end in later for line in range(start, end)}
        if not moved:
            return self._ended_as_before([line for at, line in enumerate(self._lines) if at not in gone], gone)
        last = first[1]
        while not self._lines[last - 1].strip():
            last -= 1
        newline = self._newline_after(last - 1)
        bullets = all(BULLET.match(line.rstrip("\r\n")) for line in (self._lines[last - 1], moved[0]))
        head = [*self._lines[: last - 1], _ended(self._lines[last - 1], newline), *([] if bullets else [newline])]
        rest = [line for at, line in enumerate(self._lines) if at >= last and at not in gone]
        moved = [_ended(line, newline) for line in moved]
        gap = [newline] if rest and rest[0].strip() else []
        return self._ended_as_before([*head, *moved, *gap, *rest], gone)

    def _ended_as_before(self, lines: list[str], gone: Set[int]) -> Document:
        """`lines` as a document, without the blank ones that stood before an end which is `gone`."""
        while len(self._lines) - 1 in gone and not lines[-1].strip():
            lines.pop()
        return Document(lines)

    def _trimmed(self, start: int, end: int) -> tuple[str, ...]:
        """The lines from `start` to `end` without the blank ones around them."""
        filled = [at for at in range(start, end) if self._lines[at].strip()]
        return self._lines[filled[0] : filled[-1] + 1] if filled else ()

    def repeated_headings(self) -> list[str]:
        """The titles of sections that have more than one heading."""
        counts: dict[tuple[int, str], list[str]] = {}
        above = 0
        for heading in self._structure[0]:
            if heading.level == 1:
                above += 1  # under another title it is another section
            elif heading.title:
                counts.setdefault((above, folded(heading.title)), []).append(heading.title)
        return list(dict.fromkeys(titles[0] for titles in counts.values() if len(titles) > 1))

    def outline(self) -> list[str]:
        """Every line that is neither blank, a rule nor part of an entry: the headings of all levels."""
        bare = (self._lines[at].removeprefix("\ufeff").strip() for at in self._between())
        return [line for line in bare if line and not RULE.match(line)]

    def under_no_section(self, block: Block) -> bool:
        """Whether a block stands before all headings, or under the document's own title."""
        if block.section < 0:
            return True
        heading = self._structure[0][block.section]
        return heading.level == 1 and folded(heading.title) == folded(TITLE.lstrip("# "))

    def _first_below(self, heading: int, end: int) -> int:
        """Where the section of a heading has its first deeper one: what stands under that one is about it alone."""
        deeper = (at for at in self._between() if heading < at < end and heading_in(self._lines[at]))
        return next(deeper, end)

    def _with_section(self, title: str) -> Document:
        newline = self._newline_after(len(self._lines) - 1)
        lines = list(self._lines)
        lines[-1] = _ended(lines[-1], newline)
        gap = [newline] if lines[-1].strip() else []
        return Document([*lines, *gap, f"## {title}{newline}"])

    def _last_heading(self, section: str) -> int | None:
        headings = self._structure[0]
        wanted = folded(section)
        same = [i for i, h in enumerate(headings) if h.level == 2 and folded(h.title) == wanted]
        titles = [i for i, h in enumerate(headings) if h.level == 1]
        near = [i for i in same if len(titles) < 2 or i < titles[1]]  # a second title begins something else
        return (near or same)[-1] if same else None

    def _indentation(self, line: int) -> str:
        """What a bullet above the heading in `line` is indented by: an indented heading would be read as part of it."""
        following = self._lines[line] if line < len(self._lines) else ""
        return following[: len(following) - len(following.lstrip(" "))]

    def _newline_after(self, line: int) -> str:
        """How to end new lines after `line`: like that one (LF after CR would read as one end), or like the first."""
        return next((end for near in (self._lines[line], self._lines[0]) if (end := _line_end(near))), "\n")

    def _title_of(self, heading: Heading) -> str:
        return heading.title if heading.level == 2 else ""

    def _entry(self, block: Block) -> Entry:
        headings = self._structure[0]
        title = self._title_of(headings[block.section]) if block.section >= 0 else ""
        first = self._lines[block.start]
        texts = [first[_prefix_length(first, block) :].rstrip()]
        texts += [_dedented(line, block.offset).rstrip() for line in self._lines[block.start + 1 : block.end]]
        return Entry("\n".join(texts).strip(), title, block.start + 1)


@lru_cache(maxsize=2)
def _parsed(data: bytes, name: str) -> Document:
    """The gate, the search and the change itself look at the same bytes one after the other."""
    return Document(split_lines(decode(data, name)))


def entry_text(content: str) -> str:
    """What a caller wants remembered, as it can stand in one bullet: it cannot start a section or a second entry."""
    if len(_LIST.findall(content)) > 1:  # "tea; coffee" instead of "tea - coffee"
        content = _NEXT_ITEM.sub(lambda item: f"{item['title'] or ';'} ", content)
    line = _LEADING_BULLET.sub("", on_one_line(content)).strip()
    if line in {"", "-", "*", "+"}:
        return ""
    return "\\" + line if _LEADING_HASHES.match(line) or RULE.match(f"- {line}") else line


def entry_line(line: str) -> str:
    """The text of a line without indentation and the mark of a bullet."""
    return line[_marks_length(line) :].strip()


def title_text(section: str) -> str:
    """What a caller names a section, as it can stand in a heading and is read back from there."""
    title = on_one_line(section).lstrip("# \t")
    while title != (shorter := without_closing_hashes(title)):
        title = shorter
    return title


def blank_document(*, bom: bool = False) -> Document:
    """MEMORY.md before anything is in it."""
    body = "\n".join([TITLE, *(f"\n## {title}" for title in STANDARD_SECTIONS)]) + "\n"
    return Document(split_lines(("\ufeff" if bom else "") + body))


def _prefix_length(first: str, block: Block) -> int:
    """How much of an entry's first line is indentation and marker."""
    bare = first.lstrip("\ufeff \t")
    lead = len(first) - len(bare)
    if not block.marker:
        return lead
    rest = bare[len(block.marker) :]
    return lead + len(block.marker) + len(rest) - len(rest.lstrip(" \t"))


def _marks_length(line: str) -> int:
    """How much of any line is indentation and the mark of a bullet."""
    bare = line.lstrip("\ufeff \t")
    bullet = BULLET.match(bare.rstrip("\r\n"))
    return len(line) - len(bare) + (bullet.start(4) if bullet and bullet[4] else 0)


def _dedented(line: str, offset: int) -> str:
    bare = line.lstrip(" \t")
    return " " * max(indent_of(line) - offset, 0) + bare


def _lines_of(text: str) -> list[str]:
    """The lines of an entry as far as they tell which one is meant."""
    return [line.strip() for line in text.removeprefix("\ufeff").strip().splitlines()]


def _line_end(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]


def _ended(line: str, newline: str) -> str:
    return line if _line_end(line) else line + newline


def _shortened(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "…")
