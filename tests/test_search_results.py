"""What a search returns: the right places, narrowed as asked, in every script, each thing once, explained."""

import json
import math
import random
from datetime import date, timedelta
from pathlib import Path

import pytest

from commonplace.errors import ValidationError
from commonplace.memory import Memory
from commonplace.types import Hit, Source
from tests.search.books import TODAY, filled, opened, said, texts
from tests.stores import Place, put


@pytest.fixture
def memory(place: Place) -> Memory:
    return opened(place)


def line_of(memory: Memory, hit: Hit) -> str:
    return (memory.book.storage.read(hit.file).data or b"").decode().split("\n")[hit.line - 1]


@pytest.mark.req("SRCH-3")
def test_a_hit_tells_where_it_stands_and_how_its_score_was_made(memory: Memory) -> None:
    memory.remember("Keeps a falcon", section="Animals", insist=True)
    memory.log("Morning.\n\n## Hunt\n- The falcon came back", day=date(2026, 11, 5))
    memory.add_message("talk", said("m1", "Hello"), said("m2", "My falcon is ill", date(2026, 10, 1), name="Ann"))
    found = memory.search("falcon", limit=10, explain=True)
    hits = {hit.text: hit for hit in found.hits if "falcon" in hit.text}
    entry = hits["Keeps a falcon"]
    assert (entry.source, entry.heading, entry.file, entry.date, entry.age_days) == (
        Source.LONG_TERM,
        "Animals",
        "MEMORY.md",
        None,
        None,
    )
    log = hits["The falcon came back"]
    assert (log.source, log.heading, log.file, log.date, log.age_days) == (
        Source.DAILY_LOG,
        "Hunt",
        "daily/2026-11-05.md",
        date(2026, 11, 5),
        10,
    )
    turn = hits["My falcon is ill"]
    assert (turn.source, turn.session, turn.message, turn.speaker, turn.date, turn.age_days) == (
        Source.SESSION,
        "talk",
        "m2",
        "Ann",
        date(2026, 10, 1),
        45,
    )
    assert line_of(memory, entry) == "- Keeps a falcon"
    assert line_of(memory, log) == "- The falcon came back"
    assert json.loads(line_of(memory, turn))["id"] == "m2"
    for hit in found.hits:
        assert 0 <= hit.score <= 1
        total = sum(hit.components.values())
        same = [other for other in found.hits if sum(other.components.values()) > total + 1e-3]
        assert all(other.score >= hit.score for other in same), "the score follows the sum of the parts"
        assert all(math.isfinite(value) for value in hit.components.values())
    assert all(hit.components == {} for hit in memory.search("falcon").hits)


@pytest.mark.req("SRCH-3")
def test_every_line_number_is_right_in_a_file_that_a_person_wrote(memory: Memory) -> None:
    page = (
        "\ufeffIntro about swans\r\n\r\n# Title\r\n\r\n## One\r\n* swan a\r\n* swan b\r\n  goes on\r\n\r\n```\r\n"
        "## swan code\r\n```\r\n\r\n### Two\r\nswan text\r\nin two lines\r\n\r\n1. swan c\r\n2. swan d\r\n"
    )
    memory.create()
    put(memory, "MEMORY.md", page.encode())
    found = memory.search("swan swans", limit=50)
    assert len(found.hits) >= 6
    lines = page.lstrip("\ufeff").split("\r\n")
    for hit in found.hits:
        first = hit.text.split("\n")[0].split()[:2]
        assert all(word in lines[hit.line - 1] for word in first), hit


@pytest.mark.req("SRCH-5")
def test_headings_and_dates_are_searchable_and_hide_nothing(memory: Memory) -> None:
    memory.remember("Oolong at four", section="Beverages", insist=True)
    memory.log("- Sold the boat", day=date(2024, 2, 29))
    memory.log("## Harbour fees\n- Paid forty\n- Kept the receipt", day=date(2025, 7, 3))
    memory.add_message("talk", said("1", "Nothing special", date(2023, 4, 5), name="Bartholomew"))
    assert texts(memory.search("beverages"))[0] == "Oolong at four"
    assert texts(memory.search("oolong"))[0] == "Oolong at four"
    assert texts(memory.search("29 February 2024"))[0] == "Sold the boat"
    assert set(texts(memory.search("harbour fees"))[:2]) == {"Paid forty", "Kept the receipt"}
    assert texts(memory.search("Bartholomew"))[0] == "Nothing special"
    assert texts(memory.search("April 2023"))[0] == "Nothing special"


