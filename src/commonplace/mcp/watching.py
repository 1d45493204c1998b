"""Seeing that the book changed, whoever changed it: the files are looked at, and what differs becomes an event.

A look costs a listing of three folders. After one that took long, the next waits in proportion, so that it never takes
more than a small share of a processor.
"""

from collections.abc import Awaitable, Callable

import anyio
from anyio import to_thread
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated, ServerEvent

from commonplace.errors import CommonplaceError
from commonplace.files import folders
from commonplace.mcp.resources import address_of
from commonplace.memory import Memory

INTERVAL = 1.0
"""Seconds between two looks."""
_SHARE = 50


class Watch:
    """What the resources of a book looked like, and what is different now."""

    def __init__(self, memory: Memory) -> None:
        self._storage = memory.book.storage
        self._seen = self._stamps() or {}

    def look(self) -> list[ServerEvent]:
        """What happened since the last look."""
        now = self._stamps()
        if now is None:  # it cannot be read just now; that is no change
            return []
        before, self._seen = self._seen, now
        changed = [address for address in before | now if before.get(address) != now.get(address)]
        listing = [ResourcesListChanged()] if before.keys() != now.keys() else []
        return [*listing, *map(ResourceUpdated, changed)]

    def _stamps(self) -> dict[str, str] | None:
        try:
            return {
                address: file.stamp
                for folder in ("", folders.DAILY, folders.SESSIONS)
                for file in self._storage.list_folder(folder)
                if file.kind == "file" and (address := address_of(file.name))
            }
        except CommonplaceError:
            return None


async def keep_watching(watch: Watch, tell: Callable[[ServerEvent], Awaitable[None]], interval: float) -> None:
    """Look again and again, and tell what happened, until cancelled."""
    while True:
        began = anyio.current_time()
        for event in await to_thread.run_sync(watch.look):
            await tell(event)
        await anyio.sleep(max(interval, _SHARE * (anyio.current_time() - began)))
