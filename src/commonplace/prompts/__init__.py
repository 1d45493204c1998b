"""Every word a model reads from us, one Markdown file each. Only texts: who fills them in is the caller's business."""

from functools import cache
from pathlib import Path


@cache
def prompt(name: str) -> str:
    """The text of the prompt `name`, without the blank lines around it."""
    return (Path(__file__).parent / f"{name}.md").read_text(encoding="utf-8").strip()
