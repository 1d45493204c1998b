"""Whether a text tells what passes: a state that will be over soon, or a single thing that happened. Pure.

A text shows signs: words of a list (gate/passingwords.py), how it is built, and single words, pairs and triples of them
that labelled texts have taught. Signs that stand together say more than either alone. Beside the signs counts what the
words mean (gate/sense.py). Where that leaves a doubt, and somebody can say what the whole text means as a vector of the
embedding model, this is weighed too. What each is worth is fitted (tools/fit_passing.py) and kept in passing.json,
wording.bin and sense.bin.
"""

import json
import math
import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import TypeAlias, cast

from commonplace.gate.opaque import masked
from commonplace.gate.passingwords import LISTS
from commonplace.gate.phrases import Phrases, folded, is_abroad, runs, tokens
from commonplace.gate.sense import is_one_word, of_words, weigh
from commonplace.gate.suspicion import Suspicion
from commonplace.gate.tables import read_table
from commonplace.gate.wording import worth
from commonplace.terms.glossing import rough_english

Meaning: TypeAlias = Callable[[str], "Sequence[float] | None"]
"""The vector of a text by the embedding model of the package, if it is at hand."""

READ = ", read"  # behind the name of a rule: with the meaning of the whole
DOUBT = "?"  # among the weights: the log odds above which the whole is asked for
_LOOKED_AT = 1000  # characters; what is longer is not kept as one entry anyway
_LEAST = 0.05
# "User mentioned that they like hiking" is about hiking, not about the mentioning.
_REPORTED = re.compile(
    r"^(?:the )?user (?:has |also |once )?(?:mentioned|said|told me|stated|noted|shared|explained|confirmed) (?:that )?"
    r"(?=(?:they|he|she|their|his|her|i|my|the user)\b"
    r".* (?:like|love|prefer|live|work|have|has|own|use|am|is|are|enjoy)s?\b)",
    re.IGNORECASE,
)
_AT_START = {
    "picture",
    "page said",
    "volatile thing",
    "assistant did",
    "ai model",
    "gear",
    "now",
    "today",
    "life",
    "pictures",
    "site",
}
_START = 5  # words
_IN_ENGLISH = {"milestone"}  # looked for in the rough English of other languages too
_BE = {"is", "are", "am", "m", "re", "was", "were"}
_LASTING_ING = set(
    """
    learning studying planning training saving living moving retiring raising expecting pursuing restoring
    renovating teaching caring looking running getting being building developing leading managing maintaining
    recovering applying organising organizing migrating considering expanding specialising thinking writing
    working transitioning translating
    """.split()
)
_ADVERBS = set(
    "currently now still just already also not actively slowly busy right again really always usually".split()
)
_LEADING = {"the", "a", "an", "this", "our", "my", "in", "on"}
_IRREGULAR = set(
    """
    said told got gave found made sent saw ate drank had wrote read took thought felt went came ran began won
    lost sang spoke spelled laughed showed put set let hit cut tried bought sold heard met built
    """.split()
)
_BIDS = set(
    """
    use keep ask always never don do avoid prefer write run send give show tell put add make answer explain treat call
    address lock merge rebase commit check start stop include leave remind mention quote round format name sort store
    close wrap spell translate reply respond ignore assume follow offer suggest limit return log deploy pin mark
    """.split()
)
_PRESENT = {"need", "feed", "speed", "breed", "exceed", "proceed", "succeed", "bleed"}
_EITHER = {"read", "put", "set", "let", "hit", "cut"}  # "I read" may be today or every day, "he read" is over
_PLACE = re.compile(
    r"\w/\w|\.(?:py|js|ts|tsx|rs|go|java|c|h|cpp|rb|php|md|json|ya?ml|toml|txt|csv|xlsx|pdf|html|css|sql|sh)\b"
)
_FILE_SUFFIX = re.compile(r"\(\)|:\d+\b|0x[0-9a-f]{4,}")
_LABELLED = re.compile(r"\s*(?:\[[^\]\n]{2,40}\]|[^\s:][^:\n.!?]{1,50}:\s|[^=\n]{2,40}\s[=→]\s)")  # "Tyres: 205/55"
_REQUESTED = re.compile(r"^\s*user requested:\s*", re.IGNORECASE)
_QUOTED = re.compile(r'["“”«»「」„]')
_TOGETHER: tuple[tuple[str, str], ...] = (
    ("milestone", "today"), ("milestone", "user did"), ("milestone", "did"), ("milestone", "ago"),
    ("milestone", "just"), ("milestone", "pending"), ("milestone", "user did something"),
    ("ai model", "switching"), ("ai model", "now"), ("ai model", "session"), ("ai model", "this moment"),
    ("volatile thing", "switching"), ("volatile thing", "trouble"), ("volatile thing", "now"),
    ("volatile thing", "progress"), ("volatile thing", "this moment"), ("volatile thing", "open"),
    ("volatile thing", "is doing"), ("today", "ate or saw"), ("ago", "ate or saw"), ("today", "mood"),
    ("today", "pending"), ("picture", "depicts"), ("page said", "page verb"), ("user", "asked"),
    ("user", "chat event"), ("user", "guess"), ("asked", "trifle"), ("assistant did", "chat event"),
    ("user", "trifle"), ("user", "is doing"), ("user", "picture"), ("switching", "lasts"), ("now", "lasts"),
    ("today", "lasts"), ("volatile thing", "lasts"), ("user did", "lasts"), ("is doing", "lasts"), ("asked", "lasts"),
    ("guess", "lasts"), ("picture", "lasts"), ("open", "place"), ("now", "place"), ("progress", "lasts"),
    ("gear", "trouble"), ("gear", "this moment"), ("gear", "now"), ("gear", "switching"), ("gear", "is doing"),
    ("gear", "progress"), ("gear", "lasts"), ("gear", "today"), ("user did", "tells that"), ("asked", "tells that"),
    ("chat event", "tells that"), ("tells that", "lasts"), ("tells that", "preference"), ("first picture", "depicts"),
    ("first page said", "page verb"), ("user does", "picture"), ("user does", "ai model"),
    ("user does", "volatile thing"), ("user did", "session"), ("did", "session"), ("did", "trifle"), ("did", "asked"),
    ("did", "chat event"), ("doing first", "gear"), ("doing first", "volatile thing"), ("doing first", "place"),
    ("doing first", "lasts"), ("user did", "ago"), ("gear", "keeps on"), ("volatile thing", "keeps on"),
    ("keeps on", "lasts"), ("mood", "preference"), ("whereabouts", "lasts"), ("did", "lasts"), ("did", "ate or saw"),
    ("user did", "chat event"), ("user did", "asked"), ("user did", "trifle"), ("user did", "page said"),
    ("user is", "role"), ("user is", "preference"), ("user is", "mood"), ("user is", "whereabouts"),
    ("user is", "pending"), ("long doing", "today"), ("long doing", "now"), ("long doing", "this moment"),
    ("does", "volatile thing"), ("does", "gear"), ("does", "ai model"), ("did", "ago"), ("did", "today"),
    ("ago", "lasts"), ("first ai model", "switching"), ("first assistant did", "page verb"),
    ("distributed", "ai model"), ("this moment", "lasts"), ("trouble", "lasts"), ("pending", "today"),
    ("is doing", "now"), ("mood", "lasts"), ("value", "volatile thing"), ("value", "gear"), ("value", "now"),
    ("value", "is doing"), ("value", "trouble"), ("value", "user did"), ("value", "picture"), ("value", "progress"),
    ("value", "attribute"), ("attribute", "volatile thing"), ("attribute", "gear"), ("attribute", "picture"),
    ("attribute", "progress"), ("attribute", "trouble"), ("attribute", "now"), ("link", "user did"),
    ("link", "attribute"), ("link", "now"), ("gear", "role"), ("volatile thing", "role"), ("trouble", "role"),
    ("progress", "role"), ("turn", "ai model"), ("turn", "user did"), ("turn", "user did something"),
    ("user did something", "lasts"), ("user did something", "short"),
    ("user did something", "volatile thing"), ("user did something", "gear"), ("user did something", "switching"),
    ("user did something", "quoted"), ("user did something", "page verb"), ("user did something", "value"),
    ("turn", "volatile thing"), ("turn", "gear"),
    ("turn", "chat event"), ("turn", "switching"), ("passive", "chat event"), ("passive", "asked"),
    ("passive", "switching"), ("progress", "preference"), ("trouble", "preference"), ("picture", "preference"),
    ("volatile thing", "preference"), ("gear", "preference"), ("progress", "user does"), ("trouble", "user does"),
    ("trouble", "user did"), ("progress", "now"), ("trouble", "now"), ("progress", "trouble"),
    ("user", "progress"), ("user", "trouble"),
    ("perhaps passing", "user is"), ("perhaps passing", "is doing"), ("perhaps passing", "today"),
    ("perhaps passing", "now"), ("perhaps passing", "gear"), ("perhaps passing", "volatile thing"),
    ("perhaps passing", "lasts"), ("perhaps passing", "user does"), ("perhaps passing", "ai model"),
    ("perhaps passing", "session"), ("mishap", "gear"), ("mishap", "volatile thing"), ("mishap", "now"),
    ("mishap", "this moment"), ("mishap", "today"), ("mishap", "user is"), ("mishap", "is doing"),
    ("mishap", "lasts"), ("mishap", "preference"), ("mishap", "progress"), ("mishap", "share"), ("mishap", "just"),
    ("mishap", "keeps on"), ("mishap", "user does"), ("mishap", "attribute"), ("mishap", "user did"),
    ("mishap", "pictures"), ("mishap", "picture"), ("share", "gear"), ("share", "volatile thing"), ("share", "now"),
    ("share", "this moment"), ("share", "user is"), ("share", "is doing"), ("share", "lasts"),
    ("share", "preference"), ("share", "user does"), ("share", "attribute"), ("share", "open"), ("share", "progress"),
    ("share", "today"), ("share", "role"), ("spot", "user is"), ("spot", "is doing"), ("spot", "now"),
    ("spot", "today"), ("spot", "lasts"), ("spot", "user does"), ("spot", "doing first"), ("spot", "this moment"),
    ("spot", "gear"), ("spot", "volatile thing"), ("pictures", "depicts"), ("pictures", "user did"),
    ("pictures", "user"), ("pictures", "lasts"), ("pictures", "user does"), ("pictures", "preference"),
    ("pictures", "exchange"), ("pictures", "asked"), ("first pictures", "depicts"), ("pictures", "page verb"),
    ("site", "page verb"), ("site", "user did"), ("site", "asked"), ("site", "exchange"), ("site", "lasts"),
    ("first site", "page verb"), ("site", "depicts"), ("exchange", "user did"), ("exchange", "user"),
    ("exchange", "did"), ("exchange", "picture"), ("exchange", "link"), ("exchange", "lasts"),
    ("exchange", "tells that"), ("exchange", "passive"), ("exchange", "trifle"), ("exchange", "session"),
    ("exchange", "assistant did"), ("exchange", "value"), ("exchange", "asked"), ("exchange", "today"),
    ("exchange", "chat event"), ("modal", "user"), ("modal", "mood"), ("modal", "preference"), ("modal", "role"),
    ("modal", "lasts"), ("modal", "guess"), ("bids", "volatile thing"), ("bids", "gear"), ("bids", "trouble"),
    ("bids", "mishap"), ("bids", "share"), ("bids", "picture"), ("bids", "pictures"), ("bids", "site"),
    ("labelled", "volatile thing"), ("labelled", "gear"), ("labelled", "progress"), ("labelled", "share"),
    ("labelled", "mishap"), ("labelled", "trouble"), ("labelled", "value"),
    ("name and value", "gear"), ("name and value", "volatile thing"), ("name and value", "picture"),
    ("name and value", "pictures"), ("name and value", "attribute"), ("name and value", "place"),
)  # fmt: skip
# What tells that it was done in the chat, or today: without it, what somebody did may have changed their life.
_EVENTS = {
    "asked", "chat event", "ate or saw", "trifle", "picture", "page said", "guess", "session", "today", "ago",
    "assistant did", "exchange", "pictures", "site", "perhaps passing", "just", "mood", "ai model", "this moment",
    "soon",
}  # fmt: skip
# What tells that something goes on or went on: without it, a name and a value are a note of what is so.
_HAPPENING = {
    "this moment", "now", "today", "soon", "just", "session", "is doing", "open", "pending", "progress", "keeps on",
    "mood", "whereabouts", "trouble", "mishap", "switching", "asked", "chat event", "exchange", "user did", "did",
    "doing first", "ago", "ate or saw", "guess", "page verb", "perhaps passing", "spot", "assistant acted",
}  # fmt: skip
_VALUES = {"value", "link"}
_NEUTRAL = {
    "user",
    "about user",
    "user s",
    "user has",
    "user is",
    "the thing",
    "number",
    "user did something",
    "value",
}  # alone they tell nothing
_LASTING = {"habit", "dated", "life"}
_STATE = "This looks like a passing state, which will not be true for long."
_EVENT = "This looks like a single event or remark that is of no use later."


