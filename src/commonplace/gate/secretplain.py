"""Secrets said plainly: a name for one, anything in between, a linking word, and a value that looks like one.

The other rules know what may stand between a name and its value. This one knows only what may not: every link in the
sentence behind a name is tried, and the look of what follows the link decides.
"""

import re
from collections.abc import Iterator

from commonplace.gate import secretwords as said
from commonplace.gate.secretplaces import Lowered, Sought
from commonplace.gate.secretvalues import (
    is_hex,
    is_placeholder,
    is_random,
    is_run_together,
    is_strong,
    is_typed,
    is_uuid,
    is_word_and_number,
)
from commonplace.patterns import LazyPattern

_AHEAD = 180
_BACK = 80

# -- names ----------------------------------------------------------------------------------------------------------

_PASSWORD = Sought(
    "plain password",
    rf"(?:{said.PASSWORDS}|(?<![a-z])(?:bind|root|admin|user|db|ldap|sudo|su|key|store|enable|login)_?pw(?:d)?(?![a-z])"
    r"|(?<![a-z])(?:safe |secret |pass ?)phrase(?![a-z])|(?<![a-z])(?:wi-?fi|wlan|wireless|network"
    r"|hotspot) key(?![a-z])"
    r"|(?<![a-z])(?:log-?ins?|credentials?|creds|unlock word|word to say|code ?word)(?![a-z])|zugangsdaten|anmeldedaten"
    r"|(?<![a-z])(?:sudo|pass(?= (?:for|is|to|on)\b)|(?:initial|temp|temporary|starting|start|one-time"
    r"|login|admin|account) pass(?= \S{0,30}\d)|root(?= (?:on|at|of|has|auf|sur|en))|(?:locked|protected|secured"
    r"|gesperrt|verrouillée?"
    r"|bloquead[oa]|bloccat[oa])[^.\n]{0,20}?(?:the |das |le |la |el )?(?:word|wort|mot|palabra|parola)|clave"
    r"|key (?:for|to|of) (?:the |my |our |his |her )?(?:[\w-]+ ){0,2}?(?:repo|repository|backups?|drive|disk|vault"
    r"|archive|container|volume|wi-?fi|network|router|hotspot))(?![a-z])"
    r"|(?<![a-z])(?:wi-?fi|wlan|hotspot|network)\b[^.\n]{0,40}?\bkey(?![a-z])"
    r"|identifiants|credenciales|credenciais|credenziali|inloggegevens|dane logowania"
    r"|\.(?:pfx|p12|kdbx|jks|keystore)(?![a-z]))",
)
_KEY = Sought(
    "plain key",
    r"(?<![a-z])(?:(?:api|access|secret|private|auth|encryption|signing|master|deploy|admin|root|service|session"
    r"|webhook"
    r"|client|bot|license|licence|recovery|storage|account|app|shared|preshared|pre-shared)[ _-]?(?:key|token|secret)s?"
    r"|api ?keys?|tokens?|secrets?|pat|(?:master|secret|private|license|api)[._-]key(?:\.\w{2,4})?|\.env\w*"
    r"|username for the api|licen[cs]e(?: key)?|claim code|gift card code|voucher code"
    r"|mullvad(?: account)?(?: number)?)(?![a-z])"
    r"|api-?schlüssel|zugriffsschlüssel|clé d['’](?:api|accès)|jetons?(?![a-z])|clave (?:de )?api|chave (?:de |da )?api"
    r"|chiave (?:api|segreta)|api-?sleutel|klucz(?:a|em)? (?:api|dostępu)|api-?nyckel\w*|ключ\w* (?:api|доступа)"
    r"|токен\w*"
    r"|密钥|令牌|トークン|토큰",
)
_CODE = Sought(
    "plain code",
    rf"(?!nip)(?:{said.PIN}|{said.CODE}|(?<![a-z])(?:pass|entry|door|gate|alarm|unlock|access|security|lock|safe"
    rf"|disarm|staff)"
    r"[- ]?(?:code|number|combo)s?(?![a-z])|(?<![a-z])passcodes?(?![a-z])"
    r"|(?<![a-z])(?:safe|locker|lock ?box|key ?safe|padlock)(?= [^.\n]{0,40}\bset (?:as|to|at)\b)"
    r"|(?:parental|child|screen|bike|luggage|suitcase|cellar|pad|combination|wheel|tv|shed|gym|door"
    r"|safe) ?locks?(?![a-z])"
    r"|(?:tür|tor|haus|alarm|safe|tresor|zugangs|schloss|keller|entsperr|zahlen)-?(?:code|kombination|pin)"
    r"|(?<![a-z])code (?:d['’]entrée|d['’]accès|de la|du|de l['’])|(?:c[oó]digo|codice|clave) (?:de|del|della"
    r"|dell['’]|do|da|di)(?![a-z])"
    r"|kod (?:do|od|dostępu|odblokowania|alarmu|blokady|bramy|ekranu|wejściow\w+)(?![a-z])|(?<![a-z])code van"
    r"|koden (?:till|til)|код (?:от|для|на|к|доступа)(?![а-я])"
    r"|asks? for (?:four|five|six|[4-8]) (?:numbers|digits)|暗証番号|密码锁|门禁|비밀번호)",
)
_BACKUP = Sought("plain recovery", rf"(?:{said.RECOVERY})")

