"""Secrets in a text: what is certain, by its shape or by the word beside it; and what is only guessed from the prose.

`redact` takes out what is certain, for all that is stored. `mask` hides what is guessed as well, for what is indexed,
recalled or sent to a model: a wrong guess costs nothing there, for the file keeps the words. In the place of a secret
stands a mark that names its kind, never a part of it.

Shapes are in `secretshapes`. Here is what is named as a secret right beside its value (`password: …`, "the PIN is …";
the words that name one are data, `keywords.tsv`): what nobody writes in prose behind a colon or an equals sign is a
secret for sure, any other value only if the classifier holds it for one as well. And what is told in prose, of which
the classifier guesses the sentence and the words.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple, TypeVar, cast

from commonplace.gate.secretvalues import is_made, is_measure, is_placeholder, is_plausible
from commonplace.patterns import LazyPattern

_T = TypeVar("_T")

GUESS = "possible secret"
_ROUNDS = 4
_PART, _SHARED = 4_000, 500  # a long text is gone through in parts that overlap, so that no pattern looks further
_MARK = re.compile(r"\[(?:secret removed: [A-Za-z0-9][A-Za-z0-9 &.'-]{1,40}|possible secret hidden)\]")
_CLOSER = re.compile(r"\[(?:secret removed: |possible secret)")


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a secret stands in a text, and what it is. What is not `certain` is a guess."""

    kind: str
    start: int
    end: int
    certain: bool = True


def find_secrets(text: str) -> list[Secret]:
    """The secrets in a text, in order, none of them touching another. What was taken out already is none."""
    return _found_in(text, guessing=True)


def redact(text: str) -> str:
    """The text with a mark in the place of each secret that is certain. Doing it again changes nothing."""
    return _without(text, _certain_ones)


def mask(text: str) -> str:
    """The text with a mark in the place of each secret, certain or guessed. Doing it again changes nothing."""
    return _without(text, find_secrets)


def redact_nested(value: _T) -> _T:
    """`redact` for a JSON-like value: for every text in it, and for texts whose key names a secret."""
    return cast(_T, _nested(value, "", redact))


def mask_nested(value: _T) -> _T:
    """`mask` for a JSON-like value."""
    return cast(_T, _nested(value, "", mask))


def mark(kind: str) -> str:
    return "[possible secret hidden]" if kind == GUESS else f"[secret removed: {kind}]"


def _nested(value: object, name: str, clean: Callable[[str], str]) -> object:
    if isinstance(value, str):
        cleaned = clean(value)
        return mark("named secret") if name and cleaned == value and _is_named_secret(name, value) else cleaned
    if isinstance(value, Mapping):
        pairs = cast(Mapping[object, object], value).items()
        return {_nested(key, "", clean): _nested(inner, str(key), clean) for key, inner in pairs}
    if isinstance(value, list | tuple):
        return [_nested(inner, name, clean) for inner in cast(Sequence[object], value)]
    return value


def _is_named_secret(name: str, value: str) -> bool:
    """Whether a text is a secret because of the name that it has in a table."""
    if len(name) > 64 or len(value) > 200 or "\n" in value or '"' in value:
        return False
    return bool(_certain_ones(f'{name}: "{value}"'))


def _without(text: str, secrets_in: Callable[[str], Sequence[Secret]]) -> str:
    for _ in range(_ROUNDS):
        found = secrets_in(text)
        if not found:
            return text
        parts: list[str] = []
        at = 0
        for secret in found:
            parts += (text[at : secret.start], mark(secret.kind))
            at = secret.end
        text = "".join((*parts, text[at:]))
    # Taking one out shows the next, again and again: nobody writes like that by accident.
    return mark("text full of secrets") if secrets_in(text) else text


def _certain_ones(text: str) -> list[Secret]:
    """Not read for guesses, where nothing that is certain depends on one: that is nearly all of what a text costs."""
    return _found_in(text, guessing=False)


def _found_in(text: str, *, guessing: bool) -> list[Secret]:
    return list(_found(text, guessing=guessing)) if len(text) <= _PART else _scanned(text, guessing=guessing)


@lru_cache(maxsize=1024)
def _found(text: str, *, guessing: bool) -> tuple[Secret, ...]:
    """One text is asked about several times in a save."""
    return tuple(_scanned(text, guessing=guessing))


