"""The scenarios that Commonplace was first asked for, each by its name. The model's part is played by scripts: one that
behaves like a good model, one like a bad one, and where that makes sense none at all."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

import pytest

from commonplace.agent.conversation import Conversation
from commonplace.flows.consolidating import words
from commonplace.memory import Memory
from commonplace.testing import Answer, ScriptedChatModel, StoppedClock
from commonplace.types import ChatMessage, Message, ToolCall
from commonplace.types.compaction import MemoryCompacted
from tests.agent.conftest import is_flush, logs
from tests.stores import Place, got

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
NO_FACTS = "None"


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock(NOON)


@pytest.fixture
def memory(place: Place, clock: StoppedClock) -> Memory:
    return Memory.open(place, clock=clock)


class Player:
    """A model that calls tools when it hears certain words in the chat, and tells its facts at a flush."""

    def __init__(self, facts: str, calls: Sequence[tuple[str, ToolCall]] = ()) -> None:
        self._facts = facts
        self._calls = dict(calls)
        self.model = ScriptedChatModel(self._answer, window=16_384)

    def _answer(self, messages: Sequence[ChatMessage]) -> Answer:
        if is_flush(messages):
            said = re.findall(r"^\| (.*)$", messages[-1].text, re.MULTILINE)
            return f"## Daily Summary\n\n- {' / '.join(said)[:300]}\n\n## Long-term Facts\n\n{self._facts}"
        heard = next((message.text for message in reversed(messages) if message.role == "user"), "")
        wanted = next((cue for cue in self._calls if cue in heard), None)
        return "All right." if wanted is None else (self._calls.pop(wanted),)


def save(content: str, category: str = "preferences") -> ToolCall:
    return ToolCall(f"call-{abs(hash(content))}", "save_memory", {"content": content, "category": category})


def update(old: str, new: str) -> ToolCall:
    return ToolCall(f"call-{abs(hash(old + new))}", "update_memory", {"old_text": old, "new_text": new})


def talk(memory: Memory, clock: StoppedClock, player: Player | None, *texts: str) -> None:
    """One conversation from its beginning to its end, in the log when it is over."""
    conversation = Conversation(memory, player.model if player else None, clock)
    for text in texts:
        list(conversation.say(text))
        clock.move(timedelta(minutes=1))
    conversation.end()
    assert conversation.lifecycle.wait(60)
    assert conversation.lifecycle.failures() == []
    conversation.leave()
    clock.move(timedelta(hours=1))


def texts_of(memory: Memory) -> list[str]:
    return [entry.text for entry in memory.entries()]


def in_history(memory: Memory, text: str) -> bool:
    return any(text in (file.before or "") for change in memory.changes() for file in memory.diff(change.id))


# -- three model switches


SWITCHES = ("Switch to Haiku please", "Use Opus for the next one", "Back to Sonnet now")
TALKATIVE = """- [preferences] User's preferred model is Haiku
- [workflow] Switches between Haiku, Opus and Sonnet
- [notes] The current model is Sonnet
- [preferences] Likes Opus for the next question"""


@pytest.mark.req("LOG-3", "GATE-4")
@pytest.mark.parametrize("bad", [False, True])
def test_three_model_switches_in_one_conversation(memory: Memory, clock: StoppedClock, bad: bool) -> None:
    calls = [
        (SWITCHES[0], save("User's preferred model is Haiku")),
        (SWITCHES[1], save("Uses Claude Opus now", "workflow")),
        (SWITCHES[2], save("User switched the model back to Sonnet", "notes")),
    ]
    talk(memory, clock, Player(TALKATIVE, calls) if bad else Player(NO_FACTS), *SWITCHES)
    assert not re.search("haiku|opus|sonnet", memory.read(), re.IGNORECASE)


# -- dark mode, later light mode


DARK = "Remember that I prefer dark mode in all apps"
LIGHT = "Actually, I prefer light mode now"


@pytest.mark.req("TOOL-9", "LOG-10", "GATE-5")
@pytest.mark.parametrize("kind", ["good", "bad", "none"])
def test_dark_mode_and_later_light_mode(memory: Memory, clock: StoppedClock, kind: str) -> None:
    first, second = {
        "good": (
            Player("- [preferences] Prefers dark mode in all apps", [(DARK, save("Prefers dark mode in all apps"))]),
            Player("- [preferences] Prefers light mode in all apps"),
        ),
        "bad": (
            Player("- [profile] Lives in a dark house"),
            Player("- [preferences] Prefers dark mode and light mode"),
        ),
        "none": (None, None),
    }[kind]
    talk(memory, clock, first, DARK, "thanks")
    assert [re.search("dark mode", text) is not None for text in texts_of(memory)] == [True]
    talk(memory, clock, second, LIGHT, "thanks")
    (only,) = texts_of(memory)
    assert "light mode" in only
    assert "dark" not in only
    assert in_history(memory, "dark mode in all apps")
    assert memory.why(only).changes


# -- the same wish in three conversations


WISHES = (
    ("Please clean up my promotional e-mail every week", "- [workflow] Wants promotional e-mail cleaned up every week"),
    ("Clear out the promo mails again, I want that weekly", "- [preferences] Wants promo mails cleared out weekly"),
    (
        "Weekly: get rid of promotional emails, as always",
        "- [workflow] Gets rid of promotional emails weekly, as always",
    ),
)


@pytest.mark.req("LOG-10", "GATE-1")
@pytest.mark.parametrize("bad", [False, True])
def test_the_same_wish_in_three_conversations_in_three_wordings(memory: Memory, clock: StoppedClock, bad: bool) -> None:
    for wish, fact in WISHES:
        invented = "\n- [profile] Works in e-mail marketing" if bad else ""
        calls = [(wish, save(fact.partition("] ")[2], "workflow"))] if bad else []
        talk(memory, clock, Player(fact + invented, calls), wish, "thanks")
    (only,) = texts_of(memory)
    assert re.search("promo", only)


# -- a screenshot


@pytest.mark.req("LOG-8", "GATE-4")
@pytest.mark.parametrize("asked", [False, True])
@pytest.mark.parametrize("bad", [False, True])
def test_a_screenshot_is_shared(memory: Memory, clock: StoppedClock, bad: bool, asked: bool) -> None:
    shown = "[screenshot of a living room] which lamp would fit beside the sofa?"
    facts = "- [profile] Has a grey sofa, a red rug and white walls\n- [notes] The screenshot shows a plant and a rug"
    calls = [(shown, save("Living room has a grey sofa and a red rug", "notes"))]
    more = ["Remember that the rug is 2 by 3 metres"] if asked else []
    talk(memory, clock, Player(facts, calls) if bad else Player(NO_FACTS), shown, "an arc lamp then", *more)
    assert not re.search("sofa|red rug|walls|plant", memory.read(), re.IGNORECASE)
    assert [("2" in text and "rug" in text) for text in texts_of(memory)] == [True] * asked


# -- PostgreSQL 16


@pytest.mark.req("TOOL-9", "GATE-5")
@pytest.mark.parametrize("kind", ["good", "bad", "none"])
def test_remember_that_i_use_postgresql_16(memory: Memory, clock: StoppedClock, kind: str) -> None:
    wish = "Remember that I use PostgreSQL 16"
    good = Player("- [workflow] Uses PostgreSQL 16", [(wish, save("Uses PostgreSQL 16", "workflow"))])
    talk(memory, clock, {"good": good, "bad": Player(NO_FACTS), "none": None}[kind], wish, "thanks")
    (only,) = texts_of(memory)
    assert only.startswith("User requested:")
    assert "PostgreSQL 16" in only
    tampering = Player(
        "- [workflow] Uses MySQL 8", [("weather", update(only, "")), ("holiday", update(only, "Uses MySQL 8"))]
    )
    talk(memory, clock, tampering, "what is the weather like", "when is the next holiday")
    assert only in texts_of(memory), "only the user's own word removes it"


# -- a memory of sixteen entries is compacted


SIXTEEN = [
    ("Workflow", "Switched the model to Haiku on 2 March"),
    ("Workflow", "Switched the model to Opus on 3 March"),
    ("Notes", "Current model is Sonnet"),
    ("Notes", "User changed the model from Sonnet to Haiku"),
    ("Preferences", "Is using Opus for this conversation"),
    ("Notes", "Model was switched back to Haiku"),
    ("Workflow", "Wants promotional e-mail cleaned up"),
    ("Preferences", "Asked to clean up promotional emails"),
    ("Notes", "Wants promotional mail to be cleaned up"),
    ("Notes", "The screenshot shows a red rug in front of the sofa"),
    ("Preferences", "Prefers dark mode"),
    ("Interests", "Likes to play the card game Hearts"),
    ("User Profile", "Works as a landscape architect"),
    ("Notes", "Screenshots are taken at 1440 by 900"),
    ("Preferences", "Prefers short answers"),
    ("Preferences", "Prefers light mode"),
]
IDEAL = """# Long-term Memory

