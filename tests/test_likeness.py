"""What is saved is compared with what is there, whatever the embedder; where it cannot be, the answer says so."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from commonplace.config import EmbedderSettings, Settings
from commonplace.memory import Memory
from commonplace.ports import Embedder
from commonplace.providers.crossencoder import pair_reader
from commonplace.providers.embedders import embedder
from commonplace.testing import HashingEmbedder
from commonplace.tools.calling import run_tool
from commonplace.tools.table import Context
from commonplace.types import Alike, Duplicate, Saved, ToolCall
from tests.stores import Place

NONE = Settings(embedder=EmbedderSettings(name="none"))


@pytest.fixture
def no_runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As where the runtime of the models is missing."""
    pair_reader.cache_clear()
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    yield
    pair_reader.cache_clear()


@pytest.mark.req("GATE-1")
@pytest.mark.parametrize(("model", "settings"), [(HashingEmbedder(), Settings()), (None, NONE)])
def test_repetitions_and_changes_are_found_whatever_the_embedder(
    place: Place, model: Embedder | None, settings: Settings
) -> None:
    memory = Memory.open(place, embedder=model, settings=settings)
    for text in ("Works as a test engineer at Siemens", "Dev server runs on port 3000", "Has a cat called Miso"):
        memory.remember(text)
    again = memory.remember("Employed at Siemens as a test engineer")
    changed = memory.remember("The dev server runs on port 3001 now")
    assert isinstance(again, Alike)
    assert isinstance(changed, Alike)
    assert (again.code, changed.code) == ("same_fact", "newer_value")
    assert changed.existing.text == "Dev server runs on port 3000"


@pytest.mark.req("GATE-1")
def test_without_the_model_only_the_same_words_are_known_again_and_the_answer_says_so(
    place: Place, no_runtime: None
) -> None:
    memory = Memory.open(place, settings=NONE)
    first = memory.remember("Works as a test engineer at Siemens")
    assert isinstance(first, Saved)
    assert first.notice == ""  # there was nothing to compare with
    assert isinstance(memory.remember("works as a test engineer at Siemens."), Duplicate)
    other = memory.remember("Employed at Siemens as a test engineer")
    assert isinstance(other, Saved)
    assert "in other words were not looked for" in other.notice
    assert "not looked for" in memory.judge("Test engineer with Siemens").reason


@pytest.mark.req("GATE-1", "TOOL-1")
def test_an_agent_is_told_too_that_likeness_was_not_looked_for(place: Place, no_runtime: None) -> None:
    memory = Memory.open(place, settings=NONE)
    memory.remember("Works as a test engineer at Siemens")
    call = ToolCall("c1", "save_memory", {"content": "Employed at Siemens as a test engineer"})
    answer = run_tool(Context(memory), call)
    assert not answer.failed
    assert "were not looked for" in answer.text
    assert "were not looked for" in str(answer.facts["notice"])


def test_all_books_of_a_process_share_one_model(tmp_path: Path) -> None:
    assert embedder(EmbedderSettings()) is embedder(EmbedderSettings())
    assert pair_reader() is pair_reader()


@pytest.fixture
def memory(place: Place) -> Memory:
    memory = Memory.open(place)
    memory.remember("my partner is Elif, she teaches Dutch")
    return memory


def alike(memory: Memory, text: str) -> Alike:
    outcome = memory.remember(text)
    assert isinstance(outcome, Alike)
    return outcome


@pytest.mark.req("GATE-1")
def test_that_an_entry_says_the_same_is_told_only_where_it_does(memory: Memory) -> None:
    said = alike(memory, "My partner is Elif").verdict
    assert (said.rule, said.added) == ("same_fact", ())
    more = alike(memory, "Elif and I are trying to adopt").verdict
    assert more.rule == "same_fact"
    assert more.added == ("trying", "adopt")
    assert more.reason == "An entry says something like it, but not: trying, adopt."
    assert more.text == "my partner is Elif, she teaches Dutch; Elif and I are trying to adopt"


@pytest.mark.req("GATE-1")
def test_of_two_facts_in_an_entry_the_one_that_changes_is_named_and_the_other_stays(memory: Memory) -> None:
    memory.remember("Rent is 900 euros, the landlord is Mr Baumann")
    found = alike(memory, "Rent is 950 euros").verdict
    assert (found.rule, found.part) == ("newer_value", "Rent is 900 euros")
    assert found.text == "Rent is 950 euros, the landlord is Mr Baumann"
    memory.revise(found.part, "Rent is 950 euros")
    assert "Rent is 950 euros, the landlord is Mr Baumann" in [entry.text for entry in memory.entries()]


@pytest.mark.req("GATE-1", "TOOL-1")
def test_an_agent_gets_what_is_new_and_both_texts_in_one_as_data(memory: Memory) -> None:
    call = ToolCall("c1", "save_memory", {"content": "Elif and I are trying to adopt"})
    answer = json.loads(run_tool(Context(memory), call).text)
    assert answer["code"] == "same_fact"
    assert answer["added"] == ["trying", "adopt"]
    assert answer["existing"] == answer["old_text"] == "my partner is Elif, she teaches Dutch"
    assert answer["new_text"] == "my partner is Elif, she teaches Dutch; Elif and I are trying to adopt"
    given = {"old_text": answer["old_text"], "new_text": answer["new_text"]}
    assert not run_tool(Context(memory), ToolCall("c2", "update_memory", given)).failed
    assert [entry.text for entry in memory.entries()] == [answer["new_text"]]


@pytest.mark.req("GATE-1", "TOOL-1")
def test_what_goes_with_an_old_value_is_told_before_it_goes(place: Place) -> None:
    memory = Memory.open(place)
    memory.remember("I live in Lisbon with my partner Elif, she teaches Dutch")
    found = alike(memory, "Lives in Porto").verdict
    assert (found.rule, found.gone) == ("newer_value", ("Lisbon", "partner", "Elif"))
    answer = json.loads(run_tool(Context(memory), ToolCall("c1", "save_memory", {"content": "Lives in Porto"})).text)
    assert answer["gone"] == ["Lisbon", "partner", "Elif"]
    assert "What of this is still true must be in new_text too: Lisbon, partner, Elif." in answer["message"]
