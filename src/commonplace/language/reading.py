"""What a sentence says, as far as code can tell: its words, names, numbers, dates, literal texts, and what it denies.
Pure.

Two readings can be compared word by word. Nothing here understands a language; it only makes sure that what can be
seen of a fact (a name, a number with its unit, a date, an address, a denial) is seen in both.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from commonplace.language import STOP_WORDS, normalise, terms
from commonplace.language.glossing import rough_english
from commonplace.language.polarity import DENIAL_SIGNS, DENIALS
from commonplace.language.wording import (
    MONTHS,
    NUMBER_WORDS,
    SMALL_SIGNS,
    UNITS,
    VALUES,
    light,
    qualifiers,
    stem_of,
    wish,
)

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DATES = (
    re.compile(r"\b(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})\b"),
    re.compile(
        rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\.? (?:of )?(?P<name>{_MONTH})\.?,? (?P<y>\d{{4}})\b", re.IGNORECASE
    ),
    re.compile(rf"\b(?P<name>{_MONTH})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>\d{{4}})\b", re.IGNORECASE),
    re.compile(rf"\b(?P<name>{_MONTH})\.?,? (?P<y>\d{{4}})\b", re.IGNORECASE),
    re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\.? (?:of )?(?P<name>{_MONTH})\b", re.IGNORECASE),
    re.compile(rf"\b(?P<name>{_MONTH})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b", re.IGNORECASE),
)
_LITERAL = re.compile(
    r"(?P<url>(?:https?://|www\.)[^\s<>\"')\]]+|(?<![\w-])[\w-]+(?:\.[\w-]{1,80}){1,12}/[^\s<>\"')\],;]+)"
    r"|(?P<mail>(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]*\w)"
    r"|`(?P<code>[^`]+)`"
    r"|[\"“„«「](?P<quote>[^\"”“»」]{1,999})[\"”“»」]"
    r"|(?<![\w'])'(?P<single>[^'\n]{2,}?)'(?!\w)"
    r"|(?P<path>(?<!\w)(?:~|\.{1,2})?/[\w./-]{0,400}\w|(?<!\w)[A-Za-z]:\\[\w.\\-]+)"
    r"|(?P<flag>(?<!\w)--?[A-Za-z][\w-]*)"
    r"|(?P<handle>(?<!\w)[@#]\w[\w-]*)"
    r"|(?P<id>\b(?=\w*[A-Za-z])(?:[A-Za-z]+-\d[\w.]*\w|\w+_\w+|\w*[a-z][A-Z]\w*|(?=\w*\d)\w*[A-Za-z]\w*|\w+(?:\.\w+)+\(?\)?)(?!\w))"
)
_NUMBER = re.compile(
    r"(?<![A-Za-z\d])(?P<sign>[€$£¥]\s?)?(?P<number>\d+(?:[.,:]\d+)*)(?P<gap>\s?)(?P<unit>%|€|\$|£|¥|°|[A-Za-zµ]+)?"
)
_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W_]+(?:['’][^\W_]+)?|[,;.:!?()—–]|\s-\s")
_CLAUSE_ENDS = frozenset(",;.:!?()—–") | {"-"}
_NEW_CLAUSE = frozenset("but because so while whereas although though however which that who aber sondern weil".split())
_JOINS = frozenset("and or nor und oder et ou y o e ni".split())
_PREPOSITIONS = frozenset("for in when on at with during because".split())
_CONTRAST = {"than": "rather", "of": "instead", "over": "prefer", "to": "prefer"}
_AUXILIARIES = frozenset("should must be is are shall will can been being".split())
_COMMA, _STOP = ",", "."
_TITLES = frozenset("st dr mr mrs ms prof vs etc e g i".split())
_DETERMINERS = frozenset("no kein keine keinen ningún ninguna aucun aucune nessun nessuna nenhum geen".split())
_AMOUNTS = frozenset("all both most some few several many half".split())
_TIMES = frozenset("time times day days week month year morning evening night weekend hour minute other".split())
_REACH = 6
_UP_TO = re.compile(r"\bup to(?= \W?\d)", re.IGNORECASE)
_SMALL = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff]")


@dataclass(frozen=True, slots=True)
class Word:
    """One content word: its stem, what it looked like, whether it is a name, in which clause it stands, and whether
    it is denied there; a predicate stands where a verb stands."""

    stem: str
    raw: str
    is_name: bool
    clause: int
    denied: bool
    predicate: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What can be told about a text without understanding it."""

    text: str
    words: tuple[Word, ...]
    literals: frozenset[str]
    numbers: frozenset[tuple[str, str]]
    dates: frozenset[str]
    qualifiers: dict[str, str]
    denials: tuple[frozenset[str], ...]  # for each word of denial, the stems that it reaches
    unspaced: frozenset[str]  # characters of scripts without spaces
    signs: int  # how many denials stand in those scripts
    clauses: tuple[frozenset[str], ...]  # for each clause, its stems and its numbers

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(word.stem for word in self.words)


