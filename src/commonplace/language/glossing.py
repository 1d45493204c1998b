"""A text in another language as rough English, word by word, so that what compares English can compare it: a bilingual
dictionary for each language. Pure.

"Wohnt seit 2019 in Basel" becomes "lives since 2019 in Basel". The order of words stays; names and what is not in the
list stay as they are. Each language has a plain list (`glosses/de.tsv`: a word, a tab, what it mostly means in notes
about somebody), the commonest words first; its words are taken in when a text first seems to be in that language.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import islice, takewhile
from pathlib import Path
from zlib import crc32

from commonplace.language import STOP_WORDS, normalise
from commonplace.language.kinship import row_of
from commonplace.language.monthnames import MONTHS
from commonplace.patterns import LazyPattern

_FOLDER = Path(__file__).with_name("glosses")
_LATIN = ("de", "es", "fr", "it", "nl", "pl", "pt", "sv", "tr")
_SCRIPTS = {
    "zh": LazyPattern("[\u3400-\u9fff]"),
    "ko": LazyPattern("[\uac00-\ud7af]"),
    "ru": LazyPattern("[\u0400-\u04ff]"),
    "ar": LazyPattern("[\u0600-\u06ff]"),
    "hi": LazyPattern("[\u0900-\u097f]"),
}
_KANA = LazyPattern("[\u3040-\u30ff]")
_WIDE = LazyPattern("[\u3005\u3040-\u30ff\u3400-\u9fff]+")
_LEFT = LazyPattern(  # what no list has; kana that only bend a Japanese word say nothing
    "[\u0400-\u04ff\u0600-\u06ff\u0900-\u0963\u0966-\u097f\u30a0-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)
_KOREAN_ENDING = LazyPattern("(?<=..)(?:입니다|이에요|예요|이다|에서|으로|은|는|이|가|을|를|의|에|와|과|도|로|씨|님)$")
_KOREAN_NAME = 3  # syllables of most names, of which the last may look like an ending
_KOREAN_SURNAMES = frozenset(
    "김이박최정강조윤장임한오서신권황안송류홍전고문양손배백허남심노하곽성차주우구민유진지엄채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모"
)
_MARKS = "bdfghjklmnprstvz"
_DATE = LazyPattern("(\\d{1,2})\\s?[月월](?:\\s?(\\d{1,2})\\s?[日号號일])?")
_HINDI = LazyPattern("[\u0900-\u0963\u0966-\u097f]+")  # its vowel signs are no letters to Python
_WORD = re.compile(
    r"(?P<code>(?<!\S)\S*\w[./@=\\]\w\S*|[\[#]\w+)"  # addresses, paths, names in code: no words
    r"|(?<![\w])[^\W\d_]+(?!\w)"
)
_JOINED = re.compile(r"(?<!\w)[^\W\d_]+(?:[-'\u2019][^\W\d_]+)+(?!\w)")  # "grand-mère", "aujourd'hui"
_ELISION = re.compile(r"(?<=[^\W\d_])['\u2019](?=[^\W\d_])")
_SUFFIX = re.compile(r"(?<=[^\W\d_])['\u2019][^\W\d_]+")  # of a Turkish name
_SENTENCE = re.compile(r"[.!?:;\u2014\u2013]\s+|\A\W+")
_ARTICLES = LazyPattern("(?:[وف]?(?:[بك]?ال|لل)|[وفبلك])(?=\\w{3})")
_CALLED = LazyPattern(r"\b(?:si chiama|se llama|s['\u2019]appelle|se chama)\b")
# What several words say together: that something has ended.
_PHRASES = {
    "de": (r"\bnicht mehr\b(?! als)", r"\bkeine?[nmrs]? (\w+(?: \w+)?) mehr\b"),
    "es": (r"\bya no\b",),
    "fr": (r"\bn(?:e |['\u2019])(\w+(?: \w+)?) plus\b(?! d[e'\u2019]\s*\d)",),
    "it": (r"\bnon (\w+(?: \w+)?) più\b(?! d)",),
    "nl": (r"\bniet (?:meer|langer)\b(?! dan)", r"\bgeen (\w+(?: \w+)?) meer\b"),
    "pl": (r"\bjuż nie\b", r"\bnie (\w+) już\b"),
    "pt": (r"\bjá não\b", r"\bnão (\w+(?: \w+)?) mais\b(?! d)"),
    "ru": (r"\b(?:больше|уже) не(?:т)?\b",),
    "sv": (r"\binte (\w+ )?längre\b(?! än)", r"\binga? (\w+(?: \w+)?) längre\b"),
    "ko": (r"\b더 ?이상",),
}
_LONGEST = 10_000  # what is longer is no talk, and stays as it is
_COMMON = 250  # so many words of a list count more: every text has some of them
_FEW = 40  # words: looking for so many costs as much as making a dictionary
_STEM = 4
_ENDING = 4
_LONGEST_WIDE = 12
_WELL_KNOWN = 6000  # of the table of English words, the commonest first
_PLAIN = 2  # so many words that only English has show that a text is English
# Words that other languages have too, with another meaning.
_ELSEWHERE = frozenset(
    "a all am an as at be been but by d de do den die door has he her here him his how i in is it its just let m me"
    " men more most no nor now of off on or other our out over own re s same so some such t them then there to too"
    " under up us was we were who will".split()
)
_NOTED = frozenset("user users uses prefers likes dislikes lives works wants pays owns keeps rent rents vet".split())
_PLAINLY_ENGLISH = (STOP_WORDS - _ELSEWHERE) | _NOTED
# Words of the trade and names of products: the same in any language, though they look like a form of one of its words.
_TRADE = frozenset(
    """
    backend frontend standup rebase login repo plugin plugins graphql backlog scrum kanban webhook endpoint staging
    airflow angular ansible asana bugsnag cassandra celery clickhouse confluence consul cypress datadog debian
    dependabot discord django docker elasticsearch emacs envoy eslint express fastapi figma firebase flask grafana
    hadoop haproxy hubspot intellij intercom istio jaeger jenkins jira jupyter kafka keras klarna kotlin kubernetes
    laravel linear linux loki looker macos mailgun mariadb meilisearch metabase mollie mongodb neovim netlify nextjs
    nginx nomad notion numpy obsidian opsgenie packer pagerduty pandas playwright podman poetry postgres postman
    postmark prettier prometheus pytest pytorch rabbitmq rails redis renovate rollbar rollup ruff salesforce
    sendgrid sentry slack snowflake storybook stripe supabase superset svelte swagger symfony tailwind terraform
    traefik trello twilio typesense typescript vagrant vercel vitest webpack zendesk
    """.split()
)
_PARTICLES = frozenset("da das de del della den der des di do dos du la le van von".split())  # parts of names
_TITLES = frozenset(
    "frau herr herrn dr prof familie firma kollege kollegin nachbar nachbarin bei heißt heisst hieß namens".split()
)
_GERMAN_ENDINGS = frozenset(["", *"e en end er ern em es et est n nen in innen s st t te ten ter tes test".split()])
_ARABIC_ENDINGS = frozenset("اةتينهكومىء")
_TOO_LITTLE = 1.0
_NEARLY = 0.8
_SCRIPT_SHARE = 5  # a fifth of the letters, for names and commands are in Latin ones
_ENDED, _IS_CALLED = "\ue000", "\ue001"  # stand for "no longer" and "is called" while words are looked up
_PART = 4  # letters of a part of a German, Dutch or Swedish compound
_MOST_OF_A_NAME = 2
# Chinese surnames (and what begins a short name) that are seldom a word of their own, others that are one only before a
# title, what stands before a 张 that counts sheets, and what is no part of a given name.
_SURNAMES = frozenset(
    "小阿王李周张刘陈杨赵吴徐孙朱郭罗梁宋郑唐冯董萧程曹袁邓傅沈彭吕苏卢蒋蔡贾魏薛阎潘杜汪范姚谭廖邹陆郝康崔邱秦侯邵孟尹黎乔赖龚韩谢胡林马叶"
    "張劉陳楊趙吳孫羅鄭馮蕭鄧盧蔣賈閻譚鄒陸喬賴龔韓謝馬葉"
)
_BEFORE_TITLES = _SURNAMES | frozenset("黄高何白方金石钟夏田任姜江史顾龙万段雷钱汤易常武贺文于余戴曾丁熊孔毛")
_ADDRESSED = tuple("先生 女士 小姐 太太 老师 经理 医生 教授 律师 师傅 阿姨 叔叔".split())
_COUNTING = tuple("一二三四五六七八九十两兩几幾每这這那百千万萬")
_NOT_GIVEN = frozenset(
    "的地得了着过是在和与及跟有没不也都就还又去来到说叫吃喝住用会要想能可从对给把被让我你您他她它们家今昨这那每很最只"
)
_GLANCE = re.compile(r"\b(?:the|with|user|uses|prefers|likes|lives|works|every|their|from|which)\b", re.IGNORECASE)


def in_english(new: str, old: str) -> tuple[str, str]:
    """Both texts in English, as far as they are not. What could be in either language is in that of the other."""
    first, second = language(new), language(old)
    if first is None and second is None:
        return new, old
    if first in _LATIN and second in _LATIN and first != second:
        if _is_nearly(new, second, first):
            first = second
        elif _is_nearly(old, first, second):
            second = first
    apart = first == second and first not in _LATIN  # 张伟 and 张卫 sound alike, but here both can be read
    return (
        english(new, first or _if_also(new, second), apart=apart),
        english(old, second or _if_also(old, first), apart=apart),
    )


def rough_english(text: str) -> str:
    """A text in English, as far as it is not: each line in its own language, what stands under a heading or behind a
    name by itself."""
    return "\n".join(map(_line_in_english, text.split("\n"))) if len(text) <= _LONGEST else text


def _line_in_english(line: str) -> str:
    head, colon, tail = line.partition(": ")
    if not colon:
        return english(line, language(line))
    code = language(tail)
    return f"{english(head, language(head) or _if_also(head, code))}: {english(tail, code)}"


@lru_cache(maxsize=8192)
def language(text: str) -> str | None:
    """The language of a text that is not English, if there is a list of its words."""
    if len(text) > _LONGEST or (text.isascii() and _GLANCE.search(text)):
        return None
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
        letters = sum(map(str.isalpha, text))
        for code, script in _SCRIPTS.items():
            if _SCRIPT_SHARE * len(script.findall(text)) > letters:
                return "ja" if code == "zh" and _KANA.search(text) else code
        if _SCRIPT_SHARE * len(_KANA.findall(text)) > letters:
            return "ja"
    tokens = _tokens(text)
    strange = [word for word, is_name in tokens if not is_name and len(word) > 1 and _englishness(word) < 1]
    if not strange or sum(word in _PLAINLY_ENGLISH for word, _ in tokens) >= _PLAIN or _is_name(text):
        return None
    possible = [code for code in _LATIN if _has_any(frozenset(strange), code)]
    if not possible:
        return None
    best = max(possible, key=lambda code: _share(tokens, code))
    shown = [word for word in strange if word in glosses(best)]
    others = [token for token in tokens[1:] if token[0] not in glosses(best)]
    is_alone = shown == [tokens[0][0]] and 2 * len(others) >= len(tokens)
    if is_alone and text.lstrip()[:1].isupper() and _english_share(others, best):
        return None  # "Rosa teaches yoga": the first word is a name
    least = 0.0 if any(not _englishness(word) for word in shown) else _TOO_LITTLE
    return best if shown and _share(tokens, best) > max(_english_share(tokens, best), least) else None


@lru_cache(maxsize=8192)
def english(text: str, code: str | None, *, apart: bool = False) -> str:
    """The text in rough English, if it is in the language `code`. Names that only sound alike are kept `apart` where
    both texts are in that language."""
    if code is None or len(text) > _LONGEST:
        return text
    text = unicodedata.normalize("NFC", text)
    for phrase in _phrases(code):
        text = phrase.sub(lambda found: f"{_ENDED} {found.group(1) or ''}" if found.re.groups else _ENDED, text)
    text = _CALLED.sub(_IS_CALLED, text)
    text = _DATE.sub(lambda date: f" {date[2] or ''} {_month(date[1])} ", text)
    if code in {"ja", "zh"}:
        words = glosses(code)
        text = _WIDE.sub(lambda run: f" {_cut(run.group(), words, names=code == 'zh', apart=apart)} ", text)
    elif code == "hi":
        words = glosses(code)
        text = _HINDI.sub(lambda word: words.get(word.group(), word.group()), text)
    else:
        words = glosses(code)
        text = _JOINED.sub(lambda word: words.get(word[0].lower().replace("\u2019", "'"), word[0]), text)
        text = _ELISION.sub(" ", _SUFFIX.sub("", text) if code == "tr" else normalise(text) if code == "ar" else text)
        names = _names(text, code)
        text = _WORD.sub(
            lambda word: word[0] if word["code"] else _gloss(word[0], code, named=word.start() in names), text
        )
    text = text.replace(_ENDED, "no longer").replace(_IS_CALLED, "is called")
    if code not in _LATIN:
        text = _LEFT.sub(lambda word: _spelt(word.group(), code, apart=apart), text)
    return " ".join(text.split())


def _is_name(text: str) -> bool:
    """Whether a text is one or two words written like a name: behind a label, mostly what something is called."""
    words = text.split()
    return len(words) <= _MOST_OF_A_NAME and all(word[0].isupper() for word in words)


def _tokens(text: str) -> list[tuple[str, bool]]:
    """The words, and whether each is written like a name, which is the same in any language."""
    starts, found = _starts(text), [word for word in _WORD.finditer(text) if not word["code"]]
    capital = [word[0][0].isupper() and word.start() not in starts for word in found]
    return [
        (word[0].lower(), is_name or word[0].lower() in _TRADE or (follows and word[0] in _PARTICLES))
        for word, is_name, follows in zip(found, capital, [*capital[1:], False], strict=False)
        if len(word[0]) == 1 or not word[0].isupper()
    ]


def _names(text: str, code: str) -> set[int]:
    """Where words stand that are written like names. In German every noun is: there only what follows a title is one,
    or what something is called."""
    starts, before, found = _starts(text), "", set[int]()
    for word in _WORD.finditer(text):
        if word[0][0].isupper() and (before in _TITLES if code == "de" else word.start() not in starts):
            found.add(word.start())
        before = word[0].lower()
    return found


def _starts(text: str) -> set[int]:
    """Where sentences start."""
    return {0, *(end.end() for end in _SENTENCE.finditer(text))}


def _is_nearly(text: str, code: str, own: str) -> bool:
    """Whether a text, which seems to be in its `own` language, may as well be in the language `code`."""
    tokens = _tokens(text)
    return _share(tokens, code) >= _NEARLY * _share(tokens, own)


def _if_also(text: str, code: str | None) -> str | None:
    """The language `code`, if a text may be in it as well as in English."""
    if code not in _LATIN or len(text) > _LONGEST:
        return None
    tokens = _tokens(text)
    return code if _share(tokens, code) >= _english_share(tokens, code) else None


def _share(tokens: list[tuple[str, bool]], code: str) -> float:
    """How much the words speak for a language. Common ones say more, single letters and English ones less, and
    names nothing, but in German every noun is written like one."""
    words, common = glosses(code), _common(code)
    return sum(
        0.5 if len(word) == 1 else (1.5 if word in common else 1.0) * (0.5 if _englishness(word) >= 1 else 1.0)
        for word, is_name in tokens
        if word in words and (not is_name or code == "de")
    )


def _english_share(tokens: list[tuple[str, bool]], code: str) -> float:
    """How much they speak for English, as far as they are not the same in the other language."""
    words = glosses(code)
    return sum(
        _englishness(word) * (0.5 if word in words and word not in _NOTED else 1.0)
        for word, is_name in tokens
        if not is_name
    )


@lru_cache(maxsize=16_384)
def _englishness(word: str) -> float:
    """How surely a word is English, from 0 where it is unknown. The rare ones of the table are often names."""
    if word in STOP_WORDS or word in _NOTED:
        return 1.5
    row = row_of(word)
    return 0.0 if row is None else 1.0 if row < _WELL_KNOWN else 0.3


def _month(number: str) -> str:
    return MONTHS[int(number) - 1] if 1 <= int(number) <= len(MONTHS) else number


@cache
def _list_of(code: str) -> str:
    """A language's list; every word stands between a line end and a tab, the first one too."""
    return "\n" + (_FOLDER / f"{code}.tsv").read_text(encoding="utf-8")


