"""`edit`: MEMORY.md in the person's own editor."""

import os
import shlex
import shutil
import subprocess
from difflib import unified_diff
from pathlib import Path

import click

from commonplace.cli.call import Call, common, current
from commonplace.cli.output import counted
from commonplace.errors import ValidationError
from commonplace.types.book import MEMORY_FILE

_USUAL = ("sensible-editor", "nano", "vim", "vi")


@click.command(short_help="Open MEMORY.md in your editor.")
@common
def edit() -> None:
    """Open MEMORY.md in your editor ($VISUAL or $EDITOR), and record what you changed as yours."""
    call = current()
    with call.writing() as memory:
        memory.create()
        file = memory.path / MEMORY_FILE
        if call.json:  # a program does not wait for a person: it is told where to write
            call.answer({"file": file})
            return
        before = memory.read()
        editor = _editor(call, file)
        try:
            done = subprocess.run([*editor, str(file)], check=False)
        except OSError as error:
            raise ValidationError(
                f"{editor[0]} cannot be started: {error.strerror or error}.", hint="Set EDITOR to your editor."
            ) from error
        newest = next(memory.changes(), None)  # looking records what was edited
        after = memory.read()
    if done.returncode != 0:
        call.answer(None, f"{editor[0]} ended with status {done.returncode}.")
    if after == before or newest is None:
        call.answer(None, "Nothing was changed.")
        return
    lines = list(unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0))[2:]
    added, gone = (sum(line.startswith(sign) for line in lines) for sign in "+-")
    call.answer(
        None,
        f"Recorded as yours: {counted(added, 'line')} added, {gone} removed.",
        f"To take it back: commonplace undo {newest.short}",
    )


def _editor(call: Call, file: Path) -> list[str]:
    chosen = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    if chosen.strip():
        return shlex.split(chosen)
    found = next((name for name in _USUAL if shutil.which(name)), None)
    if found is None or not call.can_ask:
        raise ValidationError("There is no editor to open.", hint=f"Set EDITOR, or open {file} yourself.")
    return [found]
