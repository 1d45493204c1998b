"""`chat` and `ask`: talking to an assistant that remembers."""

import logging
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass

import click

from commonplace.agent.conversation import Conversation
from commonplace.agent.events import Answered, Heeded, Recalled, ToolFinished, TurnEvent, Warned
from commonplace.cli.call import Call, common, current, text_from
from commonplace.cli.conversations import recall_lines, session_line
from commonplace.cli.exits import ENDED_BY_SIGNAL, OK, PROBLEM, STATUS_OF
from commonplace.cli.keyboard import Keyboard, at_terminal, keyboard
from commonplace.cli.output import counted, say, say_styled, shortened, styled, warn, wrapping
from commonplace.cli.screen import Screen
from commonplace.errors import CommonplaceError, NotFound, ValidationError
from commonplace.files.daily import blocks
from commonplace.types.asking import Origin
from commonplace.types.saving import Held
from commonplace.types.sessions import SPOKEN, SessionInfo

_PATIENCE = 60.0
_LAST_MOMENT = 1.0
_MOST_LISTED = 20


@click.command(short_help="Talk to an assistant that remembers.")
@click.option("--session", metavar="SESSION", help="Go on with this session: its id, or how its id or title begins.")
@click.option("--once", is_flag=True, help="Answer one message from standard input, then end.")
@common
def chat(session: str | None, once: bool) -> int:
    """Talk to an assistant that remembers across sessions.

    Ctrl-C stops a reply, Ctrl-D leaves. /help lists what else can be typed. Without a model (see model.provider in
    commonplace config) it answers from the memory alone.
    """
    call = current()
    if once:
        return _one_turn(call, text_from("-"), session)
    if call.json or not at_terminal():
        _explain(call)
        return OK
    return _talk(call, session)


@click.command(short_help="Ask one question.")
@click.argument("question", nargs=-1, required=True)
@click.option("--session", metavar="SESSION", help="Ask in this session. [default: a new one]")
@common
def ask(question: tuple[str, ...], session: str | None) -> int:
    """Ask one QUESTION, with everything that is remembered; - reads it from standard input."""
    return _one_turn(current(), text_from(question), session)


# -- one turn ----------------------------------------------------------------------------------------------------------


def _one_turn(call: Call, text: str, session: str | None) -> int:
    if not text.strip():
        raise ValidationError("There is nothing to answer: the message is blank.", hint="Give at least one word.")
    with call.writing(quiet=True):
        conversation = call.app.conversation()
        if session is not None:
            conversation.switch(session)
        events: list[TurnEvent] = []

        def noted(event: TurnEvent) -> TurnEvent:
            events.append(event)
            return event

        with closing(conversation.say(text)) as turn:
            seen = map(noted, turn)
            answered = _last(list(seen)) if call.json else Screen(remarks=False).show(seen)
        named = conversation.session
        if session is None:
            conversation.end()
        _leave(call, conversation, named)
    if call.json:
        call.answer(_as_value(named, answered, events))
    return _status(answered, events)


def _last(events: list[TurnEvent]) -> Answered | None:
    return next((event for event in reversed(events) if isinstance(event, Answered)), None)


def _as_value(session: str | None, answered: Answered | None, events: list[TurnEvent]) -> dict[str, object]:
    recalled = next((event for event in events if isinstance(event, Recalled)), None)
    return {
        "session": session,
        "answer": answered.text if answered else "",
        "whole": bool(answered and answered.whole),
        "done": [one for event in events if isinstance(event, Heeded) for one in event.done],
        "recalled": recalled,
        "tools": [
            {"name": event.call.name, "arguments": event.call.arguments, "code": event.result.code}
            for event in events
            if isinstance(event, ToolFinished)
        ],
        "usage": answered.usage if answered else None,
        "warnings": [event for event in events if isinstance(event, Warned)],
    }


