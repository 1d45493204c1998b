"""Secrets that are told by name: "the password is …", `API_KEY=…`, a PIN, recovery codes, a seed phrase.

The name says that a value may follow; what links the two and what the value looks like say whether it is one. All
functions take the text, the text in lower case with the same places, and yield (kind, start, end). Each looks at a
bounded piece of text around a name, so that work grows with the length of the text and no faster.
"""

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from commonplace.gate import secretwords as said
from commonplace.gate.secretplaces import Lowered, Sought
from commonplace.gate.secretvalues import (
    is_basic,
    is_hex,
    is_mixed,
    is_placeholder,
    is_random,
    is_strong,
    is_uuid,
    is_word_and_number,
)
from commonplace.patterns import LazyPattern

Span: TypeAlias = tuple[str, int, int]

_WINDOW = 260
_BACK = 90
_WIDE = "\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef"

_PASSWORD = Sought("password", said.PASSWORDS)
_LOOSE_PASSWORD = Sought("loose password", said.LOOSE_CUES)
_PIN = Sought("pin", said.PIN)
_CODE = Sought("code", said.CODE)
_KEY = Sought("key", said.KEY)
_RECOVERY = Sought("recovery", said.RECOVERY)
_SEED = Sought("seed", said.SEED)
_TOTP = Sought("one-time", said.TOTP)

# What stands between a name and its value.
_TAIL = LazyPattern(r"(?:[a-z0-9_à-ɏа-яё-]|\.(?=[a-z])){0,30}")
_CLOSE = (
    r"(?:\\?[\"'`’”»\])*]){0,4}(?:\s?\([^()\n]{1,40}\)|\s(?:there|here|these days|at the moment"
    r"|(?:(?:is|still|is still) )?unchanged|has(?:n['’]t| not) changed|header|value|string)(?=[\s:]))?"
)
_SEPARATOR = r"\s{0,3}(?::=|=>|->|→|==?|:(?!//|:)|：|＝)\s{0,4}"
_VERB = rf"(?:['’]s|,?\s+c['’]est|,?(?:\s+which)?\s+(?P<verb>{said.VERBS}))(?:\s*:|\s+(?:{said.ADVERBS})\b)?\s+"
_FAR_VERB = _VERB.replace("['’]s|", "")
_WIDE_LINK = rf"\s{{0,2}}(?:{said.WIDE_LINKS})\s{{0,2}}[:：]?\s{{0,2}}"
_LINK = rf"(?:(?P<sep>{_SEPARATOR})|(?P<spoken>{_VERB})|(?P<dash>\s+[—–-]\s+)|(?P<wide>{_WIDE_LINK}))"
# Farther away, "'s" says whose it is.
_FAR_LINK = _LINK.replace(r":(?!//|:)", r":(?=[\s\"'`])").replace("['’]s|", "")
_TERM = r"(?:[^\s:=]|:(?=\S)){1,40}"
_DIRECT = LazyPattern(_CLOSE + _LINK)
_QUALIFIED = LazyPattern(
    rf"{_CLOSE}(?P<about>,?\s+(?:{said.BEFORE_QUALIFIER})\s+(?:{_TERM}\s+){{0,8}}?{_TERM}?){_FAR_LINK}"
)
_LABELLED = LazyPattern(rf"{_CLOSE}(?P<about>(?:[ ][^\s:=.]{{1,24}}){{1,3}})(?P<sep>{_SEPARATOR})")
_APPOSED = LazyPattern(rf"{_CLOSE}(?P<about>(?:[ ][^\s:=.,]{{1,24}}){{1,5}}?)(?P<spoken>{_FAR_VERB})")
_ONE_WORD = LazyPattern(r"\s+[^\s\d:=.,]{2,20}\s+")
_SET_TO = LazyPattern(
    r"\s+(?:(?:was|is|has been|got)\s)?(?:as|(?:set|changed|reset|switched)\s(?:from\s\d{4,8}\s)?(?:as|to))\s+"
)
_SET_IN_OTHER_WORDS = LazyPattern(
    r"[^\n\d]{0,40}?\s(?:(?:gesetzt|geändert|gestellt|eingestellt|umgestellt)\sauf|auf|(?:réglé|mis|changé|fixé"
    r"|défini)e?\sà"
    r"|(?:cambiad|puest|fijad|configurad)[oa]\s(?:a|en)|(?:impostat|cambiat)[oa]\s(?:a|su|in)|(?:definid|mudad|alterad"
    r"|trocad)[oa]\s(?:para|como|em)|(?:ingesteld|gezet|veranderd|gewijzigd)\s(?:op|in|naar)|(?:ustawion"
    r"|zmienion)[yaoe]\sna"
    r"|(?:изменён|изменен|сменён|сменен|поменян|установлен|поставлен)\sна|(?:改成|改为|设为|设成|設定|変更)|(?:set"
    r"|changed|reset)"
    r"\s(?:as|to))\s{0,2}"
)
_ASIDED = LazyPattern(
    rf"{_CLOSE}(?P<about>(?:,\s(?:[^\s:;,.\d]{{1,20}}\s?){{1,8}}"
    rf"|\s[—–-]\s(?:[^\s:;,.\d]{{1,20}}\s?){{1,8}}))(?P<sep>[:：]\s{{1,3}})"
)
_CLAUSED = LazyPattern(
    rf"{_CLOSE}(?P<about>(?:,\s[^,\n:]{{3,60}},|\s\([^()\n]{{3,60}}\),?"
    rf"|\s[—–]\s[^—–\n:]{{3,60}}\s[—–]))(?P<spoken>{_FAR_VERB})"
)
_FAR_KEY = LazyPattern(r"[^\n]{0,60}?\b(?:one|it|this|value|below)(?:\sis|\s?:|['’]s)\s{1,2}")
_SEED_SIGN = LazyPattern(r"[,;·、，]")
_NUMBER_LATER = LazyPattern(
    r"[^\n\d.;?!]{0,60}?\s[\"'`“]?((?:(?<=also )|(?<=so )|(?<=namely )|(?<=cioè )|(?<=czyli )|(?!19\d\d"
    r"|20\d\d))\d{4}|\d{6})(?=[\"'`”]?\s{0,2}(?:$|[.,;!)\n]))"
)
_FROM_TO = LazyPattern(r"\sfrom\s(\S{5,64})\sto\s([^\s,;]{5,64})(?<![.!?)])")
_FROM = LazyPattern(r"[^\n\d]{0,40}?\sfrom\s(\d{4,8})\sto\s")
_OF_A_CARD = LazyPattern(
    r"(?:\s(?:atm|card|sim|bank|kartu|saya|visa|mastercard|maestro|karty|telefon\w*|handy|carte|tarjeta|karta"
    r"|kortet)){1,2}\s"
)
_WIDE_QUALIFIED = LazyPattern(rf"(?P<about>[^\s:：=]{{0,12}})(?P<wide>{_WIDE_LINK})")
_LOOSE = LazyPattern(
    rf"{_CLOSE}(?:\s+[-–—]\s+|[,;]?\s+(?:and\s)?(?:now\s)?(?:it['’]s|it is|which is|that['’]s"
    rf"|namely)\s+(?:now\s+)?|\s+|,\s+)"
)
_FAR_LOOSE = LazyPattern(rf"\s+(?:{said.BEFORE_QUALIFIER})\s+\S{{1,30}}(?:\s+\S{{1,30}})?\s+")
_SWITCHED = LazyPattern(
    r"(?:\s+(?:for|of|on|at|von|vom|für|de|del|du|do|da|van|på|do|от)\s+(?:[^\s:=.]{1,30}\s+){0,4}?[^\s:=.]{1,30}?)?"
    r"(?:\s+from\s+(?P<old>\S{1,64}))?\s+(?P<prep>to|auf|a|para|en|in|à|pour|naar|till|na|на)\s+"
)
_CHANGED = LazyPattern(rf"(?:,?\s+(?:{said.BEFORE_QUALIFIER})\s+(?:{_TERM}\s+){{0,6}}?{_TERM}?)?{said.CHANGED_TO}")

