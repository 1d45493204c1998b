"""What `doctor` looks at in the life of conversations: flushes that failed, and words that are in no log yet."""

from collections.abc import Iterator

from commonplace.agent.diary import Diary
from commonplace.errors import CommonplaceError
from commonplace.memory import Memory
from commonplace.types.keeping import Finding


def check_flushes(memory: Memory) -> list[Finding]:
    try:
        return list(_findings(memory)) or [Finding("flushes", "ok", "")]
    except CommonplaceError as error:
        return [Finding("flushes", "error", error.message, error.hint)]


def _findings(memory: Memory) -> Iterator[Finding]:
    for failure in Diary(memory.book.storage).failures():
        yield Finding(
            "flushes",
            "warning",
            f"{failure.session} could not be logged at {failure.at:%Y-%m-%d %H:%M} ({failure.code}): {failure.message}",
            "It is tried again at the next start. To try now: commonplace flush",
        )
    unlogged = [info.id for info in memory.session_infos() if info.unlogged]
    opened = memory.book.storage.presence.opened(unlogged)
    waiting = [session for session in unlogged if session not in opened]
    if waiting:
        count = f"{len(waiting)} session{'s' if len(waiting) > 1 else ''}"
        fix = "The next start of the chat logs them. To do it now: commonplace flush"
        yield Finding("flushes", "note", f"{count} with messages that are not in the log yet: {_few(waiting)}.", fix)


def _few(names: list[str]) -> str:
    return ", ".join(names[:5]) + (" …" if len(names) > 5 else "")
