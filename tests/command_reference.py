"""Writes docs/commands.md from the help of the commands: python -m tests.command_reference"""

from collections.abc import Iterator
from pathlib import Path

import click

from commonplace.cli.root import commonplace

PAGE = Path(__file__).parent.parent / "docs" / "commands.md"
_WIDTH = 96
_INTRODUCTION = """\
# Commands

Made from the commands' own `--help` by `python -m tests.command_reference`; a test keeps the two in step.

`--book` and `--json` may stand before or after the name of the command. `--book` takes the name of a book on your list
or a folder: anything with a `/`, anything that starts with `.` or `~`, or a folder that exists. Without it, the book is
the one in `COMMONPLACE_BOOK`, else `book` in your configuration file, else the one that `commonplace books default`
chose, else `book` in your data folder. An empty value is an error, never the current folder.

`--json` answers with exactly one document, also for errors ([exit statuses](exit-codes.md)). Without it, answers go to
standard output, errors and warnings to standard error. Colour is for terminals only; `NO_COLOR` turns it off.
"""


def reference() -> str:
    """The whole page."""
    sections = [_INTRODUCTION]
    for path, command in commands():
        title = " ".join(path)
        sections.append(f"## {title}\n\n```\n{_help(command, title)}\n```\n")
    return "\n".join(sections)


def commands() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """The root, every command, and every command of a group."""
    yield from _below(("commonplace",), commonplace)


def _below(path: tuple[str, ...], command: click.Command) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            if child is not None:
                yield from _below((*path, name), child)


def _help(command: click.Command, title: str) -> str:
    context = click.Context(command, info_name=title, terminal_width=_WIDTH, max_content_width=_WIDTH)
    return command.get_help(context).strip()


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
