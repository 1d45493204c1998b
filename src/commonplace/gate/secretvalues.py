"""What a value looks like: a password, a random key, or only a word that stands for one. Pure; knows no context."""

import base64
import math
from collections import Counter
from itertools import pairwise

from commonplace.patterns import LazyPattern

_SEGMENTS = LazyPattern(r"[^a-z]+")
_STANDS_FOR = frozenset(
    "your yours example examples placeholder redacted dummy todo insert replace replaceme changeme fake sample hidden"
    " masked removed omitted fixme tbd readme".split()
)
_NAMES = frozenset(
    "my the a an api apikey key keys secret secrets token tokens password passwords passwd passphrase pass pwd pw"
    " user"
    " username db database auth access client name here id value some new old default app prod dev staging test env"
    " none null nil undefined true false empty string str text bytes int bool boolean object optional required unset"
    " na"
    " login credential credentials private public service account master session bearer basic url".split()
)
_IDENTIFIER = LazyPattern(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+$")
_IDENTIFYING = frozenset("pin password passwd token secret id key code field column".split())
_WORDS_ALONE = frozenset(
    "none null nil undefined true false empty string str text bytes int bool boolean object optional required unset"
    " secret secrets password passwords passwd passphrase token tokens key keys apikey pass pwd username user login"
    " value any never always self".split()
)
_KEEPERS = LazyPattern(
    r"(?:1password|bitwarden|vaultwarden|keepass|lastpass|dashlane|keychain|nordpass|proton ?pass|enpass|keeper|vault"
    r"|pass(?:store|bolt)|secrets? ?manager|doppler|infisical)(?![a-z0-9]{4})"
)
_REFERENCE = LazyPattern(
    r"<|\{|\[|\?[a-z]+$|\$[{(\[]|\$[A-Z_]+[0-9]?$|\$[a-z_]+$|%[({%]|%[A-Z_]+%$|#\{|@@|!(?:secret|vault|env|ref"
    r"|sub)\b|(?:op"
    r"|https?|file"
    r"|s3|ssh|git|vault|ssm|secretsmanager|env|sops|pass|gopass|keyring)://?|(?:arn|ssm|env|vault|ref|file|sops):"
    r"|ENC\["
    r"|(?:os|process|self|this|config|settings|secrets|env|vars?|ctx|request|params|options|args|opts)\.|projects/"
)
_CODE = LazyPattern(r"[A-Za-z_][\w.]*[(\[]|[a-z_]+(?:\.[a-z_]+)+$|[a-z]+::|&?[a-z]{2,}[A-Z]?[a-z]*\.[a-z]{2,}[A-Z]")
_VARIABLE = LazyPattern(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$")
_VARIABLE_WORD = LazyPattern(r"(?:^|_)(?:KEY|TOKEN|SECRET|PASS\w*|PWD|AUTH|API|URL|ENV|CRED\w*|DB|ID|NAME)(?:_|$)")
_PATH = LazyPattern(r"(?:~|\.{1,2})?(?:/[a-z0-9_.@-]*){2,}$|~?/[a-z_.-]+$|[A-Za-z]:\\|(?:[a-z_.-]+/)+[a-z_.-]+$")
_FILE = LazyPattern(
    r"[\w./~-]+\.(?:md|txt|env|json|ya?ml|toml|ini|kdbx|pem|key|py|js|ts|sh|conf|cfg|gpg|asc|csv|html?|pdf|docx?|lock"
    r"|log)$"
)
_ASSIGNED = LazyPattern(r"[A-Z][A-Z0-9_]{2,}=(?=.)")
_MEASURE = LazyPattern(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$|v?\d+(?:\.\d+)+[a-z]?\d*$|\d{1,2}:\d{2}(?::\d{2})?(?:am|pm)?$|~?\d+(?:st|nd|rd"
    r"|th|am|pm"
    r"|h|d|s|m|x|k|ms|kb|mb|gb|tb|min|sec|%|\+|bit|-bit|-digit|-char|-characters?|-stellig\w*)$|\d{4}-\d\d-\d\dt"
)
_STANDARD = LazyPattern(
    r"(?:sha|md|aes|rsa|bcrypt|scrypt|argon|pbkdf|ed|utf|base|hs|rs|es|tls|ssl|https?|ipv|oauth|wpa|saml|rfc|iso|nist"
    r"|pkcs"
    r"|cve|2fa|mfa|u2f|fido|utc|gmt)[-_ +]?v?\d[\w.]*(?:[-/][a-z0-9]+)*$|(?:2fa|mfa)(?:-[a-z]+)*$|\w+-(?:hashed|encoded"
    r"|encrypted|protected)$"
)
_MAIL = LazyPattern(
    r"[\w.+-]{2,}@[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|de|ch|at|fr|es|it|nl|eu|uk|edu|gov|dev|ai|invalid|test)$"
)
_MASKED = LazyPattern(r"x{4}|\*{3}|•{3}|\.{3}|…|#{4}|_{4}|-{4}|0{12}")
_UUID = LazyPattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
_HEX = LazyPattern(r"(?:0x)?[0-9a-f]{6,}$")
_BASIC = LazyPattern(r"[A-Za-z0-9+/]{12,400}={0,2}$")
_LETTER = LazyPattern(r"[^\W\d_]")
_SYMBOL = LazyPattern(r"[!@#$%^&*+=~?§€£]")
_CHAIN = LazyPattern(r"[^\W\d_]{3,}(?:[-_.][^\W\d_]{3,}){2,7}$")
_RECIPIENT = LazyPattern(r"age1[a-z0-9]{40,}$|npub1|bc1[a-z0-9]{20,}")
_MARK = LazyPattern(r"[!#$%^&*+=~?§€]")
_LEET = LazyPattern(r"(?<![^\W\d])[^\W\d_]{1,12}\d{1,2}[^\W\d_]{2,}")
_HUMP_AND_DIGIT = LazyPattern(r"[a-zà-ÿ][A-ZÀ-Þ].*\d|\d.*[a-zà-ÿ][A-ZÀ-Þ]|[A-ZÀ-Þ][^\W\d_]{2,}[-.]\d{2,4}$")
_WORDS_AND_NUMBER = LazyPattern(
    r"[^\W\d_]{3,}(?:[-_][^\W\d_]{2,}){2,6}[-_]?\d{1,4}$|[^\W\d_]{3,}-\d{1,4}-[^\W\d_]{3,}$"
)
_WORD_AND_NUMBER = LazyPattern(
    r"[^\W\d_]{3,}(?:[-_.][^\W\d_]{2,})+[-_.]?\d{1,4}$|[^\W\d_]{3,}(?:_[^\W\d_]{2,})*_\d{1,4}$"
    r"|[^\W\d_]{3,}-[^\W\d_]{3,}-?\d{1,4}$"
    r"|[^\W\d_]{4,24}[-.]?\d{1,6}[!?]?$"
)
_RUN_TOGETHER = LazyPattern(r"[A-Za-zà-ÿ][a-zà-ÿ]{2,15}(?:[A-ZÀ-Þ][a-zà-ÿ]{1,15}){1,6}$")
_HUMPED = LazyPattern(r"[a-zà-ÿ]{2,15}(?:[A-ZÀ-Þ][a-zà-ÿ]{1,15}){1,6}(?:[-_.][A-Za-zà-ÿ]{2,15}){0,3}$")
_PART = LazyPattern(
    r"[A-Za-z]?[a-z]{0,14}\d{0,3}$|[A-Z]{1,12}\d{0,3}$|[0-9a-zA-Z]{1,3}$|\d{1,8}$|(?:[A-Z]?[a-z]{2,12}){1,4}$"
)
_PUNCTUATION = LazyPattern(r"[-_.:/,;@]+")
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def is_placeholder(value: str) -> bool:
    """Whether a value only stands for a secret: a blank, a variable, a path, a piece of code, a word about it."""
    lower = value.lower()
    if not value or (len(set(lower)) <= 2 and not value.isdigit()):
        return True
    segments = frozenset(filter(None, _SEGMENTS.split(lower)))
    if segments & _STANDS_FOR or (lower.startswith("your") and segments & {"your" + name for name in _NAMES}):
        return True
    if (
        segments
        and segments <= _NAMES
        and (lower in _WORDS_ALONE or not any(c.isdigit() or _SYMBOL.match(c) for c in value))
    ):
        return True
    assigned = _ASSIGNED.match(value)
    if assigned and is_placeholder(value[assigned.end() :]):  # a variable that is set to a path or to another
        return True
    if segments & _IDENTIFYING and _IDENTIFIER.match(value):
        return True
    if _MASKED.search(lower) or _REFERENCE.match(value) or _KEEPERS.match(lower):
        return True
    if _VARIABLE.match(value) and _VARIABLE_WORD.search(value):
        return True
    return any(form.match(value) for form in (_CODE, _PATH, _FILE, _MAIL)) or bool(
        _MEASURE.match(lower)
        or _STANDARD.match(lower)
        or lower.startswith(("sha256:", "sha1:", "sha512:", "md5:", "ssh-"))
    )


def is_strong(value: str, shortest: int = 4) -> bool:
    """Letters with digits or symbols, or several words in a chain: nobody says that in prose."""
    if len(value) < shortest or not _LETTER.search(value):
        return False
    body = value.rstrip("!?")
    if any(c.isdigit() for c in value) or _SYMBOL.search(body):
        return True
    return bool(_CHAIN.match(value))


def is_typed(value: str) -> bool:
    """Whether a value looks made up by a person to be typed: with marks or digits where no word or name has them."""
    if len(value) < 5 or not is_strong(value, 5) or is_placeholder(value) or _RECIPIENT.match(value):
        return False
    inner = value.rstrip("!?")
    has_capital = any(map(str.isupper, value)) and any(map(str.islower, value))
    if has_capital and "_" in value and any(map(str.isdigit, value)):
        return True
    return bool(
        _MARK.search(inner)
        or _WORDS_AND_NUMBER.match(value)
        or _LEET.search(value)
        or _CHAIN.match(value)
        or _HUMP_AND_DIGIT.search(value)
    )


def is_word_and_number(value: str) -> bool:
    """A word with a number behind it, or two words run together: "Moped1958", "tulipFarm"."""
    if value.isupper() or is_placeholder(value):
        return False
    return bool(_WORD_AND_NUMBER.match(value) or _RUN_TOGETHER.match(value))


def is_run_together(value: str) -> bool:
    """Words without spaces or with a dot between, told apart by their capitals: "tulipFarm.Lane"."""
    return not is_placeholder(value) and bool(_HUMPED.match(value))


def is_random(value: str, shortest: int) -> bool:
    """Whether a value looks drawn by a machine: long, letters and digits mixed, no words."""
    if len(value) < shortest or not _LETTER.search(value):
        return False
    letters = set(value)
    if not any(c.isdigit() for c in letters):
        return len(value) >= 20 and is_mixed(value) and len(letters) >= 12 and not _is_name(value)
    return not _is_name(value) and entropy(value) >= (3.0 if len(value) >= 16 else 2.4)


def is_mixed(value: str) -> bool:
    """Capitals in the middle, more of them than a name in a program would have."""
    humps = sum(1 for a, b in pairwise(value) if a.islower() and b.isupper())
    return humps >= 3 and len(value) < 5 * (humps + 1)


def is_plausible(token: str) -> bool:
    """Whether what has the form of a token can be one: not masked, not made of words."""
    lower = token.lower()
    if len(set(lower)) < 6 or _MASKED.search(lower[3:]) or "your" in lower or "example" in lower:
        return False
    return any(c.isdigit() for c in token) or (not token.islower() and not token.isupper())


def is_basic(value: str) -> bool:
    """Whether a value is a name and a password as the header for them has it."""
    if len(value) < 12 or not _BASIC.match(value):
        return False
    try:
        plain = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode("ascii")
    except (ValueError, UnicodeDecodeError):
        return False
    return plain.isprintable() and ":" in plain[1:-1]


def is_uuid(value: str) -> bool:
    return bool(_UUID.match(value.lower()))


def is_hex(value: str) -> bool:
    return bool(_HEX.match(value.lower()))


def entropy(value: str) -> float:
    """Bits for each character."""
    return -sum(n / len(value) * math.log2(n / len(value)) for n in Counter(value).values())


def passes_base58check(value: str) -> bool:
    """The check bytes of what Bitcoin writes with 58 letters and digits."""
    from hashlib import sha256

    number = 0
    for letter in value:
        number = number * 58 + _BASE58.index(letter)
    data = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return sha256(sha256(data[:-4]).digest()).digest()[:4] == data[-4:]


def passes_luhn(digits: str) -> bool:
    """The check digit of payment cards."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        number = int(digit) * (1 + place % 2)
        total += number - 9 if number > 9 else number
    return total % 10 == 0


def _is_name(value: str) -> bool:
    """Words and small numbers with marks between them: the name of a model, a host, a column."""
    parts = [part for part in _PUNCTUATION.split(value) if part]
    return len(parts) > 0 and all(_PART.match(part) for part in parts) and (len(parts) > 1 or len(value) <= 16)
