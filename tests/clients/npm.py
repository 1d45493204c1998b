"""Programs from npm, each installed once."""

import os
import re
import shutil
from pathlib import Path

from tests.clients.registries import FOLDER, alone, fetch

NODE = "node@24.21.0"


def installed(*packages: str) -> dict[str, str]:
    """An environment in which these programs are on the path, with a Node that is new enough for them."""
    folders = [modules(NODE) / "node/bin", *([modules(*packages) / ".bin"] if packages else [])]
    return {"PATH": os.pathsep.join([*map(str, folders), "/usr/bin", "/bin"])}


def modules(*packages: str) -> Path:
    """Where these packages are, together. What is tried together has a folder of its own: to install one thing changes
    nothing that another test is running."""
    if shutil.which("npm") is None:
        raise RuntimeError("npm is needed to try real clients: install Node.js (on Debian: apt-get install npm)")
    place = FOLDER / "npm" / re.sub(r"[^\w.@-]", "-", "+".join(sorted(packages))).strip("@")
    with alone("npm"):
        if not (place / "whole").exists():
            place.mkdir(parents=True, exist_ok=True)
            environment = {**os.environ, "HOME": str(FOLDER)}
            fetch("npm", "install", "--no-audit", "--no-fund", "--prefix", place, *packages, environment=environment)
            (place / "whole").touch()
    return place / "node_modules"
