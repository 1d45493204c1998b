"""The server on standard input and output, for a client that starts it: it ends when its input does."""

import signal

import anyio
from mcp.server.stdio import stdio_server

from commonplace.mcp.serving import BookServer


def serve(server: BookServer) -> None:
    """Answer until standard input closes. Ctrl-C ends at once: a thread that waits for input would not hear of it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    anyio.run(_serve, server)


async def _serve(server: BookServer) -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
