"""What holds whichever server is asked: a write is done once, long work is known everywhere, and everything is told."""

import json
import threading
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import pytest

from commonplace.errors import Conflict
from commonplace.memory import Memory
from commonplace.stores.postgres import book_address
from commonplace.stores.postgres.errands import ERRAND, Claim, Errand
from commonplace.team.membership import Role
from tests.stores import prepared
from tests.team.conftest import Team, served, with_token
from tests.team.test_people import rows
from tests.web.conftest import Api

Asking = Callable[..., Api]
TEA = {"text": "Likes green tea in the morning", "insist": True}
ENTRIES = "/books/notes/memory/entries"


def memory_of(team: Team, book: str = "notes") -> Memory:
    return Memory.open(book_address(team.address, team.tenant, book))


# -- done once ---------------------------------------------------------------------------------------------------------


@pytest.mark.req("TEAM-1", "API-1", "R2")
def test_a_write_that_is_sent_to_two_servers_is_done_once_and_answered_alike(person: Asking, team: Team) -> None:
    team.book("notes")
    token = team.token("olga")
    with served() as first, served() as second:
        one, two = with_token(first, token), with_token(second, token)
        made = one.post(ENTRIES, TEA, status=201, idempotency_key="k")
        again = two.client.post(f"/api/v1{ENTRIES}", json=TEA, headers={"idempotency-key": "k"})
        assert (again.status_code, again.json(), again.headers["idempotency-replayed"]) == (201, made, "true")
        assert two.post(ENTRIES, {**TEA, "text": "Other"}, status=422, idempotency_key="k")["code"] == "key_reused"
        assert two.post(ENTRIES, TEA, status=422, idempotency_key="x" * 201)["code"] == "validation_error"
        two.post(ENTRIES, TEA, status=201, idempotency_key="another")
    assert len(memory_of(team).entries()) == 2


@pytest.mark.req("TEAM-1", "R2")
def test_twenty_servers_worth_of_retries_at_once_make_one_entry(team: Team) -> None:
    team.book("notes")
    token = team.token("olga")
    with served() as first, served() as second:
        apis = [with_token(server, token) for server in (first, second)]

        def send(number: int) -> int:
            headers = {"idempotency-key": "k"}
            return apis[number % 2].client.post(f"/api/v1{ENTRIES}", json=TEA, headers=headers).status_code

        with ThreadPoolExecutor(8) as many:
            statuses = list(many.map(send, range(16)))
    assert set(statuses) <= {201, 503}
    assert 201 in statuses
    assert len(memory_of(team).entries()) == 1


@pytest.mark.req("TEAM-1", "R1")
def test_a_request_whose_server_died_after_its_change_is_known_to_be_done(person: Asking, team: Team) -> None:
    team.book("notes")
    olga = person("olga")
    made = olga.post(ENTRIES, TEA, status=201, idempotency_key="k")
    # as the database is when a server dies between the change and its answer
    rows(team.tenant, "UPDATE commonplace.team_receipt SET status = NULL RETURNING 1")
    storage = memory_of(team).book.storage
    for name in list(storage.walk()):
        if "/answers/" in name:
            storage.delete_derived(name)
    told = olga.post(ENTRIES, TEA, status=409, idempotency_key="k")
    assert (told["code"], told["change"]) == ("done_before", made["change"])
    assert len(memory_of(team).entries()) == 1


@pytest.mark.req("TEAM-1", "R1")
def test_a_request_whose_server_died_before_its_change_is_done_by_the_next(person: Asking, team: Team) -> None:
    team.book("notes")
    olga = person("olga")
    olga.post(ENTRIES, TEA, status=201, idempotency_key="k")
    memory_of(team).undo()
    rows(team.tenant, "UPDATE commonplace.team_receipt SET status = NULL, change = NULL, at = now() RETURNING 1")
    assert olga.post(ENTRIES, TEA, idempotency_key="k", status=201)["result"] == "saved"  # within the lease it waits
    assert len(memory_of(team).entries()) == 1


