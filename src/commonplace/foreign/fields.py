"""What stands in other programs' JSON, taken out without trust: each value is what it should be, or nothing. Pure."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

Record = Mapping[str, Any]
_FIRST, _LAST = datetime(1970, 1, 2, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)


def record(value: object) -> Record:
    return cast(Record, value) if isinstance(value, Mapping) else {}


def records(value: object) -> list[Record]:
    return [cast(Record, one) for one in items(value) if isinstance(one, Mapping)]


def items(value: object) -> list[object]:
    return cast(list[object], value) if isinstance(value, list) else []


def text(value: object) -> str:
    return value if isinstance(value, str) else ""


def text_of(content: object) -> str:
    """The text of a content: a string, or blocks of which some have one."""
    if isinstance(content, str):
        return content
    return "\n".join(str(block["text"]) for block in records(content) if isinstance(block.get("text"), str))


def moment(value: object) -> datetime | None:
    """A time in ISO form or in seconds since 1970, in the local zone; None where it is neither, or no time at which
    somebody can have said something."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            found = datetime.fromtimestamp(value, UTC)
        else:
            found = datetime.fromisoformat(text(value))
            found = found if found.tzinfo else found.astimezone()
        return found.astimezone() if _FIRST <= found <= _LAST else None
    except (ValueError, OverflowError, OSError):
        return None
