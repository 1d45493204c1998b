"""Two texts in one form, for whatever compares them: English, one way to write times, dates and amounts. Pure.

"half past nine" is "9:30", "9 pm" is "21:00", "2021-03-01" is "1 March 2021"; amounts are in `measures`.
"""

import re
import unicodedata
from functools import cache, lru_cache

from commonplace.language.glossing import in_english
from commonplace.language.measures import in_one_measure
from commonplace.language.monthnames import MONTHS
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
