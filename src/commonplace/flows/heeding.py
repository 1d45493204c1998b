"""The flow of a request: a message of the user -> what it asks for -> the entry that is added, changed or forgotten.

It is done when it is said, without any model but the small local ones. Where it is not certain which entry is meant,
nothing is changed, and the person is asked. What was done can be undone like any other change.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from commonplace.distill.hearing import Ask, Request, heard, statements
from commonplace.distill.retelling import speaks_of_self
from commonplace.errors import CommonplaceError, ValidationError
from commonplace.files.document import Document
from commonplace.flows.remembering import Writer, checked, is_marked, marked, same_text
from commonplace.flows.requesting import as_entry, names_more
from commonplace.gate.splitting import several_facts
from commonplace.gate.tracing import is_said, own_words, telling_terms
from commonplace.language import terms
from commonplace.language.glossing import rough_english
from commonplace.language.polarity import negations
from commonplace.types.asking import Asker, Origin, Voice, Wish
from commonplace.types.book import MEMORY_FILE, Entry, unmarked
from commonplace.types.changing import Deed, Done, Forgotten, Revised
from commonplace.types.saving import Alike, Duplicate, Held, Refused, Saved
from commonplace.types.verdicts import VerdictKind

REASON = "the user asked for it"
_SURELY = 0.8
_MOST_NAMED = 5
_CLAUSE = re.compile(r"[,;，；]\s*")  # behind it may stand why


def requests_of(text: str) -> list[Request]:
    """What a user's message may ask for: requests, and what they say is otherwise now."""
    own = own_words(text)
    return [*heard(own), *statements(own)]


