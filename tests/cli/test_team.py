"""`team` and `tokens`: who may use which books of a database, from the command line."""

import json
import uuid

import pytest

from tests.cli.conftest import Cli
from tests.stores import prepared


@pytest.fixture
def in_team() -> list[str]:
    return ["--team", prepared().address("app", "books"), "--tenant", f"t{uuid.uuid4().hex}"]


@pytest.mark.req("CLI-1", "TEAM-1")
def test_a_team_is_set_up_with_a_few_commands(cli: Cli, in_team: list[str]) -> None:
    opened = cli("team", "open", "notes", "--owner", "olga", *in_team)
    assert (opened.status, opened.out.splitlines()[0]) == (
        0,
        f"notes is a project book of {in_team[-1]}; olga owns it.",
    )
    assert cli("team", "grant", "notes", "ada", "writer", *in_team).out == "ada is a writer of notes.\n"
    assert cli("team", "grant", "notes", "@cooks", "reader", "--json", *in_team).json["result"] == "granted"
    listed = cli("team", "roles", "notes", "--json", *in_team).json["roles"]
    assert {one["who"]: one["role"] for one in listed} == {"olga": "owner", "ada": "writer", "@cooks": "reader"}
    assert cli("team", "revoke", "notes", "@cooks", *in_team).status == 0
    assert "ada" in cli("team", "roles", "notes", *in_team).out
    assert [one["book"] for one in cli("team", "books", "--json", *in_team).json["books"]] == ["notes"]
    assert cli("team", "trail", *in_team).out == ""
    assert cli("team", "close", "notes", *in_team).status == 2
    assert cli("team", "close", "notes", "--yes", *in_team).status == 0
    assert "no books" in cli("team", "books", *in_team).out


@pytest.mark.req("CLI-1", "TEAM-1")
def test_a_token_is_shown_once_listed_and_revoked(cli: Cli, in_team: list[str]) -> None:
    made = cli(
        "tokens", "create", "--for", "ada", "--books", "notes, plans", "--name", "laptop", "--json", *in_team
    ).json
    assert made["token"].startswith("cpt_")
    assert (made["role"], made["books"], made["state"]) == ("writer", ["notes", "plans"], "valid")
    listed = cli("tokens", "list", *in_team).out
    assert made["id"] in listed
    assert "never used" in listed
    assert made["token"].rpartition("_")[2] not in listed
    assert cli("tokens", "revoke", made["id"], *in_team).out == f"The token {made['id']} of ada is revoked.\n"
    [kept] = cli("tokens", "list", "--json", *in_team).json["tokens"]
    assert kept["state"] == "revoked"
    plain = cli("tokens", "create", "--for", "ada", *in_team).out.splitlines()
    assert plain[0].startswith("cpt_")
    assert "all of their books" in plain[1]


@pytest.mark.req("CLI-1")
@pytest.mark.parametrize(
    ("line", "status", "code"),
    [
        (["tokens", "create", "--for", "@cooks"], 2, "validation_error"),
        (["tokens", "create", "--for", "ada", "--books", ","], 2, "validation_error"),
        (["tokens", "create", "--for", "ada", "--days", "0"], 2, "usage"),
        (["tokens", "revoke", "nothing"], 3, "not_found"),
        (["team", "roles", "nothing"], 3, "not_found"),
        (["team", "grant", "nothing", "ada", "writer"], 3, "not_found"),
        (["team", "open", "a b", "--owner", "ada"], 2, "validation_error"),
        (["team", "open", "notes", "--owner", "@cooks", "--kind", "personal"], 2, "validation_error"),
    ],
)
def test_what_cannot_be_done_is_told_with_its_code(
    cli: Cli, in_team: list[str], line: list[str], status: int, code: str
) -> None:
    ran = cli(*line, *in_team, "--json")
    assert (ran.status, ran.code) == (status, code)


def test_a_team_without_a_database_is_an_error_and_the_setting_names_one(
    cli: Cli, in_team: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cli("tokens", "list", "--json").code == "config_error"
    monkeypatch.setenv("COMMONPLACE_TEAM_DATABASE", in_team[1])
    assert json.loads(cli("tokens", "list", "--json", *in_team[2:]).out) == {"tokens": []}
    assert cli("serve", "--team", in_team[1], "--no-open", "--json").code == "usage"
    assert cli("serve", "--team", "postgres:///nowhere?host=/nowhere", "--json").code == "storage_failed"
