"""What a chat model needs from the program around it: the environment, for keys, a way to wait, and when to stop."""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The environment holds keys, so it is never shown. Once `stop` is set, requests end without an answer."""

    environment: Mapping[str, str] = field(repr=False)
    wait: Callable[[float], object] = time.sleep
    stop: threading.Event = field(default_factory=threading.Event)
