"""The agents that can call us: how each names its events and reads our answer. Data; what happens is in `running`."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Moment(StrEnum):
    """What happens in a conversation, whatever the host calls it."""

    START = "start"
    PROMPT = "prompt"
    ANSWER = "answer"
    COMPACT = "compact"
    END = "end"


@dataclass(frozen=True, slots=True)
class Client:
    """One agent. `events` gives its own name of each moment; `longest` is how many characters it takes at once."""

    name: str
    label: str
    events: Mapping[str, Moment]
    longest: int = 9000
    nested: bool = True  # answers go into hookSpecificOutput; else additional context stands alone


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
        Client("claude-code", "Claude Code", _CLAUDE),
        Client("codex", "Codex", _CLAUDE),
        Client("gemini", "Gemini CLI", _GEMINI),
        Client("cursor", "Cursor", _CURSOR, nested=False),
        Client("vscode", "VS Code", _CLAUDE),
        Client("opencode", "OpenCode", _OPENCODE, nested=False),
    )
}
