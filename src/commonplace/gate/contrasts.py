"""Words that set one thing apart from another of its sort: long flights and short ones, staging and production, summer
and winter. Two texts that each name another side tell two facts rather than a change of one. Pure."""

from collections.abc import Iterable
from functools import lru_cache

# A row is a sort, its sides parted by bars; the words of a side mean the same. What things usually change to (a tool, a
# town, a drink) is no side: it is a value.
_SORTS = """
frontend|backend|mobile|desktop|server|client|web
api|cli|docs documentation|website|worker|library|admin|dashboard|kernel|plugin
staging|production prod live|dev development|test testing|ci|local locally|demo|sandbox
unit|integration|e2e end|load|smoke
main master|develop|feature|release|hotfix
macos mac|windows|linux|ios|android|ipad
pc|switch|playstation|xbox
cpu|gpu|ram memory|disk
x86 intel amd64|arm arm64
primary|secondary|replica|backup
read reads|write writes
import imports|export exports
input|output
upload uploads|download downloads
request requests|response responses
source|target destination
incoming|outgoing
internal|external|public|private
success successful|error errors|warning warnings
critical|minor|major|patch
respond|resolve resolved resolution
synchronous|asynchronous
indoor indoors inside|outdoor outdoors outside
short shorter|long longer
upper|lower
left|right
front|rear back
top|bottom
north|south|east|west
big large|small little
hot|cold
old|new
older elder|younger
first|second|third|fourth|final last
minimum min least|maximum max most limit
target goal|current|best record
planned|actual
gross|net
income|expense expenses
debit|credit
savings|checking
mortgage|loan
daily|weekly|monthly|quarterly|yearly annual
weekday weekdays|weekend weekends
morning mornings|noon|afternoon afternoons|evening evenings|night nights
day days|night nights
summer|winter|spring|autumn fall
christmas|easter|birthday|anniversary
opening|closing
start starts begin begins|end ends finish finishes
arrival arrives|departure leaves departs
outbound|inbound|return
pickup|delivery
breakfast|lunch|dinner supper|snack|dessert
bedroom|living|kitchen|bathroom|office|garage|hallway hall|balcony|garden|cellar basement|attic loft|shed|nursery
upstairs|downstairs|ground
knee|shoulder|back|ankle|wrist|hip|neck|elbow|foot|hand|eye|ear|tooth
domestic|international|abroad
school|work|home
online|offline
oral|written
hardcover|paperback|ebook|audiobook
adult adults|child children kids
boys|girls
men|women
maternal|paternal
customer customers|supplier suppliers vendor vendors|insurer
buyer|seller
sales|support|marketing|engineering|finance|hr|legal|design
paid|free
exam|thesis|lecture|seminar|homework
invoice invoices|receipt receipts|quote quotes|contract contracts|reminder reminders
passport|visa|licence license
"""


@lru_cache(maxsize=1)
def _sides() -> dict[str, frozenset[tuple[int, int]]]:
    found: dict[str, set[tuple[int, int]]] = {}
    for sort, row in enumerate(_SORTS.split("\n")):
        for side, words in enumerate(row.split("|")):
            for word in words.split():
                found.setdefault(word, set()).add((sort, side))
    return {word: frozenset(places) for word, places in found.items()}


def sides_of(words: Iterable[str]) -> frozenset[tuple[int, int]]:
    """Which sides of which sorts the folded words of a text name."""
    table = _sides()
    return frozenset(place for word in words for place in table.get(word, ()))


def set_apart(ones: frozenset[tuple[int, int]], others: frozenset[tuple[int, int]]) -> int:
    """Of how many sorts both name a side, and none in common."""
    shared = {sort for sort, _ in ones & others}
    return len({sort for sort, _ in ones} & {sort for sort, _ in others} - shared)
