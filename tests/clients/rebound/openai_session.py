"""Our session in the place of the SDK's on SQLite."""

import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from commonplace.adapters.openai_agents import BookSession
from commonplace.memory import Memory


class _Rebound(BookSession):
    def __init__(self, session_id: str, db_path: str | Path = ":memory:", **more: Any) -> None:
        place = tempfile.mkdtemp() if str(db_path) == ":memory:" else f"{db_path}.book"
        super().__init__(session_id, Memory.open(place), **more)

    def close(self) -> None:
        """There is nothing to close."""


agents: Any = import_module("agents")
agents.SQLiteSession = _Rebound
