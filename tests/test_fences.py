"""The fences that conftest.py puts around every test do hold."""

import os
import socket
from pathlib import Path

import pytest

from tests.conftest import NetworkFenceError


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("example.org", 443), ("0.0.0.0", 80)])
def test_connecting_to_another_machine_is_refused(address: tuple[str, int]) -> None:
    with socket.socket() as outward, pytest.raises(NetworkFenceError):
        outward.connect(address)


def test_listening_beyond_loopback_is_refused() -> None:
    with socket.socket() as listener, pytest.raises(NetworkFenceError):
        listener.bind(("0.0.0.0", 0))


def test_sending_a_datagram_to_another_machine_is_refused() -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as outward, pytest.raises(NetworkFenceError):
        outward.sendto(b"", ("192.0.2.1", 53))


def test_looking_up_a_name_is_refused() -> None:
    with pytest.raises(NetworkFenceError):
        socket.create_connection(("example.org", 443))


def test_loopback_connections_work() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("localhost", port), timeout=5) as client:
            accepted, _ = server.accept()
            with accepted:
                client.sendall(b"here")
                assert accepted.recv(4) == b"here"


def test_home_is_new_empty_and_not_the_persons_own(home: Path) -> None:
    assert Path.home() == home
    assert list(home.iterdir()) == []


def test_the_environment_points_into_the_new_home(home: Path) -> None:
    assert all(Path(os.environ[name]).is_relative_to(home) for name in os.environ if name.startswith("XDG_"))
    assert not [name for name in os.environ if name.startswith("COMMONPLACE_")]
