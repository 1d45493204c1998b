"""Which requirements the tests name, and a pytest plugin that says so at the end of a run.

The names are read from the sources of the tests, not from what was collected, so that the answer is the same
when only a few tests are selected.
"""

import ast
import textwrap
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


@dataclass(frozen=True)
class Requirements:
    """The list in requirements.toml: every id with its text, and the ids that no test has to name yet."""

    texts: dict[str, str]
    not_yet: tuple[str, ...]


@dataclass(frozen=True)
class Naming:
    """One id in one `@pytest.mark.req(...)`; `id` is None where the argument is not a plain string."""

    id: str | None
    place: str


@cache
def requirements() -> Requirements:
    """Read requirements.toml."""
    table = tomllib.loads((TESTS / "requirements.toml").read_text(encoding="utf-8"))
    return Requirements(texts=table["requirements"], not_yet=tuple(table["not_yet"]))


@cache
def namings() -> tuple[Naming, ...]:
    """Every id that a marker in the tests names, wherever it stands: test, class, module or parameter."""
    return tuple(
        naming
        for path in sorted(TESTS.rglob("*.py"))
        for naming in namings_in(path.read_text(encoding="utf-8"), path.relative_to(TESTS.parent).as_posix())
    )


def namings_in(source: str, name: str) -> Iterator[Naming]:
    """The ids that the markers of one source text name."""
    for node in ast.walk(ast.parse(source, name)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("pytest.mark.req", "mark.req"):
            place = f"{name}:{node.lineno}"
            if node.keywords or not node.args:
                yield Naming(None, place)
            for argument in node.args:
                match argument:
                    case ast.Constant(value=str(id)):
                        yield Naming(id, place)
                    case _:
                        yield Naming(None, place)


_outcomes: defaultdict[str, set[str]] = defaultdict(set)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for marker in item.iter_markers("req"):
            item.user_properties.extend(("req", id) for id in marker.args)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call" or not report.passed:
        for name, value in report.user_properties:
            if name == "req":
                _outcomes[str(value)].add(report.outcome)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    known = requirements().texts
    named = {naming.id for naming in namings()} & known.keys()
    proven = [id for id in known if _outcomes.get(id) == {"passed"}]
    unnamed = [id for id in known if id not in named]
    terminalreporter.section("requirements")
    terminalreporter.line(f"{len(named)} of {len(known)} are named by tests, {len(proven)} were proven in this run.")
    if unnamed:
        terminalreporter.line(textwrap.fill(f"Named by no test yet: {' '.join(unnamed)}", 110, subsequent_indent="  "))
