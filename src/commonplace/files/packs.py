"""Git packs: reading one object of a pack without reading the others, making a pack in which versions of a file are
stored as differences, and joining packs.

A pack and its index are mapped into memory and searched by halving, so that what an object costs does not depend on how
many others there are. Nothing in a pack is trusted: who reads an object compares it with its id.
"""

import hashlib
import struct
import threading
import zlib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise

_NUMBERS = {"commit": 1, "tree": 2, "blob": 3}
_KINDS = {number: kind for kind, number in _NUMBERS.items()}
_OFFSET_DELTA, _NAMED_DELTA = 6, 7
_MAGIC = b"\377tOc\0\0\0\2"
_FANOUT = len(_MAGIC)
_NAMES = _FANOUT + 256 * 4
_END = 20  # the checksum that closes a pack; an index has that of its pack before its own
_LARGE = 1 << 31  # from here on, offsets stand in a table of their own
_COPY_LIMIT = 0xFFFFFF
_KEPT_BYTES = 16 * 1024 * 1024
_DAMAGE = (LookupError, ValueError, MemoryError, OverflowError, struct.error, zlib.error)


class PackUnreadable(Exception):
    """The pack is damaged as a whole."""


class Pack:
    """The objects of one pack. A pack that was cut off or has a flipped bit still gives all its other objects."""

    def __init__(self, data: memoryview, index: memoryview) -> None:
        self._data = data
        self._index = index
        if bytes(index[: len(_MAGIC)]) != _MAGIC or len(index) < _NAMES + 2 * _END:
            raise PackUnreadable
        self._count = self._number(_FANOUT + 255 * 4)
        if len(index) < _NAMES + self._count * 28 + 2 * _END:
            raise PackUnreadable
        self._kept: dict[int, tuple[int, bytes]] = {}
        self._kept_bytes = 0
        self._guard = threading.Lock()

    @property
    def size(self) -> int:
        return len(self._data)

    def __contains__(self, id: str) -> bool:
        return self._find(bytes.fromhex(id)) is not None

    def ids(self, prefix: str = "") -> Iterator[str]:
        """The ids that begin with some hex digits, in their order."""
        at = self._first(bytes.fromhex(prefix.ljust(40, "0")), 0, self._count)
        while at < self._count and (id := self._name(at).hex()).startswith(prefix):
            yield id
            at += 1

    def has_whole_index(self) -> bool:
        return hashlib.sha1(self._index[:-_END], usedforsecurity=False).digest() == bytes(self._index[-_END:])

    def is_whole(self) -> bool:
        checksum = hashlib.sha1(self._data[:-_END], usedforsecurity=False).digest()
        said = bytes(self._index[-2 * _END : -_END])
        return self.has_whole_index() and checksum == said == bytes(self._data[-_END:])

    def read(self, id: str) -> tuple[str, bytes] | None:
        """Kind and content; None if they are not there or damaged."""
        try:
            at = self._find(bytes.fromhex(id))
            if at is None:
                return None
            with self._guard:
                number, body = self._unpacked(self._offset(at))
            return _KINDS[number], body
        except _DAMAGE:
            return None

    def difference(self, id: str, base: str) -> bytes | None:
        """The git delta that makes `id` from `base`, if it is stored as that."""
        try:
            at, other = self._find(bytes.fromhex(id)), self._find(bytes.fromhex(base))
            if at is None or other is None:
                return None
            _, start, size, below = self._head(self._offset(at))
            return self._inflated(start, size) if below == self._offset(other) else None
        except _DAMAGE:
            return None

    def records(self) -> Iterator[tuple[bytes, bytes]]:
        """Id and bytes of all objects as another pack can take them: what is a difference names its base."""
        names = {self._offset(at): self._name(at) for at in range(self._count)}
        starts = [*sorted(names), len(self._data) - _END]
        for offset, end in pairwise(starts):
            number, start, size, base = self._head(offset)
            head = _head(number if base is None else _NAMED_DELTA, size) + (b"" if base is None else names[base])
            yield names[offset], head + self._data[start:end]

    # -- the index -------------------------------------------------------------------------------------------

    def _find(self, name: bytes) -> int | None:
        low = self._number(_FANOUT + 4 * name[0] - 4) if name[0] else 0
        high = min(self._number(_FANOUT + 4 * name[0]), self._count)
        at = self._first(name, min(low, high), high)
        return at if at < high and self._name(at) == name else None

    def _first(self, name: bytes, low: int, high: int) -> int:
        return bisect_left(range(self._count), name, low, high, key=self._name)

    def _name(self, at: int) -> bytes:
        return bytes(self._index[_NAMES + 20 * at : _NAMES + 20 * at + 20])

    def _offset(self, at: int) -> int:
        offset = self._number(_NAMES + 24 * self._count + 4 * at)
        if offset < _LARGE:
            return offset
        start = _NAMES + 28 * self._count + 8 * (offset - _LARGE)
        return int.from_bytes(self._index[start : start + 8], "big")

    def _number(self, at: int) -> int:
        return int.from_bytes(self._index[at : at + 4], "big")

    # -- the pack --------------------------------------------------------------------------------------------

    def _unpacked(self, offset: int) -> tuple[int, bytes]:
        """Versions are read one after the other, so what they are made from is kept for a while."""
        deltas: list[tuple[int, bytes]] = []
        while offset not in self._kept:
            number, start, size, base = self._head(offset)
            content = self._inflated(start, size)
            if base is None:
                self._keep(offset, number, content)
                break
            deltas.append((offset, content))
            if len(deltas) > self._count:
                raise ValueError("a difference to itself")
            offset = base
        number, body = self._kept.pop(offset)
        self._kept[offset] = number, body  # used last
        for offset, delta in reversed(deltas):
            body = _applied(body, delta)
            self._keep(offset, number, body)
        return number, body

    def _keep(self, offset: int, number: int, body: bytes) -> None:
        self._kept[offset] = number, body
        self._kept_bytes += len(body)
        while self._kept_bytes > _KEPT_BYTES and len(self._kept) > 1:
            _, gone = self._kept.pop(next(iter(self._kept)))
            self._kept_bytes -= len(gone)

    def _head(self, offset: int) -> tuple[int, int, int, int | None]:
        """What the object at `offset` is, where its bytes start, its size, and where its base is if it has one."""
        data, at = self._data, offset + 1
        number, size, shift = data[offset] >> 4 & 7, data[offset] & 15, 4
        while data[at - 1] & 0x80:
            size |= (data[at] & 0x7F) << shift
            at, shift = at + 1, shift + 7
        if number == _NAMED_DELTA:
            base = self._find(bytes(data[at : at + 20]))
            if base is None:
                raise LookupError("a difference to nothing")
            return number, at + 20, size, self._offset(base)
        if number != _OFFSET_DELTA:
            return number, at, size, None
        back, at = data[at] & 0x7F, at + 1
        while data[at - 1] & 0x80:
            back, at = (back + 1 << 7) | (data[at] & 0x7F), at + 1
        return number, at, size, offset - back

    def _inflated(self, start: int, size: int) -> bytes:
        most = size + (size >> 12) + (size >> 14) + (size >> 25) + 64  # what zlib may make of so many bytes, and some
        inflating = zlib.decompressobj()
        body = inflating.decompress(self._data[start : start + most], size + 1)
        if len(body) != size:
            raise ValueError("not as long as it says")
        return body


