"""Programs from npm, installed once into a folder of the checkout that git ignores."""

import os
import shutil
import subprocess
from pathlib import Path

FOLDER = Path(__file__).parent.parent.parent / ".clients"


def installed(*packages: str) -> dict[str, str]:
    """An environment in which these programs are on the path, with a Node that is new enough for them."""
    if shutil.which("npm") is None:
        raise RuntimeError("npm is needed to try real clients: install Node.js (on Debian: apt-get install npm)")
    wanted = ("node@24.21.0", *packages)
    done = FOLDER / "installed.txt"
    known = set(done.read_text().split()) if done.exists() else set[str]()
    missing = [package for package in wanted if package not in known]
    if missing:
        FOLDER.mkdir(exist_ok=True)
        environment = {**os.environ, "HOME": str(FOLDER), "npm_config_update_notifier": "false"}
        command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(FOLDER), *missing]
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL, timeout=600)
        done.write_text("\n".join(sorted(known | set(missing))) + "\n")
    modules = FOLDER / "node_modules"
    return {"PATH": os.pathsep.join([str(modules / "node/bin"), str(modules / ".bin"), "/usr/bin", "/bin"])}
