"""The words people use when they tell a secret, in the languages they use: names of secrets, what links a name to its
value, and what is said of secrets without telling them. Patterns are for text in lower case."""

from commonplace.gate.secretplaces import Sought
from commonplace.patterns import LazyPattern

PASSWORDS = (
    r"secret (?:phrase|word)|geheimwort|mot secret|palabra secreta|parola segreta|palavra secreta|tajne słowo"
    r"|секретное слово"
    r"|safe ?word|escape word|code phrase|(?:family|emergency) (?:emergency |code |pass |safe )?word(?! for)"
    r"|pick-?up (?:word|code|password)|duress (?:word|code)"
    r"|unlock(?:ing)? phrase|security phrase|watchword|frases? (?:de seguran[çc]a"
    r"|de seguridad|di"
    r" sicurezza|de sécurité)|mot de sécurité|(?:sicherheits|code|losungs|merk)wort|palabra de seguridad"
    r"|parola di sicurezza"
    r"|palavra de segurança|(?:veiligheids|code)woord|słowo bezpieczeństwa|кодов\w+ слов\w|合言葉|暗号ワード"
    r"|(?<![a-z])(?:auth|priv|store|key|db|user|admin|root|mail|smtp|ftp|bind|sa|svc|vnc|rcon|wifi)[_-]?pass(?![a-z])"
    r"|phrases? de passe|frases? de (?:contraseña|paso|acceso)|frase d'accesso|pasword|(?<![a-z])p(?:/w"
    r"|word)(?![a-z])|security (?:question )?answer"
    r"|answer to (?:the|my|her|his|their|a|your) (?:security|secret) question"
    r"|(?:bank\w*|telephone|phone|account|security|alarm)(?: \w+)? code ?word|memorable (?:word"
    r"|phrase)|pass(?:word|wort|wörter|wd|ord|code"
    r"|phrase)|pass"
    r" (?:word|code|phrase)|pwd|(?<![a-z])(?:pw|psw|psk|mdp)(?![a-z])"
    r"|kennw[oö]rt"
    r"|mots? de passe|phrase secrète|contraseña|contrasena|contraseny|palavra[- ]passe|senha(?!or)|parola d'ordine"
    r"|wachtwo+rd"
    r"|lösenord|losenord|adgangskode|kodeord|salasana|hasł[oaue]|(?<![a-z])hasl[oa](?![a-z])"
    r"|(?<![a-z])hesl[oaeu](?:m)?(?![a-z])|jelsz[óoa]"
    r"|(?<![a-z])parol[aăei](?:s[ıi]|m|n)?(?![b-z])|şifre|(?<![a-z])sifre|kata sandi|katalaluan|mật khẩu|mat khau"
    r"|парол[ьяюеи]"
    r"|κωδικ[όο][ςσ]|συνθηματικό"
    r"|كلمة (?:ال)?(?:مرور|سر)|كلمات (?:ال)?مرور|باسورد|رمز عبور|گذرواژه|סיסמ[האת]\w*|पासवर्ड|รหัสผ่าน"
    r"|密码|密碼|口令|パスワード|パスフレーズ|パスコード|비밀번호|암호|패스워드|비번"
)
LOOSE_CUES = (
    r"(?<![a-z])(?:passkey|community string|pass|clave|contra|code wi-?fi|clé wi-?fi|wi-?fi key|wep ?key"
    r"|wpa[23]? ?key|network key|pre-?shared"
    r" key"
    r"|wlan-?schlüssel|wlan-?key)(?![a-z])"
)
PIN = (
    r"(?<![a-z0-9])(?:pin|puk|nip)(?:[- ]?(?:code|number|nummer|kod|koden|nr))?(?![a-z])(?:['’](?:i|si|in"
    r"|e)(?![a-z]))?|geheimzahl|code pin|clave (?:de la |del )?(?:tarjeta|cajero)|c[oó]digo d[oae] (?:cartão"
    r"|multibanco)|codice (?:della )?carta|kod do karty"
    r"|код (?:от )?карты|code van de (?:bank)?pas"
    r"|пин(?:-?код)?(?![а-я])"
    r"|pin ?码|pin ?碼|pin 번호|暗証番号|핀번호|핀 번호|الرقم السري|रक्षा पिन|पिन"
)
CODE = (
    r"(?:host|leader|moderator|chair|chairperson|presenter|dial-in)[- ](?:key|code|pin|passcode)|(?<![a-z])pac(?![a-z])"
    r"|(?:telephone |phone |online )?security number|(?<![a-z])[tmi]-?pin(?![a-z])|número de seguridad"
    r"|numero di sicurezza"
    r"|(?:zahlen|tasten|geheim|sperr|geräte|bildschirm|öffnungs|eingangs)-?code|zahlenkombination|code de verrouillage"
    r"|c[oó]digo de bloqueo|codice di blocco|código de bloqueio|vergrendelcode|kod blokady|код блокировки|锁屏码|解锁码"
    r"|(?:homekit |matter )?(?:setup|pairing) code|(?:larm|port|dörr|dør|alarm|garage|hus|deur|poort|kluis|grind"
    r"|lås)-?(?:koden?|kode|code)(?![a-z])"
    r"|(?:(?<=\d)|four|five|six|eight)[- ]?digit (?:code|passcode|combination)"
    r"|(?:alarm|buzzer|intercom|call box|parking|storage unit|pool|clubhouse|laundry|bathroom|staff|till|atm"
    r"|door|gate|garage|entry|entrance|access|safe|lock|locker|lockbox|key ?safe|building|keypad|security"
    r"|unlock|vault|phone"
    r"|voicemail|luggage|suitcase|padlock|bike lock|verification|authentication|confirmation|two-factor|2fa|mfa|otp"
    r"|one-time|login|sign-in|sim|cabinet|shed|gun safe"
    r"|house|apartment|front door|back door|security system|sms|tan|digi|guard|pairing|activation|screen ?lock"
    r"|parental(?:"
    r" control)?s?)[- ]?(?:pin|code"
    r"|combination|combo|passcode|keycode)"
    r"|(?<!area )(?<!zip )(?<!post)(?<!post )(?<!postal )(?<!country )(?<!dress )(?<!error )(?<!source )"
    r"(?<!qr )code (?:for|to"
    r"|of|on) (?:the|my|our|his|her|their) (?:[\w'-]+ ){0,3}?(?:door|gate|alarm|garage|safe|lock"
    r"|locker"
    r"|building|house|flat|apartment|entrance|keypad|suitcase|shed|cabin|vault|phone|lockbox|office|bike|room)"
    r"|code (?:für|vom|von|zu|zum|zur|der|des) (?:\w+ ){0,2}?\w*(?:tür|tor|alarm\w*|garage|tresor|safe|schloss)"
    r"|c[oó]digo (?:del|de la|do|da) (?:candado|caja fuerte|garaje|portal|cofre|cadeado|garagem|trastero)|digicode"
    r"|keypad"
    r"|code du (?:cadenas|garage|digicode|coffre)|combinación (?:de la|del) \w+|koden til (?:døren|alarmen|porten)"
    r"|(?:code|código|codice) (?:de|di) (?:vérification|verificación|verificação|verifica|sécurité|seguridad"
    r"|segurança|confirmación)"
    r"|(?:bestätigungs|sicherheits|verifizierungs|einmal)code|code à \d chiffres"
    r"|keypad|combination(?: lock)?|combo|combinaci[oó]n|combinaison|combinação|combinazione|kombination"
    r"|combinatie"
    r"|kombinacja|комбинация|code (?:confidentiel|secret|de déverrouillage|du téléphone)"
    r"|code (?:de )?(?:(?:la|ma|sa|ta) )?carte(?: bleue| bancaire)?|c[oó]digo (?:secreto|de desbloqueo)|número"
    r" secreto"
    r"|codice (?:segreto|di sblocco)|entsperrcode|toegangscode|portkod\w*"
    r"|код от (?:подъезда|сейфа|замка|ворот)|(?:tan|otp)(?![a-z])"
    r"|(?:alarm|safe|door|gate|garage|lock|locker|phone|tablet|ipad|shed|cabin|vault|laptop|suitcase)\b[^.\n]{0,40}?"
    r" (?:opens?|unlocks?|disarms?|(?:is )?(?:opened|disarmed|unlocked)) (?:with|by|using)(?: (?:the )?(?:code"
    r"|combination|combo|pin|number))?"
    r"|(?:opens?|unlocks?|disarms?|arms?) with (?:the )?(?:code|combination|combo|pin|number)"
    r"|combination (?:to|for|of|on) (?:the|my|our|his|her|their) [\w' -]{2,30}?(?= (?:is|was)|:)|(?:tür|tor|alarm"
    r"|zugangs|tresor|safe|schloss|garagen)-?code"
    r"|code (?:de la porte|du portail|de l'alarme|d'accès|d'entrée|du coffre|de l'immeuble)|código (?:de la puerta|de"
    r" acceso|de la alarma|del portal|do portão|da porta|de acesso|do alarme)"
    r"|codice (?:del cancello|della porta|dell'allarme|di accesso)|код (?:от двери|домофона|доступа|сейфа"
    r"|подтверждения)|kod do (?:drzwi|bramy|domofonu|alarmu)|门禁密码|验证码|驗證碼|認証コード|인증번호|인증 코드"
)
KEY = (
    r"key|token|secret|credential|creds|apikey|cookie(?!s)|(?<![a-z])app_?id(?![a-z])|schlüssel|clé|clave|llave"
    r"|chave|chiave"
    r"|klucz|nyckel|nøgle|sleutel"
    r"|avain|anahtar|jeton|ключ|токен"
    r"|密钥|密鑰|令牌|キー|トークン|シークレット|키|토큰|مفتاح|रहस्य|(?<![a-z])pat(?![a-z])"
    r"|(?<![a-z])auth(?:orization)?(?![a-z])"
)
EXPLICIT = LazyPattern(
    r"(?:api|access|secret|private|auth(?:entication|orization)?|encryption|signing|signature|master|account|shared"
    r"|service|session|deploy"
    r"|admin|root|client|app|application|consumer|bot|bearer|refresh|personal access|security|webhook|integration"
    r"|developer|subscription"
    r"|hmac|jwt|oauth|push|enable|radius|tacacs|rcon|stream|licen[cs]e|product|activation|serial|registration"
    r"|server|write|ingest|project|sas|pat|ci|registry|runner|mcp|user|device|storage|webapp"
    r"|django|flask|rails|encrypt|cipher"
    r"|stripe|openai|github|gitlab|slack|google|aws|azure|anthropic|twilio|sendgrid|datadog|npm|pypi|telegram|discord"
    r"|maps|weather|db|dev|prod|live|test"
    r"|zugriffs|zugangs|geheimer|privater|d'api|d'accès|secrète|de api|secreta|privada|di accesso|доступа|приватный"
    r"|секретный|访问|アクセス|私有|私钥)"
    r"[\s_./-]{0,2}(?:de |d'|do |di |el )?$"
)
EXPLICIT_AFTER = LazyPattern(
    r"[\s-]{0,2}(?:de |d'|do |di |dell')?(?:api|acceso|accès|acesso|accesso|dostępu|доступа|secreta|secrète|privada"
    r"|privée|wifi)"
)
NOT_SECRET_KEY = LazyPattern(
    r"(?<![a-z])(?:public|public \w{2,12}|publishable|primary|foreign|partition|sort|cache|hot|shortcut|idempotency"
    r"|object|s3|host"
    r"|page|next"
    r"|max|continuation|cursor|stop"
    r"|special|pad|eos|composite|natural|surrogate|candidate|dedupe|lookup|routing|row|hash|map|dict|json|config"
    r"|setting|translation|i18n"
    r"|turn|low|mon|don|hoc|tur|whis|jer|öffentlicher|öffentliche|publique|pública|pubblica|открытый|公開|公钥|公"
    r"|anon|column|field|index|legend|music|piano|car|house|spare"
    r"|arrow|function|enter|escape|tab|shift|control|alt|command|answer|issue|ticket|jira|measurement|site|csrf|xsrf"
    r"|fingerprint)[\s_./-]{0,2}$"
)
NO_PIN_YET = LazyPattern(
    r"expir|since|until|every|after|attempt|block|digit|number of|header|socket|seit|bis|depuis|jusqu|desde|hasta|dal"
    r"|fino|até|sinds|tot|od |do roku|с |до |code area|model|version|order|invoice|room|account|customer|ending"
    r"|ends|\bid\b"
    r"|konto|kunden|phone|call|dial|ring|tel\b|manager|stored|vault|kept|safe|written|not|never|no\b|nicht|keine|nie"
)
POSTAL = LazyPattern(
    r"postal|kochi|noida|gurgaon|gurugram|lucknow|surat|indore|area|city|address|district|village|town|india"
    r"|post office|deliver|locality|nagar|ship|courier|pincode|colony"
    r"|mumbai|delhi|pune|bengaluru|bangalore|chennai|kolkata|hyderabad|kerala|goa|jaipur|lives|home|house|parents"
    r"|office"
)
NOT_POSTAL = LazyPattern(r"\bcard|phone|\bsim\b|alarm|door|bank|atm|unlock|login|app\b|account|tablet|safe|lock|signal")
PUBLIC = LazyPattern(r"public[ _-]?key[^\n]{0,40}$")
IS_THE_PIN = Sought(
    "is the pin",
    r"(?<![\w.,:/€$£+-])(\d{4}|\d{6}|\d{8})\s?(?:,|—|–|-|is|as|ist|als|est|comme|es|como|è|come|é|jako|to|is de"
    r"|—\s?это|это|が"
    r"|是|는|은|이)\s?(?:that['’]s\s|which is\s|c['’]est\s|das ist\s|was\s)?(?:the|my|his|her|their|our|its|a|die|der"
    r"|meine|seine|ihre"
    r"|le|son"
    r"|mon|el|su|mi|la|il|suo|o|de|zijn|haar)?\s?(?:\w{1,30}[- ]){0,2}?(?:pin|puk|nip|geheimzahl|пин)(?!\s?(?:header"
    r"|code area))(?![a-z])",
    word="pin|puk|nip|geheimzahl|пин",
    back=110,
    ahead=140,
)
OF_SOMEBODY = LazyPattern(
    r"(?:card|bank|atm|phone|sim|tablet|pasje en|pas en|carte et|digit|my|his|her|their|our|['’]s|debit|voicemail"
    r"|profile|use|using"
    r"|enter|type|with)\s$"
)
HAS_THE = LazyPattern(
    r"\b(?:has|have|had|uses?|used|protected (?:by|with)|opens? with|locked with|under|hat|nutzt|a|utilise|tiene|usa)\s"
    r"(?:the|a|das|le|la|el)\s(?:\w{2,15}\s)?$"
)
LAST_WORD = LazyPattern(
    r"\s[\"'`“]?(?!book|list|file|sheet|card|note|page|form|data|safe|export|wallet|to|some|alread|any|again"
    r"|too|manager|hint"
    r"|prompt|field|label|hash|polic|reset|gener|vault|store|app|tool|admin|check|rule|game|column|that|which"
    r"|we|he|she|for)"
    r"([a-zà-ɏ]{5,30})(?=[\"'`”]?[.!]?\s{0,2}(?:$|\n))"
)
NAMES_ANOTHER = LazyPattern(r"entry|item|under|record|call|named?|like|says|titled|group|heißt|app|and|or|with|via")
ON_A_MAP = LazyPattern(r"\s(?:on|in|at) (?:the|a|its) (?:map|board|chip|header|connector|diagram)")
BUILDING_CODE = LazyPattern(r"building[- ]code$")

