"""The flow of compaction: plan -> verify -> apply.

A plan is made of steps on single entries, by a model or without one. The model sees numbered entries and proposes; each
step that is proven is applied to MEMORY.md as it is then, and the others are left out with their reasons: so is a step
whose entries have changed meanwhile, and whatever else was saved or edited stays. The book is open to writers while the
model thinks.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from commonplace.config import GateSettings
from commonplace.distill.answers import cleaned, trouble
from commonplace.distill.proposal import (
    DROPPED,
    Item,
    Proposal,
    Why,
    cost,
    parse,
    question,
    second_question,
)
from commonplace.distill.quoting import answer_length, room_in
from commonplace.distill.tidying import fitting_section, tidied
from commonplace.distill.verifying import Checks, Proven, prove
from commonplace.errors import EmbedderFailed, ModelFailed, UsageCapReached, ValidationError
from commonplace.files import timeline
from commonplace.files.copies import Copies
from commonplace.files.document import REQUESTED, Document, Match
from commonplace.files.text import folded, printable, split_lines
from commonplace.files.transactions import Book, Plan
from commonplace.flows.modelcalls import complete
from commonplace.gate.likeness import weigh
from commonplace.gate.passing import one_off, transient
from commonplace.gate.secrets import mask, redact
from commonplace.ports import ChatModel, Embedder
from commonplace.prompts import prompt
from commonplace.tokens import estimate_tokens
from commonplace.types.asking import Note, Origin
from commonplace.types.book import MEMORY_FILE, STANDARD_SECTIONS, Entry
from commonplace.types.chatting import ChatMessage
from commonplace.types.compaction import MemoryCompacted, Skipped, Step, StepKind
from commonplace.types.keeping import Backup, FileDiff

if TYPE_CHECKING:
    from commonplace.files.structure import Block
    from commonplace.ports import Comparer, Vectors

TASK = "compact"
ATTEMPTS = 2
_GATE = GateSettings()
_RELATED = 0.08
_LEFT_OUT = "{count} left out, the first: {first}"
_NUMBERED = re.compile(r"\[(\d+)\]")
_MARGIN = 0.8  # an answer repeats what it keeps, with some words around it
Choose = Callable[[Step], bool]
Progress = Callable[[int, int], None]


class LocalChecks:
    """What verifying asks of the local models and of the gate, as its settings have it. Vectors are computed once for
    each text."""

    def __init__(
        self, embedder: Embedder | None, comparer: "Comparer | None" = None, gate: GateSettings = _GATE
    ) -> None:
        self._embedder = embedder
        self._comparer = comparer
        self._gate = gate
        self._vectors: dict[str, Vectors] = {}
        self._read: dict[tuple[str, str], tuple[float, float] | None] = {}

    def cosine(self, one: str, other: str) -> float | None:
        if self._embedder is None:
            return None
        try:
            first, second = self._vector(self._embedder, one), self._vector(self._embedder, other)
        except EmbedderFailed:
            self._embedder = None
            return None
        return float(first @ second)

    def passing(self, text: str) -> bool:
        return any(sure is not None and chance >= sure for sure, chance in self._chances(text))

    def chance_to_pass(self, text: str) -> float:
        return max((chance for sure, chance in self._chances(text) if sure is not None), default=0.0)

    def _chances(self, text: str) -> list[tuple[float | None, float]]:
        rules = ((self._gate.transient, transient), (self._gate.one_off, one_off))
        return [(sure, found.certainty) for sure, rule in rules if (found := rule(text))]

    def newer(self, new: str, old: str) -> float | None:
        read = self._compared(new, old)
        if read is None:
            return None
        found = weigh(new, old, read)
        return found.certainty if found and found.relation == "newer" else 0.0

    def same(self, one: str, other: str) -> float | None:
        certainties: list[float] = []
        for new, old in ((one, other), (other, one)):
            if (read := self._compared(new, old)) is None:
                return None
            found = weigh(new, old, read)
            certainties.append(min(found.certainty, read[0]) if found and found.relation == "same" else 0.0)
        return min(certainties)

    def unrelated(self, new: str, old: str) -> bool:
        read = self._compared(new, old)
        return read is not None and sum(read) < _RELATED

    def _compared(self, new: str, old: str) -> tuple[float, float] | None:
        """What the model that reads two texts at once makes of them, if it can."""
        if self._comparer is None:
            return None
        new, old = mask(new), mask(old)
        if (new, old) not in self._read:
            try:
                self._read[new, old] = self._comparer.compare([(new, old)])[0]
            except EmbedderFailed:
                self._comparer = None
                return None
        return self._read[new, old]

    def _vector(self, embedder: Embedder, text: str) -> "Vectors":
        if text not in self._vectors:
            self._vectors[text] = embedder.embed([mask(text)])[0]
        return self._vectors[text]


@dataclass(frozen=True, slots=True)
class Planned:
    """Steps that were checked, how many parts of the memory a model was asked about, and what did not pass."""

    steps: tuple[Step, ...] = ()
    asked: int = 0
    passed: int = 0
    findings: tuple[str, ...] = ()
    code: str = ""


@dataclass(frozen=True, slots=True)
class Compaction:
    """What a compaction works on, and what it asks of others."""

    book: Book
    checks: Checks
    copies: Copies
    patience: float

    def run(
        self,
        model: ChatModel | None,
        *,
        dry_run: bool = False,
        choose: Choose | None = None,
        progress: Progress | None = None,
    ) -> MemoryCompacted | Skipped:
        with self.book.storage.alone(TASK, timeout=self.patience):
            outcome = self._run(model, dry_run=dry_run, choose=choose, progress=progress or _quietly)
            if outcome.backup is None:
                return outcome
            changed = isinstance(outcome, MemoryCompacted) and outcome.change is not None
            return replace(outcome, backup=self.copies.settle(outcome.backup, changed=changed))

    def _run(
        self, model: ChatModel | None, *, dry_run: bool, choose: Choose | None, progress: Progress
    ) -> MemoryCompacted | Skipped:
        document = Document.parse(self.book.storage.read(MEMORY_FILE).data)
        if document.is_blank or not document.entries:
            return Skipped("There is nothing in the memory to compact.")
        open_blocks = frozenset(
            block for block, entry in zip(document.blocks, document.entries, strict=True) if _is_open(block, entry)
        )
        items, fixed = self._items(document, open_blocks)
        tidy = self._tidy(document, open_blocks, moving=model is None)
        left = [item for item in items if not any(_entry(document, item) in step.entries for step in tidy)]
        saved: Backup | None = None
        planned = Planned()
        if model is not None and len(left) > 1:
            saved = self.copies.make()
            with ExitStack() as stopped:
                if saved:
                    stopped.callback(self.copies.settle, saved.name, changed=False)
                planned = self._asked(document, left, fixed, model, progress)
                stopped.pop_all()
            if not planned.passed:
                return Skipped(
                    "Nothing of the model's answer was accepted; the memory is as it was."
                    if planned.code == "not_verified"
                    else "The model gave no answer; the memory is as it was.",
                    planned.code,
                    planned.findings,
                    saved.name if saved else None,
                )
        steps = [step for step in [*tidy, *planned.steps] if choose is None or choose(step)]
        if not steps:
            done = "No step was chosen." if tidy or planned.steps else "The memory is compact already."
            return Skipped(done, findings=planned.findings, backup=saved.name if saved else None)
        if saved is None and not dry_run:
            saved = self.copies.make()
        return self._apply(document, steps, planned, saved, dry_run=dry_run)

    def carry_out(self, plan: MemoryCompacted, steps: Sequence[Step]) -> MemoryCompacted | Skipped:
        """Take the chosen steps of a plan that a dry run made; those that do not fit the memory any more are left."""
        if not steps:
            return Skipped("No step was chosen.")
        read = Document(split_lines(plan.diff.before or ""))
        with self.book.storage.alone(TASK, timeout=self.patience):
            saved = self.copies.make()
            outcome = self._apply(read, steps, Planned(passed=int(plan.by_model)), saved, dry_run=False)
            if saved is None:
                return outcome
            changed = isinstance(outcome, MemoryCompacted)
            return replace(outcome, backup=self.copies.settle(saved.name, changed=changed))

    # -- plan ------------------------------------------------------------------------------------------------------

    def _items(self, document: Document, open_blocks: Collection["Block"]) -> tuple[list[Item], list[str]]:
        """The entries that a model may decide about, numbered, and those that it only reads."""
        dates = timeline.written(self.book, MEMORY_FILE)
        items: list[Item] = []
        fixed: list[str] = []
        known = zip(document.blocks, document.entries, document.places, strict=True)
        for number, (block, entry, place) in enumerate(known, start=1):
            if entry.text.startswith(REQUESTED) and mask(entry.text) == entry.text:
                fixed.append(entry.text)
            elif block in open_blocks and (entry.section or document.under_no_section(block)):
                items.append(Item(number, entry.text, entry.section, dates.get(entry.text), place))
        order = list(dict.fromkeys(item.section for item in items))  # a section may have two headings
        return sorted(items, key=lambda item: order.index(item.section)), fixed

    def _tidy(self, document: Document, open_blocks: Collection["Block"], *, moving: bool) -> list[Step]:
        """What needs no model: repeated headings, entries that are there twice, and `moving` entries that stand under
        no section (a model knows better where they belong)."""
        steps = [
            Step(StepKind.JOIN, (), "", title, "this section has more than one heading")
            for title in document.repeated_headings()
        ]
        known = list(zip(document.blocks, document.entries, document.places, strict=True))
        bullets = [
            Item(number, entry.text, entry.section, place=place)
            for number, (block, entry, place) in enumerate(known, start=1)
            if block in open_blocks or entry.text.startswith(REQUESTED)
        ]
        protected = [item.id for item in bullets if item.text.startswith(REQUESTED)]
        proposal = tidied(bullets, protected)
        steps += _steps(document, prove(proposal, bullets, (), self.checks).proposal, bullets)
        dropped = {entry for step in steps for entry in step.entries}
        for block, entry, place in known if moving else ():
            if entry not in dropped and not place and block in open_blocks and document.under_no_section(block):
                section = fitting_section(entry.text)
                steps.append(Step(StepKind.MOVE, (entry,), entry.text, section, "it stood under no section"))
        return steps

    def _asked(
        self, document: Document, items: Sequence[Item], fixed: Sequence[str], model: ChatModel, progress: Progress
    ) -> Planned:
        """Part by part. A part that does not pass leaves its entries as they are."""
        sections = _sections(document)
        planned = Planned()
        parts = list(_parts(items, _budget(model)))
        for number, part in enumerate(parts):
            progress(number, len(parts))
            try:
                proven, renumbered = self._proven(part, sections, fixed, model)
            except (ModelFailed, UsageCapReached) as error:
                told = f"{error.message} {error.hint}".strip()
                return replace(planned, asked=planned.asked + 1, findings=(*planned.findings, told), code=error.code)
            steps = _steps(document, proven.proposal, part, renumbered)
            passed = bool(steps) or not proven.findings
            planned = replace(
                planned,
                steps=(*planned.steps, *steps),
                asked=planned.asked + 1,
                passed=planned.passed + passed,
                findings=(*planned.findings, *_told(proven, renumbered)),
                code=planned.code if passed else "not_verified",
            )
        progress(len(parts), len(parts))
        return planned

    def _proven(
        self, part: Sequence[Item], sections: Sequence[str], fixed: Sequence[str], model: ChatModel
    ) -> tuple[Proven, list[Item]]:
        """What can be proven of what the model proposes for one part; of its two answers the one of which more can."""
        items = [replace(item, id=number) for number, item in enumerate(part, start=1)]
        room = max(0, _budget(model) - sum(map(cost, items)))
        asked = question(items, sections, _fitting(fixed, room))
        messages = [ChatMessage("user", asked)]
        answers: list[Proven] = []
        for _ in range(ATTEMPTS):
            try:
                reply = complete(model, messages, system=prompt("compact"), max_tokens=answer_length(model.window))
            except (ModelFailed, UsageCapReached):
                if not any(_changes(proven.proposal, items) for proven in answers):
                    raise
                break
            proven = prove(_read(reply.text, items, model), items, sections, self.checks, reply.reason)
            answers.append(proven)
            if not proven.findings:
                break
            messages += [
                ChatMessage("assistant", reply.text or "(nothing)"),
                ChatMessage("user", second_question(list(map(redact, proven.findings)))),
            ]
        return max(answers, key=lambda proven: (not proven.refused, _changes(proven.proposal, items))), items

    # -- apply -----------------------------------------------------------------------------------------------------

    def _apply(
        self, read: Document, steps: Sequence[Step], planned: Planned, saved: Backup | None, *, dry_run: bool
    ) -> MemoryCompacted | Skipped:
        def compacted(data: bytes | None) -> tuple[Document, Document, list[Step], list[str]]:
            now = Document.parse(data)
            return now, *applied(now, steps, read)

        def outcome(before: Document, after: Document, done: Sequence[Step], left: Sequence[str]) -> MemoryCompacted:
            return MemoryCompacted(
                len(before.entries),
                len(after.entries),
                tuple(done),
                None,
                saved.name if saved else None,
                planned.passed > 0,
                (*planned.findings, *left),
                FileDiff(MEMORY_FILE, printable(before.text), printable(after.text)),
            )

        def work(files: Mapping[str, bytes | None]) -> Plan[MemoryCompacted]:
            before, after, done, left = compacted(files[MEMORY_FILE])
            what = became(len(before.entries), len(after.entries), [*planned.findings, *left])
            note = Note("Compact the memory", Origin.COMPACTION, reason=what)
            return Plan({MEMORY_FILE: after.data}, note, outcome(before, after, done, left))

        if dry_run:
            return outcome(*compacted(self.book.storage.read(MEMORY_FILE).data))
        result, change = self.book.change([MEMORY_FILE], work)
        if change is None:
            return Skipped(
                "Everything that could be compacted was changed meanwhile.",
                findings=result.findings,
                backup=result.backup,
            )
        return replace(result, change=change)


def _read(text: str, items: Sequence[Item], model: ChatModel) -> Proposal:
    """What an answer proposes; nothing if it is none by the check that every answer of a model passes."""
    answer = cleaned(text)
    found = trouble(answer, [item.text for item in items], prompt("compact"), answer_length(model.window))
    return Proposal(trouble=(f"This is {found}.",)) if found and answer.strip() else parse(answer, items, redact)


def became(before: int, after: int, left: Sequence[str] = ()) -> str:
    """What a compaction came to, in words, and what it left out."""
    done = f"{before} {'entry' if before == 1 else 'entries'} became {after}"
    return "; ".join([done, *(_LEFT_OUT.format(count=len(left), first=left[0]) for _ in left[:1])])


def applied(document: Document, steps: Sequence[Step], read: Document) -> tuple[Document, list[Step], list[str]]:
    """The document after the steps that still can be taken, which those are, and why the others are left out. They were
    planned for the document as it was `read`."""
    fitting: list[Step] = []
    unclear = _in_several_places(document) if document.text != read.text else frozenset[tuple[str, str]]()
    for step in steps:
        if unclear.isdisjoint(map(_key, step.entries)) and _fits(document, fitting, step):
            fitting.append(step)
    done = fitting
    changed = _checked_result(document, fitting)
    if changed is None:  # one of them disturbs its neighbours: find out which, one by one
        changed, done = document, list[Step]()
        for step in fitting:
            further = _checked_result(document, [*done, step])
            if further is not None:
                changed, done = further, [*done, step]
    left = [f"Left as it is, because of what is in the file now: {_shown(step)}" for step in steps if step not in done]
    return changed, done, left


def _fits(document: Document, before: Sequence[Step], step: Step) -> bool:
    """Whether all that a step is about is still there, and not taken by another step."""
    if step.kind is StepKind.JOIN:
        return folded(step.section) in map(folded, document.repeated_headings())
    there = Counter(_key(entry) for entry in document.entries)
    taking = [*before, step]
    needed = Counter(_key(entry) for other in taking for entry in other.entries)
    gone = Counter(_key(entry) for other in taking if other.kind is StepKind.DROP for entry in other.entries)
    # What an entry goes for may be the same word for word: one more than those that go must be there.
    return all(needed[key] <= there[key] for key in map(_key, step.entries)) and all(
        gone[key] < there[key] for key in map(_key, step.because_of)
    )


def _in_several_places(document: Document) -> frozenset[tuple[str, str]]:
    """What stands in one section under several headings of a person's own: once lines have moved, nobody can say which
    of them was meant."""
    found: dict[tuple[str, str], set[tuple[str, ...]]] = {}
    for entry, place in zip(document.entries, document.places, strict=True):
        found.setdefault(_key(entry), set()).add(place)
    return frozenset(key for key, places in found.items() if len(places) > 1)


def _checked_result(document: Document, steps: Sequence[Step]) -> Document | None:
    """The document after the steps; None if they would disturb what they are not about."""
    try:
        changed = _result(document, steps)
    except ValidationError:
        return None
    return changed if _as_expected(document, changed, steps) else None


def _as_expected(before: Document, after: Document, steps: Sequence[Step]) -> bool:
    """The last word: all entries that no step is about are there as they were, under the same headings, and the new
    ones besides."""
    wanted = Counter(entry.text for entry in before.entries)
    wanted -= Counter(entry.text for step in steps for entry in step.entries)
    wanted += Counter(step.text for step in steps if step.text)
    if Counter(entry.text for entry in after.entries) != wanted:
        return False
    there, now = _places(before), _places(after)
    touched = {text for step in steps for text in (step.text, *_texts(step))}
    stayed = all(Counter(there[text]) == Counter(now[text]) for text in there if text not in touched)
    # What is new stands where that stood which it is made of.
    return stayed and all(
        set(now[step.text]) <= {place for text in (step.text, *_texts(step)) for place in there.get(text, ())}
        for step in steps
        if step.text
    )


def _texts(step: Step) -> list[str]:
    return [entry.text for entry in step.entries]


def _places(document: Document) -> dict[str, list[tuple[str, ...]]]:
    """Under which headings of a person's own each text stands."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for entry, place in zip(document.entries, document.places, strict=True):
        found.setdefault(entry.text, []).append(tuple(map(folded, place)))
    return found


