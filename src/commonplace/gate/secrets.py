"""Secrets in a text: finding them, and taking them out.

A text is looked at closely only where a first glance gives a reason: a long run of letters and digits, many digits, a
word such as "password". What is found is replaced by a mark that names its kind, never by a part of the secret.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeVar, cast

from commonplace.patterns import LazyPattern

if TYPE_CHECKING:
    from commonplace.gate.secrettalk import Span

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a secret stands in a text, and what it is."""

    kind: str
    start: int
    end: int


def find_secrets(text: str) -> list[Secret]:
    """The secrets in a text, in order, none of them touching another. What was taken out already is none."""
    found = sorted(_everywhere(text), key=lambda span: span[1])
    merged: list[Secret] = []
    for kind, start, end in found:
        if end <= start:
            continue
        if merged and start < merged[-1].end:
            last = merged[-1]
            surer = min(last.kind, kind, key=_vagueness)
            merged[-1] = Secret(surer, last.start, max(last.end, end))
        else:
            merged.append(Secret(kind, start, end))
    return merged


def redact(text: str) -> str:
    """The text with a mark in the place of each secret. Doing it again changes nothing."""
    for _ in range(_ROUNDS):
        found = find_secrets(text)
        if not found:
            return text
        text = _without(text, found)
    # Taking one out shows the next, again and again: nobody writes like that by accident.
    return mark("text full of secrets") if find_secrets(text) else text


def redact_nested(value: _T) -> _T:
    """The same for a JSON-like value: for every text in it, and for texts whose key names a secret."""
    return cast(_T, _cleaned(value, ""))


def mark(kind: str) -> str:
    return f"[secret removed: {kind}]"


def _cleaned(value: object, name: str) -> object:
    if isinstance(value, str):
        clean = redact(value)
        if name and clean == value and _is_named_secret(name, value):
            return mark("named secret")
        return clean
    if isinstance(value, Mapping):
        pairs = cast(Mapping[object, object], value).items()
        return {_cleaned(key, ""): _cleaned(inner, key if isinstance(key, str) else "") for key, inner in pairs}
    if isinstance(value, list | tuple):
        return [_cleaned(inner, name) for inner in cast(Sequence[object], value)]
    return value


def _is_named_secret(name: str, value: str) -> bool:
    """Whether a text is a secret because of the name that it has in a table."""
    if len(name) > 64 or len(value) > 200 or "\n" in value or '"' in value:
        return False
    return bool(find_secrets(f'{name}: "{value}"'))


def _without(text: str, found: Sequence[Secret]) -> str:
    parts: list[str] = []
    at = 0
    for secret in found:
        parts += (text[at : secret.start], mark(secret.kind))
        at = secret.end
    return "".join((*parts, text[at:]))


# -- the first glance -----------------------------------------------------------------------------------------------

_ROUNDS = 5
_PART = 4_000
_SHARED = 500  # by so much the parts of a long text overlap: nothing that tells of a secret stands further from it
_CLAUSE_END = re.compile(
    r"(?<=[.;!?])\s+|\n|,?\s(?:and|but|or|while|which|because|so|und|oder|aber|et|ou|mais|y|o|pero|e|ma|mas|en|maar"
    r"|i|lub|ale|ve|ama|и|или|но)\s"
)
_RUN = b"w" * 16
_TO_RUNS = bytes(
    ord("w") if chr(c).isascii() and (chr(c).isalnum() or chr(c) in "_-+/=.~%$:|") else ord(" ") for c in range(256)
)
_GROUPS = re.compile("(?:[A-Za-z0-9]{4} ){11}")
_NO_DIGITS = bytes(c for c in range(256) if not ord("0") <= c <= ord("9"))
_FEWEST_CARD_DIGITS = 13


def _any_of(words: Sequence[str]) -> str:
    """A pattern for any of these beginnings, each letter of which is looked at once; `~` is the end of a word."""
    if "" in words:
        return ""
    parts: list[str] = []
    for first in dict.fromkeys(word[0] for word in words):
        rest = _any_of([word[1:] for word in words if word[0] == first])
        parts.append((r"\b" if first == "~" else re.escape(first)) + rest)
    return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"


