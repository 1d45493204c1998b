"""A model's server that answers whatever a real agent asks, and keeps what it was asked."""

from collections.abc import Callable
from typing import Any

from tests.wire.server import Answer, Request, WireServer


class Model(WireServer):
    """Answers each request by `reply`, a function of what is asked; every request is kept."""

    def __init__(self, reply: Callable[[Request], Answer]) -> None:
        super().__init__()
        self.reply = reply

    def next_answer(self, request: Request) -> Answer:
        with self._guard:
            self.requests.append(request)
        return self.reply(request)

    def prompts(self) -> str:
        """Everything that was sent to the model, as one text."""
        return "\n".join(texts_of(request.body) for request in self.requests)


def texts_of(value: Any) -> str:
    """All texts in a request."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "\n".join(map(texts_of, value.values()))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] JSON is untyped
    if isinstance(value, list):
        return "\n".join(map(texts_of, value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] JSON is untyped
    return ""
