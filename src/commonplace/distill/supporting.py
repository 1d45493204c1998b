"""Whether a conversation supports a fact that a model took from it, and by which of the user's messages. Pure.

A fact is taken apart into what can be seen of it: names, numbers, dates, literal texts, denials and content words. Each
must be found in what the user said, in a question of the assistant that they answered, or in a proposal that they
agreed to. What the assistant alone said supports nothing. A model's own account of where a fact is from is not asked
for: code looks.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from difflib import SequenceMatcher
from enum import Enum, auto
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, NamedTuple

from commonplace.errors import EmbedderFailed
from commonplace.language import is_latin, normalise, terms
from commonplace.language.glossing import glosses, language, rough_english
from commonplace.language.kinship import kinship
from commonplace.language.reading import Word, folded_text, read
from commonplace.language.wording import NUMBER_WORDS, VALUES, contrary, light, mean_the_same, stem_of

if TYPE_CHECKING:
    from commonplace.ports import Comparer

_MOST_READ = 8  # sentences that are read beside a fact which is to be found in them

_SENTENCE = re.compile(r"(?<=[.!?…])[\"')\]]*\s+|(?<=[。！？])|(?<=[!?])(?=[\u3040-\u30ff\u3400-\u9fff])|\n+")
_CLAUSE = re.compile(
    r"[,;:，；、()]+\s*|(?<!\s)\s+[-–—]\s+"
    r"|\b(?:and|but|because|while|whereas|although|though|so(?! (?:much|many|far|long|well))(?: that)?)\b",
    re.IGNORECASE,
)
_NOUN = re.compile(r"\b[A-ZÄÖÜ][a-zäöüß]+\b")
_BREAKS = (", ", "; ", ": ", " - ", " – ", " — ", "，", "、", "；")
_A_CLAUSE = 6  # characters
_BENDING = re.compile("[\u3040-\u309f]+|.[\u3040-\u309f]")  # kana that bend a word
_ASKS = re.compile(r"[?？]\s*[\"')\]]*$")
_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
_CLOCK = re.compile(
    r"\b(?P<hour>\d{1,2})(?::(?P<minutes>\d\d))?\s?(?P<half>[ap])\.?m\b\.?|\b(?P<hour2>\d{1,2}):00\b", re.IGNORECASE
)
_SHORTENED = re.compile(r"(?<=\w)'(re|ve|m|ll)\b", re.IGNORECASE)
_WRITTEN_OUT = {"re": " are", "ve": " have", "m": " am", "ll": " will"}
_NUMERIC_DATE = re.compile(r"\b(\d{1,2})[./](\d{1,2})[./](\d{4})\b|\b(\d{4})年(\d{1,2})月(\d{1,2})日")
_YES = frozenset("yes yeah yep yup exactly right correct sure ok okay indeed true absolutely definitely agreed".split())
_NO = frozenset("no nope nah never not".split())
_FIRST = frozenset("i im ive id me my mine myself we our ours us".split())
_SPEAKING = frozenset("i im ive id me we us".split())
_SINGULAR = frozenset("i im ive id me my mine myself".split())
_SPOKEN_TO = frozenset({"me", "us"})
_OTHERS = frozenset("he she they".split())
_DETERMINERS = frozenset("my our his her their this".split())
_NAMED_FIRST = re.compile(
    r"(?:(?i:I|we|he|she|they)\b|(?i:my|our|his|her|their|this)\s+\w+(?:\s+[A-Z]\w*)*|(?!I\b)[A-Z]\w*(?:\s+[A-Z]\w*)*)"
)
_ASIDE = re.compile(r"\b(?:actually|now|also|anyway|really|just|well|by the way|btw|oh|ok|okay|yes)\b,?", re.IGNORECASE)
_SELF = re.compile(r"\b(?:I|we)\b", re.IGNORECASE)
_MINE = re.compile(r"\b(?:my|our)\b", re.IGNORECASE)
_PAST = re.compile(r"(?<!when )(?<!since )(?<!as )(?<!while )\b(?:i was|we were)\b(?! born)", re.IGNORECASE)
_ROLE = re.compile(r"(?:the )?(?:user )?(?:is|works as|am) an? ", re.IGNORECASE)
_OFTEN = frozenset("hourly daily nightly weekly fortnightly monthly yearly annually regularly often frequently".split())
_SOON = frozenset(
    "today tonight yesterday tomorrow week weekend monday tuesday wednesday thursday friday saturday sunday last next"
    " ago now morning evening month year".split()
)
_PREDICATES = frozenset(terms("works uses likes prefers wants owns needs"))
_WAS = ("was", "were")
_TURNS = frozenset("might plans sometimes rarely unless former if become".split())
_HARD, _SOFT = 2.5, 1.0
_SYNONYMS = 0.82  # by the table of words: above it stand `physician` and `doctor`, below it `red` and `blue`
_SAME_NAME = 0.8
_NOT_STRANGE, _SAME = 0.4, 0.5  # of 78 facts that were told, the local model was never less sure than 0.43
_SURELY_SAME = 0.8
_PLAINLY = 0.85
_LEAST, _HALF, _MOST, _MOSTLY, _NEARLY_ALL = 0.4, 0.5, 0.6, 0.75, 0.8
_LONG = 4  # elements
_MUCH = 4.0  # of the weight of elements
_MOST_PASSAGES = 4
_SHORT_QUESTION = 3
_ANSWER = 40  # words: what is longer stands for itself
_MOST_SENTENCES = 400
_SUBJECT = 3  # words at the beginning of a clause
_SUBJECT_OF_FACT = 4  # "The user's sister Paula"
_PREPOSITIONS = frozenset("in at on from to of with for by near since".split())


class Degree(Enum):
    """How much of a fact was said."""

    WHOLE = auto()
    PART = auto()
    NONE = auto()


@dataclass(frozen=True, slots=True)
class Spoken:
    """What the user said in one message; `asked` is what the assistant had asked or proposed just before."""

    id: str
    text: str
    day: date
    asked: str = ""


@dataclass(frozen=True, slots=True)
class Support:
    """How far messages carry a fact, which ones (the strongest first), their sentences, and what none of them says."""

    degree: Degree
    messages: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    agreed: bool = False  # the user said yes to it
    told: bool = False  # they told it of themselves, and did not only ask or bid


class _Element(NamedTuple):
    """One thing that a fact says."""

    kind: str  # name, number, date, literal, wide (of a script that no list has), often, word
    value: str
    raw: str
    weight: float


class _Passage(NamedTuple):
    """A sentence of the user, or what they answered with it, as it is compared."""

    message: str
    sentence: str
    day: date
    stems: frozenset[str]
    words: tuple[Word, ...]
    numbers: frozenset[str]
    dates: frozenset[str]
    whole: str
    english: str
    heard: str
    denies: bool
    agreed: bool = False
    own: "_Passage | None" = None  # the user's words in it, where the rest is the question that they answer


def spoken(messages: Iterable[tuple[str, str, str, date]]) -> list[Spoken]:
    """The user's messages with what they answer. Each is given as id, role, own words and day."""
    found: list[Spoken] = []
    asked = ""
    for id, role, text, day in messages:
        if role == "assistant":
            asked = _asked_last(text)
        elif role == "user":
            if text.strip():
                found.append(Spoken(id, text, day, asked))
            asked = ""
    return found


