"""What a user asks their memory for, in their own words: to keep something, to forget it, to change it. Pure.

A request begins a sentence (or ends it, where verbs stand last), or follows a clause that only says when ("before we
start: remember …"): "if I say remember …" and "she said: remember …" are none. The words of asking are in
`requests.txt`, by language; what is asked for is left in the user's own words, and put right elsewhere (`retelling`).
The caller sees to it that the text is the user's own, and nothing that they quote.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from itertools import islice

from commonplace.distill.askingwords import UNSPACED, keys, languages_asking, may_tell_a_change, tables
from commonplace.distill.retelling import speaks_of_self
from commonplace.language.glossing import language, rough_english

_SENTENCE_END = re.compile(r"(?<=[.!?\u2026])[\"')\]]*\s+|(?<=[。！？])|(?<=[!?])(?=[\u3040-\u30ff\u3400-\u9fff])|\n+")
_LIST_MARKS = re.compile(r"^(?:(?:[-*+>|]|#+)\s+)+")  # what stands right before a word is part of it: "--fast", "+41"
_SHORTENED = re.compile(
    r"(?<!\w)(?:[^\W\d_]|[A-Z][b-df-hj-np-tv-z]{1,3}|Prof|\w\.\w|[Ss]tr|\w+str)\.$"
)  # "Dr.": goes on
_QUESTION = re.compile(r"[?？؟]\W*$")
_MARKS = " \t\"'“”«».。!！?？؟,，、;；:：–—-"
_GOES_ON = re.compile(r"\b(that|dass|daß|que|che|dat|att|że|что|أن|कि)[ \t]*\n+[ \t]*", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;]\s+(?:(?:but|and|sondern|aber|und|mais|et|maar|en|men|och)\s*)?(?=(?:I|ich|ik|jag|je|j')\b)")
_JOINS = re.compile(r"[,;，；、]\s*|(?<!\s)\s+(?:and|und|et|y|e|en|och|i|и|ve|و|और|그리고)\s+")
_ITEM = r"(?:[-*+•]|\d{1,2}[.)])[ \t]+(\S[^\n]*)"
_ITEMS = re.compile(rf"^[^\S\n]*{_ITEM}", re.MULTILINE)
_LIST = re.compile(rf"^(?P<lead>[^\n]*[:：])[ \t]*\n(?P<items>(?:\s*{_ITEM}\n?)+)", re.MULTILINE)
_BLOCK = re.compile(r"^(?P<lead>[^\n]{1,80}[:：])[ \t]*\n(?P<items>(?:[^\n]*\S[^\n]*(?:\n|$))+)", re.MULTILINE)
_INTO = (
    "to in into from of out aus im ins dans de du à en del desde da dalla di na no nella z w do i ur från till uit"
    " naar из в на من في إلى"
)
_LEAD_IN = re.compile(r"(?P<lead>[^:：,，、\n]{2,60})[:：,，、]\s*(?=\S)")
_NEXT_CLAUSE = re.compile(r"[,;，；]\s*|(?<!\s)\s+[-–—]\s+")
_MEANWHILE = frozenset({"before", "while", "until"})  # in rough English, so that every language we read is heard
ENDED = re.compile(r"\b(?:no longer|any ?more|any longer|stopped|quit|gave up|given up)\b", re.IGNORECASE)
"""How rough English says that something is so no longer."""

_PLAIN_ENDED = frozenset({"zh", "ja", "ar", "hi"})  # rough English has no sign of it there
_A_WORD = 20  # letters at most
_LONGEST_BESIDES, _MOST_CLAUSES = 600, 8
_NOTHING_LEFT = 3  # letters: what is shorter says nothing


class Ask(StrEnum):
    KEEP = "keep"
    FORGET = "forget"
    CHANGE = "change"
    NOW = "now"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Request:
    """What a sentence asks for. `clause`: it was joined by a "that", so that its verb may stand last. `sure`: the words
    ask a memory and nothing else; what else they could ask, the caller must know. `to`: the new value of a change."""

    kind: Ask
    text: str
    language: str = "en"
    clause: bool = False
    sure: bool = True
    to: str = ""


def heard(text: str) -> list[Request]:
    """The requests of a text, in their order, those of a list last. Of a list that is to be kept or forgotten, each
    item is one."""
    listed: list[Request] = []

    def take(match: re.Match[str]) -> str:
        asked = _asked(match["lead"].rstrip(":： \t") + ": …")
        if asked is None or asked.kind is Ask.CHANGE:
            return match[0]
        about = "" if _points(asked) else asked.text.rstrip("…" + _MARKS)
        items = _ITEMS.findall(match["items"]) or match["items"].splitlines()
        kept = [item.strip(" \t\r.。") for item in items if item.strip(_MARKS)]
        listed.extend(replace(asked, text=f"{about}: {item}" if about else item, clause=False) for item in kept)
        return "\n"

    rest = _BLOCK.sub(lambda found: take(found) if _is_bare(found["lead"]) else found[0], _LIST.sub(take, _lines(text)))
    before = ""
    found: list[Request] = []
    for sentence in sentences(_GOES_ON.sub(r"\1 ", rest)):
        found.extend(_requests(sentence, before))
        before = sentence
    return found + listed


def statements(text: str) -> list[Request]:
    """What a user says of themselves that is otherwise now, or so no longer: no request, but it may mean one. What a
    sentence says in the place of something that has ended is the `to` of that."""
    found: list[Request] = []
    for sentence in sentences(_lines(text)):
        if asks(sentence) or not may_tell_a_change(sentence) or _asked(sentence) is not None:
            continue
        code = language(sentence) or "en"
        clauses = [clause for clause in _CLAUSE.split(sentence) if speaks_of_self(clause, code)]
        kinds = [(_changed(clause, code), _asking(code).now.sub("", clause.strip(_MARKS))) for clause in clauses]
        instead = next((text for kind, text in kinds if kind is not Ask.ENDED), "")
        ended = [Request(Ask.ENDED, text, code, sure=False, to=instead) for kind, text in kinds if kind is Ask.ENDED]
        found += ended or [Request(kind, text, code, sure=False) for kind, text in kinds if kind]
    return found


def _changed(clause: str, code: str) -> Ask | None:
    rough = rough_english(clause) if code not in _PLAIN_ENDED else ""
    if ENDED.search(rough) or (code in _PLAIN_ENDED and any(way in clause for way in tables()[code]["ended"])):
        return Ask.ENDED
    return Ask.NOW if _asking(code).now.search(clause.rstrip(_MARKS)) else None


def sentences(text: str) -> list[str]:
    """The sentences of a text, each on one line, without the marks of lists and quotes before it."""
    found: list[str] = []
    for piece in (" ".join(piece.split()) for piece in _SENTENCE_END.split(text)):
        if found and _SHORTENED.search(found[-1]):
            found[-1] += f" {piece}"
        else:
            found.append(piece)
    bare = [_LIST_MARKS.sub("", piece).rstrip("| \t") for piece in found]
    return [piece for piece in bare if any(char.isalnum() for char in piece)]


def asks(sentence: str) -> bool:
    """Whether a sentence is a question."""
    return _QUESTION.search(sentence) is not None


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("’", "'")


def _is_bare(lead: str) -> bool:
    """Whether a line that ends in a colon asks for what follows it, and for nothing else."""
    asked = _asked(lead.rstrip(":： \t") + ": …")
    return asked is not None and _points(asked)


def _points(asked: Request) -> bool:
    """Whether a request names nothing but what follows it: "remember these things: …"."""
    text = asked.text.rstrip("…" + _MARKS)
    pointed = _asking(asked.language).this.match(text)
    return not text or (pointed is not None and len(text) - pointed.end() <= _A_WORD)


def _requests(sentence: str, before: str) -> Iterator[Request]:
    """The requests of one sentence. One that only points ("remember that") asks for what was said before it."""
    asked = _asked(sentence)
    if asked is None:
        return
    for joint in _JOINS.finditer(asked.text):
        following = _asked(asked.text[joint.end() :].strip())
        if following is not None and following.sure and joint.start() > _NOTHING_LEFT:
            asked = replace(asked, text=asked.text[: joint.start()])
            yield from _pointing(asked, before)
            yield from _requests(sentence[sentence.index(joint.string[joint.end() :]) :], asked.text)
            return
    yield from _pointing(asked, before)


def _pointing(asked: Request, before: str) -> Iterator[Request]:
    words = _asking(asked.language)
    text = asked.text.strip(_MARKS)
    if not text or words.this.fullmatch(text):
        if asked.kind is Ask.KEEP and before and not asks(before) and _asked(before) is None:
            yield replace(asked, text=before.strip(_MARKS), clause=False)
        return
    pointed = words.this.match(text)
    if pointed and asked.kind is not Ask.CHANGE and len(text[pointed.end() :].split()) == 1 and " " in text:
        return  # "merk dir das nicht", "forget it already"
    if len(text) >= _NOTHING_LEFT or asked.language in UNSPACED:
        yield replace(asked, text=text)


# -- one sentence ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Asking:
    """The words of asking of one language, as patterns."""

    keys: tuple[str, ...]
    begins: re.Pattern[str]
    ends: re.Pattern[str] | None
    change: re.Pattern[str]
    please: re.Pattern[str]
    that: re.Pattern[str]
    about: re.Pattern[str]
    this: re.Pattern[str]
    wh: re.Pattern[str]
    now: re.Pattern[str]
    memory: re.Pattern[str]


def _asked(sentence: str) -> Request | None:
    sentence = _lines(sentence).strip()
    return _asked_after(sentence) or _asked_at_once(sentence)


def _asked_after(sentence: str) -> Request | None:
    """A request behind a single word ("Ah, and note that …") or a clause that only says when it is made: to be sure
    that the rest is one, it must tell something of the speaker, or be joined by a "that"."""
    lead_in = _LEAD_IN.match(sentence)
    asked = _asked_at_once(sentence[lead_in.end() :]) if lead_in else None
    if lead_in is None or asked is None or not (asked.clause or speaks_of_self(asked.text, asked.language)):
        return _asked_besides(sentence)
    lead = re.findall(r"\w+", rough_english(lead_in["lead"]).casefold())
    passed_on = len(lead) == 1 and lead_in[0].rstrip()[-1] not in ":："
    return asked if passed_on or not _MEANWHILE.isdisjoint((*lead[:1], *lead[-1:])) else _asked_besides(sentence)


def _asked_besides(sentence: str) -> Request | None:
    """A request in the middle of a sentence, where a word of politeness or of passing on stands before it: "what can I
    order, oh and please remember that I eat no meat". What is asked besides is no part of it."""
    if len(sentence) > _LONGEST_BESIDES:
        return None
    codes = languages_asking(sentence)
    for at in islice(_NEXT_CLAUSE.finditer(sentence), _MOST_CLAUSES):
        rest = sentence[at.end() :]
        if not any(_asking(code).please.match(rest) for code in codes):
            continue
        asked = _asked_at_once(_told(rest))
        if asked is not None and asked.clause and asked.sure:
            return asked
    return None


