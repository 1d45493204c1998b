"""A chat model by one word, as people say it: `ollama/qwen3:8b`, `anthropic/claude-sonnet-4-5`, `claude -p`."""

import shlex
from collections.abc import Mapping
from dataclasses import replace

from commonplace.config import ModelSettings
from commonplace.errors import ConfigError
from commonplace.providers.chatmodels.discovery import local_address

_VENDORS = ("anthropic", "openai")


def settings_of(name: str, base: ModelSettings, environment: Mapping[str, str]) -> ModelSettings:
    """The settings that a name stands for; what it does not say (limits, patience) is as in `base`."""
    where, _, model = name.strip().partition("/")
    if where in _VENDORS and model:
        return replace(base, provider=where, name=model, url="", key_variable="", command=(), window=0)
    if model and (url := local_address(where, environment)):
        return replace(base, provider="openai", name=model, url=url, key_variable="", command=(), window=0)
    if name.startswith(("http://", "https://")):
        url, _, model = name.strip().rpartition("#")
        if url and model:
            return replace(base, provider="openai", name=model, url=url, key_variable="", command=(), window=0)
    elif words := _words(name):
        return replace(base, provider="command", name="", url="", key_variable="", command=tuple(words), window=0)
    raise ConfigError(
        f"{name!r} names no chat model.",
        hint="Write anthropic/MODEL, openai/MODEL, ollama/MODEL, ADDRESS#MODEL, or a program such as 'claude -p'.",
    )


def _words(name: str) -> list[str]:
    """A program and its arguments: what has a `/` but is no path to a program is a mistake in a name."""
    try:
        words = shlex.split(name)
    except ValueError:
        return []
    return words if words and ("/" not in words[0] or words[0].startswith(("/", "./", "~/"))) else []
