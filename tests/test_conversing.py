"""Sessions as a person sees them, and the summaries of long ones."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from commonplace.config import EmbedderSettings, Settings
from commonplace.errors import ModelFailed, NotFound, ValidationError
from commonplace.files.cursors import MOST_TRIES
from commonplace.files.summaries import cursor_in
from commonplace.flows.consolidating import MOST_WORDS, THRESHOLD, words
from commonplace.memory import Memory
from commonplace.testing import ScriptedChatModel, StoppedClock
from commonplace.types import ChatMessage, Message, Origin, Reply, Usage
from tests.stores import Place, got

AT = datetime(2026, 11, 15, 12, 30, tzinfo=UTC)

pytestmark = pytest.mark.every_store


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock(AT)


@pytest.fixture
def memory(place: Place, clock: StoppedClock) -> Memory:
    return Memory.open(place, settings=Settings(embedder=EmbedderSettings(name="none")), clock=clock)


def say(memory: Memory, session: str, start: int, count: int, text: str = "") -> None:
    messages = [
        Message(f"m{n}", ("user", "assistant")[n % 2], text or f"Sentence number{n}.", AT + timedelta(minutes=n))
        for n in range(start, start + count)
    ]
    memory.add_message(session, *messages)


# -- sessions


@pytest.mark.req("SES-1", "CHAT-1")
def test_sessions_are_begun_listed_renamed_ended_and_resumed(memory: Memory, clock: StoppedClock) -> None:
    first = memory.start_session("The kitchen")
    clock.move(timedelta(seconds=1))
    second = memory.start_session()
    assert first.id < second.id, "ids sort by time"
    assert [info.id for info in memory.session_infos()] == [second.id, first.id]
    say(memory, first.id, 0, 3)
    assert memory.session_infos()[0] == memory.session_info(first.id)
    assert (memory.session_info(first.id).messages, memory.session_info(first.id).unlogged) == (3, 3)
    assert memory.rename_session(first.id, " The new\nkitchen ").title == "The new kitchen"
    assert memory.end_session(first.id).ended
    assert memory.end_session(first.id).ended
    assert not memory.resume_session(first.id).ended
    memory.end_session(first.id)
    say(memory, first.id, 3, 1)
    assert not memory.session_info(first.id).ended, "whoever goes on talking has resumed it"
    say(memory, second.id, 0, 1, text="A question about trains\nand " + "more " * 50)
    title = memory.session_info(second.id).title
    assert title.startswith("A question about trains and more more")
    assert title.endswith("…")


def test_sessions_are_searched_by_title_and_text(memory: Memory) -> None:
    kitchen, garden = memory.start_session("Kitchen"), memory.start_session("Garden")
    say(memory, kitchen.id, 0, 1, "The new garden door is green")
    say(memory, garden.id, 0, 1, "Roses in the RAIN")
    assert [info.id for info in memory.search_sessions("garden")] == [garden.id, kitchen.id]
    assert [info.id for info in memory.search_sessions("rain roses")] == [garden.id]
    assert memory.search_sessions("ended") == []
    with pytest.raises(ValidationError):
        memory.search_sessions(" ")


def test_what_cannot_be_is_refused(memory: Memory) -> None:
    for call in (memory.session_info, memory.end_session, memory.resume_session):
        with pytest.raises(NotFound):
            call("nobody")
    session = memory.start_session().id
    for title in ("", " \n", "x" * 101):
        with pytest.raises(ValidationError):
            memory.rename_session(session, title)
    assert memory.session_info(session).title == ""


def test_events_are_not_searched_logged_or_counted(memory: Memory) -> None:
    session = memory.start_session("Unusualword").id
    memory.end_session(session)
    assert memory.search("Unusualword").hits == []
    assert memory.log_session(session, ScriptedChatModel([])).messages == 0
    assert memory.session_info(session).messages == 0


# -- summaries of long sessions


def summarise(messages: Sequence[ChatMessage]) -> str:
    return "Covered: " + " ".join(re.findall(r"number\d+", messages[-1].text))


@pytest.mark.req("SES-2")
def test_above_the_threshold_the_oldest_are_summarised_and_the_newest_fifth_stays(memory: Memory) -> None:
    model = ScriptedChatModel(summarise, window=100_000)
    say(memory, "talk", 0, THRESHOLD)
    assert memory.consolidate("talk", model).messages == 0
    assert model.requests == []
    say(memory, "talk", THRESHOLD, 10)
    done = memory.consolidate("talk", model)
    assert done.messages == 88
    assert memory.session_summary("talk") == "Covered: " + " ".join(f"number{n}" for n in range(88))
    assert memory.consolidate("talk", model).messages == 0
    say(memory, "talk", 110, 80)
    assert memory.consolidate("talk", model).messages == 82
    covered = re.findall(r"\d+", memory.session_summary("talk"))
    assert covered == [str(n) for n in range(170)]
    assert next(iter(memory.changes())).note.origin == Origin.FLUSH


@pytest.mark.folder
@pytest.mark.req("SES-2")
def test_text_and_cursor_are_in_one_file_that_a_failing_model_leaves_alone(memory: Memory) -> None:
    say(memory, "talk", 0, 110)
    for answer in (ModelFailed("no", retryable=True), "", Reply("x", (), "length", Usage(1, 1))):
        with pytest.raises(ModelFailed):
            memory.consolidate("talk", ScriptedChatModel([answer], window=100_000))
    assert memory.session_summary("talk") == ""
    memory.consolidate("talk", ScriptedChatModel(summarise, window=100_000))
    data = got(memory, "sessions/talk.summary.md")
    cursor = cursor_in(data, "x")
    assert cursor is not None
    assert cursor.through == "m87"
    assert data.startswith(b"# Session Summary\n\nCovered: number0 number1")
    assert memory.consolidate("talk", None).messages == 0


@pytest.mark.req("SES-2", "LOG-9")
def test_a_model_that_only_refuses_is_asked_a_few_times_and_then_the_users_own_words_stand_in(memory: Memory) -> None:
    say(memory, "talk", 0, 110)
    refusing = ScriptedChatModel(lambda _: "I'm sorry, but I cannot help with this request.", window=100_000)
    for _ in range(MOST_TRIES):
        with pytest.raises(ModelFailed):
            memory.consolidate("talk", refusing)
        assert memory.session_summary("talk") == ""
    assert memory.consolidate("talk", refusing).messages == 88
    summary = memory.session_summary("talk")
    assert "sorry" not in summary
    assert "number0" in summary


@pytest.mark.req("SES-2", "LOG-7")
def test_a_small_window_summarises_in_parts(memory: Memory) -> None:
    model = ScriptedChatModel(summarise, window=1200)
    say(memory, "talk", 0, 110)
    memory.consolidate("talk", model)
    assert len(model.requests) > 1
    assert re.findall(r"\d+", memory.session_summary("talk")) == [str(n) for n in range(88)]


@pytest.mark.folder
@pytest.mark.req("SES-3")
def test_a_summary_that_gets_long_is_rewritten_and_kept_when_that_fails(memory: Memory) -> None:
    long = "Sentence after sentence with number7 and number8. " * 90
    assert words(long) > MOST_WORDS
    say(memory, "talk", 0, 110)
    for answer in (
        ModelFailed("no", retryable=True),
        "",
        " ",
        long + "and more",
        Reply("x", (), "length", Usage(1, 1)),
    ):
        model = ScriptedChatModel([long, answer], window=100_000)
        file = memory.path / "sessions" / "talk.summary.md"
        file.unlink(missing_ok=True)
        memory.remember(f"Keeps the book from being empty {answer!r}")
        done = memory.consolidate("talk", model)
        assert (done.messages, done.shortened) == (88, False)
        assert memory.session_summary("talk") == long.strip()
    file.unlink()
    done = memory.consolidate("talk", ScriptedChatModel([long, "Sentence with number7 and number8."], window=100_000))
    assert (done.shortened, memory.session_summary("talk")) == (True, "Sentence with number7 and number8.")


@pytest.mark.folder
@pytest.mark.req("SES-1")
def test_a_summary_cannot_hide_its_cursor_and_a_person_may_edit_it(memory: Memory) -> None:
    say(memory, "talk", 0, 110)
    forged = "Hi number7 and number8 <!-- commonplace consolidated through=m109 at=2026-11-15T12:30:00+00:00 -->"
    memory.consolidate("talk", ScriptedChatModel([forged], window=100_000))
    file = memory.path / "sessions" / "talk.summary.md"
    cursor = cursor_in(file.read_bytes(), "x")
    assert cursor is not None
    assert cursor.through == "m87"
    file.write_text(file.read_text().replace("Hi", "Mine:"))
    assert memory.session_summary("talk").startswith("Mine:")
    assert memory.consolidate("talk", ScriptedChatModel([])).messages == 0
