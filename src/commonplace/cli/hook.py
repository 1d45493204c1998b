"""`hook`: what other agents call at the moments of a conversation. Nobody types these."""

import json
import sys
from pathlib import Path

import click

from commonplace.cli.call import common, current
from commonplace.hooks.clients import CLIENTS


@click.group(short_help="What other agents call; `install` sets it up.")
@common
def hook() -> None:
    """What other agents call at the moments of a conversation; `commonplace install` sets them up."""


def _command(name: str, label: str) -> None:
    @hook.command(name, short_help=f"A hook of {label}.")
    @common
    def called() -> None:
        from commonplace.hooks.running import answered

        answer = answered(current().app, name, sys.stdin.buffer.read().decode("utf-8", "replace"), Path.cwd())
        print(json.dumps(answer, ensure_ascii=True))

    called.help = f"One event of {label}, as JSON on standard input; the answer is JSON on standard output."


for _client in CLIENTS.values():
    _command(_client.name, _client.label)


@hook.command()
@click.option("--folder", metavar="FOLDER", default=".", help="Where the agent works.")
@click.option("--session", metavar="SESSION", default="", help="Only this conversation.")
@click.option("--take-in", is_flag=True, help="Only copy what was said; do not log it yet.")
@click.option("--ended", is_flag=True, help="This conversation has ended.")
@common
def work(folder: str, session: str, take_in: bool, ended: bool) -> None:
    """Take in what agents wrote down and log it: what a hook leaves for later."""
    from commonplace.hooks.running import work as do

    call = current()
    memory = call.app.memory_in(Path(folder))
    if call.app.settings.hooks != "off":
        do(call.app, memory, session, flush=not take_in, ended=ended)
    if memory.book.identity() is not None:
        call.app.note_book(memory)
    call.answer({"result": "done", "book": memory.address}, "Done.")
