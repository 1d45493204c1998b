"""What a text says besides its words: by signs (-18, C#, ≤, 👍, a question mark) and by the order of the words. Pure.

A rewording may choose other words, but it has no reason to lose a sign, and none to say the same words in another
order: who is older than whom is told by nothing else.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, pairwise

from commonplace.language import STOP_WORDS
from commonplace.language.wording import SMALL_SIGNS, stem_of

_SAME_SIGNS = str.maketrans({"−": "-", "–": "-", "≦": "≤", "≧": "≥"})
_AS_UNITS = frozenset("°")  # units are compared as such
_MINUS = re.compile(r"(?:(?<![^\s(\[=<>≤≥±~])|(?:UTC|GMT)\s?)-(?=\d)", re.IGNORECASE)
_AFTER = re.compile(r"(?<=[^\W_])[#-]+(?![^\s,.;:)\]])")
_QUESTION = re.compile(r"[?？؟](?=[\s\"')»”]|$)")
_FRACTION = re.compile(r"(?<![\w/])\d+\s?/\s?\d+(?![\w/])")
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff]|[^\s,;:!?()\[\]{}\"“”„«»，。、；：！？（）「」]+"
)
_OWNER = re.compile(r"(?<![^\W\d_])([^\W\d_]+)(?:['’]s|(?<=s)['’])\s+([^\W\d_]+)")
_OF = frozenset("of by from for von de du des di da do van от".split())
_VERBS = frozenset(
    "is are was has lives works likes loves hates prefers uses wants plays speaks owns eats drinks drives needs enjoys"
    " studies reads lebt wohnt arbeitet mag hat ist".split()
)
_NOBODY = frozenset(map(stem_of, "user now new actually currently also always usually still often recently".split()))
_LONGEST_SUBJECT = 6
_MARK = re.compile(r"\b(?:[A-Z]\w+|\d[\w.:]*)")
_LABEL = re.compile(r"(?<=\s)(?!I\b)[A-Z](?![\w'’])")
_JOIN = "(?:and|or|und|oder|et|ou|y|o|e)"
_LIST = re.compile(rf"\b\w{{1,60}}(?:, \w{{1,60}}){{1,30}},? {_JOIN} \w+|(?<![^\W\d_])[^\W\d_]+ {_JOIN} [^\W\d_]+")
_MOST_WORDS = 120
_POSSESSIVE = re.compile(r"['’]s?$")


@lru_cache(maxsize=4096)
def signs(text: str) -> Counter[str]:
    """The signs that mean something, as often as they stand there."""
    plain = text.translate(_SAME_SIGNS)
    found = Counter(char for char in plain if _means_something(char))
    found.update("-" for _ in _MINUS.finditer(plain))
    found.update(f"{match[0]} after a word" for match in _AFTER.finditer(plain))
    found.update(match[0].replace(" ", "") for match in _FRACTION.finditer(plain))
    return found


def asks(text: str) -> bool:
    """Whether it is a question."""
    return _QUESTION.search(text) is not None


def exchanged(new: str, old: str) -> bool:
    """Whether `new` is `old` with two of its parts in each other's place, around something that stays."""
    if _exchange(_words(new), _words(old)) or _exchange(_stems(new), _stems(old)):
        return not _listed(new) or _without_list(new) != _without_list(old) or _listed(new) != _listed(old)
    return False


def _listed(text: str) -> list[str]:
    """The members of a list; their order says nothing."""
    found = _LIST.search(text)
    return sorted(_words(found[0])) if found else []


def _without_list(text: str) -> tuple[str, ...]:
    return _words(_LIST.sub(" ", text, count=1))


def entangled(new: str, olds: Sequence[str]) -> bool:
    """Whether names or numbers of one of several texts have changed places, or what one says stands in the middle of
    what another says in the same form (Ana's is on 9 June and Ben's on 3 May)."""
    order = _stems(new)
    for old in olds:
        marks = tuple(dict.fromkeys(map(stem_of, _MARK.findall(old))))
        frame = [stem for stem in dict.fromkeys(_stems(old)) if stem in order]
        now = tuple(sorted(frame, key=order.index))
        moved = {one for one, other in zip(now, frame, strict=True) if one != other}
        if moved <= set(marks) and _exchange(now, tuple(frame)):
            return True
        if _moved_over(order, _stems(old), {stem for other in olds if other != old for stem in _stems(other)}):
            return True
    spans = [_spans(order, one, other) for one, other in combinations(olds, 2)]
    return any(_inside(*pair) for pair in spans if pair)


