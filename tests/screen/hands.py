"""The ways in which a person uses the screen: with a mouse, with a thumb on a telephone, or with the keyboard alone."""

from datetime import date

from playwright.sync_api import Locator, Page, expect

from tests.screen.browser import Screen

_PLACES: tuple[str, ...] = ("memory", "search", "recall", "days", "inbox", "history", "tidy", "health")
_KEYS = dict[str, str](zip(_PLACES, "msrdihte", strict=True))
_MOST_STEPS = 250  # of the Tab key, before something counts as out of reach


class Hand:
    """A mouse."""

    name = "mouse"

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    @property
    def page(self) -> Page:
        return self.screen.page

    def go(self, place: str) -> Page:
        """To one of the eight places."""
        self.page.locator(f".places a[href='/{place}']").click()
        return self._arrived(place)

    def press(self, target: Locator) -> None:
        target.click()

    def tick(self, target: Locator) -> None:
        target.click()

    def write(self, target: Locator, text: str) -> None:
        target.click()
        target.fill(text)

    def choose(self, target: Locator, option: str) -> None:
        target.select_option(option)

    def pick(self, target: Locator, day: date) -> None:
        target.fill(day.isoformat())

    def _arrived(self, place: str) -> Page:
        self.page.wait_for_url(f"**/{place}*")
        expect(self.page.locator("h1").first).to_be_visible()
        return self.page


class Thumb(Hand):
    """A telephone: what is not in the bar is behind More, and nothing may be wider than the screen."""

    name = "thumb"

    def go(self, place: str) -> Page:
        self.screen.no_sideways_scroll()
        link = self.page.locator(f".places a[href='/{place}']")
        if not link.is_visible():
            self.page.get_by_role("button", name="More", exact=True).tap()
            link = self.page.locator(f".more-places a[href='/{place}']")
        link.tap()
        return self._arrived(place)

    def press(self, target: Locator) -> None:
        target.tap()
        self.screen.no_sideways_scroll()

    def tick(self, target: Locator) -> None:
        target.tap()


class Keys(Hand):
    """The keyboard alone: places by their shortcut, everything else by Tab until the focus is there."""

    name = "keys"

    def go(self, place: str) -> Page:
        self.page.evaluate("document.activeElement?.blur()")  # as Escape or a click beside a field does
        self.page.keyboard.press("g")
        self.page.keyboard.press(_KEYS[place])
        return self._arrived(place)

    def reach(self, target: Locator) -> None:
        target.wait_for()
        here = "node => node === document.activeElement"
        for _ in range(_MOST_STEPS):
            if target.evaluate(here):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key does not reach {target}")

    def press(self, target: Locator) -> None:
        self.reach(target)
        self.page.keyboard.press("Enter")

    def tick(self, target: Locator) -> None:
        self.reach(target)
        self.page.keyboard.press("Space")

    def write(self, target: Locator, text: str) -> None:
        self.reach(target)
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.insert_text(text)

    def choose(self, target: Locator, option: str) -> None:
        """By typing the beginning of an option, as browsers let one do."""
        self.reach(target)
        words = target.locator(f"option[value='{option}']").inner_text()
        self.page.keyboard.type(words)
        expect(target).to_have_value(option)

    def pick(self, target: Locator, day: date) -> None:
        self.reach(target)
        self.page.keyboard.type(f"{day:%d%m%Y}")
