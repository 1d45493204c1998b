"""Two texts in one form, for whatever compares them: English, one way to write times, dates and amounts. Pure.

"half past nine" is "9:30", "9 pm" is "21:00", "2021-03-01" is "1 March 2021"; and where two texts mean the same amount,
span or frequency and write it in two ways ("two weeks" and "14 days", "12k" and "12,000", "every three months" and
"quarterly"), it is written in one.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

from commonplace.language.glossing import in_english
from commonplace.language.monthnames import MONTHS, month_numbers
from commonplace.types.book import unmarked

_MAIL = re.compile(r"\be[- ]mail", re.IGNORECASE)
_HOURS = {
    word: hour
    for hour, words in enumerate(
        "one eins ein|two zwei|three drei|four vier|five fünf|six sechs|seven sieben|eight acht|nine neun|ten zehn"
        "|eleven elf|twelve zwölf".split("|"),
        start=1,
    )
    for word in words.split()
}
_MINUTES = {
    "half past": 30, "quarter past": 15, "quarter after": 15, "quarter to": -15, "quarter till": -15, "quarter of": -15,
    "five past": 5, "ten past": 10, "twenty past": 20, "five to": -5, "ten to": -10, "twenty to": -20,
    "halb": -30, "viertel nach": 15, "viertel vor": -15,
}  # fmt: skip
_LATE = frozenset({"p", "afternoon", "evening", "night", "nachmittags", "abends"})
_UNCLEAR = "~"  # before a time of which half of the day it is was not said
_EDGES = "\"'“”‘’«»`*_()[].,;:!?。．！？、"


@lru_cache(maxsize=4096)
def comparable(new: str, old: str) -> tuple[str, str]:
    """Both texts in English, with what can be written in several ways written in one. That the user asked for one of
    them says nothing about what it says."""
    new, old = in_english(*at_one_time(unmarked(new), unmarked(old)))  # "halb zehn" is a time, and no half ten
    return in_one_measure(*at_one_time(_MAIL.sub("email", new), _MAIL.sub("email", old)))


def exact_words(text: str) -> tuple[str, ...]:
    """The words of a text but for case, spacing and what stands around them. What stands within a word stays: `3.5` is
    not `35`, and `C++` not `C`."""
    folded = unicodedata.normalize("NFC", text).casefold()
    return tuple(word for piece in folded.split() if (word := piece.strip(_EDGES)))


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    hour = "|".join(sorted(_HOURS, key=len, reverse=True))
    spoken = "|".join(sorted(_MINUTES, key=len, reverse=True))
    part = r"(?:in the\s|at\s|am\s)?(morning|afternoon|evening|night|nachmittags|abends|morgens)"
    flags = re.IGNORECASE
    return (
        re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b", flags),
        re.compile(rf"\b(?:a )?({spoken}) ({hour}|\d{{1,2}})\b(?:\s(?:o['’]?clock|uhr))?", flags),
        re.compile(rf"\b({hour}|\d{{1,2}})\so['’]?clock\b", flags),
        re.compile(r"\b(\d{1,2})\s?(?:uhr|h)(?:\s?(\d{2}))\b|\b(\d{1,2})(?:[:.](\d{2}))?\s?uhr\b", flags),
        re.compile(r"\b(\d{1,2})(?:[:.](\d{2}))?\s?([ap])(?:m\b|\.m\.)", flags),
        re.compile(r"\b(at|by|until|till|before|after|around|from|to|past) (noon|midday|midnight)\b", flags),
        re.compile(rf"{_UNCLEAR}?\b(\d{{1,2}}):(\d{{2}})\s{part}\b", flags),
    )


def at_one_time(new: str, old: str) -> tuple[str, str]:
    """Both texts with times and dates in one form. Where only one says which half of the day it is, it speaks for
    both."""
    first, second = _plain(new), _plain(old)
    return _resolved(first, second), _resolved(second, first)


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    days, spoken, oclock, uhr, clock, noon, part = _forms()
    text = days.sub(_day, text)
    text = spoken.sub(lambda m: _UNCLEAR + _spoken(m), text)
    text = oclock.sub(lambda m: f"{_UNCLEAR}{_hour(m.group(1))}:00", text)
    text = uhr.sub(lambda m: f"{int(m.group(1) or m.group(3))}:{m.group(2) or m.group(4) or '00'}", text)
    text = clock.sub(lambda m: _late(int(m.group(1)), m.group(2) or "00", m.group(3)), text)
    text = noon.sub(lambda m: f"{m.group(1)} {'0:00' if m.group(2).casefold() == 'midnight' else '12:00'}", text)
    return part.sub(lambda m: _late(int(m.group(1)), m.group(2), m.group(3)), text)


def _resolved(text: str, other: str) -> str:
    if _UNCLEAR not in text:
        return text
    said = frozenset(re.findall(rf"{_UNCLEAR}?\d{{1,2}}:\d{{2}}", other))

    def clear(match: re.Match[str]) -> str:
        hour, minutes = int(match.group(1)), match.group(2)
        later = f"{hour % 12 + 12}:{minutes}"
        return later if later in said and match.group() not in said else f"{hour}:{minutes}"

    return re.sub(rf"{_UNCLEAR}(\d{{1,2}}):(\d{{2}})", clear, text)


def _day(match: re.Match[str]) -> str:
    year, month, day = map(int, match.groups())
    return f"{day} {MONTHS[month - 1]} {year}" if 1 <= month <= 12 and 1 <= day <= 31 else match.group()


def _hour(word: str) -> int:
    return _HOURS.get(word.casefold()) or int(word)


def _spoken(match: re.Match[str]) -> str:
    minutes = _MINUTES[match.group(1).casefold()]
    hour = _hour(match.group(2)) + (minutes < 0) * -1
    return f"{hour or 12}:{minutes % 60:02}"


def _late(hour: int, minutes: str, part: str) -> str:
    if part.casefold() in _LATE:
        hour = hour + 12 if hour < 12 else hour
    elif hour == 12 and part.casefold() == "a":
        hour = 0
    return f"{hour}:{minutes}"


# -- amounts, spans of time, how often, dates --------------------------------------------------------------------------

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
    for measure in sorted(_amounts_and_dates(text), key=lambda one: (one.start, -one.end)):
        if not found or measure.start >= found[-1].end:
            found.append(measure)
    return tuple(found)


def _amounts_and_dates(text: str) -> Iterator[Measure]:
    amounts, often, dates = _measured_forms()
    for match in dates.finditer(text):
        if meanings := _dates(match):
            yield Measure(*match.span(), meanings)
    for match in often.finditer(text):
        yield Measure(*match.span(), frozenset(_period(match)))
    for match in amounts.finditer(text):
        if meanings := frozenset(_amounts(match)):
            yield Measure(*match.span(), meanings)


@cache
def _measured_forms() -> tuple[re.Pattern[str], ...]:
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
