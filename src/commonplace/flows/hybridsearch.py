"""The flow of a search: files -> chunks -> index -> scores -> hits.

The index follows the files: whatever changed since the last look is taken in before anything is searched, so a save
or a hand edit is found at once. Vectors may lag behind after a large import; the answer says how far they are.
"""

import hashlib
import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cache, lru_cache, partial
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from commonplace.errors import EmbedderFailed, StorageError, UnreadableFile, ValidationError
from commonplace.files import daily, transcripts
from commonplace.files.document import Document
from commonplace.files.text import printable
from commonplace.framing import unechoed
from commonplace.gate.secrets import mask
from commonplace.index.chunkindex import ChunkIndex
from commonplace.index.chunking import chunks_of_text, chunks_of_transcript, embedded_text, vector_key
from commonplace.language import terms, words
from commonplace.language.beyond import DENYING, adds_nothing, told
from commonplace.search.evidence import Likeness
from commonplace.search.facts import Facts, facts_of
from commonplace.search.floor import chances, fitted_floor, signs
from commonplace.search.query import Filters, Query, parse
from commonplace.search.queryvector import turned
from commonplace.search.ranking import Method, Ranking, by_date, gathered, rank, totals
from commonplace.search.timewords import Span
from commonplace.types.book import MEMORY_FILE, Entry, FileStat, FileState
from commonplace.types.searching import Chunk, Found, Hit, IndexReport, Source
from commonplace.types.verdicts import Candidate

if TYPE_CHECKING:
    from concurrent.futures import Future

    from numpy.typing import NDArray

    from commonplace.index.corpus import Corpus
    from commonplace.ports import Embedder, Storage, Vectors

_SUMMARY = ".summary.md"
_FOLDERS = ("", daily.FOLDER, transcripts.FOLDER)
_PATIENCE = 2.0
_A_WHILE = 60.0  # seconds of computing vectors between two times that they are written down
_ALIKE = 0.9
_SPARE = 4  # ranked for each that is shown: some will be near-identical
_KEPT = 8192
_OF_DAYS = 12  # chunks of the days that a question names
_SAME_THING = 0.6  # of the shorter one's terms
_MOST_CLEANED = 50_000  # characters that a save waits for
_MOST_EMBEDDED = 128  # entries


def _quietly(_done: int, _wanted: int) -> None:
    """Nobody watches."""


def _as_it_is(text: str) -> str:
    return text


