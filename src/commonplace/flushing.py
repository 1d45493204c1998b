"""The flow of a flush: transcript -> what is new -> summary -> facts and daily log -> cursor, every message once.

A flush takes its messages day by day and part by part. For each part the facts are stored first, then the block with
its marker, then the cursor: the marker says that all is done, so a crash before it repeats the part (facts that are
there already are skipped), and a crash after it repeats nothing. The book stays open to everybody meanwhile; only
flushes wait for each other.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby

from commonplace.chatting import complete
from commonplace.distill.digest import digest
from commonplace.distill.quoting import Part, answer_length, parts_of, quoted, room_in
from commonplace.distill.summary import Fact, Summary, parse_summary
from commonplace.errors import ModelFailed, ValidationError
from commonplace.files import daily, transcripts
from commonplace.files.cursors import Cursor, Ledger, moment
from commonplace.framing import strip_injected
from commonplace.gate.secrets import redact
from commonplace.gate.tracing import trace
from commonplace.ports import ChatModel, Storage
from commonplace.prompts import prompt
from commonplace.requesting import answered, fulfilled, requests_in, settled, withdrawn
from commonplace.types.asking import Voice
from commonplace.types.chatting import ChatMessage
from commonplace.types.keeping import Logged
from commonplace.types.saving import Alike, Duplicate, Held, Refused, Remembered, Saved
from commonplace.types.sessions import LogReport, Message

TASK = "flush"
_SPOKEN = ("user", "assistant")


class _TooLong(Exception):
    """The answer did not fit: less must be asked at once."""


@dataclass(frozen=True, slots=True)
class Learned:
    """A fact that a conversation told: whose words it is, and whether the user asked for it to be kept."""

    fact: Fact
    voice: Voice
    requested: bool = False


@dataclass(frozen=True, slots=True)
class Flush:
    """Where a flush reads and how it writes: `learn` passes the same gate as a tool's save, `log` appends a block."""

    storage: Storage
    learn: Callable[[Learned, str], Remembered]
    log: Callable[[str, date, daily.Marker], Logged]
    patience: float

    def run(self, session: str, model: ChatModel | None) -> LogReport:
        """Log what is new in a session. Without a model the log gets an extract."""
        if not _new(self.storage, session):
            return LogReport(session)
        with self.storage.alone(TASK, timeout=self.patience):
            report = LogReport(session)
            new = _new(self.storage, session)  # somebody else may have logged it while this one waited
            for day, messages in groupby(new, key=lambda message: message.at.date()):
                report = self._log_day(report, day, list(messages), model)
            return report

    def _log_day(self, report: LogReport, day: date, messages: list[Message], model: ChatModel | None) -> LogReport:
        """Messages of one day that follow each other. Those that need no block move the cursor alone."""
        said = [stripped for message in messages if (stripped := _said(message)) is not None]
        for part, summary in _summaries(said, day, report.session, model):
            report = self._keep(report, part, summary, messages, day)
        last = messages[-1]
        Ledger(self.storage).store(report.session, Cursor(last.id, moment(last.at)))
        return report

    def _keep(
        self, report: LogReport, part: Part, summary: Summary, messages: Sequence[Message], day: date
    ) -> LogReport:
        facts = _learned(summary.facts, part.messages, messages)
        outcomes = [outcome for fact in facts for outcome in self._outcomes(fact, report.session)]
        last = part.messages[-1]
        marker = daily.Marker(report.session, last.id, moment(last.at))
        block = self.log(summary.text, day, marker)
        Ledger(self.storage).store(report.session, Cursor(last.id, moment(last.at)))
        return replace(
            report,
            messages=report.messages + len(part.messages),
            blocks=(*report.blocks, block),
            saved=(*report.saved, *(outcome for outcome in outcomes if isinstance(outcome, Saved))),
            duplicates=(*report.duplicates, *(o for o in outcomes if isinstance(o, Duplicate | Alike))),
            held=(*report.held, *(outcome for outcome in outcomes if isinstance(outcome, Held))),
            refused=(*report.refused, *(outcome for outcome in outcomes if isinstance(outcome, str))),
        )

    def _outcomes(self, learned: Learned, session: str) -> list[Saved | Duplicate | Alike | Held | str]:
        """What became of a fact; one that is several is learned piece by piece."""
        text = learned.fact.text
        try:
            outcome = self.learn(learned, session)
        except ValidationError as error:  # one impossible fact must not keep the rest of the day out of the log
            return [f"{redact(text)[:80]}: {error.message}"]
        if not isinstance(outcome, Refused):
            return [outcome]
        if len(outcome.verdict.pieces) > 1:
            pieces = [replace(learned, fact=replace(learned.fact, text=piece)) for piece in outcome.verdict.pieces]
            return [one for piece in pieces for one in self._outcomes(piece, session)]
        return [f"{redact(text)[:80]}: {outcome.verdict.reason}"]


