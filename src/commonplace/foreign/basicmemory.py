"""basic-memory's notes: observations under the title of their note, and links between notes. Pure but for reading."""

import re
from collections.abc import Iterator, Mapping, Sequence

from commonplace.files.pages import MarkdownPage
from commonplace.files.text import on_one_line
from commonplace.foreign.markdown import each_page, front, memo, quoted, slug, title_of
from commonplace.foreign.opening import Source
from commonplace.types.book import SECTION_OF
from commonplace.types.transfer import Brought, Memo, PassedOver

_OBSERVATION = re.compile(r"\[(?![ xX]\])([^\[\]()]{1,60})\]\s+(?!\()(.+)", re.DOTALL)  # "[x]" is a task that is done
_RELATION = re.compile(r"[\w -]{0,60}\[\[[^\[\]]+\]\](?:\s*\([^)]*\))?")


def is_one(page: MarkdownPage) -> bool:
    return "permalink" in front(page)


def brought(source: Source) -> Iterator[Brought]:
    yield from each_page(source, _observations)


def _observations(page: MarkdownPage) -> Iterator[Brought]:
    title = title_of(page)
    for item in page.items:
        if observed := _OBSERVATION.fullmatch(item.text):
            yield memo(item, title, observed[2])
        elif _RELATION.fullmatch(item.text):
            yield PassedOver(f"{item.file} line {item.line}", "a link between notes")
        else:
            yield memo(item, title)


def written(sections: Mapping[str, Sequence[Memo]]) -> Iterator[tuple[str, bytes]]:
    """A note for each section, with an observation for each entry."""
    taken: set[str] = set()
    for title, entries in sections.items():
        name = slug(title, taken)
        category = next((one.value for one, section in SECTION_OF.items() if section == title), "note")
        lines = [
            *("---", f"title: {quoted(title)}", "type: note", f"permalink: {name}", "tags: []", "---", ""),
            *(f"# {title}", "", "## Observations", *(f"- [{category}] {on_one_line(one.text)}" for one in entries), ""),
        ]
        yield f"{name}.md", "\n".join(lines).encode("utf-8", "replace")