# -- links ----------------------------------------------------------------------------------------------------------

_IS = (
    r"is|was|are|were|equals|be|remains?|stays?|reads?|says|being|now|becomes?|contains?|holds?|namely|so|i\.e\."
    r"|called|spelled|has|hat|uses|needs|wants|expects"
    r"|it['’]s|that['’]s|goes|with|as|use|try|type|enter|takes"
    r"|jetzt|nun|maintenant|désormais|ahora|adesso|agora|nu|teraz|ist|war|sind|also|lautet|lauten|heißt|heisst|bleibt"
    r"|nämlich|enthält"
    r"|est|sont|était|reste|donc|c['’]est|soit|contient"
    r"|es|son|era|será|sigue siendo|queda|contiene|è|sono|sarà|rimane|ovvero|é|são|foi|fica|continua|contém|ou seja"
    r"|is nog|blijft|zijn|luidt|bevat|är|er|var|blir|lyder|jest|są|brzmi|zawiera|czyli|je|este|adalah"
    r"|это|есть|был|теперь|остался|а именно"
)
_TO = r"to|into|auf|zu|à|en|par|a|al|para|por|su|in|con|op|naar|in|na|till|til|på|на"
_STILL = (
    r"(?:since|seit|depuis|desde|dal|sinds|od|с)\s\S{2,15}|now|still|just|currently|always|literally|simply|again"
    r"|back|currently set to|set to|changed to|reset to|jetzt"
    r"|schlicht|ganz einfach|tout simplement|simplemente|semplicemente|simplesmente|gewoon|po prostu|просто"
    r"|immer noch|noch immer|weiterhin|einfach|aktuell|nun|ahora|siempre|todavía|maintenant|toujours|désormais|adesso"
    r"|ora|sempre|ancora|agora|ainda|nu|altijd|nog steeds|teraz|nadal|теперь|сейчас|пока|по-прежнему"
)
_FILLER = (
    r"(?:(?:the|a|der|die|das|le|la|el|il|o|de|het)\s)?(?:passphrase|phrase|word|words|string|number|code|combination"
    r"|line|sentence|name|wort|mot|palabra|parola|palavra|woord|słowo|слово|фраза|satz|frase)\s"
)
_LINK = LazyPattern(
    rf"(?:(?<=[\s,])(?P<verb>{_IS})(?:\s+(?:{_STILL}))?(?:\s?:)?\s+(?:{_FILLER})?"
    rf"|(?<=\s)(?P<to>{_TO})\s+(?:{_FILLER})?"
    r"|\s{0,2}(?P<sep>:=|=>|->|→|==?|：|＝|:(?=\s))\s{0,3}"
    r"|\s?(?P<wide>就是|是|为|為|改成|换成|は|が|を|는|은|이|가|를|을)\s?"
    r"|\s(?P<dash>[—–-])\s)"
)
_CHANGE = LazyPattern(
    r"chang|\bset\b|reset|switch|updat|rotat|swap|renew|replac|became|moved|back(?![- ]?up)|"
    r"änder|gesetzt|setz|gestellt|umgestellt|erneuert|modifi|réinit|remplac|mis\b|mise\b|cambi|restablec|actualiz|puest"
    r"|renov|alter|mud|troc|redefin|defin|impost|reimpost|aggiorn|sostitu|gewijzigd|wijzig|verander|aangepast|gezet"
    r"|bytt|ändr|ændr|zmieni|ustawi|смен|измен|поменя|установ|обнов"
)
_PUBLIC = LazyPattern(
    r"(?:public|öffentlich\w*|publique|públic[ao]|pubblic[ao]|publiczn\w+|открыт\w+)\s?(?:\w{2,12}\s)?$"
)
_POLISH = ("has", "kod", "pin", "klucz", "token", "login")
_SENTENCE_END = LazyPattern(r"[.!?]\s+(?=[A-ZÀ-ÞА-Я])|[。\n]")

