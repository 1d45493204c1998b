"""Files of models that come with the package: mapped, and checked against their hashes once a process."""

import hashlib
from functools import cache
from mmap import ACCESS_READ, mmap
from pathlib import Path

from commonplace.errors import EmbedderFailed


class _Damaged(Exception):
    pass


def checked(path: Path, sha256: str, *, of: str, hint: str) -> memoryview:
    """What is in the file. `of` says in an error whose file it is."""
    try:
        return _checked(path, sha256)
    except _Damaged as error:
        raise EmbedderFailed(f"{path.name}{of} is damaged.", hint=hint) from error
    except (OSError, ValueError) as error:  # an empty file cannot be mapped
        raise EmbedderFailed(f"{path.name}{of} cannot be read: {error}.", hint=hint) from error


@cache  # of what is whole: what is not may be mended meanwhile
def _checked(path: Path, sha256: str) -> memoryview:
    with path.open("rb") as file:
        data = memoryview(mmap(file.fileno(), 0, access=ACCESS_READ))
    if hashlib.sha256(data).hexdigest() != sha256:
        raise _Damaged
    return data
