"""What a user says of themselves, as an entry says it: "I prefer tabs" becomes "Prefers tabs". Pure.

Only the person of the verb changes, and its place where a clause had put it last ("dass ich in Berlin wohne": "Wohnt in
Berlin"). Which form a verb has is not guessed: the lists (`language/glosses`) must have both, the one that means
"live" and the one that means "lives". Where that is not certain, or where somebody speaks of more than themselves
("with my sister"), their own words stay.
"""

import re
from collections.abc import Mapping
from functools import cache
from itertools import takewhile

from commonplace.language.glossing import english, glosses

_I = {
    "en": r"I(?=\s|')",
    "de": r"ich\s",
    "nl": r"ik\s",
    "sv": r"jag\s",
    "fr": r"(?:moi,?\s)?(?:je\s|j')",
    "es": r"(?:yo\s)?",
    "it": r"(?:io\s)?",
    "pt": r"(?:eu\s)?",
    "pl": r"(?:ja\s)?",
    "ru": r"(?:я\s)?",
}
_OF_SELF = re.compile(r"\b(?:I|[Mm]y|[Mm]e|[Mm]ine|[Mm]yself|[Ww]e|[Oo]ur|[Uu]s|[Oo]urs)\b")
_SELF = {
    "en": r"I|I'\w+|my|me|mine|myself|we|we'\w+|our|ours|us|you|your|he|she|they|it",
    "de": r"ich|mir|mein\w*|wir|uns|unser\w*|du|dir|dein\w*",
    "nl": r"ik|mij|me|mijn|wij|we|ons|onze|je|jij|jouw",
    "sv": r"jag|mig|min|mitt|mina|vi|oss|vår\w*|du|din",
    "fr": r"je|j|moi|me|m|mon|ma|mes|nous|notre|nos|tu|ton|ta|tes",
    "es": r"yo|me|mi|mis|mío|mía|conmigo|nos|nuestr\w+|nosotr\w+|tu|te",
    "it": r"io|mi|mio|mia|miei|mie|noi|ci|nostr\w+|tu|ti",
    "pt": r"eu|me|mim|meu|minha|meus|minhas|comigo|nós|nosso\w*|nossa\w*|tu|te",
    "pl": r"ja|mnie|mi|mój|moj\w+|my|nas|nasz\w*|się|ty|ci",
    "ru": r"я|меня|мне|мной|мой|мо[яюеёи]\w*|мы|нас|нам|наш\w*|ты|себ\w+",
}
# What stands between a speaker and the verb.
_BETWEEN = {
    "en": r"(?:always|never|often|usually|sometimes|also|still|just|only|now|mostly|actually|really|currently)",
    "es": r"(?:no|ya|ya no|también|siempre|nunca)",
    "it": r"(?:non|anche|sempre|mai)",
    "pt": r"(?:não|já|também|sempre|nunca|já não)",
    "pl": r"(?:nie|też|zawsze|nigdy)",
    "ru": r"(?:не|тоже|всегда|никогда|уже)",
}
_SV_BETWEEN = re.compile(r"(inte|aldrig|alltid|ofta|inte längre|också)\s+(\w+)(.*)", re.IGNORECASE | re.DOTALL)
# The forms that no rule gives.
_FORMS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "am": "is",
        "have": "has",
        "do": "does",
        "don't": "doesn't",
        "haven't": "hasn't",
        "'m": "is",
        "'ve": "has",
        "'ll": "will",
        **dict.fromkeys(("was", "had", "did", "didn't", "wasn't"), ""),
        **dict.fromkeys(
            "can can't cannot could couldn't will won't would wouldn't should shouldn't must may might".split(), ""
        ),
    },
    "de": {
        "bin": "ist",
        "habe": "hat",
        "hab": "hat",
        "werde": "wird",
        **dict.fromkeys("will kann muss mag darf soll möchte könnte sollte würde war hatte weiß weiss".split(), ""),
    },
    "nl": {"ben": "is", "heb": "heeft", **dict.fromkeys("kan wil zal mag moet weet was had zou".split(), "")},
    "fr": {"suis": "est", "ai": "a", "vais": "va", "fais": "fait"},
    "es": {"soy": "es", "estoy": "está", "tengo": "tiene", "he": "ha", "voy": "va", "hago": "hace"},
    "it": {"sono": "è", "ho": "ha", "vado": "va", "faccio": "fa", "sto": "sta"},
    "pt": {"sou": "é", "estou": "está", "tenho": "tem", "vou": "vai", "faço": "faz"},
    "pl": {"jestem": "jest", "mam": "ma"},
}
_SAME_IN_THE_PAST = frozenset("read put cut set let hit cost hurt quit shut split spread beat bet cast".split())
# How the first and the third person end.
_ENDINGS = {
    "de": (r"e", r"t"),
    "nl": (r"[^t]", r"t"),
    "es": (r"o", r"[ae]"),
    "it": (r"o", r"[ae]"),
    "pt": (r"o", r"[ae]"),
    "pl": (r"[mę]", r"[aeiy]"),
    "ru": (r"[ую](?:сь)?", r"т(?:ся)?"),
}
_GERMAN_PREFIX = re.compile(
    r"(ab|an|auf|aus|bei|ein|fern|fest|her|hin|los|mit|nach|vor|weg|zu|zurück|zusammen)(\w{3,})"
)
_DROPPED = {  # the speaker, where verbs have no person
    "zh": re.compile("^我(?![们們的家和跟与])"),
    "ja": re.compile("^(?:私|僕|俺|わたし)は、?"),
    "ko": re.compile(r"^(?:저는|나는|제가|내가)\s+"),
}
_STILL_THERE = re.compile("[我私僕俺]|나는|저는|제가|내가|우리")
_THAT = {"de": "Dass", "nl": "Dat"}  # a clause stays one, unless its verb is found
_NOMINAL = {
    "ja": re.compile("(?:だ|である)?(?:という|って)?こと$"),
    "ko": re.compile(r"(?<=다)는\s?(?:것을?|거를?|걸)$"),
}


