"""What is told of a server while it runs: counts for Prometheus, one line of JSON for each request, and a trace where
OpenTelemetry is set up. None of it holds text of a memory, a name of an entry or session, or what was searched for:
routes stand there as their patterns.
"""

from __future__ import annotations

import json
import logging
import threading
from collections import defaultdict
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from opentelemetry import propagate, trace

from commonplace import __version__

if TYPE_CHECKING:
    from opentelemetry.trace import Span

_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
log = logging.getLogger("commonplace.team")


class Metrics:
    """Counts of one server, as Prometheus reads them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests: defaultdict[tuple[str, str, int], int] = defaultdict(int)
        self._seconds: defaultdict[str, list[float]] = defaultdict(lambda: [0.0] * (len(_BOUNDS) + 2))
        self._refused: defaultdict[str, int] = defaultdict(int)
        self._under_way = 0

    @contextmanager
    def under_way(self) -> Generator[None]:
        with self._lock:
            self._under_way += 1
        try:
            yield
        finally:
            with self._lock:
                self._under_way -= 1

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        with self._lock:
            self._requests[method, route, status] += 1
            counted = self._seconds[route]
            for at, bound in enumerate(_BOUNDS):
                counted[at] += seconds <= bound
            counted[-2] += 1
            counted[-1] += seconds

    def refused(self, code: str) -> None:
        with self._lock:
            self._refused[code] += 1

    def text(self, **now: float) -> str:
        """All of it; `now` are values of this moment, by their names."""
        lines = ["# TYPE commonplace_build_info gauge", f"commonplace_build_info{_labels(version=__version__)} 1"]
        with self._lock:
            gauges = {"requests_under_way": self._under_way, **now}
            for name, value in gauges.items():
                lines += [f"# TYPE commonplace_{name} gauge", f"commonplace_{name} {value:g}"]
            lines.append("# TYPE commonplace_requests_total counter")
            for (method, route, status), count in sorted(self._requests.items()):
                labels = _labels(method=method, route=route, status=str(status))
                lines.append(f"commonplace_requests_total{labels} {count}")
            lines.append("# TYPE commonplace_refusals_total counter")
            lines += [
                f"commonplace_refusals_total{_labels(code=code)} {n}" for code, n in sorted(self._refused.items())
            ]
            lines.append("# TYPE commonplace_request_seconds histogram")
            for route, counted in sorted(self._seconds.items()):
                bounds = (*map(str, _BOUNDS), "+Inf")
                for bound, count in zip(bounds, counted, strict=False):
                    lines.append(f"commonplace_request_seconds_bucket{_labels(route=route, le=bound)} {count:g}")
                lines.append(f"commonplace_request_seconds_sum{_labels(route=route)} {counted[-1]:g}")
                lines.append(f"commonplace_request_seconds_count{_labels(route=route)} {counted[-2]:g}")
        return "\n".join(lines) + "\n"


def _labels(**labels: str) -> str:
    written = (f'{name}="{_escaped(value)}"' for name, value in labels.items())
    return f"{{{','.join(written)}}}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


class JsonLines(logging.Formatter):
    """A record as one line of JSON. What is told beside the message is in `facts`."""

    def format(self, record: logging.LogRecord) -> str:
        facts: Mapping[str, object] = getattr(record, "facts", {})
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        told = {"at": at, "level": record.levelname.lower(), "event": record.getMessage(), **facts}
        if record.exc_info and record.exc_info[0] is not None:  # its words may quote what was stored
            told["error"] = record.exc_info[0].__name__
        return json.dumps(told, ensure_ascii=False)


def log_in_json() -> None:
    """Let everything that is logged in this process come out as lines of JSON on standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for name in ("mcp", "uvicorn", "httpx"):  # they tell of each request, some with what it brought
        logging.getLogger(name).setLevel(logging.WARNING)


@contextmanager
def traced(headers: Mapping[str, str]) -> Generator[Span]:
    """A span around a request, within the trace that its sender began. Where no exporter is set up, it costs and does
    nothing."""
    context = propagate.extract({name: headers[name] for name in ("traceparent", "tracestate") if name in headers})
    with trace.get_tracer("commonplace", __version__).start_as_current_span(
        "request", context=context, kind=trace.SpanKind.SERVER, record_exception=False, set_status_on_exception=False
    ) as span:
        yield span
