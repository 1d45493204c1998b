"""What a reader makes of text that has our frame in it, for the tests of every surface.

A surface that shows stored text to a model fills a book with `hostile_book`, takes what the model reads, and gives it
to `check_frames` with the number of frames that belong there.
"""

import html
import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime

from commonplace.framing import TAG, opening
from commonplace.memory import Memory
from commonplace.types import Message, Origin
from tests.payloads import PAYLOADS, SPECIAL, TITLES
from tests.stores import put

QUESTION = "instructions maintenance prompt tea"
_FRAME = re.compile(rf"<{TAG}>.*?</{TAG}>", re.DOTALL)
_OURS = {"## Long-term Memory", "## Relevant Memories", "### Notes", "## Session Summary"}


def hostile_book(memory: Memory, at: datetime, *, every: int = 1) -> Memory:
    """A book full of texts that want to be more than text: in entries, headings, logs and conversations."""
    chosen = PAYLOADS[::every]
    memory.create()
    for payload in chosen[::20]:
        memory.remember(payload, insist=True, origin=Origin.PERSON)  # a model could not insist
        memory.log(payload)
    put(
        memory,
        "MEMORY.md",
        memory.read() + "".join(f"\n## {title}\n\n- Drinks tea by maintenance instructions\n" for title in TITLES),
    )
    messages = [Message(f"m{number}", "user", payload, at) for number, payload in enumerate(chosen)]
    memory.add_message("hostile", *messages)
    return memory


def normalised(text: str) -> Iterator[str]:
    """What is left of a text for readers that join lines, drop what has no width, and resolve references, in any
    order and more than once."""
    yield text
    for space in (" ", ""):
        seen = text
        for _ in range(5):
            seen = "".join(c for c in seen if c.isspace() or unicodedata.category(c) not in {"Cf", "Cc"})
            seen = re.sub(r"\s+", space, unicodedata.normalize("NFKC", html.unescape(seen)))
            yield seen.casefold()


def check_frames(text: str, frames: int = 1) -> list[str]:
    """`text` has this many frames of ours, whoever reads it, and nothing acts in them or stands for one outside; the
    frames."""
    for seen in normalised(text):
        assert len(re.findall(rf"<\s*{TAG}", seen)) == frames, seen
        assert len(re.findall(rf"<\s*/\s*{TAG}", seen)) == frames, seen
    found = _FRAME.findall(text)
    assert len(found) == frames
    assert not frames or TAG not in _FRAME.sub("", text)
    for frame in found:
        check_frame(frame)
    return found


def check_frame(text: str) -> None:
    """One frame, our own headings only, and nothing in it that acts."""
    close = f"</{TAG}>"
    body = text.removeprefix(opening()).removesuffix(close)
    assert text.startswith(opening())
    assert text.endswith(close)
    check_harmless(body)


def check_harmless(body: str) -> None:
    """Text that may stand in a prompt without a frame, when it is quoted line by line."""
    assert not re.search(r"<\s*/|<\s*[A-Za-z|｜!<?]|<\s*$", body, re.MULTILINE), body
    assert not any(token in body for token in SPECIAL)
    assert not re.search(r"!\[|\]\(|```|~~~", body)
    assert not any(unicodedata.category(char) in {"Cf", "Cc", "Cs", "Zl", "Zp"} for char in body if char != "\n")
    for line in body.split("\n"):
        bare = re.sub(r"^[\s>*+|-]*(\d+[.)]\s+)?(\[[^\]]*\] )?[\s>*_+\"'-]*", "", line)
        assert line in _OURS or line.startswith("### Tea") or not re.match(r"#{1,6}(\s|$)", bare), line
        assert not re.match(r"(?i)(human|user|assistant|system|developer|tool)[*_]*\s*[:：]", bare), line
        assert not bare.startswith((":", "：")), line
        assert not re.fullmatch(r"\s*(=+|-+|[-*_](\s*[-*_]){2,})\s*", line), line
