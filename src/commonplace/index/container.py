"""Arrays in one file: a small header with its checksum, the raw arrays, a checksum over everything. Pure.

Written once and never changed, so it can be mapped into memory, and shared by readers while a writer makes the
next one. A file that was cut, overwritten or flipped in a single bit is not opened.
"""

import json
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
