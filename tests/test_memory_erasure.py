"""Forgetting everywhere: shown first, complete, and proven by other means than our own."""

import json
import subprocess
import threading
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from commonplace.errors import ValidationError
from commonplace.files.folder import FolderStorage
from commonplace.memory import Memory
from commonplace.types import Message
from tests.folderbooks import history_of
from tests.stores import Place, got, put, stored

if TYPE_CHECKING:
    from commonplace.ports import Vectors

AT = datetime(2026, 11, 15, 12, tzinfo=UTC)
FACT = "Her blood type is zebra-négatif"
LONG = (
    "The combination of the safe in the cellar is seventeen left, forty-two right, and then the birthday of the zebra"
)


@pytest.fixture
def memory(place: Place) -> Memory:
    return Memory.open(place)


def git(memory: Memory, *arguments: str) -> bytes:
    folder = memory.path / ".commonplace" / "history.git"
    return subprocess.run(["git", "--git-dir", str(folder), *arguments], capture_output=True, check=True).stdout


def everything(memory: Memory) -> bytes:
    """All bytes of the book as an outsider sees them: files raw and unpacked, and all objects that git can find."""
    found = stored(memory.book.storage)
    if not isinstance(memory.book.storage, FolderStorage):
        return b"\n".join(found)
    for path in memory.path.rglob("*"):
        found.append(path.name.encode())
        if path.is_file():
            found.append(path.read_bytes())
            try:
                found.append(zlib.decompress(path.read_bytes()))
            except zlib.error:
                pass
    found.append(git(memory, "cat-file", "--batch-all-objects", "--batch", "--unordered"))
    found.append(git(memory, "rev-list", "--objects", "--all"))
    found.append(git(memory, "log", "--all", "-p", "--format=raw"))
    return b"\n".join(found)


def is_clean(memory: Memory, *traces: str) -> bool:
    seen = everything(memory).decode("utf-8", "replace")
    forms = [form for trace in traces for form in (trace, json.dumps(trace)[1:-1])]
    return not any(form.casefold() in seen.casefold() for form in forms)


@pytest.mark.folder
@pytest.mark.req("BOOK-7", "S9")
def test_a_text_goes_from_files_backups_transcripts_history_and_messages(memory: Memory) -> None:
    memory.remember("Likes tea")
    memory.remember(FACT, session="s", reason=f"because {FACT}")
    memory.remember(f"Doctor says: {FACT}, and that is rare", insist=True)
    memory.log(f"Talked. {FACT.upper()}.\n\nAlso tea.")
    memory.backup()
    memory.add_message("talk", Message("1", "user", f"Remember:\n{FACT}", AT, {"notes": [FACT, {"deep": FACT}]}))
    memory.add_message("talk", Message("2", "assistant", "Noted.", AT))
    escaped = json.dumps({"id": "3", "role": "user", "at": AT.isoformat(), "text": FACT}).encode()
    with (memory.path / "sessions" / "talk.jsonl").open("ab") as file:
        file.write(escaped + b"\n" + escaped[:-2] + b"\n")
    put(memory, "MEMORY.md", memory.read() + "\nHer blood type\n  is zebra-ne\u0301gatif\n")
    memory.revise("Likes tea", "Likes coffee")
    memory.undo()
    memory.undo()

    planned = memory.erase(FACT)
    assert not planned.done
    assert planned.commits > 3
    places = {removal.place for removal in planned.removals}
    assert {"MEMORY.md", "sessions/talk.jsonl"} <= places
    assert any(place.startswith("backups/") for place in places)
    assert any(place.startswith("daily/") for place in places)
    assert not is_clean(memory, "zebra"), "the dry run changes nothing"

    done = memory.erase(FACT, dry_run=False)
    assert done.done
    assert done.left == ()
    assert done.searched_files > 3
    assert done.searched_objects > 3
    assert is_clean(memory, FACT, "zebra-négatif", "zebra-ne\u0301gatif", "blood type")
    assert git(memory, "fsck", "--strict", "--full") == b""
    assert "Likes tea" in memory.read()
    assert "Doctor says" not in memory.read(), "an entry that has the text goes as a whole"
    assert "Also tea." in memory.read_log(memory.log_days()[0])
    read = memory.transcript("talk")
    assert [m.id for m in read.messages] == ["1", "2", "3"]
    assert read.messages[0].extra == {"notes": ["[forgotten]", {"deep": "[forgotten]"}]}
    assert memory.erase(FACT).removals == ()
    memory.remember("Plays the cello")
    memory.undo()


