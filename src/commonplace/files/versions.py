"""The version of a file: what a later write must name. It depends on the content alone, whatever stores it."""

import hashlib

from commonplace.types.book import ABSENT, Snapshot


def version_of(data: bytes) -> str:
    """The version of a file with this content."""
    return hashlib.sha256(data).hexdigest()


def snapshot_of(data: bytes | None) -> Snapshot:
    return Snapshot(data, ABSENT if data is None else version_of(data))
