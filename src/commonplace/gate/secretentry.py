"""Secrets that are told by the way in: "sign in with … and then …", "when it asks, type …", "the vault opens with …".

No word in such a text says "password": that somebody gets in says it, and the look of the value. All functions take the
text and the text in lower case with the same places, and yield (kind, start, end); work is bounded around each sign.
"""

import re
from collections.abc import Iterator

from commonplace.gate import secretwords as said
from commonplace.gate.secretplaces import Lowered, Sought
from commonplace.gate.secretvalues import is_placeholder, is_typed, is_word_and_number
from commonplace.patterns import LazyPattern

_BACK = 110
_AHEAD = 70
_OPEN = "[\"'`“„«‘「『]"
_SHUT = "[\"'`”“»’」』]"
QUOTED = rf"{_OPEN}([^\"'`“”„«»‘’「」『』\n]{{3,60}}){_SHUT}"
BARE = r"([^\s\"'`“”„«»,;，；。、（）(){}<>\[\]\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{4,64})"
VALUE = rf"(?:{QUOTED}|{BARE})"
_USER = r"[\"'`“„«]?[\w.@+\\-]{2,48}[\"'`”“»]?"

# -- a name and what is typed after it ------------------------------------------------------------------------------

_GETTING_IN = Sought(
    "getting in",
    r"\b(?:log(?:s|ged|ging)?[- ]?(?:in|on|into)|logins?|sign(?:s|ed|ing)?[- ]?(?:in|on|into)|authenticat\w+|creds?"
    r"|credentials|connects?|connecting|rdp|ssh|sftp|ftps?|telnet|vnc|smb|winbox|ipmi|idrac|ilo|webmail|imap|smtp|dsm"
    r"|username|enters? (?:the|his|her|their)|gets? in(?:to)?|lets? \w+ in|accounts?|access(?:es)?|portal\w*"
    r"|admin page|laptop|user"
    r"|dashboard|website|online-?banking|e-?banking|web ?ui|mail(?:box)?|router|nas|server|cms|panel|vpn|raspberry pi"
    # German, Dutch
    r"|meldet|melde|anmeld\w*|angemeldet|einlogg\w*|eingeloggt|loggt|zugang\w*|kommt man|benutzer\w*|kundenkonto"
    r"|inlogg\w*|ingelogd|logt|aanmeld\w*|gebruiker\w*|toegang\w*"
    # French, Spanish, Italian, Portuguese
    r"|se connect\w+|connexion|connecter|s['’]identifi\w+|identifiants?|accès|compte"
    r"|inicia\w*(?: la)? sesión|entra\w*|accede\w*|acceso|ingresa\w*|conecta\w*|usuario|cuenta"
    r"|accesso|accedi|collega\w*|utente|credenzial\w+|credencia\w+|acede\w*|acessa\w*|acesso|inicia\w* sessão|conta"
    # Polish
    r"|loguj\w+|logow\w+|zalog\w+|użytkownik\w*|konto|kont[ae]|wchodz\w+)\b"
    r"|логин|вход|войти|заход|авториз|учётк|учетк|аккаунт|кабинет"
    r"|登录|登入|登陆|账号|帐号|账户|用户|ログイン|サインイン|アカウント|로그인|접속|계정|아이디",
)
_PAIR = LazyPattern(
    rf"(?:\b(?:with|as|use|using|to|is|it['’]s|has|are|wants|takes|under|by|for|on|in|mit|als|unter|bei|auf|avec|comme"
    rf"|sous|sur|con"
    rf"|como|come|com"
    rf"|met|z|jako|przez|с|со|под|как|по|via|user|username|login|logins|account|benutzer|usuario|utente|utilisateur"
    rf"|gebruiker|creds?|credentials)\b|[:：=→>]|->|用|以|是|为|は|は、|[은는이])\s{{0,2}}"
    rf"(?:the |user |username |codice "
    rf"|código |numéro |nummer |number |id |nif |email |mail"
    rf"|account )?(?P<user>{_USER})"
    r"(?P<link>\s{0,2}(?://?|\||→)\s{0,2}|\s?->\s?|\s?(?:[,;]\s?)?(?:(?<=\s)|(?<=[,;]))(?:and after that"
    r"|and afterwards|and then|and|plus|uses|has|hat|nutzt|utilise|usa|gebruikt|używa|then|followed by|&"
    r"|\+|with|using|und dann|und|dann|mit|et puis|et|puis|avec|y luego|y después|y con|y|e poi|e depois|e con"
    r"|e com|e|con|com|en daarna|en dan|daarna|en"
    r"|met|i potem|i hasłem|oraz|potem|i|z|и потом|и затем|затем|и|с|со|和|与|跟"
    r"|再|と|及び|[과와]|그리고|,)\s|\s?(?:계정에|계정과|の"
    r"|で)\s?)"
    rf"(?:the |de |le |il |o |das |code )?{VALUE}"
)
_IS_NAME = LazyPattern(r"[a-z][a-z0-9]*$|[\w.+-]*[@._\d-][\w.@+-]*$")
NOT_TYPED = LazyPattern(
    r"(?:yubi|pass|touch|face|my|bank|smart)-?key|oauth|openid|\bsso|saml|ldap|2fa|mfa|totp|webauthn|fido|face ?id"
    r"|touch ?id|github|gitlab|google|facebook|apple ?id|okta|chrome|firefox|python|node|java|http|https|ipv|tls|wpa"
    r"|itsme|bundid|digid|franceconnect"
)
# "login3", "web-02": machines that are counted.
NUMBERED_THING = LazyPattern(
    r"(?:login|user|admin|server|node|host|web|db|app|auth|dev|test|prod|staging|room|gate|line|port|level|group|team"
    r"|version|python|java|es|dashboard|ticket|issue|step|task|surname|vscode|mobaxterm|winscp|filezilla|securecrt"
    r")[-_]?\d+(?:$|:)|[a-z]+[+*]{1,2}$"
    r"|(?:prod|stag(?:ing|e)|stg|dev|test|qa|uat|db|web|app|api|gw|srv|server|node|host|vm|k8s|eu|us|lb|nas|bastion|jump"
    r"|cache|queue|mail|dns|vpn|proxy|worker|build|ci|runner|edge|core|switch|router|pg|redis|kafka|mysql)"
    r"(?:-[a-z\d]{1,12}){1,4}$"  # the name of a machine
)


