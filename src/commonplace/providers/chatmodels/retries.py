"""Trying again: what failed before anything was answered is asked once more, a little later each time."""

import random
import time
from collections.abc import Callable, Generator
from contextlib import closing

from commonplace.errors import ModelFailed
from commonplace.types.chatting import ChatEvent

_TRIES = 4
_FIRST_WAIT = 0.5
_LONGEST_WAIT = 60.0


def persistently(
    attempt: Callable[[], Generator[ChatEvent]], wait: Callable[[float], object], deadline: float
) -> Generator[ChatEvent]:
    """The events of the first attempt that answers before the `deadline`. One that has begun to answer is never
    repeated: whoever reads along would get the beginning twice."""
    for tried in range(1, _TRIES + 1):
        begun = False
        try:
            with closing(attempt()) as events:
                for event in events:
                    begun = True
                    yield event
            return
        except ModelFailed as failure:
            pause = _pause(failure, tried)
            late = time.monotonic() + pause >= deadline
            if begun or not failure.retryable or tried == _TRIES or pause > _LONGEST_WAIT or late:
                raise
        wait(pause)


def _pause(failure: ModelFailed, tried: int) -> float:
    """As long as the provider asks for; else twice as long each time, and not all clients at the same moment."""
    if failure.after is not None:
        return failure.after
    return _FIRST_WAIT * 2 ** (tried - 1) * random.uniform(0.75, 1.0)  # noqa: S311 no secret
