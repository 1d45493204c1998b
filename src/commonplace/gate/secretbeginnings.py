"""How the patterns of secrets begin: worked out from them by their test, never written by hand.

A space is any space, 0 any digit; `|` stands between two."""

# fmt: off
BEGINNINGS = {
    "act locked": (
        "0pas|acco|admi|amaz|arch|bild|bitw|box|cell|celu|comp|cons|cont|cuen|desk|diar|disk|disn|"
        "driv|elte|gast|hand|heim|hots|intr|ipad|ipho|jour|kass|keep|kind|komp|kont|lapt|lock|logi|"
        "mac|mail|mobi|móvi|nas|netf|netw|netz|nint|orde|ordi|pass|pc|phon|play|port|prin|prof|ps0|"
        "rech|red|rete|rout|rése|schi|scre|serv|sess|siec|sieć|sky |smar|spot|ssid|stic|swit|tabl|"
        "tele|tell|tv|télé|usb|vaul|vpn|wall|wi-f|wifi|wind|wire|wlan|work|xbox|zip|вайф|комп|ноут|"
        "план|роут|сети|сеть|теле"
    ),
    "act place": (
        "age |ajtó|alar|alla|anla|anti|apar|arma|armá|atm|atti|auto|back|banc|bank|barn|barr|base|"
        "bath|bike|bloc|boat|boil|box|boît|bram|bran|buil|burg|cabi|cabl|cade|cais|caix|caja|caje|"
        "canc|cand|cant|cara|cash|casi|cass|cell|chec|chil|cijf|cito|cloa|clos|club|coff|cofr|comb|"
        "cont|coop|copi|cott|cour|cupb|cửa|d-lo|debi|deur|digi|disc|disp|dist|dloc|domo|door|draw|"
        "drzw|dveř|e-re|eing|elev|entr|fiet|flat|fork|foto|free|frid|furt|gara|gart|gate|gerb|gree|"
        "grin|hang|heat|hek|hoft|hous|häly|imme|inte|ipad|kapu|kapı|kasa|kass|kast|kell|key |keyb|"
        "keyp|keys|kili|kind|klui|kopi|kser|käst|két|kłód|lacă|laka|larm|lett|lift|lobb|loca|lock|"
        "loja|lucc|lugg|lås|mail|mult|nest|offi|ofic|oven|ovi|padl|pane|pare|petr|phot|pint|piwn|"
        "plac|poar|pool|poor|port|proj|prot|préd|puer|pump|rest|rias|roll|room|safe|saun|schl|schr|"
        "schu|scre|seif|sejf|shed|shut|sich|sire|skry|skrz|slag|slot|smar|sper|spin|stab|stal|stee|"
        "stoc|stor|stud|suit|szaf|szla|széf|tabl|taqu|tast|tecl|terr|till|tor|tras|trea|tres|trez|"
        "turn|tür|u-lo|uloc|ușii|ușă|vaul|verj|voic|vrat|ware|work|yard|zame|záme|zámk|πόρτ|συνα|"
        "айпа|банк|воро|гара|двер|домо|замк|замо|кали|копи|ксер|план|подв|подъ|під'|під’|сейф|сигн|"
        "шлаг|خزنة|قفل|ताला|ताले|तिजो|दरवा|キーボッ|タブレッ|ロック|保险|平板|金庫|鍵|钥匙盒|锁|"
        "금고|열쇠함|자물쇠|잠금|태블릿"
    ),
    "address": "://",
    "admin": "admi|gues|post|root",
    "admin and a word": ": ad",
    "after mail": "@",
    "after name": (
        "acco|anvä|benu|brug|bruk|clav|code|codi|comp|cont|cuen|códi|e-ma|emai|gebr|id |id: |id= |"
        "iden|kod |kod:|kod=|kode|kont|kull|kód |kód:|kód=|log-|logi|pin |pin:|pin=|u |u: |u= |"
        "user|usr |usr:|usr=|usua|usuá|uten|util|użyt|uživ|код |код:|код=|логи|поль|ユーザー|用户 |"
        "用户: |用户= |用户名 |用户名:|用户名=|账号 |账号: |账号= |아이디 |아이디:|아이디="
    ),
    "answers": (
        "acco|answ|antw|beve|doma|for |gehe|maid|odpo|perg|preg|pyta|ques|reco|rese|resp|risp|répo|"
        "secr|secu|sich|конт|секр|セキュリ|安全問題|安全提示|安全问题|密保問題|密保提示|密保答案|"
        "密保问题|秘密の答|秘密の質|보안 질|보안질문|본인 확|본인확인|비밀번호"
    ),
    "anybody": "/",
    "app password": "app |app-",
    "archives": "plin|pscp|putt|unzi|zip",
    "are answers": "antw|reco|rese|resp|risp|répo|secr|secu|sich",
    "are the credentials": "cred|iden|logi|zuga",
    "as with": "als |as |come|comm|como|jako|под ",
    "asked": (
        "acco|answ|antw|ask|beve|chie|dema|doma|for |frag|gehe|iden|maid|odpo|perg|preg|pyta|ques|"
        "reco|rese|resp|risp|répo|secr|secu|sich|tele|veri|vraa|конт|секр|спра|セキュリ|安全問題|"
        "安全提示|安全问题|密保問題|密保提示|密保答案|密保问题|秘密の答|秘密の質|보안 질|보안질문|"
        "본인 확|본인확인|비밀번호"
    ),
    "at the end": (
        "acce|acco|adga|admi|alar|answ|auth|bank|bind|code|cont|db-p|db_p|dbpa|dure|e-ma|emai|emer|"
        "esca|fami|fras|ftp-|ftp_|ftpp|gehe|hasl|hasł|hesl|jels|kata|kenn|key-|key_|keyp|kode|logi|"
        "logo|lose|losu|löse|mail|mat |mdp|memo|merk|mot |mots|mật |p/w|pala|paro|pass|pasw|phon|"
        "phra|pick|priv|psk|psw|pw|rcon|root|sa-p|sa_p|safe|sala|sapa|secr|secu|senh|sich|sifr|"
        "sign|smtp|stor|svc-|svc_|svcp|słow|tajn|tele|unlo|user|veil|vnc-|vnc_|vncp|wach|watc|wifi|"
        "şifr|κωδι|συνθ|кодо|паро|секр|סיסמ|باسو|رمز |كلما|كلمة|گذرو|पासव|รหัส|パスコー|パスフレ|"
        "パスワー|口令|合言葉|密码|密碼|暗号ワー|비밀번호|비번|암호|패스워드"
    ),
    "authorization": "auth",
    "bare address": "@",
    "bare word": (
        "acco|adga|admi|alar|answ|auth|bank|bind|code|cont|db-p|db_p|dbpa|dure|emer|esca|fami|fras|"
        "ftp-|ftp_|ftpp|gehe|hasl|hasł|hesl|jels|kata|kenn|key-|key_|keyp|kode|lose|losu|löse|mail|"
        "mat |mdp |mdpe|mdpm|mdpn|mdps|memo|merk|mot |mots|mật |p/w |p/we|p/wm|p/wn|p/ws|pala|paro|"
        "pass|pasw|phon|phra|pick|priv|psk |pske|pskm|pskn|psks|psw |pswe|pswm|pswn|psws|pw |pwd |"
        "pwde|pwdm|pwdn|pwds|pwet|pwm |pwn |pwor|pwsi|rcon|root|sa-p|sa_p|safe|sala|sapa|secr|secu|"
        "senh|sich|sifr|smtp|stor|svc-|svc_|svcp|słow|tajn|tele|unlo|user|veil|vnc-|vnc_|vncp|wach|"
        "watc|wifi|şifr|κωδι|συνθ|кодо|паро|секр|סיסמ|باسو|رمز |كلما|كلمة|گذرو|पासव|รหัส|パスコー|"
        "パスフレ|パスワー|口令 |口令et|口令m |口令n |口令si|合言葉 |合言葉e|合言葉m|合言葉n|"
        "合言葉s|密码 |密码et|密码m |密码n |密码si|密碼 |密碼et|密碼m |密碼n |密碼si|暗号ワー|"
        "비밀번호|비번 |비번et|비번m |비번n |비번si|암호 |암호et|암호m |암호n |암호si|패스워드"
    ),
    "basic": "basi",
    "bearer": "bear",
    "card": (
        "00/0|0000|acco|amer|amex|back|bank|barc|bonu|card|cart|cid|code|codi|comp|corp|cred|cryp|"
        "csc|cv|cvc|cvv|códi|debi|digi|ean|ec c|ec k|ec-c|ec-k|ecca|ecka|ecko|epoc|freq|gift|grap|"
        "gtin|heal|iban|id|imei|insu|invo|isbn|kart|kod|kont|kred|libr|loya|mast|memb|numé|orde|"
        "phon|post|prüf|reve|secu|seri|sim|stud|tarj|tel|time|trac|vat|vers|visa|код|кред|クレジッ|"
        "コード|信用卡|码|신용카드|코드"
    ),
    "code": (
        " dig|-dig|0fa |0fa-|0fac|0fak|0fap|acce|acti|alar|apar|arm |arms|atm |atm-|atmc|atmk|atmp|"
        "auth|back|bath|best|bike|bild|buil|buzz|cabi|call|chai|club|code|codi|comb|conf|códi|deur|"
        "dial|digi|disa|door|dörr|dør-|dørc|dørk|eigh|eing|einm|entr|ents|five|four|fron|gara|gate|"
        "gehe|gerä|grin|guar|gun |home|host|hous|hus-|husc|husk|i-pi|inte|ipad|ipin|key |keyp|keys|"
        "klui|kod |kode|komb|lapt|larm|laun|lead|lock|logi|lugg|lås-|låsc|låsk|m-pi|matt|mfa |mfa-|"
        "mfac|mfak|mfap|mode|mpin|nume|núme|one-|onli|open|otp|pac|padl|pair|pare|park|phon|pool|"
        "poor|port|pres|safe|schl|scre|secu|setu|shed|sich|sign|sim |sim-|simc|simk|simp|six |six-|"
        "sixd|sms |sms-|smsc|smsk|smsp|sper|staf|stor|suit|t-pi|tabl|tan|tast|tele|till|toeg|tor-|"
        "torc|tpin|tres|two-|tür-|türc|unlo|vaul|verg|veri|voic|zahl|zuga|öffn|код |комб|解锁码|"
        "認証コー|锁屏码|门禁密码|驗證碼|验证码|인증 코|인증번호"
    ),
    "code sign": "cijf|code|codi|comb|códi|keyc|kod|komb|kód|код|رمز|كود|コード|番号|码|번호|코드",
    "command": (
        "--|0z|</|<<<|curl|echo|free|htpa|http|ipmi|keyt|ldap|lftp|logi|mari|mast|mong|mosq|mysq|"
        "net |open|plin|pscp|rabb|rdes|redi|requ|smbc|snmp|sqlc|sqlp|user|wpa_|zip"
    ),
    "cookie": "cook|set-",
    "credentials": (
        "anme|auth|basi|cred|http|iden|inlo|log |logg|logi|sign|ssid|user|wi-f|wifi|wlan|zuga|логи|"
        "учёт|账号密码"
    ),
    "curl": "curl",
    "cvv": "amer|amex|cryp|csc|cvc|cvn|cvv|códi|kart|prüf|secu|セキュリ|安全码",
    "echo": "echo",
    "element": "<",
    "encrypted": "beve|chif|cifr|decr|encr|ents|gesc|kryp|lock|pass|prot|vers|zasz|заши|защи",
    "few words": (
        "acco|adga|admi|alar|answ|auth|bank|bind|bitw|code|cont|db-p|db_p|dbpa|dice|dure|emer|esca|"
        "fami|fras|ftp-|ftp_|ftpp|gehe|hasl|hasł|hesl|jels|kata|kdbx|keep|kenn|key-|key_|keyp|kode|"
        "lose|losu|löse|mail|mast|mat |mdp|memo|merk|mot |mots|mật |p/w|pala|paro|pass|pasw|phon|"
        "phra|pick|priv|psk|psw|pw|rcon|root|sa-p|sa_p|safe|sala|sapa|secr|secu|senh|sich|sifr|"
        "smtp|stor|svc-|svc_|svcp|słow|tajn|tele|unlo|user|vaul|veil|vnc-|vnc_|vncp|wach|watc|wifi|"
        "şifr|κωδι|συνθ|кодо|паро|секр|סיסמ|باسو|رمز |كلما|كلمة|گذرو|पासव|รหัส|パスコー|パスフレ|"
        "パスワー|口令|合言葉|密码|密碼|暗号ワー|비밀번호|비번|암호|패스워드"
    ),
    "getting in": (
        "aanm|acce|acco|accè|aced|aces|admi|ange|anme|auth|benu|cms|coll|comp|cone|conn|cont|cred|"
        "cuen|dash|dsm|e-ba|eban|eing|einl|ente|entr|ftp|gebr|get |gets|iden|idra|ilo|imap|inge|"
        "ingr|inic|inlo|ipmi|komm|kont|kund|lapt|let |lets|log |log-|logg|logi|logo|logs|logt|logu|"
        "mail|meld|nas|onli|pane|port|rasp|rdp|rout|s'id|se c|serv|sftp|sign|smb|smtp|ssh|s’id|"
        "teln|toeg|user|usua|uten|użyt|vnc|vpn|wcho|web |webm|webs|webu|winb|zalo|zuga|авто|акка|"
        "войт|вход|захо|каби|логи|учет|учёт|アカウン|サインイ|ログイン|帐号|用户|登入|登录|登陆|"
        "账号|账户|계정|로그인|아이디|접속"
    ),
    "given for a lock": (
        "a |assi|conn|dado|dato|dała|dałe|dałm|dei |deu |di |dio |donn|dost|envo|gab |gave|gebe|"
        "gege|gesc|gets|give|givi|got |ha |habe|hand|has |hat |have|heef|kenn|know|mand|sabe|send|"
        "sent|set |tell|tem |text|tien|told|uses"
    ),
    "goes in as": (
        "acce|coll|cone|conn|entr|get |gets|go i|goes|iden|ingr|inic|log |log-|logg|logs|logt|logu|"
        "me c|me i|meld|mi c|mi i|se c|se i|si c|si i|sign|wcho|вход|вхож|захо"
    ),
    "groups of digits": (
        "0 - |0 -0|0 0|0 – |0 –0|0- 0|0-0|0.0|0/0|00 -|00 0|00 –|00- |00-0|00.0|00/0|00– |00–0|"
        "0– 0|0–0"
    ),
    "handle": "@",
    "here string": "<<<",
    "http": "http",
    "identified": "iden",
    "into it": (
        "he g|he l|he s|he u|he w|i ge|i lo|i si|i un|i wa|para|per |pour|she |they|to g|to l|to s|"
        "to u|to w|um a|um i|we g|we l|we s|we u|we w|you "
    ),
    "is the answer": "answ|antw|odpo|resp|risp|répo|secu|отве",
    "is the pin": "gehe|nip|pin|puk|пин",
    "key": (
        "anah|apik|app_|appi|auth|avai|chav|chia|clav|clé|cook|cred|jeto|key|kluc|llav|nyck|nøgl|"
        "pat|schl|secr|sleu|toke|ключ|токе|مفتا|रहस्|キー|シークレ|トークン|令牌|密鑰|密钥|키|토큰"
    ),
    "keypad": "code|codi|códi|kod|код|コード|码",
    "keys together": (
        "0 & |0 + |0 an|0 e |0 en|0 et|0 i |0 un|0 y |0 и |0+0 |0+0,|0, &|0, +|0, 0|0, a|0, e|0, i|"
        "0, u|0, y|0, и"
    ),
    "keytool": "keyt",
    "last of all": (
        "acco|adga|admi|alar|answ|auth|bank|bind|code|cont|db-p|db_p|dbpa|dure|emer|esca|fami|fras|"
        "ftp-|ftp_|ftpp|gehe|hasl|hasł|hesl|jels|kata|kenn|key-|key_|keyp|kode|lose|losu|löse|mail|"
        "mat |mdp |memo|merk|mot |mots|mật |p/w |pala|paro|pass|pasw|phon|phra|pick|priv|psk |psw |"
        "pw |pwd |pwor|rcon|root|sa-p|sa_p|safe|sala|sapa|secr|secu|senh|sich|sifr|smtp|stor|svc-|"
        "svc_|svcp|słow|tajn|tele|unlo|user|veil|vnc-|vnc_|vncp|wach|watc|wifi|şifr|κωδι|συνθ|кодо|"
        "паро|секр|סיסמ|باسو|رمز |كلما|كلمة|گذرو|पासव|รหัส|パスコー|パスフレ|パスワー|口令 |"
        "合言葉 |密码 |密碼 |暗号ワー|비밀번호|비번 |암호 |패스워드"
    ),
    "letters turned": (
        "l 0 |l 0,|l 0-|l 00|l0  |l0 ,|l0 -|l0 l|l0 r|l0, |l0,,|l0,-|l0,l|l0,r|l0- |l0-,|l0--|l0-l|"
        "l0-r|l00 |l00,|l00-|r 0 |r 0,|r 0-|r 00|r0  |r0 ,|r0 -|r0 l|r0 r|r0, |r0,,|r0,-|r0,l|r0,r|"
        "r0- |r0-,|r0--|r0-l|r0-r|r00 |r00,|r00-"
    ),
    "list of codes": "code|codi|códi|kode|kody|pin-|pinc|pinn|pins|коды",
    "list of passwords": "clav|cont|cred|hasł|iden|kenn|logi|löse|mots|pass|pws |pws:|senh|wach|zuga|паро",
    "lock": (
        "alar|anti|arma|bike|boît|cabi|caci|cade|caja|cand|casi|cass|cijf|coff|cofr|comb|digi|domo|"
        "fahr|fiet|gate|hang|key |keyb|keyp|keys|klui|kłód|lock|lucc|padl|safe|schl|sejf|skry|sleu|"
        "spin|szaf|szla|taqu|tres|vaul|vorh|zahl|домо|замо|кали|сейф|шлаг|キーボッ|ロッカー|保险柜|"
        "保险箱|密码锁|金庫|금고|도어락|사물함|자물쇠"
    ),
    "log in with": (
        "acce|anme|conn|einl|entr|giri|inlo|log |log:|logo|logは|log는|log：|se c|войт|вход|логи|"
        "ログイン|登入 |登入:|登入は|登入는|登入：|登录 |登录:|登录は|登录는|登录：|로그인 |"
        "로그인:|로그인は|로그인는|로그인："
    ),
    "logged in": "log |log-|logg|logi|logo|logs|sign",
    "login and then": (
        "benu|gebr|iden|inlo|kund|log-|logi|user|usua|uten|util|użyt|логи|ユーザi|ユーザー|"
        "ログイン|帐号|用户名|登录名|账号|아이디"
    ),
    "logs in": "log |log-|logg|logs|use |uses|usin",
    "lone digit": "0",
    "long code": "code|kod",
    "long thing": (
        "alar|cijf|deur|dörr|døre|eing|fiet|gara|grin|klui|larm|låse|poor|port|schl|skåp|spin|tres|"
        "tür"
    ),
    "loose password": "clav|clé |code|comm|cont|netw|pass|pre-|pres|wep |wepk|wi-f|wifi|wlan|wpa |wpa0|wpak",
    "machine": (
        "acce|acco|came|cons|cont|cred|data|db|ftp|logi|nas|port|prin|regi|rout|serv|swit|vpn|роут|"
        "ルーター|后台|路由器|공유기"
    ),
    "machine login": "mach",
    "maiden": "apel|maid|mädc|nom ",
    "marked": "!|#|$|%|&|*|+|?|^|~",
    "marked end": (
        ", |: |= |c'es|call|c’es|denk|es |est |is |ist |it's|it’s|jest|just|name|nimm|pens|pien|"
        "pren|say |take|thin|to |type|usa |use |uses|was |è |é |прос|это "
    ),
    "mysql": "mari|mysq",
    "namely": (
        "a sa|also|así |base|c'es|call|cioè|conc|czyl|c’es|d.h.|donc|dus|es d|givi|henc|i.e.|ie|"
        "isto|it's|it’s|maki|mian|mot|name|näml|o se|ofte|ossi|ou s|ovve|pala|paro|quin|so|spri|"
        "stem|słow|te w|that|to j|und |vale|viz|whic|więc|woor|word|wort|à sa|а им|слов|т.е.|то е|"
        "すなわち|つまり|也就是|即|就是|바로|즉"
    ),
    "net use": "net ",
    "network": "hots|netw|netz|red|rete|rése|ssid|wi-f|wifi|wlan",
    "network key": "hots|ssid|wi-f|wifi|wlan",
    "network quoted": "hots|ssid|wi-f|wifi|wlan",
    "network told": "hots|netz|rése|ssid|wi-f|wifi|wlan",
    "now": "admi|mysq|post|root|sa|supe",
    "number": (
        "#000|*000|0 - |0 -0|0 0 |0 0-|0 – |0 –0|0- 0|0-0 |0-0-|0-00|0-0–|00 -|00 0|00 –|00- |00-0|"
        "000|00a0|00b0|00c0|00d0|00e0|00f0|00g0|00h0|00i0|00j0|00k0|00l0|00m0|00n0|00o0|00p0|00q0|"
        "00r0|00s0|00t0|00u0|00v0|00w0|00x0|00y0|00z0|00а0|00б0|00в0|00г0|00д0|00е0|00ж0|00з0|00и0|"
        "00й0|00к0|00л0|00м0|00н0|00о0|00п0|00р0|00с0|00т0|00у0|00ф0|00х0|00ц0|00ч0|00ш0|00щ0|00ъ0|"
        "00ы0|00ь0|00э0|00ю0|00я0|00– |00–0|0a0|0b0|0c0|0d0|0e0|0f0|0g0|0h0|0i0|0j0|0k0|0l0|0m0|"
        "0n0|0o0|0p0|0q0|0r0|0s0|0t0|0u0|0v0|0w0|0x0|0y0|0z0|0а0|0б0|0в0|0г0|0д0|0е0|0ж0|0з0|0и0|"
        "0й0|0к0|0л0|0м0|0н0|0о0|0п0|0р0|0с0|0т0|0у0|0ф0|0х0|0ц0|0ч0|0ш0|0щ0|0ъ0|0ы0|0ь0|0э0|0ю0|"
        "0я0|0– 0|0–0 |0–0-|0–00|0–0–|a000|b000|c000|d000|e000|f000|g000|h000|i000|j000|k000|l000|"
        "m000|n000|o000|p000|q000|r000|s000|t000|u000|v000|w000|x000|y000|z000|а000|б000|в000|г000|"
        "д000|е000|ж000|з000|и000|й000|к000|л000|м000|н000|о000|п000|р000|с000|т000|у000|ф000|х000|"
        "ц000|ч000|ш000|щ000|ъ000|ы000|ь000|э000|ю000|я000"
    ),
    "number of a lock": (
        "alar|burg|chif|cifr|home|hous|intr|key |keyp|keys|klui|lock|nume|numé|núme|offi|padl|safe|"
        "schl|shop|slot|tres|номе"
    ),
    "numbers one by one": (
        "0 ag|0 an|0 ba|0 da|0 de|0 do|0 e |0 en|0 er|0 et|0 fi|0 i |0 in|0 je|0 lu|0 no|0 nu|0 on|"
        "0 ot|0 ou|0 po|0 pu|0 th|0 un|0 we|0 wi|0 y |0 zn|0 zu|0 ещ|0 за|0 и |0 оп|0 по|0 сн|0, 0|"
        "0, a|0, b|0, d|0, e|0, f|0, i|0, j|0, l|0, n|0, o|0, p|0, t|0, u|0, w|0, y|0, z|0, е|0, з|"
        "0, и|0, о|0, п|0, с|00 a|00 b|00 d|00 e|00 f|00 i|00 j|00 l|00 n|00 o|00 p|00 t|00 u|00 w|"
        "00 y|00 z|00 е|00 з|00 и|00 о|00 п|00 с|00, "
    ),
    "numbers turned": (
        "0 a |0 an|0 ba|0 cl|0 co|0 de|0 di|0 dr|0 es|0 ga|0 hö|0 iz|0 le|0 li|0 na|0 pa|0 pr|0 re|"
        "0 ri|0 sa|0 si|0 so|0 to|0 vä|0 w |0 à |0 вл|0 вп|0 на|0 右 |0 右,|0 右;|0 左 |0 左,|"
        "0 左;|0 오른|0 왼쪽|00 a|00 b|00 c|00 d|00 e|00 g|00 h|00 i|00 l|00 n|00 p|00 r|00 s|00 t|"
        "00 v|00 w|00 à|00 в|00 н|00 右|00 左|00 오|00 왼"
    ),
    "one-time": (
        "0fa |0fa-|0faa|0fak|0fas|auth|manu|mfa |mfa-|mfaa|mfak|mfas|otp |otp-|otpa|otpk|otps|setu|"
        "totp|two-"
    ),
    "opened with words": "decr|desb|déch|déve|ents|moun|odbl|ontg|open|s'ou|sblo|se a|si a|s’ou|unlo",
    "opens the": (
        " abr| apr| dec| des| dév| ent| get| let| odb| ont| ope| otw| ouv| sbl| unl| wil| öff| отк|"
        " раз"
    ),
    "opens with": (
        "abie|abre|acce|aper|apre|aufg|beve|boot|chif|cifr|decr|desb|desc|dese|débl|déve|encr|ents|"
        "extr|gaat|geht|gesc|gesi|get |gets|geöf|lock|moun|odbl|ontg|open|otwi|ouve|ouvr|prot|s'ou|"
        "sblo|se a|secu|si a|sper|s’ou|take|unlo|unse|unzi|verr|vers|wake|want|zabe|zasz|öffn|заши|"
        "защи|откр|разб|сним"
    ),
    "openssl": "open",
    "options": "--ac|--ap|--au|--cl|--ft|--ht|--pa|--pi|--pr|--se|--to",
    "password": (
        "acco|adga|admi|alar|answ|auth|bank|bind|code|cont|db-p|db_p|dbpa|dure|emer|esca|fami|fras|"
        "ftp-|ftp_|ftpp|gehe|hasl|hasł|hesl|jels|kata|kenn|key-|key_|keyp|kode|lose|losu|löse|mail|"
        "mat |mdp|memo|merk|mot |mots|mật |p/w|pala|paro|pass|pasw|phon|phra|pick|priv|psk|psw|pw|"
        "rcon|root|sa-p|sa_p|safe|sala|sapa|secr|secu|senh|sich|sifr|smtp|stor|svc-|svc_|svcp|słow|"
        "tajn|tele|unlo|user|veil|vnc-|vnc_|vncp|wach|watc|wifi|şifr|κωδι|συνθ|кодо|паро|секр|סיסמ|"
        "باسو|رمز |كلما|كلمة|گذرو|पासव|รหัส|パスコー|パスフレ|パスワー|口令|合言葉|密码|密碼|"
        "暗号ワー|비밀번호|비번|암호|패스워드"
    ),
    "password word": (
        "acco|adga|admi|alar|answ|auth|bank|base|bind|clav|code|comp|cont|cuen|db-p|db_p|dbpa|dure|"
        "emer|esca|fami|fras|ftp-|ftp_|ftpp|gehe|hasl|hasł|hesl|jels|kata|kenn|key-|key_|keyp|kode|"
        "kont|logi|lose|losu|löse|mail|mat |mdp|memo|merk|mot |mots|mật |p/w|pala|paro|pass|pasw|"
        "patt|phon|phra|pick|priv|psk|psw|pw|rcon|root|sa-p|sa_p|safe|sala|sapa|sche|secr|secu|"
        "senh|sich|sifr|smtp|stem|stor|svc-|svc_|svcp|słow|tajn|tele|unlo|user|veil|vnc-|vnc_|vncp|"
        "wach|watc|wifi|şifr|κωδι|συνθ|акка|кодо|паро|секр|סיסמ|باسو|رمز |كلما|كلمة|گذرو|पासव|รหัส|"
        "アカウン|パスコー|パスフレ|パスワー|口令|合言葉|密码|密碼|暗号ワー|账号|계정|비밀번호|"
        "비번|암호|패스워드"
    ),
    "phrase name": (
        "acco|adga|admi|alar|answ|auth|bank|bind|code|cont|db-p|db_p|dbpa|dice|dure|emer|esca|fami|"
        "fras|ftp-|ftp_|ftpp|gehe|hasl|hasł|hesl|jels|kata|kenn|key-|key_|keyp|kode|lose|losu|löse|"
        "mail|mast|mat |mdp|memo|merk|mot |mots|mật |p/w|pala|paro|pass|pasw|phon|phra|pick|priv|"
        "psk|psw|pw|rcon|root|sa-p|sa_p|safe|sala|sapa|secr|secu|senh|sich|sifr|smtp|stor|svc-|"
        "svc_|svcp|słow|tajn|tele|unlo|user|veil|vnc-|vnc_|vncp|wach|watc|wifi|şifr|κωδι|συνθ|кодо|"
        "паро|секр|סיסמ|باسو|رمز |كلما|كلمة|گذرو|पासव|รหัส|パスコー|パスフレ|パスワー|口令|合言葉|"
        "密码|密碼|暗号ワー|비밀번호|비번|암호|패스워드"
    ),
    "pin": "clav|code|codi|códi|gehe|kod |nip|pin|puk|код |пин|الرق|पिन|रक्ष|暗証番号|핀 번호|핀번호",
    "plain code": (
        " dig|-dig|0fa |0fa-|0fac|0fak|0fap|acce|acti|alar|apar|arm |arms|ask |asks|atm |atm-|atmc|"
        "atmk|atmp|auth|back|bath|best|bike|bild|buil|buzz|cabi|call|cell|chai|chil|clav|club|code|"
        "codi|comb|conf|códi|deur|dial|digi|disa|door|dörr|dør-|dørc|dørk|eigh|eing|einm|entr|ents|"
        "five|four|fron|gara|gate|gehe|gerä|grin|guar|gun |gym |gyml|haus|home|host|hous|hus-|husc|"
        "husk|i-pi|inte|ipad|ipin|kell|key |keyp|keys|klui|kod |kode|komb|lapt|larm|laun|lead|lock|"
        "logi|lugg|lås-|låsc|låsk|m-pi|matt|mfa |mfa-|mfac|mfak|mfap|mode|mpin|nip|nume|núme|one-|"
        "onli|open|otp|pac|pad |padl|pair|pare|park|pass|phon|pin|pool|poor|port|pres|puk|safe|"
        "schl|scre|secu|setu|shed|sich|sign|sim |sim-|simc|simk|simp|six |six-|sixd|sms |sms-|smsc|"
        "smsk|smsp|sper|staf|stor|suit|t-pi|tabl|tan|tast|tele|till|toeg|tor-|torc|tork|torp|tpin|"
        "tres|tv l|tvlo|two-|tür-|türc|türk|türp|unlo|vaul|verg|veri|voic|whee|zahl|zuga|öffn|код |"
        "комб|пин|الرق|पिन|रक्ष|密码锁|暗証番号|解锁码|認証コー|锁屏码|门禁|驗證碼|验证码|비밀번호|"
        "인증 코|인증번호|핀 번호|핀번호"
    ),
    "plain key": (
        ".env|acce|acco|admi|api |api-|api.|api_|apik|apin|apis|apit|app |app-|app_|appk|apps|appt|"
        "auth|bot |bot-|bot_|botk|bots|bott|chav|chia|clai|clav|clie|clé |depl|encr|gift|jeto|kluc|"
        "lice|mast|mull|pat|pre-|pres|priv|reco|root|secr|serv|sess|shar|sign|stor|toke|user|vouc|"
        "webh|zugr|ключ|токе|トークン|令牌|密钥|토큰"
    ),
    "plain login": (
        "acce|aced|aces|anme|conn|einl|entr|inic|inlo|log |log-|logg|logi|logs|logt|logu|meld|se c|"
        "sign|zalo|войт|вход"
    ),
    "plain password": (
        ".jks|.kdb|.key|.p00|.pfx|acco|adga|admi|alar|anme|answ|auth|bank|bind|bloc|bloq|clav|code|"
        "cont|cred|dane|db-p|db_p|dbpa|dbpw|dure|emer|enab|esca|fami|fras|ftp-|ftp_|ftpp|gehe|gesp|"
        "hasl|hasł|hesl|hots|iden|init|inlo|jels|kata|kenn|key |key-|key_|keyp|kode|ldap|lock|log-|"
        "logi|lose|losu|löse|mail|mat |mdp|memo|merk|mot |mots|mật |netw|one-|p/w|pala|paro|pass|"
        "pasw|phon|phra|pick|priv|prot|psk|psw|pw|rcon|root|sa-p|sa_p|safe|sala|sapa|secr|secu|"
        "senh|sich|sifr|smtp|star|stor|su_p|sudo|supw|svc-|svc_|svcp|słow|tajn|tele|temp|unlo|user|"
        "veil|verr|vnc-|vnc_|vncp|wach|watc|wi-f|wifi|wire|wlan|word|zuga|şifr|κωδι|συνθ|кодо|паро|"
        "секр|סיסמ|باسو|رمز |كلما|كلمة|گذرو|पासव|รหัส|パスコー|パスフレ|パスワー|口令|合言葉|密码|"
        "密碼|暗号ワー|비밀번호|비번|암호|패스워드"
    ),
    "plain recovery": (
        "0fa |0fa-|0fac|0fak|0fas|0fat|back|bitl|bypa|clé |clés|code|codi|códi|emer|ersa|fall|file|"
        "gend|gjen|hers|kody|kodó|kurt|mfa |notf|one-|reco|resc|rese|rest|scra|sing|spar|two-|wied|"
        "yede|zálo|åter|запа|код|резе|رموز|バックア|リカバリ|备份码|备用码|復元コー|恢复代码|"
        "恢复码|백업 코|복구 코"
    ),
    "plus": (
        "+ a |+ an|+ añ|+ bi|+ de|+ el|+ ex|+ fi|+ fo|+ il|+ in|+ it|+ ja|+ la|+ le|+ na|+ no|+ nu|"
        "+ o |+ ro|+ se|+ si|+ th|+ tw|+ ye|+ го|+ на|+ サイ|+ 网站|+ 사이|+a |+an |+ann|+ano|+año|"
        "+bir|+de |+dem|+den|+el |+exc|+fir|+fou|+il |+ini|+its|+jaa|+jah|+la |+las|+le |+nam|+nom|"
        "+num|+o |+rok|+ser|+sit|+the|+two|+yea|+год|+наз|+サイト|+网站|+사이트|and |avec|con |"
        "cona|conb|cond|cone|conf|coni|conj|conl|conn|cono|conr|cons|cont|cony|conг|conн|conサ|"
        "con网|con사|foll|gefo|gevo|i po|mais|met |meta|metb|metd|mete|metf|meti|metj|metl|metn|"
        "meto|metr|mets|mett|mety|metг|metн|metサ|met网|met사|mit |más |mása|másb|másd|máse|másf|"
        "mási|másj|másl|másn|máso|másr|máss|mást|másy|másг|másн|másサ|más网|más사|oraz|più |piùa|"
        "piùb|piùd|piùe|piùf|piùi|piùj|piùl|piùn|piùo|piùr|piùs|piùt|piùy|piùг|piùн|piùサ|più网|"
        "più사|plus|puis|segu|suiv|then|und |with|y lu|z a |z an|z añ|z bi|z de|z el|z ex|z fi|"
        "z fo|z il|z in|z it|z ja|z la|z le|z na|z no|z nu|z o |z ro|z se|z si|z th|z tw|z ye|z го|"
        "z на|z サイ|z 网站|z 사이|za |zan |zann|zano|zaño|zbir|zde |zdem|zden|zel |zexc|zfir|zfou|"
        "zil |zini|zits|zjaa|zjah|zla |zlas|zle |znam|znom|znum|zo |zrok|zser|zsit|zthe|ztwo|zyea|"
        "zгод|zназ|zサイト|z网站|z사이트|зате|и по|плюс|と a |と an|と añ|と bi|と de|と el|と ex|"
        "と fi|と fo|と il|と in|と it|と ja|と la|と le|と na|と no|と nu|と o |と ro|と se|と si|"
        "と th|と tw|と ye|と го|と на|と サイ|と 网站|と 사이|とa |とan |とann|とano|とaño|とbir|"
        "とde |とdem|とden|とel |とexc|とfir|とfou|とil |とini|とits|とjaa|とjah|とla |とlas|とle |"
        "とnam|とnom|とnum|とo |とrok|とser|とsit|とthe|とtwo|とyea|とгод|とназ|とサイト|と网站|"
        "と사이트|に a |に an|に añ|に bi|に de|に el|に ex|に fi|に fo|に il|に in|に it|に ja|"
        "に la|に le|に na|に no|に nu|に o |に ro|に se|に si|に th|に tw|に ye|に го|に на|"
        "に サイ|に 网站|に 사이|にa |にan |にann|にano|にaño|にbir|にde |にdem|にden|にel |にexc|"
        "にfir|にfou|にil |にini|にits|にjaa|にjah|にla |にlas|にle |にnam|にnom|にnum|にo |にrok|"
        "にser|にsit|にthe|にtwo|にyea|にгод|にназ|にサイト|に网站|に사이트|加 a |加 an|加 añ|"
        "加 bi|加 de|加 el|加 ex|加 fi|加 fo|加 il|加 in|加 it|加 ja|加 la|加 le|加 na|加 no|加 nu|"
        "加 o |加 ro|加 se|加 si|加 th|加 tw|加 ye|加 го|加 на|加 サイ|加 网站|加 사이|加a |加an |"
        "加ann|加ano|加año|加bir|加de |加dem|加den|加el |加exc|加fir|加fou|加il |加ini|加its|加jaa|"
        "加jah|加la |加las|加le |加nam|加nom|加num|加o |加rok|加ser|加sit|加the|加two|加yea|加год|"
        "加наз|加サイト|加上 a|加上 b|加上 d|加上 e|加上 f|加上 i|加上 j|加上 l|加上 n|加上 o|"
        "加上 r|加上 s|加上 t|加上 y|加上 г|加上 н|加上 サ|加上 网|加上 사|加上a |加上an|加上añ|"
        "加上bi|加上de|加上el|加上ex|加上fi|加上fo|加上il|加上in|加上it|加上ja|加上la|加上le|"
        "加上na|加上no|加上nu|加上o |加上ro|加上se|加上si|加上th|加上tw|加上ye|加上го|加上на|"
        "加上サイ|加上网站|加上사이|加网站|加사이트|더하기 |더하기a|더하기b|더하기d|더하기e|"
        "더하기f|더하기i|더하기j|더하기l|더하기n|더하기o|더하기r|더하기s|더하기t|더하기y|더하기г|"
        "더하기н|더하기サ|더하기网|더하기사|하고 a|하고 b|하고 d|하고 e|하고 f|하고 i|하고 j|"
        "하고 l|하고 n|하고 o|하고 r|하고 s|하고 t|하고 y|하고 г|하고 н|하고 サ|하고 网|하고 사|"
        "하고a |하고an|하고añ|하고bi|하고de|하고el|하고ex|하고fi|하고fo|하고il|하고in|하고it|"
        "하고ja|하고la|하고le|하고na|하고no|하고nu|하고o |하고ro|하고se|하고si|하고th|하고tw|"
        "하고ye|하고го|하고на|하고サイ|하고网站|하고사이"
    ),
    "protected": "med |met |mit ",
    "recovery": (
        "0fa |0fa-|0fac|0fak|0fas|0fat|back|bitl|bypa|clé |clés|code|codi|códi|emer|ersa|fall|file|"
        "gend|gjen|hers|kody|kodó|kurt|mfa |notf|one-|reco|resc|rese|rest|scra|sing|spar|two-|wied|"
        "yede|zálo|åter|запа|код|резе|رموز|バックア|リカバリ|备份码|备用码|復元コー|恢复代码|"
        "恢复码|백업 코|복구 코"
    ),
    "redis": "redi",
    "referred": (
        "acco|adga|admi|alar|answ|auth|bank|bind|code|cont|db-p|db_p|dbpa|dure|emer|esca|fami|fras|"
        "ftp-|ftp_|ftpp|gehe|hasl|hasł|hesl|jels|kata|kenn|key-|key_|keyp|kode|lose|losu|löse|mail|"
        "mat |mdp|memo|merk|mot |mots|mật |p/w|pala|paro|pass|pasw|phon|phra|pick|priv|psk|psw|pw|"
        "rcon|root|sa-p|sa_p|safe|sala|sapa|secr|secu|senh|sich|sifr|smtp|stor|svc-|svc_|svcp|słow|"
        "tajn|tele|unlo|user|veil|vnc-|vnc_|vncp|wach|watc|wifi|şifr|κωδι|συνθ|кодо|паро|секр|סיסמ|"
        "باسو|رمز |كلما|كلمة|گذرو|पासव|รหัส|パスコー|パスフレ|パスワー|口令|合言葉|密码|密碼|"
        "暗号ワー|비밀번호|비번|암호|패스워드"
    ),
    "registry login": "az|cran|dock|helm|oc|podm|skop",
    "requirepass": "mast|requ",
    "reuses": "alwa|recy|reus",
    "say": (
        "answ|deci|dice|dire|dit |diz |dize|give|mówi|powi|sage|sagt|said|say |sayi|says|tell|zegg|"
        "zegt|гово|сказ"
    ),
    "seed": (
        "00 m|00 p|00 w|00-m|00-p|00-w|back|bip-|bip0|doce|douz|fras|fraz|hers|kurt|ledg|meta|mnem|"
        "pala|phra|reco|secr|seed|trez|twel|twen|wall|wied|zwöl|åter|мнем|сид |сид-|сидф|عبار|"
        "シードフ|リカバリ|助記詞|助记词|니모닉|시드 구|시드구문"
    ),
    "session": "=",
    "smbclient": "smbc",
    "snmp": "snmp",
    "spaced number": "00 0|000 |0000",
    "spelled": (
        "clav|cont|kenn|mot |pass|pw :|pw d|pw e|pw f|pw i|pw o|pw t|pw è|pw é|pw: |pwes|pwis|pwè |"
        "pwé |senh|wach"
    ),
    "spelled access": (
        "acco|adga|admi|alar|answ|auth|bank|bind|buch|code|cont|db-p|db_p|dbpa|dele|dure|emer|esca|"
        "fami|fras|ftp-|ftp_|ftpp|gehe|hasl|hasł|hesl|hots|jels|kata|kenn|key-|key_|keyp|kode|lett|"
        "log-|logi|lose|losu|löse|mail|mat |mdp|memo|merk|mot |mots|mật |netf|p/w|pala|paro|pass|"
        "pasw|phon|phra|pick|pin|priv|psk|psw|pw|rcon|root|rout|sa-p|sa_p|safe|sala|sapa|secr|secu|"
        "senh|sich|sifr|smtp|spel|spot|ssid|stor|svc-|svc_|svcp|słow|tajn|tele|unlo|user|veil|vnc-|"
        "vnc_|vncp|wach|watc|wi-f|wifi|wire|wlan|épel|şifr|κωδι|συνθ|кодо|паро|секр|סיסמ|باسو|رمز |"
        "كلما|كلمة|گذرو|पासव|รหัส|パスコー|パスフレ|パスワー|口令|合言葉|密码|密碼|暗号ワー|"
        "비밀번호|비번|암호|패스워드"
    ),
    "spelled so": (
        "aan |atta|junt|klei|lowe|mały|minu|minú|no s|one |raze|sem |sin |smal|un m|uppe|with|zusa|"
        "мале|слит"
    ),
    "sqlplus": "sqlp",
    "sshpass": "sshp",
    "takes": "acce|chce|chie|dema|expe|need|pide|quer|quie|take|verl|veut|vuol|want|wil |will|прос|хоче",
    "takes both": (
        "acce|acei|acep|akze|coge|entr|expe|geht|goes|let |lets|like|marc|nimm|open|pakt|pren|przy|"
        "take|took|vuol|want|werk|work|прин"
    ),
    "thing": (
        "airb|alar|alla|alma|anne|anti|apar|appa|arma|arre|atel|atti|back|barn|barr|base|bath|berg|"
        "bike|bin |bina|biur|boat|bode|box|boît|bram|brie|brán|budy|buil|bure|burg|buzó|büro|cabi|"
        "caci|cade|caja|canc|cand|cant|car |cara|casa|casi|cass|cave|cell|chal|chic|chur|club|coch|"
        "coff|cofr|cond|cons|cott|d-lo|dark|dloc|domk|domo|door|draw|drzw|dveř|edif|einb|einf|elev|"
        "entr|escr|fahr|feri|fiet|flat|fron|furt|gara|gart|gate|gree|gym|gîte|hall|hang|haup|haus|"
        "hek|hoft|holi|hote|hous|imme|inbr|inte|ipad|ipho|kant|kapı|kasa|kell|key |keyb|keyp|keys|"
        "kili|klat|kłód|lab|lage|lapt|lett|lobb|loca|lock|lucc|lugg|maga|mail|mais|mala|male|mies|"
        "nave|offi|ofic|padl|pake|pala|parc|park|phon|pisc|piso|piwn|pool|port|préd|puer|rest|rowe|"
        "rési|safe|schl|scho|schr|schu|sejf|sekt|serv|shed|skry|skrz|slag|sleu|smar|stab|staf|stai|"
        "stoc|stor|stud|suit|summ|szaf|szla|tabl|tack|taqu|toil|tor|tras|trep|trez|turn|uffi|vali|"
        "vall|vaul|vere|verj|voic|wali|ware|wash|werk|wohn|work|wózk|zámk|воро|гара|дач|двер|домо|"
        "замк|замо|кали|квар|клад|офис|парк|подъ|почт|сейф|сигн|скла|хран|чемо|шлаг|ячей|الإن|البا|"
        "الخز|المن|アラーム|オートロ|ガレージ|キーボッ|スマート|ドア|ロッカー|仓库|会議室|保险柜|"
        "保险箱|倉庫|办公室|单元|宅配ボッ|小区|快递柜|玄関|警報|車庫|车库|金庫|锁|門|门|駐輪|"
        "공동현관|금고|대문|도어락|사물함|열쇠함|자물쇠|주차|창고|출입문|현관"
    ),
    "tools": "0z|bcp|cada|htpa|ipmi|ldap|lftp|mong|mosq|rabb|rdes|smbc|sqlc|user|wfre|xfre",
    "turns": (
        "anti|back|cloc|coun|dere|dest|dire|droi|esqu|gauc|höge|izqu|left|lewo|link|praw|rech|righ|"
        "sağa|sini|sola|väns|влев|впра|нале|напр|右|左|오른쪽|왼쪽"
    ),
    "typed at a panel": (
        "almo|aste|bell|canc|card|diès|ente|gloc|gwia|hash|hekj|klin|krzy|poun|raut|star|ster|tast|"
        "tecl|touc|étoi|звёз|реше|решё"
    ),
    "typed at login": (
        "digi|ente|escr|key |mets|mett|pon |pong|punc|put |põe |sais|schr|scri|tape|tecl|tik |tipp|"
        "typ |type|typi|wpis|écri|введ|ввод|набе|напи|пиши"
    ),
    "typed last": "eing|eint|inty|invu|schr|tipp|type|wpis|ввес|набр",
    "types": (
        "answ|colo|digi|eing|eint|ente|entr|escr|gebe|gib |gib:|gibt|give|inpu|inse|insi|into|intr|"
        "key |keyi|keys|met |met:|mett|poda|pon |pon:|pone|punc|put |put:|puts|putt|põe |põe:|repl|"
        "sais|say |say:|says|scri|supp|tape|tecl|tipp|toet|typ |typ:|type|typi|use |use:|uses|usin|"
        "voer|wpis|zet |zet:|введ|ввод|набе|наби"
    ),
    "user and key": (
        "anvä|benu|brug|bruk|gebr|id |id: |id= |iden|kull|log-|logi|u |u: |u= |user|usr |usr:|usr=|"
        "usua|usuá|uten|util|użyt|uživ|логи|поль|ユーザー|用户 |用户: |用户= |用户名 |用户名:|"
        "用户名=|账号 |账号: |账号= |아이디 |아이디:|아이디="
    ),
    "user and p": (
        "anvä|benu|brug|bruk|gebr|id :|id =|id:|id=|iden|kull|log-|logi|u :|u =|u:|u=|user|usr |"
        "usr:|usr=|usua|usuá|uten|util|użyt|uživ|логи|поль|ユーザー|用户 :|用户 =|用户:|用户=|"
        "用户名 |用户名:|用户名=|账号 :|账号 =|账号:|账号=|아이디 |아이디:|아이디="
    ),
    "username": "user",
    "uses to get in": (
        "answ|ente|gebr|give|mete|mets|mett|neem|nehm|nimm|nutz|pon |pone|put |põe |tape|try |type|"
        "usa |usad|use |uses|usi |usin|util|użyj|wpis|введ|испо|набе"
    ),
    "wide before": "という|这一个|这个|這個|란|이라는|이란",
    "wide card": (
        "キャッシ|クレカ|クレジッ|デビット|信用卡|储蓄卡|提款卡|通帳|銀行のカ|銀行カー|银行卡|"
        "은행 카|은행카드|체크 카|체크카드|통장|현금 카|현금카드"
    ),
    "wide number": "パスコー|密码|密碼|暗証番号|비밀번호|비번",
    "wide opens": (
        "0000|ロック解|打开|拨 00|拨000|按 00|按000|按下 0|按下00|摁 00|摁000|解开|解錠|解锁|解開|"
        "解除|输 00|输000|输入 0|输入00|開く|開けるに|開錠|여는|잠금 해|잠금해제|풀"
    ),
    "wide types": (
        "と入力|と打|と答|を入力|を打|填|敲|输入|鍵入|键入|라고 입|라고 치|를 입력|을 입력|이라고|"
        "입력"
    ),
    "wifi": "hots|wi-f|wifi|wlan|ワイファ|와이파이",
    "wifi code": "wifi",
    "with words opened": "met |mit ",
    "wpa": "wpa_",
}
