"""The API against its own OpenAPI document: made-up requests find no server error and nothing undocumented."""

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from tests.clients.registries import FOLDER, alone, fetch
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


@pytest.mark.req("API-1", "S7")
def test_made_up_requests_find_no_server_error_and_no_undocumented_answer(tmp_path: Path) -> None:
    program = installed()
    report = tmp_path / "report.json"
    with serve("--book", str(tmp_path / "book")) as served:
        bearer = f"Authorization: Bearer {TOKEN}"
        for text in ("Likes green tea", "Plays the cello in a small orchestra", "Works at the harbour office"):
            name, _, value = bearer.partition(": ")
            entries = f"{served['address']}/api/v1/memory/entries"
            httpx2.post(entries, json={"text": text, "insist": True}, headers={name: value}).raise_for_status()
        command = [str(program), "run", f"{served['address']}/api/openapi.json", "-H", bearer, "-n", "6"]
        command += ["--phases", "coverage,fuzzing", "--exclude-path", "/api/v1/events", "--continue-on-failure"]
        command += ["--exclude-checks", NOT_ASKED, "--warnings", "off", "--no-shrink", "--seed", "7"]
        command += ["--report-json-path", str(report)]
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=800, check=False
        )
    assert done.returncode == 0, done.stdout[-6000:]
    assert json.loads(report.read_text(encoding="utf-8"))
