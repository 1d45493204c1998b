"""`db`: the tables for books in a database, and the work that waits there."""

import signal
from types import FrameType
from typing import TYPE_CHECKING

import click

from commonplace.cli.call import common, current
from commonplace.cli.output import counted, say

if TYPE_CHECKING:
    from commonplace.agent.lifecycle import Lifecycle
    from commonplace.stores.postgres.queueing import Queued, Work


@click.group(short_help="Make ready a database for books; do the work that waits there.")
@common
def db() -> None:
    """Books in a database: migrate, work, queue."""


@db.command()
@click.argument("address")
@click.option("--grant", "role", metavar="USER", help="Let this database user keep books there.")
@common
def migrate(address: str, role: str | None) -> None:
    """Make the tables for books in a database, or bring them up to date.

    ADDRESS is postgres://USER@HOST/DATABASE, of a user who may make tables there. Nothing else makes or changes tables.
    """
    from commonplace.stores.postgres import knows_vectors, migrate_database

    before, after = migrate_database(address, role)
    told = "The tables are up to date" if before == after else f"The tables went from version {before} to {after}"
    vectors = knows_vectors(address)
    beside = "pgvector is not there: books of any size are searched in the memory of whoever searches."
    how = "To change that: CREATE EXTENSION vector in this database as a superuser, then this command again."
    call = current()
    call.answer(
        {"result": "migrated", "before": before, "after": after, "granted": role, "pgvector": vectors},
        f"{told}.",
        *([] if vectors else [beside, how]),
        *([f"{role} may keep books there."] if role else []),
    )


@db.command()
@click.argument("address")
@click.option("--once", is_flag=True, help="End when nothing is due, instead of waiting for more.")
@click.option(
    "--lease",
    metavar="SECONDS",
    type=click.FloatRange(0.5),
    default=30.0,
    show_default=True,
    help="After how long the work of a worker that died is taken by another.",
)
@click.option(
    "--every",
    metavar="SECONDS",
    type=click.FloatRange(0.05),
    default=1.0,
    show_default=True,
    help="How often to look for work where there was none.",
)
@common
def work(address: str, once: bool, lease: float, every: float) -> None:
    """Do the work that waits in a database: flushes and vectors that servers asked for.

    ADDRESS is postgres://USER@HOST/DATABASE. Any number may run at once, on any machine. What one was doing when it was
    killed is done by another; every message is logged once. Ctrl-C or SIGTERM ends it after the piece in hand.
    """
    from commonplace.agent.shift import Shift
    from commonplace.stores.postgres import book_address, open_queue

    call = current()

    def lifecycle(work: "Work") -> "Lifecycle":
        app = call.app.for_book(book_address(address, work.tenant, work.book))
        return app.lifecycle(app.open(guarded=False))

    shift = Shift(open_queue(address), lifecycle, lease)

    def stop(_signal: int, _frame: FrameType | None) -> None:
        shift.stop.set()

    before = {ending: signal.signal(ending, stop) for ending in (signal.SIGTERM, signal.SIGINT)}
    try:
        done = shift.work(every, until_idle=once)
    finally:
        for ending, handler in before.items():
            signal.signal(ending, handler)
    call.answer({"result": "worked", "done": done}, f"{counted(done, 'piece')} of work done.")


@db.command()
@click.argument("address")
@click.option("--tenant", help="Only what waits for this one.")
@common
def queue(address: str, tenant: str | None) -> None:
    """List the work that waits in a database or is being done, the oldest first.

    ADDRESS is postgres://USER@HOST/DATABASE.
    """
    from commonplace.stores.postgres import open_queue
    from commonplace.stores.postgres.schema import EVERY_TENANT

    call = current()
    found = open_queue(address).listed(EVERY_TENANT if tenant is None else tenant)
    call.answer({"waiting": [_described(one) for one in found]}, *map(_line, found))
    if not found and not call.json:
        say("Nothing waits.")


def _described(one: "Queued") -> dict[str, object]:
    return {
        **one.work._asdict(),
        "since": one.since.isoformat(),
        "due": one.due.isoformat(),
        "state": _state(one),
        "attempts": one.attempts,
        "trouble": one.trouble,
    }


def _state(one: "Queued") -> str:
    return "in hand" if one.held else "failed" if one.trouble else "waiting"


def _line(one: "Queued") -> str:
    what = " ".join(filter(None, (one.work.task, one.work.subject)))
    why = f" ({one.trouble}, {counted(one.attempts, 'attempt')}, again at {one.due:%H:%M:%S})" if one.trouble else ""
    return f"{one.since:%Y-%m-%d %H:%M:%S}  {one.work.tenant}/{one.work.book}  {what}  {_state(one)}{why}"
