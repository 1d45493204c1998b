"""`bench`: measuring quality on labelled data, through the same code that people use."""

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from commonplace.cli.call import common, current
from commonplace.cli.exits import OK, PROBLEM
from commonplace.cli.output import counted, say, shortened, shown, styled, warn
from commonplace.cli.progress import Bar
from commonplace.errors import StorageError, ValidationError

if TYPE_CHECKING:
    from commonplace.bench import flush as flush_bench
    from commonplace.bench import gating as gate_bench
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


@bench.command()
@click.argument("file", nargs=-1, type=click.Path(path_type=Path))
@click.option("--run", "out", type=click.Path(path_type=Path, dir_okay=False), help="Write every verdict here (JSONL).")
@click.option(
    "--part",
    type=click.Choice(["tuning", "held-out", "all"]),
    help="Of the project's own cases: those used for tuning, the others, or all (default).",
)
@click.option("--misses", is_flag=True, help="List the cases that were judged wrongly.")
@common
def gate(file: tuple[Path, ...], out: Path | None, part: str | None, misses: bool) -> None:
    """How well the gate judges what somebody wants remembered.

    FILE holds labelled cases as JSON Lines; docs/gate.md describes them. Without one, in a checkout, the project's own
    cases are judged. Everything happens in a temporary folder; your own book is not touched.
    """
    from commonplace.bench import gating as measure

    call = current()
    if file and part not in {None, "all"}:
        raise click.UsageError("--part is about the project's own cases.", click.get_current_context())
    chosen = list(file) or measure.own_files(part or "all")
    if not chosen:
        raise ValidationError(
            "The project's own cases are in its checkout (benchmarks/cases), not in the package.",
            hint="Name a file of labelled cases; docs/gate.md describes the format.",
        )
    if misses and any(measure.is_own_held_out(one) for one in chosen):
        if part is None and not file:
            chosen = measure.own_files("tuning")
        elif part != "held-out":
            raise ValidationError(
                "Cases that are held out are not listed, so that nobody tunes the gate on them.",
                hint="If you must see them: commonplace bench gate --part held-out --misses",
            )
    cases, bad = _cases(chosen)
    if out is not None:
        _write(out, "")  # rather now than after a minute
    outcomes: dict[str, list[gate_bench.Outcome]] = {}
    total, done = sum(map(len, cases.values())), 0
    with tempfile.TemporaryDirectory() as folder, Bar("Judging", quiet=call.json) as bar:
        verdict_on = measure.judge_in(Path(folder), call.app.settings)
        for name, listed in cases.items():
            outcomes[name] = []
            for outcome in measure.run(listed, verdict_on):
                outcomes[name].append(outcome)
                done += 1
                bar.update(done, total)
    if out is not None:
        _write(out, "".join(measure.as_json(one) + "\n" for listed in outcomes.values() for one in listed))
    wrong = [one for listed in outcomes.values() for one in listed if not one.right] if misses else []
    if call.json:
        parts = {name: _gate_figures(listed) for name, listed in outcomes.items()}
        shown_misses = {"misses": [_miss(one) for one in wrong]} if misses else {}
        call.answer({"files": [one.name for one in chosen], "parts": parts, "bad_lines": bad, **shown_misses})
        return
    for line in bad:
        warn(f"{line.where} is left out: {line.why}.")
    _say_gate(outcomes)
    if misses:
        _say_misses(wrong, held_out=part == "held-out" and not file)
    if out is not None:
        say(f"Verdicts written to {out}.")


def _cases(files: list[Path]) -> "tuple[dict[str, list[gate_bench.Case]], list[gate_bench.BadLine]]":
    """The cases of the files by part, ours apart from others'."""
    from commonplace.bench import gating as measure

    own = set(measure.own_files("all"))
    cases: dict[str, list[gate_bench.Case]] = {}
    bad: list[gate_bench.BadLine] = []
    for one in files:
        found, lines = measure.load(one)
        cases.setdefault(measure.part_of(one) if one in own else "given", []).extend(found)
        bad += lines
    return dict(sorted(cases.items())), bad


def _gate_figures(outcomes: "list[gate_bench.Outcome]") -> dict[str, object]:
    from commonplace.bench import gating as measure

    def figures(row: "gate_bench.Row") -> dict[str, object]:
        return {"cases": row.cases, "right": row.right, "found": row.found, "rules": row.rules}

    return {
        "cases": len(outcomes),
        "bars": [{**one._asdict(), "met": one.met} for one in measure.bars(outcomes)],
        "classes": {label: figures(row) for label, row in measure.by_class(outcomes).items()},
        "languages": {language: figures(row) for language, row in measure.by_language(outcomes).items()},
    }


