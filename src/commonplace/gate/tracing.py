"""Whose words a fact is: the user's own, or those of a page, a file or a tool that were read on the way. Pure.

A summary tells facts in other words, so single words are compared: which of the fact's words did the user say, and
which stand together in something foreign? Names and numbers tell most. That the assistant repeated a page does
not make it
the assistant's, and what the user pasted does not make it the user's.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from commonplace.gate.pasted import parts
from commonplace.language import normalise, terms
from commonplace.types.asking import Voice
from commonplace.types.sessions import Message

_NOT_HEARD = {"event", "memory", "system", "developer"}
_WEB_TOOL = re.compile(r"web|fetch|brows|search|http|url|crawl|scrap|page|news|wiki", re.IGNORECASE)
_FILE_TOOL = re.compile(r"file|read|cat|open|document|pdf|grep|glob|notebook|attachment|drive", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?…;])[\"')\]]*\s+|(?<=[。！？；])|\n+|<br\s?/?>|(?<=[.!?])(?=<)|\*/|-->")
_REPORTS = re.compile(
    r"\b(?:according to|(?:the|this|that|an?) (?:web ?)?(?:page|site|article|post|email|e-mail|message|file"
    r"|document|readme|review|log|result|results|output|tool|search|invite|comment|note|listing|report"
    r"|pdf)\b.{0,40}\b(?:say|says|said|mention|mentions|mentioned|state|states|stated|note|notes|noted|claim|claims"
    r"|claimed|list|lists|listed|show|shows|tell|tells|recommend|recommends|ask|asks|asked|contain|contains"
    r"|indicate|indicates))\b",
    re.IGNORECASE,
)
_TO_USER = re.compile(
    r"\b(?:you|your|yours|du|dir|dein\w*|sie|ihr\w*|usted|tu|tus|te|vous|votre|vos|ton|ta|tes|voi|tuo|tua|você|seu"
    r"|sua|je|jij|jouw|twoj\w*|ty|ты|тво\w*|вы|ваш\w*|sen|senin|du|din|ditt)\b|你|您|あなた|당신",
    re.IGNORECASE,
)
_ABOUT_USER = re.compile(
    r"\b(?:users?|you|your|customer|owner|reader|listener|viewer|buyer|shopper|client|guest|subscriber|member"
    r"|applicant"
    r"|developer|human|respondent|recipient|patient|visitor|employee|operator|person|remember|memori[sz]e|memory"
    r"|prefers?"
    r"|note that|he|she|they|i|my|we|our|nutzer\w*|usuari[oa]|utilisat\w+|utente|usuári[oa]|gebruiker|użytkownik\w*"
    r"|ich|mein\w*|yo|mi|je|mon|io|mio|eu|meu"
    r"|пользовател\w*|я|kullanıcı|användaren?)\b|用户|我|ユーザー|私|사용자|المستخدم|उपयोगकर्ता",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"\b(\d{1,2})(?::00)?\s?([ap])\.?m\b\.?")
_NUMBERS = {
    stem: str(value)
    for value, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
    for stem in terms(word)
}
_FRAME = frozenset(
    term
    for word in """
        user users prefers preference likes wants needs uses using used works working lives has name named
        called always usually every request requested asked remember note notes likes love enjoys plans planning
        currently based person people thing things make made want would like new also one first get keep kept
        set per day favourite favorite interested owns owned run runs running assistant answer answers response
        responses reply replies information help project work life time year nutzer benutzer usuario usuaria
        utilisateur utilisatrice utente usuário gebruiker użytkownik пользователь kullanıcı användaren
    """.split()
    for term in terms(word)
)
_NAME = re.compile(
    r"(?<![.!?:]\s)(?<!^)\b[^\W\d_a-z][\w'’&.-]*|\b\w*\d[\w.:,/-]*|\b[a-z]+[A-Z]\w*|\b\w+[_@/]\w[\w./@-]*"
    r"|\b\w+\.[a-z]{2,}\b"
)
_NAME_WEIGHT = 2.5
_LEAST_FOREIGN = 0.5
_CLEARLY = 0.25
_SILENT = 0.2  # below this the user said nothing of the kind
_HINT = 0.34
_LEAST_SAID = 0.3


class Heard(NamedTuple):
    """The sentences of a voice, each as its terms, and whether it speaks of the user."""

    voice: Voice
    sentences: tuple[tuple[frozenset[str], bool], ...]


def own_words(text: str) -> str:
    """A user's message without what they put into it from elsewhere."""
    return "\n".join(part.text for part in parts(text) if part.voice is Voice.USER).strip()


def foreign_words(text: str) -> str:
    """What a user's message has from elsewhere."""
    return "\n".join(part.text for part in parts(text) if part.voice is not Voice.USER).strip()


def telling_terms(text: str) -> set[str]:
    """The terms of a text without those that stand in every fact; all of them, if it has no others."""
    return set(terms(text)) - _FRAME or set(terms(text))


def is_said(term: str, said: frozenset[str]) -> bool:
    """Whether a term, or another form of it, is among others."""
    return term in said or _close(term, said)


def trace(fact: str, messages: Sequence[Message]) -> Voice:
    """Whose words `fact` is. What nobody said is the assistant's."""
    weights = _weights(fact)
    if not weights:
        return Voice.ASSISTANT
    heard = list(_heard(messages))
    said = _said(weights, [piece for piece in heard if piece.voice is Voice.USER])
    voice, read = _best_foreign(weights, [p for p in heard if p.voice not in {Voice.USER, Voice.ASSISTANT}])
    if read >= _LEAST_FOREIGN and read >= said + _CLEARLY:
        return voice
    if said < _SILENT and read >= _HINT:
        return voice
    return Voice.USER if said >= _LEAST_SAID else Voice.ASSISTANT


