"""The tokeniser of BERT-like models: clean, fold, split at spaces and punctuation, then greedy word pieces.

Written here because the usual library brings a network client and ten more packages with it, and takes longer to
load than the whole vocabulary. Tests compare it with that library.
"""

import unicodedata
from functools import cache, lru_cache
from pathlib import Path

_LONGEST_WORD = 100
_CJK = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class _Clean(dict[int, str | None]):
    """Control characters go, white space becomes a space, ideographs stand alone."""

    def __missing__(self, code: int) -> str | None:
        char = chr(code)
        if char in "\t\n\r" or unicodedata.category(char) == "Zs":
            new: str | None = " "
        elif code in {0, 0xFFFD} or unicodedata.category(char) in {"Cc", "Cf", "Co"}:
            new = None
        else:
            new = f" {char} " if any(low <= code <= high for low, high in _CJK) else char
        self[code] = new
        return new


class _Fold(dict[int, str | None]):
    """After decomposition: accents and capitals go, punctuation stands alone. Letter by letter: a whole text in lower
    case has another sigma at the end of a word, which the vocabulary does not know."""

    def __missing__(self, code: int) -> str | None:
        char = chr(code)
        category = unicodedata.category(char)
        is_ascii_symbol = code < 128 and not char.isalnum() and not char.isspace() and category[0] != "C"
        if category == "Mn":
            new: str | None = None
        else:
            new = f" {char} " if is_ascii_symbol or category[0] == "P" else char.lower()
        self[code] = new
        return new


class WordPiece:
    """Text to token ids, as BERT's uncased vocabulary has them."""

    def __init__(self, vocabulary: Path, *, longest: int) -> None:
        self._ids = _ids(vocabulary)
        self._start, self._end, self._unknown = (self._ids[name] for name in ("[CLS]", "[SEP]", "[UNK]"))
        self._longest = longest
        self._clean, self._fold = _Clean(), _Fold()
        self._pieces = lru_cache(maxsize=32768)(self._split)

    def encode(self, text: str) -> list[int]:
        """The ids with start and end mark; what is beyond the model's window is left off."""
        room = self._longest - 2
        ids: list[int] = []
        for word in self._words(text):
            ids += self._pieces(word)
            if len(ids) >= room:
                break
        return [self._start, *ids[:room], self._end]

    def _words(self, text: str) -> list[str]:
        decomposed = unicodedata.normalize("NFD", text.translate(self._clean))
        return decomposed.translate(self._fold).split()

    def _split(self, word: str) -> tuple[int, ...]:
        if len(word) > _LONGEST_WORD:
            return (self._unknown,)
        ids: list[int] = []
        start = 0
        while start < len(word):
            prefix = "##" if start else ""
            for end in range(len(word), start, -1):
                id = self._ids.get(prefix + word[start:end])
                if id is not None:
                    ids.append(id)
                    start = end
                    break
            else:
                return (self._unknown,)
        return tuple(ids)


@cache  # two models have the same words
def _ids(vocabulary: Path) -> dict[str, int]:
    words = vocabulary.read_text(encoding="utf-8").split("\n")
    return {word: id for id, word in enumerate(words) if word}