_QUOTED = LazyPattern(
    r"\\?(?:\"([^\"\n]{1,200}?)\\?\"|'([^'\n]{1,200}?)\\?'|\*{0,2}`{1,3}([^`\n]{1,200})`|“([^”\n]{1,200})”"
    r"|«\s?([^»\n]{1,200}?)\s?»"
    r"|„([^“”\n]{1,200})[“”]|‘([^’\n]{1,200})’|「([^」\n]{1,200})」|『([^』\n]{1,200})』|\*\*([^*\n]{1,200})\*\*)"
)
_BARE = LazyPattern(rf"[^\s\"'`“”«»„<>{_WIDE}。，；、]{{1,200}}")
_ENDS = LazyPattern(r"[\"'”»)*_`]{0,3}\s{0,2}(?:$|[\n.,;!?)。，！]|(?:\(|-|–|—)\s?)|है|입니다|예요|です")
_ENDS_QUOTED = LazyPattern(
    rf"{_ENDS.pattern}|[\"'`”’“]\s?(?:for|to|on|in|at|für|pour|para|per|voor|nennen|sagen|angeben|verwenden|nehmen"
    rf"|zeggen)\b"
)
_WORDS = LazyPattern(r"[a-zà-ɏ]{3,12}(?: [a-zà-ɏ]{1,12}){2,9}(?=[\"'”.,;!?)]{0,2}\s{0,2}(?:$|\n))")