SCRIPTS = {
    "Chinese": ("我每天早上喝绿茶", "绿茶"),
    "Japanese": ("東京タワーの近くに住んでいます", "東京タワー"),
    "Korean": ("저는 서울에서 태어났어요", "서울"),
    "Russian": ("Её кошку зовут Мурка", "кошку МУРКА"),
    "Greek": ("Η γάτα λέγεται Ψιψίνα", "ΨΙΨΊΝΑ"),
    "Arabic": ("تسكن أختي في القاهرة", "القاهرة"),
    "Hebrew": ("אחותי גרה בחיפה", "בחיפה"),
    "Hindi": ("मेरी बहन दिल्ली में रहती है", "दिल्ली"),
    "Thai": ("น้องสาวของฉันอยู่ที่เชียงใหม่", "เชียงใหม่"),
    "French": ("Sa sœur préfère le café crème", "cafe creme"),
    "Turkish": ("İstanbul'da yaşıyor", "istanbul"),
    "code": ("Deploys with run_migrations(dryRun=True)", "dry run migrations"),
    "full width": ("Ｔｈｅ ｓｅｒｖｅｒ ｉｓ ｃａｌｌｅｄ ｐｌｕｔｏ", "pluto"),
    "emoji": ("🎉 party on Saturday", "party"),
}


@pytest.mark.req("SRCH-6")
@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_is_found(memory: Memory, script: str) -> None:
    memory.create()
    put(memory, "MEMORY.md", "".join(f"- {text}\n" for text, _ in SCRIPTS.values()))
    text, question = SCRIPTS[script]
    assert texts(memory.search(question))[0] == text


@pytest.mark.req("SRCH-7")
def test_results_narrow_by_source_day_and_session(memory: Memory) -> None:
    memory.remember("A falcon in the memory", insist=True)
    for day in (1, 2, 3):
        memory.log(f"The falcon of day {day}", day=date(2026, 11, day))
        memory.add_message(f"talk{day}", said(str(day), f"Talking about falcon {day}", date(2026, 11, day)))

    def found(**filters: object) -> set[str]:
        hits = memory.search("falcon", limit=50, **filters).hits  # pyright: ignore[reportArgumentType] any filter
        return {hit.text for hit in hits}

    logs = {f"The falcon of day {day}" for day in (1, 2, 3)}
    talks = {f"Talking about falcon {day}" for day in (1, 2, 3)}
    assert found() == {"A falcon in the memory"} | logs | talks
    assert found(sources=[Source.LONG_TERM]) == {"A falcon in the memory"}
    assert found(sources=[Source.DAILY_LOG]) == logs
    assert found(sources=[Source.DAILY_LOG, Source.SESSION]) == logs | talks
    assert found(since=date(2026, 11, 3)) == {"The falcon of day 3", "Talking about falcon 3"}
    assert found(until=date(2026, 11, 1)) == {"The falcon of day 1", "Talking about falcon 1"}
    assert found(since=date(2026, 11, 2), until=date(2026, 11, 2)) == {"The falcon of day 2", "Talking about falcon 2"}
    assert found(since=date(2026, 11, 3), until=date(2026, 11, 1)) == set()
    assert found(sessions=["talk2"]) == {"Talking about falcon 2"}
    assert found(sessions=["talk2", "talk3"], sources=[Source.SESSION]) == talks - {"Talking about falcon 1"}
    assert found(sessions=["nobody"]) == set()


@pytest.mark.req("SRCH-7")
def test_time_words_bring_their_days_to_the_front(memory: Memory) -> None:
    memory.create()
    for ago in range(0, 60, 3):
        put(memory, f"daily/{TODAY - timedelta(ago)}.md", "- Walked along the river\n")

    def best(question: str) -> date:
        when = memory.search(question).hits[0].date
        assert when is not None
        return when

    a_week = timedelta(7)  # what happened is often told some days later
    assert date(2026, 9, 28) <= best("river last month, 2026-09-28") <= date(2026, 9, 28) + a_week
    assert date(2026, 10, 1) <= best("the river in October") <= date(2026, 10, 31)
    assert date(2026, 10, 22) <= best("the river three weeks ago") <= date(2026, 10, 28) + a_week


