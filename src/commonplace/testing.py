"""Public fakes for tests of programs that use Commonplace. Nothing shipped imports this module."""

from datetime import datetime, timedelta


class StoppedClock:
    """A clock that stands still until it is moved. Implements `Clock`."""

    def __init__(self, at: datetime) -> None:
        if at.tzinfo is None:
            raise ValueError("a clock needs a time with its zone")
        self._at = at

    def now(self) -> datetime:
        return self._at

    def move(self, step: timedelta) -> None:
        self._at += step
