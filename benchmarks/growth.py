"""What commands cost as a book grows: with its entries, and with the number of its changes.

    python benchmarks/growth.py [--fast] [--only COMMAND …] [--json]

Every command runs in a process of its own on books of 1,000, 10,000 and 100,000 entries, and on books of one size
after 1,000, 3,000 and 10,000 changes. Its time is that of the processor, the least of some runs, without what the
command costs on a book with one entry, shown with its ratio to the smallest book. None may grow faster than the book;
what is said to be flat must not grow with the history at all. Exits with 1 where a limit is broken. No embedding
model is used: what it costs is the same for each text, and would take hours for 100,000.

Books are written directly, their history as packs, as an import would: what is measured is not how they came about.
"""

import argparse
import hashlib
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypedDict

from commonplace.config import EmbedderSettings, Settings
from commonplace.files.folder import FolderStorage
from commonplace.files.folderhistory import MAIN, FolderHistory, GitObjects
from commonplace.files.history import blob_id
from commonplace.files.packs import make_pack
from commonplace.memory import Memory

ENTRIES = (1_000, 10_000, 100_000)
CHANGES = (1_000, 3_000, 10_000)
SIZE = 300  # entries of the books that were changed often
BATCH = 300  # changes in a pack, as a life of saves makes them
THINGS = (
    "harbour crane garden printer bakery violin tunnel castle orange window kettle marble engine ladder candle".split()
)
LINEAR = 1.5  # times the growth of the book: measuring is not exact
FLAT = 1.5
FASTEST = 0.1  # seconds of the processor that are too few to compare

COMMANDS: dict[str, list[str]] = {
    "show": ["show"],
    "sections": ["sections"],
    "stats": ["stats"],
    "history": ["history", "--limit", "10"],
    "diff": ["diff"],
    "doctor": ["doctor"],
    "why": ["why", "{old}"],
    "undo": ["undo", "{change}"],
    "search": ["search", "where is the harbour crane"],
    "recall": ["recall", "where is the harbour crane"],
    "remember": ["remember", "My sister Rosa lives in Turin"],
    "revise": ["revise", "{old}", "The old thing was sold to a museum"],
    "forget": ["forget", "--yes", "{old}"],
    "log": ["log", "add", "We talked about the harbour"],
    "sessions": ["sessions"],
    "backup": ["backup"],
    "inbox": ["inbox", "list"],
}
FLAT_WITH_CHANGES = frozenset({"stats", "history", "diff", "doctor", "show", "remember", "undo", "log", "sessions"})


