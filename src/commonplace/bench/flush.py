"""What conversations leave behind: each case is flushed into a book of its own, with a model that answers by script.

A file of cases is JSON Lines; docs/bench-flush.md describes it, and how an entry is compared with what is expected.
"""

import json
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import sqrt
from pathlib import Path
from typing import Literal, NamedTuple, cast

from commonplace.bench.matching import bare, says
from commonplace.config import Settings
from commonplace.errors import CommonplaceError, ModelFailed, ValidationError
from commonplace.files import daily
from commonplace.files.document import Document, entry_text
from commonplace.files.text import split_lines
from commonplace.framing import strip_injected
from commonplace.memory import Memory
from commonplace.ports import Embedder
from commonplace.types.book import MEMORY_FILE, SECTION_OF, Category
from commonplace.types.chatting import ChatEvent, ChatMessage, Finished, StopReason, TextPart, ToolSpec, Usage
from commonplace.types.sessions import SPOKEN, Message

TRIES = 8
"""How often a flush that fails is triggered again before its messages count as lost."""

UNSUPPORTED, JUNK, ARRIVED, ANSWERS, LOGGED, TWICE, NEWER, WAITING = (
    "unsupported facts in MEMORY.md",
    "junk in MEMORY.md",
    "lasting facts that did not arrive",
    "refusals, errors and echoes stored",
    "messages not logged exactly once",
    "facts kept twice",
    "old values left standing",
    "candidates not waiting",
)
BARS = {
    UNSUPPORTED: 0.0,
    JUNK: 0.02,
    ARRIVED: 0.05,
    ANSWERS: 0.0,
    LOGGED: 0.0,
    TWICE: 0.0,
    NEWER: 0.05,
    WAITING: 0.05,
}
"""What may go wrong, and in which share at most."""

_NO_ANSWER = ("refusal", "error", "echo", "empty", "tool_call", "chatter")
BAR_OF = {"junk": JUNK, "stale": NEWER, **dict.fromkeys(_NO_ANSWER, ANSWERS)}
"""The bar that a text which must be absent counts for, by its `why`; every other why counts as unsupported."""

_COPIED = 12  # letters; a shorter line must be the same as a whole to count as copied
_HEADINGS = frozenset({"dailysummary", "longtermfacts", ""})
_Z = 1.96


class Fact(NamedTuple):
    """Something expected, in one wording or several."""

    wordings: tuple[str, ...]

    def said_by(self, text: str) -> bool:
        return any(says(text, wording) for wording in self.wordings)


class Absent(NamedTuple):
    fact: Fact
    why: str

    def said_by(self, text: str) -> bool:
        return any(says(text, wording, turned=True) for wording in self.fact.wordings)