def _scanned(text: str, *, guessing: bool) -> list[Secret]:
    if _CLOSER.search(text):
        text = _MARK.sub(lambda found: "\n" * len(found.group()), text)
    merged: list[Secret] = []
    for secret in sorted(_everywhere(text, guessing=guessing), key=lambda one: (one.start, not one.certain)):
        if merged and secret.start < merged[-1].end:
            merged[-1] = _joined(merged[-1], secret)
        else:
            merged.append(secret)
    return merged


def _joined(one: Secret, other: Secret) -> Secret:
    """Two that touch. A guess adds nothing to what is certain: the words beside a secret stay."""
    if one.certain != other.certain:
        return one if one.certain else other
    kind = min(one.kind, other.kind, key=lambda kind: {"API key": 1, "key or token": 2}.get(kind, 0))
    return Secret(kind, one.start, max(one.end, other.end), one.certain)


def _everywhere(text: str, *, guessing: bool) -> Iterator[Secret]:
    @cache
    def guesses() -> list[tuple[int, int]]:
        return list(_guessed(text))

    for start, end in _parts(text):
        yield from _certain(text[start:end], start, guesses)
    if guessing:
        yield from (Secret(GUESS, start, end, certain=False) for start, end in guesses())


def _certain(part: str, offset: int, guesses: Callable[[], Sequence[tuple[int, int]]]) -> Iterator[Secret]:
    from commonplace.gate.secretshapes import shaped

    yield from (Secret(kind, offset + start, offset + end) for kind, start, end in shaped(part))
    for keyed in _keyed_values(part):
        start, end = offset + keyed.start, offset + keyed.end
        if keyed.is_sure or any(start < last and first < end for first, last in guesses()):
            yield Secret(keyed.kind, start, end)


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """Parts of a long text that end between words and share some."""
    start = 0
    while start < len(text):
        end = min(start + _PART, len(text))
        if end < len(text):
            end = max(text.rfind("\n", start + _PART // 2, end), text.rfind(" ", end - _SHARED, end)) + 1 or end
        yield start, end
        if end == len(text):
            return
        shared = max(end - _SHARED, start + 1)
        start = max(text.find("\n", shared, end), text.find(" ", shared, end)) + 1 or shared


# -- a value beside a word that names it a secret ---------------------------------------------------------------------

_GAP = r"(?:[ \t]+[^\s:=.;,!?]{1,24}){0,6}?"  # "for the NAS at home"
_QUOTE = "\"'`“„«‘「『"
_IS = (
    r"is|was|are|=|ist|lautet|war|es|era|est|é|è|to|jest|är|er|on|это|—|–|-|是|为|は|：|는|은|هي|है"
    r"|changed to|set to|became|reads"
)
_VALUE = (
    r"(?:[\"“„«「『`](?P<quoted>[^\"”“»」』`\n]{3,100})[\"”“»」』`]|'(?P<single>[^'\n]{3,100})'"
    rf"|(?P<bare>[^\s{_QUOTE}]{{3,200}}))"
)


class _Keyed(NamedTuple):
    """A value beside a word that names it a secret; `is_sure`: without asking anybody."""

    kind: str
    start: int
    end: int
    is_sure: bool


@cache
def _words() -> dict[str, str]:
    """What each word names."""
    lines = Path(__file__).with_name("keywords.tsv").read_text("utf-8").splitlines()[1:]
    return {word: kind for kind, words in (line.split("\t") for line in lines) for word in words.split("¦")}


def _any_word() -> str:
    return "|".join(re.escape(word) for word in sorted(_words(), key=len, reverse=True))


_WORD = LazyPattern(_any_word)
_BEHIND = LazyPattern(
    rf"(?P<name>[\w.-]{{0,30}}[\"'`]?[\]\)]?)"
    rf"(?:(?P<direct>[ \t]{{0,3}}(?::=|=>|->|→|[:=：])[ \t]{{0,3}})"
    rf"|(?P<gap>{_GAP})[ \t]{{0,2}}(?:\b(?:{_IS})\b|[：是は는은])[ \t]{{0,2}}|[ \t]{{1,2}})"
    rf"{_VALUE}"
)
_DRAWN_KIND = "key or token"
_DRAWN = 20  # characters of a value that only a machine makes up
_OF_NOBODY = LazyPattern(r"(?i)\b(?:id|hash|public|publishable|fingerprint|prefix|called|named)\b")
_TRAILING = ".,;:)]}»”"


def _keyed_values(text: str) -> Iterator[_Keyed]:
    """The values that stand beside a word for a secret."""
    low = text.lower()
    if len(low) != len(text):
        return
    end = 0
    for word in _WORD.finditer(low):
        before = low[word.start() - 1 : word.start()]
        within = before.isascii() and before.isalpha() and word.group().isascii()
        if word.start() < end or (within and not _is_code(text, word)):
            continue
        found = _BEHIND.match(text, word.end())
        if found is None:
            continue
        name = "quoted" if found["quoted"] else "single" if found["single"] else "bare"
        start, last = found.span(name)
        if name == "bare":
            last = start + len(text[start:last].rstrip(_TRAILING)) or last
        value = text[start:last]
        kind = _words()[word.group()]
        if len(value) < 3 or is_placeholder(value) or is_measure(value) or (kind == _DRAWN_KIND and value.isdigit()):
            continue
        if found["gap"] and not is_made(value):
            continue  # too far from its name to be sure of a number or a plain word
        yield _Keyed(kind, start, last, _is_sure(kind, value, None if found["direct"] else found["gap"] or ""))
        end = start


def _is_code(text: str, word: re.Match[str]) -> bool:
    """Whether a word is the end of a longer name in code: dbPassword, MYSQL_PWD."""
    return text[word.start()].isupper() or text[word.start() - 1] in "_-."


def _is_sure(kind: str, value: str, between: str | None) -> bool:
    """Whether nobody writes such a value but as a secret; `between` are words that stand before it, None if a sign
    joins it to its name."""
    if kind == _DRAWN_KIND:
        drawn = any(map(str.isdigit, value)) and is_plausible(value)
        if between is not None:
            return drawn and len(value) >= _DRAWN and not _OF_NOBODY.search(between)
        return drawn and len(value) >= 8
    if between is not None:
        return False
    if kind == "password":
        return len(value) >= 5 and is_made(value)
    return value.isdigit() and len(value) >= 3


# -- secrets told in prose --------------------------------------------------------------------------------------------

_SENTENCE = 0.5  # what the sentence adds to a word (tools/fit_classifier.py)
_WORTH_A_LOOK = -7.0
_END = re.compile(r"(?<=[.!?。！？])\s+|\n")
_SHORTEST, _LONGEST = 100, 400  # characters that are read together
_NO_PROSE = re.compile(  # addresses, hashes, dates, our own marks
    r"\S{0,80}://\S{1,2000}|\b(?:sha\d{1,3}|md5)[:-]\w{12,}|\b\d{4}-\d\d-\d\d(?:T[\d:.]{4,20}Z?)?"
    r"|<!-- commonplace [^>\n]{0,300}>"
)
_LONGEST_SECRET = 200  # characters; what is longer is a list of names, or no prose
_NEAR = 3  # characters between two words of one secret


def _guessed(text: str) -> Iterator[tuple[int, int]]:
    """Where secrets seem to stand."""
    from commonplace.gate.classifier import features_of_sentence, weights

    for start, end in _sentences(text):
        sentence = text[start:end]
        odds = weights().logit("secret", features_of_sentence(sentence))
        if odds > _WORTH_A_LOOK:
            found = _in_sentence(sentence, _SENTENCE * odds)
            yield from ((start + first, start + last) for first, last in found if last - first <= _LONGEST_SECRET)


def _in_sentence(sentence: str, odds: float) -> Iterator[tuple[int, int]]:
    from commonplace.gate.classifier import features_of_piece, pieces, weights

    row = pieces(sentence)
    if sum(any(map(str.isalnum, piece.text)) for piece in row) < 2:
        return  # a word alone tells nothing
    apart = [found.span() for found in _NO_PROSE.finditer(sentence)]
    known, begin, end = weights(), -1, -1
    for at, piece in enumerate(row):
        if not any(map(str.isalnum, piece.text)) or is_placeholder(piece.text):
            continue
        if any(first <= piece.start < last for first, last in apart):
            continue
        if known.logit("value", features_of_piece(sentence, row, at)) + odds <= 0:
            continue
        if begin >= 0 and piece.start - end > _NEAR:
            yield begin, end
            begin = -1
        begin, end = (piece.start if begin < 0 else begin), piece.end
    if begin >= 0:
        yield begin, end


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """A text in stretches: short sentences together, long ones cut."""
    start = 0
    for end in (*(found.end() for found in _END.finditer(text)), len(text)):
        if end < len(text) and end - start < _SHORTEST and text[end - 1] != "\n":
            continue
        while end - start > _LONGEST:
            cut = text.rfind(" ", start + _LONGEST // 2, start + _LONGEST) + 1 or start + _LONGEST
            yield start, cut
            start = cut
        if end > start:
            yield start, end
        start = end