def _result(document: Document, steps: Sequence[Step]) -> Document:
    """All steps at once. From the bottom up, so that the lines above stay where they are."""
    known = list(zip(document.blocks, document.entries, strict=True))
    places: dict[int, list[Block]] = {}
    taken: set[Block] = set()
    for at, step in enumerate(steps):
        for entry in step.entries:
            same = [b for b, e in known if _key(e) == _key(entry) and b not in taken]
            block = min(same, key=lambda b: abs(b.start + 1 - entry.line))
            taken.add(block)
            places.setdefault(at, []).append(block)
    edits: dict[Block, str] = {}
    added: list[tuple[str, str]] = []
    for at, step in enumerate(steps):
        blocks = sorted(places.get(at, []), reverse=True)
        edits |= dict.fromkeys(blocks, "")
        home = [b for b in blocks if step.text and folded(_section(document, b)) == folded(step.section)]
        if home:
            edits[home[0]] = step.text
        elif step.text:
            added.append((step.text, step.section))
    changed = document
    for block in sorted(edits, reverse=True):
        match = Match(block, whole=True)
        changed = changed.replace(match, edits[block])[0] if edits[block] else changed.without(match)
    for step in steps:
        if step.kind is StepKind.JOIN:
            changed = changed.joined(step.section)
    for text, section in added:
        changed, _ = changed.with_entry(text, section)
    return changed


