"""Work that waits in a database: done by whoever is free, once, and not lost with whoever had begun it."""

import re
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from datetime import UTC, datetime

import psycopg
import pytest

from commonplace.agent.lifecycle import Lifecycle
from commonplace.agent.shift import Shift
from commonplace.config import EmbedderSettings, Settings
from commonplace.errors import ModelFailed
from commonplace.memory import Memory, SystemClock
from commonplace.stores.postgres import book_address, open_queue
from commonplace.stores.postgres.queueing import EMBED, FLUSH, Work
from commonplace.stores.postgres.schema import TENANT
from commonplace.testing import HashingEmbedder, ScriptedChatModel
from commonplace.types import ChatMessage, Message
from tests.stores import new_database, prepared
from tests.test_postgres import tenants_in

AT = datetime(2026, 11, 14, 22, 0, tzinfo=UTC)
KEYWORDS = Settings(embedder=EmbedderSettings(name="none"))


@pytest.fixture
def database() -> str:
    """A database with a queue of its own."""
    return new_database()


def summary(messages: Sequence[ChatMessage]) -> str:
    said = re.findall(r"number(\d+)\b", messages[-1].text)
    return "\n".join(["## Daily Summary", *(f"- said {number}" for number in said), "## Long-term Facts", "None"])


def talk(database: str, tenant: str, book: str, session: str, numbers: Sequence[int]) -> Work:
    memory = Memory.open(book_address(database, tenant, book), settings=KEYWORDS)
    for number in numbers:
        memory.add_message(session, Message(f"m{number}", "user", f"Sentence number{number}.", AT))
    return Work(tenant, book, FLUSH, session)


def said_in_log(database: str, tenant: str, book: str) -> list[int]:
    memory = Memory.open(book_address(database, tenant, book), settings=KEYWORDS)
    logs = "\n".join(memory.read_log(day) for day in memory.log_days())
    return sorted(int(number) for number in re.findall(r"^- said (\d+)$", logs, re.MULTILINE))


def shift(database: str, model: ScriptedChatModel, lease: float = 30.0) -> Shift:
    def lifecycle(work: Work) -> Lifecycle:
        memory = Memory.open(
            book_address(database, work.tenant, work.book), settings=KEYWORDS, embedder=HashingEmbedder()
        )
        return Lifecycle(memory, model, SystemClock())

    return Shift(open_queue(database), lifecycle, lease)


@pytest.mark.req("TEAM-1", "TRIG-4")
def test_what_is_asked_for_twice_waits_once_and_is_done_once(database: str) -> None:
    queue, model = open_queue(database), ScriptedChatModel(summary)
    work = talk(database, "acme", "notes", "s1", range(4))
    for _ in range(3):
        queue.put(work)
    assert [one.work for one in queue.listed()] == [work]
    assert shift(database, model).work(0.05, until_idle=True) == 1
    assert queue.listed() == []
    assert said_in_log(database, "acme", "notes") == [0, 1, 2, 3]
    assert len(model.requests) == 1


@pytest.mark.req("TEAM-1", "SRCH-4")
def test_vectors_are_computed_by_whoever_works_and_used_by_all(database: str) -> None:
    address = book_address(database, "acme", "notes")
    Memory.open(address, settings=KEYWORDS).remember("Plays the viola")
    open_queue(database).put(Work("acme", "notes", EMBED))
    shift(database, ScriptedChatModel([])).work(0.05, until_idle=True)
    found = Memory.open(address, embedder=HashingEmbedder()).book.storage.list_folder(".commonplace/index")
    assert [file.name for file in found] != []
    assert open_queue(database).listed() == []


@pytest.mark.req("TEAM-1")
def test_what_is_asked_for_while_it_is_being_done_is_done_again(database: str) -> None:
    queue = open_queue(database)
    work = talk(database, "acme", "notes", "s1", range(2))
    queue.put(work)

    def meanwhile(messages: Sequence[ChatMessage]) -> str:
        if len(model.requests) == 1:
            talk(database, "acme", "notes", "s1", range(2, 4))
            queue.put(work)
        return summary(messages)

    model = ScriptedChatModel(meanwhile)
    assert shift(database, model).work(0.05, until_idle=True) == 2
    assert said_in_log(database, "acme", "notes") == [0, 1, 2, 3]
    assert queue.listed() == []