def retold(text: str, code: str, *, clause: bool = False) -> str:
    """The text as an entry, in the third person where that is certain; `clause`: it stood behind a "that"."""
    text = text.strip()
    if code in _NOMINAL:
        text = _NOMINAL[code].sub("", text)
    if code in _DROPPED:
        bare = _DROPPED[code].sub("", text)
        return bare if bare and not _STILL_THERE.search(bare) else text
    found = _third_person(text, code, clause=clause) if code in _I else None
    if found is None and code in {"de", "nl"} and clause:
        found = _main_clause(text, code) or f"{_THAT[code]} {text}"
    if code == "en" and found is None:
        found = _told_to(text)
    found = found or text
    return found[:1].upper() + found[1:]


def speaks_of_self(text: str, code: str) -> bool:
    """Whether a text is about whoever says it."""
    rough = english(text, code if code != "en" else None)
    if _OF_SELF.search(rough) or re.search("[我私僕俺]|나는|저는|제가|내가|내 |제 ", text):
        return True
    return (
        any(third_of(word, code) for word in re.findall(r"[^\W\d_]+", text.lower())[:3]) if code in _ENDINGS else False
    )


def third_of(verb: str, code: str) -> str | None:
    """The third person of a verb in the first, if both are known; None if it is none, or not certainly."""
    verb = verb.lower()
    known = _FORMS.get(code, {}).get(verb)
    if known is not None:
        return known or verb
    if code == "en":
        return _english_third(verb) if _is_english_verb(verb) and verb not in _SAME_IN_THE_PAST else None
    if code == "fr":
        return _french_third(verb)
    if code == "sv":
        return verb
    if code == "nl" and verb.endswith("t"):
        return verb if _is_english_verb(glosses(code).get(verb, "")) else None
    return _verbs(code).get(verb) or (_german_third(verb) if code == "de" else None)


def _third_person(text: str, code: str, *, clause: bool) -> str | None:
    begun = re.match(_I[code], text, re.IGNORECASE if code != "en" else 0)
    if begun is None:
        return None
    rest = text[begun.end() :].strip()
    if re.search(rf"(?<![\w'])(?:{_SELF[code]})(?!\w)", re.sub(r"^'\w+", "", rest), re.IGNORECASE):
        return None
    if code in {"de", "nl"}:
        return _moved(rest, code) if clause else _first(rest, code, "")
    if code == "sv":
        between = _SV_BETWEEN.fullmatch(rest) if clause else None
        return f"{between[2]} {between[1]}{between[3]}" if between else rest
    between = re.match(rf"(?:(?:{_BETWEEN[code]})\s+)+", rest, re.IGNORECASE) if code in _BETWEEN else None
    skipped = between[0] if between else ""
    return _first(rest[len(skipped) :], code, skipped)


def _first(rest: str, code: str, skipped: str) -> str | None:
    """The text with its first word, a verb, in the third person."""
    verb = re.match(r"'?[^\W\d_]+(?:['-][^\W\d_]+)?", rest)
    third = third_of(verb[0], code) if verb else None
    if verb is None or third is None:
        return None
    if code == "de":
        rest = re.sub(r"\bmich\b", "sich", rest)
    return skipped + third + rest[verb.end() :]


