"""Secrets are found in all their shapes and in the words people use, and little else is taken for one."""

import re
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.gate.commanding import instruction
from commonplace.gate.passing import one_off, transient
from commonplace.gate.secrets import find_secrets, mask, redact, redact_nested
from commonplace.gate.secretshapes import base58check as passes_base58check
from commonplace.gate.secretshapes import shapes
from tests.gate.made_secrets import FORMS, made, pem

ROOT = Path(__file__).parents[2]

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
def test_the_table_names_hundreds_of_shapes() -> None:
    assert len({shape.kind for table in shapes() for shape in table}) >= 250


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
    assert len(missed) * 200 <= len(FORMS) * 9, missed


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
    assert redact(f"{cut}!") == "[secret removed: private key]\n!"


@pytest.mark.req("S4", "GATE-2")
def test_of_passwords_told_in_a_dozen_languages_nineteen_in_twenty_are_hidden() -> None:
    missed = [text for _, text in told() if mask(text) == text]
    assert len(missed) * 20 <= len(TOLD), missed


@pytest.mark.req("S4")
def test_there_are_forty_told_passwords_in_a_dozen_languages() -> None:
    assert len(TOLD) >= 40
    assert len({lang for lang, _ in told()}) >= 12


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
    assert sum(redact(line) != line for line in lines) <= len(lines) // 1000


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
@given(st.text(alphabet=st.characters(), max_size=300))
def test_any_text_can_be_redacted_and_then_holds_no_secret(text: str) -> None:
    stored, sent = redact(text), mask(text)
    assert not any(secret.certain for secret in find_secrets(stored))
    assert find_secrets(sent) == []
    assert (redact(stored), mask(sent)) == (stored, sent)


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
    stored, sent = redact(text), mask(text)
    assert not any(secret.certain for secret in find_secrets(stored))
    assert find_secrets(sent) == []
    assert (redact(stored), mask(sent)) == (stored, sent)


@pytest.mark.req("S4")
@pytest.mark.parametrize(
    "piece",
    [
        *("a", "password ", "password is ", "sk-", "key=", "4", "4111 ", "://a:b", "-----BEGIN PRIVATE KEY-----"),
        *('password:"', "eyJ", "密码", "seed word ", "$1$"),
    ],
)
def test_a_hostile_text_of_any_length_is_gone_through(piece: str) -> None:
    find_secrets(piece * (20_000 // len(piece)))


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


def seed_phrase(length: int) -> str:
    """The words of a wallet, with the right check bits."""
    words = (ROOT / "src/commonplace/gate/bip39.txt").read_text("ascii").split()
    entropy = sha256(bytes([length])).digest()[: length * 4 // 3]
    bits = "".join(f"{byte:08b}" for byte in entropy) + f"{sha256(entropy).digest()[0]:08b}"[: length // 3]
    return " ".join(words[int(bits[at : at + 11], 2)] for at in range(0, len(bits), 11))


@pytest.mark.req("S4", "GATE-2")
@pytest.mark.parametrize("length", [12, 15, 18, 21, 24])
def test_the_words_of_a_wallet_are_known_by_their_check_bits(length: int) -> None:
    phrase = seed_phrase(length)
    assert redact(f"Keep this: {phrase}. Thanks") == "Keep this: [secret removed: seed phrase]. Thanks"
    numbered = " ".join(f"{at}. {word}" for at, word in enumerate(phrase.split(), start=1))
    assert phrase.split()[3] not in redact(numbered)


BUSINESS = Path(__file__).with_name("texts").joinpath("business.txt").read_text("utf-8").splitlines()


@pytest.mark.req("GATE-2", "GATE-4")
def test_three_hundred_everyday_sentences_lose_no_word_and_none_is_refused() -> None:
    assert len(BUSINESS) >= 300
    assert [text for text in BUSINESS if mask(text) != text] == []
    rules = (transient, one_off, instruction)
    assert [text for text in BUSINESS for rule in rules if (found := rule(text)) and found.certainty >= 0.5] == []
    together = "\n".join(BUSINESS)
    assert redact(together) == together


@pytest.mark.req("GATE-2")
@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("The wifi password: Blue⁞Heron42!", "The wifi password: [secret removed: password]"),
        ("db.password=tulip⁞99", "db.password=[secret removed: password]"),
        ("PIN: 48⁞21", "PIN: [secret removed: PIN]"),
        (
            "The password for the NAS at home is Tr0ub⁞4dor&3.",
            "The password for the NAS at home is [secret removed: password].",
        ),
    ],
)
def test_what_is_named_right_beside_its_value_is_taken_out_of_what_is_stored(text: str, stored: str) -> None:
    assert redact(text.replace("⁞", "")) == stored


@pytest.mark.req("GATE-2")
def test_a_guess_stays_in_what_is_stored_and_is_hidden_in_what_is_sent() -> None:
    text = "Grandma's laptop: just type marma⁞lade77 on the login screen.".replace("⁞", "")
    assert redact(text) == text
    assert mask(text) == "Grandma's laptop: just type [possible secret hidden] on the login screen."
    assert [secret.certain for secret in find_secrets(text)] == [False]
    assert mask(mask(text)) == mask(text)
