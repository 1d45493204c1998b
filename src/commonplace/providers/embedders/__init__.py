"""Embedders by name. A new one is a file here and a line in the table."""

from importlib import import_module
from typing import TYPE_CHECKING, cast

from commonplace.config import EmbedderSettings
from commonplace.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

    from commonplace.ports import Embedder

_TABLE = {
    "minilm": ("commonplace.providers.embedders.minilm", "from_settings"),
    "multilingual": ("commonplace.providers.embedders.multilingual", "from_settings"),
    "onnx": ("commonplace.providers.embedders.onnxfolder", "from_settings"),
    "openai": ("commonplace.providers.embedders.openaicompatible", "from_settings"),
}


def embedder(settings: EmbedderSettings) -> "Embedder | None":
    """The embedder that the settings name; "none" is no embedder: search by keywords alone. Nothing is loaded yet."""
    if settings.name == "none":
        return None
    if settings.name not in _TABLE:
        raise ConfigError(
            f"There is no embedder {settings.name!r}.",
            hint=f"Set embedder.name to one of: {', '.join([*_TABLE, 'none'])}.",
        )
    module, function = _TABLE[settings.name]
    return cast("Callable[[EmbedderSettings], Embedder]", getattr(import_module(module), function))(settings)
