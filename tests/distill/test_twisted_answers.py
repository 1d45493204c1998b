"""Answers that have the right words and say something else: by a sign, by their order, or about somebody else."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from commonplace.distill.proposal import Dropped, Item, Kept, Proposal, Why
from commonplace.distill.verifying import prove
from commonplace.flows.compacting import LocalChecks
from commonplace.providers.crossencoder import pair_reader
from commonplace.providers.embedders.minilm import MiniLM

CORPUS = Path(__file__).parent.parent / "compaction" / "twisted.txt"
REST = Item(9, "Owns a red bicycle", "Notes", datetime(2026, 1, 1, tzinfo=UTC))


@pytest.fixture(scope="module")
def checks() -> LocalChecks:
    return LocalChecks(MiniLM(), pair_reader())


def cases() -> list[str]:
    return [line for line in CORPUS.read_text(encoding="utf-8").splitlines() if line and not line.startswith("# ")]


def findings(case: str, checks: LocalChecks) -> list[str]:
    kind, _, said = case.partition(": ")
    if kind in {"reword", "merge"}:
        old, _, new = said.rpartition(" -> ")
        olds = [
            Item(n, text, "Notes") for n, text in enumerate(old.split(" + ") if kind == "merge" else [old], start=1)
        ]
        proposal = Proposal((Kept(tuple(item.id for item in olds), new, "Notes"), kept(REST)))
        return prove(proposal, [*olds, REST], ["Notes"], checks).findings
    gone, _, stays = said.partition(" < ") if said.count(" < ") == 1 else said.rpartition(" < ")
    pair = [
        Item(1, gone, "Notes", datetime(2025, 1, 1, tzinfo=UTC)),
        Item(2, stays, "Notes", datetime(2026, 1, 1, tzinfo=UTC)),
    ]
    why = Why.DUPLICATE if kind == "duplicate" else Why.SUPERSEDED
    proposal = Proposal((kept(pair[1]), kept(REST)), (Dropped(1, why, 2),))
    return prove(proposal, [*pair, REST], ["Notes"], checks).findings


def kept(item: Item) -> Kept:
    return Kept((item.id,), item.text, item.section)


@pytest.mark.req("CMP-4", "R5")
def test_no_twisted_answer_is_accepted(checks: LocalChecks) -> None:
    assert len(cases()) >= 150
    assert [case for case in cases() if not findings(case, checks)] == []


@pytest.mark.req("CMP-4", "R5")
def test_nor_is_one_without_a_local_model() -> None:
    assert [case for case in cases() if not findings(case, LocalChecks(None))] == []


@pytest.mark.req("CMP-4")
@pytest.mark.parametrize(
    "case",
    [
        "reword: Wants to buy a house in Ulm -> Buys a house in Ulm",
        "reword: Wants to visit Japan -> Visits Japan",
        "reword: Wants to visit Japan -> Likes visiting Japan",
        "reword: Likes to be called Sam -> Is called Sam",
        "reword: Would like to learn Dutch -> Learns Dutch",
        "reword: She'd love to learn Dutch -> She loves to learn Dutch",
        "reword: Wishes to learn Dutch -> Learns Dutch",
        "reword: Would like a dog -> Likes a dog",
        "reword: Needs help with taxes -> Helps with taxes",
        "superseded: Lives in Ulm < Would rather live in Bonn",
        "duplicate: Wants weekly reports by email < Sends weekly reports by email",
        "reword: Always drives to work -> Wants to drive to work",
        "merge: Wants to learn Dutch + Learns Dutch words -> Learns Dutch, Dutch words",
        "duplicate: Wants to visit Japan < Visits Japan in May",
        "duplicate: Visits Japan < Wants to visit Japan",
        "superseded: Lives in Ulm < Wants to live in Bonn",
        "superseded: Lives in Ulm < Used to live in Bonn",
    ],
)
def test_a_wish_does_not_become_a_fact_nor_a_fact_a_wish(case: str, checks: LocalChecks) -> None:
    assert findings(case, checks)


@pytest.mark.parametrize(
    "case",
    [
        "reword: Wants short answers -> Prefers short answers",
        "reword: Would like to learn Dutch -> Wants to learn Dutch",
        "reword: Likes to be called Sam -> Prefers to be called Sam",
        "reword: Likes to hike -> Enjoys hiking",
        "duplicate: Wants to visit Japan < Would like to visit Japan with Ana",
    ],
)
def test_a_wish_in_other_words_is_accepted(case: str, checks: LocalChecks) -> None:
    assert findings(case, checks) == []


@pytest.mark.parametrize("case", ["A deux fils -> A trois fils", "Lavora il lunedì -> Lavora il martedì"])
def test_numbers_and_days_of_other_languages_are_no_synonyms(case: str, checks: LocalChecks) -> None:
    assert findings(f"reword: {case}", checks)


@pytest.mark.parametrize(
    "case",
    [
        "reword: Reads biographies of composers -> Reads composers' biographies",
        "reword: Prefers R over Python for statistics -> For statistics, prefers R over Python",
        "reword: Speaks Swedish, Somali and English -> Speaks English, Somali and Swedish",
        "reword: Reads crime novels by Ian Rankin -> Reads Ian Rankin's crime novels",
        "duplicate: Lives in Bern < Lives in Bern with two cats",
        "superseded: Lives in Bern < Now lives in Basel",
    ],
)
def test_another_order_that_says_the_same_is_accepted(case: str, checks: LocalChecks) -> None:
    assert findings(case, checks) == []
