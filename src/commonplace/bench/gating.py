"""How well the gate judges: labelled cases go through the code that judges every write.

A file of cases is JSON Lines; docs/gate.md describes it. Files of ours called `held-out-…` are not used for tuning.
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias, cast

from commonplace.config import Settings
from commonplace.errors import ValidationError
from commonplace.files.document import Document, entry_text
from commonplace.files.text import split_lines
from commonplace.memory import Memory
from commonplace.types.asking import Voice
from commonplace.types.book import MEMORY_FILE
from commonplace.types.verdicts import Verdict, VerdictKind

Judge: TypeAlias = Callable[["Case"], Verdict]

BREAK = "⁞"  # stands inside invented secrets, so that scanners leave the files alone
HELD_OUT = "held-out-"
_OWN = Path(__file__).resolve().parents[3] / "benchmarks" / "cases"
_TWINS = ("duplicate", "same_fact", "newer_value")
_PASSING = ("transient", "one_off", "echo")
_STORED = ("keep", "explicit")

FOUND_BY = {
    **dict.fromkeys(_TWINS, _TWINS),
    "transient": _PASSING,
    "one_off": _PASSING,
    "secret": ("secret",),
    "echo": ("echo", *_TWINS),
    "third_party": ("third_party", "instruction"),
    "instruction": ("instruction", "third_party"),
    "several_facts": ("several_facts",),
}
"""The rules that may act on a case of a class; what must be stored is in none."""

CLASSES = (*FOUND_BY, *_STORED)


@dataclass(frozen=True, slots=True)
class Case:
    """A proposed write with what the memory holds, and what the right verdict is. `where` is file and line."""

    id: str
    language: str
    label: str
    memory: tuple[str, ...]
    text: str
    of: int | None = None
    voice: Voice = Voice.ASSISTANT
    requested: bool = False
    injected: tuple[str, ...] = ()
    where: str = ""


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no case, and why."""

    where: str
    why: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """A case and what the gate said."""

    case: Case
    verdict: Verdict

    @property
    def rule(self) -> str:
        """The rule that acted; empty: stored."""
        return "" if self.verdict.kind is VerdictKind.STORE else self.verdict.rule

    @property
    def points_right(self) -> bool:
        """Whether the verdict names the entry that the case is about; true where it is about none."""
        if self.case.of is None:
            return True
        existing = self.verdict.existing
        return existing is not None and existing.text == entry_text(self.case.memory[self.case.of])

    @property
    def found(self) -> bool:
        """Whether a rule that may act on this class did, and on the right entry."""
        if self.case.label in _STORED:
            return not self.rule
        return self.rule in FOUND_BY[self.case.label] and self.points_right

    @property
    def right(self) -> bool:
        """Whether it was the class's own rule; that a duplicate is called the same fact is no mistake."""
        own = {"duplicate": ("duplicate", "same_fact"), **dict.fromkeys(_STORED, ("",))}
        return self.found and self.rule in own.get(self.case.label, (self.case.label,))


@dataclass(slots=True)
class Row:
    """Counts over some cases."""

    cases: int = 0
    right: int = 0
    found: int = 0
    rules: Counter[str] = field(default_factory=Counter[str])

    def add(self, outcome: Outcome) -> None:
        self.cases += 1
        self.right += outcome.right
        self.found += outcome.found
        self.rules[outcome.rule or "store"] += 1


class Bar(NamedTuple):
    """A promise: of `asked` cases at least `least` are found, and of `others` at most `most` are false alarms."""

    name: str
    found: int
    asked: int
    least: float
    alarms: int
    others: int
    most: float

    @property
    def between(self) -> tuple[float, float]:
        """Where the share that is found lies, with 95 % certainty (Wilson)."""
        return interval(self.found, self.asked)

    @property
    def alarms_between(self) -> tuple[float, float]:
        """The same of the false alarms."""
        return interval(self.alarms, self.others)

    @property
    def met(self) -> bool | None:
        """None: there is no case to tell by."""
        if not self.asked:
            return None
        return self.found >= self.least * self.asked and self.alarms <= self.most * self.others


# -- reading cases ----------------------------------------------------------------------------------------------


def own_files(part: str) -> list[Path]:
    """The project's own files of cases, which only a checkout has: `tuning`, `held-out`, or `all`."""
    found = sorted(_OWN.glob("*.jsonl"))
    return [file for file in found if part in {"all", part_of(file)}]


def part_of(file: Path) -> str:
    return "held-out" if file.name.startswith(HELD_OUT) else "tuning"


def is_own_held_out(file: Path) -> bool:
    return file.resolve() in {own.resolve() for own in own_files("held-out")}


def load(file: Path) -> tuple[list[Case], list[BadLine]]:
    """The cases of a file, and the lines that are none."""
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ValidationError(f"{file} cannot be read: {why}.", hint="Name a file of labelled cases.") from error
    cases: list[Case] = []
    bad: list[BadLine] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            cases.append(_case(line, f"{file.name}:{number}"))
        except (ValueError, RecursionError) as error:
            bad.append(BadLine(f"{file.name}:{number}", str(error)))
    if not cases:
        first = f" {bad[0].where}: {bad[0].why}." if bad else ""
        raise ValidationError(
            f"{file} holds no labelled case.{first}", hint='docs/gate.md describes the format under "Labelled cases".'
        )
    return cases, bad


