"""`team`: which books a team shares, who may do what in them, and who did."""

import click

from commonplace.cli.call import common, current
from commonplace.cli.output import say
from commonplace.cli.tenancy import in_team, team_options

_ROLES = click.Choice(["reader", "writer", "owner"])
_BY = "the command line"


@click.group(short_help="Share books with a team: who may read, write and own them.")
@common
def team() -> None:
    """Books of a team, as `commonplace serve --team` serves them: open, books, grant, revoke, roles, trail, close."""


@team.command("open")
@click.argument("name", metavar="BOOK")
@click.option("--owner", metavar="PERSON", required=True, help="Who may do everything in it.")
@click.option(
    "--kind",
    type=click.Choice(["personal", "project", "shared"]),
    default="project",
    show_default=True,
    help="For persons alone; for persons and groups; or read by everybody of the tenant.",
)
@team_options
@common
def open_(name: str, owner: str, kind: str, database: str | None, tenant: str) -> None:
    """Let a team use a book, a new one or one that was moved into the database."""
    from commonplace.team.membership import Kind

    call, found = current(), in_team(database, tenant)
    found.members.open(tenant, name, Kind(kind), owner, _BY)
    call.answer(
        {"result": "opened", "tenant": tenant, "book": name, "kind": kind, "owner": owner},
        f"{name} is a {kind} book of {tenant}; {owner} owns it.",
        f"A token for it: commonplace tokens create --for {owner} --role owner --books {name} --tenant {tenant}",
    )


@team.command()
@team_options
@common
def books(database: str | None, tenant: str) -> None:
    """List the books of a tenant."""
    call, found = current(), in_team(database, tenant)
    listed = found.members.all_in(tenant)
    call.answer(
        {"books": [{"book": one.book, "kind": one.kind, "created": one.created} for one in listed]},
        *(f"{one.book:<24} {one.kind:<9} since {one.created:%Y-%m-%d}" for one in listed),
    )
    if not listed and not call.json:
        say(f"The tenant {tenant} has no books. To open one: commonplace team open BOOK --owner PERSON")


@team.command()
@click.argument("name", metavar="BOOK")
@click.argument("who")
@click.argument("role", type=_ROLES)
@team_options
@common
def grant(name: str, who: str, role: str, database: str | None, tenant: str) -> None:
    """Give somebody a role in a book, or another one. WHO is a person, or @ and a group of your issuer."""
    from commonplace.team.membership import role_named

    call, found = current(), in_team(database, tenant)
    found.members.grant(tenant, name, who, role_named(role), _BY)
    call.answer({"result": "granted", "book": name, "who": who, "role": role}, f"{who} is a {role} of {name}.")


@team.command()
@click.argument("name", metavar="BOOK")
@click.argument("who")
@team_options
@common
def revoke(name: str, who: str, database: str | None, tenant: str) -> None:
    """Take somebody's role in a book away. Somebody must go on owning it."""
    call, found = current(), in_team(database, tenant)
    found.members.revoke(tenant, name, who)
    call.answer({"result": "revoked", "book": name, "who": who}, f"{who} has no role in {name} any more.")


@team.command()
@click.argument("name", metavar="BOOK")
@team_options
@common
def roles(name: str, database: str | None, tenant: str) -> None:
    """List who may do what in a book."""
    call, found = current(), in_team(database, tenant)
    given = found.members.roles(tenant, name)
    call.answer(
        {"roles": [{"who": g.who, "role": g.role.word, "given": g.given, "given_by": g.given_by} for g in given]},
        *(f"{g.who:<24} {g.role.word:<7} since {g.given:%Y-%m-%d}, by {g.given_by}" for g in given),
    )


@team.command()
@click.option("--in", "name", metavar="BOOK", help="Only this book.")
@click.option("--person", metavar="PERSON", help="Only what this person did.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True, help="How many to list.")
@team_options
@common
def trail(name: str | None, person: str | None, limit: int, database: str | None, tenant: str) -> None:
    """List who read and wrote what, the newest first. No text of any memory is in it."""
    call, found = current(), in_team(database, tenant)
    done = found.trail.read(tenant, book=name, person=person, limit=limit)
    call.answer(
        {"trail": done},
        *(
            f"{one.at:%Y-%m-%d %H:%M:%S}  {one.person}  {one.book or '-'}  {one.operation}  {one.status}"
            f"{'  ' + ' '.join(change[:10] for change in one.changes) if one.changes else ''}"
            for one in done
        ),
    )


@team.command()
@click.argument("name", metavar="BOOK")
@click.option("--yes", is_flag=True, help="Do not ask.")
@team_options
@common
def close(name: str, yes: bool, database: str | None, tenant: str) -> None:
    """Delete a book of a team with all that is in it, for good. Only the trail stays."""
    call, found = current(), in_team(database, tenant)
    call.confirm(f"Delete {name} with its whole history?", yes=yes, otherwise="A book is deleted for good.")
    found.members.close(tenant, name)
    call.answer({"result": "closed", "book": name}, f"{name} is deleted.")
