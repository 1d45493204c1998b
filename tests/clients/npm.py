"""Programs from npm, each installed once."""

import os
import shutil

from tests.clients.registries import FOLDER, alone, fetch


def installed(*packages: str) -> dict[str, str]:
    """An environment in which these programs are on the path, with a Node that is new enough for them."""
    if shutil.which("npm") is None:
        raise RuntimeError("npm is needed to try real clients: install Node.js (on Debian: apt-get install npm)")
    wanted = ("node@24.21.0", *packages)
    done = FOLDER / "installed.txt"
    with alone("npm"):
        known = set(done.read_text().split()) if done.exists() else set[str]()
        missing = [package for package in wanted if package not in known]
        if missing:
            environment = {**os.environ, "HOME": str(FOLDER)}
            fetch("npm", "install", "--no-audit", "--no-fund", "--prefix", FOLDER, *missing, environment=environment)
            done.write_text("\n".join(sorted(known | set(missing))) + "\n")
    modules = FOLDER / "node_modules"
    return {"PATH": os.pathsep.join([str(modules / "node/bin"), str(modules / ".bin"), "/usr/bin", "/bin"])}
