"""What the agent says without a model: what it remembers, with sources, and nothing else.

It cannot think, so it does not pretend to: it quotes, and says what was done because the message asked for it.
"""

from collections.abc import Sequence

from commonplace.memory import Memory
from commonplace.types.changing import Done
from commonplace.types.searching import Hit

_MOST_HITS = 5
_LOOKED_AT = 20
_LONGEST = 300


def unaided_answer(memory: Memory, session: str, text: str, done: Sequence[Done]) -> str:
    """The answer to `text` from memory alone; what was done because it asked for it comes first."""
    if done:
        return "\n".join(one.told for one in done)
    hits = [hit for hit in memory.search(text, limit=_LOOKED_AT).hits if _tells(hit, session, text)]
    if not hits:
        return "No model is configured, and I remember nothing about that. To have something kept, say: remember that …"
    return "\n".join(["No model is configured; this is what I remember:", *map(_quoted, hits[:_MOST_HITS])])


def _tells(hit: Hit, session: str, text: str) -> bool:
    """A question answers nothing, least of all this one, which was just written to the transcript."""
    said = hit.text.strip()
    return not said.endswith(("?", "？")) and not (hit.session == session and said == text.strip())


def _quoted(hit: Hit) -> str:
    line = " ".join(hit.text.split())
    short = line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…"
    when = f", {hit.date.isoformat()}" if hit.date else ""
    return f"- {short} ({hit.file}:{hit.line}{when})"
