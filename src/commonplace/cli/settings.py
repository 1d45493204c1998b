"""`config`: every setting, its value, where the value came from, and how to change it."""

import os

import click

from commonplace.cli.call import Call, common, current
from commonplace.cli.output import say
from commonplace.config import setting_of

_in_book = click.option("--in-book", is_flag=True, help="In the book's own file instead of yours.")


@click.group(short_help="Show and change settings.", invoke_without_command=True)
@common
@click.pass_context
def config(ctx: click.Context) -> None:
    """The settings: list, get, set or unset them. Alone, it lists all with where each value comes from."""
    if ctx.invoked_subcommand is None:
        _list(current())


@config.command("list")
@common
def list_() -> None:
    """Show every setting, its value and where it comes from."""
    _list(current())


@config.command()
@click.argument("key")
@common
def get(key: str) -> None:
    """Print the value of the setting KEY."""
    call = current()
    row = _row(call, setting_of(key).key)
    call.answer(row, _printed(row["value"]))


@config.command("set")
@click.argument("key")
@click.argument("value")
@_in_book
@common
def set_(key: str, value: str, in_book: bool) -> None:
    """Set KEY to VALUE in your settings file; comments and everything else in it stay."""
    _change(current(), key, value, in_book=in_book)


@config.command()
@click.argument("key")
@_in_book
@common
def unset(key: str, in_book: bool) -> None:
    """Take KEY out of your settings file: what else says something about it, or the default, counts again."""
    _change(current(), key, None, in_book=in_book)


def _change(call: Call, key: str, value: str | None, *, in_book: bool) -> None:
    file = call.app.set_value(key, value, in_book=in_book)
    call.forget_app()
    row = _row(call, key)
    told = f"{key} = {_printed(row['value'])}   (from: {row['origin']})"
    call.answer({"result": "unset" if value is None else "set", **row, "file": file}, told)
    if value is not None and row["origin"] != str(file) and not call.json:
        say(f"It is set in {file}, but {row['origin']} comes first.")


def _row(call: Call, key: str) -> dict[str, object]:
    value, origin = call.app.in_force(key)
    setting = setting_of(key)
    return {
        "key": key,
        "value": value,
        "origin": origin,
        "meaning": setting.meaning,
        "variable": setting.variable,
    }


def _printed(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] a list of words


def _list(call: Call) -> None:
    app = call.app
    rows = [_row(call, key) for key in app.values]
    files = {"user": str(app.user_file), "book": app.book_file, "books": str(app.shelf.file)}
    if call.json:
        call.answer({"settings": rows, "files": files})
        return
    for row in rows:
        say(f"{row['key']} = {_printed(row['value'])}")
        say(f"    {row['meaning']}")
        say(f"    from: {row['origin']}   variable: {row['variable']}")
    say("")
    say("A flag comes before the environment, then the book's file, then yours, then the default.")
    for label, file in (("your file", files["user"]), ("this book's file", files["book"])):
        say(f"{label}: {file}{'' if '://' in file or os.path.exists(file) else ' (not there)'}")
    say("To change one: commonplace config set KEY VALUE")
