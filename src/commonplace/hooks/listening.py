"""Answering hooks in a process that is warm: the socket of a server in the private folder of its book."""

from __future__ import annotations

import json
import os
import secrets
import socket
import socketserver
import struct
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from commonplace.errors import CommonplaceError
from commonplace.files.folders import PRIVATE
from commonplace.hooks.running import answered
from commonplace.hooks.warm import FOLDER, READY, reachable, read_all
from commonplace.stores import is_address

if TYPE_CHECKING:
    from commonplace.app import App
    from commonplace.memory import Memory

_PATIENCE = 5.0  # seconds for a hook to say what it wants
_LONGEST = 32 << 20  # a prompt may be a whole file
_LOOK = 1.0  # seconds between two looks for a book that is not begun yet

Answering = Callable[[dict[str, Any]], dict[str, object]]


@contextmanager
def listening(app: App, memory: Memory) -> Generator[None]:
    """While this lasts, hooks of this book are answered here, once there is a book."""
    if is_address(memory.address):  # the door is a file of the book: there is none
        yield
        return
    door, over = _Door(memory.path / PRIVATE, _answering(app, memory)), threading.Event()
    threading.Thread(target=door.open_when_possible, args=(over,), name="hooks", daemon=True).start()
    try:
        yield
    finally:
        over.set()
        door.close()


def _answering(app: App, memory: Memory) -> Answering:
    def opened(now: App, folder: Path) -> Memory:
        """This very memory, as long as the settings still mean it: what it has loaded is what makes it warm."""
        found = now.memory_in(folder)
        return memory if found.same_as(memory) else found

    def answer(event: dict[str, Any]) -> dict[str, object]:
        given = cast("list[int]", event.get("ancestors") or [])
        return answered(
            app.anew(), str(event["client"]), str(event["data"]), Path(event["here"]), opened, ancestors=given
        )

    return answer


class _Door:
    """A socket that is there for its owner alone. It gets its name when it listens: whoever sees it can ask."""

    def __init__(self, private: Path, answer: Answering) -> None:
        self._private = private
        self._folder = private / FOLDER
        self._name = f"{secrets.token_hex(8)}.sock"
        self._answer = answer
        self._guard = threading.Lock()
        self._closed = False

    def open_when_possible(self, over: threading.Event) -> None:
        while not self._private.is_dir():
            if over.wait(_LOOK):
                return
        with suppress(OSError, CommonplaceError):  # without it, hooks do the work themselves
            server = self._opened()
            if server is not None:
                server.serve_forever(poll_interval=3600)

    def _opened(self) -> socketserver.BaseServer | None:
        self._folder.mkdir(0o700, exist_ok=True)
        before = f".{self._name}"
        with self._guard, reachable(str(self._folder), before) as address:
            if self._closed:
                return None
            server = _Server(address, _Handler)
            server.answer = self._answer
            os.chmod(self._folder / before, 0o600)
            os.rename(self._folder / before, self._folder / self._name)
            return server

    def close(self) -> None:
        with self._guard, suppress(OSError):
            self._closed = True
            os.unlink(self._folder / self._name)


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 16
    answer: Answering

    def verify_request(self, request: Any, client_address: Any) -> bool:  # noqa: ARG002 the library's signature
        return _owner_of(cast(socket.socket, request)) in {None, os.geteuid()}

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A hook that goes away, or says nonsense, is no concern of the host's."""


class _Handler(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        line = cast(socket.socket, self.request)
        line.settimeout(_PATIENCE)
        line.sendall(READY)
        event: object = json.loads(read_all(line, _LONGEST))
        if isinstance(event, dict):
            answer = cast(_Server, self.server).answer(cast("dict[str, Any]", event))
            line.sendall(json.dumps(answer).encode())


def _owner_of(line: socket.socket) -> int | None:
    """Whose process is at the other end, where the system tells; elsewhere the modes of the folders must do."""
    if not hasattr(socket, "SO_PEERCRED"):
        return None
    told = line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return struct.unpack("3i", told)[1]
