"""Numbers that name things: "task 3 of thread 1" and "task 4 of thread 1" are two things, "port 5432" and "port 5433"
two values of one. Pure."""

import re

from commonplace.gate.readingwords import LINKS
from commonplace.terms import STOP_WORDS

_TOKEN = re.compile(r"[^\W_]+(?:[.:,'’][^\W_]+)*|[%€$£=:]")
# What stands before a number that is a value: it says how much, when or where, not which.
_VALUE_LEADS = frozenset(
    """
    is are was were be been = : at to from for by about around approximately roughly nearly over under than until till
    before after since on in of has have had costs weighs earns pays scored runs takes every € $ £
    port version v floor level grade size stage week chapter page season episode platform gate line age aged class year
    """.split()
)
_UNITS = re.compile(r"(?:%|€|\$|[^\W\d_]{3,}s|kg|km|cm|mm|am|pm|gb|mb|tb|ms|min|h|o'clock|uhr|people|euro|percent)$")
_WHOLE = re.compile(r"\d[\w.,:/-]*\w|\d|[^\W\d_]+")  # numbers with all that is written in one with them, and words
_YEAR = re.compile(r"(?:19|20)\d\d")
_SETTING = re.compile(r"--?\w{3}[\w-]*|[A-Z]+_[A-Z_]+")
_SHORTEST_IDENTIFIER = 5
_MEASURE = re.compile(
    r"[$€£~]?\d[\d.,:/–]*(?:[-–/]?[^\W\d_]+)?"  # amounts, times, dates, "5-minute"
    r"|(?:19|20)\d\d-\d\d(?:-\d\d)?|[^\W\d_]+[-:]\d{1,4}"
)
_LONG_NUMBER = re.compile(r"\d{6}")


def labels_differ(new: str, old: str) -> bool:
    """Whether two texts are the same but for numbers, and one of these names something: it stands before the verb
    ("room 3 has a projector"), not behind it ("runs on Node 18"), or it is more than a number ("keeps key7b")."""
    ones, others, differing = _differing(new, old)
    verb = _verb(ones)
    named = (at for at in differing if at < verb or not ones[at][0].isdigit())
    return any(_is_label(ones, at) and _is_label(others, at) for at in named)


def amounts_differ(new: str, old: str) -> bool:
    """Whether two texts are the same but for one number behind the verb that says how much or when ("rent is 900
    euros"). Of what happened in a year there may be more than one."""
    ones, others, differing = _differing(new, old)
    if len(differing) != 1 or differing[0] <= _verb(ones):
        return False
    at = differing[0]
    return not any(_YEAR.fullmatch(tokens[at]) or _is_label(tokens, at) for tokens in (ones, others))


def whose_numbers(text: str) -> set[tuple[str, str]]:
    """Each number of a text and the word before it that says whose it is: of "staging has 4 GB and prod 2 GB" the same
    words in another order are another fact."""
    found, owner = set[tuple[str, str]](), ""
    for token in _WHOLE.findall(text.casefold()):
        if token[0].isdigit():
            found.add((owner, token))
        elif token not in STOP_WORDS and not _UNITS.fullmatch(token):
            owner = token
    return found


def identifiers(text: str) -> frozenset[str]:
    """What a text names by a number or path of its own, folded: nobody repeats a fact by adding one."""
    found = (word.strip(".,;:()") for word in text.split())
    return frozenset(one.casefold() for one in found if _is_identifier(one))


def _is_identifier(word: str) -> bool:
    """An address or path, the name of a setting, or the number of a paper or device."""
    is_path = word.count("/") + word.count("_") > 1 and any(map(str.isalpha, word))
    if "://" in word or is_path or _SETTING.fullmatch(word):
        return True
    numbered = len(word) >= _SHORTEST_IDENTIFIER and any(map(str.isdigit, word))
    return numbered and (_LONG_NUMBER.search(word) is not None or not _MEASURE.fullmatch(word))


def _differing(new: str, old: str) -> tuple[list[str], list[str], list[int]]:
    """The words of both, and where they differ; nowhere if not in numbers alone."""
    ones, others = _TOKEN.findall(new.casefold()), _TOKEN.findall(old.casefold())
    if len(ones) != len(others):
        return ones, others, []
    differing = [at for at, (one, other) in enumerate(zip(ones, others, strict=True)) if one != other]
    return ones, others, differing if all(_counts(ones[at]) and _counts(others[at]) for at in differing) else []


def _verb(tokens: list[str]) -> int:
    return next((at for at, token in enumerate(tokens) if token in LINKS), len(tokens))


def _is_label(tokens: list[str], at: int) -> bool:
    token = tokens[at]
    if token.isalpha():  # a single letter
        return True
    if not token.isalnum() or _YEAR.fullmatch(token):
        return False
    before = tokens[at - 1] if at else ""
    after = tokens[at + 1] if at + 1 < len(tokens) else ""
    if before in _VALUE_LEADS or (at == 1 and after and before.endswith("s")):  # "Drinks 3 coffees a day"
        return False
    return at == 1 or not _UNITS.match(after)


def _counts(token: str) -> bool:
    """What things are numbered with: numbers, also with letters, and single letters."""
    return len(token) == 1 or any(char.isdigit() for char in token)
