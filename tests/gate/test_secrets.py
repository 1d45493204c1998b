"""Secrets are found in all their shapes and in the words people use, and little else is taken for one."""

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.gate.secrets import find_secrets, redact, redact_nested
from commonplace.gate.secretshapes import NAMED, SHAPES
from commonplace.gate.secretvalues import passes_base58check
from tests.gate.made_secrets import FORMS, made, pem

ROOT = Path(__file__).parents[2]
CASES = ROOT / "src/commonplace/bench/cases"

# The sign stands inside each value and is taken out before use.
TOLD = """
en|my password is hun⁞ter2
en|The wifi password: Blue⁞Heron42!
en|Their PIN is 48⁞21
en|The wifi password is butter⁞fly
en|The password for the NAS at home is Tr0ub⁞4dor&3.
en|Changed the router password to Pine⁞apple_9
en|Uses S3cr⁞et!9 as the password for everything
en|hunt⁞er2 is the password for the forum
en|The passphrase is correct horse ⁞battery staple
en|username admin, password let⁞mein99
en|Her Netflix password is 'fluffy ⁞bunny'
en|door code is 73⁞51#
en|Safe combination is 32-⁞18-7
de|das Passwort lautet Sommer⁞2024!
de|Das Kennwort für den Drucker ist Toner⁞77
de|Die PIN der Karte lautet 59⁞31
es|mi contraseña es Gato.⁞Negro77
es|La contraseña del correo: luna⁞_llena8
es|El código de la alarma es 44⁞19
fr|mot de passe : Soleil⁞#99
fr|Le mot de passe du wifi est Lavande⁞34
fr|Son code PIN est 70⁞28
zh|密码是abc⁞12345
zh|我的邮箱密码：Huo⁞che88
ja|パスワードはtana⁞ka99です
ja|Wi-Fiのパスワード：sora⁞2580
ko|비밀번호는 qwer⁞1234입니다
ko|와이파이 비번: bada⁞7788
ru|пароль от вайфая: Ромашка⁞2024
ru|Пароль teplo⁞hod55
pl|hasło do wifi to Kotek⁞123
pl|Hasło: Bursz⁞tyn9
tr|Wi-Fi şifresi kedi⁞1907
tr|şifre: Bogaz⁞ici34
pt|senha do wifi é Giras⁞sol88
pt|A senha é sabi⁞a2020
nl|wachtwoord van de wifi is Fiets⁞2020
nl|Het wachtwoord: Tulp⁞enveld3
sv|lösenordet är Vinter⁞2023
sv|Lösenord: fjäll⁞räv12
ar|كلمة المرور هي Ahmed⁞2024
it|la password del wifi è Vesu⁞vio79
""".strip().splitlines()

NO_SECRETS = """
password manager is Bitwarden
the API key is in 1Password under Infra
password is stored in the vault
password must have 12 characters
password reset is broken again
forgot his password
token limit is 4096
key is to practise daily
PIN code required
max_tokens=4096
The password is 12 characters long.
API key: YOUR_API_KEY
password=${DB_PASSWORD}
password: changeme
password: ********
api_key = "xxxxxxxxxxxxxxxx"
export TOKEN=$TOKEN
Authorization: Bearer <token>
password is in the drawer
The password to server1 is in 1Password
password expired on 2024-05-01
commit 4f2c9a1b3d5e6f708192a3b4c5d6e7f8091a2b3c
sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
ISBN 978-3-16-148410-0
IBAN DE89 3704 0044 0532 0130 00
+49 170 1234567
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK7mZx2LvRtB9nWc4YpD1sFhJ6gTa3UeXoQ5iNz8Wk bob@host
-----BEGIN PUBLIC KEY----- MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE -----END PUBLIC KEY-----
session 550e8400-e29b-41d4-a716-446655440000
https://docs.example.org/guide/tokens?version=2#section-12345678901234567890
/home/anna/projects/garden-planner/src/components/PasswordField.tsx
password: str = Field(default="")
password = os.environ["DB_PASSWORD"]
Passwords are hashed with argon2id
Primary key: user_id_2
Das Passwort ist im Tresor
la clave es practicar cada día
The seed phrase is written on paper and kept in the safe at his parents place near Bern
The token price is 12.50 USD
python 3.11.9, node v20.12.2
uses claude-sonnet-4-20250514 as key model
Order 4021 7788 1034 5521 was returned
""".strip().splitlines()


def told() -> list[tuple[str, str]]:
    """The sentences that tell a secret, each with the two halves of the secret joined."""
    return [tuple(line.replace("⁞", "").split("|", 1)) for line in TOLD]  # pyright: ignore[reportReturnType] two each


