"""Two browsers, an editor and the command line on one memory at once: nothing is lost, and all see it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.screen.browser import Screen, Served, window

pytestmark = [pytest.mark.clients, pytest.mark.timeout(300)]


def add(screen: Screen, words: str) -> None:
    page = screen.page
    page.get_by_role("button", name="New entry", exact=True).click()
    page.get_by_role("textbox", name="What should be remembered").fill(words)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("Saved")


def edit(screen: Screen, words: str) -> None:
    row = screen.page.locator(".entry", has_text=words)
    row.get_by_role("button").first.click()
    screen.page.get_by_role("menuitem", name="Edit").click()


@pytest.mark.req("R9", "UI-2")
def test_what_one_changes_appears_before_the_others_and_nothing_is_lost(
    browser: Browser, copied: Callable[[], Path]
) -> None:
    with Served(copied()) as served, window(browser, served) as one, window(browser, served, like=one) as two:
        one.open("/memory")
        two.open("/memory")
        add(one, "The piano tuner is Mr Okafor")
        expect(two.page.locator(".entry", has_text="Mr Okafor")).to_be_visible()
        add(two, "The chimney is swept in September")
        expect(one.page.locator(".entry", has_text="chimney")).to_be_visible()
        served.command("remember", "The attic holds the winter tyres")
        file = served.book / "MEMORY.md"
        file.write_text(file.read_text(encoding="utf-8") + "- The ladder is lent to Joost\n", encoding="utf-8")
        for screen in (one, two):
            for words in ("Mr Okafor", "chimney", "winter tyres", "lent to Joost"):
                expect(screen.page.locator(".entry", has_text=words)).to_be_visible()
        told = file.read_text(encoding="utf-8")
        assert all(told.count(words) == 1 for words in ("Mr Okafor", "chimney", "winter tyres", "lent to Joost"))


@pytest.mark.req("UI-2")
def test_a_collision_shows_both_texts_and_loses_neither(browser: Browser, copied: Callable[[], Path]) -> None:
    with Served(copied()) as served, window(browser, served) as one, window(browser, served, like=one) as two:
        one.open("/memory")
        two.open("/memory")
        edit(one, "rye bread")
        mine = one.page.get_by_role("textbox", name="The entry")
        mine.fill("I bake rye bread with caraway on Sundays")
        edit(two, "rye bread")
        two.page.get_by_role("textbox", name="The entry").fill("I bake rye bread on Saturdays")
        two.page.get_by_role("button", name="Save", exact=True).click()
        expect(two.page.locator(".entry", has_text="Saturdays")).to_be_visible()
        expect(one.page.get_by_text("changed or forgotten elsewhere meanwhile")).to_be_visible()
        expect(mine).to_have_value("I bake rye bread with caraway on Sundays")
        one.page.get_by_role("button", name="Save", exact=True).click()
        clash = one.page.get_by_role("alert")
        expect(clash).to_contain_text("I bake rye bread on Saturdays")
        expect(clash).to_contain_text("I bake rye bread with caraway on Sundays")
        clash.get_by_role("button", name="Keep both").click()
        expect(clash).to_have_count(0)
        for screen in (one, two):
            expect(screen.page.locator(".entry", has_text="caraway")).to_be_visible()
            expect(screen.page.locator(".entry", has_text="Saturdays")).to_be_visible()
        one.allow("412")


@pytest.mark.req("UI-1", "UI-2")
def test_the_whole_file_changed_meanwhile_is_put_together_or_shown_beside_ones_own(
    browser: Browser, copied: Callable[[], Path]
) -> None:
    with Served(copied()) as served, window(browser, served) as screen:
        file = served.book / "MEMORY.md"
        page = screen.open("/memory/edit")
        area = page.get_by_role("textbox", name="MEMORY.md")
        area.fill(file.read_text(encoding="utf-8") + "\n- Written in the browser\n")
        served.command("remember", "Written at the command line", "--category", "profile", "--insist")
        expect(page.get_by_text("changed elsewhere meanwhile")).to_be_visible()
        page.get_by_role("button", name="Save", exact=True).click()
        page.get_by_role("button", name="Save both together").click()
        expect(page.locator(".toast")).to_contain_text("Saved")
        told = file.read_text(encoding="utf-8")
        assert "Written in the browser" in told
        assert "Written at the command line" in told
        screen.allow("412")