class Row(TypedDict):
    """What one command cost on three books."""

    grows_with: str
    command: str
    seconds: list[float]
    ratios: list[float]
    limits: list[float]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fast", action="store_true", help="smaller books: 300 to 3,000 entries and changes")
    parser.add_argument("--only", nargs="+", metavar="COMMAND", choices=[*COMMANDS], help="just these commands")
    parser.add_argument("--runs", type=int, default=3, help="runs of each command on each book (3)")
    parser.add_argument("--folder", type=Path, help="where to make the books (the system's temporary folder)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    options = parser.parse_args(arguments)
    entries, changes = ((300, 1_000, 3_000), (300, 1_000, 3_000)) if options.fast else (ENTRIES, CHANGES)
    folder = Path(tempfile.mkdtemp(prefix="commonplace-growth-", dir=options.folder))
    rows: list[Row] = []
    try:
        empty = book(folder / "empty", 2, 2)
        for kind, sizes in (("entries", entries), ("changes", changes)):
            books = [
                book(folder / f"{kind}-{size}", size if kind == "entries" else SIZE, 20 if kind == "entries" else size)
                for size in sizes
            ]
            for command in options.only or COMMANDS:
                rows.append(measured(kind, sizes, command, books, empty, options.runs))
                if not options.json:
                    print(told(rows[-1]), flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    broken = [row for row in rows if any(r > most for r, most in zip(row["ratios"], row["limits"], strict=True))]
    if options.json:
        print(json.dumps({"rows": rows, "good": not broken}))
    elif broken:
        print("\nGrows too fast: " + ", ".join(f"{row['command']} with {row['grows_with']}" for row in broken))
    return 1 if broken else 0


def measured(kind: str, sizes: Sequence[int], command: str, books: Sequence[Path], empty: Path, runs: int) -> Row:
    base = min(spent(command, empty) for _ in range(runs))
    seconds = [max(min(spent(command, one) for _ in range(runs)) - base, 0.0) for one in books]
    ratios = [one / max(seconds[0], FASTEST) for one in seconds]
    flat = kind == "changes" and command in FLAT_WITH_CHANGES
    limits = [FLAT if flat else LINEAR * size / sizes[0] for size in sizes]
    return Row(grows_with=kind, command=command, seconds=seconds, ratios=ratios, limits=limits)


def told(row: Row) -> str:
    costs = "  ".join(
        f"{second:7.2f} s {ratio:6.1f}x (at most {limit:5.1f}){'!' if ratio > limit else ' '}"
        for second, ratio, limit in zip(row["seconds"], row["ratios"], row["limits"], strict=True)
    )
    return f"{row['grows_with']:8} {row['command']:10} {costs}"


def spent(command: str, root: Path) -> float:
    """Seconds of the processor for one run on a copy of the book."""
    copy = root.with_name("copy")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(root, copy)
    names = json.loads((root.parent / f"{root.name}.json").read_text(encoding="utf-8"))
    words = [word.format(**names) for word in COMMANDS[command]]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "commonplace", "--book", str(copy), *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COMMONPLACE_EMBEDDER_NAME": "none"},
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} failed:\n{done.stdout}{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


# -- books ----------------------------------------------------------------------------------------------------------


def book(root: Path, entries: int, changes: int) -> Path:
    """A book of so many entries that was changed so often: each change replaces one entry, the first an aside."""
    memory = Memory.open(root, settings=Settings(embedder=EmbedderSettings("none")))
    memory.create()
    chance = random.Random(entries)
    lines = [f"- The {chance.choice(THINGS)} {at} stands beside the {chance.choice(THINGS)}\n" for at in range(entries)]
    files = {"ASIDE.md": b"- The old aside\n", "MEMORY.md": b""}
    ids = list(packed(root, lines, changes, files))
    for name, data in files.items():
        (root / name).write_bytes(data)
        (root / name).chmod(0o600)
    memory.reindex()
    names = {"old": lines[-1][2:].strip(), "change": ids[0]}
    (root.parent / f"{root.name}.json").write_text(json.dumps(names), encoding="utf-8")
    return root


def packed(root: Path, lines: list[str], changes: int, files: dict[str, bytes]) -> Iterator[str]:
    """Write the history in packs of some changes each, which are joined as those of a life of saves are; the ids."""
    storage = FolderStorage(root)
    objects, history = GitObjects(storage), FolderHistory(storage)
    sync, os.fsync = os.fsync, skip_sync
    parent = ""
    try:
        with storage.lock():
            objects.make_repository()
            for start in range(0, changes, BATCH):
                made: dict[str, tuple[str, bytes]] = {}
                versions: list[list[str]] = []
                for change in range(start, min(start + BATCH, changes)):
                    if change:
                        lines[change % len(lines)] = f"- The {THINGS[change % len(THINGS)]} of change {change}\n"
                        files["MEMORY.md"] = ("# Long-term Memory\n\n## Notes\n\n" + "".join(lines)).encode()
                    one = list(written(files, change, parent))
                    made |= {id: (kind, body) for id, kind, body in one}
                    versions.append([id for id, _, _ in one])
                    parent = one[-1][0]
                    yield parent
                objects.add_pack(f"{start:040x}", *make_pack(chains(made, versions), made.__getitem__))
                objects.set_ref(MAIN, parent)
                history.pack_loose()
            history.count()
    finally:
        os.fsync = sync


def written(files: dict[str, bytes], change: int, parent: str) -> Iterator[tuple[str, str, bytes]]:
    """The objects of one change: a blob for each file, the tree, the commit."""
    entries = b""
    for name, data in sorted(files.items()):
        if data:
            yield blob_id(data), "blob", data
            entries += b"100644 " + name.encode() + b"\0" + bytes.fromhex(blob_id(data))
    tree = named("tree", entries)
    yield tree, "tree", entries
    at = int((datetime(2020, 1, 1, tzinfo=UTC) + timedelta(minutes=change)).timestamp())
    who = f"Commonplace <program@commonplace.invalid> {at} +0000"
    above = f"parent {parent}\n" if parent else ""
    text = f"tree {tree}\n{above}author {who}\ncommitter {who}\n\nChange {change}\n\nOrigin: tool\n".encode()
    yield named("commit", text), "commit", text


def chains(made: dict[str, tuple[str, bytes]], versions: list[list[str]]) -> dict[str, str | None]:
    """Each object as a difference to the next newer one of its place, as saves are packed."""
    bases: dict[str, str | None] = {}
    newest: dict[int, str] = {}
    for version in reversed(versions):
        for place, id in enumerate(version):
            if id not in bases:
                bases[id] = newest.get(place) if made[id][0] != "commit" and len(version) == 4 else None
                newest[place] = id
    return bases


def skip_sync(_: object) -> None:
    """Nobody is killed while books are made."""


def named(kind: str, body: bytes) -> str:
    return hashlib.sha1(b"%s %d\0%s" % (kind.encode(), len(body), body), usedforsecurity=False).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