def _miss(outcome: "gate_bench.Outcome") -> dict[str, object]:
    case, verdict = outcome.case, outcome.verdict
    return {
        "where": case.where,
        "id": case.id,
        "class": case.label,
        "verdict": verdict.kind,
        "rule": verdict.rule,
        "certainty": round(verdict.certainty, 3),
        "found": outcome.found,
        "text": _unsecret(case.label, case.text),
        "of": None if case.of is None else case.memory[case.of],
        "existing": verdict.existing.text if verdict.existing else None,
    }


def _say_gate(outcomes: "dict[str, list[gate_bench.Outcome]]") -> None:
    from commonplace.bench import gating as measure

    for name, listed in outcomes.items():
        say(f"{name}: {counted(len(listed), 'case')}, percent")
        say(f"  {'bar':<24} {'found':>16} {'at least':>9} {'alarms':>14} {'at most':>8}")
        for one in measure.bars(listed):
            mark, style = {True: ("met", "green"), False: ("NOT MET", "red"), None: ("no case", "dim")}[one.met]
            alarms = f"{_share(one.alarms, one.others):>14} {_percent(one.most):>8}" if one.others else f"{'':>23}"
            line = f"  {one.name:<24} {_share(one.found, one.asked):>16} {_percent(one.least):>9} {alarms}"
            print(shown(line), styled(mark, style))
            between = [f"found {_between(one.between)}"] * bool(one.asked)
            between += [f"alarms {_between(one.alarms_between)}"] * bool(one.others)
            say(f"    with 95 % certainty: {', '.join(between)}")
    rows = {name: measure.by_class(listed) for name, listed in outcomes.items()}
    _say_rows("class", rows, [label for label in measure.CLASSES if any(label in row for row in rows.values())])
    _say_rules(outcomes)
    by_language = {name: measure.by_language(listed) for name, listed in outcomes.items()}
    languages = list(dict.fromkeys(language for row in by_language.values() for language in row))
    if len(languages) > 1:
        _say_rows("language", by_language, languages)


def _between(ends: tuple[float, float]) -> str:
    return f"{_percent(ends[0])} to {_percent(ends[1])}"


def _say_rows(title: str, parts: "dict[str, dict[str, gate_bench.Row]]", names: list[str]) -> None:
    """Cases, how many were found, and by the right rule, in percent; the parts beside each other."""
    say("")
    say((f"{'':<14}" + "".join(f" | {part:^23}" for part in parts)).rstrip())
    say((f"{title:<14}" + f" | {'cases':>6} {'found':>7} {'right':>7} " * len(parts)).rstrip())
    for name in names:
        cells = ""
        for rows in parts.values():
            row = rows.get(name)
            if row is None:
                cells += f" | {'–':>6} {'':>7} {'':>7} "
            else:
                cells += f" | {row.cases:>6} {_of(row.found, row.cases):>7} {_of(row.right, row.cases):>7} "
        say(f"{name:<14}{cells}".rstrip())


def _say_rules(outcomes: "dict[str, list[gate_bench.Outcome]]") -> None:
    """What the same fact and a newer value are taken for."""
    from commonplace.bench import gating as measure

    say("")
    say(f"{'taken for':<24}" + "".join(f"{rule:>13}" for rule in ("duplicate", "same_fact", "newer_value", "other")))
    for name, listed in outcomes.items():
        rows = measure.by_class(listed)
        for label in ("duplicate", "same_fact", "newer_value", "keep"):
            if label in rows:
                rules = rows[label].rules
                known = [rules[rule] for rule in ("duplicate", "same_fact", "newer_value")]
                cells = [*known, rows[label].cases - sum(known)]
                say(f"{name + ' ' + label:<24}" + "".join(f"{number:>13}" for number in cells))


def _say_misses(wrong: "list[gate_bench.Outcome]", *, held_out: bool) -> None:
    say("")
    if held_out:
        say("These cases are held out: whoever looks at them must not tune the gate by them.")
    say(f"{counted(len(wrong), 'case')} judged wrongly:" if wrong else "No case was judged wrongly.")
    for one in sorted(wrong, key=lambda one: one.case.label):
        case, verdict = one.case, one.verdict
        rule = f"{one.rule or 'stored'}" + (f" {verdict.certainty:.2f}" if one.rule else "")
        say(f"{case.where} {case.id}: {case.label}, but {rule}: {shortened(_unsecret(case.label, case.text))}")
        if case.of is not None:
            say(f"    entry: {shortened(case.memory[case.of])}")
        if verdict.existing is not None and not (case.of is not None and one.points_right):
            say(f"    taken for: {shortened(verdict.existing.text)}")


