"""Numbers that open a thing, told by the thing: "the lockbox takes …", "enter … at the keypad", "Kod do bramy to …".

A number is one of these when what stands before it in its sentence names both a code and something that opens, or
something that opens and the act of opening. The sentence around each number is looked at once, within bounds.
"""

import re
from collections.abc import Iterator

from commonplace.gate import secretwords as said

_BACK = 80
_AHEAD = 40
_NUMBER = re.compile(
    r"(?<![\w.,:/€$£+-])(?:[#*]\d{3,8}[#*]?|\d{3,8}[#*]|\d{1,2}(?:\s?[-–]\s?\d{1,2}){2,3}|\d(?:[ -]\d){3,5}|\d{3,8}"
    r"|\d{2} \d{2}|\d{2,3}[a-zа-я]\d{2,3}|\d{3,5}[a-zа-я])(?![0-9a-zà-ɏа-яё_/€%°]|[.,:–-]\d|\s\d|['’])"
)
_SENTENCE_END = re.compile(r"[.!?。！？](?:\s|$)|\n")

_THING = (
    r"\b(?:(?:front |back )?door|gate|alarm|garage|safe|locker|lock ?box|key ?(?:safe|box)|(?:pad|bike |d-?)?lock|shed"
    r"|barn|keypad|intercom|entrance|lobby|elevator|storage(?: unit)?|suitcase|luggage|cabinet|vault|mailbox|letterbox"
    r"|cabin|studio|clubhouse|barrier|building|stairwell|alarm panel|phone|tablet|ipad|iphone|laptop|office"
    r"|airbnb|flat|cottage|treppenhaus|pool gate|hotel|holiday home|toilet|bathroom|restroom|washroom|staff room"
    # German, Dutch, Scandinavian
    r"|\w*(?:tür|alarmanlage|tresor|schloss|schlüsselkasten|schlüsselbox|schlüsseltresor|eingang|spind)"
    r"|(?:garten|garagen|hof|haupt)?tor"
    r"|\w*(?:deur|poort|kluis|kluisje|fietsslot|cijferslot)|\w*(?:porten|dörren|larmet|garaget|skåpet|låset"
    r"|grinden|døren|alarmen)"
    # French, Spanish, Portuguese, Italian
    r"|porte|portail|portillon|alarme|coffre|cadenas|immeuble|boîte à clés|interphone|casier|résidence"
    r"|puerta|portal|alarma|garaje|caja fuerte|candado|trastero|edificio|taquilla|verja|portón"
    r"|porta|portão|garagem|cofre|cadeado|prédio|cancello|allarme|cassaforte|lucchetto|portone|palazzo|armadietto"
    # Polish, Czech, Turkish
    r"|bramy|drzwi|furtki|alarmu|garażu|sejfu|kłódki|klatki|domofonu|dveří|brány|trezoru|zámku"
    r"|kapı|garaj|kasa|kilit|bina|apartman)(?:s|nın|nin|n)?\b"
    r"|подъезд|двер|домофон|сейф|ворот|калитк|сигнализац|замк|замок|гараж|шлагбаум|чемодан|门|車庫|车库|保险箱|保险柜|锁"
    r"|玄関|ドア|金庫|オートロック|ロッカー|ガレージ|宅配ボックス|현관|도어락|금고|대문|사물함|자물쇠|الباب|المنزل|الخزنة|الإنذار"
)
_CODE = (
    r"(?:\b(?:codes?|combo|combination|keycode|c[oó]digos?|codice|kod(?:e|en|u|em)?|kombination|combinaci[oó]n"
    r"|combinaison|combinação|combinazione|combinatie|cijfercode)|\w+(?:code|kod|koden|kode)|код(?:ом|у|а)?|kód)\b"
    r"|رمز|كود|コード|番号|码|코드|번호"
)
_OTHER_CODE = re.compile(
    r"(?:exit|error|status|return|post|postal|zip|area|country|dress|source|qr|bar|course|hs|sort|promo"
    r"|discount|voucher"
    r"|booking|team|colou?r|icd|tax|currency|airport|part|article|product|item|dial|dialling|building|project"
    r"|cost|extension"
    r"|fault|morse|unicode|steuer|buchungs|fehler|gutschein|farb)[ -]?codes?|postleit|c[oó]digo (?:postal|de barras)"
    r"|code (?:postal|barre|promo|source)|codice (?:postale|fiscale|a barre)|postkod|pocztowy|posta kodu|почтов"
    r"|код (?:города|ошибки|страны)|邮|郵便|우편|電話|电话|전화|号室|house number|model|serial|invoice|phone number|ral"
)
_LINK = re.compile(
    rf"(?:{_CODE}|[:：=→>(]|['’]s|\b(?:is|was|now|ist|war|lautet|est|c['’]est|es|è|é|är|er|to|je|это|теперь|reads)"
    r"|は|是|은|는)\s*(?:now|jetzt|ahora|le|el|il|o|la|the)?\s*[\"'`“«„(*]{0,3}$"
)
_CODE_OF_THING = re.compile(
    rf"(?:رمز|كود) (?:{_THING})\s$|код\w{{0,2}} (?:от|для|на|к) (?:\w+ ){{0,2}}?(?:{_THING})\w*\s$"
    rf"|\b(?:kod do|code (?:du|de la|de l['’]|des|vom|van (?:de|het))|c[oó]digo (?:del|de la|do|da)"
    rf"|codice (?:del|della)|koden (?:till|til)) ?(?:\w+ ){{0,2}}?(?:{_THING})\s$"
)
_OPENS = re.compile(
    r"(?:\b(?:takes|wants|needs|accepts|expects|(?:opens?|unlocks?|disarms?|opened|unlocked|disarmed) (?:with|by|using)"
    r"|s['’]ouvre avec|se désactive avec|se abre con|se desactiva con|abre com|si apre con|geht mit"
    r"|öffnet(?: sich)? mit"
    r"|wird mit|gaat open met|öppnas med|åbnes med|otwiera się|открывается|снимается)"
    r"(?: (?:the|le|el|il|o|dem|der|на|кодом|kodem|code|number|numéro|código|codice))*)\s[\"'`“«„]?$"
)
_OPENING = re.compile(
    rf"\b(?:disarm|unlock|open|arm|deactivate|silence|turn off|get into|désactiver?|ouvrir|abrir|aprire"
    rf"|entschärf\w*|öffn\w*)"
    rf"\s(?:\w+\s){{0,3}}(?:{_THING}).{{0,20}}\b(?:with|using|by entering|mit|avec|con|com)\s(?:the |code )?[\"'`“]?$"
)
_ENTERING = re.compile(
    r"\b(?:enter|press|type(?: in)?|punch(?: in)?|key in|input|tap(?: in)?|eingeben|drück\w*|tipp\w*"
    r"|compose[rz]?|tape[rz]"
    r"|marca\w*|teclea\w*|digit[aeo]\w*|toets|slå|wpisz|набер\w+|введ\w+|набрать"
    r"|ввести)(?: in)?(?: [#*] (?:then|and))?(?: the)?(?: code| pin)?"
    r"\s[\"'`“]?$"
)
_PANEL = re.compile(
    r"keypad|\b(?:door|gate|alarm|safe|lock\w*|shed|barn|garage|panel|entrance|building|elevator|lift|pin|passcode)\b"
    r"|tür|\btor\b|tresor|porte|portail|digicode|puerta|portal|alarma|porta|portão|cancello|allarme|deur|poort|kluis"
    r"|dörr|porten|drzwi|bram|двер|домофон|сейф|подъезд|сигнализац"
)
_LABEL = re.compile(
    r"\b(?:alarm|padlock|lock ?box|keypad|key ?safe|key ?box|digicode|vorhängeschloss|cadenas|candado"
    r"|lucchetto|cadeado)(?: code)?\s?(?::|=|→|->)\s[\"'`“]?$"
)
_DIAL = re.compile(
    r"\b(?:(?:pad|bike |cable )?lock|safe|suitcase|locker|vault|tresor|schloss|cadenas|candado)(?: is| was|:"
    r"| =)?(?: set to)?\s$"
)
_LUGGAGE = re.compile(
    r"\b(?:padlock|bike lock|tsa lock|suitcase|luggage|lock|cadenas|candado|cadeado|lucchetto|zahlenschloss|cijferslot)"
    r"\b[^.\n]{0,40}?(?: is| ist| est| es| é| è|:| set to| opens at)\s(?:le |el |il |o )?$"
)
_KEY_SAFE = re.compile(r"\b(?:key ?safe|lock ?box|key ?box|keypad)\b[^.\n]{0,40},\s$")
_GETS_IN = re.compile(r"\b(?:gets?|got|lets? \w+|comes?) in(?:to)?\s(?:with|using|by)\s(?:code )?$")
_OPENS_IT = re.compile(
    rf"\s(?:opens?|unlocks?|disarms?|gets (?:you|me|us) in(?:to)?|lets (?:you|me|us) in(?:to)?|öffnet|ouvre"
    rf"|abre|apre|opent|öppnar"
    rf"|otwiera|открывает|kommt man)\s.{{0,25}}?(?:{_THING})"
)
_YEAR = re.compile(r"(?:19|20)\d\d$")
_LETS_IN = re.compile(r"unlock|to open|to get in|let \w+ in|disarm")
_TURNS = re.compile(
    r"(?:(?:left|right|counter-?clockwise|clockwise|links|rechts)\s(?:to\s|at\s"
    r"|auf\s)?\d{1,2}[\s,;]{0,3}(?:then\s|and\s"
    r"|dann\s)?){2,4}"
)
_DIALLED = re.compile(r"safe|lock|combination|combo|dial|vault|tresor|schloss")
_CLOCK = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d$")
_ENDS = re.compile(
    r"[\"'`”»*)]{0,3}\s{0,2}(?:$|[.,;!?)\n]|(?:after|before|to|and|or|then|on|at|in|for|followed|plus|auf|und"
    r"|um|et|pour|y|if|when"
    r"|para|e|per|en|och|i|и|na|entschärft|geöffnet|aufgesperrt|auf|です|입니다|。|，)(?!\w))"
)
_LIST = re.compile(r"(?:\bcodes|códigos|codici|koder|kody|коды|pins|pin-codes|pin-?nummern|pincodes)\s?:\s")
_ITEM = re.compile(
    r"(?P<label>[^\s,;:\d][^,;:\d\n]{1,30}?)\s?[:=]?\s(?P<number>[#*]?\d{3,8}[#*]?)(?=[\s,;.]"
    r"|$)(?P<gap>\s?(?:[,;/|]|and"
    r"|und|et|y|e|och|i|и)?\s{0,2})"
)


