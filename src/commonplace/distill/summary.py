"""A model's answer about a conversation: a summary for the daily log, and facts that may be worth keeping. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from commonplace.framing import meant
from commonplace.types.book import Category

_SUMMARY_TITLE = re.compile(r"[#*_\s]*daily\s+summary[*_:\uff1a\s]*#*\s*", re.IGNORECASE)
_FACTS_TITLE = re.compile(r"[#*_\s]*long[\s-]*term\s+facts?[*_:\uff1a\s]*#*\s*", re.IGNORECASE)
_IS_TITLE = re.compile(
    r"\s{0,3}(?:#{1,6}\s|\*\*|__)|\s*(?:daily\s+summary|long[\s-]*term\s+facts?)\s*(?::\s*)?$", re.IGNORECASE
)
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_BULLET = re.compile(r"\s{0,3}(?:[-*+\u2022]|\d{1,3}[.)])\s+(?P<text>.*)$")
_HEADED = re.compile(r"\s{0,3}(?:#{3,6}\s|[*_]{2}[^*_]+[*_]{2}:?\s*$)")
_HEADING = re.compile(r"^\s{0,3}#{1,2}(?=\s)", re.MULTILINE)
_CATEGORY = re.compile(
    r"(?P<mark>[\[(*_`]*)(?P<name>(?:user )?[a-z]{4,11})"
    r"(?P<end>\s+[-\u2013\u2014]|[\])*_`]*(?:\s*[:\uff1a][*_]*|\s+[*_]+)?)"
    r"(?:\s+(?P<text>\S.*)|\s*)$",
    re.DOTALL | re.IGNORECASE,
)
_CATEGORIES = {name: one for one in Category for name in (one.value, one.value.removesuffix("s"), f"user {one.value}")}
_NOTHING = {
    "none",
    "n/a",
    "na",
    "nil",
    "nothing",
    "no facts",
    "no new facts",
    "no long-term facts",
    "无",
    "没有",
    "keine",
}
UNEVENTFUL = "- Nothing of note was said."


@dataclass(frozen=True, slots=True)
class Fact:
    """Something lasting that was said; `category` is None when the model did not say where it belongs."""

    text: str
    category: Category | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """What a model proposes for the log and for the long-term memory."""

    text: str
    facts: tuple[Fact, ...] = ()
    extracted: int = 0  # 1: no model wrote it, though one was asked


def parse_summary(answer: str) -> Summary | None:
    """The two parts of an answer; None when there is nothing in it. Without headings all of it is summary. Where the
    heading of the facts stands more than once, the last is the answer's own: the rest is quoted from what was said."""
    lines = _unfenced(meant(answer).strip().split("\n"))
    titles = _titles(lines)
    facts_at = max((at for at, is_facts in titles.items() if is_facts), default=len(lines))
    summary_at = min((at for at, is_facts in titles.items() if not is_facts and at < facts_at), default=-1)
    late = min((at for at, is_facts in titles.items() if not is_facts and at > facts_at), default=len(lines))
    if summary_at < 0 and late < len(lines):  # the other way round: facts first
        text, facts = "\n".join(lines[late + 1 :]), facts_in(lines[facts_at + 1 : late])
    else:
        text, facts = "\n".join(lines[summary_at + 1 : facts_at]), facts_in(lines[facts_at + 1 : late])
    text = _HEADING.sub("###", text).strip()
    if not text and not facts and not any(line.strip() for line in lines[facts_at + 1 : late]):
        return None
    return Summary(UNEVENTFUL if _is_nothing(text) else text, facts)


def facts_in(lines: list[str]) -> tuple[Fact, ...]:
    """Each bullet with the lines that belong to it, or each line where there are no bullets."""
    texts: list[str] = []
    bullets = any(_BULLET.match(line) for line in lines)
    for line in lines:
        bullet = _BULLET.match(line)
        inner = bool(texts) and line.strip() and line.startswith((" ", "\t"))
        if bullet or (inner and _category(texts[-1].strip())[1] == ""):  # the items of a category
            texts.append(bullet["text"] if bullet else line.strip().removeprefix("- "))
        elif _HEADED.match(line) and line.strip("#*_: \t").casefold() in _CATEGORIES:
            texts.append(line.strip("#*_: \t") + ":")
        elif not bullets:
            texts.append(line)
        elif inner:
            texts[-1] += " " + line.strip().removeprefix("- ")
    return tuple(dict.fromkeys(_facts(texts)))


def _facts(texts: list[str]) -> Iterator[Fact]:
    """Each text with its category: its own, or the one that stands above it by itself."""
    above: Category | None = None
    for text in texts:
        category, fact = _category(text.strip())
        if category and not fact:
            above = category
        elif not _is_nothing(fact):
            yield Fact(fact, category or above)


def _category(text: str) -> tuple[Category | None, str]:
    """The category that a text names before the fact, in whichever way models write it, and the rest."""
    marked = _CATEGORY.match(text)
    known = _CATEGORIES.get(marked["name"].casefold()) if marked else None
    if marked is None or known is None or not (marked["mark"] or marked["end"].strip()):
        return None, text
    return known, (marked["text"] or "").strip().removeprefix("- ").strip()


def _is_nothing(text: str) -> bool:
    bare = text.strip().strip("-*+_().\u3002[]\"' \t").casefold()
    return not bare or bare in _NOTHING or bare.removesuffix(" identified").removesuffix(" found") in _NOTHING


def _unfenced(lines: list[str]) -> list[str]:
    """Without a code fence around the whole answer."""
    if len(lines) > 1 and _FENCE.match(lines[0]) and lines[-1].strip() in {"```", "~~~"}:
        return lines[1:-1]
    return lines


def _titles(lines: list[str]) -> dict[int, bool]:
    """The lines that are one of the two headings, and whether it is the one of the facts; not those within a fence."""
    found: dict[int, bool] = {}
    fence = ""
    for at, line in enumerate(lines):
        mark = _FENCE.match(line)
        if mark:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        elif not fence and _IS_TITLE.match(line):
            if _FACTS_TITLE.fullmatch(line):
                found[at] = True
            elif _SUMMARY_TITLE.fullmatch(line):
                found[at] = False
    return found
