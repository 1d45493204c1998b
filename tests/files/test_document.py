"""MEMORY.md as a document: nothing is lost, an edit owns its lines only, and text cannot become structure."""

import time
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from commonplace.errors import AmbiguousMatch, NotFound, UnreadableFile, ValidationError
from commonplace.files.document import Document, entry_text, title_text
from commonplace.files.text import split_lines
from commonplace.types.book import STANDARD_SECTIONS
from tests.files.markdown import contents, documents


def bytes_lines(data: bytes) -> list[bytes]:
    return [line.encode("utf-8", "surrogateescape") for line in split_lines(data.decode("utf-8", "surrogateescape"))]


def is_subsequence(short: Sequence[bytes], long: Sequence[bytes]) -> bool:
    rest = iter(long)
    return all(line in rest for line in short)


def keeps(before: bytes, after: bytes) -> bool:
    """Every line of `before` is in `after`, in order; a last line without an end may have got one."""
    old, new = bytes_lines(before), bytes_lines(after)
    return any(is_subsequence([*old[:-1], old[-1] + end], new) for end in (b"", b"\n", b"\r\n", b"\r"))


@pytest.mark.req("BOOK-5")
@given(st.one_of(documents(), st.binary(max_size=200)))
@settings(max_examples=400)
def test_any_bytes_parse_and_print_back_byte_identical(data: bytes) -> None:
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        with pytest.raises(UnreadableFile):
            Document.parse(data)
        return
    document = Document.parse(data)
    assert document.data == data
    covered = [line for block in document.blocks for line in range(block.start, block.end)]
    assert covered == sorted(set(covered)), "no line belongs to two entries"
    assert [entry.line for entry in document.entries] == [block.start + 1 for block in document.blocks]
    assert sum(len(section.entries) for section in document.sections().values()) == len(document.entries)


@pytest.mark.req("BOOK-5", "S2")
@given(documents(), contents(), st.sampled_from([*STANDARD_SECTIONS, "Own section", "C#", "x --> y", "a # #"]))
@settings(max_examples=1000, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_a_saved_entry_is_one_entry_and_every_other_line_stays(data: bytes, content: str, section: str) -> None:
    text = entry_text(content)
    assume(text)
    before = Document.parse(data)
    after, entry = before.with_entry(text, title_text(section))
    again = Document.parse(after.data)

    assert [e for e in again.entries if e.line == entry.line] == [entry]
    assert len(again.entries) == len(before.entries) + 1
    assert before.is_blank or keeps(data, after.data)
    new_headings = set(again.sections()) - set(before.sections())
    assert before.is_blank or len(new_headings) <= 1
    assert entry.text in [e.text for e in again.sections()[entry.section].entries]
    twins = [e for e in before.entries if e.text.removeprefix("User requested:").strip() == entry.text]
    if not twins and not entry.text.startswith("User requested:"):
        found = again.entry_at(again.locate(entry.text))
        assert found == entry


@pytest.mark.req("BOOK-5")
@pytest.mark.parametrize("above", ["", "- first\n", "-    first\n", "   - first\n", "Some words\n"])
@pytest.mark.parametrize("indentation", ["", " ", "  ", "   "])
def test_an_entry_saved_above_an_indented_heading_leaves_it_a_heading(above: str, indentation: str) -> None:
    before = Document.parse(f"# Long-term Memory\n\n## Notes\n{above}{indentation}## Other\n\n- x\n".encode())
    is_heading = "Other" in before.sections()
    after, entry = before.with_entry("Likes tea", "Notes")
    again = Document.parse(after.data)
    assert ("Other" in again.sections()) == is_heading
    assert again.entries == after.entries
    assert [e for e in again.entries if e.line == entry.line] == [entry]
    assert len(again.entries) == len(before.entries) + 1


@pytest.mark.req("BOOK-5", "S2")
@given(documents(), st.data())
@settings(max_examples=600, suppress_health_check=[HealthCheck.too_slow])
def test_a_revision_touches_the_lines_of_its_entry_only(data: bytes, draw: st.DataObject) -> None:
    before = Document.parse(data)
    wanted = [entry for entry in before.entries if entry.text.strip()]
    assume(wanted)
    entry = draw.draw(st.sampled_from(wanted))
    new = draw.draw(contents())
    assume(entry_text(new))
    try:
        match = before.locate(entry.text)
        after, revised = before.replace(match, new)
    except (AmbiguousMatch, ValidationError):
        return
    again = Document.parse(after.data)
    assert revised in again.entries
    assert len(again.entries) == len(before.entries)
    assert list(again.sections()) == list(before.sections())
    old, now = bytes_lines(data), bytes_lines(after.data)
    tail = len(old) - match.block.end
    assert now[: match.block.start] == old[: match.block.start]
    assert now[len(now) - tail :] == old[len(old) - tail :]


@pytest.mark.req("BOOK-5", "TOOL-4")
@given(documents(), st.data())
@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow])
def test_a_deletion_takes_the_lines_of_its_entry_and_at_most_one_blank_line(data: bytes, draw: st.DataObject) -> None:
    before = Document.parse(data)
    wanted = [entry for entry in before.entries if entry.text.strip()]
    assume(wanted)
    try:
        match = before.locate(draw.draw(st.sampled_from(wanted)).text)
    except AmbiguousMatch:
        return
    after = before.without(match)
    bom = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") and match.block.start == 0 else b""
    old = bytes_lines(data)
    kept = [*old[: match.block.start], *old[match.block.end :]]
    blank = [at for at, line in enumerate(kept) if not line.decode("utf-8", "replace").strip()]
    allowed = [kept, *(kept[:at] + kept[at + 1 :] for at in blank)]
    assert after.data in [bom + b"".join(lines) for lines in allowed]


