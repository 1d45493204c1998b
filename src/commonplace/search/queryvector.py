"""A question is not worded like its answer, nor a remark like what it calls to mind: its vector is turned towards
them before it is compared (an embedding projection). Pure.

`queryvector.npy` holds two tables that were fitted together with the ranking (tools/fit_ranking.py), for vectors of the
embedding model that comes with the package. The vectors of what is searched stay as the model makes them.
"""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from commonplace.errors import EmbedderFailed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from commonplace.ports import Vectors

_FILE = Path(__file__).with_name("queryvector.npy")


def turned(question: "Vectors", tilt: "NDArray[np.float32] | None" = None) -> "Vectors":
    """The question's vector, moved by what it is like along the directions of the tables."""
    inwards, outwards = fitted_tilt() if tilt is None else tilt
    moved = question + (question @ inwards) @ outwards.T
    length = np.linalg.norm(moved)
    return moved / length if length else question


@cache
def fitted_tilt() -> "NDArray[np.float32]":
    """What the development data taught; see docs/retrieval.md."""
    try:
        return np.load(_FILE, allow_pickle=False).astype(np.float32)
    except (OSError, ValueError, EOFError) as error:
        raise EmbedderFailed(
            f"queryvector.npy, by which questions are turned, cannot be read: {error}.",
            hint="Install Commonplace again. Until then search uses keywords alone.",
        ) from error
