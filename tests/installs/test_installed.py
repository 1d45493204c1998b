"""The program as people install it, in a home of its own: with uv and with pipx, and with each kind of model.

These tests ask the package registry, so `make test-clients` runs them and `make test` does not.
"""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.clients.registries import fetch
from tests.wire.dialects import ChatCompletions, Dialect, Messages
from tests.wire.server import WireServer

pytestmark = [pytest.mark.clients, pytest.mark.timeout(900)]

ROOT = Path(__file__).parent.parent.parent
SUMMARY = "## Daily Summary\n- Asked for a train.\n\n## Long-term Facts\nNone"


@dataclass(frozen=True)
class Installed:
    """A program in a home of its own."""

    programs: Path
    environment: dict[str, str]

    def run(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {**self.environment, **more}
        return subprocess.run(
            words, env=environment, cwd=environment["HOME"], capture_output=True, text=True, check=False, timeout=600
        )

    def fetch(self, *words: str) -> None:
        """Run what asks a registry, at most a few times."""
        fetch(*words, environment=self.environment, cwd=Path(self.environment["HOME"]))

    def commonplace(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        return self.run(str(self.programs / "commonplace"), *words, **more)


def _source(folder: Path) -> Path:
    """The project as a clone has it."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file() and name.startswith(("src/", "pyproject", "README", "LICENSE")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    return folder


def _by_uv(home: Path) -> Installed:
    tools = home / "tools"
    environment = _environment(home, {"UV_TOOL_DIR": str(tools), "UV_TOOL_BIN_DIR": str(home / "bin")})
    program = Installed(home / "bin", environment)
    program.fetch(_uv(), "tool", "install", "--python", sys.executable, str(_source(home / "source")))
    return program


def _by_pipx(home: Path) -> Installed:
    subprocess.run([sys.executable, "-m", "venv", str(home / "pipx")], check=True)
    fetch(home / "pipx/bin/pip", "install", "-q", "pipx")
    environment = _environment(home, {"PIPX_HOME": str(home / "tools"), "PIPX_BIN_DIR": str(home / "bin")})
    environment["PATH"] = f"{home / 'pipx/bin'}{os.pathsep}{environment['PATH']}"
    program = Installed(home / "bin", environment)
    program.fetch(str(home / "pipx/bin/pipx"), "install", "--python", sys.executable, str(_source(home / "source")))
    return program


def _uv() -> str:
    return str(Path(sys.executable).with_name("uv"))


def _environment(home: Path, more: dict[str, str]) -> dict[str, str]:
    """Nothing of this checkout is on the path but uv."""
    (home / "uv-only").mkdir()
    (home / "uv-only/uv").symlink_to(_uv())
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("VIRTUAL_ENV", "PYTHON", "XDG_"))}
    path = os.pathsep.join([str(home / "uv-only"), str(home / "bin"), "/usr/local/bin", "/usr/bin", "/bin"])
    return kept | {"HOME": str(home), "PATH": path} | more


@pytest.fixture(scope="module", params=[_by_uv, _by_pipx], ids=["uv tool", "pipx"])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    install: Callable[[Path], Installed] = request.param
    return install(tmp_path_factory.mktemp("installed"))


@pytest.mark.req("CLI-1")
def test_the_installed_command_works_by_both_its_names(program: Installed) -> None:
    assert program.commonplace("--version").stdout.startswith("commonplace ")
    assert program.run(str(program.programs / "commonplace-memory"), "--version").stdout.startswith("commonplace ")
    assert "Saved in Notes" in program.commonplace("remember", "Likes night trains").stdout
    assert "1. Likes night trains" in program.commonplace("search", "which trains?").stdout


def test_any_program_answers_without_a_package(program: Installed) -> None:
    answers = shlex.join([sys.executable, "-c", "print('At nine.')"])
    done = program.commonplace("setup", answers)
    assert (done.returncode, done.stderr) == (0, "")
    assert program.commonplace("ask", "When?").stdout == "At nine.\n"
    assert program.commonplace("setup", "none").returncode == 0


@pytest.mark.parametrize("speaks", [ChatCompletions(), Messages()], ids=["openai", "anthropic"])
def test_a_hosted_model_works_once_the_advice_is_followed(
    program: Installed, wire: WireServer, speaks: Dialect
) -> None:
    settings = speaks.settings(wire.url)
    model = {
        "COMMONPLACE_MODEL_PROVIDER": settings.provider,
        "COMMONPLACE_MODEL_NAME": settings.name,
        "COMMONPLACE_MODEL_URL": settings.url,
    }
    first = program.commonplace("ask", "When does it leave?", **model)
    assert (first.returncode, "Traceback" in first.stderr) == (9, False), first.stderr
    advised = first.stderr.partition("Install it: ")[2].splitlines()[0]
    program.fetch(*shlex.split(advised))
    wire.script = [speaks.text("At nine."), speaks.text(SUMMARY)]
    assert program.commonplace("ask", "When does it leave?", **model).stdout == "At nine.\n"