BANNED = (
    r"hash|polic|length|(?:^|_)len(?:$|_)|reset|recover|file|path|ur[li](?:$|_)|field|names?(?:$|_)|hint|expir|expiry"
    r"|ttl|count|limit|manager|managing|regex|pattern|valid|rule|require"
    r"|input|form(?:$|_)|label|column|(?:^|_)type|enabled|strength|checker|generat|less|(?:^|_)ids?(?:$|_)|size|(?:^"
    r"|_)age|history|store|storage|safe(?:$|_)|prompt|change|encod"
    r"|novel|preferit|izer|ize|budget|usage|window|protect|spray|attempt|box|board|stroke|word(?:$|_)|note|ring|frame"
    r"|chain|point"
    r"|map|aut|vault|rotation|sharing|auth|login|screen|page|dialog|entropy|crack|leak|breach|book|fatigue"
    r"|verlust|länge|regel|richtlinie|tresor|longitud|gestor|gestionnaire|gestore|менеджер|管理|マネージャ|관리|重置"
    r"|政策|ポリシー|リセット|変更|재설정|정책"
)
BANNED_TAIL = LazyPattern(BANNED)
BANNED_ABOUT = LazyPattern(
    r"\b(?:reset|resetting|policy|policies|length|characters|expir\w*|hash\w*|hint|novel|reserva|preferit\w"
    r"|favou?rit\w+|préférée?|story|film|movie"
    r"|episode)\b"
)

