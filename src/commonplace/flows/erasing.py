"""The flow of complete forgetting: a text, and all that the steps of a write may have made of it -> no copy left."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from commonplace.files import erasure
from commonplace.files.folders import SERVED_TASK
from commonplace.flows import compacting, consolidating, flushing
from commonplace.flows.requesting import entries_of, requests_in
from commonplace.gate.splitting import several_facts
from commonplace.types.sessions import Message

if TYPE_CHECKING:
    from commonplace.files.transactions import Book
    from commonplace.types.keeping import Erasure

_TASKS = (compacting.TASK, consolidating.TASK, flushing.TASK, SERVED_TASK)
"""Whoever does one of these alone may hold a text that is to go."""


def erase(
    book: Book, texts: Sequence[str], at: datetime, *, dry_run: bool, whole_entries: bool, patience: float
) -> Erasure:
    """Remove texts for good; `dry_run` only says what would go."""
    target = erasure.Target(texts, [piece for text in texts for piece in _made_of(text, at)], whole_entries)
    if dry_run:
        return erasure.preview(book, target)
    book.create()
    return erasure.erase(book, target, _TASKS, patience)


def _made_of(text: str, at: datetime) -> list[str]:
    """What the steps of a write may have made of a text that was said: each request in it, and each fact."""
    kept = [*requests_in([Message("asked", "user", text, at)]), *sorted(entries_of(text))]
    return [*kept, *(piece for one in (text, *kept) if (facts := several_facts(one)) for piece in facts.pieces)]
