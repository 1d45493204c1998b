"""Secrets told in passing, in plain words: "just type … on the login thing", "the panel still takes root and …",
"unlock the disk with …".

The value may be any word, so what stands around it has to say nearly all: somebody gets in somewhere, and the
sentence ends or turns behind the value. Numbers told like that are in `secretgiven`. All functions take the text and
the text in lower case with the same places, and yield (kind, start, end); work is bounded around each sign.
"""

import re
from collections.abc import Iterator

from commonplace.gate import secretwords as said
from commonplace.gate.secretentry import LOCKED, VALUE, place_of
from commonplace.gate.secretplaces import Lowered, Sought
from commonplace.gate.secretvalues import is_placeholder
from commonplace.patterns import LazyPattern
from commonplace.terms.glossing import english, language
from commonplace.terms.kinship import row_of

_BACK = 90
_AHEAD = 60
_HAS_DEVICE = LazyPattern(LOCKED)
TOLD_ALL = (
    r"(?=[\"'”»)]?(?:\s?(?:$|[.,;!?)\n—–])|\s(?:and|but|because|since|so|which|nobody|und|aber|et|mais|y|pero|e|ma|mas"
    r"|en|maar|i|ale|и|а|но)\s))"
)
_WORD = r"[\"'“„«]?(?P<word>[^\W\d_]{5,30}\d{0,4})[\"'”“»]?"
_JUST = (
    r"(?:\s(?:just|simply|only|always|still|the word|in|einfach|nur|immer|das wort|juste|simplement|toujours|le mot"
    r"|solo|simplemente|siempre|la palabra|semplicemente|sempre|la parola|só|simplesmente|a palavra|gewoon|het woord"
    r"|po prostu|słowo|просто|слово)){0,4}\s"
)
_NO_WORD = frozenset(
    "username usernames email emails command commands help guest search login logout reboot status whoami exit english"
    " number numbers letters names initials anything something nothing everything whatever either again slowly quickly"
    " there first twice notes code codes data text words digits characters passkey passkeys fingerprint yubikey"
    " editor editors viewer viewers user users admin admins sudo owner owners moderator moderators member members"
    " operator operators superuser wheel branch accounts roles staff guests others access permissions"
    " benutzername befehl befehle hilfe passwort namen nummer daten zahlen notizen alles nichts etwas"
    " identifiant commande commandes aide données prénom usuario comando comandos ayuda nombre datos notas números"
    " utente aiuto nome dati numeri utilizador ajuda dados gebruikersnaam opdracht naam gegevens użytkownika polecenie"
    " imię dane dvorak qwerty azerty qwertz german french spanish italian dutch polish"
    " feedback команду команды имя данные".split()
)

# Programs, commands and words of the trade.
_PRODUCTS = frozenset(
    "wireguard openvpn tailscale zerotier openwrt ddwrt pfsense opnsense fritzbox mikrotik ubiquiti unifi netgear"
    " linksys tplink zyxel synology proxmox nextcloud owncloud grafana prometheus portainer cockpit webmin cpanel plesk"
    " wordpress joomla drupal nginx apache docker podman kubernetes ansible terraform postgres mysql mariadb mongodb"
    " redis jenkins gitlab github gitea pihole adguard homeassistant jellyfin plex kodi samba telnet dropbear openssh"
    " windows linux ubuntu debian fedora raspbian android chrome firefox teamviewer anydesk bitlocker keepass bitwarden"
    " vaultwarden dnsmasq dhcpd iptables nftables firewall wizard"
    " macos raspberry airprint cups vscode codium mobaxterm putty kitty winscp filezilla remmina termius securecrt"
    " iterm xterm tmux screen mosh wezterm alacritty powershell eclipse intellij pycharm webstorm sublime emacs neovim"
    " python perl ruby rust golang nodejs java libsodium secretbox openssl argon scrypt blake chacha aes zstd zlib gzip"
    " lzma brotli btrfs noatime relatime compress compression level ext xfs zfs ntfs exfat fuse nfs cifs sshfs rclone"
    " rsync restic borg duplicati duplicity kopia timeshift"
    " kubectl journalctl systemctl loginctl timedatectl hostnamectl networkctl crictl nerdctl dmesg htop uname uptime"
    " ifconfig netstat lsblk mount umount passwd chmod chown mkdir touch crontab visudo shutdown poweroff logout"
    " traceroute nslookup tcpdump fdisk parted sqlite psql mysqldump dashboard startx xinit helm vagrant packer".split()
)
_NUMBERED = LazyPattern(r"[-_.]?\d+$")