class Finder:
    """Search over one book. Thread-safe; a search never waits for a writer."""

    def __init__(
        self,
        storage: "Storage",
        embedder: "Embedder | None",
        method: Method,
        may_save: Callable[[], bool] = lambda: True,
        clean: Callable[[str], str] | None = mask,
    ) -> None:
        """`clean` takes secrets out of whatever is indexed or embedded; None leaves them in."""
        self._storage = storage
        self._clean = clean or _as_it_is
        self._may_save = may_save
        self._method = method
        self._embedder = embedder
        self._trouble = ""
        self._unread: tuple[str, ...] = ()
        self._facts: tuple[Corpus, Facts] | None = None
        self._nothing_new: tuple[int, list[object]] | None = None
        self._last: tuple[str, Vectors] | None = None
        self._guard = threading.RLock()
        try:
            identity, dimensions = (embedder.identity, embedder.dimensions) if embedder else ("none", 1)
        except EmbedderFailed as error:  # a model that must be loaded to know its dimensions
            identity, dimensions, self._embedder = "none", 1, None
            self._may_save = lambda: False  # the index of the model that fails just now is worth keeping
            self._trouble = f"{error.message} {error.hint}"
        self._index = ChunkIndex(storage, identity if clean else f"{identity}, secrets left in", dimensions)

    def search(self, question: str, *, today: date, filters: Filters, limit: int, explain: bool = False) -> Found:
        if not question.strip():
            raise ValidationError("The question is blank.", hint="Give at least one word to look for.")
        if limit < 1:
            raise ValidationError("At least one result must be asked for.", hint="Use a limit of 1 or more.")
        return self._found(question, today, filters, partial(self._hits, limit=limit, explain=explain))

    def evidence(self, question: str, *, today: date, limit: int, but: str = "") -> Found:
        """What tells something about `question`, at most `limit`: nothing if it asks about nothing. Each statement
        comes once, the newest before older ones of the same thing. What the session `but` said is left out."""
        return self._found(question, today, Filters(), partial(self._evidence, limit=limit, but=but))

    def _found(self, question: str, today: date, filters: Filters, pick: Callable[..., list[Hit]]) -> Found:
        with self._guard:
            started = self._start_embedding(question)
            query = parse(question, today, filters)
            self.refresh(patience=_PATIENCE)
            corpus = self._index.corpus()
            known, wanted = self._vectors()
            hits = pick(corpus, query, self._likeness(corpus, query, started) if known else None)
        return Found(hits, known, wanted, self._trouble, self._unread_files())

    def _unread_files(self) -> str:
        """What somebody who trusts an answer should know."""
        if not self._unread:
            return ""
        few = ", ".join(map(printable, self._unread[:3])) + (" …" if len(self._unread) > 3 else "")
        return f"Not searched, since it cannot be read: {few}. `commonplace doctor` tells why."

    def closest_entries(self, text: str, entries: Sequence[Entry], most: int) -> list[Candidate]:
        """The entries of MEMORY.md that may say the same as `text`: those nearest in meaning, and then those that share
        most of its words, as where the meaning is unknown: without a model, in a script it cannot read, while it fails.
        A save does not wait for the vectors of a large memory: of the entries that have none yet, those that share
        most of the words are embedded, and the others wait for a search."""
        if not entries or most < 1:
            return []
        cosines = self._cosines(text, entries)
        picked = sorted(cosines, key=lambda at: -cosines[at])[:most]
        if len(picked) < most:
            picked = list(dict.fromkeys((*picked, *_rarely_shared(text, entries))))[:most]
        return [Candidate(entries[at], cosines.get(at)) for at in picked]

    def meaning(self, text: str) -> list[float] | None:
        """The vector of a text, if the embedder is the one that rules of the gate were fitted beside."""
        reader = self._reader(text) if comes_with_the_package(self._embedder) else None
        if reader is None:
            return None
        try:
            return self._vector(reader, text).tolist()
        except EmbedderFailed as error:
            self._trouble = f"{error.message} {error.hint}"
            return None

    def _vector(self, reader: "Embedder", text: str) -> "Vectors":
        """What is written is asked for twice: what it is, and what is like it."""
        last = self._last
        if last is None or last[0] != text:
            last = self._last = (text, reader.embed([self._clean(text)])[0])
        return last[1]

    def _cosines(self, text: str, entries: Sequence[Entry]) -> dict[int, float]:
        """How alike in meaning `text` is to each entry, by the entry's number, as far as this can be known. Entries
        are embedded under their headings; that the text has none yet was measured to make no difference."""
        reader = self._reader(text)
        if reader is None:
            return {}
        with self._guard:
            try:
                self._take_in_entries(reader)
                asked = self._vector(reader, text)
                rows, vectors = self._index.vectors_of(MEMORY_FILE)
                found = self._rows_of(entries, rows)
                others = [at for at in range(len(entries)) if at not in found]
                embedded = self._embedded_now(reader, text, entries, others)
            except EmbedderFailed as error:
                self._trouble = f"{error.message} {error.hint}"
                return {}
        cosines = (vectors @ asked).tolist()
        known = {at: cosines[row] for at, row in found.items() if reader.reads(entries[at].text)}
        return known | {at: float(vector @ asked) for at, vector in embedded.items()}

    def _embedded_now(
        self, reader: "Embedder", text: str, entries: Sequence[Entry], others: Sequence[int]
    ) -> "dict[int, Vectors]":
        """The vectors of those of the `others` that come into question; the index has none for them yet."""
        if len(others) > _MOST_EMBEDDED:
            shared = _rarely_shared(text, [entries[at] for at in others])
            others = [others[at] for at in shared[:_MOST_EMBEDDED]]
        others = [at for at in others if reader.reads(entries[at].text)]
        if not others:
            return {}
        texts = [embedded_text(_as_chunk(_cleaned(entries[at], self._clean))) for at in others]
        return dict(zip(others, reader.embed(texts), strict=True))

    def _rows_of(self, entries: Sequence[Entry], rows: Mapping[bytes, int]) -> dict[int, int]:
        """Where the vectors of entries stand. What is indexed as it stands was cleaned before and need not be cleaned
        again; the few others are looked for as they were cleaned, but not the many that have no vector yet."""
        if not rows:
            return {}
        known = {at: row for at, e in enumerate(entries) if (row := rows.get(vector_key(_as_chunk(e)))) is not None}
        others = [at for at in range(len(entries)) if at not in known]
        if sum(len(entries[at].text) for at in others) <= _MOST_CLEANED:
            keys = ((at, rows.get(_key_of(entries[at], self._clean))) for at in others)
            known |= {at: row for at, row in keys if row is not None}
        return known

    def _take_in_entries(self, reader: "Embedder") -> None:
        """Know the vectors of MEMORY.md, if few are missing; what is more, and other files, may wait for a search."""
        self._index.open()
        self._take_in_memory()
        self._index.embed_missing(reader.embed, file=MEMORY_FILE, most=_MOST_EMBEDDED)
        self._save()

    # -- keeping up with the files -------------------------------------------------------------------------------

    def refresh(self, *, patience: float | None = None, progress: Callable[[int, int], None] = _quietly) -> None:
        """Take in what changed. Vectors are computed for at most `patience` seconds (None: until all are there)."""
        with self._guard:
            self._index.open()
            self._take_in_files()
            until = None if patience is None else time.monotonic() + patience
            while self._embed(until, progress):  # hours of work are written down now and then, whatever happens next
                self._save()
            self._save()

    def _save(self) -> None:
        if self._index.unsaved and self._may_save():
            self._index.save()

    def rebuild(self, progress: Callable[[int, int], None] = _quietly) -> IndexReport:
        """Make the whole index again from the files."""
        with self._guard:
            self._index.clear()
            self.refresh(progress=progress)
            return self.report()

    def report(self) -> IndexReport:
        """How much is indexed. Text is taken in first; vectors are left as they are."""
        with self._guard:
            self._index.open()
            self._take_in_files()
            self._save()
            model = self._embedder.identity if self._embedder else ""
            loaded = self._embedder is not None and self._embedder.loaded
            return IndexReport(self._index.corpus().count, *self._vectors(), model, loaded, self._trouble)

    def _vectors(self) -> tuple[int, int]:
        """How many vectors are known and wanted; without a model, none is."""
        return self._index.vectors() if self._embedder else (0, 0)

    def _take_in_files(self) -> None:
        """Look for changes. Mostly there are none, and a glance is enough to know; it is trusted once all that it sees
        was taken in and is too old to change within the resolution of a clock."""
        try:
            seen = (self._index.loads, [self._storage.glance(folder) for folder in _FOLDERS])
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
            chunks = self._chunks(MEMORY_FILE, data, most=_MOST_CLEANED)
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
                    changed[file.name] = (state, self._chunks(file.name, data) or ())
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

    def _chunks(self, name: str, data: bytes, most: int | None = None) -> list[Chunk] | None:
        """What can be found in a file. It is cleaned whole: a piece of a message may not show what it is a piece of.
        What stands in the index as it is was cleaned before; None if more characters than `most` are to be cleaned."""
        session = _session_of(name)
        if session and not name.endswith(_SUMMARY):
            transcript = transcripts.read(session, data)
            messages = (replace(message, text=self._clean(unechoed(message))) for message in transcript.messages)
            return chunks_of_transcript(name, session, zip(transcript.lines, messages, strict=True))
        source = Source.LONG_TERM if name == MEMORY_FILE else Source.SESSION if session else Source.DAILY_LOG
        known = self._index.keys_of(name)
        try:
            entries = list(Document.parse(data, name).entries)
        except UnreadableFile:
            return []
        new = [at for at, entry in enumerate(entries) if vector_key(_as_chunk(entry)) not in known]
        if most is not None and sum(len(entries[at].text) for at in new) > most:
            return None
        for at in new:
            entries[at] = _cleaned(entries[at], self._clean)
        return chunks_of_text(name, source, entries, day=daily.day_of(name), session=session or "")

    def _is_searched(self, file: FileStat) -> bool:
        """What was searched before need not be looked at again: that would cost more than asking for its stamp."""
        return file.kind == "file" and (file.name in self._index.files or _has_searched_name(file.name))

    def _embed(self, until: float | None, progress: Callable[[int, int], None]) -> bool:
        """Compute vectors that are missing, for a while; whether there is more to do and time for it."""
        if self._embedder is None:
            return False
        a_while = time.monotonic() + _A_WHILE
        try:
            self._index.embed_missing(
                self._embedder.embed, until=a_while if until is None else min(until, a_while), progress=progress
            )
            self._trouble = ""
        except EmbedderFailed as error:
            self._trouble = f"{error.message} {error.hint}"
            return False
        known, wanted = self._index.vectors()
        return known < wanted and (until is None or time.monotonic() < until)

    # -- scoring ---------------------------------------------------------------------------------------------------

    def _reader(self, text: str) -> "Embedder | None":
        """The model, if there is one and it can read the text."""
        return self._embedder if self._embedder and self._embedder.reads(text) else None

    def _start_embedding(self, question: str) -> "Future[Vectors] | None":
        """Embed the question while files and words are looked at: a model computes outside the interpreter. It is not
        loaded for that: whether it is needed is known only afterwards."""
        reader = self._reader(question)
        if reader is None or not reader.loaded or not self._index.vectors()[0]:
            return None
        from concurrent.futures import Future

        started: Future[Vectors] = Future()
        threading.Thread(target=_embed_into, args=(started, reader, self._clean(question)), daemon=True).start()
        return started

    def _likeness(self, corpus: "Corpus", query: Query, started: "Future[Vectors] | None") -> "Likeness | None":
        """How to compute the likeness of meaning, for when it is needed; None where it cannot be known."""
        reader = self._reader(query.text)
        if reader is None or not corpus.count:
            return None
        turns = self._method is None and comes_with_the_package(reader)

        @cache
        def likeness() -> "Vectors | None":
            try:
                asked = started.result() if started else reader.embed([self._clean(query.text)])[0]
                return corpus.cosine(turned(asked) if turns else asked)
            except EmbedderFailed as error:
                self._trouble = f"{error.message} {error.hint}"
                return None

        return likeness

    def _facts_of(self, corpus: "Corpus") -> Facts:
        """Facts hold for one state of the index."""
        if self._facts is None or self._facts[0] is not corpus:
            self._facts = (corpus, facts_of(corpus))
        return self._facts[1]

    def _hits(
        self, corpus: "Corpus", query: Query, likeness: "Likeness | None", limit: int, *, explain: bool
    ) -> list[Hit]:
        """The best hits; where the same is said over and over, it is looked for deeper down."""
        facts, most = self._facts_of(corpus), limit
        while True:
            most *= _SPARE
            ranking = rank(gathered(corpus, facts, query, likeness), self._method, most=most)
            hits = list(islice(_distinct(corpus, ranking, query.today, explain=explain), limit))
            if len(hits) == limit or len(ranking.chunks) < most:
                return hits

    def _evidence(self, corpus: "Corpus", query: Query, likeness: "Likeness | None", limit: int, but: str) -> list[Hit]:
        """The chunks above the floor. Where a question names a time and no words that say more, what was said then is
        the answer, whatever it is."""
        chance = self._told(corpus, query, likeness, limit, but)
        if query.span is not None and (
            query.asks_for_days or not any(_is_from(corpus, at, query.span) for at in chance)
        ):
            filters = replace(query.filters, since=query.span.first, until=query.span.last)
            then = gathered(corpus, self._facts_of(corpus), replace(query, filters=filters), likeness)
            days = _tells(corpus, by_date(then, most=limit * _SPARE), query, but, _OF_DAYS)
            chance = dict.fromkeys(days, 1.0) | chance
        return [_hit(corpus.chunk(at), chance[at], query.today, {}) for at in _once(corpus, list(chance))]

    def _told(
        self, corpus: "Corpus", query: Query, likeness: "Likeness | None", limit: int, but: str
    ) -> dict[int, float]:
        """The places of the chunks that are evidence, best first, each with its chance."""
        if query.says_little:
            return {}
        evidence = gathered(corpus, self._facts_of(corpus), query, likeness)
        ranking = rank(evidence, self._method, most=limit * _SPARE)
        places = np.array(_tells(corpus, ranking.chunks, query, but, limit), dtype=np.int64)
        floor = fitted_floor(by_meaning=evidence.similarity is not None)
        chance = chances(signs(evidence, places, totals(evidence, places)), floor)
        return {int(at): float(p) for at, p in zip(places, chance, strict=True) if p >= floor.least}


