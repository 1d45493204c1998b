"""Turn text into search terms, for every script.

One function matters, :func:`terms`.  It is used for chunks and for queries alike, so that both
sides always agree.  Rules:

* NFKC, then case, accents and optional vowel points are folded (``Café`` and ``CAFE`` meet);
* Latin words lose English stop words and are stemmed (Porter 1980);
* identifiers are kept whole and also split (``parseConfig2`` -> itself, ``pars``, ``config2``, ``config``);
* scripts written without spaces (Han, kana, hangul, Thai, Lao, Khmer, Burmese) become
  character unigrams and bigrams: no dictionary, no wrong word boundary.
"""

import re
import unicodedata
from functools import lru_cache

from commonplace.patterns import LazyPattern

STOP_WORDS = frozenset(
    """
    a about above after again against all also am an and any are aren as at be because been before being below between
    both but by can cannot could couldn d did didn do does doesn doing don down during each else few for from further
    get gets getting go goes going gone got had hadn has hasn have haven having he her here hers herself him himself his
    how i if in into is isn it its itself just let ll m me more most mustn my myself no nor not now of off on once only
    or other ought our ours ourselves out over own re s same shan she should shouldn so some such t than that the their
    theirs them themselves then there these they this those through to too under until up us ve very was wasn we were
    weren what when where which while who whom whose why will with won would wouldn yes yet you your yours yourself
    yourselves
    """.split()
)

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\U00020000-\U0003ffff"
)
# Vowel signs of Indic scripts are not \w in Python, but they are part of the word.
_MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u0dff"
_RUN = LazyPattern(
    f"[{_UNSPACED}]+|[^\\W{_UNSPACED}][^\\W{_UNSPACED}{_MARKS}]*(?:[{_MARKS}]+[^\\W{_UNSPACED}{_MARKS}]*)*"
)
_UNSPACED_START = LazyPattern(f"[{_UNSPACED}]")
_FIRST_UNSPACED = "\u0e00"
# Where no such letter or mark stands a run is simply a word, and the large sets above need not be compiled.
_EASY = re.compile("[\0-\u02ff\u0370-\u0482]*")
_WORD = re.compile(r"\w+")
_ACCENTS = LazyPattern("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1-\u05c7\u0640\u064b-\u065f\u0670]+")
_PART = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+|[^\W\dA-Za-z_]+")
_LONGEST_CACHED = 64
_COMPOUND = re.compile(r"[^\W_]_[^\W_]|[a-z][A-Z]|[A-Z]{2}[a-z]|[^\W\d_]\d|\d[^\W\d_]")


