"""Days, conversations, inbox, history, backups, complete forgetting, upkeep and health, over the API."""

import time
from datetime import date
from pathlib import Path

import pytest

import commonplace.flows.hybridsearch as hybridsearch
from commonplace.memory import Memory
from commonplace.types import Origin, Voice
from tests.web.conftest import Api, Json

TEA = "Likes green tea in the morning"


def quoted(id: str) -> str:
    return f'"{id}"'


def finished(api: Api, body: Json) -> Json:
    """A job, when it has ended."""
    job = api.post("/jobs", body, status=202)
    for _ in range(2000):
        if job["state"] != "running":
            return job
        job = api.get(f"/jobs/{job['id']}")
        time.sleep(0.01)
    raise AssertionError(job)


# -- search and recall -------------------------------------------------------------------------------------------------


@pytest.mark.req("SRCH-3", "API-1")
def test_search_finds_entries_logs_and_conversations_and_explains_the_score(api: Api, memory: Memory) -> None:
    entry = api.save("Keeps bees on the roof")
    memory.log("Bought two new hives for the bees", day=date(2026, 3, 3), origin=Origin.PERSON)
    memory.say("talk-1", "user", "The bees on the roof need a new hive.")
    found = api.get("/search?q=bees&explain=true")["hits"]
    assert {hit["source"] for hit in found} == {"long_term", "daily_log", "session"}
    assert [hit["entry"] for hit in found if hit["source"] == "long_term"] == [entry["id"]]
    assert all(hit["components"] for hit in found)
    only = api.get("/search?q=bees&source=daily_log&since=2026-03-01&until=2026-03-31")["hits"]
    assert [hit["date"] for hit in only] == ["2026-03-03"]
    assert api.get("/search?q=bees&source=nowhere", status=422)["code"] == "validation_error"
    memory.say("talk-1", "assistant", "Then order one this week.")
    [said] = api.get("/search?q=bees&source=session&context=true&limit=1")["hits"]
    assert said["around"] == {"title": said["text"], "before": "", "after": "Then order one this week."}
    assert {hit["around"] for hit in found} == {None}


@pytest.mark.req("SRCH-4", "UI-1")
def test_what_a_search_could_not_compute_is_computed_while_nobody_asks(
    api: Api, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hybridsearch, "_PATIENCE", 0.0)
    text = "".join(f"- Fact number {number} about the harbour\n" for number in range(40))
    memory.write_page(f"# Long-term Memory\n\n## Notes\n\n{text}", expected="absent")
    found = api.get("/search?q=harbour")
    assert found["vectors_known"] < found["vectors_wanted"] == 40
    index = api.get("/index")
    for _ in range(2000):
        if index["vectors_known"] == 40:
            break
        time.sleep(0.01)
        index = api.get("/index")
    assert (index["vectors_known"], index["vectors_wanted"]) == (40, 40)


@pytest.mark.req("REC-2", "UI-2")
def test_a_recall_preview_tells_what_is_told_what_it_costs_and_what_was_left_out(api: Api) -> None:
    for number in range(30):
        api.save(f"Fact number {number}: the harbour office has a blue door and a long corridor behind it")
    whole = api.get("/recall?q=harbour&budget=2000")
    assert whole["tokens"] <= 2000
    assert len(whole["parts"][0]["items"]) == whole["shown"]
    small = api.get("/recall?q=harbour&budget=300")
    assert small["tokens"] <= 300
    assert {one["reason"] for one in small["left_out"]} == {"did_not_fit"}
    assert small["shown"] + len(small["left_out"]) == 30


# -- days and conversations --------------------------------------------------------------------------------------------


