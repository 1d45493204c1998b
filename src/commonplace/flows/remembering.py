"""The flow of a write: proposal -> gate -> MEMORY.md or INBOX.md. Every entry comes in through here, whoever asks.

The gate judges outside the lock, since that may take a model; what was written meanwhile is judged under it, so two
who save the same at once leave one entry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from itertools import chain
from typing import TYPE_CHECKING, Concatenate, NamedTuple, ParamSpec, TypeVar

from commonplace.config import GateSettings
from commonplace.errors import (
    AmbiguousMatch,
    CommonplaceError,
    Conflict,
    EmbedderFailed,
    NotFound,
    SaveFailed,
    UpdateFailed,
    ValidationError,
    failing_as,
)
from commonplace.files import inbox
from commonplace.files.document import REQUESTED, Document, entry_text
from commonplace.files.gatecounts import VerdictCounts
from commonplace.files.inbox import INBOX_FILE
from commonplace.files.text import folded, on_one_line
from commonplace.files.transactions import Book, Plan
from commonplace.gate.judging import Known, Proposal, judge
from commonplace.gate.secrets import find_secrets, redact
from commonplace.language import terms
from commonplace.language.polarity import negations
from commonplace.types.asking import Asker, Note, Origin, Voice, Wish
from commonplace.types.book import MEMORY_FILE, SECTION_OF, Category, Entry, unmarked
from commonplace.types.saving import Alike, Duplicate, Held, Proposed, Refused, Remembered, Saved, Waiting
from commonplace.types.verdicts import Verdict, VerdictKind

if TYPE_CHECKING:
    from commonplace.flows.flushing import Learned
    from commonplace.flows.indexing import BookIndex
    from commonplace.gate.likeness import Likeness
    from commonplace.ports import Clock
    from commonplace.types.changing import Forgotten, Rejected, Revised
    from commonplace.types.sessions import Message

_VOICES = {Origin.PERSON: Voice.USER, Origin.IMPORT: Voice.IMPORT}
_OWN_PAGES = frozenset({"read_memory", "save_memory", "update_memory", "memory_write", "compact_memory"})
_ALL_OFF = GateSettings(None, None, None, None, None, None, None, None, None, None, None, None)
_SURELY = 0.9
_SURELY_NEWER = 0.8
_SURELY_PASSING, _RATHER_PASSING = 0.8, 0.5
_DOUBTS = {
    "inferred": "The user did not state this as lasting; a second conversation confirms it, or you do.",
    "unsupported": "The user said only a part of this: you decide.",
}
_NOTHING = Known(lambda _: None, lambda _: ())
_PROTECTED = "The user asked for this entry, and said nothing of such a change in this conversation."


_P = ParamSpec("_P")
_R = TypeVar("_R")


def _counted(
    decide: Callable[Concatenate[Writer, _P], _R],
) -> Callable[Concatenate[Writer, _P], _R]:
    """Count what the gate keeps out."""

    @wraps(decide)
    def counting(writer: Writer, *args: _P.args, **named: _P.kwargs) -> _R:
        outcome = decide(writer, *args, **named)
        writer.count(outcome)
        return outcome

    return counting


class _Theirs(NamedTuple):
    """A change of what the user asked for, which they have not asked for."""

    before: Entry
    new: str
    voice: Voice


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes entries of one book; `index`, made when it is first asked for, finds those
    that are closest in meaning to a text."""

    book: Book
    clock: Clock
    gate: GateSettings
    index: Callable[[], BookIndex]

    def count(self, outcome: object) -> None:
        """Note that something was kept out of the memory, and by which rule."""
        match outcome:
            case Refused():
                told = f"refused {outcome.code}"
            case Held():
                told = f"held {outcome.code}"
            case Alike():
                told = f"alike {outcome.code}"
            case Duplicate():
                told = "known duplicate"
            case _:
                return
        if self.book.identity() is not None:  # nothing is made where no book is
            VerdictCounts(self.book.storage).add(self.clock.now().date(), told)

    # -- entries -------------------------------------------------------------------------------------------------------

    def judge(self, wish: Wish, section: str, asker: Asker, *, insist: bool = False) -> Verdict:
        """What `remember` would do, without writing anything."""
        proposal = self._proposal(wish, asker)
        rules = self._rules(proposal, insist=insist)
        if named := _unfit_title(section, rules):
            return named
        document = Document.parse(self.book.storage.read(MEMORY_FILE).data)
        verdict = judge(proposal, self._known(document, document.entries), rules)
        if verdict.rule == "duplicate" and verdict.existing and _would_protect(verdict.existing, proposal):
            return replace(verdict, reason="This is already in the memory, and would be marked as asked for.")
        return verdict

    @_counted
    def remember(self, wish: Wish, section: str, asker: Asker, *, insist: bool = False) -> Remembered:
        """Add an entry, if the gate lets it through. To insist overrides every rule; those against secrets, words of
        others and commands only for the person who owns the book. What is only guessed to be a secret passes for an
        agent too, if the user asked it for this."""
        proposal = self._proposal(wish, asker)
        rules = self._rules(proposal, insist=insist)
        if named := _unfit_title(section, rules):
            return Refused(named)
        if done := self._done_already(proposal, asker):
            return Duplicate(done, "The memory did this when the user asked for it; nothing is left to be done.")
        if not insist and (learned := self._doubt_of(proposal, wish, asker)) is not None:
            waits = self._waiting_for(proposal.text)
            if (outcome := self._doubted(learned, proposal, waits, section, asker)) is not None:
                return outcome
        return self._remember(proposal, section, asker, rules)

    def _doubt_of(self, proposal: Proposal, wish: Wish, asker: Asker) -> Learned | None:
        """What speaks against a tool's save in the conversation that it comes from, as it would against a flush's."""
        if proposal.requested or wish.voice is not None or asker.origin is not Origin.TOOL or asker.session is None:
            return None
        if proposal.voice not in {Voice.USER, Voice.ASSISTANT}:
            return None  # the words of others wait anyway
        said = self.said(asker.session)
        if not any(message.role == "user" for message in said):
            return None
        from commonplace.flows.flushing import Witness

        return Witness(self.gate).doubt(proposal.text, said)

    def _done_already(self, proposal: Proposal, asker: Asker) -> Entry | None:
        """The entry that was made when the user asked for what somebody wants to save for them once more."""
        if not proposal.requested or asker.origin is Origin.PERSON or asker.session is None:
            return None
        from commonplace.flows.requesting import answered

        entries = Document.parse(self.book.storage.read(MEMORY_FILE).data).entries
        found = (same_text(asked, entries) for asked in answered(proposal.text, self.said(asker.session)))
        return next((entry for entry in found if entry is not None and is_marked(entry)), None)

    def _rules(self, proposal: Proposal, *, insist: bool) -> GateSettings:
        if not insist:
            return self.gate
        if proposal.owner:
            return _ALL_OFF
        # What is only guessed to be a secret may be none: the user knows, and an agent if they asked it for this.
        return replace(self._safety(), secret=self.gate.secret and 1.0) if proposal.requested else self._safety()

    def learn_from(self, session: str, learned: Learned) -> Remembered | Revised:
        """Remember what a session told, in the section of its category."""
        section = SECTION_OF[learned.fact.category or Category.NOTES]
        writer = replace(self, gate=replace(self.gate, several_facts=None)) if learned.whole else self
        return writer.learn(learned, section, Asker(Origin.FLUSH, session))

    @_counted
    def learn(self, learned: Learned, section: str, asker: Asker) -> Remembered | Revised:
        """Remember what a conversation told. Nobody is there to choose, so the flush does: what an entry says already
        adds nothing, a newer value takes the place of the older one, and what is in doubt waits in the inbox, where a
        second conversation that says it too confirms what was only inferred. So does what is only guessed to be a
        secret: it may be none."""
        text = unmarked(checked(learned.fact.text, "fact", self.gate.longest))
        asker = replace(asker, messages=learned.messages)
        proposal = Proposal(text, learned.voice, learned.requested)
        outcome = self._learn(learned, proposal, section, asker)
        if isinstance(outcome, Refused) and outcome.code == "secret" and outcome.verdict.certainty < 1.0:
            return Held(outcome.verdict, self._hold(proposal, "secret", section, asker, learned.said))
        return outcome

    def _learn(self, learned: Learned, proposal: Proposal, section: str, asker: Asker) -> Remembered | Revised:
        text = proposal.text
        entries = Document.parse(self.book.storage.read(MEMORY_FILE).data).entries
        if existing := same_text(text, entries):
            return self._there_already(existing, proposal, asker)
        if learned.requested and (existing := self._said_before(text, entries)):
            return duplicate(existing) if is_marked(existing) else self._protect(existing, text, proposal, asker)
        if learned.requested and (newer := self._surely_replaced(text, entries)):
            return self._take_newer(newer, proposal, section, asker, None, stated=True)
        waits = self._waiting_for(text) if not learned.requested else None
        if learned.doubt:
            if (outcome := self._doubted(learned, proposal, waits, section, asker)) is not None:
                return outcome
            asker = replace(
                asker, reason=f"Confirmed by a second conversation; the first was {waits and waits.session}."
            )
        outcome = self._remember(proposal, section, asker, self.gate, waits)
        together = dict(learned.beside).get(unmarked(outcome.existing.text)) if isinstance(outcome, Alike) else None
        if isinstance(outcome, Alike) and together and is_marked(outcome.existing):
            return duplicate(outcome.existing)  # it is what they asked for in that message, in a model's words
        stated = learned.voice is Voice.USER and not learned.doubt
        if isinstance(outcome, Alike) and outcome.verdict.added:  # nobody is there to put both into one
            if not is_marked(outcome.existing) and self._says_all_of(text, outcome.existing):
                fuller = replace(outcome, verdict=replace(outcome.verdict, text=text))
                return self._take_newer(fuller, proposal, section, asker, waits, stated=stated)
            outcome = self._remember(proposal, section, asker, replace(self.gate, same_fact=None), waits)
        if isinstance(outcome, Alike) and outcome.code == "newer_value":
            if together or (together is not None and outcome.verdict.certainty < _SURELY_NEWER):  # then both are so
                return self._remember(proposal, section, asker, replace(self.gate, newer_value=None), waits)
            return self._take_newer(outcome, proposal, section, asker, waits, stated=stated)
        return outcome

    def _surely_replaced(self, text: str, entries: Sequence[Entry]) -> Alike | None:
        """The entry of which the user asks for a newer value."""
        found = next(iter(self.alike(text, entries)), None)
        if found is None or found[1].relation != "newer" or found[1].certainty < _SURELY_NEWER:
            return None
        return Alike(
            Verdict(VerdictKind.UPDATE, "newer_value", "", found[1].certainty, found[0], text=marked(text)), found[0]
        )

    def _says_all_of(self, text: str, entry: Entry) -> bool:
        """Whether an entry would lose nothing if a text took its place."""
        from commonplace.gate.likeness import entails

        try:
            return entails(text, unmarked(entry.text), self._memory_now().comparer)
        except EmbedderFailed:
            return False

    @_counted
    def bring(self, wish: Wish, section: str, asker: Asker) -> Remembered:
        """Remember what another program did. Nobody is there to choose: what an entry says already adds nothing, and
        what any rule doubts waits in the inbox, a newer value too, since it may be the older one. Only secrets are kept
        nowhere. That somebody asked for it there counts only if the wish says so."""
        content = wish.content if wish.requested else unmarked(wish.content)
        proposal = self._proposal(replace(wish, content=content), asker)
        if named := _unfit_title(section, self.gate):
            return Refused(named)
        if existing := same_text(proposal.text, Document.parse(self.book.storage.read(MEMORY_FILE).data).entries):
            return duplicate(existing)
        outcome = self._remember(proposal, section, asker, self.gate)
        if isinstance(outcome, Saved | Duplicate | Held) or outcome.code in {"same_fact", "secret"}:
            return outcome
        if isinstance(outcome, Refused) and len(outcome.verdict.pieces) > 1:
            return outcome
        verdict = replace(outcome.verdict, kind=VerdictKind.HOLD)
        return Held(verdict, self._hold(proposal, outcome.code, section, asker))

    def _doubted(
        self, learned: Learned, proposal: Proposal, waits: Waiting | None, section: str, asker: Asker
    ) -> Remembered | None:
        """What becomes of a fact that the user did not say so; None if a second conversation confirms it."""
        verdict = judge(proposal, self._memory_now(), self.gate)
        if verdict.kind not in {VerdictKind.STORE, VerdictKind.UPDATE}:
            return self._not_stored(verdict, proposal, section, asker)
        if any(self._says_the_same(proposal.text, text) for text in self._rejected()):
            return Refused(Verdict(VerdictKind.REFUSE, learned.doubt, "You said no to this before."))
        reason = _DOUBTS[learned.doubt]
        if learned.doubt == "inferred" and self._tells_a_state(learned.said):
            why = "The user told a state of the moment, and what was concluded from it passes with that."
            return Refused(Verdict(VerdictKind.REFUSE, "transient", why))
        if waits is None:
            return Held(
                Verdict(VerdictKind.HOLD, learned.doubt, reason),
                self._hold(proposal, learned.doubt, section, asker, learned.said),
            )
        second = waits.session is not None and waits.session != asker.session
        if second and waits.rule == learned.doubt == "inferred" and not self._bids_for_now(learned.said):
            return None
        return Held(Verdict(VerdictKind.HOLD, waits.rule, reason), waits)

    def _bids_for_now(self, sentence: str) -> bool:
        """Whether somebody only asks for something at this moment: "switch to Haiku please", said twice, is no more of
        a preference than said once."""
        from commonplace.distill.supporting import speaks_of_self

        return not speaks_of_self(sentence) and self._passes(sentence, _RATHER_PASSING)

    def _tells_a_state(self, sentence: str) -> bool:
        """Whether the user surely told, or changed, what is so at the moment: which model is in use is no preference.
        One thing they asked for may be one, and waits."""
        from commonplace.gate.passing import transient

        found = transient(sentence) if self.gate.transient is not None else None
        return found is not None and found.certainty >= _SURELY_PASSING

    def _passes(self, sentence: str, least: float = _SURELY_PASSING) -> bool:
        """Whether what the user said will surely not be true for long."""
        from commonplace.gate.passing import one_off, transient

        found = ((transient(sentence), self.gate.transient), (one_off(sentence), self.gate.one_off))
        return any(one is not None and rule is not None and one.certainty >= least for one, rule in found)

    def _take_newer(
        self, found: Alike, proposal: Proposal, section: str, asker: Asker, waits: Waiting | None, *, stated: bool
    ) -> Remembered | Revised:
        """Let a newer value take the place of the older one, where the entry is one line; what
        the user asked for only by their own word. Else it stands beside it, and compaction keeps the later."""
        old = found.existing
        if "\n" in old.text:
            return self._remember(proposal, section, asker, replace(self.gate, newer_value=None), waits)
        new = found.verdict.text or proposal.text  # what else the entry says stays
        if not (stated or self.may_change(old, new, asker)):
            return self.propose(old, new, asker)

        def work(files: Mapping[str, bytes | None]) -> Plan[tuple[Entry, Entry, str]]:
            document = Document.parse(files[MEMORY_FILE])
            match = document.locate(old.text)
            before = document.entry_at(match)
            changed, after = document.replace(match, marked(new) if is_marked(before) else new)
            note = asker.note(f"Revise in {before.section or MEMORY_FILE}: {after.text}", proposal.voice)
            return Plan({MEMORY_FILE: changed.data, **_settled(files, waits)}, note, (before, after, changed.preview))

        from commonplace.types.changing import Revised

        try:
            with failing_as(UpdateFailed):
                (before, after, text), change = self.book.change([MEMORY_FILE, INBOX_FILE], work)
        except (AmbiguousMatch, NotFound, ValidationError):  # it is there twice, or was changed meanwhile
            return self._remember(proposal, section, asker, replace(self.gate, newer_value=None), waits)
        return Revised(before, after, change or "", text)

    def _memory_now(self) -> Known:
        document = Document.parse(self.book.storage.read(MEMORY_FILE).data)
        return self._known(document, document.entries)

    def _rejected(self) -> list[str]:
        return inbox.rejected(self.book.storage.read(INBOX_FILE).data)

    def _waiting_for(self, text: str) -> Waiting | None:
        """What waits in the inbox and says the same."""
        items = (item for item in self.waiting() if item.kind is Proposed.ADDITION)
        return next((item for item in items if self._says_the_same(text, item.text)), None)

    def _says_the_same(self, text: str, other: str) -> bool:
        if _bare(text) == _bare(other):
            return True
        if self.gate.same_fact is None or negations(text) != negations(other):
            return False
        found = next(iter(self.alike(text, [Entry(other, "", 0)])), None)
        return found is not None and found[1].relation == "same" and found[1].certainty >= self.gate.same_fact

    def _remember(
        self, proposal: Proposal, section: str, asker: Asker, rules: GateSettings, waits: Waiting | None = None
    ) -> Remembered:
        """Add an entry that the gate lets through; what `waits` in the inbox for it is settled with that."""
        text = marked(proposal.text) if proposal.requested else proposal.text
        with failing_as(SaveFailed):
            judged = Document.parse(self.book.storage.read(MEMORY_FILE).data)
            before = judge(proposal, self._known(judged, judged.entries), rules)

            def work(files: Mapping[str, bytes | None]) -> Plan[tuple[Entry, str, str] | Verdict]:
                document = Document.parse(files[MEMORY_FILE])
                verdict = self._judged_again(proposal, document, rules, judged, before)
                note = asker.note(f"Remember in {section}: {text}", proposal.voice)
                if verdict.kind is not VerdictKind.STORE:
                    return Plan({}, note, verdict)
                changed, entry = document.with_entry(text, section)
                return Plan(
                    {MEMORY_FILE: changed.data, **_settled(files, waits)},
                    note,
                    (entry, changed.preview, verdict.reason),
                )

            if before.kind in {VerdictKind.HOLD, VerdictKind.REFUSE} and before.existing is None:
                return self._not_stored(before, proposal, section, asker)
            result, change = self.book.change([MEMORY_FILE, INBOX_FILE] if waits else [MEMORY_FILE], work)
            if isinstance(result, Verdict):
                return self._not_stored(result, proposal, section, asker)
            return Saved(result[0], change or "", *result[1:])

    @_counted
    def revise(self, old: str, new: str, asker: Asker, *, insist: bool = False) -> Revised | Duplicate | Held | Refused:
        """Replace the one entry (or the one place within an entry) that is `old`. What replaces it must be fit to
        stand there too: a secret, a command or the words of somebody else are not, nor what another entry is. What
        the user asked for waits for their yes, unless they said so in this conversation. What is only guessed to be a
        secret passes for the person, and for an agent that insists and was asked by the user for this."""
        text = checked(new, "new_text", self.gate.longest)
        if old == new.strip():
            raise same_texts()
        owner = asker.origin is Origin.PERSON
        voice = _VOICES.get(asker.origin) or self._voice_of_change(old, text, asker)

        vouched = owner or (insist and self._asked_to_change(old, text, asker))
        rules = replace(self._safety(), secret=self.gate.secret and 1.0) if vouched else self._safety()

        def unfit(text: str) -> Verdict | None:
            verdict = judge(Proposal(text, voice, owner=owner), _NOTHING, rules)
            return replace(verdict, kind=VerdictKind.REFUSE) if verdict.kind is not VerdictKind.STORE else None

        if verdict := unfit(text):
            return Refused(verdict)

        def work(files: Mapping[str, bytes | None]) -> Plan[tuple[Entry, Entry, str] | Duplicate | _Theirs | Verdict]:
            document = Document.parse(files[MEMORY_FILE])
            match = document.locate(old)
            before = document.entry_at(match)
            changed, after = document.replace(match, new)
            if changed.text == document.text:
                raise same_texts()
            if not owner and after.text.startswith(REQUESTED) and not before.text.startswith(REQUESTED):
                raise ValidationError(
                    f"Only the user's own request makes an entry `{REQUESTED}`.", hint="Leave that mark out."
                )
            note = asker.note(f"Revise in {before.section or MEMORY_FILE}: {after.text}", voice)
            if (verdict := unfit(after.text)) and not _was_so(verdict, unfit(before.text), before, after):
                return Plan({}, note, verdict)  # a part may be fit, and the whole not
            if twin := same_text(after.text, [entry for entry in changed.entries if entry.line != after.line]):
                return Plan({}, note, Duplicate(twin, "Another entry says just this. Delete the old one instead."))
            if not self.may_change(before, after.text, asker):
                return Plan({}, note, _Theirs(before, unmarked(after.text), voice))
            return Plan({MEMORY_FILE: changed.data}, note, (before, after, changed.preview))

        with failing_as(UpdateFailed):
            result, change = self.book.change([MEMORY_FILE], work)
            if isinstance(result, _Theirs):
                return self._propose(result, asker)
        if isinstance(result, Verdict):
            return Refused(result)
        if isinstance(result, Duplicate):
            return result
        from commonplace.types.changing import Revised

        return Revised(result[0], result[1], change or "", result[2])

    def _asked_to_change(self, old: str, new: str, asker: Asker) -> bool:
        """Whether the user's own words in this conversation ask for the new text."""
        from commonplace.flows.requesting import allows, answered

        said = self.said(asker.session) if asker.session else ()
        return bool(answered(unmarked(new), said)) or allows(unmarked(old), unmarked(new), said)

    def _safety(self) -> GateSettings:
        """Only the rules that protect the person."""
        gate = self.gate
        return replace(_ALL_OFF, secret=gate.secret, instruction=gate.instruction, third_party=gate.third_party)

    def forget(self, text: str, asker: Asker) -> Forgotten | Held:
        """Remove the one entry that is `text`; what the user asked for, only with their word."""

        def work(files: Mapping[str, bytes | None]) -> Plan[tuple[Entry, str] | _Theirs]:
            document = Document.parse(files[MEMORY_FILE])
            match = document.locate(text)
            entry = document.entry_at(match)
            changed = document.without(match)
            note = asker.note(f"Forget in {entry.section or MEMORY_FILE}: {entry.text}")
            if not self.may_change(entry, "", asker):
                return Plan({}, note, _Theirs(entry, "", Voice.ASSISTANT))
            return Plan({MEMORY_FILE: changed.data}, note, (entry, changed.preview))

        with failing_as(UpdateFailed):
            result, change = self.book.change([MEMORY_FILE], work)
            if isinstance(result, _Theirs):
                return self._propose(result, asker)
        from commonplace.types.changing import Forgotten

        return Forgotten(result[0], change or "", result[1])

    def propose(self, before: Entry, new: str, asker: Asker) -> Held:
        """Let a change of what the user asked for (or its removal, by an empty new text) wait for their yes."""
        return self._propose(_Theirs(before, new, Voice.ASSISTANT), asker)

    def may_change(self, before: Entry, new: str, asker: Asker) -> bool:
        """Whether an entry may be changed to `new` (or removed): anything but what the user asked for, by anybody;
        that by the person, and by others if the user's own words in their conversation say so."""
        if asker.origin is Origin.PERSON or not is_marked(before):
            return True
        said = self.said(asker.session) if asker.session else ()
        from commonplace.flows.requesting import allows

        return allows(unmarked(before.text), unmarked(new) if new else "", said)

    def _propose(self, theirs: _Theirs, asker: Asker) -> Held:
        session = asker.session if asker.session is None or self.gate.secret is None else redact(asker.session)
        item = inbox.new_change(theirs.before, theirs.new, self.clock.now().date(), theirs.voice, session)

        def work(files: Mapping[str, bytes | None]) -> Plan[None]:
            note = asker.note(f"Propose to the person: {item.text}", theirs.voice)
            return Plan({INBOX_FILE: inbox.with_waiting(files[INBOX_FILE], item)}, note, None)

        self.book.change([INBOX_FILE], work)
        return Held(Verdict(VerdictKind.HOLD, "protected", _PROTECTED, existing=theirs.before), item)

    # -- the inbox -----------------------------------------------------------------------------------------------------

    def waiting(self) -> list[Waiting]:
        return inbox.waiting(self.book.storage.read(INBOX_FILE).data)

    def accept(
        self, word: str, section: str | None, default: str, asker: Asker, own_words: str | None = None
    ) -> Saved | Revised | Forgotten | Duplicate:
        """Put what waits into the memory, and out of the inbox, in one change; in the person's own words, if they give
        some. A proposed change is made only if the entry is still what it was."""

        def work(files: Mapping[str, bytes | None]) -> Plan[Callable[[str], Saved | Revised | Forgotten] | Duplicate]:
            item = inbox.found(inbox.waiting(files[INBOX_FILE]), word)
            if own_words is not None:
                item = self._in_own_words(item, own_words)
            document = Document.parse(files[MEMORY_FILE])
            if item.kind is not Proposed.ADDITION:
                return self._changed(document, item, inbox.without_waiting(files[INBOX_FILE], item), asker)
            title, text = section or item.section or default, entry_text(item.text)
            if section and (unfit := _unfit_title(section, self.gate)):
                raise ValidationError(unfit.reason, hint="Choose another name for the section.")
            left = inbox.without_waiting(files[INBOX_FILE], item)
            note = replace(item_note(item, asker), summary=f"Accept into {title}: {text}")
            existing = same_text(text, document.entries)
            if existing is not None:
                return Plan({INBOX_FILE: left}, note, duplicate(existing))
            changed, entry = document.with_entry(text, title)
            written = {MEMORY_FILE: changed.data, INBOX_FILE: left}
            return Plan(written, note, lambda change: Saved(entry, change, changed.preview))

        with failing_as(SaveFailed):
            result, change = self.book.change([MEMORY_FILE, INBOX_FILE], work)
        return result if isinstance(result, Duplicate) else result(change or "")

    def _in_own_words(self, item: Waiting, text: str) -> Waiting:
        if item.kind is Proposed.REMOVAL:
            raise ValidationError("This would be removed; it takes no new words.", hint="Accept or reject it.")
        new = checked(text, "text", self.gate.longest)
        if unfit := _unfit_title(new, self.gate):
            raise ValidationError(unfit.reason, hint="Leave the secret out.")
        return replace(item, text=new)

    def _changed(
        self, document: Document, item: Waiting, left: bytes, asker: Asker
    ) -> Plan[Callable[[str], Saved | Revised | Forgotten] | Duplicate]:
        """What a yes to a proposed change or removal makes of the memory."""
        from commonplace.types.changing import Forgotten, Revised

        old = item.instead_of or item.text
        found = [entry for entry in document.entries if on_one_line(entry.text) == old]
        if not found:
            raise Conflict(
                f"The entry {old!r} is not there any more, or was changed since; nothing was done.",
                hint=f"commonplace inbox reject {item.id} drops the proposal.",
            )
        match = document.locate(found[0].text)
        note = Note(f"Accept: {item.text}", asker.origin, item.session, asker.reason, voice=item.voice)
        if item.kind is Proposed.REMOVAL:
            rest = document.without(match)
            written = {MEMORY_FILE: rest.data, INBOX_FILE: left}
            return Plan(written, note, lambda change: Forgotten(found[0], change, rest.preview))
        changed, after = document.replace(match, item.text)
        if twin := same_text(after.text, [entry for entry in changed.entries if entry.line != after.line]):
            return Plan({}, note, Duplicate(twin, "Another entry says just this. Remove one of the two instead."))
        written = {MEMORY_FILE: changed.data, INBOX_FILE: left}
        return Plan(written, note, lambda change: Revised(found[0], after, change, changed.preview))

    def reject(self, word: str, asker: Asker) -> Rejected:
        """Take what waits out of the inbox. What a flush had doubted is not proposed again."""

        def work(files: Mapping[str, bytes | None]) -> Plan[Waiting]:
            item = inbox.found(inbox.waiting(files[INBOX_FILE]), word)
            left = inbox.without_waiting(files[INBOX_FILE], item)
            if item.rule in _DOUBTS:
                left = inbox.with_rejected(left, item.text)
            return Plan({INBOX_FILE: left}, asker.note(f"Reject from the inbox: {item.text}"), item)

        with failing_as(UpdateFailed):
            item, change = self.book.change([INBOX_FILE], work)
        from commonplace.types.changing import Rejected

        return Rejected(item, change or "")

    def _hold(self, proposal: Proposal, rule: str, section: str, asker: Asker, said: str = "") -> Waiting:
        today = self.clock.now().date()
        text = marked(proposal.text) if proposal.requested else proposal.text  # it is protected once it is accepted
        session = asker.session if asker.session is None or self.gate.secret is None else redact(asker.session)
        quote = said if self.gate.secret is None else redact(said)
        item = inbox.new_item(text, today, rule, proposal.voice, session, section, asker.messages, quote)

        def work(files: Mapping[str, bytes | None]) -> Plan[None]:
            note = asker.note(f"Hold for the person: {item.text}", proposal.voice)
            return Plan({INBOX_FILE: inbox.with_waiting(files[INBOX_FILE], item)}, note, None)

        self.book.change([INBOX_FILE], work)
        return item

    # -- whose words it is ---------------------------------------------------------------------------------------------

    def said(self, session: str) -> Sequence[Message]:
        """What was said in a session; nothing, if we have no transcript of it."""
        from commonplace.files import transcripts

        try:
            data = self.book.storage.read(transcripts.file_of(session)).data
            return transcripts.read(session, data).messages
        except CommonplaceError:  # the session of another program, or none at all
            return ()

    def _proposal(self, wish: Wish, asker: Asker) -> Proposal:
        """That the user asked for it is believed of the person, and of whoever vouches that the words are the user's
        own. Of a tool it is believed where the transcript of its conversation shows it."""
        text = checked(wish.content, "content", self.gate.longest)
        bare, claimed = unmarked(text), wish.requested or text.startswith(REQUESTED)
        voice = wish.voice or _VOICES.get(asker.origin)
        said = self.said(asker.session) if asker.session and (voice is None or claimed) else ()
        if any(message.role == "user" for message in said) and voice is not Voice.USER:
            from commonplace.flows.requesting import answered

            asked = bool(answered(bare, said))
            claimed = asked and (claimed or voice is None)
            if voice is None:
                from commonplace.gate.tracing import trace

                voice = Voice.USER if asked else trace(bare, said)
        elif asker.origin is Origin.TOOL and voice is not Voice.USER:
            claimed = False
        return Proposal(bare, voice or Voice.ASSISTANT, claimed, asker.origin is Origin.PERSON, wish.injected)

    def _voice_of_change(self, old: str, new: str, asker: Asker) -> Voice:
        """Whose words a new text adds to an old one. A single word may stand anywhere by chance: then the whole tells.
        What was read in the memory itself is nobody's."""
        said = self.said(asker.session) if asker.session else ()
        said = [message for message in said if message.extra.get("name") not in _OWN_PAGES]
        if not any(message.role == "user" for message in said):
            return Voice.ASSISTANT
        from commonplace.gate.tracing import trace

        known = set(terms(old))
        added = [word for word in new.split() if not known.issuperset(terms(word))]
        return trace(" ".join(added) if len(added) > 1 else new, said)

    def _said_before(self, text: str, entries: Sequence[Entry]) -> Entry | None:
        """The entry that surely says what the user asks for: they asked twice, in other words, or a tool has saved
        it meanwhile. One that is not protected yet must be plain and add nothing, for their words take its place."""
        if not entries or self.gate.same_fact is None:
            return None
        from commonplace.flows.requesting import names_more

        found = next(iter(self.alike(text, entries)), None)

        sure = max(self.gate.same_fact, _SURELY)  # a request that is dropped by mistake is lost
        if found is None or found[1].relation != "same" or found[1].certainty < sure:
            return None
        entry = found[0]
        plain = "\n" not in entry.text and negations(entry.text) == negations(text)
        return entry if is_marked(entry) or (plain and not names_more(entry.text, text)) else None

    def alike(self, text: str, entries: Sequence[Entry]) -> list[tuple[Entry, Likeness]]:
        """The entries that `text` may repeat or replace, the likeliest first; where no model reads both, those that are
        the same word for word."""
        from commonplace.gate.likeness import compare
        from commonplace.providers.crossencoder import pair_reader

        near = self._nearest(text, entries)
        pairs = [(text, entry.text) for entry in near]
        try:
            found = compare(pairs, pair_reader())
        except EmbedderFailed:
            found = compare(pairs, None)
        known = [(entry, one) for entry, one in zip(near, found, strict=True) if one is not None]
        return sorted(known, key=lambda one: -one[1].certainty)

    def _nearest(self, text: str, entries: Sequence[Entry]) -> list[Entry]:
        return [one.entry for one in self.index().closest(text, entries)]

    # -- verdicts ------------------------------------------------------------------------------------------------------

    def _judged_again(
        self, proposal: Proposal, now: Document, rules: GateSettings, judged: Document, before: Verdict
    ) -> Verdict:
        """The verdict on the memory as it is under the lock. What was judged before is not looked at twice."""
        if now.entries == judged.entries:
            return before
        known = {entry.text for entry in judged.entries}
        if before.existing is not None and all(entry.text != before.existing.text for entry in now.entries):
            return judge(proposal, self._known(now, now.entries), rules)
        if before.kind is not VerdictKind.STORE:
            return before
        return judge(proposal, self._known(now, [entry for entry in now.entries if entry.text not in known]), rules)

    def _known(self, document: Document, entries: Sequence[Entry]) -> Known:
        def same_words(text: str) -> Entry | None:
            found = chain(document.find_duplicates(text), document.find_duplicates(marked(text)))
            # "Use emojis" stands in "Don't use emojis", word for word, and is the opposite of it.
            return next((entry for entry in found if negations(entry.text) == negations(text)), None)

        if not entries:  # then nothing is loaded that compares
            return Known(same_words, lambda _: ())
        from commonplace.providers.crossencoder import pair_reader

        return Known(same_words, lambda text: self._nearest(text, entries), pair_reader())

    def _there_already(self, existing: Entry, proposal: Proposal, asker: Asker) -> Saved | Duplicate:
        """What is there stays as it is; but if the user asks for it now, it is marked and protected from now on."""
        if not _would_protect(existing, proposal):
            return duplicate(existing)
        return self._protect(existing, existing.text, proposal, asker)

    def _protect(self, existing: Entry, words: str, proposal: Proposal, asker: Asker) -> Saved | Duplicate:
        """Mark an entry as asked for, in these words."""

        def work(files: Mapping[str, bytes | None]) -> Plan[tuple[Entry, str]]:
            document = Document.parse(files[MEMORY_FILE])
            changed, entry = document.replace(document.locate(existing.text), marked(words))
            note = asker.note(f"Protect in {entry.section or MEMORY_FILE}: {entry.text}", proposal.voice)
            return Plan({MEMORY_FILE: changed.data}, note, (entry, changed.preview))

        try:
            (entry, text), change = self.book.change([MEMORY_FILE], work)
        except (AmbiguousMatch, NotFound, ValidationError):  # it is there twice, or was changed meanwhile
            return duplicate(existing)
        return Saved(entry, change or "", text)

    def _not_stored(self, verdict: Verdict, proposal: Proposal, section: str, asker: Asker) -> Remembered:
        existing = verdict.existing
        if existing is not None and verdict.kind is VerdictKind.REFUSE:
            return self._there_already(existing, proposal, asker)
        if existing is not None:
            return Alike(verdict, existing)
        if verdict.kind is VerdictKind.HOLD:
            return Held(verdict, self._hold(proposal, verdict.rule, section, asker))
        return Refused(verdict)