_WORDS_AND_NUMBERS = LazyPattern(r"[a-zà-ɏ]{3,12}(?: [a-zà-ɏ0-9]{1,12}){1,5}(?=[\"'”.,;!?)]{0,2}\s{0,2}(?:$|\n))")
_GROUPS = LazyPattern(r"\d{1,2}(?:-\d{1,2}){2,4}$|\d{3,4}-\d{3,4}$")
_DIGIT_GROUPS = LazyPattern(r"\d{2,4}(?: \d{2,4}){1,3}(?=[\"'”.,;!?)]{0,2}\s{0,2}(?:$|\n))")
_PAIR = LazyPattern(r"[\w.@+-]{2,40}\s?[/|]\s?([^\s/|\"'`,;]{5,64})(?<![.)])")
_ASIDE = LazyPattern(r"\s?\(([^()\s]{4,64})\)")
_DIGITS = LazyPattern(
    r"(?:(?:le|la|the|el|il|o|nr\.?)\s)?[\"'`*“#]{0,3}"
    r"(\d{4,8}|\d{2}[ ]\d{2}|\d(?:[ -]\d){3,7}|\d{3}[ -]\d{3})(?![\w.,:/-]*[\da-z])"
)
_COMBINATION = LazyPattern(
    r"(?:(?:le|la|the|el|il|o|nr\.?)\s)?[\"'`*“]{0,3}("
    r"\d{1,2}\s?(?:[lr]|left|right)(?:[\s,-]{1,3}\d{1,2}\s?(?:[lr]|left|right)){1,3}|[#*]?\d{3,10}[#*]"
    r"|[#*]\d{3,10}|\d{3,10}"
    r"|\d{1,2}(?:\s?[-–/]\s?\d{1,2}){2,4}|\d{3}-\d{2}-\d{3}|\d{4}-\d{3}-\d{4}|\d{3}[ -]\d{3}"
    r"|(?=[a-zа-я-]{0,9}\d)[a-zа-я0-9]{2,10}(?:-[a-z0-9]{2,10}){0,3}[#*]?)(?![\w.:/-]*[\da-z])"
)
_SPOKEN_DIGITS = LazyPattern(rf"{said.DIGIT_WORD}(?:[ ,-]{{1,2}}{said.DIGIT_WORD}){{3,7}}\b")
_GROUP = LazyPattern(r"\d{4} \d{4}(?![\w@/])|[A-Za-z0-9]{3,12}(?:[-–][A-Za-z0-9]{3,12}){0,7}(?![\w@/])")
_CODE_WORD = LazyPattern(r"(?<![\w@/.-])(?:\d{4} \d{4}|[A-Za-z0-9][A-Za-z0-9–-]{4,100})(?![\w@/])")
_GAP = LazyPattern(r"[\s,;/|·•*`\"'&+-]{1,8}(?:(?:and|und|et|y|e|en|och|i|и)\s)?(?:\(?\d{1,2}[.):]\s{0,2})?")
_LISTED_CODES = LazyPattern(
    r"\b([a-z0-9]{4}-[a-z0-9]{4}|[a-z0-9]{5}-[a-z0-9]{5}"
    r"|[a-z0-9]{6}-[a-z0-9]{6})(?:[\s,;/]{1,4}[a-z0-9]{4,6}-[a-z0-9]{4,6}){1,19}\b"
)
_DIGIT = LazyPattern("[0-9]")
_PHRASE = LazyPattern("phrase|verbal|spoken|telephone|codeword|code word")
_TWO_WORDS = LazyPattern(r"[a-zà-ɏ]{3,12} [a-zà-ɏ]{3,12}(?=[\"'”.,;!?)]{0,2}\s{0,2}(?:$|\n))")
_CAPITALS = LazyPattern(r"[A-Z][a-z]{1,20}(?:_[A-Z][a-z]{1,20}){1,4}$")
_WIDE_END = LazyPattern(f"[{_WIDE}]")
_TYPED = LazyPattern(r"[!#$%^&*?]")
_HUMP = LazyPattern("[a-z][A-Z]")
_DATE = LazyPattern(r"(?:19|20)\d\d-\d\d-\d\d$")
_KEYPAD = Sought(
    "keypad",
    r"(?:code|código|codice|kod|код|コード|码)[^\n\d#*]{1,40}((?<![\w/])[*]\d{3,10}[#*]?|\b\d{3,10}[#*])(?!\w)",
)
_SURE_SEED = LazyPattern("seed|recovery|mnemo|récup|recup|semilla")
_SEED_WORD = LazyPattern(r"[a-zà-ɏ]{3,10}(?![\w@'])")
_SEED_GAP = LazyPattern(r"[\s,;·：:「『\"'|-]{0,4}(?:\d{1,2}[.):]?\s{0,2})?[\s,;·\"'|]{0,3}")
_WIDE_SEED = LazyPattern(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,4}(?:[\s、，,]{1,2}[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,4}){11,23}"
)
_BASE32 = LazyPattern(r"[\"'`]?((?:[a-z0-9]{4}[ -]?){4,16}[a-z0-9]{0,4})(?![a-z0-9])")
_RADIO = LazyPattern(r"^802|hz|bps|band|^\d")
_NEVER_IN_KEYS = frozenset(",\\|(){}<>[]")
_HASH_TALK = LazyPattern(
    r"commit|\bsha(?![a-z])|hash|digest|checksum|fingerprint|revision|md5|uuid|guid|\bid\b|version|etag|prüfsumme"
    r"|somme|хеш"
    r"|哈希"
)


