"""What registries and hosts are told about the server is true."""

import json
import re
import runpy
import zipfile
from pathlib import Path
from typing import Any, cast

import pytest

from commonplace import __version__
from commonplace.tools.table import TOOLS
from tests.clients.registries import CACHES

ROOT = Path(__file__).parent.parent.parent
SERVER = cast(dict[str, Any], json.loads((ROOT / "server.json").read_text(encoding="utf-8")))


@pytest.mark.req("MCP-1")
def test_the_registry_is_told_this_version_of_this_package() -> None:
    (package,) = SERVER["packages"]
    assert (SERVER["version"], package["version"]) == (__version__, __version__)
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'name = "{package["identifier"]}"' in project
    assert f'\n{package["identifier"]} = "commonplace.cli.start:main"' in project  # what uvx starts
    assert [argument["value"] for argument in package["packageArguments"]] == ["mcp"]
    assert len(SERVER["description"]) <= 100
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", SERVER["name"])
    assert f"<!-- mcp-name: {SERVER['name']} -->" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_page_about_mcp_shows_configurations_that_start_the_server() -> None:
    page = (ROOT / "docs/mcp.md").read_text(encoding="utf-8")
    shown = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)]
    assert len(shown) == 3
    for configuration in shown:
        (servers,) = configuration.values()
        server = servers["commonplace"]
        assert (server["command"], server.get("args")) in [("commonplace", ["mcp"]), (["commonplace", "mcp"], None)]
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == TOOLS.keys()


@pytest.mark.clients
@pytest.mark.timeout(600)
def test_the_bundle_is_valid_and_holds_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in CACHES.items():
        monkeypatch.setenv(name, value)
    made = runpy.run_path(str(ROOT / "tools/bundle.py"))
    assert made["main"](tmp_path / "commonplace.mcpb") == 0
    with zipfile.ZipFile(tmp_path / "commonplace.mcpb") as bundle:
        names = set(bundle.namelist())
        manifest = json.loads(bundle.read("manifest.json"))
    assert {"manifest.json", "pyproject.toml", manifest["server"]["entry_point"]} <= names
    assert [tool["name"] for tool in manifest["tools"]] == list(TOOLS)
    assert manifest["version"] == __version__