def opening_numbers(_text: str, low: str) -> Iterator[tuple[str, int, int]]:
    """The numbers in a text that open a thing."""
    for found in _NUMBER.finditer(low):
        start, end = found.span()
        before = _same_sentence(low[max(0, start - _BACK) : start])
        if said.UNITS.match(low, end) or _OTHER_CODE.search(before):
            continue
        if _is_told(before, low[end : end + _AHEAD], found.group()):
            yield "access code", start, end
    for turns in _TURNS.finditer(low):
        if _DIALLED.search(low, max(0, turns.start() - _BACK), turns.start()):
            yield "access code", *turns.span()
    for listed in _LIST.finditer(low):
        yield from _listed(low, listed)


def _is_told(before: str, after: str, number: str) -> bool:
    if len(number) == 3 and number.isdigit():
        return bool(_ENDS.match(after)) and _is_luggage(before, number)
    has_thing = re.search(_THING, before) is not None
    is_linked = _LINK.search(before) is not None
    if has_thing and re.search(_CODE, before) and (is_linked or _CODE_OF_THING.search(before)):
        return True
    if has_thing and is_linked and (number[-1] in "#*" or _LETS_IN.search(after)):
        return True
    if _OPENS_IT.match(after) and (not _YEAR.match(number) or re.search(_CODE, before)):
        return True
    if not _ENDS.match(after):
        return False
    if (_GETS_IN.search(before) and _PANEL.search(after)) or _KEY_SAFE.search(before) or _is_luggage(before, number):
        return True
    if _ENTERING.search(before) and (_PANEL.search(before) or _PANEL.search(after)):
        return True
    if has_thing and (_OPENS.search(before) or _OPENING.search(before)):
        return True
    if _DIAL.search(before):
        return number.count("-") + number.count("–") >= 2
    return bool(_LABEL.search(before)) and (not _CLOCK.match(number) or "arm" in after)


def _is_luggage(before: str, number: str) -> bool:
    return len(number) <= 4 and not _YEAR.match(number) and _LUGGAGE.search(before) is not None


def _same_sentence(before: str) -> str:
    ends = [found.end() for found in _SENTENCE_END.finditer(before)]
    return before[ends[-1] :] if ends else before


def _listed(low: str, listed: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    """ "Codes: front door …, garage …": each with what it opens; of PINs, each."""
    is_pins = "pin" in listed.group()
    if not is_pins and _OTHER_CODE.search(low, max(0, listed.start() - 20), listed.end()):
        return
    items: list[re.Match[str]] = []
    at = listed.end()
    while len(items) < 20 and (item := _ITEM.match(low, at)):
        items.append(item)
        at = item.end()
    if is_pins or any(re.search(_THING, item["label"]) for item in items):
        for item in items:
            yield ("PIN" if is_pins else "access code"), *item.span("number")
