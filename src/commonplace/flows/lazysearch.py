"""Search of one book, and what texts mean: loaded when it is first asked for, since saving must not wait for it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from commonplace.gate.secrets import mask
from commonplace.types.book import SECTION_OF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.config import Settings
    from commonplace.distill.sorting import Described
    from commonplace.files.transactions import Book
    from commonplace.flows.hybridsearch import Finder
    from commonplace.ports import Embedder
    from commonplace.types.book import Entry
    from commonplace.types.verdicts import Candidate

_MOST_READ = 3  # entries that are read beside a new text: each costs more than embedding it
_LONGEST_COMPARED = 20_000  # what is far longer than an entry may be is no fact that another one could be the same as


class LazySearch:
    """The search of one book. Without an `embedder` it uses the one that the settings name."""

    def __init__(self, book: Book, settings: Settings, embedder: Embedder | None) -> None:
        self._book = book
        self._settings = settings
        self._chosen = embedder

    @cached_property
    def embedder(self) -> Embedder | None:
        """What turns texts into vectors here; None where the settings switch it off."""
        from commonplace.providers.embedders import embedder

        return self._chosen or embedder(self._settings.embedder)

    @cached_property
    def finder(self) -> Finder:
        from commonplace.flows.hybridsearch import Finder
        from commonplace.search.plain import Formula

        wanted = self._settings.search
        plain = Formula(wanted.keyword_weight, wanted.vector_weight, wanted.decay, wanted.k1, wanted.b)
        return Finder(
            self._book.storage,
            self.embedder,
            plain if wanted.method == "plain" else None,
            may_save=lambda: self._book.identity() is not None,  # a folder that is no book stays as it is
            clean=None if self._settings.gate.secret is None else mask,
        )

    def closest(self, text: str, entries: Sequence[Entry], limit: int = _MOST_READ) -> list[Candidate]:
        """The entries that are closest in meaning to a text, or share rare words with it. Where there is nothing to
        compare with, no model is loaded."""
        fit = [entry for entry in entries if len(entry.text) <= _LONGEST_COMPARED]
        return self.finder.closest_entries(text, fit, limit) if fit else []

    def meaning(self, text: str) -> Sequence[float] | None:
        """The vector of a text, where there is an embedder that reads it."""
        return self.finder.meaning(text)

    def section_for(self, text: str) -> str:
        """The standard section in which a text belongs by its meaning."""
        from commonplace.distill.sorting import category_of

        return SECTION_OF[category_of(text, self._described, self.meaning)]

    @cached_property
    def _described(self) -> Described:
        from commonplace.distill.sorting import described

        return described(self.meaning)
