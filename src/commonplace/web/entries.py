"""The long-term memory: its entries one by one, and MEMORY.md as a whole."""

from datetime import date, datetime
from itertools import islice
from typing import Annotated, Any, assert_never

from fastapi import APIRouter, Header, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from commonplace.errors import NotFound, ValidationError
from commonplace.files.document import Document
from commonplace.files.text import decode, folded
from commonplace.memory import RECALL_BUDGET, Memory
from commonplace.tokens import estimate_tokens
from commonplace.types.asking import Origin
from commonplace.types.book import MEMORY_FILE, EntryId
from commonplace.types.changing import Forgotten, PageCollided, Rejected, Revised
from commonplace.types.saving import Alike, Duplicate, Held, Refused, Remembered, Saved
from commonplace.web.desk import (
    Cursor,
    Desk,
    Here,
    IfMatch,
    Limit,
    changing_entry,
    cursor_of,
    etag,
    gone,
    number_of,
    required,
    tagged,
)
from commonplace.web.problems import READING, WRITING, ApiError
from commonplace.web.shapes import (
    ChangeShape,
    Day,
    EntryShape,
    Outcome,
    Page,
    Result,
    SectionShape,
    Shape,
    Text,
    VerdictShape,
    WaitingShape,
    sections_of,
)

router = APIRouter(prefix="/memory", tags=["memory"])
Reason = Annotated[str | None, Field(max_length=1000, description="Why; kept in the history.")]
Title = Annotated[str, Field(min_length=1, max_length=100)]
_LONGEST = 50_000


