"""Vectors from an OpenAI-compatible endpoint (`POST …/embeddings`), with nothing but the standard library.

Only for those who ask for it: every text that is indexed is sent there.
"""

import json
import os
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import TYPE_CHECKING, Any, Self, cast
from urllib.parse import urlsplit

import numpy as np

from commonplace.config import EmbedderSettings
from commonplace.errors import ConfigError, EmbedderFailed

if TYPE_CHECKING:
    from http.client import HTTPResponse

    from commonplace.ports import Vectors

_BATCH = 64
_TIMEOUT = 30.0
_TOTAL_TIMEOUT = 120.0
_AT_ONCE = 65536
_LONGEST_NUMBER = 40  # characters, with what stands around it


class _Limit(urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
    """Ends one request as a whole after a while: the library's own limit begins anew with each byte that drips in."""

    def __init__(self) -> None:
        super().__init__()
        self._line: socket.socket | None = None
        self._timer = threading.Timer(_TOTAL_TIMEOUT, self._cut)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def http_open(self, req: urllib.request.Request) -> "HTTPResponse":
        return self.do_open(partial(self._connection, HTTPConnection), req)  # pyright: ignore[reportArgumentType] it makes one

    def https_open(self, req: urllib.request.Request) -> "HTTPResponse":
        return self.do_open(partial(self._connection, HTTPSConnection), req)  # pyright: ignore[reportArgumentType] as above

    def _connection(self, kind: type[HTTPConnection], host: str, **options: Any) -> HTTPConnection:
        made, connect = kind(host, **options), kind.connect

        def connected() -> None:
            connect(made)
            self._line = made.sock
            if not self._timer.is_alive():
                raise TimeoutError("connecting took all the time there is")

        made.connect = connected
        return made

    def _cut(self) -> None:
        if self._line is not None:
            with suppress(OSError):  # it has ended by itself
                self._line.shutdown(socket.SHUT_RDWR)


class _Stay(urllib.request.HTTPRedirectHandler):
    """A redirect is an error: the key and the texts are for the address in the settings alone."""

    def redirect_request(self, *_: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride] none is read
        return None


class OpenAIEmbedder:
    """A model behind an address. The key is read when it is needed and never shown."""

    loaded = True

    def __init__(self, url: str, model: str, dimensions: int, key_variable: str) -> None:
        self._url = url.rstrip("/") + "/embeddings"
        self._model = model
        self._key_variable = key_variable
        self.identity = f"openai/{urlsplit(url).netloc}/{model}/{dimensions}"
        self.dimensions = dimensions

    def reads(self, text: str) -> bool:
        return bool(text)

    def embed(self, texts: Sequence[str]) -> "Vectors":
        parts = [self._request(texts[at : at + _BATCH]) for at in range(0, len(texts), _BATCH)]
        matrix = np.concatenate(parts) if parts else np.zeros((0, self.dimensions), dtype=np.float32)
        return matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)

    def _request(self, texts: Sequence[str]) -> "Vectors":
        body = json.dumps({"model": self._model, "input": list(texts), "encoding_format": "float"}).encode()
        request = urllib.request.Request(self._url, body, {"Content-Type": "application/json", **self._authorization()})  # noqa: S310 the scheme is checked in from_settings
        try:
            with _Limit() as limit:
                opener = urllib.request.build_opener(_Stay, limit)
                with opener.open(request, timeout=_TIMEOUT) as response:
                    answer: Any = json.loads(self._body(response, len(texts)))
            rows = {cast(int, item["index"]): item["embedding"] for item in answer["data"]}
            matrix = np.array([rows[at] for at in range(len(texts))], dtype=np.float32)
        except (OSError, HTTPException, ValueError, LookupError, TypeError, RecursionError) as error:
            status = ""
            if isinstance(error, urllib.error.HTTPError):  # it is the answer too, and holds the connection open
                status = f" (HTTP {error.code})"
                error.close()
            raise EmbedderFailed(
                f"The embedding endpoint {urlsplit(self._url).netloc} gave no usable answer{status}.",
                hint="Check embedder.url, embedder.model and the key. Until then search uses keywords alone.",
            ) from error
        if matrix.shape != (len(texts), self.dimensions) or len(rows) != len(texts) or not np.isfinite(matrix).all():
            raise EmbedderFailed(
                f"The embedding endpoint did not answer with {len(texts)} vectors of {self.dimensions} numbers.",
                hint="Set embedder.dimensions to what the model returns.",
            )
        return matrix

    def _body(self, response: "HTTPResponse", wanted: int) -> bytes:
        """All of the answer, unless it is far longer than what was asked for or does not come to an end."""
        room, deadline = 1_000_000 + wanted * self.dimensions * _LONGEST_NUMBER, time.monotonic() + _TOTAL_TIMEOUT
        parts: list[bytes] = []
        while part := response.read1(_AT_ONCE):
            parts.append(part)
            room -= len(part)
            if room < 0 or time.monotonic() > deadline:
                raise ValueError("an answer without end")
        return b"".join(parts)

    def _authorization(self) -> dict[str, str]:
        key = os.environ.get(self._key_variable, "").strip()
        if not (key.isascii() and key.isprintable()):  # the library's own error would show it
            raise EmbedderFailed(
                f"The key in {self._key_variable} has characters that no key has.", hint="Set the variable again."
            )
        return {"Authorization": f"Bearer {key}"} if key else {}


def from_settings(settings: EmbedderSettings) -> OpenAIEmbedder:
    if not settings.url or not settings.model:
        raise ConfigError("embedder.name is openai; embedder.url and embedder.model must be set too.", hint="Set both.")
    if urlsplit(settings.url).scheme not in {"http", "https"}:
        raise ConfigError(
            f"embedder.url is {settings.url!r}; it must begin with https:// or http://.", hint="Correct it."
        )
    return OpenAIEmbedder(settings.url, settings.model, settings.dimensions, settings.key_variable)