@dataclass(frozen=True, slots=True)
class Heeding:
    """Does what messages ask for; `writer` writes it."""

    writer: Writer

    def section_for(self, text: str) -> str:
        """Where a text belongs."""
        return self.writer.index().section_for(text)

    def run(self, text: str, session: str) -> tuple[Done, ...]:
        """What was done because a user's message says this. Nothing, for nearly all messages."""
        return tuple(done for asked in requests_of(text) if (done := self.heed(asked, session)) is not None)

    def heed(self, asked: Request, session: str) -> Done | None:
        """Do one thing that was asked for; None if it turns out that nothing was."""
        asker = Asker(Origin.PERSON, session, REASON)
        try:
            return self._done(asked, asker)
        except ValidationError as error:
            return Done(Deed.REFUSED, f"Nothing was done: {error.message} {error.hint}".rstrip())
        except CommonplaceError as error:
            return Done(Deed.FAILED, f"This could not be done now: {error.message} {error.hint}".rstrip())

    def _done(self, asked: Request, asker: Asker) -> Done | None:
        match asked.kind:
            case Ask.KEEP:
                return self._keep(asked, asker)
            case Ask.FORGET:
                return self._forget(asked, asker)
            case Ask.CHANGE:
                return self._change(asked, asker)
            case Ask.NOW | Ask.ENDED:
                return self._follow(asked, asker)
            case _:
                assert_never(asked.kind)

    # -- what is asked for ---------------------------------------------------------------------------------------------

    def _keep(self, asked: Request, asker: Asker) -> Done:
        text = checked(as_entry(asked), "This", self.writer.gate.longest)
        entries = self._entries()
        found = None if same_text(text, entries) else next(iter(self.writer.alike(text, entries)), None)
        if found is not None and found[1].certainty >= _SURELY:
            entry, likeness = found
            if likeness.relation == "newer" and _is_one_fact(entry):
                return self._replace(entry, marked(text), asker)
            if likeness.relation == "same" and (done := self._said_again(entry, text, asker)):
                return done
        wish = Wish(text, Voice.USER, requested=True)
        outcome = self.writer.remember(wish, self.section_for(text), asker)
        match outcome:
            case Saved(entry, change):
                return Done(Deed.REMEMBERED, f"Remembered in {entry.section}: {_bare(entry)}", entry, change=change)
            case Duplicate(existing) | Alike(_, existing):
                return Done(Deed.KNOWN, f"Remembered already: {_bare(existing)}", existing)
            case Held(verdict) | Refused(verdict):
                return Done(Deed.REFUSED, f"Not remembered. {verdict.reason}")
            case _:
                assert_never(outcome)

    def _said_again(self, entry: Entry, text: str, asker: Asker) -> Done | None:
        """What becomes of an entry that says the same: it is theirs from now on, and as exact as the newer wording."""
        if negations(entry.text) != negations(text) or not _is_one_fact(entry):
            return None
        if names_more(entry.text, text):  # it says more than they do now
            return Done(Deed.KNOWN, f"Remembered already: {_bare(entry)}", entry) if is_marked(entry) else None
        if is_marked(entry) and not names_more(text, entry.text):
            return Done(Deed.KNOWN, f"Remembered already: {_bare(entry)}", entry)
        return self._replace(entry, marked(text), asker)

    def _forget(self, asked: Request, asker: Asker) -> Done | None:
        found = self._meant(asked) or self._meant(replace(asked, text=_CLAUSE.split(asked.text)[0]))
        if len(found) > 1:
            return _unclear("Nothing was forgotten: several entries fit. Say which one:", found)
        if not found:
            surely = asked.sure and (asked.clause or speaks_of_self(asked.text, asked.language))
            return Done(Deed.NOT_FOUND, f"Nothing was forgotten: no entry says “{asked.text}”.") if surely else None
        if not _is_one_fact(found[0]):
            return _unclear("Nothing was forgotten: this entry says more than that. Say how it should read:", found)
        return self._remove(found[0], asker)

    def _change(self, asked: Request, asker: Asker) -> Done | None:
        """ "Change my address to …": only if an entry is meant, for people also talk of other things that way."""
        found = self._meant(asked)
        if len(found) != 1:
            return _unclear("Nothing was changed: several entries fit. Say which one:", found) if found else None
        if not _is_one_fact(found[0]):
            return _unclear("Nothing was changed: this entry says more than that. Say how it should read:", found)
        name = f"{asked.text[:1].upper()}{asked.text[1:]}"
        return self._replace(found[0], marked(checked(f"{name}: {asked.to}", "This", self.writer.gate.longest)), asker)

    def _follow(self, asked: Request, asker: Asker) -> Done | None:
        """What somebody says is otherwise now: done only if an entry says how it was, without a doubt."""
        text = as_entry(asked)
        verdict = self.writer.judge(Wish(text, Voice.USER), "Notes", Asker(Origin.FLUSH, asker.session))
        entry = verdict.existing
        if entry is None or verdict.kind is not VerdictKind.UPDATE or verdict.certainty < _SURELY:
            return self._follow(replace(asked, kind=Ask.NOW, text=asked.to, to=""), asker) if asked.to else None
        if not _is_one_fact(entry):
            return None
        if asked.kind is Ask.ENDED and not asked.to:
            return self._remove(entry, asker) if _adds_nothing(text, entry.text) else None
        new = as_entry(replace(asked, text=asked.to)) if asked.to else text
        return self._replace(entry, marked(new) if is_marked(entry) else new, asker)

    # -- which entry is meant ------------------------------------------------------------------------------------------

    def _entries(self) -> Sequence[Entry]:
        return Document.parse(self.writer.book.storage.read(MEMORY_FILE).data).entries

    def _meant(self, asked: Request) -> list[Entry]:
        """The entries that somebody may mean: that is it word for word, else those that have all that was named, of
        which one that says nothing else is surely meant; else those that surely say the same."""
        entries, text = self._entries(), as_entry(asked)
        if exact := same_text(text, entries) or same_text(asked.text, entries):
            return [exact]
        named = telling_terms(rough_english(asked.text)) or telling_terms(asked.text)
        having = [entry for entry in entries if _has(named, entry.text)]
        if negations(asked.text) == 0:
            having = [entry for entry in having if negations(entry.text) == 0] or having
        only = [entry for entry in having if _has(telling_terms(_both(unmarked(entry.text))), _both(asked.text))]
        if having or asked.kind is Ask.CHANGE:
            return only if len(only) == 1 else having
        alike = self.writer.alike(text, entries)
        return [e for e, found in alike if found.relation == "same" and found.certainty >= _SURELY]

    # -- what is done --------------------------------------------------------------------------------------------------

    def _replace(self, entry: Entry, text: str, asker: Asker) -> Done:
        outcome = self.writer.revise(entry.text, text, asker)
        match outcome:
            case Revised(before, after, change):
                told = f"Replaced: {_bare(after)} (was: {_bare(before)})"
                return Done(Deed.REPLACED, told, after, before, change)
            case Duplicate(existing):
                return Done(Deed.KNOWN, f"Remembered already: {_bare(existing)}", existing)
            case Held(verdict) | Refused(verdict):
                return Done(Deed.REFUSED, f"Not remembered. {verdict.reason}")
            case _:
                assert_never(outcome)

    def _remove(self, entry: Entry, asker: Asker) -> Done:
        outcome = self.writer.forget(entry.text, asker)
        match outcome:
            case Forgotten(gone, change):
                return Done(Deed.FORGOTTEN, f"Forgotten: {_bare(gone)}", gone, change=change)
            case Held(verdict):
                return Done(Deed.REFUSED, f"Nothing was forgotten. {verdict.reason}")
            case _:
                assert_never(outcome)


def _bare(entry: Entry) -> str:
    return unmarked(entry.text)


def _is_one_fact(entry: Entry) -> bool:
    return "\n" not in entry.text and several_facts(unmarked(entry.text)) is None


def _has(wanted: set[str], text: str) -> bool:
    said = frozenset(terms(_both(text)))
    return bool(wanted) and all(is_said(term, said) for term in wanted)


def _both(text: str) -> str:
    """A text, and the same in rough English."""
    rough = rough_english(text)
    return text if rough == text else f"{text} {rough}"


def _adds_nothing(text: str, entry: str) -> bool:
    """Whether a text only takes back what an entry says."""
    known = frozenset(terms(_both(entry)))
    return all(term in _TAKEN_BACK or is_said(term, known) for term in telling_terms(rough_english(text)))


_TAKEN_BACK = frozenset(terms("no longer any more anymore not don't do does doesn't stopped quit gave given up never"))


def _unclear(told: str, entries: Sequence[Entry]) -> Done:
    named = "; ".join(f"“{_bare(entry)}”" for entry in entries[:_MOST_NAMED])
    more = f" and {len(entries) - _MOST_NAMED} more" if len(entries) > _MOST_NAMED else ""
    return Done(Deed.UNCLEAR, f"{told} {named}{more}")
