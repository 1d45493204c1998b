"""The folder in which Claude Code remembers by itself: one memory a file, and MEMORY.md, which only lists them.

Pure but for reading."""

from collections.abc import Iterator, Mapping, Sequence

from commonplace.files.pages import MarkdownPage
from commonplace.files.text import on_one_line
from commonplace.foreign.markdown import NOTES, each_page, front, items_of, quoted, slug
from commonplace.foreign.opening import Source
from commonplace.types.book import MEMORY_FILE, SECTION_OF, Category
from commonplace.types.transfer import Brought, Memo, PassedOver

_SECTIONS = {
    "user": SECTION_OF[Category.PROFILE],
    "feedback": SECTION_OF[Category.PREFERENCES],
    "project": SECTION_OF[Category.PROJECTS],
    "reference": NOTES,
}
_KINDS = {section: kind for kind, section in _SECTIONS.items()} | {SECTION_OF[Category.WORKFLOW]: "feedback"}
_LISTED = 200  # what is read of the list
_BRACKETS = {ord("["): "(", ord("]"): ")"}


def is_one(page: MarkdownPage) -> bool:
    told = front(page)
    return "name" in told and told.get("type") in _SECTIONS


def brought(source: Source) -> Iterator[Brought]:
    yield from each_page(source, _memory)


def _memory(page: MarkdownPage) -> Iterator[Brought]:
    if page.name.rpartition("/")[2] == MEMORY_FILE:
        yield from items_of(page)
        return
    told = front(page)
    body = on_one_line(page.body) or told.get("description", "")
    if body:
        section = _SECTIONS.get(told.get("type", ""), NOTES)
        yield Memo(told.get("name") or page.name, body, section, page.name, page.dated)
    else:
        yield PassedOver(page.name, "it is empty")


def written(sections: Mapping[str, Sequence[Memo]]) -> Iterator[tuple[str, bytes]]:
    """A file for each entry, and the list of them."""
    taken = {"memory"}
    index: list[str] = []
    for section, entries in sections.items():
        for one in entries:
            text = on_one_line(one.text)
            name, kind = slug(text, taken), _KINDS.get(section, "reference")
            dated = [f"  created: {one.since.isoformat()}"] if one.since else []
            head = ["---", f"name: {name}", f"description: {quoted(_cut(text, 120))}", "metadata:", f"  type: {kind}"]
            yield f"{name}.md", "\n".join([*head, *dated, "---", "", text, ""]).encode("utf-8", "replace")
            index.append(f"- [{_cut(text, 60).translate(_BRACKETS)}]({name}.md) — {section}")
    yield MEMORY_FILE, ("\n".join(index[:_LISTED]) + "\n").encode("utf-8", "replace")


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
