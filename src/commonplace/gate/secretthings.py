"""What people lock: places with a door or a keypad, devices and accounts, and the sites they have passwords for.

The words are in lower case; most stand at the end of a longer word, too ("Medikamentenschrank")."""

# What is there to be locked with a number, and little else that has one.
LOCK = (
    r"(?:\b(?:(?:pad|bike |cable |combination |screen |child |parental |door ?|smart ?|u-?|d-?)?locks?|lock (?:number"
    r"|screen)|(?:key ?)?safe|keypad"
    r"|(?:lock|key) ?box|(?:burglar |house )?alarm|tablets?|ipads?|kindle|e-reader|parental controls?|locked|protected"
    r"|disc lock"
    r"|cadenas|antivol|coffre(?:-fort)?|digicode|tablette|alarme|candado|caja fuerte|alarma|lucchetto|cassaforte"
    r"|allarme|antifurto|cadeado"
    r"|cofre|fietsslot|hangslot|cijferslot|kluis|zamek|kłódka|sejf|kilidi|kilit|kasa|tableti|zámek|trezor|lås\w{0,2}"
    r"|lakat|széf|lacăt\w*)\b"
    r"|(?:schloss|sperre|tresor|safe|alarmanlage|kästchen|kastje)\b|замок|сейф|планшет|айпад|сигнализац|锁|保险|平板|鍵"
    r"|金庫"
    r"|ロック"
    r"|タブレット|자물쇠|잠금|금고|태블릿|キーボックス|钥匙盒|열쇠함|قفل|خزنة|ताल[ाे])"
)

