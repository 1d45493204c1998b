"""`remember` and `revise`: new entries, and entries in new words."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

import click

from commonplace.cli.call import NotStored, common, current, text_from
from commonplace.cli.output import shortened
from commonplace.files.document import REQUESTED
from commonplace.types.asking import Origin, Voice
from commonplace.types.book import MEMORY_FILE, Category, Entry, unmarked
from commonplace.types.saving import Alike, Duplicate, Held, Refused, Saved
from commonplace.types.verdicts import Verdict, VerdictKind

if TYPE_CHECKING:
    from commonplace.types.changing import Forgotten

origin_option = click.option(
    "--origin",
    type=click.Choice([Origin.PERSON.value, Origin.TOOL.value, Origin.IMPORT.value]),
    default=Origin.PERSON.value,
    show_default=True,
    help="Who asks for this; agents say tool.",
)
session_option = click.option("--session", metavar="ID", help="The conversation this comes from.")
_UNMARKED = ("It is not marked as asked for: a tool needs a conversation (--session) in which the user says so.",)
_PASTED = 300
_INSIST = "To save it all the same, add --insist."
_IF_MISTAKEN = "If it is no secret, add --insist."
reason_option = click.option("--reason", metavar="TEXT", help="Why; kept in the history.")


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option(
    "--category", type=click.Choice([c.value for c in Category], case_sensitive=False), help="A standard section."
)
@click.option("--section", metavar="TITLE", help="Any other section; made if it is not there.")
@click.option("--requested", is_flag=True, help="The user asked for it: it is marked and protected.")
@click.option(
    "--source",
    type=click.Choice([voice.value for voice in Voice]),
    help="Whose words it is; what tools, pages and files say waits in the inbox.",
)
@click.option("--insist", is_flag=True, help="Save it whatever the gate says.")
@click.option("--dry-run", is_flag=True, help="Only say what the gate would say.")
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
    source: str | None,
    requested: bool,
    insist: bool,
    dry_run: bool,
) -> None:
    """Add an entry to the memory.

    TEXT may be several words; - reads it from standard input. Without --category or --section it goes to Notes. What
    is there already, will not last or is a secret is not saved, and you are told why.
    """
    if category is not None and section is not None:
        raise click.UsageError("--category and --section exclude each other.", click.get_current_context())
    if section is not None and not section.strip():
        raise click.UsageError("--section is empty.", click.get_current_context())
    call = current()
    content, voice = text_from(text), Voice(source) if source else None
    if dry_run:
        verdict = call.reading().judge(
            content,
            section=section,
            origin=Origin(origin),
            voice=voice,
            requested=requested,
            session=session,
            insist=insist,
        )
        call.answer({"result": "judged", "verdict": verdict}, *_told(verdict))
        return
    with call.writing() as memory:
        outcome = memory.remember(
            content,
            category,
            section=section,
            origin=Origin(origin),
            voice=voice,
            requested=requested,
            session=session,
            reason=reason,
            insist=insist,
        )
    match outcome:
        case Saved(entry, change, preview, notice):
            saved = {"result": "saved", "entry": entry, "change": change, "preview": preview}
            call.answer(
                saved | ({"notice": notice} if notice else {}),
                f"Saved in {entry.section}: {shortened(entry.text)}",
                *(_UNMARKED if requested and not entry.text.startswith(REQUESTED) else ()),
                *([notice] if notice else []),
            )
        case Duplicate(existing):
            raise NotStored(
                outcome.code,
                f"This is already there, in {_place(existing)}:\n  {existing.text}",
                hint=f"To change its wording: commonplace revise OLD NEW. {_INSIST}",
                details={"existing": existing},
            )
        case Alike(verdict, existing):
            raise NotStored(
                outcome.code,
                f"{verdict.reason} {_place(existing)}:\n  {existing.text}",
                hint=f"{_advice(verdict)} {_revising(verdict, content, origin, session)}\n{_both(verdict)}",
                details={"existing": existing, "verdict": verdict},
            )
        case Held():
            raise proposed(outcome)
        case Refused(verdict):
            if verdict.rule == "secret":
                raise stopped(verdict, _IF_MISTAKEN if origin == Origin.PERSON.value else "")
            raise stopped(verdict, _INSIST)
        case _:
            assert_never(outcome)


def _advice(verdict: Verdict) -> str:
    if verdict.added:
        return "To put both into that entry:"
    if verdict.kind is VerdictKind.MERGE:
        return "Nothing needs to be done. If your wording is better:"
    goes = f" ({', '.join(verdict.gone)} will be gone)" if verdict.gone else ""
    return f"If {'that part' if verdict.part else 'that'} is no longer so{goes}:"


def _both(verdict: Verdict) -> str:
    return "To keep both as they are, add --insist." if verdict.added else _INSIST


def _revising(verdict: Verdict, new: str, origin: str, session: str | None) -> str:
    """The command that brings `new` into the entry, to be pasted; without the texts where they are long."""
    old = verdict.part or unmarked(verdict.existing.text if verdict.existing else "")  # the mark stays where it is
    new = verdict.text if verdict.added else new
    if len(old) + len(new) > _PASTED or "\n" in old + new:
        return "commonplace revise OLD NEW"
    import shlex

    given = {"--book": current().book, "--origin": origin if origin != Origin.PERSON.value else None}
    options = [word for name, value in (given | {"--session": session}).items() if value for word in (name, value)]
    return shlex.join(["commonplace", "revise", *options, "--", old, new])


def stopped(verdict: Verdict, advice: str) -> NotStored:
    """How a refusal of the gate is told, and what to do if it is wrong."""
    pieces = "".join(f"\n  {piece}" for piece in verdict.pieces)
    hint = f"Save what is worth keeping one by one. {advice}".strip() if pieces else advice
    return NotStored(verdict.rule, f"Not saved. {verdict.reason}{pieces}", hint=hint, details={"verdict": verdict})


def proposed(outcome: Held) -> NotStored:
    """How it is told that something waits for the person."""
    verdict, waiting = outcome.verdict, outcome.waiting
    return NotStored(
        outcome.code,
        f"{verdict.reason} It waits in the inbox.",
        hint=f"For your yes: commonplace inbox accept {waiting.id} (or reject {waiting.id}).",
        details={"verdict": verdict, "waiting": waiting},
    )


def _told(verdict: Verdict) -> list[str]:
    if verdict.kind is VerdictKind.STORE:
        return ["store: it would be saved.", *([verdict.reason] if verdict.reason else [])]
    about = [f"  {_place(verdict.existing)}: {verdict.existing.text}"] if verdict.existing else []
    sure = f"rule {verdict.rule}, certainty {verdict.certainty:.2f}"
    return [f"{verdict.kind.value} ({sure}): {verdict.reason}", *about, *(f"  {piece}" for piece in verdict.pieces)]


@click.command()
@click.argument("old")
@click.argument("new")
@session_option
@reason_option
@origin_option
@click.option("--insist", is_flag=True, help="Put it there although it was guessed to be a secret.")
@common
def revise(old: str, new: str, session: str | None, reason: str | None, origin: str, insist: bool) -> None:
    """Put NEW in the place of OLD.

    OLD is an entry as it stands in the memory, or words of it that stand there only once. An empty NEW ("") deletes
    the entry. Quote both.
    """
    from commonplace.types.changing import Forgotten, Revised

    call = current()
    with call.writing() as memory:
        outcome = memory.revise(
            old, text_from(new), origin=Origin(origin), session=session, reason=reason, insist=insist
        )
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
        case Duplicate(existing):
            raise NotStored(
                outcome.code,
                f"Nothing was changed: this is another entry already, {_place(existing)}:\n  {existing.text}",
                hint="If the old one is no longer so: commonplace forget OLD.",
                details={"existing": existing},
            )
        case Held():
            raise proposed(outcome)
        case Refused(verdict):
            raise stopped(verdict, f"If the gate is wrong, edit {MEMORY_FILE} by hand.")
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
