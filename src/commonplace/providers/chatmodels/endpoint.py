"""What models behind an address have in common: where they are, their key, and what their failures mean.

The vendors' clients are of one make, so one translation of their errors serves all. Fields of an answer are looked up
by name and may be missing: what a server sends is not ours to trust.
"""

import json
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar, cast
from urllib.parse import urlsplit

from commonplace.config import ModelSettings
from commonplace.errors import ConfigError, ModelFailed
from commonplace.extras import advice
from commonplace.providers.chatmodels.estimate import completed, estimated_input
from commonplace.providers.chatmodels.keys import SERVICE, find_key, hidden, hide_in
from commonplace.providers.chatmodels.retries import persistently
from commonplace.providers.chatmodels.surroundings import Surroundings
from commonplace.types.chatting import ChatEvent, ChatMessage, Finished, StopReason, TextPart, ToolCall, ToolSpec, Usage

NO_KEY = "none"
_LONGEST_DETAIL = 300
_LONGEST_ARGUMENTS = 2_000_000
_LOOK = 0.1  # seconds between two looks whether to hang up
_PASSING = {408, 409, 425, 429}
_LASTING = {
    "authentication_error",
    "billing_error",
    "insufficient_quota",
    "invalid_request_error",
    "not_found_error",
    "permission_error",
    "request_too_large",
}
_HINTS = {
    400: "Check model.name, and model.window if the conversation is long.",
    401: "Check the key.",
    403: "Check the key, and whether it may use this model.",
    404: "Check model.name and model.url.",
    413: "The request is too large: check model.window.",
    429: "Wait, or ask the provider for a higher limit.",
}


@dataclass(frozen=True, slots=True)
class Home:
    """A vendor's own address, what its key is called, and how much its models read at once."""

    provider: str
    url: str
    key_variable: str
    window: int
    window_elsewhere: int


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model at an address."""

    provider: str
    url: str
    model: str
    window: int
    timeout: float
    total_timeout: float
    key_variable: str
    at_home: bool
    surroundings: Surroundings

    @property
    def identity(self) -> str:
        return f"{self.provider if self.at_home else urlsplit(self.url).netloc.rpartition('@')[2]}/{self.model}"

    def check(self) -> None:
        """Whether the package and the key are there. The package is not loaded for that."""
        self._require_package()
        self.key()

    def sdk(self) -> Any:
        """The vendor's package, which is an extra."""
        self._require_package()
        return import_module(self.provider)

    def _require_package(self) -> None:
        if find_spec(self.provider) is None:
            raise ModelFailed(
                f"model.provider is {self.provider}, and its package is not installed.",
                retryable=False,
                hint=advice(self.provider),
            )

    def key(self) -> str:
        """The key to send. Another address than the vendor's own gets one only if the settings name it."""
        key = find_key(self.key_variable, self.surroundings.environment) if self.key_variable else ""
        if not key and self.key_variable:
            raise ModelFailed(
                f"There is no key for {self.identity}: {self.key_variable} is not set.",
                retryable=False,
                hint=f"Set it in the environment, or keep it in the keyring: keyring set {SERVICE} {self.key_variable}",
            )
        return key or NO_KEY

    def deadline(self) -> float:
        """When an answer that is asked for now must be whole, by the monotonic clock."""
        return time.monotonic() + self.total_timeout

    @contextmanager
    def failing(self, answer: "Answer", key: str, deadline: float, hang_up: Callable[[], None]) -> Generator[None]:
        """Whatever goes wrong on the wire as `ModelFailed`, with the text that had come, and without the key. At the
        `deadline` the connection is closed: a server may send a byte now and then for ever. So it is when we are told
        to stop."""
        sdk = self.sdk()
        import httpx2  # what both vendors' clients are made of

        known = (sdk.APIError, httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL, ValueError)
        stop = self.surroundings.stop
        over, expired = threading.Event(), threading.Event()

        def watch() -> None:
            while not over.wait(_LOOK):
                if stop.is_set() or time.monotonic() >= deadline:
                    expired.set()
                    hang_up()
                    return

        if stop.is_set():
            raise self._stopped(answer.text)
        threading.Thread(target=watch, daemon=True).start()
        try:
            yield
        except (*known, OSError, RuntimeError, AttributeError) as error:  # the last three: what a closed client raises
            if answer.reason is not None:
                return  # all was said; only the goodbye is missing
            if expired.is_set():
                raise (self._stopped(answer.text) if stop.is_set() else self._too_late(answer.text)) from None
            if not isinstance(error, known):
                raise
            hide_in(error, key)
            timed_out = isinstance(error, sdk.APITimeoutError | httpx2.TimeoutException)
            raise self._failure(error, answer.text, key, timed_out=timed_out) from error
        finally:
            over.set()

    def _stopped(self, partial: str) -> ModelFailed:
        return ModelFailed(f"{self.identity} was told to stop.", retryable=False, partial=partial)

    def _too_late(self, partial: str) -> ModelFailed:
        return ModelFailed(
            f"{self.identity} did not come to an end within {self.total_timeout:g} seconds.",
            retryable=True,
            partial=partial,
            hint="Try again, or raise model.total_timeout.",
        )

    def cut_off(self, answer: "Answer") -> ModelFailed:
        return ModelFailed(f"{self.identity} broke off.", retryable=True, partial=answer.text, hint="Try again.")

    def _failure(self, error: Exception, partial: str, key: str, *, timed_out: bool) -> ModelFailed:
        if timed_out:
            return ModelFailed(
                f"{self.identity} was silent for {self.timeout:g} seconds.",
                retryable=True,
                partial=partial,
                hint="Try again, or raise model.timeout.",
            )
        status = _status(error)
        if status is None and field(error, "body") is None:
            what = "sent something that is no answer" if isinstance(error, ValueError) else "cannot be reached"
            return ModelFailed(
                f"{self.identity} {'broke off' if partial else what}: "
                f"{_one_line(hidden(str(error.__cause__ or error), key))}",
                retryable=True,
                partial=partial,
                hint=f"Check model.url and the connection to {urlsplit(self.url).netloc.rpartition('@')[2]}.",
            )
        if status is not None and status < 400:
            return self._redirected(error, status, partial)
        what = f"refused the request (HTTP {status})" if status else "stopped with an error"
        return ModelFailed(
            f"{self.identity} {what}: {_one_line(hidden(_detail(error), key))}",
            retryable=_is_passing(error, status),
            partial=partial,
            after=_retry_after(error),
            hint=_HINTS.get(status or 0, "Try again later."),
        )

    def _redirected(self, error: Exception, status: int, partial: str) -> ModelFailed:
        """The conversation and the key are for the address in the settings alone."""
        place = _one_line(_header(error, "location")) or "nowhere"
        return ModelFailed(
            f"{self.identity} is not there: it sends us on to {place} (HTTP {status}), and nothing was sent there.",
            retryable=False,
            partial=partial,
            hint="If that is right, set model.url to it.",
        )


