"""Time words in a question, resolved against today: "last Tuesday", "in March", "two weeks ago", "上周". Pure."""

import re
import unicodedata
from calendar import isleap
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from commonplace.language.monthnames import month_numbers
from commonplace.patterns import LazyPattern


@dataclass(frozen=True, slots=True)
class Span:
    """Days from `first` to `last`, both included, and the words that mean them."""

    first: date
    last: date
    words: str


_MONTH_NUMBER = month_numbers("en", "de", "es", "fr")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY_NUMBER = {name: at for at, name in enumerate(_DAYS)} | {name[:3]: at for at, name in enumerate(_DAYS)}
_COUNT = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "couple of": 2,
    "a couple of": 2,
    "three": 3,
    "a few": 3,
    "few": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twelve": 12,
}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}

_month = "|".join(sorted(_MONTH_NUMBER, key=len, reverse=True))
_weekday = "|".join(sorted(_DAY_NUMBER, key=len, reverse=True))
_number = r"\d{1,3}|" + "|".join(sorted(_COUNT, key=len, reverse=True))


def find_span(text: str, today: date) -> Span | None:
    """The first time that a question names; None when it names none. Ambiguous dates mean the past."""
    text = unicodedata.normalize("NFKC", text)
    folded = text.casefold() + (_DIGIT if any(map(str.isdecimal, text)) else "")
    for pattern, resolve, needs in _RULES:
        for match in pattern.finditer(text) if any(need in folded for need in needs) else ():
            try:
                return Span(*resolve(match, today), match[0].strip())
            except (ValueError, OverflowError):  # 31 February, or before the first year
                continue
    return None


_Days = tuple[date, date]


def _one(day: date) -> _Days:
    return day, day


def _month_days(year: int, month: int) -> _Days:
    return date(year, month, 1), _month_after(year, month) - timedelta(1)