# Where it is kept, who knows it, what it is like.
REMARK = LazyPattern(
    r"^(?:ask|see|siehe|voir|zie|frag)\b|\b(?:stored|saved|kept|known|written|printed|engraved|stamped|changed|rotated"
    r"|sealed|cached|longer|shorter|same|polic\w+|least|characters?|words"
    r"|letters|digits|only|must|should|safe|drawer|envelope|notebook|notary|vault|keepass\w*|bitwarden|1password"
    r"|manager|wiki|hidden|lost"
    r"|forgotten|memori[sz]ed|generated|random\w*|needed|required|entered|shared|sent|told|knows?|handled|approved"
    r"|different|unknown|not|never"
    r"|stored|favou?rite"
    r"|song|title|quote|memory|heart|unique|secret|password|passphrase|protect\w*|encrypt\w*|typos?|per|between"
    r"|and a number|name|year|date"
    r"|liegt|steht|kennt|notiert|hinterlegt|gespeichert|geändert|aufgeschrieben|vergessen|bekannt|lang|zufällig\w*"
    r"|wörtern?|zeichen|tresor"
    r"|umschlag|nur|nicht|wird|wurde|notée?|stockée?|gardée?|écrite?|conservée?|connue?|oubliée?|changée?|trop|coffre"
    r"|enveloppe"
    r"|carnet|seul|demander|mots|caractères|hasard|pas|guardada|anotada|escrita|está|conocida|olvidada|cambiada|sobre"
    r"|cuaderno"
    r"|palabras|caracteres|solo|sólo|pregunta\w*|scritta|salvata|custodita|conservata|conosciuta|dimenticata|cambiata"
    r"|quaderno|busta|parole"
    r"|caratteri|anotada|esquecida|mudada|envelope|caderno|palavras|staat|ligt|bewaard|opgeschreven|genoteerd|bekend"
    r"|vergeten|gewijzigd"
    r"|boekje|envelop|woorden|tekens|alleen|niet|zapisan\w+|przechowywan\w+|znan\w+|zapomnian\w+|zmienion\w+|zeszy\w+"
    r"|kopert\w+|słów"
    r"|znaków|tylko|nie|записан\w*|хранит\w*|извест\w*|забыт\w*|измен\w*|конверт\w*|слов|символ\w*|только|не)\b"
)

