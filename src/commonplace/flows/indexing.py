"""The index of one book: kept up with its files, and asked which entries are nearest to a text.

It follows the files: whatever changed since the last look is taken in before anything is searched, so a save or a hand
edit is found at once. Vectors may lag behind after a large import; whoever searches is told how far they are. What
takes long to load is loaded when it is first needed: saving must not wait for it.
"""

from __future__ import annotations

import hashlib
import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from commonplace.errors import EmbedderFailed, StorageError, UnreadableFile
from commonplace.files import daily, transcripts
from commonplace.files.document import Document
from commonplace.files.text import printable
from commonplace.framing import unechoed
from commonplace.gate.secrets import mask
from commonplace.index.chunking import chunks_of_text, chunks_of_transcript, embedded_text, vector_key
from commonplace.language import terms
from commonplace.types.book import MEMORY_FILE, SECTION_OF, Entry, FileStat, FileState
from commonplace.types.searching import Chunk, IndexReport, Source
from commonplace.types.verdicts import Candidate

if TYPE_CHECKING:
    from datetime import date

    from commonplace.config import Settings
    from commonplace.distill.sorting import Described
    from commonplace.files.transactions import Book
    from commonplace.index.chunkindex import ChunkIndex
    from commonplace.ports import Corpus, Embedder, LargeIndex, SearchIndex, Vectors
    from commonplace.types.searching import Asked

_SUMMARY = ".summary.md"
_FOLDERS = ("", daily.FOLDER, transcripts.FOLDER)
_A_WHILE = 60.0  # seconds of computing vectors between two times that they are written down
_A_MOMENT = 0.01
_KEPT = 8192
_MOST_READ = 3  # entries that are read beside a new text: each costs more than embedding it
_LONGEST_COMPARED = 20_000  # what is far longer than an entry may be is no fact that another one could be the same as
_MOST_CLEANED = 50_000  # characters that a save waits for
_MOST_EMBEDDED = 128  # entries


def _quietly(_done: int, _wanted: int) -> None:
    """Nobody watches."""


