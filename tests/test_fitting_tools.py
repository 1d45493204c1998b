"""The programs that make what the package ships: those that need nothing beyond it run here, on next to nothing.

The others need torch, scikit-learn, scipy or onnx; basedpyright reads them all.
"""

import json
import lzma
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from commonplace.language.kinship import DIMENSIONS
from commonplace.search.evidence import FROM_MEANING
from tests.bench.data import small

ROOT = Path(__file__).parent.parent
TOOLS = ROOT / "tools"


def ran(program: str, *arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, TOOLS / program, *map(str, arguments)], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(autouse=True)
def tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(TOOLS), *sys.path])


def test_the_training_set_is_unpacked_into_one_file_for_each_hand_and_loses_no_record(tmp_path: Path) -> None:
    ran("training.py", tmp_path / "set")
    unpacked = sum(len(file.read_bytes().splitlines()) for file in (tmp_path / "set").rglob("*.jsonl"))
    with lzma.open(ROOT / "training" / "set.jsonl.xz") as packed:
        assert unpacked == sum(1 for _ in packed) > 10_000
    assert {folder.name for folder in (tmp_path / "set").iterdir()} == {"texts", "cases", "families"}


def test_a_classifier_learns_from_each_text_once_and_from_nothing_that_is_held_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    training = import_module("training")
    records = [
        {"part": "texts", "hand": "A", "class": "transient", "text": "The build is red"},
        {"part": "families", "hand": "B", "same": ["Likes tea"], "newer": ["Likes coffee now"]},
        {"part": "cases", "hand": "C", "text": "Likes tea"},
    ]
    with lzma.open(tmp_path / "set.jsonl.xz", "wt", encoding="utf-8") as packed:
        packed.writelines(json.dumps(record) + "\n" for record in records)
    case = {"class": "secret", "text": "The PIN is 4\u205e711", "values": [[11, 15]], "memory": ["Owns a boat"]}
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases" / "dev.jsonl").write_text(json.dumps(case, ensure_ascii=False) + "\n", encoding="utf-8")
    (tmp_path / "cases" / "held-out-x.jsonl").write_text(json.dumps({**case, "text": "Never read"}), encoding="utf-8")
    monkeypatch.setattr(training, "SET", tmp_path / "set.jsonl.xz")
    monkeypatch.setattr(training, "CASES", tmp_path / "cases")
    found = {(text.kind, text.text) for text in training.texts()}
    assert found == {
        ("transient", "The build is red"),
        ("secret", "The PIN is 4711"),
        ("family", "Likes tea"),
        ("family", "Likes coffee now"),
        ("entry", "Owns a boat"),
    }


def test_the_floor_of_recall_is_fitted_on_what_search_sees_of_a_data_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fit_floor = import_module("fit_floor")
    (tmp_path / "training").mkdir()
    (tmp_path / "training" / "small_talk.txt").write_text("Good morning!\n", encoding="utf-8")
    monkeypatch.setattr(fit_floor, "HERE", tmp_path / "tools")
    (tmp_path / "small-dev.json").write_text(json.dumps(small()), encoding="utf-8")
    asked = fit_floor.read(tmp_path / "small-dev.json", tmp_path, [("Who won the race?", "elsewhere")])
    assert {one.kind for one in asked} == {"own", "small talk", "wrong book"}
    assert any(one.gold.any() for one in asked if one.kind == "own")
    floor = fit_floor.fitted([one for one in asked if one.by_meaning], 0.2, 0.1)
    assert floor.least == 0.1
    assert np.isfinite(floor.question).all()


def test_a_regression_finds_the_weights_that_made_its_data() -> None:
    fit_floor = import_module("fit_floor")
    draw = np.random.default_rng(0)
    given = np.concatenate([draw.normal(size=(4000, 2)), np.ones((4000, 1))], axis=1)
    wanted = (draw.random(4000) < 1 / (1 + np.exp(-(given @ np.array([2.0, -1.0, 0.5]))))).astype(np.float64)
    assert np.allclose(fit_floor.regression(given, wanted, np.ones(4000)), [2.0, -1.0, 0.5], atol=0.2)


def test_questions_are_read_with_what_ranking_sees_and_a_tilt_is_learnt_from_them(tmp_path: Path) -> None:
    examples = import_module("ranking_examples")
    tilts = import_module("ranking_tilt")
    (tmp_path / "small-dev.json").write_text(json.dumps(small()), encoding="utf-8")
    reader = examples.Reader(tmp_path, sorted(FROM_MEANING), {}, 10)
    found = list(reader.read(tmp_path / "small-dev.json"))
    assert found
    rest = [np.zeros(len(example.chunks), dtype=np.float32) for example in found]
    tilt = tilts.fit_tilt(found, rest, {"small": 1.0})
    assert tilt.shape == (2, 384, tilts.DIRECTIONS)
    assert np.abs(tilt).max() > 0


def test_words_become_a_table_of_small_numbers_in_which_kin_stand_close() -> None:
    words = "cat kitten dog puppy car lorry".split() + [first + second for first in "bdfgh" for second in "aeiou" * 4]
    names, _, codes = import_module("build_kinship").table(words).partition(b"\0")
    assert names.decode("ascii").split("\n") == words
    rows = np.frombuffer(codes, dtype=np.int8).reshape(len(words), -1).astype(np.float32)
    assert rows.shape[1] == DIMENSIONS
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    cat, kitten, _, _, car, _ = rows[:6]
    assert cat @ kitten > cat @ car