@pytest.mark.req("TEAM-1", "R2")
def test_a_server_that_was_slow_and_lost_its_claim_writes_nothing(person: Asking, team: Team) -> None:
    team.book("notes")
    person("olga").post(ENTRIES, {**TEA, "text": "Was there before"}, status=201, idempotency_key="k")
    [(key,)] = rows(team.tenant, "UPDATE commonplace.team_receipt SET change = NULL, status = NULL RETURNING key")
    slow = Errand(Claim(team.tenant, "notes", bytes(cast(bytes, key)), uuid.uuid4()))  # another id than the row has now
    held = ERRAND.set(slow)
    try:
        with pytest.raises(Conflict):
            memory_of(team).remember("Likes green tea in the morning", insist=True)
    finally:
        ERRAND.reset(held)
    assert [entry.text for entry in memory_of(team).entries()] == ["Was there before"]
    assert slow.changes == []


@pytest.mark.req("TEAM-1", "S9")
def test_forgetting_throws_kept_answers_work_and_plans_away_and_a_key_still_counts(person: Asking, team: Team) -> None:
    team.book("notes")
    olga = person("olga")
    olga.post(ENTRIES, TEA, status=201, idempotency_key="k")
    olga.post("/books/notes/jobs", {"kind": "audit"}, status=202)
    plan = olga.post("/books/notes/erasures/preview", {"texts": ["green tea"]})
    assert not any("/served/" in one["place"] for one in plan["removals"])
    assert any(b"green tea" in (data or b"") for data in everything(team))
    done = olga.post("/books/notes/erasures", {"texts": ["green tea"]}, if_match=plan["plan"])
    assert done["left"] == []
    assert not any(b"green tea" in (data or b"") for data in everything(team))
    assert olga.post(ENTRIES, TEA, status=409, idempotency_key="k")["code"] == "done_before"
    assert memory_of(team).entries() == ()


def everything(team: Team) -> list[bytes | None]:
    storage = memory_of(team).book.storage
    return [*(storage.read(name).data for name in storage.walk()), *(body for _, body in storage.history.bodies())]


@pytest.mark.req("TEAM-1")
def test_keys_are_of_their_person_and_their_book(person: Asking, team: Team) -> None:
    team.book("notes")
    team.book("plans")
    team.grant("notes", "will", Role.WRITER)
    person("olga").post(ENTRIES, TEA, status=201, idempotency_key="k")
    person("will").post(ENTRIES, {**TEA, "text": "Plays the viola"}, status=201, idempotency_key="k")
    person("olga").post("/books/plans/memory/entries", TEA, status=201, idempotency_key="k")
    assert len(memory_of(team).entries()) == 2


# -- long work ---------------------------------------------------------------------------------------------------------


def ended(api: Api, id: str) -> dict[str, Any]:
    """What became of long work; whoever asks again and again sees its end."""
    for _ in range(2000):
        job = api.get(f"/books/notes/jobs/{id}")
        if job["state"] != "running":
            return job
        threading.Event().wait(0.02)
    raise AssertionError("it does not end")


@pytest.mark.req("TEAM-1", "CMP-6")
def test_long_work_and_its_plan_are_known_to_every_server(team: Team) -> None:
    team.book("notes")
    token = team.token("olga")
    with served() as first, served() as second:
        one, two = with_token(first, token), with_token(second, token)
        for text in ("The office closes at 18:00", "The office closes at 18:00.", "Ada plays the viola"):
            one.post(ENTRIES, {"text": text, "insist": True}, status=201)
        job = one.post("/books/notes/jobs", {"kind": "compact", "model": False}, status=202)
        done = ended(two, job["id"])
        assert done["state"] == "done", done
        assert [listed["id"] for listed in two.get("/books/notes/jobs")["items"]] == [job["id"]]
        plan = done["result"]["plan"]
        if plan is not None:
            assert two.post(f"/books/notes/compactions/{plan}", {"steps": None})["change"]
        two.post("/books/notes/compactions/nothing", {"steps": None}, status=404)
        two.get("/books/notes/jobs/nothing", status=404)


@pytest.mark.req("TEAM-1")
def test_work_whose_server_is_gone_is_told_as_that(person: Asking, team: Team) -> None:
    team.book("notes")
    olga = person("olga")
    olga.post(ENTRIES, TEA, status=201)
    job = ended(olga, olga.post("/books/notes/jobs", {"kind": "reindex"}, status=202)["id"])
    left = {**job, "state": "running", "ended": None, "result": None}
    memory_of(team).book.storage.put_derived(f".commonplace/served/jobs/{job['id']}.json", [json.dumps(left).encode()])
    told = olga.get(f"/books/notes/jobs/{job['id']}")
    assert (told["state"], told["problem"]["detail"]) == ("failed", "The server that did this is gone.")


