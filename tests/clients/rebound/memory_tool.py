"""Our memory tool in the place of the SDK's for a folder of files."""

import os
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from anyio import Path as AsyncPath

from commonplace.adapters.memory_tool import AsyncBookMemoryTool, BookMemoryTool
from commonplace.memory import Memory


class _Rebound(BookMemoryTool):
    def __init__(self, base_path: str) -> None:
        super().__init__(Memory.open(base_path))
        self.base_path = Path(base_path)
        self.memory_root = self.base_path / "memories"


class _AsyncRebound(AsyncBookMemoryTool):
    def __init__(self, base_path: str) -> None:
        super().__init__(Memory.open(base_path))
        self.base_path = AsyncPath(base_path)
        self.memory_root = self.base_path / "memories"

    async def _ensure_memory_root(self) -> None:
        """Made at once."""


theirs: Any = import_module("anthropic.lib.tools._beta_builtin_memory_tool")
theirs.BetaLocalFilesystemMemoryTool = _Rebound
theirs.BetaAsyncLocalFilesystemMemoryTool = _AsyncRebound


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A book has files of its own besides, in a hidden folder."""
    for item in items:
        module: Any = item.getparent(pytest.Module)
        module.obj.get_directory_snapshot = _snapshot


def _snapshot(base_path: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for root, folders, files in os.walk(base_path):
        folders[:] = [folder for folder in folders if not folder.startswith(".")]
        found |= {os.path.relpath(os.path.join(root, file), base_path): Path(root, file).read_text() for file in files}
    return found
