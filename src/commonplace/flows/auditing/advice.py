"""How to mend what an audit found: in words for files, as commands for a book of ours. Pure."""

import shlex
from collections.abc import Callable

from commonplace.files.pages import Item
from commonplace.flows.auditing.report import Kind
from commonplace.gate.secrets import find_secrets
from commonplace.types.book import MEMORY_FILE

Advice = Callable[[Kind, Item], str]

_LONGEST_ARGUMENT = 200


def advice_for_files(kind: Kind, _item: Item) -> str:
    """How a person mends a file that is not a book of ours."""
    match kind:
        case Kind.SECRET:
            return "Replace it by where it is kept (--fix takes it out), and change it: it may have been read."
        case Kind.DUPLICATE | Kind.STRUCTURE:
            return "--fix puts it in order."
        case Kind.SAME_FACT:
            return "Delete it, or put what it adds into the other."
        case Kind.CONTRADICTION:
            return "Delete the one that no longer holds."
        case Kind.STALE | Kind.TRANSIENT | Kind.ONE_OFF:
            return "Delete it, or write down what lasts."
        case Kind.INSTRUCTION | Kind.THIRD_PARTY:
            return "Delete it unless it is yours."
        case Kind.SEVERAL_FACTS | Kind.TOO_LONG:
            return "Make one entry of each fact."
        case Kind.NOTE:
            return "Move it below a heading."


def advice_for_book(option: str = "") -> Advice:
    """How a person mends a book: with commands. `option` is the --book that the commands need, if any."""

    def advice(kind: Kind, item: Item) -> str:
        if kind is Kind.SECRET:
            mend = f"commonplace audit{option} --fix; " if item.file == MEMORY_FILE else ""
            return (
                f"{mend}commonplace forget{option} --everywhere - (type the secret) removes every copy; then change it."
            )
        if kind in {Kind.DUPLICATE, Kind.STRUCTURE}:
            return f"commonplace audit{option} --fix"
        if item.file != MEMORY_FILE or kind is Kind.NOTE:
            return f"Edit line {item.line} of {item.file}."
        if kind in {Kind.SEVERAL_FACTS, Kind.TOO_LONG}:
            return f"commonplace forget{option} {_quoted(item)}, then commonplace remember{option} each fact."
        if item.is_protected:
            return f"You asked for it. If it no longer holds: commonplace forget{option} {_quoted(item)}"
        return f"commonplace forget{option} {_quoted(item)}"

    return advice


def _quoted(item: Item) -> str:
    """The argument that stands for an entry; never a secret, and nothing that a terminal would stumble over."""
    text = item.text
    if "\n" in text or len(text) > _LONGEST_ARGUMENT or find_secrets(text):
        return f"'…' (line {item.line})"
    return f"-- {shlex.quote(text)}" if text.startswith("-") else shlex.quote(text)
