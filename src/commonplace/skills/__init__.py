"""The skill that teaches an agent to use a memory of ours. Only a text: surfaces hand it out."""

from pathlib import Path

NAME = "commonplace"
FILE = f"{NAME}/SKILL.md"


def skill() -> str:
    """The text of SKILL.md."""
    return (Path(__file__).parent / FILE).read_text(encoding="utf-8")
