"""`init` and `books`: beginning a book, and the list of books this user has."""

import click

from commonplace.cli.call import Call, common, current
from commonplace.cli.output import counted, say
from commonplace.errors import NotFound, ValidationError
from commonplace.memory import Memory
from commonplace.shelf import KnownBook, missing_book


@click.command()
@click.option("--name", metavar="NAME", help="A short name to use with --book.")
@common
def init(name: str | None) -> None:
    """Begin a book.

    Where --book says; with --name alone, in a folder of that name in your data folder; with neither, your first book.
    What is already in the folder stays and becomes part of the book.
    """
    call = current()
    app = call.app
    if name is not None and call.book is None:
        taken = app.shelf.named(name)
        call.book = str(taken.path if taken is not None else app.place_for(name))
        call.forget_app()
        app = call.app
    memory = app.open(guarded=False)
    holder = app.shelf.named(name) if name is not None else None
    if holder is not None and app.shelf.at(app.choice.path) != holder:
        raise ValidationError(f"Another book is called {name!r}: {holder.path}.", hint="Choose another name.")
    fresh = memory.create()
    known = app.note_book(memory, name)
    call.answer(
        {"result": "created" if fresh else "exists", "book": memory.address, "name": known.name if known else None},
        f"A new book begins in {memory.address}"
        if fresh
        else f"There is a book in {memory.address} already; it is unchanged.",
        f"Its name is {known.name}: commonplace --book {known.name} …" if known else "It is on no list of books.",
    )


@click.group(short_help="List your books and choose the default.", invoke_without_command=True)
@common
@click.pass_context
def books(ctx: click.Context) -> None:
    """The books you have: list, default, add, remove, move. Alone, it lists them."""
    if ctx.invoked_subcommand is None:
        _list(current())


@books.command("list")
@common
def list_() -> None:
    """List your books; * marks the one used when none is named."""
    _list(current())


@books.command()
@click.argument("wanted", metavar="NAME_OR_PATH", required=False)
@common
def default(wanted: str | None) -> None:
    """Choose the book that is used when none is named. Without a name, say which it is."""
    call = current()
    app = call.app
    if wanted is None:
        call.answer({"book": app.choice.path, "chosen_by": app.choice.origin}, str(app.choice.path))
        return
    path = app.find_book(wanted)
    _identity(path)
    known = app.note_book(Memory.open(path))
    app.shelf.make_default(path)
    call.answer(
        {"result": "default", "book": path, "name": known.name if known else None}, f"The default book is {path}"
    )
    if app.choice.path != path and not call.json:
        say(f"Here {app.choice.origin} comes first: {app.choice.path}")


@books.command()
@click.argument("path")
@click.option("--name", metavar="NAME", help="A short name to use with --book.")
@common
def add(path: str, name: str | None) -> None:
    """Put an existing book on the list, after you moved or copied it."""
    call = current()
    found = call.app.find_book(path)
    known = call.app.shelf.add(found, _identity(found), name)
    call.answer({"result": "added", "name": known.name, "book": known.path}, f"{known.name} is {known.path}")


@books.command()
@click.argument("name")
@common
def remove(name: str) -> None:
    """Take a book off the list. Its files stay where they are."""
    call = current()
    shelf = call.app.shelf
    known = shelf.named(name) or shelf.at(call.app.find_book(name))
    if known is None:
        raise NotFound(f"{name!r} is not on the list.", hint="commonplace books shows it.")
    shelf.remove(known)
    call.answer(
        {"result": "removed", "name": known.name, "book": known.path},
        f"{known.name} is off the list; its files stay in {known.path}",
    )


@books.command(short_help="Copy a book to another place, and use it there.")
@click.argument("which", metavar="BOOK")
@click.argument("to")
@common
def move(which: str, to: str) -> None:
    """Copy a book with its whole history to a folder or an address that has none, prove that it arrived, and use it
    there from now on. The old one stays as it is."""
    call = current()
    moved = call.app.move(call.app.find_book(which), to)
    call.answer(
        {"result": "moved", **{name: getattr(moved, name) for name in moved.__slots__}},
        f"{counted(moved.files, 'file')} and {counted(moved.changes, 'change')} are in {moved.target} now.",
        f"Proof: all {moved.bytes} bytes were compared (SHA-256 of names and contents {moved.digest}), and the history "
        f"has the same ids (newest change {moved.head}).",
        f"The old book stays in {moved.source}; nothing uses it any more.",
    )


def _list(call: Call) -> None:
    app = call.app
    used = app.choice.path
    listed = [_described(book, book.path == used) for book in app.shelf.books]
    if call.json:
        call.answer({"books": listed, "used": used, "chosen_by": app.choice.origin})
        return
    for book in listed:
        mark, state = "*" if book["used"] else " ", "" if book["there"] else "  (missing)"
        say(f"{mark} {book['name']!s:<16} {book['path']}{state}")
    if not any(book["used"] for book in listed):
        state = "not on the list" if Memory.open(str(used)).book.identity() else "not begun yet"
        say(f"* ({state})  {used}")


def _described(book: KnownBook, used: bool) -> dict[str, object]:
    return {
        "name": book.name,
        "path": str(book.path),
        "id": book.id,
        "used": used,
        "there": missing_book(book) is None,
    }


def _identity(path: object) -> str:
    found = Memory.open(str(path)).book.identity()
    if found is None:
        raise NotFound(f"There is no book in {path}.", hint=f"Begin one: commonplace init --book {path}")
    return found.id
