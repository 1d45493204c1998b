"""The shape of the code: who imports whom, what start-up costs, what every module says about itself."""

import ast
import hashlib
import importlib
import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import commonplace
import commonplace.types

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"

# Read while the tests are collected, before the fences give each test a home of its own.
HOME = Path.home()

# Each costs more than the rest of start-up together, and `commonplace --version` needs none of them.
HEAVY = ("anthropic", "asyncio", "httpx2", "importlib.metadata", "numpy", "onnxruntime", "openai", "rich")


def python(*arguments: str) -> str:
    """Run this Python in the root of the project and give back what it printed."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(
    importlib.util.find_spec("commonplace.cli") is None or importlib.util.find_spec("commonplace.cli.start") is None,
    reason="the command line does not exist yet",
)
def test_starting_the_command_line_imports_nothing_heavy() -> None:
    # Against the modules of a bare start, so that what a development tool loads by itself does not count.
    program = "import sys; bare = set(sys.modules); import commonplace.cli.start; print(*set(sys.modules) - bare)"
    loaded = python("-c", program).split()
    assert sorted(name for name in loaded if name in HEAVY or name.startswith(tuple(f"{h}." for h in HEAVY))) == []


def test_all_frozen_values_can_be_had_from_one_place() -> None:
    rooms = [path for path in sorted((SOURCE / "commonplace" / "types").glob("*.py")) if path.stem != "__init__"]
    defined = {
        f"{path.stem}.{name}": getattr(importlib.import_module(f"commonplace.types.{path.stem}"), name)
        for path in rooms
        for name in names_made_in(path)
    }
    assert all(getattr(commonplace.types, key.partition(".")[2]) is value for key, value in defined.items())
    init = ast.parse((SOURCE / "commonplace" / "types" / "__init__.py").read_text(encoding="utf-8"))
    told = [
        f"{(node.module or '').rpartition('.')[2]}.{alias.name}"
        for node in ast.walk(init)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("commonplace.types.")
        for alias in node.names
    ]
    assert sorted(told) == sorted(defined)  # what a type checker is told, and what is there


def names_made_in(path: Path) -> list[str]:
    found: list[str] = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            found.append(node.name)
        elif isinstance(node, ast.Assign):
            found += [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.append(node.target.id)
    return found


def test_the_package_under_test_is_the_one_in_this_checkout() -> None:
    assert Path(commonplace.__file__).is_relative_to(SOURCE)


def test_every_module_says_what_it_is() -> None:
    silent = [
        path.relative_to(ROOT).as_posix()
        for path in sorted(SOURCE.rglob("*.py"))
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert silent == []


def test_no_name_of_a_module_means_two_things() -> None:
    homes: dict[str, list[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.parent.name if path.stem == "__init__" else path.stem
        homes.setdefault(name, []).append(path.relative_to(SOURCE).as_posix())
    assert {name: paths for name, paths in homes.items() if len(paths) > 1} == {}


@pytest.mark.parametrize(
    ("page", "number", "contract"),
    [("AGENTS.md", 0, 0), ("docs/architecture.md", 0, 0), ("docs/architecture.md", 1, 1)],
)
def test_a_drawing_of_the_layers_is_the_one_that_is_checked(page: str, number: int, contract: int) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = [layer.split(" | ") for layer in settings["tool"]["importlinter"]["contracts"][contract]["layers"]]
    undrawn = {"__main__", "testing"}  # where it starts; the public fakes, which nothing in the package imports
    wanted = [names for layer in layers if (names := [name for name in layer if name not in undrawn])]
    drawing = re.findall(r"^```\n(.*?)^```$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[
        number
    ]
    drawn = [line.split("  ")[0].split(" | ") for line in drawing.splitlines() if line[:1].strip()]
    assert drawn == wanted


def imports_of(path: Path) -> Iterator[str]:
    """What a module imports when it runs, at its top or inside a function."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            waiting += node.orelse
        else:
            waiting += ast.iter_child_nodes(node)


def test_no_modules_import_each_other_in_a_circle_not_even_inside_functions() -> None:
    paths = {
        path.relative_to(SOURCE).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__"): path
        for path in SOURCE.rglob("*.py")
    }
    imported = {
        name: {one if one in paths else one.rpartition(".")[0] for one in imports_of(path)} & (paths.keys() - {name})
        for name, path in paths.items()
    }
    assert sum(map(len, imported.values())) > 1000
    while free := [name for name, others in imported.items() if not others & imported.keys()]:
        for name in free:
            del imported[name]
    assert imported == {}, "each of these imports another one of them"


