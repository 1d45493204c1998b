"""The flow of an import: what another program kept -> sessions, daily logs, and the gate.

Each thing is taken in by itself and is durable then, so a process that is killed loses nothing and repeats nothing:
what is there already is told by the ids in the transcripts, by the reasons in the history, and, of what was there
before, by a list of keys. To import twice adds nothing, not even what a person has deleted or forgotten since.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, assert_never

from commonplace.errors import ModelFailed, ValidationError
from commonplace.files import transcripts
from commonplace.files.cursors import EVENT, Cursor, Ledger, moment
from commonplace.files.text import folded, on_one_line
from commonplace.flows.carrying import can_carry_in, carry_in
from commonplace.foreign.ids import digest, message_id
from commonplace.foreign.kinds import Kind, brought, named, recognised
from commonplace.types.asking import Asker, Origin, Voice, Wish
from commonplace.types.book import SECTION_OF, Category
from commonplace.types.saving import Alike, Duplicate, Held, Refused, Saved
from commonplace.types.sessions import Message
from commonplace.types.transfer import Brought, Conversation, DayNote, ImportReport, LeftOut, Memo, PassedOver
from commonplace.types.verdicts import VerdictKind

if TYPE_CHECKING:
    from commonplace.files.transactions import Book
    from commonplace.flows.conversing import Conversations
    from commonplace.flows.flushing import Learned
    from commonplace.flows.logbook import Logbook
    from commonplace.flows.remembering import Writer
    from commonplace.foreign.opening import Source
    from commonplace.types.changing import Revised
    from commonplace.types.saving import Remembered
    from commonplace.types.sessions import LogReport

TAKE_IN = "take in"
"""Two who take in the same conversation would take in each message twice."""
_BROUGHT = ".commonplace/state/brought"  # a key a line, which holds no word of what it stands for
_PATIENCE = 30.0
_LONGEST_TITLE = 100
_PLACES = 3
_FOREIGN = {Voice.TOOL, Voice.WEB, Voice.FILE}
_CONTINUED = ("claude-code", "codex")  # a conversation that goes on in a new file repeats the old one


def take_over(
    importer: Importer,
    source: Source,
    path: str,
    *,
    kind: str | None = None,
    user: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ImportReport:
    """Bring in all that a source holds. Our own export makes an empty book what it was, byte for byte; one that has
    something in it takes from an export what it takes from any other source."""
    chosen = named(kind) if kind else recognised(source)
    total = sum(file.size for file in source.files)
    source.done = 0

    def tell() -> None:
        if progress:
            progress(min(source.done, total), total)

    if chosen is Kind.BOOK and not importer.dry_run and can_carry_in(importer.book):
        return ImportReport(chosen, path, restored=carry_in(importer.book, source, tell))
    if missing := importer.book.missing():
        raise missing
    return importer.run(chosen, path, _watched(brought(chosen, source, user), tell))


def _watched(found: Iterator[Brought], tell: Callable[[], None]) -> Iterator[Brought]:
    for one in found:
        yield one
        tell()


@dataclass
class _Tally:
    """What came of it so far."""

    report: ImportReport
    skipped: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    counts: dict[str, int] = field(default_factory=dict[str, int])
    unrecorded: list[str] = field(default_factory=list[str])

    def add(self, **numbers: int) -> None:
        self.report = replace(
            self.report, **{name: getattr(self.report, name) + number for name, number in numbers.items()}
        )

    def skip(self, place: str, why: str, number: int = 1) -> None:
        self.counts[why] = self.counts.get(why, 0) + number
        places = self.skipped.setdefault(why, [])
        if len(places) < _PLACES and on_one_line(place)[:200] not in places:
            places.append(on_one_line(place)[:200])

    def result(self) -> ImportReport:
        reasons = sorted(self.counts, key=lambda why: -self.counts[why])
        skipped = (LeftOut(why, self.counts[why], tuple(self.skipped[why])) for why in reasons)
        return replace(self.report, skipped=tuple(skipped))


@dataclass(frozen=True, slots=True)
class Importer:
    """Takes things into one book. `flush` logs a session, if logs are wanted; nothing is written in a `dry_run`."""

    book: Book
    writer: Writer
    conversations: Conversations
    logbook: Logbook
    flush: Callable[[str], LogReport] | None = None
    dry_run: bool = False

    def run(self, kind: str, path: str, found: Iterable[Brought]) -> ImportReport:
        tally = _Tally(ImportReport(kind, path, self.dry_run))
        if not self.dry_run:
            self.book.create()
        known = self._brought_before()
        elsewhere = self._messages_of(kind) if kind in _CONTINUED else set[str]()
        for one in found:
            match one:
                case PassedOver(place, why):
                    tally.skip(place, why)
                case Conversation():
                    self._converse(one, kind, elsewhere, tally)
                case Memo():
                    self._remember(one, kind, known, tally)
                case DayNote():
                    self._log(one, kind, known, tally)
                case _:
                    assert_never(one)
        if tally.unrecorded and not self.dry_run:  # whoever was killed before does them once more
            self.book.storage.append(
                _BROUGHT, "".join(f"{key}\n" for key in tally.unrecorded).encode(), on_new_line=True
            )
        return tally.result()

    # -- conversations -------------------------------------------------------------------------------------------------

    def _converse(self, found: Conversation, kind: str, elsewhere: set[str], tally: _Tally) -> None:
        try:
            new = self._take_in(found, kind, elsewhere)
        except ValidationError as error:
            tally.skip(found.title or found.id, error.message)
            return
        tally.add(conversations=bool(new), messages=len(new), known_messages=len(found.messages) - len(new))
        tally.add(undated=sum(1 for message in new if message.extra.get("undated")))
        for why in found.dropped if new else ():
            tally.skip(found.title or found.id, why)
        if kind in _CONTINUED:
            elsewhere.update(message.id for message in found.messages)
        if self.flush is not None and not self.dry_run:
            self._flush(found.id, self.flush, tally)

    def _take_in(self, found: Conversation, kind: str, elsewhere: set[str]) -> list[Message]:
        """Append what is new of a conversation. It is set aside before, so that no trigger logs it unasked."""
        storage, ledger = self.book.storage, Ledger(self.book.storage)
        if self.dry_run:
            return self._new_in(found, elsewhere)
        with storage.alone(TAKE_IN, timeout=_PATIENCE):
            new = self._new_in(found, elsewhere)
            if not new:
                return []
            begun = bool(self.conversations.read(found.id).messages)
            if not begun or ledger.is_aside(found.id):
                ledger.store(found.id, Cursor(new[-1].id, moment(new[-1].at)), aside=True)
            title = [] if begun or kind == Kind.BOOK else [_title(found, kind)]
            self.conversations.add(found.id, *title, *new)
        return new

    def _new_in(self, found: Conversation, elsewhere: set[str]) -> list[Message]:
        known = {message.id for message in self.conversations.read(found.id).messages}
        known |= elsewhere
        return [message for id, message in {one.id: one for one in found.messages}.items() if id not in known]

    def _messages_of(self, kind: str) -> set[str]:
        sessions = (session for session in self.conversations.ids() if session.startswith(f"{kind}-"))
        return {message.id for session in sessions for message in self.conversations.read(session).messages}

    def _flush(self, session: str, flush: Callable[[str], LogReport], tally: _Tally) -> None:
        Ledger(self.book.storage).take_up(session)
        try:
            logged = flush(session)
        except ModelFailed as error:
            messages = transcripts.read(session, self.book.storage.read(transcripts.file_of(session)).data).messages
            Ledger(self.book.storage).store(session, Cursor(messages[-1].id, moment(messages[-1].at)), aside=True)
            tally.skip(session, f"not in the daily log: {error.message}")
            return
        merged, held = len(logged.duplicates), len(logged.held)
        tally.add(logs=len(logged.blocks), taken=len(logged.saved), merged=merged, held=held)
        for why in (*logged.refused, *logged.unsupported):
            tally.skip(f"{session}: {why}", "a fact that was not kept")

    def learn_from(self, session: str, learned: Learned) -> Remembered | Revised:
        """A fact of an imported conversation: it is of the past, so it takes no entry's place, and what the user asked
        another program for is not protected here."""
        voice = learned.voice if learned.voice in _FOREIGN else Voice.IMPORT
        asker = Asker(Origin.IMPORT, session, messages=learned.messages)
        section = SECTION_OF[learned.fact.category or Category.NOTES]
        return self.writer.bring(Wish(learned.fact.text, voice), section, asker)

    # -- memories and days ---------------------------------------------------------------------------------------------

    def _brought_before(self) -> set[str]:
        """The keys of what came in by earlier imports, as the history tells."""
        changes = self.book.history.changes() if self.book.identity() is not None else ()
        reasons = (change.note.reason or "" for change in changes if change.note.origin is Origin.IMPORT)
        others = (self.book.storage.read(_BROUGHT).data or b"").decode("utf-8", "replace").splitlines()
        return {key for reason in reasons if (key := reason.partition(":")[0])}.union(others)

    def _remember(self, memo: Memo, kind: str, known: set[str], tally: _Tally) -> None:
        before = tally.report
        try:
            self._offer(memo.text, memo, kind, known, tally)
        except ValidationError as error:
            tally.skip(memo.place, error.message)
        after = replace(tally.report, known=before.known)  # what is known brings no date
        tally.add(undated=memo.since is None and after != before)

    def _offer(self, text: str, memo: Memo, kind: str, known: set[str], tally: _Tally) -> None:
        """Let the gate decide; what is several facts, one by one, each under a key of its own: whoever is killed in
        between goes on with the next."""
        key = f"{kind} {digest(memo.id, folded(text))}"
        if key in known:
            tally.add(known=1)
            return
        known.add(key)
        dated = f"dated {memo.since}" if memo.since else "without a date"
        asker = Asker(Origin.IMPORT, reason=f"{key}: {memo.place}, {dated}")
        wish = Wish(text, Voice.IMPORT, memo.requested)
        if self.dry_run:
            self._judge(wish, memo, asker, tally)
            return
        outcome = self.writer.bring(wish, memo.section, asker)
        match outcome:
            case Saved():
                tally.add(taken=1)
            case Duplicate() | Alike():
                tally.add(merged=1)
                tally.unrecorded.append(key)
            case Held():
                tally.add(held=1)
                tally.unrecorded.append(key)  # it may have waited there before
            case Refused(verdict):
                if len(verdict.pieces) > 1:
                    for piece in verdict.pieces:
                        self._offer(piece, memo, kind, known, tally)
                else:
                    tally.skip(memo.place, verdict.reason)
            case _:
                assert_never(outcome)

    def _judge(self, wish: Wish, memo: Memo, asker: Asker, tally: _Tally) -> None:
        """What would come of it."""
        verdict = self.writer.judge(wish, memo.section, asker)
        if verdict.kind is VerdictKind.STORE:
            tally.add(taken=1)
        elif verdict.rule in {"duplicate", "same_fact"}:
            tally.add(merged=1)
        elif len(verdict.pieces) > 1:
            for piece in verdict.pieces:
                self._judge(replace(wish, content=piece), memo, asker, tally)
        elif verdict.rule == "secret":
            tally.skip(memo.place, verdict.reason)
        else:
            tally.add(held=1)

    def _log(self, note: DayNote, kind: str, known: set[str], tally: _Tally) -> None:
        """Append what a page says of its day to the log of that day, but for lines that stand there already."""
        key = f"{kind} {digest(note.place, note.text)}"
        here = self._lines_of(note)
        text = "\n".join(line for line in note.text.splitlines() if not line.strip() or _bare(line) not in here)
        if key in known or not text.strip():
            tally.add(known_logs=1)
            return
        known.add(key)
        if not self.dry_run:
            asker = Asker(Origin.IMPORT, reason=f"{key}: {note.place}")
            self.logbook.add(text.strip("\n"), note.day, None, asker)
        tally.add(logs=1)

    def _lines_of(self, note: DayNote) -> set[str]:
        if note.day not in self.logbook.days():
            return set()
        return {_bare(line) for line in self.logbook.read(note.day).splitlines()}


def _title(found: Conversation, kind: str) -> Message:
    """What a transcript begins with: where it came from, and what it was called there."""
    title = on_one_line(found.title)
    title = title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1] + "…"
    extra: dict[str, object] = {"event": "imported", "from": kind, **({"title": title} if title else {})}
    return Message(message_id(f"imported-{kind}"), EVENT, "", found.messages[0].at, extra)


def _bare(line: str) -> str:
    """A line as it is compared: a log breaks the rules and comments that stand in it."""
    return folded(line.replace("<\\!--", "<!--")).lstrip("\\")
