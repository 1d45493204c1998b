"""Secrets that are told in a roundabout way: the answer to a security question, the word that all passwords are made
of, a recipe for them, a password that stands somewhere behind its name.

All functions take the text and the text in lower case with the same places, and yield (kind, start, end); work is
bounded around each sign.
"""

from collections.abc import Iterator

from commonplace.gate import secretwords as said
from commonplace.gate.secretentry import BARE, NOT_TYPED, QUOTED, VALUE, place_of
from commonplace.gate.secretplaces import Lowered, Sought
from commonplace.gate.secretvalues import is_placeholder, is_typed, is_word_and_number
from commonplace.patterns import LazyPattern

_BACK = 110

# -- questions that only one person can answer ----------------------------------------------------------------------

_ANSWERS = Sought(
    "answers",
    r"(?:security|secret|recovery|account recovery|reset) (?:questions?|answers?|qs|q&a)|for (?:password "
    r"|account )(?:resets?|recovery)"
    r"|answer (?:to|for) [\"'“][^\"'”\n]{4,60}[\"'”]|geheime antwort|geheim antwoord|maiden name (?:for|at|with|used"
    r"|when|given)"
    r"[^\n:.]{0,30}?(?:bank|check|verif|security|account|broker|insur|hotline|identity)|answers? (?:to|for"
    r"|of) (?:the |my |his "
    r"|her |their )?(?:\w+ ){0,3}?(?:security|secret|recovery|reset)|sicherheits(?:frage|antwort)\w*|geheimfrage\w*"
    r"|antwort auf die (?:sicherheits|geheim)\w*|questions? (?:secrètes?|de sécurité)|réponses? (?:secrètes?"
    r"|à la question)"
    r"|preguntas? (?:secretas?|de seguridad)|respuestas? (?:secretas?|de seguridad|a la pregunta)"
    r"|domand[ae] (?:segret[ae]"
    r"|di sicurezza)|rispost[ae] (?:segret[ae]|alla domanda)|perguntas? (?:secretas?|de segurança)"
    r"|respostas? (?:secretas?"
    r"|à pergunta|de segurança)|beveiligingsvra\w+|geheime vra\w+|antwoord op de (?:geheime|beveiligings)\w*"
    r"|pyta\w+ (?:bezpieczeństwa|pomocnicze|kontrolne)|odpowied\w+ na pytanie|контрольн\w+ (?:вопрос\w*|ответ\w*)"
    r"|секретн\w+ (?:вопрос\w*|ответ\w*)|(?:密保|安全)(?:问题|問題|提示)|密保答案"
    r"|秘密の(?:質問|答え)|セキュリティの?質問|보안\s?질문"
    r"|비밀번호 찾기 (?:질문|답)|본인\s?확인 질문",
)
_ANSWER = LazyPattern(
    r"(?P<link>[:：=→]|->|=>|\s[—–-]\s|\?|\b(?:is|was|are|called|named|ist|war|lautet|hieß|heißt|est|était"
    r"|s['’]appelait|es|era"
    r"|fue|se llamaba|è|si chiamava|é|foi|chamava-se|heette|heet|luidt|to|brzmi|nazywa\w+|это|был[аои]?|звали)"
    r"|是|为|は|叫|[은는])\s{0,2}"
    rf"(?:the answer is |answer:? |antwort:? |réponse:? |respuesta:? |risposta:? |antwoord:? |ответ:? |答えは)?"
    rf"(?:{QUOTED}|([^\W_][^\s,;?\n:=→。，、]{{1,40}}(?: [^\W_][^\s,;?\n:=→。，、]{{1,30}}){{0,3}}))"
)
_TOPIC = LazyPattern(
    r"answer|pet|maiden|school|teacher|car|street|city|town|born|friend|nickname|food|book|movie|film|team|hero|grand"
    r"|mother|father|sibling|colou?r|job|boss|honeymoon|antwort|haustier|mädchenname|schule|lehrer|straße|stadt|geburt"
    r"|freund|mutter|réponse|animal|jeune fille|école|professeur|voiture|rue|ville|mère|respuesta|mascota|soltera"
    r"|escuela"
    r"|colegio|coche|calle|ciudad|madre|risposta|animale|nubile|scuola|maestr|via|città|resposta|solteira|escola"
    r"|carro|rua"
    r"|cidade|mãe|antwoord|huisdier|meisjesnaam|basisschool|straat|plaats|moeder|odpowied|zwierz|panieńsk|szkoł"
    r"|ulic|miast"
    r"|matk|ответ|питом|девич|школ|улиц|город|матер|кличк"
)
_NO_ANSWER = LazyPattern(
    r"\b(?:he|she|they|he['’]s|er|sie|il|elle|on|él|ella|lui|lei|ele|ela|hij|zij|ze|on|ona|он|она|refuses|what|which"
    r"|who|where|when|how|why|in|on|at|your|my|his|her|their|the|see|not|never|no|none|saved|stored|kept"
    r"|known|same|wrong|random|made|always|a|an|used|too|asked|disabled|gone|only|generated|lies|written|1password"
    r"|bitwarden|keepass\w*|was|wer|wie|wo|im|in|nicht|immer|der|die|das|quel\w*|où|dans|cuál|cómo|dónde|en|quale|dove"
    r"|nel\w*|qual|onde|no|na|wat|waar|niet|jaki\w*|gdzie|w|nie|как\w*|где|в|не|gelogen|erfunden|falsch|fausse\w*"
    r"|inventad\w+|falsas?|invent\w+|what['’]s|asks?|asking|should|must|never|nobody|mother['’]?s?|first|favou?rite"
    r"|maiden"
    r"|about)\b|什么|哪|何|무엇|어디|保存|存|書|忘"
)


