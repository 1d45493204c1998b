"""LlamaIndex's memory block on a book: what was said goes into a session of it, what fits a message comes back."""

# pyright: basic, reportMissingImports=false
# LlamaIndex is no development dependency: this module is checked and tried where it is installed.

import uuid
from datetime import datetime
from typing import Any

from anyio.to_thread import run_sync
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import BaseMemoryBlock
from pydantic import Field, PrivateAttr

from commonplace.framing import strip_injected
from commonplace.memory import RECALL_BUDGET, Memory
from commonplace.tokens import estimate_tokens
from commonplace.types.sessions import SPOKEN, Message


class BookMemoryBlock(BaseMemoryBlock[str]):
    """For `Memory.from_defaults(memory_blocks=[BookMemoryBlock(memory=memory, session="someone")])`. What is recalled
    is framed as data; when there is too little room, it is chosen anew for what is left and never cut."""

    name: str = "commonplace"
    description: str | None = "The user's long-term memory."
    priority: int = 1
    memory: Any = Field(exclude=True)
    session: str
    budget: int = RECALL_BUDGET
    _asked: str = PrivateAttr(default="")

    async def _aget(self, messages: list[ChatMessage] | None = None, **_: Any) -> str:
        said = [message.content or "" for message in messages or [] if message.role == "user"]
        self._asked = said[-1] if said else ""
        return await self._recalled(self.budget)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        said = [_message(one) for one in messages if one.role in SPOKEN and (one.content or "").strip()]
        if said:
            await run_sync(lambda: self._book.add_new_messages(self.session, *said))

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        room = estimate_tokens(content) - tokens_to_truncate
        return (await self._recalled(room) if room > 0 else "") or None

    async def _recalled(self, budget: int) -> str:
        return await run_sync(lambda: self._book.recall(self._asked, budget=budget, session=self.session).text)

    @property
    def _book(self) -> Memory:
        return self.memory


def _message(said: ChatMessage) -> Message:
    text = strip_injected(said.content or "")
    return Message(uuid.uuid4().hex, str(said.role.value), text, datetime.now().astimezone())
