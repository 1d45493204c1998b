"""`audit`: what is doubtful in a memory, ours or any other, and how to mend it."""

from collections.abc import Sequence
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

import click

from commonplace.cli.call import Call, common, current
from commonplace.cli.exits import OK, PROBLEM
from commonplace.cli.output import counted, say, say_styled, shown, styled, warn
from commonplace.cli.progress import Bar
from commonplace.memory import Memory, SystemClock
from commonplace.types.book import MEMORY_FILE

if TYPE_CHECKING:
    from commonplace.files.pages import Page
    from commonplace.flows.auditing.mending import Remedy
    from commonplace.flows.auditing.report import Audit, Doubt

_BAR = 40
_NAMES = {
    "secret": "secrets",
    "instruction": "instructions",
    "duplicate": "duplicates",
    "same_fact": "same in other words",
    "contradiction": "contradictions",
    "stale": "out of date",
    "transient": "passing states",
    "one_off": "seen or said once",
    "third_party": "others' words",
    "several_facts": "several facts in one",
    "too_long": "too long",
    "structure": "structure",
    "note": "notes",
}
_STYLES = {"secret": "red", "instruction": "red", "contradiction": "yellow", "duplicate": "yellow", "note": "dim"}


@click.command(short_help="Look for what is doubtful in a memory.")
@click.argument("path", required=False, type=click.Path())
@click.option("--fix", is_flag=True, help="Mend what is certain: duplicates, secrets, structure. Shows it and asks.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@common
def audit(path: str | None, fix: bool, yes: bool) -> int:
    """Look for duplicates, contradictions, secrets and what is out of date, in the book or in PATH.

    PATH is a Markdown file of any agent (MEMORY.md, CLAUDE.md …), a folder of them, a book, or an export of memories
    in JSON. Each finding says where it is, why it is one, and how to mend it. A score of 100 is a clean memory.
    """
    from commonplace.foreign.audited import pages_at

    if path is not None and not path.strip():  # as a path, it would be the current folder
        raise click.UsageError("PATH is empty.", click.get_current_context())
    call, place = current(), None if path is None else Path(path)
    memory = _book(call, place)
    if memory is not None:
        return _audit_book(call, memory, _option(call, place), fix=fix, yes=yes)
    assert place is not None  # noqa: S101 without a path it is the book
    pages, left_out = pages_at(place)
    for sentence in left_out:
        warn(f"Left out: {sentence}")
    result = _run(call, pages)
    if not fix:
        return _tell(call, result, str(place))
    return _fix_files(call, place, pages, result, yes=yes)


def _book(call: Call, path: Path | None) -> Memory | None:
    """The book that is meant; None: other files."""
    if path is None:
        return call.reading()
    folder = path.parent if path.name == MEMORY_FILE else path
    if not folder.is_dir():
        return None
    memory = Memory.open(folder, settings=call.app.settings)
    return memory if memory.book.identity() is not None else None


def _option(call: Call, path: Path | None) -> str:
    """What the commands need to work on the same book."""
    import shlex

    chosen = str(path.parent if path.name == MEMORY_FILE else path) if path is not None else call.book
    return f" --book {shlex.quote(chosen)}" if chosen else ""


# -- a book -------------------------------------------------------------------------------------------------------


def _audit_book(call: Call, memory: Memory, option: str, *, fix: bool, yes: bool) -> int:
    from commonplace.flows.auditing.advice import advice_for_book

    def run() -> "Audit":
        with Bar("Looking", quiet=call.json) as bar:
            return memory.audit(advice=advice_for_book(option), progress=bar.update)

    result, name = run(), memory.address
    if not fix:
        return _tell(call, result, name)
    planned = memory.remedies()
    if not planned:
        return _nothing_certain(call, result, name)
    files = _say_diff(call, planned)
    call.confirm(f"Change {files} like this?", yes=yes, otherwise=f"This changes {files}.")
    with call.writing():
        copy, change = memory.mend()
    told: dict[str, object] = {"backup": copy.name if copy else None, "change": change}
    sentences = [
        *([f"What was there is kept as {copy.name}"] if copy else []),
        f"To have it back: commonplace undo{option} {(change or '')[:10]}",
    ]
    if "secret" in result.counts:
        everywhere = f"commonplace forget{option} --everywhere -"
        sentences.append(f"The backup and the history still hold the secrets; this removes them: {everywhere}")
    return _tell(call, run(), name, fixed=told, sentences=sentences)


# -- other files --------------------------------------------------------------------------------------------------


def _run(call: Call, pages: "Sequence[Page]") -> "Audit":
    from commonplace.flows.auditing import audit as run
    from commonplace.providers.embedders import embedder

    settings = call.app.settings
    with Bar("Looking", quiet=call.json) as bar:
        today = SystemClock().now().date()
        return run(pages, today=today, gate=settings.gate, embedder=embedder(settings.embedder), progress=bar.update)


def _fix_files(call: Call, path: Path, pages: "Sequence[Page]", result: "Audit", *, yes: bool) -> int:
    from commonplace.flows.auditing.mending import remedies
    from commonplace.foreign.audited import file_of, pages_at

    planned = remedies(pages, call.app.settings.gate)
    if not planned:
        return _nothing_certain(call, result, str(path))
    files = _say_diff(call, planned)
    call.confirm(f"Change {files} like this?", yes=yes, otherwise=f"This changes {files}.")
    copies = {one.name: _near(file_of(path, one.name), one) for one in planned}
    sentences = [f"Mended {name}. What was there is kept as {copy}" for name, copy in copies.items()]
    if "secret" in result.counts:
        sentences.append("The copies still hold the secrets: delete them when you have looked at the result.")
    return _tell(call, _run(call, pages_at(path)[0]), str(path), fixed={"copies": copies}, sentences=sentences)


def _near(file: Path, remedy: "Remedy") -> str:
    """Mend a file; where its copy is, said as the file was named."""
    from commonplace.foreign.audited import put_back

    copy = put_back(file, remedy.old, remedy.new)
    return str(copy if file.is_symlink() else file.with_name(copy.name))


# -- telling ------------------------------------------------------------------------------------------------------


def _nothing_certain(call: Call, result: "Audit", name: str) -> int:
    sentence = "Nothing is to mend." if result.is_clean else "Nothing of this can be mended with certainty."
    return _tell(call, result, name, fixed={}, sentences=[sentence])


def _tell(
    call: Call,
    result: "Audit",
    name: str,
    *,
    fixed: dict[str, object] | None = None,
    sentences: Sequence[str] = (),
) -> int:
    status = OK if result.is_clean else PROBLEM
    if call.json:
        told = {} if fixed is None else {"fixed": fixed}
        call.answer(
            {
                "path": name,
                "files": result.pages,
                "entries": result.items,
                "score": result.score,
                "clean": result.is_clean,
                "counts": result.counts,
                "findings": [_described(doubt) for doubt in result.doubts],
                "trouble": result.trouble,
                **told,
            }
        )
        return status
    if result.trouble:
        warn(f"Meaning could not be compared, only words: {result.trouble}")
    for sentence in sentences:
        say(sentence)
    if sentences and not result.is_clean:
        say("\nLeft for you to decide:")
    for doubt in result.doubts:
        _say_doubt(doubt)
    _say_table(result, name)
    return status


def _described(doubt: "Doubt") -> dict[str, object]:
    place, other = doubt.place, doubt.other
    found: dict[str, object] = {"kind": doubt.kind, "where": str(place), "file": place.file}
    found |= {"line" if place.numbers_lines else "index": place.line, "text": place.text}
    if place.id:
        found["id"] = place.id
    if other is not None:
        at = {"line" if other.numbers_lines else "index": other.line}
        found["other"] = {"where": str(other), "file": other.file, **at, "text": other.text}
    return {**found, "why": doubt.why, "fix": doubt.fix, "certainty": doubt.certainty, "certain": doubt.certain}


def _say_doubt(doubt: "Doubt") -> None:
    kind = styled(doubt.kind.value, _STYLES.get(doubt.kind.value, "cyan"))
    print(f"{shown(str(doubt.place))}  {kind}  {shown(doubt.place.text)}")
    if doubt.other is not None:
        say(f"    {doubt.other}: {doubt.other.text}")
    say(f"    {doubt.why}")
    say(f"    → {doubt.fix}")


def _say_table(result: "Audit", name: str) -> None:
    if result.doubts:
        say("")
    files = f"{counted(len(result.pages), 'file')}, " if len(result.pages) > 1 else ""
    say(f"{name}: {files}{counted(result.items, 'entry', 'entries')}, score {result.score} of 100")
    most = max(result.counts.values(), default=1)
    for kind, count in result.counts.items():
        bar = "#" * max(1, round(_BAR * count / most))
        print(f"  {_NAMES[kind.value]:<20} {count:>5}  {styled(bar, _STYLES.get(kind.value, 'cyan'))}")
    if result.is_clean:
        say("Nothing doubtful was found.")


def _say_diff(call: Call, planned: "Sequence[Remedy]") -> str:
    """Show what would change, and name the files."""
    files = planned[0].name if len(planned) == 1 else counted(len(planned), "file")
    if call.json:
        return files
    for remedy in planned:
        for line in unified_diff(remedy.before, remedy.after, f"a/{remedy.name}", f"b/{remedy.name}", n=1):
            style = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
            text = line.rstrip()
            if style is None or line.startswith(("+++", "---")):
                say(text)
            else:
                say_styled(text, style)
    return files
