"""`db`: the work that waits in a database."""

import pytest

from commonplace.memory import Memory
from commonplace.stores.postgres import book_address, open_queue
from tests.cli.conftest import Cli
from tests.stores import new_database
from tests.test_queue import KEYWORDS, talk


@pytest.mark.req("CLI-1", "TEAM-1")
def test_the_work_is_listed_and_done_by_a_command(cli: Cli) -> None:
    database = new_database()
    open_queue(database).put(talk(database, "acme", "notes", "s1", range(2)))
    [waiting] = cli("db", "queue", database, "--json").json["waiting"]
    assert (waiting["tenant"], waiting["task"], waiting["subject"], waiting["state"]) == (
        "acme", "flush", "s1", "waiting",
    )  # fmt: skip
    assert cli("db", "work", database, "--once", "--json").json == {"result": "worked", "done": 1}
    memory = Memory.open(book_address(database, "acme", "notes"), settings=KEYWORDS)
    assert "Sentence number1" in memory.read_log(memory.log_days()[0])
    assert cli("db", "queue", database).out == "Nothing waits.\n"
