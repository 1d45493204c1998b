"""The agents that can call us: how each names its events, what it says in one, and how it reads our answer. What
happens then is in `running`. Imports little: a hook that only hands over needs no more than this."""

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, cast

from commonplace.foreign.ids import session_id


class Moment(StrEnum):
    """What happens in a conversation, whatever the host calls it."""

    START = "start"
    PROMPT = "prompt"
    ANSWER = "answer"
    COMPACT = "compact"
    END = "end"


class Client(NamedTuple):
    """One agent. `events` gives its own name of each moment; `longest` is how many characters it takes at once. Where
    it `writes` a transcript that we can read, that is taken in; else what is said is taken from its events."""

    name: str
    label: str
    events: Mapping[str, Moment]
    writes: bool = False
    longest: int = 9000
    nested: bool = True  # answers go into hookSpecificOutput; else additional context stands alone
    wraps: str = ""  # the tag in which it hands what a hook said at the start back to the next hook, before the prompt
    overcautious: bool = False  # it tells of a compaction before every request; only one that is asked for is one


_CLAUDE = {
    "SessionStart": Moment.START,
    "UserPromptSubmit": Moment.PROMPT,
    "PreCompact": Moment.COMPACT,
    "Stop": Moment.ANSWER,
    "SessionEnd": Moment.END,
}
_GEMINI = {
    "SessionStart": Moment.START,
    "BeforeAgent": Moment.PROMPT,
    "AfterAgent": Moment.ANSWER,
    "PreCompress": Moment.COMPACT,
    "SessionEnd": Moment.END,
}
_CURSOR = {
    "sessionStart": Moment.START,
    "beforeSubmitPrompt": Moment.PROMPT,
    "afterAgentResponse": Moment.ANSWER,
    "preCompact": Moment.COMPACT,
    "sessionEnd": Moment.END,
}
_OPENCODE = {
    "session.created": Moment.START,
    "chat.message": Moment.PROMPT,
    "session.idle": Moment.ANSWER,
    "session.compacting": Moment.COMPACT,
    "session.deleted": Moment.END,
}

CLIENTS = {
    client.name: client
    for client in (
        Client("claude-code", "Claude Code", _CLAUDE, writes=True),
        Client("codex", "Codex", _CLAUDE, writes=True),
        Client("gemini", "Gemini CLI", _GEMINI, wraps="hook_context", overcautious=True),
        Client("cursor", "Cursor", _CURSOR, nested=False),
        Client("vscode", "VS Code", _CLAUDE),
        Client("opencode", "OpenCode", _OPENCODE, nested=False),
    )
}


class Told(NamedTuple):
    """What a host says in one event. `ancestors` are the processes that the hook descends from, the nearest first."""

    client: Client
    moment: Moment
    session: str
    folder: str
    transcript: str
    event: str
    payload: Mapping[str, Any]
    ancestors: tuple[int, ...] = ()

    def text(self, *names: str) -> str:
        return next((value for name in names if isinstance(value := self.payload.get(name), str) and value), "")

    @property
    def prompt(self) -> str:
        """What the user said, without what was put before it on our behalf. No text of ours can close that: hosts that
        wrap it escape the brackets in it."""
        said = self.text("prompt", "message")
        if (tag := self.client.wraps) and said.startswith(f"<{tag}>"):
            _, closed, rest = said.partition(f"</{tag}>")
            return rest.lstrip() if closed else said
        return said

    @property
    def can_wait(self) -> bool:
        """Whether all is done when somebody else does it: hosts end these hooks after about a second."""
        return self.client.writes and self.moment in {Moment.ANSWER, Moment.END}


def parse(client: str, data: str, here: str, ancestors: Sequence[int] = ()) -> Told | None:
    """What standard input says; None for an event that is none of ours."""
    known = CLIENTS.get(client)
    try:
        raw: object = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if known is None or not isinstance(raw, dict):
        return None
    payload = cast(dict[str, Any], raw)
    event = str(payload.get("hook_event_name") or payload.get("event") or "")
    moment = known.events.get(event)
    given = str(payload.get("session_id") or payload.get("conversation_id") or payload.get("sessionID") or "")
    if moment is None or not given:
        return None
    if moment is Moment.COMPACT and known.overcautious and payload.get("trigger") == "auto":
        return None
    roots = payload.get("workspace_roots")
    folder = _path(payload.get("cwd")) or _path(
        next(iter(cast(list[object], roots)), "") if isinstance(roots, list) else ""
    )
    folder, transcript = folder or here, _path(payload.get("transcript_path"))
    return Told(known, moment, session_id(client, given), folder, transcript, event, payload, tuple(ancestors))


def _path(given: object) -> str:
    """A path, if it is one that can be."""
    return given if isinstance(given, str) and "\0" not in given else ""
