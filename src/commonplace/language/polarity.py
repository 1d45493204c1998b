"""Yes and no, and what is the opposite of what: word lists in the languages people keep memories in. Pure.

The lists are short because they only have to hold what turns a fact round; what a word means is told by its vector.
"""

import re

from commonplace.language.porter import stem
from commonplace.patterns import LazyPattern

_SHORTEST_UNDONE = 5

NEGATIONS = frozenset(
    """
    no not never none nor without cannot neither nothing nobody nowhere hardly isn't aren't wasn't weren't don't doesn't
    didn't won't can't couldn't shouldn't wouldn't hasn't haven't hadn't mustn't non un avoid avoids refuse refuses
    nicht kein keine keinen keiner keinem keines nie niemals ohne weder nichts
    no ni nunca sin tampoco jamás jamas nada
    ne pas jamais sans aucun aucune ni rien plus
    non mai senza nessuno nessuna né
    não nao nunca sem nenhum nenhuma jamais
    niet geen nooit zonder niets
    nie nigdy bez żaden żadna żadne zaden
    не нет ни никогда без
    değil asla hiç yok hiçbir
    inte ingen inga aldrig utan ej ikke ingen aldri uten
    لا ليس لم لن بدون غير नहीं मत बिना न
    """.split()
)
_UNSPACED_NEGATION = LazyPattern("不|没|沒|無|别|別|勿|非|ない|ません|なし|ぬ|않|안 |못|없|말")

OPPOSITES: dict[str, frozenset[str]] = {}

_PAIRS = """
dark light|early late|morning evening|morning afternoon|morning night|day night
always never|before after|more less|short long
brief detailed|short detailed|concise detailed|brief long|terse verbose|concise verbose|tabs spaces|tab space
single double|like dislike|love hate|like hate|enjoy dislike|prefer avoid|prefer dislike|allow forbid
enable disable|enabled disabled|on off|start stop|begin end|open closed|public private|hot cold|warm cold
sweet salty|black white|formal informal|formal casual|vegan omnivore|vegetarian meat|vegetarian omnivore
metric imperial|celsius fahrenheit|window aisle|remote office|remote onsite|home office|synchronous asynchronous
sync async|serif sans|uppercase lowercase|upper lower|left right|married single|married divorced|engaged married
single relationship|employed unemployed|employed retired|fulltime parttime|full part|weekly monthly|weekly daily
daily monthly|monthly quarterly|monthly yearly|weekly biweekly|buy sell|own rent|rent buy|increase decrease
raise lower|rise fall|grow shrink|gain lose|healthy sick|smoker nonsmoker|smoke quit|quit start|accept refuse
keep drop|keep remove|include exclude|with without|required optional|mandatory optional|manual automatic
british american|uk us|simple complex|easy hard|quiet loud|cheap expensive|large small|big small|tall short
high low|fast slow|old new|young old|strong weak|thick thin|wide narrow|wet dry|empty full|inside outside
indoor outdoor|indoors outdoors|east west|north south|summer winter|day night|weekday weekend|male female
tea coffee|cat dog|ascending descending|vertical horizontal|portrait landscape|paper digital|phone email
call email|call chat|phone chat|prose bullets|prose bullet|merge rebase|squash merge|monorepo polyrepo
local remote|active inactive|yes no|true false|can cannot|first last|top bottom|front back|push pull
import export|encrypt decrypt|minimum maximum|min max|dunkel hell|früh spät|immer nie|kurz lang|kurz ausführlich
mag hasst|mit ohne|morgens abends|groß klein|viel wenig|an aus|claro oscuro|siempre nunca|corto largo
breve largo|con sin|mañana tarde|odia gusta|grande pequeño|escuro claro|sempre nunca|curto longo|com sem
manhã noite|clair sombre|toujours jamais|court long|avec sans|matin soir|chaud froid|chiaro scuro|sempre mai
breve lungo|con senza|mattina sera|donker licht|altijd nooit|kort lang|met zonder|ochtend avond|jasny ciemny
zawsze nigdy|krótki długi|rano wieczorem|светлая темная|светлую темную|светлый темный|всегда никогда
утром вечером|короткие длинные|краткие подробные|açık koyu|her hiç|kısa uzun|sabah akşam|ljust mörkt
alltid aldrig|teach learn|younger older|elder younger|employer employee|lend borrow|gladly reluctantly|trust distrust
satisfied dissatisfied|agree disagree|approve disapprove|honest dishonest|connected disconnected|patient impatient
dependent independent|complete incomplete|correct incorrect|valid invalid|tenant landlord|sugar sugarless
""".replace("\n", "|").split("|")
for _pair in filter(None, _PAIRS):
    _one, _other = _pair.split()
    for _first, _second in ((_one, _other), (stem(_one), stem(_other))):
        OPPOSITES[_first] = OPPOSITES.get(_first, frozenset()) | {_second}
        OPPOSITES[_second] = OPPOSITES.get(_second, frozenset()) | {_first}