class Answer(ABC):
    """What has come of an answer so far."""

    def __init__(self) -> None:
        self.text = ""
        self.reason: StopReason | None = None
        self.usage = Usage(0, 0)
        self._arguments_length = 0

    @abstractmethod
    def take(self, event: object) -> Generator[ChatEvent]:
        """One piece of it."""

    @abstractmethod
    def calls(self) -> list[ToolCall]: ...

    def say(self, text: object) -> Generator[TextPart]:
        if isinstance(text, str) and text:
            self.text += text
            yield TextPart(text)

    def grown(self, arguments: str, more: object) -> str:
        """The arguments of a call with one more piece; it is not known before their end how long they are."""
        piece = str(more or "")
        self._arguments_length += len(piece)
        if self._arguments_length > _LONGEST_ARGUMENTS:
            raise ValueError("the arguments of a tool call do not end")
        return arguments + piece

    def end(self, usage: Usage) -> Generator[ChatEvent]:
        """The calls and the end; what a server says about why it ended is brought in line with what it sent."""
        reason, calls = self.reason or "end", self.calls()
        if reason in {"end", "tool_calls"}:
            reason = "tool_calls" if calls else "end"
        yield from calls
        yield Finished(reason, usage)


class HostedModel(ABC):
    """A model that is asked through its vendor's client, in the wire format of a subclass. Implements `ChatModel`."""

    calls_tools = True
    vendor: ClassVar[str]
    """The name of the client's class."""
    answer: ClassVar[type[Answer]]

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._key = cache(endpoint.key)  # asked for once, and not shown by anything that shows this object
        self.identity = endpoint.identity
        self.window = endpoint.window

    @abstractmethod
    def request(
        self, messages: Sequence[ChatMessage], system: str, tools: Sequence[ToolSpec], max_tokens: int
    ) -> dict[str, Any]:
        """What is sent, but for the model's name."""

    @abstractmethod
    def events(self, client: Any, request: dict[str, Any]) -> AbstractContextManager[Iterable[object]]:
        """The pieces of an answer, as they come."""

    def check(self) -> None:
        self._endpoint.check()

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        system: str = "",
        tools: Sequence[ToolSpec] = (),
        max_tokens: int = 4096,
    ) -> Generator[ChatEvent]:
        request = {"model": self._endpoint.model} | self.request(messages, system, tools, max_tokens)
        deadline = self._endpoint.deadline()
        yield from persistently(
            lambda: self._attempt(sendable(request), lambda: estimated_input(messages, system, tools), deadline),
            self._endpoint.surroundings.wait,
            deadline,
        )

    @cached_property
    def _client(self) -> Any:
        sdk = self._endpoint.sdk()
        return getattr(sdk, self.vendor)(
            api_key=self._key(),
            base_url=self._endpoint.url,
            timeout=self._endpoint.timeout,
            max_retries=0,  # ours know whether something was answered already
            http_client=sdk.DefaultHttpxClient(follow_redirects=False),  # the conversation is for this address alone
        )

    def _hang_up(self) -> None:
        client: Any = vars(self).pop("_client", None)
        if client is not None:
            client.close()

    def _attempt(self, request: dict[str, Any], asked: Callable[[], int], deadline: float) -> Generator[ChatEvent]:
        answer = self.answer()
        with (
            self._endpoint.failing(answer, self._key(), deadline, self._hang_up),
            self.events(self._client, request) as events,
        ):
            for event in events:
                yield from answer.take(event)
        if answer.reason is None:
            raise self._endpoint.cut_off(answer)
        yield from answer.end(completed(answer.usage, asked=asked, answered=answer.text))