TEXTS = st.text(st.sampled_from("abc déß東 .,!#-*`~<>"), min_size=1, max_size=12).map(entry_text).filter(bool)
ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["remember", "revise", "forget"]),
        TEXTS,
        st.sampled_from(["Notes", "Projects", "Own", "C#"]),
        st.integers(0, 50),
    ),
    max_size=15,
)


@pytest.mark.req("BOOK-4", "BOOK-5")
@given(ACTIONS)
@settings(max_examples=150)
def test_any_sequence_of_edits_equals_a_list_of_entries_per_section(
    actions: list[tuple[str, str, str, int]],
) -> None:
    document = Document([])
    model: dict[str, list[str]] = {}
    for action, text, section, number in actions:
        there = [(title, entry) for title, entries in model.items() for entry in entries]
        taken = {entry for _, entry in there}
        if action == "remember" and text not in taken:
            model.setdefault(section, []).append(text)
            document, _ = document.with_entry(text, section)
        elif action != "remember" and there:
            title, old = there[number % len(there)]
            match = document.locate(old)
            at = model[title].index(old)
            if action == "forget":
                del model[title][at]
                document = document.without(match)
            elif text not in taken:
                model[title][at] = text
                document, _ = document.replace(match, text)
        found = {title: [e.text for e in s.entries] for title, s in Document.parse(document.data).sections().items()}
        assert {title: entries for title, entries in found.items() if entries} == {
            title: entries for title, entries in model.items() if entries
        }
        assert b"\n\n\n" not in document.data


