"""Secrets that are told piece by piece: a dial turned right to … and left to …, keys pressed one after another, a
number in groups.

All functions take the text in lower case and yield (kind, start, end). A row is looked at with the sentence around it:
something there must have a lock, or be called a code.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from commonplace.gate import secretwords as said
from commonplace.gate.secretplaces import Lowered, Sought, sentence_after, sentence_before
from commonplace.patterns import LazyPattern

_BACK = 90
_AHEAD = 70
_SENTENCE_END = LazyPattern(r"(?<=[^\W\d_])[.!?。！？](?:\s|$)|\n")

# -- dials ----------------------------------------------------------------------------------------------------------

_WAY = (
    r"(?:left|right|back|counter-?clockwise|anti-?clockwise|clockwise|links|rechts|gauche|droite|izquierda|derecha"
    r"|sinistra|destra|esquerda|direita|lewo|prawo|влево|вправо|налево|направо|sağa|sola|vänster|höger|左|右|왼쪽|오른쪽)"
)
_UP_TO = (
    r"(?:to|past|passing|it|that|back|until|at|on|the|number|again|round|around|all|way|stop|once|twice|turns?|then"
    r"|herum|om|bis|zur|zum|auf|über|die|hinaus|weiter|vorbei|nach|drehen|jusqu['’](?:à|au)|à|sur|le|en|passant|hasta"
    r"|el|la|a|al|fino|alla|até|ao|o|em|naar|tot|voorbij|de|do|na|w|poza|до|на|через|kadar|till|förbi)"
)
_DIGITS = r"\d{1,2}(?![\d%°]|[a-zà-ɏа-я]|[.,:]\d|\s?(?:kg|cm|mm|m|km|met\w+|deg\w+|grad|°|%|st|nd|rd|th)\b)"
_TURN = (
    rf"{_WAY}(?:(?:[\s,:]{{0,2}}{_UP_TO}\b){{0,6}}|[转轉回し到至にへまで圈一二三四五两로]{{0,6}})[\s:]{{0,2}}{_DIGITS}"
)
_BETWEEN = (
    r"[\s,;、，→-]{0,3}(?:(?:then|and|dann|und|puis|et|luego|y|poi|e|depois|en|dan|potem|i|затем|потом|и|sonra"
    r"|再|それから|to the"
    r"|nach|à|a|w|na|op|vers|by|of|from|(?:one|two|three|four|five|\d|full|a|ein\w*|zwei|drei|vier|deux|trois|dos|tres"
    r"|due|tre|dwa|trzy|twee|drie) (?:full )?(?:turns?|times|mal|umdrehung\w*|tours?|vueltas?|giri|voltas?|keer|slagen"
    r"|obrot\w*|оборот\w*)|turn|dial|spin|向|往)[\s,]{0,2}){0,4}"
)
_TURNS = Sought(
    "turns",
    rf"{_TURN}"
    rf"(?:(?:\s(?:hinaus|vorbei|and|und|et|y|e|en|i)\s(?:auf|on to|to|bis)\s{_DIGITS})?{_BETWEEN}{_TURN}){{1,4}}",
    word=_WAY,
)
_NEXT_TURN = (
    r"(?:then|and|again|once more|back|finally|dann|und|wieder|nochmals?|noch einmal|erneut|zuletzt|danach|puis|et"
    r"|encore|enfin|ensuite|de nouveau|luego|y|otra vez|después|de nuevo|de novo|nuevamente|poi|e|ancora|infine|dopo"
    r"|nuovamente|depois|outra vez|novamente|en|dan|weer|daarna|nogmaals|potem|i|znowu|jeszcze raz|затем|потом|и|снова"
    r"|опять|ещё раз)"
)
_LEFT_OR_RIGHT = r"(?:(?:to the|nach|à|a la|a|para a|na|naar|w|на)\s)?" + _WAY
_NUMBERS_TURNED = Sought(
    "numbers turned",
    rf"(?<![\w.,:/-]){_DIGITS}\s{_LEFT_OR_RIGHT}"
    rf"(?:[\s,;]{{1,3}}(?:{_NEXT_TURN}\s){{0,3}}{_DIGITS}\s{_LEFT_OR_RIGHT}){{2,4}}",
)
_ONE_BY_ONE = Sought(
    "numbers one by one",
    rf"(?<![\w.,:/€$£+-]){_DIGITS}(?:,?\s(?:{_NEXT_TURN}\s){{1,3}}{_DIGITS}){{2,3}}(?![\w%°€$£/:-]|[.,]\d)"
    rf"|(?<![\w.,:/€$£+-])(?P<listed>\d{{1,2}}(?:,\s\d{{1,2}}){{2,3}})(?=\.?\s{{0,2}}(?:$|\n))",
)
_LETTERS_TURNED = Sought("letters turned", r"(?<!\w)[rl]\s?\d{1,2}(?:[\s,-]{1,3}[rl]\s?\d{1,2}){2,4}(?!\w)")
_DIALLED = LazyPattern(
    r"coffre|caja fuerte|cassaf|cassetta di sicurezza|cofre|kluis|sejf|сейф|保险|金庫|금고|\bsafes?\b"
    r"|\b(?:pad)?lock(?:er)?s?\b|combination"
    r"|\bcombo|\bdial\b|\bvault|tresor|schloss\b|cadenas|candado|lucchetto|cadeado|kłódk|замок|zamek|\bkasa|kilit"
    r"|kassaskåp|hänglås|zámek|trezor"
)
_DIAL_NEXT = LazyPattern(
    rf"(?:{_DIALLED.pattern})\w{{0,3}}(?:\s(?!numbers?|no\.?|nos\.?|rooms?|keys?|and|und|et|y|settings?|tones?|readings?)"
    rf"[^\s\d,.:;]{{1,14}}){{0,5}}?"
    r"(?:\s?[:：,=(—–-]\s?|\s(?:is|are|at|to|goes|opens|turn|with|code|set to|ist|auf|mit|est|es|c['’]est|avec|con|è|é"
    r"|com|met|op|is|to|на|это)\s)(?:it['’]s |turn |dial |the |to |numbers |combination |combo |code )*$"
    r"|(?:padlock|bike lock|dial lock|combo|combination|schloss|cadenas|candado|lucchetto|cadeado|kłódk\w|замок)\s$"
)
# A list of numbers is of a lock when nothing else can be listed.
_DIAL_IS = LazyPattern(
    r"(?<!\w)(?:(?:combination |dial |bike |number |pad)lock|combination|combo|(?:zahlen|vorhänge|fahrrad)schloss"
    r"|cadenas|candado|lucchetto|cadeado|cijferslot|hangslot|fietsslot|kłódka|замок)"
    r"(?:\s(?:for|of|on|at|to|am|an|vom|im|du|de|des|del|della|do|da|van|na|от|на)\s[^.:,\n\d]{2,30}?)?"
    r"(?:\s?[:=]|\s(?:is|ist|est|es|è|é|to|set to))\s$"
)
# The hours of a thing that opens, and numbers that are drawn.
_HOURS_NEXT = LazyPattern(r"\b(?:at|between|from|um|à|a las|alle|às|om|o|в)\s$")
_HOURS = 24
_DRAWN = LazyPattern(r"\b(?:lott\w+|lotto|winning|bingo|raffle|jackpot|powerball|keno|euromillions|colou?r)\b")
_OF_NOTHING = LazyPattern(r"\W{0,3}(?:the |a )?comb(?:ination|o)(?:\s?[:=]|\s\w{2,6})\s$")  # of no lock that is named
_IS_SAID_OF = LazyPattern(
    r"\s(?:were|are|was|have|had|got|need|waren|sind|étaient|sont|eran|son|erano|sono|eram|são|zijn|były|people"
    r"|keys|times|years|days|minutes)\b"
)
_ROUTE = LazyPattern(r"\b(?:route|street|road|junction|exit|avenue|room|shop|walk)\b")


def _is_even(listed: str) -> bool:
    """Whether numbers are counted: 1, 2, 3 or 2, 4, 6."""
    numbers = [int(number) for number in listed.split(",")]
    return len({after - before for before, after in pairwise(numbers)}) == 1


def dialled(low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "The safe: right to 34, left past it to 12, right to 57"."""
    for form in (_TURNS, _NUMBERS_TURNED, _LETTERS_TURNED):
        for found in form.found_in(low):
            before = _before(low, found.start())
            if _DIALLED.search(before) and not _ROUTE.search(before):
                yield "access code", *found.span()
    for found in _ONE_BY_ONE.found_in(low):
        before = _before(low, found.start())
        has_dial = (_DIAL_IS if found["listed"] else _DIAL_NEXT).search(before) is not None
        is_count = found["listed"] and _OF_NOTHING.match(before) and _is_even(found["listed"])
        is_hours = _HOURS_NEXT.search(before) and all(int(hour) <= _HOURS for hour in re.findall(r"\d+", found.group()))
        is_other = is_hours or _DRAWN.search(before)
        if has_dial and not is_count and not is_other and not _IS_SAID_OF.match(low, found.end()):
            yield "access code", *found.span()


