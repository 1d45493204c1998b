"""Secrets in a text: finding them, and taking them out.

A text is looked at closely only where a first glance gives a reason: a long run of letters and digits, many digits, a
word such as "password". What is found is replaced by a mark that names its kind, never by a part of the secret.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar, cast

from commonplace.gate import secrettalk as talk
from commonplace.gate.secretshapes import NAMED, SHAPES
from commonplace.gate.secretvalues import is_placeholder, is_plausible, is_strong, passes_luhn
from commonplace.gate.secretwords import CARD

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a secret stands in a text, and what it is."""

    kind: str
    start: int
    end: int


def find_secrets(text: str) -> list[Secret]:
    """The secrets in a text, in order, none of them touching another. What was taken out already is none."""
    found = sorted(_looked_for(text), key=lambda span: span[1])
    merged: list[Secret] = []
    for kind, start, end in found:
        if end <= start:
            continue
        if merged and start < merged[-1].end:
            last = merged[-1]
            surer = min(last.kind, kind, key=_vagueness)
            merged[-1] = Secret(surer, last.start, max(last.end, end))
        else:
            merged.append(Secret(kind, start, end))
    return merged


def redact(text: str) -> str:
    """The text with a mark in the place of each secret. Doing it again changes nothing."""
    for _ in range(_ROUNDS):
        found = find_secrets(text)
        if not found:
            return text
        text = _without(text, found)
    # Taking one out shows the next, again and again: nobody writes like that by accident.
    return mark("text full of secrets") if find_secrets(text) else text


def redact_nested(value: _T) -> _T:
    """The same for a JSON-like value: for every text in it, and for texts whose key names a secret."""
    return cast(_T, _cleaned(value, ""))


def mark(kind: str) -> str:
    return f"[secret removed: {kind}]"


def _cleaned(value: object, name: str) -> object:
    if isinstance(value, str):
        clean = redact(value)
        if name and clean == value and _is_named_secret(name, value):
            return mark("named secret")
        return clean
    if isinstance(value, Mapping):
        pairs = cast(Mapping[object, object], value).items()
        return {_cleaned(key, ""): _cleaned(inner, key if isinstance(key, str) else "") for key, inner in pairs}
    if isinstance(value, list | tuple):
        return [_cleaned(inner, name) for inner in cast(Sequence[object], value)]
    return value


def _is_named_secret(name: str, value: str) -> bool:
    """Whether a text is a secret because of the name that it has in a table."""
    if len(name) > 64 or len(value) > 200 or "\n" in value or '"' in value:
        return False
    return bool(find_secrets(f'{name}: "{value}"'))


def _without(text: str, found: Sequence[Secret]) -> str:
    parts: list[str] = []
    at = 0
    for secret in found:
        parts += (text[at : secret.start], mark(secret.kind))
        at = secret.end
    return "".join((*parts, text[at:]))


# -- the first glance -----------------------------------------------------------------------------------------------

_ROUNDS = 5
_RUN = b"w" * 16
_TO_RUNS = bytes(
    ord("w") if chr(c).isascii() and (chr(c).isalnum() or chr(c) in "_-+/=.~%$:|") else ord(" ") for c in range(256)
)
_NO_DIGITS = bytes(c for c in range(256) if not ord("0") <= c <= ord("9"))
_FEWEST_CARD_DIGITS = 13

