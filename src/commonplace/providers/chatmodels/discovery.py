"""Which chat models this machine could use: servers that answer on it, keys that are set, programs that are there.

Nobody but this machine is asked, and nothing is sent but the question which models there are.
"""

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, Request, build_opener

_PATIENCE = 1.0
_LONGEST = 1_000_000
_LOCAL = {
    "ollama": "http://127.0.0.1:11434/v1",
    "lmstudio": "http://127.0.0.1:1234/v1",
    "llamacpp": "http://127.0.0.1:8080/v1",
    "vllm": "http://127.0.0.1:8000/v1",
    "jan": "http://127.0.0.1:1337/v1",
}
_KEYS = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}
_PROGRAMS = {"claude": ("claude", "-p"), "codex": ("codex", "exec", "-"), "gemini": ("gemini", "-p", "-")}


@dataclass(frozen=True, slots=True)
class Offer:
    """A way to a model: what to set, what it is called for a person, and the models known to be there."""

    label: str
    provider: str
    url: str = ""
    command: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    stays_here: bool = False


def offers(environment: Mapping[str, str]) -> list[Offer]:
    """Everything that could answer, what stays on this machine first."""
    return [*_servers(environment), *_vendors(environment), *programs(environment)]


def local_address(name: str, environment: Mapping[str, str]) -> str:
    """Where a server of this kind listens; empty for a name that is none."""
    if name == "ollama" and (host := environment.get("OLLAMA_HOST", "").strip()):
        return _ollama(host)
    return _LOCAL.get(name, "")


def models_at(url: str, key: str = "", *, vendor: str = "openai", patience: float = _PATIENCE) -> tuple[str, ...]:
    """The names of the models that an address says it has; none if it says nothing of the kind."""
    headers = {"Accept": "application/json"}
    if key and vendor == "anthropic":
        headers |= {"x-api-key": key, "anthropic-version": "2023-06-01"}
    elif key:
        headers["Authorization"] = f"Bearer {key}"
    if urlsplit(url).scheme not in {"http", "https"}:
        return ()
    request = Request(f"{url.rstrip('/')}/models", headers=headers)  # noqa: S310 the scheme was looked at
    try:
        with build_opener(ProxyHandler({}) if _is_here(url) else ProxyHandler()).open(request, timeout=patience) as got:
            body: Any = json.loads(got.read(_LONGEST))
    except (URLError, OSError, ValueError):
        return ()
    listed = cast(list[Any], body.get("data") or []) if isinstance(body, dict) else []  # pyright: ignore[reportUnknownMemberType] JSON is untyped
    return tuple(str(one["id"]) for one in listed if isinstance(one, dict) and one.get("id"))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType] JSON is untyped


def _servers(environment: Mapping[str, str]) -> Iterator[Offer]:
    for name in _LOCAL:
        url = local_address(name, environment)
        if models := models_at(url):
            label = f"{name} at {urlsplit(url).netloc}"
            yield Offer(label, "openai", url=url, models=models, stays_here=_is_here(url))


def _vendors(environment: Mapping[str, str]) -> Iterator[Offer]:
    for vendor, variable in _KEYS.items():
        if environment.get(variable, "").strip():
            yield Offer(f"{vendor} (its key is in {variable})", vendor)


def programs(environment: Mapping[str, str]) -> Iterator[Offer]:
    """Programs of agents that answer a prompt, with the subscription that their user has."""
    for name, command in _PROGRAMS.items():
        if shutil.which(name, path=environment.get("PATH")):
            yield Offer(f"the program `{' '.join(command)}`, with your subscription", "command", command=command)


def _ollama(host: str) -> str:
    """OLLAMA_HOST may lack a scheme or a port; 0.0.0.0 is where it listens, not where one asks."""
    address = urlsplit(host if "//" in host else f"http://{host}")
    name = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1"}.get(address.hostname or "", address.hostname)  # noqa: S104 read, not bound
    return f"{address.scheme}://{name}:{address.port or 11434}/v1"


def _is_here(url: str) -> bool:
    return urlsplit(url).hostname in {"127.0.0.1", "localhost", "::1"}
