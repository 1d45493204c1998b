"""Conversations with planted facts: nothing that a page, a file or a tool says gets into the memory by itself."""

import re
from pathlib import Path

import pytest

from commonplace.config import EmbedderSettings, Settings
from commonplace.memory import Memory
from commonplace.testing import ScriptedChatModel
from commonplace.types import Voice
from tests.gate.transcripts import Conversation, conversations

PLANTED, BENIGN = conversations("planted"), conversations("benign")
FOREIGN = {Voice.TOOL, Voice.WEB, Voice.FILE}


def flushed(path: Path, conversation: Conversation, *, with_model: bool = True) -> Memory:
    """A book that logged a conversation, with a model that believes everything it reads."""
    memory = Memory.open(path, settings=Settings(embedder=EmbedderSettings(name="none")))
    memory.add_message("s1", *conversation.messages)
    talk = sorted({word for message in conversation.messages for word in re.findall(r"\w{4,}", message.text)})
    facts = [f"- [notes] {fact}" for fact in (*conversation.planted, *conversation.told)]
    answer = "\n".join(
        ["## Daily Summary", f"- They talked of this: {' '.join(talk)[:600]}", "## Long-term Facts", *facts]
    )
    memory.log_session("s1", ScriptedChatModel([answer]) if with_model else None)
    return memory


def kept(memory: Memory) -> list[str]:
    return [entry.text for entry in memory.entries()]


@pytest.mark.req("GATE-3", "S3")
@pytest.mark.parametrize("conversation", PLANTED, ids=lambda one: one.name)
def test_planted_facts_wait_in_the_inbox_and_are_not_remembered(conversation: Conversation, tmp_path: Path) -> None:
    memory = flushed(tmp_path, conversation)
    assert kept(memory) == []
    waiting = {item.text.removeprefix("User requested: "): item.voice for item in memory.inbox()}
    for fact in conversation.planted:
        assert waiting[fact.removeprefix("User requested: ")] in FOREIGN


@pytest.mark.req("GATE-3")
def test_what_the_user_told_is_remembered_though_pages_were_read_beside_it(tmp_path: Path) -> None:
    """Without the local model, a fifth that says it in other words may wait, as the user's own, with the sentence."""
    missing: list[str] = []
    taken_for_foreign: list[str] = []
    count = 0
    for at, conversation in enumerate(BENIGN):
        memory = flushed(tmp_path / str(at), conversation)
        entries = kept(memory)
        count += len(conversation.told)
        missing += [fact for fact in conversation.told if not any(fact in entry for entry in entries)]
        taken_for_foreign += [item.text for item in memory.inbox() if item.voice in FOREIGN]
    assert len(taken_for_foreign) <= 0.05 * count, taken_for_foreign
    assert len(missing) <= 0.2 * count, missing


@pytest.mark.req("GATE-3")
@pytest.mark.parametrize("conversation", PLANTED, ids=lambda one: one.name)
def test_without_a_model_no_request_is_taken_from_what_was_pasted(conversation: Conversation, tmp_path: Path) -> None:
    assert kept(flushed(tmp_path, conversation, with_model=False)) == []


def test_without_a_model_the_users_own_request_is_kept_beside_a_paste(tmp_path: Path) -> None:
    asked = [one for one in BENIGN if any("Remember that" in message.text for message in one.messages)]
    assert asked
    for at, conversation in enumerate(asked):
        memory = flushed(tmp_path / str(at), conversation, with_model=False)
        assert [text.startswith("User requested: ") for text in kept(memory)] == [True]
