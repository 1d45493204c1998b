"""The words in which people ask a memory for something, by language (`requests.txt`), and a glance that tells most
texts from those that may ask. Imports little: every prompt of every agent is glanced at."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

UNSPACED = frozenset({"zh", "ja"})
_FILE = Path(__file__).with_name("requests.txt")
_SHORT = 3
_PARTS = re.compile(r"[^\w'’]+|['’]")
_ASKING = ("keep", "keep?", "ask", "forget", "forget?", "ask-forget", "after", "drop", "lasting")


@cache
def tables() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """The ways of saying each kind of thing, by language."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            head, _, ways = line.partition(": ")
            code, kind = head.split(" ", 1)
            found.setdefault(code, {})[kind] = (ways,) if kind == "change" else tuple(ways.split(" | "))
    return found


@cache
def keys(code: str) -> tuple[str, ...]:
    """What must be in a sentence for it to ask anything: the first words of all ways of asking."""
    table = tables()[code]
    phrases = [way for kind, ways in table.items() if kind in _ASKING for way in ways]
    changing = re.findall(r"[^\W\d_]{2,}", re.sub(r"\?P<\w+>", "", table["change"][0]))
    return tuple({*(way.split()[0].casefold() for way in phrases), *changing})


def languages_asking(text: str) -> list[str]:
    """The languages in which a text has a word that may begin a request."""
    folded = text.casefold()
    said = frozenset(_PARTS.split(folded))
    return [code for code in tables() if any(_is_in(key, folded, said, code) for key in keys(code))]


def may_tell_a_change(text: str) -> bool:
    """Whether any language has a word for a change in it."""
    folded = text.casefold()
    return any(way in folded for table in tables().values() for kind in ("now", "ended") for way in table[kind])


def may_ask(text: str) -> bool:
    """Whether a text has any word that a request, or the news of a change, must have: if not, it is neither."""
    plain = text.replace("’", "'")
    return may_tell_a_change(plain) or bool(languages_asking(plain))


def _is_in(key: str, folded: str, said: frozenset[str], code: str) -> bool:
    """Whether a word may begin a request here. A short one stands in many others: it must stand alone, where words do;
    else the patterns of half the languages would be made for nothing."""
    return key in said or ((len(key) > _SHORT or code in UNSPACED or not key.isascii()) and key in folded)
