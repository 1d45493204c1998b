"""What a model sends as arguments, checked. One that is wrong is told with what to send instead. Pure."""

from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import TypeVar, cast

from commonplace.errors import ValidationError
from commonplace.files.daily import parse_day

_E = TypeVar("_E", bound=StrEnum)


class Arguments:
    """The arguments of one call. Names that the tool does not have are an error: a misspelt filter would be ignored."""

    def __init__(self, tool: str, given: Mapping[str, object], known: Mapping[str, object]) -> None:
        self._given = {name: value for name, value in given.items() if value is not None}
        unknown = [name for name in self._given if name not in known]
        if unknown:
            takes = f"It takes: {', '.join(known)}." if known else "It takes no arguments."
            raise ValidationError(f"{tool} has no argument {unknown[0]!r}.", hint=takes)

    def text(self, name: str) -> str:
        value = self._given.get(name)
        if not isinstance(value, str):
            what = "is missing" if value is None else "is not a text"
            raise ValidationError(f"{name} {what}.", hint=f"Call again with {name} as a text.")
        return value

    def optional_text(self, name: str) -> str | None:
        return self.text(name) if name in self._given else None

    def as_given(self, name: str) -> str:
        """Whatever stands there, for an argument of which no value is wrong."""
        return str(self._given.get(name, ""))

    def texts(self, name: str) -> list[str]:
        value = self._given.get(name, [])
        listed = cast(list[object], value) if isinstance(value, list) else [None]
        if not all(isinstance(text, str) for text in listed):
            raise ValidationError(f"{name} is not a list of texts.", hint=f"Call again with {name} as a list of texts.")
        return [str(text) for text in listed]

    def flag(self, name: str) -> bool:
        value = self._given.get(name, False)
        if not isinstance(value, bool):
            raise ValidationError(f"{name} is {value!r}.", hint="Give true or false.")
        return value

    def whole_number(self, name: str, least: int, most: int) -> int | None:
        value = self._given.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValidationError(f"{name} is {value!r}.", hint=f"Give a whole number from {least} to {most}.")
        return value

    def day(self, name: str) -> date | None:
        value = self.optional_text(name)
        return None if value is None else parse_day(value)

    def one_of(self, name: str, kind: type[_E], allowed: Sequence[_E] = ()) -> _E | None:
        value = self.optional_text(name)
        choices = tuple(allowed) or tuple(kind)
        found = next((member for member in choices if member.value == value), None)
        if value is not None and found is None:
            known = ", ".join(member.value for member in choices)
            raise ValidationError(f"{name} is {value!r}.", hint=f"Give one of: {known}.")
        return found
