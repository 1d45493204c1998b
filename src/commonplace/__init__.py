"""Commonplace: a long-term memory for AI agents that lives in plain Markdown files.

The public names are re-exported here, lazily, so that importing the package costs nothing and
`commonplace --version` stays instant.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from commonplace.errors import CommonplaceError
    from commonplace.memory import Memory
    from commonplace.types import Alike, Category, Duplicate, Entry, Forgotten, Held, Refused, Revised, Saved

__version__ = "0.1.0"

_HOMES = {
    "Alike": "commonplace.types",
    "Category": "commonplace.types",
    "CommonplaceError": "commonplace.errors",
    "Duplicate": "commonplace.types",
    "Entry": "commonplace.types",
    "Forgotten": "commonplace.types",
    "Held": "commonplace.types",
    "Memory": "commonplace.memory",
    "Refused": "commonplace.types",
    "Revised": "commonplace.types",
    "Saved": "commonplace.types",
}

__all__ = [
    "Alike",
    "Category",
    "CommonplaceError",
    "Duplicate",
    "Entry",
    "Forgotten",
    "Held",
    "Memory",
    "Refused",
    "Revised",
    "Saved",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