@pytest.mark.parametrize(
    ("content", "stored"),
    [
        ("---", "\\---"),
        ("--", "\\--"),
        ("# Title", "\\# Title"),
        ("#hashtag", "#hashtag"),
        ("- a bullet", "a bullet"),
        ("* - both", "both"),
        ("5 * 3 - 2 + 1", "5 * 3 - 2 + 1"),
        ("a\n## b\n- c", "a ## b - c"),
        ("Drinks:\n- tea.\n\n  * coffee;\n3. milk", "Drinks: tea; coffee; milk"),
        ("- tea\n- coffee", "tea; coffee"),
        ("- tea\r\n- coffee\r\n", "tea; coffee"),
        ("a\u2028b\x85c\x0bd", "a b c d"),
        ("bell\x07 and \x1b[31mred", "bell and [31mred"),
        ("half \ud83d", "half \ufffd"),
        ("-", ""),
        (" \n\t ", ""),
    ],
)
@pytest.mark.req("S2")
def test_content_becomes_one_line_that_starts_nothing(content: str, stored: str) -> None:
    assert entry_text(content) == stored


@pytest.mark.req("S2")
def test_what_was_saved_is_found_again_by_the_words_it_was_saved_with() -> None:
    for content in ("# Title", "---", "- x y", "- x\n- y", "one\ntwo", "- [ ] task"):
        document, entry = Document([]).with_entry(entry_text(content), "Notes")
        assert document.entry_at(document.locate(content)) == entry


@pytest.mark.req("S2")
def test_text_that_would_close_a_forgotten_comment_does_not_vanish_in_it() -> None:
    before = Document.parse(b"## Notes\n\n<!-- to do\n- kept\n")
    after, entry = before.with_entry("a --> b", "Notes")
    assert [e.text for e in after.entries] == ["<!-- to do", "kept", "a --\\> b"]
    assert entry in after.entries
    titled, _ = before.with_entry("x", "from --> to")
    assert [e.text for e in titled.entries] == ["<!-- to do", "kept", "x"]


def test_an_arrow_stays_an_arrow_where_no_comment_is_open() -> None:
    document, entry = Document.parse(b"<!-- closed -->\n## Notes\n").with_entry("a --> b", "Notes")
    assert entry.text == "a --> b"
    assert entry in document.entries


@pytest.mark.parametrize("title", ["C#", "F# and C#", "a # #", "## Hashes ##", "#tag", "x ## y"])
def test_a_section_title_keeps_its_own_hashes(title: str) -> None:
    clean = title_text(title)
    document, entry = Document([]).with_entry("x", clean)
    again, second = document.with_entry("y", clean)
    assert entry.section == second.section == clean
    assert [e.text for e in again.sections()[clean].entries] == ["x", "y"]
    assert title_text("C#") == "C#"
    assert title_text("## Hashes ##") == "Hashes"


@pytest.mark.req("BOOK-5")
def test_a_fence_that_opens_on_the_line_of_a_bullet_belongs_to_the_bullet() -> None:
    text = "## A\n- ```python\n  ## no heading\n  ```\n- next\n## B\n- b\n```\n## also none\n```\n"
    document = Document.parse(text.encode())
    assert list(document.sections()) == ["A", "B"]
    assert [e.text for e in document.entries] == [
        "```python\n## no heading\n```", "next", "b", "```\n## also none\n```",
    ]  # fmt: skip


def test_a_saved_fence_hides_nothing_that_comes_after_it() -> None:
    document = Document.parse(b"## Notes\n- x\n```\ncode\n```\n")
    for text in ("```", "~~~", "```python", "````"):
        document, _ = document.with_entry(text, "Preferences")
        document, _ = document.with_entry(f"after {text}", "Preferences")
    assert [e.text for e in document.sections()["Preferences"].entries] == [
        "```", "after ```", "~~~", "after ~~~", "```python", "after ```python", "````", "after ````",
    ]  # fmt: skip


@pytest.mark.parametrize("new", ["## Heading", "```", "<!-- gone", "1. one", "---", "> x", "- bullet", "~~~"])
@pytest.mark.req("S2")
def test_a_paragraph_revised_to_markup_stays_one_entry(new: str) -> None:
    before = Document.parse(b"## A\n\nparagraph\n\n## B\n\n- b\n\n```\ncode\n```\n\nend -->\n")
    after, entry = before.replace(before.locate("paragraph"), new)
    assert entry in after.entries
    assert len(after.entries) == len(before.entries)
    assert list(after.sections()) == ["A", "B"]


