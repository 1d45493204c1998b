"""The prompts that a person may choose in a client: what each is called and asks for. The words are in `prompts/`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mcp import types

from commonplace.errors import NotFound, ValidationError
from commonplace.framing import framed
from commonplace.memory import Memory
from commonplace.prompts import prompt


@dataclass(frozen=True, slots=True)
class _Offered:
    about: types.Prompt
    text: Callable[[Memory, str], str]

    @property
    def argument(self) -> types.PromptArgument | None:
        return next(iter(self.about.arguments or []), None)


def offered() -> list[types.Prompt]:
    return [one.about for one in _PROMPTS.values()]


def filled_in(memory: Memory, name: str, given: Mapping[str, str]) -> types.GetPromptResult:
    """The prompt as a message of the user."""
    one = _PROMPTS.get(name)
    if one is None:
        raise NotFound(f"There is no prompt {name!r}.", hint=f"There are: {', '.join(_PROMPTS)}.")
    argument = one.argument
    words = given.get(argument.name, "").strip() if argument else ""
    if argument and argument.required and not words:
        raise ValidationError(f"{argument.name} is missing.", hint="Give it as a text.")
    content = types.TextContent(type="text", text=one.text(memory, words))
    return types.GetPromptResult(
        description=one.about.description, messages=[types.PromptMessage(role="user", content=content)]
    )


def _recall(memory: Memory, question: str) -> str:
    known = memory.recall(question).text
    return "\n\n".join([known, prompt("mcp_recall"), question] if known else [prompt("mcp_recall_nothing"), question])


def _save(_memory: Memory, focus: str) -> str:
    return f"{prompt('mcp_save')}\n\n{focus}".strip()


def _tidy(memory: Memory, _words: str) -> str:
    text = memory.read()
    shown = framed(text) if text.strip() else "The long-term memory is empty."
    return f"{shown}\n\n{prompt('mcp_tidy')}"


def _prompt(
    name: str, title: str, description: str, text: Callable[[Memory, str], str], *arguments: types.PromptArgument
) -> tuple[str, _Offered]:
    about = types.Prompt(name=name, title=title, description=description, arguments=list(arguments))
    return name, _Offered(about, text)


_PROMPTS: Mapping[str, _Offered] = dict(
    [
        _prompt(
            "recall",
            "Recall",
            "Answer a question with what is remembered about it.",
            _recall,
            types.PromptArgument(name="question", description="What you want to know.", required=True),
        ),
        _prompt(
            "save_conversation",
            "Save this conversation",
            "Keep what should last of this conversation in the long-term memory.",
            _save,
            types.PromptArgument(name="focus", description="What matters most, if anything does.", required=False),
        ),
        _prompt(
            "tidy_memory",
            "Tidy the memory",
            "Go through the long-term memory together: what is double, outdated or unclear.",
            _tidy,
        ),
    ]
)