@pytest.mark.req("TRIG-4", "LOG-4")
def test_work_that_failed_stays_and_is_due_at_once_when_it_is_asked_for_again(database: str) -> None:
    queue = open_queue(database)
    work = talk(database, "acme", "notes", "s1", range(2))
    queue.put(work)
    failing = ScriptedChatModel([ModelFailed("No answer.", retryable=True)])
    assert shift(database, failing).work(0.05, until_idle=True) == 0
    [left] = queue.listed()
    assert (left.attempts, left.trouble, left.held) == (1, "flush_failed", False)
    assert left.due > left.since
    assert queue.take(1.0) is None
    queue.put(work)
    assert shift(database, ScriptedChatModel(summary)).work(0.05, until_idle=True) == 1
    assert said_in_log(database, "acme", "notes") == [0, 1]


@pytest.mark.req("TEAM-1")
def test_no_two_take_the_same(database: str) -> None:
    queue = open_queue(database)
    wanted = {Work("acme", f"book{number}", EMBED) for number in range(40)}
    for work in wanted:
        queue.put(work)
    taken, guard = list[Work](), threading.Lock()

    def take() -> None:
        while (lease := queue.take(60.0)) is not None:
            with guard:
                taken.append(lease.work)

    threads = [threading.Thread(target=take) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == sorted(wanted)


@pytest.mark.req("TEAM-1")
def test_a_lease_that_ran_out_is_another_s_and_its_old_holder_can_end_nothing(database: str) -> None:
    queue = open_queue(database)
    queue.put(Work("acme", "notes", EMBED))
    first = queue.take(0.0)
    second = queue.take(60.0)
    assert first is not None
    assert second is not None
    assert (second.work, second.attempts) == (first.work, 2)
    assert not queue.renew(first, 60.0)
    queue.done(first)
    queue.put_off(first, "late")
    assert [(one.held, one.trouble) for one in queue.listed()] == [(True, "")]
    assert queue.renew(second, 60.0)
    queue.done(second)
    assert queue.listed() == []


_WORKER = """
import re, sys, time
from commonplace.agent.lifecycle import Lifecycle
from commonplace.agent.shift import Shift
from commonplace.config import EmbedderSettings, Settings
from commonplace.memory import Memory, SystemClock
from commonplace.stores.postgres import book_address, open_queue
from commonplace.testing import ScriptedChatModel
def summary(messages):
    print("asked", flush=True)
    said = re.findall(r"number(\\\\d+)\\\\b", messages[-1].text)
    time.sleep(float(sys.argv[2]))
    return "\\\\n".join(["## Daily Summary", *(f"- said {n}" for n in said), "## Long-term Facts", "None"])
def lifecycle(work):
    memory = Memory.open(book_address(sys.argv[1], work.tenant, work.book),
                         settings=Settings(embedder=EmbedderSettings(name="none")))
    return Lifecycle(memory, ScriptedChatModel(summary), SystemClock())
Shift(open_queue(sys.argv[1]), lifecycle, 0.5).work(0.05)
""".replace("\\\\", "\\")


@pytest.mark.req("TEAM-1", "R4", "TRIG-4")
def test_workers_are_killed_and_every_message_is_logged_once(database: str) -> None:
    queue = open_queue(database)
    books = {("acme", f"book{number}"): range(number * 10, number * 10 + 3) for number in range(5)}
    for (tenant, book), numbers in books.items():
        queue.put(talk(database, tenant, book, "s1", numbers))
    for wait in ("60", "0.02", "0.05"):  # killed while the model thinks, and at some moment after
        with subprocess.Popen([sys.executable, "-c", _WORKER, database, wait], stdout=subprocess.PIPE) as running:
            assert running.stdout is not None
            assert running.stdout.readline() == b"asked\n"
            running.send_signal(signal.SIGKILL)
    with subprocess.Popen([sys.executable, "-c", _WORKER, database, "0"], stdout=subprocess.DEVNULL) as running:
        while queue.listed():
            assert running.poll() is None
        running.kill()
    for (tenant, book), numbers in books.items():
        assert said_in_log(database, tenant, book) == list(numbers)


@pytest.mark.req("S8", "TEAM-1")
def test_the_queue_of_a_tenant_is_its_own_and_who_works_sees_no_book(database: str) -> None:
    queue = open_queue(database)
    for tenant in ("acme", "other"):
        queue.put(talk(database, tenant, "notes", "s1", range(2)))
    assert [one.work.tenant for one in queue.listed("acme")] == ["acme"]
    with psycopg.connect(
        host=str(prepared().socket), user="app", dbname=database.split("/")[3].split("?")[0]
    ) as connection:
        connection.execute("SELECT set_config(%s, '*', false)", [TENANT])
        for table in ("book", "document", "piece", "object", "change"):
            assert tenants_in(connection, table) == set()
        assert connection.execute("SELECT count(*) FROM commonplace.work").fetchone() == (2,)