class Body(BaseModel):
    """What a request brings; a field that nobody knows is an error."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewEntry(Body):
    text: str = Field(max_length=_LONGEST)
    section: Title | None = None
    requested: bool = False
    insist: bool = False
    reason: Reason = None


class Judged(Body):
    text: str = Field(max_length=_LONGEST)
    section: Title | None = None
    requested: bool = False


class NewText(Body):
    text: str = Field(max_length=_LONGEST)
    reason: Reason = None


class NewPlace(Body):
    section: Title
    reason: Reason = None


class WholeText(Body):
    text: str
    reason: Reason = None
    insist: bool = False


class MemoryShape(Shape):
    """The sections of the memory with all entries, and how much it is; `budget` is what a prompt has room for."""

    etag: str
    sections: list[SectionShape]
    entries: int
    characters: int
    tokens: int
    budget: int


class TextShape(Shape):
    text: Text
    etag: str


class PageOutcome(Shape):
    """What became of a new MEMORY.md: `written`, `unchanged`, or `refused` because of a secret in it."""

    result: str
    change: str | None
    etag: str
    verdict: VerdictShape | None = None


class QuoteShape(Shape):
    """What somebody said in a conversation."""

    session: Text
    message: Text
    role: Text
    text: Text


class WhyShape(Shape):
    """Where an entry came from: the changes that made it what it is, newest first, and what was said."""

    text: Text
    file: Text
    line: int
    changes: list[ChangeShape]
    said: list[QuoteShape]


class PastShape(Shape):
    """MEMORY.md as it was at the end of a day, and the newest change by then."""

    day: date
    change: ChangeShape | None
    text: Text
    sections: list[SectionShape]


def outcome_of(desk: Desk, done: Remembered | Revised | Forgotten | Rejected, result: Result | None = None) -> Outcome:
    """What was done, as it is told."""
    told = _told(done)
    if result is not None:
        told["result"] = result
    if isinstance(done, Revised) and not done.change:
        told["result"] = "unchanged"
    return Outcome(etag=desk.version(), **told)


def _told(done: Remembered | Revised | Forgotten | Rejected) -> dict[str, Any]:
    match done:
        case Saved(entry, change, _, notice):
            told = {"entry": EntryShape.of(entry), "change": change or None, "message": notice or None}
            return {"result": "saved", **told}
        case Revised(before, after, change):
            told = {"before": EntryShape.of(before), "entry": EntryShape.of(after), "change": change or None}
            return {"result": "revised", **told}
        case Forgotten(entry, change):
            return {"result": "forgotten", "before": EntryShape.of(entry), "change": change or None}
        case Rejected(waiting, change):
            return {"result": "rejected", "waiting": WaitingShape.of(waiting), "change": change or None}
        case Duplicate(existing, message):
            return {"result": "duplicate", "code": done.code, "entry": EntryShape.of(existing), "message": message}
        case Alike(verdict, existing):
            shown = VerdictShape.of(verdict)
            told = {"code": done.code, "entry": EntryShape.of(existing), "verdict": shown}
            return {"result": "alike", "message": verdict.reason, **told}
        case Held(verdict, waiting):
            told = {"verdict": VerdictShape.of(verdict), "waiting": WaitingShape.of(waiting)}
            return {"result": "held", "code": done.code, "message": verdict.reason, **told}
        case Refused(verdict):
            told = {"code": done.code, "verdict": VerdictShape.of(verdict)}
            return {"result": "refused", "message": verdict.reason, **told}
        case _:
            assert_never(done)


# -- the whole ---------------------------------------------------------------------------------------------------------


@router.get("", responses={304: {"description": "Not Modified"}, **READING})
def read_memory(
    desk: Here,
    response: Response,
    if_none_match: Annotated[str | None, Header()] = None,
    written: Annotated[bool, Query(description="Also tell when each entry got its wording.")] = False,
) -> MemoryShape:
    """The memory, section by section."""
    memory = desk.memory
    page = memory.page()
    tagged(response, page.version)
    if if_none_match == etag(page.version):
        raise Unchanged(page.version)
    document = Document.parse(page.data)
    times: dict[str, datetime] = memory.written() if written else {}
    return MemoryShape(
        etag=page.version,
        sections=sections_of(document, times),
        entries=len(document.entries),
        characters=len(document.text),
        tokens=estimate_tokens(document.text),
        budget=RECALL_BUDGET,
    )


class Unchanged(Exception):
    """What was asked for is what the client has."""

    def __init__(self, version: str) -> None:
        super().__init__(version)
        self.version = version


@router.get("/text", responses=READING)
def read_text(desk: Here, response: Response) -> TextShape:
    """MEMORY.md as it stands in the file."""
    page = desk.memory.page()
    tagged(response, page.version)
    return TextShape(text=decode(page.data or b"", MEMORY_FILE), etag=page.version)


@router.put("/text", responses=WRITING)
def write_text(desk: Here, body: WholeText, response: Response, if_match: IfMatch = None) -> PageOutcome:
    """Replace MEMORY.md. If it was changed meanwhile, nothing is written, and the answer (412) has what it is now, and
    both texts in one where they do not touch the same lines."""
    expected = required(if_match)
    with desk.writing() as memory:
        done = memory.write_page(body.text, expected=expected, reason=body.reason, insist=body.insist)
    if isinstance(done, PageCollided):
        current = TextShape(text=done.text, etag=done.version).model_dump()
        raise ApiError(
            "precondition_failed",
            "MEMORY.md was changed meanwhile; nothing was written.",
            hint="Compare the two texts, then write again with the new ETag.",
            current=current,
            yours=body.text,
            merged=done.merged,
        )
    if isinstance(done, Refused):
        verdict = VerdictShape.of(done.verdict)
        return PageOutcome(result="refused", change=None, etag=expected, verdict=verdict)
    tagged(response, done.version)
    return PageOutcome(result="written" if done.change else "unchanged", change=done.change, etag=done.version)


@router.get("/as-of", responses=READING)
def read_past(desk: Here, day: Annotated[Day, Query(description="The day whose end is meant.")]) -> PastShape:
    """MEMORY.md as it was at the end of a day."""
    change, document = desk.memory.as_of(day)
    shown = ChangeShape.of(change) if change else None
    return PastShape(day=day, change=shown, text=document.text, sections=sections_of(document))


# -- entries -----------------------------------------------------------------------------------------------------------


@router.get("/entries", responses=READING)
def list_entries(
    desk: Here,
    section: Annotated[str | None, Query(max_length=200)] = None,
    q: Annotated[str, Query(max_length=1000, description="Words that an entry must have.")] = "",
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Page[EntryShape]:
    """The entries, in the order of the file."""
    document = desk.memory.document()
    words = folded(q).split()
    found = [
        (entry, id)
        for entry, id in zip(document.entries, document.ids, strict=True)
        if (section is None or folded(entry.section) == folded(section))
        and all(word in folded(entry.text) for word in words)
    ]
    start = number_of(cursor)
    items = [EntryShape.of(entry, id) for entry, id in islice(found, start, start + limit)]
    more = cursor_of(str(start + limit)) if start + limit < len(found) else None
    return Page[EntryShape](items=items, next=more, total=len(found))


@router.post("/entries", status_code=200, responses={201: {"model": Outcome, "description": "Created"}, **WRITING})
def add_entry(desk: Here, body: NewEntry, response: Response) -> Outcome:
    """Remember something, if the gate lets it through (201); else the answer says why not, and what can be done."""
    with desk.writing() as memory:
        done = memory.remember(
            body.text,
            section=body.section,
            origin=Origin.PERSON,
            requested=body.requested,
            reason=body.reason,
            insist=body.insist,
        )
    if isinstance(done, Saved):
        response.status_code = 201
    return outcome_of(desk, done)


@router.post("/judge", responses=WRITING)
def judge(desk: Here, body: Judged) -> VerdictShape:
    """What the gate would say. Nothing is written."""
    if not body.text.strip():
        raise ValidationError("There is nothing to judge.", hint="Write a few words.")
    memory = desk.memory
    verdict = memory.judge(body.text, section=body.section, origin=Origin.PERSON, requested=body.requested)
    return VerdictShape.of(verdict)


@router.get("/entries/{id}", responses=READING)
def read_entry(desk: Here, id: str, response: Response) -> EntryShape:
    """One entry."""
    document = desk.memory.document()
    try:
        entry = document.entry_at(document.locate(EntryId(id)))
    except NotFound:
        raise _no_entry(desk, id) from None
    tagged(response, id)
    return EntryShape.of(entry, id)


def _no_entry(desk: Desk, id: str) -> ApiError:
    """That there is no such entry; if there was one, what became of it."""
    told = gone(desk, EntryId(id))
    return ApiError("not_found", told.message, hint=told.hint, **told.more)


@router.patch("/entries/{id}", responses=WRITING)
def revise_entry(desk: Here, id: str, body: NewText, if_match: IfMatch = None) -> Outcome:
    """Put an entry into other words. It gets a new id with them."""
    if not body.text.strip():
        raise ValidationError("The new text is empty.", hint="To remove the entry, use DELETE.")

    def change(memory: Memory, called: EntryId) -> Revised | Forgotten | Duplicate | Held | Refused:
        return memory.revise(called, body.text, origin=Origin.PERSON, reason=body.reason)

    return outcome_of(desk, changing_entry(desk, id, if_match, change))


@router.delete("/entries/{id}", responses=WRITING)
def forget_entry(desk: Here, id: str, if_match: IfMatch = None) -> Outcome:
    """Remove an entry. The history still has it."""

    def change(memory: Memory, called: EntryId) -> Forgotten | Held:
        return memory.forget(called, origin=Origin.PERSON)

    return outcome_of(desk, changing_entry(desk, id, if_match, change))


@router.post("/entries/{id}/move", responses=WRITING)
def move_entry(desk: Here, id: str, body: NewPlace, if_match: IfMatch = None) -> Outcome:
    """Put an entry at the end of another section; one that is not there is made."""
    done = changing_entry(desk, id, if_match, lambda memory, called: memory.move(called, body.section))
    return outcome_of(desk, done, "moved")


@router.put("/entries/{id}/protection", responses=WRITING)
def protect_entry(desk: Here, id: str, if_match: IfMatch = None) -> Outcome:
    """Mark an entry as asked for: only you change it from now on."""
    return outcome_of(desk, changing_entry(desk, id, if_match, Memory.protect), "protected")


@router.delete("/entries/{id}/protection", responses=WRITING)
def unprotect_entry(desk: Here, id: str, if_match: IfMatch = None) -> Outcome:
    """Take the mark of what was asked for off an entry."""
    return outcome_of(desk, changing_entry(desk, id, if_match, Memory.unprotect), "unprotected")


@router.get("/entries/{id}/why", responses=READING)
def why(desk: Here, id: str) -> WhyShape:
    """Where an entry came from: when, by whom, from which conversation."""
    memory = desk.memory
    entry = read_entry(desk, id, Response())
    found = memory.why(entry.text)
    changes = [ChangeShape.of(change) for change in found.changes]
    said = [QuoteShape.model_validate(quote) for quote in found.said]
    return WhyShape(text=found.text, file=found.file, line=entry.line, changes=changes, said=said)
