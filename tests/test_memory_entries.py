"""Remember, revise, forget: what the model's tools promise, as methods of Memory."""

import os
import resource
import signal
import stat
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from commonplace.errors import (
    AmbiguousMatch,
    CommonplaceError,
    NotFound,
    SaveFailed,
    UpdateFailed,
    ValidationError,
)
from commonplace.memory import Memory
from commonplace.types import Duplicate, Forgotten, Origin, Revised, Saved
from commonplace.types.book import STANDARD_SECTIONS
from tests.stores import Place

STRUCTURE = "# Long-term Memory\n" + "".join(f"\n## {title}\n" for title in STANDARD_SECTIONS)


@pytest.fixture
def memory(place: Place) -> Memory:
    return Memory.open(place)


def saved(memory: Memory, content: str, category: str | None = None, *, section: str | None = None) -> Saved:
    result = memory.remember(content, category, section=section)
    assert isinstance(result, Saved)
    return result


@contextmanager
def full_disk() -> Generator[None]:
    """No file of this process may grow: every write of data fails, as on a full disk."""
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


@pytest.mark.folder
@pytest.mark.req("BOOK-1")
def test_a_missing_file_reads_as_empty_and_the_first_write_creates_it(memory: Memory) -> None:
    assert memory.read() == ""
    assert memory.entries() == ()
    assert memory.log_days() == []
    assert memory.backups() == []
    assert memory.sessions() == []
    assert not memory.path.exists(), "reading creates nothing"
    saved(memory, "Likes tea")
    assert (memory.path / "MEMORY.md").read_text() == STRUCTURE + "\n- Likes tea\n"


@pytest.mark.req("BOOK-4", "TOOL-1")
@pytest.mark.parametrize(
    ("category", "title"),
    [
        ("profile", "User Profile"), ("preferences", "Preferences"), ("interests", "Interests"),
        ("workflow", "Workflow"), ("projects", "Projects"), ("notes", "Notes"), (None, "Notes"), ("", "Notes"),
        ("nonsense", "Notes"), (" Profile ", "User Profile"), ("PROJECTS", "Projects"),
    ],
)  # fmt: skip
def test_a_category_stands_for_its_section_and_anything_else_for_notes(
    memory: Memory, category: str | None, title: str
) -> None:
    assert saved(memory, "Likes tea", category).entry.section == title
    assert [e.text for e in memory.sections()[title].entries] == ["Likes tea"]
    assert list(memory.sections()) == list(STANDARD_SECTIONS)


@pytest.mark.folder
@pytest.mark.req("BOOK-4")
def test_bullets_go_to_the_end_of_their_section_and_a_missing_section_is_made(memory: Memory) -> None:
    memory.create()
    (memory.path / "MEMORY.md").write_text("# Mine\n\n## Projects\n\n- old\n\nA paragraph.\n\n## Zoo\n\n- lion\n")
    saved(memory, "new", "projects")
    saved(memory, "tea", "preferences")
    assert memory.read() == (
        "# Mine\n\n## Projects\n\n- old\n\nA paragraph.\n\n- new\n\n## Zoo\n\n- lion\n\n## Preferences\n\n- tea\n"
    )


@pytest.mark.req("TOOL-1")
@pytest.mark.parametrize("content", ["", "  \n\t ", "-", "- ", "* \n", "\0\x07", "\u2028"])
def test_blank_content_is_refused(memory: Memory, content: str) -> None:
    with pytest.raises(ValidationError, match="blank"):
        memory.remember(content)
    assert memory.read() == ""


@pytest.mark.req("TOOL-1")
def test_five_thousand_characters_after_trimming_fit_and_one_more_is_refused_by_name(memory: Memory) -> None:
    with pytest.raises(ValidationError, match="5001") as caught:
        memory.remember("x" * 5001)
    assert caught.value.code == "validation_error"
    assert caught.value.hint
    assert saved(memory, "  " + "x" * 5000 + "\n").entry.text == "x" * 5000
    with pytest.raises(ValidationError, match="5001"):
        memory.revise("x" * 5000, "y" * 5001)


@pytest.mark.req("TOOL-1")
def test_the_preview_shows_five_hundred_characters_and_how_many_more_there_are(memory: Memory) -> None:
    assert saved(memory, "Likes tea").preview == memory.read()
    result = saved(memory, "y" * 1000)
    text = memory.read()
    assert result.preview.startswith(text[:500])
    assert str(len(text) - 500) in result.preview[500:]
    assert len(result.preview) < 560


