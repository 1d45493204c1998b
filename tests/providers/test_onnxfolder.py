"""A model folder of one's own: here our own model, packed as others pack theirs."""

import shutil
from pathlib import Path

import numpy as np
import pytest

import commonplace.providers.embedders.minilm as package
from commonplace.config import EmbedderSettings, Settings
from commonplace.errors import ConfigError, EmbedderFailed
from commonplace.memory import Memory
from commonplace.providers.embedders import embedder
from commonplace.providers.embedders.minilm import MiniLM
from commonplace.providers.embedders.onnxfolder import OnnxFolder
from tests.providers.test_wordpiece import reference

TEXTS = ["Likes green tea", "Привет, мир", "", "half \ud83d of a pair", "word " * 100]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "model"
    made.mkdir()
    shutil.copy(Path(package.__file__).with_name("model.onnx"), made)
    reference().save(str(made / "tokenizer.json"))
    return made


def test_the_same_model_gives_the_same_vectors(folder: Path, minilm: MiniLM) -> None:
    model = embedder(EmbedderSettings(name="onnx", folder=str(folder)))
    assert isinstance(model, OnnxFolder)
    assert not model.loaded
    vectors = model.embed(TEXTS)
    assert model.loaded
    assert model.dimensions == minilm.dimensions
    assert np.allclose(vectors[[0, 2, 4]], minilm.embed(TEXTS)[[0, 2, 4]], atol=1e-6)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_another_tokenizer_is_another_identity(folder: Path) -> None:
    before = OnnxFolder(folder).identity
    (folder / "tokenizer.json").write_text("{}")
    assert OnnxFolder(folder).identity != before


@pytest.mark.parametrize("gone", ["model.onnx", "tokenizer.json"])
def test_a_folder_without_a_model_is_an_error_of_the_settings(folder: Path, gone: str) -> None:
    (folder / gone).unlink()
    with pytest.raises(ConfigError):
        OnnxFolder(folder)
    with pytest.raises(ConfigError):
        embedder(EmbedderSettings(name="onnx"))


@pytest.mark.req("SRCH-1")
@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
def test_a_model_that_cannot_be_loaded_leaves_keywords(folder: Path, tmp_path: Path, file: str) -> None:
    (folder / file).write_text("nonsense")
    with pytest.raises(EmbedderFailed):
        OnnxFolder(folder).embed(["tea"])
    settings = Settings(embedder=EmbedderSettings(name="onnx", folder=str(folder)))
    memory = Memory.open(tmp_path / "book", settings=settings)
    memory.remember("Likes green tea")
    found = memory.search("tea")
    assert [hit.text for hit in found.hits] == ["Likes green tea"]
    assert found.trouble