def support(fact: str, said: Sequence[Spoken], comparer: "Comparer | None") -> Support:
    """Which of the user's messages say a fact, and what of it they do not say. What is written in another language is
    read in rough English, or as it is written where all of it stands in the user's own words: those no dictionary has
    bent."""
    found = _supported(fact, said, comparer)
    code = language(fact)
    if code is None or found.degree is Degree.WHOLE:
        return found
    written = _supported(_without_user(fact, code), said, comparer, code)
    carries = written.degree is Degree.WHOLE and written.told and not _means_else(fact, written, said)
    return written if carries else found


def _means_else(fact: str, found: Support, said: Sequence[Spoken]) -> bool:
    """Whether sentences that have the words of a fact are about somebody else, or make it uncertain or past: rough
    English tells."""
    english = _english(fact)
    elements, passages = _elements(english), [passage for one in said for passage in _passages(one)]
    return any(
        _turned(english, passage, elements)
        or (
            not _named_elsewhere(english, elements, passage, passages)
            and _of_somebody_else(english, passage, elements, None)
        )
        for passage in passages
        if passage.sentence in found.sentences
    )


def _supported(
    fact: str, said: Sequence[Spoken], comparer: "Comparer | None", as_written: str | None = None
) -> Support:
    english = _parted(fact) if as_written else _english(fact)
    elements = _as_written(english, as_written) if as_written else _elements(english)
    passages = [passage for one in said for passage in _passages(one, as_written=as_written is not None)][
        -_MOST_SENTENCES:
    ]
    denies = _denies(fact, english)
    chosen, left = _chosen(elements, passages, denies=denies)
    if chosen and denies and not any(passage.denies for passage in chosen):
        chosen += [passage for passage in passages if _denies_the_same(passage.english, english)][:1]
    names = sum(element.kind == "name" for element in elements)
    if names > 1 and not any(element.kind == "name" for element in left):  # who lists them has counted them
        left = [element for element in left if (element.kind, element.value) != ("number", str(names))]
    subjects = _named_before(english, left, chosen[0], passages) if chosen else []
    left = [element for element in left if element not in subjects]
    if not chosen:
        return Support(Degree.NONE, missing=tuple(element.raw for element in elements))
    messages = tuple(dict.fromkeys(passage.message for passage in chosen))
    sentences = tuple(dict.fromkeys(passage.sentence for passage in chosen))
    if _denied_otherwise(fact, english, chosen, elements):
        return Support(Degree.NONE, messages, sentences, ("the contrary was said",))
    if not is_latin(fact) and _nearly_spelled(fact, chosen):
        left = [element for element in left if element.kind != "name"]
    if as_written:
        whole = not (
            left
            or _swapped(elements, chosen[0])
            or _loose_numbers(english, elements, chosen)
            or (not denies and _only_denied(elements, chosen))
            or _changed_hands(english, [one for one in elements if one.raw not in _counted(english)], chosen)
        )
        degree, told = (Degree.WHOLE if whole else Degree.NONE), any(map(_tells, chosen))
        return Support(degree, messages, sentences, agreed=chosen[0].agreed, told=told)
    total = sum(element.weight for element in elements)
    share = 1 - sum(element.weight for element in left) / total
    certainty = _same(english, list(dict.fromkeys(_readings(chosen, elements)))[:_MOST_READ], comparer)
    otherwise = _turned(english, chosen[0], elements) + _swapped(elements, chosen[0])
    named = {passage: _named_elsewhere(english, elements, passage, passages) for passage in chosen}
    if not named[chosen[0]]:  # else it is: "she is deaf", behind a sentence about Hedwig
        otherwise += _of_somebody_else(english, chosen[0], elements, certainty)
    otherwise += [name for passage in chosen if _is_of_the_user(passage, elements) for name in named[passage]]
    otherwise += _loose_numbers(english, elements, chosen) + _changed_hands(english, elements, chosen)
    missing = tuple(dict.fromkeys([*(element.raw for element in left), *otherwise]))
    if not otherwise and _carries(english, elements, left, share, certainty, chosen):
        told = any(map(_tells, chosen))
        return Support(Degree.WHOLE, messages, sentences, agreed=chosen[0].agreed, told=told)
    return Support(Degree.PART if share >= _HALF else Degree.NONE, messages, sentences, missing)


