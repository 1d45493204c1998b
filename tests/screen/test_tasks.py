"""What a person can do on the memory screen: a script for each task, by mouse, on a telephone, by keyboard alone."""

import re
import subprocess
import sys
from collections.abc import Callable, Generator
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from commonplace.memory import Memory
from commonplace.types import Origin
from tests.foreign.generators import mem0_json
from tests.screen.books import TODAY
from tests.screen.browser import COMMONPLACE, Served, window
from tests.screen.hands import Hand, Keys, Thumb

pytestmark = [pytest.mark.clients, pytest.mark.timeout(300)]

# A model that keeps every entry as it is, but takes the second of two that the book holds twice; it works as long as
# the file `wait` is there, so that one can see it at work and stop it.
_MODEL = """
import pathlib, re, sys, time
folder = pathlib.Path(__file__).parent
prompt = sys.stdin.read()
while (folder / "wait").exists():
    time.sleep(0.05)
section, kept, twice = "", {}, []
for line in prompt.splitlines():
    place, entry = re.match(r"In (.*):$", line), re.match(r"\\| \\[(\\d+)\\](?: \\([-\\d]+\\))? (.*)", line)
    if place:
        section = place[1]
    elif entry and entry[2] == "Bakes rye bread every Sunday":
        twice.append((entry[1], section))
    elif entry:
        kept.setdefault(section, []).append(f"- [{entry[1]}] {entry[2]}")
        bread = entry[1] if "rye bread on Sundays" in entry[2] else locals().get("bread")
print("# Long-term Memory")
for section, lines in kept.items():
    print(f"\\n## {section}", *lines, sep="\\n")
print("\\n## Dropped", *(f"- [{number}] duplicate of [{bread}]" for number, _ in twice), sep="\\n")
"""


