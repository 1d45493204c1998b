"""`inbox`: what waits for the person's yes or no."""

from typing import assert_never

import click

from commonplace.cli.call import common, current
from commonplace.cli.output import counted, say, say_styled, shortened
from commonplace.errors import NotFound, ValidationError
from commonplace.files.inbox import WHY
from commonplace.types.changing import Forgotten, Revised
from commonplace.types.saving import Duplicate, Proposed, Saved, Waiting

_ALL = "all"


@click.group(invoke_without_command=True)
@common
@click.pass_context
def inbox(ctx: click.Context) -> None:
    """What waits for your yes or no."""
    if ctx.invoked_subcommand is None:
        _list()


@inbox.command("list")
@common
def list_() -> None:
    """List what waits, the oldest first."""
    _list()


@inbox.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option("--section", metavar="TITLE", help="Put it there instead.")
@click.option("--text", metavar="TEXT", help="In these words of yours; with one ID.")
@common
def accept(ids: tuple[str, ...], section: str | None, text: str | None) -> None:
    """Put what waits into the memory.

    ID is the id that `inbox list` shows, its beginning, or the text; `all` means everything.
    """
    call = current()
    if text is not None and (len(ids) > 1 or ids == (_ALL,)):
        raise click.UsageError("--text goes with one ID.", click.get_current_context())
    outcomes: list[object] = []
    with call.writing() as memory:
        for word in _meant(ids, memory.inbox()):
            try:
                outcome = memory.accept(word, section=section, text=text)
            except NotFound:
                if ids == (_ALL,):
                    continue  # somebody else decided it meanwhile
                raise
            result, told = _accepted(outcome)
            outcomes.append({"result": result, "outcome": outcome})
            if not call.json:
                say(told)
    if call.json:
        call.answer({"accepted": outcomes})


@inbox.command()
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@common
def reject(ids: tuple[str, ...]) -> None:
    """Drop what waits. It stays in the history and can be undone.

    ID is the id that `inbox list` shows, its beginning, or the text; `all` means everything.
    """
    call = current()
    rejected: list[object] = []
    with call.writing() as memory:
        for word in _meant(ids, memory.inbox()):
            try:
                outcome = memory.reject(word)
            except NotFound:
                if ids == (_ALL,):
                    continue
                raise
            rejected.append(outcome)
            if not call.json:
                say(f"Rejected: {shortened(outcome.waiting.text)}")
    if call.json:
        call.answer({"rejected": rejected})


def _accepted(outcome: Saved | Revised | Forgotten | Duplicate) -> tuple[str, str]:
    """What a yes did, in a word and in a line."""
    match outcome:
        case Saved(entry):
            return "saved", f"Saved in {entry.section}: {shortened(entry.text)}"
        case Revised(before, after):
            return "revised", f"Now: {shortened(after.text)} (was: {shortened(before.text)})"
        case Forgotten(entry):
            return "forgotten", f"Forgotten: {shortened(entry.text)}"
        case Duplicate(existing):
            return "duplicate", f"Already there in {existing.section}: {shortened(existing.text)}"
        case _:
            assert_never(outcome)


def _list() -> None:
    call = current()
    items = call.reading().inbox()
    if call.json:
        call.answer({"waiting": items})
        return
    if not items:
        say("Nothing waits.")
        return
    for item in items:
        say(f"{item.id}  {_proposal(item)}")
        say_styled(f"        {_about(item)}", "dim")
    say(f"{counted(len(items), 'text')} for you to decide: commonplace inbox accept ID, or reject ID.")


def _proposal(item: Waiting) -> str:
    if item.kind is Proposed.CHANGE:
        return f"Change: {item.instead_of}\n    to: {item.text}"
    return f"Remove: {item.text}" if item.kind is Proposed.REMOVAL else item.text


def _about(item: Waiting) -> str:
    told = [
        f"held on {item.held}" if item.held else "written by hand",
        WHY.get(item.rule, item.rule),
        f"from: {item.voice.value}" if item.voice else "",
        f"session {item.session}" if item.session else "",
        f"for {item.section}" if item.section else "",
        f"you said: {item.said}" if item.said else "",
    ]
    return "; ".join(filter(None, told))


def _meant(ids: tuple[str, ...], items: list[Waiting]) -> list[str]:
    if ids != (_ALL,):
        return list(ids)
    if not items:
        raise ValidationError("Nothing waits in the inbox.", hint="There is nothing to decide.")
    return [item.id for item in items]
