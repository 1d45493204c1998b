"""`chat`, `ask`, `recall`, `sessions` and `flush`, at a terminal and in pipes."""

import json
import re
import shlex
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace import Memory
from commonplace.cli.wordwrap import WordWrap
from commonplace.types import Origin
from tests.cli.conftest import Cli, at_terminal, started

BOOK = ".local/share/commonplace/book"
PLAIN = {"TERM": "dumb"}  # without prompt_toolkit's drawing
READY = "\x1b[?2004h"  # what prompt_toolkit tells a terminal before it waits for a key

# Answers like a model: a summary when it is asked for one, otherwise what it was asked, and slowly if that is wanted.
PROGRAM = """
import os, signal, sys, time
asked = sys.stdin.read()
newest = asked.splitlines()[-1]
if "Daily Summary" in asked and "unspeakable" in asked:
    sys.exit("no words for that")
elif "Daily Summary" in asked:
    print("## Daily Summary\\n- They spoke of trains.\\n\\n## Long-term Facts\\n- Likes night trains")
elif "slowly" in newest:
    print("Starting.", flush=True)
    time.sleep(60)
elif "hang up" in newest:
    print("Starting.", flush=True)
    os.kill(os.getppid(), signal.SIGTERM)
    time.sleep(60)
elif "fail" in newest:
    sys.exit("no credit left")
else:
    print("You like night trains." if "Likes night trains" in asked else "I know nothing about trains.")
"""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chat model that needs no network."""
    script = tmp_path / "model.py"
    script.write_text(PROGRAM)
    monkeypatch.setenv("COMMONPLACE_MODEL_PROVIDER", "command")
    monkeypatch.setenv("COMMONPLACE_MODEL_COMMAND", shlex.join([sys.executable, str(script)]))


@pytest.fixture(autouse=True)
def without_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMMONPLACE_EMBEDDER_NAME", "none")


def talk(*steps: tuple[str, str], arguments: tuple[str, ...] = (), **environment: str) -> str:
    ran = at_terminal(["chat", *arguments], list(steps), **{**PLAIN, **environment})
    assert ran.status == 0, ran.out
    return ran.out


# -- one turn ----------------------------------------------------------------------------------------------------------


@pytest.mark.req("CHAT-1")
def test_a_message_from_a_pipe_gets_one_answer_and_nothing_else(home: Path, cli: Cli, model: None) -> None:
    ran = cli("chat", "--once", stdin=b"Which trains do I like?\n")
    assert (ran.status, ran.out, ran.err) == (0, "I know nothing about trains.\n", "")


@pytest.mark.req("CHAT-1")
def test_what_was_said_is_logged_and_known_in_the_next_session(home: Path, cli: Cli, model: None) -> None:
    cli("ask", "Night trains are what I like.")
    assert "They spoke of trains." in cli("log", "show").out
    assert "- Likes night trains" in cli("show").out
    ran = cli("ask", "Which trains do I like?")
    assert ran.out == "You like night trains.\n"
    assert len(cli("sessions", "--json").json["sessions"]) == 2


def test_ask_can_go_on_with_a_session(home: Path, cli: Cli, model: None) -> None:
    session = cli("ask", "Hello trains", "--json").json["session"]
    assert cli("ask", "More", "--session", session, "--json").json["session"] == session
    assert cli("ask", "More", "--session", "nothing").status == 3


def test_json_tells_what_happened_in_the_turn(home: Path, cli: Cli, model: None) -> None:
    value = cli("ask", "Hello", "--json").json
    assert value["answer"] == "I know nothing about trains."
    assert value["whole"] is True
    assert value["tools"] == value["warnings"] == []


def test_a_model_that_fails_has_its_own_status_and_what_was_said_is_kept(home: Path, cli: Cli, model: None) -> None:
    ran = cli("ask", "Please fail")
    assert ran.status == 9
    assert "no credit left" in ran.err
    assert "Please fail" in cli("sessions", "show", "please").out


@pytest.mark.req("TRIG-4")
def test_a_log_that_could_not_be_written_is_told_after_the_answer(home: Path, cli: Cli, model: None) -> None:
    ran = cli("ask", "Something unspeakable")
    assert (ran.status, ran.out) == (0, "I know nothing about trains.\n")
    assert "not in the log yet" in ran.err
    assert "no words for that" in ran.err
    out = at_terminal(["chat"], [("> ", "More of the unspeakable\n"), ("> ", "\x04")], **PLAIN).out
    assert "not in the log yet" in out


def test_a_blank_question_is_refused(home: Path, cli: Cli) -> None:
    assert cli("ask", " ").status == 2
    assert cli("chat", "--once").status == 2
    assert not (home / BOOK).exists()


@pytest.mark.req("LOG-6")
def test_without_a_model_ask_answers_from_memory_and_says_so(home: Path, cli: Cli) -> None:
    assert cli("ask", "Remember that my bicycle is green").out == "Remembered in Notes: My bicycle is green\n"
    out = cli("ask", "Which colour has my bicycle?").out
    assert out.startswith("No model is configured; this is what I remember:\n- ")
    assert "My bicycle is green (MEMORY.md:15)" in out


# -- without a terminal ------------------------------------------------------------------------------------------------


def test_without_a_terminal_chat_explains_itself_and_changes_nothing(home: Path, cli: Cli) -> None:
    ran = cli("chat")
    assert ran.status == 0
    assert "commonplace chat --once" in ran.out
    assert cli("chat", "--json").json["model"] is None
    assert not (home / BOOK).exists()


# -- at a terminal -----------------------------------------------------------------------------------------------------


@pytest.mark.req("CHAT-1")
def test_a_first_conversation_welcomes_answers_and_is_logged(home: Path, cli: Cli, model: None) -> None:
    out = talk(("> ", "Hello, I like night trains.\n"), ("> ", "/quit\n"))
    assert "Welcome to Commonplace" in out
    assert "commonplace tour" in out
    assert "Talking to command/" in out
    assert "I know nothing about trains." in out
    assert "They spoke of trains." in cli("log", "show").out
    again = talk(("> ", "Which trains do I like?\n"), ("> ", "\x04"))
    assert "1 entry in" in again
    assert "(recalled " in again
    assert "You like night trains." in again


@pytest.mark.req("CHAT-1")
def test_everything_that_can_be_typed_with_a_slash(home: Path, cli: Cli, model: None) -> None:
    out = talk(
        ("> ", "/help\n"),
        ("> ", "Trains please, I like night trains\n"),
        ("> ", "/rename Railways\n"),
        ("> ", "/log\n"),
        ("> ", "/memory\n"),
        ("> ", "/recall\n"),
        ("> ", "/recall night\n"),
        ("> ", "/compact\n"),
        ("> ", "/new\n"),
        ("> ", "Boats now\n"),
        ("> ", "/sessions\n"),
        ("> ", "/sessions boats\n"),
        ("> ", "/switch Rail\n"),
        ("> ", "/switch nowhere\n"),
        ("> ", "/dance\n"),
        ("> ", "\n"),
        ("> ", "/quit\n"),
    )
    for name in ("help", "sessions", "switch", "new", "rename", "memory", "recall", "log", "compact", "quit"):
        assert f"/{name}" in out
    assert "They spoke of trains." in out
    assert "<!-- commonplace" not in out
    assert "- Likes night trains" in out
    assert re.search(r"\(\d+ tokens\)", out)
    assert "The history is short" in out
    assert "user: Trains please, I like night trains" in out
    assert "No session begins with 'nowhere'." in out
    assert "There is no command /dance." in out
    titles = [session["title"] for session in cli("sessions", "--json").json["sessions"]]
    assert sorted(titles) == ["Boats now", "Railways"]


def test_before_anything_is_said_commands_say_what_is_missing(home: Path, cli: Cli) -> None:
    out = talk(
        ("> ", "/rename X\n"), ("> ", "/recall\n"), ("> ", "/sessions\n"), ("> ", "/log\n"), ("> ", "/memory\n"),
        ("> ", "/compact\n"), ("> ", "/sessions x\n"), ("> ", "/quit\n"),
    )  # fmt: skip
    assert "Nothing has been said yet." in out
    assert "There is no question to recall for." in out
    assert "There are no sessions yet." in out
    assert "There is no log yet." in out
    assert "The long-term memory is empty." in out
    assert "Without a model" in out
    assert not (home / BOOK).exists()


@pytest.mark.req("CHAT-1")
def test_ctrl_c_stops_a_reply_and_not_the_program(home: Path, cli: Cli, model: None) -> None:
    out = talk(("> ", "Count slowly\n"), ("Starting.", "\x03"), ("> ", "\x03"), ("> ", "Hello\n"), ("> ", "\x04"))
    assert "(stopped)" in out
    assert "Ctrl-D or /quit leaves" in out
    assert "I know nothing about trains." in out
    messages = cli("sessions", "show", "Count", "--json").json["messages"]
    assert [(m["text"], m["extra"].get("cut_off")) for m in messages if m["role"] == "assistant"] == [
        ("Starting.", True),
        ("I know nothing about trains.", None),
    ]


@pytest.mark.req("TRIG-1")
def test_a_chat_that_is_ended_from_outside_keeps_what_came_and_leaves(home: Path, cli: Cli, model: None) -> None:
    ran = at_terminal(["chat"], [("> ", "Please hang up\n")], **PLAIN)
    assert ran.status == 128 + signal.SIGTERM
    messages = cli("sessions", "show", "Please", "--json").json["messages"]
    assert [(m["role"], m["text"]) for m in messages if m["role"] != "event"][:1] == [("user", "Please hang up")]
    cli("flush")
    assert cli("log", "show").out.count("They spoke of trains.") == 1


def test_a_line_can_be_continued(home: Path, cli: Cli) -> None:
    talk(("> ", "My bicycle\\\n"), (". ", "is green\n"), ("> ", "\x04"))
    (_, message, _) = cli("sessions", "show", "My", "--json").json["messages"]
    assert message["text"] == "My bicycle\nis green"


def test_a_session_can_be_gone_on_with_from_the_start(home: Path, cli: Cli, model: None) -> None:
    cli("ask", "Hello trains")
    out = talk(("> ", "More\n"), ("> ", "\x04"), arguments=("--session", "hello"))
    assert "user: Hello trains" in out
    (session,) = cli("sessions", "--json").json["sessions"]
    assert session["messages"] == 4
    assert session["unlogged"] == 0


def test_several_lines_and_history_with_prompt_toolkit(home: Path, cli: Cli) -> None:
    pytest.importorskip("prompt_toolkit")
    answered = f"say: remember that …\n{READY}"
    ran = at_terminal(
        ["chat"],
        [(READY, "The bicycle\x1b\ris green\r"), (answered, "\x1b[A\x1b[A\r"), (answered, "\x04")],
        PROMPT_TOOLKIT_NO_CPR="1",
    )
    assert ran.status == 0
    (session,) = cli("sessions", "--json").json["sessions"]
    messages = cli("sessions", "show", session["id"], "--json").json["messages"]
    asked = [message["text"] for message in messages if message["role"] == "user"]
    assert asked == ["The bicycle\nis green"] * 2


# -- sessions, flush, recall, doctor ---------------------------------------------------------------------------------


@pytest.mark.req("CLI-1")
def test_sessions_are_listed_shown_renamed_searched_and_ended(home: Path, cli: Cli) -> None:
    assert "There are no sessions yet" in cli("sessions").out
    cli("ask", "Trains in Portugal")
    assert "Trains in Portugal  [ended]" in cli("sessions", "list").out
    assert "Trains in Portugal" in cli("sessions", "search", "portugal").out
    assert "No session has that." in cli("sessions", "search", "boats").out
    assert cli("sessions", "rename", "trains", "Railways", "abroad").out == "Now called: Railways abroad\n"
    assert "user: Trains in Portugal" in cli("sessions", "show", "rail").out
    assert cli("sessions", "end", "rail").status == 0
    assert cli("sessions", "show", "trains").status == 3


@pytest.mark.req("TRIG-4")
def test_doctor_tells_what_is_not_logged_and_flush_logs_it(
    home: Path, cli: Cli, model: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("remember", "x")
    line = {"id": "m1", "role": "user", "at": "2026-11-15T12:00:00+00:00", "text": "Please fail"}
    folder = home / BOOK / "sessions"
    folder.mkdir(0o700)
    (folder / "left.jsonl").write_text(json.dumps(line) + "\n")
    (folder / "left.jsonl").chmod(0o600)
    assert "1 session with messages that are not in the log yet: left." in cli("doctor").out
    assert "command/" in cli("doctor").out
    monkeypatch.setenv("COMMONPLACE_MODEL_COMMAND", "false")
    failed = cli("flush", "--json")
    assert failed.status == 9
    assert failed.json["failed"][0]["session"] == "left"
    assert "left could not be logged" in cli("doctor").out
    assert cli("doctor").status == 1
    monkeypatch.delenv("COMMONPLACE_MODEL_COMMAND")
    monkeypatch.setenv("COMMONPLACE_MODEL_PROVIDER", "none")
    assert cli("flush").out == "1 session logged.\n"
    assert "Please fail" in cli("log", "show", "2026-11-15").out
    assert cli("flush").out == "Everything that was said is in the log.\n"
    assert cli("flush", "left").status == 0
    assert cli("doctor").status == 0


@pytest.mark.req("REC-2")
def test_recall_prints_the_block_and_tells_what_did_not_fit(home: Path, cli: Cli) -> None:
    assert cli("recall", "anything").out == ""
    for number in range(40):
        cli("remember", f"Bicycle number {number} has a very long and winding story that takes many words to tell")
    ran = cli("recall", "bicycle", "--budget", "300")
    assert ran.out.startswith("<commonplace-memory>\n")
    assert "did not fit" in ran.err
    value = cli("recall", "bicycle", "--budget", "300", "--json").json["recall"]
    assert value["tokens"] <= 300
    assert len(value["left_out"]) + value["shown"] >= 40


def test_make_run_opens_the_chat_and_is_harmless_without_a_terminal(home: Path) -> None:
    makefile = (Path(__file__).parents[2] / "Makefile").read_text(encoding="utf-8")
    assert "$(BIN)/commonplace chat\n" in makefile
    ran = started("chat")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert not (home / BOOK).exists()


# -- how it looks ------------------------------------------------------------------------------------------------------


def rendered(sent: str) -> str:
    """What stands on a terminal: what was taken back is gone."""
    while (back := re.search("(\b+)\x1b\\[K", sent)) is not None:
        sent = sent[: back.start() - len(back[1])] + sent[back.end() :]
    return sent


@given(st.text(alphabet="ab c-\n日`"), st.integers(20, 40), st.integers(1, 7))
def test_words_are_wrapped_alike_however_they_arrive_and_none_is_lost(text: str, width: int, size: int) -> None:
    whole, pieces = WordWrap(width), WordWrap(width)
    shown = rendered(whole.feed(text))
    assert rendered("".join(pieces.feed(text[at : at + size]) for at in range(0, len(text), size))) == shown
    assert "".join(shown.split()) == "".join(text.split())


def test_a_long_answer_is_broken_between_words() -> None:
    wrap = WordWrap(24)
    text = "- The night train to Vienna leaves at nine.\n```\na line of code stays as it is, long\n```\n"
    shown = rendered("".join(map(wrap.feed, text)))
    assert shown.splitlines()[:3] == ["- The night train to ", "  Vienna leaves at nine.", "```"]
    assert "a line of code stays as it is, long" in shown


@pytest.mark.req("CHAT-1")
def test_warnings_and_what_commands_print_are_broken_between_words(home: Path, model: None) -> None:
    text = "Keeps the spare key of the cellar with the neighbour who lives above the bakery and waters the plants"
    Memory.open(home / BOOK).remember(text, origin=Origin.PERSON)
    missing = "/forget " + "unheard-of " * 9 + "\n"
    steps = [("> ", missing), ("> ", "/why spare key\n"), ("> ", "/quit\n")]
    out = rendered(at_terminal(["chat"], steps, COLUMNS="60", **PLAIN).out)
    said = [line for line in out.replace("\r", "").splitlines() if not line.startswith(("> ", "/"))]
    assert all(len(line) <= 60 or len(line.split()) == 1 for line in said), said
    assert "warning: No entry has the text" in out
    assert text in " ".join(out.split())


@pytest.mark.req("CHAT-1")
def test_the_memory_is_searched_corrected_and_explained_from_within_the_chat(home: Path, model: None) -> None:
    Memory.open(home / BOOK).remember("Likes night trains", origin=Origin.PERSON)
    out = talk(
        ("> ", "/search trains\n"),
        ("> ", "/why night trains\n"),
        ("> ", "/forget night trains\n"),
        ("> ", "/undo\n"),
        ("> ", "/search\n"),
        ("> ", "/quit\n"),
    )
    assert "1. Likes night trains" in out
    assert "in MEMORY.md, line" in out
    assert "Forgotten: Likes night trains" in out
    assert "Undone: Forget in Notes: Likes night trains" in out
    assert "Something is missing. /search WORDS" in out
    assert [entry.text for entry in Memory.open(home / BOOK).entries()] == ["Likes night trains"]


def test_the_chat_shows_that_an_answer_is_on_its_way(home: Path, model: None) -> None:
    ran = at_terminal(["chat"], [(READY, "Which trains do I like?\r"), ("about trains.", ""), (READY, "/quit\r")])
    assert "thinking …" in ran.out
    assert "Traceback" not in ran.out
