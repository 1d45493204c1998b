"""Tokens of vendors, made from the rules of a scanner that is not ours: how many of them the gate sees.

    python benchmarks/vendortokens.py [--each N] [--misses]

The scanner is Kingfisher (Apache-2.0), with the rules of gitleaks' successor in it; nothing of it is kept here, so
install it first: `uv pip install kingfisher-secret-scanner==1.5.0`. From the pattern of each of its rules tokens are
drawn at random; those count that it finds itself. A token with a beginning of its own can be known anywhere; the others
are random letters behind the name of a vendor. What is made to be seen (publishable keys, ids of clients) is left out.
"""

import argparse
import random
import re
import string
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib import import_module
from itertools import islice, takewhile
from typing import Any

from commonplace.bench.gating import interval
from commonplace.gate.secrets import mask, redact

TO_BE_SEEN = re.compile(r"client-id|pub-key|publishable|browser|mobile-sdk|client-sdk|project-api-key|access-id|mapbox")
WORD = string.ascii_letters + string.digits + "_"
PRINTABLE = string.ascii_letters + string.digits + string.punctuation
CATEGORIES = {"CATEGORY_DIGIT": string.digits, "CATEGORY_WORD": WORD, "CATEGORY_SPACE": " "}
FLAGS = {"x": re.VERBOSE, "i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL}
TRIES = 25  # for each token that is wanted: the scanner leaves out what is not random enough


class Drawing:
    """Texts that a pattern matches, drawn at random; repetitions stay near their shortest."""

    def __init__(self, pattern: str, seed: int) -> None:
        self._random = random.Random(seed)
        self._any_case = "(?i" in pattern
        parser: Any = import_module("re._parser")
        self._tree: Any = parser.parse(*_in_python(pattern))

    def text(self) -> str:
        return self._drawn(self._tree, {})

    def _drawn(self, tree: Iterable[tuple[Any, Any]], groups: dict[int, str]) -> str:
        return "".join(self._piece(str(kind), value, groups) for kind, value in tree)

    def _piece(self, kind: str, value: Any, groups: dict[int, str]) -> str:
        choose = self._random.choice
        match kind:
            case "LITERAL":
                return chr(value)
            case "NOT_LITERAL":
                return choose(PRINTABLE.replace(chr(value), ""))
            case "ANY":
                return choose(string.ascii_lowercase)
            case "IN":
                letter = choose(_letters(value))
                return choose((letter.lower(), letter.upper())) if self._any_case else letter
            case "MAX_REPEAT" | "MIN_REPEAT":
                least, most, part = int(value[0]), int(value[1]), value[2]
                times = self._random.randint(least, min(most, least + (4 if least >= 8 else 2 if least else 1)))
                return "".join(self._drawn(part, groups) for _ in range(times))
            case "SUBPATTERN":
                groups[value[0]] = self._drawn(value[3], groups)
                return groups[value[0]]
            case "BRANCH":
                return self._drawn(choose(value[1]), groups)
            case "GROUPREF":
                return groups.get(value, "")
            case _:  # assertions: the scanner says afterwards whether they hold
                return ""


def _letters(parts: Iterable[tuple[Any, Any]]) -> list[str]:
    found: set[str] = set()
    negated = False
    for kind, value in parts:
        match str(kind):
            case "NEGATE":
                negated = True
            case "LITERAL":
                found.add(chr(value))
            case "RANGE":
                found |= {chr(code) for code in range(value[0], min(value[1], 126) + 1)}
            case _:
                name = str(value)
                without = set(PRINTABLE) - set(CATEGORIES[name.replace("NOT_", "")])
                found |= without if "NOT_" in name else set(CATEGORIES[name])
    return sorted(set(PRINTABLE) - found if negated else found)


def _in_python(pattern: str) -> tuple[str, int]:
    """A pattern of Rust's as Python reads it, and its flags."""
    flags = int(re.ASCII)
    for name, letters in {"alnum": "A-Za-z0-9", "alpha": "A-Za-z", "digit": "0-9", "xdigit": "0-9A-Fa-f"}.items():
        pattern = pattern.replace(f"[:{name}:]", letters)
    while found := re.match(r"\(\?([ximsu]+)\)\s*", pattern):
        flags |= sum(int(FLAGS.get(letter, 0)) for letter in found[1])
        pattern = pattern[found.end() :]
    return re.sub(r"\(\?<(?=[A-Za-z_])", "(?P<", re.sub(r"\(\?[im]\)", "", pattern)).replace(r"\z", r"\Z"), flags


def _beginning(texts: Sequence[str]) -> str:
    """What all of them begin with."""
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*texts, strict=False))
    return "".join(letters[0] for letters in alike)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--each", type=int, default=6, help="tokens of each rule (6)")
    options.add_argument("--misses", action="store_true", help="name the rules whose tokens are not seen")
    given = options.parse_args()
    try:
        kingfisher: Any = import_module("kingfisher_sdk")
    except ImportError:
        print("Install the scanner first: uv pip install kingfisher-secret-scanner==1.5.0", file=sys.stderr)
        return 2
    rules = kingfisher.Rules(cache=False)
    scanner = kingfisher.Scanner(rules)
    counts: Counter[tuple[bool, str]] = Counter()
    missed: Counter[str] = Counter()
    for at, rule in enumerate(rules.metadata()):
        if not rule["visible"] or TO_BE_SEEN.search(rule["id"]):
            continue
        drawing = Drawing(rules.detail(rule["id"])["pattern"], at)
        drawn = (f"Deployment: {drawing.text()} and that is all" for _ in range(given.each * TRIES))
        found = ((text, one.secret) for text in drawn for one in scanner.scan(text) if one.rule_id == rule["id"])
        tokens = list(islice(found, given.each))
        start = _beginning([secret for _, secret in tokens])
        of_its_own = len(start) >= 3 and any(map(str.isalpha, start))
        counts[of_its_own, "rules"] += bool(tokens)
        for text, secret in tokens:
            seen = secret not in mask(text)
            counts[of_its_own, "tokens"] += 1
            counts[of_its_own, "seen"] += seen
            counts[of_its_own, "certain"] += secret not in redact(text)
            missed[rule["id"]] += of_its_own and not seen
    for of_its_own, name in ((True, "a beginning of its own"), (False, "only the name of its vendor")):
        of = counts[of_its_own, "tokens"]
        print(f"{of} tokens of {counts[of_its_own, 'rules']} rules with {name}")
        for what in ("seen", "certain"):
            low, high = interval(counts[of_its_own, what], of)
            print(f"  {what:8} {counts[of_its_own, what] / max(of, 1):.1%} (95 % interval {low:.1%} to {high:.1%})")
    if given.misses:
        print("not seen:", ", ".join(f"{name} ({count})" for name, count in missed.items() if count))
    return 0


if __name__ == "__main__":
    sys.exit(main())
