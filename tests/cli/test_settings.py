"""`config` and `doctor`."""

from pathlib import Path

import pytest

from tests.cli.conftest import Cli

BOOK = ".local/share/commonplace/book"


def user_file(home: Path, text: str) -> Path:
    file = home / ".config/commonplace/config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def origins(cli: Cli) -> dict[str, tuple[object, object]]:
    return {row["key"]: (row["value"], row["origin"]) for row in cli("config", "--json").json["settings"]}


@pytest.mark.req("CLI-1")
def test_every_value_says_where_it_comes_from(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("remember", "x")
    assert origins(cli)["backups.keep"] == (5, "default")
    mine = user_file(home, "[backups]\nkeep = 6\n[lock]\ntimeout = 3\n")
    assert origins(cli)["backups.keep"] == (6, str(mine))
    books = home / BOOK / "commonplace.toml"
    books.write_text("backups.keep = 7\n")
    assert origins(cli)["backups.keep"] == (7, str(books))
    monkeypatch.setenv("COMMONPLACE_BACKUPS_KEEP", "8")
    assert origins(cli)["backups.keep"] == (8, "COMMONPLACE_BACKUPS_KEEP")
    assert origins(cli)["lock.timeout"] == (3.0, str(mine))
    out = cli("config").out
    assert "backups.keep = 8\n" in out
    assert "how many backups stay" in out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("colour = true\n", "Unknown setting 'colour'"),
        ("[lock]\ntimeout = 'soon'\n", "lock.timeout"),
        ("[lock]\ntimeout = -1\n", "seconds from 0 to 3600"),
        ("not toml", "not valid TOML"),
        ("book = ''\n", "a name or a path"),
        ("book = 3\n", "a name or a path"),
        ("book = './relative'\n", "depends on the current folder"),
    ],
)
def test_a_wrong_line_in_the_users_file_is_an_error_that_names_the_file(
    cli: Cli, home: Path, text: str, words: str
) -> None:
    file = user_file(home, text)
    ran = cli("show")
    assert ran.status == 7
    assert words in ran.err
    assert str(file) in ran.err
    assert cli("doctor").status == 1
    assert words in cli("doctor").out


def test_an_unknown_setting_is_told_with_what_to_do(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user_file(home, "colour = true\n")
    assert "book, projects, hooks, lock.timeout" in cli("show").err
    user_file(home, "")
    monkeypatch.setenv("COMMONPLACE_SEARCHLIMIT", "1")
    told = cli("show").err
    assert "unset COMMONPLACE_SEARCHLIMIT " in told
    assert "Did you mean COMMONPLACE_SEARCH_LIMIT" in told


def test_a_books_own_file_cannot_choose_the_book(cli: Cli, home: Path) -> None:
    cli("remember", "x")
    (home / BOOK / "commonplace.toml").write_text('book = "/somewhere/else"\n')
    ran = cli("show")
    assert ran.status == 7
    assert "may come from someone else" in ran.err


@pytest.mark.parametrize(
    "line",
    [
        'model.provider = "command"',
        'model.name = "x"',
        'model.url = "https://collector.example"',
        'model.key_variable = "AWS_SECRET_ACCESS_KEY"',
        'model.command = ["sh", "-c", "touch owned"]',
        "model.window = 5",
        "model.timeout = 5",
        "model.daily_tokens = 0",
    ],
)
def test_a_books_own_file_cannot_say_anything_about_the_chat_model(cli: Cli, home: Path, line: str) -> None:
    cli("remember", "x")
    (home / BOOK / "commonplace.toml").write_text(line + "\n")
    ran = cli("show")
    assert ran.status == 7
    assert line.partition(" ")[0] in ran.err
    assert "may come from someone else" in ran.err


def test_a_command_may_be_a_list_or_in_the_environment_one_text(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user_file(home, '[model]\nprovider = "command"\ncommand = ["claude", "-p", "be brief"]\n')
    assert origins(cli)["model.command"][0] == ["claude", "-p", "be brief"]
    monkeypatch.setenv("COMMONPLACE_MODEL_COMMAND", "ollama run 'some model'")
    assert origins(cli)["model.command"][0] == ["ollama", "run", "some model"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('provider = "oracle"', '"none", "anthropic", "openai" or "command"'),
        ("command = []", "a list of words"),
        ("command = [3]", "a list of words"),
        ('command = [""]', "a list of words"),
        ('command = "it\'s"', "a list of words"),
        ("window = -1", "a whole number of tokens"),
        ('daily_tokens = "many"', "daily_tokens"),
        ("timeout = -1", "seconds from 0 to 3600"),
    ],
)
def test_a_wrong_setting_of_the_model_is_told(cli: Cli, home: Path, line: str, words: str) -> None:
    user_file(home, f"[model]\n{line}\n")
    ran = cli("show")
    assert ran.status == 7
    assert words in ran.err


@pytest.mark.req("CLI-1")
def test_a_healthy_book_is_in_order(cli: Cli, home: Path) -> None:
    cli("remember", "x")
    ran = cli("doctor")
    assert ran.status == 0
    assert ran.out.endswith("Everything is in order.\n")
    assert "ok  history: every recorded change can be read\n" in ran.out
    assert cli("doctor", "--json").json["healthy"] is True


def test_a_book_that_is_not_begun_is_no_problem(cli: Cli, home: Path) -> None:
    (home / "empty").mkdir()
    assert cli("doctor", "--book", "~/empty").status == 0
    assert cli("doctor").status == 0


@pytest.mark.req("CLI-1")
def test_each_problem_is_told_with_what_to_do(cli: Cli, home: Path) -> None:
    cli("remember", "x")
    (home / BOOK / "MEMORY.md").chmod(0o644)
    (home / BOOK / "MEMORY.sync-conflict-20260101-120000-ABC.md").write_text("other\n")
    ran = cli("doctor")
    assert ran.status == 1
    assert "!   permissions: Other users may read or write" in ran.out
    assert "chmod -R go-rwx" in ran.out
    assert "!   sync conflicts: A sync tool left" in ran.out
    levels = {finding["level"] for finding in cli("doctor", "--json").json["findings"]}
    assert levels == {"ok", "note", "warning"}


def test_doctor_says_whether_the_model_could_be_asked(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("remember", "x")
    user_file(home, '[model]\nprovider = "command"\ncommand = ["sh"]\n')
    assert "ok  model: command/sh " in cli("doctor").out
    user_file(home, '[model]\nprovider = "command"\ncommand = ["no-such-program"]\n')
    assert "x   model: command/no-such-program is not there" in cli("doctor").out
    user_file(home, '[model]\nprovider = "anthropic"\n')
    assert "model.name must be set too" in cli("doctor").out
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    user_file(home, '[model]\nprovider = "anthropic"\nname = "some-model"\n')
    ran = cli("doctor")
    assert ran.status == 1
    assert "ANTHROPIC_API_KEY is not set" in ran.out
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-invented-0123456789")
    ran = cli("doctor")
    assert (ran.status, "sk-invented" in ran.out) == (0, False)
    assert "ok  model: anthropic/some-model " in ran.out
