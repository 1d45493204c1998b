"""Where the patterns of secrets are tried: their beginnings are written down completely, and nothing is passed over.

After a change to a pattern, `python -m tests.gate.test_secrets_places` writes the beginnings down again.
"""

# What the parser of regular expressions gives has no types.
# pyright: basic

import json
import time
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.gate import secretasides, secretgiven
from commonplace.gate.secretbeginnings import BEGINNINGS
from commonplace.gate.secretentry import VALUE
from commonplace.gate.secretplaces import LONGEST, Lowered, Sought, folded
from commonplace.gate.secrets import find_secrets, redact

parser, kinds = import_module("re._parser"), import_module("re._constants")
ROOT = Path(__file__).parents[2]
GATE = ROOT / "src/commonplace/gate"
MOST_LETTERS = 60
FIRST_WIDE = "\u2e80"

Begun = set[tuple[str, bool]]
"""Beginnings, each with whether more letters may be added to it."""


def _letters(items) -> set[str] | None:
    """The letters of a class, or nothing when they are too many to be named."""
    letters: set[str] = set()
    for kind, value in items:
        if kind is kinds.LITERAL:
            letters.add(chr(value))
        elif kind is kinds.RANGE and value[1] - value[0] <= MOST_LETTERS:
            letters |= set(map(chr, range(value[0], value[1] + 1)))
        elif kind is kinds.CATEGORY and value is kinds.CATEGORY_DIGIT:
            letters.add("0")
        elif kind is kinds.CATEGORY and value is kinds.CATEGORY_SPACE:
            letters.add(" ")
        else:
            return None
    letters = {folded(letter.lower() if len(letter.lower()) == 1 else letter) for letter in letters}
    return letters if len(letters) <= MOST_LETTERS else None


def _followed(begun: Begun, pattern) -> Begun:
    for kind, value in pattern:
        whole = {beginning for beginning in begun if not beginning[1]}
        growing = begun - whole
        if not growing:
            break
        begun = whole | _grown(growing, kind, value)
    return begun


def _grown(begun: Begun, kind, value) -> Begun:
    if kind in {kinds.AT, kinds.ASSERT, kinds.ASSERT_NOT}:
        return begun
    if kind is kinds.BRANCH:
        return {more for branch in value[1] for more in _followed(begun, branch)}
    if kind is kinds.SUBPATTERN:
        return _followed(begun, value[3])
    if kind in {kinds.MAX_REPEAT, kinds.MIN_REPEAT}:
        fewest, most, inner = value
        ends = set(begun) if fewest == 0 else set()
        for times in range(1, min(most, fewest + LONGEST) + 1):
            begun = _followed(begun, inner)
            ends |= begun if times >= fewest else {beginning for beginning in begun if not beginning[1]}
        return ends
    letters = _letters(value if kind is kinds.IN else [(kind, value)])
    if letters is None:
        return {(text, False) for text, _ in begun}
    return {(text + letter, len(text) + 1 < LONGEST) for text, _ in begun for letter in letters}


def beginnings(pattern: str) -> set[str]:
    """What a match of the pattern can begin with, each as long as can be told."""
    found = {text for text, _ in _followed({("", True)}, parser.parse(pattern))}
    return {text for text in found if not any(text[:n] in found for n in range(len(text)))}


def _sought_in(value: object) -> Iterator[Sought]:
    if isinstance(value, Sought):
        yield value
    elif isinstance(value, tuple):
        for inner in value:
            yield from _sought_in(inner)


def every_sought() -> list[Sought]:
    modules = (import_module(f"commonplace.gate.{path.stem}") for path in sorted(GATE.glob("secret*.py")))
    return [sought for module in modules for value in vars(module).values() for sought in _sought_in(value)]


def worked_out() -> dict[str, str]:
    table: dict[str, set[str]] = defaultdict(set)
    for sought in every_sought():
        table[sought.name] |= beginnings(sought.word.pattern)
    return {name: "|".join(sorted(table[name])) for name in sorted(table)}


@pytest.mark.req("GATE-2")
def test_the_beginnings_of_all_patterns_are_written_down() -> None:
    assert worked_out() == BEGINNINGS


def test_every_pattern_begins_with_something_that_can_be_seen() -> None:
    for sought in every_sought():
        listed = BEGINNINGS[sought.name].split("|")
        assert all(listed), sought.name


