"""`forget`: take an entry out of the memory, or a text out of everything, with a proof."""

import click

from commonplace.cli.call import Call, LeftOver, common, current, text_from
from commonplace.cli.output import counted, say, shortened
from commonplace.cli.remember import forgotten, origin_option, proposed, reason_option, session_option
from commonplace.errors import NotFound
from commonplace.memory import Memory
from commonplace.types.asking import Origin
from commonplace.types.keeping import Erasure
from commonplace.types.saving import Held


@click.command(short_help="Remove an entry, or every trace of a text.")
@click.argument("text", nargs=-1, required=True)
@click.option("--everywhere", is_flag=True, help="Also from logs, transcripts, backups and the history. No undo.")
@click.option("--only-words", is_flag=True, help="With --everywhere: keep the rest of entries that have the text.")
@click.option("--dry-run", is_flag=True, help="Only show what would be removed.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@session_option
@reason_option
@origin_option
@common
def forget(
    text: tuple[str, ...],
    everywhere: bool,
    only_words: bool,
    dry_run: bool,
    yes: bool,
    session: str | None,
    reason: str | None,
    origin: str,
) -> None:
    """Remove an entry; undo brings it back. With --everywhere, remove a text for good.

    TEXT is the whole entry, or words of it that stand in the memory only once; - reads it from standard input. With
    --everywhere, entries that have the text go as a whole; elsewhere it is replaced by [forgotten].
    """
    call, wanted = current(), text_from(text)
    if everywhere:
        _erase(call, wanted, dry_run=dry_run, yes=yes, whole_entries=not only_words)
        return
    if only_words:
        raise click.UsageError("--only-words goes with --everywhere.", click.get_current_context())
    memory = call.reading()
    document = memory.document()
    memory.find(wanted)  # says what is wrong with a text that stands for no entry or for several
    match = document.locate(wanted)
    entry = document.entry_at(match)
    if dry_run:
        call.answer({"result": "would_forget", "entry": entry}, f"Would be forgotten: {entry.text}")
        return
    if not match.whole:
        if call.can_ask and not yes:
            say(f"This entry has that text (line {entry.line}, {entry.section or 'no section'}):\n  {entry.text}")
        call.confirm(
            "Forget the whole entry?",
            yes=yes,
            otherwise=f"The text is only a part of the entry {shortened(entry.text)!r} on line {entry.line}.",
        )
    with call.writing() as book:
        outcome = book.forget(entry.text, origin=Origin(origin), session=session, reason=reason)
    if isinstance(outcome, Held):
        raise proposed(outcome)
    call.answer(*forgotten(outcome))


def _erase(call: Call, text: str, *, dry_run: bool, yes: bool, whole_entries: bool) -> None:
    memory = call.reading()
    if memory.book.identity() is None:
        raise NotFound(f"There is no book in {memory.address} yet.", hint="Nothing is stored, so nothing can be left.")
    planned = memory.erase(text, whole_entries=whole_entries)
    something = bool(planned.removals or planned.commits or planned.unreadable)
    if not call.json:
        _say_plan(memory, planned)
    if dry_run:
        call.answer({"result": "would_forget_everywhere", **_counted(planned)})
        return
    if something:
        call.confirm(
            "Remove all of this for good? There is no undo.",
            yes=yes,
            otherwise="Forgetting everywhere cannot be undone, so it is not done unasked.",
        )
    with call.writing() as book:
        done = book.erase(text, dry_run=False, whole_entries=whole_entries)
    if done.left:
        raise LeftOver(
            f"The text is still in {len(done.left)} places:\n" + "\n".join(f"  {place}" for place in done.left),
            hint="Remove it there by hand (rename a file whose name has it), then run this again.",
            details=_counted(done),
        )
    call.answer(
        {"result": "forgotten_everywhere", **_counted(done)},
        "Removed." if something else "Nothing to remove.",
        f"Proof: searched {counted(done.searched_files, 'file')} and "
        f"{counted(done.searched_objects, 'history object')}; 0 copies are left.",
        *([done.residue] if done.residue else []),
        "Copies outside the book (your shell's history, sync tools, other backups) are yours to remove.",
    )


def _counted(erasure: Erasure) -> dict[str, object]:
    return {
        "removals": erasure.removals,
        "changes": erasure.commits,
        "searched_files": erasure.searched_files,
        "searched_objects": erasure.searched_objects,
        "left": erasure.left,
        "unreadable": erasure.unreadable,
        "residue": erasure.residue,
    }


def _say_plan(memory: Memory, planned: Erasure) -> None:
    if not planned.removals and not planned.commits and not planned.unreadable:
        say(f"Neither the files nor the history of {memory.address} have this text.")
        return
    say("This is removed:")
    place = ""
    for removal in planned.removals:
        if removal.place != place:
            place = removal.place
            say(f"  {place}")
        say(f"    line {removal.line} is: {shortened(removal.before)}")
        after = "(gone)" if removal.after is None else shortened(removal.after)
        say(f"    it will be: {after}")
    say(f"  history\n    {counted(planned.commits, 'recorded change')} will be rewritten")
    if planned.unreadable:
        parts = counted(planned.unreadable, "part")
        say(f"    {parts} of it cannot be read, and may have the text: what is damaged will be dropped for good")
