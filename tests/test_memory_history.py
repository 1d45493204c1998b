"""History, hand edits, undo and why: every change is known, and any of them can be taken back."""

import subprocess
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.errors import Conflict, NotFound
from commonplace.files.document import Document
from commonplace.files.merge import merge
from commonplace.memory import Memory
from commonplace.types import Origin, Revised, Saved
from tests.stores import Place, got, put

pytestmark = pytest.mark.every_store


@pytest.fixture
def memory(place: Place) -> Memory:
    return Memory.open(place)


def saved(memory: Memory, content: str, category: str | None = None) -> Saved:
    result = memory.remember(content, category)
    assert isinstance(result, Saved)
    return result


def texts(memory: Memory) -> list[str]:
    return [entry.text for entry in memory.entries()]


def git(memory: Memory, *arguments: str) -> str:
    folder = memory.path / ".commonplace" / "history.git"
    done = subprocess.run(["git", "--git-dir", str(folder), *arguments], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


@pytest.mark.folder
@pytest.mark.req("BOOK-6")
def test_each_change_is_a_commit_with_origin_session_and_reason_that_stock_git_reads(memory: Memory) -> None:
    memory.remember("Likes tea", origin=Origin.TOOL, session="s-1", reason="she said\nso: Origin: forged")
    memory.revise("Likes tea", "Likes coffee", origin=Origin.PERSON)
    memory.forget("Likes coffee")
    memory.log("Something happened")
    memory.backup()
    log = git(memory, "log", "--format=%an|%s|%(trailers:key=Origin,valueonly,separator=%x2C)")
    assert [line.partition("|")[0] for line in log.splitlines()] == [
        "Commonplace",
        "Commonplace",
        "Owner",
        "Commonplace",
    ]
    assert [line.rpartition("|")[2] for line in log.splitlines()] == ["tool", "tool", "person", "tool"]
    assert "Remember in Notes: Likes tea" in log
    first = list(memory.changes())[-1]
    assert (first.note.session, first.note.reason) == ("s-1", "she said so: Origin: forged")
    assert git(memory, "show", "main:MEMORY.md") == memory.read()
    assert git(memory, "fsck", "--strict", "--full") == ""


@pytest.mark.folder
@pytest.mark.req("BOOK-6")
def test_a_person_may_run_git_gc_on_the_history(memory: Memory) -> None:
    for number in range(5):
        saved(memory, f"fact {number}")
    git(memory, "gc", "-q", "--prune=now")
    saved(memory, "after the gc")
    assert len(list(memory.changes())) == 6
    memory.undo()
    memory.erase("fact 3", dry_run=False)
    assert "fact 3" not in texts(memory)
    git(memory, "fsck", "--strict", "--full")
    git(memory, "log", "--oneline")


@pytest.mark.folder
@pytest.mark.req("BOOK-3", "BOOK-6")
def test_a_hand_edit_is_recorded_as_the_persons_before_anything_is_written_on_top(memory: Memory) -> None:
    saved(memory, "Likes tea")
    file = memory.path / "MEMORY.md"
    file.write_text(file.read_text() + "- by hand\n")
    put(memory, "Own notes.md", "mine\n")
    assert "by hand" in texts(memory), "the next read sees it"
    saved(memory, "Likes coffee")
    newest, edit, first = memory.changes()
    assert (newest.note.origin, edit.note.origin, first.note.origin) == (Origin.TOOL, Origin.PERSON, Origin.TOOL)
    assert set(edit.files) == {"MEMORY.md", "Own notes.md"}
    assert newest.files == ("MEMORY.md",)
    assert texts(memory) == ["Likes tea", "by hand", "Likes coffee"]


@pytest.mark.folder
@pytest.mark.req("BOOK-3", "BOOK-6")
def test_looking_at_the_history_notices_hand_edits_too(memory: Memory) -> None:
    saved(memory, "Likes tea")
    put(memory, "MEMORY.md", "all new\n")
    assert [change.note.origin for change in memory.changes()] == [Origin.PERSON, Origin.TOOL]
    shown = memory.diff()
    assert [(d.name, d.after) for d in shown] == [("MEMORY.md", "all new\n")]
    assert memory.undo().undone.note.origin is Origin.PERSON
    assert texts(memory) == ["Likes tea"]


@pytest.mark.req("BOOK-6")
def test_any_change_can_be_undone_with_all_later_ones_kept(memory: Memory) -> None:
    facts = [saved(memory, f"fact number {number}", "projects" if number % 2 else "notes") for number in range(8)]
    for number in (3, 0, 7, 4):
        memory.undo(facts[number].change)
    assert sorted(texts(memory)) == [f"fact number {number}" for number in (1, 2, 5, 6)]
    titles = [title for title, section in memory.sections().items() if section.entries]
    assert titles == ["Projects", "Notes"], "undoing the change that made the document leaves the others their headings"


@pytest.mark.req("BOOK-6")
def test_undo_takes_back_one_change_after_the_other_and_an_undo_can_be_undone(memory: Memory) -> None:
    saved(memory, "one")
    saved(memory, "two")
    state = memory.read()
    first = memory.undo()
    assert texts(memory) == ["one"]
    memory.undo()
    assert texts(memory) == []
    with pytest.raises(NotFound):
        memory.undo()
    memory.undo(first.change)
    assert texts(memory) == ["two"]
    again = Memory.open(memory.address)
    saved(again, "three")
    memory.undo()
    assert texts(memory) == ["two"]
    assert "two" in state


@pytest.mark.folder
@pytest.mark.req("BOOK-6")
def test_undo_restores_the_very_bytes_when_nothing_came_after(memory: Memory) -> None:
    memory.create()
    wild = b"\xef\xbb\xbf# T\r\n\xff\r- a\n\n\n## B\n- b"
    put(memory, "MEMORY.md", wild)
    for act in (lambda: saved(memory, "Plays the violin"), lambda: memory.revise("b", "c"), lambda: memory.forget("b")):
        act()
        memory.undo()
        assert got(memory, "MEMORY.md") == wild


@pytest.mark.req("BOOK-6")
def test_a_conflict_is_shown_and_nothing_is_changed(memory: Memory) -> None:
    saved(memory, "Lives in Paris")
    move = memory.revise("Lives in Paris", "Lives in Rome")
    assert isinstance(move, Revised)
    memory.revise("Lives in Rome", "Lives in Oslo")
    before, count = memory.read(), len(list(memory.changes()))
    with pytest.raises(Conflict) as caught:
        memory.undo(move.change)
    for word in ("Paris", "Rome", "Oslo"):
        assert word in caught.value.message
    assert memory.read() == before
    assert len(list(memory.changes())) == count


@pytest.mark.req("BOOK-6")
def test_undo_of_what_has_no_effect_any_more_says_so(memory: Memory) -> None:
    change = saved(memory, "Likes tea").change
    memory.undo(change)
    with pytest.raises(Conflict, match="no effect"):
        memory.undo(change)


@pytest.mark.req("BOOK-6")
def test_what_was_forgotten_everywhere_is_not_passed_over_but_an_older_change_can_be_named(memory: Memory) -> None:
    saved(memory, "Likes tea")
    saved(memory, "A secret of hers")
    memory.erase("A secret of hers", dry_run=False)
    with pytest.raises(Conflict, match="cannot be undone"):
        memory.undo()
    assert texts(memory) == ["Likes tea"]
    saved(memory, "Has a dog")
    memory.undo()
    assert texts(memory) == ["Likes tea"]
    with pytest.raises(Conflict, match="cannot be undone"):
        memory.undo()
    memory.undo(next(change.id for change in memory.changes() if change.note.summary.endswith("Likes tea")))
    assert texts(memory) == []


@pytest.mark.folder
@pytest.mark.req("BOOK-6")
def test_why_follows_a_text_through_its_revisions_to_its_conversation(memory: Memory) -> None:
    memory.remember("Lives in Paris", session="first-talk", reason="said so")
    saved(memory, "Has a dog")
    memory.revise("Paris", "Rome", session="second-talk")
    file = memory.path / "MEMORY.md"
    file.write_text(file.read_text().replace("Rome", "Oslo"))
    found = memory.why("lives in OSLO")
    assert (found.text, found.file) == ("Lives in Oslo", "MEMORY.md")
    assert [(c.note.origin, c.note.session) for c in found.changes] == [
        (Origin.PERSON, None),
        (Origin.TOOL, "second-talk"),
        (Origin.TOOL, "first-talk"),
    ]
    with pytest.raises(NotFound):
        memory.why("Paris")


@pytest.mark.req("BOOK-6")
def test_why_sees_behind_an_undo_and_a_restore(memory: Memory) -> None:
    memory.remember("Lives in Paris", session="first-talk")
    kept = memory.backup()
    memory.forget("Lives in Paris")
    memory.undo()
    assert [c.note.session for c in memory.why("Lives in Paris").changes][-1] == "first-talk"
    memory.forget("Lives in Paris")
    assert kept is not None
    memory.restore(kept.name)
    assert [c.note.session for c in memory.why("Lives in Paris").changes][-1] == "first-talk"


@pytest.mark.folder
@pytest.mark.req("BOOK-6")
def test_why_also_knows_the_daily_logs_and_is_not_stopped_by_odd_files(memory: Memory) -> None:
    memory.log("Fixed the boiler", session="s-9")
    put(memory, "a:b.md", "x\n")
    put(memory, "fine.md", "A fine text\n")
    assert memory.why("boiler").changes[0].note.session == "s-9"
    assert memory.why("A fine text").file == "fine.md"
    with pytest.raises(NotFound):
        memory.why("nowhere to be found")


@pytest.mark.folder
@pytest.mark.req("BOOK-6")
def test_undo_in_a_long_memory_takes_no_noticeable_time(memory: Memory) -> None:
    memory.create()
    lines = "".join(f"- entry {number}\n\n" for number in range(5000))
    put(memory, "MEMORY.md", f"## Notes\n\n{lines}")
    first = memory.revise("entry 10", "the tenth")
    assert isinstance(first, Revised)
    memory.revise("entry 4990", "the last but ten")
    memory.undo(first.change)
    assert memory.find("entry 10")
    assert memory.find("the last but ten")


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\n", "\n", "- x\n", "- y\n"]), max_size=10)


@given(LINES, LINES)
@settings(max_examples=200)
def test_a_merge_with_an_unchanged_side_is_the_other_side(base: list[str], other: list[str]) -> None:
    assert merge(base, base, other) == (other, [])
    assert merge(base, other, base) == (other, [])
    assert merge(base, other, other) == (other, [])


@given(LINES, LINES, LINES)
@settings(max_examples=300)
def test_a_merge_never_loses_a_line_that_a_side_added(base: list[str], ours: list[str], theirs: list[str]) -> None:
    mine = [f"mine {number}\n" for number, _ in enumerate(ours)]
    yours = [f"yours {number}\n" for number, _ in enumerate(theirs)]
    our_text = [line for pair in zip(ours, mine, strict=True) for line in pair]
    their_text = [line for pair in zip(theirs, yours, strict=True) for line in pair]
    merged, clashes = merge(base, our_text, their_text)
    shown = [*merged, *(line for clash in clashes for line in clash.theirs)]
    assert set(mine) <= set(merged)
    assert set(yours) <= set(shown)


@pytest.mark.folder
@pytest.mark.req("UI-1", "BOOK-6")
def test_a_day_that_is_not_over_has_what_no_history_has_yet(memory: Memory) -> None:
    memory.path.mkdir()
    (memory.path / "MEMORY.md").write_text("# Long-term Memory\n\n## Notes\n\n- Keeps bees\n", encoding="utf-8")
    change, document = memory.as_of(memory.today())
    assert change is None
    assert [entry.text for entry in document.entries] == ["Keeps bees"]
    assert memory.as_of(memory.today() - timedelta(days=1)) == (None, Document.parse(b""))
