"""Numbers told in passing: "I gave her … for the keypad", "the alarm number, it's …", the number of a bank card.

They are plain digits, so what stands around them has to say what they open. All functions take the text and the text in
lower case with the same places, and yield (kind, start, end); work is bounded around each sign.
"""

from collections.abc import Iterator

from commonplace.gate.secretasides import TOLD_ALL
from commonplace.gate.secretplaces import Lowered, Sought
from commonplace.gate.secretthings import LOCK
from commonplace.patterns import LazyPattern

_AHEAD = 60
_NUMBER = r"(?P<number>[#*]?\d{4,8}[#*]?)(?![\w%°€$£/:]|[.,:–-]\d|\s\d)"
_ROUND = LazyPattern(r"\d*(?:00|50)$|(?:19|20)\d\d$")
_IN_FIVES = LazyPattern(r"\d*[05]$|(?:19|20)\d\d$")  # what a door may have cost
_LOCKS = LazyPattern(LOCK)
_BEHIND_NUMBER = (
    rf"(?:{LOCK}|\b(?:(?:front|back|side|garden|main|street) )?(?:door|gate)|digicode|portail|portal|porte|puerta|verja"
    r"|cancello|portone|portão|poort|brama|bramy|tastenfeld|toetsenbord|klawiatur\w|(?:haus|garten|hof)?(?:tür|tor)"
    r"|\w{0,12}deur|garage|shed|barrier|entrance)\b"
)
# What somebody has may be a sum, unless it is for what has keys or a code.
_KEYED = LazyPattern(
    r"\b(?:(?:pad|bike |door ?|smart ?)?lock|key ?pad|(?:key ?)?safe|(?:lock|key) ?box|alarm|digicode|code|cadenas"
    r"|coffre|alarme|candado|caja fuerte|alarma|lucchetto|cassaforte|allarme|antifurto|cadeado|cofre|hangslot"
    r"|cijferslot|kluis|kłódk\w|sejfu?|zamka|toetsenbord|klawiatur\w)\b|(?:schloss|tresor|safe|alarmanlage|tastenfeld)\b"
)
_HAS = frozenset(
    "has have got gets uses habe haben hat a tiene ha tem heeft set know knows kennt sabe dostał dostała".split()
)
_GIVEN = Sought(
    "given for a lock",
    r"\b(?P<verb>gave|given|give|giving|told|tell|texted|sent|send|has|have|got|gets|knows?|uses|assigned|set|handed|gab"
    r"|gegeben|gebe|geschickt|habe|haben|hat|kennt|a(?=\s\d)|donné|envoyé|connaît|di|dio|sabe|dado|mandé|tiene|dato"
    r"|mandato|ha|dei|deu|tem|gegeven|heeft|dał[ae]?m|dostała?)"
    r"(?P<whom>(?:\s(?!about|over|almost|nearly|around|paid)[^\s\d.,;:]{1,14}){0,4}?)\s"
    rf"{_NUMBER}(?:\s(?:to|à|a|al|alla|an|aan)\s\w{{2,14}})?\s(?:for|für|pour|para|per|voor|do|na)\s"
    r"(?:(?:the|our|my|their|her|his|das|die|den|unser\w*|le|la|l['’]|el|il|lo|o|a|de|het)\s?)?"
    rf"(?:\w{{2,12}}\s){{0,2}}?{_BEHIND_NUMBER}(?:\s(?:code|lock|keypad|key ?pad|pad|buzzer|panel|button|door|gate))?"
    # no sale, project or opening of it
    rf"(?:{TOLD_ALL}|(?=\s(?:at|in|on|by|of|to|when|if|while|until|till|this|next|last|today|now|as|instead|too|again"
    r"|from|with|mine|ours|hers|or|im|am|beim|vom|von|der|des|zur|zum|du|dans|au|à|del|della|en|al|do|da|van|bij|przy|w)\b))",
)
_GAVE = LazyPattern(
    r"\s(?:given|told|sent|texted|assigned|handed|gegeben|geschickt|donné|envoyé|dado|dato|mandato|gegeven)\b"
)

_PAYS = frozenset("gave give giving".split())
_TO_ONE = LazyPattern(r"\sto\s")
_MINE = LazyPattern(
    r",?\s(?:and |und |et |y |e |en |i )?(?:(?:mine|ours|yours|hers|his|theirs)(?:['’]s|\sis)?|meine[sr]? ist"
    rf"|la mienne est|el mío es|il mio è|o meu é|de mijne is|mój to)\s{_NUMBER}"
)