def comes_with_the_package(embedder: "Embedder | None") -> bool:
    if embedder is None:
        return False
    from commonplace.providers.embedders.minilm import MiniLM

    return isinstance(embedder, MiniLM)


def _distinct(corpus: "Corpus", ranking: Ranking, today: date, *, explain: bool) -> Iterator[Hit]:
    shown: list[set[str]] = []
    for place, at in enumerate(ranking.chunks):
        chunk = corpus.chunk(int(at))
        said = words(chunk.text) or {chunk.text}
        if any(_alike(said, others) for others in shown):
            continue
        shown.append(said)
        parts = {name: float(values[place]) for name, values in ranking.components.items()} if explain else {}
        yield _hit(chunk, float(ranking.scores[place]), today, parts)


def _tells(corpus: "Corpus", ranked: "NDArray[np.int64]", query: Query, but: str, most: int) -> list[int]:
    """The first of the ranked chunks that can tell somebody something: not what is in the prompt already, a word alone,
    nor a question that asks no more than this one; near-identical ones once."""
    shown: list[set[str]] = []
    found: list[int] = []
    for at in map(int, ranked):
        chunk = corpus.chunk(at)
        said = words(chunk.text) or {chunk.text}
        if (but and chunk.session == but) or len(set(terms(chunk.text)) or said) == 1:
            continue
        if chunk.text.rstrip().endswith(("?", "？")) and set(terms(chunk.text)) <= query.terms.keys():
            continue
        if not any(_alike(said, others) for others in shown):
            shown.append(said)
            found.append(at)
            if len(found) == most:
                break
    return found


