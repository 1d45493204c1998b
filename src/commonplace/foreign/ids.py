"""Names for what other programs made, as our files may have them, the same each time. Pure; hooks wait for it."""

import re

_UNSAFE = re.compile(r"[^A-Za-z0-9._:@+-]+")
_UNSAFE_SESSION = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST_SESSION = 80


def message_id(given: str) -> str:
    """An id as our transcripts may have it."""
    return _UNSAFE.sub("-", given)[:128].lstrip("._:@+-") or "message"


def session_id(program: str, given: str) -> str:
    """The id of another program's conversation in our book: it is a file's name, and nobody else's."""
    plain = _UNSAFE_SESSION.sub("-", given).strip("-")
    if plain == given and len(given) <= _LONGEST_SESSION:
        return f"{program}-{given}"
    return f"{program}-{plain[: _LONGEST_SESSION - 13].strip('-') or 'unnamed'}-{digest(given)}"


def digest(*parts: str) -> str:
    """A short name for something that has none."""
    import hashlib  # hooks need it next to never

    return hashlib.blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=6).hexdigest()
