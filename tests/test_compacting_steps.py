"""Compaction takes the steps that are proven and leaves the others, and the memory of sixteen entries it was first
asked for."""

import itertools
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone

import pytest

from commonplace.errors import ModelFailed
from commonplace.memory import Memory
from commonplace.testing import ScriptedChatModel, StoppedClock
from commonplace.types import ChatMessage, MemoryCompacted, Skipped, StepKind
from tests.stores import Place, got, put

NOON = datetime(2026, 11, 15, 12, 0, tzinfo=timezone(timedelta(hours=1)))


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock(NOON)


@pytest.fixture
def memory(place: Place, clock: StoppedClock) -> Memory:
    book = Memory.open(place, clock=clock)
    book.create()
    return book


def write(memory: Memory, sections: dict[str, Sequence[str]]) -> str:
    text = "# Long-term Memory\n"
    for title, entries in sections.items():
        text += f"\n## {title}\n\n" + "".join(f"- {entry}\n" for entry in entries)
    put(memory, "MEMORY.md", text)
    return text


def compacted(outcome: MemoryCompacted | Skipped) -> MemoryCompacted:
    assert isinstance(outcome, MemoryCompacted), outcome
    return outcome


def texts(memory: Memory) -> list[str]:
    return [entry.text for entry in memory.entries()]


NOTES = ["Prefers short answers", "Wants answers to be short", "Lives in Bern with two cats", "Owns a canoe"]


def answered(*lines: str) -> ScriptedChatModel:
    answer = "# Long-term Memory\n\n## Notes\n" + "\n".join(lines) + "\n"
    return ScriptedChatModel([answer, answer])


@pytest.mark.req("CMP-4")
@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("- [3] Lives in Basel with two cats", "'Bern' is lost"),
        ("- [3] Lives in Bern with three cats", "two"),
        ("- [3] Lives in Bern with two cats\n- [3] Lives in Bern with two cats", "more than once"),
        ("- [3] Lives in Bern with two cats\n- [17] Plays the oboe", "not one of the entries"),
        ("", "missing"),
        ("## Dropped\n- [3] transient", "not a passing state"),
        ("## Dropped\n- [3] no longer useful", "none of the three"),
        ("## Dropped\n- [3] superseded by [4]", "does not take its place"),
        ("## Animals\n- [3] Lives in Bern with two cats", "'Animals'"),
    ],
)
def test_a_step_that_fails_its_proof_is_left_out_and_sinks_no_other(memory: Memory, bad: str, reason: str) -> None:
    write(memory, {"Notes": NOTES})
    outcome = compacted(memory.compact(answered("- [1, 2] Prefers answers to be short", "- [4] Owns a canoe", bad)))
    assert sorted(texts(memory)) == sorted(["Prefers answers to be short", NOTES[2], NOTES[3]])
    assert any(reason in finding for finding in outcome.findings)
    assert not any("[3]" in finding for finding in outcome.findings), "numbers say nothing to a person"
    assert "left out" in (next(memory.changes()).note.reason or "")


@pytest.mark.req("CMP-4")
def test_of_a_merge_those_that_lose_nothing_are_merged(memory: Memory) -> None:
    write(memory, {"Notes": [*NOTES[:2], "Wants short answers in French", "Owns a canoe"]})
    compacted(memory.compact(answered("- [1, 2, 3] Prefers answers to be short", "- [4] Owns a canoe")))
    assert sorted(texts(memory)) == ["Owns a canoe", "Prefers answers to be short", "Wants short answers in French"]


def test_an_entry_whose_new_words_fail_may_still_move(memory: Memory) -> None:
    write(memory, {"Notes": NOTES})
    answer = "# Long-term Memory\n\n## User Profile\n- [3] Lives in Basel with two cats\n"
    outcome = compacted(memory.compact(ScriptedChatModel([answer, answer])))
    assert [(step.kind, step.text, step.section) for step in outcome.steps] == [
        (StepKind.MOVE, NOTES[2], "User Profile")
    ]


def test_an_entry_that_is_kept_in_its_own_words_may_stand_for_others(memory: Memory) -> None:
    write(memory, {"Notes": NOTES})
    keep = [f"- [{n}] {NOTES[n - 1]}" for n in (3, 4)]
    outcome = compacted(memory.compact(answered("- [1, 2] Wants answers to be short", *keep)))
    assert [step.kind for step in outcome.steps] == [StepKind.DROP]
    assert texts(memory) == NOTES[1:]


