"""What tests of a book in a folder need to see of it."""

from commonplace.files.folderhistory import FolderHistory
from commonplace.files.transactions import Book


def history_of(book: Book) -> FolderHistory:
    """The history of a book in a folder, with what only such a one can do."""
    assert isinstance(book.history, FolderHistory)
    return book.history
