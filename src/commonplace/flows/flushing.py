"""The flow of a flush: transcript -> what is new -> summary -> facts and daily log -> cursor, every message once.

A flush takes its messages day by day and part by part. A fact is stored only as far as the user's messages say it. For
each part the facts are stored first, then the block with its marker, then the cursor: the marker says that all is done,
so a crash before it repeats the part (facts that are there already are skipped), and a crash after it repeats nothing.
The book stays open to everybody meanwhile; only flushes wait for each other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby
from typing import Protocol

from commonplace.config import GateSettings
from commonplace.distill.answers import cleaned, says_nothing, trouble
from commonplace.distill.digest import NO_ANSWER, digest
from commonplace.distill.quoting import Part, answer_length, parts_of, quoted, room_in
from commonplace.distill.summary import Fact, Summary, parse_summary
from commonplace.distill.supporting import (
    Degree,
    Spoken,
    Support,
    before_the_question,
    is_disposition,
    is_rule,
    is_statement,
    is_use,
    speaks_of_self,
    spoken,
    states,
    support,
)
from commonplace.errors import ModelFailed, ValidationError
from commonplace.files import daily, transcripts
from commonplace.files.cursors import MOST_TRIES, Cursor, Ledger, Tries, moment
from commonplace.flows.logbook import Logbook
from commonplace.flows.modelcalls import complete
from commonplace.flows.requesting import answered, fulfilled, requests_in, settled, withdrawn
from commonplace.framing import unechoed
from commonplace.gate.passing import one_off, transient
from commonplace.gate.secrets import mask
from commonplace.gate.tracing import own_words, trace
from commonplace.ports import ChatModel, Storage
from commonplace.prompts import prompt
from commonplace.providers.crossencoder import pair_reader
from commonplace.types.asking import Asker, Origin, Voice
from commonplace.types.book import Category
from commonplace.types.changing import Revised
from commonplace.types.chatting import ChatMessage
from commonplace.types.saving import Alike, Duplicate, Held, Refused, Remembered, Saved
from commonplace.types.sessions import SPOKEN, LogReport, Message

TASK = "flush"
INFERRED, UNSUPPORTED = "inferred", "unsupported"
_DISPOSITIONS = {Category.PREFERENCES, Category.INTERESTS}
_SURELY_PASSING, _RATHER_PASSING = 0.8, 0.5
_SHOWN = 120


class _TooLong(Exception):
    """The answer did not fit: less must be asked at once."""


class _NoAnswer(Exception):
    """What the model wrote is no answer, and what it is instead."""


@dataclass(frozen=True, slots=True)
class Learned:
    """A fact that a conversation told: whose words it is, whether the user asked for it to be kept, the messages that
    it rests on and the sentence in them. `doubt` names the rule because of which it waits, if there is one."""

    fact: Fact
    voice: Voice
    requested: bool = False
    messages: tuple[str, ...] = ()
    said: str = ""
    doubt: str = ""
    whole: bool = False  # it cannot be told in pieces
    beside: tuple[tuple[str, bool], ...] = ()  # what else was learned at once, and whether of the same messages


@dataclass(frozen=True, slots=True)
class Witness:
    """Weighs what somebody takes from a conversation against what the user said in it, whichever door it comes by."""

    gate: GateSettings

    def doubt(self, text: str, messages: Sequence[Message]) -> Learned | None:
        """What speaks against a text that a tool wants saved; None if nothing does."""
        fact = Learned(Fact(text), Voice.ASSISTANT)
        found = self.weigh(fact, _spoken(messages))
        if found is None:
            return replace(fact, doubt=UNSUPPORTED)
        return found if found.doubt else None

    def weigh(self, learned: Learned, said: Sequence[Spoken]) -> Learned | None:
        """The fact as far as the user said it; None if they did not. What was read elsewhere is the gate's to hold."""
        if learned.voice not in {Voice.USER, Voice.ASSISTANT} or self.gate.unsupported is None:
            return learned
        found = support(learned.fact.text, said, pair_reader())
        learned = replace(learned, messages=found.messages, said=next(iter(found.sentences), ""))
        if found.degree is Degree.NONE:
            return None
        if self.gate.inferred is not None and not found.agreed and self._is_inferred(learned.fact, found):
            return replace(learned, doubt=INFERRED)
        if found.degree is Degree.PART:
            return replace(learned, doubt=UNSUPPORTED)
        return replace(learned, voice=Voice.USER)

    def _is_inferred(self, fact: Fact, found: Support) -> bool:
        """Whether it is a preference or a habit that the user did not state as lasting."""
        if found.degree is Degree.WHOLE and not (found.told and any(map(self._tells, found.sentences))):
            return True  # nobody tells anything by asking or bidding
        if fact.category not in _DISPOSITIONS and not is_disposition(fact.text):
            return is_use(fact.text) and not any(map(is_statement, found.sentences))
        return not any(
            states(sentence, fact.text) and (is_rule(sentence) or not self._passes(before_the_question(sentence)))
            for sentence in found.sentences
        )

    def _tells(self, sentence: str) -> bool:
        """Whether a sentence tells anything lasting: what is of the moment, and not about the speaker, bids."""
        return speaks_of_self(sentence) or not self._passes(sentence, _RATHER_PASSING)

    def _passes(self, sentence: str, least: float = _SURELY_PASSING) -> bool:
        found = (transient(sentence), one_off(sentence))
        return any(one is not None and one.certainty >= least for one in found)