def _unsecret(label: str, text: str) -> str:
    """An invented secret looks like a real one to whoever finds it in a terminal's log."""
    from commonplace.gate.secrets import mask

    return mask(text) if label == "secret" else text


def _share(part: int, whole: int) -> str:
    return f"{_of(part, whole)} ({part}/{whole})" if whole else "–"


def _of(part: int, whole: int) -> str:
    return _percent(part / whole if whole else None)


@bench.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--misses", is_flag=True, help="List everything that went wrong, with the case it belongs to.")
@common
def flush(file: Path, misses: bool) -> int:
    """What conversations leave in the memory and the logs, and what they should.

    FILE holds conversations with the answers of a model as JSON Lines; docs/bench-flush.md describes them. Each is
    flushed into a temporary book; your own book is not touched. The status is 1 if a bar is missed.
    """
    from commonplace.bench import flush as measure
    from commonplace.providers.embedders import embedder

    call = current()
    cases, bad = measure.load(file)
    outcomes: list[flush_bench.Outcome] = []
    settings = call.app.settings
    with tempfile.TemporaryDirectory() as folder, Bar("Flushing", quiet=call.json) as bar:
        for outcome in measure.run(cases, Path(folder), settings, embedder(settings.embedder)):
            outcomes.append(outcome)
            bar.update(len(outcomes), len(cases))
    promised = measure.bars(outcomes)
    status = PROBLEM if any(one.met is False for one in promised) else OK
    if call.json:
        listed = {"misses": _flush_misses(outcomes)} if misses else {}
        call.answer({"file": file.name, **_flush_figures(outcomes), "bad_lines": bad, **listed})
        return status
    for line in bad:
        warn(f"{line.where} is left out: {line.why}.")
    _say_flush(outcomes)
    for miss in _flush_misses(outcomes) if misses else ():
        say(f"{miss['where']} {miss['id']} ({miss['kind']}, {miss['language']}): {miss['bar']}: {miss['told']}")
    return status


def _flush_figures(outcomes: "list[flush_bench.Outcome]") -> dict[str, object]:
    from commonplace.bench import flush as measure

    def clean(rows: "dict[str, list[flush_bench.Outcome]]") -> dict[str, object]:
        return {name: {"cases": len(row), "clean": _clean(row)} for name, row in rows.items()}

    return {
        "cases": len(outcomes),
        "bars": [{**one._asdict(), "met": one.met} for one in measure.bars(outcomes)],
        "kinds": clean(measure.grouped(outcomes, "kind")),
        "languages": clean(measure.grouped(outcomes, "language")),
    }


def _flush_misses(outcomes: "list[flush_bench.Outcome]") -> list[dict[str, str]]:
    return [
        {
            "where": one.case.where,
            "id": one.case.id,
            "kind": one.case.kind,
            "language": one.case.language,
            "bar": check.bar,
            "told": check.told,
        }
        for one in outcomes
        for check in one.misses
    ]


def _say_flush(outcomes: "list[flush_bench.Outcome]") -> None:
    from commonplace.bench import flush as measure

    say(f"{counted(len(outcomes), 'conversation')}, percent with its 95 % interval")
    for one in measure.bars(outcomes):
        mark, style = {True: ("met", "green"), False: ("NOT MET", "red"), None: ("no case", "dim")}[one.met]
        reach = f"{_percent(one.low)} to {_percent(one.high)}" if one.asked else ""
        line = f"  {one.name:<36} {_share(one.wrong, one.asked):>16} {reach:>14}   at most {_percent(one.most):>4}"
        print(shown(line), styled(mark, style))
    for title in ("kind", "language"):
        rows = measure.grouped(outcomes, title)
        width = max(len(title), *map(len, rows))
        say("")
        say(f"{title:<{width}} {'cases':>6} {'without a miss':>16}")
        for name, row in rows.items():
            say(f"{name:<{width}} {len(row):>6} {_share(_clean(row), len(row)):>16}")


def _clean(outcomes: "list[flush_bench.Outcome]") -> int:
    return sum(not outcome.misses for outcome in outcomes)
