"""What two texts have in common and where they differ, as numbers that the decision is fitted on. Pure.

Words are aligned by their stems and by kinship. Then it matters which words are left over: another number, day or name
in the place of one (a value), another person or subject (another fact), or nothing (the same).
"""

import math
from collections.abc import Sequence
from difflib import SequenceMatcher

from commonplace.gate.concepts import values
from commonplace.gate.contrasts import set_apart
from commonplace.gate.polarity import CHANGES, GIVEN_UP, opposite
from commonplace.gate.reading import Reading, Word, read
from commonplace.terms.kinship import kinship

_NEAR = 0.3
_MATCHED = 0.5
_SURELY = 0.8
_SPEAKS_OF_THE_SAME = 0.7
_SHORTEST_PREFIX = 4
_SUREST = 6.0  # log odds beyond this say no more
_LEAST_SHARE = 1e-6


def signals(new: str, old: str, cosine: float | None, pair: tuple[float, float] | None = None) -> dict[str, float]:
    """Every number between about 0 and 1 (what `pair` says from -1), by name. `pair` is how surely a model that read
    both texts at once calls them the same fact, and how surely a newer value; None: none read them."""
    first, second = read(new), read(old)
    here, there = _matches(first, second), _matches(second, first)
    left_new = [word for word, match in zip(first.words, here, strict=True) if match < _MATCHED]
    left_old = [word for word, match in zip(second.words, there, strict=True) if match < _MATCHED]
    cover_new, cover_old = _cover(first.words, here), _cover(second.words, there)
    exact_new, exact_old = _exact(first, second), _exact(second, first)
    lead_new, lead_old = _lead(first, here), _lead(second, there)
    numbers_new, numbers_old = _of(left_new, "number"), _of(left_old, "number")
    days_new, days_old = _of(left_new, "day"), _of(left_old, "day")
    names_new, names_old = _of(left_new, "name"), _of(left_old, "name")
    kin_new, kin_old = _of(left_new, "kin"), _of(left_old, "kin")
    words_new, words_old = _of(left_new, "word"), _of(left_old, "word")
    opposites = _opposites(left_new or list(first.words), left_old or list(second.words))
    changes = len(CHANGES.findall(new))
    shared = [word for word, match in zip(first.words, here, strict=True) if match >= _MATCHED]
    sequence = SequenceMatcher(None, first.sequence, second.sequence, autojunk=False)
    blocks = sequence.get_matching_blocks()
    about = _about(first, second, left_new, left_old)
    replaced = [
        (first.sequence[a:b], second.sequence[c:d], b <= first.link or d <= second.link)
        for tag, a, b, c, d in sequence.get_opcodes()
        if tag == "replace"
    ]
    found = {
        "cosine": cosine if cosine is not None else 0.0,
        "no_cosine": float(cosine is None),
        "cover_new": cover_new,
        "cover_old": cover_old,
        "cover_min": min(cover_new, cover_old),
        "cover_max": max(cover_new, cover_old),
        "exact_min": min(exact_new, exact_old),
        "exact_max": max(exact_new, exact_old),
        "lead_new": lead_new,
        "lead_old": lead_old,
        "lead_min": min(lead_new, lead_old),
        "lead_missing": float((not _leads(first)) != (not _leads(second))),
        "lead_none": float(not _leads(first) and not _leads(second)),
        "trigrams": _trigrams(first, second),
        "order": sequence.ratio(),
        "prefix": _prefix(first.sequence, second.sequence),
        "suffix": _prefix(first.sequence[::-1], second.sequence[::-1]),
        "in_one_piece": float(sum(block.size > 0 for block in blocks) <= 2),
        "numbers_differ": float(bool(numbers_new and numbers_old)),
        "numbers_new": float(bool(numbers_new and not numbers_old)),
        "numbers_old": float(bool(numbers_old and not numbers_new)),
        "numbers_shared": min(len(_of(shared, "number")), 2) / 2,
        "days_differ": float(bool(days_new and days_old)),
        "days_new": float(bool(days_new and not days_old)),
        "days_old": float(bool(days_old and not days_new)),
        "days_shared": float(bool(_of(shared, "day"))),
        "names_differ": float(bool(names_new and names_old)),
        "names_new": min(len(names_new), 3) / 3,
        "names_old": min(len(names_old), 3) / 3,
        "names_shared": min(len(_of(shared, "name")), 3) / 3,
        "kin_differ": float(bool(kin_new and kin_old)),
        "kin_new": float(bool(kin_new and not kin_old)),
        "kin_old": float(bool(kin_old and not kin_new)),
        "kin_shared": float(bool(_of(shared, "kin"))),
        "words_new": min(sum(word.weight for word in words_new), 4) / 4,
        "words_old": min(sum(word.weight for word in words_old), 4) / 4,
        "words_differ": min(sum(w.weight for w in words_new), sum(w.weight for w in words_old), 3) / 3,
        "lead_named": float(any(word.kind in {"name", "kin", "number"} for word in left_new if word.leads)),
        "lead_named_old": float(any(word.kind in {"name", "kin", "number"} for word in left_old if word.leads)),
        "left_lead": min(sum(word.weight for word in left_new if word.leads), 2) / 2,
        "left_lead_old": min(sum(word.weight for word in left_old if word.leads), 2) / 2,
        "shared_weight": min(sum(word.weight for word in shared), 5) / 5,
        "left_kin": _kinship_of(left_new, left_old),
        "negated": float((first.negations > 0) != (second.negations > 0)),
        "both_negated": float(first.negations > 0 and second.negations > 0),
        "opposites": float(opposites > 0),
        "changes": min(changes, 2) / 2,
        "given_up": float(_gives_up(new, second)),
        "length_new": min(len(first.words), 12) / 12,
        "length_old": min(len(second.words), 12) / 12,
        "unspaced": float(first.unspaced or second.unspaced),
    }
    found |= about
    found["replaced_once"] = float(len(replaced) == 1)
    found["replaced_often"] = float(len(replaced) > 1)
    found["replaced_lead"] = float(any(leads for _, _, leads in replaced))
    found["ids_differ"] = float(_ids_differ(first, second))
    found["possessors_differ"] = float(first.possessors != second.possessors)
    found |= _beyond(first, second, left_new, left_old)
    found |= _frame(first, second, here, there)
    found["cosine_cover"] = found["cosine"] * found["cover_min"]
    return found | _read_at_once(pair)


