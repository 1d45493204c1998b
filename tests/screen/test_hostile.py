"""Stored text is anybody's text: nothing of it runs, nothing of it is fetched, wherever it is stored and shown."""

import json
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, expect

from commonplace.memory import Memory
from commonplace.types import Message, Origin, Voice
from tests.screen.books import TODAY
from tests.screen.browser import Served, window
from tests.screen.test_pages import PAGES, settled

pytestmark = [pytest.mark.clients, pytest.mark.timeout(600)]

RAN = "window.ran=(window.ran||0)+1"
PAYLOADS = (
    f"<script>{RAN}</script>",
    f"<ScRiPt>{RAN}</sCrIpT>",
    f"</script><script>{RAN}</script>",
    f"<img src=x onerror={RAN}>",
    f"<img src='x' onerror='{RAN}'>",
    f"<svg onload={RAN}>",
    f"<svg><script>{RAN}</script></svg>",
    f"<svg><animate onbegin={RAN} attributeName=x dur=1s>",
    f"<body onload={RAN}>",
    f"<iframe srcdoc='<script>parent.{RAN}</script>'></iframe>",
    f"<iframe src=javascript:{RAN}></iframe>",
    f"<object data=javascript:{RAN}></object>",
    f"<embed src=javascript:{RAN}>",
    f"<details open ontoggle={RAN}>x</details>",
    f"<video><source onerror={RAN}></video>",
    f"<audio src=x onerror={RAN}>",
    f"<input autofocus onfocus={RAN}>",
    f"<select autofocus onfocus={RAN}>",
    f"<textarea autofocus onfocus={RAN}>",
    f"<marquee onstart={RAN}>",
    f"<meta http-equiv=refresh content='0;url=javascript:{RAN}'>",
    "<meta http-equiv=refresh content='0;url=https://example.com/'>",
    f"<base href=javascript:{RAN}//>",
    f"<link rel=stylesheet href='javascript:{RAN}'>",
    f"<style>@import 'https://example.com/x.css';</style><p onclick={RAN}>",
    f"<math><mtext><img src=x onerror={RAN}></mtext></math>",
    f"<template><script>{RAN}</script></template>",
    f"<form action=javascript:{RAN}><button autofocus>x</button></form>",
    f"<a href=javascript:{RAN} autofocus>x</a>",
    f"[x](javascript:{RAN})",
    f"[x](JaVaScRiPt:{RAN})",
    f"[x](java\tscript:{RAN})",
    f"[x](&#106;avascript:{RAN})",
    f"[x](data:text/html,<script>{RAN}</script>)",
    f"[x](vbscript:{RAN})",
    f"[x](blob:https://example.com/{RAN})",
    f'[x](https://example.com/"onmouseover="{RAN})',
    f"[x](https://example.com/ 'onmouseover={RAN}')",
    "![x](https://example.com/beacon.png)",
    f"![x](x' onerror='{RAN})",
    f"![{RAN}](javascript:{RAN})",
    f"`<script>{RAN}</script>`",
    f"**<img src=x onerror={RAN}>**",
    f"*<svg/onload={RAN}>*",
    f"<!--><script>{RAN}</script>-->",
    f"<![CDATA[<script>{RAN}</script>]]>",
    f"${{{RAN}}}",
    f"{{{{constructor.constructor('{RAN}')()}}}}",
    f"\\u003cscript\\u003e{RAN}\\u003c/script\\u003e",
    f"'\"></title></textarea></style><script>{RAN}</script>",
    f"<img src=x onerror=&#119;indow.ran=1> {RAN}",
    f"&lt;script&gt;{RAN}&lt;/script&gt;",
)

_FOREIGN = "document.querySelectorAll('iframe, object, embed, base, style, form[action]').length"


def hostile_book(folder: Path) -> Memory:
    """A book with every payload in every place that stores text."""
    folder.mkdir()
    lines = [line for at, words in enumerate(PAYLOADS) for line in ("", f"## {words} {at}", "", f"- {words} fact {at}")]
    (folder / "MEMORY.md").write_text("\n".join(["# Long-term Memory", *lines, ""]), encoding="utf-8")
    memory = Memory.open(folder)
    memory.log("\n\n".join(f"### {words}\n\n- {words}\n\n> {words}\n\n{words}" for words in PAYLOADS), day=TODAY)
    for at, words in enumerate(PAYLOADS):
        memory.remember(f"{words} is what the page {at} says", origin=Origin.TOOL, voice=Voice.WEB, section="Notes")
    for at in range(0, len(PAYLOADS), 10):
        session = memory.start_session(PAYLOADS[at]).id
        messages = [
            Message(f"m{number}", ("user", "assistant")[number % 2], words, datetime.now(UTC))
            for number, words in enumerate(PAYLOADS[at : at + 10])
        ]
        memory.add_message(session, *messages)
    reason = " ".join(PAYLOADS)
    memory.remember("Owns a canoe", section="Notes", insist=True, reason=reason)
    memory.backup()
    return memory


@pytest.mark.req("S7", "S1")
def test_fifty_payloads_in_every_place_that_stores_text_run_nowhere(browser: Browser, tmp_path: Path) -> None:
    assert len(set(PAYLOADS)) >= 50
    memory = hostile_book(tmp_path / "book")
    assert len(memory.inbox()) >= 40
    talks = [f"/conversations/{quote(info.id)}" for info in memory.session_infos()]
    changes = [f"/history/{change.id}" for change, _ in zip(memory.changes(), range(3), strict=False)]
    questions = [f"/search?q={quote(words)}" for words in PAYLOADS[::10]]
    recalled = [f"/recall?q={quote(PAYLOADS[3])}"]
    with Served(memory.path, {"COMMONPLACE_EMBEDDER_NAME": "none"}) as served, window(browser, served) as screen:
        for place in [*PAGES, *talks, *changes, *questions, *recalled]:
            screen.open(place)
            settled(screen.page)
            shown = screen.page.evaluate(f"[window.ran ?? 0, location.origin, {_FOREIGN}]")
            assert shown == [0, served.address, 0], place
            links: list[str] = screen.page.eval_on_selector_all("a[href]", "all => all.map(one => one.protocol)")
            assert set(links) <= {"http:", "https:", "mailto:"}, place
        page = screen.open("/memory")
        expect(page.locator(".entry").nth(40)).to_be_attached()
        page.locator(".entry button").first.click()
        page.get_by_role("menuitem", name="Where it came from").click()
        settled(page)
        screen.open("/memory/edit").get_by_role("button", name="Preview").click()
        screen.open("/tidy").get_by_role("button", name="Check my memory").click()
        page.locator(".ring").wait_for()
        assert page.evaluate("window.ran ?? 0") == 0


def test_a_page_cannot_be_made_to_run_what_it_did_not_bring(browser: Browser, tmp_path: Path) -> None:
    """The second line of defence: even markup that got into the page would not run."""
    with Served(tmp_path / "book") as served, window(browser, served) as screen:
        page = screen.open("/memory")
        page.evaluate(f"document.body.insertAdjacentHTML('beforeend', {json.dumps(PAYLOADS[3])})")
        page.evaluate(
            f"document.body.append(Object.assign(document.createElement('script'), {{text: {json.dumps(RAN)}}}))"
        )
        page.wait_for_load_state("networkidle")
        assert page.evaluate("window.ran ?? 0") == 0
        screen.allow("Content Security Policy", "404")