def _has_any(words: frozenset[str], code: str) -> bool:
    """To look through a list as it is for a few words costs less than to make a dictionary of it, and most lists have
    none of them."""
    if len(words) > _FEW:
        return not words.isdisjoint(glosses(code))
    return any(f"\n{word}\t" in _list_of(code) for word in words)


@cache
def glosses(code: str) -> Mapping[str, str]:
    """A language's words and what they mean in English, the commonest first."""
    cells = _list_of(code)[1:].replace("\n", "\t").split("\t")
    words = cells[::2]
    if code == "ar":  # as texts are normalised
        words = [normalise(word) for word in words]
    return dict(zip(words, cells[1::2], strict=False))


@cache
def _phrases(code: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(phrase, re.IGNORECASE) for phrase in _PHRASES.get(code, ()))


@cache
def _common(code: str) -> frozenset[str]:
    return frozenset(word for word, _ in zip(glosses(code), range(_COMMON), strict=False))


@cache
def _stems(code: str) -> Mapping[str, list[str]]:
    """The words of a language by their first letters."""
    found: dict[str, list[str]] = {}
    for word in glosses(code):
        if len(word) >= _STEM:
            found.setdefault(word[:_STEM], []).append(word)
    return found


@lru_cache(maxsize=16_384)
def _gloss(word: str, code: str, *, named: bool) -> str:
    words = glosses(code)
    low = word.replace("İ", "i").replace("I", "ı").lower() if code == "tr" else word.lower()
    if low in _TRADE:
        return word
    for spelling in _spellings(low, code):
        if spelling in words:
            return words[spelling] if not named or words[spelling][:1].isupper() else word
    if named or _englishness(low) > 0:
        return word
    if code in {"de", "nl", "sv"} and (parts := _parts(low, words)):
        return parts
    if kin := _kin(low, code):
        return words[kin]
    return word