@lru_cache(maxsize=4096)
def read(text: str) -> Reading:
    plain = _unified(text)
    dates: set[str] = set()
    bare = plain
    for pattern in _DATES:
        bare = pattern.sub(lambda found: _kept(dates, _date(found)), bare)
    literals = {_folded(next(filter(None, found.groups()))) for found in _LITERAL.finditer(plain)}
    marked = _LITERAL.sub(lambda found: _without_marks(found), bare)
    numbers = {
        (_plain_number(found["number"]), _unit(found["sign"], found["unit"]))
        for found in _NUMBER.finditer(marked)
        if found["gap"] or not found["unit"] or found["unit"].lower() in UNITS  # 4o is no number
    }
    tokens = _TOKEN.findall(marked)
    numbers |= _spelled(tokens)
    words, denials, clauses = _words(tokens)
    glossed = _TOKEN.findall(rough_english(text))
    lowered = {
        _bare(token)
        for spoken in (tokens, glossed)
        for token, after in _pairs(spoken)
        if (token == token.lower() or token == spoken[0])
        and not _is_passive(token, after)
        and not _is_often(token, after)
    }
    if "at most" in plain.lower():
        lowered.discard("most")  # no part of some things, but a measure
    before_number = {_bare(token) for token, after in _pairs(tokens) if any(map(_is_number, after))}
    if _UP_TO.search(plain):
        before_number.add("maximum")
    return Reading(
        text=text,
        words=tuple(words),
        literals=frozenset(literals),
        numbers=frozenset(numbers),
        dates=frozenset(dates),
        qualifiers=qualifiers(lowered, before_number=before_number) | wish([_bare(token) for token in tokens]),
        denials=tuple(denials),
        unspaced=frozenset(_SMALL.findall(text)) - SMALL_SIGNS,
        signs=sum(text.count(sign) for sign in DENIAL_SIGNS),
        clauses=tuple(clauses),
    )


def _words(tokens: list[str]) -> tuple[list[Word], list[frozenset[str]], list[frozenset[str]]]:
    """The content words, the reach of each denial, and what each clause has."""
    clause, reach, starts, contrast = 0, 0, True, False
    found: list[Word] = []
    denials: list[set[str]] = []
    clauses: list[set[str]] = [set()]
    for at, token in enumerate(tokens):
        bare = _bare(token)
        if token == _STOP and at and _bare(tokens[at - 1]) in _TITLES:
            continue
        if token.strip() in _CLAUSE_ENDS or bare in _NEW_CLAUSE:
            goes_on = token == _COMMA and reach and _is_list(tokens, at)
            reach = reach if goes_on else 0
            starts = starts if token == _COMMA else True
            clause += 1
            clauses.append(set())
            continue
        if bare in _JOINS:
            clause += 1
            clauses.append(set())
            if reach and at + 1 < len(tokens) and _is_verb(tokens[at + 1]):
                reach = 0
            continue
        if contrast and bare in _PREPOSITIONS:
            reach = 0
        if _denies(tokens, at):
            reach, contrast = _REACH, bare in _CONTRAST
            denials.append(set())
            if bare in _DETERMINERS and at and found and found[-1].raw == tokens[at - 1]:  # eats no meat
                found[-1] = replace(found[-1], denied=True)
                denials[-1].add(found[-1].stem)
        if _is_number(token):
            number = _plain_number(token)
            found.append(Word(number, token, is_name=False, clause=clause, denied=reach > 0))
            clauses[-1].add(number)
            if reach:
                denials[-1].add(number)
                reach -= 1
            starts = False
            continue
        if bare in UNITS and at and _is_number(tokens[at - 1]):
            continue  # it stands with its number
        stem = stem_of(token)
        letter = len(token) == 1 and bare != "i"  # vitamin D; no sentence goes on with a capital article
        name = token[:1].isupper() and (not starts or token[1:2].isupper()) and (letter or bare not in STOP_WORDS)
        starts = False
        if (bare in STOP_WORDS or bare in DENIALS) and not (bare in {"dislike", "hate"} or name):
            continue
        if (not name and not terms(token)) or bare == "i" or _SMALL.search(token):
            continue
        predicate = not name and _is_predicate(tokens, at)
        found.append(Word(stem, token, name, clause, reach > 0, predicate))
        clauses[-1].add(stem)
        if reach:
            denials[-1].add(stem)
            reach -= 1
    return found, [frozenset(reached) for reached in denials], [frozenset(clause) for clause in clauses]


def _is_predicate(tokens: list[str], at: int) -> bool:
    """Whether a word stands where a verb does: `Flies the A320`, `should fit on a page`."""
    before, after = (tokens[at - 1] if at else ""), (tokens[at + 1] if at + 1 < len(tokens) else "")
    if after and after not in _CLAUSE_ENDS and _bare(after) not in STOP_WORDS:
        return False
    if _bare(before) in _AUXILIARIES:
        return True
    opens = not before or before.strip() in _CLAUSE_ENDS
    return opens and bool(after) and tokens[at].endswith("s") and not tokens[at].endswith("ss")