@pytest.mark.req("CMP-4")
def test_of_a_row_of_values_the_last_stays_for_all(memory: Memory) -> None:
    write(memory, {"Notes": ["Lives in Bern", "Lives in Basel now", "Lives in Ulm now", "Owns a canoe"]})
    keep = ["- [3] Lives in Ulm now", "- [4] Owns a canoe"]
    compacted(memory.compact(answered(*keep, "## Dropped", "- [1] superseded by [2]", "- [2] superseded by [3]")))
    assert texts(memory) == ["Lives in Ulm now", "Owns a canoe"]


@pytest.mark.req("CMP-4")
def test_two_entries_that_go_for_each_other_both_stay(memory: Memory) -> None:
    write(memory, {"Notes": NOTES})
    lines = ["- [3] Lives in Bern with two cats", "- [4] Owns a canoe", "## Dropped", "- [1] duplicate of [2]"]
    memory.compact(answered(*lines, "- [2] duplicate of [1]"))
    assert texts(memory) == NOTES


@pytest.mark.req("CMP-4")
def test_the_better_of_two_answers_counts_and_a_model_that_then_fails_takes_nothing_back(memory: Memory) -> None:
    write(memory, {"Notes": NOTES})
    some = "# Long-term Memory\n\n## Notes\n- [1, 2] Prefers answers to be short\n- [3] Lives in Basel\n"
    outcome = compacted(memory.compact(ScriptedChatModel([some, ModelFailed("No network.", retryable=True)])))
    assert len(outcome.steps) == 1
    write(memory, {"Notes": NOTES})
    assert len(compacted(memory.compact(ScriptedChatModel([some, "I cannot do that."]))).steps) == 1


# -- which of two is the later one -------------------------------------------------------------------------------------

LIGHT = (
    "# Long-term Memory\n\n## Preferences\n- [{light}] Prefers light mode\n\n## Notes\n- [{boat}] Owns a canoe\n\n"
    "## Dropped\n- [{dark}] superseded by [{light}]\n"
)


@pytest.mark.req("CMP-3", "CMP-4")
def test_the_history_tells_which_is_later_against_the_order_in_the_file(memory: Memory, clock: StoppedClock) -> None:
    memory.remember("Prefers dark mode", "preferences", insist=True)
    clock.move(timedelta(hours=1))
    write(memory, {"Preferences": ["Prefers light mode", "Prefers dark mode"], "Notes": ["Owns a canoe"]})
    compacted(memory.compact(ScriptedChatModel([LIGHT.format(light=1, dark=2, boat=3)])))
    assert texts(memory) == ["Prefers light mode", "Owns a canoe"]


@pytest.mark.req("CMP-3", "CMP-4")
def test_what_the_history_calls_older_supersedes_nothing(memory: Memory, clock: StoppedClock) -> None:
    memory.remember("Prefers light mode", "preferences", insist=True)
    clock.move(timedelta(hours=1))
    write(memory, {"Preferences": ["Prefers dark mode", "Prefers light mode"], "Notes": ["Owns a canoe"]})
    answer = LIGHT.format(light=2, dark=1, boat=3)
    memory.compact(ScriptedChatModel([answer, answer]))
    assert "Prefers dark mode" in texts(memory)


@pytest.mark.parametrize(
    ("first", "second", "goes"),
    [
        ("Prefers light mode (2026-05-01)", "Prefers dark mode (2025-01-07)", True),
        ("Prefers light mode (2025-01-07)", "Prefers dark mode (2026-05-01)", False),
        ("Prefers light mode now", "Prefers dark mode", True),
        ("Prefers light mode", "Prefers dark mode", False),
    ],
)
def test_dates_and_words_of_change_in_the_texts_outweigh_their_order(
    memory: Memory, first: str, second: str, goes: bool
) -> None:
    write(memory, {"Preferences": [first, second], "Notes": ["Owns a canoe"]})
    answer = (
        f"# Long-term Memory\n\n## Preferences\n- [1] {first}\n\n## Notes\n- [3] Owns a canoe\n\n"
        "## Dropped\n- [2] superseded by [1]\n"
    )
    memory.compact(ScriptedChatModel([answer, answer]))
    assert (second not in texts(memory)) is goes


# -- the memory of sixteen entries -------------------------------------------------------------------------------------

