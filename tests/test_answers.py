"""No refusal, error page or chatter becomes memory: what is an answer, and what happens to one that is none."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from commonplace.config import EmbedderSettings, Settings
from commonplace.distill.answers import cleaned, trouble
from commonplace.distill.summary import Fact, parse_summary
from commonplace.errors import ModelFailed
from commonplace.memory import Memory
from commonplace.prompts import prompt
from commonplace.testing import ScriptedChatModel
from commonplace.types import Category, Message
from tests.stores import Place

AT = datetime(2026, 11, 18, 9, 0, tzinfo=UTC)
TALK = [
    "How do I reverse a list in Python?",
    "Use reversed() or slicing with [::-1].",
    "Thanks, I live in Bern and work as a nurse at the Insel hospital.",
]
REFUSALS = (Path(__file__).parent / "compaction" / "refusals.txt").read_text(encoding="utf-8").split("\n\n")


@pytest.mark.req("LOG-9")
@pytest.mark.parametrize("answer", [text.strip() for text in REFUSALS if text.strip()])
def test_a_refusal_in_any_language_is_no_answer(answer: str) -> None:
    assert trouble(answer, TALK, prompt("summarise"), 4096)


@pytest.mark.req("LOG-9")
@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I'm sorry, but I can't summarise this conversation about reversing a list in Python.",
        "## Daily Summary\n- I cannot assist with that request.\n\n## Long-term Facts\nNone",
        '{"name": "save_memory", "arguments": {"content": "Lives in Bern"}}',
        '```json\n{"name": "save_memory", "arguments": {"content": "Lives in Bern"}}\n```',
        '<tool_call>{"name": "save_memory"}</tool_call>',
        "<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>",
        "Error 429: rate limit exceeded, try again in 20 seconds",
        "Good, please provide the list that you live with in Bern.",
        "Sure! I would be happy to help you with reversing a list in Python in Bern. Here you go!",
        "好的，请提供需要总结的对话内容。",
        "- Bern " * 4000,
        prompt("summarise"),
    ],
)
def test_errors_calls_repeated_prompts_and_floods_are_no_answers(answer: str) -> None:
    assert trouble(answer, TALK, prompt("summarise"), 4096)


@pytest.mark.req("LOG-9")
@pytest.mark.parametrize(
    "answer",
    [
        "- The user asked how to reverse a list in Python; slicing was suggested.\n- Lives in Bern.",
        "Der Nutzer fragte, wie man in Python eine Liste umkehrt.",
        "L'utilisateur vit à Berne et travaille comme infirmière.",
        "- User can't use reversed() because of Python 2.",
        "- The assistant could not open the file about Bern nurses.",
    ],
)
def test_what_tells_of_the_conversation_is_an_answer(answer: str) -> None:
    assert trouble(answer, TALK, prompt("summarise"), 4096) == ""


@pytest.mark.req("LOG-9")
def test_of_a_very_short_talk_a_plain_line_must_still_speak_of_it() -> None:
    talk = ["Which satchel for Nils, who starts school in August?", "A light one."]
    assert trouble("Error: model 'tiny:1b' not found, try pulling it first", talk, "", 4096)
    assert trouble("The user asked for a satchel for Nils.", talk, "", 4096) == ""


@pytest.mark.req("LOG-9")
def test_the_conversation_given_back_is_no_answer() -> None:
    quoted = "\n".join(["[user]", f"| {TALK[0]}", "[assistant]", f"| {TALK[1]}", "[user]", f"| {TALK[2]}"])
    assert trouble(quoted, TALK, "", 4096)


@pytest.mark.req("LOG-2")
@pytest.mark.parametrize(
    "line",
    [
        "- [profile] Lives in Bern",
        "- profile: Lives in Bern",
        "- **Profile**: Lives in Bern",
        "- (profile) Lives in Bern",
        "- Profile - Lives in Bern",
        "- **[Profile]** Lives in Bern",
        "- **Profile:** Lives in Bern",
        "### Profile\n- Lives in Bern",
        "- **Profile**:\n  - Lives in Bern",
    ],
)
def test_the_category_is_read_in_whichever_form_models_write_it(line: str) -> None:
    parsed = parse_summary(f"## Daily Summary\n- Bern\n\n## Long-term Facts\n{line}\n- [notes] \n")
    assert parsed is not None
    assert parsed.facts == (Fact("Lives in Bern", Category.PROFILE),)


def test_a_word_that_is_also_a_category_is_no_category() -> None:
    parsed = parse_summary("## Long-term Facts\n- Projects in Rust interest them")
    assert parsed is not None
    assert parsed.facts == (Fact("Projects in Rust interest them"),)


@pytest.mark.req("LOG-9", "LOG-4")
def test_an_answer_that_is_none_moves_nothing_and_after_three_tries_the_extract_takes_its_place(place: Place) -> None:
    memory = Memory.open(place, settings=Settings(embedder=EmbedderSettings(name="none")))
    memory.add_message("talk", *(Message(f"m{n}", "user", text, AT) for n, text in enumerate(TALK)))
    for _ in range(3):
        with pytest.raises(ModelFailed):
            memory.log_session("talk", ScriptedChatModel(["Es tut mir leid, aber dabei kann ich nicht helfen."]))
        assert (memory.log_days(), memory.session_info("talk").unlogged) == ([], 3)
    report = memory.log_session("talk", ScriptedChatModel(["I cannot help with that."]))
    assert (report.extracts, report.messages) == (1, 3)
    log = memory.read_log(AT.date())
    assert "### In the user's own words; the model gave no usable answer" in log
    assert "cannot help" not in log
    assert memory.log_session("talk", ScriptedChatModel([])).messages == 0


@pytest.mark.req("LOG-9")
def test_control_characters_of_an_answer_reach_no_file(place: Place) -> None:
    assert cleaned("a\x00b\x1b[31mc\u202ed\r\ne") == "ab[31mcd\ne"
    memory = Memory.open(place, settings=Settings(embedder=EmbedderSettings(name="none")))
    memory.add_message("talk", Message("m0", "user", "I live in Bern.", AT))
    answer = "## Daily Summary\n- Ber\u202en\x1b\x00\n## Long-term Facts\n- [profile] Lives\u202e in\x00 Bern"
    memory.log_session("talk", ScriptedChatModel([answer]))
    assert [entry.text for entry in memory.entries()] == ["Lives in Bern"]
    assert not set("\x00\x1b\u202e") & set(memory.read_log(AT.date()))
