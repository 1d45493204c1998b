"""A set of chunks as arrays, and arrays in one file. Pure.

The arrays hold the places, texts, terms and vectors of the chunks. Which chunks have which terms is an inverted index
in four of them, where a term is a 64-bit hash, so that there is no dictionary to load. The file is a small header with
its checksum, the raw arrays, and a checksum over everything: written once and never changed, it can be mapped into
memory, and shared by readers while a writer makes the next one. One that was cut, overwritten or flipped in a single
bit is not opened.
"""

import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from commonplace.index.chunking import digest_of, searched_terms, traits, vector_key
from commonplace.types.searching import Chunk, Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SOURCES = list(Source)
_DIGEST = "V16"
_NAMED = (FILE, HEADING, SESSION, SPEAKER) = (0, 3, 5, 7)
DAY, SOURCE, LINE, POSITION, TRAITS = 4, 2, 1, 6, 8
_STRINGS = 3  # per chunk: text, message id, what was said before
_MOST = int(np.iinfo(np.uint16).max)
_UNKNOWN = np.zeros(0)

# -- the terms of chunks ----------------------------------------------------------------------------------------------


class Postings(NamedTuple):
    """Term keys in order; the chunks of key i, and how often it stands there, are at starts[i] to starts[i + 1]."""

    keys: "NDArray[np.uint64]"
    starts: "NDArray[np.int64]"
    chunks: "NDArray[np.int32]"
    counts: "NDArray[np.uint16]"

    def of(self, key: int) -> "tuple[NDArray[np.int32], NDArray[np.uint16]]":
        at = int(np.searchsorted(self.keys, np.uint64(key)))
        if at == len(self.keys) or int(self.keys[at]) != key:
            return self.chunks[:0], self.counts[:0]
        found = slice(int(self.starts[at]), int(self.starts[at + 1]))
        return self.chunks[found], self.counts[found]


@lru_cache(maxsize=65536)
def term_key(term: str) -> int:
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "replace"), digest_size=8).digest(), "little")


def postings_of(texts: Iterable[list[str]]) -> "tuple[Postings, NDArray[np.int32]]":
    """The inverted index of texts given as their terms, and how many terms each has."""
    keys: list[int] = []
    chunks: list[int] = []
    counts: list[int] = []
    lengths: list[int] = []
    for number, words in enumerate(texts):
        found = Counter(words)
        lengths.append(len(words))
        keys += map(term_key, found)
        counts += (min(count, _MOST) for count in found.values())
        chunks += [number] * len(found)
    postings = sorted_postings(
        np.array(keys, dtype=np.uint64), np.array(chunks, dtype=np.int32), np.array(counts, dtype=np.uint16)
    )
    return postings, np.array(lengths, dtype=np.int32)


def sorted_postings(keys: "NDArray[np.uint64]", chunks: "NDArray[np.int32]", counts: "NDArray[np.uint16]") -> Postings:
    """Postings from (term, chunk, count) triples in any order."""
    order = np.lexsort((chunks, keys))
    unique, starts = np.unique(keys[order], return_index=True)
    return Postings(unique, np.append(starts, len(keys)).astype(np.int64), chunks[order], counts[order])


def triples(postings: Postings) -> "tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.uint16]]":
    """The opposite of `sorted_postings`."""
    return np.repeat(postings.keys, np.diff(postings.starts)), postings.chunks, postings.counts


# -- chunks -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Segment:
    """Chunks 0 to n-1; every array has one element a chunk unless said otherwise."""

    places: "NDArray[np.int32]"  # file, line, source, heading, day, session, position, speaker, traits
    names: list[str]  # what the numbers for file, heading, session and speaker stand for
    digests: "NDArray[np.void]"
    texts: "NDArray[np.uint8]"  # all strings, one after the other
    text_ends: "NDArray[np.int64]"  # per string
    lengths: "NDArray[np.int32]"
    postings: Postings
    keys: "NDArray[np.void]"  # of the vectors
    vectors: "NDArray[np.float32]"
    known: "NDArray[np.bool_]"  # is the vector there yet?
    total: "NDArray[np.float64]"  # the sum of the vectors, where it was written down

    @property
    def count(self) -> int:
        return len(self.places)

    def chunk(self, at: int) -> Chunk:
        place = cast(list[int], self.places[at].tolist())
        text, message, before = self._strings(at)
        return Chunk(
            file=self.names[place[FILE]],
            line=place[LINE],
            source=_SOURCES[place[SOURCE]],
            heading=self.names[place[HEADING]],
            day=date.fromordinal(place[DAY]) if place[DAY] else None,
            session=self.names[place[SESSION]],
            position=place[POSITION],
            speaker=self.names[place[SPEAKER]],
            text=text,
            message=message,
            before=before,
        )

    def _strings(self, at: int) -> list[str]:
        first = _STRINGS * at
        bounds = [int(self.text_ends[first - 1]) if at else 0, *self.text_ends[first : first + _STRINGS].tolist()]
        data = self.texts[bounds[0] : bounds[-1]].tobytes()
        return [data[a - bounds[0] : b - bounds[0]].decode("utf-8", "surrogatepass") for a, b in pairwise(bounds)]

    def sum_of_vectors(self, keep: "NDArray[np.bool_]") -> "NDArray[np.float64]":
        """The sum of the vectors that a mask keeps. Few have gone since that of all was written down."""
        if not len(self.total):
            return self.vectors[keep].sum(axis=0, dtype=np.float64)
        gone = np.flatnonzero(~keep)
        return self.total - self.vectors[gone].sum(axis=0, dtype=np.float64) if len(gone) else self.total

    def of_file(self, file: str) -> "NDArray[np.int64]":
        """The chunks of one file."""
        if file not in self.names:
            return np.zeros(0, dtype=np.int64)
        return np.flatnonzero(self.places[:, FILE] == self.names.index(file))


