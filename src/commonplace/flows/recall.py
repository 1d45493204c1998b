"""Memory and hits to the block that a model reads, within a budget of tokens. Pure.

The long-term part depends on MEMORY.md and the budget alone, whatever is asked, so that a provider's prompt cache keeps
it: all of it, or, when it has outgrown its share, a core. What the user asked for comes first, then the newest of each
section by turns, the person before the projects. The rest of it is shown where it fits a question, which comes after.
An entry is shown whole or not at all, and what is not shown is counted.
"""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from commonplace.framing import frame, framed, harmless, harmless_lines, strip_injected
from commonplace.language.beyond import Told, adds_nothing, told
from commonplace.tokens import estimate_tokens, least_tokens
from commonplace.types.book import REQUESTED, SECTION_OF, Category, Entry
from commonplace.types.searching import Hit, Recall, Source

__all__ = ["MOST_LINES", "estimate_tokens", "framed", "recall", "strip_injected"]

MOST_LINES = 200
_SHARE = 0.6  # of the budget for the long-term part, and of the rest for the summary: the rest is for the question
_NOTE = 30  # tokens kept free for the line that says what was left out
_CORE = tuple(SECTION_OF[Category(name)] for name in "profile preferences workflow projects interests notes".split())
"""Whom one talks to comes before what about."""


@dataclass(frozen=True, slots=True)
class _Part:
    """One heading with what is shown under it, framed by itself, and what is not."""

    lines: tuple[str, ...] = ()
    told: tuple[Entry | Hit, ...] = ()
    left_out: tuple[Entry | Hit, ...] = ()

    @property
    def text(self) -> str:
        return frame(list(self.lines)) if self.lines else ""

    @property
    def shown(self) -> int:
        return len(self.told)


def recall(entries: Sequence[Entry], hits: Sequence[Hit], budget: int, summary: str = "") -> Recall:
    """The block for one question. It counts against `budget` as much as its parts do when each is framed alone."""
    lasting = _long_term(entries, int(budget * _SHARE))
    session = _summary(summary, int((budget - estimate_tokens(lasting.text)) * _SHARE))
    left_out = {id(entry) for entry in lasting.left_out}
    shown = [told(entry.text.removeprefix(REQUESTED)) for entry in entries if id(entry) not in left_out]
    new = [hit for hit in hits if not _repeats(hit, shown)]
    found = {_folded(hit.text) for hit in new}
    unsaid = [entry for entry in lasting.left_out if _folded(entry.text) not in found]  # nor told as a hit
    room = budget - estimate_tokens(lasting.text) - estimate_tokens(session.text)
    relevant = _relevant(new, room, 0 if lasting.lines else len(unsaid))
    parts = [part for part in (lasting, session, relevant) if part.lines]
    text = frame([line for part in parts for line in ([""] if part is not parts[0] else []) + list(part.lines)])
    return Recall(
        text=text if parts else "",
        long_term=lasting.text,
        relevant=relevant.text,
        summary=session.text,
        tokens=estimate_tokens(text) if parts else 0,
        shown=lasting.shown + relevant.shown,
        left_out=(*unsaid, *relevant.left_out),
        told=(*lasting.told, *relevant.told),
        repeated=tuple(hit for hit in hits if hit not in new),
    )


def _summary(text: str, budget: int) -> _Part:
    """The summary of the session; the older part of one that is too long is left out, and says so."""
    lines = harmless_lines(text.strip()) if text.strip() else []
    room = budget - estimate_tokens(frame(["", "## Session Summary", ""])) - _NOTE
    kept: list[str] = []
    for line in reversed(lines):
        room -= _cost([line])
        if room < 0:
            break
        kept.insert(0, line)
    if not any(line.strip() for line in kept):
        return _Part()
    note = _note(len(lines) - len(kept), "older line of the summary", "older lines of the summary")
    return _Part(("## Session Summary", *note, "", *kept))


def _long_term(entries: Sequence[Entry], budget: int) -> _Part:
    """As many entries as fit, the core first, printed in the order of the document."""
    known = [entry for entry in entries if entry.text.strip()]
    written: dict[int, list[str]] = {}
    room = budget - estimate_tokens(frame(["## Long-term Memory"])) - _NOTE
    lines_left = MOST_LINES
    sections: set[str] = set()
    for entry in _core_first(known):
        if least_tokens(entry.text) >= room:  # most of a large memory, once the room is taken
            continue
        bullet = _bullet("", entry.text)
        lines = bullet if entry.section in sections else [*_heading(entry.section), *bullet]
        cost = _cost(lines)
        if cost <= room and len(lines) <= lines_left:
            room, lines_left = room - cost, lines_left - len(lines)
            written[id(entry)] = bullet
            sections.add(entry.section)
    body: dict[str, list[str]] = {}
    for entry in known:
        if id(entry) in written:
            body.setdefault(entry.section, _heading(entry.section)).extend(written[id(entry)])
    kept = tuple(entry for entry in known if id(entry) in written)
    left_out = tuple(entry for entry in known if id(entry) not in written)
    if not known or room < 0:
        return _Part(left_out=left_out)
    note = _note(len(left_out), "entry of the long-term memory", "entries of the long-term memory")
    return _Part(("## Long-term Memory", *chain.from_iterable(body.values()), *note), kept, left_out)


def _core_first(entries: Sequence[Entry]) -> list[Entry]:
    """What the user asked for, then the newest entry of each section, then the next of each, and so on."""
    newer: Counter[str] = Counter()
    turn: dict[int, int] = {}
    for entry in reversed(entries):
        turn[id(entry)] = newer[entry.section]
        newer[entry.section] += 1
    order = {title: at for at, title in enumerate(_CORE)}

    def key(entry: Entry) -> tuple[bool, int, int]:
        return not entry.text.startswith(REQUESTED), turn[id(entry)], order.get(entry.section, len(order))

    return sorted(entries, key=key)


def _relevant(hits: Sequence[Hit], budget: int, unsaid: int) -> _Part:
    """As many hits as fit, best first. `unsaid` are the entries that no line counts yet."""
    room = budget - estimate_tokens(frame(["", "## Relevant Memories", ""])) - _NOTE
    lines: list[str] = []
    shown: list[Hit] = []
    left_out: list[Hit] = []
    for hit in hits:
        bullet = _bullet(f"[{_source(hit)}] ", hit.text)
        cost = _cost(bullet)
        if cost <= room:
            lines += bullet
            room -= cost
            shown.append(hit)
        else:
            left_out.append(hit)
    if not hits or room < 0:
        return _Part(left_out=tuple(left_out))
    note = _note(len(left_out) + unsaid, "memory", "memories")
    return _Part(("## Relevant Memories", "", *lines, *note), tuple(shown), tuple(left_out))


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


def _repeats(hit: Hit, shown: Sequence[Told]) -> bool:
    """Whether the long-term part says this already, as a whole entry or as a part of one, be it in other words."""
    said = told(hit.text.strip().removeprefix(REQUESTED))
    return not hit.text.strip() or any(adds_nothing(said, entry) for entry in shown)


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split()).casefold().removeprefix(REQUESTED.casefold()).strip()