@cache
def strings_in(path: Path) -> list[str]:
    """The string constants of a module that are no docstrings."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    told = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    return [
        node.value.lower()
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
    ]


@pytest.mark.parametrize(
    ("words", "homes"),
    [
        (r"user requested:", {"types/book.py"}),
        (r"\bfebruary\b", {"language/monthnames.py"}),
        (r"\bfévrier\b", {"language/monthnames.py"}),
        # The measure of the flush keeps its own list: what is measured must not move it. docs/bench-flush.md prints it.
        (r"\bnicht\b.*\bjamais\b", {"language/polarity.py", "bench/matching.py"}),
        (r"\bdark light\b", {"language/polarity.py"}),
    ],
)
def test_what_several_rooms_know_stands_in_one_place(words: str, homes: set[str]) -> None:
    paths = sorted((SOURCE / "commonplace").rglob("*.py"))
    found = {path for path in paths for text in strings_in(path) if re.search(words, text, re.DOTALL)}
    assert {path.relative_to(SOURCE / "commonplace").as_posix() for path in found} == homes


CROSSED = """
import sys
from pathlib import Path
import commonplace
from commonplace import Memory
memory = Memory.open(sys.argv[1])
for fact in ("Prefers tea over coffee", "Works as an engineer at Acme", "Is allergic to hazelnuts", "Plays the cello"):
    memory.remember(fact)
memory, crossed, home = Memory.open(sys.argv[1]), set(), str(Path(commonplace.__file__).parent)
def note(frame, event, _):
    if event == "call" and frame.f_code.co_filename.startswith(home) and frame.f_code.co_name != "<module>":
        crossed.add(frame.f_code.co_filename.removeprefix(home))
sys.setprofile(note)
memory.remember("Collects stamps from Iceland")
sys.setprofile(None)
print(*sorted(crossed))
"""


def test_a_save_does_not_run_through_more_and_more_files(tmp_path: Path) -> None:
    crossed = python("-c", CROSSED, str(tmp_path / "book")).split()
    assert "/flows/remembering.py" in crossed
    assert len(crossed) <= 35, crossed  # docs/architecture.md tells how many there are, and how many there should be


def test_large_weights_are_as_they_were() -> None:
    # Git keeps every version in every clone: docs/decisions/0026 says what a refit is stored as instead.
    large = [path for path in SOURCE.rglob("*") if path.is_file() and path.stat().st_size > 5_000_000]
    assert {path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in large} == {
        "model.onnx": "8fab5de629472bb1",
        "pairs.onnx": "49f5f0f3e01eddac",
    }


def test_no_tracked_file_holds_a_path_of_this_machine() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    pattern = machine_paths(ROOT, HOME)
    found = [
        name
        for name in os.fsdecode(listed).split("\0")
        if name and (ROOT / name).is_file() and pattern.search((ROOT / name).read_bytes())
    ]
    assert found == []


def machine_paths(checkout: Path, home: Path) -> re.Pattern[bytes]:
    """A pattern for paths at or below the checkout, and below the home.

    A checkout directly under / (in /src, say) has no telling name and stays out.
    """
    below = [rb"%s/" % re.escape(os.fsencode(home))] if home != Path("/") else []
    at = [rb"%s(?![\w-])" % re.escape(os.fsencode(checkout))] if len(checkout.parts) > 2 else []
    return re.compile(rb"(?<![\w./*-])(?:%s)" % b"|".join(at + below) if at + below else rb"(?!)")


def test_machine_paths_are_told_from_similar_ones() -> None:
    pattern = machine_paths(Path("/builds/ours"), Path("/home/someone"))
    assert pattern.search(b"see /builds/ours.")
    assert pattern.search(b'"/home/someone/notes"')
    assert not pattern.search(b"/builds/ours-too and x/builds/ours")
    assert not machine_paths(Path("/src"), Path("/")).search(b"/src/commonplace")


def test_the_lock_pins_each_package_by_hash_and_names_no_address() -> None:
    lock = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("requirements.lock", "requirements-run.lock"))
    assert "://" not in lock
    pinned = re.split(r"\n(?=\S)", lock)
    assert pinned
    assert [package for package in pinned if not re.match(r"[\w.-]+==\S+ .*\\\n +--hash=sha256:", package)] == []
