"""Whether one text says what another expects, however it is worded: by the words that carry the meaning. Pure.

docs/bench-flush.md tells people these rules, word lists included; it must stay true.
"""

import re
import unicodedata
from functools import lru_cache

from commonplace.language import stem
from commonplace.patterns import LazyPattern
from commonplace.types.book import REQUESTED

EMPTY_WORDS = frozenset(
    """
    user users s t they their them he him his she her it its i me my we us our you your
    a an the this that these those is are was were be been being am has have had having do does did
    to of in on at by for from with as and or
    nutzer nutzers nutzerin benutzer benutzerin er sie es ihr ihre sein seine ich mich mir mein meine meinen meinem
    meiner der die das den dem des ein eine einen einem einer ist sind war hat habe haben zu von im am an auf mit bei
    fur und oder
    utilisateur utilisatrice l d c il elle on je j m ma mon mes sa son ses le la les un une des du de est sont ai au
    aux en dans sur pour avec par et ou qui que
    usuario usuaria el lo los las una unos unas mi mis su sus yo es son esta tiene tengo del al con por para y o
    utente gli uno della del nel nella al alla di da ha ho che e i
    usuaria o os as um uma eu meu minha seu sua no na nos nas do da dos das em ao tem tenho ele ela
    uzytkownik uzytkownika uzytkownikowi jest ma mam w z na i do sie jego jej moj moja moje
    пользователь пользователя пользователю пользовательница он она его ее я мой моя мое мои у меня в на с и по
    kullanici kullanicinin bir ve ben benim onun icin ile
    gebruiker de het een zijn haar mijn ik
    """.split()
)
"""Words that an expected text may have and an entry need not; accents do not count."""

NEGATIONS = frozenset(
    """
    not no never none without cannot isn aren wasn weren don doesn didn won couldn shouldn wouldn hasn haven
    nicht kein keine keinen keiner keinem nie niemals ohne
    ne n pas jamais sans aucun aucune
    nunca sin jamas tampoco
    non mai senza nessun nessuno nessuna
    nao nem sem nenhum nenhuma
    nie nigdy bez zaden zadna
    не нет никогда без
    degil hic yok asla
    niet geen nooit zonder
    """.split()
)
_NEGATED_UNSPACED = LazyPattern("不|没|沒|別|别|勿|ない|ません|なし|ず(?:に|$)|않|없|못")
_EMPTY_UNSPACED = re.compile("用户|使用者|ユーザー|利用者|사용자")
_EMPTY_SIGNS = frozenset("的了是在我他她它你您也和与與有人")
_RUN = LazyPattern(
    r"(?P<han>[\u3005\u3400-\u4dbf\u4e00-\u9fff])|(?P<hiragana>[\u3040-\u309f]+)|(?P<katakana>[\u30a0-\u30ff]+)"
    r"|(?P<word>[^\W_\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+)"
)
_PREFIX = re.compile(rf"^\s*(?:[-*•]\s+)?(?:{REQUESTED}|\[[a-z ]+\])\s*", re.IGNORECASE)
_LEAST_BEGINNING = 4
_LEAST_SHARE = 0.6


@lru_cache(maxsize=4096)
def content(text: str) -> tuple[frozenset[str], bool]:
    """The words of a text that carry its meaning, and whether it negates."""
    plain = _folded(_PREFIX.sub("", text))
    bare = _EMPTY_UNSPACED.sub(" ", plain)
    found: dict[str, set[str]] = {"han": set(), "hiragana": set(), "katakana": set(), "word": set()}
    for match in _RUN.finditer(bare):
        found[str(match.lastgroup)].add(match[0])
    negated = bool(found["word"] & NEGATIONS) or _NEGATED_UNSPACED.search(plain) is not None
    words = found["word"] - EMPTY_WORDS - NEGATIONS
    carrying = (
        words | found["katakana"] | {s for s in found["han"] if s not in _EMPTY_SIGNS and s not in "不没沒別别勿"}
    )
    return frozenset(carrying or found["hiragana"] or found["word"] or found["han"]), negated


def says(entry: str, expected: str, *, turned: bool = False) -> bool:
    """Whether `entry` has every word of `expected` that carries meaning. If that one negates, it must; if not, it may,
    unless a `turned` sense would be something else."""
    (has, entry_negated), (wanted, negated) = content(entry), content(expected)
    if negated != entry_negated and (negated or turned):
        return False
    return bool(wanted) and all(any(_same(word, own) for own in has) for word in wanted)


def bare(line: str) -> str:
    """The letters and digits of a line alone, for comparing what was copied."""
    return "".join(char for char in _folded(line) if char.isalnum())


def _folded(text: str) -> str:
    """Without accents of Latin and Cyrillic letters, in small letters, in one form of every sign."""
    composed = unicodedata.normalize("NFKC", text).casefold().replace("’", "'").replace("ı", "i").replace("ł", "l")
    kept = [sign for sign in unicodedata.normalize("NFD", composed) if not "\u0300" <= sign <= "\u036f"]
    return unicodedata.normalize("NFC", "".join(kept))


def _same(one: str, other: str) -> bool:
    """The same word, perhaps in another form: one stem in English, or most of it from the beginning. Numbers only as
    they are."""
    if one == other:
        return True
    if any(char.isdigit() for char in one + other):
        return False
    if one.isascii() and other.isascii() and stem(one) == stem(other):
        return True
    common = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    least = 2 if "가" <= one[0] <= "힣" else _LEAST_BEGINNING
    return common >= least and common >= _LEAST_SHARE * (min if least == 2 else max)(len(one), len(other))
