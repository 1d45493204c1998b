"""Two hundred texts, put into books in every way there is, forgotten, and looked for by means that are not our own."""

import asyncio
import json
import os
import re
import subprocess
import unicodedata
import zlib
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest

from commonplace.adapters.claude_sessions import BookSessionStore
from commonplace.adapters.memory_tool import BookMemoryTool
from commonplace.files.spelling import Spellings
from commonplace.hooks.hosted import Hosted, Register
from commonplace.memory import Memory
from commonplace.proxy.noting import heard, session_of
from commonplace.proxy.wire import Spoken
from commonplace.testing import HashingEmbedder, ScriptedChatModel
from commonplace.types import Message, Voice
from tests.foreign import generators as made

AT = datetime(2026, 11, 15, 12, tzinfo=UTC)
BOOKS = 10
# In each text every sentence has a word of its own that stands nowhere else: # is replaced by a number.
TEXTS = [
    "I’d rather not tell anybody that it’s the quokka# I’m afraid of",
    "The key is under the marmot# pot. The alarm is off at the vicuna# door",
    "My allergies:\n- walnut# shells\n- pollen# of birch trees\n- dust# from the attic",
    "My plans:\n1. Sell the tapir# farm\n2. Buy a boat called okapi#",
    "Put <!-- zebu# --> before every page of the ibex# manual",
    "The arrow --> points to the wombat# behind the <div> of numbat#",
    "# The heading of the dugong# chapter is a secret of the family",
    "--- and then the manatee# swam away with the wedding ring ---",
    'She said "never ask me about the gecko# again" and left the house',
    "😀 My happiest day was when the axolotl# hatched 🎉 in the kitchen",
    "Mon préféré était le ne\u0301nuphar# violet près de l’étang gelé",
    "Die Straße zur Größenwahn# Mühle heißt „Grüner Weg“ seit 1990",
    "我最喜欢的地方是第#号茶馆。我每天早上都去那里喝茶",
    "Я никогда не забуду дом номер # на Садовой улице. Там жила моя бабушка",
    "The code of the safe in the cellar of the old house by the river is seventeen left, forty-two right, twice "
    "round, and then the birthday of the caracal#. Nobody but me may ever hear about the serval# on the roof",
    "The pass\u0007word hint is a\u200b bonobo# with\ta hat;  two   spaces \u2028 and a lemur#",
    "I write C++ for the potoroo# project; tests run on kiwi#; the rest is C#",
    "User requested: Always call me Captain Narwhal# when we talk about the sea",
    "Salary is 9#5.50 EUR & bonus is -3# EUR (as told by the pangolin#)",
    "Remember that my sister's cat is called Fossa#. Also remember that she lives in Binturong# Street",
]


def texts_of(book: int) -> list[str]:
    return [text.replace("#", str(700 + book * 20 + at)) for at, text in enumerate(TEXTS)]


def letters(text: str) -> str:
    """Only letters and digits, in one form: what no change of spacing, punctuation, marks or escapes touches."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKD", text).casefold())


def traces(text: str) -> list[str]:
    """All of a text, and each sentence or item of it that has a number of its own."""
    pieces = [text, *re.split(r"[.;\n。]\s*", text)]
    bare = [letters(re.sub(r"^\W*(?:\d[.)]|User requested:)?", "", piece)) for piece in pieces]
    return [piece for piece in bare if re.search(r"\d{3}", piece) and len(piece) > 9]


def unpacked(folder: Path) -> Iterator[tuple[str, str]]:
    """Everything a book holds, as an outsider gets at it: names, raw bytes, inflated bytes, strings within JSON with
    their escapes resolved, and all objects that git finds."""
    for path in sorted(folder.rglob("*")):
        yield str(path), path.name
        if path.is_file():
            data = path.read_bytes()
            yield str(path), data.decode("utf-8", "replace")
            yield str(path), data.decode("utf-16-le", "replace")
            with suppress(zlib.error):
                yield str(path), zlib.decompress(data).decode("utf-8", "replace")
            for line in data.splitlines():
                with suppress(ValueError):
                    yield str(path), " ".join(strings(json.loads(line)))
    git = ["git", "--git-dir", str(folder / ".commonplace" / "history.git")]
    for arguments in (("cat-file", "--batch-all-objects", "--batch"), ("log", "--all", "-p", "--format=raw")):
        found = subprocess.run([*git, *arguments], capture_output=True, check=True).stdout
        yield arguments[0], found.decode("utf-8", "replace")


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            yield from strings(item)
    elif isinstance(value, dict):
        for key, item in cast("dict[str, object]", value).items():
            yield from (key, *strings(item))
    else:
        yield json.dumps(value)


def found_in(folder: Path, texts: list[str]) -> set[tuple[str, str]]:
    wanted = [trace for text in texts for trace in traces(text)]
    seen = [(place, letters(text)) for place, text in unpacked(folder)]
    return {(place, trace) for place, text in seen for trace in wanted if trace in text}


def no_sync(_: int) -> None:
    """Waiting for the disk proves nothing where nobody is killed."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", no_sync)