def test_a_part_of_an_entry_never_takes_the_mark_of_its_bullet_along() -> None:
    before = Document.parse(b"- tea is good\n  - nested thing here\n")
    after, entry = before.replace(before.locate("- tea"), "coffee")
    assert after.data == b"- coffee is good\n  - nested thing here\n"
    again, _ = after.replace(after.locate("- nested"), "inner")
    assert again.data == b"- coffee is good\n  - inner thing here\n"
    assert entry.text == "coffee is good\n- nested thing here"


def test_a_bullet_whose_text_starts_on_the_next_line_stays_a_bullet() -> None:
    before = Document.parse(b"-\n  tea\n- other\n")
    after, _ = before.replace(before.locate("tea"), "coffee")
    assert after.data == b"- coffee\n- other\n"


@pytest.mark.req("BOOK-5")
def test_the_byte_order_mark_survives_the_deletion_of_the_first_entry() -> None:
    before = Document.parse(b"\xef\xbb\xbf- one\r\n\r\n- two\r\n")
    assert before.without(before.locate("one")).data == b"\xef\xbb\xbf- two\r\n"


def test_a_half_word_is_no_match_and_several_matches_are_counted() -> None:
    document = Document.parse("- teapot\n- green tea\n- black tea\n- 日本茶が好き\n".encode())
    with pytest.raises(AmbiguousMatch) as caught:
        document.locate("tea")
    assert caught.value.count == 2
    with pytest.raises(NotFound):
        document.locate("pot")
    assert document.entry_at(document.locate("茶")).text == "日本茶が好き"


@pytest.mark.parametrize(
    ("text", "wanted", "hint"),
    [
        ("- green tea\n- green tea\n", "green tea", "--no-model"),
        ("- green tea\n- green tea\n", "tea", "--no-model"),
        ("- green tea\n- black tea\n", "tea", "longer piece"),
        ("- tea and tea\n", "tea", "longer piece"),
    ],
)
def test_what_stands_there_twice_is_told_with_advice_that_can_be_followed(text: str, wanted: str, hint: str) -> None:
    with pytest.raises(AmbiguousMatch) as caught:
        Document.parse(text.encode()).locate(wanted)
    assert hint in caught.value.hint


@pytest.mark.req("R7")
@pytest.mark.parametrize(
    "data",
    [
        b"# x" + b" " * 1_000_000 + b"y\n",
        b"- " * 500_000 + b"x\n",
        b"```\n" * 100_000 + b"`````\n",
        b"<!-- x\n" * 200_000,
        b"- ```\n" * 100_000,
        b"  " * 500_000 + b"- x\n",
        b"#" * 1_000_000 + b"\n",
        b"- - " * 200_000 + b"\n",
    ],
    ids=["spaces in heading", "dashes", "fences", "open comments", "fences in bullets", "indent", "hashes", "rules"],
)
def test_no_file_makes_parsing_slow(data: bytes) -> None:
    started = time.process_time()
    document, _ = Document.parse(data).with_entry("x", "Notes")
    assert "x" in [entry.text for entry in document.entries]
    assert time.process_time() - started < 5


def test_headings_of_one_section_are_joined_and_their_lines_keep_their_bytes() -> None:
    document = Document(
        split_lines("# T\n\n## Notes\n- a\n\n## Mine\ntext\n\n## notes\n\n- b\n  more\n\n<!-- c -->\n\n## End\n")
    )
    assert document.repeated_headings() == ["Notes"]
    joined = document.joined("Notes")
    assert joined.text == "# T\n\n## Notes\n- a\n- b\n  more\n\n<!-- c -->\n\n## Mine\ntext\n\n## End\n"
    assert joined.repeated_headings() == []


def test_a_repeated_heading_without_lines_just_goes() -> None:
    assert Document(split_lines("## Notes\n- a\n\n## Notes\n")).joined("Notes").text == "## Notes\n- a\n"


