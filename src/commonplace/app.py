"""The composition root: the only place that reads the environment and settings files, and wires the rest.

It decides which book is meant (`shelf` lists those there are), what the settings are and where each came from.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from commonplace.config import (
    SETTINGS,
    ModelSettings,
    Settings,
    Value,
    check_book_file,
    parsed,
    setting_of,
    settings_from,
    settle,
)
from commonplace.errors import (
    BookBusy,
    BookMissing,
    CommonplaceError,
    ConfigError,
    Conflict,
    NotFound,
    StorageError,
    ValidationError,
)
from commonplace.files.folder import FolderStorage
from commonplace.files.folders import SETTINGS_FILE
from commonplace.files.text import printable
from commonplace.memory import Memory, SystemClock
from commonplace.places import PROJECTS, book_name, user_folder
from commonplace.settingsfiles import make_folder, parse_toml, read_settings, replace_file, with_values
from commonplace.shelf import LOCK_SECONDS, KnownBook, Place, Shelf, check_name, missing_book, place_of
from commonplace.stores import is_address, open_storage

if TYPE_CHECKING:
    import threading

    from commonplace.agent.conversation import Conversation
    from commonplace.agent.lifecycle import Lifecycle
    from commonplace.ports import ChatModel, Clock
    from commonplace.providers.chatmodels import ConfiguredModel
    from commonplace.types.chatting import Usage
    from commonplace.types.keeping import Finding, Moved

_TMP = "/tmp"  # noqa: S108 nothing is written there: books that are there come and go
_PREFIX = "COMMONPLACE_"
_TOKEN = "_TOKEN"  # noqa: S105 how their names end


class Choice(NamedTuple):
    """The book that is meant, and what chose it."""

    path: Place
    origin: str


class Token(NamedTuple):
    """What a client must send to be answered, the file that keeps it (None: it was given), and whether it is new."""

    value: str
    file: Path | None
    fresh: bool = False


class App:
    """What one call of the program works with: the chosen book, the settings in force, and the shelf."""

    def __init__(
        self, *, book: str | None = None, environment: Mapping[str, str] | None = None, clock: Clock | None = None
    ) -> None:
        self._book = book
        self._environment = os.environ if environment is None else environment
        self._clock = clock
        self.warnings: list[str] = []

    @property
    def environment(self) -> Mapping[str, str]:
        return self._environment

    def anew(self) -> App:
        """The same call, with settings and books as they are now."""
        return App(book=self._book, environment=self._environment, clock=self._clock)

    def for_book(self, place: str) -> App:
        """The same surroundings, with another book."""
        return App(book=place, environment=self._environment, clock=self._clock)

    # -- places ----------------------------------------------------------------------------------------------

    @cached_property
    def data_folder(self) -> Path:
        return Path(user_folder("data"))

    @cached_property
    def user_file(self) -> Path:
        return Path(user_folder("config"), "config.toml")

    @cached_property
    def shelf(self) -> Shelf:
        shelf = Shelf(self.data_folder)
        if shelf.trouble is not None:
            self.warnings.append(
                f"The list of your books cannot be used: {shelf.trouble.message} {shelf.trouble.hint}".rstrip()
            )
        return shelf

    # -- settings --------------------------------------------------------------------------------------------

    @cached_property
    def values(self) -> dict[str, Value]:
        """Every setting with its value and where it came from, for the chosen book."""
        flags = {} if self._book is None else {"book": self._book}
        sources: list[tuple[str, Mapping[str, object]]] = [("--book", flags)]
        sources += [(name, {key: value}) for name, key, value in self._from_environment]
        origin = self.book_file
        data = open_storage(self.choice.path, LOCK_SECONDS).read(SETTINGS_FILE).data
        if data is not None:
            mapping = parse_toml(data, origin)
            check_book_file(mapping, origin)
            sources.append((origin, mapping))
        sources.append((str(self.user_file), self._from_user_file))
        return settle(sources)

    @property
    def book_file(self) -> str:
        """Where the chosen book's own settings are, in words."""
        return os.path.join(self.choice.path, SETTINGS_FILE)

    @cached_property
    def settings(self) -> Settings:
        return settings_from(self.values)

    def in_force(self, key: str) -> tuple[object, str]:
        """The value of a setting as a person would write it, and where it came from."""
        value = self.values[key]
        if key == "book":
            return str(self.choice.path), self.choice.origin
        return "off" if value.value is None else value.value, value.origin

    @cached_property
    def _from_environment(self) -> list[tuple[str, str, str]]:
        keys = {setting.variable: setting.key for setting in SETTINGS}
        found = {
            name: value
            for name, value in self._environment.items()
            if name.startswith(_PREFIX) and not name.endswith(_TOKEN)  # a token is no setting: it is never shown
        }
        for name, value in found.items():
            if name not in keys:
                raise ConfigError(
                    f"The environment sets {name}, which is not a setting.",
                    hint=_unset(name, keys),
                )
            if not value.strip():
                raise ConfigError(
                    f"The environment variable {name} is empty.", hint=f"Unset it, or give it a value: unset {name}"
                )
        return [(name, keys[name], value) for name, value in found.items()]

    @cached_property
    def _from_user_file(self) -> dict[str, object]:
        return parse_toml(read_settings(self.user_file), str(self.user_file))

    def set_value(self, key: str, text: str | None, *, in_book: bool = False) -> str:
        """Set one setting, as a person writes it; None takes it out."""
        setting = setting_of(key)
        value = None if text is None else parsed(setting, text, "this command")
        return self.set_values({key: "off" if text is not None and value is None else value}, in_book=in_book)

    def set_values(self, values: Mapping[str, object], *, in_book: bool = False) -> str:
        """Set settings in the user's file, or in the book's own; None takes one out. The rest of the file stays."""
        place = self.choice.path
        if in_book:
            check_book_file(values, self.book_file)
        if in_book and isinstance(place, str):
            storage = open_storage(place, LOCK_SECONDS)
            before = storage.read(SETTINGS_FILE)
            storage.write(
                SETTINGS_FILE, with_values(before.data or b"", self.book_file, values), expected=before.version
            )
            return self.book_file
        file = Path(self.book_file) if in_book else self.user_file
        replace_file(file, with_values(read_settings(file), str(file), values))
        return str(file)

    # -- which book ------------------------------------------------------------------------------------------

    @cached_property
    def choice(self) -> Choice:
        """The book that is meant: flag, environment, user's file, chosen default, and last the standard place."""
        if self._book is not None:
            if not self._book.strip():
                raise ValidationError(
                    "--book is empty.", hint="Name a book or a folder; Commonplace never guesses the current folder."
                )
            return Choice(self.find_book(self._book), "--book")
        for name, key, value in self._from_environment:
            if key == "book":
                return Choice(self.find_book(value), name)
        if "book" in self._from_user_file:
            return Choice(self._from_settings(self._from_user_file["book"]), str(self.user_file))
        if self.shelf.default is not None:
            return Choice(self.shelf.default, "commonplace books default")
        return Choice(self.data_folder / "book", "default")

    def find_book(self, word: str) -> Place:
        """The folder or address that a name, a path or an address stands for."""
        known = self.shelf.named(word)
        if known is not None:
            return known.path
        if is_address(word):
            return word
        if os.sep in word or word.startswith((".", "~")) or os.path.isdir(word):
            return _absolute(word)
        names = ", ".join(book.name for book in self.shelf.books)
        raise NotFound(
            f"There is no book called {printable(word)!r}. "
            + (f"Known books: {names}." if names else "None is known."),
            hint=f"For a new one: commonplace init --name {word} (or, in a folder here: init --book ./{word})",
        )

    def _from_settings(self, value: object) -> Place:
        if not isinstance(value, str) or not value.strip():
            raise ConfigError(
                f"book in {self.user_file} is {value!r}; it must be a name or a path.",
                hint="Correct it there, or remove the line.",
            )
        path = self.find_book(value)
        if self.shelf.named(value) is None and isinstance(path, Path) and not Path(value).expanduser().is_absolute():
            raise ConfigError(
                f"book in {self.user_file} is {value!r}, a path that depends on the current folder.",
                hint="Write the whole path there, or one that starts with ~/.",
            )
        return path

    def listed(self) -> list[tuple[KnownBook, BookMissing | None]]:
        """This user's books, and what is wrong with those that are not where they were."""
        return [(book, missing_book(book)) for book in self.shelf.books]

    def place_for(self, name: str) -> Path:
        """Where a new book goes that has a name and no path."""
        return self.data_folder / "books" / check_name(name)

    # -- opening ---------------------------------------------------------------------------------------------

    def open(self, *, guarded: bool = True) -> Memory:
        """The chosen book. A guarded one must be what it was when it was last seen."""
        if guarded:
            problem = self.missing()
            if problem is not None:
                raise problem
        return Memory.open(self.choice.path, settings=self.settings, clock=self._clock)

    def chat_model(
        self, settings: ModelSettings | None = None, *, stop: threading.Event | None = None
    ) -> ChatModel | None:
        """The model that the settings name, with its tokens counted; None when none is configured. Once `stop` is set,
        it is waited for no longer."""
        model = self._configured_model(settings, stop)
        if model is None:
            return None
        from commonplace.providers.chatmodels.metering import DailyUsage, MeteredModel

        make_folder(self.data_folder)
        usage = DailyUsage(FolderStorage(self.data_folder, lock_timeout=LOCK_SECONDS))
        metered = MeteredModel(model, usage, self._clock or SystemClock(), self.settings.model.daily_tokens)
        if stop is None:
            return metered
        from commonplace.flows.modelcalls import StoppableModel

        return StoppableModel(metered, stop)

    def _configured_model(
        self, settings: ModelSettings | None = None, stop: threading.Event | None = None
    ) -> ConfiguredModel | None:
        from commonplace.providers.chatmodels import chat_model
        from commonplace.providers.chatmodels.surroundings import Surroundings

        around = Surroundings(self._environment, stop.wait, stop) if stop else Surroundings(self._environment)
        return chat_model(settings or self.settings.model, around)

    def lifecycle(self, memory: Memory) -> Lifecycle:
        """What happens to a book in the background, with the configured model."""
        from commonplace.agent.lifecycle import Lifecycle

        return Lifecycle(memory, self.chat_model(), self._clock or SystemClock())

    def memory_in(self, folder: Path) -> Memory:
        """The memory of an agent that works in `folder`: the project's book beside the person's. A book that was named
        with --book, or the wish to have one book for everything, stands alone."""
        personal = self.open()
        if self._book is not None or self.settings.projects == "together":
            return personal
        from commonplace.projects import ProjectMemory

        path = self.data_folder / PROJECTS / book_name(folder)
        known = self.shelf.at(path)
        if known is not None and (problem := missing_book(known)) is not None:
            raise problem
        own = ProjectMemory.open(path, settings=self.settings, clock=self._clock)
        return cast(ProjectMemory, own).beside(personal)

    def conversation(self) -> Conversation:
        """A chat with the chosen book and the configured model."""
        from commonplace.agent.conversation import Conversation

        return Conversation(self.open(), self.chat_model(), self._clock or SystemClock())

    def missing(self) -> BookMissing | None:
        """What is wrong with a book that should be there; None when nothing is."""
        known = self.shelf.at(self.choice.path)
        if known is None:
            return None
        return missing_book(known)

    def note_book(self, memory: Memory, name: str | None = None) -> KnownBook | None:
        """Put a book that was written to on the shelf. Trouble with the list is told, and never fails the write."""
        identity = memory.book.identity()
        place = place_of(memory)
        known = self.shelf.at(place)
        if identity is None or self.shelf.trouble is not None:  # told already; its owner should look at the list
            return known
        if known is None and name is None and self._is_passing(place):
            return None  # what is begun in the system's folder for temporary files may go without being missed
        if known is not None and known.id == identity.id and name in {None, known.name}:
            return known
        try:
            return self.shelf.add(place, identity.id, name)
        except (BookBusy, Conflict, StorageError, OSError) as error:
            self.warnings.append(f"This book could not be put on the list of your books: {error}")
            return None

    def move(self, place: Place, to: str) -> Moved:
        """Copy a book to another place, and have the list of books name that one."""
        target: Place = to if is_address(to) else _absolute(to)
        known, was_default = self.shelf.at(place), self.shelf.default == place
        moved = Memory.open(place, settings=self.settings, clock=self._clock).move_to(target)
        if known is not None:
            self.shelf.remove(known)
        self.shelf.add(target, moved.id, known.name if known else None)
        if was_default:
            self.shelf.make_default(target)
        return moved

    def _is_passing(self, place: Place) -> bool:
        if isinstance(place, str):
            return place.startswith(("memory:", ":memory:"))
        return place.is_relative_to(self._environment.get("TMPDIR") or _TMP)

    # -- tokens ----------------------------------------------------------------------------------------------

    def token(self, door: str) -> Token | None:
        """What opens a door of this program (`mcp`): from the environment, or made at an earlier start."""
        variable = f"{_PREFIX}{door.upper()}{_TOKEN}"
        if given := self._environment.get(variable, "").strip():
            return Token(given, None)
        file = self.data_folder / f"{door}-token"
        try:
            return Token(file.read_text(encoding="utf-8").strip(), file)
        except FileNotFoundError:
            return None

    def token_or_new(self, door: str) -> Token:
        """The token of a door; a new one is kept for its owner's eyes alone."""
        known = self.token(door)
        if known is not None:
            return known
        import secrets

        make_folder(self.data_folder)
        file, value = self.data_folder / f"{door}-token", secrets.token_urlsafe(32)
        try:
            opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except FileExistsError:  # another process was quicker
            return self.token_or_new(door)
        with os.fdopen(opened, "w", encoding="utf-8") as kept:
            kept.write(f"{value}\n")
        return Token(value, file, fresh=True)

    # -- doctor ----------------------------------------------------------------------------------------------

    def check(self) -> list[Finding]:
        """What is right and wrong around the book: settings and the list of books. The book checks itself."""
        from commonplace.types.keeping import Finding

        findings: list[Finding] = []
        try:
            _ = self.values
            findings.append(Finding("settings", "ok", ""))
        except CommonplaceError as error:
            findings.append(Finding("settings", "error", error.message, error.hint))
        trouble = self.shelf.trouble
        if trouble is not None:
            findings.append(Finding("books", "warning", trouble.message, trouble.hint))
        gone = [problem for _, problem in self.listed() if problem is not None]
        findings += [Finding("books", "warning", problem.message, problem.hint) for problem in gone]
        if trouble is None and not gone:
            findings.append(Finding("books", "ok", ""))
        return findings

    def examine(self, *, full: bool = False) -> list[Finding]:
        """What is right and wrong with the chosen book, and around it."""
        from commonplace.types.keeping import Finding

        findings = self.check()
        try:
            problem, place = self.missing(), self.choice.path
            if problem is None and isinstance(place, Path) and not place.exists():
                beginning = "The first entry begins it, and so does commonplace init."
                findings.insert(0, Finding("book", "note", "There is no book here yet.", beginning))
            elif problem is None:
                memory = Memory.open(place)
                findings = [*memory.check(full=full), *self.check_conversations(memory), *findings]
            self.warnings.clear()  # told as a finding
        except CommonplaceError as error:
            if not any(finding.message == error.message for finding in findings):
                findings.append(Finding("book", "error", error.message, error.hint))
        return findings

    def usage(self) -> dict[date, Usage]:
        """The tokens that models used on each of the last days."""
        from commonplace.providers.chatmodels.metering import DailyUsage

        return DailyUsage(FolderStorage(self.data_folder, lock_timeout=LOCK_SECONDS)).days()

    def check_conversations(self, memory: Memory) -> list[Finding]:
        """Which model answers, and what was said that is not in the log."""
        from commonplace.agent.unflushed import check_flushes

        return [self._check_model(), *check_flushes(memory)]

    def _check_model(self) -> Finding:
        from commonplace.types.keeping import Finding

        try:
            model = self._configured_model()
            if model is not None:
                model.check()
        except CommonplaceError as error:
            return Finding("model", "error", error.message, error.hint)
        if model is None:
            return Finding("model", "note", "No chat model is configured.", "Choose one: commonplace setup")
        return Finding("model", "ok", f"{model.identity} answers and summarises")