def _same(fact: str, texts: Sequence[str], comparer: "Comparer | None") -> float | None:
    """How surely one of the texts says a fact, as the model that reads two texts at once tells; None without it, or
    where it cannot read them."""
    if comparer is None:
        return None
    try:
        read = comparer.compare([(fact, text) for text in texts])
    except EmbedderFailed:
        return None
    return max((chances[0] for chances in read if chances is not None), default=None)


def _chosen(
    elements: Sequence[_Element], passages: Sequence[_Passage], *, denies: bool
) -> tuple[list[_Passage], list[_Element]]:
    """The passages that say most of a fact, the strongest first, and what none of them says."""
    chosen: list[_Passage] = []
    left = list(elements)
    while left and passages and len(chosen) < _MOST_PASSAGES:
        gains = [_gain(passage, left, elements, first=not chosen, denies=denies) for passage in passages]
        best = passages[gains.index(max(gains))]
        if max(gains) <= 0:
            break
        chosen.append(best)
        left = [element for element in left if not _says(best, element)]
    return chosen, left


def _named_before(
    english: str, left: Sequence[_Element], anchor: _Passage, passages: Sequence[_Passage]
) -> list[_Element]:
    """What a fact says besides its sentence to tell whom or what that is about: "she is deaf" was said of Hedwig, "we
    close on Mondays" of the shop. The user said it elsewhere; who speaks of themselves speaks of nobody else."""
    others = [passage for passage in passages if not passage.agreed]
    alone = _SINGULAR.isdisjoint(_plain(anchor.english).split())
    first, second, *_ = (*english.split(), "", "")
    thing = second if first.casefold() in {*_DETERMINERS, "the"} else ""
    return [
        element
        for element in left
        if ((element.kind == "word" and element.raw == thing) or (element.kind == "name" and alone))
        and any(_says(passage, element) for passage in others)
    ]


def _carries(
    english: str,
    elements: Sequence[_Element],
    left: Sequence[_Element],
    share: float,
    certainty: float | None,
    chosen: Sequence[_Passage],
) -> bool:
    """Whether what was said is enough. Names, numbers and dates must all be there. A word or two may be the model's
    own where the local model, which reads both texts, holds them for the same; without it they may in a long fact."""
    if any(element.kind != "word" for element in left):
        return False
    told = any(map(_tells, chosen))
    if certainty is None:
        return (not left and _predicated(english, elements, chosen)) or (bool(left) and told and share >= _MOSTLY)
    if not left and sum(element.weight for element in elements) >= _MUCH and told:
        return True  # so much is not said by chance, and the local model may stumble over what stands beside it
    if not left:
        return certainty >= (_NOT_STRANGE if language(chosen[0].heard) is None else _NOT_STRANGE / 4)  # rough English
    needed = _SURELY_SAME if share < _MOST else _SAME if share < _MOSTLY else _NOT_STRANGE / 2
    return told and share >= _LEAST and certainty >= needed


def _tells(passage: _Passage) -> bool:
    """Whether something is told here, be it by asking about what is one's own."""
    asks_only = not before_the_question(passage.sentence)
    return passage.agreed or not asks_only or _MINE.search(passage.english) is not None


def _readings(chosen: Sequence[_Passage], elements: Sequence[_Element]) -> Iterator[str]:
    """What was said, whole and as far as it speaks of the fact: a sentence may say much besides."""
    for passage in chosen:
        yield passage.english
        yield _ASIDE.sub(" ", passage.english).strip(" ,")
        yield from (clause for clause in _with_subjects(passage.english) if _touches(clause, elements))
        if not _SELF.search(passage.english):  # "a gift for my daughter Mia", but not "I sold my car"
            yield from (passage.english[at.start() :] for at in _MINE.finditer(passage.english))
    yield " ".join(passage.english for passage in chosen)


def is_statement(sentence: str) -> bool:
    """Whether the user tells something of themselves in a sentence, and neither asks nor bids."""
    return speaks_of_self(before_the_question(sentence))


def before_the_question(sentence: str) -> str:
    """What is told before something is asked in the same breath ("I sing in a choir, where can I buy notes?"): only the
    last clause asks. Empty where nothing else is said."""
    if not _ASKS.search(sentence.strip()):
        return sentence
    told, _, _ = max((sentence.rpartition(mark) for mark in _BREAKS), key=lambda parts: len(parts[0]))
    return told if len(told) >= _A_CLAUSE else ""


