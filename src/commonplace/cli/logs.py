"""`log`: what happened, day by day."""

import click

from commonplace.cli.call import common, current, text_from
from commonplace.cli.remember import origin_option, reason_option, session_option
from commonplace.errors import NotFound
from commonplace.types.asking import Origin


@click.group(short_help="List, show and add to the daily logs.", invoke_without_command=True)
@common
@click.pass_context
def log(ctx: click.Context) -> None:
    """The daily logs: list, show or add. Alone, it lists them."""
    if ctx.invoked_subcommand is None:
        _list()


@log.command("list")
@common
def list_() -> None:
    """List the dates that have a log, newest first."""
    _list()


@log.command("show")
@click.argument("date", required=False)
@common
def show_(date: str | None) -> None:
    """Print the log of DATE (YYYY-MM-DD); without it, the newest."""
    from commonplace.files.daily import file_of, parse_day

    call = current()
    memory = call.reading()
    days = memory.log_days()
    if date is None and not days:
        raise NotFound("There is no log yet.", hint="Begin one: commonplace log add TEXT")
    day = parse_day(date) if date is not None else days[0]
    text = memory.read_log(day)
    call.answer({"date": day, "file": file_of(day), "text": text}, text.rstrip())


@log.command("add")
@click.argument("text", nargs=-1, required=True)
@click.option("--date", metavar="YYYY-MM-DD", help="The day it belongs to. [default: today]")
@session_option
@reason_option
@origin_option
@common
def add(text: tuple[str, ...], date: str | None, session: str | None, reason: str | None, origin: str) -> None:
    """Append TEXT to a day's log; - reads it from standard input."""
    from commonplace.files.daily import parse_day

    call = current()
    day = parse_day(date) if date is not None else None
    with call.writing() as memory:
        logged = memory.log(text_from(text), day=day, origin=Origin(origin), session=session, reason=reason)
    call.answer(
        {
            "result": "logged",
            "date": logged.day,
            "file": logged.file,
            "change": logged.change,
            "removed": logged.removed,
        },
        f"Logged in {logged.file}",
        *(f"A secret was taken out of it: {kind}." for kind in logged.removed),
    )


def _list() -> None:
    call = current()
    days = call.reading().log_days()
    call.answer(
        {"logs": days}, *(map(str, days) if days else ["There is no log yet. Begin one: commonplace log add TEXT"])
    )
