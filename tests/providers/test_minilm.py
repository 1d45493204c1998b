"""The model that comes with the package: right vectors, loaded late, checked, offline."""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast

import numpy as np
import pytest

import commonplace.providers.embedders.minilm as package
from commonplace.config import EmbedderSettings
from commonplace.errors import ConfigError, EmbedderFailed
from commonplace.language.glossing import rough_english
from commonplace.memory import Memory
from commonplace.providers.embedders import embedder
from commonplace.providers.embedders.minilm import MiniLM
from commonplace.providers.embedders.wordpiece import WordPiece

HERE = Path(package.__file__).parent
REFERENCE = cast(
    list[dict[str, object]],
    json.loads(Path(__file__).with_name("minilm_reference.json").read_text(encoding="utf-8")),
)
TEXTS = [str(one["text"]) for one in REFERENCE]


@pytest.mark.req("SRCH-1")
def test_vectors_are_those_of_the_full_model_computed_independently(minilm: MiniLM) -> None:
    in_english = [one for one in REFERENCE if rough_english(str(one["text"])) == one["text"]]
    assert len(in_english) > len(REFERENCE) / 2
    vectors = minilm.embed([str(one["text"]) for one in in_english])
    expected = np.array([one["vector"] for one in in_english], dtype=np.float32)
    cosines = (vectors * expected).sum(axis=1) / np.linalg.norm(expected, axis=1)
    assert float(cosines.mean()) >= 0.99
    assert float(cosines.min()) >= 0.97


@pytest.mark.req("SRCH-1")
@pytest.mark.parametrize(
    "question",
    [
        "Welche Haustiere hat der Nutzer?",
        "Quels animaux a l'utilisateur ?",
        "用户有什么宠物？",
        "У пользователя есть домашние животные?",
        "ペットを飼っていますか",
    ],
)
def test_a_question_in_another_language_is_near_its_answer(question: str, minilm: MiniLM) -> None:
    facts = ["Has a cat named Miso", "Works as a nurse in Leipzig", "Rent is 900 euros", "Plays the oboe on Fridays"]
    assert minilm.reads(question)
    assert int((minilm.embed(facts) @ minilm.embed([question])[0]).argmax()) == 0


def test_a_script_without_a_list_of_words_is_not_read(minilm: MiniLM) -> None:
    assert not minilm.reads("Ο χρήστης έχει μια γάτα")


def test_texts_have_as_many_tokens_as_in_the_reference() -> None:
    tokens = WordPiece(HERE / "vocab.txt", longest=package.WINDOW)
    assert [len(tokens.encode(text)) for text in TEXTS] == [one["tokens"] for one in REFERENCE]


def test_a_text_has_the_same_vector_of_length_one_alone_and_among_others(minilm: MiniLM) -> None:
    texts = [*TEXTS[:6], "", "word " * 1000, "\ud83d", "\x00"]
    together = minilm.embed(texts)
    assert together.shape == (10, minilm.dimensions)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    for text, vector in zip(texts, together, strict=True):
        assert np.array_equal(minilm.embed([text])[0], vector)
    assert minilm.embed([]).shape == (0, minilm.dimensions)


def test_many_threads_get_the_same_vectors() -> None:
    fresh = MiniLM()
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(fresh.embed, [TEXTS[:3]] * 12))
    assert all(np.array_equal(answer, answers[0]) for answer in answers)


@pytest.mark.req("SRCH-1")
def test_nothing_is_loaded_before_the_first_text(tmp_path: Path) -> None:
    made = MiniLM()
    assert not made.loaded
    code = (
        "import sys; from commonplace.memory import Memory;"
        "memory = Memory.open(sys.argv[1]); memory.remember('Prefers green tea every morning');"
        "late = {'numpy', 'onnxruntime', 'commonplace.flows.indexing'}\n"
        "assert not late & set(sys.modules), 'saving must not wait for it'"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "book")], check=True, timeout=60)


@pytest.mark.req("SRCH-1")
@pytest.mark.parametrize("damage", ["model.onnx flipped", "model.onnx cut", "vocab.txt flipped", "model.onnx gone"])
def test_a_damaged_model_is_not_used_and_search_goes_on_with_keywords(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    for name in ("model.onnx", "vocab.txt"):
        shutil.copy(HERE / name, folder / name)
    file, how = damage.split()
    data = bytearray((folder / file).read_bytes())
    data[len(data) // 2] ^= 1
    if how == "gone":
        (folder / file).unlink()
    else:
        (folder / file).write_bytes(data if how == "flipped" else data[:-1000])

    broken = MiniLM(folder)
    with pytest.raises(EmbedderFailed):
        broken.embed(["tea"])
    assert not broken.loaded
    memory = Memory.open(tmp_path / "book", embedder=broken)
    memory.remember("Likes green tea")
    found = memory.search("green tea")
    assert [hit.text for hit in found.hits] == ["Likes green tea"]
    assert file in found.trouble
    assert (found.vectors_known, found.vectors_wanted) == (0, 1)
    assert file in memory.index_report().trouble


@pytest.mark.req("SRCH-1")
def test_meaning_is_found_without_a_common_word(minilm: MiniLM, tmp_path: Path) -> None:
    memory = Memory.open(tmp_path / "book", embedder=minilm)
    for fact in ("Adopted a kitten called Miso", "The car is parked in row 7", "Pays rent on the first of the month"):
        memory.remember(fact)
    found = memory.search("Which pet lives here?")
    assert found.hits[0].text == "Adopted a kitten called Miso"
    assert found.trouble == ""
    assert memory.index_report().model_loaded


def test_an_unknown_embedder_is_a_clean_error_and_none_is_none() -> None:
    with pytest.raises(ConfigError):
        embedder(EmbedderSettings(name="telepathy"))
    assert embedder(EmbedderSettings(name="none")) is None


def test_the_runtime_leaves_no_number_of_this_machine_and_calls_nobody(tmp_path: Path) -> None:
    program = "from commonplace.providers.embedders.minilm import MiniLM; MiniLM().embed(['tea'])"
    environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    assert list(tmp_path.rglob("*")) == []
