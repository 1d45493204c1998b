"""What a framework keeps by namespace and key."""

import json
import os
import signal
import subprocess
import sys

import pytest

from commonplace.errors import ValidationError
from commonplace.flows.records import FILE
from commonplace.memory import Memory
from tests.stores import Place

HOME, WORK = ((("memories", "ines"), "home"), (("memories", "ines"), "work"))


@pytest.fixture
def memory(place: Place) -> Memory:
    return Memory.open(place)


def values(memory: Memory) -> dict[str, object]:
    return {key: record.value for (_, key), record in memory.records.all().items()}


@pytest.mark.req("ADP-1")
def test_the_newest_value_counts_and_another_process_sees_it_at_once(memory: Memory) -> None:
    other = Memory.open(memory.address)
    memory.records.put([(HOME, {"city": "Porto"}, {}), (WORK, {"as": "luthier"}, {"index": ["as"]})])
    assert values(other) == {"home": {"city": "Porto"}, "work": {"as": "luthier"}}
    before = other.records.all()[HOME]
    other.records.put([(HOME, {"city": "Lisbon"}, {}), (WORK, None, {})])
    assert values(memory) == {"home": {"city": "Lisbon"}}
    after = memory.records.all()[HOME]
    assert (after.created, after.updated >= before.updated) == (before.created, True)


@pytest.mark.req("ADP-1", "GATE-2")
@pytest.mark.parametrize(
    "value", [{"note": "token ghp_16C7e42F292c6912E7710c838347Ae178B4a"}, {"bad": object()}, {"bad": float("nan")}]
)
def test_a_secret_or_what_is_no_json_is_refused_with_all_that_came_with_it(
    memory: Memory, value: dict[str, object]
) -> None:
    with pytest.raises(ValidationError):
        memory.records.put([(HOME, {"city": "Porto"}, {}), (WORK, value, {})])
    assert values(memory) == {}


@pytest.mark.req("ADP-1", "S9")
def test_a_text_that_is_forgotten_everywhere_is_gone_from_the_records(memory: Memory) -> None:
    memory.records.put([(HOME, {"city": 'Porto with "quotes"'}, {}), (WORK, {"as": "luthier"}, {})])
    assert memory.erase('Porto with "quotes"', dry_run=False).left == ()
    assert b"Porto" not in (memory.book.storage.read(FILE).data or b"")
    assert values(memory)["work"] == {"as": "luthier"}


@pytest.mark.folder
@pytest.mark.req("ADP-1", "R1")
def test_a_line_that_was_torn_says_nothing_and_swallows_nothing(memory: Memory) -> None:
    memory.records.put([(HOME, {"city": "Porto"}, {})])
    with (memory.path / FILE).open("ab") as file:
        file.write(b'{"namespace": ["memo')
    assert values(memory) == {"home": {"city": "Porto"}}
    memory.records.put([(WORK, {"as": "luthier"}, {})])
    assert values(Memory.open(memory.address)) == {"home": {"city": "Porto"}, "work": {"as": "luthier"}}


@pytest.mark.folder
@pytest.mark.req("ADP-1", "R1")
def test_what_is_written_together_is_there_or_not_wherever_it_was_cut_off(memory: Memory) -> None:
    memory.records.put([(HOME, {"city": "Porto"}, {}), (WORK, {"as": "luthier"}, {})])
    written = (memory.path / FILE).read_bytes()
    for length in range(len(written)):
        (memory.path / FILE).write_bytes(written[:length])
        assert values(Memory.open(memory.path)) == {}
    (memory.path / FILE).write_bytes(written)
    assert values(Memory.open(memory.path)) == {"home": {"city": "Porto"}, "work": {"as": "luthier"}}


@pytest.mark.processes
@pytest.mark.req("ADP-1", "R1")
def test_what_was_acknowledged_survives_a_kill(memory: Memory) -> None:
    program = (
        "import sys\nfrom commonplace import Memory\nmemory = Memory.open(sys.argv[1])\nfor n in range(10**6):\n"
        " memory.records.put([((('n',), str(n)), {'n': n}, {})])\n print(n, flush=True)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, memory.address], stdout=subprocess.PIPE, text=True, env={**os.environ}
    ) as writer:
        assert writer.stdout is not None
        told = [int(writer.stdout.readline()) for _ in range(8)]
        writer.send_signal(signal.SIGKILL)
        told += [int(line) for line in writer.stdout if line.endswith("\n")]
    kept = values(memory)
    assert [n for n in told if str(n) not in kept] == []
    assert all(json.loads(line) for line in (memory.book.storage.read(FILE).data or b"").split(b"\n")[:-1])