def all_told(text: str, low: Lowered) -> Iterator[Span]:
    """What any of the rules below finds."""
    for rule in _RULES:
        yield from rule(text, low)


def passwords(text: str, low: Lowered) -> Iterator[Span]:
    for cue in _PASSWORD.found_in(low):
        kind = "passphrase" if "phrase" in cue.group() else "password"
        for start, end in _password_after(text, low, cue.start(), cue.end()):
            yield kind, start, end
        yield from _password_before(text, low, cue.start(), cue.end(), kind)
    for cue in _LOOSE_PASSWORD.found_in(low):
        if (
            low[max(0, cue.start() - 12) : cue.start()]
            .rstrip()
            .endswith(("boarding", "ski", "bus", "travel", "season", "day", "rail"))
        ):
            continue
        stop = cue.end() + _WINDOW
        if old := _FROM_TO.match(low, cue.end()):
            for group in (1, 2):
                if is_strong(old.group(group), 5) and not is_placeholder(old.group(group)):
                    yield "password", *old.span(group)
            continue
        for form in (_DIRECT, _QUALIFIED, _LABELLED) if cue.group() == "clave" else (_DIRECT, _QUALIFIED):
            link = form.match(low, cue.end(), stop)
            if link and said.BANNED_ABOUT.search(link.groupdict().get("about") or ""):
                continue
            if link and (place := _loosely_told(text, low, link.end(), cue.group())):
                yield "password", *place
                break


def _loosely_told(text: str, low: str, at: int, name: str) -> tuple[int, int] | None:
    """Where the value at `at` stands, if it looks like one: its name has other meanings."""
    place = _value_at(text, at)
    if place is None:
        return None
    value = text[slice(*place)]
    is_number = value.isdigit() and 4 <= len(value) <= 63 and not said.UNITS.match(low, place[1])
    is_number = (is_number or bool(_GROUPS.match(value))) and name != "pass"
    is_quoted = place[0] > at and is_word_and_number(value)
    return place if is_number or is_quoted or (is_strong(value, 5) and not is_placeholder(value)) else None


def _password_after(text: str, low: str, start: int, at: int) -> Iterator[tuple[int, int]]:
    tail = _TAIL.match(low, at)
    after = tail.end() if tail else at
    named = low[at:after]
    if named and _WIDE_END.match(low, at - 1) and (place := _value_at(text, at)):  # no space is written after the name
        value = text[slice(*place)]
        is_number = value.isdigit() and 4 <= len(value) <= 12 and not said.UNITS.match(low, place[1])
        if (
            value.isascii()
            and value[0].isalnum()
            and (is_number or (is_strong(value, 6) and not is_placeholder(value)))
        ):
            yield place
            return
    if named and said.BANNED_TAIL.search(named.lstrip("s")):
        return
    stop = after + _WINDOW
    is_english = low.startswith(("pass", "pw", "psk"), start)  # elsewhere what describes a word may follow it
    switched = _CHANGED.match(low, after, stop)
    if not switched and said.CHANGING.search(low[max(0, start - 70) : start]):
        switched = _SWITCHED.match(low, after, stop)
    if switched and (place := _told(text, low, switched.end(), "verb")):
        value = text[slice(*place)]
        if (old := switched.groupdict().get("old")) and is_strong(old, 5) and not is_placeholder(old):
            yield switched.span("old")
        # "Changed to" has a value after it; "changé en" may have a month.
        if switched["prep"] == "to" or place[0] > switched.end() or (" " not in value and is_strong(value, 5)):
            yield place
            return
    for form in (_DIRECT, _QUALIFIED, _LABELLED, _APPOSED, _WIDE_QUALIFIED, _ASIDED, _CLAUSED):
        link = form.match(low, after, stop)
        if link is None:
            continue
        groups = link.groupdict()
        if (said.BANNED_ABOUT if form in {_QUALIFIED, _ASIDED, _CLAUSED} else said.BANNED_TAIL).search(
            groups.get("about") or ""
        ):
            continue
        verb = groups.get("verb")
        if verb == "to" and not low.startswith("has", start):  # "is" in Polish alone
            continue
        spoken = verb in said.LOOSE_VERBS
        how = "separator" if groups.get("sep") else "verb"
        is_dashed = groups.get("dash") and "phrase" not in low[start:at]
        if spoken or form is _WIDE_QUALIFIED or (is_english and (form is _APPOSED or is_dashed)):
            how = "loose"
        if place := _told(text, low, link.end(), how):
            yield place
            return
    link = _LOOSE.match(low, after, stop)
    if link and (place := _told(text, low, link.end(), "loose")):
        yield place
    owned = said.HAS_THE.search(low[max(0, start - 50) : start])
    if owned and (word := said.LAST_WORD.match(low, after)) and word.group(1) not in said.NOT_A_PASSWORD:
        yield word.span(1)
    link = _ONE_WORD.match(low, after, stop)
    if link and not (said.BANNED_TAIL.search(link.group()) or said.NAMES_ANOTHER.search(link.group())):
        quoted, place = _QUOTED.match(text, link.end()), _value_at(text, link.end())
        value = text[slice(*place)] if place else ""
        is_phrase = quoted and " " in value
        if place and is_phrase and (said.NOT_IN_QUOTES | said.ON_LABELS).isdisjoint(value.lower().split()):
            yield place
        is_value = is_strong(value, 6) and any(map(str.isdigit, value)) and not is_placeholder(value)
        if place and not is_english and not is_phrase and is_value and _is_name_of(link.group()):
            yield place
    if not low[start:at].isascii() and (link := _FAR_LOOSE.match(low, after, stop)):
        place = _value_at(text, link.end())
        if place and is_strong(text[slice(*place)], 6) and not is_placeholder(text[slice(*place)]):
            yield place
    aside = _ASIDE.match(text, after)
    if aside and is_strong(aside.group(1), 5) and not is_placeholder(aside.group(1)):
        yield aside.span(1)