# -- what is said of secrets without telling them -------------------------------------------------------------------

_ABOUT_IT = LazyPattern(
    r"\b(?:polic\w+|rules?|length|characters?|digits?|minimum|maximum|hash\w*|hints?|expir\w+|manager|field|column"
    r"|label"
    r"|file ?name|variable|env var|placeholder|example|format|prefix|algorithm|endpoint|url|link|id|ids|scope|issuer"
    r"|type"
    r"|model|version|port|branch|ticket|name|named|username|user name|limit|budget|usage|count|window|ttl|header|public"
    r"|publishable|primari[ao]|prim[aä]r\w*|foránea|éxito|fingerprint|form|recipient|server|strength|meter|post ?code"
    r"|reset (?:link|form|page)|owner|author"
    r"|per|each|every|should|must|soll\w*|muss|müssen|doit|debe|deve|moet\w*|never|not|no|without|nobody|none"
    r"|stored|kept|saved|lives?|sits|written|found|ask|asks|asked|hidden|managed|generated|shared|sent|request\w*"
    r"|rotate[sd]?"
    r"|richtlinie|länge|zeichen|verwaltet|liegt|steht|gespeichert|niemals|nie|nicht|kein\w*|longueur|caractères"
    r"|jamais|pas"
    r"|stocké\w*|conservé\w*|longitud|caracteres|nunca|guarda\w*|lunghezza|caratteri|mai|non|comprimento|não|lengte"
    r"|tekens"
    r"|nooit|niet|bewaard|staat|długość|znaków|nigdy|nie|никогда|хранится|лежит)\b|длин|символ"
)
_NOTED = frozenset("written stored saved kept noted listed".split())
_ABOUT_NEXT = LazyPattern(
    r"[\"'`”»)]{0,2}\s{0,2}(?:file|entry|item|folder|group|policy|format|header|field|page|endpoint|algorithm|hash\w*"
    r"|characters?|chars|digits?|variable|scheme|standard|cipher|style|method|team|service|app\b|tool|server|model"
    r"|version|branch|release|table|column|board|router|plan|licen[cs]e)"
)
_MONTH = (
    r"(?:jan|feb|fév|mar|mär|apr|avr|abr|mai|may|mag|jun|jui|giu|jul|lug|ago|aug|aoû|sep|set|okt|oct|ott|nov|dez|dec"
    r"|déc"
    r"|dic|gen|ene)[a-zéû]{0,6}"
)
_NO_VALUE = LazyPattern(
    rf"{_MONTH}[-/]{_MONTH}$|(?:utc|gmt)[+-]?\d|(?:ctrl|cmd|alt|shift|strg|super|option"
    r"|win)[+-]|[a-z]+\.(?:com|org|net|io|de|ch|fr|es|it|nl"
    r"|eu"
    r"|uk|dev|ai|app|co|local|internal|lan|example|test)(?:$|[/:])|(?:yubi|pass|touch|face|smart)-?(?:key|id)|oauth"
    r"|openid"
    r"|sso\b|saml|ldap|webauthn|fido|face ?id|touch ?id|github|gitlab|google|ipv\d|tls|wpa|argon|bcrypt|scrypt|pbkdf"
    r"|postgres|mysql|redis|mongo|(?:q[1-4]|kw|cw)[-/ ]?\d|\d+(?:st|nd|rd|th|x|gb|mb|kb|km|kg|m|h|s|am|pm)$|(?:eks|ec"
    r"|k)\d"
    r"|[a-z]+-(?:based|only|free|like|style|proof|side|wide|time|term|level|protected|encrypted|managed|specific"
    r"|sensitive"
    r"|generated|signed|shared|length|rotated|stored|digit|character|word|day|hour|minute|month|year)s?$"
    r"|(?:non|self|auto|semi|re|pre|two|three|four|five|six|eight|ten|single|multi|one|end|up|out|read|write|case"
    r"|well|long"
    r"|short|per|case|company|team|hard|base|time|last|month|half|year|high|low|full|same|opt|built|plug)-"
)
_DATE = LazyPattern(
    r"\d{1,2}[./-]\d{1,2}(?:[./-]\d{2,4})?$|\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?$|v?\d+(?:\.\d+)+"
    r"|[a-z]{3,9}-?\d{1,2}(?:st|nd|rd|th)$"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[-.]?\d{2,4}$"
)
_CHAIN = LazyPattern(r"[^\W\d_]{3,}(?:[-_.][^\W\d_]{3,}){1,7}$")
_UPPER_CODE = LazyPattern(r"[A-Z]{1,6}[-_]?\d{1,6}$")
_QUOTED = LazyPattern(
    r"\"([^\"\n]{3,80})\"|'([^'\n]{3,80})'|`([^`\n]{3,80})`|“([^”\n]{3,80})”|«\s?([^»\n]{3,80}?)\s?»"
    r"|„([^“”\n]{3,80})[“”]"
    r"|‘([^’\n]{3,80})’|「([^」\n]{3,80})」|『([^』\n]{3,80})』"
)
_BARE = LazyPattern(r"[^\s\"'`“”«»„<>，；、。（）(){}\[\]\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af]{4,100}")
_NUMBER = LazyPattern(
    r"[\"'`“*#]{0,2}((?:[#*]?\d{4,10}[#*]?|\d{1,4}(?:[ -]\d{1,4}){1,7}|[a-z]\d{3,6}[a-z]?|\d{3,6}[a-z]{1,2}))"
    r"(?![\w%°€$£/:]|[.,]\d|\s?(?:uhr|h\b|am\b|pm\b|eur|usd|chf))"
)
_OTHER_NUMBER = LazyPattern(
    r"(?:order|serial|model|part|article|invoice|ticket|phone|tracking|customer|case|bestell|rechnungs|artikel|serien"
    r"|kunden"
    r"|commande|facture|pedido|factura|ordine|fattura|bestel|factuur)\w*(?: ?(?:number|nummer|no\.?|nr\.?))?\s"
    r"(?:for|of|für|vom|von|de|del|du|di|van|do)\s[^.\n]{0,24}$"
)
_SOLD = LazyPattern(
    r"\s(?:units?|pieces|sold|made|shipped|ordered|produced|in stock"
    r"|(?:on|in) (?:the|our|your|their) (?:invoice|bill|receipt|order|catalogue|catalog|price list|brochure))\b"
)
_COMMA = LazyPattern(r"[^\d\n.:;]{3,70},\s(\d{4,8}[#*]?)(?=[.)]?\s{0,2}(?:$|\n))")
_LATER = LazyPattern(
    r"(?:\s(?!not|no|since|until|every|for|after|before|nicht|seit|bis)[^\s\d.,;:]{1,20}){1,4}\s(\d{4}[- ]\d{2,4}"
    r"|\d{4,8}[#*]?)(?=[.,;!)]?\s{0,2}(?:$|\n)|[.,;)]\s)"
)
_GROUPS = LazyPattern(
    r"(?=[a-z0-9 -]{0,8}\d)(?:[a-z0-9]{4,8}[ -][a-z0-9]{4,8}|[a-z0-9]{6,10})(?:,\s?(?:[a-z0-9]{4,8}[ -][a-z0-9]{4,8}"
    r"|[a-z0-9]{6,10})){1,11}(?![\w@])"
)
_LONG_GROUPS = LazyPattern(r"\d{4}(?:[ -]\d{4}){2,4}(?!\w)|[A-Z0-9]{4,8}(?:[- ][A-Z0-9]{4,8}){2,12}(?!\w)")
_PLAIN_WORD = LazyPattern(r"[^\W\d_]{5,24}[!?]?(?=[\"'”»)]{0,2}[.,;!]?\s{0,2}(?:$|\n|\())")
_COMMENT = LazyPattern(
    r".*(?:ed|able|ible|ous|less|ive|ing|ful|ly|ant|ent|al|ic|iert|bar|lich|ig|isch|é|ée|és|ant|ado|ada|idos?|ida|ato"
    r"|ata|uto"
    r"|ito|ible|able|wane|wany|ный|ная|ено|ана|ено)$"
)
_LOOSE = LazyPattern(r"(?:sudo|pass|root|clave|log-?ins?|credentials?|creds)$")
_IS_PHRASE = LazyPattern("phrase|frase|zin|satz|fraz|фраз")
_CLAUSE = LazyPattern(
    r"[,;\"<>]|\b(?:that|because|so|when|if|and|or|which|who|weil|dass|wenn|und|que|si|et|y|che|se|e|dat|als|en|что"
    r"|если|и)\b"
)
_PHRASE = LazyPattern(r"[a-zà-ɏ]{3,12}(?: [a-zà-ɏ0-9]{1,12}){2,7}(?=[\"'”.,;!?)]{0,2}\s{0,2}(?:$|\n))")
_GETTING_IN = Sought(
    "plain login",
    r"\b(?:log(?:s|ged|ging)?[- ]?in(?:to)?|sign(?:s|ed|ing)?[- ]?in(?:to)?|einlogg\w*|anmeld\w*|meldet?|se connecte\w*"
    r"|connexion|iniciar? sesión|entra(?:r|re)?|acced\w+|aced\w+|acess\w+|inlogg\w*|logt|loguj\w*|zalog\w*)\b|войти"
    r"|вход\w*",
)
_HINT = (
    r"(?:lower[- ]?case|upper[- ]?case|small letters|one word|no spaces?|without spaces|kleingeschrieben"
    r"|klein geschrieben|zusammengeschrieben|minuscules|attaché|un mot|minúsculas|junto|sin espacios|minuscolo"
    r"|attaccato|sem espaços|kleine letters|aan elkaar|małymi literami|razem|маленькими буквами|слитно)(?!\w)"
)
_SPELLED = Sought(
    "spelled so",
    r"(?<=\s)[\"'“«]?([a-zà-ɏа-я][\w-]{4,30})[\"'”»]?,?\s\(?(?:all |in |as |is |everything |alles |tout |todo |tutto "
    rf"|tudo |en |em )?{_HINT}",
    word=_HINT,
    back=50,
    ahead=40,
)
_ACCESS = LazyPattern(
    r"\b(?:pass\w*|pw|pwd|wi-?fi|wlan|wireless|log(?:s|ged)? ?in\w*|sign in|opens? with|unlock\w*|get into|gets? in"
    r"|account"
    r"|kennwort|mot de passe|contraseña|wachtwoord|hasło|entsperr\w*|ouvre avec|se abre con|si apre con|opent met)\b"
    r"|пароль"
)
_TYPED_AT_A_PANEL = Sought(
    "typed at a panel",
    r"(?<![\w.,:/€$£+-])(\d{3,8}|\d(?: \d){2,7}),?\s(?:(?:then|and|and then|followed by|plus|[+&]|und|dann|puis|et|y"
    r"|luego|e|poi|en|dan|i|más|più|mais)\s)?(?:(?:the|die|den|la|el|il|o|a|de|het)\s)?"
    r"(?:star|hash|pound key|pound sign|bell key|bell button|bell symbol|bell(?=[.,;)]|$)|enter key"
    r"|klingeltaste|klingelknopf|glockentaste|touche cloche|tecla campana|tasto campanella|beltoets|raute|rautetaste"
    r"|stern|sterntaste|étoile|dièse|asterisco|almohadilla|cancelletto|cardinal|hekje|sterretje"
    r"|krzyżyk"
    r"|gwiazdka|gwiazdkę|решётк\w|решетк\w|звёздочк\w)(?=[.,;)]|$|\s(?:and|to|at|on|key|drücken|um|pour|para|per))",
    word="star|hash|pound |bell|enter key|klingel|glocken|touche cloche|tecla campana|tasto camp|raute|stern|étoile"
    "|dièse|asterisco|almohadilla|cancelletto|cardinal|hekje|sterretje|krzyżyk|gwiazdk|решётк|решетк|звёздочк",
    back=60,
    ahead=30,
)
_AND = LazyPattern(r"[\s,](?:and|then|plus|und|dann|et|puis|y|luego|e|poi|en|dan|i|potem|и)\s|\s/\s")
_HUMP = LazyPattern("[a-z][A-Z].*[a-z0-9][A-Z]")
_DESCRIBED = LazyPattern(r"(?:the|her|his|my|our|their|name|der|die|das|le|la|el|il|o|de|het)\s[^\d\n.:;,]{3,50},\s")
_NEAR = 90
_MARK = LazyPattern(r"[!#$%^&*+=~?_]")
_LAST = LazyPattern(r"[\"'”»)]{0,2}[.,;!]?\s{0,2}(?:$|\n)")
_SUBJECT_VERBS = frozenset(
    "is was stays remains reads ist lautet heißt bleibt est reste es era è rimane é fica blijft luidt är er jest"
    " brzmi".split()
)
_SET_TO = frozenset("to auf à su op naar na на para".split())
_SERIAL = LazyPattern(r"[0-9A-F]{8}(?:[ -][0-9A-F]{8}){3,}|[A-Z0-9]{5}(?:-[A-Z0-9]{5}){3,}")
_YEAR = LazyPattern(r"(?:19|20)\d\d$")


