"""The first hour: `setup`, `config set`, `edit`, and a model in one line."""

import shlex
import sys
from pathlib import Path

import pytest

from commonplace import Memory, open_model
from commonplace.errors import ConfigError
from commonplace.flows.modelcalls import complete
from commonplace.types import ChatMessage
from tests.cli.conftest import Cli, at_terminal
from tests.wire.dialects import ChatCompletions
from tests.wire.server import WireServer

WIRE = ChatCompletions()
FILE = ".config/commonplace/config.toml"


@pytest.fixture
def ollama(wire: WireServer, monkeypatch: pytest.MonkeyPatch) -> WireServer:
    """A server on this machine that has two models. Nothing else is found: no key, no program."""
    wire.models = ("qwen3:8b", "llama3.2:3b")
    monkeypatch.setenv("OLLAMA_HOST", wire.url.removeprefix("http://"))
    monkeypatch.setenv("PATH", "/nowhere")
    for key in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(key, raising=False)
    return wire


@pytest.mark.req("CLI-1")
def test_setup_tries_the_model_and_keeps_it(cli: Cli, home: Path, ollama: WireServer) -> None:
    ollama.script = [WIRE.text("ready")]
    ran = cli("setup", "ollama/qwen3:8b")
    assert ran.status == 0, ran
    assert "It answered: ready" in ran.out
    assert ollama.requests[0].body["model"] == "qwen3:8b"
    assert cli("config", "get", "model.url").out == f"{ollama.url}/v1\n"
    assert cli("config", "get", "model.provider").out == "openai\n"
    assert (home / FILE).stat().st_mode & 0o777 == 0o600


def test_a_model_that_does_not_answer_is_not_kept(cli: Cli, home: Path, ollama: WireServer) -> None:
    ollama.script = [WIRE.error(404, "no such model")]
    ran = cli("setup", "ollama/typo")
    assert ran.status == 9
    assert "no such model" in ran.err
    assert not (home / FILE).exists()


def test_what_belonged_to_another_choice_goes(cli: Cli, home: Path) -> None:
    (home / FILE).parent.mkdir(parents=True)
    (home / FILE).write_text('# mine\n[model]\nprovider = "openai"\nname = "x"\nurl = "http://127.0.0.1:1/v1"\n')
    program = shlex.join([sys.executable, "-c", "print('ready')"])
    assert cli("setup", program).status == 0
    assert (home / FILE).read_text().startswith('# mine\n[model]\nprovider = "command"\ncommand = [')
    assert cli("setup", "none").status == 0
    assert (home / FILE).read_text() == '# mine\n[model]\nprovider = "none"\n'


def test_without_a_person_setup_says_what_it_found(cli: Cli, home: Path, ollama: WireServer) -> None:
    found = cli("setup", "--json").json["found"]
    assert [one["models"] for one in found] == [["qwen3:8b", "llama3.2:3b"]]
    assert "commonplace setup MODEL" in cli("setup").out
    assert cli("setup", "what/ever").status == 7


def test_a_person_chooses_from_what_was_found(home: Path, ollama: WireServer) -> None:
    ollama.script = [WIRE.text("ready")]
    ran = at_terminal(["setup"], [("Number", "1\n"), ("Which model", "2\n")], TERM="dumb")
    assert ran.status == 0, ran.out
    assert "nothing leaves this machine" in ran.out
    assert 'name = "llama3.2:3b"' in (home / FILE).read_text()


def test_a_model_in_one_line(home: Path, ollama: WireServer) -> None:
    ollama.script = [WIRE.text("Hello.")]
    model = open_model("ollama/qwen3:8b")
    assert complete(model, [ChatMessage("user", "Hi")]).text == "Hello."
    with pytest.raises(ConfigError, match="No chat model is configured"):
        open_model()
    with pytest.raises(ConfigError, match="names no chat model"):
        open_model("nobody/knows")


@pytest.mark.req("CLI-1")
def test_a_setting_is_set_shown_and_unset(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli("config", "set", "search.limit", "9").status == 0
    assert cli("config", "get", "search.limit").out == "9\n"
    assert cli("config", "set", "gate.transient", "off").status == 0
    assert cli("config", "get", "gate.transient").out == "off\n"
    ran = cli("config", "set", "search.limt", "9")
    assert (ran.status, "Did you mean search.limit" in ran.err) == (7, True)
    assert cli("config", "set", "search.limit", "many").status == 7
    assert cli("config", "unset", "search.limit").status == 0
    assert cli("config", "get", "search.limit").out == "5\n"
    monkeypatch.setenv("COMMONPLACE_SEARCH_LIMIT", "2")
    assert "COMMONPLACE_SEARCH_LIMIT comes first" in cli("config", "set", "search.limit", "4").out


def test_a_book_may_have_settings_of_its_own_but_no_model(cli: Cli, home: Path) -> None:
    cli("remember", "Lives in Bern")
    assert cli("config", "set", "--in-book", "search.limit", "8").status == 0
    assert cli("config", "get", "search.limit").out == "8\n"
    assert cli("config", "set", "--in-book", "model.provider", "openai").status == 7


@pytest.mark.req("CLI-1")
def test_edit_opens_the_editor_and_records_the_change(
    cli: Cli, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("remember", "Lives in Bern")
    script = tmp_path / "editor.py"
    script.write_text("import sys\nopen(sys.argv[1], 'a').write('- Likes tea\\n')\n")
    monkeypatch.setenv("EDITOR", shlex.join([sys.executable, str(script)]))
    ran = cli("edit")
    assert (ran.status, "1 line added, 0 removed" in ran.out) == (0, True)
    memory = Memory.open(home / ".local/share/commonplace/book")
    assert [entry.text for entry in memory.entries()] == ["Lives in Bern", "Likes tea"]
    assert next(memory.changes()).note.origin == "person"
    monkeypatch.setenv("EDITOR", "true")
    assert cli("edit").out == "Nothing was changed.\n"
    monkeypatch.setenv("EDITOR", "no-such-editor")
    assert cli("edit").status == 2