BEFORE_QUALIFIER = (
    r"for|of|to|on|at|in|from|with|by|between|i|we|you|he|she|they|that|used|für|vom|von|zum|zur|des|der|im|am|beim"
    r"|de|del|de"
    r" la|para|en|du|pour|d'|da|do|das|dos|di|della|dello|per|al"
    r"|voor|van|till|för|på|til|for|na|dla|od|k|ke|pro|ze|la|pentru|от|для|к|на|в|до|untuk|cho|của|του|για|από|لـ|ل"
    r"|של|ל"
)
VERBS = (
    r"is|was|are|equals|will be|would be|should be|remains|stays|reads|says|goes|being|now|ist|war|lautet|lauten"
    r"|heißt|heisst"
    r"|bleibt|es|era|será|est|était|reste|sera|è|era|sarà|é|foi|são|er|är|var|blir"
    r"|jest|brzmi|to|je|znie|este|là|adalah|ialah|on|olarak|это|есть|был|теперь|є|είναι|هي|هو|היא|הוא|है|ist jetzt|is"
    r" nu|is nog steeds|es ahora|est maintenant|saved as|noted as|given as|rotated to"
    r"|(?:happens|turns out|used) to be"
)
LOOSE_VERBS = frozenset(
    ("to", "on", "now", "says", "goes", "je", "being", "by", "saved as", "noted as", "given as", "rotated to", "olarak")
)
ADVERBS = (
    r"now|still|just|currently|always|literally|simply|again|jetzt|immer noch|einfach|aktuell|ahora|siempre|todavía"
    r"|maintenant|toujours|adesso|sempre|agora|nu|altijd|teraz|теперь|сейчас|set to|:"
)
WIDE_LINKS = r"就是|是|为|為|成了|成|를|을|：|は|が|を|는|은|이|가|คือ"