def _read_at_once(pair: tuple[float, float] | None) -> dict[str, float]:
    """What the model that read both texts holds more likely, as log odds; nothing either way where it is unknown."""
    if pair is None:
        return dict.fromkeys(("pair_different", "pair_same", "pair_newer", "pair_kind", "pair_known"), 0.0)
    same, newer = (max(share, _LEAST_SHARE) for share in pair)
    different = max(1 - sum(pair), _LEAST_SHARE)
    return {
        "pair_different": _odds(different, same + newer),
        "pair_same": _odds(same, different),
        "pair_newer": _odds(newer, different),
        "pair_kind": _odds(same, newer),
        "pair_known": 1.0,
    }


def _odds(one: float, other: float) -> float:
    return max(-_SUREST, min(_SUREST, math.log(one / other))) / _SUREST


def _about(first: Reading, second: Reading, left_new: Sequence[Word], left_old: Sequence[Word]) -> dict[str, float]:
    """Whether both speak of the same things, and whether one of these has another value."""
    cues_new, cues_old = first.cues, second.cues
    kinds_new, kinds_old = first.kinds, second.kinds
    all_new, all_old = cues_new | kinds_new, cues_old | kinds_old
    shared = all_new & all_old
    swapped = values([word.stem for word in left_new]) & values([word.stem for word in left_old])
    return {
        "about_shared": min(len(shared), 3) / 3,
        "about_cues": min(len(cues_new & cues_old), 3) / 3,
        "about_apart": float(bool(all_new and all_old and not shared)),
        "about_new": min(len(cues_new - all_old), 3) / 3,
        "about_old": min(len(cues_old - all_new), 3) / 3,
        "about_exclusive": float(any(concept.exclusive for concept in shared)),
        "about_additive": float(any(not concept.exclusive for concept in shared)),
        "about_nothing": float(not all_new or not all_old),
        "swapped": float(any(concept.exclusive for concept in swapped)),
        "swapped_additive": float(any(not concept.exclusive for concept in swapped)),
        "implied": float(bool((kinds_new & cues_old) or (kinds_old & cues_new))),
    }


def _beyond(first: Reading, second: Reading, left_new: Sequence[Word], left_old: Sequence[Word]) -> dict[str, float]:
    """What each text tells beyond the other: how much, which numbers of things, and whether they are set apart."""
    told_new, told_old = sum(word.weight for word in left_new), sum(word.weight for word in left_old)
    codes_new, codes_old = first.identifiers - second.identifiers, second.identifiers - first.identifiers
    apart = set_apart(first.sides, second.sides)
    return {
        "codes_new": float(bool(codes_new and not codes_old)),
        "codes_differ": float(bool(codes_new and codes_old)),
        "codes_shared": float(bool(first.identifiers & second.identifiers)),
        "told_new": min(told_new, 10) / 10,
        "told_old": min(told_old, 6) / 6,
        "told_more": max(-1.0, min(1.0, (told_new - told_old) / 6)),
        "told_words": min(len(left_new), 12) / 12,
        "apart": min(apart, 2) / 2,
        "apart_and_more": float(apart > 0 and len(left_new) > 1 and len(left_old) > 1),
        "longer": min(len(first.words) / max(len(second.words), 1), 5) / 5,
        "qualified_new": min(first.qualifiers, 4) / 4,
        "qualified_old": min(second.qualifiers, 4) / 4,
    }


