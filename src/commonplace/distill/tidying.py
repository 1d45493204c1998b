"""What can be tidied without a model: entries that are there twice, and entries that stand under no section. Pure."""

import re
from collections.abc import Collection, Sequence

from commonplace.distill.proposal import Dropped, Item, Kept, Proposal, Why
from commonplace.language import normalise
from commonplace.types.book import REQUESTED

_EDGES = ".,;:!?\"'()[]{}*_`~“”„«»。、，！？ "
_SAY_NOTHING = frozenset({"", "Notes"})  # sections where anything may stand
_EMPTY = frozenset("a an the is are be user user's please that".split())
_FITS = (
    (
        "User Profile",
        r"name is|called|born|birthday|years old|lives? in|based in|married|wife|husband|children|kids?\b"
        r"|works? (?:as|at|for)|job|speaks|native|allerg\w+|vegetarian|vegan|timezone|time zone|nationality|from [A-Z]",
    ),
    (
        "Preferences",
        r"prefers?|likes?|dislikes?|hates?|loves?|favou?rite|wants?|always (?:answer|reply|use)|never (?:use|call)",
    ),
    ("Interests", r"interested in|hobb(?:y|ies)|enjoys|plays|collects|follows|fan of|reads|learning"),
    (
        "Workflow",
        r"every (?:day|morning|monday|week|friday)|before (?:each|every|a) |after (?:each|every) |commits?"
        r"|deploys?|review\w*|stand-?up|workflow",
    ),
    ("Projects", r"projects?|building|developing|launch\w*|repo(?:sitory)?|deadline|release\w*|startup|thesis"),
)


def tidied(items: Sequence[Item], protected: Collection[int] = ()) -> Proposal:
    """All items, kept as they are, without those that another one at the same place says word for word but for case,
    spacing, punctuation and articles. What is protected always stays; else what stands in a section that says
    something, then the newer one."""
    groups: dict[tuple[tuple[str, ...], ...], list[Item]] = {}
    for item in items:
        groups.setdefault((item.place, wording(item.text)), []).append(item)
    dropped: dict[int, int] = {}
    for group in groups.values():
        if len(group) < 2 or not wording(group[0].text):
            continue
        best = max(group, key=lambda item: (item.id in protected, item.section not in _SAY_NOTHING, item.id))
        dropped |= {item.id: best.id for item in group if item.id != best.id and item.id not in protected}
    kept = [Kept((item.id,), item.text, item.section) for item in items if item.id not in dropped]
    return Proposal(tuple(kept), tuple(Dropped(id, Why.DUPLICATE, by) for id, by in dropped.items()))


def wording(text: str) -> tuple[str, ...]:
    """The words of an entry in their order; what is left out of them says nothing. Every other word counts, the small
    ones too: `on` is not `off`, and `before` is not `after`."""
    bare = normalise(text.removeprefix(REQUESTED))
    words = [word.strip(_EDGES) for word in bare.casefold().split()]
    return tuple(word for word in words if word and word not in _EMPTY)


def fitting_section(text: str) -> str:
    """The standard section in which an entry belongs by its words; Notes in doubt."""
    found = [title for title, pattern in _FITS if re.search(rf"\b(?:{pattern})", text, re.IGNORECASE)]
    return found[0] if found else "Notes"
