"""One call of the command: the options that every command has, the book it works on, and how it answers."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import click

from commonplace.cli.output import print_json, say, warn
from commonplace.errors import CommonplaceError, ValidationError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from commonplace.app import App
    from commonplace.memory import Memory

_F = TypeVar("_F", bound=Callable[..., Any])


class Refused(CommonplaceError):
    """An outcome that is no success: what --json adds to code, message and hint is in `details`."""

    def __init__(self, message: str, *, hint: str = "", details: dict[str, object] | None = None) -> None:
        super().__init__(message, hint=hint)
        self.details = details or {}


class NotStored(Refused):
    """The gate did not let something through; the code is the rule that fired."""

    def __init__(self, code: str, message: str, *, hint: str = "", details: dict[str, object] | None = None) -> None:
        super().__init__(message, hint=hint, details=details)
        self.code = code


class Declined(Refused):
    code = "declined"


class LeftOver(Refused):
    code = "left_over"


class Call:
    """What the options before and after the command's name say together."""

    def __init__(self) -> None:
        self.book: str | None = None
        self.json = False
        self.debug = False

    @cached_property
    def app(self) -> "App":
        from commonplace.app import App

        return App(book=self.book)

    def forget_app(self) -> None:
        """The choice of the book was made anew."""
        vars(self).pop("app", None)

    def reading(self) -> "Memory":
        return self.app.open()

    @contextmanager
    def writing(self, *, quiet: bool = False) -> Generator["Memory"]:
        """The book, for a change; afterwards it is on the list of books, and what a person should know is said. When
        `quiet`, the answer alone goes to standard output."""
        memory = self.app.open()
        fresh = memory.book.identity() is None
        yield memory
        if fresh and memory.book.identity() is not None and not self.json and not quiet:
            say(f"A new book begins in {memory.address}")
        self.app.note_book(memory)
        for name in memory.book.rescued:
            warn(f"An edit that was saved during a crash is kept as {name}: compare it with MEMORY.md.")

    def answer(self, value: object, *sentences: str) -> None:
        """Say what happened: `value` as JSON, or the sentences."""
        if self.json:
            print_json(value)
        else:
            for sentence in sentences:
                say(sentence)

    @property
    def can_ask(self) -> bool:
        return not self.json and sys.stdin.isatty() and sys.stdout.isatty()

    def confirm(self, question: str, *, yes: bool, otherwise: str) -> None:
        """Go on only with a yes: given by --yes or by a person at a terminal."""
        if yes:
            return
        if not self.can_ask:
            raise ValidationError(otherwise, hint="Add --yes to do it without being asked.")
        try:
            reply = input(f"{question} [y/N] ")
        except EOFError:
            reply = ""
        if reply.strip().lower() not in {"y", "yes"}:
            raise Declined("Nothing was changed.")


def current() -> Call:
    return click.get_current_context().ensure_object(Call)


def _keep(ctx: click.Context, param: click.Parameter, value: object) -> None:
    if value is not None and value is not False:
        setattr(ctx.ensure_object(Call), param.name, value)


def _books(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """What may follow --book: the names of books, and folders."""
    from click.shell_completion import CompletionItem

    from commonplace.app import App

    names = [CompletionItem(book.name) for book in App().shelf.books if book.name.startswith(incomplete)]
    return [*names, CompletionItem(incomplete, type="dir")]


def common(command: _F) -> _F:
    """The options that every command takes, before or after its name."""
    options = (
        click.option(
            "--book",
            metavar="BOOK",
            help="Name or folder of the book.",
            expose_value=False,
            callback=_keep,
            shell_complete=_books,
        ),
        click.option("--json", is_flag=True, help="Answer with one JSON document.", expose_value=False, callback=_keep),
        click.option("--debug", is_flag=True, hidden=True, expose_value=False, callback=_keep),
    )
    for option in reversed(options):
        command = option(command)
    return command


def text_from(words: tuple[str, ...] | str) -> str:
    """The text of an argument: several words are joined, and a single `-` means standard input."""
    text = words if isinstance(words, str) else " ".join(words)
    if text != "-":
        return text
    if sys.stdin.isatty():
        print("Type the text; end with Ctrl-D.", file=sys.stderr)
    return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
