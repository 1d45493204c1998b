"""Time words against fixed days."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.search.timewords import find_span

SUNDAY = "2026-11-15"
FRIDAY = "2026-11-13"
NEW_YEAR = "2026-01-01"  # a Thursday
LEAP = "2024-02-29"  # a Thursday
SPRING_FORWARD = "2026-03-29"  # a Sunday; clocks change in Europe
CASES = [
    # near days
    ("what did I eat today", SUNDAY, "2026-11-15"),
    ("what did I eat yesterday", SUNDAY, "2026-11-14"),
    ("what did I eat yesterday", NEW_YEAR, "2025-12-31"),
    ("yesterday", "2024-03-01", "2024-02-29"),
    ("yesterday", "2026-03-30", SPRING_FORWARD),
    ("the day before yesterday", SUNDAY, "2026-11-13"),
    ("day before yesterday", NEW_YEAR, "2025-12-30"),
    ("who called last night?", SUNDAY, "2026-11-14"),
    ("This Morning", SUNDAY, "2026-11-15"),
    ("what is on tomorrow", "2026-12-31", "2027-01-01"),
    ("TONIGHT", SPRING_FORWARD, SPRING_FORWARD),
    # weekdays
    ("last Tuesday", SUNDAY, "2026-11-10"),
    ("last Friday", FRIDAY, "2026-11-06"),
    ("last Saturday", SUNDAY, "2026-11-14"),
    ("last Sunday", SUNDAY, "2026-11-08"),
    ("on Monday", SUNDAY, "2026-11-09"),
    ("on Wednesday", NEW_YEAR, "2025-12-31"),
    ("past Thursday", NEW_YEAR, "2025-12-25"),
    ("this Friday", "2026-11-11", "2026-11-13"),
    ("this Monday", "2026-11-11", "2026-11-09"),
    ("next Friday", FRIDAY, "2026-11-20"),
    ("this coming Sunday", FRIDAY, "2026-11-15"),
    ("last thu", LEAP, "2024-02-22"),
    # weeks, months, years, seasons
    ("last week", SUNDAY, "2026-11-02 2026-11-08"),
    ("this week", SUNDAY, "2026-11-09 2026-11-15"),
    ("last week", NEW_YEAR, "2025-12-22 2025-12-28"),
    ("next week", "2026-12-31", "2027-01-04 2027-01-10"),
    ("last weekend", "2026-11-11", "2026-11-07 2026-11-08"),
    ("last month", NEW_YEAR, "2025-12-01 2025-12-31"),
    ("last month", "2024-03-31", "2024-02-01 2024-02-29"),
    ("next month", "2026-12-31", "2027-01-01 2027-01-31"),
    ("this month", LEAP, "2024-02-01 2024-02-29"),
    ("last year", LEAP, "2023-01-01 2023-12-31"),
    ("this year", NEW_YEAR, "2026-01-01 2026-12-31"),
    ("last summer", SUNDAY, "2026-06-01 2026-08-31"),
    ("last summer", "2026-07-01", "2025-06-01 2025-08-31"),
    ("last summer", "2026-08-31", "2025-06-01 2025-08-31"),
    ("last summer", "2026-09-01", "2026-06-01 2026-08-31"),
    ("last summer", "2026-03-01", "2025-06-01 2025-08-31"),
    ("this summer", "2026-03-01", "2026-06-01 2026-08-31"),
    ("next summer", "2026-07-01", "2027-06-01 2027-08-31"),
    ("next spring", SUNDAY, "2027-03-01 2027-05-31"),
    ("last winter", "2026-02-28", "2024-12-01 2025-02-28"),
    ("last winter", "2026-03-01", "2025-12-01 2026-02-28"),
    ("this winter", "2024-01-05", "2023-12-01 2024-02-29"),
    ("last autumn", NEW_YEAR, "2025-09-01 2025-11-30"),
    # counted
    ("three days ago", "2026-03-01", "2026-02-26"),
    ("3 days ago", "2024-03-01", "2024-02-27"),
    ("a week ago", SUNDAY, "2026-11-05 2026-11-11"),
    ("two weeks ago", SUNDAY, "2026-10-29 2026-11-04"),
    ("a couple of weeks ago", SUNDAY, "2026-10-29 2026-11-04"),
    ("a month ago", NEW_YEAR, "2025-12-01 2025-12-31"),
    ("14 months back", NEW_YEAR, "2024-11-01 2024-11-30"),
    ("ten years ago", LEAP, "2014-01-01 2014-12-31"),
    ("in the last 3 days", SUNDAY, "2026-11-12 2026-11-15"),
    ("the past two weeks", SUNDAY, "2026-11-01 2026-11-15"),
    # months and dates
    ("in December", "2026-01-10", "2025-12-01 2025-12-31"),
    ("in January", "2026-01-10", "2026-01-01 2026-01-31"),
    ("during february", LEAP, "2024-02-01 2024-02-29"),
    ("last March", "2026-06-10", "2026-03-01 2026-03-31"),
    ("last March", "2026-03-10", "2025-03-01 2025-03-31"),
    ("last December", SUNDAY, "2025-12-01 2025-12-31"),
    ("in May", SUNDAY, "2026-05-01 2026-05-31"),
    ("March 2024", SUNDAY, "2024-03-01 2024-03-31"),
    ("in march of 2024", SUNDAY, "2024-03-01 2024-03-31"),
    ("on 5 March", SUNDAY, "2026-03-05"),
    ("on March 5th, 2023", SUNDAY, "2023-03-05"),
    ("the 24th of December", SUNDAY, "2025-12-24"),
    ("November 15", SUNDAY, "2026-11-15"),
    ("November 16", SUNDAY, "2025-11-16"),
    ("29 February", SUNDAY, "2024-02-29"),
    ("February 29", LEAP, "2024-02-29"),
    ("Sept. 3", SUNDAY, "2026-09-03"),
    ("2025-02-28", SUNDAY, "2025-02-28"),
    ("2024-02", SUNDAY, "2024-02-01 2024-02-29"),
    ("in 2019", SUNDAY, "2019-01-01 2019-12-31"),
    # other languages
    ("Was war gestern?", SUNDAY, "2026-11-14"),
    ("Wer rief vorgestern an?", SUNDAY, "2026-11-13"),
    ("am 5. März 2023", SUNDAY, "2023-03-05"),
    ("im Dezember", NEW_YEAR, "2025-12-01 2025-12-31"),
    ("¿Qué hice ayer?", SUNDAY, "2026-11-14"),
    ("el 5 de mayo de 2023", SUNDAY, "2023-05-05"),
    ("en agosto", SUNDAY, "2026-08-01 2026-08-31"),
    ("Qu'ai-je mangé hier ?", SUNDAY, "2026-11-14"),
    ("en aou\u0302t", SUNDAY, "2026-08-01 2026-08-31"),
    ("что было вчера", SUNDAY, "2026-11-14"),
    ("昨天吃了什么", SUNDAY, "2026-11-14"),
    ("前天", NEW_YEAR, "2025-12-30"),
    ("上周我做了什么", SUNDAY, "2026-11-02 2026-11-08"),
    ("上个月", NEW_YEAR, "2025-12-01 2025-12-31"),
    ("去年", SUNDAY, "2025-01-01 2025-12-31"),
    ("去年3月", SUNDAY, "2025-03-01 2025-03-31"),
    ("2023年5月6日", SUNDAY, "2023-05-06"),
    ("２０２３年５月", SUNDAY, "2023-05-01 2023-05-31"),
    ("2023年の旅行", SUNDAY, "2023-01-01 2023-12-31"),
    ("12月25日", SUNDAY, "2025-12-25"),
    ("11月16日", SUNDAY, "2025-11-16"),
    ("先週の会議", SUNDAY, "2026-11-02 2026-11-08"),
    ("昨日の夕食", SUNDAY, "2026-11-14"),
    ("지난주에 뭐 했지", SUNDAY, "2026-11-02 2026-11-08"),
    ("어제", NEW_YEAR, "2025-12-31"),
    ("2023년 5월 6일", SUNDAY, "2023-05-06"),
    # as odd fonts have it
    ("laſt week", SUNDAY, "2026-11-02 2026-11-08"),
    ("ｙｅｓｔｅｒｄａｙ", SUNDAY, "2026-11-14"),
]
NO_TIME = [
    "where may I park",
    "this may be wrong",
    "I march every morning",
    "this march is exhausting",
    "we may go",
    "the sun and the moon",
    "mars is a planet",
    "31 February",
    "2023-13-45",
    "call 555-1234",
    "version 2.4.1",
    "3个月",
    "",
]


@pytest.mark.req("SRCH-7")
@pytest.mark.parametrize(("question", "today", "days"), CASES)
def test_time_words_mean_days(question: str, today: str, days: str) -> None:
    span = find_span(question, date.fromisoformat(today))
    assert span is not None
    first, _, last = days.partition(" ")
    assert (span.first.isoformat(), span.last.isoformat()) == (first, last or first)


@pytest.mark.req("SRCH-7")
@pytest.mark.parametrize("question", NO_TIME)
def test_words_that_only_look_like_time_mean_none(question: str) -> None:
    assert find_span(question, date.fromisoformat(SUNDAY)) is None


WORDS = st.sampled_from(
    "last next this past on in the day before yesterday may march december 29 31 february friday week month year winter"
    " summer ago two 999 years days 9999 0001 0000 2024 -02 - 30 月 年 12 去年 of mid laſt ayer 5th . , \n ²".split(" ")
)


@given(st.lists(WORDS | st.text(max_size=3), max_size=8).map(" ".join) | st.text(), st.dates())
def test_no_question_and_no_day_is_too_odd(question: str, today: date) -> None:
    span = find_span(question, today)
    assert span is None or span.first <= span.last
