"""`import` and `export`: what other programs kept comes in, and everything goes out again."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from commonplace.cli.call import Call, common, current
from commonplace.cli.output import counted, warn
from commonplace.cli.progress import Bar
from commonplace.memory import SystemClock

if TYPE_CHECKING:
    from commonplace.memory import Memory
    from commonplace.types.transfer import ExportReport, ImportReport

_KINDS = (
    "commonplace chatgpt claude claude-code codex claude-memory openclaw mem0 basic-memory obsidian markdown".split()
)
_FORMATS = ("json", "mem0", "basic-memory", "openclaw", "claude-memory")


@click.command("import", short_help="Bring in conversations and memories of other programs.")
@click.argument("path")
@click.option("--kind", type=click.Choice(_KINDS), help="What it is, if that is not recognised.")
@click.option("--user", metavar="ID", help="Whose memories, where a mem0 export has those of several.")
@click.option("--dry-run", is_flag=True, help="Only say what would come in.")
@click.option("--logs", is_flag=True, help="Also log the conversations under the days on which they were said.")
@common
def import_(path: str, kind: str | None, user: str | None, dry_run: bool, logs: bool) -> None:
    """Bring in what another program kept at PATH: an export of ChatGPT or Claude (as it came, or unpacked), transcripts
    of Claude Code or Codex, memories of mem0, basic-memory, OpenClaw, Obsidian or Claude's own memory folder, any
    Markdown, or an export of ours.

    Conversations become sessions, and are found by search at once. Memories pass the gate: what is there already is
    merged, what is doubtful waits in the inbox. It can be stopped and run again at any time: nothing comes in twice.
    """
    call = current()
    if not path.strip():
        raise click.UsageError("PATH is empty.", click.get_current_context())
    model = call.app.chat_model() if logs and not dry_run else None
    if dry_run:
        report = _run(call, call.reading(), path, kind, user, dry_run=True)
    else:
        with call.writing() as memory, Bar("Reading", quiet=call.json) as bar:
            report = memory.import_from(path, kind=kind, user=user, logs=logs, model=model, progress=bar.update)
            bar.clear()
        with Bar("Indexing", quiet=call.json) as bar:
            memory.embed(bar.update)
    call.answer({"result": "would_import" if dry_run else "imported", "report": report}, *_told(report))


def _run(
    call: Call, memory: "Memory", path: str, kind: str | None, user: str | None, *, dry_run: bool
) -> "ImportReport":
    with Bar("Reading", quiet=call.json) as bar:
        return memory.import_from(path, kind=kind, user=user, dry_run=dry_run, progress=bar.update)


def _told(report: "ImportReport") -> Iterator[str]:
    yield f"{report.path} is {report.kind}." + (" Nothing was written." if report.dry_run else "")
    if report.restored:
        yield f"The book was empty and is now what the export says: {counted(report.restored, 'file')} and the history."
    numbers = (
        (report.conversations, f"{counted(report.messages, 'message')} of {{}}", "conversation", "conversations"),
        (report.logs, "{} in the daily logs", "block", "blocks"),
        (report.taken, "{} taken", "entry", "entries"),
        (report.merged, "{} merged with what is there", "entry", "entries"),
        (report.held, "{} in the inbox: commonplace inbox", "entry", "entries"),
    )
    lines = [form.format(counted(number, one, many)) for number, form, one, many in numbers if number]
    known = report.known + report.known_messages + report.known_logs
    yield from lines or ([] if report.restored or known else ["There was nothing to bring in."])
    if known:
        yield f"{known} came in before."
    if report.undated:
        yield f"{report.undated} without a date in the source; none was made up."
    for one in report.skipped:
        few = ", ".join(one.places) + (" …" if one.count > len(one.places) else "")
        yield f"Left out, {one.count}: {one.why} ({few})"


@click.command(short_help="Write everything to one file, or in another program's format.")
@click.argument("file", required=False)
@click.option("--format", type=click.Choice(_FORMATS), default="json", show_default=True, help="What to write.")
@click.option("--force", is_flag=True, help="Replace what is there.")
@common
def export(file: str | None, format: str, force: bool) -> None:
    """Write the book to FILE: as one JSON file with everything in it, history included, which `import` turns into the
    same book again; or what another program can hold, in its own format (a folder, but for mem0). "-" is standard
    output.

    It is your own data and is written as it stands, with whatever secrets are in it; only you may read the file.
    """
    call = current()
    if file is not None and not file.strip():
        raise click.UsageError("FILE is empty.", click.get_current_context())
    memory = call.reading()
    if file == "-":
        if call.json:
            raise click.UsageError("--json answers on standard output too: name a file.", click.get_current_context())
        for line in memory.export(sys.stdout.buffer, format=format).left_out:
            warn(f"The format has no place for {line}.")
        return
    report = memory.export(file or _name_of(format), format=format, force=force)
    call.answer({"result": "exported", "report": report}, *_written(report))


def _name_of(format: str) -> str:
    """What an export is called that nobody named."""
    today = SystemClock().now().date()
    return (
        f"commonplace-{today}.json"
        if format == "json"
        else f"commonplace-{format}-{today}" + (".json" if format == "mem0" else "")
    )


def _written(report: "ExportReport") -> Iterator[str]:
    counts = [
        counted(report.entries, "entry", "entries"),
        *([counted(report.logs, "daily log")] if report.logs else []),
        *([counted(report.sessions, "conversation")] if report.sessions else []),
        *([counted(report.changes, "change")] if report.changes else []),
    ]
    yield f"Wrote {report.path}: {', '.join(counts)}, {report.bytes:,} bytes."
    for line in report.left_out:
        yield f"The format has no place for {line}."