@pytest.mark.req("UI-2", "BOOK-2")
def test_the_calendar_counts_and_a_day_tells_its_log_and_its_conversations(api: Api, memory: Memory) -> None:
    api.post("/days/2026-03-03/blocks", {"text": "Planted the pear tree"})
    memory.say("talk-1", "user", "Hello there")
    today = api.get("/")["today"]
    counted = {day["day"]: day for day in api.get(f"/days?year={today[:4]}")["days"]}
    assert counted[today]["sessions"] == 1
    assert counted[today]["changes"] >= 1
    days = api.get("/days?month=2026-03")
    assert [(day["day"], day["log"]) for day in days["days"]] == [("2026-03-03", True)]
    assert days["first"] == "2026-03-03"
    found = api.get("/days/2026-03-03")
    assert [block["text"] for block in found["blocks"]] == ["Planted the pear tree"]
    assert found["next"] == today
    assert [one["id"] for one in api.get(f"/days/{today}")["sessions"]] == ["talk-1"]
    assert api.get("/days/2001-01-01")["text"] == ""
    assert api.get("/days/never", status=422)
    assert api.post("/days/2026-03-03/blocks", {"text": " "}, status=422)


@pytest.mark.req("UI-2")
def test_conversations_are_listed_found_read_in_parts_and_renamed(api: Api, memory: Memory) -> None:
    for number in range(6):
        memory.say("talk-1", "user", f"Message number {number}")
    said = memory.say("talk-2", "user", "The glacier walk was cold")
    assert [one["id"] for one in api.get("/sessions")["items"]] == ["talk-2", "talk-1"]
    assert api.get("/sessions?q=glacier")["items"][0]["id"] == "talk-2"
    first = api.get("/sessions/talk-1/messages?limit=4")
    assert [message["text"][-1] for message in first["items"]] == ["0", "1", "2", "3"]
    second = api.get(f"/sessions/talk-1/messages?limit=4&cursor={first['next']}")
    assert ([message["text"][-1] for message in second["items"]], second["next"]) == (["4", "5"], None)
    wanted = first["items"][3]["id"]
    around = api.get(f"/sessions/talk-1/messages?limit=2&around={wanted}")
    assert wanted in [message["id"] for message in around["items"]]
    assert api.get(f"/sessions/talk-2/messages/{said.id}")["text"] == "The glacier walk was cold"
    assert api.ask("PATCH", "/sessions/talk-1", {"title": "Counting"})["title"] == "Counting"
    assert api.get("/sessions/talk-1")["title"] == "Counting"
    assert {one["title"] for one in api.get("/sessions")["items"]} == {"Counting", "The glacier walk was cold"}
    for path in ("/sessions/none", "/sessions/none/messages", "/sessions/talk-1/messages/none"):
        assert api.get(path, status=404)["code"] == "not_found"
    assert api.get("/sessions/..%2F..%2Fetc", status=404)
    assert api.get("/sessions/.hidden", status=422)


# -- inbox -------------------------------------------------------------------------------------------------------------


def waiting(api: Api, memory: Memory, *texts: str) -> list[Json]:
    for text in texts:
        memory.remember(text, voice=Voice.WEB)
    return api.get("/inbox")["items"]


@pytest.mark.req("UI-2", "GATE-3")
def test_what_waits_is_shown_beside_its_nearest_entries_and_decided_one_by_one_or_together(
    api: Api, memory: Memory
) -> None:
    entry = api.save("The office is in the old harbour building")
    items = waiting(
        api,
        memory,
        "The office moves to the new station quarter",
        "The canteen serves fish on Fridays",
        "The lift is repaired every spring",
        "The parking deck has forty places",
    )
    assert [near["entry"]["id"] for near in items[0]["nearest"]] == [entry["id"]]
    assert items[0]["why"] == "the words of a tool, a page or a file"
    edited = api.post(f"/inbox/{items[0]['id']}/accept", {"text": "The office moves in May", "section": "Work"})
    assert (edited["entry"]["text"], edited["entry"]["section"]) == ("The office moves in May", "Work")
    assert api.post(f"/inbox/{items[1]['id']}/reject")["result"] == "rejected"
    both = {"accept": [items[2]["id"], "ffffff"], "reject": [items[3]["id"]]}
    outcomes = api.post("/inbox/decisions", both)["outcomes"]
    assert [one["outcome"] and one["outcome"]["result"] for one in outcomes] == ["saved", None, "rejected"]
    assert outcomes[1]["problem"]["code"] == "not_found"
    assert api.get("/inbox")["items"] == []
    assert api.post(f"/inbox/{items[1]['id']}/accept", status=404)["code"] == "not_found"


