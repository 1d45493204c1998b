"""Transcripts of other agents: what was said counts, and nothing else."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.foreign.agents import claude_code, codex, said_here
from commonplace.foreign.ids import session_id
from commonplace.framing import frame
from commonplace.hooks.hosted import Hosted, Register
from commonplace.memory import Memory

AT = "2026-11-18T09:15:12.786Z"


def line(kind: str, content: object, uuid: str, **more: object) -> str:
    role = more.pop("role", kind)
    message = {"role": role, "content": content, **({"id": more.pop("id")} if "id" in more else {})}
    message |= {"model": more.pop("model")} if "model" in more else {}
    return json.dumps({"type": kind, "message": message, "uuid": uuid, "timestamp": AT, **more})


CONVERSATION = [
    line("user", "I live in Bern.", "u1"),
    line("assistant", [{"type": "thinking", "thinking": "hm"}], "a0", id="m1"),
    line("assistant", [{"type": "text", "text": "Noted."}], "a1", id="m1"),
    line("assistant", [{"type": "text", "text": "Anything else?"}], "a2", id="m1"),
    line("user", [{"type": "tool_result", "tool_use_id": "t1", "content": "Web says: the user is rich"}], "u2"),
    line("user", "Hidden", "u3", isMeta=True),
    line("user", "A side chain", "u4", isSidechain=True),
    line("user", "Summary of before", "u5", isCompactSummary=True),
    line("user", "<command-name>/clear</command-name>", "u6"),
    line("assistant", "API error", "a3", model="<synthetic>"),
    line("user", "<system-reminder>You have a memory</system-reminder>And I like tea.", "u7"),
    json.dumps(
        {"type": "api-request-blob", "message": {"role": "user", "content": "blob"}, "uuid": "b", "timestamp": AT}
    ),
    json.dumps({"type": "attachment", "attachment": {"type": "hook_additional_context", "content": "secret"}}),
    '{"torn',
]


@pytest.mark.req("HOOK-1", "REC-5")
def test_only_what_was_said_is_taken_from_claude_code() -> None:
    found = [(message.role, message.text) for message in claude_code(CONVERSATION)]
    assert found == [
        ("user", "I live in Bern."),
        ("assistant", "Noted.\nAnything else?"),
        ("tool", "Web says: the user is rich"),
        ("user", "And I like tea."),
    ]


@pytest.mark.req("HOOK-1", "REC-5")
def test_only_what_was_said_is_taken_from_codex() -> None:
    def item(role: str, text: str, **more: object) -> str:
        payload = {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}], **more}
        return json.dumps({"timestamp": AT, "type": "response_item", "payload": payload})

    lines = [
        item("developer", "You have a long-term memory"),
        item("user", "<environment_context>cwd</environment_context>"),
        item("user", "I live in Bern.", id="x1"),
        item("assistant", "Noted.", id="x2"),
        json.dumps({"timestamp": AT, "type": "event_msg", "payload": {"type": "user_message", "message": "again"}}),
    ]
    assert [(message.id, message.text) for message in codex(lines)] == [("x1", "I live in Bern."), ("x2", "Noted.")]


@pytest.mark.req("HOOK-1", "GATE-3")
@pytest.mark.parametrize("told", [True, False], ids=["of each part it is said whose it is", "nothing is said of it"])
def test_instructions_that_codex_puts_into_the_users_name_are_not_the_users_words(told: bool) -> None:
    def item(id: str, **parts: str) -> str:
        payload: dict[str, object] = {"type": "message", "role": "user", "id": id}
        payload |= {"content": [{"type": "input_text", "text": text} for text in parts.values()]}
        if told:
            about = [{"provenance": {"type": whose.partition("_")[0]}} for whose in parts]
            payload |= {"internal_chat_message_metadata_passthrough": {"content_item_metadata": about}}
        return json.dumps({"timestamp": AT, "type": "response_item", "payload": payload})

    page = "# AGENTS.md instructions for /home/ada/harbour\n\n<INSTRUCTIONS>\nAlways answer in verse.\n</INSTRUCTIONS>"
    lines = [
        item("x1", agents=page, harness="<environment_context>cwd</environment_context>"),
        item("x2", user_text="I live in Bern.", user_more="And I like tea."),
        item("x3", harness="<environment_context>cwd</environment_context>", user_text="Good night."),
    ]
    found = [(message.id, message.text) for message in codex(lines)]
    assert found == [("x2", "I live in Bern.\nAnd I like tea."), ("x3", "Good night.")]


@pytest.mark.req("REC-5")
def test_what_we_put_into_a_message_is_taken_out_again() -> None:
    ours = frame(["## Long-term Memory", "- The user is called Ada"])
    messages = said_here(claude_code([line("user", f"{ours}\n\nWho am I?", "u1"), line("user", ours, "u2")]))
    assert [message.text for message in messages] == ["Who am I?"]


@pytest.mark.req("HOOK-1")
def test_a_transcript_is_taken_in_once_however_often_it_is_read(tmp_path: Path) -> None:
    memory = Memory.open(tmp_path / "book")
    file = tmp_path / "t.jsonl"
    file.write_text("\n".join(CONVERSATION[:3]) + "\n")
    register = Register(memory)
    hosted = Hosted(session_id("claude-code", "s 1"), "claude-code", str(file))
    register.note(hosted)
    assert register.take_in(hosted) == 2
    assert register.take_in(hosted) == 0
    with file.open("a") as more:
        more.write("\n".join(CONVERSATION[3:]) + "\n")
    assert register.take_in(register.all()[0]) == 2
    assert register.take_in(hosted) == 0
    assert not register.all()[0].has_more()
    forked = tmp_path / "fork.jsonl"
    forked.write_text("\n".join([*CONVERSATION, line("user", "Go on.", "u9")]) + "\n")
    other = Hosted("claude-code-s2", "claude-code", str(forked))
    register.note(other)
    assert register.take_in(other) == 1
    assert [message.text for message in memory.transcript("claude-code-s2").messages] == ["Go on."]


@given(
    st.lists(
        st.text()
        | st.recursive(
            st.none() | st.text() | st.integers(),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(["type", "message", "uuid", "timestamp", "payload", "content", "role", "text"]),
                    inner,
                )
            ),
            max_leaves=12,
        ).map(json.dumps)
    )
)
def test_no_transcript_is_too_strange_to_be_read(lines: list[str]) -> None:
    for read in (claude_code, codex):
        assert all(message.text.strip() for message in read(lines))


@pytest.mark.parametrize("given_id", ["../../etc/passwd", "a b", "", "x" * 300, "日本"])
def test_any_id_of_a_host_makes_a_safe_session(tmp_path: Path, given_id: str) -> None:
    memory = Memory.open(tmp_path / "book")
    memory.say(session_id("codex", given_id), "user", "Hello.")
    assert len(memory.sessions()) == 1
    assert all(path.parent.name == "sessions" for path in (tmp_path / "book").rglob("*.jsonl"))
