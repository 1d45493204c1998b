"""The composition root: the only place that reads the environment and settings files, and wires the rest.

It decides which book is meant, what the settings are and where each came from, and keeps the list of books this
user has. That list is also the guard against a disk that is not mounted: a book that was there and is gone is an
error, never an empty book.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

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
from commonplace.files.text import decode, printable
from commonplace.memory import Memory, SystemClock
from commonplace.places import PROJECTS, book_name, user_folder
from commonplace.stores import is_address, open_storage

if TYPE_CHECKING:
    import threading

    from commonplace.agent.conversation import Conversation
    from commonplace.agent.lifecycle import Lifecycle
    from commonplace.ports import ChatModel, Clock
    from commonplace.providers.chatmodels import ConfiguredModel
    from commonplace.types.chatting import Usage
    from commonplace.types.keeping import Finding, Moved

SHELF_FILE = "books.json"
_TMP = "/tmp"  # noqa: S108 nothing is written there: books that are there come and go
_PREFIX = "COMMONPLACE_"
_TOKEN = "_TOKEN"  # noqa: S105 how their names end
_NAME = re.compile(r"[^\W_][\w-]{0,63}")
_SHELF_LOCK_SECONDS = 2.0


Place: TypeAlias = Path | str
"""Where a book is: a folder, or an address (which has `://` in it and never a password)."""


class KnownBook(NamedTuple):
    """A book of this user: where it is, what it is called, and the identity it must have."""

    path: Place
    name: str
    id: str


class Choice(NamedTuple):
    """The book that is meant, and what chose it."""

    path: Place
    origin: str


class Token(NamedTuple):
    """What a client must send to be answered, the file that keeps it (None: it was given), and whether it is new."""

    value: str
    file: Path | None
    fresh: bool = False


class Shelf:
    """The list of this user's books, and which of them is the default. Nothing in it is needed to read a book."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._storage = FolderStorage(folder, lock_timeout=_SHELF_LOCK_SECONDS)
        self.books: tuple[KnownBook, ...] = ()
        self.default: Place | None = None
        self.trouble: CommonplaceError | None = None
        try:
            self._load()
        except CommonplaceError as error:
            self.trouble = error

    @property
    def file(self) -> Path:
        return self.folder / SHELF_FILE

    def at(self, path: Place) -> KnownBook | None:
        wanted = _really(path)
        return next((book for book in self.books if _really(book.path) == wanted), None)

    def named(self, name: str) -> KnownBook | None:
        return next((book for book in self.books if book.name.casefold() == name.casefold()), None)

    def add(self, path: Place, id: str, name: str | None = None) -> KnownBook:
        """Put a book on the list (or correct its entry); a name that is taken is refused, a made-up one numbered."""
        if name is not None:
            check_name(name)
        _make_folder(self.folder)
        with self._storage.lock():
            self._load()
            known = self.at(path)
            others = [book for book in self.books if book is not known]
            taken = {book.name.casefold() for book in others}
            if name is not None and name.casefold() in taken:
                raise ValidationError(
                    f"Another book is called {name!r} already.", hint="Choose another name, or see: commonplace books"
                )
            book = KnownBook(path, name or (known.name if known else _free_name(path, taken)), id)
            self._store((*others, book), self.default)
        return book

    def remove(self, book: KnownBook) -> None:
        with self._storage.lock():
            self._load()
            default = None if self.default == book.path else self.default
            self._store(tuple(other for other in self.books if other.path != book.path), default)

    def make_default(self, path: Place | None) -> None:
        _make_folder(self.folder)
        with self._storage.lock():
            self._load()
            self._store(self.books, path)

    def _load(self) -> None:
        data = self._storage.read(SHELF_FILE).data
        self.books, self.default = _parse_shelf(data, self.file) if data is not None else ((), None)

    def _store(self, books: tuple[KnownBook, ...], default: Place | None) -> None:
        listed = [{"name": book.name, "path": str(book.path), "id": book.id} for book in books]
        record = {"format": 1, "default": None if default is None else str(default), "books": listed}
        self._storage.collect_leftovers()
        text = json.dumps(record, indent=1).encode() + b"\n"
        self._storage.write(SHELF_FILE, text, expected=self._storage.read(SHELF_FILE).version)
        self.books, self.default, self.trouble = books, default, None


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
        data = open_storage(self.choice.path, _SHELF_LOCK_SECONDS).read(SETTINGS_FILE).data
        if data is not None:
            mapping = _parse_toml(data, origin)
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
        return _parse_toml(_read_settings(self.user_file), str(self.user_file))

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
            storage = open_storage(place, _SHELF_LOCK_SECONDS)
            before = storage.read(SETTINGS_FILE)
            storage.write(
                SETTINGS_FILE, _with_values(before.data or b"", self.book_file, values), expected=before.version
            )
            return self.book_file
        file = Path(self.book_file) if in_book else self.user_file
        replace_file(file, _with_values(_read_settings(file), str(file), values))
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

        _make_folder(self.data_folder)
        usage = DailyUsage(FolderStorage(self.data_folder, lock_timeout=_SHELF_LOCK_SECONDS))
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

        _make_folder(self.data_folder)
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

        return DailyUsage(FolderStorage(self.data_folder, lock_timeout=_SHELF_LOCK_SECONDS)).days()

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