class Learner(Protocol):
    """Who stores what a conversation told."""

    def learn_from(self, session: str, learned: Learned) -> Remembered | Revised: ...


@dataclass(frozen=True, slots=True)
class Flush:
    """Where a flush reads and how it writes: what the `learner` stores passes the same gate as a tool's save."""

    storage: Storage
    learner: Learner
    logbook: Logbook
    gate: GateSettings
    patience: float
    origin: Origin = Origin.FLUSH

    def run(self, session: str, model: ChatModel | None) -> LogReport:
        """Log what is new in a session. Without a model the log gets an extract."""
        if not unlogged(self.storage, session):
            return LogReport(session)
        with self.storage.alone(TASK, timeout=self.patience):
            report = LogReport(session)
            new = unlogged(self.storage, session)  # somebody else may have logged it while this one waited
            for day, messages in groupby(new, key=lambda message: message.at.date()):
                report = self._log_day(report, day, list(messages), model)
            return report

    def _log_day(self, report: LogReport, day: date, messages: list[Message], model: ChatModel | None) -> LogReport:
        """Messages of one day that follow each other. Those that need no block move the cursor alone."""
        said = [stripped for message in messages if (stripped := _said(message)) is not None]
        for part, summary in self._summaries(said, day, report.session, model):
            report = self._keep(report, part, summary, messages, day)
        last = messages[-1]
        Ledger(self.storage).store(report.session, Cursor(last.id, moment(last.at)))
        return report

    def _keep(
        self, report: LogReport, part: Part, summary: Summary, messages: Sequence[Message], day: date
    ) -> LogReport:
        facts, dropped = self._learned(summary.facts, part.messages, messages)
        said = _spoken(messages)
        facts = [replace(fact, beside=_told_beside(fact, facts)) for fact in facts]
        outcomes = [outcome for fact in facts for outcome in self._outcomes(fact, report.session, said)]
        last = part.messages[-1]
        marker = daily.Marker(report.session, last.id, moment(last.at))
        block = self.logbook.add(summary.text, day, marker, Asker(self.origin, report.session))
        Ledger(self.storage).store(report.session, Cursor(last.id, moment(last.at)))
        return replace(
            report,
            messages=report.messages + len(part.messages),
            blocks=(*report.blocks, block),
            saved=(*report.saved, *(outcome for outcome in outcomes if isinstance(outcome, Saved))),
            duplicates=(*report.duplicates, *(o for o in outcomes if isinstance(o, Duplicate | Alike))),
            held=(*report.held, *(outcome for outcome in outcomes if isinstance(outcome, Held))),
            refused=(*report.refused, *(outcome for outcome in outcomes if isinstance(outcome, str))),
            revised=(*report.revised, *(outcome for outcome in outcomes if isinstance(outcome, Revised))),
            unsupported=(*report.unsupported, *dropped),
            extracts=report.extracts + summary.extracted,
        )

    def _outcomes(
        self, learned: Learned, session: str, said: Sequence[Spoken]
    ) -> list[Saved | Revised | Duplicate | Alike | Held | str]:
        """What became of a fact. One that is several is learned piece by piece, if each piece says by itself what was
        said: "lives with us in Kassel" does not, without the grandmother who does."""
        text = learned.fact.text
        try:
            outcome = self.learner.learn_from(session, learned)
        except ValidationError as error:  # one impossible fact must not keep the rest of the day out of the log
            return [f"{mask(text)[:80]}: {error.message}"]
        if not isinstance(outcome, Refused):
            return [outcome]
        if len(outcome.verdict.pieces) > 1:
            texts = outcome.verdict.pieces
            if not all(support(text, said, pair_reader()).degree is Degree.WHOLE for text in texts):
                return self._outcomes(replace(learned, whole=True), session, said)
            pieces = [replace(learned, fact=replace(learned.fact, text=text)) for text in texts]
            return [one for piece in pieces for one in self._outcomes(piece, session, said)]
        return [f"{mask(text)[:80]}: {outcome.verdict.reason}"]

    def _learned(
        self, facts: Sequence[Fact], part: Sequence[Message], messages: Sequence[Message]
    ) -> tuple[list[Learned], list[str]]:
        """Facts with whose words they are and what they rest on, and the ones that nothing supports. What the user
        asked for is kept even if no model thought of it, or not of all of it: then it comes first, in the user's own
        words, and the facts are measured against it like any others."""
        heard = [*part, *(message for message in messages if message.role not in SPOKEN)]
        answers = {fact: answered(fact.text, heard) for fact in facts if not withdrawn(fact.text, part)}
        kept = {
            request: fulfilled(request, [fact.text for fact, found in answers.items() if request in found])
            for request in requests_in(part)
        }
        said = _spoken(messages)
        own = [Learned(Fact(request), Voice.USER, requested=True) for request, done in kept.items() if not done]
        learned = [_resting(one, said) for one in own]
        dropped: list[str] = []
        for fact, found in answers.items():
            if any(kept.get(request) for request in found):
                learned.append(_resting(Learned(fact, Voice.USER, requested=True), said))
            elif (one := Witness(self.gate).weigh(Learned(fact, trace(fact.text, messages)), said)) is not None:
                learned.append(one)
            elif not says_nothing(fact.text):
                dropped.append(mask(fact.text)[:_SHOWN])
        return learned, dropped

    def _summaries(
        self, said: Sequence[Message], day: date, session: str, model: ChatModel | None
    ) -> Iterator[tuple[Part, Summary]]:
        """Part by part, so that what was asked for is stored before more is asked."""
        if not said:
            return
        if model is None:
            yield Part(tuple(said), ()), Summary(digest(said, session))
            return
        for part in parts_of(said, room_in(model.window, prompt("summarise"))):
            yield from self._summarised(part, day, session, model)

    def _summarised(self, part: Part, day: date, session: str, model: ChatModel) -> Iterator[tuple[Part, Summary]]:
        """A part and its summary; in halves if the answer does not fit. A model that gives no answer is asked again at
        the next opportunity, a few times; then the user's own words take its place."""
        first = part.messages[0].id
        try:
            answers = [_ask(text, day, model, part.messages) for text in part.texts]
        except _TooLong:
            if len(part.messages) > 1:
                middle = len(part.messages) // 2
                for half in (part.messages[:middle], part.messages[middle:]):
                    text = "\n".join(quoted(message.role, message.text) for message in half)
                    yield from self._summarised(Part(half, (text,)), day, session, model)
                return
            trouble = "no end of an answer about one message"
        except _NoAnswer as error:
            trouble = str(error)
        else:
            facts = dict.fromkeys(fact for answer in answers for fact in answer.facts)
            yield part, Summary("\n".join(answer.text for answer in answers), tuple(facts))
            return
        if Tries(self.storage, TASK).add(session, first) <= MOST_TRIES:
            raise ModelFailed(
                f"{model.identity} gave {trouble}.",
                retryable=True,
                hint="Nothing is lost: the conversation is logged at the next opportunity.",
            )
        yield part, Summary(digest(part.messages, session, NO_ANSWER), extracted=1)


