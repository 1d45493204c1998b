"""Seeing that the book changed, whoever changed it: the files are looked at, and what differs is named.

Each folder is looked at by itself, so that a hand edit of MEMORY.md is seen at once however many conversations there
are. After a look that took long, the next waits in proportion, so that looking never takes more than a small share of a
processor.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence

import anyio
from anyio import to_thread

from commonplace.errors import CommonplaceError
from commonplace.files import folders
from commonplace.memory import Memory

INTERVAL = 1.0
"""Seconds between two looks."""
_SHARE = 20
_FOLDERS = ("", folders.DAILY, folders.SESSIONS)
Tell = Callable[[Mapping[str, bool]], Awaitable[None]]


class Watch:
    """What the files of one folder looked like, and which are different now."""

    def __init__(self, memory: Memory, folder: str = "") -> None:
        self._storage = memory.book.storage
        self._folder = folder
        self._glance: object = None
        self._seen: dict[str, str] = {}
        self.look()

    def look(self) -> dict[str, bool]:
        """The files that changed since the last look, each with whether it was there before and still is: False means
        that it came or went."""
        try:
            glance = self._storage.glance(self._folder)
            if glance == self._glance:
                return {}
            now = {file.name: file.stamp for file in self._storage.list_folder(self._folder) if file.kind == "file"}
        except CommonplaceError:  # it cannot be read just now; that is no change
            return {}
        before, self._seen, self._glance = self._seen, now, glance
        return {name: name in before and name in now for name in before | now if before.get(name) != now.get(name)}


def watches(memory: Memory) -> list[Watch]:
    """All of a book as it looks now."""
    return [Watch(memory, folder) for folder in _FOLDERS]


async def keep_watching(watching: Sequence[Watch], tell: Tell, interval: float) -> None:
    """Look again and again, and tell what happened, until cancelled."""
    async with anyio.create_task_group() as tasks:
        for watch in watching:
            tasks.start_soon(_keep_looking, watch, tell, interval)


async def _keep_looking(watch: Watch, tell: Tell, interval: float) -> None:
    while True:
        began = anyio.current_time()
        changed = await to_thread.run_sync(watch.look)
        took = anyio.current_time() - began
        if changed:
            await tell(changed)
        await anyio.sleep(max(interval, _SHARE * took))