def _month_after(year: int, month: int) -> date:
    return date(year + month // 12, month % 12 + 1, 1)


def _week_days(day: date) -> _Days:
    monday = day - timedelta(day.weekday())
    return monday, monday + timedelta(6)


def _iso(match: re.Match[str], _: date) -> _Days:
    year, month = int(match[1]), int(match[2])
    return _one(date(year, month, int(match[3]))) if match[3] else _month_days(year, month)


def _day_and_month(match: re.Match[str], today: date) -> _Days:
    month = _MONTH_NUMBER[match["month"].lower()]
    day = match["before"] or match["after"]
    if not day:
        return _month_days(int(match["year"]), month)
    return _one(date(int(match["year"]), month, int(day)) if match["year"] else _last_time(month, int(day), today))


def _last_time(month: int, day: int, today: date) -> date:
    """The newest such day that is not in the future; 29 February may be some years back."""
    last_leap_year_is_near = 8
    for year in range(today.year, today.year - last_leap_year_is_near - 1, -1):
        if (month, day) == (2, 29) and not isleap(year):
            continue
        if date(year, month, day) <= today:
            return date(year, month, day)
    raise ValueError("no such day")


def _bare_month(match: re.Match[str], today: date) -> _Days:
    """A month alone counts after a preposition: "may" and "march" are also verbs."""
    month = _MONTH_NUMBER[match["month"].lower()]
    year = today.year if month <= today.month else today.year - 1
    return _month_days(year - 1 if match["last"] and month == today.month else year, month)


def _weekday_named(match: re.Match[str], today: date) -> _Days:
    number = _DAY_NUMBER[match["day"].lower()]
    word = (match["which"] or "").lower()
    if word in {"next", "this coming"}:
        return _one(today + timedelta((number - today.weekday() - 1) % 7 + 1))
    if word == "this":
        return _one(today - timedelta(today.weekday() - number))
    return _one(today - timedelta((today.weekday() - number - 1) % 7 + 1))


def _unit_named(match: re.Match[str], today: date) -> _Days:
    step = {"last": -1, "previous": -1, "past": -1, "this": 0, "current": 0, "next": 1, "coming": 1}[match[1].lower()]
    match match[2].lower():
        case "week":
            return _week_days(today + timedelta(7 * step))
        case "weekend":
            monday, sunday = _week_days(today + timedelta(7 * step))
            return monday + timedelta(5), sunday
        case "month":
            months = today.year * 12 + today.month - 1 + step
            return _month_days(months // 12, months % 12 + 1)
        case "year":
            return date(today.year + step, 1, 1), date(today.year + step, 12, 31)
        case season:
            return _season(season, today, step)


def _season(season: str, today: date, step: int) -> _Days:
    """The last one that is over, this year's, or the next one that begins. A winter belongs to the year it begins in,
    and goes on until the end of February."""
    first = _SEASONS[season]
    year = today.year - 1 if first == _SEASONS["winter"] and today.month < _SEASONS["spring"] else today.year
    days = _season_days(first, year)
    if step < 0 and today <= days[1]:
        return _season_days(first, year - 1)
    return _season_days(first, year + 1) if step > 0 and today >= days[0] else days


def _season_days(first: int, year: int) -> _Days:
    end = first + 2
    return date(year, first, 1), _month_days(year + (end > 12), (end - 1) % 12 + 1)[1]


def _ago(match: re.Match[str], today: date) -> _Days:
    count = _how_many(match[1])
    match match[2].lower().rstrip("s"):
        case "day":
            return _one(today - timedelta(count))
        case "week":
            middle = today - timedelta(7 * count)
            return middle - timedelta(3), middle + timedelta(3)
        case "month":
            months = today.year * 12 + today.month - 1 - count
            return _month_days(months // 12, months % 12 + 1)
        case _:
            return date(today.year - count, 1, 1), date(today.year - count, 12, 31)


def _last_few(match: re.Match[str], today: date) -> _Days:
    days = {"day": 1, "week": 7, "month": 31, "year": 366}[match[2].lower().rstrip("s")]
    return today - timedelta(_how_many(match[1]) * days), today


def _how_many(word: str) -> int:
    return int(word) if word.isdigit() else _COUNT[" ".join(word.lower().split())]


def _near(match: re.Match[str], today: date) -> _Days:
    steps = {"today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0, "yesterday": -1}
    steps |= {"last night": -1, "day before yesterday": -2, "tomorrow": 1, "heute": 0, "gestern": -1, "vorgestern": -2}
    steps |= {"hoy": 0, "ayer": -1, "aujourd'hui": 0, "hier": -1, "今天": 0, "昨天": -1, "前天": -2, "明天": 1}
    steps |= {"今日": 0, "昨日": -1, "오늘": 0, "어제": -1, "сегодня": 0, "вчера": -1}
    return _one(today + timedelta(steps[" ".join(match[0].lower().split())]))


def _chinese(match: re.Match[str], today: date) -> _Days:
    match match[0]:
        case "上周" | "上星期" | "上个星期" | "先週" | "지난주":
            return _week_days(today - timedelta(7))
        case "这周" | "本周" | "这个星期" | "今週" | "이번 주":
            return _week_days(today)
        case "上个月" | "上月" | "先月" | "지난달":
            months = today.year * 12 + today.month - 2
            return _month_days(months // 12, months % 12 + 1)
        case "去年" | "작년":
            return date(today.year - 1, 1, 1), date(today.year - 1, 12, 31)
        case _:
            return date(today.year, 1, 1), date(today.year, 12, 31)


def _chinese_date(match: re.Match[str], today: date) -> _Days:
    month, day = int(match["month"]), match["day"]
    year = int(match["year"]) if match["year"] else today.year - 1 if match["last"] else 0
    if not year:
        if day:
            return _one(_last_time(month, int(day), today))
        year = today.year if month <= today.month else today.year - 1
    return _one(date(year, month, int(day))) if day else _month_days(year, month)


def _year(match: re.Match[str], _: date) -> _Days:
    return date(int(match[1]), 1, 1), date(int(match[1]), 12, 31)


_DIGIT = "\0 some digit"


class _Rule(NamedTuple):
    """How a time is named, and which days that means. None of it is there unless one of `needs` is: most questions
    name no time, and most patterns are never made."""

    pattern: LazyPattern
    resolve: Callable[[re.Match[str], date], _Days]
    needs: tuple[str, ...]


def _rule(pattern: str, resolve: Callable[[re.Match[str], date], _Days], *needs: str) -> _Rule:
    return _Rule(LazyPattern(pattern, re.IGNORECASE), resolve, needs)


_NEAR = tuple("heute gestern hoy ayer aujourd'hui hier сегодня вчера 今天 昨天 前天 明天 今日 昨日 오늘 어제".split())
_UNITS = tuple("last previous past this current next coming".split())
_CHINESE = tuple(
    "上个星期 上星期 上周 这个星期 这周 本周 上个月 上月 去年 今年 先週 今週 先月 지난주 이번 지난달 작년 올해".split()
)
_RULES = (
    _rule(r"\b(\d{4})-(\d{1,2})(?:-(\d{1,2}))?\b", _iso, _DIGIT),
    _rule(
        r"(?:(?P<year>\d{4})[年년]\s?|(?P<last>去年|작년)[的の]?\s?)?(?<!\d)(?P<month>\d{1,2})[月월]"
        r"(?:\s?(?P<day>\d{1,2})[日号일])?",
        _chinese_date,
        "月",
        "월",
    ),
    _rule(r"((?:19|20)\d{2})[年년]", _year, "年", "년"),
    _rule(
        rf"\b(?:(?P<before>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+|de\s+)?(?P<month>{_month})\b\.?(?P<after>)"
        rf"(?:,?\s+(?:of\s+|de\s+)?(?P<year>\d{{4}}))?)",
        _day_and_month,
        _DIGIT,
    ),
    _rule(
        rf"\b(?P<before>)(?P<month>{_month})\b\.?\s+(?P<after>\d{{1,2}})(?:st|nd|rd|th)?\b"
        r"(?:,?\s+(?P<year>\d{4}))?",
        _day_and_month,
        _DIGIT,
    ),
    _rule(
        rf"\b(?P<before>)(?P<after>)(?P<month>{_month})\b\.?,?\s+(?:of\s+|de\s+)?(?P<year>\d{{4}})\b",
        _day_and_month,
        _DIGIT,
    ),
    _rule(
        r"\b(?:(?:day before )?yesterday|last night|today|tonight|tomorrow|this (?:morning|afternoon|evening))\b",
        _near,
        "yesterday",
        "last night",
        "today",
        "tonight",
        "tomorrow",
        "this ",
    ),
    _rule(
        r"\b(?:heute|gestern|vorgestern|hoy|ayer|aujourd'hui|hier|сегодня|вчера)\b"
        "|今天|昨天|前天|明天|今日|昨日|오늘|어제",
        _near,
        *_NEAR,
    ),
    _rule(
        rf"\b(?:(?P<which>last|this|next|this coming|on|past)\s+)(?P<day>{_weekday})\b", _weekday_named, *_DAY_NUMBER
    ),
    _rule(
        r"\b(last|previous|past|this|current|next|coming)\s+(weekend|week|month|year|spring|summer|autumn|fall|winter)\b",
        _unit_named,
        *_UNITS,
    ),
    _rule(rf"\b({_number})\s+(days?|weeks?|months?|years?)\s+(?:ago|back|earlier)\b", _ago, "ago", "back", "earlier"),
    _rule(
        rf"\b(?:last|past|previous)\s+({_number})\s+(days?|weeks?|months?|years?)\b",
        _last_few,
        "last",
        "past",
        "previous",
    ),
    _rule(
        "上个星期|上星期|上周|这个星期|这周|本周|上个月|上月|去年|今年|先週|今週|先月|지난주|이번 주|지난달|작년|올해",
        _chinese,
        *_CHINESE,
    ),
    _rule(
        rf"\b(?:in|during|since|early|late|mid|this(?!\s+(?:may|march)\b)|im|en|au mois de|(?P<last>last|letzten))"
        rf"[\s-]+(?P<month>{_month})\b",
        _bare_month,
        *_MONTH_NUMBER,
    ),
    _rule(r"\b(?:in|during|since|of|year)\s+((?:19|20)\d{2})\b", _year, _DIGIT),
)
