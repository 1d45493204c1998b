"""`proxy`: memory for a program that cannot be changed, between it and its model."""

import logging

import click

from commonplace.cli.call import common, current
from commonplace.cli.doors import check_place, tell
from commonplace.cli.output import print_json


@click.command(short_help="Give a program that speaks to a model a memory.")
@click.option("--upstream", metavar="URL", required=True, help="The provider, for example https://api.openai.com/v1.")
@click.option("--port", type=click.IntRange(0, 65535), default=7317, show_default=True, help="The port; 0 takes any.")
@click.option("--no-tools", is_flag=True, help="Do not offer the model the tools of the memory.")
@common
def proxy(upstream: str, port: int, no_tools: bool) -> None:
    """Stand between a program and its model, so that the program has a memory without being changed.

    Point the program's base address to http://127.0.0.1:7317 (with /v1, where it had that). Chat Completions, Responses
    and Messages are understood: what is known is put before the user's message, the tools of the memory are run and
    hidden, and the conversation becomes a session of the book. All else passes byte for byte. Keys are handed on to the
    provider and kept nowhere. Only programs on this machine are answered.

    \b
    commonplace proxy --upstream https://api.anthropic.com
    ANTHROPIC_BASE_URL=http://127.0.0.1:7317 some-program
    """
    from commonplace.loopback import address, bound, serve
    from commonplace.proxy.forwarding import Proxy

    call = current()
    check_place(call)
    memory = call.app.open()
    lifecycle = call.app.lifecycle(memory)
    app = Proxy(memory, upstream, tools=not no_tools, opened=lifecycle.opened)
    listening = bound("127.0.0.1", port)
    place = address("127.0.0.1", listening)
    tell(f"Programs that ask {place} remember in {call.app.choice.path}; Ctrl-C ends it.")
    if call.json:
        print_json({"address": place, "upstream": upstream, "book": call.app.choice.path})
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # an answer that the provider cut off is no news
    lifecycle.started()
    lifecycle.watch()
    serve(app, listening)
    lifecycle.left()
    lifecycle.close()
