"""`mcp`: the book for agents, over the Model Context Protocol."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from commonplace.cli.call import Call, common, current
from commonplace.cli.output import shown, warn
from commonplace.errors import BookMissing, ConfigError, ValidationError

if TYPE_CHECKING:
    from commonplace.mcp.serving import BookServer

_SHORTEST_TOKEN = 16


@click.command(short_help="Serve the book to agents over MCP.")
@click.option("--http", is_flag=True, help="Over HTTP instead of standard input and output.")
@click.option("--host", default="127.0.0.1", show_default=True, help="With --http: the address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=7315, show_default=True, help="With --http: the port.")
@click.option("--token", metavar="TEXT", help="With --http: what clients must send (default: one that is made).")
@click.option("--allow-host", "names", metavar="NAME", multiple=True, help="With --http: a name it may be called by.")
@click.option("--project", is_flag=True, help="The book of the project in this folder, beside your own.")
@click.option("--session", metavar="ID", default="", help="The id of the conversation, if the agent has one.")
@common
def mcp(
    http: bool, host: str, port: int, token: str | None, names: tuple[str, ...], project: bool, session: str
) -> None:
    """Serve the book to an agent over the Model Context Protocol: tools, resources and prompts.

    An agent starts it by itself and talks to it on standard input and output. With --http, any number of agents connect
    to http://127.0.0.1:7315/mcp with the header `Authorization: Bearer TOKEN`. The token is made and shown at the first
    start, and kept in your data folder; --token or COMMONPLACE_MCP_TOKEN gives another.

    \b
    claude mcp add commonplace -- commonplace mcp
    codex mcp add commonplace -- commonplace mcp
    """
    call = current()
    _check_place(call)
    try:
        from commonplace.mcp.serving import BookServer
    except ModuleNotFoundError as error:
        from commonplace.extras import advice

        raise ConfigError(f"The package {error.name} is missing, and MCP needs it.", hint=advice("mcp")) from error
    server = BookServer(call.app, folder=Path.cwd() if project else None, session=session)
    if http:
        _serve_http(call, server, host, port, token, names)
    else:
        from commonplace.mcp.stdio import serve

        serve(server)


def _serve_http(
    call: Call, server: "BookServer", host: str, port: int, given: str | None, names: tuple[str, ...]
) -> None:
    from commonplace.mcp.http import PATH, bound, http_app, is_loopback, serve

    token = _token(call, given, open_to_others=not is_loopback(host))
    listening = bound(host, port)
    app = http_app(server, token=token, hosts=(host, *names))
    shown_host = f"[{host}]" if ":" in host else host
    _tell(f"Serving {call.app.choice.path} on http://{shown_host}:{listening.getsockname()[1]}{PATH}; Ctrl-C ends it.")
    if not is_loopback(host):
        warn("Other machines can reach this address, and nothing is encrypted: put a proxy with TLS in front of it.")
    serve(app, listening)


def _token(call: Call, given: str | None, *, open_to_others: bool) -> str:
    """What clients must send. One that nobody chose is enough only where nobody else can knock."""
    if given is not None and len(given) < _SHORTEST_TOKEN:
        raise ValidationError(
            f"A token needs at least {_SHORTEST_TOKEN} characters.", hint="Leave --token out, and one is made."
        )
    if given is not None:
        return given
    if open_to_others and call.app.token("mcp") is None:
        raise ValidationError(
            "This address can be reached from other machines, and there is no token.",
            hint="Give one with --token or COMMONPLACE_MCP_TOKEN, or listen on 127.0.0.1.",
        )
    token, file, fresh = call.app.token_or_new("mcp")
    if fresh:
        _tell(f"A token was made. Clients must send it; it is shown only now, and kept in {file}:\n{token}")
    elif file is not None:
        _tell(f"The token that clients must send is in {file}")
    return token


def _tell(text: str) -> None:
    print(shown(text), file=sys.stderr, flush=True)


def _check_place(call: Call) -> None:
    """A folder that was mistyped, or a disk that is not there, must not be served as an empty memory."""
    path = call.app.choice.path
    if not path.parent.is_dir() and not path.is_relative_to(call.app.data_folder):
        raise BookMissing(
            f"There is no folder {path.parent}, where the book {path.name!r} should be.",
            hint="Is its disk mounted? Is the path right? To begin a book there: commonplace init --book PATH",
        )