def normalise(text: str) -> str:
    """NFKC without accents, nor the points and stretches of Hebrew and Arabic, which mostly go unwritten; marks that
    other scripts spell with stay."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", _ACCENTS.sub("", decomposed))


def _runs(text: str) -> list[str]:
    return (_WORD if text.isascii() or _EASY.fullmatch(text) else _RUN).findall(text)


def _is_unspaced(run: str) -> bool:
    return run >= _FIRST_UNSPACED and _UNSPACED_START.match(run) is not None


@lru_cache(maxsize=65_536)
def _terms_of_short_run(run: str) -> tuple[str, ...]:
    """Cached, because text repeats its words."""
    return _terms_of_run(run)


def _terms_of_run(run: str) -> tuple[str, ...]:
    """Terms of one run of letters."""
    if _is_unspaced(run):
        return tuple(run) + tuple(run[start : start + 2] for start in range(len(run) - 1))
    whole = _term_of_word(run)
    if not _COMPOUND.search(run):
        return whole
    parts = [form for part in _PART.findall(run) for form in dict.fromkeys((part, part.rstrip("0123456789")))]
    pieces = [term for part in parts if len(part) > 1 for term in _term_of_word(part) if term not in whole]
    return whole + tuple(pieces)


def _term_of_word(word: str) -> tuple[str, ...]:
    """The stem of one word, or nothing for a stop word."""
    folded = word.casefold().strip("_")
    if not folded or folded in STOP_WORDS:
        return ()
    return (stem(folded),) if folded.isascii() and folded.isalpha() else (folded,)


def terms(text: str) -> list[str]:
    """All search terms of a text, in order, repeats included."""
    return [
        term
        for run in _runs(normalise(text))
        for term in (_terms_of_short_run(run) if len(run) <= _LONGEST_CACHED else _terms_of_run(run))
    ]


def words(text: str) -> set[str]:
    """The words of a text as they are but for case, accents and punctuation, for telling whether two say the same;
    pairs of characters where there are no spaces."""
    runs = _runs(normalise(text).casefold())
    if text.isascii():
        return set(runs)
    found: set[str] = set()
    for run in runs:
        found |= {run[at : at + 2] for at in range(max(len(run) - 1, 1))} if _is_unspaced(run) else {run}
    return found


def is_latin(text: str) -> bool:
    """Whether most letters are those that English is written with."""
    if text.isascii():
        return True
    letters = [letter for letter in text if letter.isalpha()]
    return sum(letter.isascii() for letter in letters) * 2 >= len(letters)


# -- the Porter stemmer, as Porter's own reference program has it: words of one or two letters are left alone, ``bli``
# -- becomes ``ble`` and ``logi`` becomes ``log`` in step 2 ------------------------------------------------------------

_STEP_2 = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("bli", "ble"),
    ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"),
    ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"),
    ("iviti", "ive"), ("biliti", "ble"), ("logi", "log"),
)  # fmt: skip
_STEP_3 = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""),
)  # fmt: skip
_ENDINGS_2 = tuple(old for old, _ in _STEP_2)
_ENDINGS_3 = tuple(old for old, _ in _STEP_3)
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
)  # fmt: skip


def _shape(word: str) -> str:
    """Spell a word as c(onsonant) and v(owel); y is a vowel after a consonant."""
    shape = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and shape[-1:] == "c")
        shape += "v" if vowel else "c"
    return shape


def _vowel_groups(word: str) -> int:
    """How often a vowel is followed by a consonant: Porter's m."""
    return _shape(word).count("vc")


def _has_vowel(word: str) -> bool:
    return "v" in _shape(word)


def _ends_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _shape(word)[-1] == "c"


def _ends_cvc(word: str) -> bool:
    return _shape(word)[-3:] == "cvc" and word[-1] not in "wxy"


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _past_or_gerund(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _vowel_groups(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        if word.endswith(ending) and _has_vowel(word[: -len(ending)]):
            return _restore(word[: -len(ending)])
    return word


def _restore(word: str) -> str:
    """Repair the end of a word that lost -ed or -ing."""
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if _ends_double(word) and word[-1] not in "lsz":
        return word[:-1]
    return word + "e" if _vowel_groups(word) == 1 and _ends_cvc(word) else word


def _with_new_ending(word: str, rules: tuple[tuple[str, str], ...], endings: tuple[str, ...]) -> str:
    """Apply the rule of the longest matching ending, if enough word remains."""
    if not word.endswith(endings):
        return word
    matching = [(old, new) for old, new in rules if word.endswith(old)]
    old, new = max(matching, key=lambda rule: len(rule[0]))
    rest = word[: -len(old)]
    return rest + new if _vowel_groups(rest) > 0 else word


def _without_ending(word: str) -> str:
    if not word.endswith(_STEP_4):
        return word
    endings = [ending for ending in _STEP_4 if word.endswith(ending)]
    ending = max(endings, key=len)
    rest = word[: -len(ending)]
    allowed = ending != "ion" or rest.endswith(("s", "t"))
    return rest if allowed and _vowel_groups(rest) > 1 else word


def _tidy(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        if _vowel_groups(rest) > 1 or (_vowel_groups(rest) == 1 and not _ends_cvc(rest)):
            word = rest
    if _ends_double(word) and word[-1] == "l" and _vowel_groups(word) > 1:
        word = word[:-1]
    return word


def stem(word: str) -> str:
    """Stem one lower-case ASCII word."""
    if len(word) <= 2:
        return word
    word = _past_or_gerund(_plural(word))
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    return _tidy(_without_ending(_with_new_ending(_with_new_ending(word, _STEP_2, _ENDINGS_2), _STEP_3, _ENDINGS_3)))