def checked(content: str, name: str, longest: int) -> str:
    """What a caller wants remembered, as it can stand in an entry."""
    length = len(content.strip())
    if length > longest:
        raise ValidationError(
            f"{name} has {length} characters; at most {longest} are stored in one entry.",
            hint="Shorten it, or split it into several entries of one fact each.",
        )
    text = entry_text(content)
    if not text:
        raise ValidationError(f"{name} is blank.", hint="Give the fact to remember, in one sentence.")
    return text


def item_note(item: Waiting, asker: Asker) -> Note:
    """Why something leaves the inbox: whose words it is, and where it was said."""
    return Note("", asker.origin, item.session, asker.reason, voice=item.voice, messages=item.messages)


def _settled(files: Mapping[str, bytes | None], waits: Waiting | None) -> dict[str, bytes]:
    """The inbox without what has come into the memory now."""
    if waits is None:
        return {}
    here = [item for item in inbox.waiting(files[INBOX_FILE]) if item.id == waits.id]
    return {INBOX_FILE: inbox.without_waiting(files[INBOX_FILE], here[0])} if here else {}


def _would_protect(existing: Entry, proposal: Proposal) -> bool:
    """Whether the user asks for an entry that is there and not marked yet."""
    theirs = proposal.requested and proposal.voice in {Voice.USER, Voice.ASSISTANT}
    plain = not is_marked(existing) and "\n" not in existing.text
    return theirs and plain and same_text(proposal.text, [existing]) is not None