def _is_name_of(word: str) -> bool:
    return word.strip() not in said.NOT_A_PASSWORD


def _password_before(text: str, low: str, at: int, end: int, kind: str) -> Iterator[Span]:
    """ "hunter2 is the password", "uses hunter2 as a password"."""
    start = max(0, at - _BACK)
    before = low[start:at]
    if said.NOT_ITSELF.match(low, end):
        return
    phrase = said.AS_THE_QUOTED.search(before)
    if phrase and said.NOT_IN_QUOTES.isdisjoint(phrase.group(1).split()) and not is_placeholder(phrase.group(1)):
        yield kind, start + phrase.start(1), start + phrase.end(1)
        return
    found = said.AS_THE.search(before) if " " in before else None
    found = found or (None if before.isascii() else said.AS_THE_WIDE.search(before))
    if found is None:
        return
    group = found.lastindex or 1
    value = text[start + found.start(group) : start + found.end(group)]
    bare = value.strip("\"'`“”«».,;:()")
    quoted = value[0] in "\"'`“«" and len(bare) >= 4
    if bare and not is_placeholder(bare) and (is_strong(bare, 6) or quoted):
        begin = start + found.start(group) + value.index(bare)
        yield kind, begin, begin + len(bare)


def _told(text: str, low: str, at: int, how: str) -> tuple[int, int] | None:
    """Where the password at `at` stands, if one does."""
    place = _value_at(text, at)
    if place is None:
        return None
    if how != "loose" and (pair := _PAIR.match(text, at)) and is_strong(pair.group(1), 5):
        return pair.span(1)
    if how != "loose" and (groups := _DIGIT_GROUPS.match(low, at)) and not said.UNITS.match(low, groups.end()):
        return groups.span()
    start, end = place
    value, lower, quoted = text[start:end], low[start:end], start > at
    if how != "loose" and not quoted and (words := _WORDS_AND_NUMBERS.match(low, start)):
        parts = words.group().split()
        if (
            any(c.isdigit() for c in words.group())
            and said.NOT_A_PASSWORD.isdisjoint(parts)
            and _is_phrase(words.group())
        ):
            return words.span()
    words = None if how == "loose" or quoted else _WORDS.match(low, start)
    if words and _is_phrase(words.group()) and not said.REMARK.search(words.group()):
        return words.span()
    if how != "loose" and not quoted and (words := _TWO_WORDS.match(low, start)):
        parts = frozenset(words.group().split())
        if _PHRASE.search(low, max(0, at - 60), at) and parts.isdisjoint(said.NOT_A_PASSWORD | said.NOT_IN_PHRASES):
            return words.span()
    if said.is_said_of_one(text, low, start, end):
        return None
    if is_placeholder(value) and not (how != "loose" and _GROUPS.match(value)):
        return None
    if quoted and how != "loose":
        return place if len(value) >= 3 and said.NOT_IN_QUOTES.isdisjoint(lower.split()) else None
    if " " in value:
        is_label = not (said.NOT_IN_QUOTES | said.ON_LABELS).isdisjoint(lower.rstrip("?!.:").split())
        return place if quoted and not is_label and low[at - 1] == " " and len(value.split()) <= 10 else None
    if quoted and len(value) >= 5 and value.isalpha() and _ENDS_QUOTED.match(low, end):
        return place
    if value.strip("*#").replace("-", "").isdigit():
        named = low[max(0, start - 30) : start]
        shortest = 6 if how == "loose" and named.isascii() and "passcode" not in named else 4
        return place if shortest <= len(value) <= 20 and not said.UNITS.match(low, end) else None
    if is_strong(value, 5 if how == "loose" else 4) or _CAPITALS.match(value):
        return place
    bare = value.rstrip("!?")
    if how == "loose" or len(bare) < 4 or not bare.replace("-", "").replace("_", "").isalpha():
        return None
    if "_" in value:  # as a name in a program is written, or as nobody writes
        return place if not value.islower() and not value.isupper() else None
    is_comment = len(value) >= 6 and lower.endswith(("ed", "able", "ible", "ous", "less", "ive"))
    return place if not is_comment and _ENDS.match(low, end) else None


