"""Invented conversations for benchmarks: short, varied English turns from word lists of our own, always the same.

No text of any data set is in here. A turn has about 22 words; common words are common and rare ones rare, because
the length of posting lists depends on it.
"""

import random
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate

from commonplace.types import Message

_NAMES = """Anna Bruno Carla Dmitri Elena Farid Greta Hugo Irina Jonas Kira Liam Marta Nadia Oscar Priya Quentin Rosa
Stefan Tamara Ulrich Vera Walter Xenia Yusuf Zoe Amir Beatrice Colin Dora Emil Fiona Gustav Hanna Ivan Julia Karim
Lotte Milan Nora""".split()
_DOING = """planned finished moved repaired bought sold cleaned painted wrote tested reviewed cancelled booked visited
watched read cooked planted measured compared ordered returned borrowed lent found lost carried opened closed checked
changed started stopped learned taught recorded printed signed posted sorted packed drew built designed sketched tried
translated tuned upgraded migrated deployed debugged archived renewed renamed replaced refused praised explained
forgot remembered""".split()
_THINGS = """report garden bicycle kitchen ticket invoice novel guitar server backup camera painting recipe contract
lamp passport sofa router tent podcast lecture spreadsheet jacket oven piano blog mortgage telescope aquarium violin
canoe battery calendar keyboard parser compiler database pipeline dashboard notebook marathon lesson concert
exhibition interview holiday workshop meeting conference dinner picnic hike wedding birthday funeral train flight
ferry taxi bus boat bridge tower museum library bakery pharmacy dentist hospital school nursery office warehouse
harbour forest mountain valley island beach river lake meadow orchard vineyard greenhouse attic cellar balcony terrace
roof chimney fence gate ladder hammer drill saw screwdriver wrench shovel rake bucket hose blanket pillow curtain
carpet mirror clock radio speaker microphone headset monitor printer scanner charger adapter cable antenna satellite
telegram letter parcel envelope stamp postcard diary calculator ruler compass map globe atlas dictionary grammar poem
ballad symphony sonata opera ballet comedy tragedy documentary cartoon puppet costume mask wig necklace bracelet
earring ring watch wallet purse backpack suitcase umbrella scarf glove boot sandal sneaker sweater blouse skirt
trousers sandwich soup salad omelette pancake waffle dumpling noodle curry stew pudding sorbet espresso lemonade cider
spaniel terrier kitten parrot hamster tortoise pony goat beehive sparrow heron owl badger hedgehog squirrel trout
tulip fern maple walnut willow lavender basil thyme pumpkin cabbage radish cherry apricot melon fig""".split()
_LIKE = """new old red blue heavy light cheap broken quiet noisy wooden plastic electric narrow wide early late small
large strange simple careful patient famous local foreign formal yearly spare yellow green grey silver golden soft rough
bright dark fresh frozen bitter sweet sour spicy salty empty full loose tight steep shallow hollow sturdy fragile
elegant clumsy dusty spotless ancient modern rusty shiny fluffy wrinkled borrowed forgotten unfinished postponed
""".split()
_PLACES = """Lisbon Bergen Kyoto Toronto Nairobi Leeds Utrecht Graz Porto Turku Quito Hanoi Perth Malmo Ghent Basel
Tartu Split Cork Bath Reims Siena Cadiz Izmir Busan Osaka Lima Accra Dakar Fez""".split()
_WHEN = """yesterday|this morning|last week|on Monday|on Tuesday|on Friday|in March|in October|two days ago|after lunch|
before the weekend|next month|in the evening|during the holidays|three weeks ago|on 4 May|around noon|last summer|
every Sunday|once a year""".replace("\n", "").split("|")
_SAYING = """I think|We decided that|You said|It turned out that|My sister says|Honestly,|By the way,|I was told that|
As far as I know,|To be fair,|I am glad that|I am worried because|Did you know that|Please note that|I still believe|
Nobody expected that|It is funny how|Remember that|Last time|For the record,""".replace("\n", "").split("|")
_BECAUSE = """because it was cheaper|so we had to wait|and it went very well|although nobody asked for it|
which took longer than planned|and I would do it again|but the weather was bad|since the other one was sold out|
so that everyone could join|and now it costs {number} euros|which is {number} kilometres from here|
after {number} attempts|with {number} other people|and the code name is {code}|so ask me again in {number} days|
but I prefer to stay at home|and that made me happy|which surprised my parents|while the children slept|
and we talked about {thing} all night""".replace("\n", "").split("|")
_ASKING = (
    "When did {name} say the {like} {thing} was {doing}?",
    "What did {name} do with the {thing} in {place}?",
    "Who {doing} the {like} {thing} {when}?",
    "Where is the {thing} that {name} {doing}?",
    "How many people came to {place} with {name}?",
    "Which {thing} does {name} like better than the {other}?",
    "Why was the {thing} {doing} although nobody asked for it?",
    "{name} {thing} {place}",
    "I was thinking about the {like} {thing} from {place} again, it was so much fun.",
    "Let's get back to the {thing} that we {doing} with {name}.",
)
FIRST_DAY = datetime(2023, 1, 2, 9, tzinfo=UTC)


