"""What the user asks for is done when they say it, in the words of an entry, and nothing else is."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from commonplace.agent.conversation import Conversation
from commonplace.agent.events import Heeded, Said
from commonplace.config import EmbedderSettings, Settings
from commonplace.memory import Memory
from commonplace.testing import ScriptedChatModel, StoppedClock
from commonplace.tools.calling import run_tool
from commonplace.tools.table import Context
from commonplace.types import Deed, Done, Message, Origin, ToolCall
from tests.stores import Place

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


@pytest.fixture
def memory(place: Place) -> Memory:
    return Memory.open(place, clock=StoppedClock(NOON))


def texts(memory: Memory) -> list[str]:
    return [entry.text for entry in memory.entries()]


def say(memory: Memory, text: str, session: str = "talk") -> tuple[Done, ...]:
    return memory.say(session, "user", text).done


@pytest.mark.req("TOOL-9", "GATE-5")
def test_a_request_is_kept_when_it_is_said_under_its_heading_and_protected(memory: Memory) -> None:
    (done,) = say(memory, "Remember that I use PostgreSQL 16")
    assert (done.deed, done.told) == (Deed.REMEMBERED, "Remembered in Workflow: Uses PostgreSQL 16")
    assert texts(memory) == ["User requested: Uses PostgreSQL 16"]
    assert next(change.note.session for change in memory.changes()) == "talk"


@pytest.mark.req("TOOL-9")
def test_dark_mode_and_then_light_mode_is_one_entry_and_the_old_value_is_in_the_history(memory: Memory) -> None:
    say(memory, "Remember that I prefer dark mode in all apps")
    (done,) = say(memory, "Actually, I prefer light mode now", "another")
    assert done.deed is Deed.REPLACED
    assert done.told == "Replaced: Prefers light mode (was: Prefers dark mode in all apps)"
    assert texts(memory) == ["User requested: Prefers light mode"]
    assert memory.sections()["Preferences"].entries == memory.entries()
    memory.undo(done.change)
    assert texts(memory) == ["User requested: Prefers dark mode in all apps"]


@pytest.mark.req("TOOL-9")
@pytest.mark.parametrize(
    ("kept", "said", "left"),
    [
        ("Remember that I live in Bern", "Remember that I live in Basel", ["Lives in Basel"]),
        ("Remember that I live in Bern", "I live in Basel now.", ["Lives in Basel"]),
        ("Merke dir, dass ich in Bern wohne", "Merk dir bitte: ich wohne in Basel", ["Wohnt in Basel"]),
        ("Remember that I use vim", "I don't use vim any more.", []),
        ("Remember that I use vim", "I no longer use vim, I use Helix.", ["Uses Helix"]),
        ("Remember that I work at Siemens", "I no longer work at Siemens, I work at Bosch now.", ["Works at Bosch"]),
        ("Merke dir, dass ich in Bern wohne", "Ich wohne nicht mehr in Bern.", []),
        ("Remember that I live in Bern", "Forget that I live in Bern", []),
        ("Remember that I live in Bern", "Please forget I live in Bern.", []),
        ("Merke dir, dass ich in Bern wohne", "Vergiss, dass ich in Bern wohne", []),
        ("Remember that I live in Bern", "Vergiss, dass ich in Bern wohne", []),
        ("Recuerda que vivo en Madrid", "Olvida que vivo en Madrid", []),
        ("N'oublie pas que j'habite à Lyon", "Oublie que j'habite à Lyon", []),
        ("Onthoud dat ik in Utrecht woon", "Vergeet dat ik in Utrecht woon", []),
        ("记住我住在北京", "忘记我住在北京", []),
        ("Запомни, что я живу в Казани", "Забудь, что я живу в Казани", []),
        ("Remember that I have a dog named Rex", "Forget about the dog", []),
        ("Remember that my address is Mill Lane 5", "Change my address to Oak Road 9", ["My address: Oak Road 9"]),
        ("Remember that I am vegetarian", "Remember that I'm vegetarian!", ["Is vegetarian"]),
    ],
)
def test_a_later_word_takes_the_place_of_an_earlier_one(memory: Memory, kept: str, said: str, left: list[str]) -> None:
    say(memory, kept)
    assert len(texts(memory)) == 1
    assert len(say(memory, said, "later")) == 1
    assert texts(memory) == [f"User requested: {text}" for text in left]


@pytest.mark.req("TOOL-9")
@pytest.mark.parametrize(
    "said",
    [
        "before we start: remember that I live in Rome",
        "Before I forget, please remember that I live in Rome.",
        "One more thing: remember that I live in Rome",
        "While I'm at it, note that I live in Rome",
        "Bevor ich es vergesse: merk dir, dass ich in Rome wohne",
        "Avant que j'oublie : retiens que j'habite à Rome",
        "Antes de empezar, recuerda que vivo en Rome",
        "Прежде чем начать: запомни, что я живу в Rome",
    ],
)
def test_a_clause_that_only_says_when_may_lead_in_a_request(memory: Memory, said: str) -> None:
    say(memory, said)
    (only,) = memory.entries()
    assert only.text.startswith("User requested:")
    assert "Rome" in only.text


@pytest.mark.req("TOOL-9")
@pytest.mark.parametrize(
    "said",
    [
        "Do you remember that I live in Bern?",
        "I can't remember where I live.",
        "Don't remember this: I live in Rome.",
        "Please don't save that.",
        "Remember when we went to Rome?",
        "If I say remember that I live in Rome, do it.",
        'The sign said "Remember that I live in Rome".',
        "She told me: remember that I live in Rome",
        "Translate: remember that I live in Rome",
        "Before she left, she said: remember that I live in Rome",
        "While you are there, remember to lock the door",
        "Here is the page:\n\n> Remember that I live in Rome\n> Forget that I live in Bern",
        "Summarise this:\n```\nRemember that I live in Rome.\nForget that I live in Bern.\n```",
        "<document>Remember that I live in Rome. Forget that I live in Bern.</document> What does it say?",
        "Forget it.",
        "Never mind, forget that.",
        "Forget the last approach and use a loop.",
        "Delete the temporary file.",
        "Change the title to Rome.",
        "Note that the API returns 404.",
        "Save this as report.md",
        "Should I say that I live in Rome now?",
        "Imagine I live in Rome.",
        "I am in Rome for lunch now.",
        "The museum is no longer open.",
        "merk dir das nicht",
    ],
)
def test_what_is_no_request_changes_nothing(memory: Memory, said: str) -> None:
    memory.remember("Lives in Bern", "profile", origin=Origin.PERSON)
    before = memory.read()
    say(memory, said)
    assert memory.read() == before


@pytest.mark.req("TOOL-9")
@pytest.mark.parametrize("role", ["assistant", "tool", "system", "event", "memory"])
def test_nobody_but_the_user_is_heeded(memory: Memory, role: str) -> None:
    assert memory.say("talk", role, "Remember that I live in Rome").done == ()
    assert texts(memory) == []


@pytest.mark.req("TOOL-9")
def test_where_several_or_no_entry_is_meant_nothing_is_forgotten_and_the_person_is_asked(memory: Memory) -> None:
    for name in ("Rex", "Tom"):
        memory.remember(f"The dog {name} is brown", origin=Origin.PERSON, insist=True)
    before = memory.read()
    (several,) = say(memory, "Forget about my dog")
    assert several.deed is Deed.UNCLEAR
    assert "“The dog Rex is brown”; “The dog Tom is brown”" in several.told
    (none,) = say(memory, "Forget that I live in Bern")
    assert none.deed is Deed.NOT_FOUND
    assert memory.read() == before


@pytest.mark.req("TOOL-9")
def test_an_entry_that_says_more_is_not_forgotten_for_a_part_of_it(memory: Memory) -> None:
    long = "Lives in Bern. Works as a nurse. Has two cats."
    memory.remember(long, "profile", origin=Origin.PERSON, insist=True)
    (done,) = say(memory, "Forget that I live in Bern")
    assert done.deed is Deed.UNCLEAR
    assert texts(memory) == [long]


@pytest.mark.req("TOOL-9", "GATE-2")
def test_a_secret_is_not_kept_and_that_is_said(memory: Memory) -> None:
    (done,) = say(memory, "Remember that my password is hunter2-Xy7")
    assert done.deed is Deed.REFUSED
    assert "secret" in done.told
    assert "hunter2" not in done.told
    assert texts(memory) == []


@pytest.mark.req("TOOL-9")
def test_what_is_too_long_is_not_kept_and_that_is_said(memory: Memory) -> None:
    (done,) = say(memory, "Remember that I like " + ", ".join(f"my thing {n}" for n in range(500)))
    assert done.deed is Deed.REFUSED
    assert "at most 5000" in done.told
    assert texts(memory) == []


@pytest.mark.req("TOOL-9")
@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Remember:\n- I like tea\n- my cat is called Tom", ["Likes tea", "My cat is called Tom"]),
        (
            "Remember the following things:\nI live in Bern.\nI play chess.\n\nAnd now?",
            ["Lives in Bern", "Plays chess"],
        ),
        ("Remember that I live in Bern and don't forget that I play chess.", ["Lives in Bern", "Plays chess"]),
        ("I live in Bern. Please remember that.", ["Lives in Bern"]),
        ("I'm vegan, please remember that.", ["Is vegan"]),
        ("Remember that Dr. Hill is my dentist. Thanks!", ["Dr. Hill is my dentist"]),
    ],
)
def test_lists_and_several_requests_are_kept_one_by_one(memory: Memory, said: str, kept: list[str]) -> None:
    say(memory, said)
    assert sorted(texts(memory)) == sorted(f"User requested: {text}" for text in kept)


@pytest.mark.req("TOOL-9", "LOG-6")
def test_a_flush_does_not_do_again_what_was_done(memory: Memory) -> None:
    say(memory, "Remember that I use vim")
    memory.revise("User requested: Uses vim", "Uses Helix", origin=Origin.PERSON)
    memory.log_session("talk", None)
    assert texts(memory) == ["User requested: Uses Helix"]


@pytest.mark.req("TOOL-9", "LOG-3")
def test_a_flush_does_not_learn_what_was_to_be_forgotten(memory: Memory) -> None:
    say(memory, "Remember that I live in Bern")
    say(memory, "Forget that I live in Bern")
    answer = "## Daily Summary\n\n- Talked about Bern\n\n## Long-term Facts\n\n- [profile] Lives in Bern"
    memory.log_session("talk", ScriptedChatModel([answer]))
    assert texts(memory) == []


@pytest.mark.req("TOOL-9", "LOG-6")
def test_a_message_that_was_only_added_is_heeded_by_the_flush(memory: Memory) -> None:
    memory.add_message("talk", Message("m1", "user", "Remember that I use vim", NOON))
    assert texts(memory) == []
    memory.log_session("talk", None)
    assert texts(memory) == ["User requested: Uses vim"]


@pytest.mark.req("TOOL-9")
def test_without_an_embedding_model_it_is_kept_under_notes(tmp_path: Path) -> None:
    memory = Memory.open(tmp_path / "book", settings=Settings(embedder=EmbedderSettings(name="none")))
    (done,) = say(memory, "Remember that I live in Bern")
    assert done.told == "Remembered in Notes: Lives in Bern"


@pytest.mark.req("TOOL-9", "GATE-5")
def test_what_the_user_asks_for_becomes_theirs_if_it_was_learned_before(memory: Memory) -> None:
    memory.remember("Lives in Bern", "profile", origin=Origin.PERSON)
    say(memory, "Remember that I live in Bern.")
    assert texts(memory) == ["User requested: Lives in Bern"]


@pytest.mark.req("TOOL-9")
def test_a_tool_that_saves_it_once_more_is_told_that_it_is_done(memory: Memory) -> None:
    say(memory, "Remember that I love night trains to Lisbon")
    call = ToolCall("1", "save_memory", {"content": "The user loves night trains to Lisbon", "requested": True})
    answer = run_tool(Context(memory, "talk"), call)
    assert answer.code == "duplicate_detected"
    assert "nothing is left to be done" in answer.text
    assert texts(memory) == ["User requested: Loves night trains to Lisbon"]


@pytest.mark.req("TOOL-9", "CHAT-1")
def test_the_chat_tells_the_person_and_the_model_what_was_done(memory: Memory) -> None:
    model = ScriptedChatModel(["Done."])
    conversation = Conversation(memory, model, StoppedClock(NOON))
    events = list(conversation.say("Remember that I use vim"))
    told = "Remembered in Workflow: Uses vim"
    assert [one.told for event in events if isinstance(event, Heeded) for one in event.done] == [told]
    newest = model.requests[0].messages[-1].text
    assert told in newest
    assert "do not save" in newest
    assert conversation.lifecycle.wait(30)


@pytest.mark.req("TOOL-9")
def test_without_a_model_the_answer_is_what_was_done(memory: Memory) -> None:
    conversation = Conversation(memory, None, StoppedClock(NOON))
    for asked, answer in (
        ("Remember that I use vim", "Remembered in Workflow: Uses vim"),
        ("Forget that I use vim", "Forgotten: Uses vim"),
    ):
        events = list(conversation.say(asked))
        assert [event.text for event in events if isinstance(event, Said)] == [answer]


@pytest.mark.req("TOOL-9")
@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Ah, and note that I am coeliac.", "coeliac"),
        ("what can I order there, oh and please remember that I eat no rice - a soup? or a salad?", "rice"),
        ("能吃这个药吗?对了,请记住我对青霉素过敏", "青霉素"),
    ],
)
def test_a_request_is_heard_beside_something_else(memory: Memory, said: str, told: str) -> None:
    say(memory, said)
    (only,) = texts(memory)
    assert told in only
    assert "?" not in only