def _new(storage: Storage, session: str) -> list[Message]:
    """The messages after the last one logged."""
    transcript = transcripts.read(session, storage.read(transcripts.file_of(session)).data)
    messages = settled(transcript.messages)
    ledger = Ledger(storage)
    new = messages[ledger.logged(session, messages) :]
    if not new:
        ledger.keep_up(session, messages)
    return new


def _said(message: Message) -> Message | None:
    """The message as far as somebody said it: what we put into it from memory is not new. None if nothing is left."""
    if message.role not in _SPOKEN:
        return None
    text = strip_injected(message.text)
    return replace(message, text=text) if text.strip() else None


def _learned(facts: Sequence[Fact], part: Sequence[Message], messages: Sequence[Message]) -> list[Learned]:
    """Facts with whose words they are. What the user asked for is kept even if no model thought of it, or not of all
    of it: then it comes first, in the user's own words, and the facts are measured against it like any others."""
    heard = [*part, *(message for message in messages if message.role not in _SPOKEN)]
    answers = {fact: answered(fact.text, heard) for fact in facts if not withdrawn(fact.text, part)}
    kept = {
        request: fulfilled(request, [fact.text for fact, found in answers.items() if request in found])
        for request in requests_in(part)
    }
    own = [Learned(Fact(request), Voice.USER, requested=True) for request, done in kept.items() if not done]
    return own + [
        Learned(fact, Voice.USER, requested=True)
        if any(kept.get(request) for request in found)
        else Learned(fact, trace(fact.text, messages))
        for fact, found in answers.items()
    ]


def _summaries(
    said: Sequence[Message], day: date, session: str, model: ChatModel | None
) -> Iterator[tuple[Part, Summary]]:
    """Part by part, so that what was asked for is stored before more is asked."""
    if not said:
        return
    if model is None:
        yield Part(tuple(said), ()), Summary(digest(said, session))
        return
    for part in parts_of(said, room_in(model.window, prompt("summarise"))):
        yield from _summarised(part, day, model)


def _summarised(part: Part, day: date, model: ChatModel) -> Iterator[tuple[Part, Summary]]:
    try:
        answers = [_ask(text, day, model) for text in part.texts]
    except _TooLong:
        if len(part.messages) == 1:
            raise ModelFailed(
                f"{model.identity} does not come to an end summarising one message.",
                retryable=True,
                hint="Choose a model that may answer at greater length.",
            ) from None
        middle = len(part.messages) // 2
        for half in (part.messages[:middle], part.messages[middle:]):
            text = "\n".join(quoted(message.role, message.text) for message in half)
            yield from _summarised(Part(half, (text,)), day, model)
        return
    facts = dict.fromkeys(fact for answer in answers for fact in answer.facts)
    yield part, Summary("\n".join(answer.text for answer in answers), tuple(facts))


def _ask(text: str, day: date, model: ChatModel) -> Summary:
    question = f"This was said on {day:%A}, {day.isoformat()}:\n\n{text}"
    reply = complete(
        model,
        [ChatMessage("user", question)],
        system=prompt("summarise"),
        max_tokens=answer_length(model.window),
    )
    if reply.reason == "length":
        raise _TooLong
    summary = parse_summary(reply.text) if reply.reason == "end" else None
    if summary is None:
        raise ModelFailed(
            f"{model.identity} gave no summary ({'it refused' if reply.reason == 'refusal' else 'an empty answer'}).",
            retryable=True,
            partial=reply.text,
            hint="Nothing is lost: the conversation is logged at the next opportunity.",
        )
    return summary
