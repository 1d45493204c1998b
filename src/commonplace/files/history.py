"""The history of a book: one commit per change, with who asked for it and why.

A change is recorded in two steps around the write itself. `prepare` stores the commit and names it as pending;
`publish` makes it the newest; then nothing is pending, although the ref stays. A crash in between is settled by
looking at the files: are they what the pending commit says, or still what they were?
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from commonplace.errors import AmbiguousMatch, NotFound, StorageError
from commonplace.files.objects import MAIN, PENDING, REPOSITORY, Damaged, GitObjects, TreeEntry
from commonplace.files.text import on_one_line, printable
from commonplace.types.asking import Note, Origin, Voice

if TYPE_CHECKING:
    from commonplace.ports import Storage
    from commonplace.types.keeping import Change, FileDiff

_DAMAGED = f"{REPOSITORY}/refs/damaged"
_TRAILER = re.compile(r"(Origin|Source|Session|Messages|Reason|Undoes): (.*)")
_AUTHORS = {Origin.PERSON: "Owner <owner@commonplace.invalid>"}
_PROGRAM = "Commonplace <program@commonplace.invalid>"
_COUNT = f"{REPOSITORY}/changes.count"
_WORTH_COUNTING = 32
_MOST_LOOSE = 1000
_MOST_LOOSE_BYTES = 16 * 1024 * 1024
_LARGEST_JOINED = 256 * 1024 * 1024
_LONGEST_CHAIN = 200
_LONGEST_SESSION = 128


class Commit(NamedTuple):
    """A commit as it is stored."""

    id: str
    tree: str
    parents: tuple[str, ...]
    at: datetime
    message: str


class History:
    """The recorded changes of one book."""

    def __init__(self, storage: Storage, clean: Callable[[str], str] = str) -> None:
        """`clean` is applied to what a note says before it is recorded for good."""
        self._storage = storage
        self._clean = clean
        self._objects = GitObjects(storage)

    # -- recording -------------------------------------------------------------------------------------------

    def prepare(self, changes: Mapping[str, bytes | None], note: Note, at: datetime) -> str:
        """Store a commit with these files changed (None: deleted) on top of the newest, and remember it as pending."""
        head = self.head()
        if head is None:
            self._objects.make_repository()
        root = self.commit(head).tree if head else None
        blobs = {name: data if data is None else self._objects.write("blob", data) for name, data in changes.items()}
        id = self._write_commit(self._tree_with(root, blobs), (head,) if head else (), note, at)
        # Not synced: it serves the case of a killed process. If the power fails before `publish`, then at worst the
        # change is in the files (those are synced) and gets recorded as an edit by hand.
        self._objects.set_ref(PENDING, id, durable=False)
        return id

    def publish(self, id: str) -> None:
        self._objects.set_ref(MAIN, id)

    def pending(self) -> str | None:
        """The commit that was prepared and neither published nor dropped."""
        try:
            pending = self._objects.ref(PENDING)
        except Damaged:
            self._objects.drop_ref(PENDING)
            return None
        return pending if pending != self.head() else None

    def drop_pending(self) -> None:
        self._objects.drop_ref(PENDING)

    def begin_anew(self, files: Mapping[str, bytes], note: Note, at: datetime) -> str:
        """Start a history with no past, for a past that cannot be read. What can be read of it stays reachable."""
        self._objects.make_repository()
        stamp = at.strftime("%Y-%m-%d_%H-%M-%S")
        for number, tip in enumerate(self._tips()):
            self._objects.set_ref(f"refs/damaged/{stamp}-{number}", tip)
        blobs = {name: self._objects.write("blob", data) for name, data in files.items()}
        id = self._write_commit(self._tree_with(None, blobs), (), note, at)
        self.publish(id)
        return id

    def mend_head(self) -> None:
        """Find the newest change again when the ref that names it is damaged or lost."""
        try:
            if self._objects.ref(MAIN) is not None:
                return
        except Damaged:
            self._objects.drop_ref(MAIN)
        commits = self._readable_commits()
        # A first change that a crash kept from being published leaves the same: there, what is pending gets settled.
        if any(commit.parents for commit in commits.values()):
            with suppress(Damaged):
                last = self._objects.ref(PENDING)  # what was prepared last, mostly the very one that was published
                if last in commits:
                    self._objects.set_ref(MAIN, last)
                    return
            self._objects.set_ref(MAIN, max(commits.values(), key=lambda commit: commit.at).id)

    def _tips(self) -> list[str]:
        """The commits on which no other stands, of all that can be read."""
        commits = self._readable_commits()
        return sorted(commits.keys() - {parent for commit in commits.values() for parent in commit.parents})

    def _readable_commits(self) -> dict[str, Commit]:
        commits: dict[str, Commit] = {}
        for id in {*self._objects.loose_ids(), *self._packed_ids()}:
            with suppress(Damaged, NotFound):
                commits[id] = self.commit(id)
        return commits

    def _write_commit(self, tree: str, parents: tuple[str, ...], note: Note, at: datetime) -> str:
        author = f"{_AUTHORS.get(note.origin, _PROGRAM)} {int(at.timestamp())} {at.strftime('%z') or '+0000'}"
        header = [
            f"tree {tree}",
            *(f"parent {parent}" for parent in parents),
            f"author {author}",
            f"committer {author}",
        ]
        note = replace(
            note,
            summary=self._clean(note.summary),
            session=note.session and self._clean(note.session),
            reason=note.reason and self._clean(note.reason),
        )
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
            entries[folder] = TreeEntry(folder, True, self._tree_with(known.id if known else None, below))
        kept = (entry for entry in entries.values() if not (entry.is_folder and not self._objects.tree(entry.id)))
        return self._objects.write_tree(kept)

    # -- reading ---------------------------------------------------------------------------------------------

    def head(self) -> str | None:
        return self._objects.ref(MAIN)

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
        problems: list[str] = []
        seen: set[str] = set()

        def look(id: str, is_folder: bool) -> None:
            if id not in seen:
                seen.add(id)
                for entry in self._objects.tree(id) if is_folder else ():
                    look(entry.id, entry.is_folder)
                if not is_folder:
                    self._objects.read(id)

        try:
            if self.head() is None and self._readable_commits():
                problems.append("The history does not say which change is the newest.")
            for commit in islice(self.commits(), newest):
                look(commit.tree, True)
            if newest is None:
                self._note_count(self.head(), sum(1 for _ in self.commits()))
        except Damaged as error:
            problems.append(error.message)
        return problems

    def count(self) -> int:
        """How many changes there are: those since the last that was counted, and what was counted then. The note of it
        may be lost, or be about a history that was rewritten since; then all are counted again."""
        known, counted = self._noted_count()
        number = 0
        for commit in self.commits():
            if commit.id == known:
                break
            number += 1
        else:
            counted = 0
        if number > _WORTH_COUNTING:
            self._note_count(self.head(), number + counted)
        return number + counted

    def _noted_count(self) -> tuple[str, int]:
        data = self._storage.read(_COUNT).data or b""
        noted = re.fullmatch(rb"([0-9a-f]{40}) (\d{1,12})\n", data)
        return (noted[1].decode(), int(noted[2])) if noted else ("", 0)

    def _note_count(self, id: str | None, number: int) -> None:
        if id is not None and self._noted_count() != (id, number):
            with suppress(StorageError):  # where nobody may write, all are counted each time
                self._storage.put_derived(_COUNT, [f"{id} {number}\n".encode()])

    def tidy(self) -> None:
        """Count, and pack when there are many loose objects. Only one change in sixteen looks, by the chance of its
        id."""
        head = self.head()
        if head is None or not head.startswith("0"):
            return
        self.count()
        number, size = self._objects.loose_size(head[1])
        if number > _MOST_LOOSE or size > _MOST_LOOSE_BYTES:
            self.pack_loose()

    def pack_loose(self) -> None:
        """Put all loose objects into one new pack, versions as differences, and join packs when there are many: the
        time this takes depends on what is new, and only seldom on the age of the book.

        The newest commit and its trees stay loose as well: the next save need not open the pack.
        """
        whole = [pack for pack in self._objects.packs().values() if pack.has_whole_index()]

        def is_packed(id: str) -> bool:
            return any(id in pack for pack in whole)

        loose = set(self._objects.loose_ids())
        chains = self._chains(is_packed)
        for id in sorted(loose - chains.keys()):  # of no use to this history, perhaps to a damaged one
            if not is_packed(id):
                with suppress(Damaged):
                    self._objects.read(id)
                    chains[id] = None
        self._write_pack(chains)
        stay = self._newest_objects()
        for id in sorted(loose - stay):
            if id in chains or is_packed(id):
                # Not synced: an object that comes back after a power failure is there twice, which does no harm.
                self._objects.delete_loose(id, durable=False)
        self._join_packs()
        self._objects.delete_cut_off_packs()

    def _join_packs(self) -> None:
        """Keep the packs few. The joined one is there before the others go; what is damaged is left alone."""
        from commonplace.files.packs import joined, too_many

        packs = self._objects.packs()
        names = too_many({name: pack.size for name, pack in packs.items() if pack.size < _LARGEST_JOINED})
        parts = {name: packs[name] for name in names if packs[name].is_whole()}
        if len(parts) > 1:
            name = _pack_name({id for pack in parts.values() for id in pack.ids()})
            if not any(part.endswith(name) for part in packs):
                self._objects.add_pack(name, *joined(list(parts.values())))
            for part in parts:
                if not part.endswith(name):
                    self._objects.delete_pack(part)

    def pack(self) -> None:
        """Put everything that a change needs into one pack, and remove all else for good."""
        if self.head() is None:
            return
        for file in list(self._storage.list_folder(_DAMAGED)):
            self._objects.drop_ref(file.name.removeprefix(f"{REPOSITORY}/"))
        self._objects.packs()
        name = self._write_pack(self._chains(lambda _: False))
        for pack in self._objects.pack_names():  # also those that cannot be read
            if not pack.endswith(name):
                self._objects.delete_pack(pack)
        self._objects.delete_cut_off_packs()
        stay = self._newest_objects()
        for id in list(self._objects.loose_ids()):
            if id not in stay:
                self._objects.delete_loose(id, durable=True)

    def _write_pack(self, chains: Mapping[str, str | None]) -> str:
        name = _pack_name(chains)
        if chains and not any(pack.endswith(name) for pack in self._objects.packs()):
            from commonplace.files.packs import make_pack

            self._objects.add_pack(name, *make_pack(chains, self._objects.read))
        return name

    def _newest_objects(self) -> set[str]:
        head = self.head()
        return {head, *self._trees_of(self.commit(head).tree)} if head else set()

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
            self._objects.set_ref(MAIN, parent)
        self._objects.drop_ref(PENDING)
        self._objects.drop_packed_refs()
        self.pack()

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

    def lost_pasts(self) -> int:
        """How many earlier histories were damaged and set aside, and whether this one goes back to its beginning."""
        commits = list(self.readable_commits())
        cut_off = bool(commits and commits[-1].parents)
        return sum(1 for _ in self._storage.list_folder(_DAMAGED)) + cut_off

    def bodies(self) -> Iterator[tuple[str, bytes]]:
        """Every object there is, reachable or not, with its id: for proving that a text is gone."""
        for id in sorted(set(self._objects.loose_ids()) | self._packed_ids()):
            yield id, self._objects.read(id)[1]

    def _packed_ids(self) -> set[str]:
        return {id for pack in self._objects.packs().values() for id in pack.ids()}

    def _trees_of(self, tree: str) -> Iterator[str]:
        yield tree
        for entry in self._objects.tree(tree):
            if entry.is_folder:
                yield from self._trees_of(entry.id)

    def _chains(self, is_packed: Callable[[str], bool]) -> dict[str, str | None]:
        """Every reachable object (back to those that are packed) and what it is stored as a difference to: the next
        newer version of the same path."""
        bases: dict[str, str | None] = {}
        newest: dict[str, tuple[str, int]] = {}

        def visit(id: str, path: str, is_folder: bool) -> None:
            if id in bases or is_packed(id):
                return
            base, depth = newest.get(path, (None, 0))
            if depth >= _LONGEST_CHAIN:
                base, depth = None, 0
            bases[id] = base
            newest[path] = (id, depth + 1 if base else 0)
            if is_folder:
                for entry in self._objects.tree(id):
                    visit(entry.id, f"{path}/{entry.name}", entry.is_folder)

        for commit in self.commits():
            if is_packed(commit.id):
                break
            bases[commit.id] = None
            visit(commit.tree, "", True)
        return bases


def _pack_name(ids: Iterable[str]) -> str:
    return hashlib.sha1("".join(sorted(ids)).encode(), usedforsecurity=False).hexdigest()


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
