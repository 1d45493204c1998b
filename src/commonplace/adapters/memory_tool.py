"""Anthropic's memory tool on a book: `/memories` is its folder `memories`, `/memories/MEMORY.md` the memory itself.

The answers are, letter for letter, those of the SDK's own tool for a folder of files. What differs is what happens:
every change is recorded and can be undone, a secret is refused, and an edit of MEMORY.md passes the gate.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import wraps
from posixpath import normpath
from typing import ParamSpec, TypeVar

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
from anthropic.types.beta import (
    BetaCacheControlEphemeralParam,
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818DeleteCommand,
    BetaMemoryTool20250818InsertCommand,
    BetaMemoryTool20250818RenameCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)
from anyio.to_thread import run_sync

from commonplace.errors import CommonplaceError, StorageError, UnsafePath
from commonplace.memory import Memory
from commonplace.types.asking import Asker, Origin
from commonplace.types.book import MEMORY_FILE, FileStat

ROOT = "/memories"
_MOST_LINES = 999_999
_DEEPEST = 2
_UNITS = "BKMG"
_REASON = "memory tool"
_P = ParamSpec("_P")
_T = TypeVar("_T")


def _told(run: Callable[_P, _T]) -> Callable[_P, _T]:
    """A command whose failures are told to the model."""

    @wraps(run)
    def telling(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        try:
            return run(*args, **kwargs)
        except CommonplaceError as error:
            raise ToolError(f"{error.message} {error.hint}".strip()) from error

    return telling


class BookMemoryTool(BetaAbstractMemoryTool):
    """The memory tool for `client.beta.messages.run_tools(tools=[BookMemoryTool(memory)])`. With `session`, the user's
    own words in that conversation of the book count where a change needs them."""

    def __init__(
        self,
        memory: Memory,
        *,
        session: str | None = None,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._memory = memory
        self._session = session
        self._asker = Asker(Origin.TOOL, session, _REASON)
        self._files = memory.workspace
        self._files.create()

    # -- the commands --------------------------------------------------------------------------------------------------

    @_told
    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        found = self._existing(command.path)
        if found.kind == "folder":
            return _listing(command.path, found, self._tree(_inside(command.path)))
        lines = self._text(command.path).split("\n")
        if len(lines) > _MOST_LINES:
            raise ToolError(f"File {command.path} exceeds maximum line limit of 999,999 lines.")
        first, last = 0, len(lines)
        if command.view_range and len(command.view_range) == 2:
            first = max(1, command.view_range[0]) - 1
            last = last if command.view_range[1] == -1 else command.view_range[1]
        shown = "\n".join(_numbered(lines[first:last], first + 1))
        return f"Here's the content of {command.path} with line numbers:\n{shown}"

    @_told
    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        path = _inside(command.path)
        if self._stat(command.path) is not None:
            raise ToolError(f"File {command.path} already exists")
        if path == MEMORY_FILE:
            self._memory.edit_whole("", command.file_text, session=self._session, reason=_REASON)
        else:
            self._files.write(path, command.file_text, self._asker, replacing=None)
        return f"File created successfully at: {command.path}"

    @_told
    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        text = self._text(command.path)
        places = list(_places(command.old_str, text)) if text.count(command.old_str) > 1 else []
        if places:
            lines = ", ".join(str(text.count("\n", 0, at) + 1) for at in places)
            raise ToolError(
                f"No replacement was performed. Multiple occurrences of old_str `{command.old_str}` in lines: {lines}."
                " Please ensure it is unique"
            )
        if command.old_str not in text:
            raise ToolError(
                f"No replacement was performed, old_str `{command.old_str}` did not appear verbatim in {command.path}."
            )
        changed = text.count("\n", 0, text.find(command.old_str))
        edited = text.replace(command.old_str, command.new_str)
        self._write(command.path, text, edited)
        first = max(0, changed - 2)
        snippet = _numbered(edited.split("\n")[first : changed + 3], first + 1)
        head = "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
        return "\n".join([head, *snippet])

    @_told
    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        text = self._text(command.path)
        lines = text.removesuffix("\n").split("\n") if text else []
        if not 0 <= command.insert_line <= len(lines):
            raise ToolError(
                f"Invalid `insert_line` parameter: {command.insert_line}."
                f" It should be within the range [0, {len(lines)}]."
            )
        lines.insert(command.insert_line, command.insert_text.rstrip("\n"))
        edited = "\n".join(lines)
        self._write(command.path, text, edited if edited.endswith("\n") else f"{edited}\n")
        return f"The file {command.path} has been edited."

    @_told
    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        path = _inside(command.path)
        if not path:
            raise ToolError("Cannot delete the /memories directory itself")
        if self._stat(command.path) is None:
            raise ToolError(f"The path {command.path} does not exist")
        self._spare_memory(path)
        self._files.delete(path, self._asker)
        return f"Successfully deleted {command.path}"

    @_told
    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        old, new = _inside(command.old_path), _inside(command.new_path)
        if not old:
            raise ToolError("Cannot rename the /memories directory itself")
        if self._stat(command.new_path) is not None:
            raise ToolError(f"The destination {command.new_path} already exists")
        self._spare_memory(old, new)
        if self._stat(command.old_path) is None:
            with suppress(StorageError):
                self._files.make_folder(new.rpartition("/")[0])
            raise ToolError(f"The path {command.old_path} does not exist")
        self._files.rename(old, new, self._asker)
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    @_told
    def clear_all_memory(self) -> str:
        for file in self._files.listed():
            self._files.delete(file.name, self._asker)
        if self._memory.entries():
            return f"All files cleared; {MEMORY_FILE} is the user's and stays as it is"
        return "All memory cleared"

    # -- where things are ----------------------------------------------------------------------------------------------

    def _stat(self, given: str) -> FileStat | None:
        path = _inside(given)
        if path == MEMORY_FILE:
            data = self._memory.data()
            return None if data is None else FileStat(path, "file", len(data), "")
        try:
            return self._files.stat(path)
        except UnsafePath as error:
            raise ToolError(f"Path {given} would escape /memories directory") from error

    def _existing(self, given: str) -> FileStat:
        found = self._stat(given)
        if found is None:
            raise ToolError(f"The path {given} does not exist. Please provide a valid path.")
        return found

    def _text(self, given: str) -> str:
        if self._existing(given).kind != "file":
            raise ToolError(f"The path {given} is not a file.")
        path = _inside(given)
        return self._memory.read() if path == MEMORY_FILE else self._files.read(path)

    def _write(self, given: str, before: str, after: str) -> None:
        path = _inside(given)
        if path != MEMORY_FILE:
            self._files.write(path, after, self._asker, replacing=before)
        elif after != before:
            self._memory.edit_whole(before, after, session=self._session, reason=_REASON)

    def _spare_memory(self, *paths: str) -> None:
        if MEMORY_FILE in paths:
            raise ToolError(
                f"{ROOT}/{MEMORY_FILE} is the user's long-term memory: it is neither deleted nor renamed as a whole."
                " Change single entries with str_replace and insert."
            )

    def _tree(self, path: str, depth: int = 1) -> Iterator[FileStat]:
        """What is in a folder and in those in it, by their paths, hidden items aside."""
        found = [file for file in self._files.listed(path) if file.name != MEMORY_FILE]
        if not path and (memory := self._stat(f"{ROOT}/{MEMORY_FILE}")):
            found = sorted([*found, memory])
        for file in found:
            if file.kind == "other" or file.name.rpartition("/")[2].startswith("."):
                continue
            yield file
            if file.kind == "folder" and depth < _DEEPEST:
                yield from self._tree(file.name, depth + 1)


class AsyncBookMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for an asynchronous client: the book is worked on in a thread."""

    def __init__(
        self,
        memory: Memory,
        *,
        session: str | None = None,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._tool = BookMemoryTool(memory, session=session)

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        return await run_sync(self._tool.view, command)

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        return await run_sync(self._tool.create, command)

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        return await run_sync(self._tool.str_replace, command)

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        return await run_sync(self._tool.insert, command)

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        return await run_sync(self._tool.delete, command)

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        return await run_sync(self._tool.rename, command)

    async def clear_all_memory(self) -> str:
        return await run_sync(self._tool.clear_all_memory)


# -- as the SDK words it -----------------------------------------------------------------------------------------------


def _inside(given: str) -> str:
    """The path below the folder that a model means; what leads out of it is refused, however it is written."""
    if not given.startswith(ROOT):
        raise ToolError(f"Path must start with {ROOT}, got: {given}")
    below = normpath(given[len(ROOT) :].lstrip("/") or ".")
    plain = below.lower().replace("%2e", ".").replace("%2f", "/").replace("%5c", "/").replace("\\", "/")
    if plain.startswith("/") or ".." in plain.split("/"):
        raise ToolError(f"Path {given} would escape {ROOT} directory")
    if below.startswith(f"{MEMORY_FILE}/"):
        raise ToolError(f"{ROOT}/{MEMORY_FILE} is a file: nothing is below it")
    return "" if below == "." else below


def _places(wanted: str, text: str) -> Iterator[int]:
    at = text.find(wanted)
    while at >= 0:
        yield at
        at = text.find(wanted, at + 1)


def _numbered(lines: list[str], first: int) -> list[str]:
    return [f"{number:>6}\t{line}" for number, line in enumerate(lines, first)]


def _listing(path: str, root: FileStat, found: Iterator[FileStat]) -> str:
    below = len(_inside(path)) + 1 if _inside(path) else 0
    lines = [f"{_size(root.size)}\t{path}"]
    lines += [f"{_size(f.size)}\t{path}/{f.name[below:]}{'/' if f.kind == 'folder' else ''}" for f in found]
    head = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
    return "\n".join([head, *lines])


def _size(size: int) -> str:
    unit = min((size.bit_length() - 1) // 10, len(_UNITS) - 1) if size else 0
    amount = size / 1024**unit
    return f"{int(amount)}{_UNITS[unit]}" if amount == int(amount) else f"{amount:.1f}{_UNITS[unit]}"
