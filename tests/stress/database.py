"""Books in Postgres under fire: clients, workers and the database itself are killed, and connections cut in a COMMIT.

Each writer announces what it is about to do and confirms it when the call has returned. Afterwards everything that was
confirmed is there exactly once; what was not confirmed is there once or not at all.
"""

import os
import random
import re
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from commonplace.agent.lifecycle import Lifecycle
from commonplace.agent.shift import Shift
from commonplace.config import EmbedderSettings, Settings
from commonplace.errors import StorageError
from commonplace.memory import Memory, SystemClock
from commonplace.stores.postgres import book_address, open_queue
from commonplace.stores.postgres.queueing import FLUSH, Work
from commonplace.testing import ScriptedChatModel
from commonplace.types import ChatMessage, Message, Saved
from tests.postgres import Postgres
from tests.stress.contending import forked, outcome
from tests.stress.killing import run_and_kill

_SETTINGS = Settings(lock_timeout=60, embedder=EmbedderSettings(name="none"))
_AT = datetime(2026, 11, 15, 12, tzinfo=UTC)
_KINDS = ("remember", "log", "say", "flush")
_Tell = Callable[[object], None]


@dataclass
class Stood:
    """What came of one way to be cruel."""

    way: str
    rounds: int = 0
    confirmed: int = 0
    refused: int = 0
    lost: int = 0
    doubled: int = 0
    problems: list[str] = field(default_factory=list[str])

    @property
    def good(self) -> bool:
        return not (self.lost or self.doubled or self.problems)


def _opened(address: str) -> Memory:
    return Memory.open(address, settings=_SETTINGS)


def _echo(messages: Sequence[ChatMessage]) -> str:
    said = re.findall(r"thing (\w+)", messages[-1].text)
    return "\n".join(["## Daily Summary", *(f"- said {thing}" for thing in said), "## Long-term Facts", "None"])


def _do(memory: Memory, kind: str, thing: str) -> None:
    if kind == "remember":
        assert isinstance(memory.remember(f"Remembers thing {thing}", insist=True), Saved)
    elif kind == "log":
        memory.log(f"Logs thing {thing}", day=_AT.date())
    else:
        memory.add_message("talk", Message(thing, "user", f"Tells thing {thing}", _AT))
    if kind == "flush":
        memory.log_session("talk", ScriptedChatModel(_echo))


def work(address: str, who: str, chance: random.Random, tell: _Tell, most: int | None = None) -> None:
    """Mixed operations, one after the other. What the store refuses is told, and the next one tried."""
    memory = _opened(address)
    number = 0
    while most is None or number < most:
        kind, thing = chance.choice(_KINDS), f"{who}n{number}"
        tell({"intent": kind, "thing": thing})
        try:
            _do(memory, kind, thing)
            tell({"done": kind, "thing": thing})
        except StorageError as error:
            tell({"refused": error.code})
        number += 1


def judge(address: str, told: Sequence[dict[str, object]], report: Stood) -> Stood:
    """Compare what writers were told with what is there, after catching up with what is not logged yet."""
    memory = _opened(address)
    done = {str(line["thing"]): str(line["done"]) for line in told if "done" in line}
    report.confirmed += len(done)
    report.refused += sum("refused" in line for line in told)
    report.problems += [str(line["error"]) for line in told if "error" in line]
    if any(kind in {"say", "flush"} for kind in done.values()):
        memory.log_session("talk", ScriptedChatModel(_echo))
    log = memory.read_log(_AT.date()) if memory.log_days() else ""
    said = [message.text.split()[-1] for message in memory.transcript("talk").messages] if memory.sessions() else []
    found = {
        "remember": Counter(entry.text.split()[-1] for entry in memory.entries()),
        "log": Counter(re.findall(r"^Logs thing (\w+)$", log, re.MULTILINE)),
        "say": Counter(said),
        "flush": Counter(re.findall(r"^- said (\w+)$", log, re.MULTILINE)),
    }
    places = {"say": ("say", "flush"), "flush": ("say", "flush")}  # what is said is logged once, whoever flushes
    for thing, kind in done.items():
        report.lost += sum(found[place][thing] == 0 for place in places.get(kind, (kind,)))
    report.doubled += sum(count > 1 for counts in found.values() for count in counts.values())
    changes = [change.id for change in memory.changes()]
    report.doubled += len(changes) - len(set(changes))
    report.problems += memory.book.history.check()
    return report


def kill_clients(address: str, rounds: int, *, seed: int = 0) -> Stood:
    """kill -9 of a client at a random moment, again and again on one book."""
    chance = random.Random(f"clients {seed}")
    started = time.monotonic()
    for kind in _KINDS:
        _do(_opened(address), kind, f"first{kind}")
    told: list[dict[str, object]] = []
    longest = 4 * (time.monotonic() - started)  # of one that opens the book anew, on a busy machine
    round_ = 0
    while round_ < rounds or (not told and round_ < 20 * rounds):  # on a busy machine a client may come to nothing
        dice = random.Random(f"{seed} {round_}")
        told += run_and_kill(lambda tell, r=round_, d=dice: work(address, f"r{r}", d, tell), chance, longest)
        round_ += 1
    return judge(address, told, Stood("clients killed", round_))


