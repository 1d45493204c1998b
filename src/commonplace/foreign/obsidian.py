"""An Obsidian vault: links are read as their words; what is embedded or commented out is not there.

Pure but for reading."""

import re
from collections.abc import Iterator

from commonplace.foreign.markdown import each_page, items_of
from commonplace.foreign.opening import Source
from commonplace.types.transfer import Brought

FOLDER = ".obsidian"
_LINKED = re.compile(r"(!?)\[\[([^\[\]|]{1,300})(?:\|([^\[\]]{1,300}))?\]\]")
_COMMENT = re.compile(r"%%.*?%%", re.DOTALL)


def brought(source: Source) -> Iterator[Brought]:
    yield from each_page(source, items_of, prepare=_unlinked)


def _unlinked(text: str) -> str:
    shown = _LINKED.sub(lambda link: "" if link[1] else link[3] or link[2].partition("#")[0] or link[2], text)
    return _COMMENT.sub("", shown)
