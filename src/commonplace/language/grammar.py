"""Of which time a sentence speaks: the tenses of its verbs. English; other languages as rough English. Pure.

Only closed classes are listed: auxiliaries, and the verbs whose past has a form of its own. Nothing here knows what is
a verb: a word counts as one only where another text has the same word in another form.
"""

import re
from functools import cache, lru_cache

from commonplace.language import stem
from commonplace.language.glossing import rough_english

_NOW, _THEN, _SOON, _STATE = (frozenset({word}) for word in ("now", "then", "soon", "state"))
_BARE, _UNREAL = frozenset({"bare"}), frozenset({"bare", "unreal"})
_NEVER = frozenset[str]()
# Base, past and, where it is another one, participle.
_IRREGULAR = """
be was been|be were been|have had|do did done|go went gone|come came come|become became become|begin began begun
break broke broken|bring brought|build built|buy bought|catch caught|choose chose chosen|dig dug|draw drew drawn
drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found
fly flew flown|forget forgot forgotten|freeze froze frozen|get got gotten|give gave given|grow grew grown|hang hung
hear heard|hide hid hidden|hold held|keep kept|know knew known|lead led|leave left|lend lent|lose lost|make made
mean meant|meet met|pay paid|ride rode ridden|ring rang rung|rise rose risen|run ran run|say said|see saw seen
seek sought|sell sold|send sent|shake shook shaken|shine shone|shoot shot|show showed shown|sing sang sung
sink sank sunk|sit sat|sleep slept|speak spoke spoken|spend spent|stand stood|steal stole stolen|swear swore sworn
swim swam swum|take took taken|teach taught|tell told|think thought|throw threw thrown
understand understood|wake woke woken|wear wore worn|win won|write wrote written|bear bore born
"""
_IS, _WAS, _HAS = frozenset("is are am s re".split()), frozenset("was were".split()), frozenset("has have ve".split())
_FUTURE = frozenset("will shall ll".split())
_MODAL = frozenset("would should can could must might may d".split())
_OPEN = frozenset(  # after these a form of a verb says nothing about a time
    "to be been being do does not get gets wants please"
    " a an the of in on at by for with from as my his her its our their your and or no more".split()
)
_BETWEEN = frozenset("not never always also already still now just only usually often n t".split())
_HELPING = frozenset({"be", "have"})
_AFTER_HELPING = frozenset({"both", "participle", "ing"})
_LASTING = frozenset({"since", "for"})
_WORD = re.compile(r"[^\W\d_]+|[,.;:()!?]")
_ENDS = frozenset(",.;:()!?")


@cache
def _forms() -> dict[str, tuple[str, str]]:
    """For each past form of its own: its base, and whether it is the past, the participle or both."""
    table: dict[str, tuple[str, str]] = {}
    for verb in re.split(r"[|\n]", _IRREGULAR.strip()):
        base, past, participle = (*verb.split(), verb.split()[1])[:3]
        table[past] = base, "both" if past == participle else "past"
        if participle not in {past, base}:
            table[participle] = base, "participle"
    return table


@lru_cache(maxsize=4096)
def tenses(text: str) -> dict[str, frozenset[str]]:
    """Of which times a text speaks with each word that may be a verb, by its stem; what tells no time is left out."""
    words = [word.lower() for word in _WORD.findall(rough_english(text))]
    lasting = not _LASTING.isdisjoint(words)
    found: dict[str, frozenset[str]] = {}
    for at, word in enumerate(words):
        if word not in _ENDS | _BETWEEN:
            verb, form = _form(word)
            before = [w for w in words[max(0, at - 3) : at] if w not in _BETWEEN]
            after = next((w for w in words[at + 1 : at + 3] if w not in _BETWEEN), "")
            helps = verb in _HELPING and _form(after)[1] in _AFTER_HELPING
            is_noun = form == "base" and verb not in _HELPING and after in _IS | _WAS | _HAS
            if when := _NEVER if helps or is_noun else _times(form, before, lasting, third=word.endswith("s")):
                found[verb] = found.get(verb, _NEVER) | when
    return found


def changed_tenses(new: str, old: str, *, wished: bool = False) -> list[str]:
    """The stems of the verbs with which two texts speak of different times, or of what is done and what should or would
    be; not the latter if `new` says of what it tells that it is `wished` for."""
    now, then = tenses(new), tenses(old)
    meant = {verb: times | _NOW if wished and times >= _UNREAL else times for verb, times in then.items()}
    return sorted(verb for verb in now.keys() & then.keys() if now[verb].isdisjoint(meant[verb]))


def is_participle(word: str) -> bool:
    """Whether a word may be one: built, written, used."""
    return _form(word.lower())[1] in {"both", "participle"}


def _form(word: str) -> tuple[str, str]:
    """The stem of a word, and what form of a verb it would be."""
    if word in _IS:
        return "be", "base"
    if word in _HAS:
        return "have", "base"
    if found := _forms().get(word):
        return stem(found[0]), found[1]
    if word.endswith("ed") and len(word) > 4 and not word.endswith("eed"):
        return stem(word), "both"
    if word.endswith("ing") and len(word) > 5:
        return stem(word), "ing"
    return stem(word), "base"


def _times(form: str, before: list[str], lasting: bool, *, third: bool) -> frozenset[str]:
    """Of which times a form may speak after these words; `third`: it is the third person, and no request. `Employed
    by` and `Worked at` look alike: what stands alone may be a state or over, but not what is done now; what has been
    done since then is also done now."""
    last = before[-1] if before and before[-1] not in _ENDS else ""
    if form == "base":
        if last in _MODAL:
            return _UNREAL
        if last in _FUTURE or before[-2:] == ["going", "to"]:
            return _SOON
        if last in _OPEN:
            return _NEVER
        return _THEN if last == "did" else _NOW if third else _NOW | _BARE
    if form == "past" or last in _WAS or last == "had":
        return _THEN
    if form == "ing":
        return _NOW | _STATE if last in _IS or not last else _NEVER
    if last in _IS:
        return _NOW | _STATE
    if last in _HAS:
        return _THEN | _NOW if lasting else _THEN
    return _NEVER if last in _OPEN or form == "participle" else _THEN | _STATE
