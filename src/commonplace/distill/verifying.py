"""What of a model's proposal may be applied: step by step, and why the others may not. Pure.

Everything is recomputed from the entries themselves; nothing that a model says about its own work is believed. In
doubt the answer is no: a step that is left out costs some room, an accepted wrong one costs a memory.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Protocol

from commonplace.distill.proposal import DROPPED, Dropped, Item, Kept, Proposal, Why
from commonplace.language.arrangement import asks, entangled, exchanged, labels, new_subject, owners, signs, subjects
from commonplace.language.glossing import rough_english
from commonplace.language.grammar import changed_tenses, is_participle
from commonplace.language.reading import Reading, Word, folded_text, heavy, read
from commonplace.language.wording import (
    ALL,
    CHANGED,
    VALUES,
    contrary,
    is_said,
    light,
    linking,
    mean_the_same,
    measure,
    mild,
    several,
    unwished,
    verbs,
    wanted,
    wanting,
    would,
)
from commonplace.types.book import REQUESTED, STANDARD_SECTIONS
from commonplace.types.chatting import StopReason

LONGEST = 5000
_SYNONYMS = 0.8  # by experiment: above it stand `buy` and `purchase`, below it `red` and `blue`
_BELONGS = 0.25
_BELONGS_SHARING = 0.15
_SAME_THING = 0.28
_ALIKE = 0.5
_SURE = 0.7
_EITHER_WAY = 0.5  # of two values of one thing each is another value of the other, whichever came first
_SAME, _SAME_DEED = 0.86, 0.91
_ANY_WORD = 2
_OFTEN = 2
_SURELY_PASSING = 0.9
_OPPOSED = tuple(pair for a, b in (("to", "from"), ("in", "out"), ("on", "off")) for pair in ((a, b), (b, a)))
_AKIN = 0.28
_SCOPE = 2
_FLOOR = 0.25
_OF_A_NAME = re.compile(  # GPT-5, GPT 4.1, Gemini 2.5: no value to be kept
    r"(?:(?<=[A-Za-z])[- ]?(?<![a-z] )|(?<=\s)[A-Z]\w* )\d+(?:\.\d+)*(?![\w%])"
)
_STRINGING, _STRUNG = 3, 0.8
_MOST_DROPPED = 2 / 3
_STANDARD = frozenset(title.casefold() for title in STANDARD_SECTIONS)


class Checks(Protocol):
    """What verifying asks of the rest of the house."""

    def cosine(self, one: str, other: str) -> float | None:
        """The likeness of two texts according to the local model; None when there is no model."""
        ...

    def newer(self, new: str, old: str) -> float | None:
        """How surely `new` takes the place of `old`, as far as a model that read both can tell; None without one."""
        ...

    def same(self, one: str, other: str) -> float | None:
        """How surely both say the same, whichever is read first; None without a model that read both."""
        ...

    def unrelated(self, new: str, old: str) -> bool:
        """Whether a model that read both finds that neither repeats the other nor takes its place."""
        ...

    def passing(self, text: str) -> bool:
        """Whether the gate itself would call this a passing state."""
        ...

    def chance_to_pass(self, text: str) -> float:
        """How sure the gate is that this is a passing state or remark; 0 where it sees no sign of it."""
        ...


@dataclass(frozen=True, slots=True)
class Left:
    """A step that is not taken: the numbers of the entries that stay as they are for it, and why."""

    ids: tuple[int, ...]
    why: tuple[str, ...]

    @property
    def told(self) -> str:
        return " ".join([", ".join(f"[{id}]" for id in self.ids) + ":", *self.why])


@dataclass(frozen=True, slots=True)
class Proven:
    """What is left of a proposal when only steps that are proven are taken; every item is accounted for in it. A form
    that is wrong as a whole is `refused`, and nothing of it is taken."""

    proposal: Proposal
    left: tuple[Left, ...] = ()
    refused: tuple[str, ...] = ()

    @property
    def findings(self) -> list[str]:
        """All that was wrong, in sentences that name entries by their numbers."""
        return [*self.refused, *(left.told for left in self.left)]


def prove(
    proposal: Proposal, items: Sequence[Item], sections: Collection[str], checks: Checks, reason: StopReason = "end"
) -> Proven:
    """The steps that pass. Whatever fails leaves its entries as they are, and does not touch the others."""
    unchanged = Proposal(tuple(Kept((item.id,), item.text, item.section) for item in items))
    if refused := [*_ending(reason), *proposal.trouble]:
        return Proven(unchanged, refused=tuple(refused))
    left = [Left((), (finding,)) for finding in [*proposal.unread, *_headings(proposal, sections)]]
    left += [Left(ids, (finding,)) for ids, finding in _accounting(proposal, items)]
    known = {item.id: item for item in items}
    doubtful = {id for unaccounted in left for id in unaccounted.ids}
    kept: list[Kept] = []
    dropped: list[Dropped] = []
    for step in proposal.kept:
        if doubtful.isdisjoint(step.ids):
            taken, gone, why = _proven_kept(step, known, sections, checks)
            kept += taken
            dropped += gone
            left += why
    for drop in proposal.dropped:
        if drop.id not in doubtful:
            found, why = _proven_drop(drop, known, checks)
            dropped += [found] if found else []
            left += [Left((drop.id,), tuple(why))] if why else []
    dropped, more = _settled(dropped, known)
    left += more
    done = {id for step in kept for id in step.ids} | {drop.id for drop in dropped}
    kept += [Kept((item.id,), item.text, item.section) for item in items if item.id not in done]
    found = Proposal(tuple(kept), tuple(dropped), proposal.headings)
    if refused := _too_short(found, known):
        return Proven(unchanged, tuple(left), tuple(refused))
    return Proven(found, tuple(left))


# -- form -------------------------------------------------------------------------------------------------------


def _ending(reason: StopReason) -> list[str]:
    match reason:
        case "end":
            return []
        case "length":
            return ["The answer was cut off before its end."]
        case "refusal":
            return ["The model refused to answer."]
        case "tool_calls":
            return ["The model called a tool instead of answering."]


def _headings(proposal: Proposal, sections: Collection[str]) -> list[str]:
    counts = Counter(title.casefold() for title in proposal.headings)
    findings = [f"The heading {title!r} stands there more than once." for title, count in counts.items() if count > 1]
    unknown = [title for title in proposal.headings if title not in sections and title != DROPPED]
    findings += [f"There is no section {title!r}; use only the ones that were named." for title in unknown]
    if DROPPED in proposal.headings[:-1]:
        findings.append(f"`## {DROPPED}` must come last.")
    return findings


def _accounting(proposal: Proposal, items: Sequence[Item]) -> list[tuple[tuple[int, ...], str]]:
    wanted = {item.id for item in items}
    named = Counter(id for kept in proposal.kept for id in kept.ids) + Counter(d.id for d in proposal.dropped)
    return [
        *(((id,), "this is not one of the entries.") for id in sorted(named.keys() - wanted)),
        *(((id,), "it is accounted for more than once.") for id, count in sorted(named.items()) if count > 1),
        *(((id,), "it is missing: keep it, merge it or drop it.") for id in sorted(wanted - named.keys())),
    ]


# -- what is kept -----------------------------------------------------------------------------------------------


def _proven_kept(
    kept: Kept, known: dict[int, Item], sections: Collection[str], checks: Checks
) -> tuple[list[Kept], list[Dropped], list[Left]]:
    """What may be done of one step: all of it; or only for those entries that lose nothing by it; or only the move.
    Where an entry stands for others in its own words, these are dropped for it."""
    sources = [known[id] for id in kept.ids]
    away = _moved_badly(kept, sources, sections)
    if away and len(sources) > 1:
        return [], [], [Left(kept.ids, tuple(away))]
    section = sources[0].section if away else kept.section
    left = [Left(kept.ids, tuple(away))] if away else []
    if same := next((source for source in sources if source.text == kept.text), None):
        drops = [Dropped(source.id, Why.DUPLICATE, same.id) for source in sources if source.id != same.id]
        proven = [_proven_drop(drop, known, checks) for drop in drops]
        left += [Left((drop.id,), tuple(why)) for drop, (_, why) in zip(drops, proven, strict=True) if why]
        return [Kept((same.id,), same.text, section)], [drop for drop, _ in proven if drop], left
    findings = _kept_badly(kept, sources, checks)
    if not findings:
        return [replace(kept, section=section)], [], left
    left.append(Left(kept.ids, tuple(findings)))
    if len(sources) == 1:
        return [Kept(kept.ids, sources[0].text, section)], [], left
    whole = [source for source in sources if not losses(source.text, kept.text, checks, _others(source, sources))]
    part = replace(kept, ids=tuple(source.id for source in whole))
    if 1 < len(whole) < len(sources) and not _kept_badly(part, whole, checks):
        gone = tuple(source.id for source in sources if source not in whole)
        return [part], [], [*left[:-1], Left(gone, tuple(findings))]
    return [], [], left


def _moved_badly(kept: Kept, sources: Sequence[Item], sections: Collection[str]) -> list[str]:
    """What stands under headings of a person's own may owe its meaning to them: it stays there, nothing comes to it,
    and what stands under others is something else."""
    if len({source.place for source in sources}) > 1:
        return ["they stand under different headings; keep them apart."]
    stays = all(source.section.casefold() == kept.section.casefold() for source in sources)
    if sources[0].place and not stays:
        return [f"this must stay in {sources[0].section or 'no section'!r}."]
    if not stays and kept.section.casefold() not in _STANDARD:
        return [f"this may not be moved to {kept.section!r}: only to a standard section."]
    return [] if stays or kept.section in sections else [f"there is no section {kept.section!r}."]


def _kept_badly(kept: Kept, sources: Sequence[Item], checks: Checks) -> list[str]:
    texts = [source.text for source in sources]
    if any(text.startswith(kept.text.rstrip(" .")) and len(text) > len(kept.text) for text in texts if len(texts) == 1):
        return ["this is cut off."]
    findings = [*_storable(kept, sources), *additions(kept.text, texts, checks)]
    for source in sources:
        findings += losses(source.text, kept.text, checks, _others(source, sources))
    findings += _mixed_up(read(kept.text), [read(text) for text in texts])
    if len(texts) == 1:
        findings += _disarranged(kept.text, texts[0])
    elif entangled(kept.text, texts):
        findings.append("What belongs together has changed places.")
    return findings + _strangers(sources, checks)


def _others(source: Item, sources: Sequence[Item]) -> list[str]:
    return [other.text for other in sources if other.text != source.text]


def _storable(kept: Kept, sources: Sequence[Item]) -> list[str]:
    if kept.text.casefold().lstrip().startswith(REQUESTED.casefold()):
        return [f"`{REQUESTED}` marks what the user asked for; it cannot be added."]
    if len(sources) > _STRINGING and len(kept.text) > _STRUNG * sum(len(source.text) for source in sources):
        return ["This only strings entries together; keep them as entries of their own."]
    if len(kept.text) > LONGEST:
        return [f"The new text is longer than {LONGEST} characters."]
    return [] if kept.text.isprintable() else ["The new text has characters that nobody sees."]


def losses(
    source: str, target: str, checks: Checks, others: Sequence[str] = (), *, dropping: bool = False, slack: int = 0
) -> list[str]:
    """What `source` says and `target` does not, or says the other way round. `others` go into the same target;
    `dropping` an entry whose words all go is stricter than saying it in other words. With `slack` one plain word may
    have become another; what somebody does only if there is slack for any word."""
    if source == target:
        return []
    old, new = read(source), read(target)
    whole = folded_text(target)
    findings = [f"{text!r} is lost." for text in sorted(old.literals) if text not in whole]
    findings += [f"The date {date} is lost." for date in sorted(old.dates - new.dates)]
    findings += [f"The number {_number(n)} is lost." for n in sorted(old.numbers - new.numbers)]
    slight = mild() if dropping else verbs()
    lost = [word for word in old.words if not _carried(word, new.words, None if dropping else checks)]
    if others or dropping:  # what is said of a thing may be said in one verb, as long as the thing is there
        may_go = [word for word in lost if word.predicate and not word.denied and (others or is_participle(word.raw))]
        lost = [word for word in lost if word not in may_go]
    if "before" in folded_text(target).split():  # explained first, explained before it is run
        lost = [word for word in lost if word.stem != "first"]
    lost = [word for word in lost if word.is_name or word.stem not in slight]
    done = old.words[:1] if slack < _ANY_WORD else ()  # what somebody does comes first: who cooks does not eat
    if len(lost) > min(slack, 1) or not all(w not in done and _became_another(w, new, old, checks) for w in lost):
        findings += [f"{word.raw!r} is lost." for word in lost]
    there = set(whole.replace(",", " ").replace(";", " ").split())
    if unwished(target, source):
        findings.append("What was wanted is now a fact.")
    if not slack:
        findings += [f"{a!r} has become {b!r}." for a, b in _OPPOSED if _before(a, source) & _before(b, target)]
    gone = [word for line, word in old.qualifiers.items() if line not in new.qualifiers and not measure(line) & there]
    findings += [f"{word!r} is lost." for word in gone]
    allowed = {word.stem for other in others for word in read(other).words if not word.denied}
    findings += _denials_lost(old, new, allowed)
    if gone := old.unspaced - new.unspaced:
        findings.append(f"{''.join(sorted(gone))!r} is lost.")
    if old.signs > new.signs:
        findings.append("A negation is lost.")
    findings += [f"The sign {sign!r} is lost." for sign in signs(source) - signs(target)]
    if asks(source) and not asks(target):
        findings.append("This was a question.")
    wished = not wanting().isdisjoint(new.stems)
    findings += [f"{verb!r} now speaks of another time." for verb in changed_tenses(target, source, wished=wished)]
    return findings


def additions(target: str, sources: Sequence[str], checks: Checks) -> list[str]:
    """What `target` says and none of `sources` does."""
    new, olds = read(target), [read(source) for source in sources]
    wholes = [folded_text(source) for source in sources]
    words = tuple(word for old in olds for word in old.words)
    findings = [f"{t!r} is new." for t in sorted(new.literals) if not any(t in whole for whole in wholes)]
    findings += [f"The date {d} is new." for d in sorted(new.dates.difference(*(old.dates for old in olds)))]
    findings += [
        f"The number {_number(n)} is new." for n in sorted(new.numbers.difference(*(old.numbers for old in olds)))
    ]
    said = {part.strip(".,;:!").casefold() for source in sources for part in source.split()} | {w.stem for w in words}
    joining = linking() | wanting() if said & wanted() else linking()
    for word in new.words:
        if not _carried(word, words, checks) and (word.is_name or word.stem not in joining):
            findings.append(f"{word.raw!r} is new: no old entry says it.")
    known = {line for old in olds for line in old.qualifiers}
    findings += [
        f"{word!r} is new." for line, word in new.qualifiers.items() if line not in known and not is_said(line, said)
    ]
    findings += _denials_added(new, olds)
    if come := new.unspaced.difference(*(old.unspaced for old in olds)):
        findings.append(f"{''.join(sorted(come))!r} is new.")
    if new.signs > sum(old.signs for old in olds):
        findings.append("A negation is new.")
    findings += [f"The sign {sign!r} is new." for sign in signs(target) - sum(map(signs, sources), Counter[str]())]
    if asks(target) and not any(map(asks, sources)):
        findings.append("This was no question.")
    return findings


def _disarranged(new: str, old: str) -> list[str]:
    """What one entry in other words has no reason for: parts that change places, another owner, a second mention."""
    findings = [f"{owned!r} is new." for owned in owners(new, old)]
    if exchanged(new, old) or new_subject(new, old):
        findings.append("Two parts of it have changed places.")
    more = Counter(word.stem for word in read(new).words) - Counter(word.stem for word in read(old).words)
    there = read(old).stems - light()
    return findings + [f"{stem!r} stands there more often than before." for stem in more if stem in there]


def _carried(word: Word, others: Sequence[Word], checks: Checks | None) -> bool:
    """Whether one of `others` is this word, or means the same: as the lists have it, or as the local model tells."""
    if any(word.stem == other.stem for other in others):
        return True
    if word.is_name:
        return False
    if any(contrary(word.stem, other.stem) for other in others):
        return False
    plain = [other for other in others if not other.is_name]
    if any(mean_the_same(word.stem, other.stem) for other in plain):
        return True
    if checks is None or _is_value(word.raw):
        return False
    return any((checks.cosine(word.raw.lower(), other.raw.lower()) or 0) >= _SYNONYMS for other in plain)


def _became_another(word: Word, new: Reading, old: Reading, checks: Checks) -> bool:
    """Whether a plain word may have become one that is akin to it, among those that only `new` has."""
    if word.is_name or word.denied or _is_value(word.raw):
        return False
    come = [other for other in new.words if not other.is_name and other.stem not in old.stems]
    if any(contrary(word.stem, other.stem) for other in come):
        return False
    return any((checks.cosine(*(rough_english(w.raw.lower()) for w in (word, o))) or 0) >= _AKIN for o in come)


def _before(small: str, text: str) -> set[str]:
    """What stands behind a small word."""
    return set(re.findall(rf"\b{small} (?:(?:the|a|an|his|her|their|my) )?([^\W_]+)", folded_text(text)))


@lru_cache(maxsize=4096)
def _is_value(word: str) -> bool:
    """Whether a word of any language is a number, a day or a month: to the local model these are all alike."""
    return word[0].isdigit() or rough_english(word.lower()).lower() in VALUES


def _denials_lost(old: Reading, new: Reading, allowed: Collection[str]) -> list[str]:
    """Every denial must still be there, and near the same words; what another source allows may also stand free."""
    findings: list[str] = []
    if len(old.denials) and not new.denials:
        return ["A negation is lost."]
    denied = {word.stem for word in new.words if word.denied}
    for reached in old.denials:
        wanted = reached - light()
        if wanted and not any(_near(stem, denied) for stem in wanted):
            findings.append(f"The negation of {_listed(wanted)} is lost.")
    for word in old.words:
        there = [other for other in new.words if other.stem == word.stem]
        both = word.stem in allowed or any(o.stem == word.stem and not o.denied for o in old.words)
        if word.denied and not both and word.stem not in light() and there and not any(o.denied for o in there):
            findings.append(f"{word.raw!r} was denied and no longer is.")
    return findings


def _denials_added(new: Reading, olds: Sequence[Reading]) -> list[str]:
    findings: list[str] = []
    if new.denials and not any(old.denials for old in olds):
        return ["A negation is new."]
    denied = {word.stem for old in olds for word in old.words if word.denied}
    for reached in new.denials:
        wanted = reached - light()
        if wanted and not any(_near(stem, denied) for stem in wanted):
            findings.append(f"The negation of {_listed(wanted)} is new.")
    for word in new.words:
        if not word.denied or word.stem in light():
            continue
        there = [other for old in olds for other in old.words if other.stem == word.stem]
        if there and not any(other.denied for other in there):
            findings.append(f"{word.raw!r} is denied and was not.")
    return findings


def _near(stem: str, others: Iterable[str]) -> bool:
    return any(mean_the_same(stem, other) for other in others)


def _mixed_up(new: Reading, olds: Sequence[Reading]) -> list[str]:
    """Names and numbers that now stand with words of another."""
    findings: list[str] = []
    clauses = [clause for old in olds for clause in old.clauses if clause]
    names = {word.stem for word in new.words if word.is_name}
    marks = names | {number for number, _ in new.numbers}
    for clause in new.clauses:
        for mark in sorted(clause & marks):
            theirs = [c for c in clauses if mark in c]
            others = [c for c in clauses if mark not in c]
            if not theirs or not others:
                continue
            own = frozenset[str]().union(*theirs) - frozenset[str]().union(*others) - {mark} - light()
            foreign = frozenset[str]().union(*others) - frozenset[str]().union(*theirs) - light()
            if own and clause & foreign and not clause & own:
                findings.append(f"{mark!r} now stands with {_listed(clause & foreign)}.")
    for old in olds:
        findings += _turned_round(old, new)
    for one, other in combinations(olds, 2):
        mine, yours = (_own(a, b) for a, b in ((one, other), (other, one)))
        mixed = [clause for clause in new.clauses if clause & mine and clause & yours]
        if len(mixed) > 1:
            findings.append(f"{_listed(mixed[0] & mine)} and {_listed(mixed[0] & yours)} stood in two entries.")
    return findings


def _own(one: Reading, other: Reading) -> frozenset[str]:
    """The stems that only the first of two entries has."""
    return one.stems - other.stems - verbs()


def _turned_round(old: Reading, new: Reading) -> list[str]:
    """Two names in one clause whose order is reversed: who does what to whom may be reversed with it."""
    for first, second in combinations([word for word in old.words if word.is_name and word.raw[1:].islower()], 2):
        if first.clause != second.clause or first.stem == second.stem:
            continue
        places = {word.stem: at for at, word in reversed(list(enumerate(new.words)))}
        same = {word.stem: word.clause for word in new.words}
        there = first.stem in places and second.stem in places and same[first.stem] == same[second.stem]
        if there and places[first.stem] > places[second.stem]:
            return [f"{first.raw!r} and {second.raw!r} have changed places."]
    return []


def _strangers(sources: Sequence[Item], checks: Checks) -> list[str]:
    """Merged entries must hang together, be it through others."""
    if len(sources) < 2:
        return []
    joined = {sources[0].id}
    waiting = list(sources[1:])
    while waiting:
        near = [s for s in waiting if any(belong(s.text, o.text, checks) for o in sources if o.id in joined)]
        if not near:
            return [f"[{waiting[0].id}] is about something else than the rest; keep it as an entry of its own."]
        joined |= {source.id for source in near}
        waiting = [source for source in waiting if source.id not in joined]
    return []


def belong(one: str, other: str, checks: Checks) -> bool:
    """Whether two entries are about one thing: alike in meaning, or alike enough and with a word in common."""
    first, second = read(one), read(other)
    shared = (heavy(first.words) & heavy(second.words)) - several() - _FRAMES
    if first.unspaced or second.unspaced:  # the local model may not know the script
        smaller = min(len(set(one)), len(set(other)))
        return len(set(one) & set(other)) * 3 >= max(smaller, 1)
    alike = checks.cosine(one, other)
    if alike is None:
        smaller = min(len(heavy(first.words)), len(heavy(second.words)))
        return len(shared) * 2 >= max(smaller, 1)
    return alike >= _BELONGS or (bool(shared) and alike >= _BELONGS_SHARING)


_FRAMES = frozenset({"prefer", "us", "answer", "repli"})


# -- what is dropped --------------------------------------------------------------------------------------------


def _proven_drop(dropped: Dropped, known: dict[int, Item], checks: Checks) -> tuple[Dropped | None, list[str]]:
    """The drop, with the reason that is proven, or why there is none. What says the same may also be called newer."""
    item = known[dropped.id]
    if dropped.why is Why.TRANSIENT:
        passes = _changes_often(item, known, checks) or _passes(item, checks)
        return (dropped, []) if passes else (None, ["this is not a passing state; keep it."])
    survivor = known.get(dropped.by or 0)
    if survivor is None or survivor.id == item.id:
        return None, [f"[{dropped.by}] is not one of the other entries."]
    if survivor.place != item.place:
        return None, [f"[{survivor.id}] stands under another heading and may speak of something else; keep both."]
    repeats = _not_repeated(survivor, item, checks)
    if not repeats:
        return replace(dropped, why=Why.DUPLICATE), []
    findings = repeats if dropped.why is Why.DUPLICATE else _not_replaced(survivor, item, checks)
    if findings and _passes(item, checks) and checks.chance_to_pass(item.text) >= _SURELY_PASSING:
        return Dropped(item.id, Why.TRANSIENT), []  # that it goes is right, if for another reason
    return (None, findings) if findings else (dropped, [])


def _passes(item: Item, checks: Checks) -> bool:
    """Whether the gate itself calls an entry a passing state, and no value in it was written down to be kept."""
    reading = read(_OF_A_NAME.sub("", item.text))
    values = {number for number, unit in reading.numbers if unit not in {"s", "min", "h"}}
    return not reading.dates and not values and checks.passing(item.text)


def _changes_often(item: Item, known: dict[int, Item], checks: Checks) -> bool:
    """Whether an entry that may be a passing state was replaced again and again: then it was one, whatever date stands
    in it. What is a fact by all signs is not proven to be none by what came after it."""
    if not checks.chance_to_pass(item.text):
        return False
    since = [other for other in known.values() if other.id != item.id and other.place == item.place]
    return sum(bool(later(other, item)) and _is_another_value(other, item, checks) for other in since) >= _OFTEN


def _is_another_value(new: Item, old: Item, checks: Checks) -> bool:
    either_way = ((checks.newer(new.text, old.text), _SURE), (checks.newer(old.text, new.text), _EITHER_WAY))
    return supersedes(new.text, old.text, checks) or all((found or 0) >= least for found, least in either_way)


def _not_repeated(survivor: Item, item: Item, checks: Checks) -> list[str]:
    """What the survivor does not say. Where a model that read both is sure that they say the same, one plain word may
    have become another, and what one is about may stand elsewhere in the other."""
    if checks.unrelated(survivor.text, item.text) and checks.unrelated(item.text, survivor.text):
        return [f"not a duplicate of [{survivor.id}]: it speaks of something else."]
    certainty = checks.same(survivor.text, item.text) or 0
    same, slack = certainty >= _SAME, sum(certainty >= least for least in (_SAME, _SAME_DEED))
    new, old = map(rough_english, (survivor.text, item.text)) if same else (survivor.text, item.text)
    lost = losses(old, new, checks, dropping=True, slack=slack) + says_otherwise(new, old, same=same)
    return [f"not a duplicate of [{survivor.id}]: {finding}" for finding in lost]


def _not_replaced(survivor: Item, item: Item, checks: Checks) -> list[str]:
    if not later(survivor, item):
        return [f"[{survivor.id}] is not the newer of the two."]
    if not supersedes(survivor.text, item.text, checks):
        return [f"[{survivor.id}] does not take its place: it says something else."]
    return []


def says_otherwise(survivor: str, item: str, *, same: bool = False) -> list[str]:
    """What keeps an entry that has all words of another from saying it: a denial, a condition, another subject. What is
    known to be the `same` may have its subject at another place."""
    new, old = read(survivor), read(item)
    said = set(folded_text(item).split())
    more = {line: word for line, word in new.qualifiers.items() if line not in old.qualifiers | _MILD}
    findings = [f"it says {word!r}." for line, word in more.items() if not is_said(line, said)]
    free = {word.stem for word in new.words if not word.denied}
    findings += [f"it denies {word.raw!r}." for word in old.words if not word.denied and word.stem in new.stems - free]
    if new.signs > old.signs or (asks(survivor) and not asks(item)) or signs(survivor) - signs(item):
        findings.append("its signs say something else.")
    if exchanged(survivor, item) or new_subject(survivor, item) or labels(survivor) != labels(item):
        findings.append("parts of it have changed places.")
    if _before("of", item) & set(folded_text(survivor).split()[:1]):
        findings.append("it is about what belonged to it.")
    about = subjects(survivor, item)
    if about[0] != about[1] and not (same and _elsewhere(about, new, old)):
        findings.append(f"it is about {_listed(about[0] ^ about[1])}.")
    return findings


def _elsewhere(about: tuple[frozenset[str], frozenset[str]], *readings: Reading) -> bool:
    """Whether what only one of two texts is about stands in the other at another place."""
    apart = (about[0] ^ about[1]) - light()
    names = {word.stem for reading in readings for word in reading.words if word.is_name}
    return apart.isdisjoint(names) and all(_near(stem, reading.stems) for stem in apart for reading in readings)


_MILD = dict.fromkeys(("since", "before", "after", "other", "down", ALL), "")


_SEQUENCE = {"before", "after"}


def _tells_change(text: str) -> bool:
    """Whether a text says itself that it is the newer one: moved, no longer, now."""
    return not CHANGED.isdisjoint(word.strip(".,;:!").casefold() for word in text.split())


def later(one: Item, other: Item) -> bool | None:
    """Whether `one` was said after `other`: by when each was written, else by the dates in both texts, else by what a
    text says of itself, else by their order in a section; None when nothing tells."""
    if one.written and other.written and one.written != other.written:
        return one.written > other.written
    readings = [read(item.text) for item in (one, other)]
    dated = [max((d for d in reading.dates if "--" not in d), default="") for reading in readings]
    if all(dated) and dated[0] != dated[1] and readings[0].stems != readings[1].stems:  # else the dates are the values
        return dated[0] > dated[1]
    changes = [_tells_change(item.text) for item in (one, other)]
    if changes[0] != changes[1]:
        return changes[0]
    return one.id > other.id if one.section == other.section else None


def supersedes(new: str, old: str, checks: Checks) -> bool:
    """Whether `new` is another value of the same thing as `old`, and nothing else of `old` goes with it.

    Only values may go (names, numbers, dates), and the same kind of value must come. With a word of change (now, since,
    moved, no longer) a word or two may go as well: whoever no longer rides a bike need not mention it. Where a model
    that read both is sure, any word may be the value, and what an contrary is said of may go with it.
    """
    first, second = read(new), read(old)
    likely = checks.newer(new, old)
    sure = (likely or 0) >= _SURE and (_tells_change(new) or (checks.newer(old, new) or 0) >= _EITHER_WAY)
    about = subjects(new, old)
    if about[0] != about[1] and not (sure and _elsewhere(about, first, second) and not exchanged(new, old)):
        return False
    if labels(new) != labels(old) or checks.unrelated(new, old) or unwished(old, new) or would(new) > would(old):
        return False
    if first.qualifiers.keys() - second.qualifiers.keys() - (_MILD.keys() - _SEQUENCE) or changed_tenses(new, old):
        return False  # what might be, is wished for or was once takes no fact's place
    here, there = first.stems, second.stems
    frame = {stem for stem in there if any(mean_the_same(stem, other) for other in here)}
    gone = [word for word in second.words if word.stem not in frame]
    plain = [word for word in gone if not word.is_name and not _is_value(word.raw) and word.stem not in light()]
    come = [word for word in first.words if not word.is_name and not _is_value(word.raw)]
    come = [word for word in come if word.stem not in there | light()]
    if sure and first.denials and not second.denials and not come:
        return True  # that it has ended is all that is said
    names = {word.stem for word in gone if word.is_name}
    new_names = {word.stem for word in first.words if word.is_name} - there
    new_numbers = first.numbers - second.numbers
    values = (
        (second.numbers - first.numbers, new_numbers),
        (second.dates - first.dates, first.dates - second.dates | new_numbers),
        (names, new_names),
    )
    if any(lost and not found for lost, found in values):
        return False
    changed = _tells_change(new)
    if second.denials and not first.denials and not changed:
        return False
    held = frame - several() - _FRAMES
    if sure and (held or changed or plain):  # else one may have both: of cars, dogs, friends
        opposed = any(contrary(word.stem, other.stem) for word in plain for other in come)
        return len(plain) <= len(come) or (len(plain) <= _SCOPE + len(come) and (changed or opposed))
    alike = checks.cosine(new, old)
    if not changed and (plain or come or sum(bool(lost) for lost, _ in values) > 1):
        return False  # of two things the same may be said
    shared = any(word.is_name and word.stem in frame for word in second.words)
    if len(plain) > _SCOPE or (plain and come and likely is not None and not shared):
        return False  # a model that read both would know
    if alike is not None and alike < _SAME_THING and not (changed and not plain and names):
        return False  # names that the local model does not know make two values of one thing look unlike
    return bool(held) or (changed and not frame & several() and (alike or 0) >= _ALIKE)


# -- the whole --------------------------------------------------------------------------------------------------


def _settled(dropped: Sequence[Dropped], known: dict[int, Item]) -> tuple[list[Dropped], list[Left]]:
    """The drops that can be made together: each for an entry that stays, and not too many at once."""
    by = {drop.id: drop.by for drop in dropped}
    found: list[Dropped] = []
    left: list[Left] = []
    gone = 0
    for drop in dropped:
        survivor, seen = drop.by, {drop.id}
        while survivor is not None and survivor in by and survivor not in seen:
            seen.add(survivor)
            survivor = by[survivor]
        gone += drop.why is not Why.DUPLICATE
        if drop.by is not None and (survivor in seen or survivor is None):
            left.append(Left((drop.id,), (f"[{drop.by}] is dropped itself.",)))
        elif drop.why is not Why.DUPLICATE and gone > len(known) * _MOST_DROPPED:
            left.append(Left((drop.id,), ("too many entries would be dropped at once.",)))
        else:
            found.append(replace(drop, by=survivor))
    return found, left


def _too_short(proposal: Proposal, known: dict[int, Item]) -> list[str]:
    gone = [drop for drop in proposal.dropped if drop.why is not Why.DUPLICATE]
    before = sum(max(len(known[id].text) for id in kept.ids) for kept in proposal.kept)
    before += sum(len(known[drop.id].text) for drop in gone)
    after = sum(len(kept.text) for kept in proposal.kept)
    return [f"Only {after} of {before} characters would be left."] if after < before * _FLOOR else []


def _number(number: tuple[str, str]) -> str:
    return " ".join(filter(None, number))


def _listed(stems: Collection[str]) -> str:
    return ", ".join(sorted(stems)[:4])
