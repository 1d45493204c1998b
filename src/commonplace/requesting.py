"""What the user asked to be remembered, as far as their own words in a conversation tell. Pure."""

import re
from collections.abc import Iterable, Sequence

from commonplace.distill.digest import requested
from commonplace.gate.polarity import negations
from commonplace.gate.tracing import foreign_words, is_said, own_words, telling_terms
from commonplace.terms import terms
from commonplace.types.sessions import Message

_NEARLY_ALL = 0.75
_HALF = 0.5
_TURNS = frozenset(
    "before after until till since only except unless without over under than instead if off"
    " vor nach bis nur außer ohne statt avant après jusque seulement sauf sans si"
    " antes después hasta solo sólo excepto salvo sin".split()
)
_NAMES = re.compile(r"(?<=\s)[^\W\d_a-z]\w+|\w*\d\w*")  # names within a sentence, and numbers


def requests_in(messages: Sequence[Message]) -> list[str]:
    """Every request to keep something. What the user pasted asks for nothing."""
    return [what for words in _own(messages) for what in requested(words)]


def answered(text: str, messages: Sequence[Message]) -> list[str]:
    """The requests that `text` fulfils, at least for a half, in the words of the request but for a few. None if it
    names somebody or something, or has a number, that the user did not say, or says a word of others that is not in the
    request: that may come from elsewhere. A request is no blank cheque for whatever is about the same thing."""
    said = set(terms(" ".join(_own(messages))))
    if any(term not in said for name in _NAMES.findall(text) for term in terms(name)):
        return []
    foreign = frozenset(terms(" ".join(_foreign(messages))))
    return [request for request in requests_in(messages) if _answers(text, request, foreign)]


def names_more(text: str, than: str) -> bool:
    """Whether a text has a name or a number that another one has not."""
    known = frozenset(terms(than))
    return any(not is_said(term, known) for name in _NAMES.findall(text) for term in terms(name))


def fulfilled(request: str, texts: Sequence[str]) -> bool:
    """Whether texts that answer a request say nearly all of it between them, with its names and numbers."""
    said = " ".join(texts)
    return not names_more(request, said) and _share(request, frozenset(terms(said))) >= _NEARLY_ALL


def _answers(text: str, request: str, foreign: frozenset[str]) -> bool:
    asked = frozenset(terms(request))
    return (
        negations(text) == negations(request)
        and _turns(text) == _turns(request)
        and _in_order(text, request)
        and _share(text, asked) >= _NEARLY_ALL
        and not any(is_said(term, foreign) for term in telling_terms(text) if not is_said(term, asked))
        and _share(request, frozenset(terms(text))) >= _HALF
    )


def _turns(text: str) -> frozenset[str]:
    """The small words of a text that turn it round: "before breakfast" is not "after breakfast"."""
    return _TURNS.intersection(re.findall(r"[^\W\d_]+", text.casefold()))


def _in_order(text: str, request: str) -> bool:
    """Whether what both say stands in the same order: "Anna owes Tom" is not "Tom owes Anna"."""
    asked = terms(request)
    rest = iter(asked)
    return all(term in rest for term in terms(text) if term in asked)


def _share(text: str, said: frozenset[str]) -> float:
    wanted = telling_terms(text)
    return sum(is_said(term, said) for term in wanted) / len(wanted) if wanted else 0.0


def _own(messages: Sequence[Message]) -> list[str]:
    return [own_words(message.text) for message in messages if message.role == "user"]


def _foreign(messages: Sequence[Message]) -> Iterable[str]:
    for message in messages:
        if message.role == "user":
            yield foreign_words(message.text)
        elif message.role not in {"assistant", "event", "memory", "system", "developer"}:
            yield message.text