def build(chunks: Sequence[Chunk], vectors: "Mapping[bytes, NDArray[np.float32]]", dimensions: int) -> Segment:
    """A segment of these chunks; vectors that are known already are taken from `vectors`."""
    names: dict[str, int] = {"": 0}

    def number(name: str) -> int:
        return names.setdefault(name, len(names))

    rows = [
        (
            number(c.file),
            c.line,
            _SOURCES.index(c.source),
            number(c.heading),
            c.day.toordinal() if c.day else 0,
            number(c.session),
            c.position,
            number(c.speaker),
            traits(c),
        )
        for c in chunks
    ]
    strings = [s.encode("utf-8", "surrogatepass") for c in chunks for s in (c.text, c.message, c.before)]
    postings, lengths = postings_of(searched_terms(c) for c in chunks)
    keys = [vector_key(c) for c in chunks]
    matrix = np.zeros((len(chunks), dimensions), dtype=np.float32)
    known = np.zeros(len(chunks), dtype=np.bool_)
    for at, key in enumerate(keys):
        if key in vectors:
            matrix[at], known[at] = vectors[key], True
    return Segment(
        places=np.array(rows, dtype=np.int32).reshape(len(chunks), 9),
        names=list(names),
        digests=np.array([digest_of(c) for c in chunks], dtype=_DIGEST),
        texts=np.frombuffer(b"".join(strings), dtype=np.uint8),
        text_ends=np.cumsum([len(s) for s in strings], dtype=np.int64),
        lengths=lengths,
        postings=postings,
        keys=np.array(keys, dtype=_DIGEST),
        vectors=matrix,
        known=known,
        total=_UNKNOWN,
    )


def join(segments: "Sequence[tuple[Segment, NDArray[np.bool_]]]") -> Segment:
    """The chunks of several segments that their masks keep, as one segment. No text is split into terms again."""
    names: dict[str, int] = {"": 0}
    places: list[NDArray[np.int32]] = []
    strings: list[bytes] = []
    parts: list[tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.uint16]]] = []
    first = 0
    for segment, keep in segments:
        renamed = np.array([names.setdefault(name, len(names)) for name in segment.names], dtype=np.int32)
        moved = segment.places[keep].copy()
        for column in _NAMED:
            moved[:, column] = renamed[moved[:, column]]
        places.append(moved)
        strings += _kept_strings(segment, keep)
        keys, chunks, counts = triples(segment.postings)
        kept = keep[chunks]
        new_number = np.cumsum(keep, dtype=np.int32) - 1 + first
        parts.append((keys[kept], new_number[chunks[kept]], counts[kept]))
        first += int(keep.sum())
    keys, chunks, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Segment(
        places=np.concatenate(places),
        names=list(names),
        texts=np.frombuffer(b"".join(strings), dtype=np.uint8),
        text_ends=np.cumsum([len(s) for s in strings], dtype=np.int64),
        postings=sorted_postings(keys, chunks, counts),
        total=_UNKNOWN,
        **{name: np.concatenate([getattr(s, name)[keep] for s, keep in segments]) for name in _PER_CHUNK},
    )


def _kept_strings(segment: Segment, keep: "NDArray[np.bool_]") -> list[bytes]:
    bounds = [0, *cast(list[int], segment.text_ends.tolist())]
    data = segment.texts.tobytes()
    kept = np.flatnonzero(keep).tolist()
    return [data[bounds[i] : bounds[i + 1]] for at in kept for i in range(_STRINGS * at, _STRINGS * (at + 1))]


def writable(segment: Segment) -> Segment:
    """The same with vectors that can be filled in."""
    if segment.vectors.flags.writeable and segment.known.flags.writeable:
        return segment
    return replace(segment, vectors=segment.vectors.copy(), known=segment.known.copy(), total=_UNKNOWN)


