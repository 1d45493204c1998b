"""One linear text classifier for all that the gate guesses: passing states, one-off remarks, commands, prose secrets.

A text is a set of hashed n-grams (words in ones, twos and threes, beginnings and ends of words); a candidate for a
secret is a set of hashed n-grams about one word: its shape, and what stands around it. `classifier.bin` has a weight
for each hash and label, fitted by tools/fit_classifier.py; what is added up are log odds, and 0 is where a rule acts.
Pure, and no list of words: what is known is in the weights.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from commonplace.patterns import LazyPattern

BITS = 18
LABELS = ("passing", "one_off", "instruction", "secret", "value")
LOOKED_AT = 1000  # characters of a text
_MASK = (1 << BITS) - 1
_WIDE = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"  # scripts without spaces: each letter is a word
_PARTS = r"[^\W\d_]+(?:'[^\W\d_]+)*|\d+|[^\w\s]"
_TOKENS, _WIDE_TOKENS = LazyPattern(_PARTS), LazyPattern(rf"[{_WIDE}]|{_PARTS}")
_OPAQUE = re.compile(r"(?<!\S)(?=\S{0,80}[\d_/\\@.:-])\S{16,}")  # addresses, hashes, paths: one neutral word each
_OPAQUE_WORD = "\u2407"
_SHORT, _LONG = 8, 20  # tokens
_LONGEST_NUMBER = 5  # digits that are told apart


class Weights(NamedTuple):
    """The weights of each label, one for each hash, as multiples of its step; and its intercept."""

    rows: dict[str, Sequence[int]]
    steps: dict[str, float]
    intercepts: dict[str, float]

    def logit(self, label: str, features: Iterable[int]) -> float:
        return self.intercepts[label] + self.steps[label] * sum(map(self.rows[label].__getitem__, features))


@cache
def weights() -> Weights:
    """Read at once: 256 kB for each label. The head is a line of JSON."""
    head, _, data = Path(__file__).with_name("classifier.bin").read_bytes().partition(b"\n")
    told = json.loads(head)
    rows = memoryview(data).cast("b")
    return Weights(
        {label: rows[at << BITS : (at + 1) << BITS] for at, label in enumerate(LABELS)},
        dict(zip(LABELS, told["steps"], strict=True)),
        dict(zip(LABELS, told["intercepts"], strict=True)),
    )


def probability(logit: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


def hashed(features: Iterable[str]) -> set[int]:
    return {crc32(feature.encode("utf-8", "surrogatepass")) & _MASK for feature in features}


# -- a whole text ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def features_of_text(text: str) -> frozenset[int]:
    """What is read of a text; of one in another language also its rough English."""
    from commonplace.language.glossing import rough_english

    text = text[:LOOKED_AT]
    found = _grams(text)
    english = rough_english(text)
    if english != text:
        tokens = _tokens(english)
        found.update(tokens)
        found.update(f"{one} {two}" for one, two in pairwise(tokens))
    return frozenset(hashed(found))


def features_of_sentence(text: str) -> set[int]:
    """The same as it stands, for what is asked of every sentence of a long text."""
    return hashed(_grams(text[:LOOKED_AT]))


def _is_narrow(text: str) -> bool:
    """Whether no wide letter can be in a text: the sets of them take longer to compile than most texts to read."""
    return text.isascii() or max(text) < _WIDE[0]


def _tokens(text: str) -> list[str]:
    lower = _OPAQUE.sub(_OPAQUE_WORD, text).lower().replace("’", "'")
    found = (_TOKENS if _is_narrow(text) else _WIDE_TOKENS).findall(lower)
    words = ("0" * min(len(word), _LONGEST_NUMBER) if word[0].isdigit() else word for word in found)
    return ["^", *words, "$"]


def _grams(text: str) -> set[str]:
    tokens = _tokens(text)
    found = set(tokens)
    found.update(f"{one} {two}" for one, two in pairwise(tokens))
    found.update(f"{one} {two} {three}" for one, two, three in zip(tokens, tokens[1:], tokens[2:], strict=False))
    found.add("1" + tokens[1])
    found.add("2" + " ".join(tokens[1:3]))
    for word in tokens:
        if len(word) > 4:
            found.add("-" + word[:4])
            found.add(word[-3:] + "-")
    if len(tokens) < _SHORT:
        found.add("short")
    if len(tokens) > _LONG:
        found.add("long")
    return found


# -- one word of a text, which may be a secret ----------------------------------------------------------------------

_APART = ':=/,;()\\[\\]{}"“”„«»「」『』<>|'  # what stands between words, and is one by itself
_PIECES, _WIDE_PIECES = LazyPattern(rf"[^\s{_APART}]+|\S"), LazyPattern(rf"[{_WIDE}]|[^\s{_WIDE}{_APART}]+|\S")
_BEFORE, _AFTER = "'’`", ".'’`?"  # at the edges of a word, and none of it
_QUOTES = "\"'“„«‘「『`"
_BACK, _AHEAD, _NEAR = 12, 9, 6  # words that are looked at


class Piece(NamedTuple):
    """A word or sign of a text, and how it is compared."""

    start: int
    end: int
    text: str
    norm: str


def pieces(text: str) -> list[Piece]:
    """A text as words and signs. Passwords are one word, with all that is in them."""
    return [
        Piece(start, end, text[start:end], _norm(text[start:end]))
        for found in (_PIECES if _is_narrow(text) else _WIDE_PIECES).finditer(text)
        for start, end in _trimmed(text, *found.span())
    ]


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    last = end
    while end - start > 1 and text[end - 1] in _AFTER:
        end -= 1
    while end - start > 1 and text[start] in _BEFORE:
        start += 1
    yield start, end
    if end < last:
        yield end, last


def _norm(word: str) -> str:
    lower = word.lower().replace("’", "'")
    return "#" + shape(word) if any(map(str.isdigit, lower)) else lower


def shape(word: str) -> str:
    """What a word is made of: how many digits; or digits, letters, signs, and where it has capitals."""
    if word.isdigit():
        return "0" * min(len(word), 8)
    made = "d" * any(map(str.isdigit, word)) + "a" * any(map(str.isalpha, word))
    made += "s" * any(not letter.isalnum() for letter in word.strip("!?"))
    if any(map(str.isupper, word[1:])):
        return made + ("U" if any(map(str.islower, word)) else "C")
    return made + "T" * word[:1].isupper()


def _outline(word: str) -> str:
    """Runs of digits, capitals, small letters and signs, as far as six of them."""
    kinds = ["0" if c.isdigit() else "X" if c.isupper() else "x" if c.isalpha() else "!" for c in word[:40]]
    return "".join(kind for at, kind in enumerate(kinds) if not at or kinds[at - 1] != kind)[:6]


def features_of_piece(text: str, row: Sequence[Piece], at: int) -> set[int]:
    """What is read of one word as a candidate for a secret."""
    piece, made = row[at], shape(row[at].text)
    quoted = "q" if piece.start and text[piece.start - 1] in _QUOTES else ""
    found = ["k" + made + quoted, "s" + _outline(piece.text), f"l{made}{min(len(piece.text), 20) // 3}"]
    if made in {"a", "aT"}:
        found.append("w" + piece.norm)

    def norm(place: int) -> str:
        return row[place].norm if 0 <= place < len(row) else "^" if place < 0 else "$"

    before, after = norm(at - 1), norm(at + 1)
    two = f"{norm(at - 2)} {before}"
    found += ["a" + before, "b" + two, f"c{norm(at - 3)} {two}", "x" + after, f"y{after} {norm(at + 2)}"]
    found += [f"z{after} {norm(at + 2)} {norm(at + 3)}", f"m{before} {after}"]
    found += ["a" + before + made, "b" + two + made, "x" + after + made]
    found += [f"d{min(at, 6)}", f"e{min(len(row) - 1 - at, 4)}"]
    for place in range(max(0, at - _BACK), at):
        found += _beside("L", row, place, at, made)
        if place < at - 1 and at - place <= _NEAR:
            found.append(f"p{at - place}{row[place].norm}")
    for place in range(at + 1, min(len(row), at + 1 + _AHEAD)):
        found += _beside("R", row, place, len(row), made)
    return hashed(found)


def _beside(side: str, row: Sequence[Piece], place: int, end: int, made: str) -> Iterator[str]:
    word = row[place].norm
    wide = _is_wide(word)
    if len(word) > 1 or wide:
        yield side + word
        yield side + made + word
    if wide and place + 1 < end:
        yield f"{side}2{word}{row[place + 1].norm}"


def _is_wide(word: str) -> bool:
    return word[0] >= "\u0e00" and re.match(f"[{_WIDE}]", word) is not None
