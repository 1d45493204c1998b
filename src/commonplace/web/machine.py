"""What is offered only where nobody but the person at this machine can ask: their other books, each at an address of
its own for as long as the server runs, and their files. An address stands for one book, whatever is opened meanwhile: a
program or a window that was told one never writes into another book."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from starlette.types import ASGIApp

from commonplace.app import App
from commonplace.errors import NotFound
from commonplace.loopback import address, bound, serve_beside
from commonplace.web.door import ENTER, Keys

Make = Callable[[App, Keys], ASGIApp]


@dataclass(frozen=True, slots=True)
class _Served:
    address: str
    keys: Keys
    end: Callable[[], None]


class Machine:
    """The books that this process serves. `make` is how a book becomes an application."""

    def __init__(self, token: str, host: str, make: Make) -> None:
        self._token = token
        self._host = host
        self._make = make
        self._lock = threading.Lock()
        self._served: dict[str, _Served] = {}

    def note(self, place: str, address: str, keys: Keys) -> None:
        """A book that is served already."""
        self._served[place] = _Served(address, keys, lambda: None)

    def link_to(self, app: App, name: str) -> str:
        """A link to a book on the list, that works once. The book is served from then on."""
        book, problem = next(((one, trouble) for one, trouble in app.listed() if one.name == name), (None, None))
        if book is None:
            raise NotFound(f"No book is called {name!r}.", hint="List them: GET /books.")
        if problem is not None:
            raise problem
        place = str(book.path)
        with self._lock:
            if place not in self._served:
                listening, keys = bound(self._host, 0), Keys(self._token)
                end = serve_beside(self._make(app.for_book(str(book.path)), keys), listening)
                self._served[place] = _Served(address(self._host, listening), keys, end)
            served = self._served[place]
        return f"{served.address}{ENTER}?key={served.keys.new_link()}"

    def close(self) -> None:
        """End what was begun here."""
        with self._lock:
            for served in self._served.values():
                served.end()
