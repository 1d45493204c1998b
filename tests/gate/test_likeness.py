"""The same fact, a newer value of the same thing, or two facts."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.gate.likeness import Likeness, compare, most_alike, weigh
from commonplace.providers.crossencoder import pair_reader
from commonplace.types import Entry

SURE = 0.5


def sure(new: str, old: str) -> str | None:
    """What the gate would act on."""
    likeness = compare([(new, old)], pair_reader())[0]
    return likeness.relation if likeness and likeness.certainty >= SURE else None


@pytest.mark.req("GATE-1")
@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The user prefers dark mode.", "Prefers dark mode"),
        ("Employed at Siemens as a test engineer", "Works as a test engineer at Siemens"),
        ("Speaks fluent French and German", "Fluent in German and French"),
        ("Der Nutzer trinkt seinen Kaffee schwarz und ohne Zucker.", "Trinkt Kaffee nur schwarz, ohne Zucker"),
        ("Al usuario le gustan las respuestas breves, sin listas.", "Prefiere respuestas cortas, breves y sin listas"),
        ("La riunione è ogni giovedì alle 14", "La riunione si tiene ogni giovedì alle 14"),
        ("我喜欢简洁的回答，请不要使用表情符号。", "喜欢简洁的回答，不要用表情符号"),
        ("Logs are kept for two weeks", "Logs are kept for 14 days"),
        ("My salary is 32k euros a year", "My annual salary is 32,000 euros"),
        ("VAT returns are filed every three months", "VAT returns are filed quarterly"),
    ],
)
def test_the_same_fact_in_other_words_is_recognised(new: str, old: str) -> None:
    assert sure(new, old) == "same"


@pytest.mark.req("GATE-1")
@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Dev server runs on port 3001", "Dev server runs on port 3000"),
        ("The daily standup is at 9:45 now", "Daily standup is at 9:15"),
        ("Rent is 1,240 euros a month", "Rent is 1,150 euros a month"),
        ("Deployments happen on Thursdays", "Deployments happen on Tuesdays"),
        ("Préfère désormais le thème clair dans l'éditeur", "Préfère le thème sombre dans l'éditeur"),
        (
            "De huur van het atelier is verhoogd naar 720 euro per maand",
            "De huur van het atelier is 650 euro per maand",
        ),
        ("Ofisin aylık kirası 55 bin lira oldu.", "Ofisin aylık kirası 40 bin lira"),
        ("We use uv for dependency management, not Poetry", "Dependencies are managed with Poetry"),
        ("Replaced Jest with Vitest for unit tests", "Unit tests run with Jest"),
        ("User's favourite language is Rust", "User's favourite language is Python"),
        ("Daughter Mia is 7 years old", "Daughter Mia is 6 years old"),
    ],
)
def test_another_value_of_the_same_thing_is_newer(new: str, old: str) -> None:
    assert sure(new, old) == "newer"


@pytest.mark.req("GATE-1")
@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Tom's birthday is 9 June", "Anna's birthday is 3 May"),
        ("Father lives in Basel", "Mother lives in Bern"),
        ("Likes hiking", "Likes jazz"),
        ("Room 5 seats twelve people", "Room 3 has a whiteboard"),
        ("Works from home on Fridays", "Works at Siemens"),
        ("Project Borealis uses MySQL 8", "Project Atlas uses PostgreSQL 16"),
        ("Syam lives in Delhi", "Ram lives in Delhi"),
        ("儿子小北的生日是11月20日", "车贷在招商银行，每月2100元"),
        ("Task 4 of thread 1", "Task 3 of thread 1"),
        ("stress 0002", "stress 0001"),
        ("red", "green"),
    ],
)
def test_another_subject_or_another_attribute_is_another_fact(new: str, old: str) -> None:
    assert sure(new, old) is None


@pytest.mark.req("GATE-1")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Prefers dark mode", "Prefers light mode"),
        ("Prefers window seats", "Prefers aisle seats"),
        ("Never call before noon", "Always call before noon"),
        ("Nie vor zwölf anrufen", "Immer vor zwölf anrufen"),
        ("Use emojis in replies", "Don't use emojis in replies"),
        ("Isst Fleisch", "Isst kein Fleisch"),
        ("Clara goes to Escola da Ponte", "Clara no longer goes to Escola da Ponte"),
        ("Prefers spaces over tabs", "Prefers tabs over spaces"),
        ("Flies from Berlin to Paris", "Flies to Berlin from Paris"),
        ("Staging has 4 GB and prod has 2 GB", "Staging has 2 GB and prod has 4 GB"),
        ("Meetings are in the morning", "Meetings are in the evening"),
        ("Rent is 900 euros", "Rent is 950 euros"),
    ],
)
def test_what_denies_turns_round_or_counts_otherwise_is_never_the_same_whatever_a_model_thinks(
    one: str, other: str
) -> None:
    for new, old in ((one, other), (other, one)):
        likeness = weigh(new, old, (0.95, 0.05))
        assert likeness == Likeness("newer", 1.0)


@pytest.mark.req("GATE-1")
def test_case_spacing_and_punctuation_make_no_difference() -> None:
    assert weigh("prefers  DARK mode!", "User requested: Prefers dark mode.") == Likeness("same", 1.0)
    assert weigh("Is vegetarian", "Is a vegetarian") == Likeness("same", 1.0)
    assert weigh("Writes C", "Writes C++") is None


@pytest.mark.req("GATE-1")
def test_the_closest_of_several_entries_is_picked() -> None:
    entries = [
        Entry("Anna's birthday is 3 May", "Profile", 5),
        Entry("Birthday is 12 May", "Profile", 6),
        Entry("Staging server listens on port 8443", "Projects", 9),
    ]
    found = most_alike("The staging server listens on port 8444", entries, pair_reader())
    assert found is not None
    assert (found[0], found[1].relation) == (entries[2], "newer")


def test_without_candidates_nothing_is_alike() -> None:
    assert most_alike("Prefers dark mode", [], pair_reader()) is None


@given(st.text(max_size=200))
def test_every_text_is_the_same_as_itself(text: str) -> None:
    assert weigh(text, text) == Likeness("same", 1.0)


@given(st.text(max_size=120), st.text(max_size=120), st.none() | st.tuples(st.floats(0, 0.5), st.floats(0, 0.5)))
def test_any_two_texts_can_be_compared(new: str, old: str, chances: tuple[float, float] | None) -> None:
    likeness = weigh(new, old, chances)
    assert likeness is None or 0 < likeness.certainty <= 1


def test_nothing_heavy_is_loaded_before_two_texts_are_compared() -> None:
    rooms = "commonplace.gate.likeness, commonplace.providers.crossencoder as pairs"
    program = f"import sys, {rooms}; pairs.pair_reader(); print({{'numpy', 'onnxruntime'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
