"""Secrets of several words: a sentence as a passphrase, words in a row, letters that are spelled, what is to be said.

What stands behind "passphrase:" is the passphrase, unless it tells where it is kept, who knows it or what it is like.
All functions take the text and the text in lower case with the same places, and yield (kind, start, end).
"""

import re
from collections.abc import Iterator

from commonplace.gate import secretwords as said
from commonplace.gate.secretplaces import Lowered, Sought
from commonplace.patterns import LazyPattern

_NUMBER = (
    r"(?:three|four|five|six|seven|eight|drei|vier|fünf|sechs|trois|quatre|cinq|six|tres|cuatro|cinco|seis|tre|quattro"
    r"|cinque|sei"
    r"|três|quatro|drie|vier|vijf|zes|trzy|cztery|pięć|czterech|четыр\w+|пят[иь]|\d)"
)
_WORDS = r"(?:words?|wörtern?|mots|palabras|parole|palavras|woorden|słowa|słów|слов\w?)"
_SENTENCE = r"(?:sentence|phrase|line|satz|phrase|frase|zin|zdanie|фраза)"
_NAME = Sought(
    "phrase name",
    rf"(?:{said.PASSWORDS}|frase[- ]passe|wachtzin|(?<![a-z])(?:safe|secret) phrase(?![a-z])"
    rf"|(?<![a-z])diceware(?![a-z])|master ?(?:password|passwort|key))",
)
_SENTENCE_END = LazyPattern(r"[.;!?](?:\s|$)|\n")
_IS_PHRASE = LazyPattern(r"phrase|frase|zin|satz|fraz|фраз")
_LINK = LazyPattern(
    r"(?:\s?[:：]|\s[—–-]|,?\s(?:is|was|are|reads|goes|consists of|made of|lautet|ist|sind|besteht aus|est|sont"
    r"|es|son|è|sono|é|são|luidt|zijn|(?P<to>to)|jest|это|из))\s"
    rf"(?P<filler>(?:(?:the|a|die|der|den|das|la|les|le|una?|las|los|el|le|il|as|os|o|de|het"
    rf"|een)\s)?(?:{_NUMBER}\s)?(?:{_WORDS}|{_SENTENCE})"
    r"\s?[,:—–-]?\s)?[\"'“„«]?\s?"
)
_PHRASE = LazyPattern(
    r"(?P<words>[^\W\d_]{1,14}(?:[ ](?:[^\W_]|['’]){1,14}){2,9})(?=[\"'”“»]?(?:\s?(?:$|[.;!\n])"
    r"|,?\s(?:with|all|in that|in this|no|without|mit|alles|in dieser|avec|tout|con|todo|tutto|com|tudo|met|in die|z"
    r"|w tej)\b))"
)


