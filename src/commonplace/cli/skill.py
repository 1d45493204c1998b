"""`skill`: the text that teaches an agent to use the memory."""

from pathlib import Path

import click

from commonplace.cli.call import common, current
from commonplace.errors import StorageError
from commonplace.skills import FILE, NAME
from commonplace.skills import skill as skill_text


@click.command(short_help="Print or install the skill for agents.")
@click.option("--into", type=click.Path(path_type=Path), metavar="DIR", help=f"Write it to DIR/{FILE}.")
@click.option("--yes", is_flag=True, help="Replace a file that was changed.")
@common
def skill(into: Path | None, yes: bool) -> None:
    """Print the skill that teaches an agent when and how to remember, or write it where the agent finds skills.

    \b
    commonplace skill --into ~/.claude/skills
    commonplace skill --into .agents/skills
    """
    call, text = current(), skill_text()
    if into is None:
        if call.json:
            call.answer({"name": NAME, "text": text})
        else:
            click.echo(text, nl=False)
        return
    file = into.expanduser() / FILE
    try:
        there = file.read_bytes() if file.exists() else None
        if there == text.encode():
            call.answer({"result": "unchanged", "file": file}, f"{file} is there already.")
            return
        if there is not None:
            call.confirm(f"Replace {file}?", yes=yes, otherwise=f"{file} is there and has another text.")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    except OSError as error:
        raise StorageError(f"Cannot write {file}: {error.strerror or error}.", hint="Name another folder.") from error
    call.answer({"result": "written", "file": file}, f"Wrote {file}")
