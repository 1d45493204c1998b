"""What a chat model needs from the program around it: the environment, for keys, and a way to wait."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The environment holds keys, so it is never shown."""

    environment: Mapping[str, str] = field(repr=False)
    wait: Callable[[float], None] = time.sleep