def contend(address: str, processes: int, operations: int, *, seed: int = 0) -> Stood:
    """Many processes with mixed operations on one book."""
    _opened(address).create()
    children = [
        forked(lambda tell, n=number: work(address, f"p{n}", random.Random(f"{seed} {n}"), tell, operations))
        for number in range(processes)
    ]
    told = [line for child in children for line in outcome(child)]
    report = judge(address, told, Stood(f"{processes} processes", 1))
    if report.confirmed != processes * operations:
        report.problems.append(f"{report.confirmed} of {processes * operations} were confirmed")
    return report


def kill_database(server: Postgres, address: str, rounds: int, *, seed: int = 0) -> Stood:
    """kill -9 of the whole database while clients write; it is started again each time."""
    chance = random.Random(f"database {seed}")
    _opened(address).create()
    told: list[dict[str, object]] = []
    over = threading.Event()

    def write(who: str) -> None:
        """A client that goes on for as long as the database is killed."""

        def tell(line: object) -> None:
            told.append(cast("dict[str, object]", line))
            if over.is_set():
                raise _Enough

        with suppress(_Enough):
            work(address, who, random.Random(f"{seed} {who}"), tell)

    writers = [threading.Thread(target=write, args=[f"w{number}"]) for number in range(3)]
    for writer in writers:
        writer.start()
    try:
        for _ in range(rounds):
            time.sleep(chance.uniform(0.05, 0.6))
            server.kill()
            server.start()
    finally:
        over.set()
        for writer in writers:
            writer.join()
    return judge(address, told, Stood("database killed", rounds))


class _Enough(Exception):
    """The writers may stop."""


def cut_commits(server: Postgres, address: str, operations: int, *, seed: int = 0) -> Stood:
    """Connections are lost in a COMMIT: before it arrives, and after it was done but before that is told."""
    told: list[dict[str, object]] = []
    _opened(address).create()
    with _cutting(server, random.Random(f"cuts {seed}")) as (folder, cuts):
        through = re.sub(r"host=[^&]*", "host=" + str(folder).replace("/", "%2F"), address)
        work(through, "c", random.Random(seed), lambda line: told.append(cast("dict[str, object]", line)), operations)
    return judge(address, told, Stood("cut in a COMMIT", len(cuts)))


@contextmanager
def _cutting(server: Postgres, chance: random.Random) -> Generator[tuple[Path, list[str]]]:
    """Something between client and server that cuts one connection in four in a COMMIT; where, and what was cut."""
    folder = server.folder / f"cut{os.urandom(4).hex()}"
    folder.mkdir()
    cuts: list[str] = []
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(folder / ".s.PGSQL.5432"))
    listening.listen(16)

    def pump(source: socket.socket, target: socket.socket, plan: list[str], *, from_client: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if from_client and b"COMMIT" in data and not plan and chance.random() < 0.25:
                    plan.append(chance.choice(("before", "after")))
                    cuts.append(plan[0])
                    if plan == ["before"]:
                        break
                if not from_client and plan:
                    break
                target.sendall(data)
        for end in (source, target):  # to shut it down wakes the other pump, which is reading from it
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        source.close()

    def accept() -> None:
        with suppress(OSError):
            while True:
                client, _ = listening.accept()
                upstream = socket.socket(socket.AF_UNIX)
                upstream.connect(str(server.socket / ".s.PGSQL.5432"))
                plan: list[str] = []
                for source, target, mine in ((client, upstream, True), (upstream, client, False)):
                    threading.Thread(
                        target=pump, args=(source, target, plan), kwargs={"from_client": mine}, daemon=True
                    ).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield folder, cuts
    finally:
        with suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        listening.close()


def kill_workers(database: str, rounds: int, *, seed: int = 0) -> Stood:
    """kill -9 of whoever works off the queue; every message is logged once in the end."""
    chance = random.Random(f"workers {seed}")
    queue, report = open_queue(database), Stood("workers killed", rounds)
    books: dict[str, str] = {}

    def lifecycle(work: Work) -> Lifecycle:
        memory = _opened(book_address(database, work.tenant, work.book))
        return Lifecycle(memory, ScriptedChatModel(_echo), SystemClock())

    def shift(_tell: _Tell) -> None:
        Shift(open_queue(database), lifecycle, 0.5).work(0.01)

    started = time.monotonic()
    for round_ in range(rounds):
        book, thing = f"b{chance.randrange(8)}", f"q{round_}"
        memory = _opened(book_address(database, "acme", book))
        memory.add_message("talk", Message(thing, "user", f"Tells thing {thing}", _AT))
        queue.put(Work("acme", book, FLUSH, "talk"))
        books[thing] = book
        run_and_kill(shift, chance, 0.2 if round_ else time.monotonic() - started)
    while queue.listed():  # the leases of the killed run out one after the other
        Shift(queue, lifecycle, 0.5).work(0.01, until_idle=True)
    report.confirmed = len(books)
    for book in set(books.values()):
        memory = _opened(book_address(database, "acme", book))
        logged = Counter(re.findall(r"^- said (\w+)$", memory.read_log(_AT.date()), re.MULTILINE))
        wanted = {thing for thing, place in books.items() if place == book}
        report.lost += len(wanted - logged.keys())
        report.doubled += sum(count > 1 for count in logged.values())
    return report
