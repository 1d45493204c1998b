"""Numbers that open a thing, told by the thing: "the lockbox takes …", "enter … at the keypad", "Kod do bramy to …".

A number is one of these when what stands before it in its sentence names both a code and something that opens, or
something that opens and the act of opening. The sentence around each number is looked at once, within bounds.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from commonplace.gate import secretwords as said
from commonplace.gate.secretplaces import Lowered, Sought
from commonplace.patterns import LazyPattern

_BACK = 80
_AHEAD = 40
_NUMBER = Sought(
    "number",
    r"(?<![\w.,:/€$£+-])(?:[#*]\d{3,8}[#*]?|\d{3,8}[#*]|\d{1,2}(?:\s?[-–]\s?\d{1,2}){2,3}|\d(?:[ -]\d){3,5}|\d{3,8}"
    r"|\d{2} \d{2}|\d{1,4}[a-zа-я]\d{1,6}|\d{3,5}[a-zа-я]|[a-zа-я]\d{3,6}[a-zа-я#*]?)(?![0-9a-zà-ɏа-яё_/€%°]"
    r"|[.,:–-]\d|\s\d|['’])",
)
_SENTENCE_END = LazyPattern(r"[.!?。！？](?:\s|$)|\n")

# At the end of a longer word, too.
_ENDING_THING = (
    r"(?:türe?|alarmanlage|tresor|schloss|schlüsselkasten|schlüsselbox|schlüsseltresor|eingang|spind"
    r"|deur|poort|kluis|kluisje|fietsslot|cijferslot|porten|dörren|larmet|garaget|skåpet|låset|grinden|døren|alarmen)"
)
_PLAIN_THING = (
    r"\b(?:(?:front |back )?door|gate|alarm|garage|safe|locker|lock ?box|key ?(?:safe|box)|(?:pad|bike |d-?)?lock|shed"
    r"|barn|keypad|intercom|entrance|lobby|elevator|storage(?: unit)?|suitcase|luggage|cabinet|vault|mailbox|letterbox"
    r"|cabin|studio|clubhouse|barrier|building|stairwell|alarm panel|phone|tablet|ipad|iphone|laptop|office"
    r"|airbnb|flat|cottage|treppenhaus|pool gate|hotel|holiday home|toilet|bathroom|restroom|washroom|staff room"
    r"|smart ?lock|burglar alarm|cellar|basement|attic|hangar|boathouse|workshop|warehouse|store ?room|stock ?room"
    r"|drawer"
    r"|bike (?:shed|room|store)|bin store|parcel (?:box|locker)|gym|clubroom|church hall|car park|turnstile|greenhouse"
    r"|voicemail|mailbox|caravan|chalet|summer ?house|annexe?|apartment|house|server room|lab|darkroom|chicken coop"
    r"|stable|tack room"
    # German, Dutch, Scandinavian
    r"|(?:garten|garagen|hof|haupt|einfahrts?)?tor|schranke|keller\w*|werkstatt|schuppen|ferienwohnung|ferienhaus|haus"
    r"|wohnung|büro|garage|briefkasten|paketbox|einbruchmelder|sektionaltor|schließfach|fahrradkeller|vereinsheim|lager"
    r"|schuur|hek|slagboom|berging|kantoor|appartement|sleutelk\w+|alarm|inbraakalarm|fietsenstalling|brievenbus"
    # French, Spanish, Portuguese, Italian
    r"|porte|portail|portillon|alarme|coffre|cadenas|immeuble|boîte à clés|interphone|casier|résidence"
    r"|puerta|portal|alarma|garaje|caja fuerte|candado|trastero|edificio|taquilla|verja|portón"
    r"|porta|portão|garagem|cofre|cadeado|prédio|cancello|allarme|cassaforte|lucchetto|portone|palazzo|armadietto"
    r"|cave|garage|local (?:à )?(?:vélos|poubelles)|barrière|entrée|hall|parking|atelier|gîte|appartement|maison|bureau"
    r"|antivol|consigne|boîte aux lettres|hangar|cochera|valla|barrera|piscina|casa|piso|apartamento|oficina|bodega"
    r"|almacén|cancela|buzón|consigna|maleta|nave|antifurto|cancelletto|cantina|box|portineria|ufficio|appartamento"
    r"|cassetta|valigia|condomínio|portaria|escritório|armazém|porteiro|cacifo|mala|arrecadação|interfone"
    # Polish, Czech, Turkish
    r"|brama|bramk[iaę]|garaż|piwnicy|szlabanu|schowka|sejf|biura|mieszkania|skrytki|wózkowni|rowerowni|szafki|skrzynki"
    r"|walizki|magazynu|domku|budynku|bramy|drzwi|furtki|alarmu|garażu|sejfu|kłódki|klatki|domofonu|dveří|brány"
    r"|trezoru|zámku"
    r"|kapı|garaj|kasa|kilit|bina|apartman)(?:s|nın|nin|n)?\b"
    r"|подъезд|двер|домофон|сейф|ворот|калитк|сигнализац|замк|замок|гараж|шлагбаум|чемодан|парковк|склад|офис"
    r"|хранени|ячейк|квартир|дач|кладов|почтомат|замк|门|小区|单元|仓库|办公室|快递柜|門|倉庫|駐輪|会議室"
    r"|キーボックス|スマートロック|警報|アラーム|공동현관|출입문|창고|주차|열쇠함|車庫|车库|保险箱|保险柜|锁"
    r"|玄関|ドア|金庫|オートロック|ロッカー|ガレージ|宅配ボックス|현관|도어락|금고|대문|사물함|자물쇠|الباب|المنزل"
    r"|الخزنة|الإنذار"
)
_LONG_THING = rf"\b\w{{0,30}}{_ENDING_THING}(?:s|nın|nin|n)?\b"
_THING = rf"{_PLAIN_THING}|{_LONG_THING}"
_PLAIN_CODE = (
    r"(?:\b(?:codes?|combo|combination|keycode|c[oó]digos?|codice|kod(?:e|en|u|em)?|kombination|combinaci[oó]n"
    r"|combinaison|combinação|combinazione|combinatie|cijfercode)|код(?:ом|у|а)?|kód)\b"
    r"|رمز|كود|コード|番号|码|코드|번호"
)
_LONG_CODE = r"\w{1,30}(?:code|kod|koden|kode)\b"
_CODE = rf"{_PLAIN_CODE}|{_LONG_CODE}"
_SIGNS = (
    (
        Sought("thing", _PLAIN_THING),
        Sought("long thing", _LONG_THING, word=_ENDING_THING, back=30, ahead=90),
    ),
    (
        Sought("code sign", _PLAIN_CODE),
        Sought("long code", _LONG_CODE, word="code|kod", back=30, ahead=70),
    ),
    (Sought("lock", lambda: _LOCK),),
)
_OTHER_CODE = LazyPattern(
    r"(?:exit|error|status|return|post|postal|zip|area|country|dress|source|qr|bar|course|hs|sort|promo"
    r"|discount|voucher"
    r"|booking|team|colou?r|icd|tax|currency|airport|part|article|product|item|dial|dialling|building|project"
    r"|cost|extension"
    r"|fault|morse|unicode|squawk|referral|steuer|buchungs|fehler|gutschein|farb)[ -]?codes?|postleit"
    r"|c[oó]digo (?:postal|de barras)"
    r"|code (?:postal|barre|promo|source)|codice (?:postale|fiscale|a barre)|postkod|pocztowy|posta kodu|почтов"
    r"|код (?:города|ошибки|страны)|邮|郵便|우편|電話|电话|전화|号室|house number|model|serial|invoice|phone number|ral"
)
_LINK = LazyPattern(
    rf"(?:{_CODE}|[:：=→>(]|['’]s|\b(?:is|was|now|ist|war|lautet|est|c['’]est|es|è|é|är|er|to|je|это|теперь|reads)"
    r"|は|是|은|는)\s*(?:now|jetzt|ahora|le|el|il|o|la|the)?\s*[\"'`“«„(*]{0,3}$"
)
_CODE_OF_THING = LazyPattern(
    rf"(?:رمز|كود) (?:{_THING})\s$|код\w{{0,2}} (?:от|для|на|к) (?:\w+ ){{0,2}}?(?:{_THING})\w*\s$"
    rf"|\w*(?:kod do|code (?:du|de la|de l['’]|des|vom|van (?:de|het))|c[oó]digo (?:del|de la|do|da)"
    rf"|codice (?:del|della)|koden (?:till|til)) ?(?:\w+ ){{0,2}}?(?:{_THING})\s$"
)
_OPENS = LazyPattern(
    r"(?:\b(?:takes|wants|needs|accepts|expects|(?:opens?|unlocks?|disarms?|opened|unlocked|disarmed) (?:with|by|using)"
    r"|se quita con|se apaga con|se va con|si spegne con|desliga com|gaat uit met|s['’]ouvre avec|se désactive avec"
    r"|se abre con|se desactiva con|abre com|si apre con|geht mit"
    r"|öffnet(?: sich)? mit"
    r"|wird mit|gaat open met|öppnas med|åbnes med|otwiera się|открывается|снимается)"
    r"(?: (?:the|le|el|il|o|dem|der|на|кодом|kodem|code|number|numéro|código|codice))*)\s[\"'`“«„]?$"
)
_OPENING = LazyPattern(
    rf"\b(?:disarm|unlock|open|arm|deactivate|silence|turn off|get into|désactiver?|ouvrir|abrir|aprire"
    rf"|entschärf\w*|öffn\w*)"
    rf"\s(?:\w+\s){{0,3}}(?:{_THING}).{{0,20}}\b(?:with|using|by entering|mit|avec|con|com)\s(?:the |code )?[\"'`“]?$"
)
_ENTERING = LazyPattern(
    r"\b(?:enter(?:ing)?|press(?:ing)?|type(?: in)?|typing|punch(?:ing)?(?: in)?|key(?:ing)? in|input|tap(?: in)?"
    r"|dial(?:ling)?|put in|push|hit|use|eingeben|drück\w*|tipp\w*|wähl\w*|gib|gibt|geben|compose[rz]?|tape[rz]?|faire"
    r"|entre[rz]|saisi\w*|appuye[rz] sur|marca\w*|teclea\w*|pulsa\w*|introdu\w*|pon\w*|usa\w*|premi|premere|inseri\w*"
    r"|digit[aeo]\w*|compon\w*|carrega\w* em|prima|aperta\w*|toets\w*|druk\w*|tik|typ|voer|draai|slå|wpis\w+|wybier\w*"
    r"|wciśn\w*|wstuka\w*|naciśn\w*|набер\w+|введ\w+|набрать|набира\w+|нажм\w+|нажать|ввести"
    r"|вводи\w*)(?: man)?(?: in| ein| op| dan)?(?: [#*] (?:then|and))?(?: the| le| el| il| o| de| den)?(?: code"
    r"| pin| código"
    r"| codice| kod| код| digits?| numbers?)?"
    r"\s[\"'`“]?$"
)
_PANEL = LazyPattern(
    r"wejści|klatk|schloss|serrure|cerradura|serratura|fechadura|keypad|digicode|interphone|portero|citofono"
    r"|intercom|domofon|alarme|antifurto|garaje|garagem|garaż|slagboom"
    r"|tastiera"
    r"|teclado|clavier|tastenfeld|klawiatur|клавиатур|панел|шлагбаум|ворот|калитк|замк|замок|disarm|unlock"
    r"|\b(?:door|gate|alarm|safe|lock\w*|shed|barn|garage|panel|entrance|building|elevator|lift|pin|passcode)\b"
    r"|tür|\btor\b|tresor|porte|portail|digicode|puerta|portal|alarma|porta|portão|cancello|allarme|deur|poort|kluis"
    r"|dörr|porten|drzwi|bram|двер|домофон|сейф|подъезд|сигнализац"
)
_LABEL = LazyPattern(
    r"\b(?:alarm|padlock|lock ?box|keypad|key ?safe|key ?box|digicode|vorhängeschloss|cadenas|candado"
    r"|lucchetto|cadeado)(?: code)?\s?(?::|=|→|->)\s[\"'`“]?$"
)
_DIAL = LazyPattern(
    r"\b(?:(?:pad|bike |cable )?lock|safe|suitcase|locker|vault|tresor|schloss|cadenas|candado)(?: is| was|:"
    r"| =)?(?: set to)?\s$"
)
_LUGGAGE = LazyPattern(
    r"\b(?:padlock|bike lock|tsa lock|suitcase|luggage|lock|cadenas|antivol|valise|candado|maleta|cadeado|mala"
    r"|lucchetto"
    r"|valigia|zahlenschloss|fahrradschloss|koffer|cijferslot|fietsslot|kłódka|walizka|чемодан|замок)"
    r"\b[^.\n]{0,40}?(?: is| ist| est| es| é| è|:| set to| está en| está a| sta su| staat op"
    r"| steht auf| opens at| réglée? sur| goes| auf| gestellt auf| op| na"
    r"| на)\s(?:le |el |il |o )?$"
)
_KEY_SAFE = LazyPattern(r"\b(?:key ?safe|lock ?box|key ?box|keypad)\b[^.\n]{0,40},\s$")
_GETS_IN = LazyPattern(
    r"\b(?:gets?|got|lets? \w+|comes?) in(?:to)?\s(?:with|using|by)\s(?:code )?$"
    r"|\b(?:kommt man(?: rein| hinein)? (?:mit|per)"
    r"|on (?:r?entre|accède) avec|se entra con|si entra con|entra-se com|kom je binnen met|wchodzi się)"
    r"(?: (?:der|dem|le|el|il|o|de))?(?: (?:nummer|code|zahl|numéro|número|código|codice|numero|kodem))?\s$"
)
_OPENS_IT = LazyPattern(
    rf"\s(?:opens?|unlocks?|disarms?|gets (?:you|me|us) in(?:to)?|lets (?:you|me|us) in(?:to)?|öffnet|ouvre"
    rf"|abre|apre|opent|öppnar"
    rf"|otwiera|открывает|kommt man)\s.{{0,25}}?(?:{_THING})"
)
_ENTERED = LazyPattern(
    r"[\"'`”]?\s(?:eingeben|eintippen|drücken|eingetippt|eingegeben|tippen|wählen|indrukken|intoetsen|invoeren|intikken"
    r"|in te toetsen|wpisać|wcisnąć|wstukać|öffnen|zu öffnen|aufmachen|entsperren|aufsperren|openen|openmaken"
    r"|ontgrendelen)"
)
_PIN_CODE = LazyPattern(r"\bpin ?code\b")
_LOCK = (
    r"(?:\b(?:safe|(?:pad|bike |combination )?locks?|key ?(?:safe|box)|lock ?box|keypad|locker|cabinet|vault|gate|alarm"
    r"|(?:vorhänge|fahrrad|zahlen)?schloss|tresor|safe|schlüssel(?:kasten|box|tresor|safe)|spind|alarmanlage"
    r"|cadenas|antivol|coffre|boîte à clés?|digicode|casier|candado|caja fuerte|caja de llaves|taquilla|cassaforte"
    r"|lucchetto"
    r"|armadietto|cassetta delle chiavi|antifurto|cadeado|cofre|cacifo|kluis\w*|sleutelk\w+|fietsslot|cijferslot"
    r"|hangslot"
    r"|fietsenstalling|sejf|kłódka|szafka|skrytka|domofon|szlaban)\b|сейф|замок|домофон|калитк|шлагбаум|保险柜|保险箱"
    r"|密码锁|金庫"
    r"|ロッカー|キーボックス|금고|도어락|자물쇠|사물함)"
)
_LOCK_WITH_COLON = LazyPattern(rf"{_LOCK}[^\n.:;\d]{{0,40}}[:：=は是는은]\s?[\"'`“]?$")
_LOCK_ALONE = LazyPattern(r"(?:kłódka|замок|자물쇠|cadenas|candado|lucchetto|cadeado)[^\n.:;\d]{0,20}[\s:]\s?$")
_STANDS_AT = LazyPattern(
    rf"{_LOCK}[^\n.]{{0,40}}?(?:is at|set to|set at|stands at|-digit,|steht auf|gestellt auf|réglée? sur|puesto en"
    rf"|ajustado a"
    r"|impostat[oa] su|regulad[oa] (?:para|em)|staat op|ustawion[ya] na|стоит на|выставлен на)\s$"
)
_DASHES = LazyPattern("[-–]")
_DAY_NEXT = LazyPattern(
    r"\b(?:due|until|since|dated|before|after|bought|bis|seit|jusqu['’]au|depuis le|hasta el|desde el|fino al|dal|até"
    r"|desde|tot|vanaf|sinds)\s$"
)
_THEN = LazyPattern(
    r"\b(?:dial|press|enter|type|punch)\s[#*\d]{1,6},?\s(?:and then|then|and|followed by)\s$"
    r"|\d\s(?:ключ|key|klucz|kluczyk|dzwonek)\s$"
)
_AND_FOR = LazyPattern(
    r"\d\s?[#*]?,?\s(?:and|und|et|y|e|en|i|и)\s(?:for |para |pour |für |per |voor |do |для |del? |da |of )?(?:the "
    r"|el |la |le |l['’]|il |o"
    rf" |a |das |die |den |de |het )?(?:{_THING})\s(?:is |ist |est |es |è |é )?$"
)
_PURPOSE = LazyPattern(
    r"disarm|unlock|to open|switch off|turn off|silence|to stop|get in|shut|entschärf|öffn|aufmach|ausschalt"
    r"|désactiv|ouvr"
    r"|couper|entrer|desactiv|abrir|apagar|entrar|disattiv|aprire|spegn|entrare|desativ|deslig|uitschakel|openen|binnen"
    r"|wyłącz|otworz|otwier|wejść|откры|снять|отключ|войти"
)
_USES = LazyPattern(r"\b(?:uses|with|via|nutzt|mit|utilise|avec|usa|con|com|met|z)\s$")
_GOES = LazyPattern(r"\b(?:goes|is locked (?:by|with)|locked (?:by|with)|after pressing|by pressing)\s$")
_YEAR_TO_TYPE = LazyPattern(r"\b(?:in|use)\s$")
_YEAR = LazyPattern(r"(?:19|20)\d\d$")
_LETS_IN = LazyPattern(r"unlock|to open|to get in|let \w+ in|disarm")
_CLOCK = LazyPattern(r"(?:[01]\d|2[0-3])[0-5]\d$")
_ENDS = LazyPattern(
    r"[\"'`”»*)]{0,3}\s{0,2}(?:$|[.,;!?)\n—–]|(?:schlüssel\w*|raute|stern|hash|star|since|seit|depuis|desde|dal"
    r"|sinds|od|с|within|inside|puis|dann|daarna|luego|después|poi|depois|potem"
    r"|затем|потом"
    r"|zum|zur|om|aby|żeby|чтобы|con|with|mit|avec|com|met|when|wenn|quand|cuando|quando|als|gdy|когда|twice|once"
    r"|first|as"
    r"|by|from|into|while|using|und|sur|sul|no|na|op|an|am|en|al|ein|eingeben|drücken|в|на|для|after|before|to|and"
    r"|or|then|on|at|in|for|followed|plus|auf|und"
    r"|um|et|pour|y|if|when"
    r"|para|e|per|en|och|i|и|na|entschärft|geöffnet|aufgesperrt|auf|です|입니다|。|，)(?!\w))"
)
_LIST = Sought(
    "list of codes", r"(?:\bcodes|códigos|codici|koder|kody|коды|pins|pin-codes|pin-?nummern|pincodes)\s?:\s"
)
_ITEM = LazyPattern(
    r"(?P<label>[^\s,;:\d][^,;:\d\n]{1,30}?)\s?[:=]?\s(?P<number>[#*]?\d{3,8}[#*]?)(?=[\s,;.]"
    r"|$)(?P<gap>\s?(?:[,;/|]|and"
    r"|und|et|y|e|och|i|и)?\s{0,2})"
)


class _Signs(NamedTuple):
    """What the sentence before a number names: something that opens, a code, a lock."""

    thing: bool
    code: bool
    lock: bool


def opening_numbers(_text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """The numbers in a text that open a thing."""
    places: list[list[int]] = []
    for found in _NUMBER.found_in(low):
        start, end = found.span()
        before = _same_sentence(low[max(0, start - _BACK) : start])
        if said.UNITS.match(low, end) or _OTHER_CODE.search(before):
            continue
        after = low[end : end + _AHEAD]
        if end - start == 6 and _PIN_CODE.search(before) and said.POSTAL.search(before + after):
            continue
        # Looked for once in the whole text: a text may have many numbers.
        places = places or [sorted(found.start() for form in forms for found in form.found_in(low)) for forms in _SIGNS]
        signs = _Signs(*(_stands(starts, start - len(before), start) for starts in places))
        if _is_told(before, after, found.group(), signs):
            yield "access code", start, end
    for listed in _LIST.found_in(low):
        yield from _listed(low, listed)


def _stands(starts: list[int], begin: int, end: int) -> bool:
    at = bisect_left(starts, begin)
    return at < len(starts) and starts[at] < end


def _is_told(before: str, after: str, number: str, signs: _Signs) -> bool:
    if len(number) == 3 and number.isdigit():
        is_set = _is_luggage(before, number) or (signs.thing and _OPENS.search(before[-60:]))
        is_set = is_set or (signs.lock and _STANDS_AT.search(before)) or _LOCK_ALONE.search(before)
        return bool(is_set and _ENDS.match(after))
    return (signs.lock and _is_of_lock(before, after, number)) or _is_of_thing(before, after, number, signs)


def _is_of_lock(before: str, after: str, number: str) -> bool:
    if len(_DASHES.findall(number)) >= 2:
        return not _DAY_NEXT.search(before)
    if _CLOCK.match(number) and "alarm" in before:
        return False
    is_set = _STANDS_AT.search(before) or _LOCK_WITH_COLON.search(before)
    return bool(is_set and (_ENDS.match(after) or _ENTERED.match(after)))


def _is_of_thing(before: str, after: str, number: str, signs: _Signs) -> bool:
    tail = before[-60:]
    if _THEN.search(tail) and (signs.thing or _PANEL.search(before)):
        return True
    is_linked = _LINK.search(tail) is not None
    if signs.thing and signs.code and (is_linked or _CODE_OF_THING.search(before) or _AND_FOR.search(tail)):
        return True
    if signs.thing and number[-1] in "#*" and _USES.search(tail):
        return True
    if signs.thing and is_linked and (number[-1] in "#*" or _LETS_IN.search(after)):
        return True
    if _OPENS_IT.match(after) and (not _YEAR.match(number) or signs.code):
        return True
    if _ENTERING.search(tail) and (signs.thing or _PANEL.search(before) or _PANEL.search(after)):
        is_told = _ENDS.match(after) or _PURPOSE.search(before) or _PURPOSE.search(after)
        return bool(is_told) and not (_YEAR.match(number) and _YEAR_TO_TYPE.search(tail))
    if _ENTERED.match(after) and (signs.thing or signs.code):
        return True
    return _ENDS.match(after) is not None and _is_at_the_end(before, after, number, signs)


def _is_at_the_end(before: str, after: str, number: str, signs: _Signs) -> bool:
    tail = before[-60:]
    if (_GETS_IN.search(tail) and _PANEL.search(after)) or _KEY_SAFE.search(before) or _is_luggage(before, number):
        return True
    if signs.thing and (_GOES.search(tail) or _OPENS.search(tail) or _OPENING.search(before)):
        return True
    if _DIAL.search(tail):
        return len(_DASHES.findall(number)) >= 2
    return bool(_LABEL.search(tail)) and (not _CLOCK.match(number) or "arm" in after)


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
