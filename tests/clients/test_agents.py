"""The real Claude Code and Codex, offline, with a scripted model: what they are told, and what their sessions leave."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from commonplace.app import App
from commonplace.memory import Memory
from commonplace.types import Origin
from tests.clients.model import Model
from tests.clients.npm import installed
from tests.wire.dialects import Messages
from tests.wire.server import Answer, Request

pytestmark = [pytest.mark.clients, pytest.mark.timeout(900)]

CLAUDE, CODEX = "@anthropic-ai/claude-code@2.1.325", "@openai/codex@0.166.0"
COMMONPLACE = str(Path(sys.executable).with_name("commonplace"))
_numbers = count(1)


def claude_says(text: str) -> Answer:
    answer = Messages().text(text)
    pieces = tuple(piece.replace(b'"msg_1"', b'"msg_%d"' % next(_numbers)) for piece in answer.pieces)
    return Answer(pieces, answer.status, answer.kind)


def codex_says(text: str) -> Answer:
    number = next(_numbers)
    content = [{"type": "output_text", "text": text}]
    item = {"type": "message", "role": "assistant", "id": f"msg_{number}", "content": content}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    usage |= {"input_tokens_details": None, "output_tokens_details": None}
    events = [
        {"type": "response.created", "response": {"id": f"resp_{number}"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {"id": f"resp_{number}", "usage": usage}},
    ]
    return Answer(tuple(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n".encode() for one in events))


class Agent:
    """A real agent in a home of its own, with projects in it."""

    def __init__(self, name: str, home: Path, model: Model, path: dict[str, str]) -> None:
        self.name, self.home, self.model = name, home, model
        self.environment = {"HOME": str(home), "TERM": "xterm", "OPENAI_API_KEY": "invented", **path}
        self.environment |= {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "invented", "IS_SANDBOX": "1"}
        self.environment |= {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "ENABLE_TOOL_SEARCH": "false"}
        if name == "codex":
            provider = (
                f'name = "stub"\nbase_url = "{model.url}/v1"\nwire_api = "responses"\nenv_key = "OPENAI_API_KEY"\n'
            )
            (home / ".codex").mkdir()
            (home / ".codex/config.toml").write_text(
                f'model = "gpt-5"\nmodel_provider = "stub"\n\n[model_providers.stub]\n{provider}'
            )
        self.commonplace("install", name, "--yes")

    def project(self, name: str) -> Path:
        folder = self.home / name
        folder.mkdir(exist_ok=True)
        return folder

    def commonplace(self, *words: str) -> str:
        done = subprocess.run([COMMONPLACE, *words], env=self.environment, capture_output=True, text=True, check=True)
        return done.stdout

    def words(self, prompt: str, *more: str) -> list[str]:
        if self.name == "codex":
            return ["codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", *more, prompt]
        return ["claude", "-p", prompt, "--model", "claude-sonnet-4-5", *more]

    def ask(self, folder: Path, prompt: str, *more: str) -> str:
        """One prompt in one session; what the model was told for it."""
        before = len(self.model.requests)
        done = subprocess.run(
            self.words(prompt, *more),
            env=self.environment,
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=180,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, done.stderr
        asked = self.model.requests[before:]
        self.settle(folder)
        return "\n".join(json.dumps(request.body, ensure_ascii=False) for request in asked)

    def settle(self, folder: Path) -> None:
        """Do what the next start would do: take in and log what is left."""
        self.commonplace("hook", "work", "--folder", str(folder))

    def memory(self, folder: Path) -> Memory:
        os.environ["HOME"], os.environ["XDG_DATA_HOME"] = str(self.home), str(self.home / ".local/share")
        return App(environment=self.environment).memory_in(folder)

    def log(self, folder: Path) -> str:
        memory = self.memory(folder)
        return "\n".join(memory.read_log(day) for day in memory.log_days())


@pytest.fixture(params=["claude-code", "codex"])
def agent(request: pytest.FixtureRequest, home: Path) -> Iterator[Agent]:
    name: str = request.param
    says: Callable[[str], Answer] = claude_says if name == "claude-code" else codex_says
    path = installed(CLAUDE if name == "claude-code" else CODEX)

    def reply(_asked: Request) -> Answer:
        return says("Good to know.")

    with Model(reply) as model:
        yield Agent(name, home, model, path)


@pytest.mark.req("HOOK-1", "TRIG-1", "REC-3")
def test_a_session_is_told_what_is_known_and_leaves_what_was_said_once(agent: Agent) -> None:
    folder = agent.project("harbour")
    agent.memory(folder).remember("The staging server is called heron", "projects", origin=Origin.PERSON)
    told = agent.ask(folder, "We deploy on Thursdays, never on Fridays.")
    assert "The staging server is called heron" in told
    assert "save_memory" in told
    told = agent.ask(folder, "Which day do we deploy?")
    assert "We deploy on Thursdays" in told
    log = agent.log(folder)
    assert log.count("We deploy on Thursdays, never on Fridays.") == 1
    transcripts = [agent.memory(folder).transcript(session) for session in agent.memory(folder).sessions()]
    said = [message.text for transcript in transcripts for message in transcript.messages if message.role == "user"]
    assert sorted(said) == ["We deploy on Thursdays, never on Fridays.", "Which day do we deploy?"]
    assert not any("commonplace-memory" in text or "heron" in text for text in said)


@pytest.mark.req("NS-2", "S8")
def test_nothing_of_one_project_is_told_in_another(agent: Agent) -> None:
    one, two = agent.project("one"), agent.project("two")
    agent.memory(one).remember("The launch code name is Kingfisher", "projects", origin=Origin.PERSON)
    agent.memory(one).remember("Prefers short answers", "preferences", origin=Origin.PERSON)
    agent.ask(one, "The customer of this project is called Brightwater.")
    told = agent.ask(two, "What is the launch code name, and who is the customer?")
    assert "Kingfisher" not in told
    assert "Brightwater" not in told
    assert "Prefers short answers" in told


@pytest.mark.req("TRIG-4", "HOOK-1")
def test_a_killed_agent_loses_nothing_that_it_had_written_down(agent: Agent) -> None:
    folder = agent.project("harbour")
    slow = agent.model.reply

    def never_ending(asked: Request) -> Answer:
        return Answer(slow(asked).pieces[:1], ending="silent")

    agent.model.reply = never_ending
    process = subprocess.Popen(
        agent.words("The pilot boat is called Gannet."),
        env=agent.environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while not agent.model.requests and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(1)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    agent.model.reply = slow
    agent.ask(folder, "Hello again.")
    for transcript in Path(agent.home).rglob("*.jsonl"):  # as if it lay idle: nobody is in it any more
        os.utime(transcript, (time.time() - 3600, time.time() - 3600))
    agent.settle(folder)
    assert agent.log(folder).count("The pilot boat is called Gannet.") == 1