@pytest.mark.req("TEAM-1")
def test_one_piece_of_long_work_is_done_at_a_time_in_a_book(person: Asking, team: Team) -> None:
    team.book("notes")
    olga = person("olga")
    with memory_of(team).book.storage.alone("served", timeout=0):  # as another server holds it
        assert olga.post("/books/notes/jobs", {"kind": "audit"}, status=409)["code"] == "conflict"
    assert ended(olga, olga.post("/books/notes/jobs", {"kind": "audit"}, status=202)["id"])["state"] == "done"


@pytest.mark.req("TEAM-1", "API-1")
def test_whoever_listens_hears_what_another_server_does(team: Team) -> None:
    team.book("notes")
    token = team.token("olga")
    with served(interval=0.02) as first, served() as second:
        one, two = with_token(first, token), with_token(second, token)
        heard: list[str] = []

        def write() -> None:
            two.post(ENTRIES, TEA, status=201)
            two.post("/books/notes/jobs", {"kind": "reindex"}, status=202)

        writing = threading.Thread(target=write)
        with one.client.stream("GET", "/api/v1/books/notes/events") as stream:
            for line in stream.iter_lines():
                if line == "event: hello":
                    writing.start()
                heard.append(line)
                if line == "event: job" and "event: change" in heard:
                    break
        writing.join()
    assert any("MEMORY.md" in line for line in heard)


# -- limits and the trail ----------------------------------------------------------------------------------------------


@pytest.mark.req("TEAM-1")
def test_who_asks_too_often_is_told_how_long_to_wait(team: Team) -> None:
    team.book("notes")
    with served({"COMMONPLACE_TEAM_REQUESTS": "5"}) as server:
        olga = with_token(server, team.token("olga"))
        for _ in range(5):
            olga.get("/me")
        answer = olga.client.get("/api/v1/me")
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_requests")
        assert 1 <= int(answer.headers["retry-after"]) <= 12
        with_token(server, team.token("olga")).get("/me", status=429)  # another token is the same person
        with_token(server, team.token("ada")).get("/me")


@pytest.mark.req("TEAM-1", "S8")
def test_the_trail_tells_owners_who_did_what_and_never_a_word_of_it(person: Asking, team: Team) -> None:
    team.book("notes")
    team.book("plans")
    team.grant("notes", "rita", Role.READER)
    olga, rita = person("olga"), person("rita")
    made = olga.post(ENTRIES, TEA, status=201)
    rita.get("/books/notes/search?q=green%20tea")
    rita.get(f"/books/notes/memory/entries/{made['entry']['id']}")
    rita.post(ENTRIES, TEA, status=403)
    rita.get("/books/plans/memory", status=404)
    olga.get("/books/plans/memory")
    told = olga.get("/books/notes/trail")["items"]
    assert [(one["person"], one["operation"], one["status"]) for one in told] == [
        ("rita", "POST /memory/entries", 403),
        ("rita", "GET /memory/entries/{id}", 200),
        ("rita", "GET /search", 200),
        ("olga", "POST /memory/entries", 201),
    ]
    assert told[1]["subject"] == made["entry"]["id"]
    assert told[3]["changes"] == [made["change"]]
    everything = rows(team.tenant, "SELECT t::text FROM commonplace.team_trail t")
    assert len(everything) == 7
    assert "tea" not in str(everything)
    first = olga.get("/books/notes/trail?limit=2&person=rita")
    assert [one["status"] for one in first["items"]] == [403, 200]
    rest = olga.get(f"/books/notes/trail?limit=2&person=rita&cursor={first['next']}")
    assert ([one["status"] for one in rest["items"]], rest["next"]) == ([200], None)


@pytest.mark.req("TEAM-1")
def test_an_answer_that_cannot_be_put_on_the_trail_is_not_given(person: Asking, team: Team) -> None:
    team.book("notes")
    olga = person("olga")
    olga.post(ENTRIES, TEA, status=201)
    prepared().run("REVOKE INSERT ON commonplace.team_trail FROM app", database="books")
    try:
        told = olga.client.get("/api/v1/books/notes/memory/text")
    finally:
        prepared().run("GRANT INSERT ON commonplace.team_trail TO app", database="books")
    assert (told.status_code, told.json()["code"]) == (503, "busy")
    assert "tea" not in told.text
    assert "team_trail" not in told.text