def _unknown(_: str) -> None:
    """Nobody knows what the whole text means."""


def transient(text: str, meaning: Meaning = _unknown) -> Suspicion | None:
    """How surely a text tells a state that passes: a model in use, an open file, a mood, an error of today."""
    return _suspicion(_odds("transient", text, lambda: meaning(text)), _STATE)


def one_off(text: str, meaning: Meaning = _unknown) -> Suspicion | None:
    """How surely a text tells one thing that happened and has no lasting weight: a question, a picture, a greeting."""
    return _suspicion(_odds("one_off", _REPORTED.sub("", text), lambda: meaning(text)), _EVENT)


def _odds(rule: str, text: str, meaning: Callable[[], Sequence[float] | None]) -> float:
    """The log odds that it passes. The whole text is asked for only where the words leave a doubt."""
    text = text[:_LOOKED_AT]
    if is_one_word(text):
        return -math.inf  # "Smokes" is as much as some people note
    found, sense = signs(text), of_words(text)
    odds = _weighed(rule, found, sense)
    if odds > _weights()[rule][DOUBT] and (whole := meaning()) is not None:
        return _weighed(f"{rule}{READ}", found, (*sense, *whole))
    return odds


def _weighed(rule: str, found: frozenset[str], sense: Sequence[float]) -> float:
    weights = _weights()[rule]
    return weights[""] + sum(weights.get(sign, 0.0) for sign in found) + worth(rule, found) + weigh(rule, sense)


