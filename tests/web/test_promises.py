"""What holds for every write: done once, nothing lost, told to everybody, and stored text stays text."""

import json
import subprocess
import sys
import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import pytest

from commonplace.memory import Memory
from commonplace.types import Message, Origin
from commonplace.web.jobs import Jobs, Order
from tests.web.conftest import TOKEN, Api

TEA = "Likes green tea in the morning"

# Ways in which a text has become a script in pages of other programs.
PAYLOADS = [
    *(f"<{tag} src=x onerror=alert(1)>" for tag in ("img", "image", "audio", "video", "input type=image", "embed")),
    *(f"<{tag} onload=alert(1)>" for tag in ("svg", "body", "iframe", "object", "style", "link rel=stylesheet href=/")),
    *(f"<{tag} autofocus onfocus=alert(1)>" for tag in ("input", "select", "textarea", "button", "keygen")),
    *(
        f"<a href={scheme}:alert(1)>x</a>"
        for scheme in ("javascript", "JaVaScRiPt", "vbscript", "data:text/html,x;java")
    ),
    *(
        f"[x]({scheme})"
        for scheme in ("javascript:alert(1)", "  javascript:alert(1)", "data:text/html;base64,PHN2Zz4=")
    ),
    *(f"![x]({place})" for place in ('x"onerror="alert(1)', "https://evil.example/x.png", "javascript:alert(1)")),
    "<script>alert(1)</script>",
    "<ScRiPt src=//evil.example></sCrIpT>",
    "</script><script>alert(1)//",
    "</textarea><script>alert(1)</script>",
    "</title><svg/onload=alert(1)>",
    "--><script>alert(1)</script>",
    "<!--<img src='--><img src=x onerror=alert(1)//'>",
    "<details open ontoggle=alert(1)>",
    "<marquee onstart=alert(1)>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<template><script>alert(1)</script></template>",
    "<base href=//evil.example/>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<form action=javascript:alert(1)><input type=submit>",
    "<isindex action=javascript:alert(1) type=image>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "`${alert(1)}`",
    "{{constructor.constructor('alert(1)')()}}",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\\u003cscript\\u003ealert(1)\\u003c/script\\u003e",
    "<x contenteditable onblur=alert(1)>lose focus",
    "<a href='\x01javascript:alert(1)'>x</a>",
]


# -- done once ---------------------------------------------------------------------------------------------------------


@pytest.mark.req("API-1")
def test_a_write_that_is_sent_twice_is_done_once_and_answered_alike(api: Api, memory: Memory) -> None:
    body = {"text": TEA, "insist": True}
    first = api.post("/memory/entries", body, status=201, idempotency_key="one")
    headers = {"idempotency-key": "one"}
    again = api.client.post("/api/v1/memory/entries", json=body, headers=headers)
    assert (again.status_code, again.json(), again.headers["idempotency-replayed"]) == (201, first, "true")
    assert len(memory.entries()) == 1
    told = api.post("/memory/entries", {"text": "Something else", "insist": True}, status=422, idempotency_key="one")
    assert told["code"] == "key_reused"
    api.post("/memory/entries", body, status=201, idempotency_key="two")
    assert len(memory.entries()) == 2
    assert api.post("/memory/entries", body, status=422, idempotency_key="x" * 201)["code"] == "validation_error"


@pytest.mark.req("API-1")
def test_requests_with_one_key_at_the_same_time_do_the_thing_once(api: Api, memory: Memory) -> None:
    def send(_: int) -> str:
        body = {"text": TEA, "insist": True}
        return api.post("/memory/entries", body, status=201, idempotency_key="same")["change"]

    with ThreadPoolExecutor(8) as pool:
        changes = set(pool.map(send, range(8)))
    assert (len(changes), len(memory.entries())) == (1, 1)


