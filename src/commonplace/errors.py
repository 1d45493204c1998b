"""The one tree of errors. Each class carries its wire code; surfaces translate codes from one table.

CommonplaceError            error
├── ValidationError         validation_error   the call's arguments cannot be used
├── NotFound                not_found          no entry, backup, log or change like that
├── AmbiguousMatch          ambiguous_match    more than one; `count` says how many
├── Conflict                conflict           somebody else changed the same thing meanwhile
├── BookBusy                busy               another process holds the book's lock
├── BookMissing             book_missing       the book is not where it was, or has lost its files
├── ConfigError             config_error       a setting is unknown, misplaced or malformed
├── EmbedderFailed          embedder_failed    the embedding model cannot be used; keywords still can
├── ModelFailed             model_failed       the chat model gave no whole answer; `partial` is what came of it
├── UsageCapReached         usage_cap          the tokens the user allows for a day are used up
└── StorageError            storage_failed     the disk said no
    ├── SaveFailed          save_failed        … while something was being saved
    ├── UpdateFailed        update_failed      … while something was being changed
    ├── UnreadableFile      unreadable_file    not a text file Commonplace can edit without harm
    └── UnsafePath          unsafe_path        a name or link that would leave the book

A message says what happened; `hint` says what to do next.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager


class CommonplaceError(Exception):
    """Base of everything Commonplace raises on purpose."""

    code: str = "error"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if hint:
            self.add_note(hint)  # a traceback shows it, too


class ValidationError(CommonplaceError):
    code = "validation_error"


class NotFound(CommonplaceError):
    code = "not_found"


class AmbiguousMatch(CommonplaceError):
    code = "ambiguous_match"

    def __init__(self, message: str, *, count: int, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.count = count


class Conflict(CommonplaceError):
    code = "conflict"


class BookBusy(CommonplaceError):
    code = "busy"


class BookMissing(CommonplaceError):
    code = "book_missing"


class ConfigError(CommonplaceError):
    code = "config_error"


class StorageError(CommonplaceError):
    code = "storage_failed"


class SaveFailed(StorageError):
    code = "save_failed"


class UpdateFailed(StorageError):
    code = "update_failed"


class UnreadableFile(StorageError):
    code = "unreadable_file"


class UnsafePath(StorageError):
    code = "unsafe_path"


class EmbedderFailed(CommonplaceError):
    code = "embedder_failed"


class ModelFailed(CommonplaceError):
    """`retryable`: the same request may work later (`after` so many seconds, if the provider said when).
    `partial`: the text that had already come."""

    code = "model_failed"

    def __init__(
        self, message: str, *, retryable: bool, partial: str = "", after: float | None = None, hint: str = ""
    ) -> None:
        super().__init__(message, hint=hint)
        self.retryable = retryable
        self.partial = partial
        self.after = after


class UsageCapReached(CommonplaceError):
    code = "usage_cap"


def partly(error: CommonplaceError, done: str) -> StorageError:
    """A failure in the middle of several steps: `done` says which are taken, so that nobody believes that none is."""
    return StorageError(
        f"{error.message} {done}",
        hint="Find the cause (`commonplace doctor` helps), then do it again: it goes on there.",
    )


@contextmanager
def failing_as(kind: Callable[..., StorageError]) -> Generator[None]:
    """A storage failure under the code that the caller's contract names."""
    try:
        yield
    except (SaveFailed, UpdateFailed):
        raise
    except StorageError as error:
        raise kind(error.message, hint=error.hint) from error