def _suspicion(odds: float, reason: str) -> Suspicion | None:
    certainty = 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))
    return Suspicion(round(certainty, 3), reason) if certainty >= _LEAST else None


@cache
def _phrases() -> Phrases:
    return Phrases(LISTS)


@cache
def _weights() -> dict[str, dict[str, float]]:
    """What each sign is worth to each rule; the empty sign is where the scale begins."""
    return cast(dict[str, dict[str, float]], json.loads(read_table("passing.json")))


@lru_cache(maxsize=64)
def signs(text: str) -> frozenset[str]:
    """What a text shows. Both rules look at the same signs, so the last ones are kept."""
    text = _REQUESTED.sub("", text[:_LOOKED_AT])
    bare = masked(text)  # what stands in a hash or in an address are no words
    plain = folded(bare.text)
    words = tokens(plain)
    found = _phrases().found(plain, words) | _built(text, words) | (bare.kinds & _VALUES)
    if (english := rough_english(text)) != text:
        plain = folded(english)
        found |= _phrases().found(plain, tokens(plain)) & _IN_ENGLISH
    begins = _phrases().found("", words[:_START]) & _AT_START
    found.update(f"first {name}" for name in begins)
    if found & _LASTING:
        found.add("lasts")
    if is_abroad(words):
        found.add("abroad")
    if "user did" in found and not found & _EVENTS:
        found = (found - {"user did"}) | {"user did something"}
    if bare.kinds and not found & _HAPPENING:
        found.add("name and value")
    found.update(f"{first} + {second}" for first, second in _TOGETHER if first in found and second in found)
    return frozenset((found - _NEUTRAL) | runs(words))