def endpoint(settings: ModelSettings, surroundings: Surroundings, home: Home) -> Endpoint:
    """The model that the settings describe; a wrong setting is told now, a missing key or package when it is used."""
    if not settings.name:
        raise ConfigError(f"model.provider is {home.provider}; model.name must be set too.", hint="Name a model.")
    url = settings.url or home.url
    if urlsplit(url).scheme not in {"http", "https"} or not urlsplit(url).hostname:
        raise ConfigError(f"model.url is {url!r}; it must begin with https:// or http://.", hint="Correct it.")
    at_home = urlsplit(url).hostname == urlsplit(home.url).hostname
    return Endpoint(
        provider=home.provider,
        url=url,
        model=settings.name,
        window=settings.window or (home.window if at_home else home.window_elsewhere),
        timeout=min(settings.timeout, settings.total_timeout),
        total_timeout=settings.total_timeout,
        key_variable=settings.key_variable or (home.key_variable if at_home else ""),
        at_home=at_home,
        surroundings=surroundings,
    )


def tool_call(id: str, name: str, arguments: str) -> ToolCall:
    """A call whose arguments came as text. What cannot be read is told to the model, which then asks again."""
    try:
        parsed: object = json.loads(arguments) if arguments.strip() else {}
    except (ValueError, RecursionError) as error:
        return ToolCall(id, name, {}, f"The arguments are not valid JSON ({error}).")
    if not isinstance(parsed, dict):
        return ToolCall(id, name, {}, "The arguments are not a JSON object.")
    return ToolCall(id, name, {str(key): value for key, value in parsed.items()})  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] JSON is untyped


def sendable(value: Any) -> Any:
    """A request whose texts can be encoded: memory may hold bytes that were never UTF-8."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {sendable(key): sendable(item) for key, item in cast(dict[Any, Any], value).items()}
    return [sendable(item) for item in cast(list[Any], value)] if isinstance(value, list | tuple) else value


def field(value: object, name: str) -> Any:
    """A field of an answer; None when it is not there."""
    return getattr(value, name, None)


def items(value: object, name: str) -> list[Any]:
    found = field(value, name)
    return cast(list[Any], found) if isinstance(found, list) else []


def number(value: object, name: str) -> int:
    found = field(value, name)
    return found if isinstance(found, int) and found > 0 else 0


def _status(error: Exception) -> int | None:
    """The status of a refusal; None when the stream had begun well, or nothing was answered."""
    status = field(error, "status_code")
    return status if isinstance(status, int) and status >= 300 else None


def _is_passing(error: Exception, status: int | None) -> bool:
    if _header(error, "x-should-retry") == "false":
        return False
    if _LASTING & {field(error, "type"), field(error, "code")} and status not in _PASSING - {429}:
        return False
    return status is None or status in _PASSING or status >= 500


def _retry_after(error: Exception) -> float | None:
    """Seconds to wait, from a header that holds seconds, milliseconds or a date."""
    from datetime import UTC, datetime

    milliseconds, value = _header(error, "retry-after-ms"), _header(error, "retry-after")
    try:
        if milliseconds:
            return max(float(milliseconds) / 1000, 0.0)
        if not value:
            return None
        if value.replace(".", "", 1).isdigit():
            return float(value)
        return max((parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds(), 0.0)
    except (TypeError, ValueError):
        return None


def _header(error: Exception, name: str) -> str:
    headers = field(field(error, "response"), "headers")
    return "" if headers is None else str(headers.get(name, "")).strip()


def _detail(error: Exception) -> str:
    """The vendor's own sentence, without the envelope."""
    body = field(error, "body")
    told: object = cast(dict[str, object], body).get("message") if isinstance(body, dict) else None
    return str(field(error, "api_message") or told or error)


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_DETAIL else line[: _LONGEST_DETAIL - 1] + "…"
