"""Keys: from the environment or the system's keyring, looked up when needed, and taken out of whatever is shown.

A book's file never holds one, nor does any file of Commonplace.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from commonplace.errors import ModelFailed

SERVICE = "commonplace"
_HIDDEN = "[key]"
_SHORTEST_SECRET = 8
_TELLING = ("KEY", "TOKEN", "SECRET", "PASSWORD")


def find_key(variable: str, environment: Mapping[str, str]) -> str:
    """The key called `variable`; empty when there is none."""
    key = (environment.get(variable) or _from_keyring(variable)).strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ModelFailed(
            f"The key in {variable} has characters that no key has (a line break or a space, most often).",
            retryable=False,
            hint="Copy the key again, alone and in one piece.",
        )
    return key


def hidden(text: str, secrets: Mapping[str, str] | str) -> str:
    """`text` without the key, or without any value of an environment whose name says that it is a secret."""
    for secret in _secrets(secrets):
        text = text.replace(secret, _HIDDEN)
    return text


def hide_in(error: BaseException, key: str) -> None:
    """Take a key out of an error and of those it came from: servers echo keys, and tracebacks get shared."""
    seen: set[int] = set()
    while id(error) not in seen:
        seen.add(id(error))
        error.args = tuple(hidden(part, key) if isinstance(part, str) else part for part in error.args)
        error = error.__cause__ or error.__context__ or error


def _secrets(secrets: Mapping[str, str] | str) -> Iterator[str]:
    if isinstance(secrets, str):
        if secrets:
            yield secrets
        return
    for name, value in secrets.items():
        if len(value) >= _SHORTEST_SECRET and any(word in name.upper() for word in _TELLING):
            yield value


def _from_keyring(variable: str) -> str:
    """A keyring that is locked, or a machine without one, is no key."""
    if find_spec("keyring") is None:
        return ""
    keyring: Any = import_module("keyring")
    try:
        return str(keyring.get_password(SERVICE, variable) or "")
    except keyring.errors.KeyringError:
        return ""