UNITS = LazyPattern(
    r"[\s-]{0,2}\+?\s?(?:or more |bis |to |à |a )?(?:characters?|chars?|digits?|letters?|symbols?|words?|days?|weeks?"
    r"|months?|years?|times?|attempts?|users?|accounts?|minutes?|hours?|bits?|bytes?|tokens?|zeichen|stellen|stellig"
    r"|ziffern"
    r"|tage|jahre|caracter|caractères|chiffres|jours|dígitos|días|veces|caratteri|cifre|giorni|tekens|cijfers|dagen"
    r"|tecken|siffror|znak|cyfr|dni|символ|знак|цифр|дней|年|月|日|天|回|位|个|文字|桁|자리|글자|karakter|hane|gün"
    r"|entries|logins"
    r"|passwords|of\b|%|items|pages?|lines?|seiten|lignes|francs?|euros?|chf|eur|usd|litres?|visitors|hz|mm|cm)"
)

DIGIT_WORD = (
    "(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|null|eins|zwei|drei|vier|fünf|sechs|sieben"
    "|acht|neun|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|zéro|un|deux|trois|quatre|cinq"
    "|sept|huit|neuf|due|tre|quattro|cinque|sei|sette|otto|nove|um|dois|três|quatro|sete|oito|een"
    "|twee|drie|vijf|zes|zeven|negen|nul)"
)

NOT_A_PASSWORD = frozenset(
    # English: what is said about a password
    "yes a an the in on at of to by for from with not no now only also always never still just kept here there this"
    " that"
    " these those same safe secure"
    " stored saved required needed necessary optional wrong incorrect correct right invalid valid weak strong reset"
    " changed expired unknown secret missing empty"
    " blank encrypted hashed salted long short set known lost forgotten compromised different unique shared sensitive"
    " random too very so being protected"
    " case-sensitive confidential private managed rotated updated generated mandatory easy hard complex simple good"
    " bad fine okay important disabled enabled"
    " below above attached written hidden somewhere elsewhere inside under near behind sent given provided available"
    " per his her my our your their its it"
    " you she they one two three four five six seven eight nine ten twelve all both either neither minimum maximum"
    " characters letters digits must should"
    " may can will would might has have had been was were are does did do because since when if unless until after"
    " before as like than then and or but"
    " another new old default temporary temp permanent first last current previous next every each any some more less"
    " least most about around over alphanumeric"
    " numeric auto-generated autogenerated plaintext plain public outdated obsolete stale due reused leaked breached"
    " pwned cached case upper lower ask"
    " tbd unset visible masked redacted accepted rejected refused denied verified checked hacked guessable memorable"
    " readable printed taped locked ready gone"
    " everything nothing something anything what who where why how which sticky paper notebook keychain keepass"
    " bitwarden lastpass vault manager 1password"
    " case-insensitive end-to-end up-to-date out-of-date"
    # German
    " falsch richtig korrekt sicher unsicher geheim bekannt unbekannt vergessen abgelaufen geändert erforderlich"
    " nötig notwendig leer gespeichert schwach stark"
    " lang kurz nicht immer im ein eine der die das dem den auf bei unter gleich dasselbe anders neu alt"
    " zurückgesetzt hinterlegt verschlüsselt verloren pflicht"
    # French
    " oublié incorrect incorrecte faux requis obligatoire trop dans stocké enregistré expiré inconnu faible fort"
    " sécurisé perdu vide le la les un une sur chez"
    " nécessaire modifié changé identique différent chiffré conservé noté"
    # Spanish, Portuguese, Italian
    " incorrecta correcta obligatoria necesaria olvidada débil segura secreta el muy demasiado guardada caducada"
    " vacía desconocida requerida fuerte está"
    " incorreta errada correta obrigatória necessária esquecida fraca forte muito guardada expirada desconhecida"
    " salva não sbagliata corretta obbligatoria"
    " necessaria dimenticata debole sicura scaduta sconosciuta salvata troppo nel nella sul en con por para única"
    " uguale igual misma mesma"
    # Dutch, Scandinavian, Finnish
    " verkeerd onjuist juist veilig vergeten verlopen verplicht onbekend zwak sterk opgeslagen leeg niet fel"
    " felaktigt rätt säkert glömt utgånget okänt svagt starkt"
    " sparat tomt inte forkert rigtigt glemt udløbet ukendt svag stærk gemt ikke feil riktig utløpt ukjent lagret"
    " väärä oikea unohtunut vanhentunut"
    " hoofdlettergevoelig persoonlijk verschillend uniek tijdelijk gewijzigd gegenereerd gedeeld vertrouwelijk"
    # That it is one's own, unlike others, made by something
    " persönlich verschieden unterschiedlich identisch einzigartig vorläufig generiert verwaltet geteilt vertraulich"
    " personnel personnelle confidentiel confidentielle provisoire généré partagé géré personal confidencial temporal"
    " distinta diferente generada compartida gestionada diversa personale riservata temporanea generata condivisa"
    " gestita pessoal temporária gerada compartilhada poufne różne inne tymczasowe wygenerowane wspólne"
    # Polish, Czech, Turkish, Romanian
    " błędne poprawne zapomniane wygasłe słabe silne zapisane nieznane wymagane puste w na nie jest špatné správné"
    " slabé silné uložené neznámé prošlé yanlış doğru"
    " güvenli zayıf güçlü unutuldu gerekli kayıtlı boş değil yeni eski greșită corectă uitată slabă salvată expirată"
    # Russian, Ukrainian, Indonesian
    " неверный неправильный верный правильный слабый сильный сохранён сохранен хранится забыт истёк истек нужен"
    " обязателен известен неизвестен лежит записан в"
    " на у не мой новый старый тот же salah benar lemah kuat lupa disimpan wajib kosong".split()
)

