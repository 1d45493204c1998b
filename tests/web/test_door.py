"""Who is let in: S7 by name, one test for each promise."""

import re

import pytest
from starlette.testclient import TestClient

from commonplace.web.door import LARGEST_BODY, Keys
from tests.web.conftest import BASE, TOKEN, Api

MEMORY = "/api/v1/memory"


def let_in(client: TestClient, keys: Keys) -> TestClient:
    """The browser that opened a link."""
    assert client.get(f"/enter?key={keys.new_link()}").status_code == 200
    return client


@pytest.mark.req("S7")
def test_who_calls_the_server_by_another_name_is_turned_away(client: TestClient) -> None:
    for name in ("evil.example", "127.0.0.1.evil.example", "", "user@127.0.0.1"):
        answer = client.get(MEMORY, headers={"host": name})
        assert (answer.status_code, answer.json()["code"]) == (421, "misdirected")
    assert client.get(MEMORY, headers={"host": "localhost:7316"}).status_code == 200


@pytest.mark.req("S7")
def test_a_page_of_another_origin_is_turned_away_even_with_the_cookie(stranger: TestClient, keys: Keys) -> None:
    browser = let_in(stranger, keys)
    for origin in ("https://evil.example", "null", "http://127.0.0.1:3000", "http://localhost:7316"):
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
            answer = browser.request(method, MEMORY, headers={"origin": origin})
            assert (answer.status_code, answer.json()["code"]) == (403, "foreign_origin")
            assert "access-control-allow-origin" not in answer.headers
    for site in ("cross-site", "same-site"):
        assert browser.get(MEMORY, headers={"sec-fetch-site": site}).status_code == 403
        assert browser.get("/", headers={"sec-fetch-site": site, "sec-fetch-mode": "no-cors"}).status_code == 403
    assert browser.get(MEMORY, headers={"origin": BASE, "sec-fetch-site": "same-origin"}).status_code == 200


@pytest.mark.req("S7")
def test_without_a_token_nothing_is_answered(stranger: TestClient) -> None:
    for path in (MEMORY, "/api/openapi.json", "/api/docs", "/", "/inbox", "/api/v1/nowhere", "/app.js", "/enter"):
        for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": f"Basic {TOKEN}"}):
            answer = stranger.get(path, headers=headers)
            assert answer.status_code == 401
            assert answer.headers["www-authenticate"] == "Bearer"
    assert stranger.get(MEMORY, headers={"cookie": "commonplace_7316=6afd8fb6-44-00"}).status_code == 401
    assert stranger.get(MEMORY, headers={"cookie": "commonplace_7316="}).status_code == 401


@pytest.mark.req("S7")
def test_the_page_for_strangers_is_drawn_with_what_a_stranger_may_have(stranger: TestClient) -> None:
    page = stranger.get("/").text
    needed = set(re.findall(r'(?:src|href)="(/[^"]+)"', page))
    assert needed == {"/icon.svg", "/css/base.css", "/css/parts.css"}
    assert {stranger.get(path).status_code for path in needed} == {200}
    assert {stranger.get(path, headers={"host": "evil.example"}).status_code for path in needed} == {421}
    assert {stranger.post(path).status_code for path in needed} == {401}


@pytest.mark.req("S7")
def test_a_form_of_any_page_changes_nothing(client: TestClient, keys: Keys) -> None:
    planted = b'{"text": "planted by a form"}'
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"):
        answer = client.post(f"{MEMORY}/entries", content=planted, headers={"content-type": kind})
        assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")
    assert client.post(f"{MEMORY}/entries", content=planted).status_code == 415
    assert client.get(MEMORY).json()["entries"] == 0


@pytest.mark.req("S7")
def test_every_answer_forbids_scripts_that_are_not_ours(client: TestClient, stranger: TestClient) -> None:
    for path in (MEMORY, "/api/docs", "/", "/enter", "/api/v1/nowhere"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in headers
    docs = client.get("/api/docs").text
    assert "<script" not in docs
    assert "style=" not in docs


@pytest.mark.req("S7")
def test_a_body_that_is_too_large_is_not_taken(client: TestClient) -> None:
    headers = {"content-type": "application/json"}
    answer = client.post(f"{MEMORY}/entries", content=b"x" * (LARGEST_BODY + 1), headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


@pytest.mark.req("S7", "API-1")
def test_a_link_lets_one_browser_in_once_by_a_cookie_that_no_script_reads(stranger: TestClient, keys: Keys) -> None:
    link = f"/enter?key={keys.new_link()}"
    answer = stranger.get(link)
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert TOKEN not in cookie
    assert stranger.get(MEMORY).status_code == 200
    stranger.cookies.clear()
    assert stranger.get(link).status_code == 401
    assert stranger.get(MEMORY).status_code == 401


def test_a_cookie_outlives_a_restart_but_neither_its_month_nor_a_new_token() -> None:
    now = [1_800_000_000.0]
    keys = Keys(TOKEN, lambda: now[0])
    cookie = keys.redeem(keys.new_link()) or ""
    assert Keys(TOKEN, lambda: now[0]).fits(cookie)
    assert not Keys("another-token-of-tests", lambda: now[0]).fits(cookie)
    assert not keys.fits(cookie[:-1] + ("0" if cookie[-1] != "0" else "1"))
    now[0] += 31 * 86400
    assert not keys.fits(cookie)


def test_who_is_let_in_can_let_another_browser_in(api: Api) -> None:
    link = api.post("/links")["link"]
    assert link.startswith(f"{BASE}/enter?key=")
    api.client.headers.pop("authorization")
    assert api.client.get(link.removeprefix(BASE)).status_code == 200
    assert api.client.get(MEMORY).status_code == 200
