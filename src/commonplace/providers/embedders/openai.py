"""Vectors from an OpenAI-compatible endpoint (`POST …/embeddings`), with nothing but the standard library.

Only for those who ask for it: every text that is indexed is sent there.
"""

import json
import os
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import numpy as np

from commonplace.config import EmbedderSettings
from commonplace.errors import ConfigError, EmbedderFailed

if TYPE_CHECKING:
    from commonplace.ports import Vectors

_BATCH = 64
_TIMEOUT = 30.0


class OpenAIEmbedder:
    """A model behind an address. The key is read when it is needed and never shown."""

    loaded = True

    def __init__(self, url: str, model: str, dimensions: int, key_variable: str) -> None:
        self._url = url.rstrip("/") + "/embeddings"
        self._model = model
        self._key_variable = key_variable
        self.identity = f"openai/{urlsplit(url).netloc}/{model}/{dimensions}"
        self.dimensions = dimensions

    def embed(self, texts: Sequence[str]) -> "Vectors":
        rows = [row for at in range(0, len(texts), _BATCH) for row in self._request(texts[at : at + _BATCH])]
        matrix = np.array(rows, dtype=np.float32).reshape(len(texts), -1)
        return matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)

    def _request(self, texts: Sequence[str]) -> list[list[float]]:
        body = json.dumps({"model": self._model, "input": list(texts), "encoding_format": "float"}).encode()
        request = urllib.request.Request(self._url, body, {"Content-Type": "application/json", **self._authorization()})  # noqa: S310 the scheme is checked in from_settings
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT) as response:  # noqa: S310 as above
                answer: Any = json.load(response)
            items = sorted(cast(list[dict[str, Any]], answer["data"]), key=lambda item: cast(int, item["index"]))
            rows = [cast(list[float], item["embedding"]) for item in items]
        except (urllib.error.URLError, TimeoutError, ValueError, KeyError, TypeError) as error:
            status = f" (HTTP {error.code})" if isinstance(error, urllib.error.HTTPError) else ""
            raise EmbedderFailed(
                f"The embedding endpoint {urlsplit(self._url).netloc} gave no usable answer{status}.",
                hint="Check embedder.url, embedder.model and the key. Until then search uses keywords alone.",
            ) from error
        if [len(row) for row in rows] != [self.dimensions] * len(texts):
            raise EmbedderFailed(
                f"The embedding endpoint did not answer with {len(texts)} vectors of {self.dimensions} numbers.",
                hint="Set embedder.dimensions to what the model returns.",
            )
        return rows

    def _authorization(self) -> dict[str, str]:
        key = os.environ.get(self._key_variable, "")
        return {"Authorization": f"Bearer {key}"} if key else {}


def from_settings(settings: EmbedderSettings) -> OpenAIEmbedder:
    if not settings.url or not settings.model:
        raise ConfigError("embedder.name is openai; embedder.url and embedder.model must be set too.", hint="Set both.")
    if urlsplit(settings.url).scheme not in {"http", "https"}:
        raise ConfigError(
            f"embedder.url is {settings.url!r}; it must begin with https:// or http://.", hint="Correct it."
        )
    return OpenAIEmbedder(settings.url, settings.model, settings.dimensions, settings.key_variable)