def _unfit_title(section: str, rules: GateSettings) -> Verdict | None:
    """Why a section may not be called this: its name is written down as well."""
    verdict = judge(Proposal(section), _NOTHING, replace(_ALL_OFF, secret=rules.secret))
    return verdict if verdict.kind is not VerdictKind.STORE else None


def _was_so(verdict: Verdict, earlier: Verdict | None, before: Entry, after: Entry) -> bool:
    """Whether an entry was unfit for the same reason before it was changed, and holds no secret that is new."""
    if earlier is None or earlier.rule != verdict.rule:
        return False
    return all(after.text[secret.start : secret.end] in before.text for secret in find_secrets(after.text))


def same_text(text: str, entries: Sequence[Entry]) -> Entry | None:
    """The entry that is this text, case, spacing, closing full stop and mark aside."""
    return next((entry for entry in entries if _bare(text) == _bare(entry.text)), None)


def _bare(text: str) -> str:
    return folded(unmarked(text)).rstrip(" .。")


def is_marked(entry: Entry) -> bool:
    return entry.text.startswith(REQUESTED)


def marked(text: str) -> str:
    """With the mark of what the user asked for."""
    return text if text.startswith(REQUESTED) else f"{REQUESTED} {text}"


def same_texts() -> ValidationError:
    return ValidationError("Old and new text are the same.", hint="Give a new text that differs.")


def duplicate(existing: Entry) -> Duplicate:
    return Duplicate(existing, "This is already in the memory. To change its wording, use update_memory.")
