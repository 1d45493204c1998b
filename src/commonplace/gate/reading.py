"""A text as the gate reads it to compare it with another: the words that matter, in order, and their kinds. Pure."""

import re
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from commonplace.gate.concepts import Concept, cues, exclusive, stem_of, values
from commonplace.gate.contrasts import sides_of
from commonplace.gate.labels import identifiers
from commonplace.gate.polarity import negations
from commonplace.gate.readingwords import AMBIGUOUS, DAYS, FRAMING, KIN, LINKS, NUMBERS, QUALIFYING, WEAK
from commonplace.patterns import LazyPattern
from commonplace.terms import STOP_WORDS, normalise, terms
from commonplace.terms.kinship import rarity, row_of

Part: TypeAlias = Literal["subject", "attribute", "value"]
Kind: TypeAlias = Literal["word", "number", "day", "name", "kin"]

_TOKEN = re.compile(
    r"#?\d[\w]*(?:[.,:/\-'\u2019]\d[\w]*)*%?"  # numbers, times, dates, versions
    r"|[^\W\d_]+(?:[.\-_/+&'\u2019][^\W_]+)*[+#]*"  # words, names with marks inside
    r"|[^\W_]+",
)
_REQUESTED = re.compile(r"^\s*user requested:\s*", re.IGNORECASE)
_LONG = 9  # in a language whose words are not known, short ones are common
_POSSESSIVE = re.compile(r"['\u2019]s?$")
_LABEL = re.compile(r"\d{1,3}[a-zA-Z]?|[A-Z]\d?|[IVX]+")
_OWNER = re.compile(r"\b([^\W\d_]+)['\u2019]s\b|\b([^\W\d_]+s)['\u2019](?=\s)")
_NOBODY = frozenset({"user", "it", "he", "she", "that", "there", "let", "what", "who", "users"})
_UNSPACED = LazyPattern(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]"
)


class Word(NamedTuple):
    """A word that matters. `form` is what it is compared by; `weight` how much it tells."""

    form: str
    stem: str
    kind: Kind
    weight: float
    leads: bool  # stands before the verb: what the text is about
    part: Part
    speaks_of: frozenset[Concept]  # things with one value at a time


class Reading(NamedTuple):
    """A text and its words."""

    text: str
    words: tuple[Word, ...]
    sequence: tuple[str, ...]  # all words, folded
    negations: int
    acronyms: frozenset[str]
    unspaced: bool
    link: int  # which word is the verb: what comes before is what the text is about
    stems: tuple[str, ...]  # of all words
    numbered: dict[str, str]  # room 5, server B: what has a number or letter as its name
    possessors: frozenset[str]  # whose something is
    cues: frozenset[Concept]  # what the words speak of
    kinds: frozenset[Concept]  # what the words are values of
    trigrams: frozenset[str]
    sides: frozenset[tuple[int, int]]  # of what comes in two or more: summer, the backend
    identifiers: frozenset[str]
    qualifiers: int  # words that lead to where, when or for what

    def of_kind(self, *kinds: Kind) -> "tuple[Word, ...]":
        return tuple(word for word in self.words if word.kind in kinds)


@lru_cache(maxsize=4096)
def read(text: str) -> Reading:
    plain = _REQUESTED.sub("", text)
    runs = list(_runs(plain))
    sequence = tuple(run.casefold() for run, _ in runs)
    stems = tuple(map(stem_of, sequence))
    link = next((at for at, word in enumerate(sequence) if word in LINKS), 0)
    colon = plain.find(":")
    if 0 < colon < 40 and (before := len(list(_runs(plain[:colon])))) and (not link or before <= link):
        link = before
    shouting = plain.upper() == plain
    found: list[Word] = []
    for at, (run, starts) in enumerate(runs):
        word = _word(run, leads=at < link, starts=starts or shouting)
        if word:
            found.append(word)
    capitals = "".join(run[0] for run, _ in runs if run[:1].isalpha()).casefold()
    spans = {capitals[a : a + n] for n in (2, 3, 4) for a in range(len(capitals) - n + 1)}
    return Reading(
        plain,
        tuple(found),
        sequence,
        negations(plain),
        frozenset(spans),
        not plain.isascii() and _UNSPACED.search(plain) is not None,
        link,
        stems,
        _numbered(runs, link),
        _possessors(plain),
        cues(stems),
        values(stems),
        _trigrams(plain),
        sides_of(sequence),
        identifiers(plain),
        sum(word in QUALIFYING for word in sequence),
    )


