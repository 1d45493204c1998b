"""What a conversation leaves when no model is there: the user's own sentences. Pure."""

import re
from collections.abc import Sequence

from commonplace.distill.hearing import asks, heard, sentences
from commonplace.types.sessions import Message

MOST_SENTENCES = 12
_WORDS = "### In the user's own words; "
NO_MODEL = "no model was used"
NO_ANSWER = "the model gave no usable answer"
_SELF = re.compile(
    r"\b(?:I|I'm|I've|my|we|our|mine|me)\b|我|咱|私|僕|\b(?:ich|mein|wir|je|mon|ma|nous|yo|mi|soy)\b", re.IGNORECASE
)
_CONCRETE = re.compile(r"\d|(?<=\s)[A-Z][a-z]+|[\u4e00-\u9fff]{4,}")


def digest(messages: Sequence[Message], session: str, because: str = NO_MODEL) -> str:
    """The sentences of the user that tell most, in their order; how many more there are is said."""
    note = f"{_WORDS}{because}"
    said = list(dict.fromkeys(s for m in messages if m.role == "user" for s in sentences(m.text)))
    if not said:
        count = sum(1 for m in messages if m.role == "assistant")
        return f"{note}\n\n- The user said nothing; the transcript {session} has {count} of the assistant's messages."
    ranked = sorted(range(len(said)), key=lambda at: (-_worth(said[at]), at))
    chosen = sorted(ranked[:MOST_SENTENCES])
    left = len(said) - len(chosen)
    more = [f"- ({left} more of the user's sentences are in the transcript {session}.)"] if left else []
    return "\n".join([note, "", *(f"- {said[at]}" for at in chosen), *more])


def _worth(sentence: str) -> float:
    words = len(sentence.split()) + sum(1 for c in sentence if "\u3040" <= c <= "\u9fff") / 2
    return (
        (2.0 if heard(sentence) else 0.0)
        + (0.0 if asks(sentence) else 1.0)
        + (1.0 if _SELF.search(sentence) else 0.0)
        + (0.5 if _CONCRETE.search(sentence) else 0.0)
        + min(words, 20) / 20
    )
