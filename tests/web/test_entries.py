"""Entries over the API: read, saved through the gate, changed one at a time, and never over somebody else's change."""

from pathlib import Path

import pytest

from commonplace.memory import Memory
from commonplace.types import Origin
from tests.web.conftest import Api

TEA = "Likes green tea in the morning"


def quoted(id: str) -> str:
    return f'"{id}"'


@pytest.mark.req("API-1")
def test_an_empty_book_reads_as_no_entries(api: Api) -> None:
    found = api.get("/memory")
    assert (found["entries"], found["sections"]) == (0, [])
    assert api.get("/memory/text")["text"] == ""


@pytest.mark.req("API-1", "UI-2")
def test_what_is_saved_is_listed_where_it_belongs_and_written_to_the_file(api: Api, folder: Path) -> None:
    done = api.post("/memory/entries", {"text": TEA, "section": "Preferences"}, status=201)
    assert (done["result"], done["entry"]["section"]) == ("saved", "Preferences")
    sections = {section["title"]: section["entries"] for section in api.get("/memory")["sections"]}
    assert [entry["text"] for entry in sections["Preferences"]] == [TEA]
    assert sections["Preferences"][0]["id"] == done["entry"]["id"]
    assert f"- {TEA}" in (folder / "MEMORY.md").read_text(encoding="utf-8")


@pytest.mark.req("UI-2", "GATE-1")
def test_the_gate_answers_where_one_types_with_the_entry_and_the_choices(api: Api) -> None:
    entry = api.save("Prefers dark mode in all apps", "Preferences")
    verdict = api.post("/memory/judge", {"text": "Prefers light mode in all apps"})
    assert verdict["existing"]["id"] == entry["id"]
    assert verdict["choices"] == ["update", "insist", "leave"]
    done = api.post("/memory/entries", {"text": "Prefers light mode in all apps"})
    assert (done["result"], done["entry"]["id"]) == ("alike", entry["id"])
    assert api.get("/memory")["entries"] == 1


@pytest.mark.req("API-1", "UI-2")
def test_an_entry_is_revised_moved_protected_and_forgotten(api: Api, memory: Memory) -> None:
    entry = api.save(TEA)
    path = f"/memory/entries/{entry['id']}"
    now = api.ask("PATCH", path, {"text": "Likes black tea"}, if_match=quoted(entry["id"]))["entry"]
    assert (now["text"], now["section"]) == ("Likes black tea", "Notes")
    path = f"/memory/entries/{now['id']}"
    now = api.post(f"{path}/move", {"section": "Drinks"}, if_match=quoted(now["id"]))["entry"]
    assert now["section"] == "Drinks"
    path = f"/memory/entries/{now['id']}"
    now = api.ask("PUT", f"{path}/protection", if_match=quoted(now["id"]))["entry"]
    assert (now["text"], now["plain"], now["protected"]) == ("User requested: Likes black tea", "Likes black tea", True)
    path = f"/memory/entries/{now['id']}"
    now = api.ask("DELETE", f"{path}/protection", if_match=quoted(now["id"]))["entry"]
    assert now["protected"] is False
    done = api.ask("DELETE", f"/memory/entries/{now['id']}", if_match=quoted(now["id"]))
    assert (done["result"], memory.entries()) == ("forgotten", ())
    assert {change.note.origin for change in memory.changes()} == {Origin.PERSON}


@pytest.mark.req("API-1")
def test_a_change_that_does_not_say_what_it_read_is_refused(api: Api) -> None:
    entry = api.save(TEA)
    path = f"/memory/entries/{entry['id']}"
    for method, where, body in (
        ("PATCH", path, {"text": "x y"}),
        ("DELETE", path, None),
        ("POST", f"{path}/move", {"section": "Work"}),
        ("PUT", f"{path}/protection", None),
        ("PUT", "/memory/text", {"text": ""}),
    ):
        assert api.ask(method, where, body, status=428)["code"] == "precondition_required"
    assert api.get(path)["text"] == TEA


@pytest.mark.req("API-1", "UI-2", "R9")
def test_a_lost_update_is_told_with_both_texts_and_who_made_the_other(api: Api, memory: Memory) -> None:
    entry = api.save(TEA)
    memory.revise(TEA, "Likes white tea", origin=Origin.TOOL)
    path = f"/memory/entries/{entry['id']}"
    told = api.ask("PATCH", path, {"text": "Likes black tea"}, status=412, if_match=quoted(entry["id"]))
    assert (told["code"], told["became"]["text"]) == ("precondition_failed", "Likes white tea")
    assert told["change"]["origin"] == "tool"
    assert [entry.text for entry in memory.entries()] == ["Likes white tea"]
    memory.forget("Likes white tea")
    told = api.ask("DELETE", path, status=412, if_match=quoted(entry["id"]))
    assert told["became"] is None
    assert api.ask("DELETE", "/memory/entries/0000000000000000", status=404, if_match='"0000000000000000"')


