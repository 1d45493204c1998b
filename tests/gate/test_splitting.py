"""A text with three or more unrelated facts is offered in pieces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.gate.splitting import several_facts

ACTS = 0.5


def pieces(text: str) -> tuple[str, ...]:
    found = several_facts(text)
    return found.pieces if found is not None and found.certainty >= ACTS else ()


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "User lives in Tampere, is allergic to shellfish and writes Rust for a living.",
            ("User lives in Tampere.", "User is allergic to shellfish.", "User writes Rust for a living."),
        ),
        (
            "Has a dog named Biscuit; uses Neovim; his mother speaks only Tagalog.",
            ("Has a dog named Biscuit.", "Uses Neovim.", "His mother speaks only Tagalog."),
        ),
        (
            "- Prefers dark roast coffee\n- Drives a Toyota Yaris\n- Sister's name is Claudia",
            ("Prefers dark roast coffee.", "Drives a Toyota Yaris.", "Sister's name is Claudia."),
        ),
        (
            "The API of Osprey is versioned by header. The user's wife is called Hanna. Invoices go out on the 1st.",
            (
                "The API of Osprey is versioned by header.",
                "The user's wife is called Hanna.",
                "Invoices go out on the 1st.",
            ),
        ),
        (
            "The garden faces north, the user's passport expires in 2029, and commits follow a convention.",
            ("The garden faces north.", "The user's passport expires in 2029.", "Commits follow a convention."),
        ),
    ],
)
def test_each_fact_is_a_sentence_of_its_own(text: str, facts: tuple[str, ...]) -> None:
    assert pieces(text) == facts


@pytest.mark.parametrize(
    "text",
    [
        "Likes jazz, blues and funk.",
        "Has a son, Arlo, who is four, and a daughter, Wren, who is one.",
        "Rents the ground floor to the Novak family, who pay on the 5th and have a lease until 2029.",
        "Speaks Catalan, Spanish, French and some Basque.",
        "Breakfast is oats, lunch is a salad, and dinner is the only cooked meal of the day.",
        "Is vegetarian but eats fish when visiting family in Bergen.",
        "Mother lives in Kraków and father in Gdańsk; they are divorced.",
        "Three cats: Olive, Caper and Fig.",
        "Works at Ericsson as a radio engineer, in the Kista office.",
        "The cabin has no mains power, so everything there runs on a 12 V battery and a small solar panel.",
        "",
        "Became a grandmother in August; the boy is called Elias and lives in Bergen.",
        "The user's cat, Pixel, is diabetic and needs insulin twice a day.",
        "Hat am 12. September geheiratet und heißt seitdem Brandner statt Vogl.",
        "Co-founder Ines left the company in September; her shares vest no further, and all her repos went to Tobias.",
    ],
)
def test_one_fact_or_two_stay_together(text: str) -> None:
    assert pieces(text) == ()


@given(st.text(alphabet=st.sampled_from("ab ,.;\n-*1)IUser isand用。"), max_size=200))
def test_no_text_makes_it_stumble(text: str) -> None:
    found = several_facts(text)
    assert found is None or (0 < found.certainty <= 1 and len(found.pieces) >= 3 and all(found.pieces))