# Words after which a value may be a plain word, and those after which it has a digit or is long.
_WORDS_FOR_WORDS = (
    "pass pwd pw~ p/w pword psw~ psk~ pasw parol palavra phrase pin~ pin- pinc pink nip~ kennw kodeord sandi"
    " katalal senha sifre salasana seed contra adgang losenord haslo hasla heslo hesla heslu heslem jelsz mnemonic"
    " mdp~ khau wachtwo frase herstel recovery backup rescue wallet metamask trezor ledger words mots~ palabras"
    " memorable security answer kurtarma yedek cookie wifi: codew"
).split()
_WORDS_FOR_NUMBERS = (
    "puk~ pat~ key kluc token totp secret sleutel schl setup cred code clave chave chiave cvv cvc cvn csc~ combi"
    " codic auth anahtar avain bearer basic llave login logged logs locker jeton nyckel machine geheim -u~ sess"
    " otp~ tan~ digi koden wi-fi wlan wifi ssid opens disarm community buzzer einmal sign admin root kombi carte"
    " keypad toegang portkod entsperr identifi inlog unlock zugang anmelde sshpass requirepass masterauth curl"
    " mysql -- -a~ alarm padlock lockbox tresor cadenas candado lucchetto cadeado cassaforte kluis s'ouvre abre press~"
    " enter~ type~ encrypt decrypt protec kod~ kodu pins~ redis mongo smbclient sqlplus openssl 7z~ unzip keytool rdp"
    " rdesktop wpa_ useradd chpasswd snmp username verschl geschütz chiffr cifra usuario hotspot wg~"
    " kód safe~ suitcase bathroom toilet ftp~ door~ registry treppenh"
    # somebody gets in, or is asked something before
    " connect ssh~ vnc~ telnet meld einlog loggt logt~ ingelog identif sesi entra acced acces ingres acess acede logu"
    " logow zalog wchodz konto cuenta conta compte account asks asked prompt sudo fragt demande pide chiede pede vraagt"
    " pyta prosi poprosi desbloq sblocca deverr odblok ontgrend ouvre opent otwier apre~ apri taper tapez typ~ toets"
    " digita tecle wpis gate~ phone laptop tablet computer iphone ipad handy vault zip~ appid app_id app-id app~ wif~"
    " antifurto enable private priv_ base~ stem~ namely alarme allarme porton cancell portail barrier gib~"
    " tippe eintipp eingeb geht~ gaat~ usa~ usuario licen maiden profile keystore alias barn shed~ locker~ tor~"
    " garage schuppen keller haus schloss porte portail immeuble antivol casier puerta portal candado garaje caja"
    " maleta verja porta~ garagem cadeado predio cofre cancell lucchet valig cassett schuur deur~ poort slot~ hek~"
    " brama bramy bramk drzwi furtk szlaban sejf piwnic klodk walizk reuse recycl gesperr geschutz coffre boite"
    " gite sesame luggage lock~ network dial~ cid~ leader host~ meeting fietsens serial product activation pair"
    " cupboard room~ kasa kapı kilit bavul turnike"
    " zamek homekit matter~ locks emergenc fallback reserv zapas notfall ersatz one-time scratch kody kod "
).split()
_QUESTIONS = (
    *("respuest", "rispost", "respost", "réponse", "geheime a", "pac "),
    *("geheimfr", "question se", "question de s", "domand", "pergunta", "beveiligingsv", "geheime vr", "pytani"),
)
_CUES = re.compile(
    _any_of(
        [
            *_WORDS_FOR_WORDS,
            "code word",
            "escape w",
            "must say",
            "pick-up",
            "pickup",
            "emergency w",
            "wachtz",
            "maiden",
            "first pet",
            "asks for",
            "asks where",
            "asks what",
            "alarm c",
            "security f",
            "security c",
            "security g",
            "word to say",
            "the word is",
            "lower case",
            "lowercase",
            "no spaces",
            "identified by",
            "secret question",
            "sicherheitsf",
            "safe word",
            "safeword",
            "duress",
            "losungs",
            "codewort",
            "pregunta",
            *_QUESTIONS,
        ]
    )
)
_CUES_WITH_NUMBERS = LazyPattern(
    lambda: _any_of([*_WORDS_FOR_NUMBERS, "log in", "net use", "lock box", "p: ", "email and"])
)
# What nobody writes in prose: digits, marks between letters, a capital within a word. Each begins with its sign and
# looks back from there, so that all other letters are passed over at once.
_TYPED = re.compile(
    r"[0-9A-Z!#$%^&*+=~_?-](?:(?<=[0-9])|(?<=[a-z]{3}-)[a-z]{2,16}-[a-z]{3}|(?<=\w[!#$%^&*+=~_?])\w|(?<=[a-z][A-Z]))"
)
# A value that somebody may type: four digits, digits in a row, a word with a digit or a mark in it.
_MADE = re.compile(
    r"[0-9]{4}|[0-9][ ,-]{1,2}[0-9][ ,-]{1,2}[0-9]|[0-9A-Z!#$%^&*+=~_](?:(?<=[A-Za-z][0-9])|(?<=[0-9][A-Z])"
    r"|(?<=[a-z][A-Z])"
    r"|(?<=\w[!#$%^&*+=~_])\w)"
    r"|(?:zero|one|two|three|four|five|six|seven|eight|nine)(?:[ ,-]{1,2}(?:zero|oh|one|two|three|four|five|six|seven"
    r"|eight|nine)){3}"
)
_QUOTE = re.compile('["“„«‘「『]')
_SHORT = 2000
_MARKED = LazyPattern(
    r"[A-Z\d!?#$%^*&+~](?:(?<=[a-z][A-Z])\w*\d|(?:(?<=[^\W\d_]{4}\d)|(?<=[^\W\d_]{4}[_-]\d))\d{0,3}(?!\w)"
    r"|(?<=\w[!?#$%^*&+~])\w|(?<=[A-Za-z]\d)\d*[!?#$%^*])"
)
_OTHER_CUES = LazyPattern(
    r"[密口令助恢备门验驗認安私保]|パス|キー|トークン|シー|シード|バック|リカ|復元|暗証|비밀|암호|패스|비번|키|토큰|핀"
    r"|니모닉|시드|복구|백업|인증|парол|пин|ключ|токен|сид|мнемон|резерв|код|комбин|логин|учёт|ログイン|用户|登录"
    r"|로그인|сейф|замок|калит"
    r"|подъезд|ворот|набир|набра|двер|гараж|шлагб|合言葉|архив|금고|kłód|장금|왼쪽|按|门|扉|押し|押す|入れる|で開|눌러"
    r"|복사|タブレット"
    r"|замк|番号|金庫|도어락|번호|كود|вопрос|вход|войти|заход|аккаунт|разблок|спрос|спраш|просит|введ|ввод|набер"
    r"|телефон"
    r"|ноутбук|домофон"
    r"|サイン|アカ|ロック|入力|解除|秘密|セキュ|登|账|输入|解锁|手机|电脑|锁|접속|계정|아이디|잠금|보안|누르|입력|현관"
    r"|휴대폰|핸드폰|öffn|déverr|accès"
    r"|şifre|hasł|jelsz|lösen|schlüss|clé|contrase|mật|κωδικ|συνθ|كلم|باس|رمز|رموز|گذر|مفتاح|الرقم|عبارة|סיסמ|पासवर्ड"
    r"|पिन|รหัส|c[oó]digo|número|zwölf|återst|geheim|nøgle"
)
# Where a plain word may be told in passing: what each rule of `secretasides` that needs no digits cannot do without.
# A test goes through all alternatives of their patterns.
_WHERE_TYPED = (
    "login,log-in,log in,logon,log-on,log on,signin,sign-in,sign in,signon,lockscreen,lock screen,start screen,boot pr"
    ",welcome s,anmelde,einlogg,sperrbild,connexion,accueil,verrouill,session,inicio,bloqueo,acceso,bienvenida"
    ",iniciar s,accesso,blocco,início,bloqueio,de entrada,inlog,aanmeld,vergrendel,logowan,blokady,входа,входе,блокиров"
)
_HOW_ONE_GETS_IN = (
    "get in,gets in,get back in,get onto,get past,get through,go in~,goes in~,log~,logs~,log into"
    ",sign-on,sign on,signs-,signs in,signs on,signed-,signed in,signed on,signing-,signing in,signing on,sign into"
    ",wake up,connect,you're in,you’re in,you are in,we're in,we’re in,i'm in,i’m in"
    ",zu kommen,reinkomm,reinzuk,melde,logg,entsperr,pour entrer,pour ouvrir,ouvrir la s,déverr,identifie"
    ",entro~,entra~,entras~,entre~,entres~,entrar~,entrare~,entrer~,entramos~,entriamo~,entri~,conecto,conecta,desbloq"
    ",acced,ingreso,collego,collega,sblocc,logt~,in te log,binnen te k,erin te k,loguj,wchodz,wejść,zalog"
    ",захожу,вхожу,заходит,входит,войти,зайти"
)
_WHAT_OPENS = (
    "unlock,decrypt,mount,open~,opens~,entschlüss,déchiffr,s'ouvre,s’ouvre,se abre,si apre,ontgrend,odblok"
    # a word with something at its end
    ",the end,the back,the front,the beginning,the start,on it,behind it,after it,am ende,am anfang,am schluss,hinten"
    ",vorne,dahinter,à la fin,au bout,au début,derrière,al final,al principio,detrás,alla fine,all'inizio,all’inizio"
    ",no fim,no início,het eind,het begin,erachter,na końcu,na początku,на конце,в конце,followed by,gefolgt von,suivi"
    ",seguido de,seguida de,seguito da,gevolgd door"
)
_NAMES_OF_LOGINS = LazyPattern(
    r"user|benutzer|kundennummer|identifiant|utilisateur|usuario|utente|utilizador|gebruiker|inlognaam|użytkownik|логин"
    r"|아이디|ユーザ|ログイン|用户名|账号|帐号|登录名"
)
_WHO_GETS_IN = "root admin administrator user guest pi sa demo operator support ubnt cisco postgres superuser manager"
_AND_THEN = " and, with, then, und, mit, et, y, con, e, com, en, met, i, z, и, с,\",',”,/,+,|,:, /, +, |, :"