def place_of(text: str, found: re.Match[str], *, least: int) -> tuple[int, int] | None:
    """Where the value that a form found stands, if it looks enough like one: 3 as typed, 2 as a word with a number."""
    group = found.lastindex or 1
    start, end = found.span(group)
    quoted = text[start - 1 : start] in tuple("\"'`“„«‘「『")
    value = text[start:end]
    if not quoted:
        value = value.rstrip(".,;:!?)]}*\\…") if not value.rstrip(".,;:)]}*\\").endswith(("!", "?")) else value
        value = value.rstrip(".,;:)]}*\\")
    if len(value) < 4 or is_placeholder(value) or "://" in value:
        return None
    if NOT_TYPED.search(value.lower()) or NUMBERED_THING.match(value.lower()):
        return None
    if is_typed(value) or (least <= 2 and is_word_and_number(value)):
        return start, start + len(value)
    if quoted and least <= 1 and value.lower() not in said.NOT_A_PASSWORD:
        return start, start + len(value)
    return None


def pairs(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "Signs in as anna with …", "login set to pi and …", "creds: editor / …"."""
    for found in _AS_WITH.found_in(low):
        if place := place_of(text, found, least=3):
            yield "password", *place
    done = 0
    for sign in _GETTING_IN.found_in(low):
        at, stop = max(done, sign.start() - 90), sign.end() + _BACK
        while found := _PAIR.search(low, at, stop):
            at = found.start() + 1  # what looks like a name may be the word before it
            name = found["user"].strip("\"'`“”„«»")
            if name in _NO_NAMES or not _IS_NAME.match(name) or "\n" in found.group():
                continue
            weak = found["link"].strip() in _WEAK or (name.isdigit() and len(name) < 5)
            is_sure = not weak and ("@" in name or _IS_NAME.match(name))
            place = place_of(text, found, least=2 if is_sure else 3)
            if place and not said.PUBLIC.search(low, max(0, place[0] - 70), place[0]):
                yield "password", *place
        done = max(done, stop - 2 * _BACK)


_AS_WITH = Sought(
    "as with",
    r"\b(?:as|als|como|comme|come|jako|под)\s[\w.@-]{2,40}\s(?:with|using|and|mit|und|avec|et|con|y|e|com|met|en|z"
    r"|i|с|и)"
    rf"\s{VALUE}",
)
_WEAK = frozenset(", using e i y с z uses has hat nutzt utilise usa gebruikt używa".split())
_NO_NAMES = frozenset(
    "the a an my his her their our its it this that me him them us one both each every all any some no not now only"
    " with using through via and or but from when where while face touch finger fingerprint"
    " google apple github facebook sso okta chrome firefox email mail phone password user"
    " username code pin sms app key web home work admin@ der die das dem den ein eine einem einer le la les un une el"
    " los las il lo de het een the".split()
)

# -- what opens -----------------------------------------------------------------------------------------------------

LOCKED = (
    r"\b(?:keepass\w*|bitwarden|1password|lastpass|enpass|vaults?|wallet|zip|rar|7z|archives?|pdfs?|disks?|drives?"
    r"|laptops?|notebook|macbook|phones?|iphone|handy|tablet|ipad|kindle|computer|pc|mac|desktop|safe|volume"
    r"|container|zipped|files|zertifikat|certificate|certificat|certificado"
    r"|partition|usb|stick|keystore|keyring|keychain|backups?|veracrypt|bitlocker|luks|filevault|cryptomator|borg"
    r"|restic"
    r"|truecrypt|screen|lock ?screen|bildschirm|rechner|tresor|festplatte|ordi(?:nateur)?|téléphone|portable|coffre"
    r"|disque|ordenador|portátil|móvil|celular|telemóvel|teléfono|telefone|telefono|telefon\w*|computador|schermo|écran"
    r"|pantalla|ecrã|cofre|cassaforte|sejf\w*|laptop\w*|komputer\w*|dysk\w*|kluis|laptop|schijf|telefoon|smartphone"
    r"|admin panel|console|router|nas|server|terminal|bios|uefi|grub|till|kasse|caja|spreadsheet|workbook|file|document"
    r"|diary|journal|notes?|app|profile|account|mailbox|voicemail|tv|playstation|xbox|switch|ps5|thermostat|car|tesla"
    r"|mailbox|entsperr\w*|parental controls?|kids? profile|screen time)\b"
    r"|телефон|ноутбук|компьютер|сейф|диск|архив|экран|手机|电脑|硬盘|压缩包|屏幕|保险箱|スマホ|携帯|パソコン|端末|金庫"
    r"|휴대폰|핸드폰|노트북"
    r"|컴퓨터|금고|화면"
)
_OPENS_WITH = Sought(
    "opens with",
    r"(?:\b(?:opens?|opened|unlocks?|unlocked|unlocking|decrypts?|decrypted|encrypted|mounts?|mounted|unseals?|locked"
    r"|secured|protected|unzips?|extracts?|boots?|wakes?(?: up)?|open up|gets? (?:\w+ )?(?:in|into)|accepts|wants|takes"
    r"|entsperrt?\w*|öffnet|geöffnet|aufgesperrt|entschlüssel\w*|verschlüsselt|geschützt|gesichert|geht|sperrt"
    r"|déverrouill\w*|débloqu\w*|s['’]ouvre|ouvre|ouvert|chiffrée?|protégée?|verrouillée?"
    r"|desbloque\w*|desbloquea|se abre|abre|abierto|cifrad[oa]|protegid[oa]|descifra\w*"
    r"|sblocca\w*|si apre|apre|aperto|cifrat[oa]|protett[oa]|desencripta\w*|desbloqueia\w*|abre-se"
    r"|ontgrendel\w*|opent|versleuteld|beveiligd|gaat|odblokow\w+|otwiera\w*|zaszyfrowan\w+|zabezpieczon\w+)\b"
    r"|разблокир\w+|открыва\w+|зашифрован\w*|защищ[её]н\w*|снима\w+)(?P<what>[^\n.;]{0,60}?)"
    r"(?:\s(?:with|by typing(?: in)?|by entering|by saying|by dialling|after typing|after pressing|after entering"
    r"|after dialling|by|using|via|on|through|mit|durch|avec|par|con|com|met|z|za pomocą|przez|hasłem|słowem"
    r"|kodem|с помощью|кодом|словом|фразой|паролем|словом|фразой|паролем|с|по)\s)"
    rf"(?:the |a |code |word |phrase |number |string |pattern |dem |der |den |le |la |el |il |o |a |code |kod "
    rf"|código |codice |de )*{VALUE}",
)
_TAKES = Sought(
    "takes",
    rf"\b(?:takes|wants|accepts|expects|needs|verlangt|will|veut|demande|quiere|pide|vuole|chiede|quer|wil|chce"
    rf"|хочет|просит)"
    rf"\s(?:the |le |el |il |o |das |word |phrase |code )?{VALUE}",
)
_PROTECTED = Sought(
    "protected",
    rf"\b(?:mit|met|med)\s(?:dem |der |het )?{VALUE}\s(?:geschützt|verschlüsselt|gesichert|entsperrt|geöffnet"
    rf"|aufgesperrt|beveiligd"
    r"|versleuteld|ontgrendeld|geopend)\b",
)
_WITH = LazyPattern(
    r"\b(?:with|by|typing|entering|pressing|dialling|using|via|on|through|mit|durch|avec|par|con|com|met|z|za|przez"
    r"|hasłem|kodem|code"
    r"|word|phrase|number|string|pattern|takes|wants|accepts)\s|помощью|кодом|словом|фразой|паролем|\bс\s|\bпо\s"
)
_NUMBER_ONLY = LazyPattern(r"\d{4,10}[#*]?$|\d{3}[- ]\d{3}$|\d{2}[- ]\d{2}(?:[- ]\d{2})?$")
_YEAR = LazyPattern(r"(?:19|20)\d\d$")
_OPENING = (
    r"\s(?:opens|unlocks|decrypts|gets (?:you|me|us|one) (?:in|into)|lets (?:you|me|us) (?:in"
    r"|into)|will (?:open|unlock)|entsperrt|öffnet|déverrouille|ouvre|desbloquea|abre|sblocca|apre|desbloqueia"
    r"|ontgrendelt|opent|odblokowuje|otwiera|разблокирует|открывает)\s"
)
_OPENS_THE = Sought(
    "opens the",
    rf"(?<![\w@/.-])(?:{VALUE}){_OPENING}(?P<what>[^\n.]{{2,40}})",
    word=_OPENING,
    back=70,
    ahead=150,
)
_NOW = Sought(
    "now",
    r"\b(?:root|admin(?:istrator)?|sa|postgres|mysql|superuser)\b[^\n.;]{0,60}?(?:(?:changed|reset|set|switched) to"
    r"|(?:it['’]s|is)"
    rf" now|now)\s{VALUE}",
)
_REUSES = Sought("reuses", rf"\b(?:reuse[sd]?|recycles?)\s{VALUE}|\balways (?:the same|uses?)\s{VALUE}")
_MOBILE = LazyPattern(
    r"unlock|entsperr|déverrouill|débloqu|desbloque|sblocca|ontgrendel|odblokow|разблок|解锁|ロック解除|잠금"
)
_WIDE_OPENS = Sought(
    "wide opens",
    r"(?:解锁|解開|解开|打开|開く|開けるには|ロック解除|解除|開錠|解錠|잠금\s?해제|여는|풀)[^\n。]{0,16}?(?:密码|码"
    r"|コード|番号|코드|번호)?"
    r"[是为は은는：:\s]{0,3}(?<![\w.])(\d{4,10}[#*]?)(?![\w.年月日号元円원])"
    r"|(?:按|输|拨|摁|输入|按下)\s?(\d{3,10}[#*]?)(?=$|[^\w.]|[再就然并开開确拧转进]|后(?!自动))"
    r"|(?<![\da-z.])(\d{4,10}[#*]?)\s?(?:で(?:ロック解除|開|解錠|解除)"
    r"|を?(?:押し?す?|入力|打|入れ|回し)|을?를?\s?(?:누르|누른|입력|치면|눌러)|(?:으로|로)\s?(?:풀|열|잠금|해제)|"
    r"(?:就能|可以|来|就可)?(?:解锁|开门|打开))",
)
_WIDE_NEAR = LazyPattern(
    r"锁|门|手机|电脑|保险|屏|平板|ロック|玄関|ドア|警报|复印|コピー|복사|スマホ|タブレット|携帯|金庫|ゲート|アラーム"
    r"|警報|端末|パソコン|扉"
    r"|門|도어락"
    r"|현관|문|휴대폰|핸드폰|금고"
    r"|잠금|노트북|경보|비밀|출입|入口|仓库|车库|倉庫|창고"
)


def openings(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "Unlocks the phone with …", "KeePass opens with '…'", "… opens the archive"."""
    for found in _OPENS_WITH.found_in(low):
        value = found.group(found.lastindex or 1)
        tail = found.group()[: -len(value)]
        around = low[max(0, found.start() - 70) : found.start()] + tail
        is_locked = re.search(LOCKED, around) is not None
        if not _WITH.search(tail[-24:]):
            continue
        bare = value.rstrip(".,;:!)")
        if _NUMBER_ONLY.match(bare):
            is_phone = is_locked and not (_YEAR.match(bare) and not _MOBILE.search(tail))
            if is_phone and not said.UNITS.match(low, found.end(found.lastindex or 1)):
                at = found.start(found.lastindex or 1)
                yield "PIN", at, at + len(bare)
        elif place := place_of(text, found, least=_least(text, found, locked=is_locked)):
            yield "password", *place
    for form in (_PROTECTED, _NOW, _REUSES):
        for found in form.found_in(low):
            if place := place_of(text, found, least=2 if form is _PROTECTED else 3):
                yield "password", *place
    for found in _TAKES.found_in(low):
        if re.search(LOCKED, low[max(0, found.start() - 60) : found.start()]) and (
            place := place_of(text, found, least=3)
        ):
            yield "password", *place
    for found in _OPENS_THE.found_in(low):
        if not re.search(LOCKED, found["what"]):
            continue
        group = 1 if found.group(1) else 2
        value = text[slice(*found.span(group))]
        if group == 1 or is_typed(value):
            if not is_placeholder(value):
                yield "password", *found.span(group)
        elif _NUMBER_ONLY.match(value) and not _YEAR.match(value):
            yield "PIN", *found.span(group)
    if not low.isascii():
        for found in _WIDE_OPENS.found_in(low):
            if _WIDE_NEAR.search(low, max(0, found.start() - 40), found.end() + 20):
                yield "access code", *found.span(found.lastindex or 1)


def _least(text: str, found: re.Match[str], *, locked: bool) -> int:
    value = text[slice(*found.span(found.lastindex or 1))]
    if not locked:
        return 3
    return 1 if " " in value or is_word_and_number(value) else 2


# -- what is typed when something asks ------------------------------------------------------------------------------

_TYPES = Sought(
    "types",
    r"(?:\b(?:types?|typing|enter(?:s|ed|ing)?|put(?:s|ting)?(?: in)?|inputs?|key(?:s|ing)? in|punch(?:es)?(?: in)?|use"
    r"|uses|using|say|says|give|gives|supply|answer(?: with)?|reply(?: with)?|tipp\w*|eingib\w*|gib|gibt|geben"
    r"|eintipp\w*"
    r"|taper?|tapez|saisi\w+|entre[rz]?|teclea\w*|escrib\w+|introdu\w+|pon|poner|digit[aeo]\w*|inseri\w+|scriv\w+"
    r"|inserisc\w+|typ|toets|voer|intoets\w*|wpis\w+|podaj\w*|podać|insira|escrev\w+|coloc\w+|met|mettre|mettez"
    r"|pone|mette|põe|zet)(?: man)?(?: in| ein)?"
    r"|введ\w+|вводи\w*|ввод|набер\w+|набира\w+)"
    rf"(?:\s(?:the|just|simply|einfach|in|word|code|wort|mot|palabra|parola|palavra|woord|słowo"
    rf"|слово))*[\s:]{{1,2}}{VALUE}",
)
_ASKS = LazyPattern(
    r"\b(?:asks?|asked|asking|prompt\w*|demands?|challenged?|lock ?screen|login screen|greeter|sudo|log(?:ging)? in"
    r"|sign(?:ing)? in|unlock\w*|get in|to open|decrypt\w*|fragt|gefragt|verlangt|abfrage|anmelde\w*|entsperr\w*"
    r"|aufforder\w*|demande|invite|connexion|déverrouill\w*|pide|pregunta|solicita|desbloque\w*|chiede|richiest\w*"
    r"|sblocca\w*|pede|pergunta|vraagt|gevraagd|ontgrendel\w*|pyta|zapyta|prosi|poprosi|odblokow\w*|logow\w*"
    r"|zalog\w*|session|sesión|sessione|sessão|arran\w+)\b"
    r"|спрашива|спросит|запрос|просит|попросит|разблок|войти"
)
_AT_LOGIN = LazyPattern(
    r"log(?:ging)? ?in|sign(?:ing)? in|unlock|session|sesión|sessione|sessão|anmeld|entsperr|logow|lock ?screen"
)
_WIDE_TYPES = Sought(
    "wide types",
    rf"(?:输入|鍵入|键入|填|敲)\s?{BARE}"
    rf"|{BARE}\s?(?:と入力|を入力|と打|を打|と答|을 입력|를 입력|라고 입력|이라고|라고 치|입력)",
    word="输入|鍵入|键入|填|敲|と入力|を入力|と打|を打|と答|을 입력|를 입력|라고 입력|이라고|라고 치|입력",
    back=70,
    ahead=150,
)


def typings(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "When sudo asks, type …"."""
    for found in _TYPES.found_in(low):
        near = low[max(0, found.start() - 80) : found.start()] + low[found.end() : found.end() + _AHEAD]
        asked = _ASKS.search(near)
        if asked and (place := place_of(text, found, least=2 if _AT_LOGIN.search(near) else 3)):
            yield "password", *place
    if not low.isascii():
        for found in _WIDE_TYPES.found_in(low):
            if place := place_of(text, found, least=2):
                yield "password", *place


# -- what nobody writes in prose ------------------------------------------------------------------------------------

_MARKED = Sought(
    "marked",
    r"(?<![\w@/.#$&?=%+*-])(?P<value>[^\W\d_][\w-]{2,20}[!?#$%^*&+~][\w!?#$%^*&+~.-]{1,24}"
    r"|[^\W\d_]{3,16}[_.]?\d{1,4}[!?#$%^*]{1,3})"
    r"(?=[\s\"'`”»,;.)]|$|[\u3000-\u9fff\uac00-\ud7af])",
    word=r"(?<=[\w-])[!?#$%^*&+~]",
    back=24,
    ahead=90,
)
_PRODUCT = LazyPattern(
    r"fritz!|yahoo!|[a-z]+#\d{4}$|[a-z]+&[a-z]+$|^(?:[cfj]#|q&a|r&d|b&b|at&t|h&m|p&l)|\?(?:[a-z_]+=)|c\+\+|\d{4}!$"
    r"|[!?]{2,}$|&amp;"
)
_ACCESS = LazyPattern(
    rf"{_GETTING_IN.pattern}|{_ASKS.pattern}|{LOCKED}|{said.PASSWORDS}|\b(?:wi-?fi|wlan|ssid|admin|root|e-?mail"
    rf"|vpn|konto|hotspot"
    r"|netflix|amazon|paypal|dropbox|icloud|apple id|facebook|instagram|spotify|steam|ebay|bank\w*|banque|banco"
    r"|banca)\b|银行|网银|銀行|バンク|은행|뱅킹"
)
_WELCOME = LazyPattern(r"[^\W\d_]+&[^\W\d_]+$")


def marked(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """Words with marks inside, where somebody gets in: "…; after that Meringue!Pie"."""
    for found in _MARKED.found_in(low, text):
        start, end = found.span("value")
        value = low[start:end].rstrip(".")
        has_joined = _WELCOME.match(value) is not None
        if is_placeholder(value) or (_PRODUCT.search(value) and not has_joined) or value.endswith(("?", "!!")):
            continue
        near = low[max(0, start - 120) : start] + " " + low[end : end + 60]
        if not _ACCESS.search(near) or (has_joined and not _PAIRED.search(low[max(0, start - 40) : start])):
            continue
        yield "password", start, start + len(value)


_PAIRED = LazyPattern(
    r"[\w.+-]+@[\w.-]+\s?(?:,|/|\||:|and|und|et|y|e|en|i|и|with|followed by|plus|then|mit|avec|con|com|met|z"
    r"|с)*\s(?:\w+\s){0,2}$"
    r"|\b(?:type|enter|taper|teclea|tippe|digita|typ|wpisz|введите)\s$|[/|]\s?$"
)
_AFTER_MAIL = Sought(
    "after mail",
    r"(?<![\w.])[\w.+-]{1,40}@[\w-]{1,40}(?:\.[\w-]{1,20}){1,4}\s{0,2}(?:[,;/|:+]|->|→)?\s{0,2}(?:(?:and then|and"
    r"|und|et puis|et|y|e poi"
    r"|e|en|i|и|with|followed by|plus|then|mit|avec|con|com|met|z|с|和|と|pw|pass)\s)?"
    rf"{VALUE}",
    word="@",
    back=42,
    ahead=320,
)


def after_mails(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """An address of mail and what is typed below it."""
    for found in _AFTER_MAIL.found_in(low):
        gap = low[found.start() : found.start(found.lastindex or 1)]
        is_linked = not gap.endswith(("with ", "mit ", "con ", "com ")) or _ACCESS.search(low)
        if is_linked and (gap.strip() != gap or gap.endswith((":", "/"))) and (place := place_of(text, found, least=3)):
            yield "password", *place


def ways_in(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """What any of the rules above finds."""
    for rule in (pairs, openings, typings, marked, after_mails):
        yield from rule(text, low)
