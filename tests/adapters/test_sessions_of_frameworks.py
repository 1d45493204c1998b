"""Transcripts of the Claude Agent SDK as sessions of a book. The SDK itself is tried in `tests/clients`."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from commonplace.adapters.claude_sessions import BookSessionStore
from commonplace.memory import Memory

KEY = {"project_key": "harbour", "session_id": "s1"}
SECRET = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory.open(tmp_path / "book")


def said(role: str, text: str, uuid: str, **more: Any) -> dict[str, Any]:
    message = {"role": role, "content": [{"type": "text", "text": text}]}
    return {"type": role, "uuid": uuid, "timestamp": "2026-03-01T10:00:00Z", "message": message, **more}


@pytest.mark.req("ADP-1", "TOOL-9", "LOG-5")
def test_what_was_said_is_a_session_that_is_searched_and_heeded_at_once(memory: Memory) -> None:
    store = BookSessionStore(memory)
    entries = [
        {"type": "mode", "mode": "default"},
        said("user", "Remember that my sister Ines lives in Porto.", "u1"),
        said("assistant", "The harbour crane is called Bruno.", "u2"),
        said("user", "<command-name>/clear</command-name>", "u3"),
        said("assistant", "Aside", "u4", isSidechain=True),
    ]
    asyncio.run(store.append(KEY, entries))
    assert asyncio.run(store.load(KEY)) == entries
    (session,) = memory.sessions()
    spoken = [m for m in memory.transcript(session).messages if m.role in {"user", "assistant"}]
    assert [(m.role, m.text[:12]) for m in spoken] == [("user", "Remember tha"), ("assistant", "The harbour ")]
    assert spoken[0].at.isoformat().startswith("2026-03-01")
    assert [entry.text for entry in memory.entries()] == ["User requested: My sister Ines lives in Porto"]
    assert any("Bruno" in hit.text for hit in memory.search("What is the crane called?").hits)


@pytest.mark.req("ADP-1", "GATE-2")
def test_a_secret_in_an_entry_is_masked_on_disk(memory: Memory) -> None:
    asyncio.run(BookSessionStore(memory).append(KEY, [said("user", f"my token is {SECRET}", "u1")]))
    assert not any(SECRET in file.read_text() for file in memory.path.rglob("*.jsonl"))


@pytest.mark.req("ADP-1", "R2")
def test_an_entry_comes_in_once_however_many_bring_it(memory: Memory) -> None:
    memory.create()
    entries = [said("user", f"Number {n}", f"u{n}") for n in range(10)]

    def bring() -> None:
        store = BookSessionStore(Memory.open(memory.path))
        for start in range(0, 10, 2):
            asyncio.run(store.append(KEY, entries[start : start + 4]))

    threads = [threading.Thread(target=bring) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    loaded = asyncio.run(BookSessionStore(memory).load(KEY))
    assert sorted(entry["uuid"] for entry in loaded or []) == sorted(entry["uuid"] for entry in entries)


@pytest.mark.req("ADP-1", "S5")
@pytest.mark.parametrize("name", ["../../etc", "", "a/b", "\x00", "ü" * 300, "s1.jsonl", "-"])
def test_no_key_of_a_session_leads_out_of_the_book(memory: Memory, name: str, tmp_path: Path) -> None:
    store, key = BookSessionStore(memory), {"project_key": name, "session_id": name, "subpath": name}
    asyncio.run(store.append(key, [said("user", "Hello there", "u1")]))
    assert asyncio.run(store.load(key)) is not None
    assert [file.parent for file in tmp_path.rglob("*.jsonl")] == [memory.path / "sessions"]
