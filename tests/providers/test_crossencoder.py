"""The model that reads two entries at once: sure of plain cases, loaded late, checked, offline."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import commonplace.providers.crossencoder as package
import commonplace.providers.embedders.minilm as embedder
from commonplace.errors import EmbedderFailed
from commonplace.ports import Comparer
from commonplace.providers.crossencoder import PairReader

HERE = Path(package.__file__).parent
OLDS = ["User lives in Bern.", "Anna's birthday is 3 May.", "Prefers tabs in Go", "User is a vegetarian."]


def with_each(new: str, olds: list[str]) -> list[tuple[str, str]]:
    return [(new, old) for old in olds]


def read(reader: PairReader, new: str, olds: list[str]) -> list[tuple[float, float]]:
    answers = reader.compare(with_each(new, olds))
    assert None not in answers
    return [answer for answer in answers if answer]


@pytest.fixture(scope="module")
def reader() -> PairReader:
    return PairReader()


@pytest.mark.req("GATE-1")
def test_the_same_fact_in_other_words_is_likelier_the_same_than_newer_or_another(reader: PairReader) -> None:
    answers = read(reader, "The user does not eat meat.", OLDS)
    same, newer = answers[3]
    assert same > newer
    assert same + newer > 0.5
    assert max(range(len(OLDS)), key=lambda at: sum(answers[at])) == 3


@pytest.mark.req("GATE-1")
def test_another_place_to_live_is_a_newer_value_of_the_place_and_of_nothing_else(reader: PairReader) -> None:
    answers = read(reader, "Moved from Bern to Basel last month.", OLDS)
    same, newer = answers[0]
    assert newer > same
    assert newer > 0.5
    assert all(sum(answer) < 0.5 for answer in answers[1:])


def test_each_answer_is_two_probabilities_and_does_not_depend_on_its_neighbours(reader: PairReader) -> None:
    new = "Tom's birthday is 9 June."
    olds = [*OLDS, "", "word " * 1000, "\ud83d", "\x00", new]
    together = read(reader, new, olds)
    assert len(together) == len(olds)
    assert all(same >= 0 and newer >= 0 and same + newer <= 1.000001 for same, newer in together)
    assert [reader.compare([pair])[0] for pair in with_each(new, olds)] == together
    assert len(reader.compare([("word " * 1000, "other " * 1000)])) == 1


@pytest.mark.parametrize(
    ("new", "old", "same", "newer"),
    [
        ("Signed up for a triathlon in May", "Trains for a marathon in October", 0.0110, 0.8446),
        ("Rent is 950 euros", "Rent is 900 euros", 0.5504, 0.3976),
    ],
)
def test_a_pair_gets_the_same_answer_on_every_processor(
    reader: PairReader, new: str, old: str, same: float, newer: float
) -> None:
    """Where 8-bit products overflow (no VNNI) these were 0.0108, 0.7571 and 0.6669, 0.3013."""
    assert read(reader, new, [old])[0] == pytest.approx((same, newer), abs=0.005)


def test_many_threads_get_the_same_answers() -> None:
    fresh = PairReader()
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(fresh.compare, [with_each("Lives in Basel", OLDS)] * 12))
    assert all(answer == answers[0] for answer in answers)


def test_nothing_is_loaded_before_there_is_something_to_compare() -> None:
    fresh: Comparer = PairReader()
    assert fresh.compare([]) == []
    assert not fresh.loaded
    fresh.compare(with_each("Lives in Basel", OLDS[:1]))
    assert fresh.loaded


@pytest.mark.parametrize("name", ["pairs.onnx", "model.onnx", "vocab.txt"])
def test_a_damaged_or_missing_file_is_named_and_what_to_do(tmp_path: Path, name: str) -> None:
    shutil.copy(HERE / "pairs.onnx", tmp_path)
    for other in ("model.onnx", "vocab.txt"):
        shutil.copy(Path(embedder.__file__).parent / other, tmp_path)
    data = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(EmbedderFailed, match=f"{name}.*is damaged") as damaged:
        PairReader(tmp_path, tmp_path).compare(with_each("Lives in Basel", OLDS))
    assert "Install Commonplace again" in damaged.value.hint
    (tmp_path / name).unlink()
    with pytest.raises(EmbedderFailed, match=f"{name}.*cannot be read"):
        PairReader(tmp_path, tmp_path).compare(with_each("Lives in Basel", OLDS))