# -- history, backups, forgetting --------------------------------------------------------------------------------------


@pytest.mark.req("BOOK-6", "UI-2")
def test_the_history_is_paged_compared_and_taken_back(api: Api, memory: Memory) -> None:
    for number in range(4):
        api.save(f"Number {number} of the things")
    first = api.get("/changes?limit=3")
    rest = api.get(f"/changes?limit=3&cursor={first['next']}")
    ids = [change["id"] for change in first["items"] + rest["items"]]
    assert len(set(ids)) == len(ids) == first["total"]
    newest = api.get(f"/changes/{ids[0]}")
    lines = [line for hunk in newest["diff"][0]["hunks"] for line in hunk["lines"] if line["kind"] != "same"]
    assert [(line["kind"], line["text"]) for line in lines] == [("new", "- Number 3 of the things")]
    done = api.post(f"/changes/{ids[0]}/undo", {"reason": "not so"})
    assert done["undone"]["id"] == ids[0]
    assert api.get(f"/changes/{ids[0]}")["undone_by"] == done["change"]
    assert len(memory.entries()) == 3
    assert len(api.get(f"/changes/{ids[2]}/diff/{ids[0]}")["diff"]) == 1
    assert [change["reason"] for change in api.get("/changes?q=not+so")["items"]] == ["not so"]
    assert api.post(f"/changes/{ids[0]}/undo", status=409)["code"] == "conflict"
    assert api.get("/changes/ffffffffff", status=404)


@pytest.mark.req("API-1", "CMP-2")
def test_a_backup_is_previewed_and_restored_only_over_what_was_previewed(api: Api, folder: Path) -> None:
    assert api.post("/backups")["backup"] is None
    api.save(TEA)
    name = api.post("/backups")["backup"]["name"]
    before = (folder / "MEMORY.md").read_bytes()
    api.save("Plays the cello")
    preview = api.get(f"/backups/{name}")
    gone = [line["text"] for hunk in preview["diff"]["hunks"] for line in hunk["lines"] if line["kind"] == "gone"]
    assert gone == ["- Plays the cello"]
    api.save("Rides a bicycle to work")
    path = f"/backups/{name}/restore"
    assert api.post(path, status=428)
    told = api.post(path, status=412, if_match=quoted(preview["etag"]))
    done = api.post(path, if_match=quoted(told["etag"]))
    assert (folder / "MEMORY.md").read_bytes() == before
    assert done["saved_as"] in [backup["name"] for backup in api.get("/backups")["items"]]
    assert api.get("/backups/MEMORY_backup_2001-01-01_00-00-00.md", status=404)
    assert api.get("/backups/..%2FMEMORY.md", status=404)


@pytest.mark.req("BOOK-7", "UI-2")
def test_complete_forgetting_is_previewed_done_and_proven(api: Api, folder: Path) -> None:
    api.save("The locker has the number ZX-4711")
    body = {"texts": ["ZX-4711"]}
    plan = api.post("/erasures/preview", body)
    assert [removal["place"] for removal in plan["removals"]] == ["MEMORY.md"]
    assert api.post("/erasures", body, status=428)
    told = api.post("/erasures", body, status=412, if_match='"something else"')
    assert told["current"]["plan"] == plan["plan"]
    done = api.post("/erasures", body, if_match=quoted(plan["plan"]))
    assert done["left"] == []
    assert "0 copies are left" in done["proof"]
    assert not [file for file in folder.rglob("*") if file.is_file() and b"ZX-4711" in file.read_bytes()]


# -- upkeep ------------------------------------------------------------------------------------------------------------


