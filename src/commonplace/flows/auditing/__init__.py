"""The flow of an audit: pages -> items -> what the gate thinks of each, and of each pair -> doubts with a way to mend
them. Works on a book and on any other file of memories.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from commonplace.config import GateSettings
from commonplace.files.document import entry_line
from commonplace.files.pages import Depth, Item, Page
from commonplace.files.text import folded, on_one_line
from commonplace.flows.auditing.advice import Advice, advice_for_files
from commonplace.flows.auditing.pairs import Progress, is_certain, likenesses, quietly, twins
from commonplace.flows.auditing.report import Audit, Doubt, Kind, hidden, place_of, score_of, shortened
from commonplace.flows.auditing.sources import can_be_mended
from commonplace.gate.borrowing import borrowed
from commonplace.gate.commanding import instruction
from commonplace.gate.passing import one_off, transient
from commonplace.gate.secrets import find_secrets, mark
from commonplace.gate.splitting import several_facts
from commonplace.gate.staleness import stale
from commonplace.gate.suspicion import Suspicion
from commonplace.providers.crossencoder import pair_reader

if TYPE_CHECKING:
    from commonplace.ports import Embedder

LONGEST = 400
_SURER = 0.75
_MOST_PIECES = 6
_REMOVED = mark("").rstrip("]")


def audit(
    pages: Sequence[Page],
    *,
    today: date,
    gate: GateSettings,
    embedder: "Embedder | None",
    advice: Advice = advice_for_files,
    progress: Progress = quietly,
) -> Audit:
    """Look at every page, at every item of it, and at every two items that may say the same."""
    by_name = {one.name: one for one in pages}
    doubts: list[Doubt] = []
    for one in pages:
        doubts += _secrets(one, advice, gate)
        if one.depth is not Depth.SECRETS:
            doubts += _alone(one, advice, gate, today)
        if one.is_memory:
            doubts += _oddities(one, advice)
    items = [item for one in pages if one.is_memory for item in one.items]
    pairs, trouble = _pairs(items, by_name, advice, gate, embedder, progress)
    doubts += pairs
    order = {one.name: number for number, one in enumerate(pages)}
    kinds = {kind: number for number, kind in enumerate(Kind)}
    doubts.sort(key=lambda doubt: (order[doubt.place.file], doubt.place.line, kinds[doubt.kind]))
    looked_at = sum(len(one.items) for one in pages if one.depth is not Depth.SECRETS)
    return Audit(tuple(by_name), looked_at, tuple(doubts), score_of(doubts, looked_at), trouble)


def _secrets(one: Page, advice: Advice, gate: GateSettings) -> Iterator[Doubt]:
    """Each line or record that holds a secret, with what it holds; what it is is never told."""
    if gate.secret is None:
        return
    kinds: dict[int, list[str]] = defaultdict(list)
    sure: set[int] = set()
    shown: dict[int, str] = {}
    find = cache(find_secrets)  # in an export, every record has the same keys
    for start, text in one.texts():
        for secret in find(text):
            at = start + text.count("\n", 0, secret.start) if one.numbers_lines else start
            if at not in shown:
                shown[at] = _shown_at(one, text, at - start)
            if secret.certain:
                sure.add(at)
            if secret.kind not in kinds[at]:
                kinds[at].append(secret.kind)
    for line, text in shown.items():
        item = Item(text, one.name, line, _id_at(one, line))
        why = f"It holds a secret: {', '.join(kinds[line])}." if line in sure else "It reads as if it told a secret."
        mended = line in sure and can_be_mended(one)
        yield Doubt(Kind.SECRET, place_of(one, item), why, advice(Kind.SECRET, item), certain=mended)


def _alone(one: Page, advice: Advice, gate: GateSettings, today: date) -> Iterator[Doubt]:
    """What each item looks like by itself. A guide is written like commands: a rule must be surer there."""
    gate = _stricter(gate) if one.depth is Depth.GUIDE else gate
    for item in one.items:
        if not item.is_prose:
            continue
        for kind, suspicion in _suspicions(item, one.depth, gate, today):
            fix = advice(kind, item)
            if suspicion.pieces:
                fix += " The facts: " + " | ".join(shortened(piece) for piece in suspicion.pieces[:_MOST_PIECES])
            yield Doubt(kind, place_of(one, item), suspicion.reason, fix, round(suspicion.certainty, 3))


def _suspicions(item: Item, depth: Depth, gate: GateSettings, today: date) -> Iterator[tuple[Kind, Suspicion]]:
    text = on_one_line(item.bare)
    if found := _sure(instruction(text), gate.instruction):
        yield Kind.INSTRUCTION, found
    if depth is Depth.LOG:
        return
    if not (item.is_protected or _REMOVED in text or find_secrets(text)):  # what is said of those is said elsewhere
        passing = [
            (kind, found)
            for kind, found in (
                (Kind.TRANSIENT, _sure(transient(text), gate.transient)),
                (Kind.ONE_OFF, _sure(one_off(text), gate.one_off)),
            )
            if found
        ]
        yield from sorted(passing, key=lambda pair: -pair[1].certainty)[:1]
    if found := stale(text, today, item.since):
        yield Kind.STALE, found
    if found := _sure(borrowed(item.bare), gate.third_party):
        yield Kind.THIRD_PARTY, found
    if found := _sure(several_facts(text), gate.several_facts):
        yield Kind.SEVERAL_FACTS, found
    elif len(text) > LONGEST:
        yield Kind.TOO_LONG, Suspicion(1.0, f"It has {len(text)} characters; a fact needs no more than {LONGEST}.")


def _stricter(gate: GateSettings) -> GateSettings:
    names = ("instruction", "transient", "one_off", "third_party", "several_facts")
    wanted: dict[str, float | None] = {name: getattr(gate, name) for name in names}
    raised = {name: None if value is None else value + _SURER * (1 - value) for name, value in wanted.items()}
    return replace(gate, **raised)


def _sure(suspicion: Suspicion | None, wanted: float | None) -> Suspicion | None:
    return suspicion if suspicion and wanted is not None and suspicion.certainty >= wanted else None


def _oddities(one: Page, advice: Advice) -> Iterator[Doubt]:
    for odd in one.oddities():
        kind = Kind.NOTE if odd.is_note else Kind.STRUCTURE
        item = Item(odd.text, one.name, odd.line)
        yield Doubt(kind, place_of(one, item), odd.why, advice(kind, item), certain=not odd.is_note)


def _pairs(
    items: Sequence[Item],
    pages: Mapping[str, Page],
    advice: Advice,
    gate: GateSettings,
    embedder: "Embedder | None",
    progress: Progress,
) -> tuple[list[Doubt], str]:
    doubts: list[Doubt] = []
    compared = [item for item in items if item.is_prose]
    if gate.duplicate is not None:
        extra: set[int] = set()
        for kept, gone in twins(compared):
            extra.add(id(gone))
            why = (
                "It is there twice."
                if folded(kept.text) == folded(gone.text)
                else "It is there twice, all but exactly."
            )
            certain = is_certain(kept, gone)
            fix = advice(Kind.DUPLICATE, gone) if certain else "Delete one of the two, if both mean the same there."
            places = place_of(pages[gone.file], gone), place_of(pages[kept.file], kept)
            doubts.append(Doubt(Kind.DUPLICATE, places[0], why, fix, other=places[1], certain=certain))
        compared = [item for item in compared if id(item) not in extra]
    if gate.same_fact is None and gate.newer_value is None:
        return doubts, ""
    alike, trouble = likenesses(compared, embedder, pair_reader(), progress)
    leaving: set[int] = set()
    staying: set[int] = set()
    for newer, older, likeness in sorted(alike, key=lambda one: -one[2].certainty):
        same = likeness.relation == "same"
        wanted = gate.same_fact if same else gate.newer_value
        if wanted is None or likeness.certainty < wanted:
            continue
        kind = Kind.SAME_FACT if same else Kind.CONTRADICTION
        gone, kept = _weaker(newer, older) if same else (older, newer)
        if id(kept) in leaving or id(gone) in staying:
            continue  # whoever follows all advice must not lose both
        leaving.add(id(gone))
        staying.add(id(kept))
        places = place_of(pages[gone.file], gone), place_of(pages[kept.file], kept)
        why = "Another entry says the same in other words." if same else _which_is_newer(gone, kept, str(places[1]))
        fix = advice(kind, gone)
        doubts.append(Doubt(kind, places[0], why, fix, round(likeness.certainty, 3), places[1]))
    return doubts, trouble


def _weaker(first: Item, second: Item) -> tuple[Item, Item]:
    """Of two that say the same, the one to take out, and the one to keep: what was asked for, or what says more."""
    if first.is_protected != second.is_protected:
        return (second, first) if first.is_protected else (first, second)
    return (second, first) if len(first.text) >= len(second.text) else (first, second)


def _which_is_newer(older: Item, newer: Item, place: str) -> str:
    if older.since and newer.since and older.since != newer.since:
        return f"It says otherwise than {place}, which is newer: {newer.since} after {older.since}."
    return f"It says otherwise than {place}, which stands later and so is probably newer."


def _shown_at(one: Page, text: str, at: int) -> str:
    """The line of a text that holds a secret, or a record's whole text, with secrets hidden."""
    lines = hidden(text).split("\n")
    return entry_line(lines[min(at, len(lines) - 1)]) if one.numbers_lines else hidden(text)


def _id_at(one: Page, line: int) -> str:
    return "" if one.numbers_lines else next((item.id for item in one.items if item.line == line), "")
