"""Amounts and dates that two texts write in two ways."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.language.normalising import in_one_measure, measures


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("two weeks", "14 days"),
        ("a fortnight", "two weeks"),
        ("10 minutes", "600 seconds"),
        ("an hour and a half", "90 min"),
        ("1.5 hours", "90 minutes"),
        ("half an hour", "30 minutes"),
        ("a year", "12 months"),
        ("12k", "12,000"),
        ("3.4k", "3,400"),
        ("thirty-two thousand", "32000"),
        ("2 million", "2 mio"),
        ("five", "5"),
        ("1 km", "1000 metres"),
        ("2 GB", "2048 MB"),
        ("half a core", "500m"),
        ("every three months", "quarterly"),
        ("once a week", "weekly"),
        ("every other week", "biweekly"),
        ("twice a year", "every six months"),
        ("every day", "daily"),
        ("03/2027", "March 2027"),
        ("14.04", "14 April"),
        ("April 14th", "14.4."),
        ("4/14/1990", "14 April 1990"),
        ("Dec 3, 2025", "3 December 2025"),
    ],
)
def test_what_means_the_same_is_written_as_the_other_text_does(new: str, old: str) -> None:
    assert in_one_measure(f"It is {new} here", f"There it is {old}") == (f"It is {old} here", f"There it is {old}")
    assert in_one_measure(f"It is {old} here", f"There it is {new}") == (f"It is {new} here", f"There it is {new}")


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("two weeks", "15 days"),
        ("30 days", "a month"),
        ("12k", "12,500"),
        ("support 24/7", "24 July"),
        ("Python 3.11", "3 November"),
        ("10.0.0.1", "10"),
        ("port 5432", "version 5.432"),
        ("at 9:30", "9"),
        ("every week", "a week"),
        ("may walk", "May 5"),
        ("45.13.99", "13"),
        ("Python 3.10", "Python 3.1"),
        ("12.000 Euro", "12 Euro"),
        ("on 03.05.", "on 05.03."),
        ("on 03/05/1990", "on 05/03/1990"),
        ("bi-weekly", "every week"),
        ("twice daily", "every day"),
        ("semi-annually", "yearly"),
        ("two hundred fifty", "200"),
        ("id 123456789012345678", "id 123456789012345679"),
        ("umask 022", "umask 22"),
        ("30m", "30 min"),
        ("5 days of leave", "120 hours of leave"),
        ("03/04/2027", "4 March 2027"),
        ("100%", "1 core"),
        ("three quarters", "9 months"),
        ("4K", "4,000"),
        ("01.02.60", "01.02.2060"),
        ("0.0000000001 mm", "0.0000000004 mm"),
        ("two hundred and fifty", "fifty"),
    ],
)
def test_what_does_not_is_left_alone(new: str, old: str) -> None:
    assert in_one_measure(new, old) == (new, old)


def test_only_what_is_not_told_in_the_same_words_is_touched() -> None:
    assert in_one_measure("Two dogs, 2 cats", "two cats") == ("Two dogs, two cats", "two cats")
    assert in_one_measure("7 days or a week", "a week") == ("a week or a week", "a week")


@given(st.text(alphabet="0123456789.,:/- kmhd½äone halftwyquer", max_size=60), st.text(max_size=60))
def test_any_text_can_be_measured(new: str, old: str) -> None:
    spans = [(one.start, one.end) for one in measures(new)]
    assert all(start < end for start, end in spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    assert in_one_measure(new, new) == (new, new)
    in_one_measure(new, old)