def _built(text: str, words: list[str]) -> set[str]:
    """How a text is built, as far as that tells something."""
    found: set[str] = set()
    if not words:
        return found
    if _PLACE.search(text) or _FILE_SUFFIX.search(text):
        found.add("place")
    if _QUOTED.search(text):
        found.add("quoted")
    if "#" in words:
        found.add("number")
    if len(words) <= 5:
        found.add("short")
    elif len(words) >= 16:
        found.add("long")
    if _LABELLED.match(text):
        found.add("labelled")
    found |= _doing(words)
    first = words[0]
    bare = words[1:] if first in _LEADING else words
    if bare and bare[0] in {"user", "i", "they", "he", "she"}:
        found.add("about user")
        after = next((word for word in bare[1:4] if word not in _ADVERBS), "")
        if after in {"s", "m", "is", "has", "are"}:
            found.add(f"user {'is' if after in {'m', 'is', 'are'} else after}")
        elif _is_past([after]) and not (bare[0] in {"i", "they"} and after in _EITHER):
            found.add("user did")
        elif after.endswith("s") and len(after) > 2:
            found.add("user does")
    elif bare and bare[0] in {"assistant", "bot", "ai"} and _is_past(bare[1:2]):
        found.add("assistant acted")
    elif first.isascii() and len(first) > 3 and first.endswith("s") and not first.endswith(("ss", "us")):
        found.add("does")
    elif first.endswith("ed") or first in _IRREGULAR:
        found.add("did")
    elif first in _BIDS:
        found.add("bids")
    elif first in {"is", "has"}:
        found.add(f"bare {first}")
    if first in {"the", "this", "a", "an"}:
        found.add("the thing")
    return found


def _is_past(words: list[str]) -> bool:
    return any(word in _IRREGULAR or (word.endswith("ed") and len(word) > 3 and word not in _PRESENT) for word in words)


def _doing(words: list[str]) -> set[str]:
    """English "is …ing", and whether that is a thing people do for long."""
    for at, word in enumerate(words[:-1]):
        if word not in _BE:
            continue
        after = next((later for later in words[at + 1 : at + 4] if later not in _ADVERBS), "")
        if after.endswith("ing") and len(after) > 4:
            return {"long doing" if after in _LASTING_ING else "is doing"}
    if words[0].endswith("ing") and len(words[0]) > 4:
        return {"doing first"}
    return set()
