"""`serve`: the memory screen in the browser, and the HTTP API under it."""

import sys

import click

from commonplace.cli.call import common, current
from commonplace.cli.doors import OPEN_TO_OTHERS, check_place, tell, token_for
from commonplace.cli.output import print_json, warn


@click.command(short_help="Open the memory in the browser; serve the HTTP API.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=7316, show_default=True, help="The port; 0 takes any.")
@click.option("--no-open", is_flag=True, help="Only print the link; do not open the browser.")
@click.option("--token", metavar="TEXT", help="What programs must send (default: the one that `mcp --http` has).")
@click.option("--allow-host", "names", metavar="NAME", multiple=True, help="A name it may be called by.")
@common
def serve(host: str, port: int, no_open: bool, token: str | None, names: tuple[str, ...]) -> None:
    """Open the memory in the browser, and serve the HTTP API for programs.

    The link that is printed works once, and makes the browser known for 30 days. Programs send the header
    `Authorization: Bearer TOKEN` to http://127.0.0.1:7316/api/v1; what there is to ask stands on /api/docs there. The
    token is made at the first start and kept in your data folder; --token or COMMONPLACE_MCP_TOKEN gives another.
    Nothing is ever sent to another machine.
    """
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


def _open(link: str) -> None:
    """The browser asks as soon as it is there; the socket listens already, so it waits for the answer."""
    import webbrowser

    if not webbrowser.open(link):
        tell("No browser could be opened: open the link yourself.")