PLACE = (
    rf"(?:{LOCK}"
    r"|\b(?:(?:back)?doors?|gates?|(?:pad)?locks?|lockers?|(?:lock|mail|letter)?box|room|(?:store|stock|bath|rest"
    r"|cloak)room"
    r"|cupboard|cabinet|closet|shed|(?:court)?yard|(?:boat|green|club)?house|safe|keypad|keysafe|lockbox"
    r"|alarms?|siren|garage|panel|intercom|entrance|lobby|lift|elevator|barrier|shutters?|turnstile|barn|cellar"
    r"|attic|basement|building|office|cabin|studio|flat|apartment|vault|drawer|suitcase|luggage|coop|fridge|freezer"
    r"|oven|parental"
    r"|child|age check|till|checkout|cash register|atm|cash machine|draws cash|debit card|petrol card|treadmill"
    r"|forklift|copier"
    r"|photocopier|kopierer|photocopieur|fotocopiadora|fotocopiatrice|kopieermachine|kserokopiark\w|fotokopi|display"
    r"|boiler|projector|heat pump|nest|stable|hangar|workshop|warehouse|cottage|caravan|pool|sauna|terrace"
    r"|locked"
    r"|lockout|steering|voicemail|pump|caixa das chaves|skrzynk\w+"
    # French, Spanish, Italian, Portuguese
    r"|porte|portail|cour|local|cadenas|coffre|alarme|immeuble|boîtier|digicode|interphone|placard|casier|distributeur"
    r"|contrôle parental|caisse|barrière"
    r"|puerta|portal|garaje|teclado|trastero|candado|alarma|armario|taquilla|cajero|control parental|verja|oficina"
    r"|caja fuerte"
    r"|cancello|porta|portone|lucchetto|cassetta|cassaforte|allarme|armadi\w+|bancomat|blocco|tastierino|citofono"
    r"|cantina"
    r"|portão|garagem|cadeado|cofre|armário|multibanco|loja|prédio|cancela"
    # Dutch, Polish, Czech, Turkish, Scandinavian
    r"|slot|poort|hek|kluis|schuur|grinden|porten|larmet|tor|hoftor|rolltor|gartentor|garagentor|spind"
    r"|furt\w+|bram\w+|drzwi|skryt\w+|sejf\w*|alarm\w+|szaf\w+|bankoma\w+|domofon\w*|piwnic\w*|garaż\w*|szlaban\w*"
    r"|kłódk\w+"
    r"|vrat\w*|dveř\w*|trezor\w*|zámk\w*|kapı\w*|kasa\w*|kapu\w*|ajtó\w*|riasztó\w*|széf\w*|poart\w*|ușă|ușii|seif\w*"
    r"|interfon\w*"
    r"|ovi|oven|hälyti\w*|kassakaap\w*|gerbang|pintu|brankas|cửa|két)\b|πόρτα|συναγερμ|दरवाज़|तिजोरी"
    r"|(?:tür|türöffner|schloss|schrank|kasten|keller|anlage|schranke|tresor|schuppen|sicherung|tastenfeld|automat"
    r"|kasse|eingang"
    r"|deur|fietsslot|kinderslot|kast|stalling|slagboom|automaat)(?:en|es|s)?\b"
    r"|калитк|двер|подвал|подъезд|ворот|домофон|сейф|замок|замк|гараж|сигнализац|банкомат|копир|ксерокс|шлагбаум"
    r"|під['’]їзд)"
)
LOCKED = (
    r"(?:\b(?:phones?|smartphone|tablets?|ipad|iphone|laptops?|macbook|mac|pc|computer|windows|xbox|playstation|ps5"
    r"|switch|nintendo|tv"
    r"|telly|sky box|kindle|nas|server|router|drive|disk|usb|stick|wallet|journal|diary|archive|zip|keepass\w*"
    r"|bitwarden"
    r"|1password|vault|wi-?fi|wlan|wireless|network|hotspot|ssid|screen|lock ?screen|desktop|workstation|account|login"
    r"|portal|printer|console|password manager"
    r"|mail(?:box)?|netflix|spotify|disney\+?|amazon|profile|intranet|vpn|admin|session|kassensystem|elternportal"
    r"|handy|rechner|netz|gastnetz|heimnetz|telefon\w*|bildschirm|konto|mobil\w*|tablette|ordinateur|téléphone|portable"
    r"|réseau|compte|box"
    r"|móvil|portátil|ordenador|red|cuenta|tele|tablet|cellulare|telefono|rete|telemóvel|celular|telefone|rede|conta"
    r"|computador"
    r"|telefoon|schijf|netwerk|komputer\w*|telefon\w*|sieć|sieci)\b"
    r"|телефон|ноутбук|компьютер|планшет|вайфа|роутер|сет[ьи])"
)
SITE = (
    r"\b(?:(?:online-?)?shops?|stores?|forums?|sites?|websites?|accounts|newsletters?|logins|subscriptions|services"
    r"|banking"
    r"|foren|seiten|konten|läden|boutiques|comptes|tiendas|cuentas|foros|negozi|siti|lojas|contas|winkels|sklep\w*"
    r"|kont)\b"
)
# Where people have accounts.
SERVICE = (
    r"(?:\b(?:hotmail|gmail|outlook|gmx|web\.de|yahoo|icloud|apple id|proton\w*|facebook|instagram|paypal|ebay|steam"
    r"|twitch|discord|roblox"
    r"|minecraft|dropbox|linkedin|twitter|tiktok|snapchat|amazon|netflix|spotify|disney\+?|hulu|hbo|sky|bank\w*|banque"
    r"|banco|banca|e-?banking"
    r"|homebanking|online-?banking|imprimante|drucker|impresora|stampante|impressora|posta|correo|courriel|konto|compte"
    r"|cuenta|conta)\b"
    r"|банк|почт|银行|邮箱|銀行|メール|은행|이메일)"
)
CARD = (
    r"(?:\b(?:cards?|revolut|visa|mastercard|amex|sim|karte|carte|tarjeta|carta|cartão|kaart|kart[yaęi]|kort)\b"
    r"|(?:karte|kaart)\b|карт|カード|卡|카드)"
)
