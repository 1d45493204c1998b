"""Secrets that are told by their form: tokens, private keys, passwords in addresses, headers and commands, cards.

All functions take the text (some also the text in lower case with the same places) and yield (kind, start, end).
"""

import re
from collections.abc import Iterator
from functools import cache

from commonplace.gate.secretplaces import Lowered, Sought
from commonplace.gate.secretshapes import NAMED, SHAPES, WIF
from commonplace.gate.secrettalk import Span
from commonplace.gate.secretvalues import (
    is_basic,
    is_placeholder,
    is_plausible,
    is_strong,
    passes_base58check,
    passes_luhn,
)
from commonplace.gate.secretwords import CARD
from commonplace.patterns import LazyPattern

_LONG_WORD = LazyPattern(r"(?<!\S)\S{12,}")  # the shortest form has so many letters


@cache
def _anchored(form: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9])(?:{form})(?![A-Za-z0-9])")


def shaped(text: str) -> Iterator[Span]:
    words = [word.span() for word in _LONG_WORD.finditer(text)]
    in_words = "\n".join(text[start:end] for start, end in words)
    for shape in SHAPES:
        # Nearly all forms are one word, and the long words are a small part of a text.
        is_word = not _has_space(shape.pattern)
        if shape.hint not in (in_words if is_word else text):
            continue
        form = _anchored_start(shape.pattern)
        for start, end in words if is_word else [(0, len(text))]:
            for found in form.finditer(text, start, end):
                group = 1 if found.re.groups else 0
                is_short = shape.kind == "key in an address" and _is_short_key(found.group(1))
                if shape.kind == WIF and not passes_base58check(found.group(group)):
                    continue
                if is_short or shape.kind == "recovery key" or is_plausible(found.group(group)):
                    yield shape.kind, *found.span(group)


@cache
def _has_space(form: str) -> bool:
    return " " in form or r"\s" in form.replace(r"[^\s", "[^")


def _is_short_key(value: str) -> bool:
    return len(value) >= 6 and len(set(value)) >= 5 and any(map(str.isdigit, value)) and not is_placeholder(value)


@cache
def _anchored_start(form: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9])(?:{form})")


_NAME_OF_SECRET = LazyPattern(
    r"key|token|secret|passw|cred|auth|\bapp_?id|hash\b|\bpat\b|pwd|ключ|токен|schlüssel|clave|clé|密钥|キー|키"
)
_HASH_TALK = LazyPattern(r"commit|\bsha(?![a-z])|hash|digest|checksum|fingerprint|revision|md5|public|\bid\b|uuid")


def named(text: str, low: str) -> Iterator[Span]:
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
                ):
                    yield shape.kind, *found.span()
            at = low.find(shape.hint, after + 160)


