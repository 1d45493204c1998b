"""How far long work is: a bar on a terminal, nothing anywhere else. It goes to standard error."""

import sys
import time
from types import TracebackType
from typing import Self

_WIDTH = 30
_EVERY = 0.1


class Bar:
    """Used with `with`; the bar disappears when the work is done."""

    def __init__(self, label: str, *, quiet: bool = False) -> None:
        self._label = label
        self._visible = not quiet and sys.stderr.isatty()
        self._drawn = 0.0

    def update(self, done: int, wanted: int) -> None:
        now = time.monotonic()
        if not self._visible or now - self._drawn < _EVERY:
            return
        self._drawn = now
        filled = _WIDTH * done // max(wanted, 1)
        bar = "#" * filled + "." * (_WIDTH - filled)
        print(f"\r{self._label} [{bar}] {done}/{wanted}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Make room for something else; the bar comes back with the next update."""
        if self._drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._drawn = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()
