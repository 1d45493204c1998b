"""What the user asked for, as far as their own words in a conversation tell: to keep, to forget, to change. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from commonplace.distill.askingwords import tables
from commonplace.distill.hearing import ENDED, Ask, Request, asks, heard, sentences, statements
from commonplace.distill.retelling import retold, speaks_of_self
from commonplace.framing import strip_injected
from commonplace.gate.tracing import foreign_words, is_said, own_words, telling_terms
from commonplace.language import terms
from commonplace.language.glossing import language, rough_english
from commonplace.language.polarity import negations
from commonplace.types.sessions import Message

_NEARLY_ALL = 0.75
_HALF = 0.5
_TURNS = frozenset(
    "before after until till since only except unless without over under than instead if off"
    " vor nach bis nur außer ohne statt avant après jusque seulement sauf sans si"
    " antes después hasta solo sólo excepto salvo sin".split()
)
HEEDED = "heeded"
"""The event that says that what a message asks for was done when it was said."""

_NAMED = re.compile(r"(?P<names>(?:[^\W\d_a-z][\w'’-]*\s+)+)(?P<then>\w+)")
_NAMES = re.compile(r"(?<=\s)[^\W\d_a-z]\w+|\b(?=\w*\d)\w+")  # names within a sentence, and numbers


def requests_in(messages: Sequence[Message]) -> list[str]:
    """Every request to keep something that is not done yet, as an entry would say it. What the user pasted asks for
    nothing."""
    open_ = [message for message in messages if not message.extra.get(HEEDED)]
    return [as_entry(asked) for words in _own(open_) for asked in heard(words) if asked.kind is Ask.KEEP]


def asks_something(text: str) -> bool:
    """Whether a message asks for anything, or says that something is otherwise now; what is pasted in it aside."""
    own = own_words(text)
    return bool(heard(own) or statements(own))


def unheeded(messages: Sequence[Message]) -> list[Message]:
    """The user's messages that ask for something to be changed or forgotten, or say that it is over, which nobody has
    done yet. What is to be kept a flush keeps by itself, in the wording of a model where that is as good."""
    open_ = [message for message in messages if message.role == "user" and not message.extra.get(HEEDED)]
    return [message for message in open_ if _changes(own_words(strip_injected(message.text)))]


def _changes(words: str) -> bool:
    asked = (*heard(words), *statements(words))
    return any(one.kind in {Ask.CHANGE, Ask.FORGET, Ask.ENDED} for one in asked)


def as_entry(asked: Request) -> str:
    return retold(asked.text, asked.language, clause=asked.clause)


def entries_of(text: str) -> set[str]:
    """What a request to keep this text, in whichever language it was made, may have been kept as, whole or sentence by
    sentence."""
    pieces = [text, *sentences(text)]
    return {retold(piece, code, clause=clause) for piece in pieces for code in tables() for clause in (False, True)}


def settled(messages: Sequence[Message]) -> list[Message]:
    """What was said, without events; where what a message asks for was done when it was said, the message says so."""
    done = {message.extra.get("of") for message in messages if message.extra.get("event") == HEEDED}
    said = [message for message in messages if message.role != "event"]
    return [replace(m, extra=m.extra | {HEEDED: True}) if m.id in done else m for m in said]


def withdrawn(text: str, messages: Sequence[Message]) -> bool:
    """Whether the user asked for just this to be forgotten, and did not say it again afterwards."""
    return any(_covers(text, asked) for asked in _last_words(messages) if asked.kind is Ask.FORGET)


def _last_words(messages: Sequence[Message]) -> list[Request]:
    """The requests of a conversation, without those to forget what was asked for again later."""
    found = [asked for words in _own(messages) for asked in heard(words)]
    return [
        asked
        for at, asked in enumerate(found)
        if asked.kind is not Ask.FORGET
        or not any(later.kind is Ask.KEEP and _covers(as_entry(later), asked) for later in found[at + 1 :])
    ]


# -- whether the user said so ------------------------------------------------------------------------------------------


def allows(before: str, after: str, messages: Sequence[Message]) -> bool:
    """Whether the user's own words in a conversation ask for an entry to be changed from `before` to `after`, or to be
    removed, if `after` is empty. What the change adds must be said in one sentence that says it as the entry would;
    what it takes away must be named, or be what the new value stands for. A question asks for no change."""
    said = [sentence for words in _own(messages) for sentence in sentences(words) if not asks(sentence)]
    lost = telling_terms(before) - telling_terms(after) if after else telling_terms(before)
    added = telling_terms(after) - telling_terms(before) if after else frozenset[str]()
    if not added:
        return any(_gives_up(lost, sentence) for sentence in said)
    return any(_says_instead(before, after, frozenset(added), frozenset(lost), sentence) for sentence in said)


def _gives_up(lost: Iterable[str], sentence: str) -> bool:
    """Whether a sentence says that all of this is to go, or is so no longer."""
    told = _given_up(sentence)
    return bool(told) and all(is_said(term, told) for term in lost)


def _given_up(sentence: str) -> frozenset[str]:
    asked = [request.text for request in heard(sentence) if request.kind is Ask.FORGET]
    ended = [sentence] if ENDED.search(rough_english(sentence)) else []
    texts = asked + ended
    return frozenset(terms(" ".join([*texts, *map(rough_english, texts)])))


def _says_instead(before: str, after: str, added: frozenset[str], lost: frozenset[str], sentence: str) -> bool:
    told = frozenset(terms(sentence))
    about = any(is_said(term, told) for term in telling_terms(before) & telling_terms(after))
    return (
        all(is_said(term, told) for term in added)
        and negations(after) == negations(sentence)
        and (speaks_of_self(sentence, language(sentence) or "en") or (about and not _of_another(sentence, before)))
        and (len(lost) <= len(added) or all(is_said(term, told) for term in lost))
    )


def _of_another(sentence: str, before: str) -> bool:
    """Whether both begin with names, not the same, and go on alike: what Syam does changes nothing about Ram."""
    first, second = (_NAMED.match(text) for text in (sentence, before))
    if first is None or second is None or first["then"].casefold() != second["then"].casefold():
        return False
    return set(terms(first["names"])).isdisjoint(terms(second["names"]))


def _covers(text: str, asked: Request) -> bool:
    """Whether what is asked to be forgotten names all that a text says."""
    told = frozenset(terms(f"{asked.text} {rough_english(asked.text)}"))
    wanted = telling_terms(text)
    return bool(wanted) and negations(text) == negations(asked.text) and all(is_said(term, told) for term in wanted)


# -- whether a text is what the user asked for -------------------------------------------------------------------------


def answered(text: str, messages: Sequence[Message]) -> list[str]:
    """The requests that `text` fulfils, at least for a half, in the words of the request but for a few. None if it
    names somebody or something, or has a number, that the user did not say, or says a word of others that is not in the
    request: that may come from elsewhere. A request is no blank cheque for whatever is about the same thing."""
    said = set(terms(" ".join(_own(messages))))
    if any(term not in said for name in _NAMES.findall(text) for term in terms(name)):
        return []
    foreign = frozenset(terms(" ".join(_foreign(messages))))
    return [request for request in requests_in(messages) if _answers(text, request, foreign)]


def names_more(text: str, than: str) -> bool:
    """Whether a text has a name or a number that another one has not."""
    known = frozenset(terms(than))
    return any(not is_said(term, known) for name in _NAMES.findall(text) for term in terms(name))


def fulfilled(request: str, texts: Sequence[str]) -> bool:
    """Whether texts that answer a request say nearly all of it between them, with its names and numbers."""
    said = " ".join(texts)
    return not names_more(request, said) and _share(request, frozenset(terms(said))) >= _NEARLY_ALL


def _answers(text: str, request: str, foreign: frozenset[str]) -> bool:
    asked = frozenset(terms(request))
    return (
        negations(text) == negations(request)
        and _turns(text) == _turns(request)
        and _in_order(text, request)
        and _share(text, asked) >= _NEARLY_ALL
        and not any(is_said(term, foreign) for term in telling_terms(text) if not is_said(term, asked))
        and _share(request, frozenset(terms(text))) >= _HALF
    )


def _turns(text: str) -> frozenset[str]:
    """The small words of a text that turn it round: "before breakfast" is not "after breakfast"."""
    return _TURNS.intersection(re.findall(r"[^\W\d_]+", text.casefold()))


def _in_order(text: str, request: str) -> bool:
    """Whether what both say stands in the same order: "Anna owes Tom" is not "Tom owes Anna"."""
    asked = terms(request)
    rest = iter(asked)
    return all(term in rest for term in terms(text) if term in asked)


def _share(text: str, said: frozenset[str]) -> float:
    wanted = telling_terms(text)
    return sum(is_said(term, said) for term in wanted) / len(wanted) if wanted else 0.0


def _own(messages: Sequence[Message]) -> list[str]:
    return [own_words(message.text) for message in messages if message.role == "user"]


def _foreign(messages: Sequence[Message]) -> Iterable[str]:
    for message in messages:
        if message.role == "user":
            yield foreign_words(message.text)
        elif message.role not in {"assistant", "event", "memory", "system", "developer"}:
            yield message.text