def test_a_quoted_phrase_must_stand_there(memory: Memory) -> None:
    memory.remember("The old mill by the river", insist=True)
    memory.remember("By the old river there is a mill", insist=True)
    assert texts(memory.search('"old mill"')) == ["The old mill by the river"]
    assert texts(memory.search("“OLD   Mill”")) == ["The old mill by the river"]
    assert texts(memory.search('"by the"'))
    assert texts(memory.search('mill "no such words"')) == []
    assert len(memory.search('mill "').hits) == 2
    assert len(memory.search('mill ""').hits) == 2
    assert len(memory.search('mill " "').hits) == 2
    memory.remember("她住在東京都", insist=True)
    assert texts(memory.search("「東京」")) == ["她住在東京都"]


@pytest.mark.req("SRCH-8")
def test_what_says_the_same_appears_once_and_all_sources_are_searched(memory: Memory) -> None:
    memory.remember("Prefers the window seat on trains", insist=True)
    memory.log("- prefers the window seat on trains.", day=date(2026, 11, 2))
    memory.add_message("talk", said("1", "Prefers the WINDOW seat on trains!"))
    memory.remember("Does not prefer the window seat on planes", insist=True)
    memory.remember("她喜欢喝绿茶", insist=True)
    memory.log("她喜欢喝绿茶。", day=date(2026, 11, 3))
    found = memory.search("window seat", limit=10)
    said_once = [text.casefold().strip(".!") for text in texts(found) if "trains" in text]
    assert said_once == ["prefers the window seat on trains"]
    assert "Does not prefer the window seat on planes" in texts(found)
    assert len([text for text in texts(memory.search("绿茶", limit=10)) if "绿茶" in text]) == 1
    for source in Source:
        assert memory.search("window seat", sources=[source]).hits


@pytest.mark.req("SRCH-8")
def test_what_is_said_over_and_over_does_not_crowd_out_the_rest(memory: Memory) -> None:
    memory.create()
    for ago in range(60):
        put(memory, f"daily/{TODAY - timedelta(ago)}.md", "- Walked along the river\n")
    put(memory, "MEMORY.md", "- The river is too cold for swimming, even in August\n")
    for limit in (1, 2, 5):
        found = texts(memory.search("walked along the river", limit=limit))
        assert found[:2] == ["Walked along the river", "The river is too cold for swimming, even in August"][:limit]
        assert len(found) == min(limit, 2)


def test_short_texts_that_differ_in_one_word_are_both_shown(memory: Memory) -> None:
    memory.remember("Likes tea", insist=True)
    memory.remember("Likes no tea", insist=True)
    memory.remember("?!", insist=True)
    memory.remember("!?", insist=True)
    assert {"Likes tea", "Likes no tea"} <= set(texts(memory.search("tea")))


def test_long_texts_that_differ_in_a_number_are_both_shown(memory: Memory) -> None:
    rest = "is what the dentist in the old house by the harbour wrote on the card for the next visit of Ann and Ben"
    for text in (f"Half past 3 {rest}", f"Half past 4 {rest}", f"Half past 4 {rest} then"):
        memory.remember(text, insist=True)
    found = texts(memory.search("dentist visit", limit=10))
    assert len(found) == 2
    assert {text.split()[2] for text in found} == {"3", "4"}


@pytest.mark.folder
def test_only_what_is_memory_is_searched(memory: Memory) -> None:
    memory.remember("A falcon in the memory", insist=True)
    memory.backup()
    for name in ("INBOX.md", "rescued-0123456789ab.md", "notes.md", "2026-01-01.md", "backups/x.md", "daily/x.md"):
        path = memory.path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("- A falcon outside\n")
    put(memory, "daily/2026-01-01.md~", "- A falcon outside\n")
    put(memory, "daily/2026-13-01.md", "- A falcon outside\n")
    (memory.path / "daily" / "old").mkdir()
    (memory.path / "daily" / "old" / "2026-01-01.md").write_text("- A falcon outside\n")
    assert texts(memory.search("falcon", limit=50)) == ["A falcon in the memory"]


def test_a_summary_belongs_to_its_session_and_tools_are_not_searched(memory: Memory) -> None:
    memory.add_message("talk", said("1", "A falcon", role="tool"), said("2", "A falcon", role="system"))
    put(memory, "sessions/talk.summary.md", "## Summary\n- They spoke about a falcon\n")
    (hit,) = memory.search("falcon").hits
    assert (hit.text, hit.session, hit.source) == ("They spoke about a falcon", "talk", Source.SESSION)
    assert memory.search("falcon", sessions=["talk"]).hits == [hit]