@dataclass(frozen=True, slots=True)
class Expect:
    """What must be so after a flush."""

    kept: tuple[Fact, ...] = ()
    may: tuple[Fact, ...] = ()
    absent: tuple[Absent, ...] = ()
    waiting: tuple[Fact, ...] = ()
    entries: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model says to one request. `bad` tells why nothing of it may be stored; `fails` that it breaks off."""

    text: str
    bad: str = ""
    reason: StopReason = "end"
    fails: bool = False


@dataclass(frozen=True, slots=True)
class Talk:
    """Messages that are flushed together, the answers to that flush, and what must be so after it."""

    session: str
    messages: tuple[Message, ...]
    answers: tuple[Answer, ...]
    expect: Expect | None


@dataclass(frozen=True, slots=True)
class Case:
    id: str
    language: str
    kind: str
    memory: tuple[tuple[str, str], ...]
    talks: tuple[Talk, ...]
    expect: Expect
    where: str = ""


class BadLine(NamedTuple):
    """A line that is no case, and why."""

    where: str
    why: str


class Check(NamedTuple):
    """One thing that was looked at: the bar it counts for, whether it is as it must be, and what was found."""

    bar: str
    right: bool
    told: str


@dataclass(frozen=True, slots=True)
class Outcome:
    case: Case
    checks: tuple[Check, ...]

    @property
    def misses(self) -> list[Check]:
        return [check for check in self.checks if not check.right]


class Bar(NamedTuple):
    """A promise: of `asked` at most the share `most` is wrong. `low` and `high`: where the true share lies (95 %)."""

    name: str
    wrong: int
    asked: int
    most: float
    low: float
    high: float

    @property
    def met(self) -> bool | None:
        """None: there is nothing to tell by."""
        return self.wrong <= self.most * self.asked if self.asked else None


# -- reading cases ----------------------------------------------------------------------------------------------


def load(file: Path) -> tuple[list[Case], list[BadLine]]:
    """The cases of a file, and the lines that are none."""
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ValidationError(f"{file} cannot be read: {why}.", hint="Name a file of conversations.") from error
    cases: list[Case] = []
    bad: list[BadLine] = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            where = f"{file.name}:{number}"
            try:
                cases.append(_case(line, where))
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                told = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
                bad.append(BadLine(where, told))
    if not cases:
        first = f" {bad[0].where}: {bad[0].why}." if bad else ""
        raise ValidationError(f"{file} holds no conversation.{first}", hint="docs/bench-flush.md describes the format.")
    return cases, bad


def _case(line: str, where: str) -> Case:
    raw: object = json.loads(line)
    fields = _object(raw, "the line")
    talks: list[Talk] = []
    said: dict[str, int] = {}
    for number, listed in enumerate(_list(fields, "sessions")):
        talks.append(_talk(_object(listed, f"session {number + 1}"), f"s{number + 1}", said))
    if not talks:
        raise ValueError("sessions must not be empty")
    return Case(
        str(fields.get("id", where)),
        str(fields.get("language", "?")),
        str(fields.get("kind", "-")),
        tuple(_seed(listed) for listed in _list(fields, "memory")),
        tuple(talks),
        _expect(_object(fields.get("expect", {}), "expect")),
        where,
    )


def _talk(fields: Mapping[str, object], name: str, said: dict[str, int]) -> Talk:
    session = str(fields.get("id", name))
    first = said.get(session, 0)
    messages = [
        _message(_object(listed, "a message"), f"{session}-{first + at}")
        for at, listed in enumerate(_list(fields, "messages"))
    ]
    if not messages:
        raise ValueError(f"session {session} has no messages")
    said[session] = first + len(messages)
    answers = tuple(_answer(listed) for listed in _list(fields, "answers"))
    expect = _expect(_object(fields["expect"], "expect")) if "expect" in fields else None
    return Talk(session, tuple(messages), answers, expect)


def _message(fields: Mapping[str, object], id: str) -> Message:
    at = datetime.fromisoformat(_text(fields["at"], "at"))
    if at.tzinfo is None:
        at = at.astimezone()
    known = {"role", "text", "at"}
    extra = {name: value for name, value in fields.items() if name not in known}
    return Message(id, _text(fields["role"], "role"), _text(fields["text"], "text"), at, extra)


def _answer(listed: object) -> Answer:
    if isinstance(listed, str):
        return Answer(listed)
    fields = _object(listed, "an answer")
    reason, bad = fields.get("reason", "end"), str(fields.get("bad", ""))
    if reason not in {"end", "length", "refusal"}:
        raise ValueError(f"reason is {reason!r}; it must be end, length or refusal")
    if bad and bad not in _NO_ANSWER:
        raise ValueError(f"bad is {bad!r}; it must be one of {', '.join(_NO_ANSWER)}")
    text = fields.get("text", "")
    if not isinstance(text, str):
        raise ValueError("the text of an answer must be a text")
    return Answer(text, bad, cast(StopReason, reason), fields.get("fails") is True)


def _seed(listed: object) -> tuple[str, str]:
    fields = {"text": listed} if isinstance(listed, str) else _object(listed, "an entry of memory")
    category = Category(str(fields.get("category", "notes")).lower())
    return SECTION_OF[category], entry_text(_text(fields["text"], "text"))


def _expect(fields: Mapping[str, object]) -> Expect:
    unknown = set(fields) - {"kept", "may", "absent", "waiting", "entries"}
    if unknown:
        raise ValueError(f"expect has {', '.join(sorted(unknown))}, which nobody knows")
    entries = fields.get("entries")
    if entries is not None and (not isinstance(entries, int) or isinstance(entries, bool)):
        raise ValueError("entries must be a number")
    kept, may, waiting = (tuple(map(_fact, _list(fields, name))) for name in ("kept", "may", "waiting"))
    return Expect(kept, may, tuple(map(_absent, _list(fields, "absent"))), waiting, entries)


def _absent(listed: object) -> Absent:
    if not isinstance(listed, dict):
        return Absent(_fact(listed), "unsupported")
    fields = _object(cast(object, listed), "absent")
    return Absent(_fact(fields["text"]), _text(fields.get("why", "unsupported"), "why"))


def _fact(listed: object) -> Fact:
    wordings = cast(list[object], listed) if isinstance(listed, list) else [listed]
    if not wordings:
        raise ValueError("an expected text has no wording")
    return Fact(tuple(_text(one, "an expected text") for one in wordings))


def _text(value: object, name: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name} must be a text that is not blank")
    return value


def _list(fields: Mapping[str, object], name: str) -> list[object]:
    value = fields.get(name, [])
    if not isinstance(value, list):
        raise ValueError(f"{name} must be a list")
    return cast(list[object], value)


def _object(value: object, name: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ValueError(f"{name} must be a JSON object")
    return cast(dict[str, object], value)


# -- flushing ---------------------------------------------------------------------------------------------------


class ScriptedAnswers:
    """A model that gives the answers of a list one by one, the last of them again and again. Implements `ChatModel`."""

    identity = "scripted/answers"
    window = 16_384
    calls_tools = False

    def __init__(self, answers: Sequence[Answer]) -> None:
        self._answers = answers
        self.asked = 0

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        system: str = "",
        tools: Sequence[ToolSpec] = (),
        max_tokens: int = 4096,
    ) -> Generator[ChatEvent]:
        del messages, system, tools, max_tokens
        answer = self._answers[min(self.asked, len(self._answers) - 1)]
        self.asked += 1
        yield TextPart(answer.text)
        if answer.fails:
            raise ModelFailed("The model broke off.", retryable=True, partial=answer.text)
        yield Finished(answer.reason, Usage(0, 0))


class _ThatTime:
    """The time of the conversation. Implements `Clock`."""

    def __init__(self, at: datetime) -> None:
        self.at = at

    def now(self) -> datetime:
        return self.at


def run(cases: Iterable[Case], folder: Path, settings: Settings, embedder: Embedder | None) -> Iterator[Outcome]:
    """Flush each case into a book of its own below `folder`."""
    for number, case in enumerate(cases):
        clock = _ThatTime(case.talks[0].messages[0].at - timedelta(days=1))
        memory = Memory.open(folder / str(number), settings=settings, clock=clock, embedder=embedder)
        yield Outcome(case, tuple(_checked(case, memory, clock)))


def _checked(case: Case, memory: Memory, clock: _ThatTime) -> Iterator[Check]:
    memory.create()
    if case.memory:
        (memory.path / MEMORY_FILE).write_bytes(_page(case.memory).data)
    for talk in case.talks:
        memory.add_message(talk.session, *talk.messages)
        clock.at = talk.messages[-1].at + timedelta(minutes=10)
        yield from _flushed(memory, talk)
        if talk.expect:
            yield from _as_expected(talk.expect, memory)
    yield from _as_expected(case.expect, memory)
    yield from _unaccounted(case, memory)
    yield from _copied(case, memory)
    for session in dict.fromkeys(talk.session for talk in case.talks):
        yield from _logged(memory, session)


def _page(entries: Sequence[tuple[str, str]]) -> Document:
    document = Document(split_lines("# Long-term Memory\n"))
    for section, text in entries:
        document, _ = document.with_entry(text, section)
    return document


def _flushed(memory: Memory, talk: Talk) -> Iterator[Check]:
    """Trigger the flush until it is done; once more must change nothing and ask nobody."""
    model = ScriptedAnswers(talk.answers) if talk.answers else None
    for _ in range(TRIES):
        try:
            memory.log_session(talk.session, model)
            break
        except CommonplaceError:
            continue
    asked, before = model and model.asked, _stored(memory)
    if not memory.session_info(talk.session).unlogged:
        memory.log_session(talk.session, model)
        if (model and model.asked, _stored(memory)) != (asked, before):
            yield Check(LOGGED, False, f"{talk.session}: a second flush of the same messages changed something")


def _stored(memory: Memory) -> list[str]:
    """Every line of memory, inbox, logs and summaries; the headings of MEMORY.md no answer brings."""
    logs = [memory.read_log(day) for day in memory.log_days()]
    inbox = [waiting.text for waiting in memory.inbox()]
    kept = [line for line in memory.read().split("\n") if not line.startswith("#")]
    return kept + [line for text in (*inbox, *logs) for line in text.split("\n")]


# -- looking ----------------------------------------------------------------------------------------------------


def _as_expected(expect: Expect, memory: Memory) -> Iterator[Check]:
    entries = [entry.text for entry in memory.entries()]
    inbox = [waiting.text for waiting in memory.inbox()]
    for fact in expect.kept:
        found = [entry for entry in entries if fact.said_by(entry)]
        yield Check(ARRIVED, bool(found), f"not there: {fact.wordings[0]}")
        if found:
            yield Check(TWICE, len(found) == 1, f"{len(found)} times: {'; '.join(found)}")
    for absent in expect.absent:
        bar = BAR_OF.get(absent.why, UNSUPPORTED)
        there = next((line for line in _looked_at(bar, entries, memory) if absent.said_by(line)), "")
        yield Check(bar, not there, f"there ({absent.why}): {there.strip()}")
    for fact in expect.waiting:
        waits, stands = any(map(fact.said_by, inbox)), any(map(fact.said_by, entries))
        told = "in MEMORY.md instead of the inbox" if stands else "not in the inbox"
        yield Check(WAITING, waits and not stands, f"{told}: {fact.wordings[0]}")
    if expect.entries is not None:
        wrong = (*expect.absent, *expect.waiting)
        rest = [entry for entry in entries if not any(one.said_by(entry) for one in wrong)]  # those count already
        bar = TWICE if len(rest) > expect.entries else ARRIVED
        yield Check(bar, len(rest) == expect.entries, f"{len(rest)} entries, not {expect.entries}: {'; '.join(rest)}")


def _looked_at(bar: str, entries: Sequence[str], memory: Memory) -> Sequence[str]:
    return _stored(memory) if bar == ANSWERS else entries


def _unaccounted(case: Case, memory: Memory) -> Iterator[Check]:
    """An entry that nobody expected, allowed or forbade was invented by somebody."""
    expects = [case.expect, *(talk.expect for talk in case.talks if talk.expect)]
    known = [fact for one in expects for fact in (*one.kept, *one.may, *one.waiting, *one.absent)]
    seeds = {entry_text(text) for _, text in case.memory}
    for entry in memory.entries():
        if entry.text not in seeds and not any(fact.said_by(entry.text) for fact in known):
            yield Check(UNSUPPORTED, False, f"nobody expected: {entry.text}")


def _copied(case: Case, memory: Memory) -> Iterator[Check]:
    """Whether a line of an answer that is none was stored. What the user said, or another answer, may be."""
    answers = [answer for talk in case.talks for answer in talk.answers]
    fine = [bare(m.text) for talk in case.talks for m in talk.messages]
    fine += [bare(line) for answer in answers if not answer.bad for line in answer.text.split("\n")]
    stored = {bare(line) for line in _stored(memory)}
    for answer in answers:
        if answer.bad:
            lines = {bare(line): line for line in answer.text.split("\n")}
            copied = [
                line
                for short, line in lines.items()
                if short not in _HEADINGS and not any(short in own for own in fine) and _stands(short, stored)
            ]
            yield Check(ANSWERS, not copied, f"stored ({answer.bad}): {copied[0].strip() if copied else ''}")


def _stands(short: str, stored: set[str]) -> bool:
    return short in stored or (len(short) >= _COPIED and any(short in line for line in stored))


def _logged(memory: Memory, session: str) -> Iterator[Check]:
    """For each message that somebody said, whether exactly one block covers it, on the day it was said."""
    messages = [message for message in memory.transcript(session).messages if message.role != "event"]
    at = {message.id: number for number, message in enumerate(messages)}
    covered = [0] * len(messages)
    for day, throughs in _throughs(memory, session).items():
        start = 0
        for through in throughs:
            end = at[through]
            for number in range(min(start, end), end + 1):  # at least the last one: a block that comes again
                covered[number] += messages[number].at.date() == day
            start = max(start, end + 1)
    for message, times in zip(messages, covered, strict=True):
        if message.role in SPOKEN and strip_injected(message.text).strip():
            yield Check(LOGGED, times == 1, f"{message.id} logged {times} times")


def _throughs(memory: Memory, session: str) -> dict[date, list[str]]:
    """The last messages that the blocks of a session name, by the day of the log."""
    found: dict[date, list[str]] = {}
    for day in memory.log_days():
        marked = daily.markers(memory.read_log(day).encode(), daily.file_of(day))
        found[day] = [marker.through for marker in marked if marker.session == session]
    return found


# -- figures ----------------------------------------------------------------------------------------------------


def bars(outcomes: Sequence[Outcome]) -> list[Bar]:
    checks = [check for outcome in outcomes for check in outcome.checks]
    return [_bar(name, most, [check for check in checks if check.bar == name]) for name, most in BARS.items()]


def _bar(name: str, most: float, checks: Sequence[Check]) -> Bar:
    wrong = sum(not check.right for check in checks)
    return Bar(name, wrong, len(checks), most, *interval(wrong, len(checks)))


def interval(part: int, whole: int) -> tuple[float, float]:
    """Wilson's interval for a share, 95 %."""
    if not whole:
        return 0.0, 1.0
    share, square = part / whole, _Z * _Z / whole
    middle = (share + square / 2) / (1 + square)
    reach = _Z * sqrt(share * (1 - share) / whole + square / whole / 4) / (1 + square)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def grouped(outcomes: Iterable[Outcome], by: Literal["kind", "language"]) -> dict[str, list[Outcome]]:
    """Outcomes by kind or language, in the order of the file."""
    found: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        found.setdefault(outcome.case.kind if by == "kind" else outcome.case.language, []).append(outcome)
    return found
