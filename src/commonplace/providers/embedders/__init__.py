"""Embedders by name. A new one is a file here and a line in the table."""

from importlib import import_module
from typing import TYPE_CHECKING, cast

from commonplace.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

    from commonplace.ports import Embedder

_TABLE = {
    "minilm": ("commonplace.providers.embedders.minilm", "MiniLM"),
}


def embedder(name: str) -> "Embedder | None":
    """The embedder called `name`; "none" is no embedder: search by keywords alone. Nothing is loaded yet."""
    if name == "none":
        return None
    if name not in _TABLE:
        raise ConfigError(f"There is no embedder {name!r}.", hint=f"Known: {', '.join([*_TABLE, 'none'])}.")
    module, attribute = _TABLE[name]
    return cast("Callable[[], Embedder]", getattr(import_module(module), attribute))()