def test_a_first_heading_without_lines_takes_those_of_the_second() -> None:
    assert (
        Document(split_lines("## Notes\n\n## Mine\n\n## Notes\n- a")).joined("Notes").text
        == "## Notes\n\n- a\n\n## Mine\n"
    )


def test_joining_keeps_the_line_ends_of_the_file() -> None:
    assert Document(split_lines("## N\r\n- a\r\n## N\r\n- b")).joined("N").text == "## N\r\n- a\r\n- b\r\n"


def test_only_the_documents_own_title_is_no_section() -> None:
    document = Document(split_lines("- a\n# Long-term Memory\n- b\n# Other\n- c\n## Notes\n- d\n"))
    assert [document.under_no_section(block) for block in document.blocks] == [True, True, False, False]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("old", "left"),
    [
        ("- Office: Main Street 5\n  8000 Zurich", "- Moved away\n- List:\n  - passport\n"),
        ("Office: Main Street 5\n  8000 Zurich", "- Moved away\n- List:\n  - passport\n"),
        ("Street 5\n  8000 Zurich", "- Office: Main Moved away\n- List:\n  - passport\n"),
        ("- List:\n  - passport", "- Office: Main Street 5\n  8000 Zurich\n- Moved away\n"),
    ],
)
def test_an_entry_of_several_lines_is_found_as_it_stands_in_the_file(newline: str, old: str, left: str) -> None:
    head = "# Long-term Memory\n\n## Notes\n\n"
    text = f"{head}- Office: Main Street 5\n  8000 Zurich\n- List:\n  - passport\n".replace("\n", newline)
    document = Document.parse(text.encode())
    changed, _ = document.replace(document.locate(old), "Moved away")
    assert changed.text == f"{head}{left}".replace("\n", newline)


def test_the_headings_of_a_person_say_where_an_entry_stands() -> None:
    text = "# Mine\n- a\n## Notes\n- b\n### Shop\n- c\n## Anna\n- d\n### Home\n- e\n"
    assert Document.parse(text.encode()).places == ((), (), ("Shop",), ("Anna",), ("Anna", "Home"))
    two = Document.parse(f"{text}# Work\n## Notes\n- f\n".encode())
    assert [place[0] for place in two.places] == ["Mine"] * 5 + ["Work"]
    assert Document.parse(b"- a\n# Anna\n- b\n").places == ((), ("Anna",))


@pytest.mark.parametrize("label", ["Anna\n----", "Anna\n====", "**Anna**", "Anna:", "__Anna__:"])
def test_a_line_that_stands_as_a_heading_over_bullets_is_one(label: str) -> None:
    text = f"# Long-term Memory\n## Notes\n- a\n\n{label}\n\n- b\n\nJust a line.\n\n- c\n"
    places = Document.parse(text.encode()).places
    assert [bool(place) for place in places] == [False, False, True, False, False]


def test_what_is_added_to_a_section_stands_before_its_deeper_headings() -> None:
    text = "# Long-term Memory\n\n## Notes\n\n- a\n\n### Anna\n\n- b\n"
    added, entry = Document.parse(text.encode()).with_entry("c", "Notes")
    assert added.text == "# Long-term Memory\n\n## Notes\n\n- a\n- c\n\n### Anna\n\n- b\n"
    assert added.entries[1] == entry


def test_the_mark_of_a_bullet_is_not_doubled() -> None:
    document = Document.parse(b"## Notes\n\n- Trip\n  - Bern on Monday\n  - Ulm on Friday\n")
    changed, _ = document.replace(document.locate("- Ulm on Friday"), "- Ulm on Sunday")
    assert changed.text == "## Notes\n\n- Trip\n  - Bern on Monday\n  - Ulm on Sunday\n"
    assert document.locate("Trip\n  - Bern on Monday\n  - Ulm on Friday").whole
