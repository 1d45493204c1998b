"""An HTTP server on this machine whose answers are scripted, down to the byte and to how the connection ends."""

import json
import select
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, Self, cast

PATIENCE = 20.0


@dataclass(frozen=True, slots=True)
class Answer:
    """One response. `ending`: sent whole, cut off after the last piece, silent from then on, or a piece of nothing now
    and then for ever."""

    pieces: tuple[bytes, ...]
    status: int = 200
    kind: str = "text/event-stream"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    ending: Literal["whole", "cut", "silent", "dripping"] = "whole"

    @property
    def bytes(self) -> "bytes":
        return b"".join(self.pieces)


@dataclass(frozen=True, slots=True)
class Request:
    """What a client sent."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


class WireServer:
    """Answers one request after the other with `script`; a script at its end answers 599."""

    def __init__(self) -> None:
        self.script: list[Answer] = []
        self.requests: list[Request] = []
        self.models: tuple[str, ...] = ()
        self.hung_up = threading.Event()
        self._closing = threading.Event()
        self._guard = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def next_answer(self, request: Request) -> Answer:
        with self._guard:
            self.requests.append(request)
            return self.script.pop(0) if self.script else Answer((b"the script is at its end",), 599, "text/plain")

    def wait_for_hang_up(self, handler: BaseHTTPRequestHandler, drop: bytes = b"") -> None:
        for _ in range(int(PATIENCE / 0.02)):
            if self._closing.is_set():
                return
            handler.wfile.write(drop)
            readable, _, _ = select.select([handler.connection], [], [], 0.02)
            if readable and not handler.connection.recv(1):
                self.hung_up.set()
                return

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        wire = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length", "0"))
                body = cast("dict[str, Any]", json.loads(self.rfile.read(length)))
                answer = wire.next_answer(Request(self.path, dict(self.headers.items()), body))
                self.close_connection = True
                try:
                    self._send(answer)
                except (BrokenPipeError, ConnectionResetError):
                    wire.hung_up.set()

            def do_GET(self) -> None:
                """Which models there are."""
                listed = {"object": "list", "data": [{"id": name, "object": "model"} for name in wire.models]}
                self.close_connection = True
                self._send(Answer((json.dumps(listed).encode(),), 200 if wire.models else 404, "application/json"))

            def _send(self, answer: Answer) -> None:
                if answer.status == 0:  # not even a status: a header that never ends
                    self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
                    wire.wait_for_hang_up(self, b"x")
                    return
                self.send_response(answer.status)
                self.send_header("Content-Type", answer.kind)
                self.send_header("Transfer-Encoding", "chunked")
                self.send_header("Connection", "close")
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                for piece in answer.pieces:
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                    self.wfile.flush()
                if answer.ending == "whole":
                    self.wfile.write(b"0\r\n\r\n")
                elif answer.ending == "silent":
                    wire.wait_for_hang_up(self)
                elif answer.ending == "dripping":
                    wire.wait_for_hang_up(self, b"1\r\n:\r\n")

            def log_message(self, format: str, *args: object) -> None:
                """A test has its own report."""

        return Handler