def answers(_text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "Security question: first pet = …", and those that follow it."""
    done = 0
    for asked in _ANSWERS.found_in(low):
        stop = min(len(low), asked.end() + 220)
        line = low.find("\n", asked.end(), stop)
        stop = line if line != -1 else stop
        at = max(done, asked.end())
        done = stop
        while found := _ANSWER.search(low, at, stop):
            group = found.lastindex or 1
            group = group if found.group(group) is not None else 2
            value = found.group(group)
            at = found.start(group)
            is_verb = found["link"].isalpha() and found["link"].isascii()
            if is_verb and not _TOPIC.search(low, max(0, asked.start() - 20), found.start()):
                continue
            if (
                _NO_ANSWER.match(value)
                or is_placeholder(value)
                or _IS_LABEL.match(low, found.end(group))
                or _CALLED.search(f" {value}")
            ):
                continue
            words = value.split()
            cut = next((n for n, word in enumerate(words) if n and word in _ENDS_ANSWER), len(words))
            kept = " ".join(words[:cut]).rstrip(".!\"')")
            if kept in said.NOT_A_PASSWORD or len(kept) < 3:
                continue
            yield "security answer", found.start(group), found.start(group) + len(kept)
            at = found.end(group)


_CALLED = LazyPattern(
    r"\s(?:called|named|hieß|heißt|s['’]appelait|(?:se )?llamaba|(?:si )?chiamava|chamava-se|heette|nazywał\w*"
    r"|звали|is|was)(?:\s|$)"
)
_IS_LABEL = LazyPattern(r"[^,;\n.]{0,40}?\s?(?:[=→?？]|[:：]\s|->|\s[—–-]\s|\s(?:is|was|ist|war|est|es|è|é)\s)")
_ENDS_ANSWER = frozenset(
    "and or but for at on with in as is was which the"
    " und oder für bei mit et ou pour y o para e per en voor i и".split()
)

_ASKED = Sought(
    "asked",
    rf"(?:{_ANSWERS.pattern})"
    r"|\b(?:asks?|asked|asking|verification|verify|verifies|identity check|telephone banking|fragt|demande|pregunta"
    r"|chiede|pergunta"
    r"|vraagt|pyta)\b|спрашива",
)
_OF_ONES_LIFE = LazyPattern(
    r"maiden|\bpets?\b|first (?:pet|school|car|concert|teacher|job|street|dog|cat|kiss|boss)|favou?rite teacher"
    r"|childhood|grew up"
    r"|parents met|was born|were born|memorable|security|secret|recovery|haustier|mädchenname|sicherheits|geheimfrage"
    r"|jeune fille"
    r"|premier animal|secrète|sécurité|soltera|mascota|seguridad|secreta|nubile|sicurezza|segreta|solteira|segurança"
    r"|meisjesnaam"
    r"|huisdier|beveiligings|geheime|panieńsk|pomocnicze|bezpieczeństwa|девич|контрольн|секретн"
)
_REPLY = LazyPattern(
    r"(?:\b(?:answers?|answered|repl(?:y|ies)|says?|said|gives?|gave|puts?|enters?|types?|uses?|which is|it['’]s|set is"
    r"|chose|antwortet?"
    r"|sagt|gibt|nennt|répond|met|donne|dit|contesta|responde|pone|puso|dice|da|risponde|mette|scrive|põe|diz|antwoordt"
    r"|zegt|vult"
    r"|odpowiada|podaje|wpisuje)|отвечает|говорит|пишет)"
    r"(?:\s(?:with|mit|avec|con|com|met|sie|er|hij|ze|je|immer|always|toujours|siempre|sempre|altijd|zawsze|всегда|the"
    r"|name|word|in|dann"
    r"|just|simply|still|einfach)){0,4}\s[\"'“„«]?"
    r"(?P<value>[A-ZÀ-ÞА-Я][^\s,;.:()\"'”“»]{1,30}(?:\s[A-ZÀ-ÞА-Я0-9][^\s,;.:()\"'”“»]{1,30}){0,2})"
)
_NO_REPLY = LazyPattern(
    r"(?:The|She|He|They|It|Her|His|Yes|No|Nobody|Der|Die|Das|Le|La|El|Il|Mom|Mum|Dad|KeePass\w*|Bitwarden|1Password)$"
)
_IS_THE_ANSWER = Sought(
    "is the answer",
    r"(?:^|(?<=[.;:,]\s)|(?<=\n))[\"'“„«]?(?P<value>[^\s\"'“”„«»,;.:]{3,30}(?:\s[^\s\"'“”„«»,;.:]{2,30}){0,2})[\"'”“»]?\s"
    r"(?:is|was|ist|war|est|es|è|é|jest|to|это|are|sind)\s(?:(?:the|her|his|my|their|die|seine|ihre|meine|la|sa|su|mi"
    r"|sua|a|het|haar"
    r"|zijn)\s)?(?:[\w'’]{1,15}\s)?(?:security answer|answer (?:to|for) |antwort auf |réponse à |respuesta (?:a|de) "
    r"|risposta a|resposta (?:à|a) "
    r"|antwoord op |odpowied\w+ na |ответ на )",
    word="security answer|answer (?:to|for) |antwort auf |réponse à |respuesta (?:a|de) |risposta a|resposta (?:à|a) "
    "|antwoord op |odpowied|ответ на ",
    back=130,
    ahead=60,
)
_MAIDEN = Sought(
    "maiden",
    r"(?i:maiden name|mädchenname|nom de jeune fille|apellido de soltera)(?:\s(?:is|was|ist|est|es"
    r"|for \w+))?[\s:,(]{1,3}"
    r"(?P<value>[A-ZÀ-Þ][^\s,;.:()\"'”“»]{2,30})",
)
_VERIFIED = LazyPattern(r"\b(?:asks?|asked|bank|card company|security|verif\w+|hotline|phone check|broker|insurer)\b")
_SECRET_QUESTION = LazyPattern(
    r"security|secret|recovery|sicherheits|geheim|secrète|sécurité|seguridad|secreta|sicurezza|segreta|segurança"
    r"|beveiligings|pomocnicze"
    r"|bezpieczeństwa|контрольн|секретн"
)
_ARE_ANSWERS = Sought(
    "are answers",
    r"(?:security|secret|recovery|reset) (?:questions?|answers?)|sicherheits(?:frage|antwort)en|réponses (?:secrètes"
    r"|de sécurité)"
    r"|respuestas (?:secretas|de seguridad)|risposte (?:segrete|di sicurezza)|respostas (?:secretas|de segurança)"
    r"|antwoorden op de",
)
_PAIR_BEFORE = LazyPattern(
    r"(?P<label>[^\n=:;,.]{3,40}?)\s?(?:=|:|→|->|\sis|\swas)\s?(?P<value>[^\s=:;,.][^\n=:;,.]{1,40}?)(?=\s?[,;.]|$)"
)


def replies(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "When the bank asks for the first pet she says …", "… is the answer to her security question"."""
    done = 0
    for asked in _ASKED.found_in(low):
        at, stop = max(done, asked.end()), asked.end() + 140
        line = low.find("\n", asked.end(), stop)
        stop = line if line != -1 else stop
        if not _OF_ONES_LIFE.search(low, max(0, asked.start() - 60), stop):
            continue
        for found in _REPLY.finditer(text, at, stop):
            done = found.end()
            if not _NO_REPLY.match(found["value"]) and not is_placeholder(found["value"]):
                yield "security answer", *found.span("value")
    for found in _MAIDEN.found_in(low, text):
        if _VERIFIED.search(low, max(0, found.start() - 80), found.end() + 80):
            yield "security answer", *found.span("value")
    for found in _IS_THE_ANSWER.found_in(low):
        if _SECRET_QUESTION.search(low, found.end(), found.end() + 40) or "security" in found.group():
            yield "security answer", *found.span("value")
    for told in _ARE_ANSWERS.found_in(low):
        begin = max(0, told.start() - 160, low.rfind("\n", 0, told.start()))
        for pair in _PAIR_BEFORE.finditer(low, begin, told.start()):
            if _TOPIC.search(pair["label"]) and not _NO_ANSWER.match(pair["value"]):
                yield "security answer", *pair.span("value")


# -- words that passwords are made of -------------------------------------------------------------------------------

_MADE = LazyPattern(
    r"\b(?:base|root|stem|core|common|main|standard|usual|same|favou?rite|go-to|default|everyday|old|all-purpose"
    r"|universal"
    r"|universelle?|grund|basis|stamm|standard|üblich\w*|gleich\w*|immer|überall|base|habituel\w*|même|toujours|partout"
    r"|mism[oa]|siempre|habitual|de siempre|solit[oa]|stess[oa]|sempre|ovunque|mesm[oa]|zelfde|overal|altijd|vast\w*"
    r"|wszędzie|zawsze|t[oa] sam[oa]|wszystki\w+|used everywhere|everywhere|every site|all (?:\w+ )?(?:accounts|sites"
    r"|logins|passwords)|every (?:\w+ )?(?:account|login|password))\b|везде|всегда|один и тот же|того же|все\w* аккаунт"
    r"|所有|都用|通用|到处|一样|同じ|使い回|いつも|全部|모든|같은|항상|똑같"
)
_PASSWORD_WORD = Sought(
    "password word",
    rf"{said.PASSWORDS}|\b(?:base ?word|stem|accounts?|logins?|clave|schema|scheme|pattern|konten|comptes|cuentas"
    rf"|contas"
    r"|kont|accounts)\b|аккаунт|账号|アカウント|계정",
)
_NAMELY = Sought(
    "namely",
    r"(?:\b(?:namely|i\.e\.|ie|that is|that['’]s|viz\.?|which is|it['’]s|so|hence|making|giving|donc|así que|quindi"
    r"|dus|więc|called|word|base|stem|nämlich|und zwar"
    r"|d\.h\.|also"
    r"|sprich|wort|à savoir|c['’]est-à-dire|soit|donc|mot|o sea|es decir|a saber|concretamente|palabra|ossia|cioè"
    r"|vale a"
    r" dire|ovvero|parola|ou seja|isto é|a saber|palavra|namelijk|te weten|oftewel|woord|czyli|mianowicie|to jest"
    r"|słowo)"
    r"|а именно|то есть|т\.е\.|слово|即|也就是|就是|つまり|すなわち|즉|바로),?\s?[:：]?\s?"
    rf"{VALUE}",
)
_ADDED = (
    r"(?:\+|plus|followed by|and then|then|with the|with a|und dann|plus|gefolgt von|mit dem|suivi d\w{1,20}"
    r"|puis|avec"
    r"|seguid[oa] de|más|y luego|más el|mais o|seguito da|più|con|gevolgd door|met|i potem|oraz|z|плюс|и потом"
    r"|затем|加|加上"
    r"|に|と|하고|더하기|\+)\s?(?:the |a |le |la |el |il |o |den |dem |de |an? |year|site|name|number|año|nombre|jahr|"
    r"année|anno|ano|jaar|rok|год|название|网站|サイト|사이트|birth|service|first|last|initial|its|their|exclamation"
    r"|two|four)"
)
_PLUS = Sought("plus", rf"{VALUE}\s?{_ADDED}", word=_ADDED, back=70, ahead=180)


def bases(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "The same password everywhere, namely …", "base word '…' plus the name of the site"."""
    if not _PASSWORD_WORD.is_in(low):
        return
    for found in _NAMELY.found_in(low):
        before = low[max(0, found.start() - _BACK) : found.start()]
        after = low[found.end() : found.end() + 40]
        if not _PASSWORD_WORD.search(before + found.group()[:12]) or said.BANNED_ABOUT.search(before):
            continue
        is_made = _MADE.search(before + after) is not None
        group = found.lastindex or 1
        value = text[slice(*found.span(group))]
        if is_made and (group == 1 or value[0].isupper() or is_typed(value) or is_word_and_number(value)):
            bare = value.rstrip(".,;:!)")
            if (
                len(bare) >= 4
                and bare.lower() not in said.NOT_A_PASSWORD
                and not is_placeholder(bare)
                and not _is_keeper(bare)
            ):
                yield "password", found.start(group), found.start(group) + len(bare)
        elif place := place_of(text, found, least=2):
            yield "password", *place
    for found in _PLUS.found_in(low):
        near = low[max(0, found.start() - _BACK) : found.end() + 40]
        if not (_MADE.search(near) and _PASSWORD_WORD.search(near)):
            continue
        group = 1 if found.group(1) else 2
        value = text[slice(*found.span(group))]
        if group == 1 or is_typed(value) or is_word_and_number(value):
            yield "password", *found.span(group)


def _is_keeper(value: str) -> bool:
    return value.lower().startswith(("1password", "bitwarden", "keepass", "lastpass", "proton", "dashlane", "passkey"))


# -- passwords in other words ------------------------------------------------------------------------------------------

_NAME = Sought("password", said.PASSWORDS)
_NEAR_PASSWORD = LazyPattern(
    r"(?P<about>[^\n.;]{1,80}?)(?<=\s)[\"'`“„«(]?"
    r"(?P<value>(?=[^\s]{0,30}[0-9])(?=[^\s]{0,30}[A-Za-zà-ÿА-я])[^\s\"'`“”„«»,;()<>{}\[\]/\\:@]{6,40})(?=[\s\"'`”»,;.)]|$)"
)
_DIGIT = LazyPattern("[0-9]")
_NAMES_IT = LazyPattern(
    r"\b(?:user\w*|account|login|named?|called|as|host|server|file|in|version|port|model|hash\w*|with|via|by|under"
    r"|at|konto"
    r"|benutzer\w*|usuario|utente|compte|manager|per|every|than|least|minimum|von|id|like|such as|e\.g\.|z\.b\.)\s$"
    r"|[:=]\s?$|-\s?$"
)


def near_passwords(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """A password in other words than usual: its name stands before it in the sentence, and it looks like one."""
    done = 0
    for name in _NAME.found_in(low):
        if name.start() < done or not _DIGIT.search(low, name.end(), name.end() + 120):
            continue
        found = _NEAR_PASSWORD.match(low, name.end(), name.end() + 120)
        if found is None:
            continue
        done = found.end()
        about = found["about"]
        if said.BANNED_TAIL.search(about[:12]) or said.BANNED_ABOUT.search(about) or _NAMES_IT.search(about):
            continue
        start, end = found.span("value")
        value = text[start:end].rstrip(".")
        has_capital = any(map(str.isupper, value)) and any(map(str.islower, value))
        is_aside = text[start - 1] == "(" and is_word_and_number(value)
        if is_aside or (has_capital and is_typed(value) and not NOT_TYPED.search(value.lower())):
            yield "password", start, start + len(value)


_FEW_WORDS = Sought(
    "few words",
    rf"(?:{said.PASSWORDS}|\b(?:master|kdbx|keepass\w*|vault|diceware|bitwarden)\b)[^\n]{{0,40}}?\b(?:three|four"
    rf"|five|six|seven|eight|drei|vier"
    r"|fünf|sechs|trois|quatre|cinq|tres|cuatro|cinco|tre|quattro|cinque|três|quatro|drie|vijf|trzy|cztery|pięć"
    r"|\d)\s(?:words|wörter|mots"
    r"|palabras|parole|palavras|woorden|słowa|słów)\s?[,:—–-]\s((?:[^\W\d_]{3,12}[ -]){2,7}[^\W\d_]{3,12})(?=[.\n]|$)",
)
_WIDE_NUMBER = Sought(
    "wide number",
    r"(?:密码|密碼|暗証番号|パスコード|비번"
    r"|비밀번호)[^\n\d。，、]{0,14}?(?<![a-z0-9])(\d{4,8})(?![\d位年月日个個桁자회번a-z])",
)
_WIDE_BEFORE = Sought(
    "wide before",
    rf"{BARE}\s?(?:这个|這個|这一个|という|이라는|이란|란)\s?(?:密码|密碼|口令|パスワード|비밀번호|비번|암호)",
    word="这个|這個|这一个|という|이라는|이란|란",
    back=70,
    ahead=100,
)
_WIFI = Sought(
    "wifi",
    r"\b(?:wi-?fi|wlan|hotspot)\b(?P<about>[^\n.:]{0,40}?)(?:\bc['’]est|si usa|usiamo|usamos|se usa|on utilise"
    r"|gebruik|=)\s"
    rf"{VALUE}|(?:wi-?fi|wlan|ワイファイ|와이파이)[^\n。]{{0,30}}?(?:キー|鍵|密钥|키)(?:が|は|是|는|은|:|：)\s?{BARE}",
)
_NETWORK = LazyPattern(r"\dg(?:hz)?$|guest|gast|invit|home")
_RECIPE = Sought(
    "password",
    rf"(?:{said.PASSWORDS})[^\n:]{{0,60}}[:：]\s{VALUE}\s?\+\s?[\w<\[]|\bmemorable\s(?:date|word|place|name|info\w*"
    rf"|answer|phrase)"
    r"[^\n:]{0,40}?(?::|\sis)\s([^\n.;]{3,40}?)(?=[.;\n]|$)|\bmemorable\s(?:word|place"
    r"|name)\s([^\W\d_]{4,30})(?=[\s.,;]|$)",
)


def recipes(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "Password: Walrus + year", "memorable word walrus"."""
    for found in _FEW_WORDS.found_in(low):
        if said.NOT_IN_PHRASES.isdisjoint(found.group(1).split()):
            yield "passphrase", *found.span(1)
    if not low.isascii():
        for found in _WIDE_NUMBER.found_in(low):
            yield "PIN", *found.span(1)
        for found in _WIDE_BEFORE.found_in(low):
            if place := place_of(text, found, least=2):
                yield "password", *place
    for found in _WIFI.found_in(low):
        place = place_of(text, found, least=2)
        if place and not _NETWORK.search(low[slice(*place)]):
            yield "password", *place
    for found in _RECIPE.found_in(low):
        start, end = found.span(found.lastindex or 1)
        first = low[start:end].split()[0]
        if first not in said.NOT_A_PASSWORD and not is_placeholder(text[start:end]):
            yield "password", start, end


def roundabout(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """What any of the rules above finds."""
    for rule in (answers, replies, bases, near_passwords, recipes):
        yield from rule(text, low)
