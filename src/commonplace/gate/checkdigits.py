"""What some secrets carry to prove themselves: check digits, check bytes, a list of words. Pure."""

import base64
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from commonplace.patterns import LazyPattern

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_SEED_LENGTHS = (24, 21, 18, 15, 12)
_SEED = LazyPattern(r"\b[a-z]{3,8}(?:[\s,;.-]{1,3}(?:\d{1,2}[.):]?\s{0,2})?[a-z]{3,8}){11,60}\b")
_WORD = re.compile(r"[a-z]+")


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