def open_model(name: str | None = None) -> ChatModel:
    """A chat model in one line: the one that `commonplace setup` chose, or one by name, such as "ollama/qwen3:8b",
    "anthropic/claude-sonnet-4-5", "openai/gpt-5-mini", or "claude -p" for a program that answers a prompt."""
    app = App()
    settings = app.settings.model
    if name is not None:
        from commonplace.providers.chatmodels.naming import settings_of

        settings = settings_of(name, settings, app.environment)
    model = app.chat_model(settings)
    if model is None:
        raise ConfigError("No chat model is configured.", hint="Choose one: commonplace setup. Or name one here.")
    return model


def _absolute(word: str) -> Path:
    if "\0" in word:
        raise ValidationError("A path cannot hold a NUL character.", hint="Write the path again.")
    try:
        return Path(word).expanduser().absolute()
    except FileNotFoundError as error:
        raise ValidationError(
            "The current folder does not exist any more.", hint="Go to one that does, or write the whole path."
        ) from error
    except RuntimeError as error:  # ~nobody
        raise ValidationError(f"{printable(word)!r} is not a path: {error}.", hint="Write the whole path.") from error


def _unset(name: str, known: Iterable[str]) -> str:
    """How to get rid of a variable, and what was probably meant by it; not dozens of names."""
    from difflib import get_close_matches

    close = get_close_matches(name.upper().removeprefix(_PREFIX), [one.removeprefix(_PREFIX) for one in known], n=2)
    meant = f" Did you mean {' or '.join(_PREFIX + one for one in close)}?" if close else ""
    return f"Unset it: unset {name} (then `commonplace config` lists all settings).{meant}"
