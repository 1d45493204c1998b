"""The real Claude Code, Codex, Gemini CLI and OpenCode in a home of their own, offline, with a scripted model."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from commonplace.app import App
from commonplace.memory import Memory
from commonplace.types import Message
from tests.clients.model import Model
from tests.clients.npm import installed, modules
from tests.wire.dialects import ChatCompletions, Messages
from tests.wire.server import Answer, Request

CLAUDE, CODEX = "@anthropic-ai/claude-code@2.1.325", "@openai/codex@0.166.0"
GEMINI, OPENCODE = "@google/gemini-cli@0.61.0", "opencode-ai@1.18.33"
OPENCODE_PLUGIN = "@opencode-ai/plugin@1.18.33"
PACKAGES = {"claude-code": CLAUDE, "codex": CODEX, "gemini": GEMINI, "opencode": OPENCODE}
PATIENCE = (
    600  # seconds for one prompt on a busy machine; OpenCode asks the registry for a package when it first starts
)
COMMONPLACE = str(Path(sys.executable).with_name("commonplace"))
_numbers = count(1)


def claude_says(text: str) -> Answer:
    return _numbered(Messages().text(text))


def claude_calls(tool: str, **arguments: object) -> Answer:
    return _numbered(Messages().tool_calls((f"toolu_{next(_numbers)}", tool, [json.dumps(arguments)])))


def _numbered(answer: Answer) -> Answer:
    pieces = tuple(piece.replace(b'"msg_1"', b'"msg_%d"' % next(_numbers)) for piece in answer.pieces)
    return Answer(pieces, answer.status, answer.kind)


def codex_says(text: str, used: int = 2) -> Answer:
    content = [{"type": "output_text", "text": text}]
    return _codex({"type": "message", "role": "assistant", "content": content}, used)


def codex_calls(tool: str, **arguments: object) -> Answer:
    call = {"type": "function_call", "call_id": f"call_{next(_numbers)}", "arguments": json.dumps(arguments)}
    space, _, name = tool.rpartition("__")
    return _codex({**call, "namespace": space, "name": name}, 2)


def _codex(item: dict[str, Any], used: int) -> Answer:
    number = next(_numbers)
    item = {"id": f"msg_{number}", **item}
    usage = {"input_tokens": used - 1, "output_tokens": 1, "total_tokens": used}
    usage |= {"input_tokens_details": None, "output_tokens_details": None}
    events = [
        {"type": "response.created", "response": {"id": f"resp_{number}"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {"id": f"resp_{number}", "usage": usage}},
    ]
    return Answer(tuple(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n".encode() for one in events))


def gemini_says(text: str) -> Answer:
    return _gemini({"text": text})


def gemini_calls(tool: str, **arguments: object) -> Answer:
    return _gemini({"functionCall": {"name": tool, "args": arguments}})


def _gemini(part: dict[str, Any]) -> Answer:
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 2, "candidatesTokenCount": 1, "totalTokenCount": 3}
    return Answer((b"data: %s\n\n" % json.dumps({"candidates": [candidate], "usageMetadata": usage}).encode(),))


def opencode_says(text: str) -> Answer:
    return ChatCompletions().text(text)


def opencode_calls(tool: str, **arguments: object) -> Answer:
    return ChatCompletions().tool_calls((f"call_{next(_numbers)}", tool, [json.dumps(arguments)]))


SAYS: dict[str, Callable[[str], Answer]] = {
    "claude-code": claude_says,
    "codex": codex_says,
    "gemini": gemini_says,
    "opencode": opencode_says,
}
CALLS: dict[str, Callable[..., Answer]] = {
    "claude-code": claude_calls,
    "codex": codex_calls,
    "gemini": gemini_calls,
    "opencode": opencode_calls,
}
TOOLS = {
    "claude-code": "mcp__commonplace__",
    "codex": "mcp__commonplace__",
    "gemini": "mcp_commonplace_",
    "opencode": "commonplace_",
}


def _configure(name: str, home: Path, url: str) -> None:
    """What an agent needs to ask a model on this machine."""
    if name == "codex":
        provider = f'name = "stub"\nbase_url = "{url}/v1"\nwire_api = "responses"\nenv_key = "OPENAI_API_KEY"\n'
        (home / ".codex").mkdir()
        (home / ".codex/config.toml").write_text(
            f'model = "gpt-5"\nmodel_provider = "stub"\n\n[model_providers.stub]\n{provider}'
        )
    elif name == "gemini":
        (home / ".gemini").mkdir()
        (home / ".gemini/settings.json").write_text('{"security": {"auth": {"selectedType": "gemini-api-key"}}}\n')
    elif name == "opencode":
        options = {"baseURL": f"{url}/v1", "apiKey": "invented"}
        stub = {"npm": "@ai-sdk/openai-compatible", "name": "stub", "options": options, "models": {"m": {"name": "m"}}}
        config = {"model": "stub/m", "small_model": "stub/m", "autoupdate": False, "provider": {"stub": stub}}
        (home / ".config/opencode").mkdir(parents=True, exist_ok=True)
        (home / ".config/opencode/opencode.json").write_text(json.dumps(config, indent=2) + "\n")
        made = modules(OPENCODE_PLUGIN).parent  # else it asks npm for this in every new home
        shutil.copytree(made, home / ".config/opencode", dirs_exist_ok=True, ignore=shutil.ignore_patterns("whole"))
        name, _, version = OPENCODE_PLUGIN.rpartition("@")
        manifest = {"dependencies": {name: version}}
        (home / ".config/opencode/package.json").write_text(json.dumps(manifest))


class Agent:
    """A real agent in a home of its own, with projects in it."""

    def __init__(self, name: str, home: Path, model: Model, path: dict[str, str]) -> None:
        self.name, self.home, self.model = name, home, model
        self.environment = {"HOME": str(home), "TERM": "xterm", "OPENAI_API_KEY": "invented", **path}
        self.environment |= {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "invented", "IS_SANDBOX": "1"}
        self.environment |= {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "ENABLE_TOOL_SEARCH": "false"}
        self.environment |= {"GOOGLE_GEMINI_BASE_URL": model.url, "GEMINI_API_KEY": "invented"}
        self.environment |= {"GEMINI_CLI_TRUST_WORKSPACE": "true", "OPENCODE_DISABLE_MODELS_FETCH": "1"}
        _configure(name, home, model.url)
        self.commonplace("install", name, "--yes")

    def project(self, name: str) -> Path:
        folder = self.home / name
        folder.mkdir(exist_ok=True)
        return folder

    def commonplace(self, *words: str) -> str:
        done = subprocess.run([COMMONPLACE, *words], env=self.environment, capture_output=True, text=True, check=True)
        return done.stdout

    def words(self, prompt: str, *more: str) -> list[str]:
        match self.name:
            case "codex":
                return ["codex", "exec", *more, "--skip-git-repo-check", "--dangerously-bypass-hook-trust", prompt]
            case "gemini":
                return ["gemini", "-m", "gemini-2.5-flash", "--approval-mode", "yolo", *more, "-p", prompt]
            case "opencode":
                return ["opencode", "run", "--title", "a talk", *more]  # it reads the prompt: words get quotation marks
            case _:
                return ["claude", "-p", prompt, "--model", "claude-sonnet-4-5", *more]

    def started(self, folder: Path, prompt: str, *more: str) -> "subprocess.Popen[str]":
        """The agent at work on a prompt, in a group of processes of its own."""
        process = subprocess.Popen(
            self.words(prompt, *more),
            env=self.environment,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert process.stdin
        process.stdin.write(prompt if self.name == "opencode" else "")
        process.stdin.close()
        process.stdin = None
        return process

    def ask(self, folder: Path, prompt: str, *more: str) -> str:
        """One prompt in one session; what the model was told for it."""
        before = len(self.model.requests)
        with self.started(folder, prompt, *more) as process:
            try:
                _, told = process.communicate(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                raise
        assert process.returncode == 0, told
        asked = self.model.requests[before:]
        self.settle(folder)
        return "\n".join(json.dumps(request.body, ensure_ascii=False) for request in asked)

    def settle(self, folder: Path) -> None:
        """Do what the next start would do: take in and log what is left."""
        self.commonplace("hook", "work", "--folder", str(folder))
        with self.memory(folder).book.storage.alone("hooks", timeout=120):  # another process may be at it
            return

    def left_alone(self, folder: Path) -> None:
        """As if nobody had been there for an hour: a session's end may not have been told, hosts cut that short."""
        for transcript in self.home.rglob("*.jsonl"):
            os.utime(transcript, (time.time() - 3600, time.time() - 3600))
        self.settle(folder)

    def wrote(self, text: str) -> bool:
        """Whether the agent has written down what was said, or a hook has."""
        written = [*self.home.rglob("*.jsonl"), *self.home.glob(".local/share/opencode/**/*.db*")]
        return any(text.encode() in file.read_bytes() for file in written)

    def memory(self, folder: Path) -> Memory:
        os.environ["HOME"], os.environ["XDG_DATA_HOME"] = str(self.home), str(self.home / ".local/share")
        return App(environment=self.environment).memory_in(folder)

    def hooks(self, folder: Path) -> list[str]:
        """What was noted of each hook that ran."""
        return (self.memory(folder).path / ".commonplace/hooks.jsonl").read_text().splitlines()

    def only_transcript(self, folder: Path) -> Sequence[Message]:
        memory = self.memory(folder)
        (session,) = memory.sessions()
        return memory.transcript(session).messages

    def log(self, folder: Path) -> str:
        memory = self.memory(folder)
        return "\n".join(memory.read_log(day) for day in memory.log_days())


@pytest.fixture(params=list(PACKAGES))
def agent(request: pytest.FixtureRequest, home: Path) -> Iterator[Agent]:
    name: str = request.param
    path = installed(PACKAGES[name])

    def reply(_asked: Request) -> Answer:
        return SAYS[name]("Good to know.")

    with Model(reply) as model:
        yield Agent(name, home, model, path)
