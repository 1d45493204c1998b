"""What the agent says without a model: what it remembers, with sources, and nothing else.

It cannot think, so it does not pretend to: it quotes. An explicit "remember that …" is saved at once.
"""

from datetime import UTC, datetime

from commonplace.errors import CommonplaceError
from commonplace.memory import Memory
from commonplace.requesting import requests_in
from commonplace.types.asking import Voice
from commonplace.types.saving import Alike, Duplicate, Held, Refused, Saved
from commonplace.types.searching import Hit
from commonplace.types.sessions import Message

_MOST_HITS = 5
_LOOKED_AT = 20
_LONGEST = 300


def unaided_answer(memory: Memory, session: str, text: str) -> str:
    """The answer to `text` from memory alone."""
    wishes = requests_in([Message("", "user", text, datetime.now(UTC))])
    if wishes:
        return "\n".join(_saved(memory, session, wish) for wish in wishes)
    hits = [hit for hit in memory.search(text, limit=_LOOKED_AT).hits if _tells(hit, session, text)]
    if not hits:
        return "No model is configured, and I remember nothing about that. To have something kept, say: remember that …"
    return "\n".join(["No model is configured; this is what I remember:", *map(_quoted, hits[:_MOST_HITS])])


def _saved(memory: Memory, session: str, wish: str) -> str:
    try:
        outcome = memory.remember(
            wish, voice=Voice.USER, requested=True, session=session, reason="the user asked for it"
        )
    except CommonplaceError as error:
        return f"I could not save that: {error.message} {error.hint}".rstrip()
    match outcome:
        case Saved(entry):
            return f"Saved: {entry.text}"
        case Duplicate(existing) | Alike(_, existing):
            return f"I know that already: {existing.text}"
        case Held(verdict) | Refused(verdict):
            return f"I did not save that. {verdict.reason}"


def _tells(hit: Hit, session: str, text: str) -> bool:
    """A question answers nothing, least of all this one, which was just written to the transcript."""
    said = hit.text.strip()
    return not said.endswith(("?", "？")) and not (hit.session == session and said == text.strip())


def _quoted(hit: Hit) -> str:
    line = " ".join(hit.text.split())
    short = line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…"
    when = f", {hit.date.isoformat()}" if hit.date else ""
    return f"- {short} ({hit.file}:{hit.line}{when})"