def _status(answered: Answered | None, events: list[TurnEvent]) -> int:
    """An answer that did not come is a failure, with the status of what went wrong."""
    if answered and (answered.whole or answered.text):
        return OK
    codes = [STATUS_OF[event.code] for event in events if isinstance(event, Warned) and event.code in STATUS_OF]
    return codes[-1] if codes else PROBLEM


# -- a conversation at a terminal --------------------------------------------------------------------------------------


class _Gone(BaseException):
    """The terminal was closed, or somebody ends the program: no step of the chat may catch this."""


@wrapping()
def _talk(call: Call, session: str | None) -> int:
    conversation = call.app.conversation()
    keys = keyboard()
    _warn_in_a_line(debug=call.debug)
    _greet(conversation)
    conversation.begin()
    try:
        with _noticing_the_end():
            if session is not None:
                _entered(conversation, keys, conversation.switch(session))
            while _step(conversation, keys):
                pass
    except _Gone as gone:  # whoever ends a program does not wait long; the next start does the rest
        conversation.leave()
        conversation.lifecycle.wait(_LAST_MOMENT)
        return ENDED_BY_SIGNAL + int(str(gone))
    except BaseException:
        conversation.leave()
        raise
    _leave(call, conversation, conversation.lifecycle.active)
    return OK


class _OneLine(logging.Handler):
    """What the background reports, as a person reads it."""

    def emit(self, record: logging.LogRecord) -> None:
        trouble = record.exc_info[1] if record.exc_info else None
        warn(record.getMessage() + (f": {trouble}" if trouble else ""))


def _warn_in_a_line(*, debug: bool) -> None:
    log = logging.getLogger("commonplace")
    if not debug and not log.handlers:
        log.addHandler(_OneLine(logging.WARNING))
        log.propagate = False


