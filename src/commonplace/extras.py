"""Optional packages: which ones an extra stands for, and the command that adds them to this very installation.

What was installed by uv or pipx lives in an environment of its own that `pip` does not reach, so the advice depends on
who installed it.
"""

import json
import os
import re
import shlex
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from urllib.parse import unquote, urlsplit

DISTRIBUTION = "commonplace-memory"
_EXTRA = re.compile(r"""^(?P<package>[^;]+);.*\bextra\s*==\s*['"](?P<extra>[\w-]+)['"]""")


def packages_of(extra: str) -> list[str]:
    """What an extra asks for, as requirements; the extra's own name where nothing is known of it."""
    found = _distribution()
    named = [match for line in (found.requires or () if found else ()) if (match := _EXTRA.match(line))]
    return [match["package"].strip() for match in named if match["extra"] == extra] or [extra]


def install_command(extra: str) -> list[str]:
    """The command that adds the packages of an extra where this program runs."""
    packages = packages_of(extra)
    if os.path.exists(os.path.join(sys.prefix, "uv-receipt.toml")):
        given = [word for package in packages for word in ("--with", package)]
        return ["uv", "tool", "install", *given, _source()]
    if os.path.exists(os.path.join(sys.prefix, "pipx_metadata.json")):
        return ["pipx", "inject", DISTRIBUTION, *packages]
    if find_spec("pip") is not None:
        return [sys.executable, "-m", "pip", "install", *packages]
    return ["uv", "pip", "install", "--python", sys.executable, *packages]


def advice(extra: str) -> str:
    """A sentence that can be followed."""
    return f"Install it: {shlex.join(install_command(extra))}"


def _distribution() -> Distribution | None:
    try:
        return distribution(DISTRIBUTION)
    except PackageNotFoundError:  # run from the source tree
        return None


def _source() -> str:
    """Where the program was installed from: a folder, or the package index."""
    found = _distribution()
    told = found.read_text("direct_url.json") if found else None
    address = urlsplit(str(json.loads(told).get("url", ""))) if told else None
    return unquote(address.path) if address and address.scheme == "file" else DISTRIBUTION
