"""Arrays in one file: what was written is read, and nothing else is."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.index.segment import BadContainer, pack, unpack

ARRAYS = {
    "numbers": np.arange(1000, dtype=np.int32),
    "matrix": np.linspace(0, 1, 640, dtype=np.float32).reshape(10, 64),
    "nothing": np.zeros((0, 64), dtype=np.float32),
    "flags": np.array([True, False, True]),
    "digests": np.array([b"0123456789abcdef", b"fedcba9876543210"], dtype="V16"),
}
NOTES = {"format": 1, "files": {"daily/ü.md": ["x", "y", True]}}
WHOLE = b"".join(pack(ARRAYS, NOTES))


def test_arrays_and_notes_come_back_and_lie_at_even_places() -> None:
    arrays, notes = unpack(memoryview(WHOLE))
    assert notes == NOTES
    assert list(arrays) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert arrays[name].tobytes() == array.tobytes()
        assert arrays[name].shape == array.shape


def test_an_array_of_a_view_is_packed_as_it_reads() -> None:
    every_other = np.arange(20, dtype=np.int64)[::2]
    arrays, _ = unpack(memoryview(b"".join(pack({"x": every_other}, {}))))
    assert arrays["x"].tolist() == every_other.tolist()


@pytest.mark.req("R8")
def test_no_cut_and_no_flipped_bit_goes_unnoticed() -> None:
    source = random.Random(2)
    for _ in range(500):
        damaged = bytearray(WHOLE)
        if source.random() < 0.3:
            del damaged[source.randrange(len(WHOLE)) :]
        else:
            damaged[source.randrange(len(WHOLE))] ^= 1 << source.randrange(8)
        with pytest.raises(BadContainer):
            unpack(memoryview(bytes(damaged)))


@given(st.binary(max_size=300), st.integers(0, len(WHOLE)), st.integers(0, 300))
def test_whatever_the_bytes_are_reading_without_the_checksum_fails_in_known_ways(
    junk: bytes, at: int, length: int
) -> None:
    for data in (junk, WHOLE[:at] + junk + WHOLE[at + length :]):
        try:
            arrays, _ = unpack(memoryview(data), check=False)
        except (BadContainer, ValueError):
            continue
        assert list(arrays) == list(ARRAYS)
