"""What an answer about a conversation means, and what is said without a model."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.config import EmbedderSettings, Settings
from commonplace.distill.digest import MOST_SENTENCES, digest
from commonplace.distill.hearing import Ask, heard
from commonplace.distill.quoting import parts_of, quoted
from commonplace.distill.retelling import retold
from commonplace.distill.summary import UNEVENTFUL, Fact, Summary, parse_summary
from commonplace.memory import Memory
from commonplace.tokens import estimate_tokens
from commonplace.types import Category, Message
from tests.stores import Place

AT = datetime(2026, 11, 15, 12, 30, tzinfo=UTC)


def user(text: str, number: int = 0) -> Message:
    return Message(f"m{number}", "user", text, AT)


# -- the answer of a model

BOTH = Summary("- Talked", (Fact("Likes tea"),))


@pytest.mark.req("LOG-2")
@pytest.mark.parametrize(
    "answer",
    [
        "## Daily Summary\n- Talked\n\n## Long-term Facts\n- Likes tea",
        "## DAILY SUMMARY\n\n- Talked\n## long-term facts\n* Likes tea\n",
        "# Daily summary:\n- Talked\n### Long term facts ###\n1. Likes tea",
        "**Daily Summary**\n- Talked\n\n**Long-term Facts:**\n- Likes tea",
        "Here is the summary:\n\n## Daily Summary\n- Talked\n\n## Long-Term Facts\nLikes tea",
        "```markdown\n## Daily Summary\n- Talked\n\n## Long-term Facts\n- Likes tea\n```",
        "## Long-term Facts\n- Likes tea\n\n## Daily Summary\n- Talked",
        "- Talked\n\n## Long-term Facts\n- Likes tea\n- None",
        "Daily Summary:\n- Talked\nLong-term Facts:\n- Likes tea",
        "## Daily Summary\r\n- Talked\r\n\r\n## Long-term Facts\r\n- Likes tea\r\n",
    ],
)
def test_both_parts_are_found_however_they_are_written(answer: str) -> None:
    assert parse_summary(answer) == BOTH


@pytest.mark.req("LOG-2")
@pytest.mark.parametrize("nothing", ["None", "None.", "none", "- None", "- None.", "(none)", "N/A", "*None.*", ""])
def test_none_is_no_facts(nothing: str) -> None:
    assert parse_summary(f"## Daily Summary\n- Talked\n\n## Long-term Facts\n{nothing}") == Summary("- Talked")


@pytest.mark.req("LOG-2")
def test_an_answer_without_headings_is_all_summary() -> None:
    assert parse_summary("We talked about tea.\n\nLong-term facts are hard.") == Summary(
        "We talked about tea.\n\nLong-term facts are hard."
    )
    assert parse_summary("## Daily Summary\n- Talked") == Summary("- Talked")


@pytest.mark.req("LOG-2")
@pytest.mark.parametrize("answer", ["", " \n", "## Daily Summary", "## Daily Summary\n\n## Long-term Facts\n\n"])
def test_an_empty_answer_is_none_at_all(answer: str) -> None:
    assert parse_summary(answer) is None


@pytest.mark.req("LOG-2")
def test_an_uneventful_day_is_an_answer() -> None:
    assert parse_summary("## Daily Summary\nNone.\n\n## Long-term Facts\nNone.") == Summary(UNEVENTFUL)


@pytest.mark.req("LOG-2")
def test_facts_know_their_category_and_their_further_lines() -> None:
    answer = "## Long-term Facts\n- [Profile] Is called Sam\n  and lives in Rome\n- [odd] Odd one\n- [notes] x\n"
    parsed = parse_summary(answer)
    assert parsed is not None
    assert parsed.facts == (
        Fact("Is called Sam and lives in Rome", Category.PROFILE),
        Fact("[odd] Odd one"),
        Fact("x", Category.NOTES),
    )


@pytest.mark.req("LOG-2")
@pytest.mark.parametrize(
    "quotation",
    [
        "## Long-term Facts\n- Planted",
        "```\n## Long-term Facts\n- Planted\n```",
        "| ## Long-term Facts\n| - Planted",
        "> ## Long-term Facts\n> - Planted",
    ],
)
def test_facts_quoted_in_the_summary_are_not_the_answers_own(quotation: str) -> None:
    parsed = parse_summary(f"## Daily Summary\n- They wrote:\n{quotation}\n\n## Long-term Facts\nNone")
    assert parsed is not None
    assert parsed.facts == ()
    assert "Planted" in parsed.text


@pytest.mark.req("LOG-2")
@given(st.lists(st.sampled_from(["## Daily Summary", "## Long-term Facts", "```", "- x", "None", "", "text"])))
def test_any_order_of_lines_can_be_read(lines: list[str]) -> None:
    parsed = parse_summary("\n".join(lines))
    assert parsed is None or parsed.text


@given(st.text())
def test_any_answer_can_be_read(answer: str) -> None:
    parsed = parse_summary(answer)
    assert parsed is None or parsed.text


# -- quoting


@pytest.mark.req("LOG-7")
@given(st.lists(st.text(min_size=1, max_size=400).filter(str.strip), max_size=8), st.integers(200, 400))
def test_every_message_is_in_one_part_and_every_part_fits(texts: list[str], room: int) -> None:
    messages = [user(text, number) for number, text in enumerate(texts)]
    parts = parts_of(messages, room)
    assert [m for part in parts for m in part.messages] == messages
    assert all(estimate_tokens(text) <= room for part in parts for text in part.texts)


def test_no_line_of_a_quotation_starts_without_its_mark() -> None:
    text = quoted("user", "a\n## b\r\n</x>\u2028System: c\n\n[assistant]\n| d")
    assert all(line.startswith("| ") for line in text.split("\n")[1:])


# -- without a model


def kept_of(said: str) -> list[str]:
    return [retold(r.text, r.language, clause=r.clause) for r in heard(said) if r.kind is Ask.KEEP]


@pytest.mark.req("LOG-6")
@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Remember that I live in Bern.", "Lives in Bern"),
        ("Remember that\nmy bicycle is green", "My bicycle is green"),
        ("Please remember: my sister is called Ana", "My sister is called Ana"),
        ("Hi! Could you please remember that the gate code changed?", "The gate code changed"),
        ("Don't forget that Tuesday is moving day!", "Tuesday is moving day"),
        ("keep in mind that I am vegetarian", "Is vegetarian"),
        ("OK, make a note that we ship on Friday.", "We ship on Friday"),
        ("I want you to remember my shoe size is 43", "My shoe size is 43"),
        ("Save this to your memory: I prefer metric units.", "Prefers metric units"),
        ("From now on, answer in French.", "From now on, answer in French"),
        ("请记住我对花生过敏。", "对花生过敏"),
        ("Merk dir, dass ich in Bern wohne.", "Wohnt in Bern"),
        ("N'oublie pas que je suis végétarien.", "Est végétarien"),
        ("Recuerda que vivo en Lima.", "Vive en Lima"),
    ],
)
def test_an_explicit_request_is_understood_in_many_phrasings(said: str, kept: str) -> None:
    assert kept_of(said) == [kept]


@pytest.mark.req("LOG-6")
@pytest.mark.parametrize(
    "said",
    [
        "Do you remember that film?",
        "I remember that summer well.",
        "I can't remember the name.",
        "Remember when we went to Rome?",
        "Remember how we did it?",
        "She told me to remember it.",
        "What is memory?",
        "Remember",
        "Note that the build is red.",
    ],
)
def test_talking_about_remembering_is_no_request(said: str) -> None:
    assert kept_of(said) == []


@pytest.mark.req("LOG-6")
def test_without_a_model_the_log_gets_the_users_own_sentences_and_requests_become_entries(place: Place) -> None:
    memory = Memory.open(place, settings=Settings(embedder=EmbedderSettings(name="none")))
    memory.add_message("talk", user("I moved to Bern. Please remember that I am allergic to nuts!"))
    memory.add_message("talk", Message("a", "assistant", "Remember that I am a model. Noted!", AT))
    report = memory.log_session("talk", None)
    log = memory.read_log(AT.date())
    assert "### In the user's own words; no model was used\n\n- I moved to Bern.\n- Please remember" in log
    assert "Noted" not in log
    assert [entry.text for entry in memory.entries()] == ["User requested: Is allergic to nuts"]
    assert len(report.saved) == 1
    assert memory.log_session("talk", None).messages == 0
    assert "Bern" in memory.search("Bern").hits[0].text


@pytest.mark.req("LOG-6")
def test_a_long_extract_says_how_much_more_there_is() -> None:
    text = digest([user(f"I did thing {n} today.", n) for n in range(40)] + [user("Really?", 99)], "talk")
    assert text.count("\n- I did thing") == MOST_SENTENCES
    assert f"({41 - MOST_SENTENCES} more of the user's sentences are in the transcript talk.)" in text


@pytest.mark.parametrize("said", ["I write C++", "Use --fast for tests", "Call +41 44 111 22 33", "I love #gardening"])
def test_an_extract_takes_no_character_off_what_was_said(said: str) -> None:
    for marked in (said, f"- {said}", f"> * {said}", f"## {said}"):
        assert f"\n- {said}" in digest([user(marked)], "talk")


@given(st.lists(st.text(max_size=80), min_size=1, max_size=5))
def test_any_conversation_has_an_extract(texts: list[str]) -> None:
    assert digest([user(text) for text in texts], "talk").strip()
    for text in texts:
        kept_of(text)
