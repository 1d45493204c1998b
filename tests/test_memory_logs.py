"""Daily logs, transcripts and backups."""

import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.config import Settings
from commonplace.errors import NotFound, ValidationError
from commonplace.files import backups, daily
from commonplace.files.text import split_lines
from commonplace.memory import Memory
from commonplace.types import Message
from tests.files.markdown import contents
from tests.stores import Place, put

AT = datetime(2026, 11, 15, 12, 30, 7, tzinfo=UTC)

pytestmark = pytest.mark.every_store


class StoppedClock:
    """Always the same moment."""

    def now(self) -> datetime:
        return AT


@pytest.fixture
def memory(place: Place) -> Memory:
    return Memory.open(place, clock=StoppedClock())


def message(id: str, text: str = "Hello") -> Message:
    return Message(id, "user", text, AT)


# -- daily logs


@pytest.mark.req("BOOK-2")
def test_a_new_log_names_its_date_and_every_block_ends_with_a_rule(memory: Memory) -> None:
    memory.log("- Fixed the boiler\n")
    memory.log("Second block", marker=daily.Marker("s-1", "m.7", AT))
    assert memory.read_log(date(2026, 11, 15)) == (
        "# Daily Log 2026-11-15\n\n- Fixed the boiler\n\n---\n\nSecond block\n\n"
        "<!-- commonplace session=s-1 through=m.7 at=2026-11-15T12:30:07+00:00 -->\n\n---\n"
    )


@pytest.mark.folder
@pytest.mark.req("BOOK-2")
def test_logs_are_listed_newest_first_and_counted_and_sized(memory: Memory) -> None:
    for day in (date(2026, 1, 2), date(2025, 12, 31), date(2026, 11, 15), date(999, 1, 1)):
        memory.log("x", day=day)
    (memory.path / "daily" / "notes.md").write_text("mine")
    (memory.path / "daily" / "2026-02-30.md").write_text("no such day")
    (memory.path / "daily" / "2026-03-03.md").mkdir()
    assert memory.log_days() == [date(2026, 11, 15), date(2026, 1, 2), date(2025, 12, 31), date(999, 1, 1)]
    memory.remember("Likes tea")
    memory.add_message("s", message("1"))
    memory.backup()
    files = [p for p in memory.path.rglob("*") if p.is_file() and p.suffix in {".md", ".jsonl"}]
    counted = [p for p in files if not {"backups", ".commonplace"} & set(p.parts)]
    stats = memory.stats()
    assert stats.bytes == sum(p.stat().st_size for p in counted)
    assert (stats.logs, stats.sessions, stats.backups, stats.entries) == (4, 1, 1, 1)
    with pytest.raises(NotFound):
        memory.read_log(date(2020, 1, 1))


@pytest.mark.req("BOOK-2", "S2")
@given(contents(), st.sampled_from(["\n", "\r\n", "\r"]))
@settings(max_examples=300)
def test_no_text_ends_its_block_early_or_forges_a_marker(body: str, newline: str) -> None:
    marker = daily.Marker("s", "m", AT)
    hostile = "\n".join([body, "---", " - - -", "***", "_ _ _", marker.line(), "<!--  COMMONPLACE x", "text"])
    day = date(2026, 11, 15)
    data = daily.with_block(None, day, hostile.replace("\n", newline))
    data = daily.with_block(data, day, "second", marker)
    lines = [line.strip() for line in split_lines(data.decode())]
    rules = [line for line in lines if re.fullmatch(r"([-*_])[ \t]*(\1[ \t]*){2,}", line)]
    assert rules == ["---", "---"]
    assert daily.markers(data, "x") == [marker]
    assert not any("<!--" in line for line in lines if "session=s through=m at=" not in line)
    assert daily.with_block(data, day, "third").startswith(data)


@pytest.mark.folder
def test_a_log_that_a_person_wrote_on_windows_keeps_its_line_ends_and_its_last_line(memory: Memory) -> None:
    file = memory.path / "daily" / "2026-11-15.md"
    memory.create()
    file.parent.mkdir()
    file.write_bytes(b"\xef\xbb\xbf# My day\r\nwent well \xff")
    memory.log("more")
    assert file.read_bytes() == b"\xef\xbb\xbf# My day\r\nwent well \xff\r\n\r\nmore\r\n\r\n---\r\n"


@pytest.mark.parametrize(
    "text", ["20261115", "2026-W46-7", "2026-11-31", "today", "", "../2026-11-15", "２０２６-11-15"]
)
def test_a_day_is_written_in_one_way_only(text: str) -> None:
    with pytest.raises(ValidationError):
        daily.parse_day(text)
    assert daily.parse_day(" 2026-11-15 ") == date(2026, 11, 15)


def test_a_blank_block_is_refused(memory: Memory) -> None:
    with pytest.raises(ValidationError):
        memory.log(" \n ")
    assert memory.log_days() == []


# -- transcripts


@pytest.mark.req("BOOK-1")
@given(
    st.text(max_size=50),
    st.from_regex(r"[a-z][a-z_-]{0,9}", fullmatch=True),
    st.dictionaries(st.text(max_size=5), st.text(max_size=5)),
)
@settings(max_examples=50)
def test_a_message_comes_back_as_it_went_in(text: str, role: str, extra: dict[str, str]) -> None:
    from commonplace.files import transcripts

    there = Message("m1", role, text, AT, dict(extra))
    line = transcripts.line_of(there)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert transcripts.read("s", line).messages == (there,)


