"""What stands in a text but is not language: addresses, paths, hashes, serials, versions, coordinates. Pure.

The letters in a hash are no words, and the digits in a MAC address are no progress. Rules that look at words look at a
text in which each such value is one neutral word.
"""

import re
from typing import NamedTuple

WORD = "qzvalue"  # begins like no word of any list
_HEX = r"[0-9a-fA-F]"
_END = r"(?![\w])"
_LINK = r"\b[a-z][a-z0-9+.-]{1,12}://[^\s<>\"'`，。、）]{1,2000}|\bwww\.[^\s<>\"'`]{2,200}|\b[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{2,60}"
_PLACEHOLDER = (
    r"\$\{\{[^{}\n]{1,80}\}\}|\$?\{\{?[\w.: -]{1,60}\}\}?|<[A-Za-z][\w -]{0,40}>|%[A-Z_]{3,40}%|\$[A-Z_]{3,40}\b"
)
_PATH = (
    r"(?<![\w/.])(?:~|\.{1,2})?/[\w.+@-]{1,80}(?:/[\w.+@*-]{1,80}){1,20}/?|(?<!\w)(?:~|\.{1,2})/[\w.+@-]{1,80}|\b[A-Za-z]:\\[^\s\"<>|]{1,200}"
    r"|\b[\w.+@-]{1,80}(?:/[\w.+@-]{1,80}){2,20}"
)
_ADDRESS = (
    rf"\b{_HEX}{{2}}(?:[:-]{_HEX}{{2}}){{5,7}}{_END}"
    r"|\b\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2}|:\d{1,5})?"
    + _END
    + rf"|(?<![\w:])(?:{_HEX}{{1,4}}:{{1,2}}){{3,7}}(?:{_HEX}{{1,4}})?(?:/\d{{1,3}})?{_END}"
)
_HASH = (
    rf"\b(?:sha\d{{1,3}}|md5|SHA\d{{1,3}}|MD5)[:-][\w+/=-]{{12,}}"
    rf"|\b{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}{_END}"
    rf"|\b0x{_HEX}{{2,80}}{_END}|\b(?=[a-f]{{0,40}}\d)(?=\d{{0,40}}[a-f])[0-9a-f]{{7,128}}{_END}"
    rf"|\b(?=[A-F]{{0,40}}\d)(?=\d{{0,40}}[A-F])[0-9A-F]{{7,128}}{_END}|(?:\b{_HEX}{{4}}[ :]){{4,16}}{_HEX}{{4}}{_END}"
    r"|(?<![\w+/])(?=[A-Za-z+/_-]{0,60}\d)[A-Za-z0-9+/_-]{24,2000}={0,2}(?![\w=])"
)
_PLACE = (
    r"[-−]?\b\d{1,3}\.\d{3,8}°?\s?[NSEW]?\s?[,/]\s?[-−]?\d{1,3}\.\d{3,8}°?\s?[NSEW]?"
    r"|\b\d{1,3}°\s?\d{1,2}['′’][\d.\s]{0,8}[\"″”]?\s?[NSEWO]"
)
_VERSION = (
    r"\bv\d{1,5}(?:\.\d{1,5}){0,4}(?:-?(?:rc|beta|alpha)[.\d]{0,4})?"
    + _END
    + r"|\b\d{1,5}(?:\.\d{1,5}){2,5}(?:-[a-z]{1,5}[.\d]{0,4})?"
    + _END
)
_NUMBER = r"\b\d{2,12}(?:[ .-]\d{1,8}){1,7}" + _END + r"|\b\d{7,40}" + _END
# Letters and digits by turns, with few letters in a row: TN-2420, M42x1, WP-2219-00834. Not the names of models.
_SERIAL = (
    r"\b(?!gpt|GPT|o\d|glm|GLM|phi|yi|SHA|UTF|ISO|RFC|\d{1,4}[A-Za-z]{1,3}\b)"
    r"(?:[A-Z]{1,4}[-.*]?\d{2,12}|[a-z]{1,3}\d{2,12}|\d{2,12}[-.*]?[A-Z]{1,4}\d?)(?:[-.*]?[A-Za-z\d]{1,12}){0,6}" + _END
)
_NAMED = r"`[^`\s]{1,80}`|\b[A-Za-z\d]{1,40}(?:_[A-Za-z\d]{1,40}){1,8}\b|\b[A-Z]{5,10}\d{2,6}\b"
_OPAQUE = re.compile(
    f"(?P<link>{_LINK})|(?P<path>{_PATH})"
    f"|(?P<value>{_ADDRESS}|{_HASH}|{_PLACE}|{_VERSION}|{_SERIAL}|{_NUMBER})|(?P<name>{_PLACEHOLDER}|{_NAMED})"
)
_YEARS = re.compile(
    r"(?:19|20)\d\d(?:[ .-](?:19|20)\d\d|[.-]\d{1,2}(?:[.-]\d{1,2})?)?|\d{1,2}[. -]\d{1,2}[. -](?:19|20)?\d\d"
)


_LIKELY = re.compile(r"[\d/@_$<`{%\\]|www\.")
_LOOKED_AT = 2000  # characters; what is behind them stays as it is
_DIGITS = re.compile(r"[\d .-]+")
_FEWEST = 6  # digits of a number that is more than an amount
_SHORTEST = 5  # letters and digits of a value: M25 is a road


class Masked(NamedTuple):
    """A text without its values, and which kinds of them it had: link, path, name, value."""

    text: str
    kinds: frozenset[str]


def masked(text: str) -> Masked:
    """The text with each value as one word."""
    kinds: set[str] = set()
    if not _LIKELY.search(text):
        return Masked(text, frozenset())

    def word(found: re.Match[str]) -> str:
        value = found[0]
        if _YEARS.fullmatch(value) or (found["value"] and _amount(value)):
            return value
        kinds.add(found.lastgroup or "value")
        return f" {WORD} "

    return Masked(_OPAQUE.sub(word, text[:_LOOKED_AT]) + text[_LOOKED_AT:], frozenset(kinds))


def _amount(value: str) -> bool:
    """Whether a value is a mere amount or a short name: both tell something."""
    if _DIGITS.fullmatch(value):
        return sum(letter.isdigit() for letter in value) < _FEWEST and value.count(".") < 2
    return len(value) < _SHORTEST and not value.startswith(("v", "0x"))