def speaks_of_self(sentence: str) -> bool:
    """Whether the user speaks of themselves or what is theirs, be it in a question."""
    english = _plain(_english(sentence)).split()
    if not _FIRST.isdisjoint(english):
        return True
    code = language(sentence)
    if code in _FIRST_PERSON:
        return _FIRST_PERSON[code].search(sentence.casefold()) is not None
    if code in _NO_PERSON:
        return _BIDS.search(sentence) is None
    return False


# Languages that leave the pronoun out: how a verb of the first person ends, or begins.
_FIRST_PERSON = {
    "es": re.compile(r"\b(?:\w+o|\w*oy|me gusta\w*|me encanta\w*|he|sé)\b"),
    "pt": re.compile(r"\b(?:\w+o|\w*ou|me agrada\w*)\b"),
    "it": re.compile(r"\b(?:\w+o|ho|mi piac\w+)\b"),
    "pl": re.compile(r"\b\w+(?:m|ę)\b"),
    "tr": re.compile(r"\b\w+(?:[ıiuü]m|yorum)\b"),
    "ru": re.compile(r"\b\w+(?:ю|у|юсь|усь)\b|\bмне\b"),
    "ar": re.compile(r"\bأ\w+"),
}
_NO_PERSON = {"zh", "ja", "ko"}
_BIDS = re.compile(
    r"请|請|帮|幫|吧[。！]?$|ください|下さい|頼|お願い|して[。！]?$|주세요|해\s?줘|하세요|까[?？]?$|吗|嗎|か[。？]?$"
)


# -- what a fact says ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def _elements(english: str) -> tuple[_Element, ...]:
    reading = read(english)
    found: dict[tuple[str, str], _Element] = {}

    def add(kind: str, value: str, raw: str) -> None:
        found.setdefault((kind, value), _Element(kind, value, raw, _SOFT if kind == "word" else _HARD))

    for day in reading.dates:
        add("date", day, day)
    for number in _DIGITS.findall(_NUMERIC_DATE.sub(" ", english)):
        if not any(number.lstrip("0") in re.split("[-]0?", day) for day in reading.dates):
            add("number", _number(number), number)
    for value, _ in reading.numbers:
        if not value[0].isdigit() or value not in {e.value for e in found.values()}:
            add("number", _number(value), value)
    for literal in reading.literals:
        if re.search(r"[@/_.\\]|\d", literal):
            add("literal", literal, literal)
    for word in reading.words:
        if word.stem[:1].isdigit() or word.stem in _numbers_spelled():
            continue
        if word.is_name:
            add("name", word.stem, word.raw)
        elif word.raw.casefold() in _OFTEN:
            add("often", word.stem, word.raw)
        elif word.stem not in light() and word.stem not in _frame():
            add("word", word.stem, word.raw)
    if not is_latin(english):  # no list has its words
        for run in _wide_runs(english):
            add("wide", run, run)
    return tuple(found.values())


def _as_written(fact: str, code: str) -> tuple[_Element, ...]:
    """What a fact says in the words of its own language, without those that only join."""
    meanings = glosses(code)

    def joins(element: _Element) -> bool:
        meaning = meanings.get(element.raw.casefold())
        return element.kind == "word" and meaning is not None and light().issuperset(map(stem_of, meaning.split()))

    return tuple(element for element in _elements(fact) if not joins(element))


def _counted(text: str) -> list[str]:
    """What numbers count: "11 years", "3 employees". It is said of whatever the number is said of."""
    return [after for number, after in pairwise(re.findall(r"[\w']+", normalise(text))) if number.isdigit()]


def _parted(text: str) -> str:
    """A text of another language with a comma in the place of what joins its clauses, as far as it stands alone, and
    with capitals for names only: German has them for every noun."""
    code = language(text)
    if code is None or not is_latin(text):
        return text
    parted = _joining(code).sub(", ", text)
    return _NOUN.sub(_without_capital, parted) if code == "de" else parted


def _without_capital(found: re.Match[str]) -> str:
    return lower if (lower := found[0].lower()) in glosses("de") else found[0]


@lru_cache(maxsize=32)
def _joining(code: str) -> re.Pattern[str]:
    words = [re.escape(word) for word, meaning in glosses(code).items() if meaning in {"and", "but", "while"}]
    return re.compile(rf",?\s+(?:{'|'.join(words)})\s+", re.IGNORECASE)


def _without_user(fact: str, code: str) -> str:
    """A fact without the words that stand for the user, whom nobody names to themselves."""
    words = [word for word, meaning in glosses(code).items() if meaning == "user"]
    pattern = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return (
        re.sub(rf"^(?:\w{{1,3}} )?(?:{pattern})[はがの是]?", "", fact, flags=re.IGNORECASE).strip() if words else fact
    )


def _wide_runs(fact: str) -> list[str]:
    """Pairs of characters where no spaces stand, and words of other scripts."""
    runs = [term for term in terms(fact) if not term.isascii() and len(term) > 1]
    return [run for run in runs if not _BENDING.fullmatch(run)]


@lru_cache(maxsize=1)
def _frame() -> frozenset[str]:
    """What models put into a fact about anybody."""
    return frozenset(terms("person individual currently located lasting since ones"))


@lru_cache(maxsize=1)
def _numbers_spelled() -> frozenset[str]:
    return frozenset(stem for word in NUMBER_WORDS for stem in terms(word))


@lru_cache(maxsize=4096)
def _english(text: str) -> str:
    """Rough English, with what is written in several ways written in one."""
    plain = _SHORTENED.sub(lambda found: _WRITTEN_OUT[found[1].lower()], rough_english(text).replace("’", "'"))
    return _CLOCK.sub(_hour, plain)


