"""A project's book beside the person's: what goes where, and what is shown where."""

from pathlib import Path

import pytest

from commonplace.app import App
from commonplace.memory import Memory
from commonplace.types import Origin, Saved

PERSON = Origin.PERSON


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    folders = tmp_path / "one", tmp_path / "two"
    for folder in folders:
        folder.mkdir()
    return folders


def texts(memory: Memory) -> list[str]:
    return [entry.text for entry in memory.entries()]


@pytest.mark.req("NS-1", "NS-2")
def test_what_tells_of_the_person_is_known_everywhere_and_the_rest_only_in_its_project(
    home: Path, places: tuple[Path, Path]
) -> None:
    app = App()
    one, two = (app.memory_in(place) for place in places)
    one.remember("Prefers tabs over spaces", "preferences", origin=PERSON)
    one.remember("The staging server is called heron", "projects", origin=PERSON)
    two.remember("The staging server is called gannet", "projects", origin=PERSON)
    assert texts(one) == ["Prefers tabs over spaces", "The staging server is called heron"]
    assert texts(two) == ["Prefers tabs over spaces", "The staging server is called gannet"]
    assert texts(app.open()) == ["Prefers tabs over spaces"]
    for memory, own, other in ((one, "heron", "gannet"), (two, "gannet", "heron")):
        block = memory.recall("What is the staging server called?").text
        assert (own in block, other in block, "Prefers tabs" in block) == (True, False, True)
        hits = " ".join(hit.text for hit in memory.search("staging server tabs", limit=9).hits)
        assert (own in hits, other in hits, "Prefers tabs" in hits) == (True, False, True)


@pytest.mark.req("NS-2")
def test_what_else_the_person_keeps_stays_theirs(home: Path, places: tuple[Path, Path]) -> None:
    app = App()
    app.open().remember("The safe is behind the painting", "notes", origin=PERSON)
    app.open().say(app.open().start_session().id, "user", "My aunt Olga visits on Sunday.")
    memory = app.memory_in(places[0])
    shown = memory.recall("Where is the safe, and who visits?").text
    found = " ".join(hit.text for hit in memory.search("safe painting aunt Olga", limit=20).hits)
    assert "painting" not in shown + found
    assert "Olga" not in shown + found


@pytest.mark.req("NS-2", "TOOL-4")
def test_an_entry_is_changed_where_it_stands(home: Path, places: tuple[Path, Path]) -> None:
    app = App()
    memory = app.memory_in(places[0])
    memory.remember("Prefers tabs over spaces", "preferences", origin=PERSON)
    memory.remember("The staging server is called heron", "projects", origin=PERSON)
    memory.revise("tabs over spaces", "spaces over tabs", origin=PERSON)
    memory.revise("heron", "egret", origin=PERSON)
    assert texts(memory) == ["Prefers spaces over tabs", "The staging server is called egret"]
    memory.forget("Prefers spaces over tabs", origin=PERSON)
    assert texts(app.open()) == []


@pytest.mark.req("NS-2", "TOOL-9")
def test_a_request_goes_where_it_belongs(home: Path, places: tuple[Path, Path]) -> None:
    app = App()
    memory = app.memory_in(places[0])
    session = memory.start_session().id
    memory.say(session, "user", "Remember that I prefer short answers.")
    memory.say(session, "user", "Remember that the release branch of this project is called harbour.")
    assert [entry.text for entry in app.open().entries()] == ["User requested: Prefers short answers"]
    assert "harbour" in " ".join(texts(memory))
    assert "harbour" not in " ".join(texts(app.memory_in(places[1])))


@pytest.mark.req("NS-2")
def test_one_book_for_everything_is_a_setting(
    home: Path, places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMMONPLACE_PROJECTS", "together")
    one, two = (App().memory_in(place) for place in places)
    assert isinstance(one.remember("The staging server is called heron", "projects", origin=PERSON), Saved)
    assert texts(two) == ["The staging server is called heron"]
    assert one.path == App().open().path