def test_of_two_entries_that_are_alike_just_the_one_that_is_meant_goes(api: Api, folder: Path) -> None:
    api.save(TEA)
    text = api.get("/memory/text")
    api.ask("PUT", "/memory/text", {"text": f"{text['text']}- Other\n- {TEA}\n"}, if_match=quoted(text["etag"]))
    first, _, second = api.get("/memory/entries")["items"]
    assert first["id"] != second["id"]
    api.ask("DELETE", f"/memory/entries/{second['id']}", if_match=quoted(second["id"]))
    assert (folder / "MEMORY.md").read_text(encoding="utf-8").endswith(f"- {TEA}\n- Other\n")


@pytest.mark.req("API-1", "BOOK-3")
def test_the_whole_text_is_replaced_only_over_what_was_read(api: Api, folder: Path) -> None:
    api.save(TEA)
    read = api.get("/memory/text")
    file = folder / "MEMORY.md"
    by_hand = file.read_text(encoding="utf-8").replace("# Long-term Memory\n", "# Long-term Memory\n\nMine.\n")
    file.write_text(by_hand, encoding="utf-8")
    wanted = read["text"].replace("green", "black")
    told = api.ask("PUT", "/memory/text", {"text": wanted}, status=412, if_match=quoted(read["etag"]))
    assert (told["current"]["text"], told["yours"]) == (by_hand, wanted)
    assert told["merged"] == by_hand.replace("green", "black")
    assert file.read_text(encoding="utf-8") == by_hand
    now = told["current"]["etag"]
    done = api.ask("PUT", "/memory/text", {"text": told["merged"]}, if_match=quoted(now))
    assert (done["result"], file.read_text(encoding="utf-8")) == ("written", told["merged"])
    assert api.get("/memory/text")["etag"] == done["etag"]


@pytest.mark.req("GATE-2")
def test_a_new_secret_in_the_whole_text_is_pointed_out_before_it_is_kept(api: Api, folder: Path) -> None:
    read = api.get("/memory/text")
    secret = "# Long-term Memory\n\n- The password: hunter2-Zebra-91\n"
    done = api.ask("PUT", "/memory/text", {"text": secret}, if_match=quoted(read["etag"]))
    assert (done["result"], done["verdict"]["rule"]) == ("refused", "secret")
    assert not (folder / "MEMORY.md").exists()
    done = api.ask("PUT", "/memory/text", {"text": secret, "insist": True}, if_match=quoted(read["etag"]))
    assert done["result"] == "written"


def test_bytes_that_are_no_text_survive_an_edit_of_other_lines(api: Api, folder: Path) -> None:
    api.save(TEA)
    file = folder / "MEMORY.md"
    file.write_bytes(file.read_bytes() + b"- caf\xe9 on the corner\n")
    read = api.get("/memory/text")
    changed = read["text"].replace("green", "black")
    api.ask("PUT", "/memory/text", {"text": changed}, if_match=quoted(read["etag"]))
    assert b"- caf\xe9 on the corner\n" in file.read_bytes()
    assert b"black" in file.read_bytes()


@pytest.mark.req("UI-2", "BOOK-6")
def test_an_entry_tells_where_it_came_from_down_to_the_message(api: Api, memory: Memory) -> None:
    said = memory.say("talk-1", "user", "Please remember that I play the cello in an orchestra.")
    [entry] = [entry for entry in api.get("/memory/entries")["items"] if "cello" in entry["text"]]
    found = api.get(f"/memory/entries/{entry['id']}/why")
    assert found["changes"][0]["session"] == "talk-1"
    assert said.done
    assert api.get("/memory/entries/0000000000000000", status=404)


def test_entries_are_listed_in_parts_and_by_words(api: Api, memory: Memory) -> None:
    for number in range(5):
        memory.remember(f"Fact number {number} about the harbour", origin=Origin.PERSON, insist=True)
    page = api.get("/memory/entries?limit=2")
    seen = [entry["text"] for entry in page["items"]]
    while page["next"] is not None:
        page = api.get(f"/memory/entries?limit=2&cursor={page['next']}")
        seen += [entry["text"] for entry in page["items"]]
    assert (len(seen), len(set(seen)), page["total"]) == (5, 5, 5)
    assert len(api.get("/memory/entries?q=NUMBER+3")["items"]) == 1
    assert api.get("/memory/entries?cursor=!!", status=422)["code"] == "validation_error"


def test_what_a_client_has_already_is_not_sent_again(api: Api) -> None:
    api.save(TEA)
    version = api.get("/memory")["etag"]
    answer = api.client.get("/api/v1/memory", headers={"if-none-match": quoted(version)})
    assert (answer.status_code, answer.content) == (304, b"")


@pytest.mark.req("UI-2")
def test_the_memory_is_shown_as_it_was_on_a_day(api: Api) -> None:
    api.save(TEA)
    today = api.get("/")["today"]
    assert TEA in api.get(f"/memory/as-of?day={today}")["text"]
    before = api.get("/memory/as-of?day=2001-01-01")
    assert (before["change"], before["text"]) == (None, "")