def _in_passing() -> str:
    ands = (*_AND_THEN.split(","), ",", " ,", "  ")
    pairs = [who + link + ("~" if link[-1].isalpha() else "") for who in _WHO_GETS_IN.split() for link in ands]
    cues = f"{_WHERE_TYPED},{_HOW_ONE_GETS_IN},{_WHAT_OPENS}".split(",")
    return _any_of([*cues, *pairs]).replace(r"\ ", r"\s")


_IN_PASSING = LazyPattern(_in_passing)

_MARKS = LazyPattern(r"\[secret removed: [A-Za-z0-9][A-Za-z0-9 &.-]{1,40}\]")


@cache
def _kinds() -> frozenset[str]:
    from commonplace.gate.secretshapes import NAMED, SHAPES

    told = (
        "password passphrase PIN cookie".split(),
        ("key or token", "named secret", "access code", "recovery codes", "seed phrase", "one-time password seed"),
        ("card number", "card security code", "private key", "password in an address", "text full of secrets"),
        ("authorization header", "URL token", "security answer"),
        (shape.kind for shape in (*SHAPES, *NAMED)),
    )
    return frozenset(kind for kinds in told for kind in kinds)


def _vagueness(kind: str) -> int:
    """What is named more exactly is what a person should read."""
    return {"key or token": 2, "named secret": 3, "API key": 1}.get(kind, 0)


