"""Long work for which a model is asked is stopped at once, and leaves nothing running."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from commonplace.memory import Memory
from tests.web.conftest import TOKEN, Api, Json
from tests.web.test_promises import serve

# A model that tells which process it is, and a child of it, and then says nothing for ever.
_SILENT = """
import os, pathlib, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
pathlib.Path(sys.argv[1]).write_text(f"{os.getpid()} {child.pid} .")
time.sleep(3600)
"""


@pytest.fixture
def silent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the model of this test, which never answers, tells its processes."""
    told, program = tmp_path / "processes", tmp_path / "model.py"
    program.write_text(_SILENT, encoding="utf-8")
    monkeypatch.setenv("COMMONPLACE_MODEL_PROVIDER", "command")
    monkeypatch.setenv("COMMONPLACE_MODEL_COMMAND", f"{sys.executable} {program} {told}")
    return told


def eventually(found: Callable[[], bool]) -> None:
    for _ in range(6000):
        if found():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come to that")


def asked(told: Path) -> list[int]:
    """The processes of the model, once it has been asked."""
    eventually(lambda: told.exists() and told.read_text(encoding="utf-8").endswith("."))
    pids = [int(word) for word in told.read_text(encoding="utf-8").split()[:2]]
    told.unlink()
    return pids


def is_gone(pid: int) -> bool:
    """Whether a process is not there any more, or only waits to be counted out."""
    try:
        return "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return not _answers(pid)


def _answers(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not Path("/proc").is_dir()


def ended(api: Api, id: str) -> Json:
    eventually(lambda: api.get(f"/jobs/{id}")["state"] != "running")
    return api.get(f"/jobs/{id}")


@pytest.mark.req("UI-2", "CMP-6")
def test_a_plan_is_cancelled_while_the_model_is_silent_and_a_new_one_begins_right_away(
    silent: Path, api: Api, memory: Memory, folder: Path
) -> None:
    for text in ("Likes green tea in the morning", "Plays the cello", "Plays the cello on Sundays"):
        memory.remember(text, insist=True)
    before = (folder / "MEMORY.md").read_bytes()
    copies = len(memory.backups())
    ids: list[str] = []
    for _ in range(2):
        job = api.post("/jobs", {"kind": "compact"}, status=202)
        processes = asked(silent)
        assert api.post("/jobs", {"kind": "compact"})["id"] == job["id"]
        api.ask("DELETE", f"/jobs/{job['id']}")
        done = ended(api, job["id"])
        assert (done["state"], done["result"], done["problem"]) == ("cancelled", None, None)
        for pid in processes:
            eventually(lambda pid=pid: is_gone(pid))
        ids.append(job["id"])
    assert (folder / "MEMORY.md").read_bytes() == before
    assert len(memory.backups()) <= copies + 1
    assert api.post("/jobs", {"kind": "compact", "model": False}, status=202)["id"] not in ids


@pytest.mark.req("UI-2")
def test_a_server_that_ends_leaves_no_model_running(silent: Path, home: Path, folder: Path) -> None:
    memory = Memory.open(folder)
    for text in ("Likes green tea in the morning", "Plays the cello"):
        memory.remember(text, insist=True)
    with serve("--book", str(folder)) as served:
        address = f"{served['address']}/api/v1/jobs"
        answer = httpx2.post(address, json={"kind": "compact"}, headers={"authorization": f"Bearer {TOKEN}"})
        assert answer.status_code == 202
        processes = asked(silent)
    for pid in processes:
        eventually(lambda pid=pid: is_gone(pid))