@pytest.mark.req("BOOK-7", "S9")
def test_no_beginning_of_a_long_text_stays_behind_in_a_message_that_was_cut_off(memory: Memory) -> None:
    memory.remember("Likes tea")
    memory.remember(LONG)
    memory.forget(LONG)
    memory.undo()
    memory.log(f"Spoke about the house. {LONG}")
    done = memory.erase(LONG, dry_run=False)
    assert done.left == ()
    assert is_clean(memory, LONG[:20], "combination", "seventeen", "birthday")
    assert "Likes tea" in memory.read()
    assert "Spoke about the house." in memory.read_log(memory.log_days()[0])


@pytest.mark.req("BOOK-7", "S9")
def test_a_text_that_only_the_past_knows_goes_too(memory: Memory) -> None:
    memory.remember(FACT)
    memory.remember("Likes tea")
    memory.forget(FACT)
    planned = memory.erase(FACT)
    assert planned.removals == ()
    assert planned.commits > 0
    assert memory.erase(FACT, dry_run=False).left == ()
    assert is_clean(memory, "zebra")


@pytest.mark.folder
@pytest.mark.req("BOOK-7", "S9")
def test_a_change_that_was_prepared_and_never_happened_holds_nothing_back(memory: Memory) -> None:
    from commonplace.types import Note, Origin

    memory.remember("Likes tea")
    with memory.book.storage.lock():
        history_of(memory.book).prepare({"MEMORY.md": FACT.encode()}, Note(FACT, Origin.TOOL), AT)
    memory.erase(FACT, dry_run=False)
    assert is_clean(memory, "zebra")


@pytest.mark.folder
@pytest.mark.req("BOOK-7")
def test_hostile_transcripts_do_not_stop_it(memory: Memory) -> None:
    memory.remember("Likes tea")
    folder = memory.path / "sessions"
    folder.mkdir()
    half = b'{"id":"1","role":"user","at":"2026-11-15","text":"half \\ud83d ' + FACT.encode() + b'"}\n'
    deep = b"[" * 100_000 + json.dumps(FACT).encode() + b"]" * 100_000 + b"\n"
    broken = b'{"id":"2","text":"\xff ' + FACT.encode() + b'"}\n' + b'{"text": "' + FACT.encode()
    (folder / "a.jsonl").write_bytes(half + deep + broken)
    done = memory.erase(FACT, dry_run=False)
    assert done.left == ()
    data = (folder / "a.jsonl").read_bytes()
    assert b"zebra" not in data
    assert b"\\ud83d" in data
    assert len(memory.transcript("a").messages) == 1


@pytest.mark.folder
@pytest.mark.req("BOOK-7")
def test_files_whose_names_cannot_be_used_are_named_in_the_proof(memory: Memory) -> None:
    memory.remember(FACT)
    put(memory, "odd: name.md", FACT)
    (memory.path / "odd\\folder").mkdir()
    (memory.path / "odd\\folder" / "x.md").write_text(FACT)
    done = memory.erase(FACT, dry_run=False)
    assert [place.partition(" (")[0] for place in done.left] == ["odd: name.md", "odd\\folder"]
    assert "zebra" not in memory.read()


@pytest.mark.req("BOOK-7")
@pytest.mark.parametrize("text", ["", "ab", " a ", "forgotten", "[forgotten]", "gott"])
def test_what_would_tear_up_everything_or_never_end_is_refused(memory: Memory, text: str) -> None:
    memory.remember("Likes tea")
    before = memory.read()
    for dry_run in (True, False):
        with pytest.raises(ValidationError):
            memory.erase(text, dry_run=dry_run)
    assert memory.read() == before


@pytest.mark.req("BOOK-7")
def test_a_name_of_two_characters_in_another_script_can_be_forgotten(memory: Memory) -> None:
    memory.remember("朋友是李雷，住在東京")
    memory.erase("李雷", dry_run=False, whole_entries=False)
    assert [entry.text for entry in memory.entries()] == ["朋友是[forgotten]，住在東京"]


