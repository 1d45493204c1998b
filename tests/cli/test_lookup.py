"""`search`, `reindex`, `stats` and `bench` on the command line."""

import json
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

import commonplace.providers.embedders.minilm as package
from commonplace.memory import Memory
from tests.bench.data import case_lines, small, written
from tests.cli.conftest import Cli, at_terminal, started

BOOK = ".local/share/commonplace/book"


@pytest.fixture
def keywords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the model, which most tests here do not need."""
    monkeypatch.setenv("COMMONPLACE_EMBEDDER_NAME", "none")


@pytest.fixture
def filled(cli: Cli, keywords: None) -> None:
    cli("remember", "Keeps a falcon called Horus", "--section", "Animals")
    cli("remember", "Sails on Saturdays")
    cli("log", "add", "Horus the falcon caught a mouse")


@pytest.mark.req("SRCH-1", "SRCH-3")
def test_the_first_search_works_with_nothing_set_up(cli: Cli) -> None:
    cli("remember", "Adopted a kitten called Miso")
    cli("remember", "The car is parked in row 7")
    ran = cli("search", "Which", "pet", "lives", "here?")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("1. Adopted a kitten called Miso\n   MEMORY.md:")
    assert "long-term memory · Notes" in ran.out
    assert "(loaded when a search needs it)" in started("stats").stdout


@pytest.fixture
def damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Damages the model, for what opens it next: the one that this process has open is sound."""

    def damage() -> None:
        monkeypatch.setattr(package, "FOLDER", tmp_path)
        package.from_settings.cache_clear()

    yield damage
    package.from_settings.cache_clear()


@pytest.mark.req("SRCH-1")
def test_a_damaged_model_is_told_and_keywords_still_find(cli: Cli, damaged: Callable[[], None]) -> None:
    cli("remember", "Keeps a falcon")
    damaged()
    ran = cli("search", "falcon")
    assert ran.status == 0
    assert ran.out.startswith("1. Keeps a falcon\n")
    assert "By keywords alone:" in ran.err
    ran = cli("search", "falcon", "--json")
    assert ran.json["trouble"]
    assert ran.json["vectors"] == {"known": 0, "wanted": 1}


@pytest.mark.usefixtures("filled")
def test_hits_are_shown_with_their_places(cli: Cli) -> None:
    ran = cli("search", "falcon")
    assert ran.status == 0
    assert "Keeps a falcon called Horus" in ran.out
    assert "long-term memory · Animals" in ran.out
    assert "· daily log" in ran.out
    assert "(today)" in ran.out
    assert "\x1b" not in ran.out, "no colours where there is no terminal"


@pytest.mark.usefixtures("filled")
def test_json_has_every_field(cli: Cli, home: Path) -> None:
    answer = cli("search", "falcon", "--json", "--explain").json
    assert answer["question"] == "falcon"
    assert answer["book"] == str(home / BOOK)
    assert answer["trouble"] == ""
    (entry,) = [hit for hit in answer["hits"] if hit["source"] == "long_term"]
    assert set(entry) >= {"text", "source", "date", "heading", "file", "line", "score", "age_days", "components"}
    lines = (home / BOOK / "MEMORY.md").read_text().split("\n")
    assert lines[entry["line"] - 1] == "- Keeps a falcon called Horus"
    assert entry["components"]
    assert [hit["age_days"] for hit in answer["hits"] if hit["source"] == "daily_log"] == [0]


def test_what_was_said_before_and_after_a_hit_can_be_shown(cli: Cli, home: Path) -> None:
    memory = Memory.open(home / BOOK)
    for role, text in (("user", "Which bird nests here?"), ("assistant", "A falcon."), ("user", "On the tower?")):
        memory.say("talk-1", role, text)
    ran = cli("search", "falcon", "--context").out
    assert "   before: Which bird nests here?\n   after: On the tower?\n   in: Which bird nests here?\n" in ran
    assert cli("search", "falcon", "--context", "--json").json["around"][0]["after"] == "On the tower?"


