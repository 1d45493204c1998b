"""A real Chromium, and the memory screen in it as a person has it in front of them.

The browser is Debian's (installed here, if it is missing and that is possible), driven by Playwright. Every page is
watched: what is written to its console, and every request that would leave this machine, fails the test.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, Request, expect

from tests.clients.registries import alone, fetch

COMMONPLACE = str(Path(sys.executable).with_name("commonplace"))
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1360, "height": 900}
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --force-color-profile=srgb --font-render-hinting=none"
).split()

expect.set_options(timeout=40_000)


def chromium() -> str:
    """Where a Chromium is; installs Debian's where that is possible."""
    with alone("chromium"):
        if not any(map(shutil.which, _NAMES)) and shutil.which("apt-get") and os.geteuid() == 0:
            fetch("apt-get", "install", "--yes", "--no-install-recommends", "chromium")
    for name in _NAMES:
        found = shutil.which(name)
        if found:
            return found
    raise RuntimeError("the tests of the screen need a Chromium: install one (on Debian: apt-get install chromium)")


def launched(playwright: Playwright) -> Browser:
    return playwright.chromium.launch(executable_path=chromium(), args=_FLAGS)


class Served:
    """`commonplace serve` on a book, in a process of its own."""

    def __init__(self, book: Path, environment: dict[str, str] | None = None) -> None:
        self.book = book
        self.environment = {**os.environ, **(environment or {})}
        words = [COMMONPLACE, "serve", "--json", "--no-open", "--port", "0", "--book", str(book)]
        self._process = subprocess.Popen(
            words, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        told = ""
        while not told.rstrip().endswith("}"):
            line = self._process.stdout.readline()
            assert line, self._process.communicate()[1]
            told += line
        said: dict[str, str] = json.loads(told)
        self.address, self.link = said["address"], said["link"]

    def command(self, *words: str) -> str:
        """The same book from the command line, meanwhile."""
        done = subprocess.run(
            [COMMONPLACE, *words, "--book", str(self.book)], env=self.environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.terminate()
        self._process.communicate(timeout=30)


class Screen:
    """One browser window on a served book."""

    def __init__(self, served: Served, context: BrowserContext) -> None:
        self.served = served
        self.context = context
        self.page: Page = context.new_page()
        self.page.set_default_timeout(40_000)
        self.faults: list[str] = []
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("dialog", lambda dialog: dialog.accept())
        self.page.on("request", self._watch)

    def _hear(self, said: ConsoleMessage) -> None:
        if said.type in ("error", "warning"):
            self.faults.append(said.text)

    def _watch(self, request: Request) -> None:
        asked = urlsplit(request.url)
        own = urlsplit(self.served.address)
        if asked.scheme not in ("data", "blob") and (asked.scheme, asked.netloc) != (own.scheme, own.netloc):
            self.faults.append(f"a request left the machine: {request.url}")

    def open(self, place: str) -> Page:
        self.page.goto(self.served.address + place)
        expect(self.page.locator("h1").first).to_be_visible()
        return self.page

    def allow(self, *parts: str) -> None:
        """What a test provokes on purpose: the browser itself tells of every answer that is no success."""
        self.faults = [fault for fault in self.faults if not any(part in fault for part in parts)]

    def no_sideways_scroll(self) -> None:
        wide = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{self.page.url} is {wide} pixels too wide"


@contextmanager
def window(
    browser: Browser,
    served: Served,
    *,
    phone: bool = False,
    dark: bool = False,
    enter: bool = True,
    like: Screen | None = None,
) -> Generator[Screen]:
    """A window that may see the book: by the link, which works once, or with the cookie of another window (`like`). Its
    faults fail the test when it is closed."""
    context = browser.new_context(
        viewport={"width": PHONE["width"], "height": PHONE["height"]} if phone else None,
        screen={"width": DESKTOP["width"], "height": DESKTOP["height"]},
        color_scheme="dark" if dark else "light",
        locale="en-GB",
        reduced_motion="reduce",
        has_touch=phone,
        is_mobile=phone,
    )
    screen = Screen(served, context)
    if not phone:
        screen.page.set_viewport_size({"width": DESKTOP["width"], "height": DESKTOP["height"]})
    if like:
        cookies = [(one.get("name", ""), one.get("value", "")) for one in like.context.cookies()]
        context.add_cookies([{"name": name, "value": value, "url": served.address} for name, value in cookies])
    elif enter:
        screen.page.goto(served.link)
        screen.page.wait_for_url(f"{served.address}/")
        expect(screen.page.locator("h1").first).to_be_visible()
    try:
        yield screen
        assert screen.faults == [], f"{screen.page.url}: {screen.faults}"
    finally:
        context.close()
