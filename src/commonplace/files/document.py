"""MEMORY.md as a lossless document: sections and entries, and edits that touch nothing else. Pure.

The document is its lines. Parsing only says which lines are headings and entries, so printing it back is
joining the lines, and an edit replaces just the lines of one entry.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from commonplace.errors import AmbiguousMatch, NotFound, ValidationError
from commonplace.files.text import count_whole, decode, encode, folded, on_one_line, split_lines
from commonplace.types import MEMORY_FILE, Category, Entry, Section

TITLE = "# Long-term Memory"
SECTION_OF = {
    Category.PROFILE: "User Profile",
    Category.PREFERENCES: "Preferences",
    Category.INTERESTS: "Interests",
    Category.WORKFLOW: "Workflow",
    Category.PROJECTS: "Projects",
    Category.NOTES: "Notes",
}
STANDARD_SECTIONS = tuple(SECTION_OF.values())
REQUESTED = "User requested:"

_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_BULLET = re.compile(r"([ \t]*)([-*+]|\d{1,9}[.)])(?:([ \t]+)(.*))?$")
_RULE = re.compile(r" {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_FENCE = re.compile(r"(`{3,}|~{3,})(.*)$")
_COMMENT_END = "-->"
_NOT_PLAIN = " \t\r\n-*_"
_LEADING_BULLET = re.compile(r"\A(?:[-*+][ \t]+)+")
_LEADING_HASHES = re.compile(r"#{1,6}(?:[ \t]|$)")


class Block(NamedTuple):
    """Lines `start` to `end` (exclusive) that belong together; a bullet has its marker and content offset."""

    start: int
    end: int
    section: int
    marker: str
    offset: int


@dataclass(frozen=True, slots=True)
class Heading:
    """A `# ` or `## ` line; what follows, up to the next one, is its section."""

    line: int
    level: int
    title: str


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
    def parse(cls, data: bytes | None, name: str = MEMORY_FILE) -> "Document":
        return cls(split_lines(decode(data or b"", name)))

    @property
    def text(self) -> str:
        return "".join(self._lines)

    @property
    def data(self) -> bytes:
        return encode(self.text)

    @property
    def is_blank(self) -> bool:
        return not self.text.strip("\ufeff \t\r\n\v\f")

    @cached_property
    def _structure(self) -> tuple[list[Heading], list[Block]]:
        return _scan(self._lines)

    # -- reading ---------------------------------------------------------------------------------------------

    @property
    def blocks(self) -> list[Block]:
        return self._structure[1]

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(self._entry(block) for block in self._structure[1])

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

    def find_duplicate(self, text: str) -> Entry | None:
        """The entry that already says `text`, case and spacing aside, as the whole of it or as whole words."""
        wanted = folded(text)
        if len(wanted) <= 20 or wanted not in folded(self.text):
            return None
        return next((e for e in self.entries if count_whole(wanted, folded(e.text))), None)

    def locate(self, text: str) -> Match:
        """The single place `text` stands for: an entry that is exactly this, else one whole-word occurrence."""
        wanted = text.strip().replace("\r\n", "\n")
        bare = _LEADING_BULLET.sub("", wanted)
        forms = {wanted, bare, entry_text(wanted)} - {""}
        known = list(zip(self.blocks, self.entries, strict=True))
        whole = [block for block, entry in known if entry.text in forms]
        if not whole:
            whole = [block for block, entry in known if entry.text.removeprefix(REQUESTED).strip() in forms]
        if len(whole) == 1:
            return Match(whole[0], whole=True)
        if whole:
            raise _ambiguous(wanted, len(whole), "entries are exactly this")
        parts = self._parts(wanted) or self._parts(bare)
        if len(parts) == 1:
            return parts[0]
        if parts:
            raise _ambiguous(wanted, len(parts), "places have this text")
        raise NotFound(
            f"No entry has the text {_shortened(wanted)}.",
            hint="Read the memory and copy the entry exactly as it stands there.",
        )

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

    def entry_at(self, match: Match) -> Entry:
        return self._entry(match.block)

    # -- editing ---------------------------------------------------------------------------------------------

    def with_entry(self, text: str, section: str) -> tuple["Document", Entry]:
        """Append `- text` at the end of `section`; a missing section, or a blank document, is created first."""
        if self.is_blank:
            return blank_document(bom=self.text.startswith("\ufeff")).with_entry(text, section)
        text, section = self._harmless(text), self._harmless(section)
        heading = self._last_heading(section)
        if heading is None:
            return self._with_section(section).with_entry(text, section)
        headings, blocks = self._structure
        end = headings[heading + 1].line if heading + 1 < len(headings) else len(self._lines)
        last = end - 1
        while not self._lines[last].strip():
            last -= 1
        after_bullet = any(b.marker and b.end == last + 1 for b in blocks)
        newline = self._newline_after(last)
        new = [f"- {text}{newline}"] if after_bullet else [newline, f"- {text}{newline}"]
        if last + 1 == end < len(self._lines):
            new.append(newline)
        lines = [*self._lines[: last + 1], *new, *self._lines[last + 1 :]]
        lines[last] = _ended(lines[last], newline)
        line = last + 1 + (0 if after_bullet else 1)
        return Document(lines), Entry(text, headings[heading].title, line + 1)

    def replace(self, match: Match, text: str) -> tuple["Document", Entry]:
        """Put `text` where `match` is; the bullet's marker, indentation and line end stay."""
        text = self._harmless(entry_text(text) if match.whole else on_one_line(text))
        if match.whole and self._entry(match.block).text.startswith(REQUESTED) and not text.startswith(REQUESTED):
            text = f"{REQUESTED} {text}"  # what was asked for stays marked as such
        # Where no bullet stands before it, the text itself could start a fence, a list or a heading.
        for written in (text, "\\" + text):
            document, block = self._with_text(match, written)
            if document._is_like(self, block):
                return document, document._entry(block)
        raise ValidationError(
            f"{_shortened(text)} would change how the lines around it are read.",
            hint="Choose another wording, or edit the file by hand.",
        )

    def _with_text(self, match: Match, text: str) -> tuple["Document", Block]:
        block = match.block
        lines = list(self._lines)
        if not match.whole:
            line = lines[match.line]
            lines[match.line] = line[: match.at] + text + line[match.at + match.length :]
            return Document(lines), block
        first = lines[block.start]
        lead = first[: _prefix_length(first, block)]
        if block.marker and lead.endswith(block.marker):
            lead += " "
        lines[block.start : block.end] = [lead + text + _line_end(lines[block.end - 1])]
        return Document(lines), block._replace(end=block.start + 1)

    def _is_like(self, other: "Document", edited: Block) -> bool:
        """Whether this document has the headings and entries of `other`, one of them being `edited` now."""
        return (
            len(self._structure[0]) == len(other._structure[0])
            and len(self.blocks) == len(other.blocks)
            and any(block[:4] == edited[:4] for block in self.blocks)
        )

    def _harmless(self, text: str) -> str:
        """`text` such that it does not end a comment that somebody forgot to close, and vanish in it."""
        if _COMMENT_END not in text:
            return text
        closed = max((at for at, line in enumerate(self._lines) if _COMMENT_END in line), default=-1)
        is_open = any(line.lstrip("\ufeff \t").startswith("<!--") for line in self._lines[closed + 1 :])
        return text.replace(_COMMENT_END, "--\\>") if is_open else text

    def without(self, match: Match) -> "Document":
        """Remove the entry, and the blank line that would otherwise be doubled."""
        block = match.block
        if not match.whole:
            raise ValidationError(
                f"{_shortened(self._lines[match.line][match.at : match.at + match.length])} is only a part of the "
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

    def _with_section(self, title: str) -> "Document":
        newline = self._newline_after(len(self._lines) - 1)
        lines = list(self._lines)
        lines[-1] = _ended(lines[-1], newline)
        gap = [newline] if lines[-1].strip() else []
        return Document([*lines, *gap, f"## {title}{newline}"])

    def _last_heading(self, section: str) -> int | None:
        headings = self._structure[0]
        wanted = folded(section)
        same = [i for i, h in enumerate(headings) if h.level == 2 and folded(h.title) == wanted]
        return same[-1] if same else None

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


def entry_text(content: str) -> str:
    """What a caller wants remembered, as it can stand in one bullet: it cannot start a section or a second entry."""
    line = on_one_line(content)
    line = _LEADING_BULLET.sub("", line).strip()
    if line in {"", "-", "*", "+"}:
        return ""
    return "\\" + line if _LEADING_HASHES.match(line) or _RULE.match(f"- {line}") else line


def title_text(section: str) -> str:
    """What a caller names a section, as it can stand in a heading and is read back from there."""
    title = on_one_line(section).lstrip("# \t")
    while title != (shorter := _without_closing_hashes(title)):
        title = shorter
    return title


def _without_closing_hashes(text: str) -> str:
    """What follows the hashes of a heading, without the hashes that may close it (`C#` keeps its own)."""
    title = text.strip()
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare[-1].isspace() else title


def _scan(lines: tuple[str, ...]) -> tuple[list[Heading], list[Block]]:
    headings: list[Heading] = []
    blocks: list[Block] = []
    closers = _closers(lines)
    at, count = 0, len(lines)
    while at < count:
        # Most lines of most memories are one-line bullets in a row: they need no further look.
        if at + 1 < count and lines[at][:2] == lines[at + 1][:2] == "- " and lines[at][2] not in _NOT_PLAIN:
            blocks.append(Block(at, at + 1, len(headings) - 1, "-", 2))
            at += 1
            continue
        line = lines[at].rstrip("\r\n") if at else lines[at].rstrip("\r\n").removeprefix("\ufeff")
        if not line.strip():
            at += 1
            continue
        hashes = _HEADING.match(line)
        if hashes is not None:
            if len(hashes[1]) <= 2:
                headings.append(Heading(at, len(hashes[1]), _without_closing_hashes(line[hashes.end() :])))
            at += 1
            continue
        if _RULE.match(line):
            at += 1
            continue
        end, marker, offset = _block_end(lines, at, line, closers)
        blocks.append(Block(at, end, len(headings) - 1, marker, offset))
        at = end
    return headings, blocks


def _block_end(lines: tuple[str, ...], at: int, line: str, closers: dict[int, int]) -> tuple[int, str, int]:
    """Where the block that starts at line `at` ends, with its marker ('' for a paragraph) and content offset."""
    bullet = _BULLET.match(line)
    if bullet is None:
        return (closers[at] + 1 if at in closers else _paragraph_end(lines, at, closers)), "", 0
    offset = _content_offset(bullet)
    end = next_line = closers.get(at, at) + 1
    while next_line < len(lines):
        text = lines[next_line].rstrip("\r\n")
        if not text.strip():
            next_line += 1
            continue
        inside = _indent(text) >= offset
        lazy = next_line == end and not _starts_something(text) and next_line not in closers
        if not inside and not lazy:
            break
        next_line = end = closers[next_line] + 1 if next_line in closers else next_line + 1
    return end, bullet[2], offset


def _content_offset(bullet: re.Match[str]) -> int:
    """The column at which a bullet's text starts, and up to which its further lines are indented."""
    spaces = len((bullet[3] or " ").expandtabs(4))
    return len(bullet[1].expandtabs(4)) + len(bullet[2]) + (spaces if spaces <= 4 else 1)


def _paragraph_end(lines: tuple[str, ...], at: int, closers: dict[int, int]) -> int:
    end = at + 1
    while end < len(lines):
        text = lines[end].rstrip("\r\n")
        if not text.strip() or _starts_something(text) or end in closers:
            break
        end += 1
    return end


def _starts_something(line: str) -> bool:
    first = line.lstrip(" \t")[:1]
    if first == "#":
        return _HEADING.match(line) is not None
    if first in "-*+_0123456789":
        return _BULLET.match(line) is not None or _RULE.match(line) is not None
    return False


def _closers(lines: tuple[str, ...]) -> dict[int, int]:
    """First to last line of each code fence and HTML comment that is closed.

    An opener without an end is an ordinary line: one forgotten fence must not hide the rest of a memory.
    """
    if not any(mark in line for line in lines for mark in ("```", "~~~", "<!--")):
        return {}
    marks: list[tuple[int, str, int, bool]] = []
    longest_after: list[dict[str, int]] = []
    for at, line in enumerate(lines):
        stripped = line.lstrip("\ufeff \t")
        if stripped.startswith("<!--"):
            marks.append((at, "<", 0, False))
        elif fence := _fence(stripped):
            marks.append((at, *fence))
        elif ("```" in line or "~~~" in line) and (end := _end_of_fence_in_bullet(lines, at)):
            marks.append((at, "-", end, False))
    # For each mark: the longest closing fence of either kind from there on, so that no opener searches in vain.
    longest = {"`": 0, "~": 0}
    for _, char, length, closes in reversed(marks):
        longest_after.append(dict(longest))
        if closes:
            longest[char] = max(longest[char], length)
    longest_after.reverse()
    last_comment_end = next((at for at in range(len(lines) - 1, -1, -1) if _COMMENT_END in lines[at]), -1)

    spans: dict[int, int] = {}
    index = 0
    while index < len(marks):
        at, char, length, _ = marks[index]
        index += 1
        end = at
        if char == "-":
            end = length
        elif char == "<":
            if at > last_comment_end:
                continue
            while _COMMENT_END not in lines[end]:
                end += 1
        elif longest_after[index - 1][char] >= length:
            while not (marks[index][1] == char and marks[index][3] and marks[index][2] >= length):
                index += 1
            end = marks[index][0]
        else:
            continue
        spans[at] = end
        while index < len(marks) and marks[index][0] <= end:
            index += 1
    return spans


def _fence(stripped: str) -> tuple[str, int, bool] | None:
    """Character and length of the code fence that a line is, and whether it can be a closing one."""
    fence = _FENCE.match(stripped.rstrip("\r\n"))
    if fence is None or (fence[1][0] == "`" and "`" in fence[2]):
        return None
    return fence[1][0], len(fence[1]), not fence[2].strip()


def _end_of_fence_in_bullet(lines: tuple[str, ...], at: int) -> int | None:
    """Where a fence ends that opens on the first line of a bullet: within that bullet, or it is none."""
    bullet = _BULLET.match(lines[at].rstrip("\r\n"))
    opener = _fence(bullet[4] or "") if bullet else None
    if bullet is None or opener is None:
        return None
    offset = _content_offset(bullet)
    for end in range(at + 1, len(lines)):
        stripped = lines[end].strip()
        if stripped and _indent(lines[end]) < offset:
            return None
        fence = _fence(stripped)
        if fence and fence[0] == opener[0] and fence[1] >= opener[1] and fence[2]:
            return end
    return None


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
    bullet = _BULLET.match(bare.rstrip("\r\n"))
    return len(line) - len(bare) + (bullet.start(4) if bullet and bullet[4] else 0)


def _dedented(line: str, offset: int) -> str:
    bare = line.lstrip(" \t")
    return " " * max(_indent(line) - offset, 0) + bare


def _indent(line: str) -> int:
    return len(line[: len(line) - len(line.lstrip(" \t"))].expandtabs(4))


def _line_end(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]


def _ended(line: str, newline: str) -> str:
    return line if _line_end(line) else line + newline


def _ambiguous(text: str, count: int, what: str) -> AmbiguousMatch:
    return AmbiguousMatch(
        f"{count} {what}: {_shortened(text)}.",
        count=count,
        hint="Give a longer piece of text that stands in the memory only once.",
    )


def _shortened(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "…")