_BEGIN = LazyPattern(r"-{4,5} ?BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_BASE64 = LazyPattern(r"[A-Za-z0-9+/=]{16}")
_END = LazyPattern(r"-{4,5} ?END [A-Z0-9 ]{0,60}-{4,5}")
_SHORT = LazyPattern(r"(?=[A-Za-z0-9+/]*[0-9A-Z])[A-Za-z0-9+/=]{8}")
_BODY = LazyPattern(r"(?:[A-Za-z0-9+/=\s:,-]|\\[nr])*")
_LONGEST_KEY = 20_000
_PUTTY = LazyPattern(r"PuTTY-User-Key-File-\d:")
_PRIVATE_LINES = LazyPattern(r"Private-Lines:\s*\d+\s+((?:[A-Za-z0-9+/=]+\s*){1,200})(?:Private-MAC:\s*[0-9a-f]*)?")


def private_keys(text: str) -> Iterator[Span]:
    done = 0
    for begin in _BEGIN.finditer(text):
        if begin.start() < done:
            continue
        limit = begin.end() + _LONGEST_KEY
        body = _BODY.match(text, begin.end(), limit)
        close = _END.search(text, begin.end(), limit)
        if close:
            done = close.end()
        else:
            done = body.end() if body else begin.end()
        if _BASE64.search(text, begin.end(), done) or (close and _SHORT.search(text, begin.end(), close.start())):
            yield "private key", begin.start(), done
    if _PUTTY.search(text):
        for found in _PRIVATE_LINES.finditer(text):
            yield "private key", *found.span()


_ADDRESS = Sought("address", r"://([^\s/@:\"'<>]{0,100}):([^\s/\"'<>]{1,200})@")
_BARE_ADDRESS = Sought(
    "bare address",
    r"(?<![\w./:@-])[A-Za-z][\w.-]{1,30}:([^\s@:/]{5,64})@[\w-]{1,60}(?:\.[\w-]{1,60}){1,5}",
    word="@",
    back=98,
    ahead=480,
)
_ADDRESS_TOKEN = Sought("address", r"://([A-Za-z0-9_.~-]{20,200})@", word="://")
# Where browsers send their errors to: the key in the address is made to be seen.
_PUBLIC_HOST = LazyPattern(r"[\w.-]{0,60}(?:sentry|glitchtip|bugsink|ingest)[\w.-]{0,60}(?::\d{2,5})?/\d{1,20}(?!\w)")


def in_addresses(text: str, low: Lowered) -> Iterator[Span]:
    for found in _ADDRESS.found_in(low, text):
        start, end = found.span(2)
        password = found.group(2)
        if not is_placeholder(password):
            yield "password in an address", start, end
    for found in _BARE_ADDRESS.found_in(low, text):
        if is_strong(found.group(1), 5) and not is_placeholder(found.group(1)):
            yield "password in an address", *found.span(1)
    for found in _ADDRESS_TOKEN.found_in(low, text):
        if _PUBLIC_HOST.match(text, found.end()):
            continue
        if is_plausible(found.group(1)) and any(c.isdigit() for c in found.group(1)):
            yield "password in an address", *found.span(1)


# -- headers and commands -------------------------------------------------------------------------------------------

_BEARER = Sought(
    "authorization",
    r"(?i)\b(?:authorization[\"']?\s{0,2}[:=]\s{0,2}[\"']?)(?:bearer|basic|token|digest|apikey"
    r"|negotiate)\s+[\"']?([A-Za-z0-9._~+/=:-]{8,4000})",
)
_BEARER_ALONE = Sought("bearer", r"(?i)\bbearer(?: token)?:?\s+[\"'`]?([A-Za-z0-9._~+/=-]{16,4000})")
_BASIC = Sought("basic", r"\bBasic ([A-Za-z0-9+/]{12,400}={0,2})")
_COOKIE = Sought("cookie", r"(?i)\b(?:set-)?cookies?\s?:\s{0,3}([\w.-]{1,64}=[^\n\"'`]{8,4000})")
_SESSION = Sought(
    "session",
    r"(?i)\b(?:[\w-]{0,20}(?:session|sess|sid|csrf|xsrf|remember|auth)[\w-]{0,16})=",
    word=r"(?<=[\w-])=",
    back=46,
    ahead=50,
)
_SESSION_VALUE = LazyPattern(r"[A-Za-z0-9%._~+/-]{16,1000}")
_NETRC = Sought(
    "machine login",
    r"(?i)\bmachine[ \t]+(?!learning\b)\S{1,100}\s+login\s+\S{1,100}\s+password[ \t]+(?!field\b|form\b)(\S{3,200})",
)
_WIFI = Sought("wifi code", r"(?i)\bwifi:(?:[a-z]:[^;\n]{0,64};){0,3}p:([^;\n]{4,64});")
_IDENTIFIED = Sought(
    "identified", r"(?i)\bidentified\s(?:with\s\S{1,40}\s)?by\s(?:password\s)?[\"']([^\s\"']{3,200})[\"']"
)
_SSHPASS = Sought("sshpass", r"\bsshpass\s+-p\s?[\"']?([^\s\"']{3,200})")
_COMMANDS = (
    Sought("curl", r"\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =][\"']?[^\s:\"']{1,100}:([^\s\"']{3,200})"),
    Sought("mysql", r"\b(?:mysql|mysqldump|mariadb|mysqladmin)\b[^\n]{0,200}?\s-p[\"']?([^\s\"']{4,200})"),
    Sought(
        "registry login",
        r"\b(?:docker|podman|helm|az|oc|skopeo"
        r"|crane)\b[^\n]{0,200}?\blogin\b[^\n]{0,200}?\s-p[ =]?[\"']?([^\s\"']{4,200})",
    ),
    Sought("requirepass", r"\b(?:requirepass|masterauth)\s+[\"']?([^\s\"']{4,200})"),
    Sought("redis", r"\bredis-cli\b[^\n]{0,200}?\s-a\s[\"']?([^\s\"']{3,200})"),
    Sought(
        "tools",
        r"\b(?:htpasswd|smbclient|ldapsearch|rdesktop|[xw]freerdp|mongo|mongosh|mongodump|mongorestore|useradd"
        r"|usermod|7z|7za"
        r"|7zz|mosquitto_pub|mosquitto_sub|sqlcmd|bcp|ipmitool|rabbitmqadmin|cadaver"
        r"|lftp)\b[^\n]{0,200}?\s(?:-w|/p:|-p|-P)"
        r"\s?[\"']?([^\s\"']{4,200})",
    ),
    Sought("archives", r"\b(?:unzip|zip|plink|pscp|putty)\b[^\n]{0,200}?\s(?:-P|-pw)\s?[\"']?([^\s\"']{4,200})"),
    Sought("openssl", r"\bopenssl\b[^\n]{0,200}?\s(?:-k|-K|-pass\w{0,3} pass:)\s?[\"']?([^\s\"':]{4,200})"),
    Sought(
        "keytool",
        r"\bkeytool\b[^\n]{0,200}?\s-(?:store|key|new|srcstore|deststore)pass(?:wd)?\s[\"']?([^\s\"']{4,200})",
    ),
    Sought("smbclient", r"\bsmbclient\b[^\n]{0,200}?\s-U\s?[\"']?[^\s%\"']{1,64}%([^\s\"']{3,200})"),
    Sought("net use", r"\bnet use\s[^\n]{0,100}?\\\\\S{1,100}\s(?!/)([^\s\"'/*][^\s\"']{3,100})"),
    Sought("http", r"\bhttps?\s[^\n]{0,200}?(?:-a|--auth)[ =][\"']?[^\s:\"']{1,64}:([^\s\"']{3,200})"),
    Sought("sqlplus", r"\bsqlplus\s(?:-\w+\s){0,3}[\"']?[\w$]{1,40}/([^\s\"'@/]{3,100})"),
    Sought("wpa", r"\bwpa_passphrase\s(?:\"[^\"\n]{1,40}\"|'[^'\n]{1,40}'|\S{1,40})\s[\"']?([^\s\"']{8,63})"),
    Sought(
        "echo",
        r"\becho\s(?:-n\s)?[\"']?(?:\w{1,32}:)?([^\s\"'|:]{4,200})[\"']?\s?\|[^|\n]{0,80}(?:-stdin|chpasswd"
        r"|sudo -S|cryptsetup)",
    ),
    Sought("here string", r"<<<\s?[\"']?([^\s\"']{5,200})"),
    Sought("snmp", r"\b(?:snmp-server community|snmp\w*\s[^\n]{0,60}?-c)\s([^\s\"']{4,64})"),
    Sought(
        "username", r"\busername\s\S{1,40}(?:\sprivilege\s\d{1,2})?\s(?:secret|password)\s(?:\d\s)?([^\s\"']{4,200})"
    ),
    Sought(
        "options",
        r"--(?:password|passwd|pass|passphrase|http-password|ftp-password|token|secret|api-key|apikey"
        r"|access-token|auth-token"
        r"|authkey|auth-key|client-secret|secret-key|private-key|pin)[ =][\"']?([^\s\"']{4,200})",
    ),
    Sought(
        "element",
        r"<(?:\w{1,20}:)?[\w.-]{0,30}(?i:password|passwd|passphrase|secret|token|api-?key)(?:\s[^<>\n]{0,60})?>"
        r"\s{0,2}([^<>\s]{4,200})\s{0,2}</",
    ),
)
_COMMAND_WORDS = Sought(
    "command",
    r"curl|mysql|mariadb|require|masterauth|login|redis-cli|htpasswd|smbclient|ldapsearch|freerdp|--|rdesktop"
    r"|mongo|user|7z"
    r"|mosquitto|sqlcmd|ipmitool|rabbitmq|lftp|zip|plink|pscp|openssl|keytool|net use|http|sqlplus|wpa_|echo"
    r"|snmp|</|<<<",
)


def in_commands(text: str, low: Lowered) -> Iterator[Span]:
    for found in (*_BEARER.found_in(low, text), *_BEARER_ALONE.found_in(low, text)):
        value = found.group(1)
        if not is_placeholder(value) and any(c.isdigit() for c in value) and is_plausible(value):
            yield "authorization header", *found.span(1)
    for found in _BASIC.found_in(low, text):
        if is_basic(found.group(1)):
            yield "authorization header", *found.span(1)
    for found in _COOKIE.found_in(low, text):
        if is_strong(found.group(1), 12) and not is_placeholder(found.group(1).partition("=")[2]):
            yield "cookie", *found.span(1)
    for found in _SESSION.found_in(low, text):
        if text.endswith("<!-- commonplace session=", 0, found.end()):  # our own mark in a daily log
            continue
        value = _SESSION_VALUE.match(text, found.end())
        if (
            value
            and is_plausible(value.group())
            and any(c.isdigit() for c in value.group())
            and not is_placeholder(value.group())
        ):
            yield "cookie", *value.span()
    for form in (_NETRC, _WIFI, _SSHPASS, _IDENTIFIED):
        for found in form.found_in(low, text):
            if not is_placeholder(found.group(1)):
                yield "password", *found.span(1)
    if not _COMMAND_WORDS.is_in(low, text):
        return
    for form in _COMMANDS:
        for found in form.found_in(low, text):
            value = found.group(1)
            if not is_placeholder(value) and (is_strong(value) or not value.islower()):
                yield "password", *found.span(1)


# -- cards ----------------------------------------------------------------------------------------------------------

_CARD = Sought(
    "card",
    r"(?<![\dA-Za-z.,/:_+-])(?:\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{4,5}|\d{13,19})(?![\d/]"
    r"|[.,:_-]?\d)",
)
# With these words beside it, a number with a wrong digit is still somebody's card.
_PAYMENT_CARD = Sought(
    "card",
    r"visa|master ?card|amex|american express|(?:credit|debit|kredit|bank|corporate|company|ec)[- ]?(?:card|karte"
    r"|kaart|kort)"
    r"|card number|kartennummer|numéro de carte|tarjeta de crédito|cartão de crédito|carta di credito|carte (?:bleue"
    r"|bancaire)"
    r"|cvv|cvc|кредитн|信用卡|クレジットカード|신용카드|kredi kartı",
)
_OTHER_CARD = Sought(
    "card", r"library|loyalty|gift|member|insurance|health|student|sim\b|post|graphics|bonus|frequent|order|serial|iban"
)
_NO_CARD = Sought(
    "card",
    r"isbn|iban|ean|gtin|imei|order|tracking|invoice|phone|tel\b|serial|timestamp|epoch|barcode|\bvat\b|account|konto"
    r"|\bid\b",
)

_CODE_OF_CARD = Sought(
    "card",
    r"(?:code|\bcid|crypto\w*|código|codice|kod|код|cv\w|csc|prüf\w*|security|digits|back|verso|reverso|码|コード"
    r"|코드)\D{0,12}?"
    r"(?<!\d)(\d{3,4})(?![\d/])|\d{2}/\d{2,4}[\s,;/]{1,3}(\d{3,4})(?![\d/])",
)


# Numbers that payment firms print for trying things out; they are nobody's when the text says so.
_TEST_CARD = Sought(
    "card",
    r"4242424242424242|4000\d{8}\d{4}|4111111111111111|4012888888881881|5555555555554444|5105105105105100"
    r"|5200828282828210|2223003122003222|378282246310005|371449635398431|6011111111111117|6011000990139424"
    r"|3056930009020004|30569309025904|38520000023237|3566002020360505|3530111333300000",
)
_FOR_TESTS = LazyPattern(
    r"test|documented|sandbox|example|dummy|stripe['’]s|docs|doku|beispiel|prueba|exemple|esempio|teste|voorbeeld|тест"
    r"|测试|テスト|테스트"
)


def cards(text: str, low: Lowered) -> Iterator[Span]:
    for found in _CARD.found_in(low, text):
        digits = re.sub(r"\D", "", found.group())
        if not 13 <= len(digits) <= 19 or len(set(digits)) < 2:
            continue
        grouped = found.group(1) or found.group(2)
        near = low[max(0, found.start() - 60) : found.end() + 40]
        is_card = (
            digits[0] in "23456"
            and passes_luhn(digits)
            and ((grouped and not _NO_CARD.search(near)) or CARD.search(near))
        )
        is_payment = is_card or (
            len(digits) in {15, 16} and _PAYMENT_CARD.search(near) and not _OTHER_CARD.search(near)
        )
        if is_payment and not (_TEST_CARD.match(digits) and _FOR_TESTS.search(near)):
            yield "card number", *found.span()
            if code := _CODE_OF_CARD.search(low, found.end(), found.end() + 70):
                yield "card security code", *code.span(code.lastindex or 1)
