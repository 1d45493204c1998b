"""The Porter stemmer (Porter 1980), small enough to read.

Deviations are those of Porter's own reference program: words of one or two letters are left
alone, ``bli`` -> ``ble`` and ``logi`` -> ``log`` in step 2.
"""

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


def _measure(word: str) -> int:
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
        return word[:-1] if _measure(word[:-3]) > 0 else word
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
    return word + "e" if _measure(word) == 1 and _ends_cvc(word) else word


def _replace(word: str, rules: tuple[tuple[str, str], ...], endings: tuple[str, ...]) -> str:
    """Apply the rule of the longest matching ending, if enough word remains."""
    if not word.endswith(endings):
        return word
    matching = [(old, new) for old, new in rules if word.endswith(old)]
    old, new = max(matching, key=lambda rule: len(rule[0]))
    rest = word[: -len(old)]
    return rest + new if _measure(rest) > 0 else word


def _strip(word: str) -> str:
    if not word.endswith(_STEP_4):
        return word
    endings = [ending for ending in _STEP_4 if word.endswith(ending)]
    ending = max(endings, key=len)
    rest = word[: -len(ending)]
    allowed = ending != "ion" or rest.endswith(("s", "t"))
    return rest if allowed and _measure(rest) > 1 else word


def _tidy(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        if _measure(rest) > 1 or (_measure(rest) == 1 and not _ends_cvc(rest)):
            word = rest
    if _ends_double(word) and word[-1] == "l" and _measure(word) > 1:
        word = word[:-1]
    return word


def stem(word: str) -> str:
    """Stem one lower-case ASCII word."""
    if len(word) <= 2:
        return word
    word = _past_or_gerund(_plural(word))
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    return _tidy(_strip(_replace(_replace(word, _STEP_2, _ENDINGS_2), _STEP_3, _ENDINGS_3)))
