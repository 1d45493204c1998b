"""The pages of a book: its long-term memory with dates from the history, and all else that may hold a secret."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from commonplace.errors import StorageError
from commonplace.files import daily, timeline, transcripts
from commonplace.files.inbox import INBOX_FILE
from commonplace.files.pages import Depth, Item, MarkdownPage, Page
from commonplace.files.transactions import Book
from commonplace.foreign.audited import page
from commonplace.types.book import MEMORY_FILE


def pages_of(book: Book) -> list[Page]:
    """What a person can read in a book. What cannot be read is left out: `doctor` tells."""
    names = [(MEMORY_FILE, Depth.ALL), (INBOX_FILE, Depth.SECRETS)]
    for folder, depth in ((daily.FOLDER, Depth.LOG), (transcripts.FOLDER, Depth.SECRETS)):
        listed = (file.name for file in book.storage.list_folder(folder) if file.kind == "file")
        names += [(name, depth) for name in sorted(listed) if name.endswith((".md", ".jsonl"))]
    pages: list[Page] = []
    for name, depth in names:
        try:
            data = book.storage.read(name).data
            if data is not None:
                pages.append(page(name, data, depth))
        except StorageError:
            if name == MEMORY_FILE:
                raise  # without it there is nothing to say
    return [_dated(one, book) if one.name == MEMORY_FILE else one for one in pages]


@dataclass(frozen=True)
class _DatedPage(MarkdownPage):
    """MEMORY.md whose entries know when they got their wording."""

    times: Mapping[str, date] | None = None

    @property
    def items(self) -> tuple[Item, ...]:
        times = self.times or {}
        return tuple(replace(item, since=times.get(item.text.split("\n")[0])) for item in super().items)


def _dated(one: Page, book: Book) -> Page:
    if not isinstance(one, MarkdownPage):
        return one
    try:
        times = {text: at.astimezone().date() for text, at in timeline.written(book, one.name).items()}
    except StorageError:  # a damaged history; `doctor` tells
        times = {}
    return _DatedPage(one.name, one.text, one.depth, one.since, times)


def can_be_mended(one: Page) -> bool:
    """Transcripts are what was said: only complete forgetting changes them."""
    return one.depth is not Depth.SECRETS or isinstance(one, MarkdownPage)