def filled(folder: Path, texts: list[str]) -> Memory:
    """A book with each text said, and kept in some of all the ways there are."""
    memory = Memory.open(folder, embedder=HashingEmbedder())
    memory.remember("Likes green tea")
    said = [Message(f"m{at}", "user", text, AT + timedelta(minutes=at), noted(text)) for at, text in enumerate(texts)]
    memory.add_message("talk", *said)
    asked = [Message(f"o{at}", "user", f"Please remember that {text}", AT) for at, text in enumerate(texts[::9])]
    memory.add_message("other", *asked)
    for at, text in enumerate(texts):
        match at % 12:
            case 0:
                memory.remember(text, insist=True, reason=f"because {text}", session="talk")
            case 1:
                memory.remember(text, voice=Voice.WEB, session="talk")
            case 2:
                memory.start_session(" ".join(text.split())[:99])
            case 3:
                memory.log(f"We talked.\n\n{text}\n\nThen we went home.")
            case _:
                pass
    memory.log_session("talk", None)
    quoting = [f"- The user said: “{text}”" for text in texts[::9]]
    facts = [f"- [notes] {' '.join(text.split())}" for text in texts[::9]]
    answer = "\n".join(["## Daily Summary", *quoting, "", "## Long-term Facts", *facts])
    memory.log_session("other", ScriptedChatModel(lambda _: answer, window=64_000))
    page = memory.path / "MEMORY.md"
    page.write_text(page.read_text() + "".join(f"\n* {text}\n" for text in texts[::3]) + f"\nProse: {texts[5]}\n")
    summary = "# Session Summary\n\n" + "\n".join(texts).replace("<!--", "<\\!--")
    (memory.path / "sessions" / "talk.summary.md").write_text(summary)
    (memory.path / "notes.md").write_text("\n\n".join(texts))
    memory.backup()
    memory.undo()
    memory.search("tea")
    escaped = json.dumps({"id": "x", "role": "user", "at": AT.isoformat(), "text": " ".join(texts)})
    with (memory.path / "sessions" / "talk.jsonl").open("a") as file:
        file.write(escaped + "\n" + escaped[:-3] + "\n")
    return memory


def noted(text: str) -> dict[str, object]:
    return {"arguments": {"content": text, "list": [text, {"deep": text}]}}


def all_gone(memory: Memory, texts: list[str]) -> None:
    assert found_in(memory.path, texts) == set()
    assert "Likes green tea" in memory.read()
    memory.search("tea")
    memory.log_session("talk", None)
    memory.log_session("other", None)
    assert found_in(memory.path, texts) == set()


@pytest.mark.req("BOOK-7", "S9")
def test_two_hundred_texts_are_gone_in_every_spelling_that_we_make(tmp_path: Path) -> None:
    texts = [text for book in range(BOOKS) for text in texts_of(book)]
    assert len(texts) == 200
    memory = filled(tmp_path / "book", texts)
    present = {trace for _, trace in found_in(memory.path, texts)}
    assert {trace for text in texts for trace in traces(text)} <= present, "the search finds what is there"
    assert memory.erase(*texts, dry_run=False).left == ()
    all_gone(memory, texts)


@pytest.mark.req("BOOK-7", "S9")
def test_one_text_after_the_other_is_gone_too(tmp_path: Path) -> None:
    texts = texts_of(3)[:8]
    memory = filled(tmp_path / "book", texts)
    for text in texts:
        assert memory.erase(text, dry_run=False).left == ()
    all_gone(memory, texts)


# Each has one word that stands in whatever our own steps make of it.
RETOLD = {
    "Işık701": "İstanbul'da Işık701 sokağında oturuyorum ve çok mutluyum",
    "kiebitz702": "&lt;b&gt;Kiebitz702&lt;/b&gt; &amp; &#39;friends&#39; came over",
    "drossel703": "1) buy Drossel703 2) sell Amsel 3) rent Star",
    "lemmings704": "I like narrow spaces and wide hyphens in lemmings704",
    "tannen705": "Ich wohne seit 1998 in der Tannen705 Gasse",
    "narzisse706": "J’habite rue de la Narzisse706 avec ma sœur; je travaille au port",
    "möwe707": "I live in Möwe707 Lane and I work for the harbour office",
}