@pytest.mark.parametrize("question", ["", " ", "\n\t\u3000"])
def test_a_blank_question_is_refused(memory: Memory, question: str) -> None:
    with pytest.raises(ValidationError):
        memory.search(question)


@pytest.mark.parametrize("limit", [0, -1])
def test_asking_for_no_results_is_refused(memory: Memory, limit: int) -> None:
    with pytest.raises(ValidationError):
        memory.search("tea", limit=limit)


@pytest.mark.parametrize(
    "question",
    ["harbour violin " * 10_000, "x" * 200_000, "?", "🎉", "the of and", '"' * 999, "\x00\ud800", "NEAR(a b) OR -c*"],
)
def test_no_question_is_too_odd(place: Place, question: str) -> None:
    memory = filled(opened(place))
    assert len(memory.search(question).hits) <= 5


def test_a_book_of_one_word_and_an_empty_one_can_be_searched(memory: Memory) -> None:
    assert memory.search("tea").hits == []
    memory.remember("tea", insist=True)
    assert texts(memory.search("tea")) == ["tea"]
    memory.forget("tea")
    assert memory.search("tea").hits == []


@pytest.mark.folder
@pytest.mark.req("SRCH-9")
def test_statistics_count_logs_bytes_chunks_and_tell_of_the_model(memory: Memory) -> None:
    report = memory.index_report()
    assert (report.chunks, report.vectors_known, report.vectors_wanted, report.model_loaded) == (0, 0, 0, False)
    filled(memory, entries=12, logs=4, turns=24)
    report = memory.index_report()
    assert (report.chunks, report.vectors_known, report.vectors_wanted) == (12 + 20 + 24, 0, 56)
    assert not report.model_loaded, "counting must not load the model"
    memory.search("violin")
    report = memory.index_report()
    assert (report.chunks, report.vectors_known, report.model, report.model_loaded) == (56, 56, "hashing", True)
    stats = memory.stats()
    assert (stats.logs, stats.sessions, stats.entries) == (4, 3, 12)
    files = [*memory.path.glob("*.md"), *memory.path.glob("daily/*"), *memory.path.glob("sessions/*")]
    assert stats.bytes == sum(file.stat().st_size for file in files)


@pytest.mark.folder
def test_hostile_transcripts_are_searched_as_far_as_they_can_be_read(memory: Memory) -> None:
    memory.create()
    folder = memory.path / "sessions"
    folder.mkdir()
    good = json.dumps({"id": "1", "role": "user", "at": "2026-11-15T09:00:00", "text": "A falcon \ud83d here"})
    odd = [
        b"[" * 50_000,
        b'{"id": 1}',
        b'{"id":"2","role":"user","at":"0001-01-01","text":"the first falcon"}',
        b'{"id":"3","role":"user","at":"9999-12-31T23:59:59+14:00","text":"the last falcon"}',
        b'{"id":"4","role":"user","at":"2026-11-15","text":"named falcon","extra":{"name":["x",1]}}',
        b'{"id":"5","role":"user","at":"2026-11-15","text":{"falcon":1}}',
        b'{"id":"6","role":"user","at":"2026-11-15","text":"   "}',
        b"\xff\xfe",
    ]
    (folder / "a.jsonl").write_bytes(b"\r\n".join([good.encode(), *odd]) + b'\n{"id":"7","ro')
    found = memory.search("falcon", limit=20)
    assert {hit.message for hit in found.hits} == {"1", "2", "3", "4", "5"}
    assert {hit.line for hit in found.hits} == {1, 4, 5, 6, 7}
    assert {hit.message for hit in opened(memory.address).search("falcon", limit=20).hits} == {"1", "2", "3", "4", "5"}


def test_random_books_never_break_the_search(tmp_path: Path) -> None:
    source = random.Random(3)
    pieces = [
        "\n",
        "# ",
        "## ",
        "- ",
        "  ",
        "```",
        "---",
        "<!--",
        "-->",
        "falcon",
        "é",
        "日本",
        "\r",
        "\x00",
        "1. ",
        "> ",
        "|",
    ]
    for number in range(40):
        memory = opened(tmp_path / str(number))
        memory.create()
        put(memory, "MEMORY.md", "".join(source.choices(pieces, k=60)) + "\n- falcon end\n")
        put(memory, "daily/2026-11-15.md", "".join(source.choices(pieces, k=60)))
        for hit in memory.search("falcon", limit=50, explain=True).hits:
            assert hit.text
            assert hit.line >= 1
