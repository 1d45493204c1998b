"""A memory of two books: a project's own, and the person's.

In an agent that works on many projects, nothing said in one may come back in another. So each project has a book of
its own; only who the person is, what they prefer and what interests them lives in the personal book and is known
everywhere. Which project a folder belongs to is in `places`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from commonplace.errors import CommonplaceError, NotFound
from commonplace.memory import Memory
from commonplace.types.book import SECTION_OF, Category, Entry
from commonplace.types.searching import Source

if TYPE_CHECKING:
    from commonplace.distill.hearing import Request
    from commonplace.flows.flushing import Learned, Learner
    from commonplace.flows.heeding import Heeding
    from commonplace.types.changing import Done, Forgotten, Revised
    from commonplace.types.saving import Duplicate, Held, Refused, Remembered
    from commonplace.types.searching import Found

PERSONAL = frozenset({Category.PROFILE, Category.PREFERENCES, Category.INTERESTS})
_PERSONAL_SECTIONS = frozenset(SECTION_OF[category] for category in PERSONAL)


class ProjectMemory(Memory):
    """A project's memory beside the person's own. What tells of the person goes to their book, the rest to the
    project's; both are recalled and searched, of the personal one only what tells of the person."""

    personal: Memory

    def beside(self, personal: Memory) -> ProjectMemory:
        self.personal = personal
        return self

    def same_as(self, other: Memory) -> bool:
        return super().same_as(other) and isinstance(other, ProjectMemory) and self.personal.same_as(other.personal)

    def remember(
        self, content: str, category: Category | str | None = None, *, section: str | None = None, **more: Any
    ) -> Remembered:
        if section is None and _is_personal(category):
            return self.personal.remember(content, category, **more)
        return super().remember(content, category, section=section, **more)

    def revise(self, old_text: str, new_text: str, **more: Any) -> Revised | Forgotten | Duplicate | Held | Refused:
        if self._is_theirs(old_text):
            return self.personal.revise(old_text, new_text, **more)
        return super().revise(old_text, new_text, **more)

    def forget(self, text: str, **more: Any) -> Forgotten | Held:
        return self.personal.forget(text, **more) if self._is_theirs(text) else super().forget(text, **more)

    def _is_theirs(self, text: str) -> bool:
        """Whether the personal book has an entry, and the project's has not."""
        try:
            self.find(text)
        except NotFound:
            try:
                return self.personal.find(text).section in _PERSONAL_SECTIONS
            except CommonplaceError:
                return False
        return False

    @property
    def _learner(self) -> Learner:
        return _Learners(self._writer, self.personal._writer)  # pyright: ignore[reportPrivateUsage] one memory of two books

    @cached_property
    def _heeding(self) -> Heeding:
        from commonplace.flows.heeding import Heeding

        own = Heeding(self._writer)
        theirs = Heeding(self.personal._writer)  # pyright: ignore[reportPrivateUsage] one memory of two books
        return cast("Heeding", _Heedings(own, theirs))

    def entries(self) -> tuple[Entry, ...]:
        """What is known of the person, then what is known of the project."""
        return (*self._of_person(), *super().entries())

    def _of_person(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.personal.entries() if entry.section in _PERSONAL_SECTIONS)

    def search(self, question: str, *, limit: int | None = None, sources: Iterable[Source] = (), **more: Any) -> Found:
        wanted = frozenset(sources)
        found = super().search(question, limit=limit, sources=wanted, **more)
        if wanted and Source.LONG_TERM not in wanted:
            return found
        theirs = self.personal.search(question, limit=limit, sources=(Source.LONG_TERM,), **more)
        hits = [hit for hit in theirs.hits if hit.heading in _PERSONAL_SECTIONS]
        most = limit if limit is not None else len(found.hits) + len(hits)
        ranked = sorted((*found.hits, *hits), key=lambda hit: -hit.score)[: most or None]
        return replace(found, hits=type(found.hits)(ranked))


class _Learners:
    """Stores what a conversation told in the book where it belongs."""

    def __init__(self, own: Learner, theirs: Learner) -> None:
        self._own = own
        self._theirs = theirs

    def learn_from(self, session: str, learned: Learned) -> Remembered | Revised:
        learner = self._theirs if _is_personal(learned.fact.category) else self._own
        return learner.learn_from(session, learned)


class _Heedings:
    """Does what is asked for in the book where it belongs, or where what is meant stands."""

    def __init__(self, own: Heeding, theirs: Heeding) -> None:
        self._own = own
        self._theirs = theirs

    def run(self, text: str, session: str) -> tuple[Done, ...]:
        from commonplace.flows.heeding import requests_of

        return tuple(done for asked in requests_of(text) if (done := self._heed(asked, session)) is not None)

    def _heed(self, asked: Request, session: str) -> Done | None:
        from commonplace.distill.hearing import Ask
        from commonplace.flows.requesting import as_entry
        from commonplace.types.changing import Deed

        first, second = self._own, self._theirs
        if self._own.section_for(as_entry(asked)) in _PERSONAL_SECTIONS:
            first, second = second, first
        done = first.heed(asked, session)
        if asked.kind is Ask.KEEP or (done is not None and done.deed is not Deed.NOT_FOUND):
            return done
        return second.heed(asked, session) or done


def _is_personal(category: Category | str | None) -> bool:
    return category is not None and str(category).strip().lower() in PERSONAL