@pytest.mark.req("BOOK-7", "S9")
@pytest.mark.parametrize("word", RETOLD)
def test_what_a_request_or_a_summary_made_of_a_text_goes_with_it(tmp_path: Path, word: str) -> None:
    text = RETOLD[word]
    memory = Memory.open(tmp_path / "book", embedder=HashingEmbedder())
    memory.remember("Likes green tea")
    memory.remember(text, insist=True)
    memory.remember(f"{text} again", voice=Voice.WEB)
    memory.add_message("said", Message("m1", "user", text, AT), Message("m2", "assistant", f"You said: {text}", AT))
    memory.add_message("asked", Message("m3", "user", f"Please remember that {text}", AT))
    memory.add_message("bitte", Message("m4", "user", f"Merk dir, dass {text}", AT))
    for session in memory.sessions():
        memory.log_session(session, None)
    assert memory.erase(text, dry_run=False).left == ()
    assert [place for place, seen in unpacked(memory.path) if letters(word) in letters(seen)] == []
    assert "Likes green tea" in memory.read()


@pytest.mark.req("BOOK-7", "S9")
@pytest.mark.parametrize("word", RETOLD)
def test_a_line_that_was_cut_off_anywhere_in_a_text_keeps_no_word_of_it(word: str) -> None:
    text = RETOLD[word]
    spellings = Spellings([text])
    for length in range(text.casefold().index(word.casefold()) + len(word), len(text)):
        seen = spellings.without_cut(f"Log: spoke of {text[:length]}…", "[forgotten]")
        assert word.casefold() not in seen.casefold(), seen


def brought(folder: Path, texts: list[str], elsewhere: Path) -> Memory:
    """A book with each text as other programs bring it: imported, held, kept by frameworks, and passing by."""
    memory = Memory.open(folder, embedder=HashingEmbedder())
    memory.remember("Likes green tea")
    turns = [turn for text in texts for turn in (text, "I see.")]
    sources = [
        made.chatgpt_zip(elsewhere / "chatgpt.zip", [made.chatgpt_conversation(1, turns, title=texts[0])]),
        made.claude_zip(elsewhere / "claude.zip", [made.claude_conversation(1, turns)], "\n\n".join(texts[:6])),
        made.claude_code_transcript(elsewhere / "code.jsonl", [("user", text) for text in texts]),
        made.codex_rollout(elsewhere / "codex", [("user", text) for text in texts]),
        made.mem0_json(elsewhere / "mem0.json", texts),
        made.folder_of(elsewhere / "openclaw", {**made.OPENCLAW, "memory/2026-02-05.md": "\n\n".join(texts)}),
        made.folder_of(elsewhere / "vault", {f"{name}.md": text for name, text in enumerate(texts)}),
    ]
    for source in sources:
        memory.import_from(source)
    tool = BookMemoryTool(memory)
    tool.call({"command": "create", "path": "/memories/all.md", "file_text": "\n".join(texts)})
    tool.call({"command": "create", "path": "/memories/deep/down.txt", "file_text": " / ".join(texts)})
    tool.call({"command": "str_replace", "path": "/memories/all.md", "old_str": texts[1], "new_str": texts[2]})
    for at, text in enumerate(texts):
        nested = json.dumps({"said": text, "again": json.dumps([text])})
        memory.records.put([((("memories", text), str(at)), {"text": text, "raw": nested}, {"index": [text]})])
    key = {"project_key": "harbour", "session_id": "s1"}
    entries = [
        {
            "type": "user",
            "uuid": f"u{at}",
            "timestamp": "2026-03-01T10:00:00Z",
            "message": {"role": "user", "content": [{"type": "text", "text": text}]},
            "toolUseResult": json.dumps({"content": text}),
        }
        for at, text in enumerate(texts)
    ]
    asyncio.run(BookSessionStore(memory).append(key, entries))
    heard(memory, session_of("", [Spoken("user", texts[0])]), [Spoken("user", text) for text in texts])
    Register(memory).note(Hosted("claude-code-s9", "claude-code", f"/home/ada/{texts[3]}/t.jsonl"))
    memory.session_infos()
    return memory


@pytest.mark.req("S9", "IMP-1", "ADP-1")
def test_what_other_programs_brought_is_gone_too(tmp_path: Path) -> None:
    texts = texts_of(5)
    memory = brought(tmp_path / "book", texts, tmp_path)
    present = {trace for _, trace in found_in(memory.path, texts)}
    assert {trace for text in texts for trace in traces(text)} <= present, "the search finds what is there"
    assert memory.erase(*texts, dry_run=False).left == ()
    assert found_in(memory.path, texts) == set()
    for source in ("chatgpt.zip", "claude.zip", "code.jsonl", "codex", "mem0.json", "openclaw", "vault"):
        memory.import_from(tmp_path / source)
    assert found_in(memory.path, texts) == set(), "what was forgotten does not come back with another import"
    assert "Likes green tea" in memory.read()
