"""Connecting agents: the small edits of their own files that make them call us, and taking these edits back.

What was added where is written down before it is added, so that taking it out again leaves the files as they were, byte
for byte; if the host has rewritten its file meanwhile, what is ours is found by its place.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from commonplace.errors import ConfigError, Conflict
from commonplace.hooks.edits import Edit, is_ours, programs
from commonplace.hooks.hosts import Host

RECORD = "clients.json"
_TRIES = 5


@dataclass(frozen=True, slots=True)
class Made:
    """An edit that was made: the piece that was added, whether there was no such file before (and which folder was made
    for it), and what stood in a file that is ours altogether."""

    file: str
    path: tuple[str, ...]
    piece: str
    created: bool
    folder: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True)
class Planned:
    """What becomes of one file. `kept` says that it stays because of what a person did to it."""

    file: Path
    before: str | None
    after: str | None
    kept: bool = False


class Connections:
    """Which agents are connected. `record` says what was added where."""

    def __init__(self, record: Path, write: Callable[[Path, bytes], None]) -> None:
        self._record = record
        self._write = write

    def made(self) -> dict[str, list[Made]]:
        try:
            raw = cast(dict[str, list[dict[str, Any]]], json.loads(self._record.read_bytes()))
            return {name: [_made(one) for one in edits] for name, edits in raw.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}

    def plan(self, host: Host) -> list[Planned]:
        """What connecting would change. Changes nothing."""
        return self._connected(host)[0].planned()

    def connect(self, host: Host) -> list[Planned]:
        return self._committed(host, lambda: self._connected(host))

    def disconnect(self, host: Host) -> list[Planned]:
        return self._committed(host, lambda: self._disconnected(host))

    def _connected(self, host: Host) -> tuple[_Files, list[Made]]:
        """The files with all that is wanted in them. What was added before and is not what is wanted any more is taken
        out first: an older version added it, or a program that is gone."""
        made, files = self.made().get(host.name, []), _Files()
        added = {(one.file, one.path) for one in made}
        own = [edit for edit in host.edits() if (str(edit.file), edit.path) in added or not files.keep(edit)]
        if all(edit.is_there(files.text(edit.file)) for edit in own):
            return files, made
        files.undo(made, whole=True)
        return files, [files.do(edit) for edit in own]

    def _disconnected(self, host: Host) -> tuple[_Files, list[Made]]:
        """The files without it. Where nothing is written down, what is ours is told by its place."""
        made, files = self.made().get(host.name, []), _Files()
        if made:
            files.undo(made)
        else:
            for edit in host.edits():
                files.clear(edit)
        return files, []

    def _committed(self, host: Host, look: Callable[[], tuple[_Files, list[Made]]]) -> list[Planned]:
        for _ in range(_TRIES):
            files, made = look()
            planned = files.planned()
            others = {name: edits for name, edits in self.made().items() if name != host.name}
            if made:  # before the files: what was added is known after a crash
                self._store({**others, host.name: made})
            try:
                for one in (one for one in planned if not one.kept):
                    self._put(one)
            except Conflict:  # the host wrote its file at this very moment
                continue
            files.tidy()
            if not made and self._record.exists():
                self._store(others)
            return planned
        raise Conflict(f"Files of {host.label} changed all the time.", hint=f"Close {host.label}, then try again.")

    def _put(self, planned: Planned) -> None:
        if _read(planned.file) != planned.before:
            raise Conflict(f"{planned.file} was changed meanwhile.", hint="Try again.")
        if planned.after is None:
            planned.file.unlink()
        else:
            self._write(planned.file, planned.after.encode("utf-8", "surrogateescape"))

    def _store(self, made: Mapping[str, Sequence[Made]]) -> None:
        record = {name: [asdict(one) for one in edits] for name, edits in made.items()}
        self._write(self._record, json.dumps(record, indent=1).encode())


class _Files:
    """Files as they are, and as they are to be."""

    def __init__(self) -> None:
        self._found: dict[Path, str | None] = {}
        self._now: dict[Path, str | None] = {}
        self._kept: list[Path] = []
        self._folders: dict[Path, str] = {}  # of files that go: the first folder that was made for them

    def text(self, file: Path) -> str:
        if file not in self._now:
            self._found[file] = self._now[file] = _read(file)
        return self._now[file] or ""

    def planned(self) -> list[Planned]:
        changed = [Planned(file, before, self._now[file]) for file, before in self._found.items()]
        kept = [Planned(file, self._found[file], self._now[file], kept=True) for file in self._kept]
        return [one for one in changed if one.after != one.before] + kept

    def keep(self, edit: Edit) -> bool:
        """Whether a person has put there what does just as well. What calls a program that is gone does not."""
        held = edit.held(self.text(edit.file)) if edit.path else None
        if edit.yields and held is not None:
            return True
        if held is None or not is_ours(held) or not all(map(shutil.which, programs(held))):
            return False
        self._kept.append(edit.file)
        return True

    def do(self, edit: Edit) -> Made:
        text = self.text(edit.file)
        created, before = self._now[edit.file] is None, "" if edit.path else text
        if edit.path and (held := edit.held(text)) is not None:
            if not is_ours(held):
                told = f"{edit.file}: something else is called {edit.path[-1]} there."
                raise ConfigError(told, hint="Give it another name by hand, then try again.")
            text = _cleared(edit, text)
        after = self._now[edit.file] = edit.applied(text)
        folder = next((str(one) for one in reversed(edit.file.parents) if not one.exists()), "")
        folder = self._folders.pop(edit.file, folder)
        return Made(str(edit.file), edit.path, _piece("" if before else text, after), created, folder, before)

    def undo(self, made: Iterable[Made], *, whole: bool = False) -> None:
        """Take out what was added. A whole file of ours that was changed since stays, unless `whole` ones go, too."""
        for one in reversed([*made]):
            file = Path(one.file)
            text = self.text(file)
            if self._now[file] is None:
                continue
            if one.path:
                text = Edit(file, one.path).without(text, one.piece)
            elif whole or text == one.piece:
                text = one.before
            else:
                self._kept.append(file)
            if one.created and not text.strip():
                self._now[file], self._folders[file] = None, one.folder
            else:
                self._now[file] = text

    def clear(self, edit: Edit) -> None:
        """Take out what is ours, wherever it came from."""
        text = self.text(edit.file)
        if not edit.path:
            self._now[edit.file] = None if edit.is_there(text) else self._now[edit.file]
        elif is_ours(edit.held(text)):
            self._now[edit.file] = _cleared(edit, text)

    def tidy(self) -> None:
        """Take away folders that were made for files which are gone, unless others use them."""
        for file, made in self._folders.items():
            for folder in (one for one in file.parents if str(one) == made or Path(made) in one.parents):
                with suppress(OSError):
                    folder.rmdir()


def _cleared(edit: Edit, text: str) -> str:
    while is_ours(edit.held(text)):
        before, text = text, edit.cleared(text)
        if text == before:
            raise ConfigError(f"{edit.file}: it cannot be changed safely.", hint="Edit it by hand.")
    return text


def _made(record: Mapping[str, Any]) -> Made:
    made = Made(**record)
    return Made(made.file, tuple(made.path), made.piece, made.created, made.folder, made.before)


def _read(file: Path) -> str | None:
    try:
        return file.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"Cannot read {file}: {error.strerror or error}.", hint="Correct its permissions.") from error


def _piece(before: str, after: str) -> str:
    """What was added: one run of text."""
    start = next(
        (at for at, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after))
    )
    return after[start : start + len(after) - len(before)]