def _denies(tokens: list[str], at: int) -> bool:
    bare = _bare(tokens[at])
    if bare in DENIALS or tokens[at].lower().endswith(("n't", "n’t")):
        return True
    wanted = _CONTRAST.get(bare)
    if bare == "to" and not _sets_aside(tokens, at):
        return False
    return wanted is not None and any(stem_of(before) == wanted or _bare(before) == wanted for before in tokens[:at])


def _sets_aside(tokens: list[str], at: int) -> bool:
    """Whether this `to` is the one of `prefers tea to coffee`, not that of `prefers to walk` or `prefers it to be`."""
    before = [_bare(token) for token in tokens[:at]]
    preferring = max((n for n, word in enumerate(before) if stem_of(word) == "prefer"), default=at)
    between = before[preferring + 1 :]
    ends = between[-1:] and (between[-1] in _JOINS or between[-1] in STOP_WORDS or between[-1] in _CLAUSE_ENDS)
    return bool(between) and not ends and not _NEW_CLAUSE & set(between) and tokens[at + 1 : at + 2] != ["be"]


def _is_list(tokens: list[str], comma: int) -> bool:
    """Whether a comma stands in a list that ends in `or` or `nor`."""
    for token in tokens[comma + 1 : comma + 12]:
        if _bare(token) in {"or", "nor", "oder", "ou"}:
            return True
        if token.strip() in _CLAUSE_ENDS - {","} or _bare(token) in _NEW_CLAUSE:
            return False
    return False


def _is_verb(token: str) -> bool:
    return _bare(token) in _VERBS


_VERBS = frozenset(
    "likes prefers wants uses has is works lives loves needs enjoys keeps does should must would can always will asks "
    "mag hat ist will nutzt bevorzugt".split()
)


def _spelled(tokens: list[str]) -> set[tuple[str, str]]:
    return {
        (NUMBER_WORDS[_bare(token)], UNITS.get(_bare(after[0]), "") if after else "")
        for token, after in _pairs(tokens)
        if _bare(token) in NUMBER_WORDS
    }


def _pairs(tokens: list[str]) -> list[tuple[str, list[str]]]:
    return [(token, tokens[at + 1 : at + 3]) for at, token in enumerate(tokens)]


def _is_passive(token: str, after: list[str]) -> bool:
    """`was moved`, `was born`, `is used for`: no statement about the past of a thing."""
    if _bare(token) == "used":
        return [_bare(word) for word in after[:1]] != ["to"]
    return _bare(token) in {"was", "were"} and bool(after) and after[0].endswith(("ed", "n", "t"))


def _is_often(token: str, after: list[str]) -> bool:
    """`all day`, `most Mondays`, `all 5`: how often or how many; `every` and `each` may go (every answer, answers)."""
    if _bare(token) in {"every", "each"}:
        return True
    if _bare(token) not in _AMOUNTS or not after:
        return False
    return _is_number(after[0]) or _bare(after[0]) in _TIMES or _bare(after[0]).removesuffix("s") in VALUES


def _is_number(token: str) -> bool:
    return token[:1].isdigit() or _bare(token) in NUMBER_WORDS


def _plain_number(number: str) -> str:
    number = NUMBER_WORDS.get(number.lower(), number)
    return re.sub(r",(?=\d{3}\b)", "", number).rstrip(".,:")


def _unit(sign: str | None, unit: str | None) -> str:
    return UNITS.get((sign or unit or "").strip().lower(), "")


def _date(found: re.Match[str]) -> str:
    parts = found.groupdict()
    month = MONTHS[parts["name"].lower()] if parts.get("name") else int(parts["m"])
    day = f"{int(parts['d']):02}" if parts.get("d") else "--"
    return f"{parts.get('y') or '----'}-{month:02}-{day}"


def _kept(dates: set[str], date: str) -> str:
    dates.add(date)
    return " "


def _without_marks(found: re.Match[str]) -> str:
    """A quoted text is also words; what stands for itself (an address, an identifier) is one word."""
    words = found["quote"] or found["single"] or found["code"]
    return f" {words or re.sub(r'[^a-zA-Z0-9]+', '', found[0])} "


def _unified(text: str) -> str:
    plain = normalise(text) if not _SMALL.search(text) else text
    return re.sub(r"\b[eE]-(?=mail)", "e", plain).replace("’", "'")


def _bare(token: str) -> str:
    return token.casefold().replace("'", "").replace("’", "")


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def folded_text(text: str) -> str:
    """A text for finding literal texts in it."""
    return _folded(_unified(text))


def heavy(words: tuple[Word, ...]) -> frozenset[str]:
    """The stems that carry something."""
    return frozenset(word.stem for word in words) - light()
