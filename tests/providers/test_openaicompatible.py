"""The embedder behind an address, against a server on this machine that answers as it is told."""

import json
import socket
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import commonplace.providers.embedders.openaicompatible as module
from commonplace.config import EmbedderSettings, Settings
from commonplace.errors import ConfigError, EmbedderFailed
from commonplace.memory import Memory
from commonplace.providers.embedders import embedder
from commonplace.providers.embedders.openaicompatible import OpenAIEmbedder

KEY = "sk-very-secret-0123456789"
Answer = Callable[[dict[str, Any]], tuple[int, bytes]]


class Endpoint:
    """A server whose answer a test chooses; it notes what it was asked."""

    def __init__(self) -> None:
        self.answer: Answer = good
        self.headers: dict[str, str] = {}
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.release = threading.Event()
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                endpoint.bodies.append({"path": self.path, **body})
                endpoint.keys.append(self.headers["Authorization"])
                status, data = endpoint.answer(body)
                if not status:  # hang up without a word
                    return
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                for name, value in endpoint.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST

            def log_message(self, format: str, *args: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, request: object, client_address: object) -> None:
                """A client that has given up is what some tests are about."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self) -> None:
        self.release.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def client(self, dimensions: int = 3) -> OpenAIEmbedder:
        made = embedder(EmbedderSettings("openai", "small", self.url, dimensions, "SOME_KEY"))
        assert isinstance(made, OpenAIEmbedder)
        return made


def vector_of(text: str) -> list[float]:
    return [float(len(text)), 1.0, 2.0]


def items(body: dict[str, Any]) -> list[dict[str, Any]]:
    texts = cast(list[str], body["input"])
    return [{"index": at, "embedding": vector_of(text)} for at, text in enumerate(texts)]


def good(body: dict[str, Any]) -> tuple[int, bytes]:
    return 200, json.dumps({"data": items(body)}).encode()


def said(data: object, status: int = 200) -> Answer:
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    return lambda _: (status, raw)


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setenv("SOME_KEY", KEY)
    server = Endpoint()
    yield server
    server.close()


def test_texts_are_sent_with_model_and_key_and_come_back_as_unit_vectors_in_order(endpoint: Endpoint) -> None:
    endpoint.answer = lambda body: (200, json.dumps({"data": items(body)[::-1]}).encode())
    texts = ["x" * length for length in range(1, 131)]
    vectors = endpoint.client().embed(texts)
    expected = np.array([vector_of(text) for text in texts], dtype=np.float32)
    assert np.allclose(vectors, expected / np.linalg.norm(expected, axis=1, keepdims=True))
    assert [len(body["input"]) for body in endpoint.bodies] == [64, 64, 2]
    assert {(body["path"], body["model"]) for body in endpoint.bodies} == {("/v1/embeddings", "small")}
    assert set(endpoint.keys) == {f"Bearer {KEY}"}
    assert endpoint.client().embed([]).shape == (0, 3)


def test_without_a_key_none_is_sent_and_a_line_break_after_it_does_no_harm(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_KEY", f"{KEY}\r\n")
    endpoint.client().embed(["tea"])
    monkeypatch.delenv("SOME_KEY")
    endpoint.client().embed(["tea"])
    assert endpoint.keys == [f"Bearer {KEY}", None]


BAD: dict[str, Answer] = {
    "too few": said({"data": [{"index": 0, "embedding": [1, 2, 3]}]}),
    "too many": said({"data": [{"index": at, "embedding": [1, 2, 3]} for at in range(3)]}),
    "the same index twice": said({"data": [{"index": 0, "embedding": [1, 2, 3]}] * 2}),
    "other dimensions": said({"data": [{"index": at, "embedding": [1, 2]} for at in range(2)]}),
    "uneven dimensions": said({"data": [{"index": at, "embedding": [1, 2, 3][at:]} for at in range(2)]}),
    "words": said({"data": [{"index": at, "embedding": ["a", "b", "c"]} for at in range(2)]}),
    "a text instead of numbers": said({"data": [{"index": at, "embedding": "abc"} for at in range(2)]}),
    "not a number": said({"data": [{"index": at, "embedding": [1, float("nan"), 3]} for at in range(2)]}),
    "unauthorised": said({"error": {"message": f"bad key {KEY}"}}, 401),
    "too many requests": said({}, 429),
    "server error": said(b"oops", 500),
    "moved": said(b"", 302),
    "not JSON": said(b"<html>"),
    "far too long": said(b" " * 2_000_000 + json.dumps({"data": items({"input": ["a", "b"]})}).encode()),
    "not text": said(b"\xff\xfe\x00"),
    "nothing": said(b""),
    "a list": said([1, 2]),
    "null": said(None),
    "no data": said({"object": "list"}),
    "deep": said(b"[" * 100_000),
    "hangs up": lambda _: (0, b""),
}


@pytest.mark.parametrize("case", BAD)
def test_no_answer_but_a_good_one_is_taken_and_the_key_is_never_shown(endpoint: Endpoint, case: str) -> None:
    endpoint.answer = BAD[case]
    endpoint.headers = {"Location": f"{endpoint.url}/elsewhere"}
    with pytest.raises(EmbedderFailed) as failed:
        endpoint.client().embed(["tea", "coffee"])
    told = f"{failed.value.message} {failed.value.hint} " + "".join(traceback.format_exception(failed.value))
    assert KEY not in told
    assert failed.value.hint
    assert [body["path"] for body in endpoint.bodies] == ["/v1/embeddings"], "nobody else is asked"


def test_a_slow_server_and_a_dead_one_are_given_up(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(body: dict[str, Any]) -> tuple[int, bytes]:
        endpoint.release.wait(20)
        return good(body)

    monkeypatch.setattr(module, "_TIMEOUT", 0.1)
    endpoint.answer = slow
    with pytest.raises(EmbedderFailed):
        endpoint.client().embed(["tea"])
    endpoint.release.set()
    dead = OpenAIEmbedder("http://127.0.0.1:1/v1", "small", 3, "SOME_KEY")
    with pytest.raises(EmbedderFailed):
        dead.embed(["tea"])


@pytest.mark.parametrize("key", ["sk-one\nsk-two", "sk-clé", "sk\x00"])
def test_a_key_that_cannot_be_sent_is_not_shown_either(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    if "\x00" not in key:
        monkeypatch.setenv("SOME_KEY", key)
    else:
        monkeypatch.setattr("os.environ", {"SOME_KEY": key})
    with pytest.raises(EmbedderFailed) as failed:
        endpoint.client().embed(["tea"])
    assert "sk" not in "".join(traceback.format_exception_only(failed.value))
    assert failed.value.__cause__ is None


@pytest.mark.req("SRCH-1")
def test_search_goes_on_with_keywords_while_the_endpoint_is_away(endpoint: Endpoint, tmp_path: Path) -> None:
    settings = Settings(embedder=EmbedderSettings("openai", "small", endpoint.url, 3, "SOME_KEY"))
    memory = Memory.open(tmp_path / "book", settings=settings)
    memory.remember("Likes green tea")
    endpoint.answer = said(b"", 500)
    found = memory.search("green tea")
    assert [hit.text for hit in found.hits] == ["Likes green tea"]
    assert "HTTP 500" in found.trouble
    endpoint.answer = good
    found = memory.search("green tea")
    assert (found.trouble, found.vectors_known) == ("", 1)
    endpoint.answer = said(b"", 429)
    found = memory.search("green tea")
    assert [hit.text for hit in found.hits] == ["Likes green tea"]
    assert "HTTP 429" in found.trouble, "the question could not be embedded"


@pytest.mark.parametrize("url", ["", "ftp://example.org", "file:///etc/passwd", "example.org"])
def test_an_address_that_is_none_is_an_error_of_the_settings(url: str) -> None:
    with pytest.raises(ConfigError):
        embedder(EmbedderSettings("openai", "small", url))


@pytest.mark.timeout(60)
def test_a_server_that_drips_its_headers_for_ever_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_TOTAL_TIMEOUT", 0.3)
    hung_up = threading.Event()

    def drip(listening: socket.socket) -> None:
        line, _ = listening.accept()
        with line, suppress(OSError):
            line.sendall(b"HTTP/1.1 200 OK\r\n")
            while not hung_up.wait(0.02):
                line.sendall(b"X-")
        hung_up.set()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        dripping = threading.Thread(target=drip, args=(listening,))
        dripping.start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        with pytest.raises(EmbedderFailed, match="no usable answer"):
            OpenAIEmbedder(url, "small", 3, "SOME_KEY").embed(["tea"])
        hung_up.set()
        dripping.join()
