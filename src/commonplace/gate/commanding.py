"""Whether a text commands the agent, in a way that a user's own memory would not. Pure.

A rule of the user's ("never push to main") tells how to work for them. A command against them sets other words above
theirs, hides something from them, sends their things away, or speaks for somebody's product. The text classifier has
learnt the difference. A long text is looked at in parts that overlap, so that nothing hides among the rest.
"""

from commonplace.gate.classifier import features_of_text, probability, weights
from commonplace.gate.suspicion import Suspicion

_LEAST = 0.05
_WINDOW = 60  # words that are looked at together
_REASON = "This reads like an instruction to the assistant, not like something about the user."


def instruction(text: str) -> Suspicion | None:
    """How surely a text tries to command the agent or what it will do later."""
    certainty = max(probability(weights().logit("instruction", features_of_text(part))) for part in _parts(text))
    return Suspicion(round(certainty, 3), _REASON) if certainty >= _LEAST else None


def _parts(text: str) -> list[str]:
    words = text.split()
    if len(words) <= _WINDOW:
        return [text]
    return [" ".join(words[at : at + _WINDOW]) for at in range(0, len(words), _WINDOW // 2)]
