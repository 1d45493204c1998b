"""What every request works with: the book that is served, guarded against its folder going away."""

from __future__ import annotations

import binascii
import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated, Protocol, TypeVar

from fastapi import Depends, Header, Query, Request, Response

from commonplace.app import App
from commonplace.errors import CommonplaceError
from commonplace.memory import Memory
from commonplace.types.book import EntryId
from commonplace.web.problems import ApiError
from commonplace.web.shapes import ChangeShape, EntryShape

if TYPE_CHECKING:
    from commonplace.types.compaction import MemoryCompacted
    from commonplace.types.keeping import Finding
    from commonplace.web.jobs import Job, Kind, Work
    from commonplace.web.machine import Machine
    from commonplace.web.streaming import Bus

_T = TypeVar("_T")


class LongWork(Protocol):
    """Where long work is begun, looked up and stopped."""

    def start(self, kind: Kind, work: Work) -> tuple[Job, bool]: ...
    def listed(self) -> list[Job]: ...
    def get(self, id: str) -> Job | None: ...
    def stop(self, id: str) -> Job | None: ...
    def close(self) -> None: ...


class KeptPlans(Protocol):
    """Where plans of compactions wait for a yes."""

    def keep(self, plan: MemoryCompacted) -> str: ...
    def get(self, id: str) -> MemoryCompacted: ...


class Desk:
    """One book as it is served. `machine` is what else of this machine may be asked for; None: nothing."""

    def __init__(
        self, app: App, memory: Memory, bus: Bus, jobs: LongWork, plans: KeptPlans, machine: Machine | None = None
    ) -> None:
        self.app = app
        self.bus = bus
        self.jobs = jobs
        self.plans = plans
        self._machine = machine
        self._memory = memory
        self._catching_up: threading.Thread | None = None

    @property
    def memory(self) -> Memory:
        """The book, for reading. One that went away since it was opened is an error, not an empty one."""
        problem = self.app.missing()
        if problem is not None:
            raise problem
        return self._memory

    @property
    def is_local(self) -> bool:
        """Whether nobody but the person at this machine can ask."""
        return self._machine is not None

    @property
    def machine(self) -> Machine:
        if self._machine is None:
            raise ApiError(
                "forbidden",
                "Other machines may ask this server, so it gives nobody its files or other books.",
                hint="Use the command line where it runs: commonplace import, commonplace serve --book NAME.",
            )
        return self._machine

    @contextmanager
    def writing(self) -> Generator[Memory]:
        """The book, for a change; afterwards it is on the list of books."""
        memory = self.memory
        yield memory
        self.app.note_book(memory)

    def version(self) -> str:
        """What MEMORY.md is called now."""
        return self.memory.page().version

    def catch_up(self) -> None:
        """Compute in the background what search lacks, so that the next one need not."""
        if not (self._catching_up and self._catching_up.is_alive()):
            self._catching_up = threading.Thread(target=self._complete, name="catching up", daemon=True)
            self._catching_up.start()

    def _complete(self) -> None:
        with suppress(CommonplaceError):  # whoever searches is told
            self._memory.embed()

    def examine(self) -> list[Finding]:
        """What is right and wrong with the book and around it."""
        return self.app.examine()

    def listen(self, first: str) -> AsyncGenerator[str]:
        """What happens to the book from now on, after `first`."""
        return self.bus.listen(first)


def desk_of(request: Request) -> Desk:
    return request.app.state.desk


Here = Annotated[Desk, Depends(desk_of)]
Limit = Annotated[int, Query(ge=1, le=500, description="How many to list.")]
Cursor = Annotated[str | None, Query(max_length=200, description="Where to go on: `next` of the part before.")]
IfMatch = Annotated[str | None, Header(description="The ETag of what is to be changed, as it was read.")]


def etag(value: str) -> str:
    return f'"{value}"'


def tagged(response: Response, version: str) -> None:
    response.headers["etag"] = etag(version)


def required(if_match: str | None) -> str:
    """What a change expects to find. Without it, somebody else's change could be lost."""
    if if_match is None:
        raise ApiError(
            "precondition_required",
            "This changes something, and the request does not say what it was when it was read.",
            hint="Send the ETag of what was read in the header If-Match.",
        )
    return if_match.strip().removeprefix("W/").strip('"')


def changing_entry(desk: Desk, id: str, if_match: str | None, change: Callable[[Memory, EntryId], _T]) -> _T:
    """Change an entry that is still what it was when it was read; else tell what became of it."""
    from commonplace.errors import NotFound

    expected = required(if_match)
    called = EntryId(id)
    if expected in {id, "*"}:
        try:
            with desk.writing() as memory:
                return change(memory, called)
        except NotFound:
            if called in desk.memory.document().ids:
                raise
    raise gone(desk, called)


def gone(desk: Desk, called: EntryId) -> ApiError:
    """That an entry is not what it was any more, and what it became."""
    found = desk.memory.became(called)
    if found is None and called not in desk.memory.document().ids:
        return ApiError("not_found", f"There is no entry {called}.", hint="Read the memory again.")
    change, entry = found or (None, None)
    return ApiError(
        "precondition_failed",
        "This entry was changed meanwhile; nothing was done." if entry else "This entry is not there any more.",
        hint="Look at what it is now, then decide again.",
        base=str(called),
        became=EntryShape.of(entry).model_dump(mode="json") if entry else None,
        change=ChangeShape.of(change).model_dump(mode="json") if change else None,
    )


def cursor_of(position: str) -> str:
    """A place in a list, as a program hands it back."""
    return urlsafe_b64encode(position.encode("utf-8", "surrogatepass")).decode().rstrip("=")


def position_of(cursor: str | None) -> str | None:
    if cursor is None:
        return None
    try:
        return urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("utf-8", "surrogatepass")
    except (binascii.Error, ValueError):
        raise _bad_cursor() from None


def number_of(cursor: str | None) -> int:
    position = position_of(cursor)
    if position is None:
        return 0
    if not (position.isascii() and position.isdigit() and len(position) < 12):
        raise _bad_cursor()
    return int(position)


def _bad_cursor() -> ApiError:
    return ApiError("validation_error", "The cursor is not one of ours.", hint="List from the beginning.")
