"""A question as search sees it: its kind, its terms, quoted phrases, the time it names, what it asks for. Pure."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from commonplace.language import terms
from commonplace.search.timewords import Span, find_span
from commonplace.types.searching import Source


class Kind(StrEnum):
    """How a question is put; each kind has its own weights.

    A question asks for a fact, or is a list of keywords: words matter. A continuation carries on with something
    ("ready for the next step"): what is recent matters. A remark tells something without asking ("I was up all
    night again"): meaning matters, and words mislead.
    """

    QUESTION = "question"
    CONTINUATION = "continuation"
    REMARK = "remark"


@dataclass(frozen=True, slots=True)
class Filters:
    """What may be found at all. Empty means no limit."""

    sources: frozenset[Source] = frozenset()
    since: date | None = None
    until: date | None = None
    sessions: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed question. `asks_for_days`: it names a time and next to nothing else; `says_little`: a
    message of hardly more than a word."""

    text: str
    kind: Kind
    terms: Mapping[str, int]
    phrases: tuple[str, ...]
    span: Span | None
    asks_for_days: bool
    says_little: bool
    asks_when: bool
    asks_number: bool
    wants_current: bool
    today: date
    filters: Filters


_PHRASE = re.compile(r'"([^"]+)"|“([^”]+)”|「([^」]+)」')
_CONTINUES = re.compile(
    r"^(?:hi|hello|hey|okay|ok|alright|thanks|thank you|yes|yeah|good (?:morning|evening|afternoon))\b"
    r"|\b(?:next|ready|let'?s|continue|get back|back to|move forward|keep going|last time"
    r"|we (?:talked|discussed|planned|were|agreed)|you (?:said|mentioned|suggested|gave|sent)"
    r"|pause|update|now|still|just)\b",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|me|my|mine|we|us|our|let'?s)\b", re.IGNORECASE)
_CURRENT = re.compile(
    r"\b(?:current|currently|latest|newest|most recent|most recently|right now|nowadays|these days|last time"
    r"|at the moment)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^\W*(?:who|whom|whose|what|when|where|which|why|how|do|does|did|is|are|am|was|were|have|has|had|can|could|will"
    r"|would|should|may|tell|list|show|give|find|name|describe|explain|summari[sz]e)\b",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\b(?:when|how long|(?:what|which) (?:date|day|week|month|year|time)|how many (?:days|weeks|months|years))\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\b(?:how (?:many|much|often|old)|number of|amount|total|count)\b", re.IGNORECASE)
_KEYWORDS = 4
_REMARK_WORDS = 8
_SAYS_MORE = 2  # terms beside a time: with fewer, a question asks for what was then
_LETTERS_A_WORD = 3  # in scripts without spaces


def parse(text: str, today: date, filters: Filters | None = None) -> Query:
    kind, span = _kind(text), find_span(text, today)
    return Query(
        text=text,
        kind=kind,
        terms=Counter(terms(text)),
        phrases=_required_phrases(text),
        span=span,
        asks_for_days=span is not None and len(set(terms(text.replace(span.words, " ")))) < _SAYS_MORE,
        says_little=_says_little(text),
        asks_when=_WHEN.search(text) is not None,
        asks_number=_NUMBER.search(text) is not None,
        wants_current=kind is Kind.CONTINUATION or _CURRENT.search(text) is not None,
        today=today,
        filters=filters or Filters(),
    )


def _says_little(text: str) -> bool:
    """One word that means something, with at most one beside it: that is no question to look anything up for."""
    return len(text.split()) < _SAYS_MORE + 1 and len([term for term in terms(text) if len(term) > 1]) < _SAYS_MORE


def _required_phrases(text: str) -> tuple[str, ...]:
    """Quoted phrases that must be found as they are: those of a search by keywords. In a whole sentence quotation
    marks just quote, and their words count like any others."""
    if len(_PHRASE.sub(" ", text).split()) > _KEYWORDS:
        return ()
    return tuple(folded(next(filter(None, match.groups()))) for match in _PHRASE.finditer(text))


def folded(text: str) -> str:
    """For comparing a phrase with a text: form, case and spacing do not count."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _kind(text: str) -> Kind:
    """Anything short and unclear counts as a question."""
    words = len(text.split()) if text.isascii() else max(len(text.split()), len(text) // _LETTERS_A_WORD)
    if _CONTINUES.search(text) and _FIRST_PERSON.search(text) and words > _REMARK_WORDS // 2:
        return Kind.CONTINUATION
    if words < _REMARK_WORDS or _ASKS.match(text) or text.rstrip().endswith(("?", "？")):
        return Kind.QUESTION
    return Kind.REMARK
