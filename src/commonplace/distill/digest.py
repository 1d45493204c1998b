"""What a conversation leaves when no model is there: the user's own sentences, and what they asked to be kept. Pure."""

import re
from collections.abc import Sequence

from commonplace.types.sessions import Message

MOST_SENTENCES = 12
_NOTE = "### In the user's own words; no model was used"
_SENTENCE_END = re.compile(r"(?<=[.!?\u2026])[\"')\]]*\s+|(?<=[。！？])|\n+")
_ASKS = re.compile(r"[?？]\s*[\"')\]]*$")
_SELF = re.compile(
    r"\b(?:I|I'm|I've|my|we|our|mine|me)\b|我|咱|私|僕|\b(?:ich|mein|wir|je|mon|ma|nous|yo|mi|soy)\b", re.IGNORECASE
)
_CONCRETE = re.compile(r"\d|(?<=\s)[A-Z][a-z]+|[\u4e00-\u9fff]{4,}")
_POLITE = (
    r"(?:(?:ok|okay|hey|hi|well|also|and|oh|so|now|please|pls|kindly)[,!\s]+)*"
    r"(?:(?:can|could|would|will)\s+you\s+(?:please\s+)?|i(?:'d like| want| need)\s+you\s+to\s+|you\s+should\s+)?"
    r"(?:please\s+)?(?:always\s+)?"
)
_VERB = (
    r"(?:remember(?!\s+(?:when|how|what|who|where|why|the\s+time)\b)|don'?t\s+(?:ever\s+)?forget|do\s+not\s+forget"
    r"|never\s+forget|keep\s+in\s+mind|bear\s+in\s+mind|(?:make|take)\s+(?:a\s+)?note(?:\s+of)?|note\s+down|memori[sz]e"
    r"|(?:save|add|put|write|store)\s+(?:(?:this|that|it)\s+)?(?:down\s+)?(?:in(?:to)?|to)\s+"
    r"(?:your\s+|my\s+|the\s+)?(?:long[- ]term\s+)?memory)"
)
_REQUESTS = (
    re.compile(
        rf"^{_POLITE}{_VERB}(?:\s+(?:this|for\s+(?:me|later|next\s+time|the\s+future)))?(?P<mark>\s*[:,\u2013\u2014-]+\s*|\s+)(?P<what>.+)$",
        re.IGNORECASE,
    ),
    re.compile(r"^(?P<what>(?:for\s+future\s+reference|from\s+now\s+on|going\s+forward)\b[:,]?\s+.+)$", re.IGNORECASE),
    re.compile(
        r"^(?:请|請)?(?:你)?(?:帮我|幫我)?(?:要)?(?:记住|記住|记得|記得|别忘了|別忘了|不要忘记|不要忘記|牢记)[:：,，]?\s*(?P<what>.+)$"
    ),
    re.compile(
        r"^(?:bitte\s+)?(?:merk(?:e)?\s+dir|vergiss\s+(?:bitte\s+)?nicht|denk(?:e)?\s+(?:bitte\s+)?daran"
        r"|kannst\s+du\s+dir\s+(?:bitte\s+)?merken)(?:\s+bitte)?[:,]?\s+(?P<what>.+)$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?:s'il\s+(?:te|vous)\s+pla[iî]t,?\s+)?"
        r"(?:souviens-toi|souvenez-vous|rappelle-toi|n'oublie[sz]?\s+pas|retiens|retenez)[:,]?\s+(?P<what>.+)$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?:por\s+favor\s+)?(?:recuerda|no\s+olvides|acuérdate(?:\s+de)?)[:,]?\s+(?P<what>.+)$", re.IGNORECASE
    ),
)
_GOES_ON = re.compile(r"\b(that|dass|que)[ \t]*\n+[ \t]*", re.IGNORECASE)  # no sentence ends there
_LEADING = re.compile(r"^(?:(?:that|dass|que|de|to\s+note\s+that)(?=[\s,:])|qu')\s*[,:]?\s*(?=\S)", re.IGNORECASE)
_ITEM = r"(?:[-*+•]|\d{1,2}[.)])[ \t]+(\S[^\n]*)"
_ITEMS = re.compile(rf"^\s*{_ITEM}", re.MULTILINE)
_LIST = re.compile(rf"^(?P<lead>[^\n]*[:：])[ \t]*\n(?P<items>(?:\s*{_ITEM}\n?)+)", re.MULTILINE)
_WHAT_FOLLOWS = re.compile(
    r"them|(?:the\s+following|these|those|this|folgendes|lo\s+siguiente|ce\s+qui\s+suit)\b.{0,20}", re.IGNORECASE
)


def requested(text: str) -> list[str]:
    """What the user asks to be remembered, in their words: "remember that …" and its like, one text for each. Of a list
    that they ask to be remembered, each item is one."""
    listed: list[str] = []

    def take(match: re.Match[str]) -> str:
        about = (_request(match["lead"]) or _request(f"{match['lead']} them")).rstrip(":： ")
        if not about:
            return match[0]
        before = "" if _WHAT_FOLLOWS.fullmatch(about) else f"{about}: "
        listed.extend(before + item.strip(" \t\r.。") for item in _ITEMS.findall(match["items"]))
        return "\n"

    rest = _LIST.sub(take, text.replace("\r\n", "\n"))
    return [what for sentence in _sentences(_GOES_ON.sub(r"\1 ", rest)) if (what := _request(sentence))] + listed


def digest(messages: Sequence[Message], session: str) -> str:
    """The sentences of the user that tell most, in their order; how many more there are is said."""
    sentences = list(dict.fromkeys(s for m in messages if m.role == "user" for s in _sentences(m.text)))
    if not sentences:
        count = sum(1 for m in messages if m.role == "assistant")
        return f"{_NOTE}\n\n- The user said nothing; the transcript {session} has {count} of the assistant's messages."
    ranked = sorted(range(len(sentences)), key=lambda at: (-_worth(sentences[at]), at))
    chosen = sorted(ranked[:MOST_SENTENCES])
    left = len(sentences) - len(chosen)
    more = [f"- ({left} more of the user's sentences are in the transcript {session}.)"] if left else []
    return "\n".join([_NOTE, "", *(f"- {sentences[at]}" for at in chosen), *more])


def _sentences(text: str) -> list[str]:
    found = (" ".join(piece.split()) for piece in _SENTENCE_END.split(text))
    bare = [piece.strip("-*+>#| \t") for piece in found]
    return [piece for piece in bare if any(char.isalnum() for char in piece)]


def _worth(sentence: str) -> float:
    words = len(sentence.split()) + sum(1 for c in sentence if "\u3040" <= c <= "\u9fff") / 2
    return (
        (2.0 if _request(sentence) else 0.0)
        + (0.0 if _ASKS.search(sentence) else 1.0)
        + (1.0 if _SELF.search(sentence) else 0.0)
        + (0.5 if _CONCRETE.search(sentence) else 0.0)
        + min(words, 20) / 20
    )


def _request(sentence: str) -> str:
    """What a sentence asks to keep; nothing if it asks for something else. "Can you remember that …?" asks to keep."""
    for pattern in _REQUESTS:
        match = pattern.match(sentence.replace("’", "'"))
        if match:
            what = _LEADING.sub("", match["what"].strip()).strip(" \t\"'.。!！?？")
            return what[:1].upper() + what[1:] if len(what) > 2 else ""
    return ""