def _section(document: Document, block: "Block") -> str:
    return document.entry_at(Match(block, whole=True)).section


def _key(entry: Entry) -> tuple[str, str]:
    return folded(entry.section), entry.text


def _is_open(block: "Block", entry: Entry) -> bool:
    """Whether an entry is a model's business: one plain line, asked for by nobody, with no secret in it."""
    return (
        bool(block.marker)
        and block.end == block.start + 1
        and bool(entry.text)
        and not entry.text.startswith(REQUESTED)
        and folded(entry.section) != folded(DROPPED)
        and not any(mark in entry.text for mark in ("```", "~~~", "<!--", "-->"))
        and printable(entry.text) == entry.text
        and mask(entry.text) == entry.text
    )


def _entry(document: Document, item: Item) -> Entry:
    return document.entries[item.id - 1]


def _steps(
    document: Document, proposal: Proposal, items: Sequence[Item], renumbered: Sequence[Item] | None = None
) -> list[Step]:
    """A proposal that passed, as changes of entries; what stays as it is needs none."""
    numbers = {shown.id: item for shown, item in zip(renumbered or items, items, strict=True)}
    steps: list[Step] = []
    for kept in proposal.kept:
        first, *others = [_entry(document, numbers[id]) for id in kept.ids]
        entries = (first, *others)
        if others:
            steps.append(Step(StepKind.MERGE, entries, kept.text, kept.section, "they belong together"))
        elif first.text != kept.text:
            steps.append(Step(StepKind.REWORD, entries, kept.text, kept.section, "the same in other words"))
        elif folded(first.section) != folded(kept.section):
            steps.append(Step(StepKind.MOVE, entries, kept.text, kept.section, f"it belongs in {kept.section}"))
    for dropped in proposal.dropped:
        entry = _entry(document, numbers[dropped.id])
        by = _entry(document, numbers[dropped.by]) if dropped.by else None
        reason = f"{dropped.why.value} {by.text!r}" if by else str(Why.TRANSIENT.value)
        steps.append(Step(StepKind.DROP, (entry,), "", entry.section, reason, (by,) if by else ()))
    return steps


