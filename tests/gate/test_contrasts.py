"""Words that set one thing apart from another of its sort, and numbers that name things."""

import pytest

from commonplace.gate.contrasts import set_apart, sides_of
from commonplace.gate.labels import identifiers
from commonplace.gate.signals import signals


@pytest.mark.parametrize(
    ("one", "other", "sorts"),
    [
        ("staging runs postgres", "production runs postgres", 1),
        ("opens late in winter", "opens early in summer", 1),
        ("prod runs postgres", "production runs mysql", 0),  # two words for one side
        ("staging and production", "production", 0),  # one side in common
        ("likes tea", "likes coffee", 0),  # values, no sides
        ("upload limit in winter", "download limit in summer", 2),
    ],
)
def test_two_texts_are_set_apart_by_sorts_of_which_they_share_no_side(one: str, other: str, sorts: int) -> None:
    assert set_apart(sides_of(one.split()), sides_of(other.split())) == sorts


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Docs are at https://wiki.example/x", ["https://wiki.example/x"]),
        ("Run it with --profile and LOG_LEVEL set", ["--profile", "log_level"]),
        ("Passport C01X00T47 expires in 2031", ["c01x00t47"]),
        ("Weighs 82 kg since 2024-05-01, runs 10,000 m in 50:12", []),
        ("A 5-minute walk for $1,200", []),
    ],
)
def test_numbers_and_paths_that_name_a_thing_are_told_from_amounts_and_dates(text: str, found: list[str]) -> None:
    assert sorted(identifiers(text)) == found


@pytest.mark.req("GATE-1")
def test_a_text_that_adds_the_number_of_a_thing_says_more_than_the_entry() -> None:
    more = signals("The printer is an HP, serial CN8B6X20KQ", "The printer is an HP", 0.9)
    again = signals("The printer is made by HP", "The printer is an HP", 0.9)
    assert (more["codes_new"], again["codes_new"]) == (1.0, 0.0)
