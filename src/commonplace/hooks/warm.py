"""A hook as it starts: it asks a process that is warm, and does the work itself where there is none.

The MCP server that a host keeps running has a socket in the private folder of its book (`listening`), for this user
alone and only while it lives. Nothing is asked before the server has greeted, so one that hangs costs a moment and
nothing is done twice. Imports next to nothing: with a warm server this is all that a hook loads.
"""

import json
import os
import socket
import stat
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import cast

from commonplace.files.folders import PRIVATE
from commonplace.hooks.clients import CLIENTS, Moment, Told, parse
from commonplace.hooks.handing import hand_over
from commonplace.places import PROJECTS, book_name, user_folder

FOLDER = "warm"
_SWITCH = "COMMONPLACE_HOOKS"  # known here as well: a model that we call ourselves has hooks, too
READY = b"commonplace\n"
_GREETING = 0.5  # seconds: a server that is there greets at once
_ANSWER = 20.0
_LONGEST_ANSWER = 1 << 20
_LONGEST_ADDRESS = 100  # bytes; systems allow a few more
_MOST_ANCESTORS = 2  # the agent, or the shell that it runs its hooks in, and then the agent


def answer_to(client: str, data: str, here: str) -> dict[str, object] | None:
    """What a host is answered to one event; None if there is no such client."""
    told = parse(client, data, here, lineage())
    if told is None or os.environ.get(_SWITCH) == "off":
        return {} if client in CLIENTS else None
    if told.can_wait:
        hand_over(told.folder, told.session, flush=told.moment is Moment.END, ended=told.moment is Moment.END)
        return {}
    answer = asked(told, data, here)
    if answer is None:
        from pathlib import Path

        from commonplace.app import App
        from commonplace.hooks.running import answered

        answer = answered(App(), client, data, Path(here), ancestors=told.ancestors)
    return answer


def asked(told: Told, data: str, here: str) -> dict[str, object] | None:
    """What a warm server answers; None where there is none."""
    given = {"client": told.client.name, "data": data, "here": here, "ancestors": told.ancestors}
    event, home = json.dumps(given).encode(), user_folder("data")
    for book in (os.path.join(home, PROJECTS, book_name(told.folder)), os.path.join(home, "book")):
        folder = os.path.join(book, PRIVATE, FOLDER)
        with suppress(OSError):
            for name in os.listdir(folder):
                answer = None if name.startswith(".") else _exchanged(folder, name, event)
                if answer is not None:
                    return answer
    return None


def lineage() -> list[int]:
    """The processes that this one descends from, the nearest first, as far as the system tells."""
    found = [os.getppid()]
    while len(found) < _MOST_ANCESTORS:
        try:
            with open(f"/proc/{found[-1]}/stat", encoding="utf-8", errors="replace") as told:
                parent = int(told.read().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            break
        if parent <= 1:
            break
        found.append(parent)
    return found


@contextmanager
def reachable(folder: str, name: str) -> Generator[str]:
    """An address of a socket in a folder; also where its path is longer than an address may be."""
    path = os.path.join(folder, name)
    if len(os.fsencode(path)) <= _LONGEST_ADDRESS:
        yield path
        return
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{opened}/{name}"  # elsewhere there is no such place, and so no warm server
    finally:
        os.close(opened)


def read_all(line: socket.socket, most: int) -> bytes:
    """What comes in until the other side has said all, `most` bytes at the most."""
    receive: Callable[[], bytes] = lambda: line.recv(65536)  # noqa: E731 what `iter` asks for
    found = bytearray()
    for piece in iter(receive, b""):
        found += piece
        if len(found) > most:
            raise ValueError("too long")
    return bytes(found)


def _exchanged(folder: str, name: str, event: bytes) -> dict[str, object] | None:
    path = os.path.join(folder, name)
    try:
        found = os.lstat(path)
        if not stat.S_ISSOCK(found.st_mode) or found.st_uid != os.geteuid():
            return None
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(_GREETING)
            with reachable(folder, name) as address:
                line.connect(address)
            if line.recv(len(READY)) != READY:
                return None
            line.settimeout(_ANSWER)
            line.sendall(event)
            line.shutdown(socket.SHUT_WR)
            answer: object = json.loads(read_all(line, _LONGEST_ANSWER))
    except ConnectionRefusedError:  # its server was killed
        with suppress(OSError):
            os.unlink(path)
        return None
    except (OSError, ValueError, RecursionError):
        return None
    return cast(dict[str, object], answer) if isinstance(answer, dict) else None
