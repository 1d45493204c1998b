"""Two texts in one form, for whatever compares them: English, one way to write times, dates and amounts. Pure."""

import re
import unicodedata
from functools import lru_cache

from commonplace.language.glossing import in_english
from commonplace.language.measures import in_one_measure
from commonplace.language.moments import at_one_time
from commonplace.types.book import unmarked

_MAIL = re.compile(r"\be[- ]mail", re.IGNORECASE)
_EDGES = "\"'“”‘’«»`*_()[].,;:!?。．！？、"


@lru_cache(maxsize=4096)
def comparable(new: str, old: str) -> tuple[str, str]:
    """Both texts in English, with what can be written in several ways written in one. That the user asked for one of
    them says nothing about what it says."""
    new, old = in_english(*at_one_time(unmarked(new), unmarked(old)))  # "halb zehn" is a time, and no half ten
    return in_one_measure(*at_one_time(_MAIL.sub("email", new), _MAIL.sub("email", old)))


def exact_words(text: str) -> tuple[str, ...]:
    """The words of a text but for case, spacing and what stands around them. What stands within a word stays: `3.5` is
    not `35`, and `C++` not `C`."""
    folded = unicodedata.normalize("NFC", text).casefold()
    return tuple(word for piece in folded.split() if (word := piece.strip(_EDGES)))
