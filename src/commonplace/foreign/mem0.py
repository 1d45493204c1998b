"""mem0's memories: the records that its `get_all` gives. Those of several users are never mixed.

Pure but for reading."""

import json
from collections.abc import Iterator, Mapping, Sequence
from uuid import NAMESPACE_URL, uuid5

from commonplace.errors import ValidationError
from commonplace.files.pages import day_in
from commonplace.foreign.fields import Record, record, text
from commonplace.foreign.ids import digest
from commonplace.foreign.jsonstream import pieces
from commonplace.foreign.markdown import section_title
from commonplace.foreign.opening import Source
from commonplace.types.transfer import Brought, Memo, PassedOver

LISTS = frozenset({"", "results", "memories", "data"})
_OWNERS = ("user_id", "agent_id", "run_id")
_SHOWN = 10


def is_one(value: object) -> bool:
    return isinstance(record(value).get("memory"), str)


def brought(source: Source, user: str | None) -> Iterator[Brought]:
    """The memories of `user`; None if there is only one."""
    if user is None and len(owners := _owners(source)) > 1:
        few = ", ".join(owners[:_SHOWN]) + (" …" if len(owners) > _SHOWN else "")
        raise ValidationError(
            f"{source.label} holds memories of {len(owners)} users: {few}.", hint="Name one of them with --user."
        )
    for place, one in _records(source):
        owner = _owner(one)
        if user is not None and owner != user:
            yield PassedOver(place, "it is another user's")
        elif not text(one.get("memory")).strip():
            yield PassedOver(place, "it is empty")
        else:
            yield _memo(one, place)


def _memo(one: Record, place: str) -> Memo:
    said, told = text(one.get("memory")), record(one.get("metadata"))
    since = day_in(text(one.get("updated_at"))) or day_in(text(one.get("created_at")))
    return Memo(text(one.get("id")) or digest(said), said, section_title(text(told.get("section"))), place, since)


def _records(source: Source) -> Iterator[tuple[str, Record]]:
    for file in source.ending(".json"):
        with source.open(file) as stream:
            listed = (value for key, value in pieces(stream, file.name) if key in LISTS)
            for number, value in enumerate(listed):
                yield f"{file.name} record {number}", record(value)


def _owners(source: Source) -> list[str]:
    return sorted({_owner(one) for _, one in _records(source)})


def _owner(one: Record) -> str:
    return next((found for key in _OWNERS if (found := text(one.get(key)))), "")


def written(sections: Mapping[str, Sequence[Memo]], user: str) -> bytes:
    """The records of one user, as mem0 gives and takes them."""
    results = [
        {
            "id": str(uuid5(NAMESPACE_URL, f"commonplace:{section}\n{one.text}")),
            "memory": one.text,
            "hash": digest(one.text),
            "metadata": {"section": section},
            "created_at": one.since.isoformat() if one.since else None,
            "updated_at": None,
            "user_id": user,
        }
        for section, entries in sections.items()
        for one in entries
    ]
    return (json.dumps({"results": results}, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")