def _told_beside(learned: Learned, facts: Sequence[Learned]) -> tuple[tuple[str, bool], ...]:
    others = (one for one in facts if one is not learned)
    return tuple((one.fact.text, not set(one.messages).isdisjoint(learned.messages)) for one in others)


def unlogged(storage: Storage, session: str) -> list[Message]:
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
    if message.role not in SPOKEN:
        return None
    text = unechoed(message)
    return replace(message, text=text) if text.strip() else None


def _spoken(messages: Sequence[Message]) -> list[Spoken]:
    """What the user said in their own words, message by message, and what they answered with it."""
    said = [stripped for message in messages if (stripped := _said(message)) is not None]
    return spoken((m.id, m.role, own_words(m.text) if m.role == "user" else m.text, m.at.date()) for m in said)


def _resting(learned: Learned, said: Sequence[Spoken]) -> Learned:
    """With the messages that it rests on, as far as they are found."""
    found = support(learned.fact.text, said, None)
    return replace(learned, messages=found.messages, said=next(iter(found.sentences), ""))


def _ask(text: str, day: date, model: ChatModel, messages: Sequence[Message]) -> Summary:
    question = f"This was said on {day:%A}, {day.isoformat()}:\n\n{text}"
    instructions, longest = prompt("summarise"), answer_length(model.window)
    reply = complete(model, [ChatMessage("user", question)], system=instructions, max_tokens=longest)
    if reply.reason == "length":
        raise _TooLong
    if reply.reason != "end":
        raise _NoAnswer("a refusal" if reply.reason == "refusal" else "a call of a tool")
    answer = cleaned(reply.text)
    if found := trouble(answer, [message.text for message in messages], instructions, longest):
        raise _NoAnswer(found)
    summary = parse_summary(answer)
    if summary is None:
        raise _NoAnswer("an empty answer")
    return summary
