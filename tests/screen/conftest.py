"""One browser in each process that runs tests of the screen; a book of its own for each that changes something."""

import fcntl
import os
import shutil
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.screen.books import small_book
from tests.screen.browser import launched


@pytest.fixture(scope="package")
def browser() -> Generator[Browser]:
    # Ends with the package: while Playwright runs, no other test could have an event loop of its own.
    with sync_playwright() as playwright:
        browser = launched(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small book, made once, by whichever of the processes that run the tests comes first. It has all its vectors:
    what a search finds must not depend on how far a server has come with them."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder = shared / "grown"
    with open(shared / "grown.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            making = tmp_path_factory.mktemp("growing") / "book"
            small_book(making).embed()
            making.rename(folder)
    return folder


@pytest.fixture(scope="package")
def copied(grown: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    def copy() -> Path:
        return shutil.copytree(grown, tmp_path_factory.mktemp("copy") / "mara")

    return copy
