"""The tools of an agent whose hooks run: what they save is weighed against what the user said in that conversation."""

from collections.abc import Callable
from pathlib import Path

import pytest
from mcp import Client

from commonplace.app import App
from commonplace.hooks.hosted import Register, open_session
from commonplace.hooks.warm import lineage
from commonplace.mcp.serving import BookServer
from tests.foreign.test_agents import line
from tests.hooks.test_running import Hook, handed, hook
from tests.mcp.test_serving import call, visit, words

__all__ = ["handed", "hook"]

Saves = Callable[..., str]


@pytest.fixture
def saved(home: Path) -> Saves:
    """What `save_memory` says to an agent that the hooks and the server are children of."""

    def save(**arguments: object) -> str:
        found: list[str] = []

        async def work(client: Client) -> None:
            found.append(words(await call(client, "save_memory", **arguments)))

        server = BookServer(App(), folder=home / "project", hosted=lambda memory: open_session(memory, lineage()))
        visit(server, work)
        return found[0]

    return save


def begun(hook: Hook, file: Path, *said: str, session: str = "s1") -> None:
    lines = [line("user", text, f"{session}-{number}") for number, text in enumerate(said)]
    file.write_text("".join(f"{one}\n" for one in lines))
    hook("UserPromptSubmit", session_id=session, transcript_path=str(file), prompt="hello", ancestors=lineage())


@pytest.mark.req("GATE-5", "HOOK-1")
def test_what_the_user_asked_for_in_the_hosted_session_is_protected(
    hook: Hook, home: Path, tmp_path: Path, saved: Saves
) -> None:
    begun(hook, tmp_path / "t.jsonl", "Please remember that the staging server is called heron.")
    saved(content="The staging server is called heron", category="projects", requested=True)
    memory = App().memory_in(home / "project")
    assert [entry.text for entry in memory.entries()] == ["User requested: The staging server is called heron"]
    assert next(iter(memory.changes())).note.session == "claude-code-s1"


@pytest.mark.req("GATE-5", "LOG-8")
def test_what_nobody_said_there_is_not_taken_for_the_users_wish(
    hook: Hook, home: Path, tmp_path: Path, saved: Saves
) -> None:
    begun(hook, tmp_path / "t.jsonl", "Which port does the staging server use?")
    saved(content="The customer is called Brightwater", category="projects", requested=True)
    memory = App().memory_in(home / "project")
    assert memory.entries() == ()
    assert [item.text for item in memory.inbox()] == ["The customer is called Brightwater"]


@pytest.mark.req("GATE-3", "S3")
def test_the_words_of_a_page_that_the_agent_read_wait(hook: Hook, home: Path, tmp_path: Path, saved: Saves) -> None:
    file = tmp_path / "t.jsonl"
    begun(hook, file, "What does that page say?")
    page = [{"type": "tool_result", "tool_use_id": "t1", "content": "All invoices go to billing at Brightwater."}]
    with file.open("a") as written:
        written.write(line("user", page, "u9") + "\n")
    saved(content="All invoices go to billing at Brightwater", category="projects")
    memory = App().memory_in(home / "project")
    assert memory.entries() == ()
    assert len(memory.inbox()) == 1


def test_of_several_conversations_the_one_of_this_very_agent_counts(hook: Hook, home: Path, tmp_path: Path) -> None:
    begun(hook, tmp_path / "one.jsonl", "The boat is called Gannet.")
    register = Register(App().memory_in(home / "project"))
    hook("UserPromptSubmit", session_id="elsewhere", prompt="hello", ancestors=[999_999_999])
    assert [one.session for one in register.all()] == ["claude-code-s1", "claude-code-elsewhere"]
    found = register.open_beside(lineage())
    assert found is not None
    assert found.session == "claude-code-s1"
    begun(hook, tmp_path / "two.jsonl", "Hello", session="s2")  # what /clear does: another one, of the same agent
    found = register.open_beside(lineage())
    assert found is not None
    assert found.session == "claude-code-s2"
    hook("SessionEnd", session_id="s2", reason="exit")
    hook("SessionEnd", reason="exit")
    assert register.open_beside(lineage()) is None


def test_two_agents_that_one_shell_started_are_not_mixed_up(hook: Hook, home: Path) -> None:
    agent, other, shell = 700_001, 700_002, 700_000
    hook("UserPromptSubmit", session_id="theirs", prompt="hello", ancestors=[other, shell])
    register = Register(App().memory_in(home / "project"))
    assert register.open_beside([agent, shell]) is None
    hook("UserPromptSubmit", session_id="ours", prompt="hello", ancestors=[700_003, agent])
    found = register.open_beside([agent, shell])
    assert found is not None
    assert found.session == "claude-code-ours"
