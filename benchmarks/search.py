"""How fast search is: beside the limit, beside others, from a hundred chunks to a million.

    make bench                                          writes.py and this, printed
    python benchmarks/search.py --quick                 a minute, small sizes
    python benchmarks/search.py --write-docs            everything, and docs/benchmarks/search.{md,json,png}

The limit is what no exact search by meaning can do without: embedding the question and one matrix product over all
vectors. Peers are installed into .bench-venv, which is made here and can be deleted; one that cannot be installed or
does not work is named with the reason.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

import searchreport
from searchparts import PARTS, Figures

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs" / "benchmarks"
ENVIRONMENT = ROOT / ".bench-venv"
PACKAGES = {
    "chromadb": ["chromadb"],
    "memsearch": ["memsearch", "milvus-lite"],
    "mempalace": ["mempalace"],
    "fts5": [],
}
COMMON = ["numpy", "onnxruntime", "matplotlib"]
TURNS = {100: 25, 1_000: 25, 10_000: 25, 100_000: 100, 300_000: 300, 1_000_000: 500}
BESIDE_PEERS = (1_000, 10_000)
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def main() -> None:
    options = _options()
    if options.part:
        name, given = json.loads(options.part)
        print(json.dumps(PARTS[name](**given)))
        return
    results = measure(options)
    print(json.dumps(results, indent=1) if options.json else searchreport.markdown(results))
    if options.write_docs:
        DOCS.mkdir(parents=True, exist_ok=True)
        (DOCS / "search.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
        (DOCS / "search.md").write_text(searchreport.markdown(results), encoding="utf-8")
        plot(DOCS / "search.json", DOCS / "search.png")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Measure search.", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="about a minute: small sizes, fewer runs")
    parser.add_argument("--largest", type=int, default=1_000_000, help="leave out larger sizes (default: a million)")
    parser.add_argument("--no-peers", action="store_true", help="ours and the limit alone; nothing is installed")
    parser.add_argument("--keep", type=Path, help="keep figures in this file, and measure only what is not in it yet")
    parser.add_argument("--json", action="store_true", help="print figures as JSON instead of Markdown")
    parser.add_argument("--write-docs", action="store_true", help="write docs/benchmarks/search.md, .json and .png")
    parser.add_argument("--part", help=argparse.SUPPRESS)
    return parser.parse_args()


def measure(options: argparse.Namespace) -> Figures:
    quick: bool = options.quick
    real = 1_000 if quick else 10_000
    most = min(options.largest, real) if quick else options.largest
    sizes = [size for size in TURNS if size <= most and (size != 300_000 or most < 1_000_000)]
    with tempfile.TemporaryDirectory(prefix="commonplace-bench-") as folder:
        kept = Kept(options.keep or Path(folder) / "figures.json")
        if "machine" not in kept.figures:
            kept.note("quick", quick)
            kept.note("machine", _machine())
            kept.note("load_at_start", os.getloadavg()[0])
        peers, left_out = ({}, {}) if options.no_peers else install_peers()
        kept.note("left_out", left_out)
        vectors = str(kept.file.with_suffix(".npy"))
        kept.part("model", "model")
        kept.part("runtime_alone", "runtime_alone")
        kept.part("throughput", "throughput", count=200 if quick else 2_000, turns=25)
        kept.part("resync", "resync", count=real, turns=25, vectors=vectors)
        kept.part("cold", "cold", count=real, turns=25, vectors=vectors, runs=5 if quick else 15)
        for size in sizes:
            given = {"peers": peers} if size in BESIDE_PEERS else {}
            kept.part(f"scale_{size}", "scale", count=size, turns=TURNS[size], vectors=vectors, **given)
            if size == 100_000 and not quick:
                kept.part("many_files", "scale", count=size, turns=25, vectors=vectors)
        results = kept.figures
    scales = [results.pop(f"scale_{size}") for size in TURNS if f"scale_{size}" in results]
    return results | {"scale": scales, "load_at_end": os.getloadavg()[0]}


class Kept:
    """Figures so far, in a file: what is there is not measured again, so that a long run can be continued."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.figures: Figures = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}

    def note(self, name: str, value: object) -> None:
        self.figures[name] = value
        self.file.write_text(json.dumps(self.figures, indent=1), encoding="utf-8")

    def part(self, key: str, name: str, **given: object) -> None:
        if key not in self.figures:
            self.note(key, part(name, **given))


def part(name: str, **given: object) -> Figures:
    """Run one part in a fresh process, the matrix product on one thread like the embedding: the threads of a second one
    would go on waiting for work at full speed and take the core that the model needs."""
    shown = {key: value for key, value in given.items() if key in {"count", "turns"}}
    print(f"… {name} {shown or ''}", file=sys.stderr, flush=True)
    command = [sys.executable, __file__, "--part", json.dumps([name, given])]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, env=os.environ | ONE_THREAD)
    return json.loads(done.stdout.splitlines()[-1])


def install_peers() -> tuple[dict[str, str], dict[str, str]]:
    """The Python of the environment for each peer that could be installed, and why the others could not."""
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
    peers: dict[str, str] = {}
    left_out: dict[str, str] = {}
    for name, packages in PACKAGES.items():
        print(f"… installing {name}", file=sys.stderr, flush=True)
        command = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *COMMON, *packages]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            peers[name] = str(python)
        else:
            left_out[name] = (done.stderr.strip().splitlines() or ["pip failed"])[-1]
    return peers, left_out


def plot(figures: Path, picture: Path) -> None:
    python = ENVIRONMENT / "bin" / "python"
    program = Path(__file__).with_name("searchreport.py")
    subprocess.run([str(python), str(program), str(figures), str(picture)], check=True)


def _machine() -> str:
    return f"{os.cpu_count()} cores ({platform.machine()}), Python {platform.python_version()}"


if __name__ == "__main__":
    main()
