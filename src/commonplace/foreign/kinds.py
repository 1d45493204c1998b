"""The kinds of what can be brought in: one table, and how each is recognised."""

from collections.abc import Callable, Iterator
from enum import StrEnum
from itertools import islice

from commonplace.errors import CommonplaceError, ValidationError
from commonplace.foreign import (
    agents,
    basicmemory,
    chatgpt,
    claude,
    claudememory,
    markdown,
    mem0,
    obsidian,
    openclaw,
    wholebook,
)
from commonplace.foreign.jsonstream import pieces
from commonplace.foreign.opening import Source, SourceFile
from commonplace.types.transfer import Brought

_LOOKED_AT = 40


class Kind(StrEnum):
    """What a source is."""

    BOOK = "commonplace"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    CLAUDE_MEMORY = "claude-memory"
    OPENCLAW = "openclaw"
    MEM0 = "mem0"
    BASIC_MEMORY = "basic-memory"
    OBSIDIAN = "obsidian"
    MARKDOWN = "markdown"


_READERS: dict[Kind, Callable[[Source], Iterator[Brought]]] = {
    Kind.BOOK: wholebook.brought,
    Kind.CHATGPT: chatgpt.brought,
    Kind.CLAUDE: claude.brought,
    Kind.CLAUDE_CODE: lambda source: agents.brought(Kind.CLAUDE_CODE, source),
    Kind.CODEX: lambda source: agents.brought(Kind.CODEX, source),
    Kind.CLAUDE_MEMORY: claudememory.brought,
    Kind.OPENCLAW: openclaw.brought,
    Kind.BASIC_MEMORY: basicmemory.brought,
    Kind.OBSIDIAN: obsidian.brought,
    Kind.MARKDOWN: markdown.brought,
}


def brought(kind: Kind, source: Source, user: str | None = None) -> Iterator[Brought]:
    """What a source of this kind holds, and what of it is passed over."""
    yield from source.passed_over
    yield from mem0.brought(source, user) if kind is Kind.MEM0 else _READERS[kind](source)


def named(word: str) -> Kind:
    try:
        return Kind(word)
    except ValueError:
        raise ValidationError(f"There is no kind {word!r}.", hint=f"Choose one of: {', '.join(Kind)}.") from None


def recognised(source: Source) -> Kind:
    """The kind of a source, by what stands in it."""
    if ".commonplace" in source.hidden:
        raise ValidationError(
            f"{source.label} is a book.", hint="Export it, then import the file: commonplace --book PATH export FILE"
        )
    found = _of_json(source) or _of_lines(source) or _of_markdown(source)
    if found is None:
        kinds = ", ".join(Kind)
        raise ValidationError(f"It cannot be told what {source.label} is.", hint=f"Name it with --kind: {kinds}.")
    return found


def _of_json(source: Source) -> Kind | None:
    for file in source.ending(".json"):
        try:
            with source.open(file) as stream:
                first = list(islice(pieces(stream, file.name), _LOOKED_AT))
        except CommonplaceError:
            if len(source.files) == 1 and file.suffix == ".json":
                raise
            continue
        if wholebook.is_one(first):
            return Kind.BOOK
        for key, value in first:
            if chatgpt.is_one(value):
                return Kind.CHATGPT
            if claude.is_one(value):
                return Kind.CLAUDE
            if key in mem0.LISTS and mem0.is_one(value):
                return Kind.MEM0
    return None


def _of_lines(source: Source) -> Kind | None:
    for file in source.ending(".jsonl")[:_LOOKED_AT]:
        with source.open(file) as stream:
            lines = [line.decode("utf-8", "replace") for line in islice(stream, _LOOKED_AT)]
        for kind in (Kind.CLAUDE_CODE, Kind.CODEX):
            if agents.is_transcript(kind, lines):
                return kind
    return None


def _of_markdown(source: Source) -> Kind | None:
    files = source.ending(*markdown.SUFFIXES)
    if not files:
        return None
    if obsidian.FOLDER in source.hidden:
        return Kind.OBSIDIAN
    if openclaw.workspace_in(source) is not None:
        return Kind.OPENCLAW
    pages = [page for file in files[:_LOOKED_AT] if (page := _page(source, file)) is not None]
    if any(map(claudememory.is_one, pages)):
        return Kind.CLAUDE_MEMORY
    return Kind.BASIC_MEMORY if any(map(basicmemory.is_one, pages)) else Kind.MARKDOWN


def _page(source: Source, file: SourceFile) -> "markdown.MarkdownPage | None":
    try:
        return markdown.read_page(source, file)
    except CommonplaceError:
        return None
