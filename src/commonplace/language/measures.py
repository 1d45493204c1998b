"""Amounts, spans of time, dates and how often something happens, where two texts mean the same and write it in two
ways: "two weeks" and "14 days", "12k" and "12,000", "every three months" and "quarterly", "03/2027" and "March 2027".
Pure."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

from commonplace.language.monthnames import month_numbers

Meaning: TypeAlias = tuple[str, float]  # what is measured, and how much of it

_DIGITS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * number
    for number, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
_TIMES = {"k": 1e3, "thousand": 1e3, "mio": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9, "hundred": 1e2}
# What a unit measures, and in how many of the smallest. A month is no number of days, and a day's work no 24 hours.
_UNITS: dict[str, tuple[Meaning, ...]] = {
    unit: tuple(meanings)
    for units, *meanings in (
        ("ms millisecond milliseconds", ("time", 0.001)),
        ("s sec secs second seconds", ("time", 1)),
        ("min mins minute minutes", ("time", 60)),
        ("h hr hrs hour hours", ("time", 3_600)),
        ("d day days", ("days", 1)),
        ("w wk week weeks", ("days", 7)),
        ("fortnight fortnights", ("days", 14)),
        ("mo month months", ("months", 1)),
        ("yr yrs year years", ("months", 12)),
        ("decade decades", ("months", 120)),
        ("kb", ("bytes", 1e3), ("bytes", 2**10)),
        ("mb", ("bytes", 1e6), ("bytes", 2**20)),
        ("gb gig gigs gigabyte gigabytes", ("bytes", 1e9), ("bytes", 2**30)),
        ("tb terabyte terabytes", ("bytes", 1e12), ("bytes", 2**40)),
        ("mm millimetre millimetres millimeter millimeters", ("length", 0.001)),
        ("cm centimetre centimetres centimeter centimeters", ("length", 0.01)),
        ("metre metres meter meters", ("length", 1)),
        ("km kilometre kilometres kilometer kilometers", ("length", 1_000)),
        ("g gram grams", ("mass", 1)),
        ("kg kilo kilos kilogram kilograms", ("mass", 1_000)),
        ("% percent pct", ("percent", 1)),
        ("m", ("cores", 0.001)),  # also metres, minutes and millions, which nobody can tell apart
        ("core cores cpu cpus", ("cores", 1)),
    )
    for unit in units.split()
}
_QUARTER: Meaning = ("months", 3)
_OFTEN: dict[str, Meaning] = {
    "hourly": ("time", 3_600), "daily": ("days", 1), "weekly": ("days", 7), "fortnightly": ("days", 14),
    "biweekly": ("days", 14), "monthly": ("months", 1),
    "quarterly": ("months", 3),
    "half-yearly": ("months", 6), "semiannually": ("months", 6), "yearly": ("months", 12), "annually": ("months", 12),
    "annual": ("months", 12),
}  # fmt: skip
_MONTHS = month_numbers("en")
_THOUSANDS = re.compile(r"\d{1,3}\.\d{3}")
_NAMES = re.compile(r"0\d+|\d{10,}")  # numbers that name something, where every digit counts


class Measure(NamedTuple):
    """Where a text says how much or when, and all that this may mean."""

    start: int
    end: int
    meanings: frozenset[Meaning]


def in_one_measure(new: str, old: str) -> tuple[str, str]:
    """Both texts, the first with the words of the second wherever they mean the same amount or date."""
    if not (theirs := measures(old)) or not (ours := measures(new)):
        return new, old
    told = {meaning: one for one in reversed(theirs) for meaning in one.meanings}
    as_told = {old[one.start : one.end].casefold() for one in theirs}
    pieces: list[str] = []
    done = 0
    for measure in ours:
        twin = next((told[meaning] for meaning in sorted(measure.meanings) if meaning in told), None)
        if twin is None or new[measure.start : measure.end].casefold() in as_told:
            continue
        pieces += [new[done : measure.start], old[twin.start : twin.end]]
        done = measure.end
    return "".join([*pieces, new[done:]]), old


@lru_cache(maxsize=4096)
def measures(text: str) -> tuple[Measure, ...]:
    """The amounts, spans and dates of a text, in order, none inside another."""
    found: list[Measure] = []
    for measure in sorted(_all(text), key=lambda one: (one.start, -one.end)):
        if not found or measure.start >= found[-1].end:
            found.append(measure)
    return tuple(found)


def _all(text: str) -> Iterator[Measure]:
    amounts, often, dates = _forms()
    for match in dates.finditer(text):
        if meanings := _dates(match):
            yield Measure(*match.span(), meanings)
    for match in often.finditer(text):
        yield Measure(*match.span(), frozenset(_period(match)))
    for match in amounts.finditer(text):
        if meanings := frozenset(_amounts(match)):
            yield Measure(*match.span(), meanings)


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    tens = f"(?:{'|'.join(_TENS)})"
    digits = f"(?:{'|'.join(sorted(_DIGITS, key=len, reverse=True))})"
    worded = rf"(?:{tens}(?:[- ]{digits})?|{digits})"
    number = rf"(?P<number>\d{{1,3}}(?:[,'’]\d{{3}})+|\d+(?:\.\d+)?|{worded})"
    units = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
    spans = r"hours?|days?|weeks?|fortnights?|months?|years?|minutes?"
    flags = re.IGNORECASE
    amounts = re.compile(
        r"(?<![\w.,:/-])(?<!hundred )(?<!thousand )(?<!million )(?<!hundred and )(?<!thousand and )"
        rf"{number}(?: and a half(?P<more>))?(?:[ -]?(?P<times>{'|'.join(_TIMES)})\b(?! (?:and )?(?:{worded}|\d)))?"
        rf"(?:[ -]?(?P<unit>{units})(?!\w))?(?![\w]|[.,:/-]\d)"
        rf"|\b(?P<half>half )?an? (?P<one>{spans})(?P<plus> and a half)?\b"
        rf"|\bhalf an? (?P<part>cpu core|core|cpu)\b",
        flags,
    )
    often = re.compile(
        rf"(?<![\w-])(?<!twice )(?<!thrice )(?<!times )(?:(?P<word>{'|'.join(_OFTEN)})"
        rf"|(?:every|each) (?:(?P<other>other|second) )?(?P<span>{spans}|quarter)"
        rf"|every (?P<count>\d+|{worded}) (?P<spans>{spans})"
        rf"|(?P<often>once|twice|(?:two|three|four) times) (?:a|per|every|each) (?P<in>{spans}))\b",
        flags,
    )
    month = "|".join(sorted(_MONTHS, key=len, reverse=True))
    dates = re.compile(
        rf"(?<![\w.,:/-])(?:(?P<a>\d{{1,2}})[./](?P<b>\d{{1,2}})(?:[./](?P<y>\d{{4}})|(?P<dot>\.))?(?![\w/:%]|[.,]\d)"
        rf"|(?P<m>\d{{1,2}})/(?P<my>\d{{4}})\b"
        rf"|(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of)? (?P<month>{month})\b(?:,? (?P<year>\d{{4}})\b)?"
        rf"|\b(?P<month2>{month}) (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<year2>\d{{4}})\b)?"
        rf"|\b(?P<month3>{month}) (?P<year3>\d{{4}})\b)",
        flags,
    )
    return amounts, often, dates


def _amounts(match: re.Match[str]) -> Iterator[Meaning]:
    said = {name: value.casefold() for name, value in match.groupdict().items() if value is not None}
    if "part" in said:
        yield "cores", 0.5
        return
    if one := said.get("one"):
        value = (0.5 if "half" in said else 1) + (0.5 if "plus" in said else 0)
        yield from _measured(value, one)
        return
    number, times, unit = said["number"], said.get("times"), said.get("unit")
    if _THOUSANDS.fullmatch(number) or _NAMES.fullmatch(number) or ("." in number and not times and not unit):
        return  # "12.000" is twelve thousand in half of Europe, and 3.10 a version that is not 3.1
    if times == "k" and len(number) == 1:
        return  # a television has 4K, and a run 5k
    value = _value(number) + (0.5 if "more" in said else 0)
    if unit:
        yield from _measured(value * _TIMES.get(times or "", 1), unit)
    elif times:
        yield "count", _rounded(value * _TIMES[times])
    else:
        yield "count", _rounded(value)


def _measured(value: float, unit: str) -> Iterator[Meaning]:
    for kind, size in _UNITS[unit] if unit not in {"quarter", "quarters"} else (_QUARTER,):
        yield kind, _rounded(value * size)


def _rounded(value: float) -> float:
    return float(f"{value:.12g}")


def _value(number: str) -> float:
    if number[0].isdigit():
        return float(re.sub(r"[,'’](?=\d{3})", "", number))
    return float(sum(_TENS.get(word) or _DIGITS[word] for word in re.split("[- ]", number)))


def _period(match: re.Match[str]) -> Iterator[Meaning]:
    said = {name: value.casefold() for name, value in match.groupdict().items() if value is not None}
    if word := said.get("word"):
        kind, size = _OFTEN[word]
    elif often := said.get("often"):
        parts = {"once": 1, "twice": 2}.get(often) or _DIGITS[often.split()[0]]
        kind, size = next(_measured(1 / parts, said["in"]))
    elif count := said.get("count"):
        kind, size = next(_measured(_value(count), said["spans"]))
    else:
        kind, size = next(_measured(2 if "other" in said else 1, said["span"]))
    yield f"every {kind}", size


def _dates(match: re.Match[str]) -> frozenset[Meaning]:
    said = {name: value.casefold() for name, value in match.groupdict().items() if value is not None}
    if "a" in said:
        year = said.get("y", "")
        if not year and "dot" not in said and not said["b"].startswith("0") and not said["a"].startswith("0"):
            return frozenset()  # 3.11 is a version and 24/7 no day; 14.04 and 14.4. are
        first, second = int(said["a"]), int(said["b"])
        years = int(year or 0)
        days = {(first, second)} if "." in match.group() else {(first, second), (second, first)}
    elif "my" in said:
        years, days = int(said["my"]), {(0, int(said["m"]))}
    else:
        name = said.get("month") or said.get("month2") or said["month3"]
        years = int(said.get("year") or said.get("year2") or said.get("year3") or 0)
        days = {(int(said.get("day") or said.get("day2") or 0), _MONTHS[name])}
    found = {
        ("date", float(years * 10_000 + month * 100 + day)) for day, month in days if 1 <= month <= 12 and day <= 31
    }
    return frozenset(found) if len(found) == 1 else frozenset()  # of "03/05" nobody knows which is the month