def place_of(memory: Memory) -> Place:
    """Where an open book is."""
    return _place(memory.address)


def missing_book(known: KnownBook) -> BookMissing | None:
    """Why the folder of a known book does not hold that book; None when it does."""
    try:
        found = Memory.open(known.path).book.identity()
    except BookMissing as error:
        return error
    except CommonplaceError as error:
        return BookMissing(f"The book {known.name!r} cannot be opened: {error.message}", hint=error.hint)
    if found is not None and found.id == known.id:
        return None
    if found is not None:
        return BookMissing(
            f"{known.path} holds another book than {known.name!r}, which was there before.",
            hint=f"If that is right: commonplace books add {_quoted(known.path)}. If not, put the old folder back.",
        )
    state = "holds no book" if isinstance(known.path, str) or known.path.is_dir() else "does not exist"
    return BookMissing(
        f"The book {known.name!r} is not there: {known.path} {state}.",
        hint="Is its disk mounted? Was it moved? "
        f"To begin a new one there: commonplace init --book {_quoted(known.path)}. "
        f"To take it off the list: commonplace books remove {known.name}",
    )


def _really(place: Place) -> str:
    """What tells whether two words name one place."""
    return place if isinstance(place, str) else os.path.realpath(place)


def _with_values(data: bytes, origin: str, values: Mapping[str, object]) -> bytes:
    from commonplace.tomltext import with_value

    _parse_toml(data, origin)  # a file that is wrong already is told as that
    text = decode(data, origin)
    for key, value in values.items():
        text = with_value(text, key, list(cast(tuple[object, ...], value)) if isinstance(value, tuple) else value)
    return text.encode("utf-8", "surrogateescape")


def _make_folder(wanted: Path) -> None:
    for folder in reversed([wanted, *wanted.parents]):
        if not folder.exists():
            folder.mkdir(0o700, exist_ok=True)


def _read_settings(file: Path) -> bytes:
    """What a settings file holds; one that is not there holds nothing."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise ConfigError(f"Cannot read {file}: {error.strerror or error}.", hint="Correct its permissions.") from error


def replace_file(file: Path, data: bytes) -> None:
    """Put a file in place as a whole. A link (many people keep their settings elsewhere) stays one."""
    target = Path(os.path.realpath(file))
    _make_folder(target.parent)
    new = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o600
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(new, target)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise StorageError(
            f"{file} cannot be written: {error.strerror or error}.", hint="Free some space, or correct its permissions."
        ) from error


def check_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValidationError(
            f"{printable(name)!r} cannot be the name of a book.",
            hint="Use letters, digits, '-' and '_', a letter or digit first, at most 64 characters.",
        )
    return name


def _free_name(path: Place, taken: set[str]) -> str:
    called = os.path.basename(path.partition("?")[0] if isinstance(path, str) else path)
    base = re.sub(r"[^\w-]+", "-", called).strip("-_")[:50] or "book"
    numbered = (f"{base}-{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (base, *numbered) if name.casefold() not in taken)


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


def _parse_toml(data: bytes, origin: str) -> dict[str, object]:
    if not data:
        return {}
    import tomllib

    from commonplace.tomltext import flattened

    try:
        return flattened(tomllib.loads(decode(data, origin)))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{origin} is not valid TOML: {error}.", hint="Correct that line.") from error
    except CommonplaceError as error:
        raise ConfigError(error.message, hint=error.hint) from error


def _parse_shelf(data: bytes, file: Path) -> tuple[tuple[KnownBook, ...], Place | None]:
    try:
        raw = cast(dict[str, object], json.loads(data))
        listed = cast(list[dict[str, object]], raw["books"])
        books = tuple(KnownBook(_place(str(b["path"])), str(b["name"]), str(b["id"])) for b in listed)
        default = raw.get("default")
        return books, None if default is None else _place(str(default))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise StorageError(
            f"{file} cannot be read.",
            hint="Move it away (no book is harmed), then: commonplace books add PATH for each of your books.",
        ) from None


def _place(word: str) -> Place:
    return word if is_address(word) else Path(word)


def _quoted(path: Place) -> str:
    import shlex

    return shlex.quote(str(path))
