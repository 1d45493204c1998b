"""`mcp`: the book for agents, over the Model Context Protocol."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from commonplace.cli.call import Call, common, current
from commonplace.cli.doors import OPEN_TO_OTHERS, check_place, tell, token_for
from commonplace.cli.output import warn
from commonplace.errors import ConfigError

if TYPE_CHECKING:
    from commonplace.mcp.serving import BookServer
    from commonplace.memory import Memory


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
    check_place(call)
    try:
        from commonplace.mcp.serving import BookServer
    except ModuleNotFoundError as error:
        from commonplace.extras import advice

        raise ConfigError(f"The package {error.name} is missing, and MCP needs it.", hint=advice("mcp")) from error
    server = BookServer(
        call.app, folder=Path.cwd() if project else None, session=session, hosted=_of_hooks if project else None
    )
    if http:
        _serve_http(call, server, host, port, token, names)
    else:
        from commonplace.hooks.listening import listening
        from commonplace.mcp.stdio import serve

        with listening(call.app, server.memory) if project else nullcontext():
            serve(server)


def _of_hooks(memory: "Memory") -> str:
    from commonplace.hooks.hosted import open_session
    from commonplace.hooks.warm import lineage

    return open_session(memory, lineage())


def _serve_http(
    call: Call, server: "BookServer", host: str, port: int, given: str | None, names: tuple[str, ...]
) -> None:
    from commonplace.loopback import address, bound, is_loopback, serve
    from commonplace.mcp.http import PATH, http_app

    token = token_for(call, given, open_to_others=not is_loopback(host))
    listening = bound(host, port)
    app = http_app(server, token=token, hosts=(host, *names))
    tell(f"Serving {call.app.choice.path} on {address(host, listening)}{PATH}; Ctrl-C ends it.")
    if not is_loopback(host):
        warn(OPEN_TO_OTHERS)
    serve(app, listening)