def _hour(match: re.Match[str]) -> str:
    """A time of day as 24 hours, without the minutes of a full hour."""
    if match["hour2"]:
        return str(int(match["hour2"]))
    hour = int(match["hour"]) % 12 + (12 if match["half"] in "pP" else 0)
    return f"{hour}:{match['minutes']}" if match["minutes"] not in {None, "00"} else str(hour)


def _number(text: str) -> str:
    return re.sub(r"[,.](?=\d{3}\b)", "", text).rstrip(".,:").lstrip("0") or "0"


# -- what was said -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=2048)
def _passages(one: Spoken, *, as_written: bool = False) -> tuple[_Passage, ...]:
    sentences = [piece.strip() for piece in _SENTENCE.split(one.text) if piece.strip()]
    agreed, denied = _reply(sentences[0]) if sentences else (False, False)
    found = [_passage(one, sentence, as_written=as_written) for sentence in sentences]
    found += [_passage(one, f"{first} {second}", as_written=as_written) for first, second in pairwise(sentences)]
    if one.asked and sentences and (agreed or denied):
        asked = f"{one.asked.rstrip('?？ ')}{' not' if denied else ''}"
        found.append(_passage(one, sentences[0], heard=asked, as_written=as_written)._replace(agreed=True))
    elif one.asked and len(one.text.split()) <= _ANSWER and not _ASKS.search(one.text.strip()):
        answer = _passage(one, one.text.strip(), as_written=as_written)
        both = _passage(one, answer.sentence, heard=f"{one.asked.rstrip('?？ ')} {one.text}", as_written=as_written)
        found.append(both._replace(agreed=True, own=answer))
    return tuple(found)


def _passage(one: Spoken, sentence: str, heard: str = "", *, as_written: bool) -> _Passage:
    text = heard or sentence
    english = _parted(text) if as_written else _english(text)
    reading, plain = read(english), read(text)
    numbers = {_number(number) for number in _DIGITS.findall(f"{text} {english}")}
    return _Passage(
        one.id,
        sentence,
        one.day,
        frozenset([*terms(text), *terms(english), *_plain(text).split(), *_plain(english).split()]),
        reading.words,
        frozenset(numbers | {_number(value) for value, _ in reading.numbers}),
        reading.dates | plain.dates | frozenset(_numeric_dates(text)),
        folded_text(text),
        english,
        text,
        bool(reading.denials or plain.denials or reading.signs),
    )


def _numeric_dates(text: str) -> Iterator[str]:
    for match in _NUMERIC_DATE.finditer(text):
        if match[4]:
            yield f"{match[4]}-{int(match[5]):02}-{int(match[6]):02}"
            continue
        first, second, year = int(match[1]), int(match[2]), match[3]
        for day, month in {(first, second), (second, first)}:
            if month <= 12:
                yield f"{year}-{month:02}-{day:02}"


def _asked_last(text: str) -> str:
    """What an answer to this is an answer to: the last question (with what it asks about), or the last sentence."""
    sentences = [piece.strip() for piece in _SENTENCE.split(text) if piece.strip()]
    if not sentences:
        return ""
    at = max((n for n, sentence in enumerate(sentences) if _ASKS.search(sentence)), default=len(sentences) - 1)
    bare = len([stem for stem in terms(rough_english(sentences[at])) if stem not in light()]) <= _SHORT_QUESTION
    return f"{sentences[at - 1]} {sentences[at]}" if bare and at else sentences[at]


def _reply(sentence: str) -> tuple[bool, bool]:
    """Whether a sentence begins with a yes, and whether with a no."""
    first = _plain(rough_english(sentence)).split()[:2]
    return (not _YES.isdisjoint(first[:1]), not _NO.isdisjoint(first[:1]))


def _plain(text: str) -> str:
    return re.sub(r"[^\w\s]+", "", text.replace("’", "'").replace("'", "")).casefold()


# -- comparing -----------------------------------------------------------------------------------------------------


def _gain(
    passage: _Passage, left: Sequence[_Element], elements: Sequence[_Element], *, first: bool, denies: bool
) -> float:
    """What a passage adds. A later one must have to do with the fact by more than one word; that both deny is one."""
    added = [element for element in left if _says(passage, element)]
    if passage.own and not any(_says(passage.own, element) for element in elements):
        return 0.0
    common = [element for element in elements if _says(passage, element)]
    if not first and len(added) < 2 and len(common) + (denies and passage.denies) < 2:
        return 0.0
    return sum(element.weight for element in added) - 0.001 * len(passage.words) if added else 0.0


def _says(passage: _Passage, element: _Element) -> bool:
    if passage.own and element.weight == _HARD:  # of what was asked only the words count, not what was offered
        return _says(passage.own, element)
    match element.kind:
        case "date":
            return any(_same_date(element.value, said, passage.day) for said in passage.dates) or _dated(
                element.value, passage
            )
        case "number":
            return element.value in passage.numbers
        case "literal":
            return element.value in passage.whole or element.value in folded_text(passage.english)
        case "name":
            return _names(passage, element.value)
        case "wide":
            return element.value in passage.stems
        case _:
            return _means(passage, element)


