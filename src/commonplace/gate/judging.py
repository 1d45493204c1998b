"""The gate: what becomes of a text that somebody wants remembered. Rules are asked in order; pure.

What must never happen comes first (secrets), then what is there already, then whose words it is, then whether it is
worth keeping. Where several rules of the last kind fire, the surest one is heard. Each rule acts only if it is as sure
as the settings ask; what the user asked for is not weighed at all. A rule is loaded when it is first asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from commonplace.gate.secrets import find_secrets
from commonplace.types.asking import Voice
from commonplace.types.judging import Candidate, Verdict, VerdictKind

if TYPE_CHECKING:
    from commonplace.config import GateSettings
    from commonplace.gate.suspicion import Suspicion
    from commonplace.types.book import Entry

_FOREIGN = {Voice.TOOL: "a tool's result", Voice.WEB: "a web page", Voice.FILE: "a file"}


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
    meaning. `meaning` is a text's vector by the embedding model of the package, if there is one."""

    same_words: Callable[[str], Entry | None]
    nearest: Callable[[str], Sequence[Candidate]]
    meaning: Callable[[str], Sequence[float] | None] = lambda _: None


def judge(proposal: Proposal, known: Known, settings: GateSettings) -> Verdict:
    """The verdict on a proposal. Nothing is stored or asked here."""
    for verdict in _verdicts(proposal, known, settings):
        if _acts(verdict, settings):
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
        kinds = ", ".join(dict.fromkeys(secret.kind for secret in secrets))
        reason = f"It holds a secret ({kinds}). Secrets are never stored; say where it is kept instead."
        yield Verdict(VerdictKind.REFUSE, "secret", reason)
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
    passing = list(_passing(text, known, settings))
    if settings.several_facts is not None:
        from commonplace.gate.splitting import several_facts

        for several in _as_verdict(VerdictKind.REFUSE, "several_facts", several_facts(text)):
            if not (_any_acts(passing, settings) and _mostly_passing(several.pieces, known, settings)):
                yield several  # else to split it would be no use
    yield from sorted([*passing, *_alike(text, known, settings)], key=lambda verdict: -verdict.certainty)


def _passing(text: str, known: Known, settings: GateSettings) -> Iterator[Verdict]:
    """What passes soon."""
    if settings.transient is None and settings.one_off is None:
        return
    from commonplace.gate.passing import one_off, transient

    yield from _as_verdict(VerdictKind.REFUSE, "transient", transient(text, known.meaning))
    yield from _as_verdict(VerdictKind.REFUSE, "one_off", one_off(text, known.meaning))


def _any_acts(verdicts: Iterable[Verdict], settings: GateSettings) -> bool:
    return any(_acts(verdict, settings) for verdict in verdicts)


def _mostly_passing(pieces: Sequence[str], known: Known, settings: GateSettings) -> bool:
    return 2 * sum(_any_acts(_passing(piece, known, settings), settings) for piece in pieces) >= len(pieces)


def _alike(text: str, known: Known, settings: GateSettings) -> Iterator[Verdict]:
    """What says the same as an entry, or something newer."""
    if settings.same_fact is None and settings.newer_value is None:
        return  # nobody need look for the nearest entries
    from commonplace.gate.likeness import most_alike

    found = most_alike(text, known.nearest(text))
    if found is None:
        return
    entry, likeness = found
    if entry.text.casefold() == text.casefold():
        return  # `duplicate` has looked at what is the same word for word: a few words may be repeated
    if likeness.relation == "same":
        reason = "An entry says the same in other words."
        yield Verdict(VerdictKind.MERGE, "same_fact", reason, likeness.certainty, entry)
    else:
        reason = "An entry has another value of the same thing."
        yield Verdict(VerdictKind.UPDATE, "newer_value", reason, likeness.certainty, entry)


def _as_verdict(kind: VerdictKind, rule: str, suspicion: Suspicion | None) -> Iterator[Verdict]:
    if suspicion is not None:
        yield Verdict(kind, rule, suspicion.reason, suspicion.certainty, pieces=suspicion.pieces)
