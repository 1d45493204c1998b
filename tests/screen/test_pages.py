"""Every page in both colour schemes: WCAG 2.2 AA by axe, on a telephone, with an empty, a small and a full book."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.clients.npm import modules
from tests.screen.books import TODAY, full_book
from tests.screen.browser import Screen, Served, window

pytestmark = [pytest.mark.clients, pytest.mark.timeout(600)]

AXE = "axe-core@4.14.0"
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
PAGES = (
    "/memory",
    "/memory?new=1",
    "/memory/edit",
    "/search",
    "/search?q=which+train+should+I+take",
    "/recall?q=which+train+should+I+take&budget=250",
    f"/days?year={TODAY.year}",
    f"/days/{TODAY}",
    "/conversations",
    "/inbox",
    "/history",
    "/history/backups",
    f"/history/as-of?day={TODAY}",
    "/tidy",
    "/tidy/compact",
    "/health",
)


@pytest.fixture(scope="module")
def axe() -> str:
    return (modules(AXE) / "axe-core/axe.min.js").read_text(encoding="utf-8")


def settled(page: Page) -> None:
    page.wait_for_load_state("networkidle")
    expect(page.locator("[aria-busy=true], .waiting")).to_have_count(0)


def violations(screen: Screen, axe: str) -> list[str]:
    """What axe finds. It is run beside the page's policy, which would not let it in."""
    found: list[dict[str, Any]] = screen.page.evaluate(
        f"{axe}; axe.run(document, {{runOnly: {json.dumps(RULES)}}}).then(found => found.violations)"
    )
    return [f"{one['id']}: {json.dumps([node['html'][:160] for node in one['nodes'][:3]])}" for one in found]


@pytest.mark.req("UI-2")
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_on_any_page(browser: Browser, copied: Callable[[], Path], axe: str, dark: bool) -> None:
    found: dict[str, list[str]] = {}
    with Served(copied()) as served, window(browser, served, dark=dark) as screen:
        opened = [*PAGES, *_deeper(screen)]
        for place in opened:
            screen.open(place)
            settled(screen.page)
            found[place] = violations(screen, axe)
        for dialog in ("Where it came from", "Move to another section", "Forget everywhere …"):
            screen.open("/memory")
            screen.page.locator(".entry button").first.click()
            screen.page.get_by_role("menuitem", name=dialog).click()
            settled(screen.page)
            found[dialog] = violations(screen, axe)
    assert {place: one for place, one in found.items() if one} == {}


def _deeper(screen: Screen) -> list[str]:
    """Pages that lists lead to: a change, a conversation."""
    found: list[str] = []
    for place, link in (("/history", ".change-row"), ("/conversations", ".session-row")):
        address = screen.open(place).locator(link).first.get_attribute("href")
        assert address
        found.append(address)
    return found


@pytest.mark.req("UI-2")
def test_every_page_fits_a_telephone_and_is_an_invitation_where_there_is_nothing_yet(
    browser: Browser, copied: Callable[[], Path], axe: str, tmp_path: Path
) -> None:
    with Served(copied()) as served, window(browser, served, phone=True) as screen:
        for place in [*PAGES, *_deeper(screen)]:
            screen.open(place)
            settled(screen.page)
            screen.no_sideways_scroll()
        assert violations(screen, axe) == []
    with Served(tmp_path / "fresh") as served, window(browser, served, phone=True) as screen:
        for place in PAGES:
            screen.open(place)
            settled(screen.page)
            screen.no_sideways_scroll()
            assert violations(screen, axe) == [], place
        page = screen.open("/memory")
        page.get_by_role("button", name="I prefer short answers with an example").tap()
        page.get_by_role("button", name="Save", exact=True).tap()
        expect(page.locator(".entry")).to_contain_text("I prefer short answers with an example")


@pytest.mark.req("UI-1")
def test_a_full_book_is_drawn_as_quickly_and_as_whole_as_a_small_one(browser: Browser, tmp_path: Path) -> None:
    book = full_book(tmp_path / "full", talks=1_000)
    with Served(book, {"COMMONPLACE_EMBEDDER_NAME": "none"}) as served, window(browser, served) as screen:
        page = screen.open("/memory")
        expect(page.locator(".entry")).to_have_count(2_000)
        page.get_by_role("searchbox").fill("note 1999")
        expect(page.locator(".entry")).to_have_count(1)
        page = screen.open(f"/days?year={TODAY.year - 3}")
        expect(page.locator("a.day-cell").nth(300)).to_be_visible()
        page = screen.open("/conversations")
        expect(page.locator(".session-row")).to_have_count(50)
        page.get_by_role("button", name="Show more").click()
        expect(page.locator(".session-row")).to_have_count(100)


@pytest.mark.req("UI-2")
def test_what_is_not_there_is_said_once_below_a_heading(browser: Browser, tmp_path: Path) -> None:
    with Served(tmp_path / "fresh") as served, window(browser, served) as screen:
        for place in ("/conversations/nothing-here", "/history/0123456789"):
            page = screen.open(place)
            expect(page.get_by_role("heading", name="It is not here")).to_have_count(1)
            expect(page.get_by_role("alert")).to_have_count(0)
        screen.allow("404")


@pytest.mark.req("UI-2")
def test_a_button_within_an_invitation_shows_its_icon(browser: Browser, tmp_path: Path) -> None:
    with Served(tmp_path / "fresh") as served, window(browser, served) as screen:
        button = screen.open("/days").get_by_role("link", name="Write about today")
        colours = "node => [getComputedStyle(node).color, getComputedStyle(node.querySelector('.icon')).color]"
        text, icon = button.evaluate(colours)
        assert text == icon


def test_without_the_link_nothing_is_shown(browser: Browser, copied: Callable[[], Path]) -> None:
    with Served(copied()) as served, window(browser, served, enter=False) as screen:
        screen.page.goto(served.address)
        assert "Mara" not in screen.page.content()
        screen.allow("401")


@pytest.mark.req("UI-2")
def test_what_an_editor_asks_stands_at_its_right_edge(browser: Browser, copied: Callable[[], Path]) -> None:
    with Served(copied()) as served, window(browser, served) as screen:
        page = screen.open("/memory")
        page.locator(".entry").first.dblclick()
        editor = page.get_by_role("group", name="Change this entry").bounding_box()
        save = page.get_by_role("button", name="Save", exact=True).bounding_box()
        assert editor
        assert save
        assert abs(editor["x"] + editor["width"] - save["x"] - save["width"]) < 2