def _means(passage: _Passage, element: _Element) -> bool:
    stem = element.value
    if stem in passage.stems or _is_form(stem, passage.stems):
        return True
    plain = [word for word in passage.words if not word.is_name]
    if any(mean_the_same(stem, word.stem) for word in plain):
        return True
    if any(contrary(stem, word.stem) for word in plain):
        return False
    raw = element.raw.casefold()
    return raw not in VALUES and any(kinship(raw, word.raw.casefold()) >= _SYNONYMS for word in plain)


def _is_form(stem: str, stems: Iterable[str]) -> bool:
    """Another form of the same word: most of it from its beginning."""
    if len(stem) < 5 or any(char.isdigit() for char in stem):
        return False
    start = stem[: max(4, round(len(stem) * 0.7))]
    return any(other.startswith(start) and abs(len(other) - len(stem)) <= 4 for other in stems)


def _names(passage: _Passage, name: str) -> bool:
    """A name is the same name, with an ending at most; from another script it may be spelled otherwise."""
    if any(_is_same_name(name, other) for other in passage.stems):
        return True
    if is_latin(passage.whole):
        return False
    return any(
        other.isascii() and SequenceMatcher(None, name, other).ratio() >= _SAME_NAME
        for other in passage.stems
        if len(other) > 2
    )


def _nearly_spelled(fact: str, chosen: Sequence[_Passage]) -> bool:
    """Whether nearly all of a fact stands there as it is written: then its names are there, however they are read."""
    runs, said = set(terms(fact)), frozenset[str]().union(*(passage.stems for passage in chosen))
    return sum(run in said for run in runs) >= _NEARLY_ALL * len(runs)


def _same_date(fact: str, said: str, day: date) -> bool:
    """Whether two dates agree as far as both say; a year may be told from the day on which it was said."""
    ours, theirs = fact.rsplit("-", 2), said.rsplit("-", 2)
    if any("-" not in (a[:1], b[:1]) and a != b for a, b in zip(ours, theirs, strict=True)):
        return False
    if theirs[0].startswith("-") and ours[0].isdigit() and abs(int(ours[0]) - day.year) > 1:
        return False
    return ours[2].startswith("-") or not theirs[2].startswith("-")


def _dated(fact: str, passage: _Passage) -> bool:
    """A day that the user named from where they stood: tomorrow, next Friday, in two weeks."""
    try:
        wanted = date.fromisoformat(fact)
    except ValueError:
        return False
    near = abs(wanted - passage.day) <= timedelta(days=31)
    return near and not _SOON.isdisjoint(_plain(passage.english).split())


def _predicated(english: str, elements: Sequence[_Element], chosen: Sequence[_Passage]) -> bool:
    """Where no model reads it: that somebody works, lives or has something must be said too, if little else is."""
    if len(elements) >= _LONG:
        return True
    verbs = [word for word in read(english).words if word.stem in _PREDICATES]
    wanted = [_Element("word", word.stem, word.raw, _SOFT) for word in verbs]
    return not wanted or any(_means(passage, element) for element in wanted for passage in chosen)


# -- what turns a sentence round -----------------------------------------------------------------------------------


def _denied_otherwise(fact: str, english: str, chosen: Sequence[_Passage], elements: Sequence[_Element]) -> bool:
    """Whether one of the two denies what the other affirms, in the clause that speaks of it."""
    if _denies(fact, english):
        return not any(passage.denies for passage in chosen)
    return all(read(clause).denials or read(clause).signs for clause in _nearest(chosen[0], elements))


def _denies(fact: str, english: str) -> bool:
    reading = read(english)
    return bool(reading.denials or read(fact).denials or reading.signs)


def _denies_the_same(one: str, other: str) -> bool:
    """Whether two texts deny something of the same: the words that their denials reach have one in common."""
    ours, theirs = (frozenset[str]().union(*read(text).denials) - light() for text in (one, other))
    return not ours.isdisjoint(theirs)


def _nearest(passage: _Passage, elements: Sequence[_Element]) -> list[str]:
    """The clauses of a passage that say most of a fact."""
    clauses = _clauses(passage.english) or [passage.english]
    said = [sum(_in_clause(clause, element) for element in elements) for clause in clauses]
    return [clause for clause, count in zip(clauses, said, strict=True) if count == max(said)]


def _turned(english: str, passage: _Passage, elements: Sequence[_Element]) -> list[str]:
    """What the user made uncertain, past or conditional, and the fact does not."""
    known, ours = read(english).qualifiers, {word.stem: word.raw for word in read(english).words}
    lost: list[str] = []
    for clause in _nearest(passage, elements):
        reading = read(clause)
        lines = {
            line: word for line, word in reading.qualifiers.items() if line.split()[0] in _TURNS and line not in known
        }
        lost += [word for word in lines.values() if word not in _WAS and not ours.keys() & set(terms(word))]
        lost += _PAST.findall(clause) if "was" not in _plain(english).split() else []
        lost += [word.raw for word in reading.words if _is_over(word, ours.get(word.stem, ""), clause)]
    return lost


def _is_over(word: Word, ours: str, clause: str) -> bool:
    """ "worked" where the fact says "works"; but "have worked" goes on."""
    past = word.raw.endswith("ed") and ours.endswith("s") and not ours.endswith("ss")
    return past and not {"have", "has", "am", "is", "are"} & set(_plain(clause).split())


