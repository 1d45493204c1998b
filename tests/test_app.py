"""The composition root: settings and their origins, the choice of the book, and the shelf."""

import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import platformdirs
import pytest

from commonplace.app import App
from commonplace.config import SETTINGS
from commonplace.errors import BookMissing, ConfigError, NotFound, UsageCapReached, ValidationError
from commonplace.flows.modelcalls import complete
from commonplace.memory import Memory
from commonplace.shelf import Shelf
from commonplace.testing import StoppedClock
from commonplace.types import ChatMessage
from tests.wire.dialects import ChatCompletions
from tests.wire.server import WireServer


def test_without_anything_said_the_book_is_in_the_data_folder(home: Path) -> None:
    app = App(environment={})
    assert app.choice.path == app.data_folder / "book"
    assert app.choice.origin == "default"
    assert app.data_folder.is_relative_to(home)
    assert {value.origin for value in app.values.values()} == {"default"}
    assert not app.data_folder.exists()


@pytest.mark.parametrize(
    "places",
    [
        {},
        {"XDG_DATA_HOME": "/srv/data", "XDG_CONFIG_HOME": "/srv/config/"},
        {"XDG_DATA_HOME": "", "XDG_CONFIG_HOME": "relative"},
        {"HOME": "/srv/somebody/"},
        {"HOME": "somewhere"},
    ],
)
def test_the_folders_of_the_user_are_those_of_the_platform(
    places: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in places.items():
        monkeypatch.setenv(name, value)
    app = App(environment={})
    assert app.data_folder == platformdirs.user_data_path("commonplace", appauthor=False)
    assert app.user_file.parent == platformdirs.user_config_path("commonplace", appauthor=False)


def test_only_variables_of_commonplace_are_looked_at(home: Path) -> None:
    app = App(environment={"BOOK": "x", "COMMONPLACEX": "y", "_COMMONPLACE_COMPLETE": "z"})
    assert app.choice.origin == "default"


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.key)
def test_no_variable_may_be_empty(home: Path, setting: object) -> None:
    name = next(one.variable for one in SETTINGS if one is setting)
    with pytest.raises(ConfigError, match=name):
        _ = App(environment={name: " "}).values


def test_an_unknown_variable_is_named_with_what_was_probably_meant(home: Path) -> None:
    with pytest.raises(ConfigError) as failure:
        App(environment={"COMMONPLACE_BOK": "x"}).open()
    assert "COMMONPLACE_BOK" in failure.value.message
    assert "unset COMMONPLACE_BOK " in failure.value.hint
    assert failure.value.hint.endswith("Did you mean COMMONPLACE_BOOK?")
    with pytest.raises(ConfigError) as failure:
        App(environment={"COMMONPLACE_HOME": "x"}).open()
    assert "Did you mean" not in failure.value.hint


@pytest.mark.req("R11")
@pytest.mark.parametrize("book", ["", " ", "\t\n"])
def test_an_empty_flag_is_an_error(home: Path, book: str) -> None:
    with pytest.raises(ValidationError):
        App(book=book, environment={}).open()


@pytest.mark.req("NS-1")
def test_a_bare_word_is_a_name_and_never_a_new_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    with pytest.raises(NotFound):
        App(book="notes", environment={}).open()
    assert list(home.iterdir()) == []


def test_the_settings_of_the_book_reach_the_memory(home: Path) -> None:
    book = home / "mine"
    Memory.open(book).remember("x")
    (book / "commonplace.toml").write_text("backups.keep = 1\n")
    clock = StoppedClock(datetime(2026, 11, 15, tzinfo=UTC))
    memory = App(book=str(book), environment={}, clock=clock).open()
    memory.backup()
    clock.move(timedelta(seconds=1))
    newest = memory.backup()
    memory.prune_backups()
    assert memory.backups() == [newest]


@pytest.mark.req("R11")
def test_the_guard_knows_a_book_by_its_identity(home: Path) -> None:
    app = App(book=str(home / "mine"))
    memory = app.open()
    memory.remember("x")
    app.note_book(memory)
    (home / "mine/.commonplace/book.json").unlink()
    with pytest.raises(BookMissing):
        App(book="mine", environment={}).open()
    assert App(book="mine", environment={}).open(guarded=False).create()