def _case(line: str, where: str) -> Case:
    try:
        raw: object = json.loads(line.replace(BREAK, ""))
    except ValueError as error:
        raise ValueError(f"it is not JSON ({error})") from None
    if not isinstance(raw, dict):
        raise ValueError("it is not a JSON object")
    fields = cast(dict[str, object], raw)
    label = fields.get("class")
    if label not in CLASSES:
        raise ValueError(f"class is {label!r}; it must be one of {', '.join(CLASSES)}")
    text = fields.get("text")
    if not isinstance(text, str) or not text.strip():
        raise ValueError("text must be a text that is not blank")
    memory = _texts(fields, "memory")
    voice = fields.get("source", Voice.ASSISTANT.value)
    if not isinstance(voice, str) or voice not in set(Voice):
        raise ValueError(f"source is {voice!r}; it must be one of {', '.join(Voice)}")
    requested = fields.get("requested", False)
    if not isinstance(requested, bool):
        raise ValueError("requested must be true or false")
    return Case(
        str(fields.get("id", where)),
        str(fields.get("lang", "?")),
        str(label),
        memory,
        text,
        _of(fields.get("of"), str(label), memory),
        Voice(voice),
        requested,
        _texts(fields, "injected"),
        where,
    )


def _texts(fields: Mapping[str, object], name: str) -> tuple[str, ...]:
    value = fields.get(name, [])
    listed = cast(list[object], value) if isinstance(value, list) else [None]
    texts = tuple(text for text in listed if isinstance(text, str) and entry_text(text))
    if len(texts) != len(listed):
        raise ValueError(f"{name} must be a list of texts that are not blank")
    return texts


def _of(value: object, label: str, memory: Sequence[str]) -> int | None:
    if label not in _TWINS:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < len(memory):
        raise ValueError(f"of must be the number of an entry of memory, 0 to {len(memory) - 1}, for class {label}")
    return value


# -- judging ----------------------------------------------------------------------------------------------------


def memory_text(case: Case) -> Document:
    """What MEMORY.md holds in a case."""
    document = Document(split_lines("# Long-term Memory\n\n## Notes\n"))
    for text in case.memory:
        document, _ = document.with_entry(entry_text(text), "Notes")
    return document


def judge_in(folder: Path, settings: Settings) -> Judge:
    """The product's judgement, on a book in `folder` whose MEMORY.md is written anew for each case."""
    memory = Memory.open(folder, settings=settings)

    def verdict(case: Case) -> Verdict:
        (folder / MEMORY_FILE).write_bytes(memory_text(case).data)
        try:
            return memory.judge(case.text, voice=case.voice, requested=case.requested, injected=case.injected)
        except ValidationError as error:  # too long for an entry
            return Verdict(VerdictKind.REFUSE, "too_long", error.message)

    return verdict


def run(cases: Iterable[Case], verdict_on: Judge) -> Iterator[Outcome]:
    for case in cases:
        yield Outcome(case, verdict_on(case))


# -- figures ----------------------------------------------------------------------------------------------------


def by_class(outcomes: Iterable[Outcome]) -> dict[str, Row]:
    """Counts by class, in the order of `CLASSES`; only classes that have cases."""
    rows = {label: Row() for label in CLASSES}
    for outcome in outcomes:
        rows[outcome.case.label].add(outcome)
    return {label: row for label, row in rows.items() if row.cases}


def by_language(outcomes: Iterable[Outcome]) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for outcome in outcomes:
        rows.setdefault(outcome.case.language, Row()).add(outcome)
    return dict(sorted(rows.items(), key=lambda item: -item[1].cases))


def bars(outcomes: Sequence[Outcome]) -> list[Bar]:
    """The promises of the gate, and whether these cases keep them."""
    return [
        _bar(outcomes, "duplicates and updates", _TWINS, 0.935, _STORED, 0.025),
        _right_kind(outcomes, 0.91),
        _bar(outcomes, "transient and one-off", ("transient", "one_off"), 0.90, ("keep", *_TWINS[1:]), 0.02),
        _bar(outcomes, "secrets", ("secret",), 0.97, tuple(c for c in CLASSES if c != "secret"), 0.005),
        _bar(outcomes, "explicit requests", ("explicit",), 1.0, (), 0.0),
    ]


def _bar(
    outcomes: Sequence[Outcome],
    name: str,
    wanted: Sequence[str],
    least: float,
    others: Sequence[str],
    most: float,
) -> Bar:
    asked = [outcome for outcome in outcomes if outcome.case.label in wanted]
    apart = [outcome for outcome in outcomes if outcome.case.label in others]
    rules = {rule for label in wanted for rule in FOUND_BY.get(label, ())}
    alarms = sum(outcome.rule in rules for outcome in apart)
    return Bar(name, sum(outcome.found for outcome in asked), len(asked), least, alarms, len(apart), most)


def _right_kind(outcomes: Sequence[Outcome], least: float) -> Bar:
    """That a duplicate is called one, a repetition the same fact, and a newer value newer."""
    asked = [outcome for outcome in outcomes if outcome.case.label in _TWINS]
    return Bar("  … called what they are", sum(outcome.right for outcome in asked), len(asked), least, 0, 0, 0.0)


def interval(hits: int, of: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    if not of:
        return 0.0, 1.0
    z, share = 1.96, hits / of
    middle, wide = share + z * z / (2 * of), z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return (middle - wide) / (1 + z * z / of), (middle + wide) / (1 + z * z / of)


def as_json(outcome: Outcome) -> str:
    """One line of a run file: the verdict on a case, without the case's words."""
    case, verdict = outcome.case, outcome.verdict
    record = {
        "id": case.id,
        "class": case.label,
        "lang": case.language,
        "where": case.where,
        "verdict": verdict.kind.value,
        "rule": verdict.rule,
        "certainty": round(verdict.certainty, 4),
        "found": outcome.found,
        "right": outcome.right,
    }
    return json.dumps(record, ensure_ascii=False)