def _named_elsewhere(
    english: str, elements: Sequence[_Element], passage: _Passage, passages: Sequence[_Passage]
) -> list[str]:
    """Whom a fact is about, if the passage does not name them and another one does."""
    first = english.split()[:1]
    known = {word.stem for one in passages for word in one.words if word.is_name}
    names = [one for one in elements if one.value in known and one.raw in first]
    return [element.raw for element in names if not _says(passage, element)]


def _is_of_the_user(passage: _Passage, elements: Sequence[_Element]) -> bool:
    """Whether the user tells of themselves what a fact tells of somebody."""
    return any(not _SINGULAR.isdisjoint(_plain(clause).split()[:_SUBJECT]) for clause in _nearest(passage, elements))


def _of_somebody_else(
    english: str, passage: _Passage, elements: Sequence[_Element], certainty: float | None
) -> list[str]:
    """Who or what else a sentence is about ("my brother lives in Bern"), where the fact is about the user."""
    ours = _plain(english).split()
    if "s" in english.replace("'", " ").split()[:4] or not _OTHERS.isdisjoint(ours):
        return []  # "User's supervisor insists …"
    role = _ROLE.match(english)
    sure = certainty is not None and certainty >= _PLAINLY
    for clause in (clause for clause in _with_subjects(passage.english) if _touches(clause, elements)):
        words = _plain(clause).split()
        theirs = [word for last, word in pairwise(words) if last in {*_DETERMINERS, "the"} and _touches(word, elements)]
        if role and theirs and not sure and not {"am", "as"} & set(words):
            return theirs
        speaking = _SPEAKING - _SPOKEN_TO if words[0] in _OTHERS else _SPEAKING  # "she lives with us"
        if not speaking.isdisjoint(words):
            return []
        named = _NAMED_FIRST.match(clause)
        if named and _touches(named[0], [e for e in elements if e.raw in english.split()[:_SUBJECT]]):
            return []  # "Greta is a baker", where "my cousin Greta" was said to be one
        before = list(takewhile(lambda word: not _touches(word, elements), words))
        about = [word for last, word in pairwise(before[:_SUBJECT]) if last in _DETERMINERS and _telling(word)]
        others = [word for word in before if word in _OTHERS and not _touches(_before(passage.english, word), elements)]
        if len(before) < len(words) and (others or (about and not sure)):
            return others or about
    return []


def _before(english: str, word: str) -> str:
    """What stands before a word: whom it means, most often."""
    return re.split(rf"\b{word}\b", english, maxsplit=1, flags=re.IGNORECASE)[0]


def _loose_numbers(english: str, elements: Sequence[_Element], chosen: Sequence[_Passage]) -> list[str]:
    """Numbers and dates that the user said of something else, or denied."""
    rest = [element for element in elements if element.kind in {"word", "name"}]
    names = {element.value for element in rest if element.kind == "name"}
    denies = bool(read(english).denials)
    loose: list[str] = []
    for element in elements:
        if element.kind not in {"number", "date"} or not rest:
            continue
        clauses = [clause for one in chosen for clause in _clauses(one.english) if _has(clause, element)]
        beside = " ".join(clause.casefold() for clause in _clauses(english) if _has(clause, element))
        near = [one for one in rest if one.raw.casefold() in beside] or rest
        if clauses and not any(_belongs(clause, near, names, denies=denies) for clause in clauses):
            loose.append(element.raw)
    return loose


def _changed_hands(english: str, elements: Sequence[_Element], chosen: Sequence[_Passage]) -> list[str]:
    """What the user said of one of several, and the fact says of another: "Paula is a pilot", where they spoke of her
    and of Ruth, who is one. A clause speaks of who is named at its beginning, or of whom the last one spoke."""
    spoken = [one for passage in chosen for one in _by_owner(passage.english)]
    owners = {owner for owner, _ in spoken if owner}
    if len(owners) < 2:
        return []
    lost: list[str] = []
    owner = ""
    for clause in _clauses(english):
        named = (stem for word in clause.split()[:_SUBJECT_OF_FACT] for stem in terms(word))
        owner = next((stem for stem in named if stem in owners), owner)
        for element in (one for one in elements if owner and one.value != owner and _in_clause(clause, one)):
            by = [(whose, said) for whose, said in spoken if _in_clause(said, element) and element.value != whose]
            if by and all(whose and whose != owner and owner not in terms(said) for whose, said in by):
                lost.append(element.raw)
    return lost


def _by_owner(english: str) -> list[tuple[str, str]]:
    """The clauses of a sentence, each with the name of what it is about; empty before any is named."""
    owner = ""
    found: list[tuple[str, str]] = []
    for clause in _clauses(english):
        words = list(takewhile(lambda word: word.casefold() not in _PREPOSITIONS, clause.split()[:_SUBJECT]))
        named = [stem for word in words if _is_named(word) and len(words) > 1 for stem in terms(word)]
        owner = named[0] if named else owner
        found.append((owner, clause))
    return found


def _is_named(word: str) -> bool:
    bare = word.strip("\"'.,:;()")
    if any(char.isdigit() for char in bare):
        return any(char.isalpha() for char in bare)
    is_verb = bare.endswith(("ing", "ed")) or bare.casefold() in _FIRST | _OTHERS | _DETERMINERS
    return bare[:1].isupper() and not is_verb and not light().issuperset(terms(bare))


