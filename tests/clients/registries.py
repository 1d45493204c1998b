"""Programs and packages of others, from their registries, for tests that run the real ones.

What was fetched stays in a folder of the checkout that git ignores: one process fetches at a time, the others find it
there. A registry that fails is asked again; one that goes on failing fails the test, with what was said.
"""

import fcntl
import os
import subprocess
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

FOLDER = Path(__file__).parent.parent.parent / ".clients"
_TRIES = 3
# Every test has a home of its own; what was downloaded need not be downloaded again for it.
CACHES = {
    "UV_CACHE_DIR": str(FOLDER / "cache/uv"),
    "PIP_CACHE_DIR": str(FOLDER / "cache/pip"),
    "npm_config_cache": str(FOLDER / "cache/npm"),
    "UV_HTTP_RETRIES": "6",
    "PIP_RETRIES": "6",
    "npm_config_fetch_retries": "6",
    "npm_config_update_notifier": "false",
}


@contextmanager
def alone(name: str) -> Generator[None]:
    """Whoever else installs this waits until we are done."""
    FOLDER.mkdir(exist_ok=True)
    with open(FOLDER / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def fetch(*words: str | Path, environment: Mapping[str, str] = os.environ, cwd: Path | None = None) -> None:
    """Run a command that asks a registry, again if it failed."""
    said = run_fetching(words, environment=environment, cwd=cwd)
    assert said.returncode == 0, f"{' '.join(map(str, words))}:\n{said.stdout[-2000:]}{said.stderr[-4000:]}"


def run_fetching(
    words: Sequence[str | Path], *, environment: Mapping[str, str] = os.environ, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """The last try of a command that asks a registry."""
    FOLDER.mkdir(exist_ok=True)
    for _ in range(_TRIES - 1):
        done = _run(words, environment, cwd)
        if done.returncode == 0:
            return done
    return _run(words, environment, cwd)


def _run(
    words: Sequence[str | Path], environment: Mapping[str, str], cwd: Path | None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, env={**environment, **CACHES}, cwd=cwd, capture_output=True, text=True, check=False, timeout=600
    )
