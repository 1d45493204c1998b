"""`search` and `reindex`: finding what was said and written."""

import re
import sys
from collections.abc import Sequence
from datetime import date
from itertools import zip_longest

import click

from commonplace.cli.call import common, current, text_from
from commonplace.cli.output import counted, say, shown, styled, warn
from commonplace.cli.progress import Bar
from commonplace.types.searching import Around, Found, Hit, Source

_SOURCE_NAMES = {Source.LONG_TERM: "long-term memory", Source.DAILY_LOG: "daily log", Source.SESSION: "conversation"}
_SNIPPET, _LEAD = 280, 60


def _day(_ctx: click.Context, _param: click.Parameter, value: str | None) -> date | None:
    if value is None:
        return None
    from commonplace.files.daily import parse_day

    return parse_day(value)


@click.command()
@click.argument("question", nargs=-1, required=True)
@click.option(
    "-n", "--limit", type=click.IntRange(1, 200), help="How many results (default: the setting search.limit)."
)
@click.option(
    "--source",
    "sources",
    multiple=True,
    type=click.Choice([source.value for source in Source]),
    help="Only from here; may be repeated.",
)
@click.option("--since", metavar="DATE", callback=_day, help="Only from this day on (YYYY-MM-DD).")
@click.option("--until", metavar="DATE", callback=_day, help="Only up to this day.")
@click.option("--session", "sessions", multiple=True, help="Only from this conversation; may be repeated.")
@click.option("--explain", is_flag=True, help="Show what each score is made of.")
@click.option("--context", is_flag=True, help="Show what was said just before and after, in conversations.")
@common
def search(
    question: tuple[str, ...],
    limit: int | None,
    sources: tuple[str, ...],
    since: date | None,
    until: date | None,
    sessions: tuple[str, ...],
    explain: bool,
    context: bool,
) -> None:
    """Find memories by meaning and by words.

    Question and memory may be in two of sixteen languages; words are found in any. In a search by keywords, quoted
    phrases must be found as they are. Time words ("last Tuesday", "in March") are understood.
    """
    call = current()
    memory = call.reading()
    wanted = text_from(question)
    found = memory.search(
        wanted,
        limit=limit,
        sources=[Source(source) for source in sources],
        since=since,
        until=until,
        sessions=sessions,
        explain=explain,
    )
    around = [memory.around(hit) for hit in found.hits] if context else []
    if call.json:
        told = {"around": around} if context else {}
        call.answer({"book": memory.address, "question": wanted, **_as_value(found), **told})
        return
    show_found(found, wanted, around)


@click.command()
@common
def reindex() -> None:
    """Make the search index again from the files.

    It is never needed: the index follows the files and repairs itself. It also computes at once the vectors that a
    large import has left for later.
    """
    call = current()
    memory = call.reading()
    with Bar("Indexing", quiet=call.json) as bar:
        report = memory.reindex(bar.update)
    call.answer(
        report, f"{counted(report.chunks, 'chunk')} indexed, {counted(report.vectors_known, 'vector')} computed."
    )
    if report.trouble and not call.json:
        warn(report.trouble)


def show_found(found: Found, question: str, around: Sequence[Around | None] = ()) -> None:
    """The hits, what stands around them, and what a person should know about how they were found."""
    for number, (hit, place) in enumerate(zip_longest(found.hits, around), start=1):
        _show(number, hit, question)
        if place:
            _show_around(place, question)
    if not found.hits:
        say("Nothing found.")
    _remark(found)


def _as_value(found: Found) -> dict[str, object]:
    return {
        "hits": found.hits,
        "vectors": {"known": found.vectors_known, "wanted": found.vectors_wanted},
        "trouble": found.trouble,
        "unread": found.unread,
    }


def _show(number: int, hit: Hit, question: str) -> None:
    when = f" · {hit.date.isoformat()} ({_age(hit.age_days)})" if hit.date else ""
    under = f" · {hit.heading}" if hit.heading else ""
    who = f" · {hit.speaker}" if hit.speaker else ""
    print(f"{number}. {_highlighted(shown(_snippet(hit.text, question)), question)}")
    place = f"   {hit.file}:{hit.line} · {_SOURCE_NAMES[hit.source]}{under}{who}{when} · {hit.score:.2f}"
    print(styled(shown(place), "dim"))
    parts = sorted(hit.components.items(), key=lambda part: -abs(part[1]))
    if parts:
        print("   " + "  ".join(f"{name} {value:+.2f}" for name, value in parts if abs(value) >= 0.005))


def _show_around(place: Around, question: str) -> None:
    for name, text in (("before", place.before), ("after", place.after), ("in", place.title)):
        if text:
            print(f"   {name}: {shown(_snippet(text, question))}")


def _age(days: int | None) -> str:
    return "today" if not days else "yesterday" if days == 1 else f"{days} days ago"


def _snippet(text: str, question: str) -> str:
    """The part of a long text in which the first of the question's words stands."""
    line = " ".join(text.split())
    if len(line) <= _SNIPPET:
        return line
    found = _words(question).search(line)
    start = max(0, (found.start() if found else 0) - _LEAD)
    start = max(line.rfind(" ", 0, start) + 1, start - _LEAD) if start else 0
    end = line.rfind(" ", 0, start + _SNIPPET)
    return ("…" if start else "") + line[start : end if end > start else start + _SNIPPET] + "…"


def _highlighted(text: str, question: str) -> str:
    if not sys.stdout.isatty():
        return text
    return _words(question).sub(lambda match: styled(match[0], "bold"), text)


def _words(question: str) -> re.Pattern[str]:
    """The question's words that search looks for, with whatever endings."""
    from commonplace.language import terms

    stems = sorted({re.escape(term) for term in terms(question)}, key=len, reverse=True)
    if not stems:
        return re.compile(r"(?!)")
    return re.compile(r"(?:(?<!\w)|(?<=[\u3040-\ud7af]))(?:" + "|".join(stems) + r")\w{0,6}", re.IGNORECASE)


def _remark(found: Found) -> None:
    """What a person should know about how these were found."""
    if found.unread:
        warn(found.unread)
    if found.trouble:
        warn(f"By keywords alone: {found.trouble}")
    elif found.vectors_known < found.vectors_wanted:
        share = f"{found.vectors_known} of {found.vectors_wanted}"
        warn(f"{share} texts are searched by meaning so far, all by words. `commonplace reindex` does the rest now.")