def test_a_book_reached_through_a_link_is_the_same_book(home: Path) -> None:
    (home / "real").mkdir()
    (home / "link").symlink_to(home / "real")
    first = App(book=str(home / "real"))
    memory = first.open()
    memory.remember("x")
    first.note_book(memory)
    second = App(book=str(home / "link"))
    second.note_book(second.open())
    assert [book.name for book in second.shelf.books] == ["real"]


def test_a_shelf_that_others_write_to_loses_no_book(home: Path) -> None:
    shelves = [Shelf(home / "shelf") for _ in range(5)]
    for number, shelf in enumerate(shelves):
        shelf.add(home / f"book{number}", f"id{number}")
    assert [book.name for book in Shelf(home / "shelf").books] == [f"book{number}" for number in range(5)]


def test_names_made_from_folders_are_usable_names(home: Path) -> None:
    shelf = Shelf(home / "shelf")
    folders = ["a b", ".notes", "Ünïcode", "***", "a-b"]
    names = [shelf.add(home / folder, folder).name for folder in folders]
    assert names == ["a-b", "notes", "Ünïcode", "book", "a-b-2"]


def test_a_stopped_clock_moves_only_when_told() -> None:
    start = datetime(2026, 11, 15, tzinfo=UTC)
    clock = StoppedClock(start)
    assert clock.now() == clock.now() == start
    clock.move(timedelta(days=1))
    assert clock.now() == start + timedelta(days=1)
    with pytest.raises(ValueError, match="zone"):
        StoppedClock(datetime(2026, 11, 15))  # noqa: DTZ001 what it refuses


def test_a_book_among_temporary_files_is_not_missed_when_it_goes(home: Path) -> None:
    place = Path(os.environ["TMPDIR"]) / "scratch"
    app = App(book=str(place))
    memory = app.open()
    memory.remember("Only for now", insist=True)
    assert app.note_book(memory) is None
    assert App().shelf.at(place) is None
    assert app.note_book(memory, "scratch") is not None  # unless somebody gives it a name


def test_without_a_model_there_is_none_and_nothing_is_made(home: Path) -> None:
    app = App(environment={})
    assert app.chat_model() is None
    assert not app.data_folder.exists()


def test_the_model_of_the_settings_answers_and_its_tokens_are_counted(home: Path) -> None:
    program = f"{sys.executable} -c 'print(21)'"
    environment = {"COMMONPLACE_MODEL_PROVIDER": "command", "COMMONPLACE_MODEL_COMMAND": program}
    environment |= {"COMMONPLACE_MODEL_DAILY_TOKENS": "10"}
    app = App(environment=environment, clock=StoppedClock(datetime(2026, 11, 15, tzinfo=UTC)))
    model = app.chat_model()
    assert model is not None
    assert complete(model, [ChatMessage("user", "Hello")]).text == "21"
    assert (app.data_folder / "usage.json").stat().st_mode & 0o777 == 0o600
    with pytest.raises(UsageCapReached):
        complete(model, [ChatMessage("user", "Hello again, and again, and again")])


def test_keys_come_from_the_environment_that_the_program_was_given(home: Path, wire: WireServer) -> None:
    environment = {
        "COMMONPLACE_MODEL_PROVIDER": "openai",
        "COMMONPLACE_MODEL_NAME": "small",
        "COMMONPLACE_MODEL_URL": f"{wire.url}/v1",
        "COMMONPLACE_MODEL_KEY_VARIABLE": "MY_KEY",
        "MY_KEY": "sk-invented-0123456789",
    }
    app = App(environment=environment)
    model = app.chat_model()
    assert model is not None
    wire.script = [ChatCompletions().text("Here")]
    assert complete(model, [ChatMessage("user", "Hello")]).text == "Here"
    assert "Bearer sk-invented-0123456789" in wire.requests[0].headers.values()
    shown = str(app.values) + repr(app.settings) + repr(model) + repr(vars(model))
    assert "sk-invented" not in shown