def sentences(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "Passphrase for the stick: …", "the master password is the four words …"."""
    done = 0
    for name in _NAME.found_in(low):
        if said.NOT_ITSELF.match(low, name.end()):
            continue
        end = _SENTENCE_END.search(text, name.end(), name.end() + 110)
        stop = end.start() if end else name.end() + 110
        for link in _LINK.finditer(low, max(done, name.end()), stop):
            if link["to"] and not name.group().startswith("has"):  # "is" in Polish alone
                continue
            phrase = _PHRASE.match(low, link.end(), link.end() + 110)
            is_phrase = (
                link["filler"] or _IS_PHRASE.search(name.group()) or _is_sentence(low[name.end() : link.end()], phrase)
            )
            if phrase is None or not is_phrase:
                continue
            about, words = low[name.end() : link.start()], phrase["words"]
            if said.BANNED_ABOUT.search(about) or said.REMARK.search(words):
                break
            if len(words.split()) >= (4 if _IS_PHRASE.search(name.group()) and not link["filler"] else 3):
                yield "passphrase", *phrase.span("words")
                done = phrase.end()
            break


def _is_sentence(link: str, phrase: re.Match[str] | None) -> bool:
    """Whether all that follows a colon is words, and none of them begins a remark."""
    if phrase is None or not _OF_ONE.match(link):
        return False
    first = phrase["words"].split()[0]
    is_whole = _WHOLE.match(phrase.string, phrase.end()) is not None
    return is_whole and first not in said.NOT_A_PASSWORD and first not in said.NOT_IN_PHRASES


_OF_ONE = LazyPattern(
    r"(?:\s(?:for|of|to|on|at|für|vom|von|pour|du|de|del|para|di|per|do|van|voor)\s[^:]{1,40}?)?\s?[:：]\s"
)
_WHOLE = LazyPattern(r"[\"'”“»]?\s?\.?\s?(?:$|\n)")
_LETTER = (
    r"(?:(?:(?:with )?(?:a )?(?:capital|upper-?case|lower-?case|big|small|gro(?:ß|ss)e[sr]?|kleine[sr]?|hoofdletter"
    r"|kleine letter|duże|małe"
    r"|заглавная|большая)\s)?\w(?:\s(?:majuscule|minuscule|mayúscula|minúscula|maiuscola|minuscola|maiúscula|minúscula"
    r"|as in \w{2,12}"
    r"|like \w{2,12}|wie \w{2,12}|comme \w{2,12}))?"
    r"|zero|one|two|three|four|five|six|seven|eight|nine|null|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|\d{1,4}"
    r"|(?:question|exclamation) mark|hash(?: sign)?|star|dash|hyphen|underscore|dollar(?: sign)?|fragezeichen"
    r"|ausrufezeichen|bindestrich"
    r"|unterstrich|raute|point d['’](?:interrogation|exclamation)|tiret|signo de (?:interrogación|exclamación)|guion"
    r"|guión"
    r"|punto (?:interrogativo|esclamativo)|trattino|ponto de (?:interrogação|exclamação)|hífen|vraagteken|uitroepteken"
    r"|streepje"
    r"|znak zapytania|wykrzyknik|kropka|point|punkt|punto|dot)"
)
_SPELLING = LazyPattern(rf"(?<![\w-])(?:{_LETTER},\s){{3,24}}(?:and |und |et |y |e |en |i )?{_LETTER}(?!\w)")
_SPELLED_SIGN = LazyPattern(
    r"capital|upper-?case|big |gro(?:ß|ss)e|majuscule|mayúscula|mai[uú]scula|maiuscola|hoofdletter|as in|mark|hash|\d"
    r"|zeichen|duże|заглав"
)
_RECIPE = LazyPattern(
    r"(?:\s?:|\sis|\sist|\sest|\ses|\sè|\sé)\s([^\n.;]{3,40}?(?:(?:with )?a capital [a-z]\b|first letter capital"
    r"|in lower ?case|großem? [a-z]\b"
    r"|[a-z] majuscule|[a-z] mayúscula|[a-z] maiuscola)[^\n.;]{0,60}?(?:\d|(?:mark|sign|zeichen)\b)[^\n.;]{0,40})"
)
_ACCESS = Sought(
    "spelled access",
    rf"{said.PASSWORDS}|(?<![a-z])(?:wi-?fi|wlan|wireless|hotspot|log-?in|netflix|spotify|router|ssid|pin)(?![a-z])"
    rf"|buchstabiert|spell(?:ed|ing)"
    r"|épelé|deletre|letter by letter",
)


def spelled(_text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "Password, letter by letter: capital K, o, a, l, a, 4"."""
    done = 0
    for cue in _ACCESS.found_in(low):
        if cue.start() < done:
            continue
        found = _SPELLING.search(low, cue.end(), cue.end() + 160)
        if found and _SPELLED_SIGN.search(found.group()):
            yield "password", *found.span()
            done = found.end()
        elif recipe := _RECIPE.match(low, cue.end(), cue.end() + 160):
            yield "password", *recipe.span(1)
            done = recipe.end()


_SAY = Sought(
    "say",
    r"(?:\b(?:say|says|said|saying|gives?|answers?|tell (?:them|the \w{2,12} \w{2,12})|sagen|sagt|dire|dit|decir|dice"
    r"|dire|dizer|diz|zeggen|zegt|powiedzieć"
    r"|mówi)|сказать|говорит)\s"
    r"[\"'“„«]?\s?(?P<value>(?!that|the|yes|no|so|hello|hi|it|he|she|they|what|when|if|dass|que|che|dat|że"
    r"|что)[^\s,.;:\"'“”«»]{4,20}"
    r"(?:\s[^\s,.;:\"'“”«»]{3,14}){0,2})(?=[\"'”“»]|\s?(?:$|[.,;\n]))",
)
_TO_BE_LET = LazyPattern(
    r"alarm (?:people|company|firm|centre|center|monitoring)|security (?:company|firm|guard|desk)|monitoring"
    r"|picks? up the (?:kids|children|child)"
    r"|collects? (?:the |them|him|her)|be let in|won['’]t open|at the door of the club|alarmzentrale|wachdienst"
    r"|sicherheitsdienst"
    r"|télésurveillance"
    r"|central de alarmas|centrale d['’]allarme|meldkamer"
)


def spoken(_text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "When the alarm company rings, say …"."""
    for found in _SAY.found_in(low):
        if _TO_BE_LET.search(low, max(0, found.start() - 110), found.end() + 60):
            yield "password", *found.span("value")


def in_words(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """What any of the rules above finds."""
    for rule in (sentences, spelled, spoken):
        yield from rule(text, low)