class Guard:
    """A lock that long work lays down for a moment between two pieces, if somebody waits for it: locks are not fair."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._counting = threading.Lock()
        self._waiting = 0

    def __enter__(self) -> None:
        with self._counting:
            self._waiting += 1
        self._lock.acquire()
        with self._counting:
            self._waiting -= 1

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def let_others(self) -> None:
        """Called without the lock."""
        if self._waiting:
            time.sleep(_A_MOMENT)


class BookIndex:
    """The chunks, terms and vectors of one book. Thread-safe. Without an `embedder` it uses the one that the settings
    name."""

    def __init__(self, book: Book, settings: Settings, embedder: Embedder | None = None) -> None:
        self._book = book
        self._storage = book.storage
        self._settings = settings.embedder
        self._chosen = embedder
        self._leaves_secrets = settings.gate.secret is None
        self.clean: Callable[[str], str] = str if self._leaves_secrets else mask
        self.trouble = ""
        self.guard = Guard()
        self._completing = 0  # how many threads are at it to compute all vectors
        self._unread: tuple[str, ...] = ()
        self._nothing_new: tuple[bool, int, list[object]] | None = None
        self._last: tuple[str, Vectors] | None = None
        self._may_save = True
        self._in_store = False  # whether the store keeps the index itself

    @cached_property
    def embedder(self) -> Embedder | None:
        """What turns texts into vectors here; None where the settings switch it off."""
        from commonplace.providers.embedders import embedder

        return self._chosen or embedder(self._settings)

    @cached_property
    def _model(self) -> Embedder | None:
        """The embedder, unless it must be loaded to know its dimensions and fails."""
        embedder = self.embedder
        try:
            return embedder if embedder is None or embedder.dimensions else None
        except EmbedderFailed as error:
            self._may_save = False  # the index of the model that fails just now is worth keeping
            self.trouble = f"{error.message} {error.hint}"
            return None

    @cached_property
    def _indexes(self) -> tuple[ChunkIndex, LargeIndex | None]:
        """The arrays, and what the store has for books that are too large for them."""
        from commonplace.index.chunkindex import ChunkIndex

        model = self._model
        identity, dimensions = (model.identity, model.dimensions) if model else ("none", 1)
        identity = f"{identity}, secrets left in" if self._leaves_secrets else identity
        large = self._storage.large_index(identity, dimensions) if model else None
        return ChunkIndex(self._storage, identity, dimensions), large

    @property
    def _index(self) -> SearchIndex:
        arrays, large = self._indexes
        return large if self._in_store and large is not None else arrays

    def _open(self) -> None:
        """Take over what was stored meanwhile, as arrays or, of a very large book, by the store itself."""
        arrays, large = self._indexes
        arrays.open()
        self._in_store = arrays.moved and large is not None and large.usable()
        self._index.open()

    def _grow(self) -> None:
        """Whoever has time lets the store keep the index of a book that has become too large for arrays."""
        arrays, large = self._indexes
        if large is None or self._in_store or arrays.unsaved or not large.wants(arrays.count()):
            return
        if large.begin(arrays):
            self._nothing_new = None
            self._open()

    def corpus(self, asked: Asked) -> Corpus:
        """All chunks as they were when the files were last looked at; of a very large book, what may answer."""
        return self._index.corpus(asked)

    def unread_files(self) -> str:
        """What somebody who trusts an answer should know."""
        if not self._unread:
            return ""
        few = ", ".join(map(printable, self._unread[:3])) + (" …" if len(self._unread) > 3 else "")
        return f"Not searched, since it cannot be read: {few}. `commonplace doctor` tells why."

    def closest(self, text: str, entries: Sequence[Entry], most: int = _MOST_READ) -> list[Candidate]:
        """The entries of MEMORY.md that may say the same as `text`: those nearest in meaning, and then those that share
        most of its words, as where the meaning is unknown: without a model, in a script it cannot read, while it fails.
        A save does not wait for the vectors of a large memory: of the entries that have none yet, those that share
        most of the words are embedded, and the others wait for a search."""
        entries = [entry for entry in entries if len(entry.text) <= _LONGEST_COMPARED]
        if not entries or most < 1:  # no model is loaded where there is nothing to compare with
            return []
        cosines = self._cosines(text, entries, most)
        picked = sorted(cosines, key=lambda at: -cosines[at])[:most]
        if len(picked) < most:
            picked = list(dict.fromkeys((*picked, *_rarely_shared(text, entries))))[:most]
        return [Candidate(entries[at], cosines.get(at)) for at in picked]

    def meaning(self, text: str) -> list[float] | None:
        """The vector of a text, if the embedder is the one that rules of the gate were fitted beside."""
        reader = self.reader(text)
        if reader is None or not comes_with_the_package(reader):
            return None
        try:
            return self._vector(reader, text).tolist()
        except EmbedderFailed as error:
            self.trouble = f"{error.message} {error.hint}"
            return None

    def _vector(self, reader: Embedder, text: str) -> Vectors:
        """What is written is asked for twice: what it is, and what is like it."""
        last = self._last
        if last is None or last[0] != text:
            last = self._last = (text, reader.embed([self.clean(text)])[0])
        return last[1]

    def _cosines(self, text: str, entries: Sequence[Entry], most: int) -> dict[int, float]:
        """How alike in meaning `text` is to each entry, by the entry's number, as far as this can be known. Entries
        are embedded under their headings; that the text has none yet was measured to make no difference."""
        reader = self.reader(text)
        if reader is None:
            return {}
        with self.guard:
            try:
                self._take_in_entries(reader)
                asked = self._vector(reader, text)
                found = self._known_of(entries, self._index.likeness_in(MEMORY_FILE, asked, most))
                others = [at for at in range(len(entries)) if at not in found]
                embedded = self._embedded_now(reader, text, entries, others)
            except EmbedderFailed as error:
                self.trouble = f"{error.message} {error.hint}"
                return {}
        known = {at: cosine for at, cosine in found.items() if cosine is not None and reader.reads(entries[at].text)}
        return known | {at: float(vector @ asked) for at, vector in embedded.items()}

    def _embedded_now(
        self, reader: Embedder, text: str, entries: Sequence[Entry], others: Sequence[int]
    ) -> dict[int, Vectors]:
        """The vectors of those of the `others` that come into question; the index has none for them yet."""
        if len(others) > _MOST_EMBEDDED:
            shared = _rarely_shared(text, [entries[at] for at in others])
            others = [others[at] for at in shared[:_MOST_EMBEDDED]]
        others = [at for at in others if reader.reads(entries[at].text)]
        if not others:
            return {}
        texts = [embedded_text(_as_chunk(_cleaned(entries[at], self.clean))) for at in others]
        return dict(zip(others, reader.embed(texts), strict=True))

    def _known_of(self, entries: Sequence[Entry], rows: Mapping[bytes, float | None]) -> dict[int, float | None]:
        """What is known of the likeness of entries that have vectors. What is indexed as it stands was cleaned before
        and need not be cleaned again; the few others are looked for as they were cleaned, but not the many that have no
        vector yet."""
        if not rows:
            return {}
        keys = (vector_key(_as_chunk(entry)) for entry in entries)
        known = {at: rows[key] for at, key in enumerate(keys) if key in rows}
        others = [at for at in range(len(entries)) if at not in known]
        if sum(len(entries[at].text) for at in others) <= _MOST_CLEANED:
            cleaned = ((at, _key_of(entries[at], self.clean)) for at in others)
            known |= {at: rows[key] for at, key in cleaned if key in rows}
        return known

    def _take_in_entries(self, reader: Embedder) -> None:
        """Know the vectors of MEMORY.md, if few are missing; what is more, and other files, may wait for a search."""
        self._open()
        self._take_in_memory()
        self._index.embed_missing(reader.embed, file=MEMORY_FILE, most=_MOST_EMBEDDED)
        self._save()

    def section_for(self, text: str) -> str:
        """The standard section in which a text belongs by its meaning."""
        from commonplace.distill.sorting import category_of

        return SECTION_OF[category_of(text, self._described, self.meaning)]

    @cached_property
    def _described(self) -> Described:
        from commonplace.distill.sorting import described

        return described(self.meaning)

    # -- keeping up with the files -------------------------------------------------------------------------------

    def refresh(self, *, patience: float | None = None, progress: Callable[[int, int], None] = _quietly) -> None:
        """Take in what changed. Vectors are computed for at most `patience` seconds (None: until all are there; 0: none
        is), and not at all while another thread computes all of them."""
        with self.guard:
            self._open()
            self._take_in_files()
            if patience and not self._completing:
                self._embed(time.monotonic() + patience, progress)
            self._save()
        if patience is None:
            self._complete(progress)
            with self.guard:
                self._save()
                self._grow()

    def _complete(self, progress: Callable[[int, int], None]) -> None:
        """Compute all vectors, a few at a time, so that searches and saves need not wait for the last. Hours of work
        are written down now and then, whatever happens next."""
        with self.guard:
            self._completing += 1
        try:
            written = time.monotonic()
            more = True
            while more:
                with self.guard:
                    more = self._embed(time.monotonic(), progress)
                    if not more or time.monotonic() - written > _A_WHILE:
                        self._save()
                        written = time.monotonic()
                self.guard.let_others()
        finally:
            with self.guard:
                self._completing -= 1

    def _save(self) -> None:
        if self._index.unsaved and self._may_save and self._book.identity() is not None:
            self._index.save()  # a folder that is no book stays as it is

    def rebuild(self, progress: Callable[[int, int], None] = _quietly) -> IndexReport:
        """Make the whole index again from the files."""
        with self.guard:
            for index in filter(None, self._indexes):
                index.clear()
        self.refresh(progress=progress)
        return self.report()

    def report(self) -> IndexReport:
        """How much is indexed. Text is taken in first; vectors are left as they are."""
        with self.guard:
            self._open()
            self._take_in_files()
            self._save()
            model = self._model.identity if self._model else ""
            loaded = self._model is not None and self._model.loaded
            return IndexReport(self._index.count(), *self.vectors(), model, loaded, self.trouble)

    def vectors(self) -> tuple[int, int]:
        """How many vectors are known and wanted; without a model, none is."""
        return self._index.vectors() if self._model else (0, 0)

    def _take_in_files(self) -> None:
        """Look for changes. Mostly there are none, and a glance is enough to know; it is trusted once all that it sees
        was taken in and is too old to change within the resolution of a clock."""
        try:
            seen = (self._in_store, self._index.loads, [self._storage.glance(folder) for folder in _FOLDERS])
        except StorageError:
            seen = None
        if seen is None or seen != self._nothing_new:
            self._nothing_new = seen if self._take_in_changes() else None

    def _take_in_memory(self) -> None:
        """Take in MEMORY.md alone; where much of it is new, it waits for a search as well."""
        files = (file for file in self._storage.list_folder("") if file.name == MEMORY_FILE)
        file = next((file for file in files if file.kind == "file" and not self._is_known(file)), None)
        if file is None or (data := self._storage.read(MEMORY_FILE).data) is None:
            return
        state = _state_of(file, data)
        if self._is_new(MEMORY_FILE, state):
            chunks = self._chunks_of_text(MEMORY_FILE, data, Source.LONG_TERM, most=_MOST_CLEANED)
            self._index.update({MEMORY_FILE: (state, chunks)} if chunks is not None else {}, ())
        elif file.settled:
            self._index.touch({MEMORY_FILE: state})

    def _is_known(self, file: FileStat) -> bool:
        known = self._index.files.get(file.name)
        return known is not None and known.settled and known.stamp == file.stamp

    def _is_new(self, name: str, state: FileState) -> bool:
        known = self._index.files.get(name)
        return known is None or known.digest != state.digest

    def _take_in_changes(self) -> bool:
        """Take in what changed; whether all is settled. What cannot be read keeps its last known state, and the answer
        says so; a memory that cannot be read at all is an error, not an empty one."""
        changed: dict[str, tuple[FileState, Sequence[Chunk]]] = {}
        same: dict[str, FileState] = {}
        present: set[str] = set()
        all_settled = True
        unread: list[str] = []
        for folder in _FOLDERS:
            try:
                files = [file for file in self._storage.list_folder(folder) if self._is_searched(file)]
            except StorageError:
                if not folder:
                    raise
                present |= {name for name in self._index.files if name.rpartition("/")[0] == folder}
                unread.append(folder)
                continue
            if folder == transcripts.FOLDER:
                copied = self._copies([file.name for file in files])
                files = [file for file in files if file.name not in copied]
            present |= {file.name for file in files}
            files = [file for file in files if not self._is_known(file)]
            contents = self._storage.read_all(file.name for file in files)
            for file, (_, content) in zip(files, contents, strict=True):
                if isinstance(content, StorageError):
                    if file.name == MEMORY_FILE:
                        raise content
                    unread.append(file.name)
                    continue
                data = content.data
                if data is None:
                    present.discard(file.name)
                    continue
                all_settled &= file.settled
                state = _state_of(file, data)
                if self._is_new(file.name, state):
                    changed[file.name] = (state, self._chunks(file.name, data))
                elif file.settled:
                    same[file.name] = state
        self._index.update(changed, [name for name in self._index.files if name not in present])
        self._index.touch(same)
        self._unread = tuple(unread)
        return all_settled and not unread

    def _copies(self, names: Sequence[str]) -> set[str]:
        """Transcripts that only repeat another one."""
        named = [session for name in names if (session := transcripts.session_of(name))]
        found = transcripts.copies(named, self._storage.read)
        return {transcripts.file_of(session) for session in found}

    def _chunks(self, name: str, data: bytes) -> Sequence[Chunk]:
        """What can be found in a file. A turn is cleaned whole: a piece of a message may not show what it is a piece
        of."""
        session = _session_of(name)
        if session and not name.endswith(_SUMMARY):
            transcript = transcripts.read(session, data)
            messages = (replace(message, text=self.clean(unechoed(message))) for message in transcript.messages)
            return chunks_of_transcript(name, session, zip(transcript.lines, messages, strict=True))
        if name == MEMORY_FILE:
            return self._chunks_of_text(name, data, Source.LONG_TERM) or ()
        source = Source.SESSION if session else Source.DAILY_LOG
        return self._chunks_of_text(name, data, source, day=daily.day_of(name), session=session or "") or ()

    def _chunks_of_text(
        self,
        name: str,
        data: bytes,
        source: Source,
        *,
        day: date | None = None,
        session: str = "",
        most: int | None = None,
    ) -> list[Chunk] | None:
        """What stands in the index as it is was cleaned before; None if more characters than `most` are to be
        cleaned."""
        known = self._index.keys_of(name)
        try:
            entries = list(Document.parse(data, name).entries)
        except UnreadableFile:
            return []
        new = [at for at, entry in enumerate(entries) if vector_key(_as_chunk(entry)) not in known]
        if most is not None and sum(len(entries[at].text) for at in new) > most:
            return None
        for at in new:
            entries[at] = _cleaned(entries[at], self.clean)
        return chunks_of_text(name, source, entries, day=day, session=session)

    def _is_searched(self, file: FileStat) -> bool:
        """What was searched before need not be looked at again: that would cost more than asking for its stamp."""
        return file.kind == "file" and (file.name in self._index.files or _has_searched_name(file.name))

    def _embed(self, until: float, progress: Callable[[int, int], None]) -> bool:
        """Compute vectors that are missing, at least a few; whether there are more."""
        if self._model is None:
            return False
        try:
            self._index.embed_missing(self._model.embed, until=until, progress=progress)
            self.trouble = ""
        except EmbedderFailed as error:
            self.trouble = f"{error.message} {error.hint}"
            return False
        known, wanted = self._index.vectors()
        return known < wanted

    def reader(self, text: str) -> Embedder | None:
        """The model, if there is one and it can read the text."""
        return self._model if self._model and self._model.reads(text) else None


def comes_with_the_package(embedder: Embedder | None) -> bool:
    if embedder is None:
        return False
    from commonplace.providers.embedders.minilm import MiniLM

    return isinstance(embedder, MiniLM)


@lru_cache(maxsize=_KEPT)
def _cleaned(entry: Entry, clean: Callable[[str], str]) -> Entry:
    text, section = clean(entry.text), clean(entry.section)
    return entry if (text, section) == (entry.text, entry.section) else Entry(text, section, entry.line)


def _state_of(file: FileStat, data: bytes) -> FileState:
    return FileState(file.stamp, hashlib.blake2b(data, digest_size=16).hexdigest(), file.settled)


def _as_chunk(entry: Entry) -> Chunk:
    return Chunk(MEMORY_FILE, entry.line, Source.LONG_TERM, entry.section, None, "", 0, "", entry.text)


@lru_cache(maxsize=_KEPT)
def _key_of(entry: Entry, clean: Callable[[str], str]) -> bytes:
    return vector_key(_as_chunk(_cleaned(entry, clean)))


@lru_cache(maxsize=_KEPT)
def _terms_of(text: str) -> frozenset[str]:
    return frozenset(terms(text))


def _rarely_shared(text: str, entries: Sequence[Entry]) -> list[int]:
    """The numbers of the entries that share terms with the text; first those that share most, rare ones counting
    more and long entries less."""
    from commonplace.language.glossing import english, language

    def read(text: str) -> frozenset[str]:
        """What is said in another language may be said in English as well."""
        code = language(text)
        return _terms_of(text) | _terms_of(english(text, code)) if code else _terms_of(text)

    asked, found = read(text), [read(entry.text) for entry in entries]
    shared = {at: both for at, terms in enumerate(found) if (both := asked & terms)}
    counts = Counter(term for both in shared.values() for term in both)
    worth = {term: math.log(1 + len(entries) / count) for term, count in counts.items()}

    def score(at: int) -> float:
        return sum(worth[term] for term in shared[at]) / math.sqrt(len(found[at]) + 3)

    return sorted(shared, key=score, reverse=True)


def _has_searched_name(name: str) -> bool:
    return name == MEMORY_FILE or ("/" in name and bool(daily.day_of(name) or _session_of(name)))


def _session_of(name: str) -> str | None:
    return transcripts.session_of(name.removesuffix(_SUMMARY) + ".jsonl" if name.endswith(_SUMMARY) else name)
