"""A user's message, taken apart: what they wrote, and what they put into it from somewhere else. Pure.

What came from elsewhere shows by its form: fences, quotes, tags, headers of mails, output of programs, a line that
announces it. Where a form does not say where it ends, all that follows is taken as foreign: a page must not be able to
end itself and go on as if it were the user. One pass over the lines; nothing is searched twice.
"""

from collections.abc import Iterator
from itertools import groupby, takewhile
from typing import NamedTuple

from commonplace.gate import pastedforms as forms
from commonplace.types.asking import Voice


class Part(NamedTuple):
    """A stretch of a message; `voice` is USER for what the user wrote."""

    voice: Voice
    text: str


_LONG_TAGGED = 160
_SHORT_ASK = 160
_LONG_PARAGRAPH = 1500
_LONG_MESSAGE = 6000
_LONGEST_LINE = 600
_SELF_EVERY = 160  # characters: people who tell much about themselves say "I" at least so often


def parts(text: str) -> list[Part]:
    """The message in order, in stretches of one voice."""
    found: list[Part] = []
    for voice, piece in _by_tags(text):
        if voice is Voice.USER:
            found += _by_lines(piece)
        else:
            found.append(Part(voice, piece))
    return [part for part in found if part.text.strip()]


def _by_tags(text: str) -> Iterator[Part]:
    """Stretches in tags that name a source, or that are long; each up to the last tag that closes it."""
    if "<" not in text:
        yield Part(Voice.USER, text)
        return
    closings = {match[1].lower(): match.end() for match in forms.CLOSING.finditer(text)}
    done = at = 0
    while opening := forms.OPENING.search(text, at):
        name = opening[1].lower()
        end = closings.get(name, -1)
        known = forms.KNOWN.fullmatch(name) is not None
        if end <= opening.end():
            end = len(text) if known and opening.end() < len(text) else -1
        if end < 0 or not (known or end - opening.start() > _LONG_TAGGED or "\n" in text[opening.start() : end]):
            at = opening.end()
            continue
        yield Part(Voice.USER, text[done : opening.start()])
        yield Part(_voice_of(opening[0]), text[opening.end() : end])
        done = at = end
    yield Part(Voice.USER, text[done:])


def _by_lines(text: str) -> list[Part]:
    """Stretches of lines: fences, quotes, mails, logs, and what is announced."""
    lines = text.split("\n")
    pasted_before = _asked_about(lines)
    ruled = _between_rules(lines)
    found: list[Part] = []
    fence, rest = "", Voice.USER
    for at, line in enumerate(lines):
        if not line:
            found.append(Part(found[-1].voice if found else Voice.USER, line))
            continue
        if at < pasted_before or at in ruled:
            found.append(Part(Voice.FILE, line))
            continue
        mark = forms.FENCE.match(line[:80])
        head = line[:_LONGEST_LINE]
        if fence or mark:
            found.append(Part(Voice.FILE, line))
            fence = _fence_after(fence, mark[1] if mark else "", line)
        elif rest is not Voice.USER:
            found.append(Part(rest, line))
        elif opened := _opens(head, lines, at):
            voice, starts_here = opened
            rest = Voice.USER if _is_quoted_alone(lines[at:] if starts_here else lines[at + 1 :]) else voice
            found.append(Part(voice if starts_here else Voice.USER, line))
        elif forms.COMMENT.search(head):
            rest = Voice.WEB
            found.append(Part(rest, line))
        elif any(shape.match(head) for shape in forms.FOREIGN_LINES) or _too_long(line):
            found.append(Part(Voice.FILE, line))
        elif (quote := forms.INLINE_QUOTE.search(head)) and forms.ASKS_ABOUT.search(head[: quote.start()]):
            found += [Part(Voice.USER, line[: quote.start()]), Part(Voice.FILE, line[quote.end() :])]
            if not forms.QUOTE_END.search(line[-_LONGEST_LINE:]):
                rest = Voice.FILE
        else:
            found.append(Part(Voice.USER, line))
    joined = list(_joined(found))
    if sum(len(part.text) for part in joined if part.voice is Voice.USER) > _LONG_MESSAGE:
        return [_unless_too_long(part) for part in joined]
    return joined


def _asked_about(lines: list[str]) -> int:
    """How many lines are a text that the last line asks about ("… What does this mean?")."""
    last = max((at for at, line in enumerate(lines) if line.strip()), default=0)
    asking = lines[last]
    if last < 1 or len(asking) > _SHORT_ASK or not (forms.ASKING.search(asking) and forms.ABOVE.search(asking)):
        return 0
    before = "\n".join(lines[:last])
    if not before.strip():
        return 0
    if forms.REWORK.match(asking):
        return last
    if _tells_of_self(before) or "```" in before or forms.ASKING.search(lines[0][:_SHORT_ASK]):
        return 0
    return last


