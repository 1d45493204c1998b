"""A small round of what `make stress` does with a team: tenants never meet, and servers are killed in the middle."""

import pytest

from tests.stores import prepared
from tests.stress.servers import kill_servers
from tests.stress.visitors import team_server, visit

pytestmark = pytest.mark.stress


@pytest.mark.req("S8", "NS-1", "TEAM-1")
@pytest.mark.parametrize("unscoped", [False, True], ids=["as it is", "without its scope"])
def test_whoever_asks_is_told_what_their_role_says_and_nothing_of_another_tenant(unscoped: bool) -> None:
    database = prepared().address("app", "books")
    with team_server(database) as server:
        assert visit(server, database, unscoped=unscoped, operations=160) >= 40


@pytest.mark.req("R1", "R2", "TEAM-1")
def test_servers_that_are_killed_lose_nothing_they_answered_and_a_retry_doubles_nothing() -> None:
    report = kill_servers(prepared().address("app", "books"), rounds=2, seed=1)
    assert report.problems == []
    assert report.killed == 2
    assert report.acknowledged > 0
