"""Everything in the package that reads a whole text of any length, by name."""

import io
import json
import tempfile
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path

from commonplace.distill.digest import digest
from commonplace.distill.summary import parse_summary
from commonplace.errors import CommonplaceError
from commonplace.files import daily, inbox, transcripts
from commonplace.files.document import Document, entry_text, title_text
from commonplace.files.merge import merge
from commonplace.files.pages import MarkdownPage
from commonplace.files.text import count_whole, folded, on_one_line, split_lines
from commonplace.flows.requesting import requests_in
from commonplace.foreign import agents, kinds
from commonplace.foreign.jsonstream import pieces
from commonplace.foreign.opening import opened
from commonplace.framing import framed, strip_injected, visible
from commonplace.gate.commanding import instruction
from commonplace.gate.passing import one_off, transient
from commonplace.gate.pasted import parts
from commonplace.gate.secrets import find_secrets, redact
from commonplace.gate.splitting import several_facts
from commonplace.gate.tracing import own_words
from commonplace.index.chunking import chunks_of_text
from commonplace.language import terms, words
from commonplace.language.glossing import english, language
from commonplace.language.reading import read
from commonplace.proxy.anthropic_messages import Messages
from commonplace.proxy.completions import ChatCompletions
from commonplace.proxy.openai_responses import Responses
from commonplace.proxy.wire import Splitter, Wire
from commonplace.search.query import parse
from commonplace.search.timewords import find_span
from commonplace.tokens import estimate_tokens
from commonplace.types.book import Entry
from commonplace.types.searching import Source
from commonplace.types.sessions import Message

DAY = date(2026, 3, 1)
AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
PIECE = 100


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


def brought(kind: str, name: str) -> Callable[[str], object]:
    """What an import reads of a file."""

    def read_file(text: str) -> object:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / name).write_bytes(encoded(text))
            with opened(Path(folder)) as source, suppress(CommonplaceError):
                return list(kinds.brought(kinds.named(kind), source, None))

    return read_file


def streamed(text: str) -> object:
    """JSON of another program, piece by piece."""
    with suppress(CommonplaceError):
        return list(pieces(io.BytesIO(encoded(text)), "x.json"))


def dripping(data: bytes) -> list[bytes]:
    splitter = Splitter()
    return [event for at in range(0, len(data), PIECE) for event in splitter.feed(data[at : at + PIECE])]


def answered(wire: Wire, event: Callable[[str], object]) -> Callable[[str], object]:
    """An answer of a model that comes in many pieces."""

    def follow(text: str) -> object:
        reader = wire.reader(frozenset({"save_memory"}))
        made = (event(text[at : at + PIECE]) for at in range(0, len(text), PIECE))
        return [one for made_one in made for one in reader.feed(b"data: " + json.dumps(made_one).encode() + b"\n\n")]

    return follow


def of_message(piece: str) -> object:
    if piece.startswith("("):
        return {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    return {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}


def of_completion(piece: str) -> object:
    begins = {"id": "1", "function": {"name": "save_memory", "arguments": ""}}
    call = {"index": 0, **(begins if piece.startswith("(") else {"function": {"arguments": piece}})}
    return {"id": "1", "choices": [{"delta": {"content": piece, "tool_calls": [call]}}]}


def of_response(piece: str) -> object:
    return {"type": "response.output_text.delta", "output_index": 0, "delta": piece}


SCANNERS: dict[str, Callable[[str], object]] = {
    "answer of Chat Completions": answered(ChatCompletions(), of_completion),
    "answer of Messages": answered(Messages(), of_message),
    "answer of Responses": answered(Responses(), of_response),
    "brought from basic-memory": brought("basic-memory", "note.md"),
    "brought from Claude's memory": brought("claude-memory", "MEMORY.md"),
    "brought from Markdown": brought("markdown", "notes.md"),
    "brought from Obsidian": brought("obsidian", "note.md"),
    "brought from OpenClaw": brought("openclaw", "MEMORY.md"),
    "brought from an agent": lambda text: [reader(text.splitlines()) for reader in agents.READERS.values()],
    "events": lambda text: dripping(encoded(text)),
    "JSON stream": streamed,
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
    "instruction": instruction,
    "inbox": lambda text: inbox.waiting(encoded(text)),
    "language": language,
    "merge": lambda text: merge(split_lines(text), split_lines(text + "a\n"), split_lines("b\n" + text)),
    "on_one_line": on_one_line,
    "own_words": own_words,
    "page": page,
    "parse a question": lambda text: parse(text, DAY),
    "parse_summary": parse_summary,
    "passing": lambda text: (transient(text), one_off(text)),
    "pasted parts": parts,
    "read": read,
    "redact": redact,
    "requests_in": lambda text: requests_in(said(text)),
    "several_facts": several_facts,
    "strip_injected": strip_injected,
    "terms": terms,
    "title_text": title_text,
    "transcript": lambda text: transcripts.read("s", encoded(text)),
    "visible": visible,
    "words": words,
}