def _moved_over(order: tuple[str, ...], mine: tuple[str, ...], theirs: set[str]) -> bool:
    """Whether what stood behind a word of its own now stands behind one of another's, before that word."""
    for first, second in pairwise(mine):
        if {first, second}.isdisjoint(theirs) and first in order and second in order:
            at = order.index(second)
            if at and order[at - 1] in theirs - set(mine) and order.index(first) > at:
                return True
    return False


def _spans(order: tuple[str, ...], one: str, other: str) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """From where to where each of two texts that differ only in their values has these in a third one."""
    first, second = _stems(one), _stems(other)
    if len(first) != len(second):
        return None
    values = [pair for pair in zip(first, second, strict=True) if pair[0] != pair[1]]
    if not 1 < len(values) < len(first) or any(stem not in order for pair in values for stem in pair):
        return None
    places = [[order.index(pair[side]) for pair in values] for side in (0, 1)]
    return (min(places[0]), max(places[0])), (min(places[1]), max(places[1]))


def _inside(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[0] < other[1] < one[1] or other[0] < one[0] < one[1] < other[1]


def subjects(one: str, other: str) -> tuple[frozenset[str], frozenset[str]]:
    """Whom or what two texts are about, as far as it stands before a verb that both have; nobody: the user."""
    first, second = one.casefold().split(), other.casefold().split()
    for at, word in enumerate(first[:_LONGEST_SUBJECT]):
        if word in _VERBS and word in second[:_LONGEST_SUBJECT]:
            heads = (first[:at], second[: second.index(word)])
            if any(not piece.replace("'", "").replace("’", "").isalnum() for head in heads for piece in head):
                break
            return (_subject(heads[0]), _subject(heads[1]))
    return frozenset(), frozenset()


def new_subject(new: str, old: str) -> bool:
    """Whether `old` begins with what is done, and in `new` one of the words behind it has come before it to do it."""
    now, then = new.casefold().split(), old.casefold().split()
    at = now.index(then[0]) if then and then[0] in now else 0
    return at > 0 and now[at - 1] not in STOP_WORDS and now[at - 1] in then[1:]


def _subject(words: Sequence[str]) -> frozenset[str]:
    return frozenset(_stems(" ".join(words))) - _NOBODY


def labels(text: str) -> frozenset[str]:
    """Single letters that tell things of a kind apart: server A, plan B."""
    return frozenset(_LABEL.findall(text))


def owners(new: str, old: str) -> list[str]:
    """What has an owner in `new` (Anna's dog) and not in `old`, be it said at length (the dog of Anna)."""
    words = _words(old)
    known = set(_owned(old))
    for at, word in enumerate(words):
        if word in _OF:
            near = [(owner, owned) for owner in words[at + 1 : at + 4] for owned in words[max(at - 4, 0) : at]]
            known.update(near)
    return [f"{owner}'s {owned}" for owner, owned in _owned(new) if (owner, owned) not in known]


def _owned(text: str) -> list[tuple[str, str]]:
    return [(owner.casefold(), owned.casefold()) for owner, owned in _OWNER.findall(text)]


def _exchange(new: tuple[str, ...], old: tuple[str, ...]) -> bool:
    if new == old or len(new) > _MOST_WORDS or Counter(new) != Counter(old):
        return False
    if sum(len(word) == 1 for word in new) * 2 > len(new):
        return True  # a script without spaces: which characters are parts cannot be told
    start = next(at for at, pair in enumerate(zip(new, old, strict=True)) if pair[0] != pair[1])
    end = next(at for at in range(len(new), 0, -1) if new[at - 1] != old[at - 1])
    new, old = new[start:end], old[start:end]
    count = len(new)
    return any(
        new == old[-last:] + old[first:-last] + old[:first]
        for last in range(1, count - 1)
        if old[-last] == new[0]
        for first in range(1, count - last)
    )


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    found = (_POSSESSIVE.sub("", word.strip(".'’`*_").casefold()) for word in _WORD.findall(text))
    return tuple(word for word in found if word)


@lru_cache(maxsize=4096)
def _stems(text: str) -> tuple[str, ...]:
    return tuple(stem_of(word) for word in _words(text) if word not in STOP_WORDS and word not in SMALL_SIGNS)


def _means_something(char: str) -> bool:
    """Signs of reckoning, symbols and pictures; raised and other numbers that are no digits; `^` raises one."""
    if char.isascii():
        return char in "<>=+~|^"
    return unicodedata.category(char) in {"Sm", "So", "No"} and char not in _AS_UNITS
