"""A question as search sees it: its terms, quoted phrases, the time it names, and what it wants. Pure."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from commonplace.search.timewords import Span, find_span
from commonplace.terms import terms
from commonplace.types import Source

_PHRASE = re.compile(r'"([^"]+)"|“([^”]+)”|「([^」]+)」')


@dataclass(frozen=True, slots=True)
class Filters:
    """What may be found at all. Empty means no limit."""

    sources: frozenset[Source] = frozenset()
    since: date | None = None
    until: date | None = None
    sessions: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed question."""

    text: str
    terms: Mapping[str, int]
    phrases: tuple[str, ...]
    span: Span | None
    today: date
    filters: Filters = field(default_factory=Filters)


def parse(text: str, today: date, filters: Filters | None = None) -> Query:
    phrases = tuple(folded(next(filter(None, match.groups()))) for match in _PHRASE.finditer(text))
    return Query(text, Counter(terms(text)), phrases, find_span(text, today), today, filters or Filters())


def folded(text: str) -> str:
    """For comparing a phrase with a text: form, case and spacing do not count."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