@pytest.mark.req("TOOL-3")
def test_what_is_there_already_is_refused_case_and_spacing_aside_above_twenty_characters(memory: Memory) -> None:
    saved(memory, "Prefers dark roast coffee")
    before = memory.read()
    for text in ("prefers DARK   roast\tcoffee", "- Prefers dark roast coffee", "\n Prefers dark\nroast coffee "):
        result = memory.remember(text, "projects")
        assert isinstance(result, Duplicate)
        assert result.code == "duplicate_detected"
        assert result.existing.text == "Prefers dark roast coffee"
        assert "update_memory" in result.message
    assert memory.read() == before
    assert len(list(memory.changes())) == 1
    again = memory.remember("Prefers dark roast coffee", insist=True)
    assert isinstance(again, Saved)


@pytest.mark.req("TOOL-3")
def test_twenty_characters_may_be_repeated_and_twenty_one_may_not(memory: Memory) -> None:
    saved(memory, "a" * 20)
    assert isinstance(memory.remember("A" * 20), Saved)
    saved(memory, "b" * 21)
    assert isinstance(memory.remember("B" * 21), Duplicate)


@pytest.mark.req("TOOL-3")
def test_a_short_entry_is_not_stored_twice_but_its_words_may_come_in_another(memory: Memory) -> None:
    saved(memory, "Has celiac disease")
    assert isinstance(memory.remember("has Celiac  disease."), Duplicate)
    saved(memory, "Sister Ida drives a red van to work every day")
    assert isinstance(memory.remember("Drives a red van"), Saved)


@pytest.mark.folder
@pytest.mark.req("TOOL-3")
def test_a_duplicate_is_found_across_unicode_forms_and_line_breaks_of_a_person(memory: Memory) -> None:
    memory.create()
    (memory.path / "MEMORY.md").write_text("## Notes\n\n- The cafe\u0301 on the corner\n  opens at seven\n")
    result = memory.remember("the caf\u00e9 on the corner opens at seven")
    assert isinstance(result, Duplicate)


@pytest.mark.req("TOOL-4")
def test_one_exact_match_is_replaced_and_nothing_else(memory: Memory) -> None:
    saved(memory, "Likes green tea")
    saved(memory, "Likes teapots")
    result = memory.revise("  Likes green tea\n", "Likes black tea ")
    assert isinstance(result, Revised)
    assert (result.before.text, result.after.text) == ("Likes green tea", "Likes black tea")
    assert memory.read() == STRUCTURE + "\n- Likes black tea\n- Likes teapots\n"
    part = memory.revise("black", "white")
    assert isinstance(part, Revised)
    assert part.after.text == "Likes white tea"


@pytest.mark.req("TOOL-4")
def test_none_several_blank_and_same_are_refused_with_their_codes(memory: Memory) -> None:
    saved(memory, "Likes tea in the morning")
    memory.remember("Likes tea at night", insist=True)
    before = memory.read()
    with pytest.raises(NotFound) as none:
        memory.revise("Likes coffee", "x")
    assert none.value.code == "not_found"
    with pytest.raises(AmbiguousMatch) as several:
        memory.revise("Likes tea", "x")
    assert (several.value.code, several.value.count) == ("ambiguous_match", 2)
    assert "2" in several.value.message
    night = "Likes tea at night"
    for old, new in (("", "x"), (" \n", "x"), (night, f" {night} "), (night, f"- {night}")):
        with pytest.raises(ValidationError) as refused:
            memory.revise(old, new)
        assert refused.value.hint
    assert memory.read() == before
    assert len(list(memory.changes())) == 2


@pytest.mark.folder
@pytest.mark.req("TOOL-4")
def test_identical_entries_are_counted_and_neither_is_touched(memory: Memory) -> None:
    memory.create()
    (memory.path / "MEMORY.md").write_text("- tea\n- tea\n- tea\n")
    with pytest.raises(AmbiguousMatch) as caught:
        memory.forget("tea")
    assert caught.value.count == 3


