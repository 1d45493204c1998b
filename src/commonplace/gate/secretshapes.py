"""Secrets that are certain by their shape: tokens of vendors, private keys, passwords in addresses and commands, cards.

The shapes are data (`secretshapes.tsv`): what a person reads, a hint that every such text has, a check, a pattern. A
text is searched for a shape only where its hint stands, and a pattern is compiled when it is first needed. Publishable
keys are not in the table: they are made to be seen. Some secrets carry what proves them: check digits, check bytes, a
list of words.
"""

import base64
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from commonplace.gate.secretvalues import is_made, is_placeholder, is_plausible
from commonplace.patterns import LazyPattern

_NAMED = "named"
_BESIDE = 160  # characters between the name of a vendor and its token
_LONG_WORD = LazyPattern(r"(?<!\S)\S{12,}")  # the shortest token has so many letters
_KEY_WORD = LazyPattern(r"key|token|secret|passw|cred|auth|\bapp_?id|hash\b|\bpat\b|pwd|[=:]\s?[\"']?$")
_HASH_TALK = LazyPattern(r"commit|\bsha(?![a-z])|hash|digest|checksum|fingerprint|revision|md5|public|\bid\b|uuid")
_CARD = LazyPattern(
    r"(?<![\dA-Za-z.,/:_+-])(?:\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{4,5}|\d{13,19})"
    r"(?![\d/]|[.,:_-]?\d)"
)
_CARD_TALK = LazyPattern(r"card|karte|visa|amex|cvv|cvc|carte|tarjeta|cartão|carta|kaart|kort|карт|卡|カード|카드|kart")
_OTHER_NUMBER = LazyPattern(
    r"isbn|iban|ean|gtin|imei|order|tracking|invoice|phone|\btel\b|serial|timestamp|epoch|barcode|\bvat\b|account"
    r"|konto|\bid\b|test|sandbox|example|docs"
)
_CARD_CODE = LazyPattern(r"(?:cv[vc]2?|csc|cid|security code|prüfnummer|prüfziffer)\D{0,12}?(?<!\d)(\d{3,4})(?![\d/])")
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_SEED_LENGTHS = (24, 21, 18, 15, 12)
_SEED = LazyPattern(r"\b[a-z]{3,8}(?:[\s,;.-]{1,3}(?:\d{1,2}[.):]?\s{0,2})?[a-z]{3,8}){11,60}\b")
_WORD = re.compile(r"[a-z]+")


class Shape(NamedTuple):
    """A row of the table; one with several hints is there for each of them."""

    kind: str
    hint: str
    check: str
    pattern: str


class Shapes(NamedTuple):
    """The table by where a shape is looked for: in one long word, in the whole text, behind a vendor's name."""

    in_words: list[Shape]
    in_text: list[Shape]
    named: list[Shape]


@cache
def shapes() -> Shapes:
    found = Shapes([], [], [])
    for line in Path(__file__).with_name("secretshapes.tsv").read_text("utf-8").splitlines()[1:]:
        kind, hints, check, pattern = line.split("\t")
        spaced = " " in pattern or r"\s" in pattern.replace(r"[^\s", "[^")
        where = found.named if check == _NAMED else found.in_text if spaced else found.in_words
        where += [Shape(kind, hint, check, pattern) for hint in hints.split("¦")]
    return found


@cache
def _compiled(pattern: str, end: str = "") -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9])(?:{pattern}){end}")


def shaped(text: str) -> Iterator[tuple[str, int, int]]:
    """What has the shape of a secret: kind, start, end."""
    table, low = shapes(), text.lower()
    words = [word.span() for word in _LONG_WORD.finditer(text)]
    if words:
        in_words = "\n".join(text[start:end] for start, end in words)
        for shape in [shape for shape in table.in_words if shape.hint in in_words]:
            yield from _matches(shape, text, words)
        for shape in [shape for shape in table.named if shape.hint in low]:
            if len(low) == len(text):
                yield from _named(shape, text, low)
    for shape in [shape for shape in table.in_text if shape.hint in text]:
        yield from _matches(shape, text, [(0, len(text))])
    yield from _cards(text, low)
    yield from (("seed phrase", start, end) for start, end in seed_phrases(text))


def _matches(shape: Shape, text: str, places: list[tuple[int, int]]) -> Iterator[tuple[str, int, int]]:
    form, holds = _compiled(shape.pattern), _CHECKS[shape.check]
    for start, end in places:
        for found in form.finditer(text, start, end):
            group = 1 if found.re.groups else 0
            if holds(found.group(group)):
                yield shape.kind, *found.span(group)