def _is_phrase(words: str) -> bool:
    listed = words.split()
    return len(listed) >= 2 and said.NOT_IN_PHRASES.isdisjoint(listed)


def _value_at(text: str, at: int) -> tuple[int, int] | None:
    """Where the value that begins at `at` stands, without quotation marks and final punctuation."""
    quoted = _QUOTED.match(text, at)
    if quoted:
        number = next(n for n in range(1, (quoted.lastindex or 0) + 1) if quoted.group(n) is not None)
        return quoted.span(number)
    bare = _BARE.match(text, at)
    if bare is None:
        return None
    value = bare.group()
    if ";" in value and "=" in text[max(0, at - 2) : at]:  # one of several settings on a line
        value = value.split(";")[0]
    if "&" in value and "=" in value:  # one of several in an address
        value = value.split("&")[0]
    value = value.rstrip(".,;:*_)]}\\") if not value.endswith("**") else value[:-2].rstrip(".,;:")
    return (at, at + len(value)) if value else None


# -- keys and tokens ------------------------------------------------------------------------------------------------


def keys(text: str, low: Lowered) -> Iterator[Span]:
    for cue in _KEY.found_in(low):
        before = low[max(0, cue.start() - 24) : cue.start()]
        if said.NOT_SECRET_KEY.search(before) or _is_part_of_a_word(text, cue):
            continue
        if not (
            _DIGIT.search(low, cue.end(), cue.end() + _WINDOW) or _HUMP.search(text, cue.end(), cue.end() + _WINDOW)
        ):
            continue
        tail = _TAIL.match(low, cue.end())
        after = tail.end() if tail else cue.end()
        named = low[cue.end() : after]
        if named.strip("s_-0123456789") and said.BANNED_TAIL.search(named):
            continue
        word = cue.group()
        explicit = bool(
            said.EXPLICIT.search(before)
            or said.EXPLICIT_AFTER.match(low, after)
            or word in {"apikey", "credential", "creds", "令牌", "密钥", "密鑰"}
            or (named and _KEY.search(named))
        )
        if place := _key_after(text, low, after, word, explicit=explicit):
            yield "key or token", *place


def _is_part_of_a_word(text: str, cue: re.Match[str]) -> bool:
    """A monkey has no key; an apikey and an accessKey have."""
    if cue.group() != "key" or cue.start() == 0 or not text[cue.start() - 1].isalpha() or text[cue.start()].isupper():
        return False
    return (
        not text[max(0, cue.start() - 7) : cue.start()].lower().endswith(("api", "access", "secret", "private", "auth"))
    )


def _key_after(text: str, low: str, after: int, word: str, *, explicit: bool) -> tuple[int, int] | None:
    stop = after + _WINDOW
    for form in (_DIRECT, _QUALIFIED, _LABELLED, _APPOSED, _WIDE_QUALIFIED, _LOOSE, _FAR_KEY):
        link = form.match(low, after, stop)
        if link is None:
            continue
        about = link.groupdict().get("about") or ""
        if (said.BANNED_ABOUT if form is _QUALIFIED else said.BANNED_TAIL).search(about) or _HASH_TALK.search(about):
            continue
        place = _value_at(text, link.end())
        if place is None or low.startswith("arn:", place[0] - 4):
            continue
        if _HASH_TALK.search(low, max(0, after - 34), place[0]):
            continue
        value = text[place[0] : place[1]]
        scheme = re.match(r"(?i)(?:bearer|basic|token|digest|apikey|key)\s+", value)
        bare = _BARE.match(text, place[0] + scheme.end()) if scheme else None
        if place[0] > link.end() and explicit and _is_drawn(value):
            return place
        if bare:
            place, value = bare.span(), bare.group()
        elif re.fullmatch(r"(?i)bearer|basic|token|apikey", value) and (
            bare := LazyPattern(r"\s+([^\s\"'`]{8,200})").match(text, place[1])
        ):
            place, value = bare.span(1), bare.group(1)
        is_quoted = place[0] > link.end() and low[:after].endswith(("shared secret", "webhook secret", "client secret"))
        linked = form not in {_LOOSE, _FAR_KEY} or is_quoted
        if " " not in value and _is_key(value, word, explicit=explicit, linked=linked):
            return place
    return None


def _is_drawn(value: str) -> bool:
    """Letters, digits and many marks within quotation marks: what frameworks draw as their secret."""
    marks = {c for c in value if not c.isalnum()}
    return len(value) >= 16 and " " not in value and len(marks - set("-_./:")) >= 4 and bool(_DIGIT.search(value))