def _told(text: str) -> str:
    """A text without the question in which it ends."""
    if not asks(text):
        return text
    parts = _NEXT_CLAUSE.split(text.rstrip(_MARKS))
    return ", ".join(parts[:-1]) or text.rstrip(_MARKS)


def _asked_at_once(sentence: str) -> Request | None:
    codes = languages_asking(sentence)
    own = language(sentence) if len(codes) > 1 else None  # to know that takes time
    for code in sorted(codes, key=lambda code: (code != own, code != "en")):
        if asked := _asked_in(code, sentence):
            return asked
    return None


def _asked_in(code: str, sentence: str) -> Request | None:
    words = _asking(code)
    if changed := words.change.fullmatch(sentence.rstrip(_MARKS)):
        return Request(Ask.CHANGE, changed["what"].strip(), code, sure=False, to=changed["to"].strip(_MARKS))
    match = words.begins.match(sentence)
    if match is None:
        return _asked_at_the_end(code, sentence)
    how = match.lastgroup or ""
    if how == "lasting":
        return Request(Ask.KEEP, sentence, code) if not asks(sentence) else None
    if asks(sentence) and not how.startswith("ask") and not words.please.match(sentence):
        return None
    kind = Ask.FORGET if "forget" in how else Ask.KEEP
    text, clause, named = _object(words, sentence[match.end() :], kind)
    if text is None:
        return None
    sure = not how.endswith("_") or named
    if not sure and kind is Ask.KEEP and not speaks_of_self(text, code):
        return None
    return Request(kind, text, code, clause, sure)