def _moved(rest: str, code: str) -> str | None:
    """A clause with its verb, which stood last, at the beginning and in the third person."""
    found = _last_verb(rest)
    if found is None:
        return None
    before, verb, after = found
    if code == "de":
        before = re.sub(r"\bmich\b", "sich", before)
    third = third_of(verb, code)
    if third is not None:
        return f"{third} {before}".strip() + after
    parted = _GERMAN_PREFIX.fullmatch(verb.lower()) if code == "de" else None
    third = third_of(parted[2], code) if parted else None
    return " ".join(filter(None, (third, before, parted[1]))) + after if parted and third else None


def _main_clause(text: str, code: str) -> str | None:
    """ "ich mit meiner Schwester in Bonn wohne" with its verb in the second place."""
    begun = re.match(_I[code], text, re.IGNORECASE)
    found = _last_verb(text[begun.end() :].strip()) if begun else None
    if begun is None or found is None:
        return None
    before, verb, after = found
    if third_of(verb, code):
        return f"{begun[0].strip()} {verb} {before}".strip() + after
    return None


def _last_verb(rest: str) -> tuple[str, str, str] | None:
    """What a clause has before its verb, the verb, and what comes after a comma or full stop."""
    end = re.search(r"[,;.:()]", rest)
    head = rest[: end.start() if end else len(rest)].rstrip()
    verb = re.search(r"(?<![^\W\d_])[^\W\d_]+$", head) if end is None or end[0] != ")" else None
    return (head[: verb.start()].strip(), verb[0], rest[len(head) :].rstrip()) if verb else None


def _told_to(text: str) -> str | None:
    """ "to lock the door", "not to shout": as one would say it to somebody."""
    if match := re.match(r"not\s+to\s+(\S.*)", text, re.IGNORECASE | re.DOTALL):
        return f"Don't {match[1]}"
    match = re.match(r"to\s+(\S.*)", text, re.IGNORECASE | re.DOTALL)
    return match[1] if match else None


# -- forms of verbs ----------------------------------------------------------------------------------------------------


def _english_third(verb: str) -> str:
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2:-1] not in set("aeiou") else f"{verb}s"


def _french_third(verb: str) -> str | None:
    """First and third person of French verbs are alike but for a last "s" or "x"."""
    known = verb in glosses("fr")
    if not known or verb.endswith("e"):
        return verb if known else None
    if verb.endswith(("ds", "ts", "cs")):
        return verb[:-1]
    return f"{verb[:-1]}t" if verb.endswith(("s", "x")) else None


def _german_third(verb: str) -> str | None:
    """ "heiße", "heißt": where the list has the form that the rule makes, as something that one person does."""
    made = (verb.removesuffix("e") + ending for ending in ("t", "et")) if verb.endswith("e") else ()
    return next((form for form in made if re.match(r"is\b|\w+s$", glosses("de").get(form, ""))), None)


def _is_english_verb(word: str) -> bool:
    """Whether another language conjugates what this word means."""
    return any(word in _conjugated(code) for code in ("de", "es", "it", "pl"))


@cache
def _conjugated(code: str) -> frozenset[str]:
    words = glosses(code)
    return frozenset(words[verb] for verb in _verbs(code))


@cache
def _verbs(code: str) -> Mapping[str, str]:
    """The verbs of a list: their first person, and the third."""
    words = glosses(code)
    first, third = (re.compile(rf"\w+{ending}") for ending in _ENDINGS[code])
    thirds: dict[str, list[str]] = {}
    for word, meaning in words.items():
        if meaning.endswith("s") and third.fullmatch(word):
            thirds.setdefault(meaning, []).append(word)
    found: dict[str, str] = {}
    for word, meaning in words.items():
        if first.fullmatch(word) and " " not in meaning:
            alike = [other for other in thirds.get(_english_third(meaning), ()) if _of_one_verb(word, other)]
            if alike:
                found[word] = max(alike, key=lambda other: (_shared(word, other), -len(other)))
    return found


def _of_one_verb(first: str, third: str) -> bool:
    """Whether two forms have the same stem, vowels aside: "esse" and "isst", "prefiero" and "prefiere"."""
    if _shared(first, third) >= max(2, len(first) - 3):
        return True
    return _stem(first) == _stem(third.removesuffix("t")) != ""


def _shared(one: str, other: str) -> int:
    """How many letters two words begin with in common."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _stem(word: str) -> str:
    return re.sub(r"(.)\1+", r"\1", re.sub(r"[aeiouyäöüh]", "", word))
