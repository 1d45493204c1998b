"""Books for the memory screen: one as a person has it after half a year, and one after ten."""

import json
import random
from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from functools import partial
from pathlib import Path

from commonplace.files.daily import Marker
from commonplace.memory import Memory
from commonplace.types import STANDARD_SECTIONS, Message, Origin, Voice

TODAY = datetime.now(UTC).date()
DAYS = 180  # that the small book has been kept


class TurningClock:
    """A clock that stands where it was put, so that a history of months is written in a moment."""

    def __init__(self) -> None:
        self.at = datetime.combine(TODAY, time(9, 30), UTC) - timedelta(days=DAYS + 1)

    def now(self) -> datetime:
        self.at += timedelta(minutes=1)
        return self.at


# Days after the beginning, the section, and what was said to be kept. `!` marks what the person asked for.
_KEPT = (
    (0, "User Profile", "My name is Mara Lindqvist, and I live in Utrecht"),
    (0, "User Profile", "I work three days a week as an editor at a small publishing house"),
    (0, "Preferences", "!Answer me in short sentences, with one example"),
    (2, "Preferences", "I prefer metric units and 24-hour times"),
    (2, "Interests", "I sail a wooden boat called *Sterna* with my sister Ida"),
    (9, "Workflow", "Manuscripts arrive on Mondays; proofs go out on Thursdays before noon"),
    (9, "Projects", "I am translating the letters of a botanist from Swedish, about 240 pages"),
    (15, "Notes", "The botanist's letters are in the library's box **KB 1911/7**"),
    (23, "User Profile", "My son Elias is seven and allergic to hazelnuts"),
    (31, "Interests", "I collect field guides printed before 1960"),
    (37, "Workflow", "I write first drafts by hand and type them up in the evening"),
    (44, "Projects", "The community garden needs a watering plan by spring; Joost keeps the list of plots"),
    (52, "Preferences", "I like night trains better than flights, lower bunk if there is one"),
    (60, "Notes", "Our bookbinder is Atelier Vos, open Tuesday to Friday"),
    (71, "Workflow", "Footnotes follow the house style: see `style/notes.md` in the shared folder"),
    (83, "Projects", "The reading group meets on the first Wednesday of each month"),
    (92, "Interests", "I am learning to identify mosses; Bram from the garden helps me"),
    (104, "Preferences", "!Never book anything on a Friday evening"),
    (118, "Notes", "The spare key of the boat house hangs at Ida's"),
    (127, "Workflow", "Invoices are sent on the last working day of the month"),
    (139, "Projects", "The translation is due at the publisher on 15 March 2027"),
    (150, "User Profile", "I speak Dutch, Swedish and English, and read German"),
    (163, "Notes", "For travel inside the Netherlands I have a yearly rail pass"),
    (176, "Interests", "I bake rye bread on Sundays"),
)
_WAITING = (
    ("The library closes its reading room on Mondays", Voice.WEB, "Notes"),
    ("Moss grows fastest on the north side of the glasshouse", Voice.TOOL, "Interests"),
    ("Atelier Vos is open Monday to Saturday", Voice.WEB, "Notes"),
)
_TALKS = (
    (
        3,
        "A birthday for Elias",
        (
            (
                "user",
                "Elias turns eight next month and wants a party on the boat. Eight children. What should I think of?",
            ),
            (
                "assistant",
                "Life jackets, a second adult, and **no hazelnuts** in the cake. The island and back is two hours.",
            ),
            ("user", "Good. Ida can come along. And please keep the cake simple, I bake it myself."),
            ("assistant", "Then a rye honey cake: it can be made two days before."),
        ),
    ),
    (
        20,
        "Night train to Stockholm",
        (
            ("user", "I want to see the botanist's letters in Stockholm in September. By train, please."),
            ("assistant", "Utrecht to Hamburg, then the night train. There are lower bunks left on Tuesday the 8th."),
            ("user", "Take the Tuesday. I will stay four nights near the library."),
        ),
    ),
    (
        58,
        "The watering plan",
        (
            ("user", "Joost sent the list of plots: 34 of them, 6 are empty. Can we split the watering by week?"),
            (
                "assistant",
                "With 28 gardeners each has one week in summer. I can write the list by street.",
            ),
            ("user", "By street is good. Bram wants July off."),
        ),
    ),
    (
        120,
        "House style for footnotes",
        (
            ("user", "Should the footnotes carry the Swedish original?"),
            ("assistant", "The house style says: only where a word has no English equivalent."),
            ("user", "Then I keep it for plant names and drop it elsewhere."),
        ),
    ),
    (
        180,
        "Mosses of the garden wall",
        (
            ("user", "I found a cushion moss on the north wall with red stalks. What could it be?"),
            (
                "assistant",
                "Probably *Ceratodon purpureus*. Ripe stalks turn from purple to brown.",
            ),
            ("user", "Yes, purple! Bram will be pleased."),
        ),
    ),
)


