"""`config`: every setting, its value, and where the value came from."""

import click

from commonplace.cli.call import common, current
from commonplace.cli.output import say
from commonplace.files.book import SETTINGS_FILE


@click.command()
@common
def config() -> None:
    """Show every setting, its value and where it comes from."""
    call = current()
    app = call.app
    rows = [
        {
            "key": key,
            "value": str(app.choice.path) if key == "book" else "off" if value.value is None else value.value,
            "origin": app.choice.origin if key == "book" else value.origin,
            "meaning": value.setting.meaning,
            "variable": value.setting.variable,
        }
        for key, value in app.values.items()
    ]
    files = {"user": app.user_file, "book": app.choice.path / SETTINGS_FILE, "books": app.shelf.file}
    if call.json:
        call.answer({"settings": rows, "files": files})
        return
    for row in rows:
        say(f"{row['key']} = {row['value']}")
        say(f"    {row['meaning']}")
        say(f"    from: {row['origin']}   variable: {row['variable']}")
    say("")
    say("A flag comes before the environment, then the book's file, then yours, then the default.")
    for label, file in (("your file", files["user"]), ("this book's file", files["book"])):
        say(f"{label}: {file}{'' if file.exists() else ' (not there)'}")
