"""`tour`: a short guided first use, on the person's own book. Safe to run again, and to leave at any step."""

import os
import sys
from collections.abc import Callable
from typing import TypeVar

import click

from commonplace.cli.call import Call, common, current
from commonplace.cli.output import counted, say, say_styled, shortened
from commonplace.errors import ValidationError
from commonplace.memory import Memory
from commonplace.types.asking import Origin
from commonplace.types.book import MEMORY_FILE
from commonplace.types.changing import Forgotten, Revised
from commonplace.types.saving import Alike, Duplicate, Held, Refused, Saved

_T = TypeVar("_T")

_NEXT = (
    ("commonplace chat", "talk to an assistant that remembers"),
    ('commonplace remember "…"', "add an entry (--category preferences, projects, …)"),
    ("commonplace show", "print the memory"),
    ('commonplace revise "old" "new"', "put it in other words"),
    ('commonplace forget "…"', "remove an entry (--everywhere: every trace)"),
    ("commonplace history", "what was changed, when and by whom"),
    ("commonplace undo", "take back the newest change"),
    ("commonplace doctor", "is everything in order?"),
    ("commonplace --help", "all commands"),
)


class _Skipped(Exception):
    """The person wants to leave the tour."""


@click.command(short_help="A short guided first use.")
@common
def tour() -> None:
    """A short guided first use: remember, show, revise, undo. Enter leaves it."""
    call = current()
    memory = call.reading()
    started = bool(memory.entries())
    if call.json:
        following = [{"command": command, "does": what} for command, what in _NEXT]
        call.answer({"book": memory.address, "stats": memory.stats() if started else None, "next": following})
    elif started:
        _overview(memory)
    elif not call.can_ask:
        say("Commonplace keeps a long-term memory for AI agents in plain Markdown files.")
        say(f"Your book will be in {memory.address}; the first entry creates it. Nothing was changed now.")
        _next_steps()
    else:
        _guided(call, memory)


def _overview(memory: Memory) -> None:
    counts = memory.stats()
    say(f"Your book is in {memory.address}")
    say(
        f"It has {counted(counts.entries, 'entry', 'entries')}, {counted(counts.logs, 'daily log')} "
        f"and {counted(counts.changes, 'recorded change')}."
    )
    for entry in memory.entries()[-3:]:
        say(f"  - {shortened(entry.text)}")
    _next_steps()


def _guided(call: Call, memory: Memory) -> None:
    say_styled("Welcome to Commonplace: a long-term memory for AI agents, in plain Markdown files.", "bold")
    say(f"Your book will be in {memory.address}")
    say("Four short steps: remember, show, revise, undo. Enter (or s) leaves the tour at any step.")
    try:
        _steps(call)
    except (_Skipped, KeyboardInterrupt):
        say("\nThat was the tour; what you have told it so far is kept.")
    _next_steps()


def _steps(call: Call) -> None:
    say_styled("\n1. Remember", "bold")
    say("Tell it one lasting thing an assistant should know about you.")
    saved = _try("For example: I prefer short answers", lambda text: _remember(call, text))
    entry = saved.entry if isinstance(saved, Saved) else saved.existing

    say_styled("\n2. Show", "bold")
    memory = call.reading()
    say(f"It is a line of a text file that you may edit with any editor: {os.path.join(memory.address, MEMORY_FILE)}")
    _say_entry(memory, entry.line)

    say_styled("\n3. Revise", "bold")
    say("Say the same in other words. The old wording stays in the history.")
    revised = _try("New wording", lambda text: _revise(call, entry.text, text))
    if isinstance(revised, Forgotten):
        raise _Skipped
    say(f"  - {shortened(revised.before.text)}")
    say(f"  + {shortened(revised.after.text)}")

    say_styled("\n4. Undo", "bold")
    say("Every change can be taken back. This one now?")
    if _ask("y to undo it, Enter to keep the new wording").lower() in {"y", "yes"}:
        with call.writing() as memory:
            memory.undo(revised.change)
        _say_entry(memory, revised.before.line)
    say("\nThat was the tour.")


def _remember(call: Call, text: str) -> Saved | Duplicate | Alike:
    with call.writing() as memory:
        outcome = memory.remember(text, origin=Origin.PERSON, reason="said in the tour")
        if not isinstance(outcome, Held | Refused):
            return outcome
    raise ValidationError(outcome.verdict.reason, hint="Tell it something else.")


def _revise(call: Call, old: str, new: str) -> Revised | Forgotten:
    with call.writing() as memory:
        outcome = memory.revise(old, new, origin=Origin.PERSON, reason="said in the tour")
        if isinstance(outcome, Revised | Forgotten):
            return outcome
    reason = outcome.message if isinstance(outcome, Duplicate) else outcome.verdict.reason
    raise ValidationError(reason, hint="Tell it something else.")


def _try(prompt: str, step: Callable[[str], _T]) -> _T:
    """Ask until the answer can be used."""
    while True:
        try:
            return step(_ask(prompt))
        except ValidationError as error:
            say(f"{error.message} {error.hint}")


def _say_entry(memory: Memory, line: int) -> None:
    entry = next((entry for entry in memory.entries() if entry.line == line), None)
    if entry is not None:
        say(f"  ## {entry.section}" if entry.section else "")
        say(f"  - {entry.text}")


def _ask(prompt: str) -> str:
    try:
        reply = input(f"{prompt}\n> ").strip()
    except EOFError:
        raise _Skipped from None
    if reply.lower() in {"", "s", "skip", "q"}:
        raise _Skipped
    return reply


def _next_steps() -> None:
    program = _program()
    commands = [(command.replace("commonplace", program, 1), what) for command, what in _NEXT]
    width = max(len(command) for command, _ in commands)
    say("\nWhat you can do next:")
    for command, what in commands:
        say(f"  {command:<{width}}  {what}")
    if program != "commonplace":
        say("\nTo have `commonplace` in every folder, install it from the checkout: uv tool install .")


def _program() -> str:
    """How to call this program from here: its name, if the shell finds it, else the path it was called by."""
    from shutil import which

    called = sys.argv[0]
    if which("commonplace") is not None or os.path.basename(called) != "commonplace":
        return "commonplace"
    return os.path.relpath(called) if len(os.path.relpath(called)) < len(called) else called
