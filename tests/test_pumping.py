"""No text may cost more than its length: every pattern and every scanner, fed with what makes it work hardest.

Time is that of the processor, the least of several runs, and compared with itself at another length: a busy machine
slows both. What would take for ever is stopped by an alarm of the processor's clock.
"""

import signal
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

import pytest

from commonplace.files.pages import MarkdownPage
from tests.pumping import HOSTILE, Used, patterns, pumps
from tests.scanners import SCANNERS

LENGTH, TIMES = 4_000, 4
QUICK = 0.02  # seconds: what grows so that it would hurt takes longer for so many characters
FOR_EVER = 6.0
# These are given some thousand characters at a time: a new entry (`gate.longest`), a line, a part of a long text.
IN_PARTS = ("commonplace.gate.", "gate/")


class TakesForEver(Exception):
    """The alarm rang."""


@contextmanager
def alarm(seconds: float) -> Generator[None]:
    def ring(*_: object) -> None:
        raise TakesForEver

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def cost(work: Callable[[str], object], text: str, runs: int = 1) -> float:
    """Seconds of the processor, the least of some runs; each with another end, so that nothing is known already."""
    best = FOR_EVER
    for run in range(runs):
        started = time.process_time()
        try:
            with alarm(FOR_EVER):
                work(f"{text}{run}")
        except TakesForEver:
            return FOR_EVER
        best = min(best, time.process_time() - started)
    return best


def for_ever(work: Callable[[str], object], make: Callable[[int], str]) -> str:
    def slow(length: int) -> bool:  # at the first call something may be loaded: that is not the text's doing
        return cost(work, make(length)) > 0.5 and cost(work, make(length)) > 0.5

    return next((f"{length} characters take for ever" for length in (60, 400) if slow(length)), "")


def grows(work: Callable[[str], object], make: Callable[[int], str], length: int = LENGTH) -> str:
    """What is wrong, in words; nothing if the time grows no faster than the length."""
    if cost(work, make(60)) > 0.5:
        return "60 characters take for ever"
    if cost(work, make(length)) < QUICK:
        return ""
    work(make(7))  # what is loaded on first use is loaded by now
    before = after = cost(work, make(length), 2)
    for _ in range(2):  # a second time, longer, for what only seemed so
        length *= TIMES
        after = cost(work, make(length))
        if after == FOR_EVER:
            break
        if _in_proportion(before, after):
            return ""
        before, after = cost(work, make(length // TIMES), 3), cost(work, make(length), 3)  # a busy moment passes
        if _in_proportion(before, after):
            return ""
        before = after
    return f"{before:.3f} s, but {after:.3f} s for {length} characters"


def _in_proportion(before: float, after: float) -> bool:
    return after <= max(before, QUICK / TIMES) * TIMES * 2


def pumped(lead: str, body: str, after: str) -> Callable[[int], str]:
    return lambda length: lead + body * (length // len(body)) + after


def each_match(used: Used) -> Callable[[str], object]:
    return (lambda text: sum(1 for _ in used.pattern.finditer(text))) if used.anywhere else used.pattern.match


@pytest.mark.req("S4")
@pytest.mark.timeout(900)
def test_no_pattern_of_the_package_takes_longer_than_its_text_allows() -> None:
    found = patterns()
    assert len(found) > 400
    wrong: list[str] = []
    for used in found:
        in_parts = used.name.startswith(IN_PARTS)
        for lead, body, after in pumps(used.pattern):
            make = pumped(lead, body, after)
            problem = for_ever(each_match(used), make) if in_parts else grows(each_match(used), make)
            if problem:
                wrong.append(f"{used.name}: {problem} for {lead!r} + {body!r} * n + {after!r}")
                break
    assert not wrong, "\n".join(wrong)


MARKDOWN = ("```\n", "<!--\n", "<document>", "---\n", "> ", "# a\n", "- a\n  b\n", "[a](", "**a", "7) ", "&lt;", "| a ")
TALK = ("password is a ", "remember that ", "key=", "sk-", "Aa1", "a@", "http://", "Monday ", "and ", "don't ", '"a" ')


@pytest.mark.req("S4")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", SCANNERS)
def test_no_scanner_takes_longer_than_its_text_allows(name: str) -> None:
    wrong = [
        f"{problem} for {lead!r} + {body!r} * n"
        for body in (*HOSTILE, *MARKDOWN, *TALK)
        for lead in (("", "---\n") if name in {"document", "page"} else ("",))
        if (problem := grows(SCANNERS[name], pumped(lead, body, "\x00"), LENGTH // 2))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.req("S4")
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_front_matter_that_is_never_closed_costs_its_length(end: str) -> None:
    assert grows(SCANNERS["page"], pumped(f"---{end}", f"a: b{end}", "")) == ""
    whole = MarkdownPage("A.md", f"---{end}date: 2026-01-02{end}---{end}- A fact{end}")
    assert [item.text for item in whole.items] == ["A fact"]
    assert whole.items[0].since is not None


@pytest.mark.req("S4", "ADP-1")
@pytest.mark.parametrize("name", ["answer of Chat Completions", "answer of Messages", "answer of Responses", "events"])
def test_an_answer_that_comes_in_many_pieces_costs_its_length(name: str) -> None:
    assert grows(SCANNERS[name], pumped("(", "a", ""), 500_000) == ""