def _spellings(word: str, code: str) -> Iterator[str]:
    """A word as the list may have it: without what is written together with it."""
    if code == "ru":
        word = word.replace("ё", "е")
    elif code == "ar":
        word = re.sub("[أإآ]", "ا", word)
        yield word
        word = _ARTICLES.sub("", word, count=1) if _ARTICLES.match(word) else word
    yield word
    if code == "ko":
        yield from (word[:end] for end in range(len(word) - 1, max(len(word) - 4, 0), -1))


def _parts(word: str, words: Mapping[str, str]) -> str | None:
    """A compound by its two parts: "Schlagzeugunterricht" is drums and lessons."""
    for at in range(_PART, len(word) - _PART + 1):
        first, second = word[:at], word[at:]
        if second in words:
            first = next((form for form in (first, first.removesuffix("s"), first + "e") if form in words), None)
            if first:
                return f"{words[first]} {words[second]}"
    return None


def _kin(word: str, code: str) -> str | None:
    """The word of the list that differs least, in its ending alone."""
    best, least = None, 2 * _ENDING + 1
    for other in _stems(code).get(word[:_STEM], ()):
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, other, strict=False)))
        here, there = len(word) - same, len(other) - same
        if code == "de" and not (word[same:] in _GERMAN_ENDINGS and other[same:] in _GERMAN_ENDINGS):
            continue  # "Kassel" is no form of "Kasse"
        if code == "ar" and not _ARABIC_ENDINGS.issuperset(word[same:] + other[same:]):
            continue  # محمود is no form of محمول
        if max(here, there) <= min(_ENDING, same - 1) and here + there < least:
            best, least = other, here + there
    return best