def _blanked(text: str) -> str:
    """The text with line ends in the place of our own marks, so that nothing is found in them or across them."""

    def blank(found: re.Match[str]) -> str:
        kind = found.group()[len("[secret removed: ") : -1]
        return "\n" * len(found.group()) if kind in _kinds() else found.group()

    return _MARKS.sub(blank, text)


def _lower(text: str) -> str:
    """In lower case, with every letter in its place."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _everywhere(text: str) -> "Iterator[Span]":
    """What is found in the parts of a text, each as long as what tells of a secret may be: some patterns look far ahead
    from everywhere, which must not cost more than the text is long."""
    if len(text) <= _PART:
        yield from _for_few(text)
        return
    if "PRIVATE KEY" in text or "PuTTY-User-Key-File" in text:
        from commonplace.gate.secretforms import private_keys

        yield from private_keys(text)
    start = 0
    while start < len(text):
        end = min(start + _PART, len(text))
        if end < len(text):
            end = max(text.rfind("\n", start + _PART // 2, end), text.rfind(" ", end - _SHARED, end)) + 1 or end
        yield from ((kind, start + first, start + last) for kind, first, last in _for_few(text[start:end]))
        if end == len(text):
            return
        shared = max(end - _SHARED, start + 1)
        start = max(text.find("\n", shared, end), text.find(" ", shared, end)) + 1 or shared


def _for_few(text: str) -> "Iterator[Span]":
    found = list(_looked_for(text))
    if found:
        from commonplace.gate.secretpublic import is_for_all

        low = _lower(text)
        yield from (span for span in found if not is_for_all(text, low, *span))


def _looked_for(text: str) -> "Iterator[Span]":
    data = text.encode("utf-8", "replace")
    has_run = _RUN in data.translate(_TO_RUNS) or _GROUPS.search(text) is not None
    low = _lower(text)
    digits = len(data.translate(None, _NO_DIGITS))
    has_cue = (
        _CUES.search(low) is not None
        or (_TYPED.search(text) is not None and _CUES_WITH_NUMBERS.search(low) is not None)
        or (not text.isascii() and _OTHER_CUES.search(low) is not None)
    )
    has_cue = has_cue or ("@" in text and _TYPED.search(text) is not None)
    has_cue = has_cue or (len(text) < _SHORT and _MARKED.search(text) is not None)
    has_digits = digits >= _FEWEST_CARD_DIGITS
    has_address = "@" in text and ":" in text
    has_act = _MADE.search(text) is not None or (
        _QUOTE.search(text) is not None and _CUES_WITH_NUMBERS.search(low) is not None
    )
    has_aside = has_cue or has_act or _IN_PASSING.search(low) is not None
    has_aside = has_aside or (_TYPED.search(text) is not None and _NAMES_OF_LOGINS.search(low) is not None)
    if not (has_run or has_digits or has_address or has_aside):
        return
    # Loaded when there is a reason: most texts give none, and the many patterns take a while.
    from commonplace.gate import secretforms as forms
    from commonplace.gate.secretplaces import Lowered

    if "[secret removed: " in text:
        text = _blanked(text)
        low = _lower(text)
    low = Lowered(low)
    if has_run:
        yield from forms.shaped(text)
        yield from forms.named(text, low)
    if "PRIVATE KEY" in text or "PuTTY-User-Key-File" in text:
        yield from forms.private_keys(text)
    if has_address:
        yield from forms.in_addresses(text, low)
    if has_cue:
        from commonplace.gate import secretanswers as answers
        from commonplace.gate import secretentry as entry
        from commonplace.gate import secretpairs as pairs
        from commonplace.gate import secretphrases as phrases
        from commonplace.gate import secretplain as plain
        from commonplace.gate import secrettalk as talk

        yield from talk.all_told(text, low)
        yield from pairs.beside(text, low)
        yield from entry.ways_in(text, low)
        yield from answers.roundabout(text, low)
        yield from plain.plainly(text, low)
        yield from phrases.in_words(text, low)
        if digits:
            from commonplace.gate import secretdoors as doors
            from commonplace.gate import secretrows as rows

            yield from doors.opening_numbers(text, low)
            yield from rows.in_rows(text, low)
        yield from forms.in_commands(text, low)
    if has_act or has_cue:
        from commonplace.gate import secretacts as acts

        yield from acts.done_with(text, low)
    if has_aside:
        from commonplace.gate import secretasides as asides
        from commonplace.gate import secretgiven as given

        yield from asides.in_passing(text, low)
        yield from given.in_passing(text, low)
    if has_digits:
        yield from forms.cards(text, low)
    if has_cue:
        yield from _in_clauses(text)


def _in_clauses(text: str) -> "Iterator[Span]":
    """What is told in a clause by itself: what follows may make a value look like a part of a sentence."""
    ends = [0, *(place for end in _CLAUSE_END.finditer(text) for place in end.span()), len(text)]
    for start, end in zip(ends[::2], ends[1::2], strict=True):
        if end - start < len(text):
            yield from ((kind, start + first, start + last) for kind, first, last in _looked_for(text[start:end]))
