"""What the commands about a team share: which database, which tenant, and what is in it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from commonplace.cli.call import current
from commonplace.errors import ConfigError

if TYPE_CHECKING:
    from commonplace.team.credentials import Credentials
    from commonplace.team.membership import Members
    from commonplace.team.trail import Trail

_F = TypeVar("_F", bound=Callable[..., Any])


class Team(NamedTuple):
    """The tables of a team."""

    members: "Members"
    credentials: "Credentials"
    trail: "Trail"


def team_options(command: _F) -> _F:
    """Which database and tenant a command works on."""
    tenant = click.option("--tenant", default="own", show_default=True, help="Whose books and tokens.")
    database = click.option(
        "--team",
        "database",
        metavar="DATABASE",
        help="postgres://USER@HOST/DATABASE (default: the setting team.database).",
    )
    return database(tenant(command))


def in_team(database: str | None, tenant: str) -> Team:
    """The tables of the team that is meant."""
    from commonplace.stores.postgres import open_database
    from commonplace.team.credentials import Credentials
    from commonplace.team.membership import Members, check_name
    from commonplace.team.trail import Trail

    settings = current().app.settings.team
    place = database or settings.database
    if not place:
        raise ConfigError(
            "The database of the team is not named.",
            hint="Add --team postgres://USER@HOST/DATABASE, or: commonplace config set team.database ADDRESS",
        )
    check_name(tenant, "tenant")
    found = open_database(place)
    return Team(Members(found), Credentials(found), Trail(found, settings.trail_days))
