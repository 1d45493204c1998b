"""`doctor`: what is right and wrong, and how to mend it."""

import click

from commonplace.app import App
from commonplace.cli.call import Call, common, current
from commonplace.cli.exits import OK, PROBLEM
from commonplace.cli.output import say, shown, styled
from commonplace.errors import CommonplaceError
from commonplace.files.checkup import told
from commonplace.memory import Memory
from commonplace.types.keeping import Finding

_MARKS = {"ok": ("ok", "green"), "note": ("--", "cyan"), "warning": ("!", "yellow"), "error": ("x", "red")}


@click.command(short_help="Look for problems and say how to mend them.")
@click.option("--bring-back", is_flag=True, help="Restore deleted files from the history.")
@click.option("--accept-deletion", is_flag=True, help="Record that you deleted every file on purpose.")
@click.option("--full", is_flag=True, help="Read the whole history, not only its newest part.")
@common
def doctor(bring_back: bool, accept_deletion: bool, full: bool) -> int:
    """Check the book, the settings and the list of books; say how to mend each problem.

    \b
    ok  nothing to do      --  good to know
    !   look at it         x   mend it
    """
    call = current()
    if bring_back and accept_deletion:
        raise click.UsageError("--bring-back and --accept-deletion exclude each other.", click.get_current_context())
    if bring_back or accept_deletion:
        return _mend(call, bring_back=bring_back)
    app = call.app
    findings = app.examine(full=full)
    path: object = None
    try:
        path = app.choice.path
        findings += _agents(app)
        app.warnings.clear()  # told as a finding
    except CommonplaceError as error:
        if not any(finding.message == error.message for finding in findings):
            findings.append(Finding("book", "error", error.message, error.hint))
    healthy = all(finding.level in {"ok", "note"} for finding in findings)
    if call.json:
        call.answer({"book": path, "healthy": healthy, "findings": findings})
        return OK if healthy else PROBLEM
    if path is not None:
        say(f"Book: {path}")
    for finding in findings:
        mark, style = _MARKS[finding.level]
        words = ": ".join(filter(None, [finding.check, told(finding)]))
        print(f"{styled(f'{mark:<2}', style)}  {shown(words)}")
        if finding.fix and finding.level != "ok":
            say(f"      {finding.fix}")
    say("Everything is in order." if healthy else "Something needs a look: see the lines marked ! or x.")
    return OK if healthy else PROBLEM


def _agents(app: App) -> list[Finding]:
    """What is to be known of the agents that are connected; nothing is loaded for people who have none."""
    if not (app.data_folder / "clients.json").exists():
        return []
    from commonplace.cli.install import connections_of
    from commonplace.hooks.connected import check

    books = [Memory.open(app.choice.path), *(Memory.open(book.path) for book in app.shelf.books)]
    return check(connections_of(app), books, app.environment)


def _mend(call: Call, *, bring_back: bool) -> int:
    app: App = call.app
    memory = app.open()
    if bring_back:
        names = memory.book.bring_back()
        words = f"Brought back: {', '.join(names)}" if names else "No file that the history knows is missing."
        call.answer({"result": "brought_back", "files": names}, words)
        return OK
    change = memory.book.accept_deletion()
    words = (
        "Recorded; commonplace undo brings the files back." if change else "No file that the history knows is missing."
    )
    call.answer({"result": "deletion_accepted", "change": change}, words)
    return OK