@contextmanager
def _noticing_the_end() -> Generator[None]:
    """A signal that ends the program is an event like any other."""

    def gone(number: int, _frame: object) -> None:
        raise _Gone(number)

    before = {number: signal.signal(number, gone) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _greet(conversation: Conversation) -> None:
    memory, model = conversation.memory, conversation.model
    entries = len(memory.entries())
    if memory.book.identity() is None:
        say_styled("Welcome to Commonplace: a long-term memory for AI agents, in plain Markdown files.", "bold")
        say(f"What you say here is kept in {memory.address}. For a guided first use: commonplace tour")
    else:
        say_styled(f"{counted(entries, 'entry', 'entries')} in {memory.address}", "dim")
        if waiting := len(memory.inbox()):
            say_styled(f"{counted(waiting, 'text')} for you to decide: commonplace inbox", "yellow")
        for text in conversation.news():
            say_styled(text, "cyan")
    if model is None:
        say_styled(
            "No model is configured: I answer from the memory alone, and save what you ask me to remember.", "yellow"
        )
        say_styled("To use one: commonplace setup", "dim")
    else:
        say_styled(f"Talking to {model.identity}. /help lists the commands; Ctrl-D leaves.", "dim")


def _step(conversation: Conversation, keys: Keyboard) -> bool:
    """One message or command; False when the person leaves."""
    try:
        text = keys.read()
    except KeyboardInterrupt:
        say("(Ctrl-D or /quit leaves)")
        return True
    except EOFError:
        say("")
        return False
    if not text.strip():
        return True
    try:
        if text.startswith("/"):
            return _command(conversation, keys, text)
        _reply(conversation, text)
    except KeyboardInterrupt:
        say("\n(stopped)")
    except CommonplaceError as error:
        warn(f"{error.message} {error.hint}".rstrip())
    except Exception as error:  # the conversation goes on, whatever one turn came to
        if current().debug:
            raise
        warn(f"Something unexpected happened: {type(error).__name__}: {error}. --debug shows more.")
    return True


def _reply(conversation: Conversation, text: str) -> None:
    screen = Screen(remarks=True)
    with closing(conversation.say(text)) as turn:
        try:
            screen.show(turn)
        finally:
            screen.end_line()


def _leave(call: Call, conversation: Conversation, session: str | None) -> None:
    """What was said goes into the log. Whoever does not want to wait loses nothing: the next start catches up."""
    conversation.leave()
    try:
        if not conversation.lifecycle.wait(_LAST_MOMENT):
            if sys.stderr.isatty():
                told = "Writing the log … (Ctrl-C leaves it for the next start)"
                print(styled(told, "dim", sys.stderr), file=sys.stderr)
            conversation.lifecycle.wait(_PATIENCE)
    except KeyboardInterrupt:
        print(file=sys.stderr)
    for failure in conversation.lifecycle.failures():
        if failure.session == session:
            warn(f"What was said is not in the log yet: {failure.message} The next start of the chat tries again.")
    call.app.note_book(conversation.memory)


# -- what starts with a slash ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Slash:
    usage: str
    does: str
    run: Callable[[Conversation, Keyboard, str], None]


def _command(conversation: Conversation, keys: Keyboard, line: str) -> bool:
    name, _, rest = line[1:].strip().partition(" ")
    if name in {"quit", "exit", "q"}:
        return False
    command = _COMMANDS.get(name)
    if command is None:
        raise NotFound(f"There is no command /{name}.", hint="/help lists them.")
    command.run(conversation, keys, rest.strip())
    return True


def _help(_conversation: Conversation, _keys: Keyboard, _rest: str) -> None:
    for command in _COMMANDS.values():
        say(f"  {command.usage:<20} {command.does}")
    say(f"  {'/quit':<20} leave (also Ctrl-D)")
    say("  Ctrl-C stops a reply. Alt-Enter begins a new line (without prompt_toolkit: end the line with \\).")


def _sessions(conversation: Conversation, _keys: Keyboard, rest: str) -> None:
    infos = conversation.memory.search_sessions(rest) if rest else conversation.memory.session_infos()
    for info in infos[:_MOST_LISTED]:
        say(f"{'*' if info.id == conversation.session else ' '} {session_line(info)}")
    if not infos:
        say("There are no sessions yet." if not rest else "No session has that.")


def _switch(conversation: Conversation, keys: Keyboard, rest: str) -> None:
    _entered(conversation, keys, conversation.switch(rest))


def _entered(conversation: Conversation, keys: Keyboard, info: SessionInfo) -> None:
    """Show where an earlier session stopped."""
    messages = conversation.memory.transcript(info.id).messages
    keys.remember([message.text for message in messages if message.role == "user"])
    say_styled(session_line(info), "bold")
    for message in [message for message in messages if message.role in SPOKEN][-2:]:
        say(f"{message.role}: {shortened(message.text, 200)}")


def _new(conversation: Conversation, _keys: Keyboard, _rest: str) -> None:
    conversation.new()
    say("The next message begins a new session.")


def _rename(conversation: Conversation, _keys: Keyboard, rest: str) -> None:
    conversation.rename(rest)
    say(f"This session is now called: {rest}")


def _memory(conversation: Conversation, _keys: Keyboard, _rest: str) -> None:
    text = conversation.memory.read()
    say(text.rstrip() if text.strip() else "The long-term memory is empty.")


def _recall(conversation: Conversation, _keys: Keyboard, rest: str) -> None:
    session = conversation.session
    if not rest and session is not None:
        asked = [m.text for m in conversation.memory.transcript(session).messages if m.role == "user"]
        rest = asked[-1] if asked else ""
    if not rest:
        raise ValidationError("There is no question to recall for.", hint="/recall QUESTION")
    for line in recall_lines(conversation.memory.recall(rest)):
        say(line)


def _search(conversation: Conversation, _keys: Keyboard, rest: str) -> None:
    from commonplace.cli.lookup import show_found

    show_found(conversation.memory.search(_given(rest, "/search WORDS")), rest)


def _why(conversation: Conversation, _keys: Keyboard, rest: str) -> None:
    from commonplace.cli.undo import say_origin

    say_origin(conversation.memory.why(_given(rest, "/why TEXT")))


def _forget(conversation: Conversation, _keys: Keyboard, rest: str) -> None:
    from commonplace.cli.remember import proposed

    entry = conversation.memory.find(_given(rest, "/forget TEXT"))
    gone = conversation.memory.forget(entry.text, origin=Origin.PERSON, session=conversation.session)
    if isinstance(gone, Held):
        raise proposed(gone)
    say(f"Forgotten: {gone.entry.text}")
    say_styled("/undo brings it back.", "dim")


def _undo(conversation: Conversation, _keys: Keyboard, rest: str) -> None:
    undone = conversation.memory.undo(rest or None)
    say(f"Undone: {shortened(undone.undone.note.summary)}")
    say_styled(f"To have it back: /undo {undone.change[:10]}", "dim")


def _given(rest: str, usage: str) -> str:
    if not rest:
        raise ValidationError("Something is missing.", hint=usage)
    return rest


def _log(conversation: Conversation, _keys: Keyboard, _rest: str) -> None:
    done = conversation.flush() if conversation.session else True
    days = conversation.memory.log_days()
    if days:
        told = [body for body, _ in blocks(conversation.memory.read_log(days[0]))]
        say(f"# Daily Log {days[0].isoformat()}\n\n" + "\n\n---\n\n".join(told))
    else:
        say("There is no log yet.")
    if not done:
        warn("This session could not be logged; it is tried again later. commonplace doctor says why.")


def _compact(conversation: Conversation, _keys: Keyboard, _rest: str) -> None:
    if conversation.model is None:
        raise ValidationError("Without a model there is no prompt to make shorter.")
    done = conversation.compact()
    if done is None:
        say("The history is short; nothing to cut.")
    else:
        say(f"{counted(done.dropped, 'message')} left the prompt, {done.kept} stay. The transcript keeps every word.")


_COMMANDS = {
    "help": _Slash("/help", "this list", _help),
    "sessions": _Slash("/sessions [WORDS]", "list the sessions, or those that have these words", _sessions),
    "switch": _Slash("/switch SESSION", "go on with an earlier session (id, or how its title begins)", _switch),
    "new": _Slash("/new", "begin a new session", _new),
    "rename": _Slash("/rename TITLE", "give this session another title", _rename),
    "memory": _Slash("/memory", "print the long-term memory", _memory),
    "recall": _Slash("/recall [QUESTION]", "what would be put into the prompt, and its size", _recall),
    "search": _Slash("/search WORDS", "look through the memory, the logs and the conversations", _search),
    "why": _Slash("/why TEXT", "where something in the memory came from", _why),
    "forget": _Slash("/forget TEXT", "take an entry out of the memory", _forget),
    "undo": _Slash("/undo [CHANGE]", "take back the newest change, or the one named", _undo),
    "log": _Slash("/log", "log this session now and print the newest daily log", _log),
    "compact": _Slash("/compact", "cut the chat history in the prompt to its newest part", _compact),
}


def _explain(call: Call) -> None:
    """Without a terminal there is nobody to talk to: say what this is, and change nothing."""
    memory, model = call.app.open(), call.app.chat_model()
    following = [
        {"command": "echo MESSAGE | commonplace chat --once", "does": "one turn, from a pipe"},
        {"command": "commonplace ask QUESTION", "does": "one turn, from the command line"},
        {"command": "commonplace recall QUESTION", "does": "what would be put into the prompt"},
    ]
    identity = model.identity if model else None
    call.answer(
        {"book": memory.address, "model": identity, "sessions": len(memory.sessions()), "next": following},
        "commonplace chat talks to you at a terminal; this is none, so nothing was done.",
        f"The book is {memory.address}; "
        f"the model is {identity or 'not configured: answers come from the memory alone'}.",
        *(f"  {one['command']:<42} {one['does']}" for one in following),
    )
    sys.stdout.flush()
