"""What a value looks like: made up or drawn by a machine, or only a word for one. Pure; knows no context."""

from commonplace.patterns import LazyPattern

_SEGMENT = LazyPattern(r"[^a-z]+")
_STANDS_FOR = frozenset(
    "your yours example examples placeholder redacted dummy todo insert replace replaceme changeme fake sample hidden"
    " masked removed omitted fixme tbd".split()
)
_NAMES = frozenset(
    "my the a an api apikey key keys secret secrets token tokens password passwords passwd passphrase pass pwd pw user"
    " username db database auth access client name here id value some new old default app prod dev staging test env"
    " none null nil undefined true false empty string str text bytes int bool boolean object optional required unset"
    " na login credential credentials private public service account master session bearer basic url".split()
)
_REFERENCE = LazyPattern(  # a variable, a template, an address of something kept elsewhere, a piece of code
    r"[<{\[]|\?[a-z]+$|\$[{(\[]|\$[A-Za-z_]+[0-9]?$|%[({%]|%[A-Z_]+%$|#\{|@@|!(?:secret|vault|env|ref|sub)\b"
    r"|[a-z0-9+]{1,16}://|(?:arn|ssm|env|vault|ref|file|sops|sha1|sha256|sha512|md5):|ENC\[|projects/|ssh-"
    r"|[A-Za-z_][\w.]*[(\[]|[a-z_]+(?:\.[a-z_]+)+$|[a-z]+::|[a-z_]\w*\.[A-Za-z_]\w*$"
)
_PATH = LazyPattern(
    r"(?:~|\.{1,2})?(?:/[a-z0-9_.@-]*){2,}$|~?/[a-z_.-]+$|[A-Za-z]:\\|(?:[a-z_.-]+/)+[a-z_.-]+$|[\w./~-]+\.[a-z]{2,5}$"
)
_VARIABLE = LazyPattern(
    r"(?=[A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASS|PWD|AUTH|API|URL|ENV|CRED|DB|ID|NAME))[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$"
    r"|(?=[a-z0-9_]*(?:pin|passw|token|secret|id|key|code|field|column))[a-z][a-z0-9]*(?:_[a-z0-9]+)+$"
)
_MEASURE = LazyPattern(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$|v?\d+(?:\.\d+)+[a-z]?\d*$|\d{1,2}:\d{2}(?::\d{2})?(?:am|pm)?$|~?\d+(?:[a-z]{1,3}"
    r"|%|\+|-[a-z]{3,})$|\d{4}-\d\d-\d\dt"
)
_MASKED = LazyPattern(r"x{4}|\*{3}|•{3}|\.{3}|…|#{4}|_{4}|-{4}|0{12}")
_SIGN = LazyPattern(r"[!@#$%^&*+=~?§€£]")
_CHAIN = LazyPattern(r"[^\W\d_]{3,}(?:[-_.][^\W\d_]{3,}){2,7}$")


def is_placeholder(value: str) -> bool:
    """Whether a value only stands for a secret: a blank, a variable, a path, a piece of code, a word about it."""
    lower = value.lower()
    if len(set(lower)) <= 2 and not value.isdigit():
        return True
    segments = frozenset(filter(None, _SEGMENT.split(lower)))
    if segments & _STANDS_FOR or (segments and segments <= _NAMES and lower.isascii() and not _SIGN.search(value)):
        return True
    return (
        any(form.match(value) is not None for form in (_REFERENCE, _PATH, _VARIABLE))
        or _MASKED.search(lower) is not None
    )


def is_measure(value: str) -> bool:
    """A date, a version, a time, an amount."""
    return _MEASURE.match(value.lower()) is not None


def is_made(value: str) -> bool:
    """Letters with digits or signs, or several words in a chain: nobody says that in prose."""
    if len(value) < 4 or not any(map(str.isalpha, value)):
        return False
    if any(map(str.isdigit, value)) or _SIGN.search(value.rstrip("!?")):
        return True
    return _CHAIN.match(value) is not None


def is_plausible(token: str) -> bool:
    """Whether what has the form of a token can be one: not masked, not made of words."""
    lower = token.lower()
    if len(set(lower)) < 6 or _MASKED.search(lower[3:]) or "your" in lower or "example" in lower:
        return False
    return any(map(str.isdigit, token)) or not (token.islower() or token.isupper())
