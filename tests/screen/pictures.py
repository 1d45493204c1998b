"""Pictures of every page for docs/screen/: light and dark, on a desk and on a telephone, a small and a full book.

    python -m tests.screen.pictures [--only NAME]

`pngquant`, if it is installed, makes them a third of the size. With Debian's `fonts-inter` and `fonts-ebgaramond` they
look as they do on most desks.
"""

import argparse
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.screen.books import TODAY, full_book, small_book
from tests.screen.browser import Screen, Served, launched, window
from tests.screen.test_pages import settled

FOLDER = Path(__file__).parents[2] / "docs" / "screen"
Act = Callable[[Page], None]
_PATIENCE = 240_000  # milliseconds: a full book on a busy machine


def nothing(page: Page) -> None:
    settled(page)


def ask_the_gate(page: Page) -> None:
    page.get_by_role("textbox", name="What should be remembered").fill("I prefer imperial units and 12-hour times")
    expect(page.locator(".composer .note")).to_be_visible()


def explain(page: Page) -> None:
    page.get_by_role("button", name="How the score came about").first.click()


def check(page: Page) -> None:
    if page.locator(".ring").is_visible():
        return
    page.get_by_role("button", name="Check my memory").or_(page.get_by_role("button", name="Check again")).first.click()
    page.locator(".ring").wait_for(timeout=60_000)


def plan(page: Page) -> None:
    begin, accept = page.get_by_role("button", name="Plan without a model"), page.get_by_role("button", name="Accept")
    expect(begin.or_(accept)).to_be_visible()
    if begin.is_visible():
        begin.click()
    expect(accept).to_be_visible(timeout=60_000)


def newest(page: Page) -> None:
    page.locator(".change-row", has_text="Changed in Preferences").click()
    page.locator(".diff").wait_for()


def talk(page: Page) -> None:
    page.locator(".session-row").first.click()
    page.locator(".message").first.wait_for()


SMALL: dict[str, tuple[str, Act]] = {
    "memory": ("/memory", nothing),
    "gate": ("/memory?new=1", ask_the_gate),
    "editor": ("/memory/edit", nothing),
    "search": ("/search?q=which+train+should+I+take", explain),
    "recall": ("/recall?q=which+train+should+I+take&budget=500", nothing),
    "days": (f"/days?year={TODAY.year}", nothing),
    "conversation": ("/conversations", talk),
    "inbox": ("/inbox", nothing),
    "history": ("/history", nothing),
    "change": ("/history", newest),
    "check": ("/tidy", check),
    "compact": ("/tidy/compact", plan),
    "health": ("/health", nothing),
}
FULL: dict[str, tuple[str, Act]] = {
    "full-memory": ("/memory", nothing),
    "full-search": ("/search?q=who+repairs+violins+in+Bergen", nothing),
    "full-days": (f"/days?year={TODAY.year - 1}", nothing),
    "full-conversations": ("/conversations", nothing),
    "full-history": ("/history", nothing),
    "full-health": ("/health", nothing),
}
KEPT_LATER = (
    "The violin maker in Ghent is closed in August",
    "Kira's letters are in the blue box",
    "The pear tree is grafted in February",
)
PHONE = ("memory", "gate", "search", "days", "inbox", "check")


def take(screen: Screen, name: str, place: str, act: Act) -> None:
    screen.page.set_default_timeout(_PATIENCE)
    settled(screen.open(place))
    act(screen.page)
    settled(screen.page)
    screen.page.evaluate("document.activeElement?.matches('h1') && document.activeElement.blur()")
    file = FOLDER / f"{name}.png"
    screen.page.screenshot(path=file)
    if shutil.which("pngquant"):
        words = ["pngquant", "--force", "--skip-if-larger", "--strip", "--speed", "1", "--output", str(file)]
        subprocess.run([*words, "32", str(file)], check=False)
    print(file.name, file.stat().st_size)


def shoot(browser: Browser, served: Served, wanted: dict[str, tuple[str, Act]], *, phone: bool = False) -> None:
    with window(browser, served, phone=phone) as first:
        for dark in (False, True):
            with window(browser, served, phone=phone, dark=dark, like=first) as screen:
                for name, (place, act) in wanted.items():
                    kind = "phone-" if phone else ""
                    take(screen, f"{kind}{name}-{'dark' if dark else 'light'}", place, act)
                screen.faults.clear()


def doubtful(book: Path) -> None:
    """Something for the check to find."""
    file = book / "MEMORY.md"
    told = file.read_text(encoding="utf-8")
    more = "- I bake rye bread on Sundays.\n- The proofs of the field guide are due by 31 May 2025\n"
    file.write_text(told.replace("## Notes\n\n", f"## Notes\n\n{more}"), encoding="utf-8")


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--only", default="", help="names that begin so")
    only: str = options.parse_args().only
    FOLDER.mkdir(exist_ok=True)
    os.umask(0o077)  # a book that others may read is something to be told of
    expect.set_options(timeout=_PATIENCE)
    small = {name: shot for name, shot in SMALL.items() if name.startswith(only)}
    full = {name: shot for name, shot in FULL.items() if name.startswith(only)}
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        home = Path(place)
        os.environ |= {"HOME": place, "XDG_DATA_HOME": f"{place}/data", "XDG_CONFIG_HOME": f"{place}/config"}
        browser = launched(playwright)
        if small:
            book = home / "Mara"
            small_book(book)
            doubtful(book)
            with Served(book) as served:
                served.command("reindex")
                shoot(browser, served, small)
            with Served(book) as served:
                shoot(browser, served, {name: SMALL[name] for name in PHONE if name in small}, phone=True)
            with Served(home / "New") as served:
                shoot(browser, served, {"empty": ("/memory", nothing)})
        if full:
            book = full_book(home / "Everything")
            with Served(book, {"COMMONPLACE_EMBEDDER_NAME": "none"}) as served:
                served.command("search", "violins")  # reads the whole book once
                for words in KEPT_LATER:
                    served.command("remember", words, "--insist")
                shoot(browser, served, full)
        browser.close()


if __name__ == "__main__":
    main()
