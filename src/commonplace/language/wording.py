"""Words that matter when a text is said in other words: which mean the same, which the opposite, which deny, which
carry nothing. Only lists, and the few questions asked of them. Pure.

The lists are short on purpose: what is not in them counts as a different word, and a rewording that depends on it is
refused. English has most of them; negations are known in a dozen languages, because there a loss does the most harm.
"""

from collections.abc import Sequence, Set
from functools import cache

from commonplace.language import terms
from commonplace.language.glossing import rough_english
from commonplace.language.monthnames import month_numbers
from commonplace.language.polarity import DENIALS, opposite

_SAME = """
ability skill
address locate
advise recommend suggest recommendation suggestion
aim goal target objective
allergic allergy
answer reply response respond contact reach message
apartment flat
appreciate like love enjoy prefer favour favor favorite favourite fond preference preferred want fan keen
argue argument
arrive come
ask request
assist help support
automobile car
avoid skip refrain
bike bicycle cycle cycling
birthday born birth birthdate
boss manager supervisor
brief briefly short concise concisely terse succinct compact
bullet list point
buy purchase
call phone telephone ring
child children kid kids
choose pick select
client customer
code coding program programming
colleague coworker teammate
comment remark
company employer firm
computer laptop machine
correct fix repair
currently presently
daughter daughters
day daily everyday
delete remove
developer programmer
directory folder
dislike hate detest
doc docs document documentation
dialect syntax
email mail mails emails
end finish complete
engineer engineering
error mistake
evening evenings
every each weekly week
example sample instance
exercise workout train training
explain explanation describe description
fast quick quickly rapid
file files
finally eventually
firm company
format formatting formatted
frequent often frequently regularly regular
gym workout
hiking hike hikes
hour hr hrs
house home
important key essential
indent indentation
interested interest
issue problem bug
job position role occupation profession
jog jogging run running
language tongue
large big
lastname surname
learn study learning studying student pupil
leave quit
lengthy long
like love
live reside residence based home
main mainly primary primarily mostly
maintain keep
make create build building built develop
married spouse wife
married spouse husband
meeting meetings
message messages text
minute min mins minutes
month monthly
morning mornings
movie film
name named called
need require
note notes
offline local locally
outline summary summarise summarize
own has have owns
photo photograph picture image
plain simple
plan planning
polite courteous
preferably ideally
prior previous previously former formerly earlier
project projects
read reading
repo repository
research investigate
reside live
review check
scientist science
send sent receive get come
buy bought
take took taken
make made
give gave given
teach taught
keep kept
write written
speak spoken
spend spent
night nightly nights
hand hands handed
plane flight flights fly air
show display present
single one
sibling brother
sibling sister
small little
speak talk speaking fluent
spreadsheet excel
start begin starts beginning
step steps stage
stop cease
style tone manner
switch move change
task todo
teach teacher teaching
team group
test tests testing tested
tidy clean
use using utilise utilize employ rely
run start
vacation holiday
vegetarian veggie
visit trip travel
week weekly
weekend weekends
work works working employed job
write writing wrote
year yearly annual annually years
yoga yogi
"""

_LIGHT = """
user users person people
be being is are was were am been
has have had having
do does did done doing
please kindly really very quite rather pretty just simply also too as well still
say says said mention mentions mentioned state states stated tell tells told note notes noted
known know
general generally overall
thing things way ways kind sort
come comes coming go goes going
get gets take takes make makes
want wants wish wishes would like
currently presently now
respectively both together
etc such namely particular
work works
use uses using prefer prefers like likes want wants wish need needs must should shall every each all any always
name named called call goes code text texts answer answers reply replies response responses
explicitly
strongly strong
particularly especially
"""
# Verbs that may be left out where others are merged: no other verb can take their place, since it would be new.
_VERBS = """
hold held place set try help let look see find follow start begin run go come get take bring become work live write
written send sent hand do done make made taken seen found brought told happen occur arrive appear
"""
_MILD = "explain describe show shown give given tell provide include contain require ensure stay remain keep put"
# Small words of other languages that use letters as English does; none of them denies.
_SMALL_WORDS = """
der die das den dem des ein eine einen einem einer eines ist sind sein soll sollen und oder als für mit dass von zu
zum zur im in am an auf bei aus bitte möchte will hat haben
le la les un une des est sont et ou de du au aux pour avec que qui dans sur en il elle
el los las una es son y o del al para con por lo su
il lo gli uno è sono e di da del della per con che
o os as um uma é são e ou do da dos das para com que em no na
de het een is zijn en of van voor met dat in op te
nutzt verwendet bevorzugt braucht wünscht veut préfère utilise quiere prefiere tiene usa usar vuole preferisce ha quer
prefere tem wil gebruikt heeft
"""

