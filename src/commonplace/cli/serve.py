"""`serve`: the memory screen in the browser, and the HTTP API under it; or, with --team, the API for many people."""

import sys

import click

from commonplace.cli.call import Call, common, current
from commonplace.cli.doors import OPEN_TO_OTHERS, check_place, tell, token_for
from commonplace.cli.output import print_json, warn


@click.command(short_help="Open the memory in the browser; serve the HTTP API.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=7316, show_default=True, help="The port; 0 takes any.")
@click.option("--no-open", is_flag=True, help="Only print the link; do not open the browser.")
@click.option("--token", metavar="TEXT", help="What programs must send (default: the one that `mcp --http` has).")
@click.option("--allow-host", "names", metavar="NAME", multiple=True, help="A name it may be called by.")
@click.option("--team", metavar="DATABASE", help="Serve the books of a team, for many people: postgres://…/DATABASE.")
@click.option(
    "--drain",
    metavar="SECONDS",
    type=click.FloatRange(0, 300),
    default=5.0,
    show_default=True,
    help="With --team: how long to go on after SIGTERM, while /readyz says no.",
)
@common
def serve(
    host: str, port: int, no_open: bool, token: str | None, names: tuple[str, ...], team: str | None, drain: float
) -> None:
    """Open the memory in the browser, and serve the HTTP API for programs.

    The link that is printed works once, and makes the browser known for 30 days. Programs send the header
    `Authorization: Bearer TOKEN` to http://127.0.0.1:7316/api/v1; what there is to ask stands on /api/docs there. The
    token is made at the first start and kept in your data folder; --token or COMMONPLACE_MCP_TOKEN gives another.
    Nothing is ever sent to another machine.

    With --team, any number of these serve the books in a database: the API below /api/v1/books/BOOK, MCP on /mcp/BOOK,
    for whoever has one of its tokens (commonplace tokens) or the word of your issuer (settings team.*). There is no
    page in the browser then.
    """
    if team is not None:
        if no_open or token is not None:
            raise click.UsageError("--no-open and --token are for one person's server, not for --team.")
        _serve_team(current(), team, host, port, names, drain)
        return
    from commonplace.loopback import address, bound, is_loopback
    from commonplace.loopback import serve as answer
    from commonplace.web.application import web_app
    from commonplace.web.door import ENTER, Keys
    from commonplace.web.machine import Machine

    call = current()
    check_place(call)
    secret = token_for(call, token, open_to_others=not is_loopback(host))
    keys = Keys(secret)
    listening = bound(host, port)
    place = address(host, listening)
    machine: Machine | None = None
    if is_loopback(host) and not names:
        machine = Machine(secret, host, lambda other, keys: web_app(other, keys, hosts=(host,), machine=machine))
        machine.note(str(call.app.choice.path), place, keys)
    app = web_app(call.app, keys, hosts=(host, *names), machine=machine)
    link = f"{place}{ENTER}?key={keys.new_link()}"
    tell(f"Serving {call.app.choice.path} on {place}; Ctrl-C ends it.")
    if call.json:
        print_json({"address": place, "link": link, "book": call.app.choice.path})
        sys.stdout.flush()  # whoever started this waits for it
    else:
        click.echo(link)
    if not is_loopback(host):
        warn(OPEN_TO_OTHERS)
    if not (no_open or call.json):
        _open(link)
    try:
        answer(app, listening)
    finally:
        if machine is not None:
            machine.close()


def _serve_team(call: Call, database: str, host: str, port: int, names: tuple[str, ...], drain: float) -> None:
    from commonplace.loopback import address, bound, is_loopback
    from commonplace.team.server import State, check_database, team_app
    from commonplace.team.server import serve as answer
    from commonplace.team.telemetry import log_in_json

    check_database(database)
    metrics, state = call.app.token("metrics"), State()
    app = team_app(
        call.app, database, hosts=(host, *names), metrics_token=metrics.value if metrics else "", state=state
    )
    listening = bound(host, port)
    place = address(host, listening)
    tell(f"Serving the books in {database} on {place}; Ctrl-C ends it.")
    if call.json:
        print_json({"address": place, "database": database})
        sys.stdout.flush()  # whoever started this waits for it
    if not is_loopback(host):
        warn(OPEN_TO_OTHERS)
    log_in_json()
    answer(app, listening, state, drain)


def _open(link: str) -> None:
    """The browser asks as soon as it is there; the socket listens already, so it waits for the answer."""
    import webbrowser

    if not webbrowser.open(link):
        tell("No browser could be opened: open the link yourself.")
