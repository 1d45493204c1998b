"""What a command costs, in time of the processor: its own and that of whatever it started.

On a busy machine a clock on the wall tells who else is at work. Byte code is kept meanwhile, as it is where somebody
has installed the program.
"""

import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Cost(NamedTuple):
    """Medians, in seconds of the processor."""

    plain: float
    own: float

    @property
    def ratio(self) -> float:
        return self.own / self.plain


def beside_python(command: Callable[[], Sequence[str]], runs: int) -> Cost:
    """A command beside `python -c pass`, by turns; `command` says with which words it is called the next time."""
    spent(command())  # what only the first one does: byte code, an index
    plain: list[float] = []
    own: list[float] = []
    for _ in range(runs):
        plain.append(spent([sys.executable, "-c", "pass"]))
        own.append(spent(command()))
    return Cost(statistics.median(plain), statistics.median(own))


def spent(command: Sequence[str], given: str = "") -> float:
    """Seconds of the processor that a command takes; one that fails is not measured."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = _children()
    subprocess.run(command, env=environment, input=given, text=True, check=True, stdout=subprocess.DEVNULL)
    return _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
