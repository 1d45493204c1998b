"""Secrets told in prose: the classifier guesses which sentence tells one, and which of its words. Only a guess: what is
found here is never taken out of what the user wrote."""

import re
from collections.abc import Iterator

from commonplace.gate.classifier import features_of_piece, features_of_sentence, pieces, weights
from commonplace.gate.secretvalues import is_placeholder

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


def guessed(text: str) -> Iterator[tuple[int, int]]:
    """Where secrets seem to stand."""
    for start, end in _sentences(text):
        sentence = text[start:end]
        odds = weights().logit("secret", features_of_sentence(sentence))
        if odds > _WORTH_A_LOOK:
            found = _in_sentence(sentence, _SENTENCE * odds)
            yield from ((start + first, start + last) for first, last in found if last - first <= _LONGEST_SECRET)


def _in_sentence(sentence: str, odds: float) -> Iterator[tuple[int, int]]:
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
