"""Commonplace: a long-term memory for AI agents that lives in plain Markdown files.

The public names are re-exported here, lazily, so that importing the package costs nothing and
`commonplace --version` stays instant.
"""

TYPE_CHECKING = False  # importing it from `typing` takes as long as all of `--version`
if TYPE_CHECKING:
    from commonplace.app import open_model
    from commonplace.errors import CommonplaceError
    from commonplace.flows.modelcalls import complete
    from commonplace.memory import Memory
    from commonplace.types.book import Category, Entry
    from commonplace.types.changing import Forgotten, Revised
    from commonplace.types.chatting import ChatMessage
    from commonplace.types.saving import Alike, Duplicate, Held, Refused, Saved

__version__ = "0.1.0"

_HOMES = {
    "Alike": "commonplace.types.saving",
    "Category": "commonplace.types.book",
    "ChatMessage": "commonplace.types.chatting",
    "CommonplaceError": "commonplace.errors",
    "Duplicate": "commonplace.types.saving",
    "Entry": "commonplace.types.book",
    "Forgotten": "commonplace.types.changing",
    "Held": "commonplace.types.saving",
    "Memory": "commonplace.memory",
    "Refused": "commonplace.types.saving",
    "Revised": "commonplace.types.changing",
    "Saved": "commonplace.types.saving",
    "complete": "commonplace.flows.modelcalls",
    "open_model": "commonplace.app",
}

__all__ = [
    "Alike",
    "Category",
    "ChatMessage",
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
    "complete",
    "open_model",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
