"""Fences around every test: no network, no home of a real person, no settings from outside.

The fences hold in this process and, as far as they are environment variables, in the processes a test starts.
The clock is left alone; a test that needs another time or zone asks time-machine for it.
"""

import gc
import ipaddress
import os
import socket
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import settings

pytest_plugins = ["tests.clients.together", "tests.requirement_report", "tests.stores", "tests.wire.fixtures"]

# A deadline for each example fails on busy machines and finds nothing; pytest-timeout bounds the whole test.
settings.register_profile("commonplace", deadline=None)
settings.load_profile("commonplace")


def pytest_collection_finish() -> None:
    """What is there by now stays to the end: to look through it for garbage again and again took an eighth of the
    suite's time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


REMOVED_PREFIXES = ("COMMONPLACE_", "XDG_", "GIT_")


class NetworkFenceError(RuntimeError):
    """A test tried to reach the network."""


def is_local(family: int, address: object) -> bool:
    """Whether a socket address stays on this machine: a Unix socket or a loopback address."""
    if family == getattr(socket, "AF_UNIX", None):
        return True
    return isinstance(address, tuple) and is_loopback(cast("tuple[object, ...]", address)[0])


def is_loopback(host: object) -> bool:
    """Whether a host name or address means this machine."""
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if name is None or name == "localhost":
        return True
    try:
        return ipaddress.ip_address(str(name)).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True)
def network_fence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection, listener, datagram and name lookup that would leave this machine."""

    def fenced(method: Callable[..., object]) -> Callable[..., object]:
        def guarded(self: socket.socket, *arguments: object) -> object:
            address = arguments[-1]
            # A connected datagram socket may send without an address: its connect was checked.
            if address is not None and not is_local(self.family, address):
                raise NetworkFenceError(f"{method.__name__} to {address!r} is outside this machine")
            return method(self, *arguments)

        return guarded

    for name in ("bind", "connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, fenced(getattr(socket.socket, name)))

    look_up = socket.getaddrinfo

    def guarded_look_up(host: bytes | str | None, *arguments: Any, **options: Any) -> object:
        if not is_loopback(host):
            raise NetworkFenceError(f"looking up {host!r} would ask the network")
        return look_up(host, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", guarded_look_up)


@pytest.fixture(scope="session")
def empty_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """New folders, numbered. For each of its own, pytest looks through all that there are: 15 ms a test at the end."""
    base = tmp_path_factory.mktemp("folders")

    def made(number: int) -> Path:
        folder = base / str(number)
        folder.mkdir(0o700)
        return folder

    return map(made, count())


@pytest.fixture
def tmp_path(empty_folders: Iterator[Path]) -> Path:
    return next(empty_folders)


@pytest.fixture(autouse=True)
def home(empty_folders: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new, empty home for each test, and an environment that names nothing of the person who runs it."""
    for name in list(os.environ):
        if name.startswith(REMOVED_PREFIXES):
            monkeypatch.delenv(name)
    folder = next(empty_folders)
    monkeypatch.setenv("HOME", str(folder))
    for name, place in {
        "XDG_CACHE_HOME": ".cache",
        "XDG_CONFIG_HOME": ".config",
        "XDG_DATA_HOME": ".local/share",
        "XDG_RUNTIME_DIR": ".run",
        "XDG_STATE_HOME": ".local/state",
    }.items():
        monkeypatch.setenv(name, str(folder / place))
    # The books of tests are not in the folder for temporary files, where they would not be missed.
    monkeypatch.setenv("TMPDIR", str(next(empty_folders)))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return folder
