"""How soon the memory screen can be used, and what it weighs: a small book and one of many years.

    python benchmarks/screen.py [--rounds 5] [--json]

Each place is opened in a real Chromium, in a fresh context with an empty cache. A page counts as usable when what it is
for can be seen and the main thread is idle. Times are medians; since machines differ, they are also given as a ratio to
the page of the API's reference, which has no script, in the same run. Exits with 1 where a limit is broken.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import Browser, sync_playwright

from tests.screen.books import TODAY, full_book, small_book
from tests.screen.browser import Screen, Served, launched, window

PLACES = {
    "memory": ("/memory", ".entry"),
    "search": ("/search?q=violins", ".hit, .empty"),
    "days": (f"/days?year={TODAY.year}", "a.day-cell"),
    "conversations": ("/conversations", ".session-row"),
    "history": ("/history", ".change-row, .empty"),
}
PLAIN = ("/api/docs", "h1, h2")
HEAVIEST = 160_000  # bytes of scripts, styles and page for one place, before compression
FULL_TO_SMALL = 6.0  # times as long until the memory of 2,000 entries can be used as that of two dozen


class Opened(TypedDict):
    """What opening one place took."""

    seconds: float
    bytes: int
    requests: int


# Resolves when the selector is there and the main thread has nothing left to do.
_USABLE = """selector => new Promise(resolve => {
  const look = () => document.querySelector(selector)
    ? requestIdleCallback(() => resolve(performance.now() / 1000))
    : requestAnimationFrame(look);
  look();
})"""
_WEIGHT = """performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
  .filter(one => !one.name.includes('/api/v1/')).map(one => one.decodedBodySize)"""


def opened(browser: Browser, served: Served, first: Screen, place: str, selector: str) -> Opened:
    with window(browser, served, like=first) as screen:
        screen.page.goto(served.address + place, wait_until="commit")
        seconds: float = screen.page.evaluate(_USABLE, selector)
        sizes: list[int] = screen.page.evaluate(_WEIGHT)
        screen.faults.clear()
        return {"seconds": seconds, "bytes": sum(sizes), "requests": len(sizes)}


def middle(found: Sequence[Opened]) -> Opened:
    seconds = statistics.median(one["seconds"] for one in found)
    return {"seconds": seconds, "bytes": found[0]["bytes"], "requests": found[0]["requests"]}


def measure(browser: Browser, book: Path, rounds: int) -> dict[str, Opened]:
    with (
        Served(book, {"COMMONPLACE_EMBEDDER_NAME": "none"}) as served,
        window(browser, served) as first,
    ):
        wanted = {"plain": PLAIN, **PLACES}
        for place, selector in wanted.values():  # the server reads the book once, as it does when it starts
            opened(browser, served, first, place, selector)
        return {
            name: middle([opened(browser, served, first, place, selector) for _ in range(rounds)])
            for name, (place, selector) in wanted.items()
        }


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        os.environ |= {"HOME": folder, "XDG_DATA_HOME": f"{folder}/data", "XDG_CONFIG_HOME": f"{folder}/config"}
        browser = launched(playwright)
        small_book(Path(folder) / "small")
        found = {
            "small": measure(browser, Path(folder) / "small", given.rounds),
            "full": measure(browser, full_book(Path(folder) / "full"), given.rounds),
        }
        browser.close()
    if given.json:
        print(json.dumps(found, indent=2))
    else:
        report(found)
    broken = [name for book in found.values() for name, one in book.items() if one["bytes"] > HEAVIEST]
    if found["full"]["memory"]["seconds"] > FULL_TO_SMALL * found["small"]["memory"]["seconds"]:
        broken.append("the memory of the full book")
    for name in broken:
        print(f"Over its limit: {name}", file=sys.stderr)
    return bool(broken)


def report(found: dict[str, dict[str, Opened]]) -> None:
    print(f"{'place':<16}{'book':<8}{'usable after':>14}{'to a plain page':>18}{'weight':>10}{'requests':>10}")
    for book, places in found.items():
        for name, one in places.items():
            ratio = one["seconds"] / places["plain"]["seconds"]
            print(
                f"{name:<16}{book:<8}{one['seconds'] * 1000:>11.0f} ms{ratio:>17.1f}x"
                f"{one['bytes'] / 1000:>7.0f} KB{one['requests']:>10}"
            )


if __name__ == "__main__":
    sys.exit(main())
