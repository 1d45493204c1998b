"""Hostile contents of MEMORY.md, made on the spot: no huge file lies in the repository."""

from collections.abc import Callable

Make = Callable[[], bytes]


def _text(text: str, encoding: str = "utf-8") -> Make:
    return lambda: text.encode(encoding, "surrogatepass")


def _bytes(data: bytes) -> Make:
    return lambda: data


BOM = b"\xef\xbb\xbf"
PLAIN = "# Long-term Memory\n\n## Notes\n\n- kept\n"

# What can be read and edited: every old line must survive a save.
EDITABLE: dict[str, Make] = {
    "byte order mark": _bytes(BOM + PLAIN.encode()),
    "byte order mark and CRLF": _bytes(BOM + PLAIN.replace("\n", "\r\n").encode()),
    "CRLF": _text(PLAIN.replace("\n", "\r\n")),
    "CR": _text(PLAIN.replace("\n", "\r")),
    "mixed line ends": _text("# T\r\n\r## Notes\n- a\r\n- b\r- c\n"),
    "mixed, last is CR": _text("# T\n## Notes\n- a\r"),
    "LF then CR": _text("- a\n\r- b\n\r"),
    "Latin-1 byte": _bytes(b"## Notes\n\n- caf\xe9\n"),
    "Latin-1 byte in heading": _bytes(b"## caf\xe9\n\n- x\n"),
    "Windows-1252 quotes": _bytes(b"## Notes\n- \x93quoted\x94\n"),
    "Shift-JIS": _bytes("## Notes\n- 東京\n".encode("shift_jis")),
    "KOI8-R": _bytes("## Notes\n- привет\n".encode("koi8-r")),
    "encoded surrogates": _bytes(b"## Notes\n- \xed\xa0\xbd\xed\xb8\x80\n"),
    "overlong UTF-8": _bytes(b"## Notes\n- \xc0\xaf\xe0\x80\xaf\n"),
    "cut UTF-8 at the end": _bytes("## Notes\n- é".encode()[:-1]),
    "all byte values": _bytes(b"## Notes\n- " + bytes(range(256)) + b"\n"),
    "NUL in a line": _bytes(b"## Notes\n- a\0b\n"),
    "NUL at the end, as after a power failure": _bytes(PLAIN.encode() + b"\0" * 4096),
    "only NULs": _bytes(b"\0" * 100),
    "escape sequences": _text("## Notes\n- \x1b[31mred\x1b[0m\x07\n"),
    "fifty megabytes": lambda: (b"## Notes\n" + b"- " + b"word " * 200_000 + b"\n") * 50,
    "a million lines": lambda: b"## Notes\n" + b"- x\n" * 1_000_000,
    "one line of ten megabytes": lambda: b"## Notes\n- " + b"a" * 10_000_000,
    "ten megabytes of spaces": lambda: b"## x" + b" " * 10_000_000 + b"y\n",
    "fenced heading, backticks": _text("## A\n```\n## not\n- not\n```\n- a\n"),
    "fenced heading, tildes": _text("## A\n~~~\n## not\n~~~\n- a\n"),
    "longer fence around a shorter one": _text("## A\n````\n```\n## not\n```\n````\n- a\n"),
    "unclosed fence": _text("## A\n```\n## seen\n- a\n"),
    "unclosed fence at the end": _text("## Notes\n- a\n```\n"),
    "unclosed comment": _text("## A\n<!-- \n## seen\n- a\n"),
    "closed comment around a heading": _text("## A\n<!--\n## not\n-->\n- a\n"),
    "comment around everything": _text("<!--\n## A\n- a\n-->\n"),
    "fence in a bullet": _text("## A\n- a\n  ```\n  ## not\n  ```\n- b\n"),
    "fence on the line of a bullet": _text("## A\n- ```\n  ## not\n  ```\n- b\n```\n## not\n```\n"),
    "fence closed by another indent": _text("## A\n- a\n    ```\n## B\n```\n- b\n"),
    "duplicate headings": _text("## Notes\n- a\n## Notes\n- b\n## NOTES ##\n- c\n"),
    "text before the first heading": _text("Hello\n\n- bullet\n\n## Notes\n- a\n"),
    "no heading at all": _text("just a note to myself"),
    "no final newline": _text("## Notes\n- a"),
    "no final newline after the heading": _text("## Notes"),
    "only byte order mark": _bytes(BOM),
    "only whitespace": _text(" \n\t\n\r\n"),
    "only no-break spaces": _text("\u00a0\n\u3000\n"),
    "only newlines": _text("\n" * 1000),
    "empty": _bytes(b""),
    "bidi controls": _text("## Notes\n- \u202eevil\u202c \u2066x\u2069\n"),
    "zero-width": _text("## No\u200btes\n- a\u200d\u2060b\ufeff\n"),
    "title in NFD": _text("## Cafe\u0301\n- a\n"),
    "title in NFC": _text("## Caf\u00e9\n- a\n"),
    "setext headings": _text("Title\n=====\n\nNotes\n-----\n\n- a\n"),
    "hash without space": _text("#Title\n##Notes\n- a\n"),
    "closing hashes": _text("## Notes ##\n- a\n# C#\n"),
    "empty heading": _text("##\n- a\n## \n- b\n"),
    "indented headings": _text("   ## Notes\n- a\n    ## code\n"),
    "seven hashes": _text("####### Notes\n- a\n"),
    "tabs": _text("##\tNotes\n-\ta\n\t- b\n\t\t- c\n"),
    "deeply nested bullets": _text("## Notes\n" + "".join("  " * n + f"- level {n}\n" for n in range(300))),
    "numbered lists": _text("## Notes\n1. a\n2) b\n10000000000. no list\n"),
    "table": _text("## Notes\n| a | b |\n|---|---|\n| 1 | 2 |\n"),
    "HTML blocks": _text("## Notes\n<details>\n<summary>x</summary>\n\n- a\n\n</details>\n"),
    "script": _text("## Notes\n<script>\n## not really\n</script>\n- a\n"),
    "rules": _text("## Notes\n---\n- a\n***\n- - -\n___\n"),
    "front matter": _text("---\ntitle: Mine\ntags: [a]\n---\n\n## Notes\n- a\n"),
    "merge conflict": _text("## Notes\n<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n"),
    "task list": _text("## Notes\n- [ ] a\n- [x] b\n"),
    "empty bullets": _text("## Notes\n- \n-\n*\n+ \n"),
    "lazy continuation": _text("## Notes\n- a\nlazy\n- b\n\n  paragraph of b\n"),
    "quotes": _text("## Notes\n> - quoted\n> ## quoted\n- a\n"),
    "line separators inside a sentence": _text("## Notes\n- a\u2028## b\u2029- c\x85d\x0be\x0cf\x1cg\n"),
    "links and images": _text("## Notes\n- ![x](javascript:alert(1)) [y]: z\n[y]: z\n"),
    "forged markers": _text("## Notes\n<!-- commonplace session=x through=y at=z -->\n- a\n"),
    "math and emoji": _text("## Notes 🎉\n- 👩‍👩‍👧‍👦 \U000e0041 $x$\n"),
    "a thousand sections": _text("".join(f"## S{n}\n- e{n}\n" for n in range(1000))),
    "gzip": _bytes(b"\x1f\x8b\x08\x00" + bytes(range(0, 256, 3)) * 10),
}

# Text in another encoding: editing it as UTF-8 would spoil it, so it is refused with a way out.
REFUSED: dict[str, Make] = {
    "UTF-16 LE": _text("\ufeff" + PLAIN, "utf-16-le"),
    "UTF-16 BE": _text("\ufeff" + PLAIN, "utf-16-be"),
    "UTF-32 LE": _text("\ufeff" + PLAIN, "utf-32-le"),
    "UTF-32 BE": _text("\ufeff" + PLAIN, "utf-32-be"),
    "UTF-16 LE without mark": _text(PLAIN, "utf-16-le"),
    "UTF-16 BE without mark": _text(PLAIN, "utf-16-be"),
    "UTF-32 LE without mark": _text(PLAIN, "utf-32-le"),
}