# -- files -----------------------------------------------------------------------------------------------------------

_PER_CHUNK = ("digests", "lengths", "keys", "vectors", "known")
_PLAIN = ("places", "texts", "text_ends", *_PER_CHUNK)
_MAGIC = b"commonplace index 2\n"
_START = len(_MAGIC) + 12  # the header's length and checksum
_ALIGN = 64


class BadContainer(Exception):
    """The bytes are not a whole container."""


def pack(arrays: "Mapping[str, NDArray[Any]]", notes: Mapping[str, object]) -> list[bytes | memoryview]:
    """The parts of a file, to be written one after the other. `notes` is anything that JSON can hold."""
    described: list[dict[str, object]] = []
    offset = 0
    bodies: list[bytes | memoryview] = []
    for name, array in arrays.items():
        data = np.ascontiguousarray(array)
        described.append({"name": name, "type": data.dtype.str, "shape": data.shape, "at": offset})
        padding = -data.nbytes % _ALIGN
        bodies += [data.reshape(-1).view(np.uint8).data, bytes(padding)] if data.size else []
        offset += (data.nbytes + padding) if data.size else 0
    header = json.dumps({"arrays": described, "notes": notes}, ensure_ascii=False).encode()
    header += b" " * (-(_START + len(header)) % _ALIGN)
    described_by = len(header).to_bytes(8, "little") + zlib.crc32(header).to_bytes(4, "little")
    parts: list[bytes | memoryview] = [_MAGIC, described_by, header, *bodies]
    checksum = 0
    for part in parts:
        checksum = zlib.crc32(part, checksum)
    return [*parts, checksum.to_bytes(4, "little")]


def unpack(data: memoryview, *, check: bool = True) -> "tuple[dict[str, NDArray[Any]], dict[str, object]]":
    """The arrays (views of `data`, not copies) and the notes; without `check`, whatever the bytes hold."""
    if len(data) < _START + 4 or bytes(data[: len(_MAGIC)]) != _MAGIC:
        raise BadContainer("not an index file")
    if check and zlib.crc32(data[:-4]) != int.from_bytes(data[-4:], "little"):
        raise BadContainer("checksum differs")
    body = _START + int.from_bytes(data[len(_MAGIC) : _START - 4], "little")
    if zlib.crc32(data[_START:body]) != int.from_bytes(data[_START - 4 : _START], "little"):
        raise BadContainer("checksum of the header differs")
    header = cast(dict[str, Any], json.loads(bytes(data[_START:body])))
    arrays: dict[str, NDArray[Any]] = {}
    for one in header["arrays"]:
        kind, shape = np.dtype(one["type"]), tuple(one["shape"])
        count = int(np.prod(shape, dtype=np.int64))
        at = body + one["at"]
        arrays[one["name"]] = np.frombuffer(data, kind, count, at).reshape(shape) if count else np.zeros(shape, kind)
    return arrays, header["notes"]


def to_arrays(segment: Segment) -> "dict[str, NDArray[Any]]":
    """What is written to a file; each vector with a checksum of its own, so that damage elsewhere does not cost it."""
    checks = np.array([zlib.crc32(vector.tobytes()) for vector in segment.vectors], dtype=np.uint32)
    names = np.frombuffer(json.dumps(segment.names).encode(), dtype=np.uint8)
    plain = {name: getattr(segment, name) for name in _PLAIN}
    postings = {f"postings_{name}": array for name, array in segment.postings._asdict().items()}
    total = segment.vectors.sum(axis=0, dtype=np.float64)
    return plain | postings | {"names": names, "checks": checks, "total": total}


def from_arrays(arrays: "Mapping[str, NDArray[Any]]") -> Segment:
    postings = Postings(*(arrays[f"postings_{name}"] for name in Postings._fields))
    names = cast(list[str], json.loads(arrays["names"].tobytes()))
    total = arrays.get("total", _UNKNOWN)  # an older version did not write it
    return Segment(names=names, postings=postings, total=total, **{name: arrays[name] for name in _PLAIN})


def salvage(data: memoryview, identity: str) -> "dict[bytes, NDArray[np.float32]]":
    """The vectors of a damaged file that are provably whole and of that model: embedding is the slow part."""
    try:
        arrays, notes = unpack(data, check=False)
        if notes["identity"] != identity:
            return {}
        keys, vectors, known, checks = (arrays[name] for name in ("keys", "vectors", "known", "checks"))
        return {
            key.tobytes(): vector.copy()
            for key, vector, is_known, check in zip(keys, vectors, known, checks, strict=True)
            if is_known and zlib.crc32(vector.tobytes()) == check
        }
    except (BadContainer, KeyError, ValueError, TypeError):
        return {}