# -- keys one after another -----------------------------------------------------------------------------------------

_KEY = "[a-zа-я0-9#*]"
_NEXT = (
    r"(?:,\s?(?:(?:then|and|dann|und|puis|et|luego|y|poi|e|depois|en|dan|potem|i|затем|и|sonra|ve)\s)?"
    r"|\s(?:then|and|dann|und|puis|et|luego|y|poi|e|depois|en|dan|potem|i|затем|и|sonra|ve)\s|-|\s)"
)
_LONE_DIGIT = Sought("lone digit", r"(?<![\w.,:/€$£+])\d(?![\w%°€$£/:'’]|[.,]\d)")
_KEYS = LazyPattern(rf"(?<![\w,.'’/-]){_KEY}(?:{_NEXT}{_KEY}(?![\w'’])){{3,7}}(?![\w-])")
_ROW = 40
_AND = (" y", " i", " e", " и")  # a word behind the row
_TOGETHER = Sought(
    "keys together",
    r"(?<![\w.,:/-])\d(?:, \d){0,3}(?:,? (?:and|&|\+|und|et|y|e|en|i|и) \d|, \d|\+\d),? (?:(?:all|both|alle|beide|tous"
    r"|todos|tutti|pressed|held|pushed|pressing|down|gedrückt|drücken|appuyés|pulsados|apretados|premuti|carregados"
    r"|ingedrukt|wciśnięte|нажать|нажаты),? )?(?:together|at once|at the same time|simultaneously"
    r"|gleichzeitig|zusammen|ensemble|en même temps|a la vez|juntos|insieme|ao mesmo tempo|tegelijk|jednocześnie|razem"
    r"|одновременно)(?:,? (?:then|and then|dann|puis|luego|poi|depois|dan|potem|затем) \d(?: (?:and|und|et|y|e|en|i|и)"
    r" \d)?){0,4}(?!\w)",
)
_DOOR = LazyPattern(
    r"\b(?:doors?|gates?|(?:pad)?locks?|keypads?|cupboard|cabinet|shed|barn|garage|cellar|basement|locker|safe|panel"
    r"|entry|tür|tor|schuppen|schrank|porte|portail|portillon|cadenas|puerta|portal|verja|candado|cerradura|porta"
    r"|portone|cancello|lucchetto|portão|cadeado|deur|poort|slot|hek|schuur|drzwi|bram[ay]|furtk[ai]|szafk[ai]|kłódk[ai]"
    r"|kapı\w*|kilid\w*|kilit|dörren|grinden|dveře|brána)\b|(?:tür|tor|schloss|schrank|deur|slot|room)\b|двер|калитк"
    r"|ворот|замок|замк"
)
_LEADS = LazyPattern(
    r"(?:[:：=]|\b(?:is|are|now|opens with|opens by|takes|wants|needs|press(?:es|ing)?|push(?:es)?|punch(?:es)?(?: in)?"
    r"|enters?|types?|hits?|code|combination|combo|keypad|lock|ist|lautet|mit|drück\w*|tipp\w*|est|appuye[rz] sur"
    r"|tape[rz]?|compose[rz]?|avec|es|pulsa\w*|marca\w*|teclea\w*|con|è|premi|premere|digita\w*|é|carrega\w* em|com"
    r"|druk\w*|toets\w*|met|to|naciśn\w*|wciśn\w*|wpis\w*|kod|kapısı|kilidi|kodu|är|tryck|slå)"
    r"|(?:нажать|нажми\w*|набрать|код|это))\s?[\"'“«]?$"
)
_TURNS_NEXT = LazyPattern(
    r",?\s(?:(?:then|and|and then|dann|und|und dann|puis|et|luego|y|poi|e|e poi|depois|en|en dan|potem|i|затем|и|sonra"
    r"|ve)\s)?(?:turn|twist|push|pull|drücken|eintippen|den knauf|tourner|girar|tirar|gira|girare|rodar|draaien"
    r"|przekręć|przekręcić|повернуть|topuzu|indrukken)"
)
_COUNTED = LazyPattern(r"\b(?:bus|buses|trains?|trams?|lines?|rooms?|teams?|doors|gates|lockers?|platforms?|lanes?)\s$")
_OTHER_ROW = LazyPattern(
    r"\b(?:chords?|songs?|grades?|sizes?|notes|classe?s?|blocks?|platforms?|lines?|akkorde|accords)\b"
)