@pytest.mark.folder
@pytest.mark.req("BOOK-7")
def test_bytes_that_are_not_utf8_around_the_text_stay_as_they_are(memory: Memory) -> None:
    memory.create()
    put(memory, "MEMORY.md", b"\xef\xbb\xbf## A\r\n- \xff " + FACT.encode() + b" \xfe\r\n- b\r\n")
    memory.erase(FACT, dry_run=False, whole_entries=False)
    assert got(memory, "MEMORY.md") == b"\xef\xbb\xbf## A\r\n- \xff [forgotten] \xfe\r\n- b\r\n"


def damage(memory: Memory, kind: str, nth: int) -> None:
    """Flip the bytes of the nth loose object of a kind, the oldest first."""
    listed = git(memory, "rev-list", "--objects", "--reverse", "main").decode().split("\n")
    ids = [line.split()[0] for line in listed if line]
    found = [id for id in ids if git(memory, "cat-file", "-t", id).decode().strip() == kind]
    path = memory.path / ".commonplace" / "history.git" / "objects" / found[nth][:2] / found[nth][2:]
    path.chmod(0o600)
    path.write_bytes(b"\0" * 20)


@pytest.mark.folder
@pytest.mark.req("BOOK-7", "S9")
@pytest.mark.parametrize("kind", ["blob", "tree", "commit"])
def test_a_damaged_past_does_not_stop_it_and_what_is_dropped_is_told(memory: Memory, kind: str) -> None:
    for text in ("Likes tea", "Plays the cello", FACT, "Drives a tram"):
        memory.remember(text, insist=True)
    damage(memory, kind, 1)
    fresh = Memory.open(memory.address)
    planned = fresh.erase(FACT)
    assert planned.unreadable == 1
    done = fresh.erase(FACT, dry_run=False)
    assert (done.left, done.unreadable) == ((), 1)
    assert is_clean(fresh, "zebra")
    assert git(fresh, "fsck", "--strict", "--full") == b""
    assert fresh.book.history.check() == []
    assert [entry.text for entry in fresh.entries()] == ["Likes tea", "Plays the cello", "Drives a tram"]
    assert fresh.erase(FACT).unreadable == 0
    fresh.remember("Keeps bees", insist=True)
    fresh.undo()


@pytest.mark.req("BOOK-7", "S9", "R8")
def test_a_search_that_builds_the_index_meanwhile_does_not_bring_the_text_back(memory: Memory) -> None:
    from commonplace.testing import HashingEmbedder

    class Waiting(HashingEmbedder):
        """While it embeds, everything is forgotten."""

        def embed(self, texts: Sequence[str]) -> "Vectors":
            if not self.texts:
                Memory.open(memory.address).erase(FACT, dry_run=False)
            return super().embed(texts)

    memory.remember("Likes tea")
    memory.remember(FACT)
    other = Memory.open(memory.address, embedder=Waiting())
    other.search("tea")
    assert is_clean(memory, "zebra")
    assert [hit.text for hit in other.search("blood type").hits if "zebra" in hit.text] == []
    other.search("tea")
    assert is_clean(memory, "zebra")


@pytest.mark.folder
@pytest.mark.req("S9")
def test_no_lock_file_keeps_what_somebody_was_called_with(memory: Memory) -> None:
    memory.remember("Likes tea")
    old = memory.path / ".commonplace" / "lock.flush"
    old.write_text(json.dumps({"pid": 1, "command": f"commonplace {FACT}"}).ljust(640))
    assert memory.erase(FACT, dry_run=False).left == ()
    assert is_clean(memory, "zebra")


@pytest.mark.req("S9")
def test_who_is_at_work_with_the_text_is_waited_for(memory: Memory) -> None:
    from commonplace.config import Settings
    from commonplace.errors import BookBusy

    memory.remember(FACT)
    hasty = Memory.open(memory.address, settings=Settings(lock_timeout=0.05))
    done: list[BaseException] = []

    def forget() -> None:
        try:
            hasty.erase(FACT, dry_run=False)
        except BookBusy as error:
            done.append(error)

    with memory.book.storage.alone("flush", timeout=1):
        thread = threading.Thread(target=forget)
        thread.start()
        thread.join()
    assert done
    assert "zebra" in memory.read()
