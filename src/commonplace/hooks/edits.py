"""One piece that is added to one file of another program, and taken out of it again. Pure: text in, text out."""

from __future__ import annotations

import itertools
import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from commonplace.errors import ConfigError
from commonplace.jsontext import loads, with_member, without_member
from commonplace.tomltext import with_value, without_table

NAME = "commonplace"
_PROGRAMS = frozenset({NAME, "commonplace-memory"})
_CALLED = frozenset({"hook", "mcp"})


@dataclass(frozen=True, slots=True)
class Edit:
    """One file of a host, and what is added to it. `path` leads to the place, where `-` is the end of a list; without
    one, the whole file is ours and holds `text`. One that `yields` leaves whatever stands there."""

    file: Path
    path: tuple[str, ...] = ()
    value: object = None
    text: str = ""
    yields: bool = False

    @property
    def wanted(self) -> object:
        return self.value if self.path else self.text

    def held(self, text: str) -> object:
        """What stands at the place now, in a list of others' the last that calls us; None if nothing does."""
        if not self.path:
            return text or None
        return next(reversed(self._ours(text)), None) if self._is_listed else _at(self._read(text), self.path)

    def is_there(self, text: str) -> bool:
        return self.wanted in self._ours(text) if self._is_listed else self.held(text) == self.wanted

    def applied(self, text: str) -> str:
        """The text with the piece in it."""
        if not self.path:
            return self.text
        try:
            if not self._is_toml:
                return with_member(text, self.path, self.value)
            for key, one in cast(Mapping[str, object], self.value).items():
                text = with_value(text, ".".join([*self.path, key]), one)
            return text
        except ConfigError as error:
            raise self._told(error) from error

    def cleared(self, text: str) -> str:
        """The text without what is held, whoever wrote the rest of it since."""
        if self.held(text) is None:
            return text
        path = [*self.path]
        if self._is_listed:
            listed = cast(list[object], _at(self._read(text), self.path[:-1]))
            path[-1] = str(max(at for at, one in enumerate(listed) if is_ours(one)))
        try:
            return without_table(text, path) if self._is_toml else without_member(text, path)
        except ConfigError as error:
            raise self._told(error) from error

    def without(self, text: str, piece: str) -> str:
        """The text without a piece that was added here: byte for byte where it can be found, else by its place."""
        cleared = self.cleared(text)
        at = text.find(piece) if piece and cleared != text else -1
        while at >= 0:
            candidate = text[:at] + text[at + len(piece) :]
            if self._means(candidate) == self._means(cleared):
                return candidate
            at = text.find(piece, at + 1)
        return cleared

    @property
    def _is_toml(self) -> bool:
        return self.file.suffix == ".toml"

    @property
    def _is_listed(self) -> bool:
        return self.path[-1:] == ("-",)

    def _ours(self, text: str) -> list[object]:
        listed = _at(self._read(text), self.path[:-1])
        return [one for one in cast(list[object], listed) if is_ours(one)] if isinstance(listed, list) else []

    def _means(self, text: str) -> object:
        """What a text says, without what is empty in it; None if it says nothing that can be read."""
        try:
            return _pruned(self._read(text))
        except ConfigError:
            return None

    def _read(self, text: str) -> object:
        try:
            return tomllib.loads(text) if self._is_toml else loads(text)
        except tomllib.TOMLDecodeError as error:
            told = f"{self.file}: the file is not TOML ({error})."
            raise ConfigError(told, hint="Correct it, then try again.") from error
        except ConfigError as error:
            raise self._told(error) from error

    def _told(self, error: ConfigError) -> ConfigError:
        if str(self.file) in error.message:
            return error
        return ConfigError(f"{self.file}: {error.message[:1].lower()}{error.message[1:]}", hint=error.hint)


def is_ours(value: object) -> bool:
    """Whether a server, or an element of a list of hooks, calls us."""
    return any(_program(words) for words in _commands(value))


def programs(value: object) -> Iterator[str]:
    """The programs of ours that a value calls."""
    return filter(None, map(_program, _commands(value)))


def _program(words: Sequence[str]) -> str:
    """Which program is called, if it is ours: by its name, or as a module of Python."""
    for at, (word, following) in enumerate(itertools.pairwise(words)):
        if Path(word).stem in _PROGRAMS and following in _CALLED:
            return words[0] if at and words[at - 1] == "-m" else word
    return ""


def _commands(value: object) -> Iterator[list[str]]:
    """Every command in a value, as words: a line for a shell, or a program and its arguments."""
    if isinstance(value, list):
        for one in cast(list[object], value):
            yield from _commands(one)
    elif isinstance(value, dict):
        table = cast(dict[str, Any], value)
        command, arguments = table.get("command"), table.get("args")
        more = [str(one) for one in cast(list[object], arguments)] if isinstance(arguments, list) else []
        if isinstance(command, list):
            yield [str(one) for one in cast(list[object], command)]
        elif isinstance(command, str):
            yield [command, *more] if more else _words(command)
        for one in table.values():
            yield from _commands(one)


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()


def _pruned(value: object) -> object:
    if not isinstance(value, dict):
        return value
    table = {key: _pruned(one) for key, one in cast(dict[str, object], value).items()}
    return {key: one for key, one in table.items() if one not in ({}, [])}


def _at(value: Any, path: Sequence[str]) -> object:
    for word in path:
        value = cast(dict[str, Any], value).get(word) if isinstance(value, dict) else None
    return value