@pytest.fixture(scope="module", params=[Hand, Thumb, Keys], ids=["mouse", "phone", "keyboard"])
def hand(
    request: pytest.FixtureRequest,
    browser: Browser,
    copied: Callable[[], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Generator[Hand]:
    kind: type[Hand] = request.param
    home = tmp_path_factory.mktemp("home")
    model = home / "model.py"
    model.write_text(_MODEL, encoding="utf-8")
    environment = {
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "COMMONPLACE_MODEL_PROVIDER": "command",
        "COMMONPLACE_MODEL_COMMAND": f"{sys.executable} {model}",
    }
    with Served(copied(), environment) as served, window(browser, served, phone=kind is Thumb) as screen:
        yield kind(screen)


@pytest.fixture
def page(hand: Hand) -> Page:
    return hand.screen.open("/memory")


def memory_of(hand: Hand) -> str:
    return (hand.screen.served.book / "MEMORY.md").read_text(encoding="utf-8")


def entry(page: Page, words: str) -> Locator:
    return page.locator(".entry").filter(has_text=words)


def act(hand: Hand, words: str, deed: str) -> None:
    """An action from the menu of an entry."""
    hand.press(entry(hand.page, words).get_by_role("button", name=re.compile("^Actions for")))
    item = hand.page.get_by_role("menuitem", name=re.compile(f"^{deed}( …)?$"))
    if isinstance(hand, Keys):
        for _ in range(8):
            if item.evaluate("node => node === document.activeElement"):
                break
            hand.page.keyboard.press("ArrowDown")
        hand.page.keyboard.press("Enter")
    else:
        hand.press(item)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def said(page: Page, words: str) -> None:
    """What the corner of the screen says."""
    expect(page.locator(".toast")).to_contain_text(words)


@pytest.mark.req("UI-2")
def test_a_person_adds_edits_moves_protects_and_forgets_entries(hand: Hand, page: Page) -> None:
    hand.go("memory")
    hand.press(button(page, "New entry"))
    hand.write(page.get_by_role("textbox", name="What should be remembered"), "My bicycle is a green Gazelle")
    hand.choose(page.get_by_role("combobox", name="Section"), "Notes")
    hand.press(button(page, "Save"))
    said(page, "Saved in Notes")
    expect(entry(page, "green Gazelle")).to_be_visible()

    act(hand, "green Gazelle", "Edit")
    hand.write(page.get_by_role("textbox", name="The entry"), "My bicycle is a blue Gazelle")
    hand.press(button(page, "Save"))
    expect(entry(page, "blue Gazelle")).to_be_visible()

    act(hand, "blue Gazelle", "Move to another section")
    hand.press(page.get_by_role("dialog").get_by_role("button", name="Interests", exact=True))
    said(page, "Moved to Interests")
    expect(page.get_by_role("region", name="Interests").locator(".entry", has_text="blue Gazelle")).to_be_visible()

    act(hand, "blue Gazelle", "Protect")
    expect(entry(page, "blue Gazelle").locator(".tag")).to_contain_text("protected")
    assert "- User requested: My bicycle is a blue Gazelle\n" in memory_of(hand)
    act(hand, "blue Gazelle", "Stop protecting")
    expect(entry(page, "blue Gazelle").locator(".tag")).to_have_count(0)

    act(hand, "blue Gazelle", "Forget")
    said(page, "Forgotten")
    expect(entry(page, "blue Gazelle")).to_have_count(0)
    hand.press(button(page, "Undo"))
    expect(entry(page, "blue Gazelle")).to_be_visible()


@pytest.mark.req("UI-2")
def test_what_the_gate_says_stands_where_one_types_with_three_ways_to_go_on(hand: Hand, page: Page) -> None:
    def begin(text: str) -> Locator:
        hand.go("memory")
        hand.press(button(page, "New entry"))
        hand.write(page.get_by_role("textbox", name="What should be remembered"), text)
        said = page.locator(".composer .note")
        expect(said).to_contain_text("I prefer metric units and 24-hour times")
        return said

    note = begin("I prefer imperial units and 24-hour times")
    hand.press(button(page, "Save"))
    expect(note).to_contain_text("Not saved yet.")
    hand.press(note.get_by_role("button", name="Leave it"))
    expect(page.locator(".composer")).to_have_count(0)
    assert "imperial" not in memory_of(hand)

    hand.press(begin("I prefer imperial units and 24-hour times").get_by_role("button", name="Keep both"))
    expect(entry(page, "imperial units")).to_be_visible()
    assert "metric units" in memory_of(hand)
    act(hand, "imperial units", "Forget")
    expect(entry(page, "imperial units")).to_have_count(0)

    hand.press(begin("I prefer metric units and 12-hour times").get_by_role("button", name="Change that one"))
    expect(page.get_by_role("textbox", name="The entry")).to_have_value("I prefer metric units and 12-hour times")
    hand.press(button(page, "Save"))
    expect(entry(page, "12-hour times")).to_be_visible()
    assert "24-hour" not in memory_of(hand)


@pytest.mark.req("UI-2")
def test_an_entry_is_forgotten_everywhere_with_a_plan_and_a_proof(hand: Hand, page: Page) -> None:
    hand.go("memory")
    act(hand, "The spare key of the boat house", "Forget everywhere")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("MEMORY.md")
    hand.press(dialog.get_by_role("button", name="Forget it everywhere"))
    expect(dialog).to_contain_text("0 copies are left")
    hand.press(dialog.get_by_role("button", name="Done"))
    expect(entry(page, "spare key")).to_have_count(0)


@pytest.mark.req("UI-2")
def test_an_entry_tells_where_it_came_from(hand: Hand, page: Page) -> None:
    memory = Memory.open(hand.screen.served.book)
    talk = next(info for info in memory.session_infos() if info.title == "Mosses of the garden wall")
    memory.remember("Bram knows mosses well", session=talk.id, insist=True)
    hand.go("memory")
    act(hand, "Bram knows mosses well", "Where it came from")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("by an agent")
    hand.press(dialog.get_by_role("link", name="the conversation"))
    page.wait_for_url("**/conversations/**")
    expect(page.locator("h1")).to_have_text("Mosses of the garden wall")


@pytest.mark.req("UI-1")
def test_the_whole_file_is_edited_with_its_sections_and_a_preview(hand: Hand, page: Page) -> None:
    hand.go("memory")
    hand.press(page.get_by_role("link", name="Edit the file"))
    area = page.get_by_role("textbox", name="MEMORY.md")
    expect(area).to_have_value(memory_of(hand))
    hand.write(area, memory_of(hand) + "\n## Boat\n\n- The Sterna needs new sails in spring\n")
    hand.press(button(page, "Preview"))
    expect(page.get_by_role("region", name="Preview").get_by_role("heading", name="Boat")).to_be_visible()
    expect(page.get_by_role("navigation", name="Sections of the file")).to_contain_text("Boat")
    hand.press(button(page, "Save"))
    said(page, "Saved")
    assert memory_of(hand).endswith("- The Sterna needs new sails in spring\n")


@pytest.mark.req("UI-1")
def test_search_finds_as_one_types_with_filters_and_how_the_score_came_about(hand: Hand, page: Page) -> None:
    hand.go("search")
    hand.write(page.get_by_role("searchbox", name="Search everything"), "where do I keep the botanist's letters?")
    first = page.locator(".hit").first
    expect(first.locator("strong")).to_have_text("KB 1911/7")
    hand.press(first.get_by_role("button", name=re.compile("^How the score came about")))
    expect(first.get_by_role("table")).to_contain_text("meaning")
    hand.press(button(page, "Conversations"))
    expect(page.locator(".hit").first).to_contain_text("Stockholm")
    hand.press(page.locator(".hit-place").first)
    page.wait_for_url("**/conversations/**message=**")
    expect(page.locator(".message.chosen")).to_be_visible()


@pytest.mark.req("UI-2")
def test_recall_shows_word_for_word_what_an_agent_is_told_and_what_is_left_out(hand: Hand, page: Page) -> None:
    hand.go("recall")
    hand.write(page.get_by_role("textbox", name="What you would say"), "Which train should I take?")
    told = page.locator(".told")
    expect(told).to_contain_text("night trains")
    expect(told).to_have_text(
        Memory.open(hand.screen.served.book).recall("Which train should I take?", budget=2000).text
    )
    hand.choose(page.get_by_role("combobox", name="Room in the prompt"), "250")
    expect(page.locator(".left-out").first).to_contain_text("token")


@pytest.mark.req("UI-1")
def test_the_calendar_leads_to_a_day_its_log_and_the_conversations_behind_it(hand: Hand, page: Page) -> None:
    hand.go("days")
    talked = TODAY - timedelta(days=1)
    if talked.year != TODAY.year:
        hand.press(page.get_by_role("button", name="The year before"))
    hand.press(page.locator(f".day-cell[href='/days/{talked}']"))
    expect(page.get_by_role("region", name="The log of the day")).to_contain_text("Mosses of the garden wall")
    hand.press(page.get_by_role("link", name="the conversation behind it"))
    expect(page.locator(".message").first).to_contain_text("cushion moss")
    hand.go("days")
    hand.press(page.get_by_role("link", name="Conversations", exact=True))
    hand.write(page.get_by_role("searchbox", name="Search in the conversations"), "gardeners")
    expect(page.locator(".session-row").first).to_contain_text("The watering plan")


@pytest.mark.req("UI-2")
def test_the_inbox_is_settled_one_by_one_and_many_at_once(hand: Hand, page: Page) -> None:
    memory = Memory.open(hand.screen.served.book)
    assert len(memory.inbox()) == 3
    hand.go("inbox")
    cards = page.locator(".waiting-card")
    expect(cards).to_have_count(3)
    opening = cards.filter(has_text="Atelier Vos is open Monday to Saturday")
    expect(opening).to_contain_text("Our bookbinder is Atelier Vos, open Tuesday to Friday")
    if isinstance(hand, Keys):
        page.keyboard.press("j")
        expect(page.locator(".waiting-card.current")).to_have_count(1)
        page.keyboard.press("e")
        expect(page.get_by_role("textbox", name="What should be remembered")).to_be_focused()
    else:
        hand.press(cards.first.get_by_role("button", name="Edit and accept"))
    hand.write(page.get_by_role("textbox", name="What should be remembered"), "The reading room is closed on Mondays")
    hand.press(button(page, "Accept this"))
    said(page, "Accepted")
    expect(cards).to_have_count(2)
    assert "The reading room is closed on Mondays" in memory_of(hand)
    hand.tick(page.get_by_role("checkbox", name="Choose all"))
    hand.press(button(page, "Reject chosen"))
    expect(page.get_by_role("heading", name="Nothing waits")).to_be_visible()
    assert memory.inbox() == []


@pytest.mark.req("UI-1", "UI-2")
def test_history_shows_each_change_and_takes_it_back_and_backups_are_restored(hand: Hand, page: Page) -> None:
    memory = Memory.open(hand.screen.served.book)
    memory.remember("The tandem is at the repair shop on Maliesingel", section="Notes", insist=True)
    hand.go("history")
    hand.press(page.locator(".change-row").filter(has_text="The tandem is at the repair shop").first)
    expect(page.locator(".diff-line.new")).to_contain_text("The tandem is at the repair shop")
    hand.press(button(page, "Undo this change"))
    said(page, "Undone")
    assert "tandem" not in memory_of(hand)

    hand.go("history")
    hand.press(page.get_by_role("link", name="Backups"))
    hand.press(button(page, "Make a backup now"))
    said(page, "A copy was made")
    before = memory_of(hand)
    memory.remember("This sentence is to be gone again", section="Notes", insist=True)
    hand.press(page.locator(".change-row").first)
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".diff-line.gone")).to_contain_text("This sentence is to be gone again")
    hand.press(dialog.get_by_role("button", name="Restore", exact=True))
    said(page, "Restored")
    assert memory_of(hand) == before

    hand.press(page.get_by_role("link", name="As it was"))
    hand.pick(page.get_by_label("On", exact=True), TODAY - timedelta(days=100))
    expect(page.locator(".entry", has_text="field guides printed before 1960")).to_be_visible()
    expect(page.locator(".entry", has_text="I bake rye bread on Sundays")).to_have_count(0)


