"""Forms that tell more than the words in them: a preference turned round, another value of what one has only one of,
one more of what one has many of, and texts that say next to nothing. Pure."""

import re
from itertools import pairwise, takewhile

from commonplace.gate.polarity import NEGATIONS, negations
from commonplace.terms import STOP_WORDS, terms
from commonplace.terms.kinship import kinship, row_of

_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_TURNS = frozenset("over than instead rather before after not vs versus lieber statt als plutôt que antes".split())
_LITTLE_OPPOSITES = [
    set(pair.split())
    for pair in "before after|on off|over under|above below|in out|into out|inside outside|up down|more less|more fewer"
    "|most least|with without|since until".split("|")
]
_ONE_ONLY = frozenset(
    """
    favourite favorite preferred primary main default current full first last middle nick given maiden
    name nickname surname birthday anniversary birthplace hometown address timezone zone employer boss manager
    supervisor landlord dentist doctor wife husband spouse partner deadline budget salary rent port hostname version
    editor browser shell password keyboard locale language framework database
    """.split()
)
_COPULAS = frozenset("is are was = : ist sind est son es è é".split())
_DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_SAYS_WHERE = frozenset("on in at by from with for to under above behind near paid made kept set due".split())
_SKIPPED = frozenset("the user user's user’s a an".split())
_LONGEST_VALUE = 4
_MANY = frozenset(
    """
    likes like loves enjoys hates dislikes has have owns knows speaks plays collects met visited read watched bought
    grows mag liebt hat kennt spricht spielt sammelt gusta tiene habla juega aime a parle joue ama ha parla suona
    """.split()
)
_OF_ANYBODY = frozenset(
    """
    live lives lived study studies like likes love loves hate hates dislikes enjoys prefers speaks plays drink drinks
    drinking eat eats born birthday allergy allergic vegetarian vegan
    """.split()
)
_NOBODY = (
    STOP_WORDS
    | NEGATIONS
    | frozenset(
        "user user's user’s always seldom sometimes often nowadays still already almost mostly maybe perhaps".split()
    )
)
_OUT_OF = re.compile(r"\bout of\b")
_LONGEST_NAME = 3
_WELL_KNOWN = 6000  # of the table of English words, the commonest first: those are seldom names
_THE_SAME = 0.8
_SAYS_NOTHING = frozenset(
    terms(
        "fact entry note test memory item thing something text line number new old first second third last next other "
        "another updated saved kept keep duplicate written edited temporary stale long short asked said added one two"
    )
)
_MEANS_THE_SAME = 0.55
_FOR_IT = re.compile(r"\b(?:for|against|in favou?r of|opposed to)\b", re.IGNORECASE)
_AGAINST = re.compile(r"\b(?:against|opposed to)\b", re.IGNORECASE)
_CHOSEN, _OTHER = (
    r"\s(?P<chosen>[^,;.]{2,40}?)\s",
    r"\s(?P<other>[^,;.]{2,40}?)(?=\s(?:in|on|at|for|when|if|as|with)\s|[,;.]|$)",
)
_PREFERENCES = tuple(
    re.compile(rf"\b{verb}{_CHOSEN}{than}{_OTHER}", re.IGNORECASE)
    for verb, than in (
        ("prefer(?:s|red)?", "(?:to|over|rather than|instead of)"),
        ("rather", "than"),
        ("(?:likes?|enjoys?)", "(?:more|better) than"),
        ("favou?rs?", "over"),
    )
)
_BEING = frozenset(terms("be been get gets being would user"))
_REJECTION = re.compile(
    r"(?:[,;(–-]\s?(?:and\s|but\s)?not|\binstead of|\brather than|\bin place of"
    r"|\bno longer(?: uses?| in| at| on| with)?"
    r"|\b(?:replac(?:ing|ed|es)|ditch(?:ing|ed|es)|dropp(?:ing|ed)|drops|leaving|leaves|left)(?! by\b)"
    r"|\b(?:moved|migrated|switched) (?:away )?from)"
    r"\s(?P<what>[^\W\d_][^\s,;.()]*(?:\s(?-i:[A-Z])[^\s,;.()]*)*)",
    re.IGNORECASE,
)
_SAYING_NO = frozenset(terms(" ".join([*NEGATIONS, "longer more can do does did please"])))
_SAYING_YES = frozenset(terms("always allowed permitted must may accepts prefers"))


def _for_it(text: str) -> list[str]:
    return _words(_FOR_IT.sub(" for ", text))


def turned_round(new: str, old: str) -> bool:
    """Whether both have the same words in another order, around a word that makes the order count, or one prefers what
    the other does not."""
    ones, others = _words(new), _words(old)
    if _turned_by_a_word(ones, others):
        return True
    if ones != others and sorted(ones) == sorted(others):
        if {"from", "to"} <= {*ones} and _following(ones, "from") == _following(others, "to"):
            return True
        return not _TURNS.isdisjoint(ones) or ("to" in ones and any(word.startswith("prefer") for word in ones))
    return (first := _preference(new)) is not None and first == _preference(old, turned=True)


def _turned_by_a_word(ones: list[str], others: list[str]) -> bool:
    """Whether all words are the same but one that only says where or when, and it is the opposite: before, after."""
    if len(ones) != len(others):
        return False
    differing = [{one, other} for one, other in zip(ones, others, strict=True) if one != other]
    return len(differing) == 1 and differing[0] in _LITTLE_OPPOSITES


