"""A set of chunks as arrays: their places, texts, terms and vectors. Immutable; pure but for the given bytes."""

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from commonplace.index import container
from commonplace.index.chunking import digest_of, embedded_pieces, searched_text, vector_keys
from commonplace.index.lexical import Postings, postings_of, sorted_postings, triples
from commonplace.types import Chunk, Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SOURCES = list(Source)
_KEY = "V16"


@dataclass(frozen=True, slots=True)
class Segment:
    """Chunks 0 to n-1. Chunk i has the vectors of rows `rows[i]` to `rows[i + 1]`: one per piece of its text."""

    places: "NDArray[np.int32]"  # per chunk: file, line, source, heading, day, session, position, speaker
    names: list[str]  # what the numbers for file, heading, session and speaker stand for
    digests: "NDArray[np.void]"
    texts: "NDArray[np.uint8]"  # all texts and message ids, one after the other
    text_ends: "NDArray[np.int64]"
    lengths: "NDArray[np.int32]"
    postings: Postings
    rows: "NDArray[np.int32]"
    keys: "NDArray[np.void]"
    vectors: "NDArray[np.float32]"
    known: "NDArray[np.bool_]"  # per row: is the vector there yet?

    @property
    def count(self) -> int:
        return len(self.places)

    def chunk(self, at: int) -> Chunk:
        file, line, source, heading, day, session, position, speaker = (int(n) for n in self.places[at])
        text, message = self._strings(at)
        return Chunk(
            self.names[file],
            line,
            _SOURCES[source],
            self.names[heading],
            date.fromordinal(day) if day else None,
            self.names[session],
            position,
            self.names[speaker],
            text,
            message,
        )

    def _strings(self, at: int) -> list[str]:
        ends = [int(self.text_ends[2 * at + i]) for i in (-1, 0, 1)] if at else [0, *map(int, self.text_ends[:2])]
        return [self.texts[start:end].tobytes().decode("utf-8", "surrogatepass") for start, end in pairwise(ends)]

    def rows_of_file(self, file: str) -> "NDArray[np.int64]":
        """The chunks of one file."""
        if file not in self.names:
            return np.zeros(0, dtype=np.int64)
        return np.flatnonzero(self.places[:, 0] == self.names.index(file))


def build(chunks: Sequence[Chunk], vectors: "Mapping[bytes, NDArray[np.float32]]", dimensions: int) -> Segment:
    """A segment of these chunks; vectors are taken from `vectors` by the key of what was embedded."""
    names: dict[str, int] = {"": 0}

    def number(name: str) -> int:
        return names.setdefault(name, len(names))

    places = np.array(
        [
            (
                number(c.file),
                c.line,
                _SOURCES.index(c.source),
                number(c.heading),
                c.day.toordinal() if c.day else 0,
                number(c.session),
                c.position,
                number(c.speaker),
            )
            for c in chunks
        ],
        dtype=np.int32,
    ).reshape(len(chunks), 8)
    strings = [s.encode("utf-8", "surrogatepass") for c in chunks for s in (c.text, c.message)]
    postings, lengths = postings_of([searched_text(c) for c in chunks])
    keys = [vector_keys(c) for c in chunks]
    flat = [key for some in keys for key in some]
    matrix = np.zeros((len(flat), dimensions), dtype=np.float32)
    known = np.zeros(len(flat), dtype=np.bool_)
    for row, key in enumerate(flat):
        vector = vectors.get(key)
        if vector is not None:
            matrix[row], known[row] = vector, True
    return Segment(
        places,
        list(names),
        np.array([digest_of(c) for c in chunks], dtype=_KEY),
        np.frombuffer(b"".join(strings), dtype=np.uint8),
        np.cumsum([len(s) for s in strings], dtype=np.int64),
        lengths,
        postings,
        np.cumsum([0, *(len(some) for some in keys)], dtype=np.int32),
        np.array(flat, dtype=_KEY),
        matrix,
        known,
    )