@pytest.mark.folder
@pytest.mark.req("TOOL-4")
@pytest.mark.parametrize("victim", ["a", "b", "c"])
def test_an_empty_new_text_deletes_without_an_empty_bullet_or_a_pile_of_blank_lines(
    memory: Memory, victim: str
) -> None:
    memory.create()
    (memory.path / "MEMORY.md").write_text("# T\n\n## A\n\n- a\n\n- b\n\n## B\n\n- c\n\n## C\n")
    result = memory.revise(victim, "  ")
    assert isinstance(result, Forgotten)
    text = memory.read()
    assert victim not in [entry.text for entry in memory.entries()]
    assert "\n\n\n" not in text
    assert "- \n" not in text
    assert "-\n" not in text
    assert text.endswith("## C\n")


def test_a_part_of_an_entry_is_not_deleted_by_mistake(memory: Memory) -> None:
    saved(memory, "Likes tea and long walks")
    with pytest.raises(ValidationError, match="only a part"):
        memory.forget("tea")
    assert memory.entries()[0].text == "Likes tea and long walks"


def test_a_request_of_the_user_stays_marked_when_it_is_revised(memory: Memory) -> None:
    assert isinstance(memory.remember("User requested: call me Sam", origin=Origin.PERSON), Saved)
    result = memory.revise("call me Sam", "call me Samantha", origin=Origin.PERSON)
    assert isinstance(result, Revised)
    assert result.after.text == "User requested: call me Samantha"


@pytest.mark.folder
@pytest.mark.req("TOOL-1", "TOOL-4")
def test_a_storage_failure_has_the_code_of_its_tool_and_changes_nothing(memory: Memory) -> None:
    saved(memory, "Likes tea")
    before = memory.read()
    with full_disk():
        with pytest.raises(SaveFailed) as saving:
            memory.remember("Likes coffee")
        with pytest.raises(UpdateFailed) as updating:
            memory.revise("Likes tea", "Likes water")
        with pytest.raises(UpdateFailed):
            memory.forget("Likes tea")
        with pytest.raises(SaveFailed):
            memory.log("Something happened")
        with pytest.raises(SaveFailed):
            memory.backup()
    assert (saving.value.code, updating.value.code) == ("save_failed", "update_failed")
    assert saving.value.hint
    assert memory.read() == before
    saved(memory, "Likes coffee")


@pytest.mark.parametrize("section", ["", "#", "  ", "x" * 101])
def test_a_section_needs_a_usable_title(memory: Memory, section: str) -> None:
    if section:
        with pytest.raises(ValidationError):
            memory.remember("x", section=section)
    else:
        assert saved(memory, "x", section=section).entry.section == "Notes"


@pytest.mark.req("S2")
def test_a_section_title_cannot_smuggle_lines_in(memory: Memory) -> None:
    result = saved(memory, "x", section="Fun\n- forged entry\n## Other")
    assert [entry.text for entry in memory.entries()] == ["x"]
    assert "\n" not in result.entry.section


@pytest.mark.req("S6")
def test_everything_is_private_to_its_owner_even_with_an_open_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        memory = Memory.open(tmp_path / "new" / "deep" / "book")
        saved(memory, "Likes tea")
        memory.revise("Likes tea", "Likes coffee")
        memory.log("Something happened")
        memory.backup()
        memory.undo()
        memory.erase("coffee", dry_run=False)
    finally:
        os.umask(before)
    for path in [tmp_path / "new", *(tmp_path / "new").rglob("*")]:
        mode = stat.S_IMODE(path.lstat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path


def test_threads_that_remember_at_once_lose_nothing(memory: Memory) -> None:
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for step in range(5):
                memory.remember(f"fact {step} of thread {number}, long enough", insist=True)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len({entry.text for entry in memory.entries()}) == 30
    assert len(list(memory.changes())) == 30


@pytest.mark.req("R11")
def test_an_empty_path_is_an_error(tmp_path: Path) -> None:
    for path in ("", "  "):
        with pytest.raises(ValidationError):
            Memory.open(path)


def test_every_error_says_what_to_do_next(memory: Memory) -> None:
    saved(memory, "Likes tea")
    calls = [
        lambda: memory.remember(""),
        lambda: memory.revise("nothing like it", "x"),
        lambda: memory.forget("nothing like it"),
        lambda: memory.find(" "),
        lambda: memory.log(" "),
        lambda: memory.undo("ffff"),
        lambda: memory.undo("not an id"),
        lambda: memory.why("nothing like it"),
        lambda: memory.restore("nothing"),
        lambda: memory.erase("ab"),
        lambda: memory.transcript("../x"),
    ]
    for call in calls:
        with pytest.raises(CommonplaceError) as caught:
            call()
        assert caught.value.message
        assert caught.value.hint
