"""When conversations become memory: the five triggers, the date, the background, and what a crash left behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from commonplace.agent.conversation import Conversation
from commonplace.agent.diary import Diary
from commonplace.agent.lifecycle import Event, Lifecycle, Trigger
from commonplace.agent.unflushed import check_flushes
from commonplace.errors import ModelFailed
from commonplace.files.presence import FolderPresence, OpenSession
from commonplace.memory import Memory
from commonplace.testing import Answer, ScriptedChatModel, StoppedClock
from commonplace.types import ChatMessage, Message
from tests.agent.conftest import SUMMARY, is_flush, logs, model_that, open_book, said
from tests.stores import Place, put

DAY = timedelta(days=1)


@pytest.fixture
def conversation(memory: Memory, clock: StoppedClock) -> Conversation:
    return Conversation(memory, model_that(), clock)


def done(conversation: Conversation) -> None:
    assert conversation.lifecycle.wait(30)


def flushed(conversation: Conversation) -> int:
    """How many summaries the model was asked for."""
    model = conversation.model
    assert isinstance(model, ScriptedChatModel)
    return sum(is_flush(request.messages) for request in model.requests)


def eventually(what: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not what():
        assert time.monotonic() < until
        os.sched_yield()


# -- the five triggers -----------------------------------------------------------------------------------------------


@pytest.mark.req("TRIG-1")
def test_the_end_of_a_session_flushes_it(conversation: Conversation, memory: Memory) -> None:
    said(conversation, "I moved to Lisbon")
    assert memory.log_days() == []
    conversation.end()
    done(conversation)
    assert "They talked." in logs(memory)
    assert conversation.session is None


@pytest.mark.req("TRIG-1")
def test_opening_another_session_flushes_the_one_before(conversation: Conversation, memory: Memory) -> None:
    said(conversation, "I moved to Lisbon")
    first = conversation.session
    conversation.new()
    done(conversation)
    assert memory.log_days() == []
    said(conversation, "Something else")
    done(conversation)
    assert flushed(conversation) == 1
    assert [info.unlogged > 0 for info in sorted(memory.session_infos(), key=lambda info: info.id != first)] == [
        False,
        True,
    ]


@pytest.mark.req("TRIG-1")
@pytest.mark.parametrize(
    ("before", "following", "flushes"),
    [("a", "b", True), ("a", "a", False), (None, "b", False), ("a", None, False), (None, None, False)],
)
def test_only_two_sessions_that_exist_and_differ_count_as_opening_another(
    before: str | None, following: str | None, flushes: bool
) -> None:
    assert Event(Trigger.OPENED, before, following).flushes() is flushes


@pytest.mark.req("TRIG-1")
def test_leaving_flushes_the_open_session(conversation: Conversation, memory: Memory) -> None:
    said(conversation, "I moved to Lisbon")
    conversation.leave()
    done(conversation)
    assert "They talked." in logs(memory)


@pytest.mark.req("TRIG-1", "TRIG-2")
def test_another_date_flushes_the_active_session(
    conversation: Conversation, memory: Memory, clock: StoppedClock
) -> None:
    said(conversation, "I moved to Lisbon")
    clock.move(DAY)
    conversation.lifecycle.look_at_clock()
    done(conversation)
    assert memory.log_days() == [date(2026, 11, 15)]
    assert Diary(memory.book.storage).read().last_active == date(2026, 11, 16)


@pytest.mark.req("TRIG-1", "SES-4")
def test_before_a_compaction_the_flush_is_waited_for(conversation: Conversation, memory: Memory) -> None:
    said(conversation, "I moved to Lisbon")
    assert conversation.session is not None
    assert conversation.lifecycle.before_compaction(conversation.session)
    assert "They talked." in logs(memory)


# -- the date ----------------------------------------------------------------------------------------------------------


@pytest.mark.req("TRIG-2")
def test_the_very_first_start_only_stores_the_date(memory: Memory, clock: StoppedClock) -> None:
    memory.remember("There is a book")
    memory.add_message("old", Message("m1", "user", "I moved to Lisbon", clock.now()))
    model = model_that()
    lifecycle = Lifecycle(memory, model, clock)
    lifecycle.look_at_clock()
    assert lifecycle.wait(30)
    assert model.requests == []
    assert Diary(memory.book.storage).read().last_active == date(2026, 11, 15)


@pytest.mark.folder
def test_nothing_is_created_before_something_is_said(conversation: Conversation, memory: Memory) -> None:
    conversation.begin()
    conversation.leave()
    done(conversation)
    assert not memory.path.exists()


@pytest.mark.req("TRIG-2")
def test_midnight_is_seen_while_nobody_says_anything(
    conversation: Conversation, memory: Memory, clock: StoppedClock
) -> None:
    said(conversation, "I moved to Lisbon")
    conversation.lifecycle.watch(every=0.005)
    clock.move(timedelta(hours=11, minutes=59))
    assert memory.log_days() == []
    clock.move(timedelta(minutes=2))
    eventually(lambda: bool(memory.log_days()))
    conversation.leave()
    done(conversation)
    assert flushed(conversation) == 1


@pytest.mark.req("TRIG-2")
def test_after_a_long_sleep_the_next_look_at_the_clock_flushes(
    conversation: Conversation, memory: Memory, clock: StoppedClock
) -> None:
    said(conversation, "I moved to Lisbon")
    clock.move(400 * DAY)
    said(conversation, "Good morning")
    done(conversation)
    assert date(2026, 11, 15) in memory.log_days()


@pytest.mark.req("TRIG-2", "R10")
@pytest.mark.parametrize(
    ("zone", "start"),
    [
        ("Europe/Berlin", date(2026, 10, 24)),  # the night has an hour more
        ("Europe/Berlin", date(2026, 3, 28)),  # an hour less
        ("America/Sao_Paulo", date(2018, 11, 3)),  # midnight itself is skipped
        ("Pacific/Apia", date(2011, 12, 29)),  # a whole day is skipped
        ("Asia/Kathmandu", date(2026, 5, 5)),
        ("Pacific/Kiritimati", date(2026, 5, 5)),
        ("Pacific/Pago_Pago", date(2026, 5, 5)),
    ],
)
def test_each_local_day_has_at_most_one_date_change(place: Place, zone: str, start: date) -> None:
    local = ZoneInfo(zone)

    class LocalClock(StoppedClock):
        def now(self) -> datetime:
            return super().now().astimezone(local)

    wall = LocalClock(datetime(start.year, start.month, start.day, 22, tzinfo=local).astimezone(UTC))
    memory = open_book(place, wall)
    conversation = Conversation(memory, model_that(), wall)
    days: list[date] = []
    for step in range(10):
        conversation.lifecycle.look_at_clock()
        done(conversation)  # so that no message of the new day gets into the flush of the old one
        said(conversation, f"Message {step}")
        days.append(wall.now().date())
        wall.move(timedelta(hours=3))
    done(conversation)
    conversation.leave()
    done(conversation)
    assert sorted(memory.log_days()) == sorted(set(days))
    assert flushed(conversation) == len(set(days))


@pytest.mark.req("TRIG-2", "R10")
def test_a_clock_that_jumps_back_does_not_change_the_date_again(
    conversation: Conversation, memory: Memory, clock: StoppedClock
) -> None:
    said(conversation, "Sunday")
    for step in (DAY, -DAY, DAY, -DAY):
        clock.move(step)
        conversation.lifecycle.look_at_clock()
        done(conversation)
        said(conversation, "Hello")
    assert flushed(conversation) == 1


@pytest.mark.req("TRIG-2")
def test_a_start_on_another_date_changes_the_date_too(
    conversation: Conversation, memory: Memory, clock: StoppedClock
) -> None:
    said(conversation, "I moved to Lisbon")
    session = conversation.session
    assert session is not None
    clock.move(DAY)
    second = Conversation(memory, model_that(), clock)
    second.switch(session)
    done(second)
    assert memory.log_days() == [date(2026, 11, 15)]


# -- the background --------------------------------------------------------------------------------------------------


@pytest.mark.req("TRIG-4")
def test_a_model_that_hangs_on_a_summary_never_blocks_a_reply(memory: Memory, clock: StoppedClock) -> None:
    released = threading.Event()

    def answer(messages: Sequence[ChatMessage]) -> Answer:
        if is_flush(messages):
            released.wait(30)
            return SUMMARY.format("Late, but there.")
        return "Here I am."

    conversation = Conversation(memory, ScriptedChatModel(answer), clock)
    said(conversation, "One")
    conversation.new()
    said(conversation, "Two")
    clock.move(DAY)
    assert said(conversation, "Three")
    assert conversation.lifecycle.busy
    assert not conversation.lifecycle.wait(0)
    released.set()
    done(conversation)
    assert "Late, but there." in logs(memory)


@pytest.mark.req("TRIG-4")
def test_a_flush_that_fails_is_shown_by_doctor_and_tried_again(memory: Memory, clock: StoppedClock) -> None:
    answers: list[Answer] = [ModelFailed("No connection.", retryable=True) for _ in range(3)]
    answers.append(SUMMARY.format("They talked."))

    def answer(messages: Sequence[ChatMessage]) -> Answer:
        return answers.pop(0) if is_flush(messages) else "I see."

    conversation = Conversation(memory, ScriptedChatModel(answer), clock)
    said(conversation, "I moved to Lisbon")
    for _ in range(3):
        conversation.lifecycle.left()
        done(conversation)
        (finding,) = [found for found in check_flushes(memory) if found.level == "warning"]
        assert "No connection." in finding.message
        assert "Lisbon" not in finding.message
    assert memory.log_days() == []
    conversation.lifecycle.left()
    done(conversation)
    assert logs(memory).count("They talked.") == 1
    assert Diary(memory.book.storage).failures() == []


@pytest.mark.req("TRIG-4")
def test_a_bug_in_a_flush_is_written_down_and_the_worker_lives_on(
    conversation: Conversation, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    said(conversation, "I moved to Lisbon")

    def broken(*_: object) -> None:
        raise RuntimeError("a bug")

    with monkeypatch.context() as patch:
        patch.setattr(memory, "log_session", broken)
        conversation.lifecycle.left()
        done(conversation)
    (failure,) = Diary(memory.book.storage).failures()
    assert (failure.code, failure.message) == ("unexpected", "RuntimeError: a bug")
    conversation.lifecycle.left()
    done(conversation)
    assert Diary(memory.book.storage).failures() == []


@pytest.mark.req("TRIG-3")
def test_triggers_from_many_threads_log_everything_once(
    conversation: Conversation, memory: Memory, clock: StoppedClock
) -> None:
    said(conversation, "I moved to Lisbon")
    session = conversation.session
    assert session is not None
    others = [Lifecycle(memory, conversation.model, clock) for _ in range(4)]
    threads = [threading.Thread(target=other.flush, args=[[session]]) for other in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert logs(memory).count("They talked.") == 1


# -- what a crash left -------------------------------------------------------------------------------------------------


@pytest.mark.req("TRIG-4")
def test_the_next_start_catches_up_with_sessions_that_nobody_has_open(memory: Memory, clock: StoppedClock) -> None:
    for name in ("left", "open"):
        memory.add_message(name, Message("m1", "user", f"Said in {name}", clock.now()))
    held = memory.book.storage.presence.enter("open")
    second = Conversation(memory, None, clock)
    second.begin()
    done(second)
    assert "Said in left" in logs(memory)
    assert "Said in open" not in logs(memory)
    held.close()
    second.leave()
    third = Conversation(memory, None, clock)
    third.begin()
    done(third)
    third.leave()
    assert logs(memory).count("Said in open") == 1
    assert logs(memory).count("Said in left") == 1


KILLED = """
import os, signal, sys
from datetime import datetime, UTC
from commonplace.agent.conversation import Conversation
from commonplace.testing import ScriptedChatModel, StoppedClock
from tests.agent.conftest import open_book

