"""The real model, loaded once for all tests."""

import pytest

from commonplace.providers.embedders.minilm import MiniLM


@pytest.fixture(scope="session")
def minilm() -> MiniLM:
    model = MiniLM()
    model.embed(["wake up"])
    return model