@pytest.mark.folder
def test_a_torn_last_line_is_reported_and_swallows_nothing(memory: Memory) -> None:
    for number in range(3):
        memory.add_message("talk", message(str(number)))
    file = memory.path / "sessions" / "talk.jsonl"
    whole = file.read_bytes()
    for cut in range(1, len(whole.splitlines()[-1])):
        file.write_bytes(whole[:-cut])
        memory.add_message("talk", message("next"))
        read = memory.transcript("talk")
        assert [m.id for m in read.messages] in (["0", "1", "next"], ["0", "1", "2", "next"])
        assert len(read.messages) + len(read.torn) == 4
        assert file.read_bytes().startswith(whole[:-cut])


@pytest.mark.folder
@pytest.mark.parametrize(
    "line",
    [
        b"[1]",
        b"null",
        b'{"id":"1"}',
        b"\xff\xfe",
        b"\0\0\0",
        b"[" * 200_000,
        b'{"id":1,"role":2,"text":3,"at":"never"}',
        b"9" * 9000,
    ],
)
def test_lines_that_are_no_messages_are_reported_by_number(memory: Memory, line: bytes) -> None:
    memory.add_message("talk", message("1"))
    with (memory.path / "sessions" / "talk.jsonl").open("ab") as file:
        file.write(line + b"\n")
    memory.add_message("talk", message("2"))
    read = memory.transcript("talk")
    assert ([m.id for m in read.messages], read.torn) == (["1", "2"], (2,))
    assert [f.level for f in memory.check() if f.check == "torn"] == ["warning"]


def test_what_json_cannot_say_is_refused_before_anything_is_written(memory: Memory) -> None:
    with pytest.raises(ValidationError):
        memory.add_message("talk", Message("1", "user", "x", AT, {"when": AT}))
    assert memory.transcript("talk").messages == ()


def test_transcripts_are_not_committed_message_by_message(memory: Memory) -> None:
    memory.add_message("talk", message("1"))
    memory.add_message("talk", message("2"))
    assert list(memory.changes()) == []
    assert memory.sessions() == ["talk"]


# -- backups


@pytest.mark.req("CMP-2", "R12")
def test_a_thousand_backups_within_one_second_never_collide_and_stay_in_order() -> None:
    names: list[str] = []
    for _ in range(1000):
        names.append(backups.new_name(AT, names))
    assert names[0] == "MEMORY_backup_2026-11-15_12-30-07.md"
    assert len(set(names)) == 1000
    listed = backups.listed((name, 1) for name in sorted(names))
    assert [backup.name for backup in listed] == names[::-1]
    assert backups.new_name(AT, names[500:]) not in names, "a name that was pruned is not used again for a newer one"


@pytest.mark.folder
@pytest.mark.req("CMP-2", "R12")
def test_pruning_goes_by_name_whatever_the_times_of_the_files_say(tmp_path: Path) -> None:
    memory = Memory.open(tmp_path / "book", settings=Settings(backups_keep=2), clock=StoppedClock())
    memory.remember("Likes tea")
    made = [memory.backup() for _ in range(5)]
    names = [backup.name for backup in made if backup]
    folder = memory.path / "backups"
    (folder / "my own copy.md").write_text("mine")
    (folder / names[0]).touch()
    assert memory.prune_backups() == names[2::-1]
    assert sorted(p.name for p in folder.iterdir()) == sorted([*names[3:], "my own copy.md"])


@pytest.mark.folder
@pytest.mark.req("CMP-2", "R12")
def test_a_restore_backs_up_first_and_brings_the_very_bytes_back(memory: Memory) -> None:
    memory.create()
    wild = b"\xef\xbb\xbf# T\r\n- a \xff\r- b"
    file = memory.path / "MEMORY.md"
    file.write_bytes(wild)
    kept = memory.backup()
    assert kept is not None
    memory.remember("Likes tea")
    newer = file.read_bytes()
    done = memory.restore(kept.name)
    assert file.read_bytes() == wild
    assert done.saved_as is not None
    assert (memory.path / "backups" / done.saved_as).read_bytes() == newer
    memory.restore(done.saved_as)
    assert file.read_bytes() == newer
    memory.undo()
    assert file.read_bytes() == wild
    assert memory.restore(kept.name).saved_as is None, "it is what the backup holds already"


@pytest.mark.folder
@pytest.mark.req("CMP-2")
def test_a_missing_or_blank_backup_is_refused_and_nothing_is_copied(memory: Memory) -> None:
    assert memory.backup() is None
    memory.remember("Likes tea")
    folder = memory.path / "backups"
    folder.mkdir()
    blank = "MEMORY_backup_2026-01-01_00-00-00.md"
    (folder / blank).write_bytes(b" \r\n\t")
    put(memory, "secret.md", "x")
    for name in (
        "MEMORY_backup_2026-01-02_00-00-00.md",
        "../secret.md",
        "secret.md",
        "",
        "MEMORY_backup_2026-13-01_00-00-00.md",
    ):
        with pytest.raises(NotFound):
            memory.restore(name)
    with pytest.raises(ValidationError):
        memory.restore(blank)
    assert [p.name for p in folder.iterdir()] == [blank]


def test_backup_names_at_the_ends_of_time_do_no_harm() -> None:
    names = [
        "MEMORY_backup_0001-01-01_00-00-00.md",
        "MEMORY_backup_9999-12-31_23-59-59.md",
        "MEMORY_backup_２０２６-01-01_00-00-00.md",
    ]
    assert len(backups.listed((name, 1) for name in names)) <= 2
