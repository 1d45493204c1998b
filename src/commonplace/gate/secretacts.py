"""Secrets told by what somebody does with them: "types … at the gate", "with … one gets into the cellar", "… switches
the alarm off", "“…” is what she types to unlock the Mac".

Nothing here is called a password. Every value that could be one is looked at once, and the words right before and
right behind it have to say that it is typed, or that something opens with it, while the sentence names what opens.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from commonplace.gate import secretwords as said
from commonplace.gate.secretentry import NUMBERED_THING
from commonplace.gate.secretplaces import Lowered, Sought
from commonplace.gate.secretthings import LOCKED, PLACE, SITE
from commonplace.gate.secretvalues import is_placeholder, is_typed, is_word_and_number
from commonplace.patterns import LazyPattern

_BACK = 110
_AHEAD = 90

# -- what could be a secret -----------------------------------------------------------------------------------------

_DIGIT_WORD = "(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)"
_VALUE = LazyPattern(
    r"(?<![\w.,:/€$£+@#*-])(?P<number>[#*]?\d{4,8}[#*]?|\d(?:[ -]\d){3,7}|\d(?:, ?\d){3,7}|\d{2}[ -]\d{2}(?:[ -]\d{2})?"
    r"|[A-Za-z]?\d{1,4}[A-Za-z]\d{1,4}|\d{3,5}[A-Z]|[A-Z]\d{3,5}"
    rf"|{_DIGIT_WORD}(?:[ ,-]{{1,2}}{_DIGIT_WORD}){{3,7}})(?![\w/€%°$£@]|[.,:–-]\d|\s\d|['’]\w)"
    r"|[\"“„«‘「『]\s?(?P<quoted>[^\"“”„«»‘’「」『』\n]{3,60}?)\s?[\"”“»’」』](?!\w)"
    r"|(?<![\w@/.#$&?=%+*-])(?P<word>[^\W_][^\s\"'`“”„«»,;:()<>{}\[\]/\\@，；。、]{4,40})(?<![.])(?=[\s\"'”»,;:.)]|$)"
)
_NUMBERED = LazyPattern(r"[^\W\d_]{3,}[-_.]?\d{1,4}[!?#$%*]{1,2}$")
_NUMBERED_NAME = LazyPattern(r"[^\W\d_]{3,}(?:[-_.][^\W\d_]{2,})+\d{1,4}$")
_LOOKS_MADE = LazyPattern(r"[0-9!#$%^&*+=~_?]|[a-z][A-Z]|-[^-]+-")


@dataclass(frozen=True, slots=True)
class _Value:
    """A value, and how much it looks like a secret by itself: a number, a word with a number, something made up to be
    typed, words in quotation marks."""

    start: int
    end: int
    look: str


# -- what is done with it -------------------------------------------------------------------------------------------

_ONE = r"(?:you|me|us|them|him|her|one|people|anyone|everyone|everybody|guests|the kids|kids|visitors|residents)"
_GETS_IN = (
    rf"(?:unlock\w*|log(?:s|ged|ging)?[- ](?:in|on)(?:to)?|sign(?:s|ed|ing)?[- ](?:in|on)(?:to)?"
    rf"|g[eo]t(?:s|ting)? (?:{_ONE} )?(?:back )?(?:in|into|past|through|on|onto)(?! time| with| to\b)"
    rf"|lets? {_ONE} (?:back )?(?:in|into|past|through|on|onto)|be let in|join\w*|connect\w*|decrypt\w*|disarm\w*"
    r"|authenticat\w*|wakes? up|wak(?:e|es|ing)"
    # German, Dutch, Scandinavian
    r"|entsperr\w*|einlogg\w*|anmeld\w*|melde[nt]?\b (?:sich|man sich|uns)|kommt? (?:man|er|sie|ihr|jeder)|entschärf\w*"
    r"|aufsperr\w*|aufmach\w*|entriegel\w*|verbinde\w*|ontgrendel\w*|inlogg\w*|logt|binnen|verbinden|aanmeld\w*"
    r"|loggar in"
    r"|logger inn?"
    # French, Spanish, Italian, Portuguese
    r"|déverrouill\w*|débloqu\w*|s['’]y connecter|connect\w*|ouvr\w* (?:sa |la |une )?session|entrer|accéd\w*"
    r"|desbloque\w*|desbloqueia\w*|conecta\w*|inicia\w* sesión|entra[rn]?|entrar|acced\w*|ingres\w*|sblocc\w*"
    r"|collega\w*"
    r"|entra(?:re|no)?|entram|aced\w*|acess\w*|destranc\w*"
    # Polish, Czech, Russian, Ukrainian, Turkish
    r"|odblok\w*|zalog\w*|logow\w*|loguj\w*|wejść|wchodz\w*|přihl\w*|odemk\w*|разблок\w*|войти|заход\w*|входит|вход"
    r"|подключ\w*|проход\w*|açıl\w*|gir\w{1,5})"
)
_OPENS = (
    r"(?:opens?|opened|opening|draw(?:s|ing)? (?:cash|money)|withdraw\w*|deactivat\w*|disabl\w*|bypass\w*|overrid\w*"
    r"|silenc\w*|(?:turn|switch|shut)(?:s|es|ed)? off"
    r"|releas\w*|clears?|lifts?|raises?|starts?|wakes?|works on|makes? [^.\n]{2,30}? (?:open|go up|go away|stop)"
    r"|goes? up"
    r"|öffne\w*|geht|gehen|geöffnet|schalte\w*|ausschalt\w*|abschalt\w*|auszuschalten|hebt|deaktivier\w*|aufzumachen"
    r"|opent|openen|gaat|heft|schakelt|uitschakel\w*|öppna\w*|åbne\w*|åpne\w*"
    r"|ouvr\w*|désactiv\w*|lève|coupe|éteint|s['’]ouvre|abr\w{1,3}|desactiv\w*|apag\w*|quita|se abre|apr(?:e|ono|ire)"
    r"|disattiv\w*|spegn\w*|toglie|abre-se|deslig\w*|desativ\w*|desbloqueia-se|tira"
    r"|otwier\w*|otworz\w*|wyłącz\w*|otev\w*|vyp\w*|откры\w*|отключ\w*|снима\w*|снять|вимика\w*|відкри\w*|açıyor"
    r"|kapat\w*)"
)
_ACT = rf"(?:{_GETS_IN}|{_OPENS})"
_TYPES = (
    r"(?:typ(?:e|es|ed|ing)|enter(?:s|ed|ing)?|press(?:es|ed|ing)?|punch(?:es|ed|ing)?|key(?:s|ed|ing)|key in"
    r"|tap(?:s|ped|ping)?"
    r"|inputs?|inputting|put(?:s|ting)?|hit(?:s|ting)?|push(?:es|ed|ing)?"
    r"|tipp(?:t|e|en|st)?|tippte|eintipp\w*|drück(?:t|e|en)?|gib|gibt|gebe|geben|eingeb\w*|wählt?|wählen"
    r"|tap(?:e|es|er|ez|ent)|compos(?:e|er|ez|ent)|saisi(?:t|r|s|ssez|ssent)?|entre[rz]?|appui\w+ sur|fait|faire|met"
    r"|mettre"
    r"|tecle(?:a|e|ar|an|o)|marc(?:a|ar|an|o)|puls(?:a|ar|an|o)|introdu\w{1,5}|pon(?:e|er|en|ga|go)?|escrib\w{1,4}"
    r"|digit(?:a|ar|an|am|o|are|ano|e)|ingres(?:a|ar|an|e)"
    r"|prem(?:e|ere|i|ono|er)|compon(?:e|i|gono)|inser\w{1,6}|insir\w{1,3}|batt(?:e|ere|i)|scriv(?:e|i|ere|ono)"
    r"|carreg(?:a|ar) em|tecl(?:a|ar|am)|escrev\w{1,4}(?:-se)?|apert(?:a|ar)|põe"
    r"|toets(?:t|en)?|typ(?:t|en)?|druk(?:t|ken)?|tikt?|voert?"
    r"|wpis(?:uje|ać|z|ują|ała?)|wstuk\w{1,5}|wciska\w{0,2}|wciśn\w*|naciska\w{0,2}|wybiera\w?|wbija\w{0,2}|poda(?:je|j"
    r"|ć)"
    r"|набира\w+|набер\w+|набра\w+|ввод\w+|введ\w+|нажима\w+|нажм\w+|вбива\w+|слå|slår|slå|trycker|skriver|taster"
    r"|knappar"
    r"|zadá\w*|mačká\w*)"
)
_WITH = (
    r"(?:with|using|by typing(?: in)?|by entering|by pressing|mit|avec|con|com|met|med|z|kodem|hasłem|słowem|с помощью"
    r"|кодом"
    r"|паролем|словом|by|per|durch)"
)
_SAID = (  # what may stand between such a word and the value
    r"(?:\s(?:in|the|a|le|la|el|il|o|lo|dem|der|den|das|de|het|then|just|simply|always|still|now|dann|puis|luego|poi"
    r"|first"
    r"|code|codes|digits|numbers?|number|word|phrase|nummer|zahl|numéro|número|numero|código|codice|kod|код|wort|mot"
    r"|parola"
    r"|palabra|palavra|woord|słowo|слово|sie|er|man|ich|opa|oma|ze|hij|je|men|hier|star|hash|pound|stern|raute|étoile"
    r"|asterisco|and|und|et|y|e|en|or)){0,4}?[\s,:]{1,2}"
)
_TYPED_BEFORE = LazyPattern(rf"\b{_TYPES}(?:\s\w{{1,10}})?{_SAID}$")
_DIALS = LazyPattern(rf"\b(?:dial(?:s|led|ling|ed|ing)?|wählt?|marca[rn]?|compose[rz]?){_SAID}$")
_DIALLED = LazyPattern(r"[#*]|\b(?:gate|door|intercom|safe|lock|entrance|barrier|keypad|panel)\b")
_WITH_BEFORE = LazyPattern(rf"\b{_ACT}\b[^.\n]{{0,60}}?\b{_WITH}{_SAID}$|\b(?:opens?|unlocks?) on\s$")
_GOT_IN_WITH = LazyPattern(rf"\b{_GETS_IN}\b[^.\n]{{0,60}}?\b{_WITH}{_SAID}$")
_CLAUSE_START = r"(?:^|[.;:,—–(]\s|\b(?:that|and|but|so|dass|que|che|dat|że|что)\s)[\"“„«‘「『]?\s?"
_FRONTED = LazyPattern(rf"{_CLAUSE_START}{_WITH}{_SAID}$")
_PRONOUN = (
    r"(?:(?:si|se|on|man|je|you|we|one|they|he|she|it|it['’]s|er|sie|ze|hij|się|kann|können|peut|puede|può|pode|kan"
    r"|można|can|may|the|das|die|der|den|de|het|la|le|el|il|o|a|all|both|alle|beide|everybody|everyone)\s){0,3}"
)
_ACT_AFTER = LazyPattern(rf"[\"”“»’」』]?,?\s{_PRONOUN}(?:\w{{2,20}}\s)?{_ACT}")
_STARTS_CLAUSE = LazyPattern(rf"{_CLAUSE_START}$|\b(?:remember|note)\s(?:that\s)?$")
_ACTS = LazyPattern(
    rf"\s?[\"”“»’」』]?(?:[,:]|\s?[—–-])?\s(?:that |this |it |das |ça |cela |eso |questo |isso |dat |to )?(?:also "
    rf"|still |will |auch |aussi |también )?{_ACT}\b"
)
_TYPED_NEXT = LazyPattern(
    r"\s?[\"”“»’」』]?,?\s(?:tippt|gibt|tape|tapent|typt|toetst|wpisuje|вводит|набирает|skriver|digita|teclea)\s"
)
_IS_WHAT = LazyPattern(
    r"\s?[\"”“»’」』]?\s?(?:[,:]\s|\s|\s?[—–-]\s)(?:is|was|are|that is|that['’]s|this is|it['’]s|ist|das ist|c['’]est"
    r"|est|es|eso es"
    r"|è|é|to|is dat)?\s?(?:what|how|the way|the thing|das,? was|was|avec ça qu|ce qu|ça qu|lo que|con lo que|con eso"
    r"|quello che|ciò che|così che|o que|wat|gets)"
)
_DOES = LazyPattern(
    rf"\b(?:{_TYPES}|{_ACT}|wants?|needs?|asks?|expects?|takes?|says?|veut|will|quiere|vuole|wil|chce)\b"
)
_UNLOCKS = LazyPattern(
    rf"\b{_GETS_IN}|\b(?:at boot|when \w+ (?:starts|boots)|wenn \w+ startet|au démarrage|al arrancar)\b|\bopens?\b"
)
_WANTS = LazyPattern(
    r"\b(?:wants?|takes?|needs?|asks? for|accepts?|expects?|requires?|you need|verlangt|will|braucht|veut|demande"
    r"|quiere|pide"
    r"|necesita|vuole|chiede|serve|quer|pede|precisa de|wil|vraagt|chce|prosi o|просит|хочет|нужно)\s(?:the |code |le "
    r"|el |il |o )?$"
)
_USED = LazyPattern(r"\b(?:uses?|used|utilise|usa|gebruikt|nutzt|używa)\s(?:the |code )?$")
# Several in a row at a panel: "press star, then 7 7 2 1, then the green button".
_KEYS_BEFORE = LazyPattern(
    r"\b(?:star|hash|pound|bell|stern|raute|étoile|dièse|asterisco|almohadilla|cancelletto|cardinal|hekje|sterretje)\b"
    r"[^.\n\d]{0,16}$"
)
_KEYS_AFTER = LazyPattern(
    r",?\s(?:and |und |et |y |e |en |then |dann |puis |luego |poi )*(?:the |die |den |le |la |el |il |o |de )?"
    r"(?:green |grüne |red |rote )?(?:star|hash|pound|bell|button|key|stern|raute|taste|étoile|dièse|bouton|asterisco"
    r"|tecla"
    r"|tasto|botón|knop|hekje)\b"
)
_ENDS = LazyPattern(
    r"[\"'`”»*)]{0,3}\s?(?:$|[.,;:!?)\n—–-])|\s(?:at|on|in|into|onto|by|to|and|then|when|if|or|for|after|before|while"
    r"|twice"
    r"|once|with|as|so|every|each|within|inside|is|was|until|since|am|an|im|ein|auf|bei|beim|und|um|zum|zur|wenn|dann"
    r"|eingeben"
    r"|eintippen|drücken|sur|au|à|dans|et|pour|puis|quand|en|al|del|y|para|cuando|luego|e|no|na|nel|nella|sul|per"
    r"|quando|poi"
    r"|bij|op|om|als|aan|i|w|przy|gdy|и|на|в|у|чтобы|vid|på|ve|tuşla\w*|you|the|one|man|se|si|on|je|geht|kommt|gaat|है"
    r"|ile)(?!\w)"
)
_NAMED = LazyPattern(  # what a value is that is no secret
    r"\b(?:user(?:\s?name)?s?|name[ds]?|called|handle|nick\w*|host\w*|branch|channel|tag|version|release|title|model"
    r"|serial"
    r"|ticket|issue|order|pr|route|bus|line|port|room|extension|ext\.?|building|account|konto|customer|card|member\w*"
    r"|id"
    r"|benutzer\w*|usuario|utente|utilisateur|gebruiker|loggt als|as|als|como|comme|come|heißt|llama|chiama|chama|heet"
    r"|email"
    r"|mail|e-mail|address|ssid|network|netz\w*|réseau|red|rete|rede|netwerk|no\.?|nr\.?|number of|app|tool|page|file"
    r"|menu|year"
    r"|passkey|about|around|over|under|up to|than|only)\s(?:is\s|=\s|:\s)?[\"“„«‘「『]?\s?$"
)
# "…, that's the admin password": what follows names the value.
_IS_NAMED = LazyPattern(
    rf"[\"”“»’」』)]?(?:\s?[,:(—–-]{{1,2}}\s?|\s)(?:that['’]s|that is|this is|it['’]s|is|was|das ist|so (?:lautet"
    rf"|heißt)|ist|war|c['’]est"
    r"|voilà|est|es|esa es|esta es|ese es|era|questa è|è|essa é|esta é|é|dat is|is|to jest|to|это|bu|det är"
    r"|det er)?\s?[—–]?\s?"
    r"(?:the|her|his|my|our|their|its|a|das|die|der|sein|ihr|mein|le|la|son|sa|mon|ma|el|su|mi|il|lo|o|a|het|de|zijn"
    r"|haar)?\s?"
    rf"(?:[\w'’.-]{{1,20}}\s){{0,3}}?(?:\w{{0,14}}-)?(?:{said.PASSWORDS})(?!\w)"
)
_LINKED = LazyPattern(
    r"(?:[:,(—–-]|\b(?:is|was|are|uses|use|using|with|takes|types?|still|ist|nimmt|nutzt|benutzt|est|prend|utilise|avec"
    r"|es|usa|pone|è"
    r"|é|prende|is|gebruikt|neemt|to|używa|это|использует))\s[\"“„«]?\s?$"
)
# What people say instead of "password" when they tell one of theirs.
_ONE_OF_THEIRS = LazyPattern(
    r"\b(?:usual|same|old|older|other|throwaway|go-to|standard|normal|work|private|second|new|weak|strong|simple|short"
    r"|long|main) one\b"
    r"|\bgo-to\b|\bthe usual\b|\bthe same as always\b|\buses two\b|\b(?:das|dem|des) (?:alte|übliche|gleiche|neue)n?\b"
    r"|l['’]habituel|le même"
    r"|\bla (?:de siempre|misma|solita|stessa|mesma|habitual)\b|\ba (?:de sempre|mesma)\b|\bhet (?:oude|gebruikelijke"
    r"|zelfde)\b|\bto samo\b"
    r"|того же|тот же|тем же|старый"
)
_FUNCTION = (
    r"(?:the|a|an|its|his|her|my|our|their|has|have|with|uses?|using|under|new|old|current|secret|and|or|for|same"
    r"|normal|only|now"
    r"|का|की|der|den|dem|das|ein|einen|hat|mit|und|le|la|un|a|au|avec|et|son|sa|el|su|con|y|tiene|il|lo|ha|o|e|tem|com"
    r"|um|de|het|een"
    r"|heeft|met|en|ma|z|i|jest|och|har|og)"
)
_CODE_WORD = (
    r"(?:code|combo|combination|keycode|passcode|c[oó]digo|codice|kod|kode|koden|kód|kódja|codul|koodi|kod[ui]|mã"
    r"|kombination"
    r"|combinaci[oó]n|combinaison|combinação|combinazione|combinatie|kombinacja|код|комбинация|κωδικός|कोड|clave|sifra"
    r"|override"
    r"|(?:secret|security) number|geheimzahl|geheimnummer|numéro secret|número secreto|numero segreto"
    r"|(?<!last )(?:four|five|six|[4-8]) (?:digits|numbers|figures)|(?:vier|sechs) (?:zahlen|ziffern)|(?:quatre"
    r"|six) chiffres"
    r"|(?:cuatro|seis) (?:cifras|números|dígitos)|(?:quattro|sei) (?:cifre|numeri))"
)
_CODE_IS = LazyPattern(
    rf"(?:^|[.,;:(—–]\s|\b{_FUNCTION}\s|['’]s?\s){_CODE_WORD}(?:['’]s|\s(?:for|of|to|on|at|in|vom|von|für|zum|zur|du|de"
    rf"|des|del|de la"
    r"|do|da|van|voor|till|til|för|od|dla|del|della|dell['’]|per|от|для|к|на|від|de la|untuk)\s?[^.:;,\n\d]{2,40}?)?"
    r"(?:\s(?:is|was|are|now|ist|war|lautet|est|es|è|é|är|er|on|to|je|jest|este|là|это|είναι|adalah"
    r"|reads))?\s?[:=]?\s?[\"“]?$"
)
# With a name before or behind it, a code has to be one of a place.
_CODE_OF_SOME_KIND = LazyPattern(
    rf"(?:\b|-){_CODE_WORD}(?:\s[^\s\d.:;,]{{2,20}}){{0,4}}?"
    r"(?:\s(?:is|was|are|now|ist|lautet|est|es|è|é|är|er|to|je|jest|это))?\s?[:=]?\s$"
)
_LONG_CODE = LazyPattern(
    r"\b[^\W\d_]{3,20}(?:code|kode|koden|kod|kód|koodi)(?:\s(?:is|ist|lautet|on|är|er|der|des|am|im|zum|zur|van|vom|von"
    r"|till|til|för|für)\b[^.:;,\n\d]{0,30}?)?\s?[:=]?\s$"
)
_LOCKED_BY = LazyPattern(
    r"\b(?:locked|lock ?screen|(?:parental|child|profile) lock|gesperrt|verrouillée?|bloquead[oa]|bloccat[oa]|op slot"
    r"|zablokowan\w+)"
    r"\b(?:[^.\n\d]{0,24}[,:(—–])?\s$"
)
_LABELLED = LazyPattern(r"[:：]\s$")
_WHICH_ACTS = LazyPattern(
    rf",?\s(?:which|that|and (?:it|that)|die|das|qui|que|che|die|który|что|который)\s(?:also |auch |aussi |también "
    rf"|anche )?{_ACT}\b"
)
_TYPED_AFTER = LazyPattern(
    r"[\"”“»’」』]?\s(?:tuşla\w*|ile (?:aç|gir)\w*|girin\w*|bas(?:ın|ıl)\w*|eintipp\w*|einzutippen|eingeb\w*|eingetippt"
    r"|eingegeben|drücken"
    r"|intoetsen|indrukken|intikken|wpisać|wcisnąć|ввести|набрать)(?!\w)"
)
_SEPARATED = LazyPattern(r"\d(?:[ ,-]{1,2}\d){3,}$")
# Codes that anybody may know.
_PUBLIC = LazyPattern(
    r"cours|class|module|subject|lectur|project|product|article|item|\bpart|colou?r|paint|stock|share|ticket|airport"
    r"|swift"
    r"|diagnos|tariff|customs|\bform\b|fault|error|country|city|region|curren|language|cost|\btax|custom|client|member"
    r"|discount|promo"
    r"|voucher|coupon|book|reserv|track|parcel|shipment|flight|recipe|pattern|postal|\bzip|\barea|dial|phone|isbn|sku"
    r"|catalog|model"
    r"|serial|version|exit|status|http|\blog\b|\bbug|team|group|invite|friend|referral|public|game|cheat|morse|unicode"
    r"|licen[cs]e"
    r"|exchange|time ?sheet|ledger|\bvat\b|sap\b|order|invoice|trade|industr|student|room number|means|donat|plant|seed"
    r"|file"
    r"|centre|center|quell|länder|\bqr|barcode|kurs|fach\b|projekt|produkt|artikel|articolo|farb|fehler|kunden|steuer"
    r"|gutschein|rabatt|bestell|buchung|post|produit|couleur|erreur|remise"
    r"|réserv|postal|producto|artículo|color|descuento|pedido|reserva|cliente|curso|asignatura|prodotto|corso|colore"
    r"|errore|sconto"
    r"|fiscale|univoco|ordine|produto|\bcor\b|desconto|\bvak\b|kleur|klant|korting|bestelling|przedmiot|kolor|klient"
    r"|rabat|zamówi"
    r"|товар|курс|ошибк|клиент|скидк|город|стран|заказ|источник|source|swift|bank\b"
)
_YEAR = LazyPattern(r"(?:19|20)\d\d$")
_TECH = LazyPattern(
    r"(?:yubi|pass|smart|hardware)[- ]?key|oauth|openid|sso\b|saml|ldap|2fa|mfa|totp|webauthn|fido|face ?id|touch ?id"
    r"|github"
    r"|gitlab|google|apple|okta|https?|wpa\d|ipv\d|wireguard|openvpn|bluetooth|\.(?:com|org|net|de|exe|zip|sh|py)$"
    r"|^[a-z]+\d+g$"
)
_COMMAND = LazyPattern(
    r"(?:git|npm|pnpm|yarn|make|just|cargo|docker|kubectl|sudo|python\d?|pip|uv|go|node|npx|ls|cd|ssh|brew|apt|hey|ok"
    r"|alexa)\b"
    r"|--|[/\\{}$|]|^(?:yes|no|y|n|ok)$"
)
_SITES = LazyPattern(SITE)
_JOINED = LazyPattern("[-_]")


_PLACES = Sought("act place", PLACE)
_LOCKED = Sought("act locked", LOCKED)


def done_with(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """The secrets that the frames above find."""
    places: list[int] | None = None
    devices: list[int] = []
    for value in _values(text, low):
        if places is None:
            places = [found.start() for found in _PLACES.found_in(low)]
            devices = [found.start() for found in _LOCKED.found_in(low)]
        start, end = value.start, value.end
        before, after = _before(low, start), _after(low, end)
        at_place = _stands(places, start - len(before), end + len(after))
        at_device = _stands(devices, start - len(before), end + len(after))
        told = _is_number_told if value.look == "number" else _is_word_told
        if told(low[start:end], value.look, before, after, place=at_place, device=at_device):
            yield ("access code" if value.look == "number" else "password"), start, end


def _values(text: str, low: str) -> Iterator[_Value]:
    for found in _VALUE.finditer(text):
        kind = found.lastgroup or "word"
        start, end = found.span(kind)
        value = text[start:end]
        if kind == "number":
            yield _Value(start, end, "number")
        elif kind == "quoted":
            if not is_placeholder(value) and not _COMMAND.search(value.lower()):
                yield _Value(start, end, "quoted")
        elif _LOOKS_MADE.search(value):
            bare = value.rstrip(".,;:")
            lower = low[start : start + len(bare)]
            if is_placeholder(bare) or _TECH.search(lower) or NUMBERED_THING.match(lower):
                continue
            if is_typed(bare) or _NUMBERED.match(bare):
                yield _Value(start, start + len(bare), "typed")
            elif (is_word_and_number(bare) or _NUMBERED_NAME.match(bare)) and any(map(str.isdigit, bare)):
                yield _Value(start, start + len(bare), "weak")


_SENTENCE_END = LazyPattern(r"(?<=\S)[.!?。！？](?:\s|$)|\n")


def _before(low: str, start: int) -> str:
    before = low[max(0, start - _BACK) : start]
    ends = [found.end() for found in _SENTENCE_END.finditer(before)]
    return before[ends[-1] :] if ends else before


def _after(low: str, end: int) -> str:
    after = low[end : end + _AHEAD]
    stop = _SENTENCE_END.search(after)
    return after[: stop.start()] if stop else after


def _stands(starts: list[int], begin: int, end: int) -> bool:
    at = bisect_left(starts, begin)
    return at < len(starts) and starts[at] < end


def _is_number_told(number: str, _look: str, before: str, after: str, *, place: bool, device: bool) -> bool:
    if said.UNITS.match(after) or _NAMED.search(before):
        return False
    if len(number) == 6 and "pin" in before and said.POSTAL.search(before + after):
        return False
    is_year = _YEAR.match(number) is not None
    if _CODE_IS.search(before) and _ENDS.match(after) and not _is_public(before, after) and not is_year:
        return True
    is_last = _ENDS.match(after) is not None
    if is_last and not is_year and _LONG_CODE.search(before) and not _is_public(before, after):
        return True
    if not (place or device):
        return False
    if (number[0].isalpha() and " " in number) or _TYPED_AFTER.match(after):
        return True
    if place and is_last and not is_year and _CODE_OF_SOME_KIND.search(before) and not _is_public(before, after):
        return True
    if is_last and (_LOCKED_BY.search(before) or (_SEPARATED.match(number) and _LABELLED.search(before))):
        return True
    which = _WHICH_ACTS.match(after)
    if which and not is_year and re.search(PLACE, after[which.end() :]):
        return True
    if is_last:
        if _TYPED_BEFORE.search(before) and not is_year:
            return True
        if _DIALS.search(before) and _DIALLED.search(number + before + after):
            return True
        if _WITH_BEFORE.search(before) and not is_year:
            return True
        if not is_year and place and _USED.search(before):
            return True
        if not is_year and _WANTS.search(before) and _stands_before(before):
            return True
        if _KEYS_BEFORE.search(before):
            return True
    if _FRONTED.search(before) and _ACT_AFTER.match(after):
        return True
    if not is_year and _STARTS_CLAUSE.search(before):
        acts = _ACTS.match(after)
        if acts and (re.search(PLACE, after[: acts.end() + 45]) or re.search(LOCKED, after[: acts.end() + 45])):
            return True
        what = _IS_WHAT.match(after)
        return bool(what and _DOES.search(after, what.end()))
    return False


def _is_public(before: str, after: str) -> bool:
    return _PUBLIC.search(before[-60:] + after[:30]) is not None


def _stands_before(before: str) -> bool:
    return re.search(PLACE, before) is not None or re.search(LOCKED, before) is not None


def _is_word_told(value: str, look: str, before: str, after: str, *, place: bool, device: bool) -> bool:
    if _NAMED.search(before) or value in said.NOT_A_PASSWORD:
        return False
    if look != "quoted" and _STARTS_CLAUSE.search(before):
        named = _IS_NAMED.match(after)
        if named and not said.NOT_ITSELF.match(after, named.end()):
            return True
    is_made = look == "typed" or (look == "weak" and _JOINED.search(value) is not None)
    if (
        is_made
        and len(value) <= 24
        and _LINKED.search(before)
        and (_ONE_OF_THEIRS.search(before) or _SITES.search(before))
    ):
        return True
    near = place or device or _SITES.search(before) is not None
    what = _IS_WHAT.match(after)
    if near and _STARTS_CLAUSE.search(before) and _TYPED_NEXT.match(after):
        return True
    if what and _STARTS_CLAUSE.search(before) and _DOES.search(after, what.end()):
        return _UNLOCKS.search(after) is not None or (look != "quoted" and near)
    if look == "quoted":
        return bool(
            (_TYPED_BEFORE.search(before) and _UNLOCKS.search(before + " " + after) and near)
            or (_STARTS_CLAUSE.search(before) and _ACTS.match(after) and device)
        )
    if near and _TYPED_AFTER.match(after):
        return True
    if _TYPED_BEFORE.search(before):
        return near or _UNLOCKS.search(before + " " + after) is not None
    if _GOT_IN_WITH.search(before):
        return near or look == "typed"
    if near and _FRONTED.search(before) and _ACT_AFTER.match(after):
        return True
    if near and _WANTS.search(before):
        return True
    return bool(near and _STARTS_CLAUSE.search(before) and _ACTS.match(after))
