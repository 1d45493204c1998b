"""Strategies for text that people, models and attackers write into Markdown files."""

from hypothesis import strategies as st

LINES = st.sampled_from(
    [
        "# Long-term Memory", "# Other", "## Notes", "## Preferences", "## notes ##", "##", "## ", "##No space",
        "### Deeper", "#", "   ## Indented heading", "    ## Code, not a heading", "Setext", "===", "---", "- - -",
        "***", "- one", "- two", "* three", "+ four", "1. five", "12) six", "- ", "-", "-\tTab", "  - nested",
        "    - deeper", "\t- tabbed", "  continued", "    more", "lazy", "```", "```python", "````", "~~~", "~~~~ x",
        "- ```", "  ```", "   ~~~", "<!-- open", "<!-- one line -->", "-->", "end --> of it", "  <!-- in bullet",
        "| a | b |", "|---|---|", "<div>", "</div>", "> quote", "> - quoted bullet", "title: x", "", "", " ", "\t",
        "\u00a0", "\u2028", "a\u2028b", "\x0b", "\x0c", "\x85", "\x1c", "\0", "- NUL \0 inside", "\ufeff", "- \ufeffx",
        "\u202eright to left", "zero\u200bwidth", "- e\u0301 and \u00e9", "User requested: tea",
        "- User requested: tea", "\\# escaped", "- \\- x", "- 東京", "- " + "long " * 50,
    ]
)  # fmt: skip
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])
BROKEN = st.sampled_from([b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xe9 latin", b"\x80", b"\xf8\x88\x80\x80\x80", b"\xfe"])


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    """The bytes of a Markdown file, wild but not unlike one."""
    pieces: list[bytes] = [draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf"]))]
    for line in draw(st.lists(st.one_of(LINES, st.text(max_size=8)), max_size=25)):
        pieces.append(line.encode("utf-8", "surrogatepass"))
        if draw(st.integers(0, 19)) == 0:
            pieces.append(draw(BROKEN))
        pieces.append(draw(ENDS).encode())
    if len(pieces) > 1 and draw(st.booleans()):
        pieces.pop()
    data = b"".join(pieces)
    return data if not data.startswith((b"\xff\xfe", b"\xfe\xff")) else b" " + data


def contents() -> st.SearchStrategy[str]:
    """What a caller may want to have remembered: mostly not what a bullet is made for."""
    pieces = st.one_of(
        LINES,
        st.text(max_size=12),
        st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp", "Zs", "Po"]), max_size=4),
        st.sampled_from(
            ["\n## New section\n", "\n- second entry", "\n\n# Title", "\r- x", "\u2028- x", "\x85## y", "-->"]
        ),
    )
    return st.lists(pieces, min_size=1, max_size=5).map("\n".join)
