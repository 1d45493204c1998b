"""Memory and hits to the block that a model reads, within a budget of tokens. Pure.

The long-term part depends on MEMORY.md and the budget alone, whatever is asked, so that a provider's prompt cache keeps
it; what fits a question comes after it. An entry is shown whole or not at all, and what is not shown is counted.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from commonplace.framing import frame, framed, harmless, harmless_lines, strip_injected
from commonplace.tokens import estimate_tokens
from commonplace.types.book import Entry
from commonplace.types.searching import Hit, Recall, Source

__all__ = ["MOST_LINES", "estimate_tokens", "framed", "recall", "strip_injected"]

MOST_LINES = 200
_SHARE = 0.75  # of the budget, for the long-term part: the rest stays for what fits the question
_NOTE = 30  # tokens kept free for the line that says what was left out
_REQUESTED = "User requested:"


@dataclass(frozen=True, slots=True)
class _Part:
    """One heading with what is shown under it, framed by itself, and what is not."""

    lines: tuple[str, ...] = ()
    shown: int = 0
    left_out: tuple[Entry | Hit, ...] = ()

    @property
    def text(self) -> str:
        return frame(list(self.lines)) if self.lines else ""


def recall(entries: Sequence[Entry], hits: Sequence[Hit], budget: int) -> Recall:
    """The block for one question. It counts against `budget` as much as its two parts do when each is framed alone."""
    lasting = _long_term(entries, int(budget * _SHARE))
    shown = {_folded(entry.text) for entry in entries} - {
        _folded(entry.text) for entry in lasting.left_out if isinstance(entry, Entry)
    }
    new = [hit for hit in hits if not _repeats(hit, shown)]
    found = {_folded(hit.text) for hit in new}
    unsaid = [entry for entry in lasting.left_out if _folded(entry.text) not in found]  # nor told as a hit
    relevant = _relevant(new, budget - estimate_tokens(lasting.text), 0 if lasting.lines else len(unsaid))
    lines = [*lasting.lines, *([""] if lasting.lines and relevant.lines else []), *relevant.lines]
    text = frame(lines) if lines else ""
    return Recall(
        text=text,
        long_term=lasting.text,
        relevant=relevant.text,
        tokens=estimate_tokens(text),
        shown=lasting.shown + relevant.shown,
        left_out=(*unsaid, *relevant.left_out),
    )


def _long_term(entries: Sequence[Entry], budget: int) -> _Part:
    """As many entries as fit, those the user asked for first, printed in the order of the document."""
    written = {id(entry): _bullet("", entry.text) for entry in entries if entry.text.strip()}
    known = [entry for entry in entries if id(entry) in written]
    room = budget - estimate_tokens(frame(["## Long-term Memory"])) - _NOTE
    lines_left = MOST_LINES
    chosen: set[int] = set()
    sections: set[str] = set()
    for entry in sorted(known, key=lambda entry: not entry.text.startswith(_REQUESTED)):
        lines = written[id(entry)]
        if entry.section not in sections:
            lines = [*_heading(entry.section), *lines]
        cost = _cost(lines)
        if cost <= room and len(lines) <= lines_left:
            room, lines_left = room - cost, lines_left - len(lines)
            chosen.add(id(entry))
            sections.add(entry.section)
    body: dict[str, list[str]] = {}
    for entry in known:
        if id(entry) in chosen:
            body.setdefault(entry.section, _heading(entry.section)).extend(written[id(entry)])
    left_out = tuple(entry for entry in known if id(entry) not in chosen)
    if not known or room < 0:
        return _Part(left_out=left_out)
    note = _note(len(left_out), "entry of the long-term memory", "entries of the long-term memory")
    return _Part(("## Long-term Memory", *chain.from_iterable(body.values()), *note), len(chosen), left_out)


def _relevant(hits: Sequence[Hit], budget: int, unsaid: int) -> _Part:
    """As many hits as fit, best first. `unsaid` are the entries that no line counts yet."""
    room = budget - estimate_tokens(frame(["", "## Relevant Memories", ""])) - _NOTE
    lines: list[str] = []
    left_out: list[Hit] = []
    for hit in hits:
        bullet = _bullet(f"[{_source(hit)}] ", hit.text)
        cost = _cost(bullet)
        if cost <= room:
            lines += bullet
            room -= cost
        else:
            left_out.append(hit)
    if not hits or room < 0:
        return _Part(left_out=tuple(left_out))
    note = _note(len(left_out) + unsaid, "memory", "memories")
    return _Part(("## Relevant Memories", "", *lines, *note), len(hits) - len(left_out), tuple(left_out))


def _heading(section: str) -> list[str]:
    title = harmless(section).lstrip("#\\ ").strip()
    return ["", f"### {title}", ""] if title else [""]


def _bullet(label: str, text: str) -> list[str]:
    first, *more = [line for line in harmless_lines(text) if line.strip()] or [""]
    return [f"- {label}{first.strip()}", *(f"  {line.rstrip()}" for line in more)]


def _source(hit: Hit) -> str:
    match hit.source:
        case Source.LONG_TERM:
            return "Long-term memory"
        case Source.DAILY_LOG:
            return f"Daily log {hit.date}"
        case Source.SESSION:
            return f"Conversation {hit.date}" if hit.date else "Conversation"


def _note(count: int, one: str, several: str) -> list[str]:
    return ["", f"({count} more {one if count == 1 else several} did not fit here.)"] if count else []


def _cost(lines: Sequence[str]) -> int:
    return estimate_tokens("\n".join(lines)) + 1


def _repeats(hit: Hit, shown: set[str]) -> bool:
    """Whether the long-term part says this already, as a whole entry or as a part of one."""
    text = _folded(hit.text)
    return not text or text in shown or (len(text) > 20 and any(text in entry for entry in shown))


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split()).casefold().removeprefix(_REQUESTED.casefold()).strip()