def _is_key(value: str, word: str, *, explicit: bool, linked: bool) -> bool:
    if is_placeholder(value) or not _NEVER_IN_KEYS.isdisjoint(value):
        return False
    if is_uuid(value):
        return explicit or word in {"token", "secret", "токен", "トークン", "토큰"}
    if is_hex(value) and any(c.isdigit() for c in value):
        return len(value) >= (24 if not linked or not explicit else 12)
    if is_basic(value) or (value.startswith("0x") and is_hex(value) and len(value) >= 60):
        return True
    if explicit and linked:
        shared = word == "secret" and is_strong(value, 8) and any(c.isdigit() for c in value)
        return is_random(value, 8) or (len(value) >= 12 and is_mixed(value)) or shared
    if not linked and "=" in value.rstrip("="):
        return False
    return is_random(value, 12 if explicit else 16)


# -- numbers that open something ------------------------------------------------------------------------------------


def pins(text: str, low: Lowered) -> Iterator[Span]:
    for cue in _PIN.found_in(low):
        is_sure = text[cue.start()].isupper() or cue.group() != "pin" or not cue.group().isascii()
        is_sure = is_sure or said.OF_SOMEBODY.search(low, max(0, cue.start() - 20), cue.start()) is not None
        if old := _FROM.match(low, cue.end()):
            yield "PIN", *old.span(1)
        for form in (
            *(_SET_TO, _DIRECT, _QUALIFIED, _LABELLED, _APPOSED, _SET_IN_OTHER_WORDS, _ASIDED, _CLAUSED),
            *(_LOOSE, _ONE_WORD, _WIDE_QUALIFIED, _FAR_LOOSE, _OF_A_CARD),
        ):
            link = form.match(low, cue.end(), cue.end() + _WINDOW)
            if link is None or (form in {_LOOSE, _ONE_WORD, _FAR_LOOSE, _OF_A_CARD} and not is_sure):
                continue
            number = _DIGITS.match(low, link.end())
            spoken = _SPOKEN_DIGITS.match(low, link.end())
            if spoken:
                yield "PIN", *spoken.span()
                break
            if number and _is_postal(low, cue, number):
                break
            if number and not said.UNITS.match(low, number.end(1)) and not said.ON_A_MAP.match(low, number.end(1)):
                yield "PIN", *number.span(1)
                break
        else:
            of_card = is_sure or said.CARD.search(low, max(0, cue.start() - 30), cue.end() + 30)
            number = _NUMBER_LATER.match(low, cue.end()) if of_card else None
            if number and not said.NO_PIN_YET.search(number.group()) and not _is_postal(low, cue, number):
                yield "PIN", *number.span(1)
    for found in said.IS_THE_PIN.found_in(low):
        group = found.lastindex or 1
        if not said.UNITS.match(low, found.end(group)):
            yield "PIN", *found.span(group)


def _is_postal(low: str, cue: re.Match[str], number: re.Match[str]) -> bool:
    """In India a PIN code of six digits is where somebody lives."""
    if len(number.group(1).replace(" ", "")) != 6 or "pin" not in cue.group():
        return False
    near = low[max(0, cue.start() - 50) : number.end() + 40]
    return said.POSTAL.search(near) is not None and said.NOT_POSTAL.search(near) is None


def codes(_text: str, low: Lowered) -> Iterator[Span]:
    for cue in _CODE.found_in(low):
        if not _DIGIT.search(low, cue.end(), cue.end() + _WINDOW):
            continue
        for form in (_DIRECT, _QUALIFIED, _LABELLED, _APPOSED, _LOOSE, _WIDE_QUALIFIED):
            link = form.match(low, cue.end(), cue.end() + _WINDOW)
            number = _COMBINATION.match(low, link.end()) if link else None
            if number and form is _LOOSE and (len(number.group(1)) < 4 or said.BUILDING_CODE.match(cue.group())):
                continue
            if number and not said.UNITS.match(low, number.end(1)) and not _DATE.match(number.group(1)):
                yield "access code", *number.span(1)
                break


def keypad_codes(_text: str, low: Lowered) -> Iterator[Span]:
    """What ends with the key for "enter" of a keypad needs no more words."""
    for found in _KEYPAD.found_in(low):
        yield "access code", *found.span(1)


def recovery_codes(text: str, low: Lowered) -> Iterator[Span]:
    for cue in _RECOVERY.found_in(low):
        first = _first_code(text, cue.end())
        listed = _LISTED_CODES.search(low, cue.end(), cue.end() + _WINDOW)
        if listed and (first is None or listed.start() < first.start()):
            yield "recovery codes", *listed.span()
        if first is None:
            continue
        end, length = first.end(), len(first.group())
        while gap := _GAP.match(text, end):
            code = _GROUP.match(text, gap.end())
            if code is None or not (_is_code(code.group()) or (len(code.group()) == length and "-" in code.group())):
                break
            end = code.end()
        yield "recovery codes", first.start(), end


