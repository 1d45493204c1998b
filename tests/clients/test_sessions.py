"""What happens within a session of the real agents: compaction, /clear, and the tools over MCP."""

import json
import subprocess
from pathlib import Path

import pytest

from commonplace.types import Origin
from tests.clients.agents import CALLS, PATIENCE, SAYS, TOOLS, Agent, agent, codex_says
from tests.clients.terminal import Terminal, wait
from tests.wire.server import Answer, Request

__all__ = ["agent"]

pytestmark = [pytest.mark.clients, pytest.mark.timeout(900)]

SAVE = "save_memory"


def told_by(agent: Agent, folder: Path, *said: str) -> list[str]:
    """Several messages to one Claude Code; the requests that the model got for them."""
    before = len(agent.model.requests)
    lines = [json.dumps({"type": "user", "message": {"role": "user", "content": text}}) for text in said]
    words = ["claude", "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
    subprocess.run(
        [*words, "--model", "claude-sonnet-4-5"],
        env=agent.environment,
        cwd=folder,
        input="\n".join(lines) + "\n",
        text=True,
        check=True,
        stdout=subprocess.DEVNULL,
        timeout=300,
    )
    agent.left_alone(folder)
    return [json.dumps(request.body) for request in agent.model.requests[before:]]


def user_said(agent: Agent, folder: Path) -> list[list[str]]:
    """What the user said, conversation by conversation."""
    memory = agent.memory(folder)
    talks = (memory.transcript(session).messages for session in memory.sessions())
    return sorted([message.text for message in talk if message.role == "user"] for talk in talks)


@pytest.mark.req("TRIG-1", "HOOK-1", "LOG-4")
@pytest.mark.parametrize("agent", ["claude-code", "codex"], indirect=True)
def test_a_compaction_logs_before_it_and_nothing_twice(agent: Agent) -> None:
    folder = agent.project("harbour")
    if agent.name == "claude-code":
        told_by(agent, folder, "We deploy on Thursdays.", "/compact", "The pilot boat is called Gannet.")
    else:
        config = agent.home / ".codex/config.toml"
        config.write_text("model_auto_compact_token_limit = 1000\n" + config.read_text())

        def full(_asked: Request) -> Answer:
            return codex_says("A summary of what was done.", used=90_000)

        agent.model.reply = full
        agent.ask(folder, "We deploy on Thursdays.")
        agent.ask(folder, "The pilot boat is called Gannet.", "resume", "--last")
        agent.left_alone(folder)
    events = [json.loads(line)["event"] for line in agent.hooks(folder)]
    assert "PreCompact" in events
    assert not any("trouble" in line for line in agent.hooks(folder))
    log = agent.log(folder)
    assert log.count("We deploy on Thursdays.") == 1
    assert log.count("The pilot boat is called Gannet.") == 1
    assert log.index("We deploy on Thursdays.") < log.index("The pilot boat is called Gannet.")
    assert user_said(agent, folder) == [["We deploy on Thursdays.", "The pilot boat is called Gannet."]]
    if agent.name == "codex":  # which writes the summary that its compaction asked for down as an answer, too
        said = [message.text for message in agent.only_transcript(folder) if message.role == "assistant"]
        assert said == ["A summary of what was done."] * 2


@pytest.mark.req("TRIG-1", "HOOK-1", "REC-3")
@pytest.mark.parametrize("agent", ["claude-code"], indirect=True)
def test_after_clear_another_conversation_begins_that_is_told_what_is_known(agent: Agent) -> None:
    folder = agent.project("harbour")
    agent.memory(folder).remember("The staging server is called heron", "projects", origin=Origin.PERSON)
    requests = told_by(agent, folder, "We deploy on Thursdays.", "/clear", "Which day do we deploy?")
    last = next(told for told in reversed(requests) if "Which day do we deploy?" in told)
    assert "The staging server is called heron" in last
    assert user_said(agent, folder) == [["We deploy on Thursdays."], ["Which day do we deploy?"]]
    assert agent.log(folder).count("We deploy on Thursdays.") == 1


@pytest.mark.req("TRIG-1", "HOOK-1", "REC-3")
@pytest.mark.parametrize("agent", ["codex"], indirect=True)
def test_after_clear_in_codex_at_its_terminal_another_conversation_begins(agent: Agent) -> None:
    folder = agent.project("harbour")
    (folder / "AGENTS.md").write_text("Always answer in verse.\n")
    with (agent.home / ".codex/config.toml").open("a") as config:
        config.write(f'\n[projects."{folder}"]\ntrust_level = "trusted"\n')
    agent.memory(folder).remember("The staging server is called heron", "projects", origin=Origin.PERSON)
    first, second = "We deploy on Thursdays.", "Which day do we deploy?"
    words = ["codex", "--dangerously-bypass-hook-trust", "--sandbox", "read-only", "--ask-for-approval", "never"]
    with Terminal(words, folder, agent.environment) as terminal:
        wait(lambda: "OpenAI Codex" in terminal.shown(), PATIENCE)
        terminal.enter(first, lambda: bool(_asked(agent, first)), PATIENCE)
        wait(lambda: agent.wrote("Good to know."), PATIENCE)
        drawn = terminal.shown().count("OpenAI Codex")
        terminal.enter("/clear", lambda: terminal.shown().count("OpenAI Codex") > drawn, PATIENCE)
        terminal.enter(second, lambda: bool(_asked(agent, second)), PATIENCE)
        wait(lambda: agent.wrote(second), PATIENCE)
    agent.left_alone(folder)
    assert "The staging server is called heron" in _asked(agent, second)[0]
    assert user_said(agent, folder) == [[first], [second]]
    assert agent.log(folder).count(first) == 1
    assert "in verse" not in agent.log(folder)


def _asked(agent: Agent, text: str) -> list[str]:
    """The requests that the model got with this text in them."""
    bodies = (json.dumps(request.body) for request in agent.model.requests)
    return [body for body in bodies if text in body]


@pytest.mark.req("MCP-1", "GATE-5", "HOOK-1")
def test_a_tool_call_writes_the_book_by_what_the_user_said_in_this_conversation(agent: Agent) -> None:
    folder = agent.project("harbour")
    calls, says, tool = CALLS[agent.name], SAYS[agent.name], f"{TOOLS[agent.name]}{SAVE}"
    saves = [
        {"content": "The staging server is called heron", "category": "projects", "requested": True},
        {"content": "The customer is called Brightwater", "category": "projects", "requested": True},
    ]

    def reply(asked: Request) -> Answer:
        if SAVE not in json.dumps(asked.body.get("tools", [])) or not saves:
            return says("Good to know.")
        return calls(tool, **saves.pop(0))

    agent.model.reply = reply
    more = {  # Codex: else its first turn may begin before the tools are there
        "claude-code": ["--allowedTools", tool],
        "codex": ["-c", "mcp_servers.commonplace.required=true"],
    }
    agent.environment["MCP_CONNECTION_NONBLOCKING"] = "0"
    agent.ask(folder, "The staging server is called heron, keep that in mind.", *more.get(agent.name, []))
    assert not saves
    memory = agent.memory(folder)
    assert [entry.text.removeprefix("User requested: ") for entry in memory.entries()] == [
        "The staging server is called heron"
    ]
    assert [item.text for item in memory.inbox()] == ["The customer is called Brightwater"]
    assert str(next(iter(memory.changes())).note.session).startswith(f"{agent.name}-")
