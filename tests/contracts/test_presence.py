"""What every `Presence` does: whoever is in a conversation is seen, and a process that is killed is gone by itself."""

import subprocess
import sys

import pytest

from commonplace.errors import CommonplaceError
from commonplace.ports import Storage
from commonplace.stores import open_storage
from tests.stores import Place

pytestmark = pytest.mark.every_store


@pytest.fixture
def storage(place: Place) -> Storage:
    made = open_storage(place, 10.0)
    made.prepare()
    with made.lock():
        return made


def test_a_conversation_is_open_until_the_last_one_leaves_it(storage: Storage) -> None:
    other = open_storage(storage.address, 10.0)
    assert not storage.presence.opened(["s-1"])
    first, second = storage.presence.enter("s-1"), other.presence.enter("s-1")
    assert first.session == "s-1"
    first.close()
    first.close()
    assert storage.presence.opened(["s-1"])
    assert other.presence.opened(["s-1"])
    assert not storage.presence.opened(["s-2"])
    second.close()
    assert not storage.presence.opened(["s-1"])
    assert not other.presence.opened(["s-1"])


def test_a_session_that_cannot_be_one_is_refused(storage: Storage) -> None:
    with pytest.raises(CommonplaceError):
        storage.presence.enter("../out")


@pytest.mark.req("R1")
def test_a_killed_process_leaves_the_conversation(storage: Storage) -> None:
    if storage.address.startswith("memory:"):
        pytest.skip("no other process can see it")
    program = (
        "import sys, time; from commonplace.stores import open_storage\n"
        "held = open_storage(sys.argv[1], 10.0).presence.enter('s-1')\n"
        "print('here', flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, storage.address], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"here\n"
        assert storage.presence.opened(["s-1"])
        running.kill()
    for _ in range(1000):  # a database notices within moments, a folder at once
        if not storage.presence.opened(["s-1"]):
            break
    assert not storage.presence.opened(["s-1"])


def test_many_conversations_may_be_open_at_once_and_the_book_is_read_meanwhile(storage: Storage) -> None:
    """A server has more of them than connections."""
    opened = [storage.presence.enter(f"s-{number}") for number in range(30)]
    assert storage.read("MEMORY.md").data is None
    assert len(storage.presence.opened([*(f"s-{number}" for number in range(30)), "s-30"])) == 30
    for attendance in opened:
        attendance.close()
    assert not storage.presence.opened(f"s-{number}" for number in range(30))