def given_for_locks(_text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "I gave her … for the keypad, mine's …": no sum of money, which is rounded."""
    for found in _GIVEN.found_in(low):
        # Who gives a number to nobody pays it.
        is_paid = found["verb"] in _PAYS and not found["whom"] and not _TO_ONE.match(low, found.end("number"))
        is_had = is_paid or (found["verb"] in _HAS and not _GAVE.search(found["whom"]))
        if is_had and not _KEYED.search(low, found.end("number"), found.end()):
            continue
        if (_ROUND if _LOCKS.search(low, found.end("number"), found.end()) else _IN_FIVES).match(found["number"]):
            continue
        yield "access code", *found.span("number")
        if mine := _MINE.match(low, found.end()):
            yield "access code", *mine.span("number")


_LOCK_NUMBER = Sought(
    "number of a lock",
    r"(?:\b(?:(?:burglar|house|intruder|home|shop|office) )?(?:alarm|safe|padlock|lock|key ?safe|lock ?box|keypad)"
    r"(?:['’]s)? (?:number|digits|numbers)|(?:alarm|tresor|safe|schloss)(?:nummer|ziffern|zahl)"
    r"|(?:numéro|chiffres) (?:de l['’]alarme|du coffre|du cadenas)|(?:número|cifras) (?:de la alarma|del candado"
    r"|de la caja fuerte)|numero (?:dell['’](?:allarme|antifurto)|della cassaforte|del lucchetto)"
    r"|número (?:do alarme|do cofre|do cadeado)|(?:alarm|kluis|slot)nummer|numer (?:alarmu|sejfu|kłódki)"
    r"|номер (?:сигнализации|сейфа|замка))(?!\w)"
    r"(?P<about>[^.;\n\d]{0,30}?)(?:,|:|\s(?:is|are|ist|sind|est|sont|es|son|è|sono|é|são|zijn|to|это))\s"
    r"(?:(?:it['’]s|it is|they['’]re|that['’]s|which is|which are|namely|es ist|es sind|das ist|c['’]est|ce sont|es|son"
    r"|è|sono|é|são|het is|dat is|to|это)\s)?"
    rf"(?P<what>[^.;:\n\d]{{0,45}}?){_NUMBER}{TOLD_ALL}",
)
_CALLED_UP = LazyPattern(
    r"call|\bring|dial|anruf|hotline|appel|llam|chiam|lig[au]|bel\b|dzwo|звон|company|firm|serial"
    r"|model|order|compan|centre|center|zentrale"
)


def lock_numbers(_text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "Told Joan the alarm number, it's our old postcode digits …"; not the number that one calls."""
    for found in _LOCK_NUMBER.found_in(low):
        if not _CALLED_UP.search(found["about"] + found["what"]):
            yield "access code", *found.span("number")


_WIDE_CARD = Sought(
    "wide card",
    r"(?:キャッシュカード|銀行の?カード|デビットカード|クレジットカード|クレカ|通帳|현금\s?카드|체크\s?카드|은행\s?카드|통장"
    r"|银行卡|储蓄卡|信用卡|提款卡)[^。\n\d]{0,8}?(?:番号|ナンバー|번호|数字|號碼|号码)(?:は|が|는|은|是)"
    r"(?P<what>[^。\n\d]{0,20}?)(?P<number>\d{4}|\d{6})(?![\da-z年円원元]|[- ]\d)",
)
_LAST_DIGITS = LazyPattern("下|末尾|桁|끝|뒷|자리|尾号|后四|最後")
_OF_ONES_LIFE = LazyPattern("誕生|記念|生まれ|電話|住所|生日|纪念|생일|기념|전화|だけ")
_DRAWS = LazyPattern("下ろ|引き出|おろす|取钱|取款|인출|뽑|찾을")


def wide_cards(_text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """The number of a bank card that somebody made of a birthday, or draws money with."""
    if low.isascii():
        return
    for found in _WIDE_CARD.found_in(low):
        if _LAST_DIGITS.search(found["what"]):
            continue
        if _OF_ONES_LIFE.search(found["what"]) or _DRAWS.search(low, found.end(), found.end() + _AHEAD):
            yield "PIN", *found.span("number")


def in_passing(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """What any of the rules above finds."""
    for rule in (given_for_locks, lock_numbers, wide_cards):
        yield from rule(text, low)