@pytest.mark.req("UI-2")
def test_a_check_finds_what_is_doubtful_and_puts_it_right_one_by_one(hand: Hand, page: Page) -> None:
    book = hand.screen.served.book / "MEMORY.md"
    text = memory_of(hand)
    book.write_text(text.replace("## Notes\n", "## Notes\n\n- I bake rye bread on Sundays.\n"), encoding="utf-8")
    hand.go("tidy")
    hand.press(button(page, "Check my memory").or_(button(page, "Check again")).first)
    twice = page.locator(".card").filter(has_text="Said twice").filter(has_text="rye bread")
    expect(page.locator(".ring")).to_have_attribute("aria-label", re.compile(r"Score \d+ of 100"))
    hand.press(twice.get_by_role("button", name="Put it right").first)
    said(page, "Put right")
    expect(twice.get_by_role("button", name="Put it right")).to_have_count(0)
    assert memory_of(hand).count("rye bread") == 1


@pytest.mark.req("UI-1", "UI-2", "CMP-6")
def test_compaction_is_a_plan_that_can_be_cancelled_accepted_in_part_and_undone(hand: Hand, page: Page) -> None:
    served = hand.screen.served
    wait = Path(served.environment["HOME"]) / "wait"
    book = served.book / "MEMORY.md"
    before = memory_of(hand).replace(
        "## Notes\n", "## Notes\n\n- Bakes rye bread every Sunday\n- I bake rye bread on Sundays\n"
    )
    book.write_text(before, encoding="utf-8")
    wait.touch()
    hand.go("tidy")
    hand.press(page.get_by_role("link", name="Compact"))
    hand.press(button(page, "Plan with the model"))
    expect(page.get_by_role("progressbar", name="Making a plan")).to_be_visible()
    hand.press(button(page, "Cancel"))
    expect(page.get_by_text("Cancelled. Nothing was changed.")).to_be_visible()
    wait.unlink()
    hand.press(button(page, "Plan with the model"))
    steps = page.locator("ol > li.card")
    expect(steps.first).to_be_visible()
    assert memory_of(hand) == before
    total = steps.count()
    accept = page.get_by_role("button", name=re.compile("^Accept"))
    if total > 1:
        hand.tick(steps.last.get_by_role("checkbox"))
        expect(accept).to_have_text(f"Accept {total - 1} of {total}")
    hand.press(accept)
    said(page, "Compacted")
    assert memory_of(hand).count("rye bread") < before.count("rye bread")
    hand.press(page.get_by_role("link", name="See or undo it"))
    hand.press(button(page, "Undo this change"))
    said(page, "Undone")
    assert memory_of(hand) == before


