"""`db`: the tables for books in a database."""

import click

from commonplace.cli.call import common, current


@click.group(short_help="Make ready a database for books.")
@common
def db() -> None:
    """Books in a database: migrate."""


@db.command()
@click.argument("address")
@click.option("--grant", "role", metavar="USER", help="Let this database user keep books there.")
@common
def migrate(address: str, role: str | None) -> None:
    """Make the tables for books in a database, or bring them up to date.

    ADDRESS is postgres://USER@HOST/DATABASE, of a user who may make tables there. Nothing else makes or changes tables.
    """
    from commonplace.stores.postgres import migrate_database

    before, after = migrate_database(address, role)
    told = "The tables are up to date" if before == after else f"The tables went from version {before} to {after}"
    call = current()
    call.answer(
        {"result": "migrated", "before": before, "after": after, "granted": role},
        f"{told}.",
        *([f"{role} may keep books there."] if role else []),
    )
