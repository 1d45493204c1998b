"""Regular expressions that are compiled when they are first used: compiling takes longer than most single uses."""

import re
from collections.abc import Callable
from functools import cached_property


class LazyPattern:
    """Used like what `re.compile` gives. Each method is the compiled pattern's own after its first use, so nothing is
    slower later. A text that takes a while to put together may be given as a function."""

    def __init__(self, pattern: str | Callable[[], str], flags: int = 0) -> None:
        self._pattern = pattern
        self._flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self._pattern if isinstance(self._pattern, str) else self._pattern(), self._flags)

    @cached_property
    def match(self):
        return self.compiled.match

    @cached_property
    def fullmatch(self):
        return self.compiled.fullmatch

    @cached_property
    def search(self):
        return self.compiled.search

    @cached_property
    def findall(self):
        return self.compiled.findall

    @cached_property
    def finditer(self):
        return self.compiled.finditer

    @cached_property
    def split(self):
        return self.compiled.split

    @cached_property
    def sub(self):
        return self.compiled.sub

    @property
    def pattern(self) -> str:
        return self._pattern if isinstance(self._pattern, str) else self._pattern()
