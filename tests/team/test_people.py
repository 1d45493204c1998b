"""Who may do what: tokens, roles, and books that are not there for those who may not see them."""

from collections.abc import Callable

import psycopg
import pytest
from starlette.testclient import TestClient

from commonplace.errors import Conflict, ValidationError
from commonplace.stores.postgres.schema import TENANT
from commonplace.team.membership import Kind, Role
from commonplace.team.server import State
from tests.stores import prepared
from tests.team.conftest import Team, with_token
from tests.web.conftest import Api

Asking = Callable[..., Api]
TEA = "Likes green tea in the morning"


def rows(tenant: str, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(host=str(prepared().socket), user="app", dbname="books", autocommit=True) as connection:
        connection.execute("SELECT set_config(%s, %s, false)", [TENANT, tenant])
        return connection.execute(query.encode()).fetchall()


# -- tokens ------------------------------------------------------------------------------------------------------------


@pytest.mark.req("TEAM-1", "S7")
def test_without_a_token_that_is_known_nothing_is_answered(server: TestClient, team: Team) -> None:
    token = team.token("ada")
    packed, id = token.split("_")[1:3]
    wrong = [
        "",
        "nonsense",
        token[:-1],
        f"{token}0",
        f"cpt_{packed}_{id}_{'0' * 64}",
        f"cpt_zzzz_{id}_1",
        "cpt___",
        "é",
    ]
    for given in wrong:
        answer = server.get("/api/v1/me", headers=[(b"authorization", f"Bearer {given}".encode("latin-1"))])
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")
        assert answer.headers["www-authenticate"] == "Bearer"
    assert server.get("/api/v1/me").status_code == 401
    twice = server.get("/api/v1/me", headers=[("authorization", f"Bearer {token}")] * 2)
    assert twice.status_code == 401
    assert with_token(server, token).get("/me")["person"] == "ada"


@pytest.mark.req("TEAM-1")
def test_a_token_is_kept_as_a_hash_and_told_once(team: Team) -> None:
    token = team.token("ada")
    secret = token.rpartition("_")[2]
    [kept] = rows(team.tenant, "SELECT t::text FROM commonplace.team_token t")
    assert secret not in str(kept)
    assert all(secret not in repr(one) for one in team.credentials.all_in(team.tenant))


@pytest.mark.req("TEAM-1")
def test_a_token_that_is_revoked_or_expired_is_nobodys(server: TestClient, team: Team) -> None:
    revoked, expired = team.token("ada"), team.token("ada")
    api = with_token(server, revoked)
    api.get("/me")
    assert team.credentials.revoke(team.tenant, revoked.split("_")[2]).state == "revoked"
    api.get("/me", status=401)
    rows(team.tenant, "UPDATE commonplace.team_token SET expires = now() RETURNING id")
    with_token(server, expired).get("/me", status=401)


@pytest.mark.req("TEAM-1")
def test_tokens_are_listed_by_when_they_were_last_used(server: TestClient, team: Team) -> None:
    first, second = team.token("ada", name="laptop"), team.token("ada", name="telephone")
    assert [one.last_used for one in team.credentials.all_in(team.tenant)] == [None, None]
    with_token(server, second).get("/me")
    with_token(server, first).get("/me")
    listed = team.credentials.all_in(team.tenant)
    assert [one.name for one in listed] == ["laptop", "telephone"]
    assert all(one.last_used is not None for one in listed)


@pytest.mark.req("TEAM-1", "NS-1")
def test_a_token_never_gives_more_than_its_person_has(person: Asking, team: Team) -> None:
    team.book("notes")
    team.book("plans")
    team.grant("notes", "ada", Role.WRITER)
    team.grant("plans", "ada", Role.READER)
    assert [(one["book"], one["role"]) for one in person("ada").get("/books")["items"]] == [
        ("notes", "writer"),
        ("plans", "reader"),
    ]
    assert [one["role"] for one in person("ada", Role.READER).get("/books")["items"]] == ["reader", "reader"]
    limited = person("ada", Role.OWNER, ["plans"])
    assert [one["book"] for one in limited.get("/books")["items"]] == ["plans"]
    limited.get("/books/notes/memory", status=404)
    limited.post("/books/plans/memory/entries", {"text": TEA, "insist": True}, status=403)


@pytest.mark.parametrize("person", ["", "@group", " ada", "a\nb", "x" * 201])
def test_a_person_has_a_name_that_can_be_told_from_a_group(team: Team, person: str) -> None:
    with pytest.raises(ValidationError):
        team.token(person)


# -- books and roles ---------------------------------------------------------------------------------------------------


@pytest.mark.req("TEAM-1", "NS-1", "S8")
def test_a_book_without_a_role_answers_as_one_that_is_not_there(person: Asking, team: Team) -> None:
    team.book("notes")
    stranger = person("sam")
    paths = ["", "/memory", "/memory/text", "/search?q=tea", "/roles", "/trail", "/events", "/nonsense"]
    for path in paths:
        hidden = stranger.get(f"/books/notes{path}", status=404)
        missing = stranger.get(f"/books/other{path}", status=404)
        assert {**hidden, "detail": hidden["detail"].replace("notes", "other")} == missing
    stranger.post("/books/notes/memory/entries", {"text": TEA}, status=404)
    stranger.ask("DELETE", "/books/notes", status=404)
    assert stranger.get("/books")["items"] == []


@pytest.mark.req("TEAM-1")
def test_readers_read_writers_write_and_owners_decide(person: Asking, team: Team) -> None:
    team.book("notes")
    team.grant("notes", "rita", Role.READER)
    team.grant("notes", "will", Role.WRITER)
    reader, writer, owner = person("rita"), person("will"), person("olga")
    entry = writer.post("/books/notes/memory/entries", {"text": TEA, "insist": True}, status=201)["entry"]
    assert reader.get("/books/notes/memory")["entries"] == 1
    assert reader.post("/books/notes/memory/judge", {"text": TEA})["rule"]
    for method, path in (
        ("POST", "/memory/entries"), ("PUT", "/memory/text"), ("DELETE", f"/memory/entries/{entry['id']}"),
        ("POST", "/jobs"), ("POST", "/backups"), ("POST", "/inbox/decisions"),
    ):  # fmt: skip
        told = reader.ask(method, f"/books/notes{path}", {}, status=403)
        assert (told["code"], told["role"]) == ("forbidden", "reader")
    for method, path in (
        ("POST", "/erasures/preview"), ("POST", "/erasures"), ("GET", "/roles"), ("PUT", "/roles/will"),
        ("DELETE", "/roles/olga"), ("GET", "/trail"), ("DELETE", ""),
    ):  # fmt: skip
        assert (
            writer.ask(method, f"/books/notes{path}", None if method == "GET" else {}, status=403)["role"] == "writer"
        )
    assert {one["who"] for one in owner.get("/books/notes/roles")["items"]} == {"olga", "rita", "will"}
    owner.ask("PUT", "/books/notes/roles/rita", {"role": "writer"})
    reader.post("/books/notes/memory/entries", {"text": "Plays the viola", "insist": True}, status=201)
    owner.ask("DELETE", "/books/notes/roles/rita")
    reader.get("/books/notes/memory", status=404)
    plan = owner.post("/books/notes/erasures/preview", {"texts": [TEA]})
    assert owner.post("/books/notes/erasures", {"texts": [TEA]}, if_match=plan["plan"])["left"] == []


@pytest.mark.req("TEAM-1")
def test_personal_books_are_for_persons_and_shared_ones_for_everybody_of_the_tenant(person: Asking, team: Team) -> None:
    team.book("mine", kind=Kind.PERSONAL)
    team.book("ours", kind=Kind.SHARED)
    with pytest.raises(ValidationError):
        team.grant("mine", "@everybody", Role.READER)
    sam = person("sam")
    assert [(one["book"], one["role"]) for one in sam.get("/books")["items"]] == [("ours", "reader")]
    sam.post("/books/ours/memory/entries", {"text": TEA}, status=403)
    team.grant("ours", "sam", Role.WRITER)
    sam.post("/books/ours/memory/entries", {"text": TEA, "insist": True}, status=201)


@pytest.mark.req("TEAM-1")
def test_a_book_is_begun_by_a_token_for_owners_and_keeps_an_owner(person: Asking, team: Team) -> None:
    ada = person("ada")
    assert ada.post("/books", {"book": "diary"}, status=201) | {"created": ""} == {
        "book": "diary", "kind": "personal", "created": "", "role": "owner",
    }  # fmt: skip
    ada.post("/books", {"book": "diary"}, status=409)
    person("ada", Role.WRITER).post("/books", {"book": "more"}, status=403)
    person("ada", Role.OWNER, ["diary"]).post("/books", {"book": "more"}, status=403)
    ada.post("/books", {"book": "../up"}, status=422)
    for body in ({"role": "reader"}, None):
        method = "PUT" if body else "DELETE"
        assert ada.ask(method, "/books/diary/roles/ada", body, status=409)["code"] == "conflict"
    with pytest.raises(Conflict):
        team.members.revoke(team.tenant, "diary", "ada")


@pytest.mark.req("TEAM-1", "S9")
def test_a_deleted_book_leaves_no_row_but_the_trail(person: Asking, team: Team) -> None:
    ada = person("ada")
    ada.post("/books", {"book": "diary"}, status=201)
    ada.post("/books/diary/memory/entries", {"text": TEA, "insist": True}, status=201, idempotency_key="one")
    assert ada.ask("DELETE", "/books/diary") == {"closed": "diary"}
    ada.get("/books/diary/memory", status=404)
    for table in ("book", "document", "piece", "object", "change", "team_book", "team_role", "team_receipt"):
        assert rows(team.tenant, f"SELECT 1 FROM commonplace.{table}") == []  # noqa: S608 names of ours
    assert rows(team.tenant, "SELECT 1 FROM commonplace.team_trail") != []
    ada.post("/books", {"book": "diary"}, status=201)
    assert ada.get("/books/diary/memory")["entries"] == 0


# -- doors -------------------------------------------------------------------------------------------------------------


@pytest.mark.req("TEAM-1", "S7")
def test_foreign_names_pages_and_forms_are_turned_away(server: TestClient, person: Asking, team: Team) -> None:
    team.book("notes")
    client = person("olga").client
    for path in ("/api/v1/books", "/api/v1/books/notes/memory", "/mcp/notes", "/", "/api/docs"):
        assert client.get(path, headers={"host": "evil.example"}).status_code == 421
        assert client.get(path, headers={"origin": "https://evil.example"}).status_code == 403
        assert client.get(path, headers={"sec-fetch-site": "cross-site"}).status_code in {403, 404}
    entries = "/api/v1/books/notes/memory/entries"
    for kind in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"):
        answer = client.post(entries, content=b"text=x", headers={"content-type": kind})
        assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")
    assert client.post(entries, json={"text": "x" * 1_100_000}).status_code == 413
    assert client.post("/mcp/notes", json={"text": "x" * 1_100_000}).status_code == 413
    assert client.get("/api/v1/books/notes/memory").json()["entries"] == 0


@pytest.mark.req("TEAM-1", "NS-1")
def test_a_request_without_a_book_gets_nothing_of_any(person: Asking, team: Team) -> None:
    team.book("notes")
    olga = person("olga")
    for path in ("/memory", "/search?q=tea", "/books//memory", "/books/%2e%2e/memory", "/books/*/memory", "/changes"):
        olga.get(path, status=404)
    for path in ("/mcp", "/mcp/", "/mcp/other"):
        assert olga.client.post(path, json={}).status_code == 404


@pytest.mark.req("TEAM-1")
def test_health_and_readiness_are_told_to_everybody_and_metrics_by_their_own_token(
    server: TestClient, person: Asking, team: Team, state: State
) -> None:
    team.book("notes")
    person("olga").post("/books/notes/memory/entries", {"text": TEA, "insist": True}, status=201)
    assert server.get("/healthz", headers={"host": "10.0.0.7:8000"}).text == "ok\n"
    assert server.get("/readyz").json() == {"ready": True, "state": "ok"}
    assert server.get("/metrics").status_code == 401
    told = server.get("/metrics", headers={"authorization": "Bearer counts"}).text
    route = 'method="POST",route="/memory/entries",status="201"'
    assert f"commonplace_requests_total{{{route}}} 1" in told
    assert "green tea" not in told
    assert "notes" not in told
    state.draining = True
    draining = server.get("/readyz")
    assert (draining.status_code, draining.json()["state"]) == (503, "draining")
    assert server.get("/healthz").status_code == 200