def small_book(folder: Path) -> Memory:
    """A book with a few dozen entries, a history of half a year, some conversations, days and an inbox."""
    clock = TurningClock()
    memory = Memory.open(folder, clock=clock)
    first = clock.at
    happened: list[tuple[int, Callable[[], object]]] = [
        *((after, partial(_keep, memory, section, words)) for after, section, words in _KEPT),
        *((after, partial(_talk, memory, clock, title, said)) for after, title, said in _TALKS),
        *((after, memory.backup) for after in (16, 61, 119)),
        (DAYS, partial(memory.revise, "lower bunk if", "a lower bunk by the window if", origin=Origin.PERSON)),
        *((DAYS, partial(_wait, memory, *waiting)) for waiting in _WAITING),
    ]
    for after, happens in sorted(happened, key=lambda one: one[0]):
        clock.at = max(clock.at, first + timedelta(days=after))
        happens()
    clock.at = datetime.combine(TODAY, time(7, 5), UTC)
    memory.log("- Sent the first forty pages of the translation to the publisher\n- Ida mended the rudder", day=TODAY)
    return memory


def _keep(memory: Memory, section: str, words: str) -> None:
    asked = words.startswith("!")
    memory.remember(words.removeprefix("!"), section=section, origin=Origin.PERSON, requested=asked, insist=True)


def _wait(memory: Memory, words: str, voice: Voice, section: str) -> None:
    memory.remember(words, section=section, origin=Origin.TOOL, voice=voice)


def _talk(memory: Memory, clock: TurningClock, title: str, said: tuple[tuple[str, str], ...]) -> None:
    session = memory.start_session(title).id
    for number, (role, text) in enumerate(said, 1):
        memory.add_message(session, Message(f"m{number}", role, text, clock.now()))
    memory.end_session(session)
    bullets = "\n".join(f"- {text.split('. ')[0].rstrip('.')}." for role, text in said if role == "user")
    marker = Marker(session, f"m{len(said)}", clock.at)
    memory.log(f"### {title}\n\n{bullets}", day=clock.at.date(), marker=marker, origin=Origin.FLUSH)


_WHO = (
    "Anna Bruno Carla Dmitri Elena Farid Greta Hugo Irina Jonas Kira Liam Marta Nadia Oscar Priya Rosa Stefan".split()
)
_DOES = "repairs paints sorts measures translates plants prints carries tunes records".split()
_WHAT = "lamps maps violins gates kettles fences clocks tiles barrels nets ladders globes".split()
_WHERE = "Lisbon Bergen Kyoto Leeds Utrecht Graz Porto Turku Hanoi Perth Ghent Basel Tartu Cork".split()
_SECTIONS = (*STANDARD_SECTIONS, "Family", "House", "Garden", "Travel", "Reading", "Music")


def full_book(folder: Path, *, entries: int = 2_000, days: int = 3_000, talks: int = 10_000) -> Path:
    """A book as it is after many years, written directly, as an import would."""
    drawn = random.Random(7)
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["# Long-term Memory", ""]
    for number, title in enumerate(_SECTIONS):
        own = range(number, entries, len(_SECTIONS))
        lines += [f"## {title}", "", *(f"- {_sentence(drawn)} (note {at})" for at in own), ""]
    (folder / "MEMORY.md").write_text("\n".join(lines), encoding="utf-8")
    (folder / "daily").mkdir()
    for ago in range(days):
        day = TODAY - timedelta(days=ago)
        (folder / "daily" / f"{day}.md").write_text(
            f"# Daily Log {day}\n\n- {_sentence(drawn)}\n- {_sentence(drawn)}\n\n---\n"
        )
    (folder / "sessions").mkdir()
    for number in range(talks):
        at = datetime.combine(TODAY, time(8), UTC) - timedelta(hours=7 * number)
        begun = {"event": "started", "title": _sentence(drawn)}
        said = [
            {"id": "e1", "role": "event", "at": at.isoformat(), "text": "", "extra": begun},
            {"id": "m1", "role": "user", "at": at.isoformat(), "text": f"{_sentence(drawn)}?"},
            {"id": "m2", "role": "assistant", "at": at.isoformat(), "text": f"{_sentence(drawn)}."},
        ]
        name = f"{at:%Y%m%dT%H%M%S}-{number:05}.jsonl"
        (folder / "sessions" / name).write_text("".join(json.dumps(line) + "\n" for line in said))
    return folder


def _sentence(drawn: random.Random) -> str:
    one, other = drawn.sample(_WHO, 2)
    return f"{one} {drawn.choice(_DOES)} {drawn.choice(_WHAT)} with {other} in {drawn.choice(_WHERE)}"
