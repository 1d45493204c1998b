"""Search over everything, and a preview of what a model would be told."""

from datetime import date
from typing import Annotated, Literal

from fastapi import APIRouter, Query

from commonplace.memory import RECALL_BUDGET
from commonplace.tokens import estimate_tokens
from commonplace.types.book import MEMORY_FILE, Entry
from commonplace.types.searching import Around, Hit, Source
from commonplace.web.desk import Here
from commonplace.web.problems import READING
from commonplace.web.shapes import AroundShape, Day, HitShape, Shape, Text

router = APIRouter(tags=["search"])
_LONGEST = 4000
Question = Annotated[str, Query(max_length=_LONGEST, description="What one would ask.")]


class FoundShape(Shape):
    """Hits, the best first. `trouble` says why only keywords were used, if that is so, `unread` which files could not
    be searched."""

    hits: list[HitShape]
    vectors_known: int
    vectors_wanted: int
    trouble: Text
    unread: Text


class Told(Shape):
    """Something that could be told to a model: what it costs, and if it was left out, why."""

    kind: Literal["entry", "hit"]
    text: Text
    source: Source
    date: date | None
    tokens: int
    reason: Literal["told", "did_not_fit", "repeats"]
    why: str


class Part(Shape):
    """A part of the block."""

    name: Literal["long_term", "summary", "relevant"]
    text: Text
    tokens: int
    items: list[Told]


class RecallShape(Shape):
    """The block that goes into a prompt, its parts, and what was left out of it."""

    text: Text
    tokens: int
    budget: int
    shown: int
    parts: list[Part]
    left_out: list[Told]
    trouble: Text


_WHY = {
    "told": "It is told.",
    "did_not_fit": "There was no room left in the budget.",
    "repeats": "The long-term memory says it already.",
}


@router.get("/search", responses=READING)
def search(
    desk: Here,
    q: Question,
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
    source: Annotated[tuple[Source, ...], Query()] = (),
    since: Annotated[Day | None, Query()] = None,
    until: Annotated[Day | None, Query()] = None,
    session: Annotated[tuple[str, ...], Query()] = (),
    explain: bool = False,
    context: Annotated[bool, Query(description="Also tell what was said just before and after a hit.")] = False,
) -> FoundShape:
    """Find what answers a question, in the memory, the logs and the conversations. Time words in it are understood."""
    memory = desk.memory
    found = memory.search(q, limit=limit, sources=source, since=since, until=until, sessions=session, explain=explain)
    at_line: dict[int, str] = {}
    if any(hit.source is Source.LONG_TERM for hit in found.hits):
        document = memory.document()
        at_line = {entry.line: id for entry, id in zip(document.entries, document.ids, strict=True)}
    hits = [_shaped(hit, at_line, memory.around(hit) if context else None) for hit in found.hits]
    known, wanted = found.vectors_known, found.vectors_wanted
    if known < wanted and not found.trouble:
        desk.catch_up()
    return FoundShape(hits=hits, vectors_known=known, vectors_wanted=wanted, trouble=found.trouble, unread=found.unread)


def _shaped(hit: Hit, at_line: dict[int, str], around: Around | None) -> HitShape:
    shape = HitShape.model_validate(hit)
    id = at_line.get(hit.line) if hit.file == MEMORY_FILE else None
    shown = AroundShape.model_validate(around) if around else None
    return shape.model_copy(update={"entry": id, "around": shown})


@router.get("/recall", responses=READING)
def recall(
    desk: Here,
    q: Question = "",
    budget: Annotated[int, Query(ge=0, le=200_000)] = RECALL_BUDGET,
    session: Annotated[str, Query(max_length=200)] = "",
) -> RecallShape:
    """Exactly what a model would be told before it answers a question, and what was left out and why."""
    found = desk.memory.recall(q, budget=budget, session=session)
    lasting = [_told(one) for one in found.told if isinstance(one, Entry)]
    hits = [_told(one) for one in found.told if not isinstance(one, Entry)]
    parts = [
        Part(name="long_term", text=found.long_term, tokens=estimate_tokens(found.long_term), items=lasting),
        Part(name="summary", text=found.summary, tokens=estimate_tokens(found.summary), items=[]),
        Part(name="relevant", text=found.relevant, tokens=estimate_tokens(found.relevant), items=hits),
    ]
    left_out = [_told(one, "did_not_fit") for one in found.left_out]
    return RecallShape(
        text=found.text,
        tokens=found.tokens,
        budget=budget,
        shown=found.shown,
        parts=[part for part in parts if part.text],
        left_out=[*left_out, *(_told(one, "repeats") for one in found.repeated)],
        trouble=found.trouble,
    )


def _told(one: Entry | Hit, reason: Literal["told", "did_not_fit", "repeats"] = "told") -> Told:
    is_entry = isinstance(one, Entry)
    return Told(
        kind="entry" if is_entry else "hit",
        text=one.text,
        source=Source.LONG_TERM if is_entry else one.source,
        date=None if is_entry else one.date,
        tokens=estimate_tokens(one.text),
        reason=reason,
        why=_WHY[reason],
    )
