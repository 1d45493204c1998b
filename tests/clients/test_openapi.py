"""The API against its own OpenAPI document: made-up requests find no server error and nothing undocumented."""

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from tests.clients.registries import FOLDER, alone, fetch
from tests.team.conftest import new_team
from tests.web.test_promises import serve

pytestmark = [pytest.mark.clients, pytest.mark.timeout(900)]
SCHEMATHESIS = "schemathesis==4.32.5"
TOKEN = "a-token-for-these-tests"
# That a request fits the document does not say that the entry is there, or is still what it was.
NOT_ASKED = "positive_data_acceptance"


def installed() -> Path:
    """The program, in an environment of its own beside the others that are tried."""
    place = FOLDER / "schemathesis"
    program = place / "bin" / "st"
    with alone("schemathesis"):
        if not program.exists():
            uv = [sys.executable, "-m", "uv"]
            fetch(*uv, "venv", "--quiet", "--clear", place)
            fetch(*uv, "pip", "install", "--quiet", "--python", place / "bin" / "python", SCHEMATHESIS)
    return program


def tried(address: str, token: str, tmp_path: Path, *more: str) -> None:
    """Let the program make up requests by the document of a server, and find nothing wrong with the answers."""
    report = tmp_path / "report.json"
    command = [str(installed()), "run", f"{address}/api/openapi.json", "-H", f"Authorization: Bearer {token}"]
    command += ["--phases", "coverage,fuzzing", "--continue-on-failure", "-n", "6", *more]
    command += ["--exclude-checks", NOT_ASKED, "--warnings", "off", "--no-shrink", "--seed", "7"]
    command += ["--report-json-path", str(report)]
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=800, check=False
    )
    assert done.returncode == 0, done.stdout[-6000:]
    assert json.loads(report.read_text(encoding="utf-8"))


@pytest.mark.req("API-1", "S7", "TEAM-1")
def test_made_up_requests_to_a_server_of_a_team_find_no_server_error_and_no_undocumented_answer(tmp_path: Path) -> None:
    team = new_team()
    team.book("notes")
    environment = {**os.environ, "COMMONPLACE_TEAM_REQUESTS": "0", "COMMONPLACE_EMBEDDER_NAME": "none"}
    command = [sys.executable, "-m", "commonplace", "serve", "--team", team.address, "--json", "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as run:
        assert run.stdout is not None
        address = json.loads("".join(iter(run.stdout.readline, "}\n")) + "}")["address"]
        try:
            tried(address, team.token("olga"), tmp_path, "--exclude-path", "/api/v1/books/{book}/events")
        finally:
            run.terminate()


@pytest.mark.req("API-1", "S7")
def test_made_up_requests_find_no_server_error_and_no_undocumented_answer(tmp_path: Path) -> None:
    with serve("--book", str(tmp_path / "book")) as served:
        for text in ("Likes green tea", "Plays the cello in a small orchestra", "Works at the harbour office"):
            entries = f"{served['address']}/api/v1/memory/entries"
            httpx2.post(
                entries, json={"text": text, "insist": True}, headers={"authorization": f"Bearer {TOKEN}"}
            ).raise_for_status()
        tried(served["address"], TOKEN, tmp_path, "--exclude-path", "/api/v1/events")
