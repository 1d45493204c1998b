"""A small round of each thing that `make stress` does at full length."""

import errno
from pathlib import Path

import pytest

from tests.stress.contending import contend
from tests.stress.failing import CODES, fail_every_call
from tests.stress.killing import kill_erasures, kill_plain_writes, kill_rounds
from tests.stress.kinds import KINDS, Kind, Remember
from tests.stress.machine import NotHere, full_disk, size_limit, strace_faults

pytestmark = pytest.mark.stress


def named(kind: Kind) -> str:
    return kind.name


@pytest.mark.req("R1", "BOOK-6")
@pytest.mark.parametrize("kind", KINDS, ids=named)
def test_a_process_killed_while_writing_tears_nothing_and_loses_nothing_it_confirmed(
    kind: Kind, tmp_path: Path
) -> None:
    report = kill_rounds(kind, 20, tmp_path)
    assert report.good, report
    assert report.rounds == 20


@pytest.mark.req("R1", "BOOK-7")
def test_complete_forgetting_that_was_killed_is_finished_by_running_it_again(tmp_path: Path) -> None:
    report = kill_erasures(4, tmp_path)
    assert report.good, report


def test_plain_writing_is_torn_by_the_same_measure(tmp_path: Path) -> None:
    assert kill_plain_writes(30, tmp_path).torn > 0


@pytest.mark.req("R2", "BOOK-6")
def test_processes_that_write_at_once_lose_nothing_and_the_history_has_it_all(tmp_path: Path) -> None:
    report = contend(tmp_path, processes=6, operations=20)
    assert report.good, report
    assert report.operations == 120


@pytest.mark.req("R2", "R3", "BOOK-3")
def test_a_person_who_edits_meanwhile_loses_no_line(tmp_path: Path) -> None:
    report = contend(tmp_path, processes=3, operations=25, person=True)
    assert report.good, report
    assert report.person_saves > 0


@pytest.mark.req("R2", "R3", "CMP-5")
@pytest.mark.parametrize("person", [False, True], ids=["processes", "processes and a person"])
def test_compaction_that_waits_for_a_slow_model_loses_nothing_of_what_others_do(tmp_path: Path, person: bool) -> None:
    report = contend(tmp_path, processes=4, operations=15, person=person, compacting=True)
    assert report.good, report
    assert report.compactions > 0
    assert report.steps > 0


@pytest.mark.req("R6")
@pytest.mark.parametrize("code", CODES, ids=lambda code: errno.errorcode[code])
@pytest.mark.parametrize("kind", KINDS, ids=named)
def test_a_write_whose_nth_call_fails_leaves_old_or_new_and_works_the_next_time(
    kind: Kind, code: int, tmp_path: Path
) -> None:
    report = fail_every_call(kind, code, tmp_path, step=11 if code == errno.EIO else 3)
    assert report.good, report
    assert report.refused > 0


@pytest.mark.req("R6")
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO], ids=lambda code: errno.errorcode[code])
def test_a_disk_that_stays_bad_from_the_nth_call_on_does_no_harm_and_is_told_truly(tmp_path: Path, code: int) -> None:
    report = fail_every_call(Remember(), code, tmp_path, forever=True, step=1 if code == errno.ENOSPC else 3)
    assert report.good, report


@pytest.mark.req("R6")
def test_a_disk_that_is_really_full_refuses_and_keeps(tmp_path: Path) -> None:
    try:
        report = full_disk(tmp_path)
    except NotHere as reason:
        pytest.skip(str(reason))
    assert report.good, report
    assert report.refused > 0


@pytest.mark.req("R6")
def test_a_limit_on_the_size_of_files_refuses_and_keeps(tmp_path: Path) -> None:
    report = size_limit(tmp_path)
    assert report.good, report
    assert report.refused > 0


@pytest.mark.req("R6")
def test_a_system_call_that_strace_fails_is_told_and_does_no_harm(tmp_path: Path) -> None:
    try:
        reports = strace_faults(tmp_path, most=2)
    except NotHere as reason:
        pytest.skip(str(reason))
    assert [report for report in reports if not report.good] == []
