"""What an operation costs a database: statements, counted. They grow neither with the book nor with its past."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from itertools import islice
from typing import Any, cast
from unittest import mock

import psycopg
import pytest

from commonplace.agent.unflushed import check_flushes
from commonplace.config import EmbedderSettings, Settings
from commonplace.memory import Memory
from commonplace.stores.postgres import book_address, open_queue
from commonplace.stores.postgres.queueing import FLUSH, Work
from commonplace.testing import ScriptedChatModel
from tests.stores import new_database, put

KEYWORDS = Settings(embedder=EmbedderSettings(name="none"))
SUMMARY = "## Daily Summary\n\n- Spoke of tea\n\n## Long-term Facts\n\nNone"


@contextmanager
def counting() -> Generator[list[str]]:
    """The statements that are sent meanwhile."""
    sent: list[str] = []
    execute = psycopg.Cursor.execute

    def noted(self: Any, query: Any, *more: Any, **options: Any) -> Any:
        sent.append(query.decode() if isinstance(query, bytes) else str(query))
        return execute(self, cast(Any, query), *more, **options)

    with mock.patch.object(psycopg.Cursor, "execute", noted):
        yield sent


def aged(database: str, name: str, entries: int, changes: int) -> str:
    """A book with so many entries, logs and changes."""
    made = Memory.open(f"memory://{database}/{name}", settings=KEYWORDS)
    made.create()
    page = "".join(f"- Fact {number} is about item {number * 7919 % 1009}\n" for number in range(entries))
    put(made, "MEMORY.md", f"# Long-term Memory\n\n## Notes\n\n{page}")
    for number in range(changes):
        made.log(f"Logs thing {number}")
    for number in range(max(2, changes // 10)):
        made.say(f"talk{number}", "user", f"Tells thing {number}")
    address = book_address(database, "acme", name)
    made.move_to(address)
    return address


OPERATIONS: dict[str, Callable[[Memory], object]] = {
    "doctor": lambda memory: (memory.check(), check_flushes(memory)),
    "read": lambda memory: memory.read(),
    "remember": lambda memory: memory.remember("Plays the viola", insist=True),
    "revise": lambda memory: memory.revise("Plays the viola", "Plays the viola and the piano"),
    "forget": lambda memory: memory.forget("Plays the viola and the piano"),
    "undo": lambda memory: memory.undo(),
    "log": lambda memory: memory.log("Went to the sea"),
    "say": lambda memory: memory.say("talk0", "user", "I like tea"),
    "flush": lambda memory: memory.log_session("talk0", ScriptedChatModel(lambda _: SUMMARY)),
    "search": lambda memory: memory.search("item 37"),
    "recall": lambda memory: memory.recall("What about item 37?"),
    "newest changes": lambda memory: list(islice(memory.changes(), 10)),
    "statistics": lambda memory: memory.stats(),
    "backup": lambda memory: memory.backup(),
}


@pytest.mark.req("TEAM-1", "BOOK-6")
def test_statements_grow_neither_with_the_book_nor_with_its_past() -> None:
    database = new_database()
    costs: dict[str, list[int]] = {name: [] for name in OPERATIONS}
    for name, entries, changes in (("young", 10, 10), ("old", 300, 150)):
        address = aged(database, name, entries, changes)
        before = Memory.open(address, settings=KEYWORDS)
        before.search("item")  # the index is there, and what is known of conversations, as of an old book it is
        before.session_infos()
        for operation, work in OPERATIONS.items():
            memory = Memory.open(address, settings=KEYWORDS)
            with counting() as sent:
                work(memory)
            costs[operation].append(len(sent))
    assert {name: cost for name, cost in costs.items() if cost[1] > cost[0] + 3} == {}
    assert max(cost[1] for cost in costs.values()) <= 60


@pytest.mark.req("TEAM-1")
def test_asking_for_work_is_one_statement_and_taking_it_another() -> None:
    queue = open_queue(new_database())
    with counting() as sent:
        queue.put(Work("acme", "notes", FLUSH, "talk"))
    assert [statement.split()[0] for statement in sent[-1:]] == ["INSERT"]
    queue.put(Work("acme", "notes", FLUSH, "talk"))
    with counting() as sent:
        lease = queue.take(30)
    assert lease is not None
    assert [statement.split()[0] for statement in sent[-1:]] == ["WITH"]
    assert len(sent) <= 2  # and at most one that says whose rows are seen