def _frame(first: Reading, second: Reading, here: Sequence[float], there: Sequence[float]) -> dict[str, float]:
    """How well subjects, attributes and values match, each in the worse direction."""
    pairs = [list(zip(first.words, here, strict=True)), list(zip(second.words, there, strict=True))]
    parts = [{part: [(w, m) for w, m in side if w.part == part] for part in _PARTS} for side in pairs]
    found: dict[str, float] = {}
    for part in _PARTS:
        one, other = (side[part] for side in parts)
        covers = [_cover([w for w, _ in side], [m for _, m in side]) for side in (one, other) if side]
        found[f"{part}_match"] = min(covers, default=1.0)
        found[f"{part}_best"] = max(covers, default=1.0)
        found[f"{part}_one_sided"] = float(bool(one) != bool(other))
    found["frame"] = found["subject_match"] * found["attribute_match"]
    found["frame_best"] = found["subject_match"] * found["attribute_best"]
    found["slot"] = found["frame_best"] * (1 - found["value_match"])
    return found


_PARTS = ("subject", "attribute", "value")


def _ids_differ(first: Reading, second: Reading) -> bool:
    """Room 3 and room 5, server A and server B: the same word with another number or letter, as what it is about."""
    ones, others = first.numbered, second.numbered
    return any(ones[noun] != others[noun] for noun in ones.keys() & others.keys())


def _matches(one: Reading, other: Reading) -> list[float]:
    """For each word how well the best word of the other text matches it."""
    return [
        max((_match(word, mate) for mate in other.words), default=0.0) or _acronym(word, other) for word in one.words
    ]


def _match(one: Word, other: Word) -> float:
    if one.form == other.form or one.stem == other.stem:
        return 1.0
    if "number" in (one.kind, other.kind) or "day" in (one.kind, other.kind):
        return 0.0
    if opposite(one.form, other.form) or opposite(one.stem, other.stem):
        return 0.0
    if one.form[0] == other.form[0] and min(len(one.form), len(other.form)) >= _SHORTEST_PREFIX:
        common = _common_prefix(one.form, other.form)
        if common >= max(_SHORTEST_PREFIX, 0.7 * max(len(one.form), len(other.form))):
            return 0.9
        if common == min(len(one.form), len(other.form)) and common >= 4:
            return 0.8
    if one.kind == "kin" and other.kind == "kin":
        return 1.0 if kinship(one.form, other.form) > 0.78 else 0.0
    near = kinship(one.form, other.form)
    if "name" in (one.kind, other.kind):
        return near if near > _SURELY else 0.0
    if one.speaks_of & other.speaks_of:
        return max(_SPEAKS_OF_THE_SAME, near)
    return max(0.0, (near - _NEAR) / (1 - _NEAR)) if near > _NEAR else 0.0


def _acronym(word: Word, other: Reading) -> float:
    return 0.9 if 2 <= len(word.form) <= 4 and word.form in other.acronyms else 0.0


def _common_prefix(one: str, other: str) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _cover(words: Sequence[Word], matches: Sequence[float]) -> float:
    total = sum(word.weight for word in words)
    return sum(word.weight * match for word, match in zip(words, matches, strict=True)) / total if total else 0.0


def _exact(one: Reading, other: Reading) -> float:
    stems = {word.stem for word in other.words}
    return _cover(one.words, [float(word.stem in stems) for word in one.words])


def _leads(reading: Reading) -> list[Word]:
    return [word for word in reading.words if word.leads]


def _lead(reading: Reading, matches: Sequence[float]) -> float:
    """How much of what the text is about is in the other; 1 if it does not say (it is about the user)."""
    pairs = [(word, match) for word, match in zip(reading.words, matches, strict=True) if word.leads]
    return _cover([word for word, _ in pairs], [match for _, match in pairs]) if pairs else 1.0


def _of(words: Sequence[Word], kind: str) -> list[Word]:
    return [word for word in words if word.kind == kind]


def _kinship_of(one: Sequence[Word], other: Sequence[Word]) -> float:
    """How near what is left over on both sides is: values of one kind are kin (tea and coffee)."""
    return max((kinship(a.form, b.form) for a in one for b in other if a.form != b.form), default=0.0)


def _opposites(one: Sequence[Word], other: Sequence[Word]) -> int:
    return sum(opposite(a.form, b.form) or opposite(a.stem, b.stem) for a in one for b in other)


def _gives_up(new: str, old: Reading) -> bool:
    """The new text says that what the old one tells is over."""
    stems = {word.stem for word in old.words if word.weight > 0.3}
    return any(word.stem in stems for match in GIVEN_UP.finditer(new) for word in read(match.group(1)).words)


def _trigrams(one: Reading, other: Reading) -> float:
    return 2 * len(one.trigrams & other.trigrams) / (len(one.trigrams) + len(other.trigrams))


def _prefix(one: Sequence[str], other: Sequence[str]) -> float:
    same = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        same += 1
    return same / max(min(len(one), len(other)), 1)
