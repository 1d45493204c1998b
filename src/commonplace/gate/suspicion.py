"""What a rule of the gate thinks of a text."""

from __future__ import annotations

from typing import NamedTuple


class Suspicion(NamedTuple):
    """How sure a rule is, from above 0 to 1, and why, in a sentence for whoever wants the text remembered. `pieces`
    are the single facts of a text that has several."""

    certainty: float
    reason: str
    pieces: tuple[str, ...] = ()
