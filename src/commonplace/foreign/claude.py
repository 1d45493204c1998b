"""Claude's export: `conversations.json`, and what it remembers in `memories.json`. Pure but for reading."""

import re
from collections.abc import Iterator

from commonplace.foreign.chats import Said, conversation
from commonplace.foreign.fields import Record, moment, record, records, text
from commonplace.foreign.ids import digest
from commonplace.foreign.jsonstream import pieces
from commonplace.foreign.markdown import memos_in
from commonplace.foreign.opening import Source, SourceFile
from commonplace.types.book import SECTION_OF, Category
from commonplace.types.transfer import Brought, PassedOver

_MEMORIES, _PROJECTS, _USERS = "memories.json", "projects.json", "users.json"
_HEADING = re.compile(r"^\*\*([^*\n]{1,100})\*\*$", re.MULTILINE)
_ROLES = {"human": "user", "assistant": "assistant"}


def is_one(value: object) -> bool:
    return isinstance(record(value).get("chat_messages"), list)


def brought(source: Source) -> Iterator[Brought]:
    for file in source.ending(".json"):
        if file.leaf == _PROJECTS:
            yield PassedOver(file.name, "documents and instructions of projects are no memories")
        elif file.leaf == _MEMORIES:
            yield from _memories(source, file)
        elif file.leaf != _USERS:
            with source.open(file) as stream:
                for _, value in pieces(stream, file.name):
                    if is_one(value):
                        yield _conversation(record(value))


def _conversation(value: Record) -> Brought:
    told = _branch(records(value["chat_messages"]), text(value.get("current_leaf_message_uuid")))
    said: list[Said] = []
    dropped: list[str] = []
    for message in told:
        role = _ROLES.get(text(message.get("sender")))
        if role is None:
            dropped.append("a message of nobody")
            continue
        at = moment(message.get("created_at"))
        said.append(Said(text(message.get("uuid")), role, _text(message), at))
        dropped += ["a message without text, such as an image"] if not said[-1].text.strip() else []
        dropped += ["an attached file" for _ in records(message.get("attachments"))]
    title = text(value.get("name"))
    id = text(value.get("uuid")) or digest(title, *(one.id for one in said))
    return conversation("claude", id, title, said, moment(value.get("created_at")), dropped)


def _branch(messages: list[Record], last: str) -> list[Record]:
    """The messages that were open last, where the export tells what followed what; else all, as they stand."""
    by_id = {text(message.get("uuid")): message for message in messages}
    if last not in by_id or not any(text(message.get("parent_message_uuid")) in by_id for message in messages):
        return messages
    branch: dict[str, Record] = {}
    while last in by_id and last not in branch:
        branch[last] = by_id[last]
        last = text(by_id[last].get("parent_message_uuid"))
    return list(reversed(branch.values()))


def _text(message: Record) -> str:
    """What was said: the blocks of text, without thoughts and tools; in older exports there is only the whole."""
    blocks = records(message.get("content"))
    told = "\n".join(text(block.get("text")) for block in blocks if block.get("type") == "text")
    return told if blocks else text(message.get("text"))


def _memories(source: Source, file: SourceFile) -> Iterator[Brought]:
    names = _projects(source)
    with source.open(file) as stream:
        for _, value in pieces(stream, file.name):
            kept = record(value)
            yield from memos_in(_with_headings(kept.get("conversations_memory")), file.name)
            for project, page in record(kept.get("project_memories")).items():
                above = (SECTION_OF[Category.PROJECTS], names.get(project, ""))
                yield from memos_in(_with_headings(page), file.name, *above)


def _with_headings(page: object) -> str:
    """A page of Claude's, where headings are lines in bold."""
    return _HEADING.sub(r"## \1", text(page))


def _projects(source: Source) -> dict[str, str]:
    """What the projects are called, by their ids."""
    found: dict[str, str] = {}
    for file in source.ending(".json"):
        if file.leaf == _PROJECTS:
            with source.open(file) as stream:
                given = (record(value) for _, value in pieces(stream, file.name))
                found |= {text(one.get("uuid")): text(one.get("name")) for one in given}
    return found
