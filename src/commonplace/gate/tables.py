"""The files with words, weights and vectors that stand beside the rules. Read directly: `importlib.resources` takes
longer to load than a table takes to read."""

from pathlib import Path


def read_table(name: str) -> bytes:
    return Path(__file__).with_name(name).read_bytes()