def _sections(document: Document) -> list[str]:
    """The sections a model may use: the standard ones and those that are there, as their headings have them."""
    there = [title for title in document.sections() if title and folded(title) != folded(DROPPED)]
    missing = [title for title in STANDARD_SECTIONS if folded(title) not in set(map(folded, there))]
    return [*there, *missing]


def _parts(items: Sequence[Item], budget: int) -> Iterator[list[Item]]:
    """All items at once if they fit; else section by section, and a section that does not fit in pieces. An entry
    that fits nowhere stays as it is."""
    fitting = [item for item in items if cost(item) <= budget]
    if sum(map(cost, fitting)) <= budget:
        yield fitting
        return
    for section in dict.fromkeys(item.section for item in fitting):
        held: list[Item] = []
        for item in (item for item in fitting if item.section == section):
            if sum(map(cost, held)) + cost(item) > budget:
                yield held
                held = []
            held.append(item)
        yield held


def _budget(model: ChatModel) -> int:
    """How many tokens of entries a question may have: they must also fit into the answer."""
    return min(room_in(model.window, prompt("compact")), int(answer_length(model.window) * _MARGIN))


def _fitting(texts: Sequence[str], room: int) -> list[str]:
    """As many of the texts as there is room for."""
    chosen: list[str] = []
    for text in texts:
        room -= estimate_tokens(text) + 2
        if room < 0:
            break
        chosen.append(text)
    return chosen


def _changes(proposal: Proposal, items: Sequence[Item]) -> int:
    """How many entries would not stay as they are."""
    same = {(item.text, folded(item.section)) for item in items}
    return len(proposal.dropped) + sum(
        len(kept.ids) for kept in proposal.kept if len(kept.ids) > 1 or (kept.text, folded(kept.section)) not in same
    )


def _told(proven: Proven, items: Sequence[Item]) -> list[str]:
    """What was left out and why, for somebody who does not know the numbers."""
    texts = {item.id: item.text for item in items}

    def named(found: re.Match[str]) -> str:
        return repr(texts[int(found[1])]) if int(found[1]) in texts else found[0]

    told = [*proven.refused]
    for left in proven.left:
        about = "; ".join(repr(texts[id]) for id in left.ids if id in texts)
        why = _NUMBERED.sub(named, " ".join(left.why))
        told.append(f"Left as it was: {about}: {why}" if about else why)
    return list(map(redact, told))


def _shown(step: Step) -> str:
    return "; ".join(entry.text for entry in step.entries) or step.section


def _quietly(_done: int, _wanted: int) -> None:
    """Nobody watches."""
