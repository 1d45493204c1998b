"""Everything in the package that reads a whole text of any length, by name."""

from collections.abc import Callable
from datetime import UTC, date, datetime

from commonplace.distill.digest import digest
from commonplace.distill.summary import parse_summary
from commonplace.files import daily, inbox, transcripts
from commonplace.files.document import Document, entry_text, title_text
from commonplace.files.merge import merge
from commonplace.files.pages import MarkdownPage
from commonplace.files.text import count_whole, folded, on_one_line, split_lines
from commonplace.flows.requesting import requests_in
from commonplace.framing import framed, strip_injected, visible
from commonplace.gate.pasted import parts
from commonplace.gate.secrets import find_secrets, redact
from commonplace.index.chunking import chunks_of_text
from commonplace.language import terms, words
from commonplace.language.glossing import english, language
from commonplace.language.reading import read
from commonplace.search.query import parse
from commonplace.search.timewords import find_span
from commonplace.tokens import estimate_tokens
from commonplace.types.book import Entry
from commonplace.types.searching import Source
from commonplace.types.sessions import Message

DAY = date(2026, 3, 1)
AT = datetime(2026, 3, 1, 12, tzinfo=UTC)


def page(text: str) -> object:
    one = MarkdownPage("NOTES.md", text)
    return one.items, list(one.texts()), list(one.oddities())


def document(text: str) -> object:
    one = Document.parse(encoded(text))
    return one.entries, one.places, one.sections(), one.outline(), list(one.find_duplicates(text[:60]))


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def said(text: str) -> list[Message]:
    return [Message("1", "user", text, AT)]


SCANNERS: dict[str, Callable[[str], object]] = {
    "chunks": lambda text: chunks_of_text("MEMORY.md", Source.LONG_TERM, [Entry(text, "", 1)], day=None, session=""),
    "count_whole": lambda text: count_whole(text[:3], text),
    "daily markers": lambda text: daily.markers(encoded(text), "a.md"),
    "daily block": lambda text: daily.with_block(b"", DAY, text),
    "digest": lambda text: digest(said(text), "s"),
    "document": document,
    "english": lambda text: english(text, "de"),
    "entry_text": entry_text,
    "estimate_tokens": estimate_tokens,
    "find_secrets": find_secrets,
    "find_span": lambda text: find_span(text, DAY),
    "folded": folded,
    "framed": framed,
    "inbox": lambda text: inbox.waiting(encoded(text)),
    "language": language,
    "merge": lambda text: merge(split_lines(text), split_lines(text + "a\n"), split_lines("b\n" + text)),
    "on_one_line": on_one_line,
    "page": page,
    "parse a question": lambda text: parse(text, DAY),
    "parse_summary": parse_summary,
    "pasted parts": parts,
    "read": read,
    "redact": redact,
    "requests_in": lambda text: requests_in(said(text)),
    "strip_injected": strip_injected,
    "terms": terms,
    "title_text": title_text,
    "transcript": lambda text: transcripts.read("s", encoded(text)),
    "visible": visible,
    "words": words,
}