@pytest.mark.req("UI-1")
def test_health_shows_the_state_the_numbers_and_the_settings_and_rebuilds_the_index(hand: Hand, page: Page) -> None:
    hand.go("health")
    expect(page.get_by_role("region", name="Is everything in order?")).to_contain_text("Yes.")
    numbers = page.get_by_role("region", name="In numbers")
    expect(numbers.locator(".tile", has_text="Conversations")).to_contain_text("5")
    expect(page.get_by_role("img", name="Entries over time", exact=True)).to_be_visible()
    expect(page.get_by_role("img", name="What the gate did over time", exact=True)).to_be_visible()
    hand.press(button(page, "Make the index again"))
    expect(page.get_by_role("region", name="Search index").get_by_text("Done.")).to_be_visible()
    hand.write(page.get_by_role("searchbox", name="Show only settings"), "how many backups")
    expect(page.locator(".settings li")).to_have_count(1)
    expect(page.get_by_role("region", name="Books")).to_contain_text("open here")


@pytest.mark.req("UI-1", "API-1")
def test_what_another_program_kept_is_looked_at_and_then_brought_in(hand: Hand, page: Page) -> None:
    export = mem0_json(Path(hand.screen.served.environment["HOME"]) / "mem0.json", ["Keeps bees on the roof"])
    hand.go("health")
    part = page.get_by_role("region", name="Bring in from elsewhere")
    hand.write(part.get_by_role("textbox", name="A file or folder on this machine"), str(export))
    hand.press(part.get_by_role("button", name="See what would come in"))
    expect(part.get_by_role("status")).to_contain_text("Would come in: 1 entry.")
    assert "bees" not in memory_of(hand)
    hand.press(part.get_by_role("button", name="Bring it in"))
    expect(part.get_by_role("status")).to_contain_text("Came in: 1 entry.")
    assert "Keeps bees on the roof" in memory_of(hand)
    memory = Memory.open(hand.screen.served.book)
    memory.forget("Keeps bees on the roof", origin=Origin.PERSON)


@pytest.mark.req("UI-1")
def test_another_book_opens_at_an_address_of_its_own(hand: Hand, page: Page) -> None:
    served = hand.screen.served
    garden = Memory.open(Path(served.environment["HOME"]) / "garden")
    garden.remember("The pear tree is grafted", insist=True)
    listed = [COMMONPLACE, "init", "--book", str(garden.path), "--name", "garden"]
    subprocess.run(listed, env=served.environment, check=True, stdout=subprocess.DEVNULL)
    hand.go("health")
    hand.press(page.get_by_role("region", name="Books").get_by_role("button", name="Open garden"))
    expect(entry(page, "The pear tree is grafted")).to_be_visible()
    place = urlsplit(page.url)
    assert (place.hostname, place.netloc != urlsplit(served.address).netloc) == ("127.0.0.1", True)
    hand.screen.open("/memory")
    expect(entry(page, "pear tree")).to_have_count(0)
    hand.screen.allow(f"a request left the machine: http://{place.netloc}/")