CHANGES = re.compile(
    r"\b(?:now|nowadays|these days|from now on|any ?more|no longer|not any more|instead|changed?|switch(?:ed|es)?"
    r"|mov(?:ed|es)|migrated|replaced?|upgraded|downgraded|dropped|left|quit|gave up|given up|stopped|started|sold"
    r"|became|turned|extended|postponed|rescheduled|slipped|pushed back|brought forward|raised|increased|reduced"
    r"|lowered|went (?:up|down)|grew|shrank|promoted|retired|again|after all|correction|actually|update[ds]?|new|newly"
    r"|since|recently|lately|rather than|was renamed|renamed|divorced|separated|healed|fully"
    r"|jetzt|nun|neuerdings|inzwischen|mittlerweile|ab jetzt|nicht mehr|statt|anstatt"
    r"|gewechselt|umgezogen|gezogen|neue[rs]?"
    r"|ahora|ya no|en lugar de|en vez de|cambi[oó]|ha dejado|dej[oó]|se mud[oó]|desde ahora|nuev[oa]"
    r"|maintenant|désormais|ne plus|au lieu|plutôt que|est pass[ée]e?|a chang[ée]|a déménagé|nouve(?:au|lle)"
    r"|ora|adesso|non più|invece|al posto|è salit[oa]|è stat[oa] spostat[oa]|passat[oa]|cambiat[oa]|nuov[oa]"
    r"|agora|não mais|já não|em vez|no lugar|passou|mudou|trocou|nov[oa]"
    r"|nu|voortaan|tegenwoordig|niet meer|in plaats|verhoogd|verhuisd|overgestapt|nieuwe?"
    r"|teraz|obecnie|już nie|zamiast|zmieni[łl]a?|przeni[óo]s[łl]|sprzeda[łl]a?|now[ya]"
    r"|теперь|сейчас|больше не|вместо|перешла?|переехала?|сменила?|нов(?:ый|ая|ое)|а не"
    r"|artık|şimdi|yerine|değişti|taşındı|bıraktı|oldu|yeni"
    r"|nuförtiden|numera|inte längre|istället|bytt|flyttat|ny(?:a|tt)?"
    r"|الآن|صار|أصبح|بدلا|انتقل|अब|बजाय)\b"
    r"|不再|改为|改成|换成|換成|现在|現在|从今年|今は|やめて|変わった|変更|なくなった|이제|바뀌|바꿨|늘었|줄었|옮겼|대신",
    re.IGNORECASE,
)
"""Words of somebody who tells that something is no longer as it was."""

GIVEN_UP = re.compile(
    r"\b(?:no longer|not|instead of|rather than|from|left|leaving|quit|dropped|sold|replac(?:ed|ing)|gave up|after"
    r"|stopped|nicht mehr|statt|anstatt|de|dejado|du|da|do|van|zamiast|с|вместо|niet meer|yerine|ya no)\b\W*"
    r"((?:[^\W_]+\W+){0,4}[^\W_]+)",
    re.IGNORECASE,
)
"""What comes after such a word is what was true before."""


def negations(text: str) -> int:
    """How many words of a text say no."""
    folded = text.casefold().replace("’", "'")
    spaced = sum(word in NEGATIONS for word in re.findall(r"[^\W_]+(?:'[^\W_]+)?", folded))
    return spaced if folded.isascii() else spaced + len(_UNSPACED_NEGATION.findall(folded))


def opposite(one: str, other: str) -> bool:
    """Whether two words (folded, stems or not) are opposites."""
    return other in OPPOSITES.get(one, ()) or _is_undone(one, other) or _is_undone(other, one)


def _is_undone(word: str, other: str) -> bool:
    """ "married" and "unmarried" """
    return len(word) >= _SHORTEST_UNDONE and other == f"un{word}"
