"""Yes and no, and what is the opposite of what: word lists in the languages people keep memories in. Pure.

The lists are short because they only have to hold what turns a fact round; what a word means is told by its vector.
"""

import re
from functools import cache

from commonplace.language import stem
from commonplace.patterns import LazyPattern

NEGATIONS = frozenset(
    """
    no not never none nor without cannot neither nothing nobody nowhere isn't aren't wasn't weren't don't doesn't
    didn't won't can't couldn't shouldn't wouldn't hasn't haven't hadn't mustn't ain't isnt arent wasnt werent dont
    doesnt didnt wont cant couldnt shouldnt wouldnt hasnt havent hadnt mustnt aint non avoid avoids refuse refuses
    nicht kein keine keinen keiner keinem keines nie niemals ohne weder nichts niemand
    no ni nunca sin tampoco jamás jamas nada ningún ninguna ninguno
    ne pas jamais sans aucun aucune ni rien
    non mai senza nessun nessuno nessuna né niente
    não nao nem nunca sem nenhum nenhuma jamais
    niet geen nooit zonder niets
    nie nigdy bez żaden żadna żadne zaden ani
    не нет ни никогда без никто ничего
    değil asla hiç yok hiçbir
    inte ingen inga aldrig utan ej ikke ingen aldri uten
    ei ikinä ilman
    لا ليس لم لن بدون غير नहीं मत बिना न
    """.split()
)
"""Words that say no wherever they stand."""

DENIALS = NEGATIONS | frozenset(
    """
    dislike dislikes disliked hate hates hated detest detests avoiding avoided refused refrain skip except unless
    lacks lack lacking exclude excludes excluding forbid forbids forbidden stop stopped stops quit against instead
    statt außer ausser sauf noch
    """.split()
)
"""These, and words after which something is refused, given up or left out: who proves that nothing was lost counts them
too, and would rather see one too many."""

NEGATION_SIGNS = (*"不 没 沒 別 别 无 無 非 未 勿 ない ません なし なく 않 못 없 ไม่".split(), "안 ")
DENIAL_SIGNS = (*NEGATION_SIGNS, "ず")
"""The same in scripts without spaces, where a denial is a part of the run of characters."""

_UNSPACED_NEGATION = LazyPattern("|".join(NEGATION_SIGNS))

_OPPOSITES = """
always never|like dislike|love hate|before after|increase decrease|raise lower|dark light|more less fewer|most least
long short|big small|large small|early late|morning evening afternoon night noon|hot cold|warm cold|fast slow|high low
max min|maximum minimum|include exclude|included excluded|enable disable|enabled disabled|allow forbid
allowed forbidden|accept reject|accept decline|start stop|start end|begin end|open close|open closed|left right
up down|above below|over under|first last|public private|remote onsite office|tab space|manual automatic
manually automatically|verbose terse concise brief short|formal informal casual|formal casual|vegetarian vegan
indoor outdoor|indoors outdoors|married divorced|junior senior|buy sell|import export|upload download|push pull
win lose|husband wife|mother father|mum dad|brother sister|son daughter|uncle aunt|niece nephew|boy girl|male female
he she|his her|weekday weekend|day night|daily weekly monthly yearly|day week month year hour minute second|am pm
north south|east west|summer winter|spring autumn|red blue green yellow black white|with without|online offline
sync async|synchronous asynchronous|optional mandatory required|safe unsafe|agree disagree|happy unhappy|able unable
metric imperial|celsius fahrenheit|cat dog|tea coffee|same different|add remove|add delete|keep delete|keep remove
strong weak|thick thin|rich poor|easy hard difficult|merge rebase|singular plural|positive negative|upper lower
uppercase lowercase|ascending descending|horizontal vertical|static dynamic|strict lenient|likes dislikes
employer client|employee employer|teacher student|landlord tenant|lend borrow|arrive leave|arrival departure
inside outside|internal external|local remote|new old|young old|older younger|full empty|wet dry
sweet salty sour bitter|brief detailed|short detailed|concise detailed|brief long|tabs spaces|single double|like hate
enjoy dislike|prefer avoid|prefer dislike|on off|vegan omnivore|vegetarian meat|vegetarian omnivore|window aisle
home office|serif sans|married single|engaged married|single relationship|employed unemployed|employed retired
fulltime parttime|full part|monthly quarterly|weekly biweekly|own rent|rent buy|rise fall|grow shrink|gain lose
healthy sick|smoker nonsmoker|smoke quit|quit start|accept refuse|keep drop|british american|uk us|simple complex
quiet loud|cheap expensive|tall short|wide narrow|portrait landscape|paper digital
prose bullets|prose bullet|squash merge|monorepo polyrepo|active inactive|yes no|true false|can cannot
top bottom|front back|encrypt decrypt|dunkel hell|früh spät|immer nie|kurz lang|kurz ausführlich|mag hasst|mit ohne
morgens abends|groß klein|viel wenig|an aus|claro oscuro|siempre nunca|corto largo|breve largo|con sin|mañana tarde
odia gusta|grande pequeño|escuro claro|sempre nunca|curto longo|com sem|manhã noite|clair sombre|toujours jamais
court long|avec sans|matin soir|chaud froid|chiaro scuro|sempre mai|breve lungo|con senza|mattina sera|donker licht
altijd nooit|kort lang|met zonder|ochtend avond|jasny ciemny|zawsze nigdy|krótki długi|rano wieczorem|светлая темная
светлую темную|светлый темный|всегда никогда|утром вечером|короткие длинные|краткие подробные|açık koyu|her hiç
kısa uzun|sabah akşam|ljust mörkt|alltid aldrig|teach learn|elder younger|gladly reluctantly|trust distrust
satisfied dissatisfied|approve disapprove|honest dishonest|connected disconnected|patient impatient
dependent independent|complete incomplete|correct incorrect|valid invalid|sugar sugarless
"""
_DENYING_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "mis", "anti")


def negations(text: str) -> int:
    """How many words of a text say no."""
    folded = text.casefold().replace("’", "'")
    spaced = sum(word in NEGATIONS for word in re.findall(r"[^\W_]+(?:'[^\W_]+)?", folded))
    return spaced if folded.isascii() else spaced + len(_UNSPACED_NEGATION.findall(folded))


def opposite(one: str, other: str) -> bool:
    """Whether two words (folded, stems or not) are opposites."""
    shorter, longer = sorted((one, other), key=len)
    return longer in {prefix + shorter for prefix in _DENYING_PREFIXES} or other in _opposites().get(one, ())


@cache
def _opposites() -> dict[str, frozenset[str]]:
    """For each word of the table, as it stands there and as its stem, those that say the opposite."""
    table: dict[str, frozenset[str]] = {}
    for line in _OPPOSITES.strip().replace("\n", "|").split("|"):
        words = line.split()
        for word in words:
            others = frozenset(form for other in words if other != word for form in (other, stem(other)))
            for form in {word, stem(word)}:
                table[form] = table.get(form, frozenset()) | others
    return table