def _is_word(word: str) -> bool:
    """Whether a plain word may be a secret here: not what is typed or meant at every login."""
    is_said = word in _NO_WORD or word in said.NOT_A_PASSWORD or (word.endswith("ly") and not word.endswith("fly"))
    return not is_said and not is_placeholder(word)


def _is_product(value: str) -> bool:
    """Whether a word is nothing but the name of a program or a command, with the number of its version or without."""
    name = _NUMBERED.sub("", value.lower())
    return name in _PRODUCTS and row_of(name) is None


def _is_unknown(word: str, text: str) -> bool:
    """Whether a word is in no list, neither of English words nor of those of the text's language."""
    code = language(text)
    return row_of(word) is None and (code is None or english(word, code).lower() == word)


# -- a plain word that is typed -------------------------------------------------------------------------------------

_TYPE = (
    r"(?:type[sd]?(?: in)?|typing(?: in)?|key in|punch in|put in|enter|tippe?|tippt|schreib\w*|tape[rz]?|saisi\w*"
    r"|écri[st]|mets|mettre|escrib[eoa]\w?|teclea\w?|pon|pongo|digit[aoi]|scriv[io]|metti|escreve\w?|põe|typ|tik"
    r"|wpis(?:z|uję|ać)|введи|вводи|набери|напиши|пиши)"
)
_SCREEN = (
    r"(?:(?:on|at|in|into|for) (?:the |that |its |his |her )?(?:\w{2,12} )?(?:log-?in|log-?on|sign-?in|lock ?screen"
    r"|start screen|boot prompt|welcome screen)(?: (?:thing|thingy|screen|page|prompt|box|field|window|bit))?"
    r"|(?:im|ins|am|auf dem|beim) (?:\w{0,12}anmelde\w*|\w{0,12}login\w*|sperrbildschirm|anmelden|einloggen)"
    r"|(?:sur|dans|à) (?:l['’]écran|la page|la fenêtre|la) (?:de |d['’])?(?:connexion|accueil|verrouillage|session)"
    r"|en (?:la pantalla|la página|la ventana|el) (?:de )?(?:inicio|bloqueo|acceso|login|bienvenida)|al iniciar sesión"
    r"|(?:nella|sulla|alla) (?:schermata|pagina|finestra) (?:di )?(?:accesso|login|blocco)"
    r"|(?:no ecrã|na tela|na página|na janela) de (?:início|login|bloqueio|entrada)"
    r"|(?:op|in) het (?:inlog|aanmeld|vergrendel)\w+|na ekranie (?:logowania|blokady)"
    r"|на экране (?:входа|блокировки)|в окне входа|при входе)"
)
_AT_LOGIN = Sought("typed at login", rf"\b{_TYPE}{_JUST}{_WORD}\s{_SCREEN}(?!\w)")
_LAST_TYPED = Sought(
    "typed last",
    rf"(?<=\s){_WORD}\s{_SCREEN}\s(?:eintippen|eingeben|tippen|schreiben|intypen|invullen|typen|wpisać|ввести|набрать)",
    word=r"(?:eintippen|eingeben|tippen|schreiben|intypen|invullen|typen|wpisać|ввести|набрать)(?!\w)",
    back=90,
    ahead=14,
)
_INTO = Sought(
    "into it",
    r"\b(?:(?:to|you|we|i|she|he|they) (?:get into|get onto|log into|log in to|sign into|unlock|wake up|get past)"
    r"|um (?:in|an) [^,.\n]{2,30} (?:zu kommen|reinzukommen)|pour (?:entrer (?:sur|dans)|déverrouiller|ouvrir)"
    r"|para (?:entrar (?:en|no|na)|desbloquear)|per (?:entrare (?:nel|sul|in)|sbloccare))"
    rf"(?P<what>[^.;\n]{{2,50}}?)[\s,]{{1,2}}(?:you |just |simply |on |man |il faut |hay que |si ){{0,4}}"
    rf"{_TYPE}{_JUST}{_WORD}{TOLD_ALL}",
)