def _spelt(word: str, code: str, *, apart: bool) -> str:
    """A word that no list has, mostly a name, in letters that English has: one can be told from another, and 김민수 is
    the same in any language. To keep `apart` what sounds alike, letters that stand for the signs follow."""
    if not word:
        return ""
    from anyascii import anyascii

    if code == "ko" and not (len(word) == _KOREAN_NAME and word[0] in _KOREAN_SURNAMES):
        word = _KOREAN_ENDING.sub("", word)
    letters = "".join(filter(str.isalnum, anyascii(word)))
    if apart and code != "ru":
        mark = crc32(word.encode("utf-8", "replace"))
        letters += "".join(_MARKS[mark >> shift & 15] for shift in (0, 4, 8))
    return letters if code == "ru" else letters.capitalize()  # Russian has capitals of its own


def _cut(run: str, words: Mapping[str, str], *, names: bool, apart: bool) -> str:
    """A run without spaces, cut into the longest words of the list; what is not in it stays together. Chinese names
    are spelt: 王明 is not 王亮, though both would be "king bright"."""

    def size_at(at: int) -> int:
        return next((n for n in range(min(_LONGEST_WIDE, len(run) - at), 0, -1) if run[at : at + n] in words), 0)

    parts: list[str] = []
    at = unknown = 0
    while at < len(run):
        size = size_at(at)
        if names and size <= 1 and (end := _end_of_name(run, at, size_at)):
            name = (_spelt(part, "zh", apart=apart) for part in (run[at], run[at + 1 : end]))
            parts += [run[unknown:at], *name]
            at = unknown = end
        elif size:
            parts += [run[unknown:at], words[run[at : at + size]]]
            at = unknown = at + size
        else:
            at += 1
    return " ".join(filter(None, [*parts, run[unknown:]]))


def _end_of_name(run: str, at: int, size_at: Callable[[int], int]) -> int | None:
    """Where the Chinese name that begins here ends: a surname and one or two signs that are no words together with
    what follows, or a surname before a title."""
    if run[at] in _BEFORE_TITLES and run.startswith(_ADDRESSED, at + 1):
        return at + 1
    if run[at] not in _SURNAMES or run[:at].endswith(_COUNTING):
        return None
    given = takewhile(lambda n: size_at(n) <= 1 and run[n] not in _NOT_GIVEN, range(at + 1, len(run)))
    return max((n + 1 for n in islice(given, 2)), default=None)