OPINIONS = frozenset(
    # How one finds it, in a dozen languages: "La contraseña es larga", "The password is annoying!"
    " working annoying tricky confusing complicated difficult impossible"
    " awful terrible horrible great nice silly stupid"
    " weird strange broken funny boring obvious trivial awkward crazy ridiculous insane tested fixed synced pending"
    " expiring changing ours mine yours theirs hers identical"
    " similar longer shorter stronger weaker easier harder better"
    " worse active inactive revoked unsafe insecure predictable pronounceable unreadable illegible"
    " kompliziert einfach schwierig schwer leicht umständlich nervig lästig gut schlecht aktuell veraltet gültig"
    " ungültig gesperrt aktiv länger kürzer besser merkwürdig komisch verschieden ähnlich gemeinsam individuell"
    " compliqué compliquée simple difficile facile long longue court courte bon bonne mauvais mauvaise valide invalide"
    " actif active ancien ancienne nouveau nouvelle forte sécurisée sûr sûre ridicule pénible bizarre périmé périmée"
    " larga corta complicada difícil fácil buena mala válida inválida activa antigua nueva vieja robusta ridícula"
    " rara compleja sencilla longa curta comprida boa má ruim ativa velha nova antiga simples complexa estranha chata"
    " lunga corta breve complicata semplice difficile facile buona cattiva valida attiva vecchia nuova robusta"
    " strana complessa lungo corto complicato buono valido vecchio nuovo"
    " ingewikkeld moeilijk makkelijk eenvoudig lang kort goed slecht geldig ongeldig actief oud nieuw lastig vervelend"
    " långt kort svårt lätt krångligt bra dåligt giltigt ogiltigt nytt gammalt enkelt"
    " długie krótkie trudne łatwe skomplikowane proste dobre złe ważne nieważne aktywne stare nowe dziwne mocne"
    " dlouhé krátké těžké lehké"
    " длинный короткий сложный простой лёгкий легкий"
    " трудный хороший плохой действителен недействителен устарел надёжный"
    " надежный секретный одинаковый общий личный временный"
    " uzun kısa zor kolay karmaşık basit iyi kötü geçerli geçersiz aktif".split()
)
_IS = LazyPattern(
    r"(?:\b(?:is|are|was|ist|war|es|era|est|était|è|é|jest|är|er|very|too|so|sehr|muy|très|molto|muito)|пароль)\s$"
)


def is_said_of_one(text: str, low: str, start: int, end: int) -> bool:
    """Whether what stands there is what somebody thinks of a password, and not the password: behind a plain "is"."""
    word = low[start:end].rstrip("!?")
    if word in NOT_A_PASSWORD:
        return True
    return word in OPINIONS and text[start].islower() and _IS.search(low, max(0, start - 12), start) is not None


NOT_IN_PHRASES = frozenset(
    "via shared using through inside vault between among about here there every all each only also now rotated"
    " updated changed"
    " managed generated hashed encrypted reset known unknown checked against words diceware "
    "généré générée géré gérée par generada gestionada generata gestita da gerada gerida verwaltet generiert "
    "a an the in on at of to by for from with not no is are was were be been must should may can will would might has"
    " have had do does did because since when if"
    " unless until after before as than then and or but stored saved kept required needed characters character"
    " letters digits symbols minimum maximum least most"
    " written set same his her my our your their its it this that manager der die das ein eine im in auf bei und oder"
    " nicht mit für von le la les un une dans sur et"
    " ou pas pour el los las en con y no para por o os as um uma em não il lo gli nel del di che het een op"
    " van met niet och inte ett på med w na nie z i ve ile".split()
)

