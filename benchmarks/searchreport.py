"""The figures of benchmarks/search.py as Markdown, and (in the peers' environment, which has matplotlib) as a plot."""

import json
import math
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

Figures = dict[str, Any]

HYBRID = {"memsearch", "mempalace"}
"""Peers that look for words and meaning. (fts5 does too, but is a sketch of ours and no system; it has its own row.)"""

NAMES = {
    "chromadb": "chromadb (vectors only, HNSW)",
    "memsearch": "memsearch (hybrid)",
    "mempalace": "MemPalace (default: vectors, then BM25)",
    "fts5": "hand-made: FTS5 + numpy (hybrid; not a product)",
}


def markdown(results: Figures) -> str:
    parts = [
        "# Search speed",
        _about(results),
        "## Bars",
        _table(("what", "bar", "measured", ""), _bars(results)),
        "## Whole query, warm, in one process",
        _table(
            (
                "chunks",
                "sessions",
                "ours p50 ms",
                "p95",
                "limit p50 ms",
                "= embedding",
                "+ product",
                "ours / limit",
                "by processor time",
            ),
            (_scale_row(row) for row in _scales(results)),
        ),
        "The limit is one query embedding and one float32 matrix product over all vectors; ours is the whole of"
        " `Memory.search`: looking for changed files, parsing, embedding, scoring, reading the hits. They take turns,"
        " question by question. Processor time"
        " counts all threads: other work disturbs it less, but it does not see what runs side by side.",
        _growth(results),
        *_peers(results),
        "## Indexing and the rest",
        _table(("what", "figure"), _rest(results)),
        "![Query time against the number of chunks](search.png)" if not results["quick"] else "",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _about(results: Figures) -> str:
    seen = [row["load"] for row in [*_scales(results), results["throughput"], results["resync"]]]
    return (
        f"{results['machine']}; load average {results['load_at_start']:.1f} at the"
        f" start, {min(seen):.1f} to {max(seen):.1f} while measuring. On a busy machine look at ratios, not at"
        " milliseconds.\n\n"
        "Reproduce: `python benchmarks/search.py --write-docs` (a minute: `--quick`; without other systems:"
        " `--no-peers`). Texts are invented (benchmarks/synthetic.py, fixed seed, about 23 words each). Vectors are"
        " those of the default embedder: real ones up to 10,000 chunks; above that mixes of these, unit length,"
        " which cost search the same."
    )


def _scales(results: Figures) -> list[Figures]:
    return results["scale"] + ([results["many_files"]] if "many_files" in results else [])


def _scale_row(row: Figures) -> Sequence[str]:
    return (
        f"{row['chunks']:,}",
        f"{row['sessions']:,}",
        f"{row['ours_ms']:.2f}",
        f"{row['ours_p95_ms']:.2f}",
        f"{row['limit_ms']:.2f}",
        f"{row['embedding_ms']:.2f}",
        f"{row['product_ms']:.2f}",
        f"**{row['ratio']:.2f}**",
        f"{row['computing_ratio']:.2f}",
    )


def _growth(results: Figures) -> str:
    """Between neighbouring sizes: by how much the cost grows when the chunks do."""
    rows = [row for row in results["scale"] if row["chunks"] >= 1000]
    if len(rows) < 2:
        return ""
    steps = [
        f"{a['chunks']:,} to {b['chunks']:,}: x{b['chunks'] / a['chunks']:.0f} chunks,"
        f" x{b['ours_ms'] / a['ours_ms']:.1f} time"
        for a, b in pairwise(rows)
    ]
    return f"Growth: {'; '.join(steps)}. Largest exponent between neighbours: {exponent(rows):.2f} (1 is linear)."


def exponent(rows: Sequence[Figures]) -> float:
    """The largest slope between neighbouring sizes, log against log."""
    pairs = pairwise(rows)
    return max(math.log(b["ours_ms"] / a["ours_ms"]) / math.log(b["chunks"] / a["chunks"]) for a, b in pairs)


def _peers(results: Figures) -> Iterable[str]:
    for row in results["scale"]:
        if not row.get("peers"):
            continue
        worked = {name: peer for name, peer in row["peers"].items() if "failed" not in peer}
        yield f"## Beside others at {row['chunks']:,} chunks"
        lines = [
            (
                NAMES[name],
                peer["version"],
                f"{peer['whole_ms']:.1f}",
                f"{peer['without_embedding_ms']:.1f}",
                f"{peer['ours_ms']:.2f}",
                f"**{peer['times_ours']:.1f}x**",
                f"{peer['build_seconds']:.1f}",
            )
            for name, peer in sorted(worked.items(), key=lambda item: -item[1]["whole_ms"])
        ]
        whole, embedding = row["ours_ms"], row["embedding_ms"]
        built = f"{row['indexing_without_embedding_s']:.1f}"
        lines.append(("Commonplace", "this one", f"{whole:.1f}", f"{max(whole - embedding, 0):.1f}", "", "1", built))
        yield _table(
            ("system", "version", "whole query p50 ms", "without embedding", "ours beside it", "times ours", "build s"),
            lines,
        )
        yield (
            "All get the same texts and vectors, and embed the question with the same model in their own process."
            " Blocks of questions alternate with ours, so compare with the column beside. Ten results each; building is"
            " without embedding."
        )
        failed = {**results["left_out"], **{n: p["failed"] for n, p in row["peers"].items() if "failed" in p}}
        yield "\n".join(f"- {NAMES[name]} was not measured: {why}" for name, why in failed.items())


# -- bars ------------------------------------------------------------------------------------------------------------


def _bars(results: Figures) -> Iterable[Sequence[str]]:
    rows = {row["chunks"]: row for row in results["scale"]}
    model, throughput, resync, cold = (results[name] for name in ("model", "throughput", "resync", "cold"))
    if 10_000 in rows:
        yield _bar("whole query at 10,000 chunks / limit", "<= 1.5", rows[10_000]["ratio"], 1.5)
        yield _bar("… by processor time", "<= 1.5", rows[10_000]["computing_ratio"], 1.5)
    if 100_000 in rows:
        yield _bar("whole query at 100,000 chunks / limit", "<= 2", rows[100_000]["ratio"], 2.0)
        yield _bar("… by processor time", "<= 2", rows[100_000]["computing_ratio"], 2.0)
    hybrid = [
        peer["times_ours"]
        for name, peer in rows.get(10_000, {}).get("peers", {}).items()
        if name in HYBRID and "failed" not in peer
    ]
    if hybrid:
        fastest = min(hybrid)
        yield _line("fastest hybrid system / ours at 10,000 chunks", ">= 5", f"{fastest:.1f}", fastest >= 5)
    large = [row for row in results["scale"] if row["chunks"] >= 1000]
    if len(large) > 1:
        label = f"growth from 1,000 to {large[-1]['chunks']:,} chunks (worst exponent)"
        yield _bar(label, "<= 1 (linear)", exponent(large), 1.05)
    share = throughput["share"]
    yield _line("indexing / raw embedding throughput", ">= 90 %", f"{share:.1%}", share >= 0.9)
    computing = throughput.get("share_of_cpu", share)
    yield _line("… by processor time, which other work disturbs less", ">= 90 %", f"{computing:.1%}", computing >= 0.9)
    yield _percent(f"unchanged book of {resync['chunks']:,} / first indexing", resync["unchanged_share"])
    yield _percent("… opened anew and searched", resync["reopened_share"])
    yield _percent("… after one new line, and searched", resync["one_line_share"])
    yield _bar("resident memory of the loaded model, MB", "<= 100", model["resident_mb"], 100)
    yield _bar("loading the model, s", "< 3", model["load_s"], 3)
    yield _bar("embedding a question, p50 ms", "< 200", model["query_ms"], 200)
    for size, most in ((100, 200), (1_000, 500)):
        if size in rows:
            yield _bar(f"search at {size:,} chunks, p50 ms", f"< {most}", rows[size]["ours_ms"], most)
    yield ("cold `commonplace search` / `python -c pass`", "reported", f"{cold['ratio']:.1f}", "")


def _bar(what: str, bar: str, value: float, most: float) -> Sequence[str]:
    return _line(what, bar, f"{value:.2f}", value <= most)


def _percent(what: str, share: float) -> Sequence[str]:
    return _line(what, "< 5 %", f"{share:.2%}", share < 0.05)


def _line(what: str, bar: str, measured: str, met: bool) -> Sequence[str]:
    return (what, bar, measured, "met" if met else "**missed**")


def _rest(results: Figures) -> Iterable[Sequence[str]]:
    model, alone, cold, resync = (results[name] for name in ("model", "runtime_alone", "cold", "resync"))
    throughput = results["throughput"]
    yield (
        "embedder alone, texts/s",
        f"{throughput['raw_per_s']:.0f} (two runs differ by {throughput['raw_spread']:.0%})",
    )
    yield f"indexing {throughput['chunks']:,} texts, chunks/s", f"{throughput['indexed_per_s']:.0f}"
    yield f"first indexing of {resync['chunks']:,} chunks", f"{resync['first_s']:.1f} s"
    yield "looking for changes, nothing changed", f"{1000 * resync['unchanged_s']:.1f} ms"
    yield "open the book anew and search", f"{1000 * resync['reopened_s']:.0f} ms"
    yield "search after one new line", f"{1000 * resync['one_line_s']:.0f} ms"
    yield "resident memory: model, ONNX Runtime and tokeniser", f"{model['resident_mb']:.0f} MB"
    yield "… of which ONNX Runtime without a model", f"{alone['resident_mb']:.0f} MB"
    yield "… after 120 questions", f"{model['resident_after_queries_mb']:.0f} MB"
    yield "loading model and runtime", f"{model['load_s']:.2f} s ({alone['import_s']:.2f} s of it the runtime's import)"
    yield "embedding a question, p50 / p95", f"{model['query_ms']:.2f} / {model['query_p95_ms']:.2f} ms"
    yield (
        f"cold `commonplace search` in a book of {cold['chunks']:,}",
        f"{cold['search_s']:.2f} s ({cold['ratio']:.1f} x `python -c pass`, {1000 * cold['bare_s']:.0f} ms)",
    )
    sizes = ", ".join(f"{row['index_bytes_per_chunk']:,.0f} ({row['chunks']:,})" for row in results["scale"])
    yield "index on disk, bytes a chunk (at chunks)", f"{sizes}; 1,536 of them the vector"
    builds = ", ".join(f"{row['indexing_without_embedding_s']:.1f} s ({row['chunks']:,})" for row in results["scale"])
    yield "indexing without embedding (at chunks)", builds


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


# -- plot ------------------------------------------------------------------------------------------------------------


def plot(results: Figures, picture: Path) -> None:
    matplotlib: Any = import_module("matplotlib")
    matplotlib.use("Agg")
    pyplot: Any = import_module("matplotlib.pyplot")
    figure, axes = pyplot.subplots(figsize=(8, 5), dpi=120)
    rows = results["scale"]
    chunks = [row["chunks"] for row in rows]
    axes.plot(chunks, [row["limit_ms"] for row in rows], "--", color="0.45", marker=".", label="the limit")
    axes.plot(chunks, [row["ours_ms"] for row in rows], color="#1f5fa8", marker="o", label="Commonplace", linewidth=2)
    styles = {"memsearch": "#c23b22", "mempalace": "#d98200", "chromadb": "#5a8f29", "fts5": "#8a63a8"}
    markers = {"memsearch": "s", "mempalace": "D", "chromadb": "^", "fts5": "v"}
    for name, colour in styles.items():
        found = [(row["chunks"], row["peers"][name]["whole_ms"]) for row in rows if _has(row, name)]
        if found:
            place, whole = zip(*found, strict=True)
            axes.plot(place, whole, markers[name], color=colour, label=NAMES[name].split(" (")[0], markersize=7)
    axes.set(xscale="log", yscale="log", xlabel="chunks", ylabel="whole query, median (ms)")
    axes.set_title("Time of one search, question embedding included")
    axes.grid(which="major", color="0.88")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(picture, metadata={"Software": None})


def _has(row: Figures, name: str) -> bool:
    return bool(row.get("peers")) and name in row["peers"] and "failed" not in row["peers"][name]


if __name__ == "__main__":
    plot(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), Path(sys.argv[2]))
