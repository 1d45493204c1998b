"""Which tools there are: name, description, schema and what each does. The words are in `prompts/`.

A tool answers with text that a model can use, or raises; turning errors into answers is `running`'s business.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import assert_never, cast

from commonplace.framing import framed, harmless, harmless_lines, meant
from commonplace.memory import Memory
from commonplace.prompts import prompt
from commonplace.tools.arguments import Arguments
from commonplace.types.asking import Voice
from commonplace.types.book import MEMORY_FILE, Category
from commonplace.types.changing import Forgotten, Revised
from commonplace.types.chatting import ToolSpec
from commonplace.types.compaction import MemoryCompacted, Skipped
from commonplace.types.saving import Alike, Duplicate, Held, Refused, Saved, Waiting
from commonplace.types.searching import Found, Hit, Source

_MOST_RESULTS = 20
_ESCAPE = re.compile(r"\\(?=[^\w\s])|(?<=\[)\\(?=[A-Z/])")
_FOREIGN = (Voice.TOOL, Voice.WEB, Voice.FILE)
"""What a model may say about the source of a text. Whether the user said it, it does not decide."""


class NotStored(Exception):
    """A save or change that the gate did not let through; the model is told which rule fired and what to do next."""

    def __init__(self, outcome: Duplicate | Alike | Held | Refused) -> None:
        super().__init__(outcome.code)
        self.outcome = outcome


@dataclass(frozen=True, slots=True)
class Context:
    """What a tool works on: the memory, the conversation that it is called from, what was recalled into it, and how to
    start a compaction that may take a model's time (None: there is no model). Where the user is not `heard`, because
    nobody shows us the conversation, what a model says they asked for is not believed."""

    memory: Memory
    session: str | None = None
    injected: tuple[str, ...] = ()
    compact: Callable[[], object] | None = None
    heard: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool says: a text for the model, and `facts` for a program. Stored text is in the text alone, framed."""

    text: str
    facts: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool; `facts` is the schema of those in its answer. The rest is for a surface that asks before changes, or
    marks them: whether it `changes` something, may take away what was there (`destroys`), and does no more when it is
    called again (`repeatable`)."""

    spec: ToolSpec
    run: Callable[[Context, Arguments], Answer]
    facts: Mapping[str, object]
    changes: bool
    destroys: bool
    repeatable: bool

    @property
    def parameters(self) -> Mapping[str, object]:
        return cast(Mapping[str, object], self.spec.parameters["properties"])


def _save(context: Context, given: Arguments) -> Answer:
    content, requested = given.text("content"), given.flag("requested")
    if not context.heard:
        from commonplace.types.book import unmarked

        content, requested = unmarked(content.strip()), False
    outcome = context.memory.remember(
        content,
        given.as_given("category"),
        voice=given.one_of("source", Voice, _FOREIGN),
        requested=requested,
        session=context.session,
        reason="save_memory",
        injected=context.injected,
        insist=given.flag("insist"),
    )
    match outcome:
        case Saved(entry, change, preview, notice):
            return _changed("Saved in", entry.section, change, preview, notice)
        case Duplicate() | Alike() | Held() | Refused():
            raise NotStored(outcome)
        case _:
            assert_never(outcome)


def _update(context: Context, given: Arguments) -> Answer:
    old = _as_stored(context.memory, given.text("old_text"))
    outcome = context.memory.revise(
        old,
        given.text("new_text"),
        session=context.session,
        reason="update_memory",
        insist=given.flag("insist") and context.heard,
    )
    match outcome:
        case Revised(_, after, change, preview):
            return _changed("Updated in", after.section, change, preview)
        case Forgotten(entry, change, preview):
            return _changed("Deleted from", entry.section, change, preview)
        case Duplicate() | Held() | Refused():
            raise NotStored(outcome)
        case _:
            assert_never(outcome)


def _changed(done: str, section: str, change: str, preview: str, notice: str = "") -> Answer:
    where = harmless(section) or MEMORY_FILE
    told = " ".join(filter(None, (f"{done} {where}.", notice, "The memory now begins:")))
    facts = {"section": where, "change": change, "notice": notice}
    return Answer(f"{told}\n{framed(preview)}", facts)


def _write(context: Context, given: Arguments) -> Answer:
    outcome = context.memory.write_whole(
        _page_as_stored(context.memory, given.text("content")),
        dropped=[_as_stored(context.memory, text) for text in given.texts("dropped")],
        session=context.session,
        reason="memory_write",
    )
    kept = f" {len(outcome.kept)} entries written meanwhile were kept." if outcome.kept else ""
    changed = f"{outcome.before} entries became {outcome.after}." if outcome.change else "Nothing changed."
    return Answer(
        f"{changed}{kept} The memory now begins:\n{framed(outcome.preview)}",
        {"before": outcome.before, "after": outcome.after},
    )


def _compact(context: Context, _given: Arguments) -> Answer:
    if context.compact is not None:
        context.compact()
        told = "Compaction has begun. The user is told its outcome at the next start; nothing else is to be done."
        return Answer(told, {"outcome": "begun"})
    outcome = context.memory.compact(None)
    match outcome:
        case MemoryCompacted(before, after, change=str()):
            told = f"{before} entries became {after}: what was there twice was merged. The user can undo it."
            return Answer(told, {"outcome": "merged"})
        case MemoryCompacted():
            return Answer("There was nothing to merge.", {"outcome": "unchanged"})
        case Skipped(reason):
            return Answer(f"The memory is as it was. {reason}", {"outcome": "unchanged"})
        case _:
            assert_never(outcome)


def _as_stored(memory: Memory, shown: str) -> str:
    """What a model copied from a frame, as it stands in the file: a frame shows some characters in another way."""
    found = [entry.text for entry in memory.entries() if "\n".join(harmless_lines(entry.text)) == shown.strip()]
    return found[0] if len(found) == 1 else shown


def _page_as_stored(memory: Memory, page: str) -> str:
    """A page that a model wrote after one in a frame: lines that it copied are those of the file, byte for byte, and
    what it wrote in the way of the frame is what it means."""
    stored: dict[str, list[str]] = {}
    for line in memory.read().splitlines():
        stored.setdefault(harmless(line).rstrip(), []).append(line)
    return "\n".join(_line_as_stored(line, stored.get(line.rstrip(), [])) for line in page.split("\n"))


def _line_as_stored(line: str, stored: list[str]) -> str:
    if stored:  # lines that look the same in a frame come in their order
        return stored.pop(0) if len(stored) > 1 else stored[0]
    plain = meant(_ESCAPE.sub("", line))
    return plain if harmless(plain) == line else line


def _read(context: Context, _given: Arguments) -> Answer:
    text = context.memory.read()
    told = framed(text) if text.strip() else "The long-term memory is empty."
    return Answer(told, {"entries": len(context.memory.entries())})


def _inbox(context: Context, _given: Arguments) -> Answer:
    waiting = context.memory.inbox()
    if not waiting:
        return Answer("Nothing waits in the inbox.", {"waiting": 0})
    decide = "Only the user decides: `commonplace inbox accept ID` or `commonplace inbox reject ID`."
    return Answer(f"{framed(chr(10).join(map(_waiting, waiting)))}\n{decide}", {"waiting": len(waiting)})


def _waiting(item: Waiting) -> str:
    since = f", since {item.held}" if item.held else ""
    return f"- [{item.id}, {item.rule or 'written by hand'}{since}] {' '.join(item.text.split())}"


def _search(context: Context, given: Arguments) -> Answer:
    source, session = given.one_of("source", Source), given.optional_text("session")
    found = context.memory.search(
        given.text("query"),
        limit=given.whole_number("limit", 1, _MOST_RESULTS),
        sources=[source] if source else [],
        since=given.day("since"),
        until=given.day("until"),
        sessions=[session] if session else [],
    )
    return Answer(_results(found), {"results": [_citation(hit) for hit in found.hits]})


def _citation(hit: Hit) -> dict[str, object]:
    """Where a result stands, without its text."""
    told: dict[str, object] = {
        "file": hit.file,
        "line": hit.line,
        "source": hit.source.value,
        "score": round(hit.score, 4),
    }
    when = {"date": hit.date.isoformat()} if hit.date else {}
    return told | when | ({"session": hit.session} if hit.source is Source.SESSION else {})


def _results(found: Found) -> str:
    if not found.hits:
        return "Nothing found. Try other words, or fewer filters; if it is not there, say that you do not remember."
    remark = "\nSearched by keywords alone: other words for the same thing may find more." if found.trouble else ""
    return framed("\n".join(map(_result, found.hits))) + remark


def _result(hit: Hit) -> str:
    """One result as one line, with where it stands."""
    said = f", {hit.speaker}" if hit.speaker else f", {hit.heading}" if hit.heading else ""
    when = f", {hit.date.isoformat()}" if hit.date else ""
    return " ".join(f"- [{hit.file}:{hit.line}{when}{said}] {harmless(hit.text)}".split())


def _schema(required: tuple[str, ...], **properties: dict[str, object]) -> dict[str, object]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _text(description: str, *choices: str) -> dict[str, object]:
    shape: dict[str, object] = {"type": "string", "description": description}
    return shape | {"enum": list(choices)} if choices else shape


def _flag(description: str) -> dict[str, object]:
    return {"type": "boolean", "description": description}


def _number(description: str) -> dict[str, object]:
    return {"type": "integer", "description": description}


def _tool(
    name: str,
    run: Callable[[Context, Arguments], Answer],
    parameters: dict[str, object],
    *,
    facts: Mapping[str, object],
    changes: bool = False,
    destroys: bool = False,
    repeatable: bool = True,
) -> tuple[str, Tool]:
    return name, Tool(ToolSpec(name, prompt(name), parameters), run, facts, changes, destroys, repeatable)


_CHANGE = {
    "section": _text("The section of the memory it stands in, or stood in."),
    "change": _text("The id of the change, to undo it by."),
    "notice": _text("What could not be looked for before it was saved."),
}
_CITATION = _schema(
    ("file", "line", "source", "score"),
    file=_text("The file of the book."),
    line=_number("The line in it."),
    source=_text("What kind of memory it is.", *(source.value for source in Source)),
    score={"type": "number", "description": "How well it fits, from 0 to 1."},
    date=_text("The day it is from (YYYY-MM-DD)."),
    session=_text("The conversation it was said in."),
)


TOOLS: Mapping[str, Tool] = dict(
    [
        _tool(
            "save_memory",
            _save,
            _schema(
                ("content",),
                content=_text("The fact: one self-contained sentence, at most 5000 characters."),
                category=_text("Where it belongs; notes if nothing else fits.", *(c.value for c in Category)),
                requested=_flag("True if the user asked you to remember this."),
                source=_text("Whose words it is, if not the user's: it then waits for the user's yes.", *_FOREIGN),
                insist=_flag("True to save although a rule advised against it, when you are sure."),
            ),
            facts=_CHANGE,
            changes=True,
        ),
        _tool(
            "update_memory",
            _update,
            _schema(
                ("old_text", "new_text"),
                old_text=_text("The text to replace, exactly as it stands in the memory, once."),
                new_text=_text("What to put in its place; empty deletes the entry."),
                insist=_flag("True if it was taken for a secret, is none, and the user asked for it."),
            ),
            facts=_CHANGE,
            changes=True,
            destroys=True,
            repeatable=False,
        ),
        _tool(
            "memory_write",
            _write,
            _schema(
                ("content",),
                content=_text("The whole new document, from `# Long-term Memory` on."),
                dropped={
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "Entries that you leave out on purpose, each copied exactly.",
                },
            ),
            facts={"before": _number("How many entries there were."), "after": _number("How many there are now.")},
            changes=True,
            destroys=True,
        ),
        _tool(
            "compact_memory",
            _compact,
            _schema(()),
            facts={"outcome": _text("What came of it.", "begun", "merged", "unchanged")},
            changes=True,
            destroys=True,
            repeatable=False,
        ),
        _tool("read_memory", _read, _schema(()), facts={"entries": _number("How many entries the memory has.")}),
        _tool("list_inbox", _inbox, _schema(()), facts={"waiting": _number("How many texts wait.")}),
        _tool(
            "search_memory",
            _search,
            _schema(
                ("query",),
                query=_text("What to look for, in your own words."),
                source=_text("Only from here.", *(source.value for source in Source)),
                since=_text("Only from this day on (YYYY-MM-DD)."),
                until=_text("Only up to this day (YYYY-MM-DD)."),
                session=_text("Only from the conversation with this id."),
                limit={
                    "type": "integer",
                    "minimum": 1,
                    "maximum": _MOST_RESULTS,
                    "description": "How many results (default 5).",
                },
            ),
            facts={
                "results": {
                    "type": "array",
                    "items": _CITATION,
                    "description": "Where each result stands, in the order of the text.",
                }
            },
        ),
    ]
)


def specs() -> tuple[ToolSpec, ...]:
    """The tools as a model is told about them."""
    return tuple(tool.spec for tool in TOOLS.values())
