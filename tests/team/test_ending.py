"""How a server ends: it says so, finishes what it was asked, and leaves nothing half done."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import httpx2
import pytest

from tests.team.conftest import Team

TEA = {"text": "Likes green tea in the morning", "insist": True}


@pytest.mark.req("TEAM-1", "R1")
def test_a_server_that_is_told_to_end_says_so_and_answers_what_it_was_asked(team: Team, home: Path) -> None:
    team.book("notes")
    headers = {"authorization": f"Bearer {team.token('olga')}"}
    environment = {**os.environ, "COMMONPLACE_EMBEDDER_NAME": "none"}
    command = [sys.executable, "-m", "commonplace", "serve", "--team", team.address, "--json", "--port", "0"]
    with subprocess.Popen(
        [*command, "--drain", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as server:
        assert server.stdout is not None
        address = ""
        while not address:
            line = server.stdout.readline()
            address = line.split('"')[3] if '"address"' in line else ""
        assert httpx2.get(f"{address}/readyz", timeout=60).status_code == 200
        statuses: list[int] = []
        listening = threading.Event()

        def listen() -> None:
            with httpx2.stream("GET", f"{address}/api/v1/books/notes/events", headers=headers, timeout=60) as stream:
                for line in stream.iter_lines():
                    if line == "event: hello":
                        listening.set()

        stays = threading.Thread(target=listen)
        stays.start()
        assert listening.wait(60)
        server.send_signal(signal.SIGTERM)
        while (ready := httpx2.get(f"{address}/readyz", timeout=60)).status_code == 200:
            listening.wait(0.01)
        assert (ready.status_code, ready.json()["state"]) == (503, "draining")
        entries = f"{address}/api/v1/books/notes/memory/entries"
        statuses.append(httpx2.post(entries, json=TEA, headers=headers, timeout=60).status_code)
        stays.join(60)
        assert not stays.is_alive()
        log = server.communicate(timeout=60)[1]
    assert statuses == [201]
    assert server.returncode in {0, -signal.SIGTERM}
    assert '"event": "draining"' in log
    assert "green tea" not in log
    assert "Traceback" not in log
