"""What the servers share that this program starts: their token, their address, and that there is a book to serve."""

import sys
from pathlib import Path

from commonplace.cli.call import Call
from commonplace.cli.output import shown
from commonplace.errors import BookMissing, ValidationError

OPEN_TO_OTHERS = "Other machines can reach this address, and nothing is encrypted: put a proxy with TLS in front of it."
SHORTEST_TOKEN = 16


def token_for(call: Call, given: str | None, *, open_to_others: bool) -> str:
    """What clients must send. One that nobody chose is enough only where nobody else can knock."""
    if given is not None and len(given) < SHORTEST_TOKEN:
        raise ValidationError(
            f"A token needs at least {SHORTEST_TOKEN} characters.", hint="Leave --token out, and one is made."
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
        tell(f"A token was made. Clients must send it; it is shown only now, and kept in {file}:\n{token}")
    elif file is not None:
        tell(f"The token that clients must send is in {file}")
    return token


def tell(text: str) -> None:
    print(shown(text), file=sys.stderr, flush=True)


def check_place(call: Call) -> None:
    """A folder that was mistyped, or a disk that is not there, must not be served as an empty memory."""
    path = call.app.choice.path
    if isinstance(path, Path) and not path.parent.is_dir() and not path.is_relative_to(call.app.data_folder):
        raise BookMissing(
            f"There is no folder {path.parent}, where the book {path.name!r} should be.",
            hint="Is its disk mounted? Is the path right? To begin a book there: commonplace init --book PATH",
        )
