"""One hook: what a host tells about a moment of a conversation -> what it is told back, and what is done meanwhile.

Nothing here may break the host's conversation: whatever goes wrong is noted where `doctor` looks, and the host gets an
empty answer. What takes long is handed to a process of its own, since hosts end their hooks after about a second.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from commonplace.errors import BookBusy, CommonplaceError
from commonplace.files.folders import PRIVATE
from commonplace.framing import harmless
from commonplace.hooks.clients import Moment, Told, parse
from commonplace.hooks.handing import hand_over
from commonplace.hooks.hosted import Hosted, Register
from commonplace.prompts import prompt
from commonplace.types.sessions import Message

if TYPE_CHECKING:
    from commonplace.app import App
    from commonplace.memory import Memory

LOG = f"{PRIVATE}/hooks.jsonl"
_LOG_KEPT = 200
_IDLE_MINUTES = 10.0
_WORK = "hooks"
_COMPACTING = 120.0  # seconds that a host waits with compacting for what another process logs
_TOKENS = 2000
_LEAST_TOKENS = 200
_ASKED = 4000  # characters of a prompt's beginning and of its end: what is pasted between is not what is asked


def run(app: App, memory: Memory, told: Told) -> dict[str, object]:
    """What the host is answered."""
    register = Register(memory)
    match told.moment:
        case Moment.START:
            _note(register, told)
            text = _greeting(memory, told.client.longest)
            hand_over(told.folder)
            return _answer(told, text)
        case Moment.PROMPT:
            _note(register, told)
            return _answer(told, _for_prompt(memory, told))
        case Moment.ANSWER:
            _keep(memory, told, "assistant", told.text("last_assistant_message", "prompt_response", "text", "response"))
            return {}
        case Moment.COMPACT:
            work(app, memory, told.session, patience=_COMPACTING)
            return {}
        case Moment.END:
            register.end(told.session)
            hand_over(told.folder, told.session)
            return {}


# -- what is told ------------------------------------------------------------------------------------------------------


def _greeting(memory: Memory, longest: int) -> str:
    """The long-term memory, as much of it as the host takes, and how to use it."""
    guide = prompt("hosted")
    return _joined(guide, lambda budget: memory.recall("", budget=budget).text, longest)


def _for_prompt(memory: Memory, told: Told) -> str:
    """What fits this prompt, and what was done because of it."""
    asked = told.prompt
    if not asked.strip():
        return ""
    if not told.client.writes:
        done = _keep(memory, told, "user", asked).done
    else:
        heard = Message(os.urandom(8).hex(), "user", asked, datetime.now().astimezone())
        done = memory.heed(told.session, heard)
    lines = [f"- {harmless(one.told)}" for one in done]
    notes = "\n".join([prompt("hosted_done"), *lines]) if lines else ""

    question = asked if len(asked) <= 2 * _ASKED else f"{asked[:_ASKED]}\n{asked[-_ASKED:]}"

    def relevant(budget: int) -> str:
        return memory.recall(question, budget=budget, session=told.session, embed=False).relevant

    return _joined(notes, relevant, told.client.longest)


def _joined(first: str, block: Callable[[int], str], longest: int) -> str:
    """A text and a block of memory, with as much of the block as fits: a frame is never cut."""
    budget = _TOKENS
    while budget >= _LEAST_TOKENS:
        text = "\n\n".join(filter(None, (first, block(budget))))
        if len(text) <= longest:
            return text
        budget = budget * 3 // 4
    return first[:longest]


def _keep(memory: Memory, told: Told, role: str, text: str) -> Message:
    """What was said, for a host whose transcripts we do not read."""
    if not text.strip():
        return Message("", role, "", datetime.now().astimezone())
    return memory.say(told.session, role, text)


def _answer(told: Told, text: str) -> dict[str, object]:
    if not text:
        return {}
    if not told.client.nested:
        return {"additional_context": text}
    return {"hookSpecificOutput": {"hookEventName": told.event, "additionalContext": text}}


# -- what is done ------------------------------------------------------------------------------------------------------


def _note(register: Register, told: Told) -> None:
    """Know where the transcript is before anything else: a host that is killed says nothing more."""
    known = register.known(told.session)
    now = Hosted(told.session, told.client.name, told.transcript, known.size if known else 0, False, told.ancestors)
    if known is None or replace(known, ancestors=told.ancestors) != now or not _same_agent(known, told):
        register.note(now)


def _same_agent(known: Hosted, told: Told) -> bool:
    """Whether the agent is among the same processes as before; shells between it and its hooks come and go."""
    return not told.ancestors or not set(known.ancestors).isdisjoint(told.ancestors)


def work(
    app: App,
    memory: Memory,
    session: str = "",
    *,
    flush: bool = True,
    ended: bool = False,
    patience: float = 0.0,
) -> None:
    """Take in what hosts wrote and log it. Without a session: whatever nobody is in any more, and what a day brings.
    `ended` says that the session has. One process at a time logs: whoever finds another at work leaves a note that the
    other reads before it goes, so that many events never make many processes; `patience` is how many
    seconds it waits for its turn before. Where nobody waits, vectors are made as well: hooks leave them out."""
    register = Register(memory)
    if ended:
        register.end(session)
    if not flush:
        for one in register.all():
            if one.session == session or not session:
                register.take_in(one)
        return
    register.leave_note(session)
    while register.notes():  # also one that somebody left after the last look of whoever was at work
        try:
            with memory.book.storage.alone(_WORK, timeout=patience):
                for one in register.notes():
                    register.take_note(one)
                    _log(app, memory, register, one)
                if ended or not session:
                    memory.embed()
        except BookBusy:
            return


def _log(app: App, memory: Memory, register: Register, session: str) -> None:
    hosted = register.all()
    for one in hosted:
        if not session or one.session == session:
            register.take_in(one)
    lifecycle = app.lifecycle(memory)
    if session:
        lifecycle.flush([session])
    now = datetime.now().astimezone()
    busy = {one.session for one in hosted if one.session != session and not register.idle(one, now, _IDLE_MINUTES)}
    lifecycle.started(but=busy)
    lifecycle.wait()


# -- where doctor looks ------------------------------------------------------------------------------------------------


def noted(memory: Memory, client: str, event: str, seconds: float, trouble: str = "") -> None:
    """Write down that a hook ran, how long it took, and what went wrong."""
    storage = memory.book.storage
    if memory.book.identity() is None:
        return
    record = {"at": datetime.now().astimezone().isoformat(timespec="seconds"), "client": client, "event": event}
    line = json.dumps({**record, "seconds": round(seconds, 3), **({"trouble": trouble} if trouble else {})})
    try:
        before = storage.read(LOG)
        kept = (before.data or b"").splitlines(keepends=True)[-_LOG_KEPT:]
        storage.write(LOG, b"".join([*kept, line.encode() + b"\n"]), expected=before.version, durable=False)
    except CommonplaceError:
        return  # somebody else wrote at this very moment; one line less


def answered(
    app: App,
    client: str,
    data: str,
    here: Path,
    opened: Callable[[App, Path], Memory] | None = None,
    *,
    ancestors: Sequence[int] = (),
) -> dict[str, object]:
    """The whole of a hook: it answers something, whatever happens. `ancestors` are the processes that it descends
    from, the nearest first: the agent is among them."""
    started = time.perf_counter()
    told = parse(client, data, str(here), ancestors)
    try:
        if told is None or app.settings.hooks == "off":
            return {}
        if told.can_wait:
            hand_over(told.folder, told.session, flush=told.moment is Moment.END, ended=told.moment is Moment.END)
            return {}
        memory = opened(app, Path(told.folder)) if opened else app.memory_in(Path(told.folder))
    except CommonplaceError:  # settings or books are in trouble: every other command tells it
        return {}
    try:
        answer, trouble = run(app, memory, told), ""
    except Exception as error:  # a host must not see our trouble; doctor does
        answer, trouble = {}, f"{type(error).__name__}: {error}"
    try:
        noted(memory, client, told.event, time.perf_counter() - started, trouble)
    except Exception:  # noqa: S110 the book itself is in trouble: every other command tells it
        pass
    return answer