class _Words:
    """Draws words so that the first ones of a list are common and the last ones rare."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self._weights: dict[int, list[float]] = {}

    def any(self, words: Sequence[str]) -> str:
        weights = self._weights.get(len(words))
        if weights is None:
            weights = self._weights[len(words)] = list(accumulate(1 / (at + 3) for at in range(len(words))))
        return words[bisect(weights, self.random.random() * weights[-1])]

    def slots(self) -> dict[str, str | int]:
        return {
            "name": self.any(_NAMES),
            "doing": self.random.choice(_DOING),
            "thing": self.any(_THINGS),
            "other": self.any(_THINGS),
            "like": self.any(_LIKE),
            "place": self.any(_PLACES),
            "when": self.random.choice(_WHEN),
            "number": self.random.randint(2, 900),
            "code": f"{self.any(_THINGS)}{self.random.randint(100, 99_999)}",
        }


def texts(count: int, *, seed: int = 1) -> Iterator[str]:
    """Invented turns. Halves are drawn from a few thousand ready ones: a million turns take seconds, not minutes."""
    words = _Words(seed)
    first = [_first_half(words) for _ in range(4000)]
    second = [_second_half(words) for _ in range(4000)]
    drawn = words.random
    for number in range(count):
        one = first[int(drawn.random() * 4000)]
        two = second[int(drawn.random() * 4000)]
        ending = f" Note {number}." if drawn.random() < 0.05 else "?" if drawn.random() < 0.15 else "."
        yield f"{one} {two}{ending}"


def _first_half(words: _Words) -> str:
    said = words.random.choice(_SAYING)
    form = said + " {name} {doing} the {like} {thing} in {place} {when}"
    return form.format_map(words.slots())


def _second_half(words: _Words) -> str:
    form = words.random.choice(_BECAUSE) + ", then {name} {doing} a {like} {thing}"
    return form.format_map(words.slots())


def questions(count: int, *, seed: int = 2) -> list[str]:
    """Questions, keywords and remarks about what the turns speak of."""
    words = _Words(seed)
    return [_ASKING[at % len(_ASKING)].format_map(words.slots()) for at in range(count)]


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation: its name and its turns."""

    name: str
    messages: list[Message]


def sessions(count: int, turns: int, *, seed: int = 1) -> Iterator[Session]:
    """`count` turns in conversations of `turns` each, one a day; user and assistant speak in turn."""
    said = texts(count, seed=seed)
    for number in range(-(-count // turns)):
        start = FIRST_DAY + timedelta(days=number)
        messages = [
            Message(f"t{at}", "assistant" if at % 2 else "user", next(said), start + timedelta(seconds=20 * at), {})
            for at in range(min(turns, count - number * turns))
        ]
        yield Session(f"s{number:06d}", messages)
