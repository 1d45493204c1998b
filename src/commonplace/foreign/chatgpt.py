"""ChatGPT's export: `conversations.json`, or several of them. A conversation is a tree; what counts is the branch that
was open last. Pure but for reading."""

import re
from collections.abc import Iterator

from commonplace.foreign.chats import Said, conversation
from commonplace.foreign.fields import Record, items, moment, record, text
from commonplace.foreign.ids import digest
from commonplace.foreign.jsonstream import pieces
from commonplace.foreign.opening import Source, SourceFile
from commonplace.types.sessions import SPOKEN
from commonplace.types.transfer import Brought

_FILE = re.compile(r"(?:.*/)?conversations(?:[-_]\d+)?\.json", re.IGNORECASE)
_TOLD = {"text", "multimodal_text"}
_CITED = re.compile(
    "\ue200[^\ue200\ue201]{0,2000}\ue201|【\\d{1,4}(?::\\d{1,4})?†[^】]{0,300}】"
)  # shown as a small link


def files(source: Source) -> list[SourceFile]:
    """The files that conversations stand in. A file that is named alone may be called anything."""
    found = [file for file in source.files if _FILE.fullmatch(file.name)]
    return found or (source.files if len(source.files) == 1 else [])


def is_one(value: object) -> bool:
    return isinstance(record(value).get("mapping"), dict)


def brought(source: Source) -> Iterator[Brought]:
    for file in files(source):
        with source.open(file) as stream:
            for _, value in pieces(stream, file.name):
                if is_one(value):
                    yield _conversation(record(value))


def _conversation(value: Record) -> Brought:
    nodes = record(value["mapping"])
    dropped: list[str] = []
    said: list[Said] = []
    for key in _branch(nodes, text(value.get("current_node"))):
        message = record(record(nodes[key]).get("message"))
        if message and (why := _why_not(message)):
            dropped += [why] if why != "hidden" else []
        elif message:
            at = moment(message.get("create_time"))
            said.append(Said(text(message.get("id")) or key, text(_author(message).get("role")), _text(message), at))
    title = text(value.get("title"))
    id = text(value.get("conversation_id")) or text(value.get("id")) or digest(title, *(one.id for one in said))
    dropped += ["a message without text, such as an image" for one in said if not one.text.strip()]
    began = moment(value.get("create_time"))
    return conversation("chatgpt", id, title, said, began, dropped)


def _branch(nodes: Record, last: str) -> list[str]:
    """The keys from the first message to the one that was open last. Where that is not known, the newest leaf is
    taken; a tree that bites its tail ends where it does."""
    at = last if last in nodes else _newest_leaf(nodes)
    branch: dict[str, None] = {}
    while at in nodes and at not in branch:
        branch[at] = None
        at = text(record(nodes[at]).get("parent"))
    return list(reversed(branch))


def _newest_leaf(nodes: Record) -> str:
    def age(key: str) -> float:
        at = moment(record(record(nodes[key]).get("message")).get("create_time"))
        return at.timestamp() if at else 0.0

    return max((key for key in nodes if not items(record(nodes[key]).get("children"))), key=age, default="")


def _why_not(message: Record) -> str:
    """Why a message was not said by anybody to anybody; "" if it was."""
    role, content = _author(message).get("role"), record(message.get("content"))
    if role not in SPOKEN:
        return "a tool's result" if role == "tool" else "hidden"
    if message.get("weight") == 0 or record(message.get("metadata")).get("is_visually_hidden_from_conversation"):
        return "hidden"
    if text(message.get("recipient")) not in {"", "all"}:
        return "a call of a tool"
    return "" if content.get("content_type") in _TOLD else "thoughts, code that was run, or settings"


def _author(message: Record) -> Record:
    return record(message.get("author"))


def _text(message: Record) -> str:
    parts = items(record(message.get("content")).get("parts"))
    told = (part if isinstance(part, str) else text(record(part).get("text")) for part in parts)
    return _CITED.sub("", "\n".join(filter(None, told)))
