"""`tokens`: what people's programs send to a server of a team."""

from typing import TYPE_CHECKING

import click

from commonplace.cli.call import common, current
from commonplace.cli.output import say
from commonplace.cli.tenancy import in_team, team_options

if TYPE_CHECKING:
    from commonplace.team.credentials import Credential


@click.group(short_help="Make, list and revoke the tokens of a team.")
@common
def tokens() -> None:
    """Tokens for `commonplace serve --team`: create, list, revoke."""


@tokens.command()
@click.option("--for", "person", metavar="PERSON", required=True, help="Whose token it is.")
@click.option(
    "--role",
    type=click.Choice(["reader", "writer", "owner"]),
    default="writer",
    show_default=True,
    help="The most that it may do.",
)
@click.option("--books", metavar="NAMES", help="Only these books, with commas between them (default: all of theirs).")
@click.option("--days", type=click.IntRange(1, 3650), default=90, show_default=True, help="How long it is good for.")
@click.option("--name", metavar="TEXT", default="", help="What it is for, so that you know it again.")
@team_options
@common
def create(person: str, role: str, books: str | None, days: int, name: str, database: str | None, tenant: str) -> None:
    """Make a token for a person. It is shown once: only its hash is kept.

    A token never gives more than the person has: in each book their role counts, up to the token's own.
    """
    from commonplace.team.credentials import Wish
    from commonplace.team.membership import role_named

    call, team = current(), in_team(database, tenant)
    named = None if books is None else [word.strip() for word in books.split(",") if word.strip()]
    token, made = team.credentials.create(tenant, Wish(person, role_named(role), named, days, name))
    call.answer(
        {"result": "created", "token": token, **_described(made)},
        token,
        f"The token {made.id} is {person}'s, as {made.role.word}, for {_books(made)}, until {made.expires:%Y-%m-%d}.",
        "It is shown only now: keep it where secrets are kept.",
    )


@tokens.command("list")
@team_options
@common
def list_(database: str | None, tenant: str) -> None:
    """List the tokens of a tenant, those used last first."""
    call, team = current(), in_team(database, tenant)
    found = team.credentials.all_in(tenant)
    call.answer({"tokens": [_described(one) for one in found]}, *map(_line, found))
    if not found and not call.json:
        say(f"The tenant {tenant} has no tokens.")


@tokens.command()
@click.argument("id")
@team_options
@common
def revoke(id: str, database: str | None, tenant: str) -> None:
    """End a token now."""
    call, team = current(), in_team(database, tenant)
    ended = team.credentials.revoke(tenant, id)
    call.answer({"result": "revoked", **_described(ended)}, f"The token {ended.id} of {ended.person} is revoked.")


def _described(one: "Credential") -> dict[str, object]:
    return {
        "id": one.id,
        "name": one.name,
        "person": one.person,
        "role": one.role.word,
        "books": one.books,
        "created": one.created,
        "expires": one.expires,
        "revoked": one.revoked,
        "last_used": one.last_used,
        "state": one.state,
    }


def _line(one: "Credential") -> str:
    used = f"used {one.last_used:%Y-%m-%d %H:%M}" if one.last_used else "never used"
    about = f"{one.person} as {one.role.word} for {_books(one)}"
    name = f"  {one.name}" if one.name else ""
    return f"{one.id}  {one.state:<7}  {used:<21}  until {one.expires:%Y-%m-%d}  {about}{name}"


def _books(one: "Credential") -> str:
    return "all of their books" if one.books is None else ", ".join(one.books)
