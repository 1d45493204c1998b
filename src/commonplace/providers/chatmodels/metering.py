"""Tokens counted per local day, over all processes of this user, and the cap on them.

A request is counted before it is made, by an estimate, and corrected afterwards by what the provider counted. So two
processes cannot both take the last tokens, and a process that is killed has counted what it asked. An answer that is
being given is never cut off: a day may end a little above the cap.
"""

import json
import logging
from collections.abc import Generator, Sequence
from contextlib import closing
from datetime import date
from typing import Any, cast

from commonplace.errors import BookBusy, Conflict, ModelFailed, StorageError, UsageCapReached
from commonplace.ports import ChatModel, Clock, Storage
from commonplace.providers.chatmodels.estimate import estimated_input
from commonplace.tokens import estimate_tokens
from commonplace.types.chatting import ChatEvent, ChatMessage, Finished, TextPart, ToolSpec, Usage

USAGE_FILE = "usage.json"
_DAYS_KEPT = 31
_log = logging.getLogger(__name__)


class DailyUsage:
    """The tokens of each of the last days, in one small file."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def on(self, day: date) -> Usage:
        return self._days()[0].get(day.isoformat(), Usage(0, 0))

    def days(self) -> dict[date, Usage]:
        """What is known of the last days, the oldest first."""
        return {date.fromisoformat(name): used for name, used in sorted(self._days()[0].items())}

    def add(self, day: date, tokens: Usage, *, cap: int = 0) -> None:
        """Count `tokens` (negative ones correct an estimate); with a cap, refuse what would go beyond it."""
        with self._storage.lock():
            days, version = self._days()
            so_far = days.get(day.isoformat(), Usage(0, 0))
            if cap and so_far.total + tokens.total > cap:
                raise _cap_reached(so_far.total, tokens.total, cap)
            days[day.isoformat()] = Usage(
                max(so_far.input_tokens + tokens.input_tokens, 0), max(so_far.output_tokens + tokens.output_tokens, 0)
            )
            kept = {name: days[name] for name in sorted(days)[-_DAYS_KEPT:]}
            listed = {
                name: {"input": usage.input_tokens, "output": usage.output_tokens} for name, usage in kept.items()
            }
            data = json.dumps({"format": 1, "days": listed}, indent=1).encode() + b"\n"
            self._storage.write(USAGE_FILE, data, expected=version, durable=False)

    def _days(self) -> tuple[dict[str, Usage], str]:
        snapshot = self._storage.read(USAGE_FILE)
        try:
            raw: Any = json.loads(snapshot.data or b'{"days": {}}')
            days = cast(dict[str, dict[str, int]], raw["days"])
            return {day: Usage(int(used["input"]), int(used["output"])) for day, used in days.items()}, snapshot.version
        except (ValueError, KeyError, TypeError, AttributeError):
            raise StorageError(f"{USAGE_FILE} cannot be read.", hint="Move it away; counting begins anew.") from None


class MeteredModel:
    """A model whose tokens are counted, and which is not asked when the day's are used up. Implements `ChatModel`."""

    def __init__(self, model: ChatModel, usage: DailyUsage, clock: Clock, cap: int) -> None:
        self._model = model
        self._usage = usage
        self._clock = clock
        self._cap = cap
        self.identity = model.identity
        self.window = model.window
        self.calls_tools = model.calls_tools

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        system: str = "",
        tools: Sequence[ToolSpec] = (),
        max_tokens: int = 4096,
    ) -> Generator[ChatEvent]:
        asked = estimated_input(messages, system, tools)
        day = self._clock.now().date()
        self._reserve(day, asked)
        answered = ""
        used: Usage | None = None
        try:
            with closing(self._model.stream(messages, system=system, tools=tools, max_tokens=max_tokens)) as events:
                for event in events:
                    match event:
                        case TextPart(text):
                            answered += text
                        case Finished(_, usage):
                            used = usage
                        case _:
                            pass
                    yield event
        finally:
            used = used or Usage(asked, estimate_tokens(answered))
            self._correct(day, Usage(used.input_tokens - asked, used.output_tokens))

    def _reserve(self, day: date, asked: int) -> None:
        try:
            self._usage.add(day, Usage(asked, 0), cap=self._cap)
        except (StorageError, Conflict, BookBusy) as error:
            if self._cap:
                raise ModelFailed(
                    f"Tokens cannot be counted, and there is a cap on them: {error.message}",
                    retryable=True,
                    hint=error.hint or "Try again, or set model.daily_tokens to 0.",
                ) from error
            _log.warning("Tokens cannot be counted: %s", error.message)

    def _correct(self, day: date, difference: Usage) -> None:
        """The answer is there; it does not fail because of its bill."""
        try:
            self._usage.add(day, difference)
        except (StorageError, Conflict, BookBusy) as error:
            _log.warning("Tokens cannot be counted: %s", error.message)


def _cap_reached(used: int, asked: int, cap: int) -> UsageCapReached:
    return UsageCapReached(
        f"The tokens allowed for today are used up: {used} of {cap}, and this request needs about {asked}.",
        hint="It works again tomorrow. To allow more, raise model.daily_tokens (0: no cap).",
    )