def _numbered(runs: "list[tuple[str, bool]]", link: int) -> dict[str, str]:
    pairs = pairwise(runs[: link + 1])
    return {a.casefold(): b.casefold() for (a, _), (b, _) in pairs if _LABEL.fullmatch(b) and not _LABEL.fullmatch(a)}


def _trigrams(text: str) -> frozenset[str]:
    folded = " ".join(text.casefold().split())
    return frozenset(folded[at : at + 3] for at in range(max(len(folded) - 2, 1)))


def _possessors(text: str) -> frozenset[str]:
    owners = {(match.group(1) or match.group(2)).casefold() for match in _OWNER.finditer(text)}
    return frozenset(owners - _NOBODY)


def _runs(text: str) -> "list[tuple[str, bool]]":
    """The words as they are written, and whether each begins a sentence; without spaces, pairs of letters."""
    runs: list[tuple[str, bool]] = []
    for match in _TOKEN.finditer(text):
        run = match.group()
        before = text[: match.start()].rstrip()
        starts = not before or before[-1] in '.!?;:•("“'
        if not run.isascii() and _UNSPACED.search(run):
            runs += [
                (term, False) for term in terms(run) if len(term) > 1 or len(run) == 1 or not _UNSPACED.match(term)
            ]
        else:
            for part in _parts(run):
                runs.append((part, starts))
                starts = False
    return runs


def _parts(run: str) -> list[str]:
    """`e-mail` is one word, `type-safe` two; a name keeps its marks."""
    bare = _POSSESSIVE.sub("", run)
    folded = bare.casefold()
    if "-" in bare and not any(letter.isdigit() for letter in bare):
        joined = folded.replace("-", "")
        if folded in KIN or row_of(joined) is not None:
            return [bare.replace("-", "") if folded not in KIN else bare]
        return [part for part in bare.split("-") if part]
    if "/" in bare and not any(letter.isdigit() for letter in bare):
        return [part for part in bare.split("/") if part]
    return [bare]


def _word(run: str, *, leads: bool, starts: bool) -> Word | None:
    folded = normalise(run.casefold())
    if not folded:  # a mark that is no letter by itself
        return None
    raw = run.casefold()
    if raw in DAYS and (raw not in AMBIGUOUS or (run[0].isupper() and not starts) or len(raw) > 4):
        return _as_word(DAYS[raw], DAYS[raw], "day", 0.8, leads=leads)
    if raw in NUMBERS:
        return _as_word(NUMBERS[raw], NUMBERS[raw], "number", 0.7, leads=leads)
    if any(letter.isdigit() for letter in run):
        return _number(folded, leads=leads)
    singular = raw[:-1] if raw.endswith("s") and raw[:-1] in KIN else raw
    if singular in KIN:
        return _as_word(singular, singular, "kin", 0.7, leads=leads)
    if raw in FRAMING or raw in STOP_WORDS:
        return None
    stems = terms(run)
    stem = stems[0] if stems else folded
    if raw in WEAK:
        return _as_word(folded, stem, "word", 0.15, leads=leads)
    rare = rarity(folded) if row_of(folded) is not None or run[0].isupper() else min(len(folded) / _LONG, 1.0)
    is_name = (run[0].isupper() and (not starts or row_of(folded) is None)) or run[1:].lower() != run[1:]
    return _as_word(folded, stem, "name" if is_name else "word", 0.3 + 0.7 * rare, leads=leads)


def _as_word(form: str, stem: str, kind: Kind, weight: float, *, leads: bool) -> Word:
    if kind == "kin" or (leads and kind == "name"):
        part: Part = "subject"  # whom or what it is about
    elif kind in {"number", "day", "name"} or values((stem,)):
        part = "value"
    else:
        part = "attribute"
    return Word(form, stem, kind, weight, leads, part, exclusive(stem))


def _number(folded: str, *, leads: bool) -> Word:
    """`1,150` and `1150`, `3x` and `3`, `09:15` and `9:15` are the same; ordinals are numbers."""
    value = re.sub(r"(?<=\d)[,'\u2019](?=\d{3}\b)", "", folded.strip("%"))
    value = re.sub(r"(?<=\d)(?:st|nd|rd|th|x|h|%|er|e|uhr|km|kg|gb|tb|am|pm)$", "", value)
    value = re.sub(r"^0+(?=\d)", "", value)
    value = re.sub(r":00$", "", value)
    return _as_word(value, value, "number", 0.7, leads=leads)
