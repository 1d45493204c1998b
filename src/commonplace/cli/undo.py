"""`history`, `diff`, `undo` and `why`: what was changed, by whom, and back again."""

from collections.abc import Iterator, Sequence
from itertools import islice

import click

from commonplace.cli.call import common, current, text_from
from commonplace.cli.output import plain, say, say_styled, shortened
from commonplace.cli.remember import reason_option
from commonplace.types.keeping import Change, FileDiff, Provenance


@click.command()
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="How many to show.")
@click.option("--all", "everything", is_flag=True, help="Show all of them.")
@click.option("--file", metavar="NAME", help="Only changes of this file, such as MEMORY.md.")
@common
def history(limit: int, everything: bool, file: str | None) -> None:
    """List the changes of the book, newest first."""
    call = current()
    changes = call.reading().changes(file=file)
    listed = list(changes) if everything else list(islice(changes, limit + 1))
    more = not everything and len(listed) > limit
    listed = listed if everything else listed[:limit]
    if call.json:
        call.answer({"changes": [described(change) for change in listed], "more": more})
        return
    if not listed:
        say("Nothing has been recorded yet." if file is None else f"No recorded change touched {file}.")
    for change in listed:
        say(_line(change))
    if more:
        say("There are older changes: --all shows them.")


@click.command(short_help="Show what changes did.")
@click.argument("old", metavar="[CHANGE", required=False)
@click.argument("new", metavar="[CHANGE]]", required=False)
@common
def diff(old: str | None, new: str | None) -> None:
    """Show what a change did (the newest, if none is named), or what lies between two changes."""
    call = current()
    differences = call.reading().diff(old, new)
    if call.json:
        call.answer({"files": differences})
        return
    say_differences(differences)


def say_differences(differences: Sequence[FileDiff]) -> None:
    """What differs, line by line, for a person."""
    if all(difference.before == difference.after for difference in differences):
        say("No difference.")
    for difference in differences:
        for line in _unified(difference):
            style = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
            if style is None or line.startswith(("+++", "---")):
                say(line)
            else:
                say_styled(line, style)


@click.command(short_help="Take back a change; later ones stay.")
@click.argument("change", required=False)
@reason_option
@common
def undo(change: str | None, reason: str | None) -> None:
    """Take back a change: the newest that still stands, or the one named. Later changes stay."""
    call = current()
    with call.writing() as memory:
        undone = memory.undo(change, reason=reason)
    call.answer(
        {"result": "undone", "undone": described(undone.undone), "change": undone.change, "files": undone.files},
        f"Undone: {shortened(undone.undone.note.summary)}",
        f"To have it back: commonplace undo {undone.change[:10]}",
    )


@click.command(short_help="Say where a text came from.")
@click.argument("text", nargs=-1, required=True)
@common
def why(text: tuple[str, ...]) -> None:
    """Say where TEXT came from: when, by whom, from which conversation."""
    call = current()
    found = call.reading().why(text_from(text))
    if call.json:
        changes = [described(change) for change in found.changes]
        call.answer(
            {"text": found.text, "file": found.file, "line": found.line, "changes": changes, "said": found.said}
        )
        return
    say_origin(found)


def say_origin(found: Provenance) -> None:
    """Where a text came from, for a person."""
    say(found.text)
    say(f"  in {found.file}, line {found.line}")
    for change in found.changes:
        say(f"  {_line(change)}")
        if change.note.session:
            say(f"    session: {change.note.session}")
        if change.note.reason:
            say(f"    reason: {change.note.reason}")
    for quote in found.said:
        say(f"  {quote.role} said: “{shortened(quote.text, 200)}”  ({quote.session}, {quote.message})")
    if not found.changes:
        say("  The history does not know where it came from.")


def described(change: Change) -> dict[str, object]:
    """A change as JSON: its note's fields stand beside its own."""
    note = plain(change.note)
    fields: dict[str, object] = {**note} if isinstance(note, dict) else {}
    return {"id": change.id, "at": change.at, **fields, "files": change.files}


def _line(change: Change) -> str:
    at = change.at.astimezone().strftime("%Y-%m-%d %H:%M")
    return f"{change.short}  {at}  {change.note.origin.value:<10}  {shortened(change.note.summary, 80)}"


def _unified(difference: FileDiff) -> Iterator[str]:
    from difflib import unified_diff

    from commonplace.files.text import split_lines

    old, new = (split_lines(text or "") for text in (difference.before, difference.after))
    names = [f"{'ab'[i]}/{difference.name}" for i in (0, 1)]
    before = names[0] if difference.before is not None else "/dev/null"
    after = names[1] if difference.after is not None else "/dev/null"
    for line in unified_diff(old, new, before, after):
        yield line.rstrip("\r\n")
        if not line.endswith(("\n", "\r")):
            yield "\\ No newline at end of file"
