"""`show`, `sections` and `stats`: what the memory holds."""

import sys
from collections import Counter
from datetime import date

import click

from commonplace.cli.call import Call, common, current
from commonplace.cli.output import say
from commonplace.errors import NotFound
from commonplace.files.daily import parse_day
from commonplace.memory import Memory
from commonplace.types.book import Section


@click.command()
@click.argument("section", required=False)
@click.option("--raw", is_flag=True, help="The bytes of MEMORY.md, unchanged.")
@click.option("--on", "day", metavar="DAY", help="As it was at the end of that day: 2026-11-15.")
@common
def show(section: str | None, raw: bool, day: str | None) -> None:
    """Print the memory, or one section of it.

    SECTION is a title, its beginning, or a category.
    """
    call = current()
    if day is not None:
        if raw or section:
            raise click.UsageError("--on goes with neither --raw nor a section.", click.get_current_context())
        _show_past(call, parse_day(day))
        return
    if raw and (call.json or section):
        raise click.UsageError("--raw goes with neither --json nor a section.", click.get_current_context())
    memory = call.reading()
    if raw:
        sys.stdout.buffer.write(memory.data() or b"")
        return
    if section is not None:
        found = _section(memory, section)
        call.answer(found, *(f"- {_indented(entry.text)}" for entry in found.entries))
        if not found.entries and not call.json:
            say(f"{found.title} has no entries.")
        return
    text = memory.read()
    value = {"book": memory.address, "text": text, "sections": list(memory.sections().values())}
    call.answer(value, text.rstrip() if text.strip() else _empty(memory))


def _show_past(call: Call, day: date) -> None:
    change, document = call.reading().as_of(day)
    value = {"day": day, "change": change.id if change else None, "text": document.text}
    value |= {"sections": list(document.sections().values())}
    nothing = f"The memory was empty on {day}." if change else f"The history does not reach back to {day}."
    call.answer(value, document.text.rstrip() or nothing)


@click.command()
@common
def sections() -> None:
    """List the sections with the number of their entries."""
    call = current()
    memory = call.reading()
    found = list(memory.sections().values())
    lines = [f"{len(section.entries):>5}  {section.title or '(before any section)'}" for section in found]
    call.answer({"sections": found}, *(lines or [_empty(memory)]))


@click.command()
@common
def stats() -> None:
    """Count what the book holds."""
    call = current()
    memory = call.reading()
    counts = memory.stats()
    labels = {
        "entries": counts.entries,
        "sections": counts.sections,
        "daily logs": counts.logs,
        "sessions": counts.sessions,
        "backups": counts.backups,
        "changes": counts.changes,
        "bytes": counts.bytes,
        "waiting in the inbox": counts.waiting,
    }
    index = memory.index_report()
    labels |= {"chunks indexed": index.chunks, "vectors": index.vectors_known}
    gate = Counter[str]()
    for kept_out in memory.verdicts().values():
        gate.update(kept_out)
    loaded = "loaded" if index.model_loaded else "loaded when a search needs it"
    call.answer(
        {"book": memory.address, "stats": counts, "index": index, "gate": dict(gate)},
        f"Book: {memory.address}",
        *(f"{count:>9}  {label}" for label, count in labels.items()),
        *(f"{count:>9}  by the gate: {outcome}" for outcome, count in gate.most_common()),
        f"Embedding model: {index.model} ({loaded})" if index.model else "Embedding model: none (keywords alone)",
    )


def _section(memory: Memory, wanted: str) -> Section:
    from commonplace.files.text import folded
    from commonplace.types.book import SECTION_OF

    found = memory.sections()
    titles = {folded(title): section for title, section in found.items() if title}
    word = folded(wanted)
    word = next((folded(title) for category, title in SECTION_OF.items() if category == word), word)
    if word in titles:
        return titles[word]
    begun = [section for title, section in titles.items() if word and title.startswith(word)]
    if len(begun) == 1:
        return begun[0]
    there = ", ".join(section.title for section in titles.values())
    raise NotFound(
        f"There is no section {wanted!r}.",
        hint=f"There are: {there}." if there else "The memory is empty; `commonplace remember` begins it.",
    )


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ")


def _empty(memory: Memory) -> str:
    return f'The memory in {memory.address} is empty. Begin it: commonplace remember "…"'
