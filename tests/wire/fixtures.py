"""Fixtures for everything that talks to a model over the wire."""

from collections.abc import Iterator

import pytest

from tests.wire.dialects import DIALECTS, Dialect
from tests.wire.local import local_model
from tests.wire.server import WireServer


@pytest.fixture
def wire() -> Iterator[WireServer]:
    """A scripted server."""
    with WireServer() as server:
        yield server


@pytest.fixture(params=list(DIALECTS.values()), ids=list(DIALECTS))
def dialect(request: pytest.FixtureRequest) -> Dialect:
    """Each wire format in turn."""
    found: Dialect = request.param
    return found


@pytest.fixture(scope="session")
def local_model_url() -> Iterator[str]:
    """The address of a real small model; started once, before the fences, for all tests that want it."""
    with local_model() as url:
        yield url
