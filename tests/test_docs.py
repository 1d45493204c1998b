"""The documents tell the truth: what they show is what happens."""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import reduce
from pathlib import Path

import pytest

from commonplace.app import App
from commonplace.cli.exits import MEANINGS, STATUS_OF
from commonplace.config import SETTINGS, settings_from, settle
from commonplace.files import daily
from commonplace.files.document import Document
from commonplace.files.inbox import waiting, with_waiting
from commonplace.files.summaries import cursor_in, summary_text, with_summary
from commonplace.providers.chatmodels import anthropic, chat_model, openai
from commonplace.providers.chatmodels.surroundings import Surroundings
from commonplace.tomltext import flattened
from commonplace.types import Origin
from commonplace.types.saving import Proposed
from tests.command_reference import PAGE, commands, reference
from tests.wire.dialects import ChatCompletions
from tests.wire.server import WireServer

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHOWN_DATA = "~/.local/share/commonplace"


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def steps(session: str) -> Iterator[tuple[str, str]]:
    """The commands of a console session, each with the output shown below it."""
    for step in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        command, _, shown = step.partition("\n")
        yield command, shown


def test_the_session_in_the_readme_runs_as_shown(home: Path) -> None:
    data = str(App().data_folder)
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    ids: dict[str, str] = {}
    ran = 0
    for session in blocks(ROOT / "README.md", "console"):
        for command, shown in steps(session):
            line = command.replace(SHOWN_DATA, shlex.quote(data))
            for told, real in ids.items():
                line = line.replace(told, real)
            done = subprocess.run(
                ["sh", "-c", line], cwd=home, env=environment, capture_output=True, encoding="utf-8", check=False
            )
            assert (done.returncode, done.stderr) == (0, ""), command
            ids |= dict(zip(_ids(shown), _ids(done.stdout), strict=True))
            assert _comparable(done.stdout.replace(data, SHOWN_DATA)) == _comparable(shown), command
            ran += 1
    assert ran >= 6


def _ids(text: str) -> list[str]:
    return re.findall(r"\b[0-9a-f]{10}\b", text)


def _comparable(text: str) -> str:
    text = re.sub(r"\b[0-9a-f]{10}\b", "(id)", text)
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "(when)", text)
    return re.sub(r"searched \d+ files and \d+ history objects", "searched everything", text)


def test_the_program_in_the_readme_prints_what_its_comments_say(home: Path) -> None:
    program, _ = blocks(ROOT / "README.md", "python")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(program, "README.md", "exec"), {})  # noqa: S102 our own document
    assert printed.getvalue().splitlines() == re.findall(r"# → (.*)", program)
    assert (home / "notes/MEMORY.md").exists()


def test_the_loop_in_the_readme_gives_an_agent_a_memory(
    home: Path, wire: WireServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, program = blocks(ROOT / "README.md", "python")
    summary = "## Daily Summary\n- Spoke of night trains to Vienna.\n\n## Long-term Facts\n- Likes night trains"
    speaks = ChatCompletions()
    wire.script = [
        speaks.text(text) for text in ("Take the NJ 467.", "Night trains.", summary, "Still.", "Yes.", summary)
    ]
    monkeypatch.setenv("OLLAMA_HOST", wire.url)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for _ in range(2):
            exec(compile(program, "README.md", "exec"), {})  # noqa: S102 our own document
    assert printed.getvalue() == "Take the NJ 467.\nNight trains.\nStill.\nYes.\n"
    asked = wire.requests[3].body["messages"][0]["content"]
    assert "- Likes night trains" in asked
    assert asked.endswith("\n\nI like night trains. Which should I take to Vienna?")
    assert (home / "notes/MEMORY.md").read_text().count("Likes night trains") == 1


@pytest.mark.req("CLI-1")
def test_the_command_reference_is_what_the_commands_say_of_themselves() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), "run: python -m tests.command_reference"
    assert all(f"\n## {' '.join(path)}\n" in PAGE.read_text(encoding="utf-8") for path, _ in commands())


def test_every_exit_status_is_documented_with_its_codes() -> None:
    text = (ROOT / "docs/exit-codes.md").read_text(encoding="utf-8")
    rows = {
        int(status): (meaning, set(re.findall(r"`(\w+)`", codes)))
        for status, meaning, codes in re.findall(r"^\| (\d+) \| (.*?) \| (.*?) ?\|$", text, re.MULTILINE)
    }
    assert rows == {
        status: (meaning, {code for code, one in STATUS_OF.items() if one == status})
        for status, meaning in MEANINGS.items()
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


def test_the_documents_of_the_format_are_those_the_code_writes() -> None:
    memory, inbox, log, summary = blocks(ROOT / "docs/format.md", "markdown")
    made, _ = Document([]).with_entry("Prefers short answers", "Preferences")
    assert made.text == memory
    items = waiting(inbox.encode())
    assert {item.kind for item in items} == set(Proposed)
    assert (reduce(with_waiting, items, None) or b"").decode() == inbox
    (marker,) = daily.markers(log.encode(), "daily/2026-11-15.md")
    day = daily.day_of("2026-11-15.md")
    assert day is not None
    assert daily.with_block(None, day, "- Talked about trains", marker).decode() == log
    cursor = cursor_in(summary.encode(), "x")
    assert cursor is not None
    assert with_summary(summary_text(summary.encode(), "x"), cursor).decode() == summary


def test_every_model_in_the_documents_can_be_configured_like_that() -> None:
    examples = blocks(ROOT / "docs/models.md", "toml")
    assert len(examples) >= 8
    for example in examples:
        settings = settings_from(settle([("docs/models.md", flattened(tomllib.loads(example)))]))
        assert chat_model(settings.model, Surroundings({})) is not None, example


def test_every_setting_of_the_model_is_documented_with_its_default() -> None:
    text = (ROOT / "docs/models.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(model\.\w+)` \| (.*?) ?\|", text, re.MULTILINE))
    wanted = {setting.key: setting.default for setting in SETTINGS if setting.key.startswith("model.")}
    assert rows.keys() == wanted.keys()
    told = {"model.provider": "`none`", "model.timeout": "120", "model.daily_tokens": "0"}
    assert {key: rows[key] for key in told} == told
    assert (wanted["model.provider"], wanted["model.timeout"], wanted["model.daily_tokens"]) == ("none", 120.0, 0)
    for home, window in ((anthropic.HOME, 200_000), (openai.HOME, 128_000)):
        assert (home.window, home.window_elsewhere) == (window, 8192)
        assert f"{window} tokens" in text or f"{window} for" in text
        assert home.key_variable in text


def test_the_origins_in_the_format_are_all_there_are() -> None:
    text = (ROOT / "docs/format.md").read_text(encoding="utf-8")
    sentence = text[text.index("`Origin` is ") :].partition(";")[0]
    assert set(re.findall(r"`([a-z]+)`", sentence)) == {origin.value for origin in Origin}
