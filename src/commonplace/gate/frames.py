"""Two forms that words alone do not tell apart: a preference turned round, and another value of what one has only one
of. Pure."""

import re

_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_TURNS = frozenset("over than instead rather before after not vs versus lieber statt als plutôt que antes".split())
_ONE_ONLY = frozenset(
    """
    favourite favorite preferred primary main default current full first last middle nick given maiden
    name nickname surname birthday anniversary birthplace hometown address timezone zone employer boss manager
    supervisor landlord dentist doctor wife husband spouse partner deadline budget salary rent port hostname version
    editor browser shell password keyboard locale language framework database
    """.split()
)
_COPULAS = frozenset("is are was = : ist sind est son es è é".split())
_SAYS_WHERE = frozenset("on in at by from with for to under above behind near paid made kept set due".split())
_SKIPPED = frozenset("the user user's user’s a an".split())
_LONGEST_VALUE = 4


def turned_round(new: str, old: str) -> bool:
    """Whether both have the same words in another order, around a word that makes the order count."""
    ones, others = _words(new), _words(old)
    return ones != others and sorted(ones) == sorted(others) and not _TURNS.isdisjoint(ones)


def another_value(new: str, old: str) -> bool:
    """Whether both say what the one and only such thing is, and it is not the same: favourite language, name, port."""
    ones, others = _words(new), _words(old)
    at = next((at for at, word in enumerate(ones) if word in _COPULAS), 0)
    if not at or ones[: at + 1] != others[: at + 1]:
        return False
    value, other = ones[at + 1 :], others[at + 1 :]
    return (
        not _ONE_ONLY.isdisjoint(ones[:at])
        and value != other
        and 0 < len(value) <= _LONGEST_VALUE
        and 0 < len(other) <= _LONGEST_VALUE
        and set(value).isdisjoint(other)
        and _SAYS_WHERE.isdisjoint((value[0], other[0]))
    )


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.casefold()) if word not in _SKIPPED]
