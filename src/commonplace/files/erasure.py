"""Complete forgetting: take a text out of every file, backup and recorded change, and prove that it is gone.

Where an entry says nothing but the text, the entry goes. Elsewhere the text is replaced by `[forgotten]`, so that
what stands around it is kept and a reader sees that something was taken out.
"""

import json
import re
import unicodedata
from collections.abc import Iterator
from typing import cast

from commonplace.errors import Conflict, ValidationError
from commonplace.files.book import Book
from commonplace.files.descriptors import is_name
from commonplace.files.document import REQUESTED, Document, Match
from commonplace.files.folder import PRIVATE, version_of
from commonplace.files.objects import REPOSITORY
from commonplace.files.text import encode, folded, printable, split_lines
from commonplace.types.asking import Note, Origin
from commonplace.types.keeping import Erasure, Removal

PLACEHOLDER = "[forgotten]"
FORGOTTEN_EVERYWHERE = "Forget a text everywhere"  # in the history, where `undo` knows it by these words
_DERIVED = f"{PRIVATE}/index"
_SHORTEST = 3
_CUT = "…"
_SPACE = r"(?:\s|\\[nrt])+"
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
_PUNCTUATION = " \t\r\n.,;:!?\"'"


def preview(book: Book, text: str) -> Erasure:
    """What `erase` would remove, place by place."""
    pattern = _pattern(text)
    removals = [removal for name in _files(book) for removal in _removals(book, name, pattern)]
    return Erasure(text, tuple(removals), _commits_with(book, pattern, text), done=False)


def erase(book: Book, text: str) -> Erasure:
    """Remove `text` everywhere, then look for it everywhere. Running it again finishes what a crash cut off."""
    pattern = _pattern(text)
    with book.storage.lock():
        book.catch_up()
        planned = preview(book, text)
        for name in list(_files(book)):
            _clean_file(book, name, pattern)
        for name in [name for name in book.storage.walk() if name.startswith(_DERIVED)]:
            book.storage.delete(name, expected=book.storage.read(name).version)
        if planned.commits or _commits_with(book, pattern, text):
            book.history.rewrite(
                lambda data, name: _cleaned(data, name, pattern),
                lambda message: _cleaned_message(message, pattern, text),
            )
        elif book.history.head():
            book.history.pack()  # drops objects that no change refers to, which may hold the text
        book.catch_up()
        if planned.removals or planned.commits:
            book.record_note(Note(FORGOTTEN_EVERYWHERE, Origin.PERSON))
        files, objects, left = _proof(book, pattern, text)
    return Erasure(text, planned.removals, planned.commits, True, files, objects, tuple(left))


def _pattern(text: str) -> re.Pattern[str]:
    """The text in any case and spacing, in both Unicode forms, plain or as JSON writes it."""
    words = text.split()
    if len("".join(words).encode("utf-8", "replace")) < _SHORTEST:
        raise ValidationError(
            f"{text!r} is too short to be forgotten everywhere: it would tear up unrelated words.",
            hint="Give at least three characters.",
        )
    forms = [[unicodedata.normalize(form, word) for word in words] for form in ("NFC", "NFD")]
    pattern = re.compile("|".join(_SPACE.join(map(_word_pattern, form)) for form in forms), re.IGNORECASE)
    if pattern.search(PLACEHOLDER):
        raise ValidationError(
            f"{text!r} is what a forgotten text is replaced by.", hint="Give the text around it, or edit by hand."
        )
    return pattern


def _word_pattern(word: str) -> str:
    writings = dict.fromkeys([word, json.dumps(word)[1:-1], json.dumps(word, ensure_ascii=False)[1:-1]])
    return f"(?:{'|'.join(map(re.escape, writings))})"


def _files(book: Book) -> Iterator[str]:
    """Everything but the history, which is rewritten, the index, which is thrown away, and what has no safe name."""
    return (name for name in book.storage.walk() if is_name(name) and not name.startswith((REPOSITORY, _DERIVED)))


def _clean_file(book: Book, name: str, pattern: re.Pattern[str]) -> None:
    while True:
        snapshot = book.storage.read(name)
        if snapshot.data is None or (clean := _cleaned(snapshot.data, name, pattern)) == snapshot.data:
            return
        try:
            book.storage.write(name, clean, expected=snapshot.version)
            return
        except Conflict:  # a person saved it meanwhile: clean what they saved
            continue


def _cleaned(data: bytes, name: str, pattern: re.Pattern[str]) -> bytes:
    text = data.decode("utf-8", "surrogateescape")
    if name.endswith(".jsonl"):
        return encode("".join(_cleaned_record(line, pattern) for line in split_lines(text)))
    if not pattern.search(text):
        return data
    if name.endswith(".md"):
        text = _without_whole_entries(text, pattern)
    return encode(pattern.sub(PLACEHOLDER, text))


