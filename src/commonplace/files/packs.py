"""Git packs, through dulwich: reading one, and making one in which versions of a file are stored as differences.

dulwich is imported here alone and only when a pack is met, so that saving stays fast.
"""

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import NamedTuple

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
_KINDS = {number: kind for kind, number in _NUMBERS.items()}
_COPY_LIMIT = 0xFFFFFF


class Packed(NamedTuple):
    """An object to pack. `base` is another object of the same pack that it is stored as a difference to."""

    id: str
    kind: str
    body: bytes
    base: tuple[str, bytes] | None


class OpenPack:
    """The objects of one pack."""

    def __init__(self, pack: bytes, index: bytes) -> None:
        data = PackData.from_file(BytesIO(pack), SHA1)
        self._pack = Pack.from_objects(data, load_pack_index_file("", BytesIO(index), SHA1))
        self.ids = frozenset(id.decode("ascii") for id in self._pack.index)

    def read(self, id: str) -> tuple[str, bytes]:
        number, body = self._pack.get_raw(bytes.fromhex(id))  # pyright: ignore[reportArgumentType] a NewType of bytes
        return _KINDS[number], body


def make_pack(objects: Sequence[Packed]) -> tuple[bytes, bytes]:
    """The bytes of a pack and of its index."""
    pack, index = BytesIO(), BytesIO()
    entries, checksum = write_pack_data(pack.write, _records(objects), SHA1, num_records=len(objects))
    write_pack_index_v2(index, sorted((id, offset, crc) for id, (offset, crc) in entries.items()), checksum)
    return pack.getvalue(), index.getvalue()


def _records(objects: Sequence[Packed]) -> Iterator[UnpackedObject]:
    for packed in objects:
        sha = bytes.fromhex(packed.id)
        if packed.base is None:
            yield UnpackedObject(_NUMBERS[packed.kind], sha=sha, decomp_chunks=[packed.body])
        else:
            base_id, base = packed.base
            delta = _difference(base, packed.body)
            yield UnpackedObject(REF_DELTA, delta_base=bytes.fromhex(base_id), sha=sha, decomp_chunks=[delta])


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
