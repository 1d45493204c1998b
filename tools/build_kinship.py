"""Build the table of word vectors that the gate compares words with, from the embedding model of the package.

    python tools/build_kinship.py

Each word of the model's vocabulary is embedded alone; the vectors are centred, reduced to their main directions and
kept as small numbers. The vocabulary is in order of frequency, and so is the table.
"""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np

from commonplace.language.kinship import DIMENSIONS
from commonplace.providers.embedders.minilm import MiniLM


def table(words: Sequence[str]) -> bytes:
    """The words, and the main directions of their vectors."""
    vectors = MiniLM().embed_as_it_is(words)
    vectors = vectors - vectors.mean(axis=0)
    directions = np.linalg.svd(vectors, full_matrices=False)[2][:DIMENSIONS]
    reduced = vectors @ directions.T
    codes = np.round(127 * reduced / np.abs(reduced).max(axis=1, keepdims=True)).astype(np.int8)
    return "\n".join(words).encode("ascii") + b"\0" + codes.tobytes()


def main() -> None:
    vocabulary = files("commonplace.providers.embedders.minilm").joinpath("vocab.txt").read_text(encoding="utf-8")
    words = [word for word in vocabulary.split("\n") if word.isascii() and word.isalpha() and len(word) > 1]
    target = Path(str(files("commonplace.language").joinpath("kinship.bin")))
    target.write_bytes(table(words))
    print(f"{len(words)} words, {target.stat().st_size} bytes, in {target}")


if __name__ == "__main__":
    main()