_LINKING = """
user and or also as well both with for of in on at by to the a an this that these those which who while plus
respectively together namely such e.g. i.e. is are be being been has have having does do its their his her them they it
there where when whose then so because since due hence
should include includes including user use uses must need needs
run runs start starts work works show shown come comes go goes take place every each always
name named called
"""
# What may be added where an entry says in any way what is wanted: how it is wanted is the same then.
_WANTING = "prefer prefers like likes want wants wish wishes"
_WANTED = """
should must please use uses need needs always never only prefer like want wish love enjoy keen fan quiere
dislike dislikes hate hates
"""

# Words that say how certain, how often, when or how far; each line is one meaning that must neither come nor go.
_QUALIFIERS = """
might may maybe perhaps possibly probably considering considers thinking tentatively
plans planning intends intending hopes hoping
sometimes occasionally
rarely seldom hardly
only solely exclusively
unless
until till
before
after
since
former formerly previously used was were earlier ex
almost nearly roughly approximately circa
if whether
off
down
other
become becomes becoming
all both entire whole everything everyone everybody every each
most mostly majority
many several numerous multiple various
some certain
few
half
usually often frequently regularly normally generally typically
can could able
"""
ALL = next(line for line in _QUALIFIERS.split("\n") if line.startswith("all "))
# The same of words that do so only before a number.
_MEASURES = """
more over above exceeding
less under below fewer
least minimum
most maximum
about around roughly approximately
"""
# Before `to` and a verb these say that something is wished for or liked, not that it is done. Another word that says so
# may take their place, with or without `to`.
_WISHING = "want wants wish wishes"
_WISHED = f"{_WISHING} need needs"
_LIKING = "like likes love loves"
_WOULD = frozenset("would id youd hed shed wed theyd".split())
_WISHES = f"{_WISHING} would prefer prefers keen"
_LIKINGS = f"{_LIKING} enjoy enjoys fond fan {_WISHES}"
CHANGED = frozenset(
    "now actually anymore longer moved switched changed since became becomes replaced updated meanwhile instead "
    "jetzt inzwischen seit maintenant désormais ahora".split()
)
# A person may have several of these at once: a second one takes nothing back.
_SEVERAL = """
like love enjoy own has have speak know play visit friend name named call called fan interest interested hobby allergic
allergy read watch collect learn study child dog cat pet want need avoid dislike hate
"""
# Characters of Chinese and Japanese that carry no fact by themselves.
SMALL_SIGNS = frozenset("的了是在要和也都一个名只用户请就，。、；はがをにのでとも" + "ですますするした")
UNITS = {
    form: words[0]
    for words in (
        line.split()
        for line in """
        km kilometer kilometers kilometre kilometres
        m meter meters metre metres
        cm centimeter centimeters centimetre centimetres
        mm millimeter millimeters
        mile miles mi
        kg kilo kilos kilogram kilograms
        g gram grams gramme
        lb lbs pound pounds
        l liter liters litre litres
        ml milliliter milliliters
        % percent
        € eur euro euros
        $ usd dollar dollars
        £ gbp
        ¥ yen jpy
        kb
        mb
        gb
        tb
        ms millisecond milliseconds
        s sec secs second seconds
        min mins minute minutes
        h hr hrs hour hours
        day days
        week weeks
        month months
        year years yr yrs
        am a.m.
        pm p.m.
        degrees °
        celsius
        fahrenheit
        px pixel pixels
        char chars character characters
        word words
        line lines
        column columns
        space spaces
        sentence sentences
        page pages
        person people
        time times
        """.strip().splitlines()
    )
    for form in words
}
NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split(), start=2
    )
} | {"twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "hundred": "100"}
MONTHS = month_numbers("en")

VALUES = {*NUMBER_WORDS, *MONTHS, *"one monday tuesday wednesday thursday friday saturday sunday".split()}


def stem_of(word: str) -> str:
    """A word as words are compared here; stop words stay themselves."""
    found = terms(word)
    return found[0] if found else word.casefold()


@cache
def _groups(which: str) -> dict[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {}
    for line in which.strip().splitlines():
        stems = frozenset(stem_of(word) for word in line.split())
        for stem in stems:
            table[stem] = table.get(stem, frozenset()) | stems
    return table


def mean_the_same(one: str, other: str) -> bool:
    """Whether two stems are listed as saying the same."""
    return one == other or other in _groups(_SAME).get(one, ())


def measure(line: str) -> frozenset[str]:
    """The words that stand for one meaning with this one."""
    return frozenset(line.split())


def contrary(one: str, other: str) -> bool:
    """Whether two stems say the opposite; what may also mean the same does not."""
    return opposite(one, other) and not mean_the_same(one, other)


@cache
def light() -> frozenset[str]:
    """Stems that may be left out: they carry no fact."""
    return frozenset(map(stem_of, f"{_LIGHT} {_SMALL_WORDS}".split()))


@cache
def verbs() -> frozenset[str]:
    """Stems of verbs that may be left out in a merge, but not where an entry is dropped as a duplicate."""
    return mild() | frozenset(map(stem_of, _VERBS.split()))


@cache
def mild() -> frozenset[str]:
    """Stems that may go with a duplicate: nothing is said with them that the other one could not say without."""
    return light() | frozenset(map(stem_of, _MILD.split()))


@cache
def linking() -> frozenset[str]:
    """Stems that may be added: they only join what is there."""
    return frozenset(map(stem_of, f"{_LINKING} {_SMALL_WORDS}".split()))


@cache
def wanting() -> frozenset[str]:
    """Stems that say that something is wanted; they may be added where that is said already."""
    return frozenset(map(stem_of, _WANTING.split()))


@cache
def wanted() -> frozenset[str]:
    """Words that say, in one way or another, that something is wanted."""
    return frozenset(_WANTED.split()) | frozenset(map(stem_of, _WANTED.split()))


@cache
def several() -> frozenset[str]:
    return frozenset(map(stem_of, _SEVERAL.split()))


def wish(words: Sequence[str]) -> dict[str, str]:
    """Whether something is wished for, or liked, that a verb tells (wants to buy, would like to be called): the words
    that may say so, and the one that the text has. What is not wished for is denied, and looked at as such."""
    for before, word, after in zip(["", *words], words, words[1:], strict=False):
        if before in DENIALS or after != "to":
            continue
        if word in measure(_WISHING) or (word in measure(_LIKING) and before in _WOULD):
            return {_WISHES: word}
        if word in measure(_LIKING):
            return {_LIKINGS: word}
    return {}


def would(text: str) -> bool:
    """Whether a text says what would be."""
    return not _WOULD.isdisjoint(text.casefold().replace("'", "").replace("’", "").split())


def unwished(new: str, old: str) -> bool:
    """Whether `old` says that something is wished for, and `new` neither that nor what is to be or not to be."""
    before, now = ({word.strip(".,;:!()").casefold() for word in rough_english(text).split()} for text in (old, new))
    now |= set(map(stem_of, now))
    if not before.isdisjoint(_WOULD) and "like" in before:
        said = wanted() - set(measure(f"{_LIKING} enjoy fan keen"))  # who would like a dog may like none that there is
    elif not before.isdisjoint(measure(_WISHED)):
        said = wanted()
    else:
        return False
    return now.isdisjoint(said | DENIALS | _WOULD) and not any(word.endswith("n't") for word in now)


def is_said(line: str, words: Set[str]) -> bool:
    """Whether words that do not qualify anything say the same as this line of qualifying ones."""
    return line in {_WISHES, _LIKINGS, ALL} and not words.isdisjoint(measure(line))


def qualifiers(words: set[str], *, before_number: set[str]) -> dict[str, str]:
    """Which meanings of qualifying words a text has: the line they stand on, and the word that the text has of it."""
    found: dict[str, str] = {}
    for lines, present in ((_QUALIFIERS, words), (_MEASURES, before_number)):
        for line in lines.strip().splitlines():
            for word in line.split():
                if word in present:
                    found.setdefault(line, word)
    return found