def pressed(low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "The staff room is C, 1, 4, Y, then turn the knob"."""
    done = 0
    for digit in _LONE_DIGIT.found_in(low):
        at = digit.start()
        found = _KEYS.search(low, max(done, at - _ROW), at + _ROW) if at >= done else None
        if found is None or not found.start() <= at < found.end():
            continue
        done, row = found.end(), found.group()
        if row.upper() == row.lower():  # no letter
            continue
        before, after = _before(low, found.start()), _after(low, found.end())
        if _OTHER_ROW.search(before):
            continue
        is_led = _LEADS.search(before) is not None
        if (is_led or _TURNS_NEXT.match(after)) and (_DOOR.search(before) or (is_led and _DOOR.search(after))):
            yield "access code", found.start(), found.end() - (2 if ", " in row and row.endswith(_AND) else 0)
    for found in _TOGETHER.found_in(low):
        if _COUNTED.search(low, max(0, found.start() - 20), found.start()):
            continue
        if _DOOR.search(_before(low, found.start())) or _DOOR.search(_after(low, found.end())):
            yield "access code", *found.span()


# -- numbers in groups ----------------------------------------------------------------------------------------------

_GROUPS = Sought(
    "groups of digits",
    r"(?<![\w.,:/€$£+-])(?<!\d )\d{1,2}(?P<sign>\s?[-–]\s?|[./ ])\d{1,2}(?:(?P=sign)\d{1,2}){1,3}"
    r"(?![\w%°€$£/:]|[.,-]\d|\s\d|\s?(?:uhr|h\b|am\b|pm\b|eur|usd|cm|mm))",
)
_NAMED = LazyPattern(
    rf"(?:(?P<sure>{said.PASSWORDS}|{said.CODE})|(?<![a-z])(?:codes?|combos?|c[oó]digo|clave|codice|kod(?:e|en|u)?|kód|segredo"
    r"|(?:\w{0,20})kombi(?:nation)?|\w{0,20}code|szyfr)(?![a-z])|код|шифр|番号|密码|번호)"
    r"(?P<about>[^\d\n]{0,40})$"
)
_HAPPENED = LazyPattern(
    r"chang|reset|renew|expir|valid|\b(?:due|on|since|until|from|am|vom|seit|bis|le|depuis|el|desde|hasta|il|dal|em|até"
    r"|op|sinds|tot|dnia|od|den|с|до|от|tarih\w*)\s$|änder|gesetzt|abgelauf|gültig|modifi|changé|cambi|caduc|scad|rilasc"
    r"|mudad|trocad|alterad|gewijzig|verander|zmieni|ważn|смен|измен|değiş|bytt|ändra|postal|pocztow|fiscal"
)
_OF_PROGRAMS = LazyPattern(r"\.lock\b|lock ?file|\bversions?\b|\breleases?\b|\bpin(?:s|ned|ning)\b|\bdependenc")
_LOCK = LazyPattern(
    rf"{_DIALLED.pattern}|bavul|valiz|maleta|valise|valigia|\bmala\b|koffer|walizk|чемодан|suitcase|luggage"
)
_ENTERS = LazyPattern(
    r"\b(?:enter(?:s|ed|ing)?|typ(?:es?|ed|ing)(?: in)?|key(?:s|ed|ing)(?: in)?|punch(?:es|ed|ing)?(?: in)?"
    r"|tapp?(?:s|ed|ing)(?: in)?|input(?:s|ting)?|eintipp\w*|eingib\w*|eingeb\w*|tippt|tippen|tap(?:e|er|ant|ez)"
    r"|saisi\w*|compos(?:e|er|ant)|marca\w*|teclea\w*|introduc\w*|digita\w*|inser\w*|toetst?|intoets\w*|toetsen|wpis\w*"
    r"|wstuk\w*|girerek|tuşla\w*|giriyor|slår|knappar)\b|набира\w*|вводи\w*|введ\w*"
)
_SPACED = Sought("spaced number", r"(?<![\w.,:/€$£+-])(?<!\d )\d{2,8}(?: \d{1,4}){1,3}(?![\w%°€$£/:]|[.,-]\d|\s\d)")
_IS_PIN = LazyPattern(
    r"(?<![a-z])(?:pin|pin-?code|pincode|passcode|(?:entry|door|access|personal) code|code perso\w*)(?![a-z])|пин"
)
_PANEL = LazyPattern(
    r"\b(?:door|gate|keypad|turnstile|pod|panel|entrance|lock|barrier|keyboard|clavier|teclado|tastier\w*)\b|drehkreuz"
    r"|tourniquet|tornello|torno\b|bramk|турникет|turnike"
)
_GETS_IN = LazyPattern(r"\b(?:gets? in(?:to)?|lets? \w+ in|unlock\w*|opens?|comes? in|enters? the)\b")
_PIN_IS = LazyPattern(r"(?<![a-z])pin(?![a-z])[^.\n\d]{0,40}(?::|\b(?:is|ist|lautet|est|es|è|é|to|är)|это)\s$")
_OTHER = LazyPattern(
    r"\b(?:call\w*|phon\w*|ring\w*|tel\b|dial\w*|booking|account|member|ticket|order|iban|ruft|appel\w*|llam\w*)"
)


def grouped(low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "The safe's code 64-19-82", "gets in by entering 4819 920 3, which is the PIN"."""
    for found in _GROUPS.found_in(low):
        before, after = _before(low, found.start()), _after(low, found.end())
        named = _NAMED.search(before)
        if named is None or _HAPPENED.search(named["about"]) or said.UNITS.match(after):
            continue
        if found["sign"] == "." and _OF_PROGRAMS.search(before):
            continue
        has_lock = _LOCK.search(before) or _LOCK.search(after)
        if has_lock or (named["sure"] and found["sign"] != " " and not _is_day(found.group())):
            yield "access code", *found.span()
    for found in _SPACED.found_in(low):
        before, after = _before(low, found.start()), _after(low, found.end())
        if not 5 <= sum(map(str.isdigit, found.group())) <= 10 or said.UNITS.match(after) or _OTHER.search(before):
            continue
        if _PIN_IS.search(before) or _is_entered(before, after):
            yield "PIN", *found.span()


def _is_entered(before: str, after: str) -> bool:
    entered = list(_ENTERS.finditer(before))
    gets_in = _GETS_IN.search(before) is not None
    if _IS_PIN.search(after):
        return bool(entered) or gets_in or _ENTERS.search(after) is not None
    is_next = bool(entered) and entered[-1].end() == len(before.rstrip())
    return is_next and gets_in and _PANEL.search(after) is not None


def _is_day(groups: str) -> bool:
    parts = [int(part) for part in re.findall(r"\d+", groups)]
    return len(parts) == 3 and min(parts[:2]) <= 12 and max(parts[:2]) <= 31


def _before(low: str, start: int) -> str:
    return sentence_before(low, start, _BACK, _SENTENCE_END)


def _after(low: str, end: int) -> str:
    return sentence_after(low, end, _AHEAD, _SENTENCE_END)


def in_rows(_text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """What any of the rules above finds."""
    for rule in (dialled, pressed, grouped):
        yield from rule(low)
