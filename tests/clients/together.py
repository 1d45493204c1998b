"""Which tests of clients run in one process: those that share what takes long to make. A pytest plugin.

pytest-xdist has groups for this (`xdist_group`), which it writes into node ids; pytest 9.2 does not let it any more.
"""

import re

import pytest
from xdist.remote import Producer  # pyright: ignore[reportMissingTypeStubs] it has no types
from xdist.scheduler import LoadScopeScheduling  # pyright: ignore[reportMissingTypeStubs] as above

# What a parameter of a fixture is called that is made once: a served book with somebody at it, an installed program.
_SHARED = frozenset({"mouse", "phone", "keyboard", "uv tool", "pipx"})
_SMALL_MODEL = re.compile(r"test_local_model\.py|a_real_small_model")


class _Together(LoadScopeScheduling):
    """Gives each process one test after the other, or one after the other of those that belong together."""

    def _split_scope(self, nodeid: str) -> str:
        if _SMALL_MODEL.search(nodeid):
            return "small model"
        values = nodeid.partition("[")[2].removesuffix("]").split("-")
        return next((value for value in values if value in _SHARED), nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    return _Together(config, log) if config.getoption("dist") == "loadgroup" else None