SWITCHES = (
    [
        "Switched to GPT-4o",
        "Switched the model to Claude Sonnet",
        "User switched to Gemini Pro",
        "Changed the model from Haiku to Sonnet",
        "Now using Claude Opus",
        "Switched back to GPT-4o for this chat",
    ],
    [
        "User switched the model to Haiku",
        "User switched the model to Sonnet",
        "User switched the model to Opus",
        "User switched the model to GPT-5",
        "User switched the model to Haiku again",
        "User switched the model to Gemini 2.5 Pro",
    ],
)
WISHES = (
    [
        "Wants promotional e-mails cleaned up",
        "Would like help cleaning up promotional emails",
        "Wishes that promotional email is cleaned up",
    ],
    [
        "Wants to clean up promotional emails",
        "Prefers to have promotional emails cleaned up",
        "Wants promotional emails removed from the inbox",
    ],
)
WISH = ("Wants help cleaning up promotional emails", "Wants promotional emails cleaned up and removed from the inbox")
REST = {
    "card": "Enjoys playing the card game Skat",
    "job": "Works as an architect in Vienna",
    "size": "Screenshots are 1280x800 pixels",
    "extra": "Has a daughter named Mia",
}


class Sixteen:
    """The memory, and an ideal answer about it, in one of several wordings and orders."""

    def __init__(self, wording: int, turn: int) -> None:
        self.rug = ("There is a red patterned rug in the screenshot", "The screenshot shows a beige rug")[wording]
        modes = (
            ("Prefers dark mode", "Prefers light mode"),
            ("Prefers dark mode in all apps", "Prefers light mode now"),
        )
        self.dark, self.light = modes[wording]
        self.wishes = WISHES[wording]
        notes = [*SWITCHES[wording], *self.wishes, self.rug, self.dark, *REST.values()]
        notes = [*notes[turn:], *notes[:turn]]
        self.notes = [*notes, self.light]

    def answer(self, wish: str) -> str:
        number = {text: at for at, text in enumerate(self.notes, start=1)}
        wishes = ", ".join(str(number[text]) for text in self.wishes)
        kept = {
            "User Profile": [f"[{number[REST['job']]}] {REST['job']}", f"[{number[REST['extra']]}] {REST['extra']}"],
            "Preferences": [f"[{wishes}] {wish}", f"[{number[self.light]}] {self.light}"],
            "Interests": [f"[{number[REST['card']]}] {REST['card']}"],
            "Notes": [f"[{number[REST['size']]}] {REST['size']}"],
        }
        passing = [text for text in self.notes if text in [*SWITCHES[0], *SWITCHES[1], self.rug]]
        dropped = [f"[{number[self.dark]}] superseded by [{number[self.light]}]"]
        dropped += [f"[{number[text]}] transient" for text in passing]
        lines = ["# Long-term Memory"]
        for title, bullets in [*kept.items(), ("Dropped", dropped)]:
            lines += ["", f"## {title}", *(f"- {bullet}" for bullet in bullets)]
        return "\n".join(lines) + "\n"


@pytest.mark.req("CMP-2", "CMP-3", "CMP-4", "CMP-6")
@pytest.mark.parametrize(("wording", "turn"), list(itertools.product((0, 1), (0, 4, 9))))
def test_a_memory_of_sixteen_entries_is_compacted(memory: Memory, wording: int, turn: int) -> None:
    sixteen = Sixteen(wording, turn)
    assert len(sixteen.notes) == 16
    write(memory, {"Notes": sixteen.notes})
    before = got(memory, "MEMORY.md")
    memory.search("dark mode")
    backups: list[int] = []

    def answer(_messages: Sequence[ChatMessage]) -> str:
        backups.append(len(memory.backups()))
        return sixteen.answer(WISH[wording])

    outcome = compacted(memory.compact(ScriptedChatModel(answer)))
    assert backups == [1], outcome.findings
    assert outcome.findings == ()
    assert sorted(texts(memory)) == sorted([*REST.values(), sixteen.light, WISH[wording]])
    order = [line[3:] for line in memory.read().splitlines() if line.startswith("## ")]
    assert order == ["Notes", "User Profile", "Preferences", "Interests"]
    found = [hit.text for hit in memory.search("dark or light mode").hits]
    assert any(sixteen.light in text for text in found)
    assert not any("dark" in text for text in found)
    assert outcome.backup is not None
    memory.restore(outcome.backup)
    assert got(memory, "MEMORY.md") == before
    assert any("dark" in hit.text for hit in memory.search("dark mode").hits)


@pytest.mark.req("CMP-3")
def test_wishes_may_also_go_as_duplicates_of_one_of_them(memory: Memory) -> None:
    write(memory, {"Notes": [*WISHES[0], "Owns a canoe"]})
    keep = [f"- [2] {WISHES[0][1]}", "- [4] Owns a canoe"]
    compacted(memory.compact(answered(*keep, "## Dropped", "- [1] duplicate of [2]", "- [3] duplicate of [2]")))
    assert texts(memory) == [WISHES[0][1], "Owns a canoe"]
