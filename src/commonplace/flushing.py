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
from commonplace.distill.digest import digest, requested
from commonplace.distill.quoting import Part, answer_length, parts_of, quoted, room_in
from commonplace.distill.summary import Fact, Summary, parse_summary
from commonplace.errors import ModelFailed, ValidationError
from commonplace.files import daily, transcripts
from commonplace.files.cursors import EVENT, Cursor, Ledger, moment
from commonplace.files.document import REQUESTED
from commonplace.framing import strip_injected
from commonplace.ports import ChatModel, Storage
from commonplace.prompts import prompt
from commonplace.types import ChatMessage, Duplicate, Logged, LogReport, Message, Saved

TASK = "flush"
_SPOKEN = ("user", "assistant")


class _TooLong(Exception):
    """The answer did not fit: less must be asked at once."""


@dataclass(frozen=True, slots=True)
class Flush:
    """Where a flush reads and how it writes: `learn` passes the same checks as a tool's save, `log` appends a block."""

    storage: Storage
    learn: Callable[[Fact, str], Saved | Duplicate]
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
            report = self._keep(report, part, summary, day)
        last = messages[-1]
        Ledger(self.storage).store(report.session, Cursor(last.id, moment(last.at)))
        return report

    def _keep(self, report: LogReport, part: Part, summary: Summary, day: date) -> LogReport:
        outcomes = [self._learned(fact, report.session) for fact in summary.facts]
        last = part.messages[-1]
        marker = daily.Marker(report.session, last.id, moment(last.at))
        block = self.log(summary.text, day, marker)
        Ledger(self.storage).store(report.session, Cursor(last.id, moment(last.at)))
        return replace(
            report,
            messages=report.messages + len(part.messages),
            blocks=(*report.blocks, block),
            saved=(*report.saved, *(outcome for outcome in outcomes if isinstance(outcome, Saved))),
            duplicates=(*report.duplicates, *(outcome for outcome in outcomes if isinstance(outcome, Duplicate))),
            refused=(*report.refused, *(outcome for outcome in outcomes if isinstance(outcome, str))),
        )

    def _learned(self, fact: Fact, session: str) -> Saved | Duplicate | str:
        try:
            return self.learn(fact, session)
        except ValidationError as error:  # one impossible fact must not keep the rest of the day out of the log
            return f"{fact.text[:80]}: {error.message}"


def _new(storage: Storage, session: str) -> list[Message]:
    """The messages after the last one logged."""
    transcript = transcripts.read(session, storage.read(transcripts.file_of(session)).data)
    messages = [message for message in transcript.messages if message.role != EVENT]
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


def _summaries(
    said: Sequence[Message], day: date, session: str, model: ChatModel | None
) -> Iterator[tuple[Part, Summary]]:
    """Part by part, so that what was asked for is stored before more is asked."""
    if not said:
        return
    if model is None:
        facts = [Fact(f"{REQUESTED} {what}") for m in said if m.role == "user" for what in requested(m.text)]
        yield Part(tuple(said), ()), Summary(digest(said, session), tuple(dict.fromkeys(facts)))
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
