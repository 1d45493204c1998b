"""Passwords that are told beside something else: a name and a password, a network and its key, a list of them, a file
that is "encrypted with …", one that is spelled, and one that the next clause tells ("…; the new one is …").

Nothing but its look says that such a value is a password, so it has to look like one.
"""

import re
from collections.abc import Iterator

from commonplace.gate import secretwords as said
from commonplace.gate.secretplaces import Lowered, Sought
from commonplace.gate.secretvalues import is_placeholder, is_strong
from commonplace.patterns import LazyPattern
from commonplace.terms.kinship import row_of

_VALUE = r"[\"'`“„«]{0,2}([^\s\"'`“”„«»,;，；。]{5,64})"
_USER = (
    r"(?:u|usr|user(?:name)?|login|log-?in|id|usuario|usuário|utilisateur|identifiant|benutzer(?:name)?|utente"
    r"|gebruiker|användare|bruger|bruker|użytkownik|uživatel|kullanıcı(?: adı)?"
    r"|логин|пользователь|用户名?|账号|ユーザー名?|아이디)"
)
# A password that is to be changed.
_FIRST = (
    r"(?:initial|init|temp|temporary|first|starting|start|one-time|default|current|interim|new|old|inicial"
    r"|temporal|provisoire|provisional|iniziale|provvisori[oa]|provisóri[oa]|tijdelijke?|tymczasowe)"
)
_PAIRS = (
    # u: … p: …
    Sought(
        "user and p",
        rf"(?<![\w-]){_USER}\s?[:=]\s?\S{{1,60}}[\s,;/|]{{1,3}}(?:p|pw|pass|pwd|clave|key|code)\s?[:=]\s?{_VALUE}",
    ),
    # usuario …, clave …
    Sought(
        "user and key",
        rf"(?<![\w-]){_USER}\s?[:=]?\s\S{{1,60}}\s{{0,2}}[,;/|y]?\s(?:(?:and|y|e|und|et|with|con|mit|avec)\s)?"
        rf"(?:{_FIRST}\s)?(?:clave|contra|pass|pw|mdp|key|code|clé|schlüssel|chiave|chave)"
        rf"(?:\s{_FIRST})?\s?[:=]?\s{_VALUE}",
    ),
    # SSID …, key …; wifi "…" / "…"
    Sought(
        "network",
        r"\b(?:ssid|wi-?fi|wlan|network|netzwerk|réseau|red|rete|hotspot)\b[^\n.]{1,50}?[,;/|]\s?(?:with |and )?"
        rf"(?:the )?(?:network |wlan |wi-?fi |wpa[23]? |security )?(?:key|clé|schlüssel|clave|code|chiave|nyckel"
        rf"|sleutel|chave|pass)\s?[:=]?(?:\sis)?\s{_VALUE}",
    ),
    Sought(
        "network quoted",
        rf"\b(?:ssid|wi-?fi|wlan|hotspot)\s?[:=]?\s[\"'`“„«][^\"'`”“»\n]{{1,40}}[\"'`”“»]\s?[/|:]\s?{_VALUE}",
    ),
    Sought(
        "network key",
        r"\b(?:ssid|wi-?fi|wlan|hotspot)(?:[- ]network)?[- ]?(?:pass|key|code|schlüssel|clé|pw|clave|chiave"
        r"|nyckel|sleutel)"
        rf"\s?[:=]?(?:\sis)?\s{_VALUE}",
    ),
    Sought(
        "network told",
        r"\b(?:ssid|wi-?fi|wlan|hotspot|netzwerk|réseau)\b[^\n.]{1,60}?\b(?:key|clé|schlüssel|clave|code|chiave"
        r"|sleutel|chave"
        rf"|klucz|ключ)\b(?:\s\w+){{0,5}}?\s?(?::|is|says|reads|ist|lautet|steht|est|es|è|é|to)\s{_VALUE}",
    ),
    # … are the credentials
    Sought(
        "are the credentials",
        r"[\w.@+-]{2,40}\s?[/|:]\s?([^\s/|\"'`,;]{5,64})\s(?:are|is|as|sind|sont|son)\s(?:the\s|my\s|die\s"
        r"|les\s|las\s)?(?:\w{1,30}\s)?"
        r"(?:credentials|creds|login|zugangsdaten|identifiants|credenciales)",
        word="credentials|creds|login|zugangsdaten|identifiants|credenciales",
        back=160,
        ahead=190,
    ),
    # log in with … / …
    Sought(
        "log in with",
        r"(?:inlogg\w*|einlogg\w*|anmeld\w*|connexion|se connecte\w*|entrar|acceso|accesso|accede\w*"
        r"|log(?:owanie)?|вход"
        r"|войти|логин|giriş|登录|登入|ログイン|로그인)(?:\s(?:met|mit|med|avec|con|com|as|als|under|in|с"
        r"|под))?[\s:：は는]{1,3}"
        rf"[\w.@+-]{{2,40}}\s?[/|]\s?{_VALUE}",
    ),
)
_WITH_DIGIT = LazyPattern(r"[a-z].*[0-9]|[0-9].*[a-z]")
_SIGN = LazyPattern(r"[0-9!#$%^&*+=~?_§€]")
_SYMBOL = LazyPattern(r"[!#$%^&*+=~?_§€]")
_ENCRYPTED = Sought(
    "encrypted",
    r"(?:encrypt|decrypt|protect|password-protect|lock|verschlüssel|geschützt|entsperr|chiffr|protég|cifrad|protegid"
    rf"|cifrat|protett|versleutel|beveilig|krypter|zaszyfrow|зашифров|защищ)\w*\s(?:\w+\s)?(?:with|by|using|mit"
    rf"|par|avec|con"
    rf"|com|met|med|z|hasłem)\s{_VALUE}",
)
# mail …, password …: with a name before it, a plain word is enough
_AFTER_NAME = Sought(
    "after name",
    rf"(?<![\w-])(?:{_USER}|e-?mail|account|konto|cuenta|conta|compte|code|codice|c[oó]digo|kod|kode|kód|код|clave"
    rf"|pin)\s?[:=]?\s\S{{2,60}}\s?[,;/|]?\s?(?:(?:and"
    rf"|und|y|e|et)\s)?"
    rf"(?:{said.PASSWORDS}|pass|pw|pwd|code ?word)\s[\"'`“]?([^\W\d_]{{3,20}}(?:-[^\W\d_]{{2,20}}){{1,5}}"
    rf"|[^\W\d_]{{4,40}})(?=[\"'`”]?[.,;!)]?\s{{0,2}}(?:$|\n))",
)
# Whose it is and what it is like, in words that are not among the common English ones.
_LIKE_WHAT = LazyPattern(
    r"admin|amministr|maestr|mestr|princip|główn|jednoraz|tymczas|tempor|provis|provvis|robust|uniq|numér|padrão|predef"
    r"|standard|domyśl|richtlin|wechsel|beheer|utilisa|usu[aá]ri|utente|użytkown|benutzer|gebruiker|kullan|yöneti|bilgi|güven"
    r"|[ck]omple[xj]|sécuris|segur|sicur|bezpiecz|silny|silne|starke|sterke|forte|alfanum|géné|gener|confirm|potwierdz"
    r"|bestätig|bevestig|zapasow|rezerw|wspóln|partag|condivis|gedeel|secret|obligat|wymag|verplicht|mindest|wiederhol"
    r"|powt|répét|repet|ripet|herhal|verwalt|manager|gestion|gestor|gestore|menedż|менеджер|админ|слож|надёж|времен|общ"
    r"|autofill|autocompl|sticker|keyring|passkey|phish|2fa|resett?|polic|hygien|generat|rotat|shar"
)
# "wifi password altoalto, door 4471": a word that is none of the common ones, where a clause begins with its name
_NETWORK = (
    r"(?:wi-?fi|wlan|hotspot|internet|network|netzwerk|gäste-?wlan|réseau|red|rete|rede|netwerk|sieci|сети|вайфая|nätet"
    r"|guest wi-?fi|router|netflix)"
)
_BARE = Sought(
    "bare word",
    rf"(?:{said.PASSWORDS})(?:si|m|n|et)?(?:\s(?:(?:for|of|de|del|du|do|da|di|della|van|för|till|für|vom|od|от)\s)?"
    rf"(?:(?:the|le|la|el|il|o|a|de|het|das|dem)\s)?{_NETWORK})?\s[\"'`“]?(?P<word>[^\W\d_]{{6,30}})"
    r"(?=[\"'`”]?(?:[.!]?\s{0,2}(?:$|\n)|[,;)]|\.\s|\s\())",
)
_LONG = 14  # words run together, whatever they end with
_CLAUSE_BEGINS = LazyPattern(
    r"(?:^|[,;:/(.]\s|\n|\b(?:and|und|et|y|e|en|i|и|och|ve)\s)(?:(?:the|her|his|our|das|le|la|el|il|o|a|het|de)\s)?"
    rf"(?:{_NETWORK}[\s-])?$"
)
# "…, password altoalto."
_LAST_OF_ALL = Sought(
    "last of all",
    rf"(?<=, )(?:{said.PASSWORDS})\s([^\W\d_]{{4,24}})(?=\.?\s{{0,2}}(?:$|\n))",
)
_COMMENT = LazyPattern(
    r".*(?:ed|able|ible|ous|less|ive|ing|ful|ly|only|iert|dert|tert|chert|lich|isch|é|ée|ado|ada|ido|ida|ato|ata|uto"
    r"|ane|any|ный|ная|ено|ана)$"
    # that it was changed, lost, forgotten, is kept somewhere or is needed
    r"|vergess|geänder|änder|zurückgesetz|abgelauf|verlor|erneuer|gespeicher|unbekannt|erforder|siehe|folgt|notier"
    r"|oubli|chang|modif|perdu|réinit|expir|inconnu|requis|olvid|cambi|caduc|perdid|restab|descon|guarda|anotad|compart"
    r"|dimentic|scad|smarrit|reimpost|sconosc|salvat|segnat|esquec|troc|mudou|mudad|alter|redefin|verget|gewijzig"
    r"|verander|verlop|kwijt|onbekend|opgesl|zapomn|zapomen|zmien|změn|wygas|zgub|zresetow|nieznan|zapisan|ztracen"
    r"|değiş|unut|sıfırla|yenile|gerek|lazım|bilin|kayb|sakl|yazıl|смен|измен|забы|сброш|обнов|утер|потер|хран|запис|нуж"
    r"|неизв|bytt|byt[ts]|ändra|glöm|krävs|saknas|okän"
)
_LOGS_IN = Sought(
    "logs in",
    rf"\blog(?:s|ged|ging)?[- ](?:in|on)(?:to)?(?:\s\S{{1,20}}){{0,4}}?\s(?:with|using)\s{_VALUE}"
    r"|\b(?:uses?|using)\s([^\s,;\"'`]{6,64})\sto\s(?:log|sign)[- ]?(?:in|on)",
)
_HUMP = LazyPattern(r"[a-z][A-Z]")
_NOT_TYPED = LazyPattern(r"key|auth|sso|\bid|saml|ldap|face|touch|@")
_LIST = Sought(
    "list of passwords",
    r"(?:passwords|pws|passwörter|kennwörter|mots de passe|contraseñas|claves|senhas|wachtwoorden|lösenord|hasła|пароли"
    r"|logins|credentials|zugangsdaten|identifiants|credenciales)(?:\s(?:for|of|für|pour|para|per"
    r"|voor)\s[^\n:]{1,40})?\s?:\s",
)
_ITEM = LazyPattern(
    r"((?:[^\s,;:=]{1,24}\s){0,3}?[^\s,;:=]{1,24})\s?[:=]?\s([^\s,;]{5,64})(?=[\s,;]"
    r"|$)(\s{0,2}[,;/|]?\s{0,2}(?:and\s)?)"
)
_SPELLED = Sought(
    "spelled",
    r"(?:pass(?:word|code|phrase|wort)?|pw|kennwort|mot de passe|contraseña|clave|senha|wachtwoord)(?:\s(?:for"
    r"|of|to|on|für"
    r"|de|del)\s[^\n.:]{1,40}?)?\s?(?::|is|ist|est|es|é|è)\s((?:with )?(?:a )?(?:capital|upper-?case"
    r"|lower-?case|big|großes?"
    r"|kleines?|majuscule|mayúscula|maiúscula|maiuscola|hoofdletter)\s[^.\n]{3,80})",
)
_CLAUSE = (
    r"(?:(?:the |a |my |its |his |her |their )?(?:new|current|real|actual|latest|right|other) (?:one|password"
    r"|value|key)"
    r"|(?:now )?(?:it|that|this)|(?:das |die |der )neue[snr]?|neu|le nouveau|la nouvelle|la nueva|el nuevo"
    r"|il nuovo|la nuova"
    r"|a nova|o novo|het nieuwe|de nieuwe|det nya|nowe(?: to)?|новый)"
)
_REFERRED = Sought(
    "referred",
    rf"(?:{said.PASSWORDS})[a-z]{{0,3}}(?P<about>[^\n]{{0,80}}?)(?:[;,.:)—–-]\s(?:and |but |so )?{_CLAUSE}"
    r"(?:['’]s|\s(?:is|was|ist|lautet|est|es|è|é|är|jest|to))?(?:\snow|\sjetzt|\sahora)?\s?:?"
    rf"|\b(?:default|usual|same)(?:\sone)?\s?[,:;(—–-])\s{_VALUE}",
)
_AT_THE_END = Sought(
    "at the end",
    rf"(?:{said.PASSWORDS})(?P<about>[^\n.;:]{{4,60}}):\s{_VALUE}(?=[.!\"'`”]{{0,2}}\s{{0,2}}(?:$|\n))"
    rf"|\b(?P<and>e-?mail|username|user name)\s(?:and|with|plus)\s{_VALUE}"
    rf"|\b(?P<of>login|logon|access|account|sign-in)\s(?:details|data|info)\b[^\n]{{1,60}}\s[—–|/-]\s{_VALUE}",
)
_NOT_OF_ONE = LazyPattern(r"manager|reset|polic|hash|field|generator|hint|vault|rotation|expir|rules|auth")


