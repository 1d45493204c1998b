"""Hostile memories on every surface of the chat: framed as data wherever a model reads them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from commonplace.agent.conversation import Conversation
from commonplace.framing import TAG, opening
from commonplace.memory import Memory
from commonplace.testing import ScriptedChatModel, StoppedClock
from commonplace.tools.running import run_tool
from commonplace.tools.table import Context
from commonplace.types import Message, Origin, ToolCall
from tests.agent.conftest import said
from tests.cli.conftest import started
from tests.payloads import PAYLOADS
from tests.test_recall import check_frame

_FRAME = re.compile(rf"<{TAG}>.*?</{TAG}>", re.DOTALL)
QUESTION = "instructions maintenance prompt tea"


@pytest.fixture
def hostile(memory: Memory, clock: StoppedClock) -> Memory:
    """A book full of texts that want to be more than text."""
    for payload in PAYLOADS[::20]:
        memory.remember(payload, insist=True, origin=Origin.PERSON)  # a model could not insist
        memory.log(payload)
    messages = [Message(f"m{number}", "user", payload, clock.now()) for number, payload in enumerate(PAYLOADS)]
    memory.add_message("hostile", *messages)
    return memory


def frames(text: str) -> Iterator[str]:
    """The frames in a text that has something else around them; outside of them, nothing of ours or theirs."""
    yield from _FRAME.findall(text)
    assert TAG not in _FRAME.sub("", text)


@pytest.mark.req("REC-4", "S1")
def test_in_the_prompt_of_a_turn(hostile: Memory, clock: StoppedClock) -> None:
    model = ScriptedChatModel(["I see."])
    conversation = Conversation(hostile, model, clock)
    said(conversation, QUESTION)
    request = model.requests[0]
    assert TAG not in request.system
    found = [frame for message in request.messages for frame in frames(message.text)]
    assert len(found) == 2
    for frame in found:
        check_frame(frame, opening())


@pytest.mark.req("REC-4", "S1")
def test_in_a_session_summary(memory: Memory, clock: StoppedClock) -> None:
    model = ScriptedChatModel(lambda _: "I see.")
    conversation = Conversation(memory, model, clock)
    said(conversation, "Hello")
    for payload in PAYLOADS[::20]:
        assert conversation.session is not None
        summary = memory.path / "sessions" / f"{conversation.session}.summary.md"
        summary.write_text(f"# Session Summary\n\n{payload}\n", encoding="utf-8", errors="replace")
        said(conversation, "And now?")
        (frame,) = [one for one in frames(model.requests[-1].messages[0].text) if "## Session Summary" in one]
        check_frame(frame, opening())


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
    (frame,) = frames(result.text)
    body = frame.removeprefix(opening()).removesuffix(f"</{TAG}>")
    assert not re.search(r"<(?![\s\d=-])|^#|```|!\[", body, re.MULTILINE)


@pytest.mark.req("REC-4", "S1")
def test_in_the_error_about_a_duplicate(hostile: Memory) -> None:
    for payload in PAYLOADS[::20]:
        result = run_tool(Context(hostile), ToolCall("c1", "save_memory", {"content": payload}))
        if result.failed:
            assert f"</{TAG}" not in result.text
            assert "\n" not in result.text


@pytest.mark.req("REC-4", "S1")
def test_on_the_command_line(hostile: Memory, tmp_path: Path) -> None:
    ran = started("recall", QUESTION, "--book", str(hostile.path))
    check_frame(ran.stdout.rstrip("\n"), opening())
