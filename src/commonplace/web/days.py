"""Days: a calendar of what happened, and the log of one day."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from commonplace.errors import ValidationError
from commonplace.files.daily import blocks
from commonplace.types.asking import Origin
from commonplace.web.desk import Here
from commonplace.web.entries import Body
from commonplace.web.messages import GlanceShape
from commonplace.web.problems import READING, WRITING
from commonplace.web.shapes import Day, Shape, Text

router = APIRouter(prefix="/days", tags=["days"])
_LONGEST = 50_000


class DayCount(Shape):
    """What happened on a day."""

    day: date
    log: bool
    sessions: int
    messages: int
    changes: int


class CalendarShape(Shape):
    """The days of a year or a month on which something happened, the years that have some, and the first and last day
    of all."""

    days: list[DayCount]
    years: list[int]
    first: date | None
    last: date | None


class Block(Shape):
    """A part of a log, and the conversation that it stands for, if it does."""

    text: Text
    session: Text | None


class DayShape(Shape):
    """A day: its log, as it stands in the file and block by block, and the conversations of that day."""

    day: date
    text: Text
    blocks: list[Block]
    sessions: list[GlanceShape]
    previous: date | None
    next: date | None


class NewBlock(Body):
    text: str = Field(max_length=_LONGEST)


class LoggedShape(Shape):
    day: date
    change: str


@router.get("", responses=READING)
def calendar(
    desk: Here,
    year: Annotated[int | None, Query(ge=1, le=9999)] = None,
    month: Annotated[str | None, Query(pattern=r"^\d{4}-(0[1-9]|1[0-2])$")] = None,
) -> CalendarShape:
    """The days on which something happened: of a year, of a month, or of all time."""
    counts = desk.memory.calendar()
    begins = month if month is not None else f"{year:04}-" if year is not None else ""
    listed = sorted(counts)
    days = [
        DayCount.model_validate({"day": day, **_fields(counts[day])})
        for day in listed
        if day.isoformat().startswith(begins)
    ]
    first, last = (listed[0], listed[-1]) if listed else (None, None)
    return CalendarShape(days=days, years=sorted({day.year for day in listed}), first=first, last=last)


def _fields(counts: object) -> dict[str, object]:
    return {name: getattr(counts, name) for name in ("log", "sessions", "messages", "changes")}


@router.get("/{day}", responses=READING)
def read_day(desk: Here, day: Day) -> DayShape:
    """The log of a day, and the conversations of that day. A day on which nothing was logged has an empty one."""
    memory = desk.memory
    counts = memory.calendar()
    days = sorted(day for day, count in counts.items() if count.log or count.sessions)
    text = memory.read_log(day) if day in counts and counts[day].log else ""
    return DayShape(
        day=day,
        text=text,
        blocks=[Block(text=said, session=session) for said, session in blocks(text)],
        sessions=[GlanceShape.model_validate(one) for one in memory.session_glances() if day in one.days],
        previous=max((other for other in days if other < day), default=None),
        next=min((other for other in days if other > day), default=None),
    )


@router.post("/{day}/blocks", responses=WRITING)
def add_block(desk: Here, day: Day, body: NewBlock) -> LoggedShape:
    """Write something into the log of a day."""
    if not body.text.strip():
        raise ValidationError("There is nothing to log.", hint="Write a few words.")
    with desk.writing() as memory:
        done = memory.log(body.text, day=day, origin=Origin.PERSON)
    return LoggedShape(day=done.day, change=done.change)
