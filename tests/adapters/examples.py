"""The programs of the how-to pages, run as they stand there."""

import contextlib
import io
import re
from pathlib import Path

HOW_TO = Path(__file__).parents[2] / "docs/how-to"


def example(page: str) -> str:
    """The first program of a page. It has about ten lines."""
    (program, *_) = re.findall(r"^```python\n(.*?)^```$", (HOW_TO / page).read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert len([line for line in program.splitlines() if line.strip()]) <= 14
    return program


def printed_by(page: str) -> str:
    """What the program of a page prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(example(page), page, "exec"), {"__name__": "__main__"})  # noqa: S102 our own page
    return out.getvalue()
