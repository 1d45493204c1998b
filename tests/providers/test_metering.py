"""Tokens counted per day over all processes, and the cap on them."""

import json
import logging
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from commonplace.errors import ModelFailed, StorageError, UsageCapReached
from commonplace.files.folder import FolderStorage
from commonplace.flows.modelcalls import complete
from commonplace.providers.chatmodels.metering import USAGE_FILE, DailyUsage, MeteredModel
from commonplace.testing import CutOff, Script, ScriptedChatModel, StoppedClock
from commonplace.types import ChatMessage, Reply, Usage

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
DAY = NOON.date()
HELLO = [ChatMessage("user", "Hello")]


def said(tokens: int) -> Reply:
    return Reply("ok", (), "end", Usage(tokens - 1, 1))


class Meter:
    """A scripted model with its meter."""

    def __init__(self, folder: Path, *script: Script, cap: int = 0) -> None:
        self.usage = DailyUsage(FolderStorage(folder))
        self.clock = StoppedClock(NOON)
        self.inner = ScriptedChatModel(list(script))
        self.model = MeteredModel(self.inner, self.usage, self.clock, cap)

    def ask(self) -> str:
        return complete(self.model, HELLO).text

    def total(self, day: date = DAY) -> int:
        return self.usage.on(day).total


def test_what_the_provider_counted_is_what_counts(tmp_path: Path) -> None:
    meter = Meter(tmp_path, said(100), said(50))
    meter.ask()
    meter.ask()
    assert meter.usage.on(DAY) == Usage(148, 2)
    assert DailyUsage(FolderStorage(tmp_path)).on(DAY) == Usage(148, 2)


def test_beyond_the_cap_nothing_is_asked_and_the_refusal_says_what_to_do(tmp_path: Path) -> None:
    meter = Meter(tmp_path, said(90), said(90), cap=100)
    meter.ask()
    meter.usage.add(DAY, Usage(5, 0))
    with pytest.raises(UsageCapReached) as caught:
        meter.ask()
    assert len(meter.inner.requests) == 1
    assert "95 of 100" in caught.value.message
    assert "model.daily_tokens" in caught.value.hint
    assert meter.total() == 95


def test_a_request_too_large_for_what_is_left_is_not_made(tmp_path: Path) -> None:
    meter = Meter(tmp_path, "never", cap=100)
    with pytest.raises(UsageCapReached):
        complete(meter.model, [ChatMessage("user", "word " * 200)])
    assert meter.total() == 0


def test_a_new_day_has_its_own_tokens(tmp_path: Path) -> None:
    meter = Meter(tmp_path, said(100), said(100), cap=100)
    meter.ask()
    with pytest.raises(UsageCapReached):
        meter.ask()
    meter.clock.move(timedelta(hours=12))
    meter.ask()
    assert (meter.total(), meter.total(DAY + timedelta(days=1))) == (100, 100)


def test_an_answer_over_midnight_counts_for_the_day_it_was_asked_on(tmp_path: Path) -> None:
    meter = Meter(tmp_path, said(100))
    events = meter.model.stream(HELLO)
    next(events)
    meter.clock.move(timedelta(days=1))
    list(events)
    assert meter.total() == 100


def test_a_request_is_counted_before_it_is_made(tmp_path: Path) -> None:
    """So a process that is killed has counted what it asked."""
    totals: list[int] = []
    meter = Meter(tmp_path, lambda _: totals.append(meter.total()) or "ok")
    meter.ask()
    assert totals[0] > 0


@pytest.mark.parametrize("end", [CutOff("one two three"), ModelFailed("no", retryable=False)])
def test_what_failed_counts_as_far_as_it_came(tmp_path: Path, end: CutOff | ModelFailed) -> None:
    meter = Meter(tmp_path, end)
    with pytest.raises(ModelFailed):
        meter.ask()
    used = meter.usage.on(DAY)
    assert used.input_tokens > 0
    assert (used.output_tokens > 0) == isinstance(end, CutOff)


def test_a_cancelled_answer_counts_as_far_as_it_came_and_is_cancelled_below(tmp_path: Path) -> None:
    meter = Meter(tmp_path, "one two three")
    events = meter.model.stream(HELLO)
    next(events)
    events.close()
    assert meter.inner.cancelled == 1
    assert 0 < meter.usage.on(DAY).output_tokens <= 3


def test_only_the_last_month_is_kept(tmp_path: Path) -> None:
    usage = DailyUsage(FolderStorage(tmp_path))
    for days in range(40):
        usage.add(DAY + timedelta(days=days), Usage(1, 0))
    days = json.loads((tmp_path / USAGE_FILE).read_bytes())["days"]
    assert len(days) == 31
    assert min(days) == (DAY + timedelta(days=9)).isoformat()


def test_a_damaged_count_stops_a_capped_model_and_not_one_without_a_cap(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / USAGE_FILE).write_text('{"days": 3}')
    with pytest.raises(StorageError):
        DailyUsage(FolderStorage(tmp_path)).on(DAY)
    capped = Meter(tmp_path, "never", cap=1000)
    with pytest.raises(ModelFailed, match="cannot be counted") as caught:
        capped.ask()
    assert caught.value.retryable
    assert capped.inner.requests == []
    with caplog.at_level(logging.WARNING):
        assert Meter(tmp_path, "Here").ask() == "Here"
    assert "cannot be counted" in caplog.text


def test_processes_share_one_count_and_one_cap(tmp_path: Path) -> None:
    code = (
        "import sys; from datetime import date; from pathlib import Path\n"
        "from commonplace.errors import UsageCapReached\n"
        "from commonplace.files.folder import FolderStorage\n"
        "from commonplace.providers.chatmodels.metering import DailyUsage\n"
        "from commonplace.types import Usage\n"
        "usage = DailyUsage(FolderStorage(Path(sys.argv[1]))); allowed = 0\n"
        "for _ in range(30):\n"
        "    try: usage.add(date(2026, 11, 15), Usage(7, 3), cap=1000); allowed += 1\n"
        "    except UsageCapReached: pass\n"
        "print(allowed)\n"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    allowed = [int(process.communicate()[0]) for process in started]
    assert sum(allowed) == 100
    assert DailyUsage(FolderStorage(tmp_path)).on(DAY) == Usage(700, 300)
