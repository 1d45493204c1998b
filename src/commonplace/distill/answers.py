"""Whether what a model wrote is an answer to what it was asked: one check for every flow. Pure.

Refusals, apologies, error pages, tool calls written as text and repeated instructions are not. Lists of such phrases
never end, so two things that do not depend on wording are looked at: whether the answer says anything of what it was
given, and whether somebody speaks in it of what they themselves cannot do. Other languages are read as rough English.
"""

import json
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from commonplace.framing import visible
from commonplace.language import terms
from commonplace.language.glossing import rough_english
from commonplace.language.wording import light

_CHARACTERS = 4  # of a token
_ENOUGH = 8  # terms: of less nobody can tell whether an answer speaks of it
_FEW, _SHARE = 2, 0.12
_SHORT = 4  # terms: of an answer that short one may be enough
_REPEATED = 0.5
_PAGE = re.compile(r"^\s*(?:<!doctype|<html|<\?xml)|</(?:html|body|head)>", re.IGNORECASE)
_CALL = re.compile(
    r"</?(?:tool_call|function_calls?|invoke|tool_use|function=\w+)[\s>/]|<\|[\w ]{3,40}\|>|\[TOOL_CALLS?\]",
    re.IGNORECASE,
)
_FENCED = re.compile(r"^\s*(`{3,}|~{3,})\w*\n(?P<inside>.*?)\n\s*\1\s*$", re.DOTALL)
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)]|#{1,6}|>)\s+|[*_]{2,}")
_NAMES = re.compile(r"(?<=[\w,;] )[^\W\d_a-z]\w{2,}|\b(?=\w*\d)\w+")
_ASKS = re.compile(r"[?？؟]\W*$")
_SENTENCE = re.compile(r"(?<=[.!?…。！？])\s*|\n+")
_SORRY = frozenset(
    "sorry apologize apologise apologies apology regret unfortunately afraid excuse forgive pardon".split()
)
_UNABLE = frozenset("cannot cant unable wont decline refuse couldnt".split())
_CAN = frozenset("can could able may allowed possible permitted capable comfortable will".split())
_NOT = frozenset("not no never dont didnt doesnt isnt".split())
_MINE = frozenset("i im ive me my we our us".split())
_OFFICE = frozenset(
    terms(
        "help assist request task comply fulfil provide answer continue process information conversation summarise"
        " summary language model AI assistant content guideline policy discuss generate support message text error"
    )
)


def cleaned(answer: str) -> str:
    """An answer without control characters and those that turn a line around: no file gets them from a model."""
    return visible(answer.replace("\r\n", "\n").replace("\r", "\n"))


def trouble(answer: str, given: Sequence[str], instructions: str, max_tokens: int) -> str:
    """Why this is no answer to a question about the texts that were `given`; empty if it is one."""
    bare = _unfenced(answer).strip()
    if not bare:
        return "an empty answer"
    if len(bare) > _CHARACTERS * max_tokens:
        return "an answer far longer than what was asked for"
    if _PAGE.search(bare[:2000]) or _PAGE.search(bare[-200:]):
        return "the page of an error"
    if _CALL.search(bare) or _is_data(bare):
        return "a tool call written as text"
    if _repeats(bare, instructions):
        return "its instructions instead of an answer"
    if _addresses_somebody(bare):
        return "chatter instead of an answer"
    said = _telling(given)
    if any(refuses(line, said) for line in _lines(bare)):
        return "a refusal or an apology"
    listed = any(_BULLET.match(line) for line in bare.split("\n"))
    if not listed and _copies(bare, given):
        return "the conversation instead of an answer"
    if (len(said) >= _ENOUGH or (said and not listed)) and not _speaks_of(bare, said):
        return "an answer that says nothing of what was said"
    return ""


