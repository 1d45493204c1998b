"""One hook: what a host tells about a moment of a conversation -> what it is told back, and what is done meanwhile.

Nothing here may break the host's conversation: whatever goes wrong is noted where `doctor` looks, and the host gets an
empty answer. What takes long is handed to a process of its own, since hosts end their hooks after about a second.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from commonplace.errors import CommonplaceError
from commonplace.files.folder import PRIVATE
from commonplace.framing import harmless
from commonplace.hooks.clients import CLIENTS, Client, Moment
from commonplace.hooks.hosted import Hosted, Register, session_id
from commonplace.hooks.transcripts import READERS
from commonplace.prompts import prompt
from commonplace.types.sessions import Message

if TYPE_CHECKING:
    from commonplace.app import App
    from commonplace.memory import Memory

LOG = f"{PRIVATE}/hooks.jsonl"
_LOG_KEPT = 200
_IDLE_MINUTES = 10.0
_TOKENS = 2000
_LEAST_TOKENS = 200


@dataclass(frozen=True, slots=True)
class Told:
    """What a host says in one event."""

    client: Client
    moment: Moment
    session: str
    folder: Path
    transcript: str
    event: str
    payload: Mapping[str, Any]

    def text(self, *names: str) -> str:
        return next((value for name in names if isinstance(value := self.payload.get(name), str) and value), "")


def parse(client: str, data: str, here: Path) -> Told | None:
    """What standard input says; None for an event that is none of ours."""
    known = CLIENTS[client]
    try:
        raw: object = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(raw, dict):
        return None
    payload = cast(dict[str, Any], raw)
    event = str(payload.get("hook_event_name") or payload.get("event") or "")
    moment = known.events.get(event)
    given = str(payload.get("session_id") or payload.get("conversation_id") or payload.get("sessionID") or "")
    if moment is None or not given:
        return None
    roots = cast(list[object], payload.get("workspace_roots") or [])
    folder = str(payload.get("cwd") or (roots[0] if roots else "") or here)
    transcript = str(payload.get("transcript_path") or "")
    return Told(known, moment, session_id(client, given), Path(folder), transcript, event, payload)


def run(app: App, told: Told) -> dict[str, object]:
    """What the host is answered."""
    memory = app.memory_in(told.folder)
    register = Register(memory)
    match told.moment:
        case Moment.START:
            _note(register, told)
            text = _greeting(memory, told.client.longest)
            hand_over(app, told.folder)
            return _answer(told, text)
        case Moment.PROMPT:
            _note(register, told)
            return _answer(told, _for_prompt(memory, told))
        case Moment.ANSWER:
            if told.client.name in READERS:
                hand_over(app, told.folder, told.session, flush=False)
            else:
                _keep(
                    memory,
                    told,
                    "assistant",
                    told.text("last_assistant_message", "prompt_response", "text", "response"),
                )
            return {}
        case Moment.COMPACT:
            work(app, memory, told.session)
            return {}
        case Moment.END:
            if hosted := _hosted(register, told):
                register.note(replace(hosted, ended=True))
            hand_over(app, told.folder, told.session)
            return {}


# -- what is told ------------------------------------------------------------------------------------------------------


def _greeting(memory: Memory, longest: int) -> str:
    """The long-term memory, as much of it as the host takes, and how to use it."""
    guide = prompt("hosted")
    return _joined(guide, lambda budget: memory.recall("", budget=budget).text, longest)


def _for_prompt(memory: Memory, told: Told) -> str:
    """What fits this prompt, and what was done because of it."""
    asked = told.text("prompt", "message")
    if not asked.strip():
        return ""
    if told.client.name not in READERS:
        done = _keep(memory, told, "user", asked).done
    else:
        heard = Message(uuid.uuid4().hex[:16], "user", asked, datetime.now().astimezone())
        done = memory.heed(told.session, heard)
    lines = [f"- {harmless(one.told)}" for one in done]
    notes = "\n".join([prompt("hosted_done"), *lines]) if lines else ""

    def relevant(budget: int) -> str:
        return memory.recall(asked, budget=budget, session=told.session).relevant

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
    if not told.transcript or told.client.name not in READERS:
        return
    known = _hosted(register, told)
    if known is None or known.transcript != told.transcript or known.ended:
        size = known.size if known else 0
        register.note(Hosted(told.session, told.client.name, told.transcript, size))


def _hosted(register: Register, told: Told) -> Hosted | None:
    return next((one for one in register.all() if one.session == told.session), None)


def hand_over(app: App, folder: Path, session: str = "", *, flush: bool = True) -> None:
    """Let a process of its own do the rest: it outlives the hook, its terminal and its host."""
    words = [sys.executable, "-m", "commonplace", "hook", "work", "--folder", str(folder)]
    words += ["--session", session] if session else []
    words += [] if flush else ["--take-in"]
    subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd="/",
        env={**app.environment},
    )


def work(app: App, memory: Memory, session: str = "", *, flush: bool = True) -> None:
    """Take in what hosts wrote and log it. Without a session: whatever nobody is in any more, and what a day brings."""
    register = Register(memory)
    hosted = register.all()
    for one in hosted:
        if not session or one.session == session:
            register.take_in(one)
    if not flush:
        return
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


def answered(app: App, client: str, data: str, here: Path) -> dict[str, object]:
    """The whole of a hook: it answers something, whatever happens."""
    started = time.perf_counter()
    told = parse(client, data, here)
    if told is None or app.settings.hooks == "off":
        return {}
    try:
        answer, trouble = run(app, told), ""
    except Exception as error:  # a host must not see our trouble; doctor does
        answer, trouble = {}, f"{type(error).__name__}: {error}"
    try:
        noted(app.memory_in(told.folder), client, told.event, time.perf_counter() - started, trouble)
    except Exception:  # noqa: S110 the book itself is in trouble: every other command tells it
        pass
    return answer
