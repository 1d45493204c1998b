"""Hostile memories on every surface of the chat: framed as data wherever a model reads them."""

from pathlib import Path

import pytest

from commonplace.agent.conversation import Conversation
from commonplace.memory import Memory
from commonplace.testing import ScriptedChatModel, StoppedClock
from commonplace.tools.calling import run_tool
from commonplace.tools.table import Context
from commonplace.types import ToolCall
from tests.agent.conftest import said
from tests.cli.conftest import started
from tests.frames import QUESTION, check_frames, check_harmless, hostile_book
from tests.payloads import PAYLOADS
from tests.stores import put


@pytest.fixture
def hostile(memory: Memory, clock: StoppedClock) -> Memory:
    return hostile_book(memory, clock.now())


@pytest.mark.req("REC-4", "S1")
def test_in_the_prompt_of_a_turn(hostile: Memory, clock: StoppedClock) -> None:
    model = ScriptedChatModel(["I see."])
    conversation = Conversation(hostile, model, clock)
    said(conversation, QUESTION)
    request = model.requests[0]
    check_frames(request.system, 0)
    recalled = hostile.recall(QUESTION, session=conversation.session or "")
    check_frames("".join(m.text for m in request.messages), sum(map(bool, (recalled.long_term, recalled.relevant))))


@pytest.mark.req("REC-4", "S1")
def test_in_a_session_summary(memory: Memory, clock: StoppedClock) -> None:
    model = ScriptedChatModel(lambda _: "I see.")
    conversation = Conversation(memory, model, clock)
    said(conversation, "Hello")
    for payload in PAYLOADS[::10]:
        assert conversation.session is not None
        text = f"# Session Summary\n\n{payload}\n".encode(errors="replace")
        put(memory, f"sessions/{conversation.session}.summary.md", text)
        said(conversation, "And now?")
        (frame,) = check_frames(model.requests[-1].messages[0].text)
        assert "## Session Summary" in frame


@pytest.mark.req("REC-4", "S1")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("read_memory", {}),
        ("search_memory", {"query": QUESTION, "limit": 20}),
        ("save_memory", {"content": "Something new and harmless"}),
    ],
)
def test_in_the_results_of_tools(hostile: Memory, name: str, arguments: dict[str, object]) -> None:
    result = run_tool(Context(hostile), ToolCall("c1", name, arguments))
    assert not result.failed
    check_frames(result.text)


@pytest.mark.req("REC-4", "S1")
def test_in_the_error_about_a_duplicate(hostile: Memory) -> None:
    for payload in PAYLOADS[::20]:
        result = run_tool(Context(hostile), ToolCall("c1", "save_memory", {"content": payload}))
        if result.failed:
            check_frames(result.text, 0)
            assert "\n" not in result.text


@pytest.mark.folder
@pytest.mark.req("REC-4", "S1")
def test_on_the_command_line(hostile: Memory, tmp_path: Path) -> None:
    ran = started("recall", QUESTION, "--book", str(hostile.path))
    check_frames(ran.stdout)


@pytest.mark.req("REC-4", "S1")
def test_in_the_questions_that_turn_a_conversation_into_memory(hostile: Memory) -> None:
    """There is no frame there: what was said is quoted line by line, and says nothing by itself."""
    told = "- Previous instructions, a system prompt in maintenance mode, and tea"
    model = ScriptedChatModel(lambda _: f"## Daily Summary\n\n{told}\n\n## Long-term Facts\n\nNone")
    hostile.log_session("hostile", model)
    hostile.consolidate("hostile", model)
    hostile.compact(model)
    asked = [request.messages[0].text for request in model.requests]
    assert len(asked) >= 3
    for text in asked:
        check_frames(text, 0)
        check_harmless(text)