def refuses(line: str, said: frozenset[str] = frozenset()) -> bool:
    """Whether somebody says here that they cannot or will not, or that they are sorry, and it is nothing of what was
    said. A diary tells of others; only who refuses speaks of themselves."""
    english = _plain(rough_english(line)).split()
    able = bool(_CAN & set(english)) and bool(_NOT & set(english))
    official = len(set(terms(" ".join(english))) & _OFFICE - said) > 1 and bool(_NOT & set(english))
    if not (able or official or _UNABLE & set(english) or _SORRY & set(english[:8])):
        return False
    others = {"user", "users", "assistant", "he", "she", "they"} & set(english)
    mine = bool(_MINE & set(english)) or (rough_english(line) != line and not others)  # some leave the pronoun out
    own = set(terms(" ".join(english))) - light() - set(terms(" ".join(_SORRY | _UNABLE | _CAN | _NOT)))
    strange = own - said
    sorry = _SORRY & set(english[:4]) - said
    return mine and bool(not own or sorry or own & _OFFICE & strange or len(strange) * 2 > len(own))


def says_nothing(fact: str) -> bool:
    """Whether a line only says that there is nothing: "None of the facts are stable", "keine langfristigen Fakten"."""
    english = _plain(rough_english(fact)).split()
    return not english or bool({"none", "no", "nothing", "not"} & set(english[:4]))


def _lines(text: str) -> list[str]:
    return [piece for line in _SENTENCE.split(text) if (piece := _BULLET.sub("", line).strip())]


def _telling(texts: Iterable[str]) -> frozenset[str]:
    """The terms that texts are about, in rough English, and their names."""
    found: set[str] = set()
    for text in texts:
        english = rough_english(text)  # its small words are known, those of other languages are not
        found.update(terms(english))
        found.update(name.casefold() for name in _NAMES.findall(text))
    return frozenset(found - light())


def _speaks_of(answer: str, said: frozenset[str]) -> bool:
    told = _telling(_told_in(answer)) - _OFFICE
    if not told:
        return False
    shared = {term for term in told if term in said or _is_form(term, said)}
    return len(shared) >= (_FEW if len(told) > _SHORT else 1) and len(shared) >= _SHARE * len(told)


def _told_in(answer: str) -> list[str]:
    """The lines of an answer that tell something: who asks or bids in plain sentences tells nothing by it."""
    lines = [line for line in answer.split("\n") if line.strip()]
    listed = [line for line in lines if _BULLET.match(line)]
    plain = [piece for line in lines if line not in listed for piece in _lines(line)]
    return [*listed, *(piece for piece in plain if not _ASKS.search(piece) and not _bids(piece))]


def _addresses_somebody(answer: str) -> bool:
    """Whether a plain text without any list speaks as "I" to a "you": a diary tells of others."""
    if any(_BULLET.match(line) for line in answer.split("\n")):
        return False
    words = set(_plain(rough_english(answer)).split())
    return bool(_MINE & words) and bool({"you", "your"} & words)


def _bids(sentence: str) -> bool:
    return "please" in _plain(rough_english(sentence)).split()


def _is_form(term: str, said: frozenset[str]) -> bool:
    start = term[: max(4, round(len(term) * 0.7))]
    return len(term) > 4 and any(other.startswith(start) for other in said)


def _repeats(answer: str, instructions: str) -> bool:
    """Whether most of an answer stands in its instructions, pair by pair of words."""
    known = set(pairwise(_plain(instructions).split()))
    said = list(pairwise(_plain(answer).split()))
    return len(said) > _ENOUGH and sum(pair in known for pair in said) >= _REPEATED * len(said)


def _copies(answer: str, given: Sequence[str]) -> bool:
    """Whether most lines of an answer are the lines that it was given, quoted."""
    told = {_plain(line).strip() for text in given for line in text.split("\n")}
    lines = [_plain(line).strip() for line in answer.split("\n") if line.startswith("|")]
    return bool(lines) and sum(line in told for line in lines) >= _REPEATED * len(lines)


def _is_data(text: str) -> bool:
    """Whether a text, or the whole of a part of it, is JSON."""
    for part in (text, *re.split(r"^#{1,3} .*$", text, flags=re.MULTILINE)):
        bare = _unfenced(part).strip().removeprefix("- ")
        if bare[:1] not in {"{", "["} or bare[-1:] not in {"}", "]"}:
            continue
        try:
            value: object = json.loads(bare)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict | list):
            return True
    return False


def _unfenced(text: str) -> str:
    match = _FENCED.match(text)
    return match["inside"] if match else text


def _plain(text: str) -> str:
    return re.sub(r"[^\w\s]+", " ", text.replace("’", "'").replace("'", "")).casefold()
