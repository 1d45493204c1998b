"""The history of a book as git has it: one commit per change, with who asked for it and why.

Commits, trees and blobs are the same wherever they are kept, and so are their ids: a book that moves takes its history
with it. How these objects are stored, and how a change is recorded together with its files, is the store's.
"""

from __future__ import annotations

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from commonplace.errors import AmbiguousMatch, NotFound, StorageError
from commonplace.files.text import on_one_line, printable
from commonplace.types.asking import Note, Origin, Voice
from commonplace.types.book import Commit

if TYPE_CHECKING:
    from commonplace.types.keeping import Change, FileDiff

_TRAILER = re.compile(r"(Origin|Source|Session|Messages|Reason|Undoes): (.*)")
_AUTHORS = {Origin.PERSON: "Owner <owner@commonplace.invalid>"}
_PROGRAM = "Commonplace <program@commonplace.invalid>"
_LONGEST_SESSION = 128


class Damaged(StorageError):
    """An object of the history is missing or cannot be read."""

    code = "history_damaged"


class TreeEntry(NamedTuple):
    """One name of a tree."""

    name: str
    is_folder: bool
    id: str


class Objects(ABC):
    """The commits, trees and blobs of one history, wherever they are."""

    @abstractmethod
    def write(self, kind: str, body: bytes) -> str: ...

    @abstractmethod
    def read(self, id: str) -> tuple[str, bytes]:
        """Kind and body; `Damaged` where there is none."""

    @abstractmethod
    def ids_starting(self, prefix: str) -> set[str]:
        """All ids that begin with `prefix` (at least two hex digits)."""

    def read_all(self, ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Several, in that order; in few questions where each one costs."""
        return map(self.read, ids)

    def blob(self, id: str) -> bytes:
        return self.read(id)[1]

    def tree(self, id: str) -> list[TreeEntry]:
        return list(_parse_tree(self.read(id)[1]))

    def write_tree(self, entries: Iterable[TreeEntry]) -> str:
        ordered = sorted(entries, key=lambda e: (e.name + "/" if e.is_folder else e.name).encode())
        body = b"".join(
            (b"40000 " if e.is_folder else b"100644 ") + e.name.encode() + b"\0" + bytes.fromhex(e.id) for e in ordered
        )
        return self.write("tree", body)

    def difference(self, id: str, base: str) -> bytes | None:  # noqa: ARG002 few stores know
        """The git delta that makes one object from another, where it is stored as that."""
        return None


class GitHistory(ABC):
    """The recorded changes of one book."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects

    # -- what each store does in its own way -------------------------------------------------------------------

    @abstractmethod
    def head(self) -> str | None: ...

    @abstractmethod
    def count(self) -> int: ...

    @abstractmethod
    def bodies(self) -> Iterator[tuple[str, bytes]]: ...

    @abstractmethod
    def prune(self) -> None:
        """Remove every object that no change needs, for good."""

    @abstractmethod
    def repeat(self, changes: Mapping[str, bytes | None], note: Note, at: datetime) -> str: ...

    @abstractmethod
    def adopt(self, id: str) -> None:
        """Make a commit that was written without being recorded the newest, with all that it stands on."""

    def take_over(self, objects: Iterable[tuple[str, bytes]], head: str | None) -> None:
        """Begin with the whole past of another store."""
        for kind, body in objects:
            self._objects.write(kind, body)
        if head is not None:
            self.adopt(head)

    def exported(self) -> Iterator[tuple[str, bytes]]:
        """Everything that a change needs, as git has it."""
        return self._objects.read_all(sorted(self.needed()))

    def needed(self) -> set[str]:
        """The ids of everything that a change needs."""
        top: dict[str, str] = {commit.id: commit.tree for commit in self.commits()}
        trees, blobs = self._reached(top.values())
        return top.keys() | trees | blobs

    def _reached(self, tops: Iterable[str]) -> tuple[set[str], set[str]]:
        """The trees and the contents that are below some trees, these too. Level by level: a store is asked for a
        whole level at once."""
        trees: set[str] = set()
        blobs: set[str] = set()
        level = set(tops)
        while level:
            trees |= level
            below: set[str] = set()
            for _, body in self._objects.read_all(sorted(level)):
                for entry in _parse_tree(body):
                    (below if entry.is_folder else blobs).add(entry.id)
            level = below - trees
        return trees, blobs

    def lost_pasts(self) -> int:
        """How many earlier histories were damaged and set aside, and whether this one goes back to its beginning."""
        commits = list(self.readable_commits())
        return int(bool(commits and commits[-1].parents))

    # -- recording -------------------------------------------------------------------------------------------

    def compose(self, head: str | None, changes: Mapping[str, bytes | None], note: Note, at: datetime) -> str:
        """Store a commit with these files changed (None: deleted) on top of `head`. It is no change of the book yet."""
        root = self.commit(head).tree if head else None
        blobs = {name: data if data is None else self._objects.write("blob", data) for name, data in changes.items()}
        return self._write_commit(self._tree_with(root, blobs), (head,) if head else (), note, at)

    def _write_commit(self, tree: str, parents: tuple[str, ...], note: Note, at: datetime) -> str:
        author = f"{_AUTHORS.get(note.origin, _PROGRAM)} {int(at.timestamp())} {at.strftime('%z') or '+0000'}"
        header = [
            f"tree {tree}",
            *(f"parent {parent}" for parent in parents),
            f"author {author}",
            f"committer {author}",
        ]
        return self._objects.write("commit", ("\n".join(header) + "\n\n" + _message(note)).encode("utf-8", "replace"))

    def _tree_with(self, root: str | None, blobs: Mapping[str, str | None]) -> str:
        """The tree `root` with these files set; folders that nothing touches keep their tree."""
        entries = {entry.name: entry for entry in self._objects.tree(root)} if root else {}
        folders: dict[str, dict[str, str | None]] = {}
        for name, id in blobs.items():
            first, _, rest = name.partition("/")
            if rest:
                folders.setdefault(first, {})[rest] = id
            elif id is None:
                entries.pop(first, None)
            else:
                entries[first] = TreeEntry(first, False, id)
        for folder, below in folders.items():
            known = entries.get(folder)
            tree = self._tree_with(known.id if known and known.is_folder else None, below)
            entries[folder] = TreeEntry(folder, True, tree)
        empty = {name for name in folders if not self._objects.tree(entries[name].id)}
        return self._objects.write_tree(entry for entry in entries.values() if entry.name not in empty)

    # -- reading ---------------------------------------------------------------------------------------------

    def commit(self, id: str) -> Commit:
        kind, body = self._objects.read(id)
        if kind != "commit":
            raise NotFound(f"{id[:10]} is not a change.", hint="`commonplace history` lists the changes.")
        return _parse_commit(id, body)

    def files(self, commit: str | None) -> dict[str, str]:
        """Name to blob id of all files as of a commit (None: before everything)."""
        return dict(self._flat(self.commit(commit).tree, "")) if commit else {}

    def content(self, blob: str) -> bytes:
        return self._objects.blob(blob)

    def commits(self, start: str | None = None) -> Iterator[Commit]:
        """From `start` (the newest) back to the first."""
        id = start or self.head()
        while id:
            commit = self.commit(id)
            yield commit
            id = commit.parents[0] if commit.parents else None

    def changes(self) -> Iterator[Change]:
        return (self.change(commit) for commit in self.commits())

    def change(self, commit: Commit) -> Change:
        from commonplace.types.keeping import Change

        return Change(commit.id, commit.at, _note(commit.message), tuple(self.changed_files(commit)))

    def changed_files(self, commit: Commit) -> dict[str, tuple[str | None, str | None]]:
        """Name to blob id before and after, for the files a commit changed."""
        parent = self.commit(commit.parents[0]).tree if commit.parents else None
        return dict(self._changed(parent, commit.tree, ""))

    def diff(self, old: str | None, new: str | None) -> list[FileDiff]:
        """The texts that differ between two commits (None: before everything)."""
        from commonplace.types.keeping import FileDiff

        one, other = (self.commit(commit).tree if commit else None for commit in (old, new))
        return [
            FileDiff(name, self._text(before), self._text(after))
            for name, (before, after) in self._changed(one, other, "")
        ]

    def versions(self, name: str) -> Iterator[tuple[Commit, str | None, str | None]]:
        """The commits that changed one file, newest first, with its blob id before and after."""
        newer: Commit | None = None
        after: str | None = None
        for commit in self.commits():
            blob = self._blob_at(commit.tree, name)
            if newer is not None and blob != after:
                yield newer, blob, after
            newer, after = commit, blob
        if newer is not None and after is not None:
            yield newer, None, after

    def moved(self, blob: str, other: str, start: int, end: int) -> int | None:
        """Where in `other` that stands which is at `start` to `end` of `blob`; None unless a pack says that it is the
        same, and the byte before as well."""
        delta = self._objects.difference(other, blob)
        if delta is None:
            return None
        from commonplace.files.packs import unchanged

        first, last, shift = unchanged(delta)
        if end <= first:
            return start
        return start + shift if start > last else None

    def resolve(self, prefix: str) -> str:
        """The full id of a change from its first characters."""
        wanted = prefix.strip().lower()
        found: set[str] = set()
        if re.fullmatch(r"[0-9a-f]{4,40}", wanted):
            found = {id for id in self._objects.ids_starting(wanted) if self._objects.read(id)[0] == "commit"}
        if len(found) > 1:
            raise AmbiguousMatch(
                f"{len(found)} changes begin with {wanted}.", count=len(found), hint="Give more characters of the id."
            )
        if not found:
            raise NotFound(
                f"There is no change {printable(prefix)!r}.", hint="`commonplace history` lists the changes."
            )
        return found.pop()

    def _flat(self, tree: str, folder: str) -> Iterator[tuple[str, str]]:
        for entry in self._objects.tree(tree):
            if entry.is_folder:
                yield from self._flat(entry.id, f"{folder}{entry.name}/")
            else:
                yield f"{folder}{entry.name}", entry.id

    def _changed(
        self, old: str | None, new: str | None, folder: str
    ) -> Iterator[tuple[str, tuple[str | None, str | None]]]:
        before, after = ({e.name: e for e in self._objects.tree(id)} if id else {} for id in (old, new))
        for name in sorted(before.keys() | after.keys()):
            one, other = before.get(name), after.get(name)
            if one == other:
                continue
            trees = [entry.id if entry and entry.is_folder else None for entry in (one, other)]
            blobs = [entry.id if entry and not entry.is_folder else None for entry in (one, other)]
            if any(trees):
                yield from self._changed(trees[0], trees[1], f"{folder}{name}/")
            if any(blobs):
                yield f"{folder}{name}", (blobs[0], blobs[1])

    def _blob_at(self, tree: str, name: str) -> str | None:
        first, _, rest = name.partition("/")
        entry = next((entry for entry in self._objects.tree(tree) if entry.name == first), None)
        if entry is None or entry.is_folder != bool(rest):
            return None
        return self._blob_at(entry.id, rest) if rest else entry.id

    def _text(self, blob: str | None) -> str | None:
        return self.content(blob).decode("utf-8", "surrogateescape") if blob else None

    # -- housekeeping ----------------------------------------------------------------------------------------

    def check(self, newest: int | None = None) -> list[str]:
        """What is wrong with the history, in words: of the newest changes (None: of all) every commit, tree and file is
        read."""
        try:
            _, blobs = self._reached(commit.tree for commit in islice(self.commits(), newest))
            for _ in self._objects.read_all(sorted(blobs)):
                pass
        except Damaged as error:
            return [error.message]
        return []

    def rewrite(self, clean: Callable[[bytes, str], bytes], clean_message: Callable[[str], str]) -> None:
        """Rewrite every commit with cleaned files and messages, and delete every object that only the old ones used.
        What is damaged is dropped: a version of a file (the one before stands in for it), and all before a commit."""
        blobs: dict[tuple[str, str], str | None] = {}
        newest: dict[str, str] = {}

        def cleaned(entry: TreeEntry, name: str) -> str | None:
            try:
                if entry.is_folder:
                    newest[name] = cleaned_tree(entry.id, f"{name}/")
                else:
                    newest[name] = self._objects.write("blob", clean(self.content(entry.id), name))
            except Damaged:
                pass
            return newest.get(name)

        def cleaned_tree(tree: str, folder: str) -> str:
            entries: list[TreeEntry] = []
            for entry in self._objects.tree(tree):
                name = f"{folder}{entry.name}"
                key = (entry.id, name)
                if key not in blobs:
                    blobs[key] = cleaned(entry, name)
                if (id := blobs[key]) is not None:
                    entries.append(entry._replace(id=id))
            return self._objects.write_tree(entries)

        parent: str | None = None
        tree: str | None = None
        renamed: dict[str, str] = {}
        for commit in reversed(list(self.readable_commits())):
            kept_header = [
                line
                for line in self._objects.read(commit.id)[1].decode("utf-8", "replace").partition("\n\n")[0].split("\n")
                if not line.startswith(("tree ", "parent "))
            ]
            try:
                tree = cleaned_tree(commit.tree, "")
            except Damaged:  # what it was is not known; so it stays what it was before
                tree = tree or self._objects.write_tree([])
            header = [f"tree {tree}", *([f"parent {parent}"] if parent else []), *kept_header]
            message = clean_message(commit.message)
            undoes = _note(commit.message).undoes
            if undoes in renamed:
                message = message.replace(undoes, renamed[undoes])
            parent = renamed[commit.id] = self._objects.write(
                "commit", ("\n".join(header) + "\n\n" + message).encode("utf-8", "replace")
            )
        if parent is not None:
            self.adopt(parent)
        self.prune()

    def readable_commits(self) -> Iterator[Commit]:
        """From the newest back to the first, or to where one cannot be read."""
        with suppress(Damaged):
            yield from self.commits()

    def readable_files(self, commit: Commit, damaged: set[str]) -> Iterator[tuple[str, str]]:
        """Name and blob id of the files of a commit that can be read; the ids of all else are added to `damaged`."""

        def below(tree: str, folder: str) -> Iterator[tuple[str, str]]:
            try:
                entries = self._objects.tree(tree)
            except Damaged:
                damaged.add(tree)
                return
            for entry in entries:
                if entry.is_folder:
                    yield from below(entry.id, f"{folder}{entry.name}/")
                else:
                    yield f"{folder}{entry.name}", entry.id

        return below(commit.tree, "")


def _message(note: Note) -> str:
    lines = [_subject(note.summary), "", f"Origin: {note.origin.value}"]
    lines += [f"Source: {note.voice.value}"] if note.voice else []
    lines += [f"Session: {on_one_line(note.session)[:_LONGEST_SESSION]}"] if note.session else []
    lines += [f"Messages: {on_one_line(' '.join(note.messages))}"] if note.messages else []
    lines += [f"Reason: {on_one_line(note.reason)}"] if note.reason else []
    lines += [f"Undoes: {note.undoes}"] if note.undoes else []
    return "\n".join(lines) + "\n"


def _subject(summary: str) -> str:
    line = on_one_line(summary)
    return line if len(line) <= 100 else line[:99] + "…"


def _note(message: str) -> Note:
    subject, _, rest = message.partition("\n")
    trailers = {match[1]: match[2] for line in rest.splitlines() if (match := _TRAILER.fullmatch(line))}
    try:
        origin = Origin(trailers.get("Origin", ""))
    except ValueError:
        origin = Origin.PERSON  # a commit made with git itself
    voice = next((voice for voice in Voice if voice.value == trailers.get("Source")), None)
    messages = tuple(trailers.get("Messages", "").split())
    session, reason, undoes = (trailers.get(name) for name in ("Session", "Reason", "Undoes"))
    return Note(subject, origin, session, reason, undoes, voice, messages)


def _parse_commit(id: str, body: bytes) -> Commit:
    header, _, message = body.decode("utf-8", "replace").partition("\n\n")
    fields = [line.partition(" ")[::2] for line in header.split("\n")]
    tree = next((value for key, value in fields if key == "tree"), "")
    parents = tuple(value for key, value in fields if key == "parent")
    committer = next((value for key, value in fields if key == "committer"), "")
    return Commit(id, tree, parents, _commit_time(committer), message)


def _commit_time(committer: str) -> datetime:
    match = re.search(r" (-?\d+) ([+-])(\d\d)(\d\d)$", committer)
    if match is None:
        return datetime.fromtimestamp(0, UTC)
    minutes = int(match[3]) * 60 + int(match[4])
    try:
        zone = timezone(timedelta(minutes=-minutes if match[2] == "-" else minutes))
        return datetime.fromtimestamp(int(match[1]), zone)
    except (ValueError, OverflowError, OSError):  # a commit made by other means, with a time that never was
        return datetime.fromtimestamp(0, UTC)


def lost(id: str) -> Damaged:
    return Damaged(
        f"Object {id[:10]} of the history is missing or damaged.",
        hint="The book itself is unharmed. `commonplace doctor` says what can be done.",
    )


def framed(kind: str, body: bytes) -> tuple[str, bytes]:
    """The id of an object, and what it is the hash of."""
    whole = b"%s %d\0%s" % (kind.encode(), len(body), body)
    return hashlib.sha1(whole, usedforsecurity=False).hexdigest(), whole


def blob_id(data: bytes) -> str:
    return framed("blob", data)[0]


def _parse_tree(body: bytes) -> Iterator[TreeEntry]:
    at = 0
    while at < len(body):
        end = body.index(b"\0", at)
        mode, _, name = body[at:end].partition(b" ")
        yield TreeEntry(name.decode("utf-8", "surrogateescape"), mode == b"40000", body[end + 1 : end + 21].hex())
        at = end + 21
