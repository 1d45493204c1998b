"""An Obsidian vault: links are read as their words; what is embedded or commented out is not there.

Pure but for reading."""

import re
from collections.abc import Iterator

from commonplace.foreign.markdown import each_page, reading_of
from commonplace.foreign.opening import Source
from commonplace.types.transfer import Brought

FOLDER = ".obsidian"
_LINKED = re.compile(r"(!?)\[\[([^\[\]|]{1,300})(?:\|([^\[\]]{1,300}))?\]\]")
_COMMENT = re.compile(r"%%.*?%%", re.DOTALL)
_BLOCK_ID = re.compile(r"[ \t]\^[A-Za-z0-9-]{1,60}[ \t]*$", re.MULTILINE)


def brought(source: Source) -> Iterator[Brought]:
    yield from each_page(source, reading_of(source), prepare=_plain)


def _plain(text: str) -> str:
    shown = _LINKED.sub(lambda link: "" if link[1] else link[3] or link[2].partition("#")[0] or link[2], text)
    for mark in (_COMMENT, _BLOCK_ID):
        shown = mark.sub("", shown)
    return shown
