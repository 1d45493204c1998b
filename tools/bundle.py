"""Builds dist/commonplace.mcpb, which Claude Desktop installs with a click: `make bundle`.

The bundle holds the sources; the host's uv gets Python and the other packages when it is installed. Anthropic's own
packer checks the manifest and packs, so npm is needed.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from mcp import types

from commonplace import __version__
from commonplace.mcp import promptlist
from commonplace.tools.table import TOOLS

ROOT = Path(__file__).parent.parent
PACKER = "@anthropic-ai/mcpb@2.1.2"
KEPT = ("pyproject.toml", "README.md", "LICENSE")


def manifest() -> dict[str, object]:
    """What the host is told about the bundle."""
    listed: list[types.Prompt] = promptlist.offered()
    return {
        "manifest_version": "0.4",
        "name": "commonplace",
        "display_name": "Commonplace",
        "version": __version__,
        "description": "A long-term memory in plain Markdown files that you can read, edit and undo.",
        "author": {"name": "The Commonplace authors"},
        "license": "Apache-2.0",
        "server": {
            "type": "uv",
            "entry_point": "src/commonplace/__main__.py",
            "mcp_config": {"command": "uv", "args": ["run", "--directory", "${__dirname}", "commonplace", "mcp"]},
        },
        "tools": [
            {"name": name, "description": _first_sentence(tool.spec.description)} for name, tool in TOOLS.items()
        ],
        "prompts_generated": True,
        "prompts": [
            {
                "name": prompt.name,
                "description": prompt.description,
                "arguments": [argument.name for argument in prompt.arguments or []],
                "text": "(made from the memory)",
            }
            for prompt in listed
        ],
        "compatibility": {"platforms": ["darwin", "linux"], "runtimes": {"python": ">=3.11"}},
    }


def stage(folder: Path) -> None:
    """Put everything that goes into the bundle into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for name in KEPT:
        shutil.copyfile(ROOT / name, folder / name)
    text = json.dumps(manifest(), indent=2, ensure_ascii=False)
    (folder / "manifest.json").write_text(f"{text}\n", encoding="utf-8")


def main(target: Path) -> int:
    npx = shutil.which("npx")
    if npx is None:
        print(
            "npx is needed to pack the bundle: install Node.js with npm (on Debian: apt-get install npm)",
            file=sys.stderr,
        )
        return 1
    folder = ROOT / "build" / "mcpb"
    stage(folder)
    target.parent.mkdir(parents=True, exist_ok=True)
    for words in (["validate", str(folder / "manifest.json")], ["pack", str(folder), str(target)]):
        done = subprocess.run([npx, "--yes", PACKER, *words], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(done.stdout + done.stderr, file=sys.stderr)
            return done.returncode
    print(f"Built {target} ({target.stat().st_size / 1e6:.0f} MB)")
    return 0


def _first_sentence(text: str) -> str:
    return " ".join(text.split()).partition(". ")[0].removesuffix(".") + "."


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist" / "commonplace.mcpb"))
