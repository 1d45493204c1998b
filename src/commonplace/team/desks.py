"""The books that a server has open: opened when they are asked for, and the least used let go. What is kept of one is
only what can be read again, so that any server may be asked for any book at any time."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from commonplace.errors import CommonplaceError
from commonplace.stores.postgres import book_address, open_queue
from commonplace.stores.postgres.queueing import EMBED, Work
from commonplace.team.longwork import JOBS, SharedJobs, SharedPlans, job_told
from commonplace.team.telemetry import log
from commonplace.watching import Watch, keep_watching, watches
from commonplace.web.desk import Desk
from commonplace.web.streaming import Bus, tell_changes

if TYPE_CHECKING:
    from commonplace.app import App
    from commonplace.memory import Memory
    from commonplace.stores.postgres.queueing import WorkQueue
    from commonplace.types.keeping import Finding

_MOST = 256


class TeamDesk(Desk):
    """One book of a team as it is served. It is on nobody's list of books, and looked at only while somebody listens:
    what other servers do to it is seen in the database, long work too."""

    def __init__(
        self, app: App, of_book: tuple[str, str], queue: WorkQueue, loop: asyncio.AbstractEventLoop, interval: float
    ) -> None:
        self._tenant, self._book = of_book
        self._queue = queue
        memory = app.open(guarded=False)
        storage = memory.book.storage
        super().__init__(app, memory, Bus(loop), SharedJobs(storage), SharedPlans(storage))
        self._interval = interval
        self._listening = 0
        self._watching: asyncio.Task[None] | None = None
        self._looked = asyncio.Event()

    @property
    def memory(self) -> Memory:
        return self._memory

    @contextmanager
    def writing(self) -> Generator[Memory]:
        yield self._memory
        self.ask_for_vectors()

    def ask_for_vectors(self) -> None:
        """Let whoever works on the queue embed what was written; without them, the next search does it."""
        if self.app.settings.embedder.name == "none":
            return
        try:
            self._queue.put(Work(self._tenant, self._book, EMBED))
        except CommonplaceError as error:  # what was written is written
            log.warning("queue", extra={"facts": {"code": error.code}})

    def catch_up(self) -> None:
        """Whoever works on the queue was asked when it was written."""

    def examine(self) -> list[Finding]:
        return self._memory.check()

    async def listen(self, first: str) -> AsyncGenerator[str]:
        self._listening += 1
        if self._watching is None:
            self._looked = asyncio.Event()
            self._watching = asyncio.create_task(self._watch(self._looked))
        try:
            await self._looked.wait()  # what happens after the first word is not missed
            async for text in self.bus.listen(first):
                yield text
        finally:
            self._listening -= 1
            self._rest()

    def _rest(self) -> None:
        if not self._listening and self._watching is not None:
            self._watching.cancel()
            self._watching = None

    async def _watch(self, looked: asyncio.Event) -> None:
        now = await asyncio.to_thread(lambda: [*watches(self._memory), Watch(self._memory, JOBS)])
        looked.set()
        await keep_watching(now, self._tell, self._interval)

    async def _tell(self, changed: Mapping[str, bool]) -> None:
        storage = self._memory.book.storage
        of_jobs = [name for name in changed if name.startswith(JOBS)]
        for name in of_jobs:
            told = await asyncio.to_thread(job_told, storage, name)
            if told is not None:
                self.bus.publish("job", told)
        if len(of_jobs) < len(changed):
            await tell_changes(self, changed)


class Desks:
    """The books of one database that are open here."""

    def __init__(self, app: App, database: str, *, interval: float, most: int = _MOST) -> None:
        self._app = app
        self._database = database
        self._queue = open_queue(database)
        self._interval = interval
        self._most = most
        self._open: OrderedDict[tuple[str, str], TeamDesk] = OrderedDict()
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()

    def of(self, tenant: str, book: str) -> TeamDesk:
        """The desk of a book. Whether somebody may use it is decided before."""
        assert self._loop is not None  # noqa: S101 nothing is asked before the start
        with self._lock:
            desk = self._open.pop((tenant, book), None)
            if desk is None:
                app = self._app.for_book(book_address(self._database, tenant, book))
                desk = TeamDesk(app, (tenant, book), self._queue, self._loop, self._interval)
            self._open[tenant, book] = desk
            while len(self._open) > self._most:
                self._open.popitem(last=False)
            return desk

    def forget(self, tenant: str, book: str) -> None:
        with self._lock:
            self._open.pop((tenant, book), None)

    def __len__(self) -> int:
        return len(self._open)

    def close(self) -> None:
        """Let everybody go who listens."""
        for desk in list(self._open.values()):
            desk.bus.close()
            desk.jobs.close()