def typed_words(_text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "Dad's PC: just type … on the login thing", "to get into the laptop type …"."""
    for form in (_AT_LOGIN, _LAST_TYPED, _INTO):
        for found in form.found_in(low):
            is_thing = form is not _INTO or _HAS_DEVICE.search(found["what"]) is not None
            if is_thing and _is_word(found["word"]):
                yield "password", *found.span("word")


_USES = Sought(
    "uses to get in",
    r"\b(?:use|uses|using|try|give it|answer(?: with)?|type|enter|put in|nimm|nehmt|nutze?|mets|mettez|tape[rz]?"
    r"|utilise[rz]?|usa|usad|pon|pones|mete|metti|usi|põe|gebruik|neem|użyj|wpisz|используй|введи|набери)"
    rf"{_JUST}{VALUE}\s(?:to (?:get (?:back )?in(?:to|side)?|log ?in(?:to)?|sign in(?:to)?|unlock|get past|get through)"
    r"|and (?:you['’]re|you are|we['’]re|i['’]m) in"
    r"|zum (?:reinkommen|einloggen|anmelden|entsperren)|um (?:reinzukommen|hineinzukommen)"
    r"|pour (?:entrer|se connecter|déverrouiller|ouvrir la session)|para (?:entrar|acceder|iniciar sesión|desbloquear)"
    r"|per (?:entrare|accedere|sbloccare)|om (?:in te loggen|binnen te komen|erin te komen)"
    r"|(?:żeby|aby) (?:wejść|się zalogować)|чтобы (?:войти|зайти))"
    r"(?! (?:front|touch|sync|line|shape|contact|trouble|gear|position|place|the way|on time))(?!\w)",
)
_MACHINE = LazyPattern(
    r"(?:windows|ubuntu|debian|fedora|macos|bastion|jump\w{0,6}|proxy|gateway|vpn|vm|srv|wg|wireguard|tunnel|relay|edge"
    r"|route|office|microsoft|web|client|rdp|ssh|citrix|horizon)[-_]?\d+\b"
)
_IS_ASKED = LazyPattern(
    r"\b(?:asks?|prompts?|prompted|fragt|demande|pregunta|pide|chiede|pede|vraagt|pyta)\b|спрашива|спросит|просит"
)


def used_to_get_in(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "If the NAS asks, just use … to get in"."""
    for found in _USES.found_in(low):
        near = low[max(0, found.start() - _BACK) : found.end() + _AHEAD]
        place = place_of(text, found, least=2)
        if place and (_MACHINE.match(low, place[0]) or _is_product(low[slice(*place)])):
            continue
        if place and (_IS_ASKED.search(near) or _HAS_DEVICE.search(near)):
            yield "password", *place


# -- a name and what follows it -------------------------------------------------------------------------------------

_GO_IN = (
    r"(?:log(?:s|ged|ging)?[- ](?:in|on)|sign(?:s|ed|ing)?[- ](?:in|on)|go(?:es)? in|get(?:s)? in|connects?"
    r"|melde[tn]?(?: \w{2,5}){0,2}|logge?n?(?: \w{2,5}){0,2}|entr(?:o|a|as|e|es|ar|are|er|amos|iamo|i)"
    r"|(?:me |se |mi |si )?(?:connecte|conecto|conecta|collego|collega|identifie)s?|acced[oei]|inicio sesión|ingreso"
    r"|log(?:t|gen)?(?: \w{2,5})? in|loguję się|wchodzę|захожу|вхожу|заходит|входит)"
)
_AS_ONE = Sought(
    "goes in as",
    rf"\b{_GO_IN}\s(?:as|als|como|comme|come|jako|под|как|with (?:the )?user|mit (?:dem )?(?:user|benutzer)"
    r"|con (?:el |l['’])?(?:usuario|utente)|avec l['’]utilisateur|com o utilizador|met (?:de )?gebruiker)"
    r"\s(?P<user>[\w.@-]{2,30})(?:\s(?:an|ein|in))?,?\s"
    r"(?:and then|and|then|und dann|und|dann|et puis|et|puis|y luego|y|luego|e poi|e depois|e|poi|en dan|en|i potem|i"
    r"|и потом|и|потом)\s(?:(?:i|you|we|je|j['’]|ich|on|ik)\s)?"
    r"(?P<verb>type|put in|put|enter|types|puts|enters|tippe|tippt|gebe|schreibe|tape|mets|met|saisis|écris|pongo|pone"
    r"|pones|escribo|escribe|tecleo|meto|metto|mette|scrivo|scrive|digito|digita|ponho|põe|escrevo|typ|toets|wpisuję"
    rf"|wpisuje|ввожу|набираю|пишу){_JUST}{_WORD}(?:\s(?:ein|in))?{TOLD_ALL}",
)
# Verbs of typing in languages where many of a thing mostly end with "s".
_TYPING = frozenset("type types tape saisis escribo tecleo digito escrevo".split())


def as_somebody(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "I log in as teacher and type …": no word at all, or behind a verb of typing a word for one thing."""
    for found in _AS_ONE.found_in(low):
        word = found["word"]
        is_one = found["verb"] in _TYPING and not word.endswith("i")
        is_many = word.endswith("s") and not word.endswith("ss")
        if _is_word(word) and not _is_product(word) and not is_many and (is_one or _is_unknown(word, text)):
            yield "password", *found.span("word")


_USERS = r"(?:root|admin(?:istrator)?|user|guest|pi|sa|demo|operator|support|ubnt|cisco|postgres|superuser|manager)"
_TAKES_BOTH = Sought(
    "takes both",
    r"\b(?:takes|took|accepts|wants|expects|likes|opens with|opens to|goes with|(?:works|work) with"
    r"|lets? (?:you|me|us|anyone) in with|nimmt|akzeptiert|geht mit|prend|accepte|marche avec|acepta|coge|entra con"
    r"|accetta|vuole|aceita|pakt|accepteert|werkt met|przyjmuje|принимает)"
    r"(?:\s(?:still|just|immer|noch|immer noch|toujours|aún|todavía|ancora|ainda|nog|steeds|nog steeds)){0,3}\s"
    rf"[\"'“]?{_USERS}[\"'”]?\s?(?:\s(?:and|with|then|und|mit|et|y|con|e|com|en|met|i|z|и|с)\s|[/+|,:]\s?)"
    rf"[\"'“„«]?(?P<word>[^\W\d_]{{5,30}}\d{{0,4}}|{_USERS})[\"'”“»]?{TOLD_ALL}",
)
_HAS_LOGIN = LazyPattern(
    r"panel|\w?cam\b|[dn]vr\b|forum|wiki|router|server|console|konsole|log-?in|web ?(?:page|site|ui|interface)"
    r"|(?:admin|web|start|config\w*) ?page|printer|camera|kamera|\bnas\b|switch|modem|portal|cms|shop|\bapp\b"
    r"|dashboard|database|datenbank|drucker|imprimante|impresora|stampante|impressora|phpmyadmin|wordpress|box\b|phpbb|joomla|drupal|typo3|blog|machine|\bpc\b|computer|mac\b|till\b|kiosk|laptop|rechner"
    r"|сервер|роутер|форум"
)
_ADMIN_AND = Sought("admin and a word", rf":\sadmin(?:istrator)?\s?[,/+]\s?{_WORD}\.?(?=\s?(?:$|[,;\n]))")
_ROLES = frozenset(
    "author authors marketing billing staging sales finance contributor contributors subscriber subscribers customer"
    " customers reader readers teacher teachers student students developer developers manager managers intermediate"
    " leaf child children groups group tenant tenants vendor swap home boot config settings redakteur autor".split()
)


def takes_both(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "The admin panel of the forum still takes root and …"."""
    for found in _TAKES_BOTH.found_in(low):
        word = found["word"]
        is_said_twice = re.match(_USERS, word) is not None and found.group().count(word) > 1
        is_name = word in _PRODUCTS or (text[found.start("word")].isupper() and _is_unknown(word, text))
        is_told = is_said_twice or (_is_word(word) and word not in _ROLES and not is_name)
        if is_told and _HAS_LOGIN.search(low, max(0, found.start() - _BACK), found.start()):
            yield "password", *found.span("word")
    for found in _ADMIN_AND.found_in(low):
        word = found["word"]
        # With a capital letter it is who the admin is.
        is_name = word in _PRODUCTS or word in _ROLES or text[found.start("word")].isupper()
        is_told = not is_name and _is_word(word) and _is_unknown(word, text)
        if is_told and _HAS_LOGIN.search(low, max(0, found.start() - 30), found.start()):
            yield "password", *found.span("word")


_LOGIN_THEN = Sought(
    "login and then",
    r"(?:\b(?:log-?in|user ?name|user id|benutzername|kundennummer|identifiant|gebruikersnaam|inlognaam)\b|логин|아이디"
    r"|\b(?:user|benutzer|utilisateur|usuario|utente|utilizador|gebruiker|użytkownik)(?=:|\s(?:is|ist|es|est|è|é|to|the"
    r"|her|his|my|our|ihre?|seine?|meine?|die|der|son|sa|mon|ma|le|la|el|su|mi|il|suo|o|seu|haar|zijn|het)\s))"
    r"(?P<about>[^.;\n]{2,45}?)[\s,]{1,2}(?:and |und |et |y |e |en |i |и |а )?"
    r"(?:then|after that|afterwards|next|danach|dann|ensuite|puis|après|luego|después|poi|dopo|depois|daarna|dan|potem"
    r"|dalej|дальше|потом|затем|그다음)(?:\s(?:it['’]s|comes|is|kommt|c['’]est|es|viene|è|é|komt|идёт))?[\s:,]"
    rf"{{1,2}}{VALUE}{TOLD_ALL}"
    r"|(?:ユーザー名|ユーザid|ログイン名|ログインid|用户名|账号|帐号|登录名)[^。\n]{2,20}?[、，,]\s?"
    rf"(?:そのあと|その後|次に|あとは|然后是?|接着|再输入?|之后是?)[はが、:：]?\s?{VALUE}",
)


# What comes next in a story or in a rule, and what is seen of a login.
_STORY = LazyPattern(
    r"\b(?:page|form|screen|button|flow|test|tests|attempt|failed|fails|works|loads?|loaded|opens?|asked|told|shown"
    r"|redirected|sees|clicks?|reads?|gets|goes|wants|initials?|surname|last ?name)\b"
)
_MADE_OF = LazyPattern(
    r"(?:sur|last|first|fore|family|nick|middle)?-?name|initials?|dashboard|ticket|step|page|form|screen|menu|tab|task|issue"
    r"|level|phase|stage|test|vorname|nachname|schritt"
)


def after_logins(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "The login is her card number, and then …"."""
    for found in _LOGIN_THEN.found_in(low):
        place = place_of(text, found, least=2)
        if place is None or _is_product(low[slice(*place)]):
            continue
        is_step = _MADE_OF.fullmatch(_NUMBERED.sub("", low[slice(*place)])) is not None
        is_story = _STORY.search(found["about"] or "") is not None and not _TYPED_MARK.search(text, *place)
        if not is_step and not is_story:
            yield "password", *place


_HANDLE = Sought(
    "handle",
    r"(?<![^\s(:,])@[\w.]{3,30}\s{0,2}(?:[,;/|:+]|->|→|\s(?:and then|and|then|with|und|mit|et|y|con|e|com|en|met|i|и))"
    rf"\s{{0,2}}(?:(?:the|das|le|la|el|il|o|de) (?:rest|other one|other|second|andere|reste|otro|resto|altro|outro)"
    rf"(?:\s(?:is|ist|est|es|è|é)|:)\s)?{VALUE}{TOLD_ALL}",
)

_TYPED_MARK = LazyPattern(r"[!#$%^&*+=~?]")
_SOCIAL = LazyPattern(
    r"\b(?:insta\w*|twitter|tiktok|facebook|threads|mastodon|bluesky|snapchat|pinterest|youtube|etsy|account|log-?in"
    r"|konto|compte|cuenta|conta)\b"
)


def after_handles(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "The bakery insta: @crumbandcask, …"."""
    for found in _HANDLE.found_in(low):
        place = place_of(text, found, least=3)
        if place is None or not any(map(str.isdigit, text[slice(*place)])):
            continue
        if _TYPED_MARK.search(text, *place) or _SOCIAL.search(low, max(0, found.start() - _AHEAD), found.start()):
            yield "password", *place


# -- several words that open something ------------------------------------------------------------------------------

_OPENED_WITH = Sought(
    "opened with words",
    r"\b(?:unlock(?:s|ed|ing)?|decrypt(?:s|ed|ing)?|mount(?:s|ed)?|opens?|entsperr(?:en|t|e)|entschlüssel(?:n|t)"
    r"|déverrouille[rz]?|déchiffre[rz]?|s['’]ouvre|desbloque(?:a|ar|o|ia)|se abre|sblocc(?:a|are|o)|si apre"
    r"|ontgrendelt?|odblok(?:uj|ować|owuje))(?P<what>[^.;\n]{0,60}?)"
    r"(?:\s(?:with|using|mit|avec|con|com|met|przez)|[\s,]{1,2}(?:you |just |simply ){0,2}(?:type|enter|say))\s"
    r"[\"'“„«]?(?P<words>[^\W\d_]{2,14}(?: [^\W_]{1,14}){2,7})[\"'”“»]?(?=\s?(?:$|[.,;!?)\n—–]))",
)
_MIT = Sought(
    "with words opened",
    r"\b(?:mit|met)\s[\"'“„«]?(?P<words>[^\W\d_]{2,14}(?: [^\W_]{1,14}){2,7})[\"'”“»]?\s"
    r"(?:entsperren|entsperrt|entschlüsseln|entschlüsselt|ontgrendelen|ontgrendeld)(?!\w)",
)
_STORES = LazyPattern(
    r"\b(?:dis[ck]s?|drives?|volumes?|partitions?|sticks?|usb|luks|veracrypt|bitlocker|filevault|keepass\w*|vaults?"
    r"|bitwarden|keyrings?|keystore|archives?|zip|backups?|containers?|cryptomator|borg|restic|laptops?|macbook|server"
    r"|nas|root|festplatten?|platte|laufwerk|rechner|tresor|disque|clé usb|coffre|disco|unidad|bóveda|unità|pen"
    r"|schijf|dysk\w*)\b"
)
# What somebody unlocks with that is a thing, and words that go on with a sentence.
_NO_PHRASE = frozenset(
    "a an the my his her their our its your this that these those both one another each every no any some only just"
    " key keys keyfile file of cards tokens badges people admins fingerprints shares"
    " password passwords passphrase passcode pin code fingerprint finger thumb face touch id"
    " yubikey token card smartcard badge tool tools command script app apps phone tpm clevis tang dropbear cryptsetup"
    " luks gpg age ssh sudo systemd initramfs sops vault hello biometrics recovery hardware software help support"
    " during after before when while at from by via for if until because without instead through in on to into is are"
    " was were be not never always about as it he she they we you i who which where there than so but or also again"
    " kein keine dem den der die das ein eine einem einer seinem ihrem meinem schlüssel fingerabdruck datei passwort"
    " gesicht aus von im am beim bei zum zur nach vor oder le la les un une des du mon ma sa son leur clé empreinte"
    " doigt mot carte dans sur pour depuis el los las una mi su llave huella clave tarjeta desde del al para il lo gli"
    " uno suo chiave impronta dal nel per o os as um uma chave dedo meu seu do da no na de het een mijn zijn sleutel"
    " vingerafdruk van uit op klucz odcisk palec zdalnie".split()
)
_TWO_NAMES = LazyPattern(r"\b[A-Z]\w+ (?:and|or|with|plus) [A-Z]")  # one program beside another
_FEWEST_WORDS = 4
_FEWEST_WITH_NUMBER = 3


def opened_with_words(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "After a reboot, unlock the disk with …": a phrase of words that name no tool."""
    for form in (_OPENED_WITH, _MIT):
        for found in form.found_in(low):
            words = found["words"].split()
            fewest = _FEWEST_WITH_NUMBER if words[-1].isdigit() else _FEWEST_WORDS
            # Many of something is what one has to do or to show.
            is_phrase = len(words) >= fewest and _NO_PHRASE.isdisjoint(words) and not words[-1].endswith("s")
            around = low[max(0, found.start() - _BACK) : found.start("words")]
            is_names = _TWO_NAMES.search(text, *found.span("words")) is not None
            is_phrase = is_phrase and not is_names and not any(map(_is_product, words))
            if is_phrase and _STORES.search(around) and not said.REMARK.search(found["words"]):
                yield "passphrase", *found.span("words")


_MARKED_END = Sought(
    "marked end",
    r"(?:\b(?:is|was|it['’]s|just|think|say|use|uses|type|take|name|called|ist|nimm|denk an|c['’]est|est|pense à|prends"
    r"|es|piensa en|usa|è|pensa a|é|pensa em|denk aan|to|jest|это|просто)|[:,=])\s[\"'“„«‘]?"
    r"(?P<value>[^\W\d_]{4,24}[\"'”“»’]?,?\s(?:with|plus|and|mit|und|avec|et|con|y|più|e|com|mais|met|en|z|i|с|и)\s"
    r"(?:a |an |the |two |three |einer? |einem |un |une |una |uno |um |uma |een |zwei |deux |dos |due |dois |twee )?"
    r"[\"'“]?(?:number |zahl |digit )?"
    r"(?:\d{1,4}s?|[!?#$*]|(?:exclamation|question) mark|hash|dollar sign|star|ausrufezeichen|fragezeichen|point"
    r" d['’]exclamation|signo de exclamación|punto esclamativo|ponto de exclamação|uitroepteken|wykrzyknik\w*)[\"'”]?\s"
    r"(?:(?:on|at|in|to) the (?:end|back|front|beginning|start)|on it|behind it|after it|am (?:ende|anfang|schluss)"
    r"|hinten(?: dran)?|vorne(?: dran)?|dahinter|à la fin|au bout|au début|derrière|al (?:final|principio)|detrás"
    r"|alla fine|all['’]inizio|no (?:fim|final|início)|aan het (?:eind|einde|begin)|erachter|na końcu|na początku"
    r"|на конце|в конце)(?! of\b| von\b| de[ls]?\b| d['’]| van\b)"
    r"|[^\W\d_]{4,24}[\"'”“»’]?,?\s(?:followed by|gefolgt von|suivie? d['’e]|seguid[oa] de|seguito da|gevolgd door)\s?"
    r"(?:a |an |the |einer? |un |une |una |um |uma |een )?(?:number )?(?:\d{1,4}|[!?#$*]|(?:exclamation|question) mark)"
    r"(?=\s?(?:$|[.,;!)\n])))(?!\w)",
)
_IS_NAMED = LazyPattern(
    r"\b(?:(?:net(?:work|z)?|user|host|ssid|login|wlan|netzwerk|benutzer)?-?name[ns]?|ssid|call(?:ed|s)|named|heißt"
    r"|nom|s['’]appelle|nombre|se llama|nome|si chiama|chama-se|naam|netwerknaam|heet|nazwa|nazywa się)\b"
    r"|имя|назван|назыв"
)
_OF_PASSWORDS = LazyPattern(rf"{said.PASSWORDS}|\b(?:pass|clave|mdp)\b")
_OF_ACCESS = LazyPattern(rf"{said.PASSWORDS}|\b(?:wi-?fi|wlan|log-?in|logs in|signs in|pass|clave|mdp)\b")
_SEEN = LazyPattern(
    r"\b(?:button|page|box|icon|screen|form|link|label|sticker|sign|logo|router|cable|socket|light|led|banner|tab)\s"
    r"(?:is|was|says|are)\s[\"'“„«‘]?$"
)


def marked_at_the_end(_text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """ "For the password think 'Rumpole' with a … on the end"."""
    for found in _MARKED_END.found_in(low):
        before = max(0, found.start() - _BACK), found.start("value")
        is_name = _IS_NAMED.search(low, *before) and not _OF_PASSWORDS.search(low, *before)
        if _OF_ACCESS.search(low, *before) and not is_name and not _SEEN.search(low, *before):
            yield "password", *found.span("value")


_RULES = (
    *(typed_words, used_to_get_in, as_somebody, takes_both, after_logins, after_handles),
    *(opened_with_words, marked_at_the_end),
)


def in_passing(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """What any of the rules above finds."""
    for rule in _RULES:
        yield from rule(text, low)