_CUES = re.compile(
    r"p(?:ass|wd|w\b|in\b|in[- ]|uk\b|sk\b|sw\b|arol|at\b|alavra|hrase)|k(?:ey|ennw|odeord|lucz|ata|atalal)|t(?:oken"
    r"|otp)"
    r"|s(?:ecret|enha|eed|ifre|alasana|leutel|chl|etup key)|c(?:red|ookie|ode|lave|have|hiave|vv|vc|vn|sc\b|ontra"
    r"|ombination|odic|harge)"
    r"|a(?:uth|dgang|nahtar|vain)|b(?:earer|asic )|l(?:osenord|lave|og(?:ged )?in|ogin|ocker)|h(?:asl|esl)|jelsz"
    r"|jeton|ny(?:ckel)|m(?:nemonic|dp|at khau|achine )"
    r"|wachtwo|geheim|frase|herstel|kurtarma|yedek|-u |security"
)
_OTHER_CUES = re.compile(
    r"[密口令助恢备门验驗認安私]|パス|キー|トークン|シー|シード|バック|リカ|復元|暗証|비밀|암호|패스|비번|키|토큰|핀"
    r"|니모닉|시드|복구|백업|인증|парол|пин|ключ|токен|сид|мнемон|резерв|код|логин|учёт"
    r"|şifre|hasł|jelsz|lösen|schlüss|clé|contrase|mật|κωδικ|συνθ|كلم|باس|رمز|رموز|گذر|مفتاح|الرقم|عبارة|סיסמ|पासवर्ड"
    r"|पिन|รหัส|código|återst|geheim|nøgle"
)

_MARKS = re.compile(r"\[secret removed: [A-Za-z0-9][A-Za-z0-9 &.-]{1,40}\]")


@cache
def _kinds() -> frozenset[str]:
    told = (
        "password passphrase PIN cookie".split(),
        ("key or token", "named secret", "access code", "recovery codes", "seed phrase", "one-time password seed"),
        ("card number", "card security code", "private key", "password in an address", "text full of secrets"),
        ("authorization header", "URL token"),
        (shape.kind for shape in (*SHAPES, *NAMED)),
    )
    return frozenset(kind for kinds in told for kind in kinds)


def _vagueness(kind: str) -> int:
    """What is named more exactly is what a person should read."""
    return {"key or token": 2, "named secret": 3, "API key": 1}.get(kind, 0)


def _blanked(text: str) -> str:
    """The text with line ends in the place of our own marks, so that nothing is found in them or across them."""

    def blank(found: re.Match[str]) -> str:
        kind = found.group()[len("[secret removed: ") : -1]
        return "\n" * len(found.group()) if kind in _kinds() else found.group()

    return _MARKS.sub(blank, text)