def clean_lines() -> list[str]:
    """Lines that people wrote about anything but secrets."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    lines = [line.strip() for page in pages for line in page.read_text("utf-8").splitlines()]
    for module in (ROOT / "src/commonplace").rglob("*.py"):
        if not module.name.startswith("secret"):
            lines += [
                doc
                for text in re.findall(r'"""(.+?)"""', module.read_text("utf-8"), re.DOTALL)
                for doc in text.splitlines()
            ]
    return list(dict.fromkeys([line for line in lines if len(line) > 15] + NO_SECRETS))


@pytest.mark.req("S4")
def test_the_table_names_more_than_a_hundred_shapes() -> None:
    assert len({shape.kind for shape in (*SHAPES, *NAMED)}) >= 150


@pytest.mark.req("S4", "GATE-2")
def test_tokens_of_two_hundred_shapes_are_found_and_nothing_of_them_is_left() -> None:
    assert len(FORMS) >= 170
    missed: list[str] = []
    for form in FORMS:
        for seed in range(3):
            text, pieces = made(form, seed)
            for said in (text, f"Note for later: {text}", f"{text}, please keep it."):
                clean = redact(said)
                if clean == said or any(piece in clean for piece in pieces):
                    missed.append(said)
    assert len(missed) <= len(FORMS) * 9 // 100, missed


@pytest.mark.req("S4")
@pytest.mark.parametrize("separator", ["\n", " ", "\\n", "\r\n"])
@pytest.mark.parametrize(
    "kind", ["RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "PGP PRIVATE KEY BLOCK"]
)
def test_private_keys_go_whole_however_their_lines_are_broken(kind: str, separator: str) -> None:
    assert redact(f"Key: {pem(kind, separator)} done") == "Key: [secret removed: private key] done"


@pytest.mark.req("S4")
def test_a_private_key_without_its_end_is_removed_as_far_as_it_goes() -> None:
    cut = pem("PRIVATE KEY").rpartition("-----END")[0]
    assert redact(f"{cut}!") == "[secret removed: private key]!"


@pytest.mark.req("S4", "GATE-2")
@pytest.mark.parametrize(("lang", "text"), told())
def test_passwords_are_found_in_the_words_people_use(lang: str, text: str) -> None:
    line = next(line for line in TOLD if line.replace("⁞", "") == f"{lang}|{text}")
    value = next(word for word in line.split() if "⁞" in word).replace("⁞", "").strip(".,'")
    assert find_secrets(text), text
    assert value not in redact(text)


@pytest.mark.req("S4")
def test_there_are_forty_told_passwords_in_a_dozen_languages() -> None:
    assert len(TOLD) >= 40
    assert len({lang for lang, _ in told()}) >= 12


@pytest.mark.parametrize(
    "text",
    [
        "The wifi password is working and tested",
        "The password is expired! Ask IT.",
        "the password is annoying and long",
        "La contraseña del wifi es larga y segura",
        "Das Passwort ist kompliziert und lang",
        "Le mot de passe est long et compliqué",
        "Hasło jest długie i trudne.",
    ],
)
def test_what_one_thinks_of_a_password_is_no_secret(text: str) -> None:
    assert find_secrets(text) == []


def test_of_a_netrc_line_the_password_goes_and_what_follows_stays() -> None:
    text = "machine h login bo password pebbleDrum61\nLikes green tea\nPlays the oboe"
    assert redact(text) == text.replace("pebbleDrum61", "[secret removed: password]")


@pytest.mark.req("S4")
@pytest.mark.parametrize("text", NO_SECRETS)
def test_talk_about_secrets_is_no_secret(text: str) -> None:
    assert redact(text) == text


@pytest.mark.req("S4")
def test_at_most_one_clean_line_in_a_hundred_raises_an_alarm() -> None:
    lines = clean_lines()
    assert len(lines) >= 1000
    alarms = [line for line in lines if find_secrets(line)]
    assert len(alarms) <= len(lines) // 100, alarms


@pytest.mark.req("S4")
@pytest.mark.parametrize("name", ["secrets.jsonl", "more-secrets.jsonl"])
def test_the_cases_for_tuning_are_told_apart(name: str) -> None:
    cases = [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]
    secrets = [case["text"].replace("⁞", "") for case in cases if case["class"] == "secret"]
    others = [case["text"] for case in cases if case["class"] == "keep"]
    assert len(secrets) >= 90
    assert len(others) >= 60
    assert [text for text in secrets if not find_secrets(text)] == []
    assert [text for text in others if find_secrets(text)] == []


@pytest.mark.req("S4")
@pytest.mark.parametrize("name", [f"{which}-secrets.jsonl" for which in ("third", "fourth", "fifth", "sixth")])
def test_of_the_later_sets_for_tuning_ninety_nine_in_a_hundred_are_told_apart(name: str) -> None:
    cases = [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]
    secrets = [case["text"].replace("⁞", "") for case in cases if case["class"] == "secret"]
    others = [case["text"] for case in cases if case["class"] == "keep"]
    missed = [text for text in secrets if not find_secrets(text)]
    alarms = [text for text in others if find_secrets(text)]
    assert len(missed) * 100 <= len(secrets), missed
    assert len(alarms) * 100 <= len(others), alarms


# The text, and the same without its secret.
TOLD_BY_THE_WAY_IN = """
sudo password for user 'build' on the mac mini is grape⁞fruit99x|sudo password for user 'build' on the mac mini is *
Ansible vault password is tuna⁞Fish.sextant|Ansible vault password is *
Admin password got changed from the default to Pike⁞Perch-303|Admin password got changed from the default to *
Scanner share: password written in the manual as Toner⁞-4500-x|Scanner share: password written in the manual as *
config/master.key contains 9d05a36e1fa8⁞d3c5b7904e2c6d1f0a9b|config/master.key contains *
Reception iPad passcode: 83 1⁞ 1 9 6|Reception iPad passcode: *
Der Code für die Tiefgarage ist seit Mai 71⁞935|Der Code für die Tiefgarage ist seit Mai *
La clave del servidor de pruebas se cambió a Mochuelo⁞_17|La clave del servidor de pruebas se cambió a *
If Plex asks, sign in with kofi@low.example and then coral⁞Reef_3|If Plex asks, sign in with kofi@low.example and then *
Signs in as anna with Velvet⁞Hammer_06 at work|Signs in as anna with * at work
When sudo asks, type tr0mb⁞one-lake|When sudo asks, type *
KeePass opens with 'blue⁞TractorOnIce'|KeePass opens with '*'
User unlocks the phone with 86⁞1942|User unlocks the phone with *
To disarm the alarm type 55⁞2063 within 30 seconds|To disarm the alarm type * within 30 seconds
Meldet sich bei GMX mit opa.heinz und Moped⁞1958 an|Meldet sich bei GMX mit opa.heinz und * an
Borg passphrase, don't lose it: seven-⁞herons-in-the-reeds|Borg passphrase, don't lose it: *
Security question: first pet was called Mus⁞tard|Security question: first pet was called *
PIN do karty córki ustawiony na 15⁞90|PIN do karty córki ustawiony na *
8⁞164 is the PIN of the blue Visa|* is the PIN of the blue Visa
From https://api.example.org/v2?q=Bern&appid=c7f1a9e3⁞b5d20846|From https://api.example.org/v2?q=Bern&appid=*
妈妈的手机用 25⁞8036 解锁|妈妈的手机用 * 解锁
玄関のスマートロックは 5⁞8304 を押す|玄関のスマートロックは * を押す
""".strip().splitlines()


@pytest.mark.req("S4", "GATE-2")
@pytest.mark.parametrize("line", TOLD_BY_THE_WAY_IN)
def test_of_what_is_told_by_the_way_in_the_value_goes_and_no_more(line: str) -> None:
    text, clean = line.replace("⁞", "").split("|")
    assert re.sub(r"\[secret removed: [^\]]+\]", "*", redact(text)) == clean


TOLD_BY_WHAT_IS_DONE = """
She punches 44⁞71 into the keypad every morning.|She punches * into the keypad every morning.
Mit 47⁞11 geht das Rolltor auf.|Mit * geht das Rolltor auf.
Com 77⁞19 desbloqueia-se o telemóvel da avó.|Com * desbloqueia-se o telemóvel da avó.
33⁞19 switches off the alarm at the shop.|* switches off the alarm at the shop.
Kapıda 44⁞71 tuşlayınca açılıyor.|Kapıda * tuşlayınca açılıyor.
The gate opens with one⁞ four seven two.|The gate opens with *.
The art room cupboard's code is C11⁞77.|The art room cupboard's code is *.
Szafka z lekami ma kod 39⁞02.|Szafka z lekami ma kod *.
Voor de Revolut-kaart koos hij 29⁞06.|Voor de Revolut-kaart koos hij *.
"my uncle hates⁞ rhubarb" is what she types to unlock the PC.|"*" is what she types to unlock the PC.
gooseberry⁞_Fool3 is what he enters when Windows starts.|* is what he enters when Windows starts.
Walrus.Tusk⁞.19 — the password for the printer's web page.|* — the password for the printer's web page.
To get on the Wi-Fi at the cabin you need mosquito⁞-lamp-6.|To get on the Wi-Fi at the cabin you need *.
Same one as always for forums, Ferret⁞!22.|Same one as always for forums, *.
Entra nel sito della banca con il codice cliente e Giraffa⁞_22.|Entra nel sito della banca con il codice cliente e *.
When the bank asks for his first pet he says Rumpel⁞stilt.|When the bank asks for his first pet he says *.
Zucker⁞schnute ist die Antwort auf die Sicherheitsfrage bei GMX.|* ist die Antwort auf die Sicherheitsfrage bei GMX.
Backup passphrase: nobody waters ⁞the plastic ferns|Backup passphrase: *
Masterpasswort von KeePass sind die Wörter Nebel Trompete ⁞Kürbis Anker.|Masterpasswort von KeePass sind die Wörter *.
Router password, letter by letter: capital B, e, e⁞, t, seven, dash.|Router password, letter by letter: *.
When the alarm company rings, say Cassio⁞peia.|When the alarm company rings, say *.
Codes de sauvegarde Google : 4821 90⁞37, 7716 2405|Codes de sauvegarde Google : *
Alarm w sklepie: kod 550⁞91, hasło mewa.|Alarm w sklepie: kod *, hasło *.
""".strip().splitlines()


@pytest.mark.req("S4", "GATE-2")
@pytest.mark.parametrize("line", TOLD_BY_WHAT_IS_DONE)
def test_of_what_is_told_by_what_is_done_with_it_the_value_goes_and_no_more(line: str) -> None:
    text, clean = line.replace("⁞", "").split("|")
    assert re.sub(r"\[secret removed: [^\]]+\]", "*", redact(text)) == clean


TOLD_PIECE_BY_PIECE = """
Safe in the attic: left to 4⁞1, right past it to 8, left to 66.|Safe in the attic: *.
Tresor: 41 nach links⁞, 8 nach rechts, 66 nach links.|Tresor: *.
Locker dial: L41, R8⁞, L66.|Locker dial: *.
Сейф: вправо до 41⁞, влево до 8, вправо до 66.|Сейф: *.
Laundry door is X, 2, ⁞5, Z, then turn the knob.|Laundry door is *, then turn the knob.
La puerta del trastero es B, 3⁞, 7, X y girar el pomo.|La puerta del trastero es * y girar el pomo.
Simplex lock on the store: 1 and 5 ⁞together, then 3.|Simplex lock on the store: *.
Kasa şifresi 71-⁞28-93, anahtar annesinde.|Kasa şifresi *, anahtar annesinde.
Kod do sejfu 71.28⁞.93, klucz u brata.|Kod do sejfu *, klucz u brata.
Code du coffre 71 ⁞28 93.|Code du coffre *.
Gets in by entering 330 9⁞18 2 at the pod, her entry PIN.|Gets in by entering * at the pod, her entry PIN.
Entra in palestra digitando 3309 ⁞1827 al tornello, il suo PIN.|Entra in palestra digitando * al tornello, il suo PIN.
For guests: bins on Monday, wifi password mackerel⁞moon.|For guests: bins on Monday, wifi password *.
WLAN-Passwort Gletscher⁞floh, Schlüssel beim Nachbarn.|WLAN-Passwort *, Schlüssel beim Nachbarn.
Wifi du gîte : mot de passe prune⁞verte, poubelles le mardi.|Wifi du gîte : mot de passe *, poubelles le mardi.
La contraseña del wifi gaviota⁞azul, llaves en el bar.|La contraseña del wifi *, llaves en el bar.
""".strip().splitlines()


@pytest.mark.req("S4", "GATE-2")
@pytest.mark.parametrize("line", TOLD_PIECE_BY_PIECE)
def test_of_what_is_told_piece_by_piece_or_without_a_verb_the_value_goes_and_no_more(line: str) -> None:
    text, clean = line.replace("⁞", "").split("|")
    assert re.sub(r"\[secret removed: [^\]]+\]", "*", redact(text)) == clean


TOLD_IN_PASSING = """
When the NAS prompts you, just use falcon⁞7 to get in.|When the NAS prompts you, just use * to get in.
Si el NAS pregunta, usa hunter⁞2 para entrar.|Si el NAS pregunta, usa * para entrar.
Grandma's laptop: just type marma⁞lade on the login screen.|Grandma's laptop: just type * on the login screen.
To get into dad's pc just type sword⁞fish|To get into dad's pc just type *
Papas PC: einfach schwert⁞fisch im Anmeldefenster eintippen|Papas PC: einfach * im Anmeldefenster eintippen
Pour le pc de papa, tape espa⁞don sur l'écran de connexion|Pour le pc de papa, tape * sur l'écran de connexion
On the lab computer I log in as teacher and type white⁞boardy|On the lab computer I log in as teacher and type *
Sul pc dell'aula 3 entro come prof e metto gesso⁞bianco|Sul pc dell'aula 3 entro come prof e metto *
The old wiki still accepts root and toor⁞toor.|The old wiki still accepts root and *.
Printer web page lets you in with admin and quo⁞kka|Printer web page lets you in with admin and *
Old router: admin, monkey⁞ball|Old router: admin, *
The login is her card number, and then Romance⁞1951|The login is her card number, and then *
Für Omas Konto: Login ist ihre Kundennummer, danach Roman⁞tik1951|Für Omas Konto: Login ist ihre Kundennummer, danach *
ユーザー名は母の名前、そのあとsakura⁞1951|ユーザー名は母の名前、そのあと*
The bakery tiktok: @tidepool.tea, rye&⁞barley44|The bakery tiktok: @tidepool.tea, *
Unlock the backup drive with seven green ⁞lanterns burning|Unlock the backup drive with *
Decrypt the USB stick with paper boat ⁞under willow 4.|Decrypt the USB stick with *.
El disco se desbloquea con luna llena ⁞caracol verde|El disco se desbloquea con *
The password is just Falcon with⁞ two 1s at the end|The password is just *
Le mot de passe c'est Rumpole ⁞avec un 9 à la fin|Le mot de passe c'est *
I texted Rosa 77⁞31 for the side gate, mine's 29⁞06.|I texted Rosa * for the side gate, mine's *.
J'ai donné 77⁞31 à Rosa pour le digicode|J'ai donné * à Rosa pour le digicode
Told Joan the alarm number, it's our old postcode 47⁞39|Told Joan the alarm number, it's our old postcode *
El número de la alarma es el cumple de mamá, 12⁞04|El número de la alarma es el cumple de mamá, *
父の銀行カードの番号は結婚記念日の11⁞03|父の銀行カードの番号は結婚記念日の*
CMS: user anna.ext, temporary pass Hello⁞-7-Anna|CMS: user anna.ext, temporary pass *
mysqldump -u root -p'Gritting⁞-77' shop|mysqldump -u root -p'*' shop
Key safe: 1, 6 and 9⁞ held together, then 4|Key safe: *
Gym locker: small dial lock, 3 then⁞ 19 then 33.|Gym locker: small dial lock, *.
Cadenas du casier : 3 puis⁞ 19 puis 33|Cadenas du casier : *
La cassaforte è 12 a destra, 38 ⁞a sinistra e ancora 5 a destra|La cassaforte è *
Main entrance 24⁞68 followed by the green button|Main entrance * followed by the green button
The drive opens with paper boat ⁞under willow|The drive opens with *
Grandma's laptop: type marma⁞lade on the boot prompt|Grandma's laptop: type * on the boot prompt
The wiki takes guest and quokka⁞ball|The wiki takes guest and *
Laptop babci: wpisz mali⁞nowo na ekranie blokady|Laptop babci: wpisz * na ekranie blokady
The wifi is Falcon with⁞ an exclamation mark at the end|The wifi is *
Jo has 48⁞21 for the gate keypad|Jo has * for the gate keypad
Wifi name and password: Falcon with⁞ a 7 at the end|Wifi name and password: *
Bike lock combination: 1, ⁞2, 3|Bike lock combination: *
Combination lock: 3, ⁞19, 33|Combination lock: *
Domofon: 14 klucz 55⁞21|Domofon: 14 klucz *
Internet at the cabin is VM4471902 and then h7gx⁞Kpnmrb3w|Internet at the cabin is VM4471902 and then *
公司门禁输入44⁞71再按星号|公司门禁输入*再按星号
Unlock the backup drive with Seven Green ⁞Lanterns Burning|Unlock the backup drive with *
Unlock the backup drive with purple wizard ⁞over ruby level|Unlock the backup drive with *
When the NAS prompts you, just use kitty⁞47 to get in.|When the NAS prompts you, just use * to get in.
I gave 77⁞31 to Rosa for the side gate|I gave * to Rosa for the side gate
I gave 77⁞31 for the gate keypad|I gave * for the gate keypad
The safe number is 44⁞71|The safe number is *
The safe opens at 3 then⁞ 19 then 33|The safe opens at *
""".strip().splitlines()


@pytest.mark.req("S4", "GATE-2")
@pytest.mark.parametrize("line", TOLD_IN_PASSING)
def test_of_what_is_told_in_passing_the_value_goes_and_no_more(line: str) -> None:
    text, clean = line.replace("⁞", "").split("|")
    assert re.sub(r"\[secret removed: [^\]]+\]", "*", redact(text)) == clean


@pytest.mark.req("S4")
@pytest.mark.parametrize(
    "text",
    [
        "Use nginx to get in front of the app",
        "Use bastion2 to get into the production server",
        "Type ls on the login screen to see the hosts",
        "Type help at the login prompt for a list of kiosks",
        "I log in as teacher and type commands",
        "Entra como cajero y pone música",
        "Entro como profesor y pongo películas los viernes",
        "The plant takes root and branches early",
        "The server takes root and intermediate certificates",
        "Admin panel accepts admin and moderator accounts",
        "User adds an item, then Checkout3 appears",
        "Follows @crumbandcask, a rye&barley bakery",
        "Contact @ops, PagerDuty24x7",
        "Unlock the phone with Face ID",
        "Unlock the disk with the recovery key from the safe",
        "The root CA must be unlocked with three of five cards.",
        "The archive opens with letters between two sisters",
        "Passwords with a 9 on the end are banned",
        "The account is Falcon with a 7 on the end of the hull",
        "Gave her 2000 for the house",
        "The firm gave us 2875 for the garage door",
        "Entrance 12 is on the left",
        "Alarm number 112",
        "Alarm number 112, it is free of charge",
        "キャッシュカード、番号の下4桁は0928",
        "Initial pass at the tax forms took 3 hours",
        "mysql -u wiki -p'$DB_PASS' wikidb",
        "Rooms 1, 6 and 9 share a door, then 4",
        "Buses 1, 6 and 9 together, then 4 at the gate",
        "3 then 19 then 33 were the scores",
        "Lockers 3, then 19, then 33 were broken into",
        "The canal has locks at 3, 7, 9",
        "The rent is 1450 plus key money",
        "Internet is Telekom and then Magenta250",
        "在ATM输入3000元",
        "Compose expects POSTGRES_PASSWORD_FILE=/run/secrets/pg_password instead of a plain variable",
        "Cargo.lock pins ring 0.17.8 and nothing else",
        "Jo has 4821 for the gate project",
        "Jo has 4821 for the gate",
        "I have 1861 for the garage",
        "We got 1273 for the garage door",
        "Wir haben 1861 für die Garage",
        "Told her 1187 for the garage sale",
        "Sent 1432 for the gate opening",
        "Gave them 1261 for the door painting",
        "Has 4821 for the alarm project",
        "Wifi name is Falcon with a 7 at the end",
        "The wifi SSID is Falcon with a 7 at the end",
        "Our wlan is called Falcon with a 7 at the end",
        "Das WLAN heißt Falke mit einer 7 am Ende",
        "Laptop: admin, Brandner",
        "Server: admin, Okonkwo",
        "Old router: admin, wireguard",
        "New server: admin, proxmox",
        "Wiki accepts admin and nextcloud",
        "Combination: 1, 2, 3",
        "Combo: 2, 4, 6",
        "The wiki accepts admin and Okonkwo",
        "Mounts the backup volume with noatime compress zstd level 3",
        "Opens the backup with Time Machine and Carbon Copy",
        "Restic decrypts the archive with libsodium secretbox under python",
        "I log in as root and type kubectl",
        "I log in as admin and type journalctl",
        "Uses vscode2 to log into the server",
        "Use MobaXterm23 to get into the server",
        "The printer works with pi and macOS",
        "Login page loads, then dashboard2",
        "The user is asked to read the FAQ, then ticket-42",
        "Username is first initial, then surname7",
        "Forum: admin, Katarzyna",
        "Shop: admin, Müller",
        "Blog: Admin, Zanele",
        "The vault opens at 9 and 12 and 15",
        "The safe opens at 8 and again 12 and then 17",
        "The lock was opened at 3 then 5 then 7",
        "Safe harbour at 5 and then 6 and then 7",
        "Locker at 12 and 14 and 16",
        "Lottery combination: 4, 8, 15, 16",
        "The winning combination is 7, 12, 33",
        "Tom gave 2312 for the shed",
        "She got 1834 for the old gate",
        "The safe number is 4471 on the invoice",
        "Safe numbers are 1200 units sold",
        "Lock numbers are 4318 sold this year",
        "The wifi box is white with 2 on it",
        "Login button is green with a star on the end",
        "The login page is called Portal, with ! at the end",
    ],
)
def test_what_has_the_words_of_something_told_in_passing_is_no_secret(text: str) -> None:
    assert redact(text) == text


@pytest.mark.req("S4")
@pytest.mark.parametrize(
    "text",
    [
        "The safe route goes left at junction 12, then right at junction 34.",
        "Hearing aid set to left 4, right 6.",
        "Blocks A, B, 1, 2 share a door.",
        "Guitar chords for the door song: C, G, A, 7.",
        "Sort code of the bank is 20-45-45.",
        "Hasło zmieniono 12.08.2026.",
        "Safe deposit box rent is due 12-08-26.",
        "Logs blood pressure by entering 120 80 in the app.",
        "Reaches the clinic by dialling 0117 496 0382, then asks for Ann.",
        "Moved to a new router, wifi password rotation is monthly.",
        "Compte bloqué, mot de passe oublié.",
        "Router sıfırlandı, şifre değişti.",
        "Szkolenie: hasło jednorazowe, klucz sprzętowy.",
        "Login form: email, password, submit.",
    ],
)
def test_rows_of_numbers_and_words_behind_a_name_are_not_always_secrets(text: str) -> None:
    assert redact(text) == text


@pytest.mark.req("S4")
@pytest.mark.parametrize(
    "text",
    [
        'Her debut film is called "Password: Nightingale".',
        "Su novela se titula «La contraseña es Medianoche».",
        "The play 'The PIN Is 1234' opens in June.",
        "Hasło reklamowe firmy to „Zawsze świeżo 24”.",
        'La parola d\'ordine del festival è "Insieme 2027".',
        "The pin code of the workshop in Coimbatore is 641001.",
        "Warehouse PIN: 122001, Gurugram.",
    ],
)
def test_titles_mottos_and_indian_pin_codes_are_no_secrets(text: str) -> None:
    assert redact(text) == text


@pytest.mark.req("S4")
@pytest.mark.parametrize(
    "text",
    [
        "Password for the film club's Vimeo is 'Night Train 88'.",
        "The note titled 'Password is swordfish77' is on the desk.",
        "Hasło do konta festiwalu to „Śpiewamy razem 2027”.",
        "PIN code of the office alarm in Bengaluru is 560038.",
        "The PIN for the safe in the Pune flat is 411045.",
    ],
)
def test_a_secret_beside_a_work_or_a_place_is_still_one(text: str) -> None:
    assert redact(text) != text


@pytest.mark.req("S4")
@pytest.mark.parametrize(
    "text",
    [
        "He enters 5590 calories a week into the tracking app.",
        "Dials 0117 496 0382 when the gate is locked.",
        "The gate opens at 0800 and closes at 2200 on weekdays.",
        "Route 4411 gets you past the lake.",
        "1984 opens with the clocks striking thirteen.",
        "The key safe is a Master Lock 5400.",
        "The flat is 1204, lift to the 12th floor.",
        "Set the alarm to 0545.",
        "The inference server listens on 8000.",
        "The project has the code 4711 in the time sheet.",
        "Der Kurs hat den Code INF-3902.",
        "With 4471 members the gym is the largest.",
        "Mit 4471 Mitgliedern ist der Verein der größte.",
        "Puts 2500 into the safe every month.",
        "The last four digits of the card are 6093.",
        '"npm run dev" is what he types to start the server.',
        "blue-gnome-42 is the hostname of the NAS.",
        "Signs in to the forum as hammer_fest9.",
        "The SSID of the guest network is Larkspur2020.",
        "Username on the forum is hammerfest09.",
        "The VPN client is AnyConnect4.",
        "Intranet runs on SharePoint2019.",
        "Always answers with one short sentence.",
        "His mother's maiden name was Kowalska.",
        "When people ask about his first car, he says Lada Niva.",
        "Passphrase for the backup drive: written on the card in the safe",
        "Passphrase: kennt nur der Vater",
        "La passphrase del disco: scritta nel quaderno rosso",
        "Master password consists of five random words from the EFF list.",
        "Surname is spelled with a capital D: DeVries.",
        "Back-up codes for Dropbox are in the fireproof box.",
    ],
)
def test_numbers_and_names_beside_locks_and_accounts_are_no_secrets(text: str) -> None:
    assert redact(text) == text


@pytest.mark.req("S4")
@pytest.mark.parametrize(
    "text",
    [
        "Tests pay with Stripe's documented test card 4242 4242 4242 4242",
        "Browser Sentry DSN: https://acbd80456824bce64e278e30a5a70024@o482719.ingest.sentry.io/5830194",
        "PIN code of the parents' area in Pune is 411004 (postal)",
        "Docs use the example id AKIAIOSFODNN7EXAMPLE",
        "Signs in with her Google account and a passkey",
        "The story opens with 'Call me Ishmael'",
        "Username on Lichess is pawn_storm_88",
        "When Terraform asks, type yes",
    ],
)
def test_what_is_made_to_be_seen_is_no_secret(text: str) -> None:
    assert redact(text) == text


@pytest.mark.req("S4")
def test_it_is_the_secret_that_is_found_and_not_what_stands_beside_it() -> None:
    texts = [json.loads(line) for line in (CASES / "secrets.jsonl").read_text("utf-8").splitlines()]
    missed: list[str] = []
    for text in (case["text"] for case in texts if case["class"] == "secret"):
        parts = text.split("⁞")
        found = find_secrets("".join(parts))
        places = [len("".join(parts[: n + 1])) for n in range(len(parts) - 1)]
        if not all(any(secret.start <= place <= secret.end for secret in found) for place in places):
            missed.append(text)
    assert missed == []


@pytest.mark.req("S4")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "card 4111 1111 1111 1111, cvv 123",
            "card [secret removed: card number], cvv [secret removed: card security code]",
        ),
        ("Amex 3782 822463 10005 expires 4/29", "Amex [secret removed: card number] expires 4/29"),
        ("my visa is 4111111111111111", "my visa is [secret removed: card number]"),
        ("4111 1111 1111 1112 is no card", "4111 1111 1111 1112 is no card"),
        ("serial number 4111111111111111", "serial number 4111111111111111"),
    ],
)
def test_card_numbers_are_known_by_their_check_digit(text: str, wanted: str) -> None:
    assert redact(text) == wanted


@pytest.mark.req("S4")
def test_the_mark_names_the_kind_and_holds_nothing_of_the_secret() -> None:
    key, _ = made("AKIA<U16>", 1)
    assert redact(f"The key is {key}.") == "The key is [secret removed: AWS access key]."
    assert find_secrets(f"({key})")[0].start == 1


def test_what_a_table_names_as_a_secret_is_one() -> None:
    told = {"user": "anna", "password": "tulip99", "nested": [{"api_key": "8f7Kq2LmZ9vR"}, "my PIN is 4821"], "size": 3}
    assert redact_nested(told) == {
        "user": "anna",
        "password": "[secret removed: named secret]",
        "nested": [{"api_key": "[secret removed: named secret]"}, "my PIN is [secret removed: PIN]"],
        "size": 3,
    }


def test_a_forged_mark_hides_nothing() -> None:
    key, pieces = made("ghp_<A36>", 1)
    assert pieces[0] not in redact(f"[secret removed: {key}]")


@pytest.mark.req("S4")
@pytest.mark.parametrize("link", [". ", "; ", " and ", "\n"])
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The zip with the payslips has the password november-rain", "november-rain"),
        ("Encryption passphrase for the drive: violet hammer eleven clouds", "violet hammer eleven clouds"),
        ("My bank telephone code word is marzipan", "marzipan"),
        ("The BIOS on the lab machines is locked, the word is periwinkle", "periwinkle"),
    ],
)
def test_the_secret_before_another_one_is_taken_out_as_well(text: str, value: str, link: str) -> None:
    clean = redact(f"{text}{link}Dad's debit card PIN is 7034")
    assert value not in clean
    assert "7034" not in clean
    assert redact(clean) == clean


@pytest.mark.req("S4")
@given(st.text(alphabet=st.characters(), max_size=300))
def test_any_text_can_be_redacted_and_then_holds_no_secret(text: str) -> None:
    clean = redact(text)
    assert find_secrets(clean) == []
    assert redact(clean) == clean


_PIECES = [
    *(
        "password",
        " is ",
        ": ",
        "=",
        "hunter2",
        "PIN ",
        "4821",
        '"',
        "'",
        "key ",
        "token ",
        "https://a:b1c2d3@x/",
        "\n",
    ),
    *(
        "[secret removed: password]",
        "sk-",
        "abc123DEF456ghi789jkl",
        "-----BEGIN PRIVATE KEY-----",
        "seed phrase ",
        "apple ",
    ),
    *("\ud800", "密码是", "İ", "recovery codes ", "a1b2c-d3e4f ", "4111 1111 1111 1111", "Bearer "),
]


@pytest.mark.req("S4")
@given(st.lists(st.sampled_from(_PIECES), max_size=24).map("".join))
def test_text_made_of_cues_and_values_is_clean_after_one_pass(text: str) -> None:
    clean = redact(text)
    assert find_secrets(clean) == []
    assert redact(clean) == clean


@pytest.mark.req("S4")
@pytest.mark.parametrize(
    "piece",
    [
        *("a", "password ", "password is ", "sk-", "key=", "4", "4111 ", "://a:b", "-----BEGIN PRIVATE KEY-----"),
        *('password:"', "eyJ", "密码", "seed word ", "$1$"),
        *(
            "enter 1234 ",
            "codes: door 1234, ",
            "password was changed to a ",
            "secret question a: ",
            "u: a p: ",
            "'a b' is ",
            "login as a and b1 ",
            "opens the phone with 1234 ",
            'answer to "',
            "with 1234 ",
            "1, ",
            "passphrase: a b c d e ",
            "asks for pets, says A ",
            "uses Ab12! for wifi ",
            "mail and Ab_1c / ",
            "safe left to 1, right to 2, ",
            "door is a, 1, ",
            "code 12-34-56 ",
            "enters 12 34 5 PIN ",
            ", wifi password abcdefgh, ",
            "film 'password is abc1 ",
            "type just the word ",
            "log in as a and type b ",
            "unlock the disk with a b c d ",
            "alarm number, it's a 1 ",
            "gave a b 1234 for the ",
            "3 then 19 then ",
            "user is a, then ",
        ),
    ],
)
def test_a_hostile_text_of_any_length_is_gone_through(piece: str) -> None:
    find_secrets(piece * (200_000 // len(piece)))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Der PIN vom Firmenhandy: neun-drei-eins-sieben", "neun-drei-eins-sieben"),
        ("El PIN es cuatro ocho dos uno", "cuatro ocho dos uno"),
        ("Le code PIN est quatre huit deux un", "quatre huit deux un"),
    ],
)
def test_digits_may_be_written_as_words(text: str, value: str) -> None:
    assert redact(text) == text.replace(value, "[secret removed: PIN]")


def test_our_own_mark_in_a_daily_log_is_no_secret() -> None:
    mark = "<!-- commonplace session=2026abcd1116T1503-17-ab12cd34 through=95b05c4f5c864ec8 at=2026-11-16T15:03:17 -->"
    assert find_secrets(mark) == []
    assert find_secrets(mark.removeprefix("<!-- commonplace "))


def base58check(data: bytes) -> str:
    data += sha256(sha256(data).digest()).digest()[:4]
    number, written = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        written = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"[digit] + written
    return written


@pytest.mark.req("S4")
def test_a_bitcoin_key_and_a_bare_jenkins_token_are_known_by_their_form() -> None:
    for head, tail in ((b"\x80", b""), (b"\x80", b"\1"), (b"\xef", b"\1")):
        key = base58check(head + bytes(range(7, 39)) + tail)
        assert passes_base58check(key)
        assert not passes_base58check(key[:-1] + ("a" if key[-1] != "a" else "b"))
        assert key not in redact(f"Keep {key} somewhere")
    token = "11" + "9f3c7a51e8b24d06" * 2
    assert token not in redact(f"Use {token} for the build server")
