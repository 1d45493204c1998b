"""What a hook answers and does, whatever the host or the memory says."""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from commonplace.app import App
from commonplace.hooks import running
from commonplace.hooks.clients import CLIENTS, Moment
from commonplace.hooks.hosted import Register
from commonplace.memory import Memory
from commonplace.types import Origin
from commonplace.types.searching import Recall
from tests.foreign.test_agents import line
from tests.frames import QUESTION, check_frame, check_frames, hostile_book
from tests.payloads import PAYLOADS

Hook = Callable[..., dict[str, object]]


@pytest.fixture
def handed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """What was handed to a process of its own, instead of starting one."""
    over: list[tuple[str, bool]] = []

    def note(folder: str, session: str = "", *, flush: bool = True, ended: bool = False) -> None:
        over.append((session, flush))
        if ended:
            Register(App().memory_in(Path(folder))).end(session)

    monkeypatch.setattr(running, "hand_over", note)
    return over


@pytest.fixture
def hook(home: Path, handed: list[tuple[str, bool]]) -> Hook:
    folder = home / "project"
    folder.mkdir()

    def call(
        event: str, client: str = "claude-code", ancestors: Sequence[int] = (), **more: object
    ) -> dict[str, object]:
        payload = {"hook_event_name": event, "session_id": "s1", "cwd": str(folder), **more}
        return running.answered(App(), client, json.dumps(payload), folder, ancestors=ancestors)

    return call


def context(answer: dict[str, object]) -> str:
    inner = answer.get("hookSpecificOutput")
    return str(inner["additionalContext"]) if isinstance(inner, dict) else str(answer.get("additional_context", ""))  # pyright: ignore[reportUnknownArgumentType] JSON is untyped


@pytest.mark.req("HOOK-1", "REC-2")
def test_a_start_shows_the_memory_within_what_the_host_takes(hook: Hook, home: Path) -> None:
    memory = App().memory_in(home / "project")
    memory.remember("Service number 0 listens on port 9000", "projects", origin=Origin.PERSON, insist=True)
    with (memory.path / "MEMORY.md").open("a", encoding="utf-8") as file:
        file.writelines(f"- Service number {number} listens on port {9000 + number}\n" for number in range(1, 400))
    text = context(hook("SessionStart", source="startup"))
    assert len(text) <= 9000
    assert "Service number" in text
    assert "save_memory" in text
    assert "more" in text.lower()


@pytest.mark.req("HOOK-1")
def test_small_talk_is_told_nothing(hook: Hook, home: Path) -> None:
    App().memory_in(home / "project").remember("The staging server is called heron", "projects", origin=Origin.PERSON)
    assert hook("UserPromptSubmit", prompt="hello") == {}
    assert hook("UserPromptSubmit", prompt="") == {}


@pytest.mark.req("HOOK-1", "TRIG-4")
def test_a_prompt_waits_for_no_vectors_and_who_works_in_the_background_makes_them(hook: Hook, home: Path) -> None:
    folder = home / "project"
    App().memory_in(folder).log("- The night train to Vienna leaves at nine on Thursdays")
    assert "leaves at nine" in context(hook("UserPromptSubmit", prompt="When does the night train leave?"))
    report = App().memory_in(folder).index_report()
    assert (report.vectors_known, report.vectors_wanted) == (0, 1)
    running.work(App(), App().memory_in(folder))
    report = App().memory_in(folder).index_report()
    assert (report.vectors_known, report.vectors_wanted) == (1, 1)


