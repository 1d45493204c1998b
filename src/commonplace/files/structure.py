"""The structure of a Markdown document: which lines are headings, entries and other blocks. Pure.

Code fences and comments hide what is in them only if they are closed: one forgotten fence must not hide the rest of a
memory.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
BULLET = re.compile(r"([ \t]*)([-*+]|\d{1,9}[.)])(?:([ \t]+)(.*))?$")
RULE = re.compile(r" {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_FENCE = re.compile(r"(`{3,}|~{3,})(.*)$")
COMMENT_END = "-->"
_NOT_PLAIN = " \t\r\n-*_"


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


def without_closing_hashes(text: str) -> str:
    """What follows the hashes of a heading, without the hashes that may close it (`C#` keeps its own)."""
    title = text.strip()
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare[-1].isspace() else title


def heading_in(line: str) -> tuple[int, str] | None:
    """Level and title of the heading of any level that a line outside of all blocks is."""
    bare = line.rstrip("\r\n").removeprefix("\ufeff")
    hashes = _HEADING.match(bare)
    return (len(hashes[1]), without_closing_hashes(bare[hashes.end() :])) if hashes else None


def scan(lines: tuple[str, ...]) -> tuple[list[Heading], list[Block]]:
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
                headings.append(Heading(at, len(hashes[1]), without_closing_hashes(line[hashes.end() :])))
            at += 1
            continue
        if RULE.match(line):
            at += 1
            continue
        end, marker, offset = _block_end(lines, at, line, closers)
        blocks.append(Block(at, end, len(headings) - 1, marker, offset))
        at = end
    return headings, blocks


def _block_end(lines: tuple[str, ...], at: int, line: str, closers: dict[int, int]) -> tuple[int, str, int]:
    """Where the block that starts at line `at` ends, with its marker ('' for a paragraph) and content offset."""
    bullet = BULLET.match(line)
    if bullet is None:
        return (closers[at] + 1 if at in closers else _paragraph_end(lines, at, closers)), "", 0
    offset = _content_offset(bullet)
    end = next_line = closers.get(at, at) + 1
    while next_line < len(lines):
        text = lines[next_line].rstrip("\r\n")
        if not text.strip():
            next_line += 1
            continue
        inside = indent_of(text) >= offset
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
        return BULLET.match(line) is not None or RULE.match(line) is not None
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
    last_comment_end = next((at for at in range(len(lines) - 1, -1, -1) if COMMENT_END in lines[at]), -1)

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
            while COMMENT_END not in lines[end]:
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
    bullet = BULLET.match(lines[at].rstrip("\r\n"))
    opener = _fence(bullet[4] or "") if bullet else None
    if bullet is None or opener is None:
        return None
    offset = _content_offset(bullet)
    for end in range(at + 1, len(lines)):
        stripped = lines[end].strip()
        if stripped and indent_of(lines[end]) < offset:
            return None
        fence = _fence(stripped)
        if fence and fence[0] == opener[0] and fence[1] >= opener[1] and fence[2]:
            return end
    return None


def indent_of(line: str) -> int:
    return len(line[: len(line) - len(line.lstrip(" \t"))].expandtabs(4))
