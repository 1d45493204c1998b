"""Environments with the agent frameworks themselves, made by the tests that want them, and the frameworks' own tests.

An environment has its own packages first, then this checkout and what it needs. The tests of a framework come from its
source distribution, at the version that is installed; nothing of theirs is kept in the repository.
"""

import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import commonplace
from tests.clients.registries import fetch

PINNED = {
    "anthropic": "2.8.0",
    "claude-agent-sdk": "0.2.182",
    "openai-agents": "0.24.0",
    "langgraph-checkpoint": "4.3.1",
    "langgraph-checkpoint-sqlite": "3.1.2",
    "langmem": "0.0.30",
    "llama-index-core": "0.14.25",
    "pydantic-ai-slim": "2.66.0",
}
_TESTING = ("pytest", "pytest-asyncio", "pytest-mock", "hypothesis", "inline-snapshot")
CHECKOUT = Path(__file__).resolve().parents[2]


def python_with(folder: Path, *names: str) -> Path:
    """The Python of a new environment that has these packages, and this checkout."""
    python = folder / "bin/python"
    fetch(_uv(), "venv", "--quiet", "--clear", "--python", sys.executable, folder)
    wanted = [f"{name}=={PINNED[name]}" if name in PINNED else name for name in (*names, *_TESTING)]
    fetch(_uv(), "pip", "install", "--quiet", "--python", python, *wanted)
    (packages,) = folder.glob("lib/python*/site-packages")
    ours = [Path(commonplace.__file__).parents[1], CHECKOUT / "tests/clients", Path(pytest.__file__).parents[1]]
    (packages / "checkout.pth").write_text("".join(f"{place}\n" for place in ours))
    return python


def sources_of(name: str, folder: Path) -> Path:
    """The unpacked source distribution of a package, with its tests."""
    source = f"{name}=={PINNED[name]}"
    fetch(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", name, "-d", folder, source)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return next(place for place in folder.iterdir() if place.is_dir())


def run_tests(python: Path, *arguments: str | Path, at: Path, plugin: str) -> str:
    """The last lines of a run of a framework's own tests, with our class put in its place by `plugin`."""
    words = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", f"rebound.{plugin}"]
    done = subprocess.run([*words, *arguments], cwd=at, capture_output=True, text=True, check=False)
    told = done.stdout[-4000:] + done.stderr[-2000:]
    assert done.returncode == 0, told
    return told


def passed(told: str) -> int:
    """How many tests passed in a run."""
    found = re.search(r"\b(\d+) passed\b", told)
    return int(found[1]) if found else 0


def run_program(python: Path, program: str, *arguments: str | Path) -> str:
    """What a program says that runs in such an environment."""
    done = subprocess.run([python, "-c", program, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


def _uv() -> Path:
    return Path(sys.executable).parent / "uv"
