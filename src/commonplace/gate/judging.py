"""The gate: what becomes of a text that somebody wants remembered. Rules are asked in order; pure.

What must never happen comes first (secrets), then what is there already, then whose words it is, then whether it is
worth keeping. Where several rules of the last kind fire, the surest one is heard. Each rule acts only if it is as sure
as the settings ask; what the user asked for is not weighed at all. A rule is loaded when it is first asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from commonplace.errors import EmbedderFailed
from commonplace.gate.secrets import find_secrets
from commonplace.types.asking import Voice
from commonplace.types.book import unmarked
from commonplace.types.verdicts import Verdict, VerdictKind

if TYPE_CHECKING:
    from commonplace.config import GateSettings
    from commonplace.gate.likeness import Likeness
    from commonplace.gate.suspicion import Suspicion
    from commonplace.ports import Comparer
    from commonplace.types.book import Entry

_NOT_LOOKED_FOR = "Entries that say the same in other words were not looked for."
_FOREIGN = {Voice.TOOL: "a tool's result", Voice.WEB: "a web page", Voice.FILE: "a file"}

GUESSED = 0.7
"""How sure the rule against secrets is of what it only guesses from the words; what it sees is certain."""

_GUESSED = "It reads as if a password or a code were told in it. Say where that is kept instead."


@dataclass(frozen=True, slots=True)
class Proposal:
    """What somebody wants remembered. `requested`: the user asked for it in so many words; `owner`: the person
    writes it down themselves; `injected`: what was shown from memory to whoever proposes it."""

    text: str
    voice: Voice = Voice.ASSISTANT
    requested: bool = False
    owner: bool = False
    injected: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """What the memory holds already: the entry that has a text word for word, and the entries nearest to it in
    meaning, to be read beside it by `comparer`."""

    same_words: Callable[[str], Entry | None]
    nearest: Callable[[str], Sequence[Entry]]
    comparer: Comparer | None = None


def judge(proposal: Proposal, known: Known, settings: GateSettings) -> Verdict:
    """The verdict on a proposal. Nothing is stored or asked here."""
    for verdict in _verdicts(proposal, known, settings):
        if verdict.kind is VerdictKind.STORE or _acts(verdict, settings):
            return verdict
    return Verdict(VerdictKind.STORE)


def _acts(verdict: Verdict, settings: GateSettings) -> bool:
    """Whether a rule is as sure as its setting asks."""
    wanted: float | None = getattr(settings, verdict.rule)
    return wanted is not None and verdict.certainty >= wanted


def _verdicts(proposal: Proposal, known: Known, settings: GateSettings) -> Iterator[Verdict]:
    """What the rules say, in the order in which they are heard. Later ones are asked only if no earlier one acts."""
    text = proposal.text
    if secrets := find_secrets(text):
        kinds = ", ".join(dict.fromkeys(secret.kind for secret in secrets if secret.certain))
        reason = f"It holds a secret ({kinds}). Secrets are never stored; say where it is kept instead."
        yield Verdict(VerdictKind.REFUSE, "secret", reason if kinds else _GUESSED, 1.0 if kinds else GUESSED)
    existing = known.same_words(text)
    if existing is not None:
        yield Verdict(VerdictKind.REFUSE, "duplicate", "This is already in the memory.", existing=existing)
    if proposal.voice in _FOREIGN:
        reason = f"These are the words of {_FOREIGN[proposal.voice]}, not the user's: the user decides."
        yield Verdict(VerdictKind.HOLD, "third_party", reason)
    if proposal.requested and proposal.voice is Voice.USER:
        return
    if not proposal.owner and settings.instruction is not None:
        from commonplace.gate.commanding import instruction

        commands = list(_as_verdict(VerdictKind.HOLD, "instruction", instruction(text)))
        if not proposal.requested and _any_acts(commands, settings):  # what is there already brings nothing in
            yield from (verdict for verdict in _alike(text, known, settings) if verdict.kind is VerdictKind.MERGE)
        yield from commands
    if proposal.requested:
        return
    if proposal.voice is not Voice.USER and proposal.injected:  # what the user says again is no echo
        from commonplace.gate.echoing import echo

        yield from _as_verdict(VerdictKind.REFUSE, "echo", echo(text, proposal.injected))
    passing = list(_passing(text, settings))
    if settings.several_facts is not None:
        from commonplace.gate.splitting import several_facts

        for several in _as_verdict(VerdictKind.REFUSE, "several_facts", several_facts(text)):
            if not (_any_acts(passing, settings) and _mostly_passing(several.pieces, settings)):
                yield several  # else to split it would be no use
    yield from sorted([*passing, *_alike(text, known, settings)], key=lambda verdict: -verdict.certainty)


def _passing(text: str, settings: GateSettings) -> Iterator[Verdict]:
    """What passes soon."""
    if settings.transient is None and settings.one_off is None:
        return
    from commonplace.gate.passing import one_off, transient

    yield from _as_verdict(VerdictKind.REFUSE, "transient", transient(text))
    yield from _as_verdict(VerdictKind.REFUSE, "one_off", one_off(text))


def _any_acts(verdicts: Iterable[Verdict], settings: GateSettings) -> bool:
    return any(_acts(verdict, settings) for verdict in verdicts)


def _mostly_passing(pieces: Sequence[str], settings: GateSettings) -> bool:
    return 2 * sum(_any_acts(_passing(piece, settings), settings) for piece in pieces) >= len(pieces)


def _alike(text: str, known: Known, settings: GateSettings) -> Iterator[Verdict]:
    """What says the same as an entry, or something newer. Where nobody can read both, it may be stored, and the verdict
    says that this was not looked for."""
    if settings.same_fact is None and settings.newer_value is None:
        return  # nobody need look for the nearest entries
    from commonplace.gate.likeness import most_alike

    comparer = known.comparer
    try:
        found = most_alike(text, known.nearest(text), comparer)
    except EmbedderFailed as error:
        comparer, found = None, most_alike(text, known.nearest(text), None)
        if found is None:
            yield Verdict(VerdictKind.STORE, reason=f"{_NOT_LOOKED_FOR} {error.message} {error.hint}", certainty=0.0)
    if found is None:
        return
    entry, likeness = found
    if entry.text.casefold() == text.casefold():
        return  # `duplicate` has looked at what is the same word for word: a few words may be repeated
    yield (
        _repeats(text, entry, likeness, comparer)
        if likeness.relation == "same"
        else _replaces(text, entry, likeness, comparer)
    )


def _repeats(text: str, entry: Entry, likeness: Likeness, comparer: Comparer | None) -> Verdict:
    """That an entry says the same is told only where nothing is lost if the text is not saved."""
    from commonplace.gate.likeness import added, entails, with_both

    verdict = Verdict(
        VerdictKind.MERGE, "same_fact", "An entry says the same in other words.", likeness.certainty, entry
    )
    if entails(entry.text, text, comparer):
        return verdict
    more = added(text, entry.text)
    reason = f"An entry says something like it, but not: {', '.join(more)}."
    return replace(verdict, reason=reason, added=more, text=with_both(text, entry.text))


def _replaces(text: str, entry: Entry, likeness: Likeness, comparer: Comparer | None) -> Verdict:
    from commonplace.gate.likeness import added, changed_part, with_both

    part = changed_part(text, entry.text, comparer)
    what = "A part of an entry" if part else "An entry"
    reason = f"{what} has another value of the same thing{f': {part}' if part else ''}."
    return Verdict(
        VerdictKind.UPDATE,
        "newer_value",
        reason,
        likeness.certainty,
        entry,
        gone=added(part or unmarked(entry.text), text),
        part=part,
        text=with_both(text, entry.text, part) if part else text,
    )


def _as_verdict(kind: VerdictKind, rule: str, suspicion: Suspicion | None) -> Iterator[Verdict]:
    if suspicion is not None:
        yield Verdict(kind, rule, suspicion.reason, suspicion.certainty, pieces=suspicion.pieces)