def _once(corpus: "Corpus", places: list[int]) -> list[int]:
    """Each statement once, and the newest of those about the same thing before the older ones."""
    said = {at: told(corpus.chunk(at).text) for at in places}

    def age(at: int) -> tuple[bool, int]:
        """What is kept in the memory is how it is now; else the newest comes first."""
        return corpus.day[at] > 0, -int(corpus.day[at])

    by_age = sorted(places, key=age)
    once = [
        at
        for number, at in enumerate(by_age)
        if not any(
            adds_nothing(said[at], said[other]) and (before < number or not adds_nothing(said[other], said[at]))
            for before, other in enumerate(by_age)
            if other != at
        )
    ]
    groups: list[list[int]] = []
    for at in sorted(once, key=places.index):
        about = next((group for group in groups if _about_the_same(said[at].terms, said[group[0]].terms)), None)
        if about is None:
            groups.append([at])
        else:
            about.append(at)
    return [at for group in groups for at in sorted(group, key=age)]


def _about_the_same(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= _SAME_THING * max(1, min(len(one), len(other)))


def _is_from(corpus: "Corpus", at: int, days: Span) -> bool:
    return days.first.toordinal() <= corpus.day[at] <= days.last.toordinal()


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


def _embed_into(result: "Future[Vectors]", embedder: "Embedder", text: str) -> None:
    try:
        result.set_result(embedder.embed([text])[0])
    except BaseException as error:  # whatever it is belongs to whoever asks for the result
        result.set_exception(error)


def _has_searched_name(name: str) -> bool:
    return name == MEMORY_FILE or ("/" in name and bool(daily.day_of(name) or _session_of(name)))


def _session_of(name: str) -> str | None:
    return transcripts.session_of(name.removesuffix(_SUMMARY) + ".jsonl" if name.endswith(_SUMMARY) else name)


def _alike(said: set[str], other: set[str]) -> bool:
    """Near-identical: almost the same words, all the same numbers, the same yes or no. Said twice, shown once."""
    if len(said) < _ALIKE * len(other) or len(other) < _ALIKE * len(said):
        return False
    if len(said & other) < _ALIKE * len(said | other):
        return False
    differing = said ^ other
    return not differing & DENYING and not any(letter.isdigit() for word in differing for letter in word)


def _hit(chunk: Chunk, score: float, today: date, components: dict[str, float]) -> Hit:
    return Hit(
        text=chunk.text,
        source=chunk.source,
        date=chunk.day,
        heading=chunk.heading,
        file=chunk.file,
        line=chunk.line,
        session=chunk.session,
        message=chunk.message,
        speaker=chunk.speaker,
        score=score,
        age_days=max((today - chunk.day).days, 0) if chunk.day else None,
        components=components,
    )