def _told() -> list[str]:
    lines = (GATE.parent / "bench/cases/secrets.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line)["text"] for line in lines]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(_told()), min_size=1, max_size=4), st.sampled_from(["\n", " ", ": ", ""]))
def test_a_pattern_finds_what_it_would_find_if_it_were_tried_everywhere(texts: list[str], between: str) -> None:
    text = between.join(texts)
    low = Lowered(text.lower())
    for sought in every_sought():
        everywhere = [found.span() for found in sought.compiled.finditer(low)]
        assert [found.span() for found in sought.found_in(low)] == everywhere, sought.name


@pytest.mark.parametrize("piece", ["is the ", "password ", "opens with ", "log in as ", "= / @ ! + ", "code 1234 "])
def test_a_long_text_is_gone_through_in_time_that_grows_with_it(piece: str) -> None:
    def seconds(length: int) -> float:
        text = (piece * length)[:length]
        began = time.process_time()
        redact(text)
        return time.process_time() - began

    seconds(100)
    short = min(seconds(10_000) for _ in range(3))
    assert min(seconds(40_000) for _ in range(2)) < 12 * short + 0.05


# What may stand in the named parts of a pattern, none of it with a sign of its own.
PARTS = {
    "word": "quokkaball",
    "words": "paper boat under willow",
    "number": "4821",
    "user": "teacher",
    "what": " the drive",
    "about": ": her card",
}
BEFORE = "Wiki, wifi, drive: "
"""What the rules want to be spoken of, and what is no reason yet to look closely."""


def _lines(pattern, names: dict[int, str]) -> list[str]:
    """Lines that a pattern finds, at least one for each alternative in it; the first is the plainest."""
    variants = [_lines_of(kind, value, names) for kind, value in pattern]
    plain = [listed[0] for listed in variants]
    others = [
        "".join((*plain[:at], other, *plain[at + 1 :])) for at, listed in enumerate(variants) for other in listed[1:]
    ]
    return ["".join(plain), *others]


def _lines_of(kind, value, names: dict[int, str]) -> list[str]:
    if kind is kinds.LITERAL:
        return [chr(value)]
    if kind is kinds.BRANCH:
        return [line for inner in value[1] for line in _lines(inner, names)]
    if kind is kinds.SUBPATTERN:
        part = PARTS.get(names.get(value[0], ""))
        return [part] if part else _lines(value[-1], names)
    if kind in (kinds.MAX_REPEAT, kinds.MIN_REPEAT):
        least, _, inner = value
        listed = _lines(inner, names)
        return ["", *listed] if least == 0 else [line * least for line in listed]
    if kind is kinds.IN:
        letters = None if value[0][0] is kinds.NEGATE else _letters(value)
        return sorted(letters) if letters else ["a"]
    return [""]  # what is only looked at


def lines_told_in_passing() -> Iterator[tuple[str, str]]:
    rooms = {**vars(secretasides), **vars(secretgiven)}
    for sought in (value for value in rooms.values() if isinstance(value, Sought)):
        parsed = parser.parse(sought.pattern.replace(VALUE, "paper-boat-willow"))
        names = {number: name for name, number in parsed.state.groupdict.items()}
        for line in _lines(parsed, names):
            yield sought.name, BEFORE + line.strip()


@pytest.mark.req("GATE-2")
def test_the_first_glance_passes_over_nothing_that_is_told_in_passing() -> None:
    assert not find_secrets(BEFORE)
    found: dict[str, int] = defaultdict(int)
    for name, line in lines_told_in_passing():
        low = Lowered(line.lower())
        for _, start, end in (*secretasides.in_passing(line, low), *secretgiven.in_passing(line, low)):
            found[name] += 1
            assert any(secret.start <= start and end <= secret.end for secret in find_secrets(line)), line
    rare = {"handle", "wide card"}  # the lines have too few digits or no birthday
    assert {name for name, _ in lines_told_in_passing()} - set(found) <= rare


def _written(table: dict[str, str]) -> str:
    lines = [
        '"""How the patterns of secrets begin: worked out from them by their test, never written by hand.',
        "",
        'A space is any space, 0 any digit; `|` stands between two."""',
        "",
        "# fmt: off",
        "BEGINNINGS = {",
    ]
    for name, listed in table.items():
        rows = [""]
        for beginning in [f"{beginning}|" for beginning in listed.split("|")]:
            if len(rows[-1] + beginning) + sum(letter >= FIRST_WIDE for letter in rows[-1] + beginning) > 90:
                rows.append("")
            rows[-1] += beginning
        rows[-1] = rows[-1][:-1]
        shown = [json.dumps(row, ensure_ascii=False) for row in rows]
        if len(shown) == 1:
            lines.append(f"    {json.dumps(name)}: {shown[0]},")
        else:
            lines += [f"    {json.dumps(name)}: (", *(f"        {row}" for row in shown), "    ),"]
    return "\n".join((*lines, "}", ""))


if __name__ == "__main__":
    (GATE / "secretbeginnings.py").write_text(_written(worked_out()), "utf-8")