def _named(shape: Shape, text: str, low: str) -> Iterator[tuple[str, int, int]]:
    """A token that looks like any other, behind the name of its vendor and a word for it."""
    at = low.find(shape.hint)
    while at != -1:
        begin, after = max(0, at - 40), at + len(shape.hint)
        for found in _compiled(shape.pattern, "(?![A-Za-z0-9])").finditer(text, after, after + _BESIDE):
            value, before = found.group(), low[begin : found.start()]
            drawn = any(map(str.isdigit, value)) and is_plausible(value)
            mixed = shape.kind != "AWS secret key" or not (value.islower() or value.isupper())
            if drawn and mixed and _KEY_WORD.search(before) and not _HASH_TALK.search(before[-30:]):
                yield shape.kind, *found.span()
        at = low.find(shape.hint, after + _BESIDE)


def _cards(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    """Numbers of payment cards, by their check digit, and the code that stands behind one."""
    for found in _CARD.finditer(text):
        digits = re.sub(r"\D", "", found.group())
        near = low[max(0, found.start() - 60) : found.end() + 40]
        grouped = found.group(1) or found.group(2)
        if not (13 <= len(digits) <= 19 and digits[0] in "23456" and len(set(digits)) > 1 and luhn(digits)):
            continue
        talk = _CARD_TALK.search(near) is not None
        if (grouped and not _OTHER_NUMBER.search(near)) or (talk and not re.search("test|sandbox|example", near)):
            yield "card number", *found.span()
            if code := _CARD_CODE.search(low, found.end(), found.end() + 60):
                yield "card security code", *code.span(1)


def luhn(digits: str) -> bool:
    """The check digit of payment cards."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        number = int(digit) * (1 + place % 2)
        total += number - 9 if number > 9 else number
    return total % 10 == 0


def base58check(value: str) -> bool:
    """The check bytes of what Bitcoin writes with 58 letters and digits."""
    from hashlib import sha256

    number = 0
    for letter in value:
        number = number * 58 + _BASE58.index(letter)
    data = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return sha256(sha256(data[:-4]).digest()).digest()[:4] == data[-4:]


def basic(value: str) -> bool:
    """Whether a value is a name and a password as the header for them has it."""
    try:
        plain = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode("ascii")
    except (ValueError, UnicodeDecodeError):
        return False
    return plain.isprintable() and ":" in plain[1:-1]


def seed_phrases(text: str) -> Iterator[tuple[int, int]]:
    """Where the words of a wallet stand (BIP-39): 12 to 24 words of the list, the last with the right check bits."""
    for row in _SEED.finditer(text):
        words = list(_WORD.finditer(text, *row.span()))
        numbers = [_numbers().get(word.group(), -1) for word in words]
        at = 0
        while at + _SEED_LENGTHS[-1] <= len(words):
            length = next((n for n in _SEED_LENGTHS if _is_seed(numbers[at : at + n], n)), 0)
            if length:
                yield words[at].start(), words[at + length - 1].end()
            at += length or 1


def _is_seed(numbers: list[int], length: int) -> bool:
    from hashlib import sha256

    if len(numbers) < length or min(numbers) < 0 or len(set(numbers)) * 3 < length * 2:  # nobody draws one word often
        return False
    bits = "".join(f"{number:011b}" for number in numbers)
    check = length // 3
    entropy = int(bits[:-check], 2).to_bytes((len(bits) - check) // 8, "big")
    return f"{sha256(entropy).digest()[0]:08b}"[:check] == bits[-check:]


@cache
def _numbers() -> dict[str, int]:
    words = Path(__file__).with_name("bip39.txt").read_text("ascii").split()
    return {word: number for number, word in enumerate(words)}


def _is_short_key(value: str) -> bool:
    return len(set(value)) >= 5 and any(map(str.isdigit, value)) and not is_placeholder(value)


_CHECKS: dict[str, Callable[[str], bool]] = {
    "": is_plausible,
    "any": lambda _: True,
    "word": lambda value: not is_placeholder(value),
    "made": lambda value: is_made(value) and not is_placeholder(value),
    "command": lambda value: not is_placeholder(value) and (is_made(value) or not value.islower()),
    "short": lambda value: is_plausible(value) or _is_short_key(value),
    "basic": basic,
    "base58": base58check,
}
