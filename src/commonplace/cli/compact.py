"""`compact`: a shorter memory that says the same, with the reason for each change."""

from collections.abc import Iterator
from difflib import unified_diff
from typing import assert_never

import click

from commonplace.cli.call import Call, Refused, common, current
from commonplace.cli.output import counted, say, say_styled, shortened, shown, styled, warn
from commonplace.cli.progress import Bar
from commonplace.errors import ValidationError
from commonplace.types.compaction import MemoryCompacted, Skipped, Step, StepKind
from commonplace.types.keeping import FileDiff

_STYLES = {"+": "green", "-": "red", "@": "cyan"}


class NotCompacted(Refused):
    """Compaction was given up; the memory is as it was."""

    def __init__(self, skipped: Skipped) -> None:
        findings = "".join(f"\n  {finding}" for finding in skipped.findings)
        details: dict[str, object] = {"findings": skipped.findings, "backup": skipped.backup}
        hint = "Try again, perhaps with another model, or with --no-model."
        super().__init__(skipped.reason + findings, hint=hint, details=details)
        self.code = skipped.code


@click.command(short_help="Merge, sort and shorten the memory; nothing is lost.")
@click.option("--dry-run", is_flag=True, help="Only show what would change, and why.")
@click.option("--interactive", is_flag=True, help="Ask about each change.")
@click.option("--no-model", is_flag=True, help="Merge only what is the same word for word; ask no model.")
@common
def compact(dry_run: bool, interactive: bool, no_model: bool) -> None:
    """Merge what the memory says twice, drop what is superseded, and sort it into sections.

    A model proposes, and code checks each change before it is made: what the user asked for stays as it is, and names,
    numbers, dates and every "not" are kept. A backup is made first. Without a model, only entries that are the same but
    for case, spacing and punctuation are merged.
    """
    call = current()
    if interactive and not call.can_ask:
        raise ValidationError(
            "--interactive needs a terminal to ask at.", hint="Use --dry-run to see what would change."
        )
    model = None if no_model else call.app.chat_model()
    with call.writing() as memory, Bar("Compacting", quiet=call.json) as bar:

        def choose(step: Step) -> bool:
            bar.clear()
            return _wanted(step)

        outcome = memory.compact(model, dry_run=dry_run, choose=choose if interactive else None, progress=bar.update)
    if model is None and not no_model and not call.json:
        say("No model is configured: only what is the same word for word is merged.")
    match outcome:
        case Skipped():
            _tell_skipped(call, outcome)
        case MemoryCompacted():
            _tell_compacted(call, outcome, dry_run=dry_run)
        case _:
            assert_never(outcome)


def _tell_skipped(call: Call, skipped: Skipped) -> None:
    if skipped.code != "nothing_to_do":
        raise NotCompacted(skipped)
    answer = {"result": skipped.code, "reason": skipped.reason, "findings": skipped.findings, "backup": skipped.backup}
    call.answer(answer, skipped.reason, *skipped.findings)


def _tell_compacted(call: Call, outcome: MemoryCompacted, *, dry_run: bool) -> None:
    if call.json:
        call.answer(
            {
                "result": "would_compact" if dry_run else "compacted",
                "before": outcome.before,
                "after": outcome.after,
                "steps": outcome.steps,
                "change": outcome.change,
                "backup": outcome.backup,
                "by_model": outcome.by_model,
                "findings": outcome.findings,
            }
        )
        return
    for line, reason in _annotated(outcome.diff, outcome.steps):
        style = _STYLES.get(line[:1])
        if style is None or line.startswith(("+++", "---")):
            say(line)
        elif reason:
            print(styled(shown(line), style) + styled(f"   ({shown(shortened(reason))})", "dim"))
        else:
            say_styled(line, style)
    for finding in outcome.findings:
        warn(finding)
    if dry_run:
        say(f"{counted(outcome.before, 'entry', 'entries')} would become {outcome.after}. Nothing was changed.")
    else:
        say(f"{counted(outcome.before, 'entry', 'entries')} became {outcome.after}. Undo with: commonplace undo")


def _annotated(diff: FileDiff, steps: tuple[Step, ...]) -> Iterator[tuple[str, str]]:
    """The lines of a unified diff, and why each of them is there."""
    old = {entry.text: _reason(step) for step in steps for entry in step.entries}
    new = {step.text: _reason(step) for step in steps if step.text}
    before, after = (f"{text or ''}".splitlines() for text in (diff.before, diff.after))
    for line in unified_diff(before, after, f"a/{diff.name}", f"b/{diff.name}", lineterm=""):
        text = line[1:].lstrip("-*+ \t").strip()
        reasons = old if line.startswith("-") else new if line.startswith("+") else {}
        yield line, reasons.get(text, "")


def _reason(step: Step) -> str:
    return f"{step.kind.value}: {step.reason}"


def _wanted(step: Step) -> bool:
    if step.kind is StepKind.JOIN:
        say(f"The section {step.section} has more than one heading; they would become one.")
    for entry in step.entries:
        say_styled(f"- {entry.text}", "red")
    if step.text:
        where = f"   ({step.section})" if step.kind is StepKind.MOVE else ""
        say_styled(f"+ {step.text}{where}", "green")
    try:
        reply = input(f"{step.kind.value.capitalize()}: {shown(shortened(step.reason))}. Do it? [y/N] ")
    except EOFError:
        reply = ""
    return reply.strip().lower() in {"y", "yes"}
