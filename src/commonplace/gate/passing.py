"""Whether a text tells what passes soon: a state of the moment, or one thing that was seen, asked or said. Pure.

The text classifier says how surely it passes, and which of the two it is.
"""

import re

from commonplace.gate.classifier import features_of_text, probability, weights
from commonplace.gate.suspicion import Suspicion
from commonplace.types.book import REQUESTED

_LEAST = 0.05
_LEANING = 0.2  # log odds; the fit leaves 0.9 % of lasting texts refused, and 2 % are allowed
_MARK = re.compile(rf"^\s*{REQUESTED}\s*", re.IGNORECASE)
_STATE = "This looks like a passing state, which will not be true for long."
_EVENT = "This looks like a single event or remark that is of no use later."


def transient(text: str) -> Suspicion | None:
    """How surely a text tells a state that passes: a model in use, an open file, a mood, an error of today."""
    return _suspicion(text, _STATE, is_event=False)


def one_off(text: str) -> Suspicion | None:
    """How surely a text tells one thing that happened and has no lasting weight: a question, a picture, a greeting."""
    return _suspicion(text, _EVENT, is_event=True)


def _suspicion(text: str, reason: str, *, is_event: bool) -> Suspicion | None:
    text = _MARK.sub("", text)
    if len(text.split()) < 2 and text.isascii():
        return None  # "Smokes" is as much as some people note
    features = features_of_text(text)
    if (weights().logit("one_off", features) > 0) is not is_event:
        return None
    certainty = probability(weights().logit("passing", features) + _LEANING)
    return Suspicion(round(certainty, 3), reason) if certainty >= _LEAST else None