def _without_whole_entries(text: str, pattern: re.Pattern[str]) -> str:
    document = Document(split_lines(text))
    while True:
        blocks = ((block, document.entry_at(Match(block, whole=True))) for block in document.blocks)
        whole = next((block for block, entry in blocks if _is_just(entry.text, pattern)), None)
        if whole is None:
            return document.text
        document = document.without(Match(whole, whole=True))


def _is_just(text: str, pattern: re.Pattern[str]) -> bool:
    found = pattern.search(text)
    rest = text[: found.start()] + text[found.end() :] if found else text
    return found is not None and not rest.removeprefix(REQUESTED).strip(_PUNCTUATION)


def _cleaned_record(line: str, pattern: re.Pattern[str]) -> str:
    """A line of a transcript: the text may be written with escapes, so the values are cleaned, not the line."""
    body = line.rstrip("\r\n")
    try:
        record: object = json.loads(body)
        clean = _cleaned_value(record, pattern)
    except (ValueError, RecursionError):
        return pattern.sub(PLACEHOLDER, line)
    if clean == record:
        return line
    written = json.dumps(clean, ensure_ascii=False)
    return _LONE_SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", written) + line[len(body) :]


def _cleaned_message(message: str, pattern: re.Pattern[str], text: str) -> str:
    """A change's message without the text, also where its first line was cut off in the middle of it."""
    subject, newline, rest = pattern.sub(PLACEHOLDER, message).partition("\n")
    if subject.endswith(_CUT):
        kept, wanted = subject.removesuffix(_CUT), folded(text)
        starts = (at for at in range(len(kept) - _SHORTEST + 1) if not kept[at].isspace())
        cut = next((at for at in starts if wanted.startswith(folded(kept[at:]))), len(kept))
        subject = kept[:cut] + (PLACEHOLDER if cut < len(kept) else "") + _CUT
    return subject + newline + rest


def _cleaned_value(value: object, pattern: re.Pattern[str]) -> object:
    if isinstance(value, str):
        return pattern.sub(PLACEHOLDER, value)
    if isinstance(value, list):
        return [_cleaned_value(item, pattern) for item in cast(list[object], value)]
    if isinstance(value, dict):
        items = cast(dict[str, object], value).items()
        return {pattern.sub(PLACEHOLDER, key): _cleaned_value(item, pattern) for key, item in items}
    return value


def _removals(book: Book, name: str, pattern: re.Pattern[str]) -> Iterator[Removal]:
    data = book.storage.read(name).data or b""
    clean = _cleaned(data, name, pattern)
    if version_of(data) == version_of(clean):
        return
    before = data.decode("utf-8", "surrogateescape")
    kept = set(split_lines(clean.decode("utf-8", "surrogateescape")))
    for number, line in enumerate(split_lines(before), start=1):
        if line in kept:
            continue
        after = _cleaned_record(line, pattern) if name.endswith(".jsonl") else pattern.sub(PLACEHOLDER, line)
        stays = after in kept
        if stays or line.strip():
            yield Removal(name, number, printable(line.strip()), printable(after.strip()) if stays else None)


def _commits_with(book: Book, pattern: re.Pattern[str], text: str) -> int:
    """How many recorded changes have the text in a file or in their message."""
    known: dict[str, bool] = {}

    def has_text(blob: str) -> bool:
        if blob not in known:
            known[blob] = pattern.search(book.history.content(blob).decode("utf-8", "surrogateescape")) is not None
        return known[blob]

    return sum(
        1
        for commit in book.history.commits()
        if _cleaned_message(commit.message, pattern, text) != commit.message
        or any(has_text(blob) for blob in book.history.files(commit.id).values())
    )


def _proof(book: Book, pattern: re.Pattern[str], text: str) -> tuple[int, int, list[str]]:
    """Search the bytes of every file and every object of the history, in every writing the text could have."""
    files = objects = 0
    left: list[str] = []
    for name in book.storage.walk():
        files += 1
        if not is_name(name):
            left.append(f"{printable(name)} (not searched because of its name)")
        elif pattern.search(name) or _has(book.storage.read(name).data or b"", pattern, text):
            left.append(name)
    for id, body in book.history.bodies():
        objects += 1
        if _has(body, pattern, text):
            left.append(f"history object {id[:10]}")
    left += [
        f"message of change {commit.id[:10]}"
        for commit in book.history.commits()
        if _cleaned_message(commit.message, pattern, text) != commit.message
    ]
    return files, objects, left


def _has(data: bytes, pattern: re.Pattern[str], text: str) -> bool:
    plain = data.decode("utf-8", "surrogateescape")
    wide = (" ".join(text.split()).encode(encoding, "replace") for encoding in ("utf-16-le", "utf-16-be"))
    return bool(pattern.search(plain)) or any(form in data for form in wide)
