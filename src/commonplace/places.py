"""Where this user's files are, and which project a folder belongs to. Imports next to nothing: a hook that only asks
the server of an agent needs no more than this.

Worktrees and clones of one repository are one project.
"""

import hashlib
import os
import re
import sys

PROGRAM = "commonplace"
PROJECTS = "projects"
# Compiled when they are needed: most folders of most users need none of them.
_ORIGIN = r'(?m)^[ \t]*\[remote "origin"\](?P<body>[^\[]*)'
_URL = r"(?m)^[ \t]*url[ \t]*=[ \t]*(?P<url>\S+)"
_ADDRESS = r"(?i)^(?:[a-z+]+://)?(?:[^@/]+@)?(?P<host>[^/:]+)(?::\d+)?[:/](?P<path>.+?)(?:\.git)?/?$"
_MOST_HOPS = 5


def user_folder(kind: str) -> str:
    """Where the system wants files of this kind, `config` or `data`. Under Linux the plain rule is applied here:
    loading platformdirs takes longer than reading a book."""
    variable, place = ("XDG_CONFIG_HOME", ".config") if kind == "config" else ("XDG_DATA_HOME", ".local/share")
    chosen, home = os.environ.get(variable, ""), os.environ.get("HOME", "")
    if sys.platform == "linux" and "ANDROID_ROOT" not in os.environ:
        if chosen.startswith("/"):
            return os.path.join(chosen, PROGRAM)
        if not chosen and home.startswith("/"):
            return os.path.join(home, place, PROGRAM)
    import platformdirs

    if kind == "config":
        return platformdirs.user_config_dir(PROGRAM, appauthor=False)
    return platformdirs.user_data_dir(PROGRAM, appauthor=False)


def project_of(folder: str | os.PathLike[str]) -> tuple[str, str]:
    """What a project is called, and what tells it from all others: the same for every worktree and clone."""
    repository = _repository(os.path.abspath(folder))
    if repository is None:
        place = os.path.realpath(folder)
        return os.path.basename(place) or "root", place
    identity = _identity(repository)
    return re.split(r"[/\\]", identity.removesuffix("/.git"))[-1] or "project", identity


def book_name(folder: str | os.PathLike[str]) -> str:
    """The name of a project's book: readable, and never another project's."""
    name, identity = project_of(folder)
    readable = re.sub(r"[^\w-]+", "-", name).strip("-_")[:40] or "project"
    return f"{readable}-{hashlib.sha256(identity.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"


def _repository(folder: str) -> str | None:
    """The common git folder of whatever repository `folder` is in; None outside of any."""
    while True:
        mark = os.path.join(folder, ".git")
        if os.path.isdir(mark):
            return mark
        if os.path.isfile(mark):
            return _linked(mark)
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _linked(mark: str) -> str | None:
    """What the file `.git` of a worktree or a submodule points to."""
    told = _read(mark).partition("gitdir:")[2].strip()
    if not told:
        return None
    found = os.path.realpath(os.path.join(os.path.dirname(mark), told))
    common = _read(os.path.join(found, "commondir")).strip()
    return os.path.realpath(os.path.join(found, common)) if common else found


def _identity(repository: str, hops: int = _MOST_HOPS) -> str:
    """Where a repository was cloned from, without how one gets there; its own place, if from nowhere."""
    origin = re.search(_ORIGIN, _read(os.path.join(repository, "config")))
    told = re.search(_URL, origin["body"]) if origin else None
    if told is None or hops == 0:
        return os.path.realpath(repository)
    url = told["url"]
    local = os.path.expanduser(url.removeprefix("file://"))
    if os.path.isabs(local) or url.startswith("."):
        place = os.path.join(os.path.dirname(repository), local)
        inside = os.path.join(place, ".git")
        cloned = inside if os.path.isdir(inside) else place
        return _identity(cloned, hops - 1) if os.path.isdir(cloned) else os.path.realpath(place)
    address = re.match(_ADDRESS, url)
    return f"{address['host'].lower()}/{address['path'].strip('/')}" if address else url


def _read(file: str) -> str:
    try:
        with open(file, encoding="utf-8", errors="surrogateescape") as opened:
            return opened.read()
    except OSError:
        return ""