## User Profile
- [{profession}] Works as a landscape architect

## Preferences
- [{short}] Prefers short answers
- [{light}] Prefers light mode

## Interests
- [{hearts}] Likes to play the card game Hearts

## Workflow
- [{mail}] Wants promotional e-mail cleaned up

## Notes
- [{size}] Screenshots are taken at 1440 by 900

## Dropped
{dropped}"""


def sixteen(memory: Memory, clock: StoppedClock) -> None:
    for section, text in SIXTEEN:
        memory.remember(text, section=section, insist=True)
        clock.move(timedelta(days=1))


def ideal(messages: Sequence[ChatMessage]) -> str:
    """What a good model answers to the entries as they are shown to it."""
    number = {text: n for n, text in re.findall(r"\[(\d+)\][^\n]*\n?\|? ?(.*)", messages[0].text)}
    number |= {
        text: n
        for n, text in re.findall(r"^\| ?\[?(\d+)[\].)]\s*(?:\([^)]*\)\s*)?(.+)$", messages[0].text, re.MULTILINE)
    }

    def of(start: str) -> str:
        return next(n for text, n in number.items() if text.startswith(start))

    transient = [text for _, text in SIXTEEN[:6]] + [SIXTEEN[9][1]]
    dropped = [f"- [{of(text)}] transient" for text in transient]
    dropped += [f"- [{of(SIXTEEN[at][1])}] duplicate of [{of(SIXTEEN[6][1])}]" for at in (7, 8)]
    dropped += [f"- [{of('Prefers dark')}] superseded by [{of('Prefers light')}]"]
    return IDEAL.format(
        profession=of("Works as"),
        short=of("Prefers short"),
        light=of("Prefers light"),
        hearts=of("Likes to play"),
        mail=of("Wants promotional e-mail"),
        size=of("Screenshots are"),
        dropped="\n".join(dropped),
    )


@pytest.mark.req("CMP-2", "CMP-3", "CMP-4", "CMP-6")
def test_a_memory_of_sixteen_entries_is_compacted(memory: Memory, clock: StoppedClock) -> None:
    sixteen(memory, clock)
    before = got(memory, "MEMORY.md")
    outcome = memory.compact(ScriptedChatModel(ideal, window=16_384))
    assert isinstance(outcome, MemoryCompacted)
    left = texts_of(memory)
    assert not [text for text in left if re.search("haiku|opus|sonnet|rug", text, re.IGNORECASE)]
    assert len([text for text in left if "promotional" in text]) == 1
    assert [text for text in left if "mode" in text] == ["Prefers light mode"]
    for kept in (11, 12, 13, 14):
        assert SIXTEEN[kept][1] in left
    assert len(left) == 6
    titles = [title for title in memory.sections() if any(e.section == title for e in memory.entries())]
    assert titles == [
        t for t in ("User Profile", "Preferences", "Interests", "Workflow", "Projects", "Notes") if t in titles
    ]
    found = memory.search("which colour mode", limit=10).hits
    assert any("light mode" in hit.text for hit in found)
    assert not any("dark mode" in hit.text for hit in found)
    memory.restore(memory.backups()[-1].name)
    assert got(memory, "MEMORY.md") == before


@pytest.mark.req("CMP-4")
def test_a_bad_model_compacts_nothing_away(memory: Memory, clock: StoppedClock) -> None:
    sixteen(memory, clock)
    before = texts_of(memory)
    memory.compact(
        ScriptedChatModel(["I'm sorry, I can't do that.", "# Long-term Memory\n\n## Notes\n- Nothing of note."])
    )
    assert texts_of(memory) == before


# -- a summary beyond 600 words


def rounds(memory: Memory, model: ScriptedChatModel, count: int) -> None:
    for number in range(count):
        for at in range(120):
            text = f"In round {number} we spoke of topic {at}."
            if (number, at) == (0, 1):
                text = "We decided not to migrate to Kafka."
            role = ("user", "assistant")[at % 2]
            memory.add_message(
                "long", Message(f"m{number}-{at}", role, text, NOON + timedelta(minutes=number * 120 + at))
            )
        memory.consolidate("long", model)


@pytest.mark.req("SES-3")
@pytest.mark.parametrize("bad", [False, True])
def test_a_summary_that_grew_past_600_words_after_many_rounds(memory: Memory, bad: bool) -> None:
    decision = "We decided not to migrate to Kafka."

    def answer(messages: Sequence[ChatMessage]) -> str:
        text = messages[-1].text
        if "[summary]" in text:
            if bad:
                return "They spoke of several topics. We decided to migrate to Kafka."
            topics = "; ".join(sorted(set(re.findall(r"topic \d+ of round \d+", text))))
            return f"{decision} They spoke of {topics}."
        first = f"{decision} " if decision in text else ""
        spoken = re.findall(r"In round (\d+) we spoke of topic (\d+)", text)
        return first + " ".join(f"They spoke at some length of topic {at} of round {number}." for number, at in spoken)

    rounds(memory, ScriptedChatModel(answer, window=32_768), 4)
    summary = memory.session_summary("long")
    assert "not to migrate to Kafka" in summary
    assert "decided to migrate" not in summary
    if bad:
        assert words(summary) > 600, "rather long than untrue"


# -- two sessions, left overnight


@pytest.mark.req("LOG-4", "LOG-5", "TRIG-1", "TRIG-2")
@pytest.mark.parametrize("bad", [False, True])
def test_two_sessions_switched_to_and_fro_and_left_overnight(memory: Memory, clock: StoppedClock, bad: bool) -> None:
    clock.move(timedelta(hours=10))
    player = Player("- [profile] Is called John Doe" if bad else NO_FACTS)
    conversation = Conversation(memory, player.model, clock)
    conversation.begin()

    def say(text: str) -> None:
        list(conversation.say(text))
        clock.move(timedelta(minutes=1))
        assert conversation.lifecycle.wait(60)

    say("The ferry to Tallinn leaves on pier alpha")
    first = str(conversation.session)
    conversation.new()
    say("My greenhouse needs a new pane bravo")
    second = str(conversation.session)
    conversation.switch(first)
    say("We take the ferry at seven charlie")
    conversation.switch(second)
    say("The pane costs forty delta")
    clock.move(timedelta(hours=9))
    say("Good morning, the pane has come echo")
    conversation.switch(first)
    say("The ferry was on time foxtrot")
    conversation.leave()
    assert conversation.lifecycle.wait(60)
    days = {date(2026, 5, 4): ("alpha", "bravo", "charlie", "delta"), date(2026, 5, 5): ("echo", "foxtrot")}
    assert sorted(memory.log_days()) == list(days)
    for day, said in days.items():
        for word in said:
            assert memory.read_log(day).count(word) == 1, word
            assert logs(memory).count(word) == 1, word
    assert [memory.session_info(session).unlogged for session in (first, second)] == [0, 0]
    assert "John Doe" not in memory.read()


@pytest.mark.req("CMP-1", "TRIG-2")
def test_the_start_of_the_second_day_compacts_if_that_is_due_and_once(memory: Memory, clock: StoppedClock) -> None:
    for number in range(60):
        memory.remember(
            f"Has a friend called Person{number} who lives in Town{number} since {1950 + number}", insist=True
        )
    asked: list[str] = []

    def answer(messages: Sequence[ChatMessage]) -> Answer:
        if not is_flush(messages):
            return "Good morning."
        text = messages[-1].text
        if "This was said on" not in text:
            asked.append(text)
            return "I'm sorry, I can't do that."
        return f"## Daily Summary\n- {re.findall(r'^. (.*)$', text, re.MULTILINE)[0]}\n\n## Long-term Facts\nNone"

    for _ in range(2):
        conversation = Conversation(memory, ScriptedChatModel(answer, window=32_768), clock)
        conversation.begin()
        list(conversation.say("Hello again, it is me"))
        conversation.leave()
        assert conversation.lifecycle.wait(60)
        if not asked:
            clock.move(timedelta(days=1))
    first_day = len(asked)
    assert first_day > 0, "it was due on the second day"
    again = Conversation(memory, ScriptedChatModel(answer, window=32_768), clock)
    again.begin()
    list(again.say("Hello a third time"))
    again.leave()
    assert again.lifecycle.wait(60)
    assert len(asked) == first_day, "once a day"
