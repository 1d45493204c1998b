"""The words right before and right behind a value that say what somebody does with it, in the languages they use.

Patterns are for text in lower case. Those that look at what stands before a value end where the value begins, and
those for what stands behind it begin there."""

from commonplace.gate import secretwords as said
from commonplace.gate.secretthings import LOCK, LOCKED, SERVICE, SITE
from commonplace.patterns import LazyPattern

ONE = r"(?:you|me|us|them|him|her|one|people|anyone|everyone|everybody|guests|the kids|kids|visitors|residents)"
GETS_IN = (
    rf"(?:unlock\w*|log(?:s|ged|ging)?[- ](?:in|on)(?:to)?|sign(?:s|ed|ing)?[- ](?:in|on)(?:to)?"
    rf"|g[eo]t(?:s|ting)? (?:{ONE} )?(?:back )?(?:in|into|past|through|on|onto)(?! time| with| to\b)"
    rf"|lets? {ONE} (?:back )?(?:in|into|past|through|on|onto)|be let in|join(?:s|ed|ing)? (?:it"
    rf"|the (?:\w+ )?(?:network|wi-?fi|wlan|hotspot))|connect\w*|decrypt\w*|disarm\w*"
    r"|authenticat\w*|wakes? up|wak(?:e|es|ing)"
    # German, Dutch, Scandinavian
    r"|entsperr\w*|einlogg\w*|anmeld\w*|melde[nt]?\b (?:sich|man sich|uns)|kommt? (?:man|er|sie|ihr|jeder)|entschärf\w*"
    r"|aufsperr\w*|aufmach\w*|entriegel\w*|verbinde\w*|ontgrendel\w*|inlogg\w*|logt|binnen|verbinden|aanmeld\w*"
    r"|loggar in"
    r"|logger inn?"
    # French, Spanish, Italian, Portuguese
    r"|déverrouill\w*|débloqu\w*|s['’]y connecter|connect\w*|ouvr\w* (?:sa |la |une )?session|entre(?:r|nt)?|accéd\w*"
    r"|desbloque\w*|desbloqueia\w*|conecta\w*|inicia\w* sesión|entra[rn]?|entrar|acced\w*|ingres\w*|sblocc\w*"
    r"|collega\w*"
    r"|entra(?:re|no)?|entram|aced\w*|acess\w*|destranc\w*"
    # Polish, Czech, Russian, Ukrainian, Turkish
    r"|odblok\w*|zalog\w*|logow\w*|loguj\w*|wejść|wchodz\w*|přihl\w*|odemk\w*|разблок\w*|войти|заход\w*|входит|вход"
    r"|подключ\w*|проход\w*|açıl\w*|gir\w{1,5})"
)
OPENS = (
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
ACT = rf"(?:{GETS_IN}|{OPENS})"
TYPES = (
    r"(?:typ(?:e|es|ed|ing)|enter(?:s|ed|ing)?|press(?:es|ed|ing)?|punch(?:es|ed|ing)?|key(?:s|ed|ing)|key in"
    r"|tap(?:s|ped|ping)?"
    r"|inputs?|inputting|put(?:s|ting)?|hit(?:s|ting)?|push(?:es|ed|ing)?"
    r"|tipp(?:t|e|en|st)?|tippte|eintipp\w*|drück(?:t|e|en)?|gib|gibt|gebe|geben|eingeb\w*|wählt?|wählen"
    r"|tap(?:e|es|er|ez|ent)|compos(?:e|er|ez|ent)|saisi(?:t|r|s|ssez|ssent)?|entre[rz]?|appui\w+ sur|fait|faire|met"
    r"|mettre"
    r"|tecle(?:a|e|ar|an|o)|marc(?:a|ar|an|o|ando)(?:-se)?|fa|puls(?:a|ar|an|o)|introdu\w{1,5}|pon(?:e|er|en|ga|go)?"
    r"|meter|mete|escrib\w{1,4}"
    r"|digit(?:a|ar|an|am|o|are|ano|e|ando)(?:-se)?|ingres(?:a|ar|an|e)"
    r"|prem(?:e|ere|i|ono|er)|compon(?:e|i|gono)|inser\w{1,6}|insir\w{1,3}|batt(?:e|ere|i)|scriv(?:e|i|ere|ono)"
    r"|carreg(?:a|ar) em|tecl(?:a|ar|am)|escrev\w{1,4}(?:-se)?|apert(?:a|ar)|põe(?:-se)?|mett[ei]"
    r"|toets(?:t|en)?|typ(?:t|en)?|druk(?:t|ken)?|tikt?|voert?"
    r"|wpis(?:uje|ać|z|ują|ała?)|wstuk\w{1,5}|wciska\w{0,2}|wciśn\w*|naciska\w{0,2}|wybiera\w?|wbija\w{0,2}|poda(?:je|j"
    r"|ć)"
    r"|набира\w+|набер\w+|набра\w+|ввод\w+|введ\w+|нажима\w+|нажм\w+|вбива\w+|слå|slår|slå|trycker|skriver|taster"
    r"|knappar"
    r"|zadá\w*|mačká\w*)"
)
WITH = (
    r"(?:with|using|by typing(?: in)?|by entering|by pressing|mit|avec|con|com|met|med|z|kodem|hasłem|słowem|с помощью"
    r"|кодом"
    r"|паролем|словом|by|per|durch)"
)
SAID = (  # what may stand between such a word and the value
    r"(?:\s(?:in|the|a|le|la|el|il|o|lo|dem|der|den|das|de|het|then|just|simply|always|still|now|dann|puis|luego|poi"
    r"|first"
    r"|code|codes|digits|numbers?|number|word|phrase|nummer|zahl|numéro|número|numero|código|codice|kod|код|wort|mot"
    r"|parola"
    r"|palabra|palavra|woord|słowo|слово|sie|er|man|ich|opa|oma|ze|hij|je|men|hier|star|hash|pound|stern|raute|étoile"
    r"|asterisco|and|und|et|y|e|en|or)){0,4}?[\s,:]{1,2}"
)
TYPED_BEFORE = LazyPattern(rf"\b{TYPES}(?:\s\w{{1,10}})?{SAID}$")
DIALS = LazyPattern(rf"\b(?:dial(?:s|led|ling|ed|ing)?|wählt?|marca[rn]?|compose[rz]?){SAID}$")
DIALLED = LazyPattern(r"[#*]|\b(?:gate|door|intercom|safe|(?:pad)?lock|entrance|barrier|keypad|panel)\b")
WITH_BEFORE = LazyPattern(rf"\b{ACT}\b[^.\n]{{0,60}}?\b{WITH}{SAID}$|\b(?:opens?|unlocks?) on\s$")
GOT_IN_WITH = LazyPattern(rf"\b{GETS_IN}\b[^.\n]{{0,60}}?\b{WITH}{SAID}$")
CLAUSE_START = r"(?:^|[.;:,—–(]\s|\b(?:that|and|but|so|dass|que|che|dat|że|что)\s)[\"“„«‘「『]?\s?"
FRONTED = LazyPattern(rf"{CLAUSE_START}{WITH}{SAID}$")
PRONOUN = (
    r"(?:(?:si|se|on|man|je|you|we|one|they|he|she|it|it['’]s|er|sie|ze|hij|się|kann|können|peut|puede|può|pode|kan"
    r"|można|can|may|the|das|die|der|den|de|het|la|le|el|il|o|a|all|both|alle|beide|everybody|everyone)\s){0,3}"
)
ACT_AFTER = LazyPattern(rf"[\"”“»’」』]?,?\s{PRONOUN}(?:\w{{2,20}}\s)?{ACT}")
STARTS_CLAUSE = LazyPattern(rf"{CLAUSE_START}$|\b(?:remember|note)\s(?:that\s)?$")
ACTS = LazyPattern(
    rf"\s?[\"”“»’」』]?(?:[,:]|\s?[—–-])?\s(?:that |this |it |das |ça |cela |eso |questo |isso |dat |to )?(?:also "
    rf"|still |will |auch |aussi |también )?{ACT}\b"
)
TYPED_NEXT = LazyPattern(
    r"\s?[\"”“»’」』]?,?\s(?:tippt|gibt|tape|tapent|typt|toetst|wpisuje|вводит|набирает|skriver|digita|teclea)\s"
)
FIELD = LazyPattern(
    r"\s(?:in|into|in the|im|dans|en|nel)\s[^.,;]{0,20}?(?:field|form|column|cell|sheet|invoice|app|feld|champ|campo)"
    r"|\sby \d"
)
PUTS_AWAY = LazyPattern(r"\b(?:puts?|putting|met|pone|mette|põe|gibt)\s$")
IS_WHAT = LazyPattern(
    r"\s?[\"”“»’」』]?\s?(?:[,:]\s|\s|\s?[—–-]\s)(?:is|was|are|that is|that['’]s|this is|it['’]s|ist|das ist|c['’]est"
    r"|est|es|eso es"
    r"|è|é|to|is dat)?\s?(?:what|how|the way|the thing|das,? was|was|avec ça qu|ce qu|ça qu|lo que|con lo que|con eso"
    r"|quello che|ciò che|così che|o que|wat|gets)"
)
DOES = LazyPattern(rf"\b(?:{TYPES}|{ACT}|wants?|needs?|asks?|expects?|takes?|says?|veut|will|quiere|vuole|wil|chce)\b")
UNLOCKS = LazyPattern(
    rf"\b{GETS_IN}|\b(?:at boot|when \w+ (?:starts|boots)|wenn \w+ startet|au démarrage|al arrancar)\b|\bopens?\b"
)
WANTS = LazyPattern(
    r"\b(?:wants?|takes?|needs?|asks? for|accepts?|expects?|requires?|you need|verlangt|will|braucht(?: man)?"
    r"|man braucht|il faut|hay que|bisogna|je hebt|nodig|veut|demande"
    r"|quiere|pide"
    r"|necesita|vuole|chiede|serve|quer|pede|precisa de|wil|vraagt|chce|prosi o|просит|хочет|нужно)\s(?:the |code |le "
    r"|el |il |o )?$"
)
USED = LazyPattern(
    r"\b(?:uses?|used|utilise|usa|gebruikt|nutzt|używa)\s(?:the |code |sempre |always |toujours |siempre |immer "
    r"|altijd |zawsze )?$"
)
# Several in a row at a panel: "press star, then 7 7 2 1, then the green button".
KEYS_BEFORE = LazyPattern(
    r"\b(?:star|hash|pound|bell|stern|raute|étoile|dièse|asterisco|almohadilla|cancelletto|cardinal|hekje|sterretje)\b"
    r"[^.\n\d]{0,16}$"
)
ENDS = LazyPattern(
    r"[\"'`”»*)]{0,3}\s?(?:$|[.,;:!?)\n—–。，、-])|\s?[をでにへ이으로을를에就]|\s(?:at|on|in|into|onto|by|to|and|then"
    r"|when|if"
    r"|or|for|after|before|while"
    r"|twice"
    r"|once|with|as|so|every|each|within|inside|is|was|until|since|first|binnen|entro|dentro|за|za|antes|avant|prima"
    r"|bevor|voordat|innerhalb"
    r"|eingestellt|gestellt|gesetzt|am|an|im|ein|auf|bei|beim|und|um|zum|zur|wenn|dann"
    r"|eingeben"
    r"|eintippen|drücken|sur|au|à|dans|et|pour|puis|quand|en|al|del|y|para|cuando|luego|e|no|na|nel|nella|sul|per"
    r"|quando|poi"
    r"|bij|op|om|als|aan|i|w|przy|gdy|и|на|в|у|чтобы|vid|på|ve|tuşla\w*|you|the|one|man|se|si|on|je|geht|kommt|gaat|है"
    r"|ile)(?!\w)"
)
NAMED = LazyPattern(  # what a value is that is no secret
    r"\b(?:user(?:\s?name)?s?|name[ds]?|called|handle|nick\w*|host\w*|branch|channel|tag|version|release|title|model"
    r"|serial"
    r"|ticket|issue|order|pr|route|bus|line|port|room|extension|ext\.?|building|account|konto|customer|card|member\w*"
    r"|id"
    r"|benutzer\w*|usuario|utente|utilisateur|gebruiker|loggt als|as|als|como|comme|come|heißt|llama|chiama|chama|heet"
    r"|email"
    r"|mail|e-mail|address|ssid|network|netz\w*|réseau|red|rete|rede|netwerk|no\.?|nr\.?|number of|app|tool|page|file"
    r"|menu|year"
    r"|passkey|about|around|over|under|up to|than)\s(?:is\s|=\s|:\s)?[\"“„«‘「『]?\s?$"
)
# "…, that's the admin password": what follows names the value.
IS_NAMED = LazyPattern(
    rf"[\"”“»’」』)]?(?:\s?[,:(—–-]{{1,2}}\s?|\s)(?:that['’]s|that is|this is|it['’]s|is|was|das ist|so (?:lautet"
    rf"|heißt)|ist|war|c['’]est"
    r"|voilà|est|es|esa es|esta es|ese es|era|questa è|è|essa é|esta é|é|dat is|is|to jest|to|это|bu|det är"
    r"|det er)?\s?[—–]?\s?"
    r"(?:the|her|his|my|our|their|its|a|das|die|der|sein|ihr|mein|le|la|son|sa|mon|ma|el|su|mi|il|lo|o|a|het|de|zijn"
    r"|haar)?\s?"
    rf"(?:[\w'’.-]{{1,20}}\s){{0,3}}?(?:\w{{0,14}}-)?(?:{said.PASSWORDS})(?!\w)"
)
LINKED = LazyPattern(
    r"(?:[:,(—–-]|\b(?:is|was|are|uses|use|using|with|takes|types?|still|ist|nimmt|nutzt|benutzt|est|prend|utilise|avec"
    r"|es|usa|pone|è"
    r"|é|prende|is|gebruikt|neemt|to|używa|это|использует))\s[\"“„«]?\s?$"
)
# What people say instead of "password" when they tell one of theirs.
ONE_OF_THEIRS = LazyPattern(
    r"\b(?:usual|same|old|older|other|throwaway|go-to|standard|normal|work|private|second|new|weak|strong|simple|short"
    r"|long|main) one\b"
    r"|\bgo-to\b|\bthe usual\b|\bthe same as always\b|\buses two\b|\b(?:das|dem|des) (?:alte|übliche|gleiche|neue)n?\b"
    r"|l['’]habituel|le même"
    r"|\bla (?:sua |mia )?(?:de siempre|misma|solita|stessa|mesma|habitual)\b|\ba (?:de sempre|mesma)\b|\bhet (?:oude"
    r"|gebruikelijke"
    r"|zelfde)\b|\bto samo\b"
    r"|того же|тот же|тем же|старый"
)
FUNCTION = (
    r"(?:the|a|an|its|his|her|my|our|their|has|have|with|uses?|using|under|new|old|current|secret|and|or|for|same"
    r"|normal|only|now"
    r"|का|की|der|den|dem|das|ein|einen|hat|mit|und|le|la|un|a|au|avec|et|son|sa|el|su|con|y|tiene|il|lo|ha|o|e|tem|com"
    r"|um|de|het|een"
    r"|heeft|met|en|ma|z|i|jest|och|har|og)"
)
CODE_WORD = (
    r"(?:code|combo|combination|keycode|passcode|c[oó]digo|codice|kod|kode|koden|kód|kódja|codul|koodi|kod[ui]|mã"
    r"|kombination"
    r"|combinaci[oó]n|combinaison|combinação|combinazione|combinatie|kombinacja|код|комбинация|κωδικός|कोड|clave|sifra"
    r"|override"
    r"|two-step(?: pin| verification)?|2-step verification|(?:secret|security|(?:bike )?lock) number|geheimzahl"
    r"|geheimnummer|numéro secret|número secreto|numero segreto"
    r"|(?<!last )(?:four|five|six|[4-8]) (?:digits|numbers|figures)|(?:vier|sechs) (?:zahlen|ziffern)|(?:quatre"
    r"|six) chiffres"
    r"|(?:cuatro|seis) (?:cifras|números|dígitos)|(?:quattro|sei) (?:cifre|numeri))"
)
CODE_IS = LazyPattern(
    rf"(?:^|[.,;:(—–]\s|\b{FUNCTION}\s|['’]s?\s){CODE_WORD}(?:['’]s|\s(?:for|of|to|on|at|in|vom|von|für|zum|zur|du|de"
    rf"|des|del|de la"
    r"|do|da|van|voor|till|til|för|od|dla|del|della|dell['’]|per|от|для|к|на|від|de la|untuk)\s?[^.:;,\n\d]{2,40}?)?"
    r"(?:\s(?:is|was|are|now|ist|war|lautet|est|es|è|é|är|er|on|to|je|jest|este|là|это|είναι|adalah"
    r"|reads))?\s?[:=]?\s?[\"“]?$"
)
# With a name before or behind it, a code has to be one of a place.
CODE_OF_SOME_KIND = LazyPattern(
    rf"(?:\b|-){CODE_WORD}(?:\s[^\s\d.:;,]{{2,20}}){{0,4}}?"
    r"(?:\s(?:is|was|are|now|ist|lautet|est|es|è|é|är|er|to|je|jest|это))?\s?[:=]?\s$"
)
LOCK_ALONE = LazyPattern(r"(?:замок|kilidi|kilit|قفل|자물쇠|锁)[^\n.:;\d]{0,24}\s$")
LONG_CODE = LazyPattern(
    r"\b[^\W\d_]{3,20}(?:code|kode|koden|kod|kód|koodi)(?:\s(?:is|ist|lautet|on|är|er|der|des|am|im|zum|zur|van|vom|von"
    r"|till|til|för|für)\b[^.:;,\n\d]{0,30}?)?\s?[:=]?\s$"
)
LOCKED_BY = LazyPattern(
    r"\b(?:locked|lock ?screen|(?:parental|child|profile) lock|gesperrt|verrouillée?|bloquead[oa]|bloccat[oa]|op slot"
    r"|zablokowan\w+)"
    r"\b(?:[^.\n\d]{0,24}[,:(—–])?\s$"
)
LABELLED = LazyPattern(r"[:：]\s$")
WHICH_ACTS = LazyPattern(
    rf",?\s(?:which|that|and (?:it|that)|die|das|qui|que|che|die|który|что|который)\s(?:also |auch |aussi |también "
    rf"|anche )?{ACT}\b"
)
TYPED_AFTER = LazyPattern(
    r"[\"”“»’」』]?\s(?:tuşla\w*|giriyor\w*|giril\w*|istiyor|ile (?:aç|gir)\w*|girin\w*|bas(?:ın|ıl)\w*|eintipp\w*"
    r"|einzutippen|eingeb\w*|eingetippt"
    r"|eingegeben|drücken"
    r"|intoetsen|indrukken|intikken|wpisać|wcisnąć|ввести|набрать)(?!\w)"
)
SEPARATED = LazyPattern(r"\d(?:[ ,-]{1,2}\d){3,}$")
# Codes that anybody may know.
PUBLIC = LazyPattern(
    r"cours|class|module|subject|lectur|project|product|article|item|\bpart|colou?r|paint|stock|share|ticket|airport"
    r"|swift"
    r"|diagnos|tariff|customs|\bform\b|fault|error|country|city|region|curren|language|cost|\btax|custom|client|member"
    r"|discount|promo"
    r"|voucher|coupon|book|reserv|track|parcel|shipment|flight|recipe|pattern|postal|\bzip|\barea|dial|phone|isbn|sku"
    r"|catalog|model"
    r"|serial|version|exit|status|http|\blog\b|\bbug|team|group|invite|friend|referral|public|game|cheat|morse|unicode"
    r"|licen[cs]e"
    r"|exchange|time ?sheet|ledger|\bvat\b|sap\b|order|invoice|trade|industr|room number|means|donat|plant|seed"
    r"|file"
    r"|centre|center|quell|länder|\bqr|barcode|kurs|fach\b|projekt|produkt|artikel|articolo|farb|fehler|kunden|steuer"
    r"|gutschein|rabatt|bestell|buchung|post|produit|couleur|erreur|remise"
    r"|réserv|postal|producto|artículo|color|descuento|pedido|reserva|cliente|curso|asignatura|prodotto|corso|colore"
    r"|errore|sconto"
    r"|fiscale|univoco|ordine|produto|\bcor\b|desconto|\bvak\b|kleur|klant|korting|bestelling|przedmiot|kolor|klient"
    r"|rabat|zamówi"
    r"|товар|курс|ошибк|клиент|скидк|город|стран|заказ|источник|source|swift|bank\b"
)
# Where a value stands when a sentence comes to it.
COMES = LazyPattern(
    r"(?:[:：=(,/>]|\s-p|\b(?:is|was|are|it['’]s|ist|war|est|c['’]est|es|è|é|to|är|er|on|auf|set to|now|then|with|mit"
    r"|con|avec|com|met|for|needs?|wants?"
    r"|takes?|uses?|use|pass|give|usa(?: sempre)?|utilise|nutzt|gebruikt|fa|faire|fait|just|simply|still|always|immer"
    r"|siempre|sempre|toujours|altijd|zawsze|всегда|and|und|et|y|e"
    r"|en|i|и|plus|die|das|la|le"
    r"|el|il|o|braucht man|you need|marcando|tippen|keying|entering|pressing|это|по|or|only|na|op|på)"
    r"|[는은は是と到])\s?"
    r"(?:the |die |le |la |el |il |o |code |number )?[\"“„«]?\s?$"
)
# What a number is that stands beside a lock and does not open it.
OTHER_NUMBER = LazyPattern(
    r"port\b|baud|speed|rate\b|listen|bound|runs on|running on|extension|\bext\b|(?<!lock )(?<!secret )number|nummer"
    r"|numéro|(?<!o )número"
    r"|numer|номер|\bzip|postal|area|post ?code"
    r"|postleit|\bmtu|cost|price|rent|paid|model|serial|version|order|invoice|ticket|issue|\bpr\b|route|\bbus|line\b"
    r"|flat|room|floor"
    r"|phone\b|\btel\b|\bcall|fax|since|until|year|size|weigh|width|steps|score|battery|installed|bought|expires|valid"
    r"|goes off|rings|wake"
    r"|set the|for \d|insur|policy|customer|account|member|licen|part\b|about|over|under|around|almost|nearly|than"
    r"|up to"
)
AT_THE_END = LazyPattern(r"[.。!]?\s?$")
CHOSE = LazyPattern(
    r"(?:\b(?:chose|picked|chosen|selected|set|a choisi|ha scelto|escolheu|eligió|ha elegido|koos|gekozen|wybrał\w?"
    r"|ustawił\w?|gewählt|nahm"
    r"|hat)|выбрал\w?|поставил\w?|选的是|选了|改成)(?:\s(?:hij|ze|er|sie))?\s?$"
)
CHOSEN = LazyPattern(r"\s?(?:にした|にして|gewählt|gekozen|로 정)")
TURNED = LazyPattern(
    r"\b(?:turn\w*|set|wheels?|dials?|controls?|locks?|are|drehen|gestellt|draai\w*|opens?|otwiera"
    r"|открыва\w*)\b[^.\n]{0,30}?\b(?:to|at|on|auf|op|na|на)\s$"
)
SECRET_WORD = LazyPattern(
    rf"(?:{said.PASSWORDS}|{said.PIN}|\b(?:secret|key|klucz|nyckeln?|sleutel|chave|chiave|clé|clave|koden?|combo"
    rf"|combination)|schlüssel|ключ|キー|키)"
    r"(?:\s?(?:is|ist|est|es|è|é|är|er|to|:|=|は|는|은))?\s?$"
)
PAIR = LazyPattern(r"(?:^|[\s(])[\w.@-]{0,20}[\d@.][\w.@-]{0,20}\s?/\s?$")
WIFI = LazyPattern(r"\b(?:wi-?fi|wlan|hotspot)\b|вайфа|와이파이")
# A line to the net with what is printed on its box, or with its name before: "internet is VM447 and then …".
ON_THE_BOX = LazyPattern(
    r"\b(?:internet|broadband|network|router|modem|hub|\w{0,6}box|netz\w*|réseau|red|rete|rede|netwerk|siec[ić])\b"
    r"[^.;\n]{0,60}?(?:\b(?:sticker|label|underneath|on the (?:back|bottom)|aufkleber|etikett|rückseite|étiquette"
    r"|dessous|pegatina|etiqueta|etichetta|autocolante|onderkant|naklejk\w)\b|наклейк)[^.;\n]{0,30}$"
    r"|\b(?:internet|broadband)\b[^.;\n]{0,30}(?:\bis|:|\bist|\best|\bes|è|é)\s\S{4,24}?,?\s(?:and then|then|and"
    r"|und dann|dann|et puis|puis|y luego|luego|e poi|poi|en dan|dan)\s(?:it['’]s\s)?$"
)
NAME_AND = LazyPattern(
    r"\b(?:user\w*|log-?in|e-?mail|mail|address|id|number|numéro|nummer|numero|número|codice|dni|nif|name|anmeldename"
    r"|benutzer\w*|usuario|utente"
    r"|utilisateur|gebruiker|identifiant|klantnummer|clientes?)\b[^.;:\n]{0,40}?"
    r"(?:\s(?:and|then|plus|und|dann|et|puis|y|luego|e|poi|en|dan|i|и)|[,/+])\s$"
)
CLOCK = LazyPattern(r"(?:[01]\d|2[0-3])[0-5]\d$")
LOCKS = LazyPattern(LOCK)
HAS_ONE = LazyPattern(lambda: f"{LOCKED}|{SITE}|{SERVICE}|{ASKS}")
ASKS = r"\b(?:asks?|asked|prompt\w*|note lock|fragt|demande|pide|chiede|pede|vraagt|pyta)\b|спрашива"
OTHER_WORD = LazyPattern(
    r"\b(?:renamed|called|compressed|hosted|built|written|made|runs?|running|powered|based|migrated|moved|upgraded"
    r"|switched|connected"
    r"|installed|bought|replaced|uuid|hash|version|tag|model|branch|commit|sso|login at \w+ is|user|wi-?fi is|router is"
    r"|router:|by|via)\b[^,;:\n]{0,30}$"
)
WORKS = LazyPattern(
    r"\s(?:still |also |auch |aussi |también |anche )?(?:works|goes|gilt|geht|marche|vale|werkt|działa)\s"
)
DRAWN = LazyPattern(r"[0-9a-f-]{16,}$|[\w.]+=[\w.]+$")
NAMES_ONE = LazyPattern(
    r"\b(?:ssid|user ?name|handle|nick\w*|motto|slogan|hostname|gamertag|name|server|benutzername|nombre de usuario"
    r"|nome utente"
    r"|nom d['’]utilisateur)\b[^,;\n/]{0,40}$"
)
PAIRED = LazyPattern(r"\b(?:use|with|as|log-?in|creds?|user|superuser|root|admin)\s[\w.@-]{2,30}\s?/\s?$")
NAMED_BEFORE = LazyPattern(rf"(?:{said.PASSWORDS})[^.;:\n,]{{0,30}}[,(—–-]\s?[\"“„«]?$")
ASIDE_AFTER = LazyPattern(r"[\"”“»]?(?:\s?[,)—–]|[.;]|$)")
LINK_IS = LazyPattern(r"\s(?:is|was|are|ist|war|est|es|è|é|är|er|это)\s[\"“„«]?$")
IS_OF_ONE = LazyPattern(
    lambda: (
        rf"(?:{LOCKED}|{SERVICE}|{SITE}|\b(?:it|that|this|one))(?:\s(?:for|of|on|at|in|to|from|für|von|vom|am|im|de|del"
        rf"|du|di|da|do|van)\s"
        r"[^,;\n]{1,30})?\s$"
    )
)
FOR_ONE = LazyPattern(
    lambda: rf"\s(?:for|to|on|pour|para|per|für|voor|dla|для|sur|bei)\s[^.,;\n]{{0,25}}?(?:{LOCKED}|{SERVICE}|{SITE})"
)
USES_IT = LazyPattern(r"\b(?:uses?|use|using|utilise|usa|nutzt|benutzt|gebruikt|używa|использует)\s$")
DOOR_IS = LazyPattern(
    r"(?:\b(?:(?:front|back|side|garden) )?(?:door|gate|garage|barrier|entrance|portail|porte|puerta|portone|cancello"
    r"|portão|poort|brama|bramka|furtka)\b"
    r"|(?:tür|deur)\b|\btor\b|калитк|подъезд|двер)[^.;\n\d]{0,40}?(?:[:：]|,?\sc['’]est|,?\sit['’]s|\sdas ist|,)\s$"
)
WITH_IT = LazyPattern(rf"\b{WITH}{SAID}$")
OPENS_LAST = LazyPattern(rf"\s(?:zu |te |om te )?(?:{GETS_IN}|öffnen|openen|auf)\b")
YEAR = LazyPattern(r"(?:19|20)\d\d$")
TECH = LazyPattern(
    r"(?:yubi|pass|smart|hardware)[- ]?key|oauth|openid|sso\b|saml|ldap|2fa|mfa|totp|webauthn|fido|face ?id|touch ?id"
    r"|github"
    r"|gitlab|google|apple|okta|imap|smtp|android|ios\d|windows|debian|ubuntu|fritz!|iphone|ipad|galaxy|pixel|usb"
    r"|eherkenning|digid|bankid|itsme|zstd|https?|wpa\d|ipv\d|wireguard|openvpn|bluetooth|ctrl|shift\+|alt\+|cmd"
    r"|\.(?:com|org|net|de|exe|zip"
    r"|sh|py)$"
    r"|^[a-z]+\d+g$"
)
COMMAND = LazyPattern(
    r"(?:git|npm|pnpm|yarn|make|just|cargo|docker|kubectl|sudo|python\d?|pip|uv|go|node|npx|ls|cd|ssh|brew|apt|hey|ok"
    r"|alexa)\b"
    r"|--|[/\\{}$|]|^(?:yes|no|y|n|ok)$"
)
SITES = LazyPattern(SITE)
SERVICES = LazyPattern(SERVICE)
JOINED = LazyPattern("[-_]")
OF_A_DAY = LazyPattern(r"alarm|\bat\s$|\bopens|close")
# "… then the green button"
BUTTON_NEXT = LazyPattern(
    r",?\s(?:and then|then|and|dann|und|puis|et|luego|y|poi|e|dan|en|potem|i)\s[^.,;\n\d]{0,20}?(?:button|key|ok|tick"
    r"|taste|bouton|touche|tecla|botón|tasto"
    r"|botão|knop|przycisk)\b"
    r"|,?\s(?:plus|followed by|with|mit|avec|más|più|mais|met|oraz)\s(?:the |der |die |la |le |el |il |o |de )?"
    r"(?:\w{2,12}\s)?(?:button|hash|pound|star|\w{0,12}taste|bouton|touche|tecla|botón|tasto|botão|knop|przycisk\w*)\b"
)
