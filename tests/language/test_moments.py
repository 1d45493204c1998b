"""Times and dates are compared by what they say, not by how they are written."""

import pytest

from commonplace.language.normalising import at_one_time

SAME = [
    ("Bedtime for the kids is 19:30", "Bedtime for the kids is half past seven in the evening"),
    ("Team meeting is Monday at 9:30", "Team meeting is Monday at half past nine"),
    ("Aksel was born on 1 March 2021", "Aksel was born on 2021-03-01"),
    ("Dinner is at 7 pm", "Dinner is at 19:00"),
    ("Dinner is at seven o'clock", "Dinner is at 19:00"),
    ("Gym at 6 a.m.", "Gym at 6:00"),
    ("Lunch is at noon", "Lunch is at 12:00"),
    ("Wakes up at a quarter to six", "Wakes up at 5:45"),
    ("Daily um halb zehn", "Daily um 9:30 Uhr"),
    ("Last call is at 12:15 am", "Last call is at 0:15"),
    ("Train leaves at 16h30", "Train leaves at 4:30 p.m."),
]
OTHER = [
    ("Dinner is at 7 am", "Dinner is at 19:00"),
    ("Team meeting is at half past nine", "Team meeting is at 10:30"),
    ("Aksel was born on 2021-03-02", "Aksel was born on 1 March 2021"),
    ("Gym at midnight", "Gym at noon"),
]
UNTOUCHED = ["Uses Python 3.11.2", "Ratio is 16:9", "Version 2021-3", "Paints in midnight blue", "Order 2021-99-99", ""]


@pytest.mark.req("GATE-1")
@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_time_in_another_form_becomes_the_same_words(one: str, other: str) -> None:
    first, second = at_one_time(one, other)
    assert first == second
    assert at_one_time(other, one) == (second, first)


@pytest.mark.req("GATE-1")
@pytest.mark.parametrize(("one", "other"), OTHER)
def test_another_time_stays_another(one: str, other: str) -> None:
    first, second = at_one_time(one, other)
    assert first != second


@pytest.mark.parametrize("text", UNTOUCHED)
def test_what_is_no_time_is_left_alone(text: str) -> None:
    assert at_one_time(text, "9:30") == (text, "9:30")


@pytest.mark.parametrize("tail", [" ", "\t", "9", "9:30 ", "half past nine ", "noon at "])
def test_a_very_long_text_is_compared_and_not_stuck_on(tail: str) -> None:
    """Each would take an hour if its cost grew with the square of its length."""
    text = "9:30" + tail * 50_000
    assert at_one_time(text, text) == at_one_time(text, text)
    first, second = at_one_time(text, "Swims at 7:15")
    assert first != second
