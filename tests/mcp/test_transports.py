"""The server as a process: on standard input and output, and over HTTP behind its door."""

import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any, cast

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from commonplace.app import App
from commonplace.loopback import is_loopback
from commonplace.mcp.http import LARGEST_BODY, http_app
from commonplace.mcp.serving import BookServer
from commonplace.memory import Memory
from tests.cli.conftest import Cli, started
from tests.mcp.processes import Served, serving

FACT = "Prefers answers in short sentences"
TOKEN = "a-token-for-these-tests"
Message = dict[str, Any]


def legacy(*requests: Message) -> str:
    """What a client of the handshake era writes, as lines."""
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "codex", "version": "1"}}
    first: Message = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": client}
    ready: Message = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    return "".join(f"{json.dumps(message)}\n" for message in (first, ready, *requests))


# -- standard input and output -----------------------------------------------------------------------------------------

# Tells at the end what was loaded, on the stream that is not the protocol's.
TELLING = """
import atexit, sys
atexit.register(lambda: print(*sys.modules, file=sys.stderr))
from commonplace.cli.root import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.req("MCP-1")
def test_the_tools_are_listed_before_anything_that_search_needs_is_loaded(home: Path, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", TELLING, "mcp", "--book", str(tmp_path / "book")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(legacy({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}))
    process.stdin.flush()
    answers = [cast(Message, json.loads(process.stdout.readline())) for _ in range(2)]
    assert [answer["id"] for answer in answers] == [0, 1]
    assert len(answers[1]["result"]["tools"]) == 7
    rest, loaded = process.communicate(timeout=60)  # its input closes, and so it ends
    assert (process.returncode, rest) == (0, "")
    heavy = (
        "numpy",
        "onnxruntime",
        "dulwich",
        "anthropic",
        "openai",
        "commonplace.flows.hybridsearch",
        "commonplace.flows.indexing",
        "commonplace.flows.remembering",
    )
    assert [name for name in heavy if name in loaded.split()] == []
    assert not (tmp_path / "book").exists()


@pytest.mark.req("MCP-1", "R2")
def test_several_clients_write_to_one_book_at_the_same_time(home: Path, tmp_path: Path) -> None:
    words = ["-m", "commonplace", "mcp", "--book", str(tmp_path / "book")]
    parameters = StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))

    facts = [
        ["Plays the violin", "Is allergic to nuts", "Works as a nurse in Graz"],
        ["Has a dog called Rex", "Prefers dark mode in all apps", "Grew up in Linz"],
    ]

    async def save(texts: list[str]) -> None:
        async with Client(stdio_client(parameters)) as client:
            for text in texts:
                result = await client.call_tool("save_memory", {"content": text})
                assert not result.is_error, result

    async def all_at_once() -> None:
        with anyio.fail_after(200):
            async with anyio.create_task_group() as tasks:
                for texts in facts:
                    tasks.start_soon(save, texts)

    anyio.run(all_at_once)
    kept = sorted(entry.text for entry in Memory.open(tmp_path / "book").entries())
    assert kept == sorted(text for texts in facts for text in texts)


@pytest.mark.req("MCP-1")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_while_its_input_is_open(home: Path, tmp_path: Path, how: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "commonplace", "mcp", "--book", str(tmp_path / "book")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(legacy())
    process.stdin.flush()
    assert process.stdout.readline()
    process.send_signal(how)
    assert process.wait(timeout=30) == -how
    process.stdin.close()
    process.stdout.close()


def test_a_package_that_is_missing_is_told_with_how_to_install_it(home: Path) -> None:
    program = "import sys; sys.modules['mcp'] = None; from commonplace.cli.root import run; sys.exit(run(['mcp']))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (7, "")
    assert "The package mcp is missing" in done.stderr
    assert "Install it: " in done.stderr


@pytest.mark.req("MCP-1", "NS-1")
def test_a_place_that_is_not_there_is_told_and_nothing_is_served(home: Path, tmp_path: Path) -> None:
    done = started("mcp", "--book", str(tmp_path / "not/there"))
    assert (done.returncode, done.stdout) == (7, "")
    assert "There is no folder" in done.stderr
    assert not (tmp_path / "not").exists()


def test_a_current_folder_that_is_gone_is_told(home: Path, tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    command = f'rmdir ../gone && "{sys.executable}" -m commonplace mcp --book ./x'
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path / "gone", capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert "current folder does not exist" in done.stderr


@pytest.mark.req("MCP-1", "NS-1")
def test_a_book_that_is_missing_is_told_at_the_start(cli: Cli, home: Path, tmp_path: Path) -> None:
    cli("remember", FACT, "--book", str(tmp_path / "book"))
    (tmp_path / "book").rename(tmp_path / "elsewhere")
    ran = cli("mcp", "--book", str(tmp_path / "book"))
    assert ran.status == 7
    assert "is not there" in ran.err


# -- over HTTP ---------------------------------------------------------------------------------------------------------


def asked(tmp_path: Path, token: str | None = TOKEN, **options: Any) -> httpx2.Response:
    """One request to the whole application."""
    headers = {"host": "127.0.0.1:7315", "accept": "application/json, text/event-stream"}
    headers |= {"content-type": "application/json", **options.pop("headers", {})}
    headers |= {"authorization": f"Bearer {token}"} if token else {}
    body = options.pop("body", legacy().partition("\n")[0])

    async def request() -> httpx2.Response:
        server = BookServer(App(book=str(tmp_path / "book")))
        app = http_app(server, token=TOKEN, hosts=("book.example",))
        transport = httpx2.ASGITransport(app=cast(Any, app))
        async with server.session_manager.run(), httpx2.AsyncClient(transport=transport) as client:
            with anyio.fail_after(60):
                address = f"http://127.0.0.1:7315{options.pop('path', '/mcp')}"
                return await client.request(options.pop("method", "POST"), address, content=body, headers=headers)

    return anyio.run(request)


@pytest.mark.req("MCP-1")
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"host": "localhost:9"},
        {"host": "[::1]:7315"},
        {"host": "BOOK.example"},
        {"origin": "http://localhost:3000"},
        {"origin": "http://127.0.0.1"},
    ],
)
def test_who_comes_by_the_right_name_with_the_token_is_answered(tmp_path: Path, headers: dict[str, str]) -> None:
    answer = asked(tmp_path, headers=headers)
    assert answer.status_code == 200
    assert "serverInfo" in answer.text


@pytest.mark.req("MCP-1")
@pytest.mark.parametrize("path", ["/mcp", "/", "/elsewhere"])
@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "evil.example:7315", "localhost@evil.example", "", "127.0.0.1:x"]
)
def test_who_calls_by_another_name_is_turned_away(tmp_path: Path, host: str, path: str) -> None:
    assert asked(tmp_path, headers={"host": host}, path=path).status_code == 421


@pytest.mark.req("MCP-1")
@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost.evil.example", "http://evil.example:7315", "file://"]
)
def test_a_page_of_another_origin_is_turned_away(tmp_path: Path, origin: str) -> None:
    assert asked(tmp_path, headers={"origin": origin}).status_code == 403


@pytest.mark.req("MCP-1")
@pytest.mark.parametrize("token", [None, "", "wrong", TOKEN + "x", TOKEN[:-1], "tökén"])
@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
def test_without_the_token_nothing_is_answered(tmp_path: Path, token: str | None, method: str) -> None:
    header = {} if token is None else {"authorization": f"Bearer {token}".encode()}
    answer = asked(tmp_path, None, headers=header, method=method)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.req("MCP-1")
def test_a_body_that_is_too_large_or_no_json_is_turned_away(tmp_path: Path) -> None:
    assert asked(tmp_path, body="x" * (LARGEST_BODY + 1)).status_code == 413
    assert asked(tmp_path, headers={"content-type": "text/plain"}).status_code == 400
    assert asked(tmp_path, headers={"content-type": "application/x-www-form-urlencoded"}).status_code == 400
    assert asked(tmp_path, body="{").status_code == 400


def test_which_addresses_are_reached_from_this_machine_alone() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.8.8.8", "::1", "localhost")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.168.1.2", "book.example", "")))


@pytest.fixture
def http_words(tmp_path: Path) -> tuple[str, ...]:
    return "-m", "commonplace", "mcp", "--book", str(tmp_path / "book"), "--http", "--port", "0"


def connected(served: Served, token: str, work: Any, era: str) -> None:
    async def run() -> None:
        headers = {"Authorization": f"Bearer {token}"}
        with anyio.fail_after(120):
            async with (
                httpx2.AsyncClient(headers=headers, timeout=60) as http,
                Client(streamable_http_client(served.address, http_client=http), mode=cast(Any, era)) as client,
            ):
                await work(client)

    anyio.run(run)


@pytest.mark.req("MCP-1")
def test_a_token_is_made_once_shown_once_and_kept_for_its_owner(home: Path, http_words: tuple[str, ...]) -> None:
    file = App().data_folder / "mcp-token"
    with serving(*http_words, stream="stderr") as served:
        token = file.read_text().strip()
        assert token in served.lines
        assert len(token) >= 43
        assert file.stat().st_mode & 0o777 == 0o600

        async def save(client: Client) -> None:
            assert not (await client.call_tool("save_memory", {"content": FACT})).is_error

        connected(served, token, save, "auto")

        async def save_again(client: Client) -> None:
            assert (await client.call_tool("save_memory", {"content": FACT})).is_error

        connected(served, token, save_again, "legacy")
        assert served.end() == -signal.SIGTERM
    with serving(*http_words, stream="stderr") as served:
        assert token not in "".join(served.lines)
        assert str(file) in "".join(served.lines)


@pytest.mark.req("MCP-1")
def test_it_ends_although_a_client_is_listening(home: Path, http_words: tuple[str, ...]) -> None:
    with serving(*http_words, "--token", TOKEN, stream="stderr") as served:

        async def end(client: Client) -> None:
            async with client.listen(resources_list_changed=True):
                assert served.end() == -signal.SIGTERM

        connected(served, TOKEN, end, "auto")


@pytest.mark.req("MCP-1")
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7"])
def test_no_other_machine_is_let_in_without_a_token_of_the_user(cli: Cli, home: Path, host: str) -> None:
    ran = cli("mcp", "--http", "--host", host)
    assert ran.status == 2
    assert "other machines" in ran.err
    assert "--token" in ran.err
    assert not (App().data_folder / "mcp-token").exists()


def test_a_token_that_can_be_guessed_is_refused(cli: Cli, home: Path) -> None:
    assert "at least 16" in cli("mcp", "--http", "--token", "secret").err


def test_a_token_in_the_environment_is_no_setting_and_is_never_shown(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMMONPLACE_MCP_TOKEN", TOKEN)
    ran = cli("config", "--json")
    assert ran.status == 0
    assert TOKEN not in ran.out
    known = App().token("mcp")
    assert known is not None
    assert (known.value, known.file) == (TOKEN, None)


def test_a_port_that_is_taken_is_told(cli: Cli, home: Path) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = cli("mcp", "--http", "--port", str(taken.getsockname()[1]))
    assert ran.status == 7
    assert "Cannot listen" in ran.err