def make_pack(bases: Mapping[str, str | None], read: Callable[[str], tuple[str, bytes]]) -> tuple[bytes, bytes]:
    """The bytes of a pack and of its index. `bases` names for each object another one of the same pack that it is
    stored as a difference to, or None."""
    return _assembled(_records(bases, lru_cache(maxsize=8)(read)))


def joined(packs: Sequence[Pack]) -> tuple[bytes, bytes]:
    """The bytes of one pack and of its index with all that is in `packs`; nothing is packed anew."""
    records: dict[bytes, bytes] = {}
    for name, record in chain.from_iterable(pack.records() for pack in packs):
        records.setdefault(name, record)
    return _assembled(records.items())


def too_many(sizes: Mapping[str, int]) -> list[str]:
    """Those that should be joined so that each that stays is larger than all smaller ones together: then there are few,
    and with each joining an object gets into a pack of at least twice the size, so it is seldom moved."""
    names = sorted(sizes, key=lambda name: (sizes[name], name))
    last = below = 0
    for at, name in enumerate(names):
        if below >= sizes[name]:
            last = at
        below += sizes[name]
    return names[: last + 1] if last else []


def unchanged(delta: bytes) -> tuple[int, int, int]:
    """Up to where and from where on a difference keeps its base, and by how much the latter part moves."""
    (whole, size), operations = _sizes(delta), list(_operations(delta))
    first, last = (operations[0], operations[-1]) if operations else (b"", b"")
    start = first[1] if isinstance(first, tuple) and first[0] == 0 else 0
    end = last[0] if isinstance(last, tuple) and sum(last) == whole else whole
    return start, end, size - whole