@pytest.mark.req("CMP-4", "CMP-6", "UI-2")
def test_a_compaction_is_a_plan_whose_steps_are_chosen(api: Api, folder: Path) -> None:
    api.save(TEA)
    file = folder / "MEMORY.md"
    double = f"{file.read_text(encoding='utf-8')}- {TEA}\n- Plays the cello\n- Plays the cello\n"
    file.write_text(double, encoding="utf-8")
    job = finished(api, {"kind": "compact", "model": False})
    plan = job["result"]
    assert job["state"] == "done"
    assert [step["kind"] for step in plan["steps"]] == ["drop", "drop"]
    assert file.read_text(encoding="utf-8") == double
    done = api.post(f"/compactions/{plan['plan']}", {"steps": [1]})
    assert (done["before"], done["after"], len(done["steps"])) == (4, 3, 1)
    assert done["backup"] in [backup["name"] for backup in api.get("/backups")["items"]]
    again = api.post(f"/compactions/{plan['plan']}", {"steps": [1]})
    assert again["change"] is None
    assert again["skipped"]
    assert api.post("/compactions/none", {"steps": None}, status=404)
    assert api.post(f"/compactions/{plan['plan']}", {"steps": [7]}, status=404)
    assert finished(api, {"kind": "compact", "model": True})["problem"]["code"] == "config_error"


@pytest.mark.req("GATE-6", "UI-2")
def test_an_audit_tells_its_score_and_what_is_certain_is_mended_one_by_one(api: Api, folder: Path) -> None:
    api.save(TEA)
    file = folder / "MEMORY.md"
    file.write_text(f"{file.read_text(encoding='utf-8')}- {TEA}.\n- The PIN: 4711-ZX-88-secret\n", encoding="utf-8")
    found = finished(api, {"kind": "audit"})["result"]
    assert found["score"] < 100
    [double] = [doubt for doubt in found["doubts"] if doubt["kind"] == "duplicate"]
    assert double["certain"]
    done = api.post("/audit/mend", {"entry": double["place"]["entry"]})
    assert (len(api.get("/memory/entries")["items"]), bool(done["change"])) == (2, True)
    entry = api.get("/memory/entries")["items"][0]["id"]
    assert api.post("/audit/mend", {"entry": entry}, status=422)["code"] == "validation_error"
    assert api.post("/audit/mend", {})["backup"] is not None or found["counts"].keys() == {"duplicate"}


@pytest.mark.req("API-1", "SRCH-4")
def test_the_index_is_rebuilt_as_long_work_that_can_be_followed(api: Api) -> None:
    api.save(TEA)
    job = finished(api, {"kind": "reindex"})
    assert (job["state"], job["result"]["chunks"]) == ("done", 1)
    assert [one["id"] for one in api.get("/jobs")["items"]] == [job["id"]]
    assert api.get("/jobs/none", status=404)
    assert api.ask("DELETE", "/jobs/none", status=404)
    assert api.post("/jobs", {"kind": "dance"}, status=422)


# -- health ------------------------------------------------------------------------------------------------------------


@pytest.mark.req("API-1", "SRCH-9")
def test_health_and_numbers_are_what_the_command_line_says(api: Api, memory: Memory, folder: Path) -> None:
    api.save(TEA)
    memory.say("talk-1", "user", "Hello there")
    counts = api.get("/statistics")
    assert (counts["entries"], counts["sessions"], counts["index"]["chunks"]) == (1, 1, 2)
    assert api.get("/index")["model"]
    assert {finding["check"] for finding in api.get("/doctor")["findings"]} >= {"history", "settings", "model"}
    settings = {one["key"]: one for one in api.get("/settings")["items"]}
    assert (settings["book"]["value"], settings["book"]["origin"]) == (str(folder), "--book")
    assert api.get("/usage") == {"cap": 0, "today": 0, "days": []}
    assert [(book["path"], book["open"]) for book in api.get("/books")["items"]] == [(str(folder), True)]
    served = api.get("/")
    assert (served["book"]["path"], served["model"]["configured"]) == (str(folder), False)
    over = api.get("/statistics/timeline")
    assert [one["count"] for one in over["entries"]] == [1]
    assert [one["count"] for one in over["sessions"]] == [1]
    assert over["deeds"][0]["counts"] == {"saved": 1}
    assert over["gate"] == []
    memory.remember(TEA)
    [counted] = api.get("/statistics/timeline")["gate"]
    assert (counted["day"], counted["counts"]) == (served["today"], {"known duplicate": 1})
