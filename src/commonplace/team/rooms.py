"""What there is to ask of a team beside its books: which there are, who may do what in them, and who did."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import Field

from commonplace.team.desks import Desks
from commonplace.team.entrance import Visit
from commonplace.team.membership import Given, Kind, Members, Role, TeamBook, Visitor, no_book, role_named
from commonplace.team.trail import Trail
from commonplace.web.desk import Cursor, Limit, cursor_of, number_of
from commonplace.web.entries import Body
from commonplace.web.problems import READING, WRITING, ApiError
from commonplace.web.shapes import Page, Shape, Text

router = APIRouter(tags=["team"])
RoleWord = Annotated[str, Field(pattern="^(reader|writer|owner)$")]
Name = Annotated[str, Path(max_length=100, description="The book, by its name.")]
Who = Annotated[str, Path(max_length=201, description="A person, or @ and a group.")]


class MeShape(Shape):
    """Who asks: by a token with this id (empty: by the word of the issuer), limited to a role and some books."""

    tenant: Text
    person: Text
    groups: list[Text]
    token: str
    role: str
    books: list[Text] | None


class TeamBookShape(Shape):
    """A book, and what may be done in it by whoever asks."""

    book: Text
    kind: Kind
    created: datetime
    role: str

    @classmethod
    def told(cls, found: TeamBook) -> "TeamBookShape":
        return cls(book=found.book, kind=found.kind, created=found.created, role=(found.role or Role.READER).word)


class TeamBooks(Shape):
    items: list[TeamBookShape]


class NewBook(Body):
    """A new book; whoever makes it owns it."""

    book: str = Field(min_length=1, max_length=100)
    kind: str = Field(default=Kind.PERSONAL.value, pattern="^(personal|project|shared)$")


class NewRole(Body):
    role: RoleWord


class GivenShape(Shape):
    """A role that somebody has."""

    who: Text
    role: str
    given: datetime
    given_by: Text

    @classmethod
    def told(cls, given: Given) -> "GivenShape":
        return cls(who=given.who, role=given.role.word, given=given.given, given_by=given.given_by)


class Roles(Shape):
    items: list[GivenShape]


class DeedShape(Shape):
    """One request: who, when, what, and what came of it. No text of the memory."""

    id: int
    at: datetime
    person: Text
    token: str
    operation: Text
    subject: Text
    status: int
    changes: list[str]


class Closed(Shape):
    """The book that was deleted."""

    closed: Text


def visit_of(request: Request) -> Visit:
    return request.scope["visit"]


def members_of(request: Request) -> Members:
    return request.app.state.members


Visiting = Annotated[Visit, Depends(visit_of)]
Membership = Annotated[Members, Depends(members_of)]


@router.get("/me", responses=READING)
def me(visit: Visiting) -> MeShape:
    """Who is asking."""
    visitor: Visitor = visit.visitor
    return MeShape(
        tenant=visitor.tenant,
        person=visitor.person,
        groups=list(visitor.groups),
        token=visitor.token,
        role=visitor.role.word,
        books=None if visitor.books is None else sorted(visitor.books),
    )


@router.get("/books", responses=READING)
def list_books(visit: Visiting, members: Membership) -> TeamBooks:
    """The books that you may use."""
    return TeamBooks(items=[TeamBookShape.told(book) for book in members.all_of(visit.visitor)])


@router.post("/books", status_code=201, responses=WRITING)
def open_book(visit: Visiting, members: Membership, body: NewBook) -> TeamBookShape:
    """Begin a book. It takes the right to own one, and no limit to other books."""
    visitor = visit.visitor
    if visitor.role is not Role.OWNER or (visitor.books is not None and body.book not in visitor.books):
        raise ApiError("forbidden", "This token may not begin that book.", hint="It takes one for owners.")
    members.open(visitor.tenant, body.book, Kind(body.kind), visitor.person, visitor.person)
    visit.asked = body.book
    made = members.of(visitor, body.book)
    if made is None:
        raise no_book(body.book)
    return TeamBookShape.told(made)


@router.get("/books/{book}", responses=READING)
def read_book(visit: Visiting, book: Name) -> TeamBookShape:
    """One book, and what you may do in it."""
    if visit.book is None:
        raise no_book(book)
    return TeamBookShape.told(visit.book)


@router.delete("/books/{book}", responses=WRITING)
def close_book(visit: Visiting, members: Membership, book: Name, request: Request) -> Closed:
    """Delete a book with all that is in it, for good. Only the trail stays."""
    desks: Desks = request.app.state.desks
    members.close(visit.visitor.tenant, book)
    desks.forget(visit.visitor.tenant, book)
    return Closed(closed=book)


@router.get("/books/{book}/roles", responses=READING)
def list_roles(visit: Visiting, members: Membership, book: Name) -> Roles:
    """Who may do what in a book. For its owners."""
    return Roles(items=[GivenShape.told(one) for one in members.roles(visit.visitor.tenant, book)])


@router.put("/books/{book}/roles/{who}", responses=WRITING)
def grant(visit: Visiting, members: Membership, book: Name, who: Who, body: NewRole) -> Roles:
    """Give somebody a role in a book, or another one. For its owners; one owner stays."""
    members.grant(visit.visitor.tenant, book, who, role_named(body.role), visit.visitor.person)
    return list_roles(visit, members, book)


@router.delete("/books/{book}/roles/{who}", responses=WRITING)
def revoke(visit: Visiting, members: Membership, book: Name, who: Who) -> Roles:
    """Take somebody's role in a book away. For its owners; one owner stays."""
    members.revoke(visit.visitor.tenant, book, who)
    return list_roles(visit, members, book)


@router.get("/books/{book}/trail", responses=READING)
def read_trail(
    visit: Visiting,
    request: Request,
    book: Name,
    person: Annotated[str | None, Query(max_length=200, description="Only what this person did.")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Page[DeedShape]:
    """Who read and wrote what in a book, the newest first. For its owners."""
    trail: Trail = request.app.state.trail
    before = number_of(cursor) or None
    found = trail.read(visit.visitor.tenant, book=book, person=person, before=before, limit=limit + 1)
    more = cursor_of(str(found[limit - 1].id)) if len(found) > limit else None
    items = [DeedShape.model_validate(one) for one in found[:limit]]
    return Page[DeedShape](items=items, next=more, total=None)