def _lower(text: str) -> str:
    """In lower case, with every letter in its place."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _looked_for(text: str) -> Iterator[talk.Span]:
    data = text.encode("utf-8", "replace")
    has_run = _RUN in data.translate(_TO_RUNS)
    low = _lower(text)
    has_cue = _CUES.search(low) is not None or (not text.isascii() and _OTHER_CUES.search(low) is not None)
    has_digits = len(data.translate(None, _NO_DIGITS)) >= _FEWEST_CARD_DIGITS
    has_address = "://" in text and "@" in text
    if not (has_run or has_cue or has_digits or has_address):
        return
    if "[secret removed: " in text:
        text = _blanked(text)
        low = _lower(text)
    if has_run:
        yield from _shaped(text)
        yield from _named(text, low)
    if "PRIVATE KEY" in text or "PuTTY-User-Key-File" in text:
        yield from _private_keys(text)
    if has_address:
        yield from _in_addresses(text)
    if has_cue:
        for rule in _TOLD:
            yield from rule(text, low)
        yield from _in_commands(text)
    if has_digits:
        yield from _cards(text, low)


# -- forms ----------------------------------------------------------------------------------------------------------


@cache
def _anchored(form: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9])(?:{form})(?![A-Za-z0-9])")


def _shaped(text: str) -> Iterator[talk.Span]:
    for shape in SHAPES:
        if shape.hint not in text:
            continue
        for found in _anchored_start(shape.pattern).finditer(text):
            group = 1 if found.re.groups else 0
            if is_plausible(found.group(group)):
                yield shape.kind, *found.span(group)


@cache
def _anchored_start(form: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9])(?:{form})")


_NAME_OF_SECRET = re.compile(
    r"key|token|secret|passw|cred|auth|\bpat\b|pwd|ключ|токен|schlüssel|clave|clé|密钥|キー|키"
)
_HASH_TALK = re.compile(r"commit|\bsha|hash|digest|checksum|fingerprint|revision|md5|public|\bid\b|uuid")


def _named(text: str, low: str) -> Iterator[talk.Span]:
    for shape in NAMED:
        at = low.find(shape.hint)
        while at != -1:
            start, after = max(0, at - 40), at + len(shape.hint)
            for found in _anchored(shape.pattern).finditer(text, after, after + 160):
                before = low[start : found.start()]
                value = found.group()
                if (
                    _NAME_OF_SECRET.search(before)
                    and not _HASH_TALK.search(before[-30:])
                    and any(c.isdigit() for c in value)
                    and is_plausible(value)
                    and not (shape.kind == "AWS secret key" and (value.islower() or value.isupper()))
                    and not is_placeholder(value)
                ):
                    yield shape.kind, *found.span()
            at = low.find(shape.hint, after + 160)


_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_BASE64 = re.compile(r"[A-Za-z0-9+/=]{16}")
_BODY = re.compile(r"(?:[A-Za-z0-9+/=\s:,-]|\\[nr])*")
_LONGEST_KEY = 20_000
_PUTTY = re.compile(r"PuTTY-User-Key-File-\d:")
_PRIVATE_LINES = re.compile(r"Private-Lines:\s*\d+\s+((?:[A-Za-z0-9+/=]+\s*){1,200})(?:Private-MAC:\s*[0-9a-f]*)?")


def _private_keys(text: str) -> Iterator[talk.Span]:
    done = 0
    for begin in _BEGIN.finditer(text):
        if begin.start() < done:
            continue
        limit = begin.end() + _LONGEST_KEY
        body = _BODY.match(text, begin.end(), limit)
        close = text.find("-----END ", begin.end(), limit)
        if close != -1:
            last = text.find("-----", close + 9, close + 80)
            done = last + 5 if last != -1 else close + 9
        else:
            done = body.end() if body else begin.end()
        if _BASE64.search(text, begin.end(), done):
            yield "private key", begin.start(), done
    if _PUTTY.search(text):
        for found in _PRIVATE_LINES.finditer(text):
            yield "private key", *found.span()


_ADDRESS = re.compile(r"://([^\s/@:\"'<>]{0,100}):([^\s/\"'<>]{1,200})@")
_ADDRESS_TOKEN = re.compile(r"://([A-Za-z0-9_.~-]{20,200})@")


def _in_addresses(text: str) -> Iterator[talk.Span]:
    for found in _ADDRESS.finditer(text):
        start, end = found.span(2)
        password = found.group(2)
        if not is_placeholder(password):
            yield "password in an address", start, end
    for found in _ADDRESS_TOKEN.finditer(text):
        if is_plausible(found.group(1)) and any(c.isdigit() for c in found.group(1)):
            yield "password in an address", *found.span(1)


# -- headers and commands -------------------------------------------------------------------------------------------

_BEARER = re.compile(
    r"(?i)\b(?:authorization[\"']?\s{0,2}[:=]\s{0,2}[\"']?)(?:bearer|basic|token|digest|apikey"
    r"|negotiate)\s+[\"']?([A-Za-z0-9._~+/=:-]{8,4000})"
)
_BEARER_ALONE = re.compile(r"(?i)\bbearer(?: token)?:?\s+[\"'`]?([A-Za-z0-9._~+/=-]{16,4000})")
_COOKIE = re.compile(r"(?i)\b(?:set-)?cookies?\s?:\s{0,3}([\w.-]{1,64}=[^\n\"'`]{8,4000})")
_SESSION = re.compile(
    r"(?i)\b(?:[\w-]{0,20}(?:session|sess|sid|csrf|xsrf|remember|auth)[\w-]{0,16})=([A-Za-z0-9%._~+/-]{16,1000})"
)
_NETRC = re.compile(r"(?i)\bmachine\s+\S{1,100}\s+login\s+\S{1,100}\s+password\s+(\S{3,200})")
_PGPASS = re.compile(r"(?<![\w.])[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w*-]{1,60}:[\w*-]{1,60}:([^\s:]{4,200})")
_COMMANDS = (
    re.compile(r"\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =][\"']?[^\s:\"']{1,100}:([^\s\"']{3,200})"),
    re.compile(r"\b(?:mysql|mysqldump|mariadb|mysqladmin)\b[^\n]{0,200}?\s-p([^\s\"']{4,200})"),
    re.compile(r"\bsshpass\s+-p\s?[\"']?([^\s\"']{3,200})"),
    re.compile(
        r"\b(?:docker|podman|helm|az|oc|skopeo"
        r"|crane)\b[^\n]{0,200}?\blogin\b[^\n]{0,200}?\s-p[ =]?[\"']?([^\s\"']{4,200})"
    ),
    re.compile(r"\bredis-cli\b[^\n]{0,200}?\s-a\s[\"']?([^\s\"']{3,200})"),
    re.compile(
        r"\b(?:htpasswd|smbclient|ldapsearch|rdesktop|xfreerdp)\b[^\n]{0,200}?\s(?:-w|/p:"
        r"|-p)\s?[\"']?([^\s\"']{4,200})"
    ),
    re.compile(
        r"--(?:password|passwd|pass|token|secret|api-key|apikey|access-token|auth-token"
        r"|client-secret)[ =][\"']?([^\s\"']{4,200})"
    ),
)
_COMMAND_WORDS = re.compile(r"curl|mysql|mariadb|sshpass|login|redis-cli|htpasswd|smbclient|ldapsearch|xfreerdp|--")


def _in_commands(text: str) -> Iterator[talk.Span]:
    for found in (*_BEARER.finditer(text), *_BEARER_ALONE.finditer(text)):
        value = found.group(1)
        if not is_placeholder(value) and (
            found.re is _BEARER or (any(c.isdigit() for c in value) and is_plausible(value))
        ):
            yield "authorization header", *found.span(1)
    for found in _COOKIE.finditer(text):
        if is_strong(found.group(1), 12) and not is_placeholder(found.group(1).partition("=")[2]):
            yield "cookie", *found.span(1)
    for found in _SESSION.finditer(text):
        if (
            is_plausible(found.group(1))
            and any(c.isdigit() for c in found.group(1))
            and not is_placeholder(found.group(1))
        ):
            yield "cookie", *found.span(1)
    for form in (_NETRC, _PGPASS):
        for found in form.finditer(text):
            if not is_placeholder(found.group(1)) and (form is _NETRC or is_strong(found.group(1))):
                yield "password", *found.span(1)
    if not _COMMAND_WORDS.search(text):
        return
    for form in _COMMANDS:
        for found in form.finditer(text):
            value = found.group(1)
            if not is_placeholder(value) and is_strong(value):
                yield "password", *found.span(1)


# -- cards ----------------------------------------------------------------------------------------------------------

_CARD = re.compile(
    r"(?<![\dA-Za-z.,/:_+-])(?:\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{4,5}|\d{13,19})(?![\d/]"
    r"|[.,:_-]?\d)"
)
_NO_CARD = re.compile(
    r"isbn|iban|ean|gtin|imei|order|tracking|invoice|phone|tel\b|serial|timestamp|epoch|barcode|\bvat\b|account|konto"
    r"|\bid\b"
)


def _cards(text: str, low: str) -> Iterator[talk.Span]:
    for found in _CARD.finditer(text):
        digits = re.sub(r"\D", "", found.group())
        if not 13 <= len(digits) <= 19 or digits[0] not in "23456" or len(set(digits)) < 2 or not passes_luhn(digits):
            continue
        grouped = found.group(1) or found.group(2)
        near = low[max(0, found.start() - 60) : found.end() + 40]
        if (grouped and not _NO_CARD.search(near)) or CARD.search(near):
            yield "card number", *found.span()


_TOLD: tuple[Callable[[str, str], Iterator[talk.Span]], ...] = (
    talk.passwords,
    talk.keys,
    talk.pins,
    talk.codes,
    talk.recovery_codes,
    talk.seed_phrases,
    talk.one_time_seeds,
    talk.credentials,
    talk.card_codes,
)
