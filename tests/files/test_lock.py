"""The lock of a book: one holder, whoever it is, and never one who is gone."""

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from commonplace.errors import BookBusy
from commonplace.files.folder import FolderStorage
from commonplace.files.lock import book_lock


@pytest.fixture
def lock_file(tmp_path: Path) -> Path:
    return tmp_path / "lock"


def holding_child(lock_file: Path) -> int:
    """A process that holds the lock until it is killed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with book_lock(lock_file).held(5):
                os.write(writing, b"held")
                signal.pause()
        finally:
            os._exit(1)
    os.close(writing)
    with open(reading, "rb") as pipe:
        assert pipe.read(4) == b"held"
    return child


def end(child: int) -> None:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def in_child(work: Callable[[], object]) -> int:
    """The exit status of a forked process that did `work`: 0 when it did, 1 when it raised."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_thread_may_take_it_again_and_gives_it_up_at_the_end(lock_file: Path) -> None:
    lock = book_lock(lock_file)
    with lock.held(1):
        with lock.held(1):
            assert lock.mine
        assert lock.mine
    assert not lock.mine
    assert lock.holder() is None


@pytest.mark.req("R2")
def test_another_thread_waits_in_vain_and_is_told(lock_file: Path) -> None:
    lock = book_lock(lock_file)
    errors: list[BookBusy] = []

    def try_it() -> None:
        try:
            with lock.held(0.05):
                raise AssertionError("two holders")
        except BookBusy as error:
            errors.append(error)

    with lock.held(1):
        thread = threading.Thread(target=try_it)
        thread.start()
        thread.join()
    assert len(errors) == 1
    assert str(os.getpid()) in errors[0].message


@pytest.mark.req("R2")
def test_the_error_names_process_and_command_of_the_holder_and_what_to_do(lock_file: Path) -> None:
    child = holding_child(lock_file)
    try:
        with pytest.raises(BookBusy) as caught, book_lock(lock_file).held(0.05):
            pass
        assert f"process {child} (" in caught.value.message
        assert "waited 0.05 s" in caught.value.message
        assert "end it" in caught.value.hint
    finally:
        end(child)


@pytest.mark.req("R1")
def test_it_dies_with_its_process(lock_file: Path) -> None:
    end(holding_child(lock_file))
    with book_lock(lock_file).held(0):
        pass


@pytest.mark.req("R2")
def test_a_child_forked_by_the_holder_holds_nothing_and_takes_nothing_away(lock_file: Path) -> None:
    lock = book_lock(lock_file)
    with lock.held(1):

        def try_it() -> None:
            assert not lock.mine
            with pytest.raises(BookBusy), lock.held(0.05):
                pass

        assert in_child(try_it) == 0
        assert lock.mine
        assert in_child(try_it) == 0  # the first child's end has not let go of the lock


def test_a_child_forked_inside_the_block_may_leave_it(lock_file: Path) -> None:
    lock = book_lock(lock_file)
    child = 0
    status = 1
    try:
        with lock.held(1):
            child = os.fork()
        status = 0
    finally:
        if child == 0:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    with lock.held(0):
        pass


def test_a_lock_file_deleted_by_a_person_does_not_let_two_in_who_come_later(lock_file: Path) -> None:
    with book_lock(lock_file).held(1):
        lock_file.unlink()
    child = holding_child(lock_file)
    try:
        with pytest.raises(BookBusy), book_lock(lock_file).held(0.05):
            pass
    finally:
        end(child)


def test_two_storages_of_one_book_share_the_lock_also_through_a_link(tmp_path: Path) -> None:
    root = tmp_path / "book"
    root.mkdir()
    (tmp_path / "link").symlink_to(root)
    with FolderStorage(root, lock_timeout=0).lock(), FolderStorage(tmp_path / "link", lock_timeout=0).lock():
        pass


def test_no_descriptor_is_left_open(lock_file: Path) -> None:
    def count() -> int:
        return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0

    lock = book_lock(lock_file)
    before = count()
    child = holding_child(lock_file)
    for _ in range(5):
        with pytest.raises(BookBusy), lock.held(0):
            pass
    end(child)
    for _ in range(5):
        with lock.held(1):
            pass
    assert count() == before
