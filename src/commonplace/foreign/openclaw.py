"""An OpenClaw workspace: MEMORY.md, USER.md and memory/. What tells the agent how to be is no memory, and neither are
other files that lie there. Pure but for reading."""

from collections.abc import Iterator
from functools import partial

from commonplace.files.pages import MarkdownPage
from commonplace.foreign.markdown import each_page, items_of
from commonplace.foreign.opening import Source
from commonplace.types.transfer import Brought, PassedOver

_BESIDE = frozenset({"SOUL.md", "HEARTBEAT.md", "IDENTITY.md"})
_PAGES = ("MEMORY.md", "USER.md")
_FOLDER = "memory/"
_OF_AN_AGENT = frozenset("SOUL IDENTITY TOOLS HEARTBEAT BOOTSTRAP BOOT DREAMS".split())


def workspace_in(source: Source) -> str | None:
    """Where the workspace is in a source ("" if it is the source itself); None if there is none."""
    beside = [file.name.removesuffix(file.leaf) for file in source.files if file.leaf in _BESIDE]
    if beside:
        return min(beside, key=lambda folder: (folder.count("/"), folder))
    names = source.names
    return "" if _PAGES[0] in names and any(name.startswith(_FOLDER) for name in names) else None


def brought(source: Source) -> Iterator[Brought]:
    yield from each_page(source, partial(_items, workspace_in(source) or ""), guides=_OF_AN_AGENT)


def _items(workspace: str, page: MarkdownPage) -> Iterator[Brought]:
    name = page.name.removeprefix(workspace)
    if name in _PAGES or name.startswith(_FOLDER):
        yield from items_of(page, titled=True)
    else:
        yield PassedOver(page.name, "it is no memory of the workspace")