def _following(words: list[str], word: str) -> str:
    return next((after for before, after in pairwise(words) if before == word), "")


def _preference(text: str, *, turned: bool = False) -> tuple[set[str], ...] | None:
    """What is preferred to what, and what else is said: where or when."""
    match = next((match for form in _PREFERENCES if (match := form.search(text))), None)
    if match is None:
        return None
    chosen, other = (set(terms(match.group(name))) - _BEING for name in ("chosen", "other"))
    rest = set(terms(text[: match.start()] + text[match.end() :])) - _BEING
    return (other, chosen, rest) if turned else (chosen, other, rest)


def rejects(new: str, old: str) -> bool:
    """Whether `new` says no to what `old` says yes to: "uv, not Poetry" after "managed with Poetry"."""
    if negations(old) or _REJECTION.search(old):
        return False
    held = set(terms(old))
    rejected = (set(terms(match.group("what"))) for match in _REJECTION.finditer(new))
    return any(what and what <= held for what in rejected)


def denied(new: str, old: str) -> bool:
    """Whether both have the same words, but one of them says no to them, or is against what the other is for."""
    if _for_it(new) == _for_it(old) and _FOR_IT.search(new) and _FOR_IT.search(old):
        return (_AGAINST.search(new) is None) != (_AGAINST.search(old) is None)
    ones, others = (set(terms(text)) - _SAYING_NO - _SAYING_YES for text in (new, old))
    return ones == others != set() and (negations(new) > 0) != (negations(old) > 0)


def another_value(new: str, old: str) -> bool:
    """Whether both say what the one and only such thing is, and it is not the same: favourite language, name, port; or
    on which day it is."""
    ones, others = _words(new), _words(old)
    if _another_day(ones, others):
        return True
    at = next((at for at, word in enumerate(ones) if word in _COPULAS), 0)
    if not at or ones[: at + 1] != others[: at + 1]:
        return False
    value, other = ones[at + 1 :], others[at + 1 :]
    return (
        not _ONE_ONLY.isdisjoint(ones[:at])
        and value != other
        and 0 < len(value) <= _LONGEST_VALUE
        and 0 < len(other) <= _LONGEST_VALUE
        and set(value).isdisjoint(other)
        and _SAYS_WHERE.isdisjoint((value[0], other[0]))
    )


def _another_day(ones: list[str], others: list[str]) -> bool:
    differing = [(one, other) for one, other in zip(ones, others, strict=False) if one != other]
    return (
        len(ones) == len(others) > 2
        and len(differing) == 1
        and all(word.removesuffix("s") in _DAYS for word in differing[0])
        and _MANY.isdisjoint(ones[:2])
    )


def one_more(new: str, old: str) -> bool:
    """Whether both are the same but for one word, and tell of what one can have many of: likes green tea, and black."""
    ones, others = _words(new), _words(old)
    if len(ones) != len(others) or _MANY.isdisjoint(ones[:2]):
        return False
    differing = [(one, other) for one, other in zip(ones, others, strict=True) if one != other]
    if len(differing) != 1 or _MANY & set(differing[0]) or STOP_WORDS.issuperset(differing[0]):
        return False
    return kinship(*differing[0]) < _THE_SAME


def of_two_people(new: str, old: str) -> bool:
    """Whether both say of two names what may be true of either: "Ram lives in Delhi", "Syam lives in Delhi"."""
    ones, others = _WORD.findall(new), _WORD.findall(old)
    ends = zip(reversed(ones), reversed(others), strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0].casefold() == pair[1].casefold(), ends))
    first, second = ones[: len(ones) - shared], others[: len(others) - shared]
    if not (shared and _is_name(first) and _is_name(second) and any(map(_is_rare, [*first, *second]))):
        return False
    told = {word.casefold() for word in ones[len(ones) - shared :]}
    initials = any(one.startswith(other) or other.startswith(one) for one in first for other in second if one != other)
    return not initials and not told.isdisjoint(_OF_ANYBODY) and not {*first} <= {*second} and not {*second} <= {*first}


def _is_name(words: list[str]) -> bool:
    return 0 < len(words) <= _LONGEST_NAME and all(
        word[0].isupper() and not word.endswith("ly") and word.casefold() not in _NOBODY for word in words
    )


def _is_rare(word: str) -> bool:
    row = row_of(word.casefold())
    return row is None or row > _WELL_KNOWN


def says_nearly_nothing(new: str, old: str) -> bool:
    """Whether a text has no word of its own but numbers, or neither has more than one, and not the same: "red" and
    "green", "first fact" and "Fact 3" may be anything."""
    ones, others = _telling(new), _telling(old)
    if all(map(str.isdigit, ones)) or all(map(str.isdigit, others)):
        return True
    return len(ones) == len(others) == 1 and ones != others


def says_too_little(new: str, old: str, cosine: float | None) -> bool:
    """Whether one of the texts has too few words of its own to be compared, but for its meaning as a whole."""
    ones, others = _telling(new), _telling(old)
    return min(len(ones), len(others)) == 1 and ones.isdisjoint(others) and (cosine or 0.0) < _MEANS_THE_SAME


def _telling(text: str) -> set[str]:
    return set(terms(text)) - _SAYS_NOTHING


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(_OUT_OF.sub("out", text.casefold())) if word not in _SKIPPED]
