"""Which book is meant, the list of books, and the guard against a book that has gone missing."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Cli

DATA = ".local/share/commonplace"
WRITING = [
    ("remember", "x"),
    ("revise", "x", "y"),
    ("forget", "x"),
    ("forget", "x", "--everywhere", "--yes"),
    ("log", "add", "x"),
    ("undo",),
    ("backup",),
    ("restore", "latest", "--yes"),
]
READING = [
    ("show",),
    ("sections",),
    ("stats",),
    ("log", "list"),
    ("log", "show"),
    ("history",),
    ("diff",),
    ("why", "x"),
    ("backups",),
    ("tour",),
]


@pytest.mark.req("NS-1")
def test_books_do_not_see_each_other(cli: Cli, home: Path) -> None:
    cli("init", "--name", "work")
    cli("init", "--name", "private")
    cli("--book", "work", "remember", "The office is in Graz")
    cli("remember", "The boat is in Linz", "--book", "private")
    assert cli("show", "notes", "--book", "work").out == "- The office is in Graz\n"
    assert cli("show", "notes", "--book", "private").out == "- The boat is in Linz\n"
    assert "empty" in cli("show").out


@pytest.mark.req("NS-1", "R11")
@pytest.mark.parametrize("command", [*WRITING, *READING, ("init",), ("doctor",), ("config",)])
@pytest.mark.parametrize("empty", ["", "  "])
def test_an_empty_name_of_a_book_is_an_error_and_never_the_current_folder(
    cli: Cli, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], empty: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli(*command, "--book", empty).status in {1, 2}
    monkeypatch.setenv("COMMONPLACE_BOOK", empty)
    assert cli(*command).status in {1, 7}
    assert list(tmp_path.iterdir()) == []
    assert not (home / DATA / "book").exists()


@pytest.mark.req("NS-1")
def test_a_name_nobody_knows_is_an_error_that_lists_the_known_ones(cli: Cli, home: Path) -> None:
    assert "None is known" in cli("show", "--book", "work").err
    cli("init", "--name", "work")
    ran = cli("show", "--book", "wrok")
    assert ran.status == 3
    assert "Known books: work." in ran.err
    assert "init --name wrok" in ran.err
    assert cli("init", "--book", "wrok").status == 3


def test_a_book_can_be_named_by_any_kind_of_path(
    cli: Cli, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cli("remember", "here", "--book", "./mine")
    for name in ("mine", "./mine", str(tmp_path / "mine"), f"../{tmp_path.name}/mine"):
        assert cli("show", "notes", "--book", name).out == "- here\n"
    monkeypatch.chdir("/")
    assert cli("show", "notes", "--book", "mine").out == "- here\n"  # by now it is a name
    cli("remember", "there", "--book", "~/notes")
    assert (home / "notes/MEMORY.md").exists()
    assert cli("show", "--book", "~nobody-has-this-name/x").status == 2


@pytest.mark.req("NS-1")
def test_flag_environment_user_file_and_default_choose_the_book_in_this_order(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("flag", "variable", "file", "chosen"):
        cli("init", "--name", name)
    used: list[str] = []

    def note_used() -> None:
        used.append(Path(str(cli("config", "--json").json["settings"][0]["value"])).name)

    note_used()
    cli("books", "default", "chosen")
    note_used()
    (home / ".config/commonplace").mkdir(parents=True)
    (home / ".config/commonplace/config.toml").write_text('book = "file"\n')
    note_used()
    monkeypatch.setenv("COMMONPLACE_BOOK", "variable")
    note_used()
    used.append(Path(str(cli("config", "--json", "--book", "flag").json["settings"][0]["value"])).name)
    assert used == ["book", "chosen", "file", "variable", "flag"]


def test_books_are_listed_with_the_one_in_use(cli: Cli, home: Path) -> None:
    assert cli("books").out == f"* (not begun yet)  {home / DATA}/book\n"
    cli("remember", "x")
    cli("init", "--name", "work")
    assert cli("books", "list").out == (
        f"* book             {home / DATA}/book\n  work             {home / DATA}/books/work\n"
    )
    cli("books", "default", "work")
    assert [book["used"] for book in cli("books", "--json").json["books"]] == [False, True]
    assert cli("books", "default").out == f"{home / DATA}/books/work\n"
    assert cli("books", "default", str(home)).status == 3
    assert cli("books", "default", "nobody").status == 3


def test_a_book_that_is_in_use_and_not_on_the_list_is_called_so(cli: Cli, home: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    cli("remember", "x", "--book", str(elsewhere))
    cli("books", "remove", str(elsewhere))
    assert cli("books", "--book", str(elsewhere)).out == f"* (not on the list)  {elsewhere}\n"


def test_names_are_unique_and_plain(cli: Cli, home: Path) -> None:
    cli("init", "--name", "work")
    assert cli("init", "--name", "Work", "--book", str(home / "other")).status == 2
    assert not (home / "other").exists()
    for name in ("", ".hidden", "a/b", "..", "a b", "x" * 65):
        assert cli("init", "--name", name).status == 2
    cli("init", "--book", str(home / "a/work"))
    assert [book["name"] for book in cli("books", "--json").json["books"]] == ["work", "work-2"]


def test_beginning_a_book_twice_changes_nothing(cli: Cli, home: Path) -> None:
    assert cli("init", "--json").json["result"] == "created"
    cli("remember", "x")
    assert cli("init", "--json").json["result"] == "exists"
    assert cli("show", "notes").out == "- x\n"


def test_files_already_in_the_folder_become_part_of_the_book(cli: Cli, home: Path) -> None:
    (home / "notes").mkdir()
    (home / "notes/MEMORY.md").write_text("# Mine\n\n- from before\n")
    cli("init", "--book", "~/notes")
    assert (home / "notes/MEMORY.md").read_text() == "# Mine\n\n- from before\n"
    assert cli("history", "--book", "notes", "--json").json["changes"][0]["origin"] == "import"


@pytest.mark.req("R11")
@pytest.mark.parametrize("loss", ["gone", "empty", "another"])
def test_a_book_that_was_there_and_is_not_is_never_taken_for_an_empty_one(cli: Cli, home: Path, loss: str) -> None:
    book = home / "disk/book"
    cli("remember", "x marks the spot", "--book", str(book))
    book.rename(home / "kept")
    if loss != "gone":
        book.mkdir()
    if loss == "another":
        cli("init", "--book", str(home / "second"))
        shutil.copytree(home / "second", book, dirs_exist_ok=True)
    for command in (*WRITING, *READING):
        ran = cli(*command, "--book", str(book))
        assert ran.status == 7, command
        assert "hint: " in ran.err
        assert cli(*command, "--book", "book", "--json").code == "book_missing"
    if loss != "another":
        assert not book.exists() or list(book.iterdir()) == []
        assert "(missing)" in cli("books").out
    assert cli("doctor", "--book", "book").status == 1
    shutil.rmtree(book, ignore_errors=True)
    (home / "kept").rename(book)
    assert cli("show", "notes", "--book", "book").out == "- x marks the spot\n"


@pytest.mark.req("R11")
def test_a_new_book_can_be_begun_where_one_is_missing(cli: Cli, home: Path) -> None:
    cli("remember", "x", "--book", "~/gone")
    shutil.rmtree(home / "gone")
    assert cli("remember", "y", "--book", "gone").status == 7
    assert cli("init", "--book", "gone").status == 0
    assert cli("remember", "y", "--book", "gone").status == 0


@pytest.mark.req("R11")
def test_when_every_file_is_gone_the_doctor_brings_them_back_or_accepts_it(cli: Cli, home: Path) -> None:
    cli("remember", "x marks the spot")
    file = home / DATA / "book/MEMORY.md"
    text = file.read_bytes()
    file.unlink()
    ran = cli("remember", "y")
    assert ran.status == 7
    assert "--bring-back" in ran.err
    assert cli("doctor", "--bring-back", "--accept-deletion").status == 2
    assert cli("doctor", "--bring-back").out == "Brought back: MEMORY.md\n"
    assert file.read_bytes() == text
    file.unlink()
    assert cli("doctor", "--accept-deletion").status == 0
    assert cli("remember", "y").status == 0
    assert cli("show", "notes").out == "- y\n"


def test_one_damaged_book_does_not_hide_the_others(cli: Cli, home: Path) -> None:
    cli("init", "--name", "good")
    cli("init", "--name", "bad")
    (home / DATA / "books/bad/.commonplace/book.json").write_text("{")
    assert [book["there"] for book in cli("books", "--json").json["books"]] == [True, False]
    assert cli("show", "--book", "bad").status == 7
    assert cli("remember", "x", "--book", "good").status == 0
    assert cli("doctor", "--book", "good").status == 1


def test_a_moved_book_is_put_back_on_the_list(cli: Cli, home: Path) -> None:
    cli("remember", "x", "--book", "~/old")
    (home / "old").rename(home / "new")
    assert cli("books", "add", "~/new").out == f"new is {home}/new\n"
    assert cli("books", "remove", "old").status == 0
    assert [book["name"] for book in cli("books", "--json").json["books"]] == ["new"]
    assert cli("books", "remove", "old").status == 3
    assert cli("books", "add", "~/nothing").status == 3


def test_trouble_with_the_list_never_stops_a_save(cli: Cli, home: Path) -> None:
    cli("remember", "x")
    listed = home / DATA / "books.json"
    for damage in (b"", b"{", b"[]", b'{"books": 3}', b"\xff\xfe"):
        listed.write_bytes(damage)
        ran = cli("remember", f"saved with {damage!r}", "--insist")
        assert ran.status == 0
        assert ran.err.startswith("warning: The list of your books cannot be used")
        assert listed.read_bytes() == damage
    assert cli("doctor").status == 1
    listed.unlink()
    listed.mkdir()
    assert cli("remember", "saved as well", "--insist").status == 0
    listed.rmdir()
    assert cli("remember", "one more", "--insist").err == ""
    assert len(json.loads(listed.read_text())["books"]) == 1


@pytest.mark.req("S6")
def test_everything_a_save_makes_is_private_whatever_the_umask(cli: Cli, home: Path) -> None:
    before = os.umask(0)
    try:
        cli("remember", "x", "--book", "~/mine")
    finally:
        os.umask(before)
    made = list(home.rglob("*"))
    assert len(made) > 20
    assert {path for path in made if path.stat().st_mode & 0o777 != (0o700 if path.is_dir() else 0o600)} == set()
