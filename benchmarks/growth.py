"""What commands cost as a book grows: with its entries, its changes, its conversations and its lines.

    python benchmarks/growth.py [--fast] [--with KIND …] [--only COMMAND …] [--json]

Every command runs in a process of its own on books of 1,000, 10,000 and 100,000 entries, on books of one size after
1,000, 3,000 and 10,000 changes, with 100, 1,000 and 10,000 conversations, and beside one line of 100 KB, 1 MB and
10 MB. Its time is that of the processor, the least of some runs, without what the
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

SIZES = {
    "entries": (1_000, 10_000, 100_000),
    "changes": (1_000, 3_000, 10_000),
    "sessions": (100, 1_000, 10_000),
    "letters": (100_000, 1_000_000, 10_000_000),
}
FAST = {
    "entries": (300, 1_000, 3_000),
    "changes": (300, 1_000, 3_000),
    "sessions": (30, 100, 300),
    "letters": (10_000, 100_000, 1_000_000),
}
SIZE = 300  # entries of the books that grow in something else
BATCH = 300  # changes in a pack, as a life of saves makes them
THINGS = (
    "harbour crane garden printer bakery violin tunnel castle orange window kettle marble engine ladder candle".split()
)
LINEAR = 1.5  # times the growth of the book: measuring is not exact
STEADY = 1.5
FASTEST = 0.1  # seconds of the processor that are too few to compare

COMMANDS: dict[str, list[str]] = {
    "show": ["show"],
    "sections": ["sections"],
    "stats": ["stats"],
    "history": ["history", "--limit", "10"],
    "history all": ["history", "--limit", "1000000"],
    "diff": ["diff"],
    "doctor": ["doctor"],
    "why": ["why", "{old}"],
    "undo": ["undo", "{change}"],
    "search": ["search", "where is the harbour crane"],
    "recall": ["recall", "where is the harbour crane"],
    "ask": ["ask", "where is the harbour crane"],
    "remember": ["remember", "My sister Rosa lives in Turin"],
    "revise": ["revise", "{old}", "The old thing was sold to a museum"],
    "forget": ["forget", "--yes", "{old}"],
    "forget all": ["forget", "--everywhere", "--yes", "{old}"],
    "move": ["move", "{old}", "Projects"],
    "protect": ["protect", "{old}"],
    "audit": ["audit"],
    "compact": ["compact", "--no-model"],
    "reindex": ["reindex"],
    "log": ["log", "add", "We talked about the harbour"],
    "logs": ["log", "list"],
    "sessions": ["sessions"],
    "in sessions": ["sessions", "search", "harbour crane"],
    "flush": ["flush"],
    "backup": ["backup"],
    "backups": ["backups"],
    "restore": ["restore", "latest", "--yes"],
    "inbox": ["inbox", "list"],
    "import": ["import", "{few}"],
    "export": ["export", "{out}", "--force"],
}
FINDING = frozenset({"audit", "doctor"})  # these end with 1 where they find something
# What shows or changes a bounded part of the history, whatever its length; an import asks it what was deleted since.
FLAT = {
    "changes": frozenset(COMMANDS) - {"history all", "why", "forget all", "import", "export"},
    "sessions": frozenset({"show", "sections", "history", "diff", "remember", "revise", "undo", "log", "inbox"}),
}


class Row(TypedDict):
    """What one command cost on three books."""

    grows_with: str
    command: str
    seconds: list[float]
    ratios: list[float]
    limits: list[float]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fast", action="store_true", help="smaller books: 300 to 3,000 entries and changes …")
    parser.add_argument("--with", dest="kinds", nargs="+", choices=[*SIZES], metavar="KIND", help="just this growth")
    parser.add_argument("--only", nargs="+", metavar="COMMAND", choices=[*COMMANDS], help="just these commands")
    parser.add_argument("--runs", type=int, default=3, help="runs of each command on each book (3)")
    parser.add_argument("--folder", type=Path, help="where to make the books (the system's temporary folder)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    options = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp(prefix="commonplace-growth-", dir=options.folder))
    rows: list[Row] = []
    try:
        empty = book(folder, "empty", 2)
        for kind in options.kinds or SIZES:
            sizes = (FAST if options.fast else SIZES)[kind]
            books = [book(folder, kind, size) for size in sizes]
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
    flat = command in FLAT.get(kind, ())
    limits = [STEADY if flat else LINEAR * size / sizes[0] for size in sizes]
    return Row(grows_with=kind, command=command, seconds=seconds, ratios=ratios, limits=limits)


def told(row: Row) -> str:
    costs = "  ".join(
        f"{second:7.2f} s {ratio:6.1f}x (at most {limit:5.1f}){'!' if ratio > limit else ' '}"
        for second, ratio, limit in zip(row["seconds"], row["ratios"], row["limits"], strict=True)
    )
    return f"{row['grows_with']:8} {row['command']:12} {costs}"


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
    if done.returncode > (command in FINDING):
        raise SystemExit(f"{' '.join(words)} failed:\n{done.stdout}{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


# -- books ----------------------------------------------------------------------------------------------------------


def book(folder: Path, kind: str, size: int) -> Path:
    """A book that has grown to this size in what `kind` names; each change replaces one entry, the first an aside."""
    root = folder / f"{kind}-{size}"
    memory = Memory.open(root, settings=Settings(embedder=EmbedderSettings("none")))
    memory.create()
    chance = random.Random(size)
    count = size if kind in {"entries", "empty"} else SIZE
    lines = [f"- The {chance.choice(THINGS)} {at} stands beside the {chance.choice(THINGS)}\n" for at in range(count)]
    if kind == "letters":
        lines.insert(0, f"\n{' '.join(f'We saw the {chance.choice(THINGS)}.' for _ in range(size // 19))}\n\n")
    files = {"ASIDE.md": b"- The old aside\n", "MEMORY.md": b""}
    ids = list(packed(root, lines, size if kind == "changes" else min(size, 20), files))
    files |= conversations(size if kind == "sessions" else min(size, 20), chance)
    files["backups/MEMORY_backup_2026-01-01_00-00-00.md"] = files["MEMORY.md"]
    for name, data in files.items():
        (root / name).parent.mkdir(mode=0o700, exist_ok=True)
        (root / name).write_bytes(data)
        (root / name).chmod(0o600)
    memory.reindex()
    few = folder / "few.md"
    few.write_text("- Plays the cello\n- Has two parrots\n- Is allergic to penicillin\n", encoding="utf-8")
    names = {"old": lines[-1][2:].strip(), "change": ids[0], "few": str(few), "out": str(folder / "out.json")}
    (folder / f"{root.name}.json").write_text(json.dumps(names), encoding="utf-8")
    return root


def conversations(count: int, chance: random.Random) -> dict[str, bytes]:
    """Transcripts of ten messages each, an hour apart."""
    files: dict[str, bytes] = {}
    for session in range(count):
        began = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(hours=session)
        said = "".join(
            json.dumps(
                {
                    "id": f"m-{session}-{number}",
                    "role": "assistant" if number % 2 else "user",
                    "at": (began + timedelta(seconds=number)).isoformat(),
                    "text": f"What of the {chance.choice(THINGS)} and the {chance.choice(THINGS)}, {session}?",
                }
            )
            + "\n"
            for number in range(10)
        )
        files[f"sessions/{began:%Y-%m-%d}-{session:08x}.jsonl"] = said.encode()
    return files


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