def beside(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """The passwords that stand beside something else."""
    yield from _words(low)
    if not _SIGN.search(low):
        return
    for form in _PAIRS:
        for found in form.found_in(low):
            yield from _looks_right(text, found, 1)
    for found in _ENCRYPTED.found_in(low):
        if _WITH_DIGIT.search(found.group(1)) and _SYMBOL.search(found.group(1)):
            yield from _looks_right(text, found, 1)
    for found in _REFERRED.found_in(low):
        if not _NOT_OF_ONE.search(found["about"]) and _WITH_DIGIT.search(found.group(found.re.groups)):
            yield from _looks_right(text, found, found.re.groups)
    for found in _AT_THE_END.found_in(low):
        group = next(n for n in (2, 4, 6) if found.group(n))
        value = text[slice(*found.span(group))]
        is_typed = (_SYMBOL.search(value) or any(map(str.isupper, value))) and _WITH_DIGIT.search(value.lower())
        if is_typed and not _NOT_OF_ONE.search(found["about"] or ""):
            yield from _looks_right(text, found, group)
    for found in _LOGS_IN.found_in(low):
        group = found.lastindex or 1
        value = text[slice(*found.span(group))]
        is_typed = _SYMBOL.search(value) or (_HUMP.search(value) and not _NOT_TYPED.search(value.lower()))
        if is_typed and _WITH_DIGIT.search(value.lower()):
            yield from _looks_right(text, found, group)
    for listed in _LIST.found_in(low):
        yield from _listed(text, low, listed.end())


def _words(low: Lowered) -> Iterator[tuple[str, int, int]]:
    """Those that may be plain words, since what stands before them says enough."""
    for found in _AFTER_NAME.found_in(low):
        word = found.group(1)
        if word not in said.NOT_A_PASSWORD and not is_placeholder(word) and not _COMMENT.match(word):
            yield "password", *found.span(1)
    for found in _LAST_OF_ALL.found_in(low):
        word = found.group(1)
        if word not in said.NOT_A_PASSWORD and not is_placeholder(word) and not _COMMENT.match(word):
            yield "password", *found.span(1)
    for found in _BARE.found_in(low):
        if _CLAUSE_BEGINS.search(low[max(0, found.start() - 40) : found.start()]) and _is_unusual(found["word"]):
            yield "password", *found.span("word")
    for found in _SPELLED.found_in(low):
        yield "password", *found.span(1)


def _is_unusual(word: str) -> bool:
    """Whether a word is neither a common one nor what is said of passwords."""
    if word in said.NOT_A_PASSWORD or is_placeholder(word) or _LIKE_WHAT.match(word):
        return False
    if _COMMENT.match(word) and len(word) < _LONG:
        return False
    return row_of(word) is None


def _listed(text: str, low: str, at: int) -> Iterator[tuple[str, int, int]]:
    for _ in range(20):
        item = _ITEM.match(low, at)
        if item is None:
            return
        yield from _looks_right(text, item, 2)
        at = item.end()


def _looks_right(text: str, found: re.Match[str], group: int) -> Iterator[tuple[str, int, int]]:
    start, end = found.span(group)
    value = text[start:end].rstrip(".,;:)]}*\\")
    is_number = value.isdigit() and len(value) >= 8
    if (is_strong(value, 5) or is_number) and not is_placeholder(value):
        yield "password", start, start + len(value)
