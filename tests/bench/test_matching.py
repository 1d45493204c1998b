"""Whether an entry says what is expected, however it is worded."""

import re
from pathlib import Path

import pytest

from commonplace.bench.matching import EMPTY_WORDS, NEGATIONS, says

PAGE = Path(__file__).parents[2] / "docs" / "bench-flush.md"


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("Prefers dark mode in all apps", "The user prefers dark mode"),
        ("User requested: Wohnt in Berlin", "Ich wohne in Berlin"),
        ("[profile] Working at Siemens since 2019", "works at Siemens"),
        ("Eats no meat", "The user doesn't eat meat"),
        ("Habite à Orléans", "habite a orleans"),
        ("用户住在东京的一间公寓", "住在东京"),
        ("ユーザーは東京に住んでいます", "東京に住む"),
        ("コーヒーは飲まない", "コーヒーを飲みません"),
        ("Живёт в Казани", "живет в Казани"),
        ("Bursa'da yaşıyor", "Bursa'da yaşıyor"),
        ("베를린에 산다", "베를린"),
    ],
)
def test_an_entry_says_a_text_in_other_words(entry: str, expected: str) -> None:
    assert says(entry, expected)


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("Prefers light mode", "Prefers dark mode"),
        ("Lives in Berlin", "Lives in Bern"),
        ("Eats meat", "Does not eat meat"),
        ("Uses PostgreSQL 15", "Uses PostgreSQL 16"),
        ("Has 2 children", "Has 12 children"),
        ("喜欢浅色模式", "喜欢深色模式"),
        ("コーヒーを飲む", "コーヒーを飲まない"),
        ("", "Lives in Bern"),
        ("Lives in Bern", ""),
    ],
)
def test_another_value_a_turned_sense_or_nothing_is_not_the_same(entry: str, expected: str) -> None:
    assert not says(entry, expected)


def test_an_entry_may_negate_something_else_unless_the_turned_sense_matters() -> None:
    assert says("Prefers short answers without introductions", "prefers short answers")
    assert not says("Does not eat meat", "Eats meat", turned=True)
    assert says("Does not eat meat", "Eats no meat", turned=True)


def test_the_page_lists_the_words_that_are_used() -> None:
    listed = re.findall(r"^```words\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert [set(words.split()) for words in listed] == [NEGATIONS, EMPTY_WORDS]