def _swapped(elements: Sequence[_Element], passage: _Passage) -> list[str]:
    """Names that the user gave to something else, where what the fact names was given another: "my boss is Rosario and
    my colleague Remedios" says nothing of a boss Remedios."""
    names = [element for element in elements if element.kind == "name"]
    words = [element for element in elements if element.kind == "word"]
    if len(names) != 1 or not words:
        return []
    clauses = _clauses(passage.english)
    apart = [clause for clause in clauses if not _touches(clause, names)]
    named = {word.stem for word in passage.words if word.is_name}
    for word in (word for word in words if word.value not in named):
        having = [clause for clause in apart if _touches(clause, [word])]
        elsewhere = [clause for clause in clauses if clause not in apart and _touches(clause, [word])]
        if having and not elsewhere and len(apart) < len(clauses) and all(map(_named_in, having)):
            return [names[0].raw]
    return []


def _only_denied(elements: Sequence[_Element], chosen: Sequence[_Passage]) -> bool:
    """Whether a name, number or date stands only where something is denied: "at 8:15, not at 8:45"."""
    clauses = [clause for passage in chosen for clause in _clauses(passage.english)]
    denied = [clause for clause in clauses if read(clause).denials or read(clause).signs]
    said = " ".join(folded_text(clause) for clause in clauses if clause not in denied)
    return (
        any(element.weight == _HARD and folded_text(element.raw) not in said for element in elements)
        if denied
        else False
    )


def _named_in(clause: str) -> set[str]:
    return {word.stem for word in read(f"is {clause}").words if word.is_name}


def _in_clause(clause: str, element: _Element) -> bool:
    return _has(clause, element) if element.kind in {"number", "date"} else _touches(clause, [element])


def _has(clause: str, element: _Element) -> bool:
    return element.value in _numbers_in(clause) or element.value[-6:] in {day[-6:] for day in read(clause).dates}


def _without(some: set[str], others: set[str]) -> list[str]:
    return [name for name in some if not any(_is_same_name(name, other) for other in others)]


def _is_same_name(one: str, other: str) -> bool:
    """The same name, with an ending at most."""
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    return one == other or (len(shorter) >= 4 and longer.startswith(shorter) and len(longer) - len(shorter) <= 4)


def _belongs(clause: str, rest: Sequence[_Element], names: set[str], *, denies: bool) -> bool:
    """Whether what a number says in this clause may be what it says in the fact."""
    reading = read(clause)
    theirs = {word.stem for word in reading.words if word.is_name and not word.stem[:1].isdigit()}
    other = bool(_without(theirs, names)) and bool(_without(names, theirs))
    denied = not denies and reading.denials and all(word.denied for word in reading.words if word.stem[:1].isdigit())
    return not other and not denied and (_touches(clause, rest) or not _telling(clause))


def _numbers_in(clause: str) -> set[str]:
    return {_number(n) for n in _DIGITS.findall(clause)} | {_number(value) for value, _ in read(clause).numbers}


def _telling(clause: str) -> set[str]:
    return {word.stem for word in read(clause).words if not word.stem[:1].isdigit()} - light() - _numbers_spelled()


def _clauses(english: str) -> list[str]:
    return [clause.strip() for clause in _CLAUSE.split(english) if clause and clause.strip()]


def _with_subjects(english: str) -> list[str]:
    """The clauses of a sentence; one that names nobody ("… and lives in Ghent") with whom the last one was about."""
    found: list[str] = []
    subject = ""
    for clause in _clauses(english):
        own = _NAMED_FIRST.match(clause)
        speaking = not (_FIRST - _SPOKEN_TO).isdisjoint(_plain(clause).split()[:_SUBJECT])
        if own or speaking:
            subject = "I" if speaking and not own else own[0] if own else ""
        found.append(clause if own or speaking else f"{subject} {clause}".strip())
    return found


def _touches(clause: str, elements: Sequence[_Element]) -> bool:
    stems = frozenset(terms(clause))
    return any(
        element.value in stems
        or _is_form(element.value, stems)
        or any(mean_the_same(element.value, stem) for stem in stems)
        for element in elements
        if element.kind in {"word", "name"}
    )


# -- stated, or only inferred --------------------------------------------------------------------------------------


def is_disposition(fact: str) -> bool:
    """Whether a fact says what somebody likes, wants, does as a rule or cares for."""
    return bool(_said_of(fact) & _DISPOSITION)


def is_use(fact: str) -> bool:
    """Whether a fact says what somebody uses: to have used it once is not that."""
    return not _said_of(fact).isdisjoint(terms("uses"))


def is_rule(sentence: str) -> bool:
    """Whether a sentence says how something is as a rule: that does not pass."""
    return not _said_of(sentence).isdisjoint(_RULES)


def states(sentence: str, fact: str) -> bool:
    """Whether a sentence of the user tells a preference or a habit as theirs, and does not merely act on it: they make
    a statement about themselves that has the liking, the wanting or the rule of the fact in it."""
    wanted, told = _said_of(fact) & _DISPOSITION, _said_of(sentence)
    if not wanted or told & _RULES:
        return is_statement(sentence) or bool(told & _RULES)
    return is_statement(sentence) and any(mean_the_same(one, other) for one in wanted for other in told)


def _said_of(text: str) -> frozenset[str]:
    english = _english(text)
    return frozenset([*terms(english), *_plain(english).split()])


_RULES = frozenset("always never every each only usually should must".split())
_DISPOSITION = _RULES | frozenset(
    terms(
        "prefers likes loves enjoys favourite favorite preferred fan keen fond wants wishes interested hobby passion"
        " habit tends usually often regularly typically frequently dislikes hates"
    )
)
