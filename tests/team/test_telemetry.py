"""What is told of a server while it runs holds no word of any memory."""

import json
import logging
from collections.abc import Callable, Generator

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from starlette.testclient import TestClient

from commonplace.team.allowance import Allowance
from commonplace.team.telemetry import JsonLines, Metrics
from tests.team.conftest import Team
from tests.web.conftest import Api

Asking = Callable[..., Api]
SAID = "Keeps the xylophone in the attic"


@pytest.fixture
def spans() -> Generator[InMemorySpanExporter]:
    """What is traced; the provider of a process can be set once."""
    exporter = InMemorySpanExporter()
    provider = trace.get_tracer_provider()
    if not isinstance(provider, TracerProvider):
        provider = TracerProvider()
        trace.set_tracer_provider(provider)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    yield exporter
    exporter.shutdown()


@pytest.mark.req("TEAM-1")
def test_logs_traces_and_metrics_hold_no_word_of_a_memory(
    server: TestClient,
    person: Asking,
    team: Team,
    spans: InMemorySpanExporter,
    caplog: pytest.LogCaptureFixture,
) -> None:
    team.book("notes")
    olga = person("olga")
    parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    with caplog.at_level(logging.INFO):
        body = {"text": SAID, "insist": True, "reason": "asked about the xylophone"}
        made = olga.post("/books/notes/memory/entries", body, status=201, traceparent=parent)
        olga.get("/books/notes/search?q=xylophone")
        olga.get("/books/notes/sessions/xylophone", status=404)
        olga.get("/books/notes/days/2026-13-xylophone", status=422)
        olga.post("/books/notes/memory/entries", {"xylophone": 1}, status=422)
        olga.client.post("/mcp/notes", json={"jsonrpc": "2.0", "id": 1, "method": "xylophone"})
        server.get("/api/v1/xylophone", headers={"authorization": "Bearer xylophone"})
    formatter = JsonLines()
    lines = [formatter.format(record) for record in caplog.records if not record.name.startswith("httpx")]
    told = [json.loads(line) for line in lines if '"event": "request"' in line]
    assert [(one["method"], one["route"], one["status"]) for one in told[:2]] == [
        ("POST", "/memory/entries", 201),
        ("GET", "/search", 200),
    ]
    assert (told[0]["person"], told[0]["book"], told[0]["tenant"]) == ("olga", "notes", team.tenant)
    traced = [span.to_json() for span in spans.get_finished_spans()]
    ours = [span for span in spans.get_finished_spans() if span.kind is trace.SpanKind.SERVER]
    assert len(ours) == len(told) == 7
    first = ours[0]
    assert first.name == "POST /memory/entries"
    assert first.context is not None
    assert f"{first.context.trace_id:032x}" == parent.split("-")[1]
    metrics = server.get("/metrics", headers={"authorization": "Bearer counts"}).text
    for text in (*lines, *traced, metrics):
        assert "xylophone" not in text
        assert made["entry"]["id"] not in text


def test_a_failure_is_logged_by_its_kind_and_not_by_its_words() -> None:
    try:
        raise ValueError(SAID)
    except ValueError as error:
        record = logging.LogRecord("x", logging.ERROR, "x.py", 1, "it failed", (), (type(error), error, None))
    told = json.loads(JsonLines().format(record))
    assert (told["event"], told["error"], told["level"]) == ("it failed", "ValueError", "error")
    assert "xylophone" not in json.dumps(told)


def test_metrics_are_counted_in_buckets_that_contain_each_other() -> None:
    metrics = Metrics()
    for seconds in (0.001, 0.02, 0.02, 3, 60):
        metrics.answered("GET", '/a"b\\', 200, seconds)
    metrics.refused("401")
    lines = metrics.text(books_open=3).splitlines()
    route = 'route="/a\\"b\\\\"'
    counts = [line.rpartition(" ")[2] for line in lines if line.startswith("commonplace_request_seconds_bucket")]
    assert counts == ["1", "1", "3", "3", "3", "3", "3", "3", "3", "4", "4", "5"]
    assert f"commonplace_request_seconds_count{{{route}}} 5" in lines
    assert f"commonplace_request_seconds_sum{{{route}}} 63.041" in lines
    assert 'commonplace_refusals_total{code="401"} 1' in lines
    assert "commonplace_books_open 3" in lines


def test_an_allowance_refills_with_time_and_is_each_persons_own() -> None:
    now = [0.0]
    allowance = Allowance(60, lambda: now[0])
    assert [allowance.wait("t", "ada") for _ in range(60)] == [0.0] * 60
    assert allowance.wait("t", "ada") == pytest.approx(1.0)
    assert allowance.wait("other", "ada") == 0.0
    now[0] += 0.5
    assert allowance.wait("t", "ada") == pytest.approx(0.5)
    now[0] += 1.0
    assert allowance.wait("t", "ada") == 0.0
    assert Allowance(0).wait("t", "ada") == 0.0
