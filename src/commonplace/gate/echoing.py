"""Whether a text only repeats what was recalled: memory must not learn from itself. Pure."""

from collections.abc import Iterable

from commonplace.gate.suspicion import Suspicion
from commonplace.terms import terms

_LEAST = 3  # fewer words are in any text
_MOST_NEW = 0.35
_TELLS_NOTHING = frozenset(terms("user note noted earlier memory according mentioned said recalled stored log entry"))


def echo(text: str, injected: Iterable[str]) -> Suspicion | None:
    """How surely `text` is said by one of the `injected` texts already, perhaps in somewhat other words; numbers must
    be there as they are."""
    wanted = set(terms(text)) - _TELLS_NOTHING
    if len(wanted) < _LEAST:
        return None
    for shown in injected:
        new = wanted - set(terms(shown))
        if len(new) <= _MOST_NEW * len(wanted) and not any(char.isdigit() for term in new for char in term):
            return Suspicion(1 - len(new) / len(wanted), "It only repeats what was recalled from memory.")
    return None