def _first_code(text: str, at: int) -> re.Match[str] | None:
    """The first code within a few words after their name."""
    for word in _CODE_WORD.finditer(text, at, at + 90):
        if _is_code(word.group()):
            return word
    return None


def _is_code(word: str) -> bool:
    """Digits with letters, or a long number: not a word, a year or a version."""
    digits = sum(c.isdigit() for c in word)
    if len(word) < (5 if digits == len(word) else 6) or digits == 0 or is_placeholder(word):
        return False
    if word.replace(" ", "").isdigit():
        return True
    parts = re.split("[-–]", word)
    if all(part.isdigit() for part in parts):
        return len(parts) > 1 and not re.fullmatch(r"\d{4}-\d\d(-\d\d)?", word)
    return digits >= 2 or len(parts) > 1


def seed_phrases(_text: str, low: Lowered) -> Iterator[Span]:
    for cue in _SEED.found_in(low):
        stop = min(len(low), cue.end() + 60)
        wide = None if low.isascii() else _WIDE_SEED.search(low, cue.end(), cue.end() + 200)
        if wide:
            yield "seed phrase", *wide.span()
            continue
        at = cue.end()
        while at < stop:
            words, end = _seed_run(low, at)
            signs = len(_SEED_SIGN.findall(low, at, end))
            if 0 < signs < len(words) - 3:  # a list of things with two words each
                break
            is_short = len(words) >= 8 and said.NOT_A_PASSWORD.isdisjoint(words) and _SURE_SEED.search(cue.group())
            if len(words) >= 12 or is_short:
                yield "seed phrase", at, end
                break
            following = LazyPattern(r"[\s:：「『,.;=\"'(-]+").search(low, max(at + 1, end), stop)
            if following is None:
                break
            at = following.end()


def _seed_run(low: str, at: int) -> tuple[list[str], int]:
    """The words in a row from `at` on that could be of a seed phrase, and where they end."""
    words: list[str] = []
    end = at
    gap = _SEED_GAP.match(low, at)
    place = gap.end() if gap else at
    while len(words) < 24 and (word := _SEED_WORD.match(low, place)):
        if word.group() in said.NOT_IN_SEEDS:
            break
        words.append(word.group())
        end = word.end()
        gap = _SEED_GAP.match(low, end)
        place = gap.end() if gap and gap.end() > end else len(low)
    return words, end


def one_time_seeds(_text: str, low: Lowered) -> Iterator[Span]:
    for cue in _TOTP.found_in(low):
        link = (
            _DIRECT.match(low, cue.end())
            or _QUALIFIED.match(low, cue.end(), cue.end() + _WINDOW)
            or _LOOSE.match(low, cue.end())
        )
        seed = _BASE32.match(low, link.end()) if link else None
        if seed and (any(c.isdigit() for c in seed.group(1)) or _text[seed.start(1) : seed.end(1)].isupper()):
            yield "one-time password seed", *seed.span(1)


def credentials(text: str, low: Lowered) -> Iterator[Span]:
    for found in (*said.CREDENTIALS.found_in(low), *said.LOGGED_IN.found_in(low)):
        start, end = found.span(1)
        value = text[start:end].rstrip(".,;)\"'`")
        if is_strong(value, 5) and not is_placeholder(value) and not _RADIO.search(low[start:end]):
            yield "password", start, start + len(value)
    for found in said.APP_PASSWORD.found_in(low):
        if _is_phrase(found.group(1)):
            yield "password", *found.span(1)


def of_administrators(text: str, low: Lowered) -> Iterator[Span]:
    """ "The router is admin/…": without a word for what it is."""
    of_machine = said.MACHINE.is_in(low)
    for found in said.ADMIN.found_in(low):
        value = text[slice(*found.span(1))].rstrip(".,;)\"'`")
        is_typed = of_machine or (_TYPED.search(value) and _DIGIT.search(value))
        if is_typed and is_strong(value, 6) and "." not in value and not is_placeholder(value):
            yield "password", found.start(1), found.start(1) + len(value)
    if not of_machine:
        return
    for found in said.ANYBODY.found_in(low):
        value = text[slice(*found.span(1))].rstrip(".,;)\"'`")
        is_typed = _TYPED.search(value) or (is_random(value, 12) and _HUMP.search(value))
        is_public = said.PUBLIC.search(low, max(0, found.start(1) - 70), found.start(1))
        is_typed = is_typed and not is_public
        if is_typed and any(map(str.isdigit, value)) and is_strong(value, 6) and not is_placeholder(value):
            yield "password", found.start(1), found.start(1) + len(value)


def card_codes(_text: str, low: Lowered) -> Iterator[Span]:
    for found in said.CVV.found_in(low):
        yield "card security code", *found.span(1)


_RULES: tuple[Callable[[str, Lowered], Iterator[Span]], ...] = (
    passwords,
    keys,
    pins,
    codes,
    keypad_codes,
    recovery_codes,
    seed_phrases,
    one_time_seeds,
    credentials,
    of_administrators,
    card_codes,
)
