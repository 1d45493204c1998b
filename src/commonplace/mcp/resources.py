"""The memory, the daily logs and the conversations as MCP resources: their addresses, and what is read there.

What a resource holds may be put before a model as it is, so it comes in a frame. An address is never taken for a path:
its last part is a date or the id of a session, or nothing is found.
"""

from mcp import types

from commonplace.errors import NotFound, ValidationError
from commonplace.files import daily, transcripts
from commonplace.framing import frame, framed, harmless_lines
from commonplace.memory import Memory
from commonplace.types.book import MEMORY_FILE
from commonplace.types.sessions import SPOKEN, Message

_BOOK = "commonplace://book/"
MEMORY = f"{_BOOK}memory"
_DAILY = f"{_BOOK}daily/"
_SESSIONS = f"{_BOOK}sessions/"
_MARKDOWN = "text/markdown"
_MOST_COMPLETIONS = 100

TEMPLATES = [
    types.ResourceTemplate(
        name="daily_log",
        title="Daily log",
        uri_template=f"{_DAILY}{{date}}",
        description="What happened on a day (YYYY-MM-DD).",
        mime_type=_MARKDOWN,
    ),
    types.ResourceTemplate(
        name="conversation",
        title="Conversation",
        uri_template=f"{_SESSIONS}{{session}}",
        description="What was said in an earlier conversation, by the id of its session.",
        mime_type=_MARKDOWN,
    ),
]


def listed(memory: Memory) -> list[types.Resource]:
    """All resources: the memory, then logs and conversations, newest first."""
    days = [
        _resource(f"{_DAILY}{day}", f"daily/{day}", f"Daily log of {day}", "What happened that day.")
        for day in memory.log_days()
    ]
    sessions = [
        _resource(f"{_SESSIONS}{id}", f"sessions/{id}", f"Conversation {id}", "What was said in it.")
        for id in reversed(memory.sessions())
    ]
    about = "What is kept about the user: lasting facts, in sections."
    return [_resource(MEMORY, MEMORY_FILE, "Long-term memory", about), *days, *sessions]


def address_of(file: str) -> str | None:
    """The address of a file of the book; None for one that is no resource."""
    if file == MEMORY_FILE:
        return MEMORY
    if file.startswith(f"{daily.FOLDER}/") and (day := daily.day_of(file)):
        return f"{_DAILY}{day}"
    session = transcripts.session_of(file)
    return f"{_SESSIONS}{session}" if session else None


def read(memory: Memory, address: str) -> str:
    """What stands at an address, framed."""
    if address == MEMORY:
        text = memory.read()
        return framed(text) if text.strip() else "The long-term memory is empty."
    try:
        if address.startswith(_DAILY):
            return framed(memory.read_log(daily.parse_day(address.removeprefix(_DAILY))))
        if address.startswith(_SESSIONS):
            messages = memory.transcript(address.removeprefix(_SESSIONS)).messages
            if spoken := [message for message in messages if message.role in SPOKEN]:
                return frame([line for message in spoken for line in _said(message)])
    except ValidationError as error:
        raise _nothing_there() from error
    raise _nothing_there()


def completions(memory: Memory, template: str, beginning: str) -> types.Completion:
    """What may stand in a template's place, as far as it begins like that."""
    known: list[str] = []
    if template == TEMPLATES[0].uri_template:
        known = [day.isoformat() for day in memory.log_days()]
    elif template == TEMPLATES[1].uri_template:
        known = memory.sessions()[::-1]
    fitting = [value for value in known if value.startswith(beginning)]
    more = len(fitting) > _MOST_COMPLETIONS
    return types.Completion(values=fitting[:_MOST_COMPLETIONS], total=len(fitting), has_more=more)


def _resource(address: str, name: str, title: str, description: str) -> types.Resource:
    return types.Resource(uri=address, name=name, title=title, description=description, mime_type=_MARKDOWN)


def _said(message: Message) -> list[str]:
    first, *more = harmless_lines(message.text)
    return [f"- [{message.at:%Y-%m-%d %H:%M}, {message.role}] {first}", *more]


def _nothing_there() -> NotFound:
    return NotFound("There is no such resource.", hint="resources/list names those that there are.")