def test_an_error_of_the_caller_is_remembered_with_its_key_and_forgetting_leaves_no_answer(api: Api) -> None:
    gone = {"if_match": '"0000000000000000"', "idempotency_key": "k"}
    first = api.ask("DELETE", "/memory/entries/0000000000000000", status=404, **gone)
    assert api.ask("DELETE", "/memory/entries/0000000000000000", status=404, **gone) == first
    api.post("/memory/entries", {"text": "The locker is ZX-4711", "insist": True}, status=201, idempotency_key="s")
    plan = api.post("/erasures/preview", {"texts": ["ZX-4711"]})["plan"]
    api.post("/erasures", {"texts": ["ZX-4711"]}, if_match=f'"{plan}"', idempotency_key="e")
    answer = api.client.post(
        "/api/v1/memory/entries", json={"text": "Another", "insist": True}, headers={"idempotency-key": "s"}
    )
    assert (answer.status_code, "ZX-4711" in answer.text) == (201, False)


# -- nothing lost ------------------------------------------------------------------------------------------------------


@pytest.mark.req("API-1", "R2", "BOOK-3")
def test_two_clients_an_agent_and_an_editor_at_once_lose_nothing(api: Api, memory: Memory, folder: Path) -> None:
    api.save("The first entry of all")
    file = folder / "MEMORY.md"

    def by_api(name: str) -> None:
        for number in range(6):
            api.post("/memory/entries", {"text": f"{name} says {number} of it", "insist": True}, status=201)

    def by_whole_text() -> None:
        for number in range(3):
            while True:
                read = api.get("/memory/text")
                line = f"- Written whole, number {number}\n"
                headers = {"if-match": f'"{read["etag"]}"'}
                body = {"text": read["text"] + line}
                if api.client.put("/api/v1/memory/text", json=body, headers=headers).status_code == 200:
                    break

    def by_agent() -> None:
        for number in range(6):
            memory.remember(f"The agent says {number} of it", origin=Origin.PERSON, insist=True)

    threads = [threading.Thread(target=by_api, args=(name,)) for name in ("Ada", "Ben")]
    threads += [threading.Thread(target=by_whole_text), threading.Thread(target=by_agent)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    said = {entry["text"] for entry in api.get("/memory/entries?limit=500")["items"]}
    wanted = {f"{name} says {number} of it" for name in ("Ada", "Ben", "The agent") for number in range(6)}
    wanted |= {f"Written whole, number {number}" for number in range(3)}
    assert wanted <= said
    assert len(said) == len(wanted) + 1 == len(file.read_text(encoding="utf-8").split("\n- ")) - 1


# -- stored text stays text --------------------------------------------------------------------------------------------


@pytest.mark.req("S7", "S1")
def test_fifty_payloads_come_back_as_data_from_every_place_that_stores_text(api: Api, memory: Memory) -> None:
    assert len(set(PAYLOADS)) >= 50
    read = api.get("/memory/text")
    lines = "".join(f"- {payload}\n" for payload in PAYLOADS)
    text = f"# Long-term Memory\n\n## Notes <script>alert(1)</script>\n\n{lines}"
    api.ask("PUT", "/memory/text", {"text": text, "insist": True}, if_match=f'"{read["etag"]}"')
    assert api.get("/memory/text")["text"] == text
    memory.add_message("talk", *(_message(number, payload) for number, payload in enumerate(PAYLOADS)))
    said = api.get("/sessions/talk/messages?limit=500")["items"]
    assert [message["text"] for message in said] == PAYLOADS
    api.post("/days/2026-03-03/blocks", {"text": "\n".join(f"- {payload}" for payload in PAYLOADS)})
    for path in ("/memory", "/memory/entries", "/days/2026-03-03", "/sessions/talk/messages", "/changes", "/sessions"):
        answer = api.client.get(f"/api/v1{path}")
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
    for payload in PAYLOADS:
        for path in (
            f"/{quote(payload, safe='')}",
            f"/enter?key={quote(payload)}",
            f"/api/v1/{quote(payload, safe='')}",
        ):
            answer = api.client.get(path)
            assert payload not in answer.text or answer.headers["content-type"] == "application/problem+json"


def _message(number: int, text: str) -> Message:
    from datetime import UTC, datetime

    return Message(f"m{number}", "assistant", text, datetime(2026, 3, 3, 12, tzinfo=UTC))


# -- long work ---------------------------------------------------------------------------------------------------------


@pytest.mark.req("API-1", "UI-2")
def test_long_work_tells_its_progress_and_stops_when_it_is_asked_to() -> None:
    told: list[Any] = []
    ended = threading.Event()
    begun, go_on = threading.Event(), threading.Event()

    def publish(_: str, job: Any) -> None:
        told.append((job["state"], job["done"], job["of"]))
        if job["state"] != "running":
            ended.set()

    def work(order: Order) -> dict[str, Any]:
        order.progress(1, 3)
        begun.set()
        assert go_on.wait(30)
        order.progress(2, 3)
        raise AssertionError("it was asked to stop")

    jobs = Jobs(publish)
    job, _ = jobs.start("compact", work)
    assert begun.wait(30)
    assert jobs.start("compact", work) == (jobs.get(job.id), False)
    jobs.stop(job.id)
    go_on.set()
    assert ended.wait(30)
    found = jobs.get(job.id)
    assert found is not None
    assert found.state == "cancelled"
    assert told[0] == ("running", 0, 0)
    assert ("running", 1, 3) in told


# -- the program itself ------------------------------------------------------------------------------------------------


@contextmanager
def serve(*words: str) -> Generator[dict[str, str]]:
    """`commonplace serve` as a process of its own."""
    line = [sys.executable, "-m", "commonplace", "serve", "--json", "--port", "0", "--token", TOKEN, *words]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8")
    assert process.stdout is not None
    try:
        said = ""
        while not said.endswith("}\n"):
            read = process.stdout.readline()
            assert read, process.stderr and process.stderr.read()
            said += read
        yield json.loads(said)
    finally:
        process.terminate()
        process.communicate(timeout=30)


@pytest.mark.req("API-1", "R9", "BOOK-3")
def test_a_hand_edit_and_a_save_are_told_to_everybody_who_listens(home: Path, folder: Path) -> None:
    bearer = {"authorization": f"Bearer {TOKEN}"}
    with serve("--book", str(folder)) as served, httpx2.Client(base_url=served["address"], timeout=60) as client:
        with client.stream("GET", "/api/v1/events", headers=bearer) as stream:
            events = iter_events(stream)
            assert next(events)[0] == "hello"
            client.post("/api/v1/memory/entries", json={"text": TEA, "insist": True}, headers=bearer)
            kind, told = next(event for event in events if "MEMORY.md" in event[1].get("files", []))
            assert kind == "change"
            with (folder / "MEMORY.md").open("a", encoding="utf-8") as file:
                file.write("- Written by hand\n")
            seen = next(event[1] for event in events if event[1].get("etag") not in {None, told["etag"]})
            assert seen["files"] == ["MEMORY.md"]
        answer = client.get("/api/v1/memory", headers=bearer).json()
        assert answer["etag"] == seen["etag"]
        page = httpx2.get(served["link"], follow_redirects=False)
        assert "commonplace_" in page.headers["set-cookie"]


def iter_events(stream: httpx2.Response) -> Generator[tuple[str, dict[str, Any]]]:
    kind = ""
    for line in stream.iter_lines():
        name, _, value = line.partition(": ")
        if name == "event":
            kind = value
        elif name == "data":
            yield kind, json.loads(value)


@pytest.mark.req("S7")
def test_an_address_that_others_can_reach_needs_a_token_that_was_chosen(home: Path, folder: Path) -> None:
    line = [sys.executable, "-m", "commonplace", "serve", "--host", "0.0.0.0", "--port", "0", "--book", str(folder)]
    done = subprocess.run(line, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 2
    assert "can be reached from other machines" in done.stderr
