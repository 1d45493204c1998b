"""The inbox: what waits for a yes or no, beside the entries nearest to it."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from commonplace.errors import CommonplaceError
from commonplace.types.changing import Forgotten, Rejected, Revised
from commonplace.types.saving import Duplicate, Saved
from commonplace.web.desk import Cursor, Desk, Here, Limit, cursor_of, number_of
from commonplace.web.entries import Body, Reason, Title, outcome_of
from commonplace.web.problems import READING, WRITING, Problem, problem_of
from commonplace.web.shapes import EntryShape, Near, Outcome, Page, Shape, WaitingShape

router = APIRouter(prefix="/inbox", tags=["inbox"])
_MOST = 500


class Acceptance(Body):
    """Where it goes, and in which words, if other ones."""

    section: Title | None = None
    text: str | None = Field(default=None, max_length=50_000)
    reason: Reason = None


class Rejection(Body):
    reason: Reason = None


class Decisions(Body):
    accept: list[str] = Field(default=[], max_length=_MOST)
    reject: list[str] = Field(default=[], max_length=_MOST)


class Decided(Shape):
    """What became of one decision: an outcome, or a problem; the others go on."""

    id: str
    outcome: Outcome | None
    problem: Problem | None


class DecidedShape(Shape):
    outcomes: list[Decided]


@router.get("", responses=READING)
def list_inbox(
    desk: Here,
    nearest: Annotated[int, Query(ge=0, le=10, description="How many of the nearest entries to show with each.")] = 3,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Page[WaitingShape]:
    """What waits, the oldest first, each with the entries that are nearest to it."""
    memory = desk.memory
    waiting = memory.inbox()
    start = number_of(cursor)
    items: list[WaitingShape] = []
    for item in waiting[start : start + limit]:
        found = memory.nearest(item.text, nearest) if nearest else []
        near = [Near(entry=EntryShape.of(one.entry), likeness=one.cosine) for one in found]
        items.append(WaitingShape.of(item, near))
    more = cursor_of(str(start + limit)) if start + limit < len(waiting) else None
    return Page[WaitingShape](items=items, next=more, total=len(waiting))


@router.post("/{id}/accept", responses=WRITING)
def accept(desk: Here, id: str, body: Acceptance) -> Outcome:
    """Put what waits into the memory, or make the change that it proposes. The id stands for the very text."""
    return _accepted(desk, id, body)


@router.post("/{id}/reject", responses=WRITING)
def reject(desk: Here, id: str, body: Rejection) -> Outcome:
    """Take what waits out of the inbox. The history still has it."""
    return _rejected(desk, id, body.reason)


@router.post("/decisions", responses=WRITING)
def decide(desk: Here, body: Decisions) -> DecidedShape:
    """Accept and reject many at once. What cannot be done is told for each."""
    outcomes: list[Decided] = []
    for id in dict.fromkeys((*body.accept, *body.reject)):
        try:
            done = _accepted(desk, id, Acceptance()) if id in body.accept else _rejected(desk, id, None)
            outcomes.append(Decided(id=id, outcome=done, problem=None))
        except CommonplaceError as error:
            outcomes.append(Decided(id=id, outcome=None, problem=problem_of(error)))
    return DecidedShape(outcomes=outcomes)


def _accepted(desk: Desk, id: str, body: Acceptance) -> Outcome:
    with desk.writing() as memory:
        done: Saved | Revised | Forgotten | Duplicate = memory.accept(
            id, section=body.section, text=body.text, reason=body.reason
        )
    return outcome_of(desk, done)


def _rejected(desk: Desk, id: str, reason: str | None) -> Outcome:
    with desk.writing() as memory:
        done: Rejected = memory.reject(id, reason=reason)
    return outcome_of(desk, done)
