"""Git packs, through dulwich: reading one, and making one in which versions of a file are stored as differences.

dulwich is imported here alone and only when a pack is met, so that saving stays fast.
"""

import hashlib
import struct
import threading
import weakref
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import lru_cache
from io import BytesIO
from weakref import finalize

from dulwich.errors import ApplyDeltaError, ChecksumMismatch
from dulwich.object_format import SHA1
from dulwich.pack import (
    REF_DELTA,
    Pack,
    PackData,
    UnpackedObject,
    load_pack_index_file,
    write_pack_data,
    write_pack_index_v2,
)

_NUMBERS = {"commit": 1, "tree": 2, "blob": 3}
# What dulwich lets through when bytes are not what they should be: it checks some things and trusts others.
DAMAGE = (
    ApplyDeltaError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    ChecksumMismatch,
    EOFError,
    LookupError,
    MemoryError,
    NotImplementedError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
    struct.error,
    zlib.error,
)
_KINDS = {number: kind for kind, number in _NUMBERS.items()}
_COUNT = slice(8 + 255 * 4, 8 + 256 * 4)
_COPY_LIMIT = 0xFFFFFF


class PackUnreadable(Exception):
    """The pack is damaged as a whole."""


class OpenPack:
    """The objects of one pack."""

    def __init__(self, pack: Pack, ids: frozenset[str]) -> None:
        self.ids = ids
        self._pack = pack
        self._reading = threading.Lock()  # one position in one file, whoever reads
        weakref.finalize(self, pack.close)  # all in memory, but dulwich warns about what is not closed

    def read(self, id: str) -> tuple[str, bytes] | None:
        """Kind and content; None if they are damaged."""
        try:
            with self._reading:
                number, body = self._pack.get_raw(bytes.fromhex(id))  # pyright: ignore[reportArgumentType] a NewType of bytes
            return _KINDS[number], body
        except DAMAGE:
            return None


def open_pack(pack: bytes, index: bytes) -> OpenPack:
    """The index must be whole. It also knows the head and the end of its pack, so that a pack that was cut off or has
    a flipped bit still gives all its other objects; each is checked when it is read."""
    if not _is_whole_index(index):
        raise PackUnreadable
    pack = b"PACK\0\0\0\2" + index[_COUNT] + pack[12:-20] + index[-40:-20]
    closing = ExitStack()
    try:
        data = PackData.from_file(BytesIO(pack), SHA1)
        closing.callback(data.close)
        found = load_pack_index_file("", BytesIO(index), SHA1)
        closing.callback(found.close)
        together = Pack.from_objects(data, found)
        closing.callback(together.close)
        opened = OpenPack(together, frozenset(id.decode("ascii") for id in found))
    except DAMAGE as error:
        closing.close()
        raise PackUnreadable from error
    finalize(opened, closing.close)  # dulwich warns about what is not closed, also when it is only memory
    return opened


def _is_whole_index(index: bytes) -> bool:
    checksum = hashlib.sha1(index[:-20], usedforsecurity=False).digest()
    return index.startswith(b"\377tOc\0\0\0\2") and index.endswith(checksum)


def make_pack(bases: Mapping[str, str | None], read: Callable[[str], tuple[str, bytes]]) -> tuple[bytes, bytes]:
    """The bytes of a pack and of its index. `bases` names for each object another one of the same pack that it is
    stored as a difference to, or None."""
    pack, index = BytesIO(), BytesIO()
    records = _records(bases, lru_cache(maxsize=8)(read))
    entries, checksum = write_pack_data(pack.write, records, SHA1, num_records=len(bases))
    write_pack_index_v2(index, sorted((id, offset, crc) for id, (offset, crc) in entries.items()), checksum)
    return pack.getvalue(), index.getvalue()


def _records(bases: Mapping[str, str | None], read: Callable[[str], tuple[str, bytes]]) -> Iterator[UnpackedObject]:
    for id, base in bases.items():
        kind, body = read(id)
        sha = bytes.fromhex(id)
        if base is None:
            yield UnpackedObject(_NUMBERS[kind], sha=sha, decomp_chunks=[body])
        else:
            delta = _difference(read(base)[1], body)
            yield UnpackedObject(REF_DELTA, delta_base=bytes.fromhex(base), sha=sha, decomp_chunks=[delta])


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
