"""What is around the book where one person serves it: which it is, the model, tokens, settings, and the other books."""

from datetime import date
from typing import Any

from fastapi import APIRouter, Request
from pydantic import Field

from commonplace import __version__
from commonplace.config import SETTINGS
from commonplace.errors import CommonplaceError
from commonplace.shelf import place_of
from commonplace.types.book import STANDARD_SECTIONS
from commonplace.web.desk import Desk, Here
from commonplace.web.door import ENTER
from commonplace.web.entries import Body
from commonplace.web.problems import READING, WRITING
from commonplace.web.shapes import Shape, Text

router = APIRouter(tags=["health"])


class BookShape(Shape):
    """A book of this user."""

    name: Text | None
    path: Text
    id: str | None


class ModelShape(Shape):
    """The chat model that compacts and summarises, if one is chosen."""

    configured: bool
    name: Text | None


class ServedShape(Shape):
    """What is served: the book, the day that it is there, and what a page needs to know before anything else."""

    version: str
    book: BookShape
    today: date
    model: ModelShape
    sections: list[str]
    longest: int
    etag: str


class LinkShape(Shape):
    """A link that lets one more browser in, once."""

    link: str


class UsedShape(Shape):
    day: date
    input: int
    output: int


class UsageShape(Shape):
    """Tokens that models used, day by day; `cap` is how many are allowed on one (0: any number)."""

    cap: int
    today: int
    days: list[UsedShape]


class SettingShape(Shape):
    """A setting, its value, and where the value came from."""

    key: str
    value: Any
    default: Any
    origin: Text
    meaning: str
    variable: str


class SettingsShape(Shape):
    items: list[SettingShape]


class ListedBook(Shape):
    """A book on the list: whether it is the one that is open here, and what is wrong with it, if anything."""

    name: Text
    path: Text
    open: bool
    default: bool
    problem: Text | None


class BooksShape(Shape):
    """The books; `can_open` tells whether this server opens another one of them."""

    items: list[ListedBook]
    can_open: bool


class Opening(Body):
    """The book to open, by its name on the list."""

    name: str = Field(max_length=200)


@router.get("/", responses=READING)
def served(desk: Here) -> ServedShape:
    """What is served here."""
    memory, app = desk.memory, desk.app
    known, identity = app.shelf.at(place_of(memory)), memory.book.identity()
    book = BookShape(name=known.name if known else None, path=memory.address, id=identity.id if identity else None)
    settings = app.settings
    return ServedShape(
        version=__version__,
        book=book,
        today=memory.today(),
        model=_model(desk),
        sections=list(STANDARD_SECTIONS),
        longest=settings.gate.longest,
        etag=desk.version(),
    )


def _model(desk: Desk) -> ModelShape:
    try:
        model = desk.app.chat_model()
    except CommonplaceError:  # `doctor` tells
        model = None
    return ModelShape(configured=model is not None, name=model.identity if model else None)


@router.post("/links", responses=WRITING)
def new_link(request: Request) -> LinkShape:
    """A link that lets one more browser in, once."""
    return LinkShape(link=f"{request.base_url}{ENTER.lstrip('/')}?key={request.app.state.keys.new_link()}")


@router.get("/usage", responses=READING)
def usage(desk: Here) -> UsageShape:
    """The tokens that models used."""
    used = desk.app.usage()
    today = used.get(desk.memory.today())
    days = [UsedShape(day=day, input=one.input_tokens, output=one.output_tokens) for day, one in used.items()]
    return UsageShape(cap=desk.app.settings.model.daily_tokens, today=today.total if today else 0, days=days)


@router.get("/settings", responses=READING)
def settings(desk: Here) -> SettingsShape:
    """Every setting, its value, and where it came from."""
    items: list[SettingShape] = []
    for setting in SETTINGS:
        value, origin = desk.app.in_force(setting.key)
        default = "off" if setting.default is None else setting.default
        items.append(
            SettingShape(
                key=setting.key,
                value=value,
                default=default,
                origin=origin,
                meaning=setting.meaning,
                variable=setting.variable,
            )
        )
    return SettingsShape(items=items)


@router.get("/books", responses=READING)
def books(desk: Here) -> BooksShape:
    """This user's books, and which one is open here."""
    app = desk.app.anew()
    here = app.shelf.at(place_of(desk.memory))
    items = [
        ListedBook(
            name=book.name,
            path=str(book.path),
            open=here is not None and book.path == here.path,
            default=book.path == app.shelf.default,
            problem=problem.message if problem else None,
        )
        for book, problem in app.listed()
    ]
    return BooksShape(items=items, can_open=desk.is_local)


@router.post("/books/open", responses=WRITING)
def open_book(desk: Here, body: Opening) -> LinkShape:
    """Serve another book of the list too, at an address of its own, for as long as this server runs: a link that lets
    one browser in, once."""
    return LinkShape(link=desk.machine.link_to(desk.app.anew(), body.name))