def join(segments: "Sequence[tuple[Segment, NDArray[np.bool_]]]") -> Segment:
    """The chunks of several segments that their masks keep, as one segment. No text is split into terms again."""
    names: dict[str, int] = {"": 0}
    places: list[NDArray[np.int32]] = []
    strings: list[bytes] = []
    parts: list[tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.uint16]]] = []
    pieces: list[NDArray[np.int32]] = []
    first = 0
    for segment, keep in segments:
        renamed = np.array([names.setdefault(name, len(names)) for name in segment.names], dtype=np.int32)
        moved = segment.places[keep].copy()
        for column in (0, 3, 5, 7):
            moved[:, column] = renamed[moved[:, column]]
        places.append(moved)
        bounds = np.concatenate(([0], segment.text_ends))
        data = segment.texts.tobytes()
        strings += [data[bounds[i] : bounds[i + 1]] for at in np.flatnonzero(keep) for i in (2 * at, 2 * at + 1)]
        new_number = np.cumsum(keep, dtype=np.int32) - 1 + first
        keys, chunks, counts = triples(segment.postings)
        kept = keep[chunks]
        parts.append((keys[kept], new_number[chunks[kept]], counts[kept]))
        pieces.append(np.diff(segment.rows)[keep])
        first += int(keep.sum())
    row_masks = [np.repeat(keep, np.diff(segment.rows)) for segment, keep in segments]
    joined = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return Segment(
        np.concatenate(places),
        list(names),
        np.concatenate([s.digests[keep] for s, keep in segments]),
        np.frombuffer(b"".join(strings), dtype=np.uint8),
        np.cumsum([len(s) for s in strings], dtype=np.int64),
        np.concatenate([s.lengths[keep] for s, keep in segments]),
        sorted_postings(*joined),
        np.concatenate(([0], np.cumsum(np.concatenate(pieces)))).astype(np.int32),
        np.concatenate([s.keys[mask] for (s, _), mask in zip(segments, row_masks, strict=True)]),
        np.concatenate([s.vectors[mask] for (s, _), mask in zip(segments, row_masks, strict=True)]),
        np.concatenate([s.known[mask] for (s, _), mask in zip(segments, row_masks, strict=True)]),
    )


def to_arrays(segment: Segment) -> "dict[str, NDArray[Any]]":
    """What is written to a file; each vector with a checksum of its own, so that damage elsewhere does not cost it."""
    checks = np.array([zlib.crc32(vector.tobytes()) for vector in segment.vectors], dtype=np.uint32)
    names = np.frombuffer(json.dumps(segment.names).encode(), dtype=np.uint8)
    plain = {name: getattr(segment, name) for name in _PLAIN}
    postings = {f"postings_{name}": array for name, array in segment.postings._asdict().items()}
    return plain | postings | {"names": names, "checks": checks}


def from_arrays(arrays: "Mapping[str, NDArray[Any]]") -> Segment:
    postings = Postings(*(arrays[f"postings_{name}"] for name in Postings._fields))
    names = cast(list[str], json.loads(arrays["names"].tobytes()))
    return Segment(names=names, postings=postings, **{name: arrays[name] for name in _PLAIN})


def salvage(data: memoryview) -> "dict[bytes, NDArray[np.float32]]":
    """The vectors of a damaged file that are provably whole: embedding is the slow part of making an index."""
    try:
        arrays, _ = container.unpack(data, check=False)
        keys, vectors, known, checks = (arrays[name] for name in ("keys", "vectors", "known", "checks"))
        return {
            key.tobytes(): vector
            for key, vector, is_known, check in zip(keys, vectors, known, checks, strict=True)
            if is_known and zlib.crc32(vector.tobytes()) == check
        }
    except (container.BadContainer, KeyError, ValueError, TypeError):
        return {}


def piece(segment: Segment, row: int) -> str:
    """What the vector of a row is made from."""
    at = int(np.searchsorted(segment.rows, row, side="right")) - 1
    return embedded_pieces(segment.chunk(at))[row - int(segment.rows[at])]


def writable(segment: Segment) -> Segment:
    """The same with vectors that can be filled in."""
    if segment.vectors.flags.writeable:
        return segment
    return replace(segment, vectors=segment.vectors.copy(), known=segment.known.copy())


_PLAIN = ("places", "digests", "texts", "text_ends", "lengths", "rows", "keys", "vectors", "known")
