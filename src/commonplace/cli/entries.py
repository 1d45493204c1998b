"""`remember` and `revise`: new entries, and entries in new words."""

from typing import assert_never

import click

from commonplace.cli.call import AlreadyThere, common, current, text_from
from commonplace.cli.output import shortened
from commonplace.types import MEMORY_FILE, Category, Duplicate, Entry, Forgotten, Origin, Revised, Saved

origin_option = click.option(
    "--origin",
    type=click.Choice([Origin.PERSON.value, Origin.TOOL.value, Origin.IMPORT.value]),
    default=Origin.PERSON.value,
    show_default=True,
    help="Who asks for this; agents say tool.",
)
session_option = click.option("--session", metavar="ID", help="The conversation this comes from.")
reason_option = click.option("--reason", metavar="TEXT", help="Why; kept in the history.")


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option(
    "--category", type=click.Choice([c.value for c in Category], case_sensitive=False), help="A standard section."
)
@click.option("--section", metavar="TITLE", help="Any other section; made if it is not there.")
@click.option("--insist", is_flag=True, help="Save although it is already there.")
@session_option
@reason_option
@origin_option
@common
def remember(
    text: tuple[str, ...],
    category: str | None,
    section: str | None,
    session: str | None,
    reason: str | None,
    origin: str,
    insist: bool,
) -> None:
    """Add an entry to the memory.

    TEXT may be several words; - reads it from standard input. Without --category or --section it goes to Notes.
    """
    if category is not None and section is not None:
        raise click.UsageError("--category and --section exclude each other.", click.get_current_context())
    if section is not None and not section.strip():
        raise click.UsageError("--section is empty.", click.get_current_context())
    call = current()
    with call.writing() as memory:
        outcome = memory.remember(
            text_from(text),
            category,
            section=section,
            origin=Origin(origin),
            session=session,
            reason=reason,
            insist=insist,
        )
    match outcome:
        case Saved(entry, change):
            call.answer(
                {"result": "saved", "entry": entry, "change": change, "preview": outcome.preview},
                f"Saved in {entry.section}: {shortened(entry.text)}",
            )
        case Duplicate(existing):
            raise AlreadyThere(
                f"This is already there, in {_place(existing)}:\n  {existing.text}",
                hint="To change its wording: commonplace revise OLD NEW. To save it all the same, add --insist.",
                details={"existing": existing},
            )
        case _:
            assert_never(outcome)


@click.command()
@click.argument("old")
@click.argument("new")
@session_option
@reason_option
@origin_option
@common
def revise(old: str, new: str, session: str | None, reason: str | None, origin: str) -> None:
    """Put NEW in the place of OLD.

    OLD is an entry as it stands in the memory, or words of it that stand there only once. An empty NEW ("") deletes
    the entry. Quote both.
    """
    call = current()
    with call.writing() as memory:
        outcome = memory.revise(old, text_from(new), origin=Origin(origin), session=session, reason=reason)
    match outcome:
        case Revised(before, after, change):
            call.answer(
                {
                    "result": "revised",
                    "before": before,
                    "after": after,
                    "change": change,
                    "preview": outcome.preview,
                },
                f"Was: {shortened(before.text)}",
                f"Now: {shortened(after.text)}",
            )
        case Forgotten():
            call.answer(*forgotten(outcome))
        case _:
            assert_never(outcome)


def forgotten(outcome: Forgotten) -> tuple[dict[str, object], str, str]:
    """How a removed entry is told, as JSON and in words."""
    value: dict[str, object] = {
        "result": "forgotten",
        "entry": outcome.entry,
        "change": outcome.change,
        "preview": outcome.preview,
    }
    return value, f"Forgotten: {shortened(outcome.entry.text)}", "It is still in the history: commonplace undo"


def _place(entry: Entry) -> str:
    return f"{MEMORY_FILE} line {entry.line}" + (f" ({entry.section})" if entry.section else "")
