"""What only the person at this machine may ask for: their other books, and their files."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from starlette.testclient import TestClient

from commonplace.app import App
from commonplace.memory import Memory
from commonplace.web.application import web_app
from commonplace.web.door import Keys
from commonplace.web.machine import Machine
from tests.foreign.generators import chatgpt_conversation, chatgpt_zip, mem0_json
from tests.web.conftest import BASE, TOKEN, Api, Json
from tests.web.test_rooms import finished


@pytest.fixture
def owner(home: Path, folder: Path, keys: Keys) -> Generator[Api]:
    """Whoever sits at this machine, with the token."""
    machine = Machine(TOKEN, "127.0.0.1", lambda app, keys: web_app(app, keys, machine=machine))
    machine.note(str(folder), BASE, keys)
    app = web_app(App(book=str(folder)), keys, machine=machine)
    with TestClient(app, base_url=BASE, raise_server_exceptions=False) as client:
        client.headers["authorization"] = f"Bearer {TOKEN}"
        yield Api(client)
    machine.close()


@pytest.fixture
def garden(home: Path, tmp_path: Path) -> Memory:
    """A second book, on the list."""
    memory = Memory.open(tmp_path / "garden")
    memory.remember("The pear tree is grafted")
    App(book=str(tmp_path / "garden")).note_book(memory, "garden")
    return memory


@contextmanager
def let_in(link: str) -> Generator[httpx2.Client]:
    """A browser that opened a link."""
    place = urlsplit(link)
    with httpx2.Client(base_url=f"{place.scheme}://{place.netloc}", timeout=60) as client:
        assert client.get(f"{place.path}?{place.query}").status_code == 200
        yield client


@pytest.mark.req("UI-1", "S8")
def test_another_book_is_opened_at_an_address_of_its_own_and_the_first_stays_where_it_is(
    owner: Api, folder: Path, garden: Memory
) -> None:
    App(book=str(folder)).note_book(Memory.open(folder), None)
    owner.save("Likes green tea")
    books = owner.get("/books")
    assert books["can_open"] is True
    assert {book["name"]: book["open"] for book in books["items"]}["garden"] is False
    link: str = owner.post("/books/open", {"name": "garden"})["link"]
    with let_in(link) as browser:
        seen: Json = browser.get("/api/v1/memory/entries").json()
        assert [entry["text"] for entry in seen["items"]] == ["The pear tree is grafted"]
        own = browser.get("/api/v1/books").json()["items"]
        assert {book["name"] for book in own if book["open"]} == {"garden"}
        again: str = browser.post("/api/v1/books/open", json={"name": "garden"}).json()["link"]
        assert urlsplit(again).netloc == urlsplit(link).netloc
        assert browser.get(urlsplit(link).path, params={"key": "used"}).status_code == 401
    assert [entry["text"] for entry in owner.get("/memory/entries")["items"]] == ["Likes green tea"]
    assert owner.post("/books/open", {"name": "attic"}, status=404)["code"] == "not_found"


@pytest.mark.req("API-1", "UI-1")
def test_what_another_program_kept_is_looked_at_first_and_then_brought_in_as_long_work(
    owner: Api, folder: Path, tmp_path: Path
) -> None:
    talk = chatgpt_conversation(1, ["When do I graft pears?", "In March."])
    export = chatgpt_zip(tmp_path / "export.zip", [talk])
    seen = finished(owner, {"kind": "import", "path": str(export), "dry_run": True})["result"]
    assert (seen["kind"], seen["conversations"], seen["messages"]) == ("chatgpt", 1, 2)
    assert owner.get("/sessions")["items"] == []
    done = finished(owner, {"kind": "import", "path": str(export)})["result"]
    assert (done["dry_run"], done["messages"]) == (False, 2)
    assert [one["title"] for one in owner.get("/sessions")["items"]] == ["Chat 1"]
    assert owner.get("/search?q=graft pears")["hits"]
    again = finished(owner, {"kind": "import", "path": str(export)})["result"]
    assert (again["messages"], again["known_messages"]) == (0, 2)
    memories = mem0_json(tmp_path / "mem0.json", ["Keeps bees on the roof"])
    assert finished(owner, {"kind": "import", "path": str(memories)})["result"]["taken"] == 1
    failed = finished(owner, {"kind": "import", "path": str(tmp_path / "nowhere")})
    assert (failed["state"], failed["problem"]["status"]) == ("failed", 404)
    assert finished(owner, {"kind": "import"})["problem"]["code"] == "validation_error"


@pytest.mark.req("S7", "S5")
def test_where_other_machines_may_ask_nobody_gets_files_or_other_books(
    api: Api, garden: Memory, tmp_path: Path
) -> None:
    export = mem0_json(tmp_path / "mem0.json", ["Keeps bees on the roof"])
    assert api.get("/books")["can_open"] is False
    assert api.post("/books/open", {"name": "garden"}, status=403)["code"] == "forbidden"
    assert api.post("/jobs", {"kind": "import", "path": str(export)}, status=403)["code"] == "forbidden"
    assert api.get("/jobs")["items"] == []