def _asked_at_the_end(code: str, sentence: str) -> Request | None:
    ends = _asking(code).ends
    match = ends.match(sentence) if ends else None
    if match is None or (asks(sentence) and code not in {"ja", "ko", "tr"}):
        return None
    text, kind = match["what"].strip(_MARKS), Ask.FORGET if match.lastgroup == "drop" else Ask.KEEP
    if code not in {"ja", "ko", "tr", "hi"} and not speaks_of_self(text, code):
        return None
    return Request(kind, text, code) if text else None


def _object(words: _Asking, rest: str, kind: Ask) -> tuple[str | None, bool, bool]:
    """What stands behind the words of asking: the text (None: it asks for something else), whether it is a clause,
    and whether the memory was named."""
    rest, named = words.memory.subn("", rest, count=1)
    rest = words.please.sub("", rest.strip(" \t,，"), count=1).strip()
    colon = re.search("[:：]", rest)
    head, tail = (rest[: colon.start()].rstrip(), rest[colon.end() :].lstrip()) if colon else (rest, "")
    if colon and (not head.strip(_MARKS) or words.this.fullmatch(head.strip(_MARKS))):
        return tail.strip(), False, bool(named)
    rest = rest.lstrip(_MARKS.replace('"', ""))
    joined = words.that.match(rest)
    if joined and rest[joined.end() :].strip(_MARKS) and not words.this.fullmatch(rest.strip(_MARKS)):
        return rest[joined.end() :].lstrip(" ,:"), True, bool(named)
    if words.wh.match(rest):
        return None, False, False
    if kind is Ask.FORGET and (about := words.about.match(rest)):
        rest = rest[about.end() :].strip()
    return rest, False, bool(named)


