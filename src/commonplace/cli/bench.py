"""`bench`: measuring quality on labelled data, through the same code that people use."""

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from commonplace.cli.call import common, current
from commonplace.cli.output import say
from commonplace.cli.progress import Bar
from commonplace.errors import StorageError

if TYPE_CHECKING:
    from commonplace.bench.retrieval import Answer, Row

_COLUMNS = (
    *(f"turn@{cut}" for cut in (1, 5, 10, 20)),
    *(f"session@{cut}" for cut in (1, 5, 10, 20)),
    "ndcg@10",
    "mrr",
)


@click.group()
@common
def bench() -> None:
    """Measure quality on labelled data."""


@bench.command()
@click.argument("data", type=click.Path(path_type=Path))
@click.option("--run", "out", type=click.Path(path_type=Path, dir_okay=False), help="Write every ranking here (JSONL).")
@click.option("--plain", is_flag=True, help="The plain formula without decay, for comparison.")
@common
def retrieval(data: Path, out: Path | None, plain: bool) -> None:
    """How well search finds the turns and sessions that answer a question.

    DATA is (gzipped) JSON with `corpora` of sessions and `questions` with gold turns and sessions; docs/retrieval.md
    describes it. Each corpus goes into a temporary book; your own book is not touched.
    """
    from commonplace.bench import retrieval as measure
    from commonplace.memory import Memory

    call = current()
    settings = call.app.settings
    if plain:
        settings = replace(settings, search=replace(settings.search, method="plain", decay=0.0))
    loaded = measure.load(data)
    if out is not None:
        _write(out, "")  # rather now than after minutes
    answers: list[Answer] = []
    with tempfile.TemporaryDirectory() as folder, Bar("Asking", quiet=call.json) as bar:

        def open_book(number: int) -> Memory:
            return Memory.open(Path(folder) / str(number), settings=settings)

        total = len(loaded["questions"])
        for answer in measure.run(loaded, open_book):
            answers.append(answer)
            bar.update(len(answers), total)
    if out is not None:
        _write(out, "".join(measure.as_json(answer) + "\n" for answer in answers))
    rows = measure.table(answers)
    if call.json:
        call.answer({"data": data, "rows": {name: _figures(row) for name, row in rows.items()}})
        return
    width = max(len(name) for name in rows)
    say(f"{'':<{width}} {'asked':>6} " + " ".join(f"{name:>10}" for name in _COLUMNS))
    for name, row in rows.items():
        say(f"{name:<{width}} {row.questions:>6} " + " ".join(f"{_percent(row.mean(c)):>10}" for c in _COLUMNS))
    if out is not None:
        say(f"Rankings written to {out}.")


def _write(out: Path, text: str) -> None:
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StorageError(f"Cannot write {out}: {error.strerror}.", hint="Name another file with --run.") from error


def _figures(row: "Row") -> dict[str, object]:
    return {"questions": row.questions, **{name: row.mean(name) for name in _COLUMNS}}


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"
