"""Whether a text only repeats what was recalled: memory must not learn from itself. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence

from commonplace.gate.suspicion import Suspicion
from commonplace.language import terms
from commonplace.language.beyond import Told, adds_nothing, told

_LEAST = 3  # fewer words are in any text
_MOST_NEW = 0.35
_OF_REPLIES = 0.3
_TELLS_NOTHING = frozenset(terms("user note noted earlier memory according mentioned said recalled stored log entry"))
_SENTENCE = re.compile(r"[^\n.!?。！？]+(?:[.!?。！？]+(?=\s|$)|[.!?。！？]+)?[^\S\n]*\n*")
_LABEL = re.compile(r"^[\s>*+\u2022\d.)-]*(?:\*{0,2}\[[^\]\n]{3,60}\]\*{0,2}:?\s*)?")
_WORD = re.compile(r"\w{2,}")
_PROBES, _PROBE = 3, 5


def echo(text: str, injected: Iterable[str]) -> Suspicion | None:
    """How surely `text` is said by one of the `injected` texts already, perhaps in somewhat other words; numbers must
    be there as they are."""
    wanted = set(terms(text)) - _TELLS_NOTHING
    if len(wanted) < _LEAST:
        return None
    for shown in injected:
        new = wanted - set(terms(shown))
        if len(new) <= _MOST_NEW * len(wanted) and not any(char.isdigit() for term in new for char in term):
            return Suspicion(1 - len(new) / len(wanted), "It only repeats what was recalled from memory.")
    return None


def echoes(reply: str, known: Sequence[str]) -> list[tuple[int, int]]:
    """Where a reply only repeats what was known before it, sentence by sentence: beginnings and ends. What is said in
    another language is compared as rough English as well."""
    folded = [text.casefold() for text in known]
    return [
        (sentence.start(), sentence.end())
        for sentence in _SENTENCE.finditer(reply)
        if any(_repeats(form, known, folded) for form in _forms(_LABEL.sub("", sentence[0]).strip()))
    ]


def _forms(sentence: str) -> Iterator[str]:
    from commonplace.language.glossing import english, language

    yield sentence
    if code := language(sentence):
        yield english(sentence, code)


def _repeats(sentence: str, known: Sequence[str], folded: Sequence[str]) -> bool:
    said: Told = told(sentence)
    if len(said.terms - _TELLS_NOTHING) < _LEAST:
        return False
    words = sorted(set(_WORD.findall(sentence.casefold())), key=len, reverse=True)[:_PROBES]
    probes = [word[:_PROBE] for word in words]
    return any(
        adds_nothing(said, told(text), most_new=_OF_REPLIES, ignoring=_TELLS_NOTHING)
        for text, line in zip(known, folded, strict=True)
        if any(probe in line for probe in probes)
    )
