"""Settings files on the disk of this user: read, changed in place, and replaced as a whole."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, cast

from commonplace.errors import CommonplaceError, ConfigError, StorageError
from commonplace.files.text import decode

if TYPE_CHECKING:
    from collections.abc import Mapping


def read_settings(file: Path) -> bytes:
    """What a settings file holds; one that is not there holds nothing."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise ConfigError(f"Cannot read {file}: {error.strerror or error}.", hint="Correct its permissions.") from error


def with_values(data: bytes, origin: str, values: Mapping[str, object]) -> bytes:
    from commonplace.tomltext import with_value

    parse_toml(data, origin)  # a file that is wrong already is told as that
    text = decode(data, origin)
    for key, value in values.items():
        text = with_value(text, key, list(cast(tuple[object, ...], value)) if isinstance(value, tuple) else value)
    return text.encode("utf-8", "surrogateescape")


def parse_toml(data: bytes, origin: str) -> dict[str, object]:
    if not data:
        return {}
    import tomllib

    from commonplace.tomltext import flattened

    try:
        return flattened(tomllib.loads(decode(data, origin)))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{origin} is not valid TOML: {error}.", hint="Correct that line.") from error
    except CommonplaceError as error:
        raise ConfigError(error.message, hint=error.hint) from error


def replace_file(file: Path, data: bytes) -> None:
    """Put a file in place as a whole. A link (many people keep their settings elsewhere) stays one."""
    target = Path(os.path.realpath(file))
    make_folder(target.parent)
    new = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o600
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(new, target)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise StorageError(
            f"{file} cannot be written: {error.strerror or error}.", hint="Free some space, or correct its permissions."
        ) from error


def make_folder(wanted: Path) -> None:
    for folder in reversed([wanted, *wanted.parents]):
        if not folder.exists():
            folder.mkdir(0o700, exist_ok=True)
