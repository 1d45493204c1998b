"""Server-sent events: what happened to the book, whoever did it, and how long work goes on."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping, Sequence

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse

from commonplace.types.book import MEMORY_FILE
from commonplace.watching import Watch, keep_watching
from commonplace.web.desk import Desk, Here
from commonplace.web.problems import READING

router = APIRouter()
_WAITING = 200
_HEARTBEAT = 15.0


class Bus:
    """Tells everybody who listens. May be told from any thread, once a loop runs."""

    def __init__(self, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self._listeners: set[asyncio.Queue[str | None]] = set()
        self._loop = loop

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()

    def publish(self, event: str, data: object) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._put, written(event, data))

    def close(self) -> None:
        """Let everybody go."""
        for queue in self._listeners:
            if not queue.full():
                queue.put_nowait(None)

    def _put(self, text: str) -> None:
        for queue in list(self._listeners):
            if queue.full():  # it reads no more; it will come back, and then look at everything
                self._listeners.discard(queue)
            else:
                queue.put_nowait(text)

    async def listen(self, first: str) -> AsyncGenerator[str]:
        queue: asyncio.Queue[str | None] = asyncio.Queue(_WAITING)
        self._listeners.add(queue)
        try:
            yield first
            while queue in self._listeners:
                try:
                    text = await asyncio.wait_for(queue.get(), _HEARTBEAT)
                except TimeoutError:
                    text = ": still here\n\n"
                if text is None:
                    return
                yield text
        finally:
            self._listeners.discard(queue)


def written(event: str, data: object) -> str:
    return f"event: {event}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


async def watch_book(desk: Desk, now: Sequence[Watch], interval: float) -> None:
    """Tell everybody what changes in the files from `now` on, until cancelled."""

    async def tell(changed: Mapping[str, bool]) -> None:
        await tell_changes(desk, changed)

    await keep_watching(now, tell, interval)


async def tell_changes(desk: Desk, changed: Mapping[str, bool]) -> None:
    """Tell everybody which files changed."""
    version = (await asyncio.to_thread(desk.memory.book.storage.read, MEMORY_FILE)).version
    desk.bus.publish("change", {"files": sorted(changed), "etag": version})


@router.get(
    "/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}, **READING},
    tags=["events"],
)
async def events(desk: Here) -> Response:
    """A stream of events: `hello` at the start with the ETag of the memory, `change` with the files that changed, by
    whomever, and `job` with the state of long work."""
    version = await asyncio.to_thread(desk.version)
    stream = desk.listen(written("hello", {"etag": version}))
    return StreamingResponse(stream, media_type="text/event-stream", headers={"x-accel-buffering": "no"})
