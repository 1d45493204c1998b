"""The Claude Code plugin, as its own validator sees it."""

import json
import subprocess
from pathlib import Path

import pytest

from commonplace.hooks.clients import CLIENTS
from commonplace.skills import skill
from tests.clients.agents import CLAUDE
from tests.clients.npm import installed

ROOT = Path(__file__).parent.parent.parent
PLUGIN = ROOT / "plugins/claude-code"


@pytest.mark.clients
@pytest.mark.parametrize("words", [[str(PLUGIN), "--profile", "directory"], [str(ROOT)]], ids=["plugin", "marketplace"])
def test_the_plugin_is_valid(home: Path, words: list[str]) -> None:
    environment = {"HOME": str(home), **installed(CLAUDE)}
    done = subprocess.run(
        ["claude", "plugin", "validate", *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_plugin_has_the_skill_the_hooks_and_the_licence_of_the_project() -> None:
    assert (PLUGIN / "skills/commonplace/SKILL.md").read_text() == skill()
    assert set(json.loads((PLUGIN / "hooks/hooks.json").read_text())["hooks"]) == set(CLIENTS["claude-code"].events)
    assert (PLUGIN / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