# -- the words ---------------------------------------------------------------------------------------------------------


@cache
def _asking(code: str) -> _Asking:
    table = tables()[code]
    space = r"\s*" if code in UNSPACED else r"\s+"
    edge = "" if code in UNSPACED | {"ko"} else r"(?!\w)"

    def any_of(*kinds: str) -> str:
        ways = sorted({way for kind in kinds for way in table.get(kind, ())}, key=len, reverse=True)
        return "|".join(_flexible(way, please, space) for way in ways) or r"(?!)"

    please = "|".join(re.escape(way) for way in sorted(table["please"], key=len, reverse=True))
    lead = rf"(?:(?:{please}){edge}[\s,!:，、：]*)*"
    groups = {
        "ask": "ask",
        "askforget": "ask-forget",
        "lasting": "lasting",
        "keep": "keep",
        "forget": "forget",
        "keep_": "keep?",
        "forget_": "forget?",
    }
    begins = "|".join(f"(?P<{name}>(?:{any_of(kind)}){edge})" for name, kind in groups.items())
    tail = rf"(?:[\s,]*(?:{any_of('this')}|{please}))*\W*$"
    if "after" in table:
        after = rf"(?:(?P<keep>{any_of('after')})|(?P<drop>{any_of('drop')}))"
        ends = rf"^(?P<what>.{{2,}}?)(?:\s|[,，、;–—-])*(?:(?:{please})\s*)*{after}{tail}"
        if code in UNSPACED:
            ends = rf"^(?P<what>.{{2,}}?){after}(?:{please})*\W*$"
    else:
        ends = rf"^(?P<what>.{{8,}}?)\s*[,;–—-]+\s*{lead}(?P<keep>{any_of('keep', 'ask')}){tail}"
    into = "|".join(_INTO.split())
    memory = any_of("memory")
    return _Asking(
        keys(code),
        re.compile(f"^{lead}(?:{begins})", re.IGNORECASE),
        re.compile(ends, re.IGNORECASE),
        re.compile(f"{lead}{table['change'][0]}", re.IGNORECASE),
        re.compile(rf"^(?:{please}){edge}[\s,!]*", re.IGNORECASE),
        re.compile(rf"^(?:{any_of('that')})(?:{edge}|(?<='))", re.IGNORECASE),
        re.compile(rf"^(?:{any_of('about')}){edge}", re.IGNORECASE),
        re.compile(rf"(?:(?:{any_of('this')}){edge}\s*)+", re.IGNORECASE),
        re.compile(rf"^(?:{any_of('wh')}){edge}", re.IGNORECASE),
        re.compile(rf"^(?:(?:{any_of('now')}){edge}[\s,:，：]*)+|[\s,，]*(?<!\w)(?:{any_of('now')})$", re.IGNORECASE),
        re.compile(
            rf"\s*(?:(?:{any_of('this')}){space})?(?<!\w)(?:{into})\s+(?:\w{{1,7}}\s+)?(?:long[- ]term\s+)?"
            rf"(?:{memory})(?!\w)",
            re.IGNORECASE,
        ),
    )


def _flexible(way: str, please: str, space: str) -> str:
    """A way of saying something, with a word of politeness between any two of its words."""
    between = rf"{space}(?:(?:{please}){space})?" if please else space
    return between.join(re.escape(word) for word in way.split())
