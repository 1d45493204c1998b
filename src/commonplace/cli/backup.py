"""`backup`, `backups` and `restore`: copies of MEMORY.md."""

import click

from commonplace.cli.call import common, current
from commonplace.cli.output import say
from commonplace.cli.remember import reason_option
from commonplace.cli.undo import say_differences
from commonplace.errors import NotFound


@click.command()
@common
def backup() -> None:
    """Copy MEMORY.md to backups/."""
    call = current()
    memory = call.reading()
    if not memory.read().strip():
        call.answer({"result": "nothing_to_back_up"}, "The memory is empty; there is nothing to back up.")
        return
    with call.writing() as book:
        made = book.backup()
    call.answer({"result": "backed_up", "backup": made}, f"Backed up as {made.name if made else '-'}")


@click.command()
@common
def backups() -> None:
    """List the backups, newest first."""
    call = current()
    found = call.reading().backups()
    lines = [f"{copy.size:>9} bytes  {copy.name}" for copy in found]
    call.answer({"backups": found}, *(lines or ["There is no backup yet. Make one: commonplace backup"]))


@click.command(short_help="Bring back a backup.")
@click.argument("name")
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@reason_option
@common
def restore(name: str, dry_run: bool, yes: bool, reason: str | None) -> None:
    """Make MEMORY.md what the backup NAME holds; "latest" is the newest. What it holds now is backed up first."""
    call = current()
    memory = call.reading()
    known = memory.backups()
    if name == "latest":
        if not known:
            raise NotFound("There is no backup.", hint="Make one: commonplace backup")
        name = known[0].name
    if dry_run:
        difference = memory.restoration(name)
        if call.json:
            call.answer({"result": "would_restore", "backup": name, "diff": difference})
        else:
            say_differences([difference])
        return
    if any(copy.name == name for copy in known):
        if call.can_ask and not yes:
            say(f"MEMORY.md will be what {name} holds. Its present text is backed up first.")
        call.confirm("Restore it?", yes=yes, otherwise=f"Restoring {name} replaces MEMORY.md.")
    with call.writing() as book:
        done = book.restore(name, reason=reason)
    call.answer(
        {"result": "restored", "backup": done.backup, "saved_as": done.saved_as, "change": done.change},
        f"Restored {done.backup}" if done.change else f"MEMORY.md is the same as {done.backup} already.",
        *([f"What was there is kept as {done.saved_as}"] if done.saved_as else []),
    )