def _heard(messages: Sequence[Message]) -> Iterator[Heard]:
    """Who speaks in a conversation. What a tool returned is foreign; so is what the assistant says of it."""
    read: Voice | None = None  # what the assistant has before it
    for message in messages:
        if message.role in _NOT_HEARD:
            continue
        if message.role == "assistant":
            yield from _of_assistant(message.text, read)
        elif message.role == "user":
            spoken = _of_user(message.text)
            read = next((piece.voice for piece in spoken if piece.voice is not Voice.USER), None)
            yield from spoken
        else:
            read = _voice_of_tool(message)
            yield Heard(read, _sentences(message.text))


@lru_cache(maxsize=1024)
def _of_user(text: str) -> tuple[Heard, ...]:
    return tuple(Heard(part.voice, _sentences(part.text)) for part in parts(text))


@lru_cache(maxsize=1024)
def _of_assistant(text: str, read: Voice | None) -> tuple[Heard, ...]:
    """What the assistant reports. With something foreign before it, that is all it says but what it says to the user
    about the user: a translation has none of the words of what was read."""
    pieces = [piece for piece in _SENTENCE.split(text) if piece.strip()]
    reported = [
        piece for piece in pieces if _REPORTS.search(piece[:400]) or (read and not _TO_USER.search(piece[:400]))
    ]
    return (Heard(read or Voice.WEB, _sentences("\n".join(reported))),) if reported else ()


def _voice_of_tool(message: Message) -> Voice:
    name = " ".join(str(message.extra[key]) for key in ("name", "tool", "tool_name") if message.extra.get(key))
    name = f"{name} {message.role}"
    if _WEB_TOOL.search(name):
        return Voice.WEB
    return Voice.FILE if _FILE_TOOL.search(name) else Voice.TOOL


@lru_cache(maxsize=1024)
def _sentences(text: str) -> tuple[tuple[frozenset[str], bool], ...]:
    return tuple(
        (frozenset(_terms(piece)), _ABOUT_USER.search(piece) is not None)
        for piece in _SENTENCE.split(text)
        if piece and not piece.isspace()
    )


def _terms(text: str) -> list[str]:
    """Search terms with numbers as digits; the minutes of a full hour tell nothing."""
    text = _CLOCK.sub(_hour, text.casefold())
    return [_NUMBERS.get(term, term) for term in terms(text) if term != "00"]


def _hour(match: re.Match[str]) -> str:
    return f"{int(match[1]) % 12 + (12 if match[2] == 'p' else 0)} "


def _weights(fact: str) -> dict[str, float]:
    """What each term of a fact tells about who said it: names and numbers most, the words of every fact least."""
    names = {term for match in _NAME.findall(fact) for term in _terms(match)}
    found: dict[str, float] = {}
    for term in _terms(fact):
        if term in _FRAME:
            weight = 0.15
        elif not term.isascii() and len(term) <= 2 and not normalise(term).isdigit():
            weight = 0.2 if len(term) == 1 else 0.8
        elif term in names or any(char.isdigit() for char in term):
            weight = _NAME_WEIGHT
        else:
            weight = 0.6 if len(term) <= 3 else 1.0
        found[term] = max(found.get(term, 0.0), weight)
    return found


def _said(weights: dict[str, float], own: Sequence[Heard]) -> float:
    """The share of a fact that the user said: anywhere, and for a half at one place."""
    pairs = [pair for piece in own for pair in _pairs(piece.sentences)]
    everywhere: set[str] = set()
    best = 0.0
    for said, _ in pairs:
        shared = _shared(weights, said)
        everywhere |= shared
        best = max(best, _share(weights, shared))
    return (_share(weights, everywhere) + best) / 2


def _best_foreign(weights: dict[str, float], foreign: Sequence[Heard]) -> tuple[Voice, float]:
    """The foreign voice that says most of a fact at one place. One word in common is no sign, unless it is said there
    of a user."""
    best = (Voice.TOOL, 0.0)
    for piece in foreign:
        for said, about_user in _pairs(piece.sentences):
            shared = _shared(weights, said)
            telling = sum(2 if weights[term] >= _NAME_WEIGHT else 1 for term in shared if weights[term] >= 0.6)
            if telling >= 2 or (telling == 1 and about_user):
                share = _share(weights, shared)
                if share > best[1]:
                    best = (piece.voice, share)
    return best


def _pairs(sentences: Sequence[tuple[frozenset[str], bool]]) -> Iterable[tuple[frozenset[str], bool]]:
    """Each sentence with the one after it."""
    if len(sentences) == 1:
        return sentences
    return [(first | second, about or again) for (first, about), (second, again) in pairwise(sentences)]


def _shared(weights: dict[str, float], said: frozenset[str]) -> set[str]:
    return {term for term, weight in weights.items() if term in said or (weight < _NAME_WEIGHT and _close(term, said))}


def _close(term: str, said: frozenset[str]) -> bool:
    """Another form of the same word: most of it from its beginning."""
    if len(term) < 5 or any(char.isdigit() for char in term):
        return False
    start = term[: max(4, round(len(term) * 0.7))]
    return any(other.startswith(start) and abs(len(other) - len(term)) <= 4 for other in said)


def _share(weights: dict[str, float], shared: Iterable[str]) -> float:
    return sum(weights[term] for term in shared) / sum(weights.values())