def _between_rules(lines: list[str]) -> frozenset[int]:
    """The lines between the two rules ("---") of a message, and these: somebody put them around what they pasted."""
    rules = [at for at, line in enumerate(lines) if forms.RULE.fullmatch(line[:80].strip())]
    return frozenset(range(rules[0], rules[1] + 1)) if len(rules) == 2 else frozenset()


def _is_quoted_alone(lines: list[str]) -> bool:
    """Whether foreign text is quoted to its last line, and only a short word of the user's own stands behind it."""
    after = [line.lstrip() for line in lines if line.strip()]
    quoted = list(takewhile(lambda line: line.startswith(">"), after))
    rest = after[len(quoted) :]
    return bool(quoted) and sum(map(len, rest)) <= _SHORT_ASK and not any(line.startswith(">") for line in rest)


def _fence_after(fence: str, mark: str, line: str) -> str:
    """The fence that is open after a line: none if it closes the open one, or opens and closes one."""
    if not fence:
        return "" if line.strip()[3:].rstrip().endswith(mark[:3]) else mark
    return "" if mark.startswith(fence) and not line.strip().strip(mark[0]) else fence


def _opens(line: str, lines: list[str], at: int) -> tuple[Voice, bool] | None:
    """Whether foreign text begins at this line and goes on: whose it is, and whether the line is a part of it."""
    following = any(later.strip() for later in lines[at + 1 : at + 4])
    if forms.FORWARDED.match(line) or forms.LETTER.match(line) or (following and forms.WROTE.match(line)):
        return Voice.FILE, True
    if forms.HEADER.match(line) and at + 1 < len(lines) and forms.HEADER.match(lines[at + 1][:_LONGEST_LINE]):
        return Voice.FILE, True
    if forms.FORGED.match(line) and (at > 0 or following or forms.TOOL_LINE.match(line)):
        return (_voice_of(line), True)
    if at > 0 and forms.SPEAKER.match(line):
        return Voice.FILE, True
    if not following:
        return (_voice_of(line), True) if forms.INLINE.search(line) else None
    if forms.HEADING.match(line) and not _tells_of_self(_after(lines, at)):
        return Voice.FILE, True
    if not lines[at + 1].strip() and forms.THIS_TEXT.search(line):
        return _voice_of(line), False
    short = len(line) <= _SHORT_ASK
    if short and forms.SHOWS.search(line) and forms.SENT_TO_ME.search(line):
        return _voice_of(line), False
    if short and (forms.REWORK.match(line) or forms.WHO_WROTE.search(line)):
        return _voice_of(line), False
    if short and not lines[at + 1].strip() and forms.TO_REWORK.search(line):
        return _voice_of(line), False
    if short and forms.ENDS_IN_THIS.match(line) and not _tells_of_self(line) and not _tells_of_self(_after(lines, at)):
        return _voice_of(line), False
    announced = forms.ANNOUNCED.search(line)
    if announced and forms.COLON.search(line):
        return _voice_of(line), False
    if short and not lines[at + 1].strip() and forms.ASKING.search(line) and forms.THIS.search(line):
        return None if _tells_of_self(_after(lines, at)) else (_voice_of(line), False)
    if (
        announced
        and not lines[at + 1].strip()
        and forms.THIS.search(announced[0])
        and not _tells_of_self(_after(lines, at))
    ):
        return _voice_of(line), False
    if forms.INLINE.search(line):
        return _voice_of(line), True
    return None


def _after(lines: list[str], at: int) -> str:
    """What follows a line, as much of it as is looked at."""
    return "\n".join(lines[at + 1 : at + 40])[:_LONG_MESSAGE]


def _joined(pieces: list[Part]) -> Iterator[Part]:
    for voice, group in groupby(pieces, key=lambda part: part.voice):
        yield Part(voice, "\n".join(part.text for part in group))


def _unless_too_long(part: Part) -> Part:
    return Part(Voice.FILE, part.text) if part.voice is Voice.USER and _too_long(part.text) else part


def _too_long(text: str) -> bool:
    return len(text) > _LONG_PARAGRAPH and not _tells_of_self(text)


def _tells_of_self(text: str) -> bool:
    return len(forms.SELF.findall(text)) * _SELF_EVERY >= len(text)


def _voice_of(announcement: str) -> Voice:
    if forms.TOOL.search(announcement):
        return Voice.TOOL
    return Voice.WEB if forms.WEB.search(announcement) else Voice.FILE
