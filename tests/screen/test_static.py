"""The files of the screen: nothing fetched from elsewhere, nothing that could turn stored text into markup."""

import hashlib
import re
from importlib.resources import files
from pathlib import Path

import pytest

STATIC = Path(str(files("commonplace.web") / "static"))
SCRIPTS = sorted(path for path in STATIC.rglob("*.js") if "vendor" not in path.parts)
# htm 3.1.1 with Preact, as published on npm: htm/preact/standalone.module.js
VENDORED = "72284e8e9079c87817145df1110f74e8a2aa040b2fc384922e18dfcb46fc1fd7"
FORBIDDEN = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc")


@pytest.mark.req("S7")
def test_no_script_turns_text_into_markup_or_code() -> None:
    assert SCRIPTS
    told = {path.name: [word for word in FORBIDDEN if word in path.read_text(encoding="utf-8")] for path in SCRIPTS}
    assert {name: words for name, words in told.items() if words} == {}


@pytest.mark.req("S7")
def test_nothing_is_fetched_from_elsewhere() -> None:
    for path in STATIC.rglob("*"):
        if path.suffix in {".js", ".css", ".html"} and "vendor" not in path.parts:
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"""(src|href)=["'](https?:)?//|url\(|@import""", text), path.name
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=", page)


def test_every_module_and_style_that_is_named_is_there() -> None:
    for path in SCRIPTS:
        for name in re.findall(r"""(?:from|import\()\s*["'](\.[^"']+)["']""", path.read_text(encoding="utf-8")):
            assert (path.parent / name).resolve().is_file(), f"{path.name} names {name}"
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    for name in re.findall(r"""(?:src|href)="/([^"]+)\"""", page):
        assert (STATIC / name).is_file(), name


def test_what_was_taken_from_others_is_unchanged_and_comes_with_its_licence() -> None:
    taken = (STATIC / "vendor/preact-htm.js").read_bytes()
    assert hashlib.sha256(taken).hexdigest() == VENDORED
    assert "Apache License" in (STATIC / "vendor/htm-LICENSE.txt").read_text(encoding="utf-8")
    assert "MIT License" in (STATIC / "vendor/preact-LICENSE.txt").read_text(encoding="utf-8")


def test_the_screen_weighs_little() -> None:
    """All of it, without compression, in kilobytes: an upper bound that growth has to argue with."""
    weight = sum(path.stat().st_size for path in STATIC.rglob("*") if path.suffix in {".js", ".css", ".html", ".svg"})
    assert weight < 220_000
