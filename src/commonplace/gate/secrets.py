"""Secrets in a text: what is certain, by its shape or by the word beside it; and what is only guessed from the prose.

`redact` takes out what is certain, for all that is stored. `mask` hides what is guessed as well, for what is indexed,
recalled or sent to a model: a wrong guess costs nothing there, for the file keeps the words. In the place of a secret
stands a mark that names its kind, never a part of it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar, cast

_T = TypeVar("_T")

GUESS = "possible secret"
_ROUNDS = 4
_PART, _SHARED = 4_000, 500  # a long text is gone through in parts that overlap, so that no pattern looks further
_MARK = re.compile(r"\[(?:secret removed: [A-Za-z0-9][A-Za-z0-9 &.'-]{1,40}|possible secret hidden)\]")
_CLOSER = re.compile(r"\[(?:secret removed: |possible secret)")


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a secret stands in a text, and what it is. What is not `certain` is a guess."""

    kind: str
    start: int
    end: int
    certain: bool = True


def find_secrets(text: str) -> list[Secret]:
    """The secrets in a text, in order, none of them touching another. What was taken out already is none."""
    return list(_found(text) if len(text) <= _PART else _scanned(text))


def redact(text: str) -> str:
    """The text with a mark in the place of each secret that is certain. Doing it again changes nothing."""
    return _without(text, lambda secret: secret.certain)


def mask(text: str) -> str:
    """The text with a mark in the place of each secret, certain or guessed. Doing it again changes nothing."""
    return _without(text, lambda _: True)


def redact_nested(value: _T) -> _T:
    """`redact` for a JSON-like value: for every text in it, and for texts whose key names a secret."""
    return cast(_T, _nested(value, "", redact))


def mask_nested(value: _T) -> _T:
    """`mask` for a JSON-like value."""
    return cast(_T, _nested(value, "", mask))


def mark(kind: str) -> str:
    return "[possible secret hidden]" if kind == GUESS else f"[secret removed: {kind}]"


def _nested(value: object, name: str, clean: Callable[[str], str]) -> object:
    if isinstance(value, str):
        cleaned = clean(value)
        return mark("named secret") if name and cleaned == value and _is_named_secret(name, value) else cleaned
    if isinstance(value, Mapping):
        pairs = cast(Mapping[object, object], value).items()
        return {_nested(key, "", clean): _nested(inner, str(key), clean) for key, inner in pairs}
    if isinstance(value, list | tuple):
        return [_nested(inner, name, clean) for inner in cast(Sequence[object], value)]
    return value


def _is_named_secret(name: str, value: str) -> bool:
    """Whether a text is a secret because of the name that it has in a table."""
    if len(name) > 64 or len(value) > 200 or "\n" in value or '"' in value:
        return False
    return any(secret.certain for secret in find_secrets(f'{name}: "{value}"'))


def _without(text: str, chosen: Callable[[Secret], bool]) -> str:
    for _ in range(_ROUNDS):
        found = [secret for secret in find_secrets(text) if chosen(secret)]
        if not found:
            return text
        parts: list[str] = []
        at = 0
        for secret in found:
            parts += (text[at : secret.start], mark(secret.kind))
            at = secret.end
        text = "".join((*parts, text[at:]))
    # Taking one out shows the next, again and again: nobody writes like that by accident.
    return mark("text full of secrets") if any(map(chosen, find_secrets(text))) else text


@lru_cache(maxsize=512)
def _found(text: str) -> tuple[Secret, ...]:
    """One text is asked about several times in a save."""
    return tuple(_scanned(text))


def _scanned(text: str) -> list[Secret]:
    if _CLOSER.search(text):
        text = _MARK.sub(lambda found: "\n" * len(found.group()), text)
    merged: list[Secret] = []
    for secret in sorted(_everywhere(text), key=lambda one: (one.start, not one.certain)):
        if merged and secret.start < merged[-1].end:
            merged[-1] = _joined(merged[-1], secret)
        else:
            merged.append(secret)
    return merged


def _joined(one: Secret, other: Secret) -> Secret:
    """Two that touch. A guess adds nothing to what is certain: the words beside a secret stay."""
    if one.certain != other.certain:
        return one if one.certain else other
    kind = min(one.kind, other.kind, key=lambda kind: {"API key": 1, "key or token": 2}.get(kind, 0))
    return Secret(kind, one.start, max(one.end, other.end), one.certain)


def _everywhere(text: str) -> Iterator[Secret]:
    from commonplace.gate.prosesecrets import guessed

    guesses = list(guessed(text))
    for start, end in _parts(text):
        yield from _certain(text[start:end], start, guesses)
    yield from (Secret(GUESS, start, end, certain=False) for start, end in guesses)


def _certain(part: str, offset: int, guesses: Sequence[tuple[int, int]]) -> Iterator[Secret]:
    from commonplace.gate.keyedvalues import keyed_values
    from commonplace.gate.secretshapes import shaped

    yield from (Secret(kind, offset + start, offset + end) for kind, start, end in shaped(part))
    for keyed in keyed_values(part):
        start, end = offset + keyed.start, offset + keyed.end
        if keyed.is_sure or any(start < last and first < end for first, last in guesses):
            yield Secret(keyed.kind, start, end)


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """Parts of a long text that end between words and share some."""
    start = 0
    while start < len(text):
        end = min(start + _PART, len(text))
        if end < len(text):
            end = max(text.rfind("\n", start + _PART // 2, end), text.rfind(" ", end - _SHARED, end)) + 1 or end
        yield start, end
        if end == len(text):
            return
        shared = max(end - _SHARED, start + 1)
        start = max(text.find("\n", shared, end), text.find(" ", shared, end)) + 1 or shared
