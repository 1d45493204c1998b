"""Memories in Markdown, as all kinds of them are read; and any folder of pages.

A page that is called by a date is about that day. What an item stands under says of whom or what it speaks, and comes
in with it: "Lives in Bern" under Anna is nothing without her. Pure but for reading."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise

from commonplace.errors import CommonplaceError, UnreadableFile
from commonplace.files.document import title_text
from commonplace.files.pages import Item, MarkdownPage, day_in
from commonplace.files.structure import heading_in
from commonplace.files.text import decode, folded, on_one_line, printable, split_lines
from commonplace.foreign.ids import digest
from commonplace.foreign.opening import Source, SourceFile
from commonplace.types.book import SECTION_OF, STANDARD_SECTIONS, Category
from commonplace.types.transfer import Brought, DayNote, Memo, PassedOver

SUFFIXES = (".md", ".markdown")
NOTES = SECTION_OF[Category.NOTES]
_DATED = re.compile(r"(\d{4}-\d\d-\d\d)(?:\b.*)?")
_CONFLICT = re.compile(r"\.sync-conflict-\d{8}-\d{6}")
_GUIDES = frozenset(
    "CLAUDE CLAUDE.LOCAL AGENTS GEMINI SKILL README CONTRIBUTING COPILOT-INSTRUCTIONS LICENSE CHANGELOG".split()
)
_SECTIONS = {"MEMORY": NOTES, "USER": SECTION_OF[Category.PROFILE]}  # of what stands below no heading
_LONGEST_TITLE = 100
_LONGEST_LABEL = 60
_SENTENCE = re.compile(r".*[.!?…。！？]$")
_MARKS = " \t*_:："
_QUOTED = re.compile(r"^[ \t]{0,3}>[ \t]?(?:\[![\w-]{1,40}\][+-]?[ \t]*)?", re.MULTILINE)  # also a box with a kind
_FIELD = re.compile(r"^[ \t]*(name|title|description|type|permalink)[ \t]*:(.*)$", re.MULTILINE)

Reading = Callable[[MarkdownPage], Iterator[Brought]]


def brought(source: Source) -> Iterator[Brought]:
    """Any Markdown: each bullet and paragraph under the title of its page; of a page that is named alone, under the
    heading that it stands below."""
    yield from each_page(source, reading_of(source))


def reading_of(source: Source) -> Reading:
    """How the pages of a source are read: of several, each is about something."""
    return partial(items_of, titled=len(source.ending(*SUFFIXES)) > 1)


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
    page = MarkdownPage(file.name, decode(source.read(file), file.name))
    if page.text != printable(page.text):
        raise UnreadableFile(f"{file.name} is not UTF-8 text.", hint="Convert it, then import it again.")
    return page


def front(page: MarkdownPage) -> dict[str, str]:
    """What the front matter of a page says, as far as it concerns us."""
    return {key: value.strip().strip("\"'") for key, value in _FIELD.findall(page.front)}


def title_of(page: MarkdownPage) -> str:
    return front(page).get("title") or _stem(page.name.rpartition("/")[2])


def items_of(page: MarkdownPage, *, titled: bool = False) -> Iterator[Brought]:
    """The items of a page under its sections; where it is `titled`, under what the page is about."""
    title = title_of(page)
    known = _SECTIONS.get(title.upper())
    about = [_subject(page) or title] if titled and known is None else []
    for item, following in pairwise([*page.items, None]):
        if item is None or _is_label_of(item, following):
            continue  # it is said with each of what stands below it
        if item.text.endswith((":", "：", ":**", ":__")):
            yield PassedOver(f"{item.file} line {item.line}", "nothing stands below it that could be kept")
            continue
        section, said = _placed([*about, *_headings(item)], _said(item))
        yield memo(item, section or known or title, said)


def _subject(page: MarkdownPage) -> str:
    """The title that stands over a page."""
    first = next(filter(str.strip, split_lines(page.body)), "")
    level, title = heading_in(first) or (0, "")
    return title if level == 1 else ""


def _is_label_of(item: Item, following: Item | None) -> bool:
    """Whether an item is a heading in all but form over the one that follows."""
    label, deeper = item.text.split("\n")[0].strip(), following.place[len(item.place) :] if following else ()
    return deeper[:1] == (label,) and _is_label(label)


def _is_label(text: str) -> bool:
    return len(text) <= _LONGEST_LABEL and not _SENTENCE.match(text)


def placed(section: str, place: Sequence[str], text: str) -> str:
    """What an entry says, with what it stands under within its section."""
    return _placed([section, *(title for title in place if title != section)], text)[1]


def _placed(above: Sequence[str], text: str) -> tuple[str, str]:
    """The section, and the text behind what else it stands under."""
    named = [plain for title in above if (plain := _bare(title))]
    path = [one for one, before in zip(named, ["", *named], strict=False) if folded(one) != folded(before)]
    said = [one for one in path[1:] if _is_label(one)]
    return (path[0] if path else ""), ": ".join([*said, text])


def _bare(title: str) -> str:
    return title_text(on_one_line(title)).removeprefix("[ ]").removeprefix("[x]").strip(_MARKS)


def memos_in(text: str, place: str, *above: str) -> Iterator[Brought]:
    """The memories of a text that stands in a file of another kind, below what it is about."""
    for item in MarkdownPage(place, text).items:
        yield memo(item, *_placed([*above, *_headings(item)], _said(item)))


def _said(item: Item) -> str:
    """What an item says; what the user asked for somewhere else is not asked for here."""
    return _QUOTED.sub("", item.bare)


def _headings(item: Item) -> list[str]:
    """What an item stands under, from the outside; `place` lacks the sections that every memory has."""
    return [*([item.section] if item.section and item.section not in item.place else []), *item.place]


def memo(item: Item, section: str, text: str = "") -> Brought:
    place = f"{item.file} line {item.line}"
    if not item.is_prose:
        return PassedOver(place, "a table, code, a comment or a list of links")
    said = text or _said(item)
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