@pytest.mark.usefixtures("filled")
def test_explaining_shows_the_parts(cli: Cli) -> None:
    plain, explained = cli("search", "falcon").out, cli("search", "falcon", "--explain").out
    assert len(explained.splitlines()) > len(plain.splitlines())
    assert "coverage +" in explained


@pytest.mark.req("SRCH-7")
@pytest.mark.usefixtures("filled")
def test_filters_narrow(cli: Cli) -> None:
    def sources(*arguments: str) -> set[str]:
        ran = cli("search", "falcon", "--json", *arguments)
        assert ran.status == 0
        return {hit["source"] for hit in ran.json["hits"]}

    assert sources() == {"long_term", "daily_log"}
    assert sources("--source", "daily_log") == {"daily_log"}
    assert sources("--source", "daily_log", "--source", "long_term") == {"long_term", "daily_log"}
    assert sources("--source", "session") == set()
    assert sources("--session", "nobody") == set()
    assert sources("--since", date.today().isoformat()) == {"daily_log"}  # noqa: DTZ011 the day on the wall
    assert sources("--until", "2001-01-01") == set()
    assert len(cli("search", "falcon", "-n", "1", "--json").json["hits"]) == 1


@pytest.mark.usefixtures("filled")
def test_wrong_arguments_are_refused_in_words(cli: Cli) -> None:
    for arguments in (
        ("--since", "yesterday"),
        ("--until", "2026-02-30"),
        ("--limit", "0"),
        ("--limit", "many"),
        ("--source", "dreams"),
    ):
        ran = cli("search", "falcon", *arguments)
        assert ran.status not in {0, 1}
        assert ran.out == ""
        assert ran.err
        assert "unexpected" not in ran.err
    assert cli("search", "falcon", "--since", "x", "--json").code == "validation_error"
    assert cli("search", " ", "--json").code == "validation_error"
    assert cli("search").status != 0


@pytest.mark.usefixtures("keywords")
def test_nothing_found_is_said(cli: Cli) -> None:
    assert cli("search", "falcon").out == "Nothing found.\n"
    cli("remember", "Keeps a falcon")
    ran = cli("search", "zeppelin")
    assert (ran.status, ran.out, ran.err) == (0, "Nothing found.\n", "")
    assert cli("search", "zeppelin", "--json").json["hits"] == []


@pytest.mark.usefixtures("keywords")
def test_a_question_from_standard_input_and_a_hostile_text(cli: Cli, home: Path) -> None:
    cli("remember", "Keeps a falcon")
    page = home / BOOK / "MEMORY.md"
    page.write_text(page.read_text() + "- falcon \x1b[31mred\x07 " + "word " * 200 + "falcon\n")
    ran = cli("search", "-", stdin=b"falcon\n")
    assert "\x1b" not in ran.out
    assert "\x07" not in ran.out
    assert "…" in ran.out, "a long text is cut"
    assert max(map(len, ran.out.splitlines())) < 400


@pytest.mark.usefixtures("keywords")
@pytest.mark.parametrize(
    "text", ["word " * 300 + "falcon and more " + "word " * 300, "日本" * 400 + "falcon" + "語" * 400]
)
def test_a_long_text_is_shown_where_the_word_stands(cli: Cli, home: Path, text: str) -> None:
    cli("remember", text)
    shown = cli("search", "falcon").out.splitlines()[0]
    assert "falcon" in shown
    assert len(shown) < 400


def test_searching_does_not_make_a_book(cli: Cli, home: Path) -> None:
    for command in (("search", "tea"), ("reindex",), ("stats",)):
        assert cli(*command).status == 0
    assert not (home / BOOK).exists()


@pytest.mark.req("SRCH-9")
@pytest.mark.usefixtures("filled")
def test_reindex_and_stats_count(cli: Cli) -> None:
    assert cli("reindex").out == "3 chunks indexed, 0 vectors computed.\n"
    assert cli("reindex", "--json").json["chunks"] == 3
    told = cli("stats").out
    assert "        3  chunks indexed" in told
    assert "        1  daily logs" in told
    assert "Embedding model: none (keywords alone)" in told
    index = cli("stats", "--json").json["index"]
    assert (index["chunks"], index["model_loaded"]) == (3, False)