NOT_IN_QUOTES = frozenset(
    "must should required characters character letters digits minimum maximum forgot forgotten reset stored saved"
    " expired"
    " incorrect wrong invalid strength requirements policy please enter wrong!".split()
)

ON_LABELS = frozenset("your show hide confirm repeat remember password passphrase passwort type choose".split())

CHANGED_TO = (
    r"(?:(?:\s+(?:was|is|has been|have been|had been|got|gets|were|wurde|fue|ha sido|han|ha|foi|a été"
    r"|è stat[ao]|blev|har"
    r"|werd|został[oa]?|by[lł][oa]?))?(?:\s+(?:now|just|recently|since|once|again))?\s+(?:changed|set|reset"
    r"|updated|rotated"
    r"|switched|swapped|geändert|gesetzt|zurückgesetzt|cambiad[oa]|cambió|modificad[oa]|restablecid[oa]|alterad[ao]"
    r"|mudad[ao]|mudou|trocad[ao]|redefinid[ao]|changée?|modifiée?|réinitialisée?|remplacée?|cambiat[ao]|modificat[ao]"
    r"|impostat[ao]|reimpostat[ao]|gewijzigd|veranderd|aangepast|ändrats?|ändrades|bytt|byttes|bytts|ændret|endret"
    r"|zmienion[oey]|ustawion[oey]|zmienił\w{0,2}|změněno|изменён|изменен\w?|изменил[иа]?|сменил[иа]?|сменён|сменен"
    r"|поменял[иа]?)\s+(?:(?:from|von|de|z|с)\s+(?P<old>\S{1,64})\s+)?(?:back |over )?"
    r"|\s+(?:wurde|ist|hab\w{0,2}|hat)\s+(?:\w{1,15}\s+){0,2}?)"
    r"(?P<prep>to|auf|a|al|para|en|in|à|par|pour|naar|till|til|na|на)\s+"
)
CHANGING = LazyPattern(
    r"(?:chang|set|reset|updat|rotat|switch|mad|us|cambi|modific|restablec|alter|mud|troc|redefin|änder|setz"
    r"|wijzig|verander"
    r"|byt|ändr|zmieni|ustawi|смен|поменя|измен|поставил)\w{0,6}\s[^.\n]{0,50}$"
)
AS_THE = LazyPattern(
    r"((?<!\S)\S{4,64}|\S{64})\s+(?:as|is|als|como|comme|come|jako|war|ist|är|er|es|est|è|é)\s+(?:the|a|an|my|our|his"
    r"|her|their"
    r"|your|das|mein|unser|sein|ihr|la|mi|su|le|mon|son|o|a|minha|sua|il|mia|het|mijn|mitt|haar)?"
    r"\s*(?:[\w'-]{1,20}\s+){0,3}(?:[\w]{1,16}-)?$|\bc['’]est\s+(\S{4,64})\s+(?:le|la|mon|son|notre|leur)\s$"
)
AS_THE_QUOTED = LazyPattern(
    r"(?<!\w)[\"'“„«‘`]([^\"'“”„«»‘’`\n]{4,80})[\"'”“»’`],?\s+(?:as|is|was|als|como|comme|come|jako|ist|är|es|est|è|é)"
    r"(?:\s+what\s[^.\n]{2,50}?(?:it['’]s|and is|that['’]s))?\s+(?:(?:the|a|an|my|our|his|her|their|your|das|mein|la|mi"
    r"|su|le|mon|son|o|a|minha|il|mia|het|mijn)\s+)?(?:[\w'-]{1,20}\s+){0,2}(?:[\w]{1,16}-)?$"
)
NOT_ITSELF = LazyPattern(
    r"s?\s+(?:manager|hint|prompt|field|label|hash\w*|polic\w+|reset\w*|generator|vault|store|app|tool|admin\w*"
    r"|placeholder"
    r"|example|checker|rule\w*|owner|game|column)\b"
)
AS_THE_WIDE = LazyPattern(r"([!-~]{5,64})\s?(?:作为|作為|当|當|是|就是|設成|が|を|を使|는|을|를|가|이)[\w的の]{0,8}$")

