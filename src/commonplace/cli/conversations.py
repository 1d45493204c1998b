"""`sessions`, `recall` and `flush`: conversations, what of the memory they are given, and what becomes of them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from commonplace.cli.call import Call, common, current, text_from
from commonplace.cli.exits import OK, status_of
from commonplace.cli.output import counted, say, shown, warn
from commonplace.types.searching import Recall
from commonplace.types.sessions import SessionInfo

if TYPE_CHECKING:
    from commonplace.memory import Memory


@click.group(short_help="List, show, rename, end and search conversations.", invoke_without_command=True)
@common
@click.pass_context
def sessions(ctx: click.Context) -> None:
    """The conversations: list, show, rename, end or search them. Alone, it lists them.

    SESSION is an id, or how the id or the title begins.
    """
    if ctx.invoked_subcommand is None:
        _list(current(), "")


@sessions.command("list")
@common
def list_() -> None:
    """List the sessions, newest first."""
    _list(current(), "")


@sessions.command("search")
@click.argument("words", nargs=-1, required=True)
@common
def search_(words: tuple[str, ...]) -> None:
    """List the sessions that have WORDS in their title or text."""
    _list(current(), " ".join(words))


@sessions.command("show")
@click.argument("session")
@common
def show_(session: str) -> None:
    """Print what was said in SESSION, and its summary."""
    call = current()
    memory = call.reading()
    info = _session(memory, session)
    transcript = memory.transcript(info.id)
    summary = memory.session_summary(info.id)
    said = [message for message in transcript.messages if message.role in {"user", "assistant", "memory"}]
    lines = [f"{message.at:%Y-%m-%d %H:%M}  {message.role}: {message.text}" for message in said]
    head = [info.title or info.id, *([f"Summary: {summary}"] if summary else [])]
    call.answer({"session": info, "summary": summary, "messages": transcript.messages}, *head, *lines)


@sessions.command("rename")
@click.argument("session")
@click.argument("title", nargs=-1, required=True)
@common
def rename_(session: str, title: tuple[str, ...]) -> None:
    """Give SESSION another TITLE."""
    call = current()
    with call.writing() as memory:
        info = _session(memory, session)
        memory.rename_session(info.id, " ".join(title))
    call.answer({"result": "renamed", "session": info.id, "title": " ".join(title)}, f"Now called: {' '.join(title)}")


@sessions.command("end")
@click.argument("session")
@common
def end_(session: str) -> int:
    """End SESSION, and log what was said."""
    call = current()
    with call.writing() as memory:
        info = _session(memory, session)
        memory.end_session(info.id)
    return _flush(call, [info.id], "ended")


@click.command(short_help="Log what was said and is not in the log yet.")
@click.argument("session", required=False)
@common
def flush(session: str | None) -> int:
    """Log what was said in SESSION, or in every session that has something to log.

    It happens by itself when a session ends, another one is opened, the chat is left, the date changes, and before the
    chat history is compacted. This is for whoever does not want to wait, or after a failure.
    """
    call = current()
    memory = call.reading()
    if session is not None:
        return _flush(call, [_session(memory, session).id], "flushed")
    waiting = [info.id for info in memory.session_infos() if info.unlogged]
    return _flush(call, waiting, "flushed")


@click.command(short_help="What would be put into the prompt.")
@click.argument("question", nargs=-1, required=True)
@click.option("--budget", type=click.IntRange(50, 1_000_000), default=2000, show_default=True, help="Tokens, at most.")
@common
def recall(question: tuple[str, ...], budget: int) -> None:
    """Print what of the memory would be put into the prompt for QUESTION.

    Agents without tools can put it before their own prompt. It says what did not fit.
    """
    call = current()
    memory = call.reading()
    wanted = text_from(question)
    found = memory.recall(wanted, budget=budget)
    if call.json:
        call.answer({"book": memory.address, "question": wanted, "budget": budget, "recall": found})
        return
    if found.text:
        print(shown(found.text))
    for line in recall_remarks(found):
        warn(line)


def recall_lines(found: Recall) -> Iterator[str]:
    """A recall as a person looks at it: the block, its size, and what did not fit."""
    yield found.text or "Nothing in the memory fits."
    yield f"({found.tokens} tokens)"
    yield from recall_remarks(found)


def recall_remarks(found: Recall) -> Iterator[str]:
    if found.left_out:
        yield f"{counted(len(found.left_out), 'memory', 'memories')} did not fit."


def _session(memory: "Memory", word: str) -> SessionInfo:
    from commonplace.agent.conversation import find_session

    return find_session(memory, word)


def _list(call: Call, words: str) -> None:
    memory = call.reading()
    found: list[SessionInfo] = memory.search_sessions(words) if words else memory.session_infos()
    nothing = "No session has that." if words else "There are no sessions yet. Begin one: commonplace chat"
    call.answer({"sessions": found}, *(map(session_line, found) if found else [nothing]))


def _flush(call: Call, wanted: list[str], result: str) -> int:
    from commonplace.agent.diary import Diary

    with call.writing() as memory:
        lifecycle = call.app.conversation().lifecycle
        failed, news = lifecycle.flush(wanted), lifecycle.news()
    failures = [failure for failure in Diary(memory.book.storage).failures() if failure.session in failed]
    done = [session for session in wanted if session not in failed]
    call.answer(
        {"result": result, "flushed": done, "failed": failures, "news": news},
        f"{counted(len(done), 'session')} logged." if wanted else "Everything that was said is in the log.",
        *news,
    )
    for failure in failures:
        if not call.json:
            say(f"{failure.session} is not in the log yet: {failure.message}")
    return status_of(failures[-1].code) if failures else OK


def session_line(info: SessionInfo) -> str:
    """One session as one line."""
    state = "ended" if info.ended else f"{counted(info.unlogged, 'message')} not logged yet" if info.unlogged else ""
    when = info.last.strftime("%Y-%m-%d %H:%M")
    counts = counted(info.messages, "message")
    return f"{info.id}  {when}  {counts}  {info.title or '(no title)'}" + (f"  [{state}]" if state else "")
