"""Secrets told by what somebody does with them: "types … at the gate", "with … one gets into the cellar", "… switches
the alarm off", "“…” is what she types to unlock the Mac".

Nothing here has to be called a password. Every value that could be one is looked at once, with the sentence around it.
Either the words right before or behind it say that it is typed or that something opens with it, or what the sentence
says for it (a lock, an account, how the value looks) outweighs what it says against it (a model, a port, a year).
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from commonplace.gate import secretframes as frames
from commonplace.gate import secretwords as said
from commonplace.gate.secretentry import NUMBERED_THING
from commonplace.gate.secretplaces import Lowered, Sought, sentence_after, sentence_before
from commonplace.gate.secretthings import CARD, LOCKED, PLACE
from commonplace.gate.secretvalues import is_placeholder, is_typed, is_word_and_number
from commonplace.patterns import LazyPattern

_BACK = 110
_AHEAD = 90

# -- what could be a secret -----------------------------------------------------------------------------------------

_VALUE = LazyPattern(
    r"(?<![\w.,:/€$£+@#*-])(?!\d{1,2}[hH]\d\d\b)(?P<number>[#*]?\d{4,8}[#*]?|\d(?:[ -]\d){3,7}|\d(?:, ?\d){3,7}"
    r"|\d{2}[ -]\d{2}(?:[ -]\d{2})?"
    r"|[A-Za-z]?\d{1,4}[A-Za-z]\d{1,4}|\d{3,5}[A-Z]|[A-Z]\d{3,5}|[A-Z]\d{2,5}[A-Z]"
    r"|\d{1,2}[LR](?:[ ,-]{1,2}\d{1,2}[LR]){1,3}"
    rf"|{said.DIGIT_WORD}(?:[ ,-]{{1,2}}{said.DIGIT_WORD}){{3,7}})(?![0-9A-Za-z_À-ɏА-яё/€%°$£@]|[.,:–-]\d|\s\d|['’]\w)"
    r"|[\"“„«‘「『]\s?(?P<quoted>[^\"“”„«»‘’「」『』\n]{3,60}?)\s?[\"”“»’」』](?!\w)"
    r"|(?<![\w@/.#$&?=%+*-])(?P<word>[^\W_][^\s\"'`“”„«»,;:()<>{}\[\]/\\@，；。、]{4,40})(?<![.])(?=[\s\"'”»,;:.)]|$)"
)
_NUMBERED = LazyPattern(r"[^\W\d_]{3,}[-_.]?\d{1,4}[!?#$%*]{1,2}$")
_SMALL = LazyPattern(r"[a-zà-ÿ]{5,24}\d{2,4}$")
_CAPITALS = LazyPattern(r"[A-ZÀ-Þ][a-zà-ÿ]{2,}(?:_[A-Za-zà-ÿ]{2,}){1,3}$")
_PRODUCT = LazyPattern(r"[A-Z][A-Za-z]+\d$")
_LOOKS_MADE = LazyPattern(r"[0-9!#$%^&*+=~_?]|[a-z][A-Z]|-[^-]+-")


_PLACE = LazyPattern(PLACE)
_DEVICE = LazyPattern(LOCKED)
_CARD = LazyPattern(CARD)
_PLACES = Sought("act place", PLACE)
_DEVICES = Sought("act locked", LOCKED)
_SENTENCE_END = LazyPattern(r"(?<=\S)[.!?。！？](?:\s|$)|\n")
_DATE = LazyPattern(r"\d{2}[ -]\d{2}(?:[ -]\d{2})?$")
_ENOUGH_FOR_NUMBER = 3
_ENOUGH_FOR_WORD = 5


@dataclass(frozen=True, slots=True)
class _Value:
    """A value in lower case with its sentence: what stands before and behind it, and whether that names a place with a
    lock or a device or account. The look of a value is that of a "number", of something "typed", of a word with a
    number ("weak"), of "words" joined, or of what is "quoted"."""

    start: int
    end: int
    look: str
    text: str
    before: str
    after: str
    place: bool
    device: bool

    @property
    def ends(self) -> bool:
        """Whether the sentence may go on behind the value as it does behind a secret, not as behind an amount."""
        return frames.ENDS.match(self.after) is not None and frames.FIELD.match(self.after) is None

    @property
    def begins(self) -> bool:
        return frames.STARTS_CLAUSE.search(self.before) is not None

    @property
    def is_year(self) -> bool:
        return frames.YEAR.match(self.text) is not None

    @property
    def is_public(self) -> bool:
        return frames.PUBLIC.search(self.before[-60:] + self.after[:30]) is not None


def done_with(text: str, low: Lowered) -> Iterator[tuple[str, int, int]]:
    """The secrets that are told by what is done with them."""
    places: list[int] | None = None
    devices: list[int] = []
    for look, start, end in _looked_at(text, low):
        if places is None:  # looked for once in the whole text: it may have many values
            places = [found.start() for found in _PLACES.found_in(low)]
            devices = [found.start() for found in _DEVICES.found_in(low)]
        before, after = _before(low, start), _after(low, end)
        span = start - len(before), end + len(after)
        value = _Value(
            *(start, end, look, low[start:end], before, after), _stands(places, *span), _stands(devices, *span)
        )
        if look == "number":
            if _is_number_told(value):
                yield "access code", start, end
        elif _is_word_told(value):
            yield "password", start, end


def _looked_at(text: str, low: str) -> Iterator[tuple[str, int, int]]:
    """The look of each value and where it stands."""
    for found in _VALUE.finditer(text):
        kind = found.lastgroup or "word"
        start, end = found.span(kind)
        value = text[start:end]
        if kind == "number":
            yield kind, start, end
        elif kind == "quoted":
            if not is_placeholder(value) and not frames.COMMAND.search(value.lower()):
                yield kind, start, end
        elif _LOOKS_MADE.search(value) and (look := _look(value.rstrip(".,;:"), low[start:end])):
            yield look, start, start + len(value.rstrip(".,;:"))


def _look(value: str, lower: str) -> str:
    if is_placeholder(value) or frames.TECH.search(lower) or NUMBERED_THING.match(lower):
        return ""
    if is_typed(value) or _NUMBERED.match(value) or _SMALL.match(value):
        return "typed"
    if _PRODUCT.match(value):
        return ""
    if _CAPITALS.match(value):
        return "words"
    return "weak" if is_word_and_number(value) and any(map(str.isdigit, value)) else ""


def _before(low: str, start: int) -> str:
    return sentence_before(low, start, _BACK, _SENTENCE_END)


def _after(low: str, end: int) -> str:
    return sentence_after(low, end, _AHEAD, _SENTENCE_END)


def _stands(starts: list[int], begin: int, end: int) -> bool:
    at = bisect_left(starts, begin)
    return at < len(starts) and starts[at] < end


# -- numbers --------------------------------------------------------------------------------------------------------


def _is_number_told(value: _Value) -> bool:
    if said.UNITS.match(value.after) or frames.NAMED.search(value.before):
        return False
    if len(value.text) == 6 and "pin" in value.before and said.POSTAL.search(value.before + value.after):
        return False
    if value.ends and not value.is_year and (_is_code(value) or _is_of_lock(value)):
        return True
    if not value.is_year and frames.BUTTON_NEXT.match(value.after):
        return True
    if value.place or value.device:
        return _is_used(value) or (value.ends and _weight_of_number(value) >= _ENOUGH_FOR_NUMBER)
    has_sign = value.text[-1] in "#*" or _CARD.search(value.before + value.after) is not None
    return has_sign and value.ends and _weight_of_number(value) >= _ENOUGH_FOR_NUMBER


def _is_code(value: _Value) -> bool:
    """Called a code, and none that anybody may know."""
    is_called = frames.CODE_IS.search(value.before) or frames.LONG_CODE.search(value.before)
    is_called = is_called or (value.place and frames.CODE_OF_SOME_KIND.search(value.before))
    return bool(is_called) and not value.is_public


def _is_of_lock(value: _Value) -> bool:
    """Where the number of a lock stands, or of a door."""
    before, number = value.before, value.text
    is_odd = not number.isdigit() and " " not in number
    if is_odd and frames.GOT_IN_WITH.search(before) and not _DATE.match(number):
        return True
    if frames.LOCK_ALONE.search(before) and frames.AT_THE_END.match(value.after):
        return True
    is_other = frames.OTHER_NUMBER.search(before) is not None
    if frames.DOOR_IS.search(before) or (number[0] == "0" and frames.WANTS.search(before)):
        return not is_other
    is_clock = frames.CLOCK.match(number) is not None and "alarm" in before
    return bool(frames.LOCKS.search(before) and frames.COMES.search(before)) and not is_other and not is_clock


def _is_used(value: _Value) -> bool:
    """Typed by somebody, or something opens with it."""
    before, after = value.before, value.after
    if frames.WITH_IT.search(before) and frames.OPENS_LAST.match(after):
        return True
    if (value.text[0].isalpha() and " " in value.text) or frames.TYPED_AFTER.match(after):
        return True
    if frames.FRONTED.search(before) and frames.ACT_AFTER.match(after):
        return True
    which = frames.WHICH_ACTS.match(after)
    if which and not value.is_year and _PLACE.search(after, which.end()):
        return True
    return (value.ends and _is_typed_in(value)) or (not value.is_year and value.begins and _is_doing(after))


def _is_typed_in(value: _Value) -> bool:
    before, after = value.before, value.after
    if frames.LOCKED_BY.search(before) or frames.KEYS_BEFORE.search(before):
        return True
    if frames.SEPARATED.match(value.text) and frames.LABELLED.search(before):
        return True
    if frames.DIALS.search(before) and frames.DIALLED.search(value.text + before + after):
        return True
    if value.is_year:
        return False
    if frames.TYPED_BEFORE.search(before):
        return not (frames.PUTS_AWAY.search(before) and "safe" in after)
    if frames.WITH_BEFORE.search(before) or (value.place and frames.USED.search(before)):
        return True
    return frames.WANTS.search(before) is not None and bool(_PLACE.search(before) or _DEVICE.search(before))


def _is_doing(after: str) -> bool:
    """The number opens, stops or starts something, or is what somebody types."""
    acts = frames.ACTS.match(after)
    if acts and (_PLACE.search(after[: acts.end() + 45]) or _DEVICE.search(after[: acts.end() + 45])):
        return True
    what = frames.IS_WHAT.match(after)
    return what is not None and frames.DOES.search(after, what.end()) is not None


def _weight_of_number(value: _Value) -> int:
    before, after, number = value.before, value.after, value.text
    near = before[-70:]
    is_clock = frames.CLOCK.match(number) is not None
    weight = -3 if frames.OTHER_NUMBER.search(near) or value.is_public else 0
    if value.is_year or (is_clock and number[0] != "0"):
        weight -= 1
    if is_clock and frames.OF_A_DAY.search(before):
        weight -= 3
    if _CARD.search(before + after) or _DEVICE.search(near):
        weight += 1
    if _PLACE.search(near):
        weight += 2
    elif _PLACE.search(after):
        weight += 1
    is_hashed = number[0] in "#*" or number[-1] in "#*"
    if frames.CHOSE.search(before) or frames.CHOSEN.match(after) or frames.TURNED.search(before):
        weight += 2
    elif frames.COMES.search(before):
        weight += 1
    elif not is_hashed:
        return 0
    if frames.SECRET_WORD.search(before):
        weight += 2
    is_odd = number[0] == "0" or frames.SEPARATED.match(number) or not number.translate(_NO_GAPS).isdigit()
    return weight + (2 if is_hashed else 1 if is_odd else 0)


_NO_GAPS = str.maketrans("", "", " -")


# -- words ----------------------------------------------------------------------------------------------------------


def _is_word_told(value: _Value) -> bool:
    before, after = value.before, value.after
    if frames.NAMED.search(before) or value.text in said.NOT_A_PASSWORD:
        return False
    near = value.place or value.device or frames.SITES.search(before) is not None
    near = near or frames.SERVICES.search(before + after) is not None
    what = frames.IS_WHAT.match(after)
    if what and value.begins and frames.DOES.search(after, what.end()):
        return frames.UNLOCKS.search(after) is not None or (value.look != "quoted" and near)
    if near and value.begins and frames.TYPED_NEXT.match(after):
        return True
    if value.look == "quoted":
        is_typed_in = near and frames.TYPED_BEFORE.search(before) and frames.UNLOCKS.search(f"{before} {after}")
        return bool(is_typed_in or (value.device and value.begins and frames.ACTS.match(after)))
    made = value.look == "typed" or frames.JOINED.search(value.text) is not None
    if _is_called(value, made=made) or _is_way_in(value, near=near, made=made):
        return True
    return _weight_of_word(value, made=made) >= _ENOUGH_FOR_WORD


def _is_called(value: _Value, *, made: bool) -> bool:
    """Called a password, or one of those that somebody has."""
    before, after = value.before, value.after
    named = frames.IS_NAMED.match(after) if value.begins else None
    if named and not said.NOT_ITSELF.match(after, named.end()):
        return True
    if frames.NAMED_BEFORE.search(before) and frames.ASIDE_AFTER.match(after):
        return True
    if not made:
        return False
    is_theirs = len(value.text) <= 24 and frames.LINKED.search(before) and frames.ONE_OF_THEIRS.search(before)
    is_used = frames.USES_IT.search(before) and frames.FOR_ONE.match(after)
    return bool(is_theirs or is_used or frames.PAIRED.search(before))


def _is_way_in(value: _Value, *, near: bool, made: bool) -> bool:
    before, after = value.before, value.after
    if frames.TYPED_BEFORE.search(before):
        return near or frames.UNLOCKS.search(f"{before} {after}") is not None
    if frames.GOT_IN_WITH.search(before):
        return near or made or "." in value.text
    if not near:
        return False
    is_fronted = frames.FRONTED.search(before) and frames.ACT_AFTER.match(after)
    is_doing = value.begins and (frames.ACTS.match(after) or frames.WORKS.match(after))
    return bool(is_fronted or is_doing or frames.TYPED_AFTER.match(after) or frames.WANTS.search(before))


def _weight_of_word(value: _Value, *, made: bool) -> int:
    before, after = value.before, value.after
    has_name = frames.NAME_AND.search(before) is not None
    is_secret = frames.SECRET_WORD.search(before) is not None
    if value.look == "words" and not (has_name or is_secret):
        return 0
    weight = (2 if made else 1) + (2 if is_secret else 0)
    if frames.WIFI.search(before) or (value.look == "typed" and frames.ON_THE_BOX.search(before)):
        weight += 3
    elif frames.HAS_ONE.search(before) or frames.FOR_ONE.match(after):
        weight += 2
    if has_name or frames.PAIR.search(before):
        weight += 3
    elif frames.COMES.search(before):
        weight += 1
    if frames.NAMES_ONE.search(before) and not has_name:
        weight -= 3
    if frames.OTHER_WORD.search(before) or len(value.text) > 32 or frames.DRAWN.match(value.text):
        weight -= 3
    link = frames.LINK_IS.search(before)
    if link and not is_secret and not frames.IS_OF_ONE.search(before, 0, link.start() + 1):
        weight -= 2
    return weight