RECOVERY = (
    r"bitlocker(?: recovery)?(?: key)?|filevault(?: recovery)? key|(?:2fa|two-factor|mfa) (?:back-?ups?|recovery"
    r"|fallback)"
    r"|(?:recovery|back-?up|rescue|scratch|emergency|fallback|restore|reserve?|spare|one-time|single-use|2fa|two-factor"
    r"|bypass"
    r"|wiederherstellungs|ersatz|notfall|herstel|återställnings|gendannelses|gjenopprettings)[- ]?(?:codes?|keys?"
    r"|schlüssel|tokens?|kod(?:e|er)?)"
    r"|emergency (?:sheet|kit)"
    r"|(?:codes?|clés?) de (?:récupération|secours|sauvegarde|réserve)|códigos? de (?:recuperación|respaldo|recuperação"
    r"|back-?up"
    r"|seguridad|segurança|emergencia|emergência|reserva|rescate)|codici di (?:recupero|back-?up|emergenza|riserva)"
    r"|kod(?:y|ów) (?:zapasow\w+|odzyskiwania|awaryjn\w+|rezerwow\w+)|záložní kódy|резервн\w+ код\w*|запасн\w+ код\w*"
    r"|код\w*"
    r" восстановления|恢复代码|恢复码|备用码|备份码|復元コード|バックアップコード|リカバリーコード|복구 코드|백업 코드"
    r"|kurtarma kod\w*|yedek kod\w*|رموز الاسترداد"
)
SEED = (
    r"(?:12|24|twelve|twenty-four|doce|douze|zwölf)[- ](?:words?|palabras|mots|wörter|parole|palavras)"
    r"|palabras? (?:de recuperación|semilla)|frase secreta|seed ?(?:phrase|words?)|phrase|metamask|trezor|ledger"
    r"|wallet|bip-?39|(?:12|24|twelve|twenty-four)[- ]words?"
    r"|(?:recovery|backup|secret|wallet|mnemonic|secret recovery|bip-?39) ?(?:phrase|words"
    r"|seed|mnemonic)|mnemonic|seed|wiederherstellungs(?:phrase|wörter)|"
    r"frase (?:semilla|de recuperación|de recuperação|semente|di recupero|seed|mnemonica)|phrase (?:de récupération"
    r"|secrète|mnémonique)|herstelzin|återställningsfras|fraza (?:seed|odzyskiwania)|сид-?\s?фраз\w*"
    r"|мнемоническ\w+|助记词|助記詞|シードフレーズ|リカバリーフレーズ|니모닉|시드 ?구문|kurtarma ifadesi|عبارة"
    r" الاسترداد"
)
NOT_IN_SEEDS = frozenset("the and for with was were but not from are our his her their its into onto than then".split())
TOTP = (
    r"(?:2fa|totp|mfa|otp|authenticator|two-factor)[- ]?(?:app )?(?:secret|seed|setup key|key|setup code)|setup key"
    r"|manual entry key"
)
CARD = LazyPattern(
    r"card|karte|carte|tarjeta|cartão|cartao|carta|visa|master ?card|amex|american express|maestro|discover|diners"
    r"|kaart|kort|kart|karta|карт|卡|カード|카드|बैंक|بطاقة|cvv|cvc|cvn|expir|debit|kredit|credit"
)
CVV = Sought(
    "cvv",
    r"(?<![a-z])(?:(?:amex|american express)[^\n\d]{0,20}cid|cvv2?|cvc2?|cvn|csc|security code|prüfziffer"
    r"|kartenprüfnummer|cryptogramme|código de seguridad"
    r"|安全码|セキュリティコード)[^0-9a-z\n]{0,4}(?:is|ist|es|est|:|=|là|是|は)?[^0-9a-z\n]{0,3}(\d{3,4})(?!\d)",
)
CREDENTIALS = Sought(
    "credentials",
    r"(?:credentials?|creds|basic[ _-]auth|auth[ _-]basic|http auth|wi-?fi|wlan|ssid|log(?:ged)? ?in (?:with|as"
    r"|using)|logins?|sign in"
    r" (?:with|as)|zugangsdaten|anmeldedaten"
    r"|identifiants|credenciales|credenciais|credenziali|inloggegevens|учётные данные|логин/пароль|账号密码"
    r"|user(?:name)?/pass(?:word)?)"
    r"[^\n/:]{0,40}[:\s]\s?[\w.@+-]{2,40}(?:\s?[:|]\s?|\s?/\s|(?<=\S)/)(\S{5,64})",
)
APP_PASSWORD = Sought(
    "app password",
    r"app[- ](?:specific[- ])?password(?:\s(?:for|of)\s[^\n:]{1,40}?)?(?:\s?:"
    r"|\sis)?\s[\"'`“]?([a-z]{4}(?: [a-z]{4}){3})\b",
)
LOGGED_IN = Sought(
    "logged in",
    r"(?:log(?:s|ged)?|sign(?:s|ed)?)[- ]?(?:in|on)(?:to)? (?:\S{1,30} ){0,5}?(?:as|with|using) \S{2,40} (?:with"
    r"|using|and|/) (\S{5,64})",
)
ADMIN = Sought("admin", r"(?<![\w/.-])(?:admin|root|administrator|postgres|guest)\s?[/:]{1,2}\s?([^\s/:,;]{5,64})")
ANYBODY = Sought("anybody", r"(?<![\w/.-])[a-z][\w.@$-]{1,30}\s?/\s?([^\s/:,;]{6,64})", word="/", back=34, ahead=110)
MACHINE = Sought(
    "machine",
    r"router|login|server|account|credential|\bnas\b|camera|portal|database|\bdb\b|switch|printer|access point"
    r"|ftp|registry|controller|\bvpn\b|路由器|后台|ルーター|공유기|роутер"
    r"|console",
)
