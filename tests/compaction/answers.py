"""The corpus: memories, good answers about them, and bad ones.

`memories.txt` has numbered entries (a `~` marks what passes); `good.txt` and `bad.txt` say only what an answer changes,
and the rest of the answer keeps every other entry as it is. What is wrong with a whole answer (a refusal, a cut, a
fence) is made here. docs/compaction.md tells how many passed when they were first looked at.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from commonplace.distill.proposal import Item
from commonplace.types import StopReason

HERE = Path(__file__).parent
STANDARD = ("User Profile", "Preferences", "Interests", "Workflow", "Projects", "Notes")
_CHANGE = re.compile(
    r"\[(?P<ids>[\d, ]+)\] (?:(?P<drop>(?:duplicate|superseded|transient).*)|(?P<section>[\w ]+): (?P<text>.+))"
)


@dataclass(frozen=True)
class Answer:
    """What a model might say about a memory. `kind` names what is wrong with it (good: nothing)."""

    memory: str
    text: str
    kind: str
    reason: StopReason = "end"


@cache
def memories() -> dict[str, tuple[Item, ...]]:
    found: dict[str, list[Item]] = {}
    name = section = ""
    for line in (HERE / "memories.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            name = line[2:]
            found[name] = []
        elif line.startswith("# "):
            section = line[2:]
        elif line:
            number, _, text = line.partition(" ")
            found[name].append(Item(int(number), text.removeprefix("~ "), section))
    return {name: tuple(items) for name, items in found.items()}


@cache
def passing() -> frozenset[str]:
    """The entries that say what was true for a moment: a `~` marks them. The gate's own eye for them is tested with
    the gate."""
    lines = (HERE / "memories.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line.partition("~ ")[2] for line in lines if "~ " in line)


def good() -> list[Answer]:
    return [Answer(memory, whole(memory, changes), "good") for memory, _, changes in _blocks("good.txt")]


def bad() -> list[Answer]:
    typed = [Answer(memory, whole(memory, changes), kind) for memory, kind, changes in _blocks("bad.txt")]
    return [*typed, *_refusals(), *_torn(), *_misshapen()]


def _blocks(file: str) -> Iterator[tuple[str, str, list[str]]]:
    """Memory, kind and changes of each answer."""
    for block in re.split(r"^= ", (HERE / file).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        head, *lines = [line for line in block.splitlines() if line]
        memory, _, kind = head.partition(" ")
        yield memory, kind, lines


def whole(memory: str, changes: list[str]) -> str:
    """The answer that makes these changes and keeps the rest."""
    items = memories()[memory]
    sections: dict[str, list[str]] = {title: [] for title in STANDARD}
    dropped: list[str] = []
    done: set[int] = set()
    for line in changes:
        change = _CHANGE.fullmatch(line)
        assert change is not None, line
        done |= {int(id) for id in change["ids"].split(",")}
        if change["drop"]:
            dropped.append(f"- [{change['ids']}] {change['drop']}")
        else:
            sections.setdefault(change["section"], []).append(f"- [{change['ids']}] {change['text']}")
    for item in items:
        if item.id not in done:
            sections[item.section].append(f"- [{item.id}] {item.text}")
    lines = ["# Long-term Memory"]
    for title, bullets in [*sections.items(), ("Dropped", dropped)]:
        lines += ["", f"## {title}", *bullets] if bullets else []
    return "\n".join(lines) + "\n"


def _refusals() -> list[Answer]:
    names = list(memories())
    texts = (HERE / "refusals.txt").read_text(encoding="utf-8").split("\n\n")
    return [Answer(names[at % len(names)], text.strip(), "refusal") for at, text in enumerate(texts) if text.strip()]


def _torn() -> list[Answer]:
    """Answers that end too early: after every kind of line, within a bullet, within its number, within a heading."""
    found: list[Answer] = []
    for at, answer in enumerate(good()[::5]):
        text = answer.text.rstrip()
        lines = text.split("\n")
        middle = len("\n".join(lines[: len(lines) // 2]))
        cuts = {
            "after the header": len(lines[0]),
            "after a heading": text.find("\n", text.find("## ")),
            "in a number": text.rfind("[", 0, middle + 8) + 1,
            "after a number": text.find("]", middle) + 1,
            "after the middle line": middle,
            "in a word": middle + 14,
            "before the last bullet": text.rfind("\n"),
            "in the last bullet": text.rfind(" "),
        }
        for name, cut in list(cuts.items())[at % 2 :: 2]:
            found.append(Answer(answer.memory, text[:cut], f"cut {name}"))
        found.append(Answer(answer.memory, answer.text, "cut by the limit", "length"))
    return found


def _misshapen() -> list[Answer]:
    """Whole answers with something around, in or instead of them."""
    found: list[Answer] = []
    names = list(memories())
    texts = {name: whole(name, []) for name in names}

    def add(kind: str, change: "dict[str, str] | None" = None, **made: str) -> None:
        for name, text in (change or made).items():
            found.append(Answer(name, text, kind))

    for at, name in enumerate(names):
        text = texts[name]
        items = memories()[name]
        first, last = items[0], items[-1]
        line = f"- [{first.id}] {first.text}\n"
        shapes = {
            "fence": f"```markdown\n{text}```",
            "bare fence": f"```\n{text}```\n",
            "commentary before": f"Here is the compacted memory:\n\n{text}",
            "commentary after": f"{text}\nI merged the duplicates and kept everything else.",
            "commentary between": text.replace("\n\n## ", "\n\nThese are the important ones:\n\n## ", 1),
            "duplicate heading": text + f"\n## {first.section}\n",
            "duplicate heading with entries": text.replace(line, "") + f"\n## {first.section}\n{line}",
            "wrong header": text.replace("# Long-term Memory", "# Memory"),
            "no header": text.removeprefix("# Long-term Memory\n\n"),
            "header of another level": text.replace("# Long-term Memory", "## Long-term Memory"),
            "unknown section": text.replace(f"## {first.section}", "## Miscellaneous", 1),
            "unknown number": text + f"- [{last.id + 40}] {last.text}\n",
            "number twice": text + f"- [{last.id}] {last.text}\n",
            "kept and dropped": text + f"\n## Dropped\n- [{last.id}] duplicate of [{first.id}]\n",
            "missing number": text.replace(line, ""),
            "entry without number": text.replace(line, f"- {first.text}\n"),
            "reason of its own": text.replace(line, "") + f"\n## Dropped\n- [{first.id}] not useful any more\n",
            "dropped before the end": text.replace(line, "").replace(
                "# Long-term Memory\n", f"# Long-term Memory\n\n## Dropped\n- [{first.id}] transient\n", 1
            ),
            "survivor that is dropped": text.replace(line, "").replace(f"- [{last.id}] {last.text}\n", "")
            + f"\n## Dropped\n- [{first.id}] duplicate of [{last.id}]\n- [{last.id}] duplicate of [{first.id}]\n",
            "duplicate of itself": text.replace(line, "") + f"\n## Dropped\n- [{first.id}] duplicate of [{first.id}]\n",
            "everything dropped": "# Long-term Memory\n\n## Dropped\n"
            + "".join(f"- [{item.id}] transient\n" for item in items),
            "everything merged": f"# Long-term Memory\n\n## Notes\n- [{', '.join(str(i.id) for i in items)}] "
            + "; ".join(item.text for item in items),
            "html": "<h1>Long-term Memory</h1><ul>" + "".join(f"<li>[{i.id}] {i.text}</li>" for i in items) + "</ul>",
            "json": '{"memory": [' + ", ".join(f'{{"id": {i.id}, "text": "{i.id}"}}' for i in items) + "]}",
            "tool call": f'<tool_call>{{"name": "save_memory", "arguments": {{"content": "{first.id}"}}}}</tool_call>',
            "table": "# Long-term Memory\n\n| id | text |\n|---|---|\n" + "".join(f"| {i.id} | x |\n" for i in items),
            "nested bullets": text.replace(line, f"{line}  - and more about it\n"),
            "comment": text + "<!-- done -->\n",
            "thinking": f"<think>The entries 1 and 2 look alike.</think>\n{text}",
            "empty": " \n" * (at + 1),
            "only the header": "# Long-term Memory\n",
            "protected by itself": text.replace(line, f"- [{first.id}] User requested: {first.text}\n"),
            "a protected entry repeated": text + "\n## Notes\n- User requested: Always answer in German\n",
            "first words only": "# Long-term Memory\n\n## Notes\n"
            + "".join(f"- [{item.id}] {item.text.split()[0][: len(item.text) // 2]}\n" for item in items),
            "all the same": "# Long-term Memory\n\n## Notes\n"
            + "".join(f"- [{item.id}] {first.text}\n" for item in items),
        }
        chosen = list(shapes.items())
        for kind, shaped in chosen[at % 3 :: 3]:
            add(kind, {name: shaped})
    return found
