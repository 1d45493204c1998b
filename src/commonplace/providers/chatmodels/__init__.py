"""Chat models by name. A new one is a file here and a line in the table. Clients load with the first request."""

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from commonplace.config import ModelSettings
from commonplace.errors import ConfigError
from commonplace.ports import ChatModel

if TYPE_CHECKING:
    from collections.abc import Callable

    from commonplace.providers.chatmodels.surroundings import Surroundings

_TABLE = {
    "anthropic": ("commonplace.providers.chatmodels.anthropic", "from_settings"),
    "openai": ("commonplace.providers.chatmodels.openai", "from_settings"),
    "command": ("commonplace.providers.chatmodels.command", "from_settings"),
}


class ConfiguredModel(ChatModel, Protocol):
    """A model as the settings describe it."""

    def check(self) -> None:
        """Raise `ModelFailed` if something is missing that every request needs. Asks nobody."""
        ...


def chat_model(settings: ModelSettings, surroundings: "Surroundings") -> ConfiguredModel | None:
    """The model that the settings name; "none" is no model: everything that needs none works."""
    if settings.provider == "none":
        return None
    if settings.provider not in _TABLE:
        raise ConfigError(
            f"There is no model provider {settings.provider!r}.",
            hint=f"Set model.provider to one of: {', '.join([*_TABLE, 'none'])}.",
        )
    module, function = _TABLE[settings.provider]
    make = cast("Callable[[ModelSettings, Surroundings], ConfiguredModel]", getattr(import_module(module), function))
    return make(settings, surroundings)