def _records(
    bases: Mapping[str, str | None], read: Callable[[str], tuple[str, bytes]]
) -> Iterator[tuple[bytes, bytes]]:
    for id, base in bases.items():
        kind, body = read(id)
        if base is None or not body:  # git takes no difference that is as short as that to nothing
            record = _head(_NUMBERS[kind], len(body)) + zlib.compress(body)
        else:
            delta = _difference(read(base)[1], body)
            record = _head(_NAMED_DELTA, len(delta)) + bytes.fromhex(base) + zlib.compress(delta)
        yield bytes.fromhex(id), record


def _assembled(records: Iterable[tuple[bytes, bytes]]) -> tuple[bytes, bytes]:
    pack = bytearray(b"PACK\0\0\0\2\0\0\0\0")
    entries: list[tuple[bytes, int, int]] = []
    for name, record in records:
        entries.append((name, zlib.crc32(record), len(pack)))
        pack += record
    pack[8:12] = struct.pack(">L", len(entries))
    checksum = hashlib.sha1(pack, usedforsecurity=False).digest()
    return bytes(pack + checksum), _index(sorted(entries), checksum)


def _index(entries: Sequence[tuple[bytes, int, int]], checksum: bytes) -> bytes:
    counts = [0] * 256
    for name, _, _ in entries:
        counts[name[0]] += 1
    large = [offset for _, _, offset in entries if offset >= _LARGE]
    places = iter(range(_LARGE, _LARGE + len(large)))
    offsets = (offset if offset < _LARGE else next(places) for _, _, offset in entries)
    index = b"".join(
        (
            _MAGIC,
            struct.pack(">256L", *(sum(counts[: byte + 1]) for byte in range(256))),
            *(name for name, _, _ in entries),
            struct.pack(f">{len(entries)}L", *(crc for _, crc, _ in entries)),
            struct.pack(f">{len(entries)}L", *offsets),
            struct.pack(f">{len(large)}Q", *large),
            checksum,
        )
    )
    return index + hashlib.sha1(index, usedforsecurity=False).digest()


def _head(number: int, size: int) -> bytes:
    encoded = bytearray([number << 4 | size & 15])
    size >>= 4
    while size:
        encoded[-1] |= 0x80
        encoded.append(size & 0x7F)
        size >>= 7
    return bytes(encoded)


# -- differences ------------------------------------------------------------------------------------------------------


def _difference(base: bytes, target: bytes) -> bytes:
    """A git delta of common start, new middle, common end: versions of one file mostly differ in one place."""
    start = _common_start(base, target)
    room = min(len(base), len(target)) - start
    end = _common_start(base[len(base) - room :][::-1], target[len(target) - room :][::-1]) if room else 0
    middle = target[start : len(target) - end]
    parts = [_size(len(base)), _size(len(target)), *_copies(0, start)]
    parts += [bytes([len(middle[i : i + 127])]) + middle[i : i + 127] for i in range(0, len(middle), 127)]
    parts += _copies(len(base) - end, end)
    return b"".join(parts)


def _applied(base: bytes, delta: bytes) -> bytes:
    expected, size = _sizes(delta)
    whole = memoryview(base)
    parts = [whole[op[0] : sum(op)] if isinstance(op, tuple) else op for op in _operations(delta)]
    body = b"".join(parts)
    if len(base) != expected or len(body) != size:
        raise ValueError("a difference to something else")
    return body


def _sizes(delta: bytes) -> tuple[int, int]:
    """How long the base is, and what comes of it."""
    base, at = _number(delta, 0)
    return base, _number(delta, at)[0]


def _operations(delta: bytes) -> Iterator[tuple[int, int] | bytes]:
    """What a difference does one after the other: (offset, length) is copied from the base, bytes are new."""
    at = _number(delta, _number(delta, 0)[1])[1]
    while at < len(delta):
        operation, at = delta[at], at + 1
        if not operation & 0x80:
            yield delta[at : at + operation]
            at += operation
            continue
        values = [0, 0]
        for bit in range(7):
            if operation & 1 << bit:
                values[bit // 4] |= delta[at] << 8 * (bit % 4)
                at += 1
        yield values[0], values[1] or 0x10000


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number written seven bits a byte, the lowest first, and where it ends."""
    number = shift = 0
    while data[at] & 0x80:
        number |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
    return number | data[at] << shift, at + 1


def _common_start(one: bytes, other: bytes) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _size(number: int) -> bytes:
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def _copies(offset: int, length: int) -> Iterator[bytes]:
    while length:
        size = min(length, _COPY_LIMIT)
        operation, arguments = 0x80, bytearray()
        for bit, byte in enumerate((*offset.to_bytes(4, "little"), *size.to_bytes(3, "little"))):
            if byte:
                operation |= 1 << bit
                arguments.append(byte)
        yield bytes([operation]) + bytes(arguments)
        offset, length = offset + size, length - size
