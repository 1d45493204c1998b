"""Servers of a team that are killed in the middle of writes: what was answered is stored, and a request that is sent
again with its key, to whichever server is there, is done once."""

import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import uuid
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from commonplace.memory import Memory
from commonplace.stores.postgres import book_address, open_database
from commonplace.team.credentials import Credentials, Wish
from commonplace.team.membership import Kind, Members, Role

_CLIENTS = 4
_SERVERS = 2
_PATIENCE = 120.0
_PAUSE = 0.1


@dataclass
class Served:
    """What became of servers that were killed: requests that were answered, sent again, and what is wrong."""

    killed: int = 0
    acknowledged: int = 0
    resent: int = 0
    problems: list[str] = field(default_factory=list[str])


class _Running:
    """A server on a port of its own, which it has again after it was killed."""

    def __init__(self, database: str, home: Path) -> None:
        self._database = database
        self._home = home
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        kept = {name: value for name, value in os.environ.items() if name in {"PATH", "PYTHONPATH"}}
        environment = {**kept, "HOME": str(self._home), "COMMONPLACE_EMBEDDER_NAME": "none"}
        command = [sys.executable, "-m", "commonplace", "serve", "--team", self._database, "--json"]
        self._process = subprocess.Popen(
            [*command, "--port", str(self.port)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )
        assert self._process.stdout is not None
        while self._process.stdout.readline().strip() != "}":
            assert self._process.poll() is None, "the server does not start"

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None


def kill_servers(database: str, *, rounds: int, seed: int) -> Served:
    """Clients write all the time, and in each round one of the servers is killed and started again."""
    chance, report = random.Random(seed), Served()
    tenant = f"k{uuid.uuid4().hex}"
    Members(open_database(database)).open(tenant, "notes", Kind.PROJECT, "olga", "the stress")
    token, _ = Credentials(open_database(database)).create(tenant, Wish("olga", Role.WRITER, None, 1))
    over = threading.Event()
    answered: list[tuple[str, int, str | None]] = []

    with tempfile.TemporaryDirectory(prefix="team-") as home:
        servers = [_Running(database, Path(home)) for _ in range(_SERVERS)]

        def send(number: int) -> None:
            own, count = random.Random(seed * 100 + number), 0
            while not over.is_set():
                count += 1
                text, key = f"Item {count} of client {number}", uuid.uuid4().hex
                status, change = _written(own, servers, token, text, key, report)
                answered.append((text, status, change))

        clients = [threading.Thread(target=send, args=(number,)) for number in range(_CLIENTS)]
        try:
            for server in servers:
                server.start()
            for client in clients:
                client.start()
            for _ in range(rounds):
                before = len(answered)
                moment = threading.Event()
                while len(answered) < before + 2:  # something goes on
                    moment.wait(_PAUSE)
                moment.wait(chance.random() * _PAUSE)
                victim = chance.choice(servers)
                victim.kill()
                report.killed += 1
                victim.start()
        finally:
            over.set()
            for client in clients:
                client.join()
            for server in servers:
                server.kill()
    _compare(Memory.open(book_address(database, tenant, "notes")), answered, report)
    return report


def _written(
    own: random.Random, servers: list[_Running], token: str, text: str, key: str, report: Served
) -> tuple[int, str | None]:
    """Send one write until it is answered for good."""
    headers = {"authorization": f"Bearer {token}", "idempotency-key": key}
    pause = threading.Event()
    for attempt in range(int(_PATIENCE / _PAUSE)):
        report.resent += attempt > 0
        address = f"http://127.0.0.1:{own.choice(servers).port}/api/v1/books/notes/memory/entries"
        try:
            body = {"text": text, "insist": True}
            answer = httpx2.post(address, json=body, headers=headers, timeout=_PATIENCE)
        except httpx2.HTTPError:
            pause.wait(_PAUSE)
            continue
        if answer.status_code not in {503, 507}:
            told = json.loads(answer.text)
            return answer.status_code, told.get("change")
        pause.wait(_PAUSE)
    return 0, None


def _compare(memory: Memory, answered: list[tuple[str, int, str | None]], report: Served) -> None:
    stored = [entry.text for entry in memory.entries()]
    changes = {change.id for change in memory.changes()}
    for text, status, change in answered:
        if status not in {201, 409}:
            report.problems.append(f"{text!r} was answered with {status}")
        elif stored.count(text) != 1 or change not in changes:
            report.problems.append(f"{text!r} was answered with {status}, and is there {stored.count(text)} times")
        else:
            report.acknowledged += 1
    report.problems += [f"{text!r} is there twice" for text in {one for one in stored if stored.count(one) > 1}]
    report.problems += [str(problem) for problem in memory.book.history.check()]