@pytest.mark.req("HOOK-1")
@pytest.mark.parametrize("asked", ["{0}\n{1}", "{1}\n{0}"], ids=["before", "after"])
def test_what_is_asked_beside_a_pasted_file_is_what_is_looked_for(
    hook: Hook, home: Path, asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    App().memory_in(home / "project").create()
    looked: list[str] = []
    recall = Memory.recall

    def noting(self: Memory, question: str, **more: Any) -> Recall:
        looked.append(question)
        return recall(self, question, **more)

    monkeypatch.setattr(Memory, "recall", noting)
    hook("UserPromptSubmit", prompt=asked.format("When does the night train leave?", "a line of a file\n" * 9000))
    assert looked
    assert all("night train" in question and len(question) < 10_000 for question in looked)


@pytest.mark.req("HOOK-1", "TOOL-9")
@pytest.mark.parametrize(("client", "event"), [("claude-code", "UserPromptSubmit"), ("cursor", "beforeSubmitPrompt")])
def test_what_is_asked_for_in_a_prompt_is_done_at_once(hook: Hook, home: Path, client: str, event: str) -> None:
    text = context(hook(event, client=client, prompt="Remember that I prefer short answers."))
    assert "Remembered in Preferences: Prefers short answers" in text
    assert [entry.text for entry in App().open().entries()] == ["User requested: Prefers short answers"]


@pytest.mark.req("TRIG-1", "HOOK-1")
def test_before_a_compaction_everything_said_is_in_the_log(
    hook: Hook, home: Path, tmp_path: Path, handed: list[tuple[str, bool]]
) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text(
        line("user", "We deploy on Thursdays.", "u1") + "\n" + line("assistant", "Noted.", "a1", id="m1") + "\n"
    )
    hook("SessionStart", transcript_path=str(file))
    hook("PreCompact", transcript_path=str(file), trigger="auto")
    hook("PreCompact", transcript_path=str(file), trigger="auto")
    memory = App().memory_in(home / "project")
    assert "\n".join(memory.read_log(day) for day in memory.log_days()).count("We deploy on Thursdays.") == 1
    hook("Stop", transcript_path=str(file))
    hook("SessionEnd", transcript_path=str(file), reason="clear")
    assert handed == [("", True), ("claude-code-s1", False), ("claude-code-s1", True)]
    assert Register(memory).all()[0].ended


@pytest.mark.req("TRIG-3", "TRIG-4")
def test_whoever_finds_another_at_work_leaves_a_note_that_is_done_before_the_other_goes(
    hook: Hook, home: Path, tmp_path: Path
) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text(line("user", "We deploy on Thursdays.", "u1") + "\n")
    hook("SessionStart", transcript_path=str(file))
    memory = App().memory_in(home / "project")
    with memory.book.storage.alone("hooks", timeout=1):
        with ThreadPoolExecutor(1) as another:
            another.submit(running.work, App(), memory, "claude-code-s1", ended=True).result()
        assert memory.log_days() == []
        assert Register(memory).notes() == ["claude-code-s1"]
    running.work(App(), memory)
    assert Register(memory).notes() == []
    assert "\n".join(memory.read_log(day) for day in memory.log_days()).count("We deploy on Thursdays.") == 1


def test_a_host_whose_transcripts_we_do_not_read_tells_them_by_its_hooks(hook: Hook, home: Path) -> None:
    hook("BeforeAgent", client="gemini", prompt="We deploy on Thursdays.")
    hook("AfterAgent", client="gemini", prompt_response="Noted.")
    memory = App().memory_in(home / "project")
    said = [(message.role, message.text) for message in memory.transcript("gemini-s1").messages if message.text]
    assert said == [("user", "We deploy on Thursdays."), ("assistant", "Noted.")]


@pytest.mark.req("REC-5", "HOOK-1")
def test_what_a_host_puts_before_the_prompt_on_our_behalf_is_not_what_the_user_said(hook: Hook, home: Path) -> None:
    App().memory_in(home / "project").remember("The staging server is called heron", "projects", origin=Origin.PERSON)
    greeting = context(hook("SessionStart", client="gemini", source="startup"))
    escaped = greeting.replace("<", "&lt;").replace(">", "&gt;")  # as Gemini CLI hands it to the next hook
    hook("BeforeAgent", client="gemini", prompt=f"<hook_context>{escaped}</hook_context>\n\nWe deploy on Thursdays.")
    hook("BeforeAgent", client="gemini", prompt="What does <hook_context>x</hook_context> mean?")
    said = [message.text for message in App().memory_in(home / "project").transcript("gemini-s1").messages]
    assert said == ["We deploy on Thursdays.", "What does <hook_context>x</hook_context> mean?"]


@pytest.mark.req("TRIG-1")
def test_a_host_that_tells_of_a_compaction_before_every_request_logs_only_one_that_is_asked_for(
    hook: Hook, home: Path
) -> None:
    hook("BeforeAgent", client="gemini", prompt="We deploy on Thursdays.")
    hook("PreCompress", client="gemini", trigger="auto")
    memory = App().memory_in(home / "project")
    assert memory.log_days() == []
    hook("PreCompress", client="gemini", trigger="manual")
    assert "We deploy on Thursdays." in memory.read_log(memory.log_days()[0])


@pytest.mark.req("S1", "REC-4")
def test_hundreds_of_hostile_memories_stay_in_one_frame_in_every_hook(hook: Hook, home: Path) -> None:
    assert len(PAYLOADS) > 200
    memory = hostile_book(App().memory_in(home / "project"), datetime(2026, 11, 1, 9, tzinfo=UTC))
    with (memory.path / "MEMORY.md").open("a", encoding="utf-8", errors="surrogatepass") as file:
        file.writelines(f"- {' '.join(payload.splitlines())}\n" for payload in PAYLOADS)
    memory.embed()
    told: list[str] = []
    for client in CLIENTS.values():
        events = {moment: event for event, moment in client.events.items()}
        start = context(hook(events[Moment.START], client=client.name))
        check_frame(start[start.index("<commonplace-memory>") :])
        told.append(context(hook(events[Moment.PROMPT], client=client.name, prompt=QUESTION)))
        check_frames(told[-1], int("<commonplace-memory>" in told[-1]))
    assert any(told)
    assert not any("trouble" in record for record in (memory.path / running.LOG).read_text().splitlines())


@pytest.mark.parametrize(
    "data",
    [
        "",
        "nonsense",
        "[]",
        "{}",
        '{"hook_event_name": 3}',
        '{"hook_event_name": "Stop"}',
    ],
)
def test_what_cannot_be_understood_is_answered_with_nothing(home: Path, data: str) -> None:
    assert running.answered(App(), "claude-code", data, home) == {}
    assert not (home / ".local/share/commonplace/projects").exists()


@pytest.mark.parametrize(
    "more",
    [{"cwd": "a\0b"}, {"cwd": 5, "workspace_roots": 5}, {"cwd": None, "workspace_roots": [7]}, {"cwd": ["/"]}],
    ids=str,
)
def test_a_folder_that_is_none_is_the_one_that_the_hook_runs_in(
    hook: Hook, home: Path, more: dict[str, object]
) -> None:
    App().memory_in(home / "project").remember("The staging server is called heron", "projects", origin=Origin.PERSON)
    assert "heron" in context(hook("SessionStart", transcript_path=["x"], **more))


@pytest.mark.req("TRIG-4")
def test_trouble_never_reaches_the_host(hook: Hook, home: Path) -> None:
    memory = App().memory_in(home / "project")
    memory.create()
    (memory.path / "MEMORY.md").mkdir()
    assert hook("SessionStart") == {}
    (memory.path / "MEMORY.md").rmdir()
    log = (memory.path / ".commonplace/hooks.jsonl").read_text()
    assert '"trouble"' in log


def test_hooks_can_be_switched_off(hook: Hook, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMMONPLACE_HOOKS", "off")
    assert hook("SessionStart") == {}
    assert not (home / ".local/share/commonplace/projects").exists()


NONSENSE = [
    "{",
    "[" * 5000,
    "null",
    '{"type": "user", "message": 7, "uuid": "x", "timestamp": "x"}',
    '{"type": "user", "message": {"role": ["user"], "content": {"text": 1}}, "uuid": 3, "timestamp": "2026-11-01"}',
    '{"type": "response_item", "payload": {"type": "message", "role": "user", "content": [[], {"text": 7}]}}',
    '{"type": "compacted", "payload": {"message": []}}',
]


def hostile_line(client: str, text: str, number: int) -> str:
    if client == "claude-code":
        content = text if number % 3 else [{"type": "tool_result", "tool_use_id": text, "content": text}]
        return line("user", content, f"../{text}/{number}")
    item = {"type": "message", "role": "user", "id": f"../{text}/{number}", "content": [{"text": text}]}
    return json.dumps({"timestamp": "2026-11-01T09:00:00Z", "type": "response_item", "payload": item})


@pytest.mark.req("S1", "S5", "REC-4", "REC-5")
@pytest.mark.parametrize("client", ["claude-code", "codex"])
def test_a_hostile_transcript_stays_text_in_one_frame(hook: Hook, home: Path, tmp_path: Path, client: str) -> None:
    file = tmp_path / "t.jsonl"
    said = [hostile_line(client, payload, number) for number, payload in enumerate(PAYLOADS[::6])]
    mixed = [one for pair in zip(said, NONSENSE * len(said), strict=False) for one in pair]
    file.write_text("\n".join(mixed), encoding="utf-8", errors="surrogatepass")
    told = {"client": client, "session_id": "../../../etc/x", "transcript_path": str(file)}
    hook("SessionStart", **told)
    hook("PreCompact", **told)  # takes all of it in, and logs it
    memory = App().memory_in(home / "project")
    (session,) = memory.sessions()
    assert len(memory.transcript(session).messages) > 30
    assert memory.log_days()
    shown = [
        context(hook("SessionStart", client=client, session_id="next")),
        context(hook("UserPromptSubmit", client=client, session_id="next", prompt=QUESTION)),
    ]
    for text in shown:
        check_frames(text, int("<commonplace-memory>" in text))
    assert any("<commonplace-memory>" in text for text in shown)
    assert not any("trouble" in record for record in (memory.path / running.LOG).read_text().splitlines())