def die(messages):
    os.kill(os.getpid(), signal.SIGKILL)

clock = StoppedClock(datetime(2026, 11, 15, 12, tzinfo=UTC))
conversation = Conversation(open_book(sys.argv[1], clock), ScriptedChatModel(die), clock)
list(conversation.say("I moved to Lisbon"))
"""


@pytest.mark.processes
@pytest.mark.req("TRIG-4")
def test_a_process_killed_in_the_middle_of_a_turn_is_caught_up_with(place: Place, clock: StoppedClock) -> None:
    root = Path(__file__).parents[2]
    killed = subprocess.run([sys.executable, "-c", KILLED, str(place)], cwd=root, check=False)
    assert killed.returncode == -signal.SIGKILL
    memory = open_book(place, clock)
    (info,) = memory.session_infos()
    assert info.unlogged == 1
    assert not memory.book.storage.presence.opened([info.id])
    conversation = Conversation(memory, None, clock)
    conversation.begin()
    done(conversation)
    conversation.leave()
    assert logs(memory).count("I moved to Lisbon") == 1


def test_a_diary_that_cannot_be_read_is_begun_anew(memory: Memory, clock: StoppedClock) -> None:
    memory.remember("There is a book")
    put(memory, ".commonplace/lifecycle.json", "no JSON")
    Lifecycle(memory, None, clock).look_at_clock()
    assert Diary(memory.book.storage).read().last_active == date(2026, 11, 15)


@pytest.mark.folder
def test_a_session_counts_as_open_as_long_as_anybody_has_it_open(memory: Memory) -> None:
    memory.create()
    first, second = OpenSession(memory.path, "s"), OpenSession(memory.path, "s")
    first.close()
    assert FolderPresence(memory.path).opened(["s"])
    second.close()
    second.close()
    assert not FolderPresence(memory.path).opened(["s"])
    assert list((memory.path / ".commonplace/open").iterdir()) == []
