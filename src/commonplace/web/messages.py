"""Conversations: listed, found by words, and read message by message."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from commonplace.errors import NotFound
from commonplace.files.text import folded
from commonplace.memory import Memory
from commonplace.types.searching import Source
from commonplace.types.sessions import Message, SessionGlance
from commonplace.web.desk import Cursor, Here, Limit, cursor_of, number_of
from commonplace.web.entries import Body
from commonplace.web.problems import READING, WRITING, ApiError
from commonplace.web.shapes import Day, Page, SessionShape, Shape, Text

router = APIRouter(prefix="/sessions", tags=["sessions"])
_FOUND = 100


class GlanceShape(Shape):
    """One conversation at a glance."""

    id: Text
    title: Text
    started: datetime
    last: datetime
    messages: int
    ended: bool


class WholeSession(SessionShape):
    """One conversation, with the summary of its older part."""

    summary: Text


class MessageShape(Shape):
    """One message; `name` is the tool's, if it is one."""

    id: Text
    role: Text
    text: Text
    at: datetime
    name: Text | None


class Messages(Page[MessageShape]):
    """A part of a conversation; `previous` is the cursor of the part before it."""

    previous: str | None


class NewTitle(Body):
    title: str = Field(min_length=1, max_length=1000)


@router.get("", responses=READING)
def list_sessions(
    desk: Here,
    q: Annotated[str, Query(max_length=1000, description="Words of a title, or a question about what was said.")] = "",
    day: Annotated[Day | None, Query(description="Only those in which something was said on this day.")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Page[GlanceShape]:
    """The conversations, the one used last first; with words, those with them in the title first, then those in which
    search finds an answer, the best first."""
    memory = desk.memory
    found = [one for one in memory.session_glances() if day is None or day in one.days]
    if q.strip():
        found = _about(memory, q, found)
    start = number_of(cursor)
    items = [GlanceShape.model_validate(one) for one in found[start : start + limit]]
    more = cursor_of(str(start + limit)) if start + limit < len(found) else None
    return Page[GlanceShape](items=items, next=more, total=len(found))


def _about(memory: Memory, words: str, sessions: list[SessionGlance]) -> list[SessionGlance]:
    wanted = folded(words).split()
    titled = [one for one in sessions if all(word in folded(one.title) for word in wanted)]
    known = {one.id: one for one in sessions}
    hits = memory.search(words, limit=_FOUND, sources=[Source.SESSION]).hits
    said = [known[hit.session] for hit in hits if hit.session in known]
    return list({one.id: one for one in (*titled, *said)}.values())


@router.get("/{id}", responses=READING)
def read_session(desk: Here, id: str) -> WholeSession:
    """One conversation at a glance, how far it is logged, and its summary."""
    memory = desk.memory
    info = SessionShape.model_validate(memory.session_info(id))
    return WholeSession(**info.model_dump(), summary=memory.session_summary(id))


@router.patch("/{id}", responses=WRITING)
def rename_session(desk: Here, id: str, body: NewTitle) -> SessionShape:
    """Give a conversation another title."""
    with desk.writing() as memory:
        return SessionShape.model_validate(memory.rename_session(id, body.title))


@router.get("/{id}/messages", responses=READING)
def list_messages(
    desk: Here,
    id: str,
    limit: Limit = 50,
    cursor: Cursor = None,
    around: Annotated[
        str | None, Query(max_length=200, description="The part with this message in its middle.")
    ] = None,
) -> Messages:
    """What was said, from the beginning, in parts."""
    messages = _messages(desk.memory, id)
    start = number_of(cursor)
    if around is not None:
        places = [at for at, message in enumerate(messages) if message.id == around]
        if not places:
            raise _no_message(id, around)
        start = max(0, places[0] - limit // 2)
    return Messages(
        items=[_shaped(message) for message in messages[start : start + limit]],
        next=cursor_of(str(start + limit)) if start + limit < len(messages) else None,
        previous=cursor_of(str(max(0, start - limit))) if start else None,
        total=len(messages),
    )


@router.get("/{id}/messages/{message}", responses=READING)
def read_message(desk: Here, id: str, message: str) -> MessageShape:
    """One message."""
    found = next((one for one in _messages(desk.memory, id) if one.id == message), None)
    if found is None:
        raise _no_message(id, message)
    return _shaped(found)


def _messages(memory: Memory, id: str) -> tuple[Message, ...]:
    messages = memory.transcript(id).messages
    if not messages:
        raise NotFound(f"There is no session {id}.", hint="List the sessions.")
    return messages


def _no_message(session: str, message: str) -> ApiError:
    return ApiError("not_found", f"The session {session} has no message {message}.")


def _shaped(message: Message) -> MessageShape:
    name = message.extra.get("name")
    shown = name if isinstance(name, str) else None
    return MessageShape(id=message.id, role=message.role, text=message.text, at=message.at, name=shown)
