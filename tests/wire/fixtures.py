"""Fixtures for everything that talks to a model over the wire."""

from collections.abc import Iterator

import pytest

from tests.wire.dialects import DIALECTS, Dialect
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
