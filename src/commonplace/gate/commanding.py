"""Whether a text commands the agent, in a way that a user's own memory would not. Pure.

A rule of the user's ("never push to main") tells how to work for them. A command against them sets other words above
theirs, hides something from them, sends their things away, speaks for somebody's product, or claims a power that nobody
gave. Any two of these together are enough, and some are enough alone.
"""

import math
import re
from functools import cache, lru_cache

from commonplace.gate.commandingwords import LISTS
from commonplace.gate.phrases import Phrases, folded, tokens
from commonplace.gate.suspicion import Suspicion

_LEAST = 0.05
_WINDOW = 60  # words that are looked at together
_ADDRESS = re.compile(
    r"[\w.+-]{1,64}@[\w-]{1,63}\.\w{2}|https?://|\bwww\.|\b[\w-]{2,63}\.(?:example|com|net|org|io|ru|xyz|info|biz|top)\b"
)
_TAG = re.compile(
    r"</?(?:system|memory|instructions?|user|assistant|admin|prompt|im_start|im_end|inst|sys)\b[^<>]{0,80}>|\[/?(?:INST|SYSTEM|SYS)\]|<\|",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?:^|[\n.!?]\s*)(?:SYSTEM|ASSISTANT|ADMIN(?:ISTRATOR)?|DEVELOPER|OPERATOR|IMPORTANT|ATTENTION|URGENT|NOTICE)\b[^:\n.]{0,30}:"
)
_WEIGHTS = {
    "": -4.2,
    "override": 4.0, "conceal": 3.4, "addressed": 2.6, "when asked": 1.6, "promote": 1.5, "deliver": 1.2, "power": 2.4,
    "from now on": 0.6, "the user": 0.9, "own voice": -2.0, "workaday": -1.6,
    "address": 1.2, "tag": 4.5, "label": 1.6,
    "deliver + address": 2.2, "when asked + promote": 1.8, "promote + address": 1.2, "when asked + address": 0.8,
}  # fmt: skip
_TOGETHER = (("deliver", "address"), ("when asked", "promote"), ("promote", "address"), ("when asked", "address"))
_REASON = "This reads like an instruction to the assistant, not like something about the user."


def instruction(text: str) -> Suspicion | None:
    """How surely a text tries to command the agent or what it will do later."""
    certainty = max((_certainty(piece) for piece in _pieces(text)), default=0.0)
    return Suspicion(round(certainty, 3), _REASON) if certainty >= _LEAST else None


def _pieces(text: str) -> list[str]:
    """A long text in parts, so that nothing in it hides among the rest; parts overlap."""
    words = text.split()
    if len(words) <= _WINDOW:
        return [text]
    return [" ".join(words[at : at + _WINDOW]) for at in range(0, len(words), _WINDOW // 2)]


def _certainty(text: str) -> float:
    total = _WEIGHTS[""] + sum(_WEIGHTS[sign] for sign in signs(text))
    return 1 / (1 + math.exp(-total))


@cache
def _phrases() -> Phrases:
    return Phrases(LISTS)


@lru_cache(maxsize=32)
def signs(text: str) -> frozenset[str]:
    """What a text shows of a command."""
    plain = folded(text)
    found = _phrases().found(plain, tokens(plain))
    if _ADDRESS.search(text):
        found.add("address")
    if _TAG.search(text):
        found.add("tag")
    if _LABEL.search(text):
        found.add("label")
    found.update(f"{first} + {second}" for first, second in _TOGETHER if first in found and second in found)
    return frozenset(found)
