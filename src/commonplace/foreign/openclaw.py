"""An OpenClaw workspace: MEMORY.md, USER.md and memory/. What tells the agent how to be is no memory. Pure but for
reading."""

from collections.abc import Iterator

from commonplace.foreign.markdown import each_page, items_of
from commonplace.foreign.opening import Source
from commonplace.types.transfer import Brought

BESIDE = frozenset({"SOUL.md", "HEARTBEAT.md", "IDENTITY.md"})
FOLDER = "memory/"
_OF_AN_AGENT = frozenset("SOUL IDENTITY TOOLS HEARTBEAT BOOTSTRAP BOOT DREAMS".split())


def brought(source: Source) -> Iterator[Brought]:
    yield from each_page(source, items_of, guides=_OF_AN_AGENT)