def plainly(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """What any of the rules below finds."""
    yield from passwords(text, low)
    yield from keys(text, low)
    yield from codes(text, low)


def passwords(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    for cue in _PASSWORD.found_in(low):
        kind = "passphrase" if _IS_PHRASE.search(cue.group()) else "password"
        if place := _beside(text, low, cue):
            yield kind, *place
        for link, about in _links(text, low, cue):
            if said.BANNED_ABOUT.search(about):
                break
            if kind == "passphrase" and _PHRASE.match(low, link.end()):
                break
            place = _value_at(text, link.end())
            if place and _is_password(text, low, place, link, about, cue.group()):
                yield kind, *place
                break
            if link["verb"] in _SUBJECT_VERBS and (place := _at_the_end(text, low, link.end())):
                yield kind, *place
                break
    for hint in _SPELLED.found_in(low):
        place = _value_at(text, hint.start(1))
        if (
            place
            and not _is_word_of_prose(low[slice(*place)])
            and _ACCESS.search(low, max(0, place[0] - _BACK), place[0])
        ):
            yield "password", *place
    for cue in _GETTING_IN.found_in(low):
        for link in _AND.finditer(low, cue.end(), cue.end() + _NEAR):
            place = _value_at(text, link.end())
            if place and _is_marked(text[slice(*place)]) and not _stands_for(text[slice(*place)], low[slice(*place)]):
                yield "password", *place
                break


def _at_the_end(text: str, low: str, at: int) -> tuple[int, int] | None:
    """Where a value stands that a description leads to: "is the cat's name twice, …"."""
    described = _DESCRIBED.match(low, at)
    place = _value_at(text, described.end()) if described else None
    if place is None or not _LAST.match(low, place[1]) or _stands_for(text[slice(*place)], low[slice(*place)]):
        return None
    value = text[slice(*place)]
    return place if is_word_and_number(value) or _is_marked(value) else None


def _is_word_of_prose(word: str) -> bool:
    return word in said.NOT_A_PASSWORD or word in said.NOT_IN_PHRASES or is_placeholder(word)


def _beside(text: str, low: str, cue: re.Match[str]) -> tuple[int, int] | None:
    """Where a value stands that follows the name at once."""
    at = cue.end() + (len(" for it") if low.startswith(" for it ", cue.end()) else 0)
    place = _value_at(text, at + 1) if text[at : at + 1] == " " else None
    if place is None or text[place[0]] == "-" or _stands_for(text[slice(*place)], low[slice(*place)]):
        return None
    value = text[slice(*place)]
    if is_typed(value):
        return place
    is_owned = said.HAS_THE.search(low[max(0, cue.start() - 50) : cue.start()]) or cue.group().endswith("key")
    is_last = _LAST.match(low, place[1]) is not None
    is_value = is_word_and_number(value) or (_CHAIN.match(value) and not _ABOUT_IT.search(value.lower()))
    return place if is_owned and is_last and is_value else None


def _is_marked(value: str) -> bool:
    """With marks or digits as no name of a person, a service or a machine has them."""
    has_digit, has_capital = any(map(str.isdigit, value)), any(map(str.isupper, value)) and not value.isupper()
    return has_digit and is_typed(value) and (has_capital or _MARK.search(value) is not None)


def keys(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    for cue in _KEY.found_in(low):
        if text[cue.end() : cue.end() + 1] == " " and (groups := _LONG_GROUPS.match(text, cue.end() + 1)):
            yield "key or token", *groups.span()
            continue
        if "licen" in cue.group() and (groups := _SERIAL.search(text, cue.end(), cue.end() + _AHEAD)):
            yield "key or token", *groups.span()
            continue
        for link, _about in _links(text, low, cue):
            if groups := _LONG_GROUPS.match(text, link.end()):
                yield "key or token", *groups.span()
                break
            place = _value_at(text, link.end())
            if place and link["verb"] not in {"with", "as"} and _is_key(text[slice(*place)]):
                yield "key or token", *place
                break


def codes(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    for cue in _CODE.found_in(low):
        later = None if "lock" in cue.group() else _LATER.match(low, cue.end())
        if _OTHER_NUMBER.search(low, max(0, cue.start() - 40), cue.start()):
            continue
        if (
            later
            and not _YEAR.match(later.group(1))
            and not said.UNITS.match(low, later.end(1))
            and not said.POSTAL.search(later.group())
        ):
            yield "access code", *later.span(1)
            continue
        for link, about in _links(text, low, cue):
            number = _NUMBER.match(low, link.end()) or _COMMA.match(low, link.end())
            if number and _is_number(low, number, about, link):
                yield "access code", *number.span(1)
                break
    for typed in _TYPED_AT_A_PANEL.found_in(low):
        yield "access code", *typed.span(1)
    for cue in _BACKUP.found_in(low):
        for link, _about in _links(text, low, cue):
            if groups := _GROUPS.match(low, link.end()):
                yield "recovery codes", *groups.span()
                break


def _links(text: str, low: Lowered, cue: re.Match[str]) -> Iterator[tuple[re.Match[str], str]]:
    """Each link in the sentence behind a name, with what stands between the two; none after words that say where the
    secret is kept, how long it must be and the like."""
    at = cue.end()
    if _PUBLIC.search(low, max(0, cue.start() - 24), cue.start()):
        return
    end = _SENTENCE_END.search(text, at, at + _AHEAD)
    stop = end.start() if end else min(len(low), at + _AHEAD)
    changes: bool | None = None
    for link in _LINK.finditer(low, at, stop):
        about = low[at : link.start()]
        if kept := _ABOUT_IT.search(about):
            if kept.group() not in _NOTED:
                return
            if link["verb"] != "as":  # "written in the manual as …" tells it
                continue
        if link["to"] and not (link["to"] == "to" and cue.group().startswith(_POLISH)):
            if changes is None:
                changes = _CHANGE.search(low, max(0, cue.start() - _BACK), stop) is not None
            if not changes:
                continue
        yield link, about


def _value_at(text: str, at: int) -> tuple[int, int] | None:
    if quoted := _QUOTED.match(text, at):
        return quoted.span(quoted.lastindex or 1)
    bare = _BARE.match(text, at)
    if bare is None:
        return None
    value = bare.group().rstrip(".,;:*_)]}\\")
    return (at, at + len(value)) if len(value) >= 4 else None


def _is_password(text: str, low: str, place: tuple[int, int], link: re.Match[str], about: str, name: str) -> bool:
    start, end = place
    value, lower = text[start:end], low[start:end]
    if text[end : end + 1] in {"(", "["} or value.startswith("-") or "=" in about:
        return False
    if _stands_for(value, lower) or _ABOUT_NEXT.match(low, end) or said.UNITS.match(low, end):
        return False
    if said.is_said_of_one(text, low, start, end):
        return False
    if start > link.end():  # in quotation marks
        words = lower.split()
        return (
            not link["to"]
            and link["verb"] not in {"with", "as", "called", "use", "type", "takes"}
            and lower not in said.NOT_A_PASSWORD
            and said.NOT_IN_QUOTES.isdisjoint(words)
            and said.ON_LABELS.isdisjoint(words)
            and (len(words) > 1 or is_strong(value, 5) or not about.strip())
        )
    if _UPPER_CODE.match(value):
        return False
    if name.startswith("log") and not _MARK.search(value):  # who logs in, or with what
        return False
    if is_typed(value) or is_word_and_number(value) or is_run_together(value):
        return True
    if any(map(str.isdigit, value)) and is_strong(value, 6):
        return True
    if _LOOSE.match(name):
        return False
    if _CHAIN.match(value) and said.NOT_A_PASSWORD.isdisjoint(re.split("[-_.]", lower)):
        return True
    is_subject = link["verb"] in _SUBJECT_VERBS or (link["sep"] or "")[:1] == ":"
    return bool(is_subject and not _CLAUSE.search(about) and _PLAIN_WORD.match(low, start)) and not _COMMENT.match(
        lower
    )


def _stands_for(value: str, lower: str) -> bool:
    if _NO_VALUE.match(lower) or _DATE.match(lower) or lower in said.NOT_A_PASSWORD or "://" in value:
        return True
    # Words with a dot between are a piece of code in a program, and a password in a sentence.
    is_dotted = _CHAIN.match(value) and not value.islower() and "." in value
    return is_placeholder(value.replace(".", "-") if is_dotted else value)


def _is_key(value: str) -> bool:
    if _stands_for(value, value.lower()) or any(c in ",\\|(){}<>[]" for c in value):
        return False
    if is_uuid(value):
        return False
    if is_hex(value):
        return len(value) >= 24
    return is_random(value, 10 if _HUMP.search(value) else 16) and any(map(str.isdigit, value))


def _is_number(low: str, number: re.Match[str], about: str, link: re.Match[str]) -> bool:
    value = number.group(1)
    digits = sum(map(str.isdigit, value))
    if (
        digits < (4 if value.isalnum() else 3)
        or _DATE.match(value)
        or said.UNITS.match(low, number.end(1))
        or _SOLD.match(low, number.end(1))
        or said.POSTAL.search(about)
    ):
        return False
    return not _YEAR.match(value) or link["verb"] is not None or link["to"] in _SET_TO