@pytest.mark.usefixtures("filled")
def test_a_terminal_gets_highlights_unless_it_wants_none(home: Path) -> None:
    coloured = at_terminal(["search", "falcon"], [])
    assert "\x1b[1mfalcon\x1b[0m" in coloured.out
    assert "\x1b[" not in at_terminal(["search", "falcon"], [], NO_COLOR="1").out
    assert "\x1b[" not in at_terminal(["search", "falcon"], [], TERM="dumb").out
    assert "3 chunks indexed" in at_terminal(["reindex"], []).out


@pytest.mark.usefixtures("filled")
def test_it_works_in_a_process_of_its_own(home: Path) -> None:
    ran = started("search", "falcon", "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert len(json.loads(ran.stdout)["hits"]) == 2


@pytest.mark.usefixtures("keywords")
def test_bench_prints_a_table_and_writes_a_run(cli: Cli, home: Path, tmp_path: Path) -> None:
    data = written(tmp_path / "data.json.gz", small())
    out = tmp_path / "run.jsonl"
    ran = cli("bench", "retrieval", str(data), "--run", str(out))
    assert (ran.status, ran.err) == (0, "")
    header, *rows = ran.out.splitlines()
    assert header.split() == [
        "asked",
        *(f"turn@{cut}" for cut in (1, 5, 10, 20)),
        *(f"session@{cut}" for cut in (1, 5, 10, 20)),
        "ndcg@10",
        "mrr",
    ]
    assert [row.split()[:2] for row in rows[:4]] == [["all", "4"], ["pets", "1"], ["places", "2"], ["none", "1"]]
    assert rows[1].split()[2] == "100.0"
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [line["qid"] for line in lines] == ["q1", "q2", "q3", "q4"]
    assert lines[0]["ranked"][0]["turn"] == "D1:1"
    assert not (home / BOOK).exists(), "one's own book is not touched"
    told = cli("bench", "retrieval", str(written(tmp_path / "x.json", small(), zipped=False)), "--plain", "--json")
    assert told.json["rows"]["pets"]["turn@1"] == 1.0
    assert told.json["rows"]["none"]["session@1"] is None


@pytest.mark.usefixtures("keywords")
def test_bench_says_what_is_wrong_with_its_files(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "bad").write_text("hello")
    assert cli("bench", "retrieval", str(tmp_path / "bad"), "--json").code == "validation_error"
    assert cli("bench", "retrieval", str(tmp_path / "none"), "--json").code == "validation_error"
    data = written(tmp_path / "data.json.gz", small())
    ran = cli("bench", "retrieval", str(data), "--run", str(tmp_path / "no" / "folder.jsonl"), "--json")
    assert ran.code == "storage_failed"


@pytest.mark.usefixtures("keywords")
def test_bench_flush_tells_the_bars_and_its_status_says_whether_all_are_met(
    cli: Cli, home: Path, tmp_path: Path
) -> None:
    messages = [{"role": "user", "text": "My dog is called Momo.", "at": "2026-03-02T09:10:00+01:00"}]
    answer = "## Daily Summary\n- Spoke of Momo\n\n## Long-term Facts\n- [profile] The dog is called Momo"
    good = {"id": "dog", "sessions": [{"messages": messages, "answers": [answer]}], "expect": {"kept": ["Momo"]}}
    ran = cli("bench", "flush", str(case_lines(tmp_path / "good.jsonl", good, "no case")))
    assert ran.status == 0
    assert "good.jsonl:2 is left out" in ran.err
    assert "NOT MET" not in ran.out
    bad = {**good, "expect": {"kept": ["cat"], "may": ["Momo"]}}
    told = cli("bench", "flush", str(case_lines(tmp_path / "bad.jsonl", bad)), "--misses", "--json")
    assert told.status == 1
    (miss,) = told.json["misses"]
    assert (miss["id"], miss["bar"]) == ("dog", "lasting facts that did not arrive")
    shown = cli("bench", "flush", str(tmp_path / "bad.jsonl"), "--misses")
    assert (shown.status, "not there: cat" in shown.out) == (1, True)
    assert not (home / BOOK).exists(), "one's own book is not touched"
