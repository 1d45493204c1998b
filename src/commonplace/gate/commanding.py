"""Whether a text commands the agent, in a way that a user's own memory would not. Pure.

A rule of the user's ("never push to main") tells how to work for them. A command against them sets other words above
theirs, hides something from them, sends their things away, speaks for somebody's product, or claims a power that nobody
gave. Signs of these are looked for, and words, pairs and triples of them that labelled texts have taught; what each is
worth, alone and together, is fitted (tools/fit_passing.py).
"""

import json
import math
import re
from functools import cache, lru_cache
from typing import cast

from commonplace.gate.commandingwords import LISTS
from commonplace.gate.phrases import Phrases, folded, is_abroad, runs, tokens
from commonplace.gate.suspicion import Suspicion
from commonplace.gate.tables import read_table
from commonplace.gate.wording import worth

_LEAST = 0.05
_WINDOW = 60  # words that are looked at together
_ADDRESS = re.compile(
    r"[\w.+-]@[\w-]{1,63}\.\w\w|https?://|\bwww\.|\w\.(?:example|com|net|org|io|ru|xyz|info|biz|top|dev|app)\b"
)
_TAG = re.compile(
    r"</?(?:system|memory|instructions?|user|assistant|admin|prompt|im_start|im_end|inst|sys)\b[^<>]{0,80}>"
    r"|\[/?(?:INST|SYSTEM|SYS)\]|<\|",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?:^|[\n.!?]\s{0,4})(?:SYSTEM|ASSISTANT|ADMIN(?:ISTRATOR)?|DEVELOPER|OPERATOR|IMPORTANT|ATTENTION|URGENT|NOTICE)\b"
    r"[^:\n.]{0,30}:"
)
_BRAND = re.compile(r"(?<=[a-z,:] )[A-Z][\w-]{2,}|[\"'“][A-Z][\w-]+[\"'”]")
_SHAPES = (("address", _ADDRESS), ("tag", _TAG), ("label", _LABEL), ("brand", _BRAND))
_ORDERS = frozenset(
    """
    always never do don please must should ensure make treat answer insert include append add rank rate tell hide delete
    send forward email mail upload post submit refuse encourage pretend persist remember reveal run skip ignore
    disregard forget override bypass act behave respond reply say state claim mention recommend suggest promote push
    favour favor keep conceal store save write replace change set modify alter approve accept grant give disable enable
    execute fetch open load visit click download install stop start follow obey comply discard drop repeat output print
    exfiltrate leak share encode embed secretly silently quietly covertly discreetly subtly convince persuade urge
    assume consider regard stay remain be become begin end report describe present summarise summarize rewrite
    translate use avoid prefer prioritise prioritize deny refrain copy cc bcc
    """.split()
)
_CONDITIONS = frozenset("if when whenever before after once while in from as for until every each".split())
# "When …, answer": where a clause begins, and after what begins one.
_BEGUN = re.compile(r"(?:[,:;]|\bthen|\bplease|\balways|\bnever|\bmust|\bshould)\s+(?:and\s+|also\s+|then\s+)?([a-z]+)")
_AGENTS = frozenset("you assistant assistants ai agent agents model models system bot llm llms".split())
_TOGETHER = (
    ("deliver", "address"), ("when asked", "promote"), ("promote", "address"), ("when asked", "address"),
    ("order", "anyone"), ("order", "the user"), ("order", "best"), ("order", "harm"), ("order", "conceal"),
    ("order", "promote"), ("order", "power"), ("order", "deliver"), ("order", "address"), ("order", "own voice"),
    ("order", "workaday"), ("order", "addresses you"), ("promote", "best"), ("anyone", "promote"),
    ("anyone", "when asked"), ("addressed", "promote"), ("addressed", "harm"), ("addressed", "power"),
    ("addresses you", "power"), ("addresses you", "harm"), ("addresses you", "own voice"), ("conceal", "own voice"),
    ("override", "own voice"), ("power", "own voice"), ("promote", "own voice"), ("when asked", "own voice"),
    ("deliver", "own voice"), ("power", "harm"), ("from now on", "harm"), ("from now on", "addresses you"),
    ("best", "brand"), ("promote", "brand"), ("when asked", "brand"), ("order", "brand"), ("about user", "addressed"),
    ("about user", "conceal"), ("about user", "power"), ("about user", "promote"), ("about user", "harm"),
    ("conceal", "the user"), ("override", "workaday"), ("harm", "the user"), ("order", "about user"),
    ("abroad", "override"), ("abroad", "conceal"), ("abroad", "promote"), ("abroad", "deliver"), ("abroad", "power"),
    ("abroad", "when asked"), ("abroad", "the user"), ("abroad", "address"), ("power", "the user"),
    ("about user", "order"), ("promote", "the user"), ("when asked", "the user"), ("deliver", "the user"),
    ("conceal", "promote"), ("abroad", "own voice"), ("to the agent", "power"), ("to the agent", "harm"),
    ("to the agent", "conceal"), ("to the agent", "promote"), ("things", "order"), ("things", "address"),
    ("things", "the user"), ("things", "deeds"), ("things", "deliver"), ("things", "addressed"), ("things", "power"),
    ("things", "when asked"), ("things", "abroad"), ("things", "anyone"), ("things", "conceal"), ("deeds", "order"),
    ("deeds", "address"), ("deeds", "the user"), ("deeds", "deliver"), ("deeds", "addressed"), ("deeds", "power"),
    ("deeds", "when asked"), ("deeds", "abroad"), ("deeds", "anyone"), ("praises", "order"), ("praises", "address"),
    ("praises", "the user"), ("praises", "when asked"), ("praises", "best"), ("praises", "brand"),
    ("praises", "addressed"), ("praises", "anyone"), ("praises", "promote"), ("praises", "abroad"),
    ("secrecy", "order"), ("secrecy", "the user"), ("secrecy", "things"), ("secrecy", "deliver"),
    ("secrecy", "address"), ("secrecy", "praises"), ("forbids", "things"), ("forbids", "deeds"), ("forbids", "power"),
    ("forbids", "harm"), ("forbids", "deliver"), ("forbids", "conceal"), ("forbids", "praises"), ("forbids", "promote"),
    ("forbids", "the user"), ("forbids", "override"), ("forbids", "order"), ("consults", "power"),
    ("consults", "the user"), ("consults", "conceal"), ("consults", "order"), ("consults", "deeds"),
    ("consults", "things"), ("condition", "praises"), ("condition", "promote"), ("condition", "deeds"),
    ("condition", "things"), ("condition", "order"), ("addressed", "best"), ("addressed", "from now on"),
    ("addressed", "conceal"), ("from now on", "order"), ("from now on", "address"), ("when asked", "order"),
    ("addressed", "override"), ("workaday", "power"), ("workaday", "deeds"), ("workaday", "promote"),
)  # fmt: skip
_AGAINST = frozenset(
    """
    override|conceal|addressed|when asked|promote|deliver|power|harm|best|address|tag|label|things|deeds|praises|secrecy
    """.strip().split("|")
)
_PERSONS = {"anyone", "the user"}
_NEUTRAL = {"anyone", "the user", "brand", "condition"}  # alone they tell nothing
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
    weights, found = _weights(), signs(text)
    total = weights[""] + sum(weights.get(sign, 0.0) for sign in found) + worth("instruction", found)
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


@cache
def _weights() -> dict[str, float]:
    """What each sign is worth; the empty sign is where the scale begins."""
    return cast(dict[str, float], json.loads(read_table("commanding.json")))


@cache
def _phrases() -> Phrases:
    return Phrases(LISTS)


@lru_cache(maxsize=32)
def signs(text: str) -> frozenset[str]:
    """What a text shows of a command: its wording alone if nothing is against the user, for an order as such is no
    attack."""
    plain = folded(text)
    words = tokens(plain)
    found = _phrases().found(plain, words)
    found |= {name for name, shape in _SHAPES if shape.search(text)}
    first = words[0] if words else ""
    if first in _ORDERS or (first in _CONDITIONS and any(word in _ORDERS for word in _BEGUN.findall(plain))):
        found.add("order")
    elif any(word in _AGENTS for word in words[:3]):
        found |= {"order", "to the agent"}
    if is_abroad(words):
        found.add("abroad")
    if not found & _AGAINST and not ("order" in found and found & _PERSONS):
        return frozenset(runs(words))
    if first in _CONDITIONS:
        found.add("condition")
    found.update(f"{one} + {other}" for one, other in _TOGETHER if one in found and other in found)
    return frozenset((found - _NEUTRAL) | runs(words))
