"""`move`, `protect` and `unprotect`: the person's hand on single entries."""

import click

from commonplace.cli.call import common, current, text_from
from commonplace.cli.output import shortened
from commonplace.cli.remember import reason_option
from commonplace.errors import ValidationError
from commonplace.stores import is_address
from commonplace.types.changing import Revised


@click.command()
@click.argument("text")
@click.argument("section")
@reason_option
@common
def move(text: str, section: str, reason: str | None) -> None:
    """Move the entry TEXT to the end of SECTION.

    TEXT is an entry as it stands in the memory, or words of it that stand there only once. Quote both. A section that
    is not there is made. (A whole book goes elsewhere with: commonplace books move BOOK TO.)
    """
    if is_address(section):
        raise ValidationError(
            "That is the address of a book, not a section.",
            hint="To move a book: commonplace books move BOOK TO",
        )
    call = current()
    with call.writing() as memory:
        done = memory.move(text_from(text), section, reason=reason)
    _tell("moved", done, f"Moved to {done.after.section}: {shortened(done.after.text)}", "It is there already.")


@click.command()
@click.argument("text", nargs=-1, required=True)
@reason_option
@common
def protect(text: tuple[str, ...], reason: str | None) -> None:
    """Mark an entry as asked for: no agent and no automatic step changes it without your word."""
    call = current()
    with call.writing() as memory:
        done = memory.protect(text_from(text), reason=reason)
    _tell("protected", done, f"Protected: {shortened(done.after.text)}", "It is protected already.")


@click.command()
@click.argument("text", nargs=-1, required=True)
@reason_option
@common
def unprotect(text: tuple[str, ...], reason: str | None) -> None:
    """Take the mark of what was asked for off an entry."""
    call = current()
    with call.writing() as memory:
        done = memory.unprotect(text_from(text), reason=reason)
    _tell("unprotected", done, f"No longer protected: {shortened(done.after.text)}", "It is not protected.")


def _tell(result: str, done: Revised, told: str, unchanged: str) -> None:
    value = {"before": done.before, "after": done.after, "change": done.change or None}
    current().answer({"result": result if done.change else "unchanged", **value}, told if done.change else unchanged)
