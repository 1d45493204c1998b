"""The `Session` of the OpenAI Agents SDK on a book: an item is a message of a session, which is searched and logged.

Items come back as they were added, but for secrets, which are masked. What the SDK pops or clears it does not see
again; the transcript, which is only ever appended to, keeps it.
"""

import hashlib
import re
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib import import_module
from typing import Any, cast

from anyio.to_thread import run_sync

from commonplace.framing import strip_injected
from commonplace.memory import Memory
from commonplace.types.sessions import SPOKEN, Message

Item = dict[str, Any]
_ITEM = "item"
_POPPED = "popped"
_CLEARED = "cleared"
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")


class BookSession:
    """For `Runner.run(agent, "…", session=BookSession("someone", memory))`."""

    def __init__(self, session_id: str, memory: Memory, *, session_settings: Any = None) -> None:
        sdk: Any = import_module("agents.memory.session_settings")
        self.session_id = session_id
        given: Any = {} if session_settings is None else session_settings
        self.session_settings: Any = sdk.coerce_session_settings(given)
        self._resolve: Any = sdk.resolve_session_limit
        self._memory = memory
        self._session = _name(session_id)

    async def get_items(self, limit: int | None = None) -> list[Item]:
        """The items, or the newest `limit` of them, oldest first."""
        most: int | None = self._resolve(limit, self.session_settings)
        items = await run_sync(lambda: [_item(message) for message in self._kept()])
        return items if most is None else items[max(0, len(items) - most) :] if most > 0 else []

    async def add_items(self, items: Sequence[Item]) -> None:
        if items:
            messages = [_message(item) for item in items]
            await run_sync(lambda: self._memory.add_new_messages(self._session, *messages))

    async def pop_item(self) -> Item | None:
        return await run_sync(self._pop)

    async def clear_session(self) -> None:
        await run_sync(lambda: self._note(_CLEARED) if self._kept() else None)

    def _pop(self) -> Item | None:
        if not self._kept():
            return None
        with self._memory.book.storage.lock():
            kept = self._kept()
            if not kept:
                return None
            self._note(_POPPED, of=kept[-1].id)
            return _item(kept[-1])

    def _note(self, event: str, **more: object) -> None:
        message = Message(uuid.uuid4().hex, "event", "", datetime.now().astimezone(), {"event": event, **more})
        self._memory.add_message(self._session, message)

    def _kept(self) -> list[Message]:
        """What was added since the session was last cleared, without what was popped."""
        kept: dict[str, Message] = {}
        for message in self._memory.transcript(self._session).messages:
            event = message.extra.get("event")
            if event == _CLEARED:
                kept.clear()
            elif event == _POPPED:
                kept.pop(str(message.extra.get("of")), None)
            elif message.role in SPOKEN or _ITEM in message.extra:
                kept[message.id] = message
        return list(kept.values())


def _name(given: str) -> str:
    """The id of the session in the book: readable, and no other's."""
    readable = _UNSAFE.sub("-", given)[:80].strip("-")
    if readable == given and given:
        return f"agents-{given}"
    return f"agents-{readable or 'session'}.{hashlib.sha256(given.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"


def _message(item: Item) -> Message:
    role, text = _said(item)
    plain = role in SPOKEN and item == {"role": role, "content": text}
    extra: dict[str, object] = {} if plain else {_ITEM: item}
    return Message(uuid.uuid4().hex, role, text, datetime.now().astimezone(), extra)


def _item(message: Message) -> Item:
    return cast(Item, message.extra.get(_ITEM) or {"role": message.role, "content": message.text})


def _said(item: Item) -> tuple[str, str]:
    """Who said what in an item; of tool calls and the like, nobody says nothing."""
    role, content = str(item.get("role") or ""), item.get("content")
    if role not in SPOKEN:
        return _ITEM, ""
    if isinstance(content, str):
        return role, strip_injected(content)
    parts = cast(list[object], content) if isinstance(content, list) else []
    found = [cast(Mapping[str, object], part) for part in parts if isinstance(part, Mapping)]
    return role, strip_injected("\n".join(str(part["text"]) for part in found if isinstance(part.get("text"), str)))
