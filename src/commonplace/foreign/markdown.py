"""Memories in Markdown, as all kinds of them are read; and any folder of pages.

A page that is called by a date is about that day. Pure but for reading."""

import re
from collections.abc import Callable, Iterator

from commonplace.errors import CommonplaceError
from commonplace.files.document import title_text
from commonplace.files.pages import Item, MarkdownPage, day_in
from commonplace.files.text import decode, folded, on_one_line
from commonplace.foreign.ids import digest
from commonplace.foreign.opening import Source, SourceFile
from commonplace.types.book import SECTION_OF, STANDARD_SECTIONS, Category
from commonplace.types.transfer import Brought, DayNote, Memo, PassedOver

SUFFIXES = (".md", ".markdown")
NOTES = SECTION_OF[Category.NOTES]
_DATED = re.compile(r"(\d{4}-\d\d-\d\d)(?:\b.*)?")
_CONFLICT = re.compile(r"\.sync-conflict-\d{8}-\d{6}")
_GUIDES = frozenset(
    "CLAUDE CLAUDE.LOCAL AGENTS GEMINI README CONTRIBUTING COPILOT-INSTRUCTIONS LICENSE CHANGELOG".split()
)
_SECTIONS = {"MEMORY": NOTES, "USER": SECTION_OF[Category.PROFILE]}  # of what stands below no heading
_LONGEST_TITLE = 100
_FIELD = re.compile(r"^[ \t]*(name|title|description|type|permalink)[ \t]*:(.*)$", re.MULTILINE)

Reading = Callable[[MarkdownPage], Iterator[Brought]]


def brought(source: Source) -> Iterator[Brought]:
    """Any Markdown: each bullet and paragraph below the heading that it stands under."""
    yield from each_page(source, items_of)


def each_page(
    source: Source, read: Reading, *, guides: frozenset[str] = frozenset(), prepare: Callable[[str], str] = str
) -> Iterator[Brought]:
    """What each page says; those that are called like one of `guides` tell somebody what to do."""
    for file in source.ending(*SUFFIXES):
        if _CONFLICT.search(file.leaf):
            yield PassedOver(file.name, "a copy that a sync tool made")
        elif _stem(file.leaf).upper() in _GUIDES | guides:
            yield PassedOver(file.name, "it tells an agent or a reader what to do")
        else:
            try:
                page = read_page(source, file)
            except CommonplaceError as error:
                yield PassedOver(file.name, error.message)
                continue
            yield from _of_page(MarkdownPage(page.name, prepare(page.text)), read)


def _of_page(page: MarkdownPage, read: Reading) -> Iterator[Brought]:
    dated = _DATED.fullmatch(_stem(page.name.rpartition("/")[2]))
    day = day_in(dated[1]) if dated else None
    if day is None:
        yield from read(page)
    elif page.body.strip():
        yield DayNote(day, page.body.strip(), page.name)


def read_page(source: Source, file: SourceFile) -> MarkdownPage:
    return MarkdownPage(file.name, decode(source.read(file), file.name))


def front(page: MarkdownPage) -> dict[str, str]:
    """What the front matter of a page says, as far as it concerns us."""
    return {key: value.strip().strip("\"'") for key, value in _FIELD.findall(page.front)}


def title_of(page: MarkdownPage) -> str:
    return front(page).get("title") or _stem(page.name.rpartition("/")[2])


def items_of(page: MarkdownPage) -> Iterator[Brought]:
    title = title_of(page)
    for item in page.items:
        yield memo(item, item.section or _SECTIONS.get(title.upper(), title))


def memos_in(text: str, place: str, section: str) -> Iterator[Brought]:
    """The memories of a text that stands in a file of another kind."""
    for item in MarkdownPage(place, text).items:
        yield memo(item, item.section or section)


def memo(item: Item, section: str, text: str = "") -> Brought:
    place = f"{item.file} line {item.line}"
    if not item.is_prose:
        return PassedOver(place, "a table, code, a comment or a list of links")
    said = text or item.bare  # what the user asked for somewhere else is not asked for here
    return Memo(digest(item.file, folded(said)), said, section_title(section), place, item.since)


def section_title(title: str) -> str:
    """The section that is called so; those that every memory has, in the way it has them."""
    plain = title_text(title)[:_LONGEST_TITLE].strip()
    standard = next((name for name in STANDARD_SECTIONS if folded(name) == folded(plain)), "")
    return standard or plain or NOTES


# -- writing -----------------------------------------------------------------------------------------------------------


def slug(text: str, taken: set[str]) -> str:
    """A name for a file, of its own among those that are `taken`."""
    base = re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")[:48].strip("-") or digest(text)
    found, number = base, 1
    while found in taken:
        number += 1
        found = f"{base}-{number}"
    taken.add(found)
    return found


def quoted(text: str) -> str:
    """A text as front matter may have it."""
    return '"' + on_one_line(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _stem(leaf: str) -> str:
    return leaf.rpartition(".")[0]
