"""Whether a text is somebody else's: a piece of a page, a mail, a log or a program's output that was kept as it came.
Pure. The words alone tell; whose words a new text is, is known better when it is proposed."""

import re

from commonplace.gate.suspicion import Suspicion

_LOOKED_AT = 4000
_MARKS = (
    (re.compile(r"^[ \t]*(?:From|To|Subject|Sent|Date|Von|An|Betreff|De|Objet|Asunto):[ \t].*\n"
                r"[ \t]*(?:From|To|Cc|Subject|Sent|Date|Von|An|Betreff|De|Objet|Asunto):[ \t]", re.MULTILINE),
     0.9, "the head of a mail"),
    (re.compile(r"</?(?:div|span|p|br|td|tr|table|script|html|body|li|ul|a\s+href|img\s+src)\b[^>]{0,300}>",
                re.IGNORECASE), 0.8, "markup of a page"),
    (re.compile(r"(?:©|\(c\)|copyright)\s*(?:19|20)\d\d|all rights reserved|accept (?:all )?cookies|cookie policy"
                r"|click here to|sign up for our newsletter|read more\s*(?:»|→|\.\.\.|…)|unsubscribe"
                r"|terms of (?:service|use) apply", re.IGNORECASE), 0.8, "phrases of a web page"),
    (re.compile(r"\b(?:according to|as (?:stated|reported|described) (?:on|in|by)|quoted? from|excerpt from|copied from"
                r"|source:|via)\s+(?:the\s+|an?\s+)?(?:https?://\S+|(?:web\s?)?page|article|website|site|wikipedia|blog"
                r"|post|documentation|docs|readme|e-?mail|tool|search results?|file)\b", re.IGNORECASE), 0.6,
     "a source that is named in it"),
    (re.compile(r"^[ \t]*>[ \t]", re.MULTILINE), 0.6, "a quotation"),
    (re.compile(r"^[ \t]*(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d|\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE)\]?\s)"
                r"|Traceback \(most recent call last\)|^[ \t]+at [\w.$]{1,200}\([\w.]{1,200}:\d+\)", re.MULTILINE), 0.7,
     "output of a program"),
    (re.compile(r"^[ \t]*[\[{][ \t]*\"[\w-]{1,80}\"[ \t]*:", re.MULTILINE), 0.6, "data of a program"),
)  # fmt: skip


def borrowed(text: str) -> Suspicion | None:
    """How surely `text` was not written as a memory; the reason names what gives it away."""
    start = text[:_LOOKED_AT]
    found = [(certainty, what) for pattern, certainty, what in _MARKS if pattern.search(start)]
    if not found:
        return None
    certainty, what = max(found)
    return Suspicion(certainty, f"It looks taken from elsewhere: it has {what}.")
