"""A small round of what `make stress` does to books in a database at full length."""

import uuid

import pytest

from tests.stores import new_database, own_server, prepared
from tests.stress.database import Stood, contend, cut_commits, kill_clients, kill_database, kill_workers
from tests.stress.tenancy import keep_apart, sees_across

pytestmark = pytest.mark.stress


def new_book() -> str:
    return prepared().address("app", "books", "stress", f"b{uuid.uuid4().hex}")


def stood(report: Stood) -> bool:
    assert report.confirmed > 0, report
    return report.good


@pytest.mark.req("R1", "TEAM-1")
def test_a_killed_client_loses_nothing_it_was_told() -> None:
    assert stood(kill_clients(new_book(), 5))


@pytest.mark.req("R2", "TEAM-1")
def test_processes_that_write_to_one_book_at_once_lose_nothing() -> None:
    assert stood(contend(new_book(), 4, 6))


@pytest.mark.req("R4", "TEAM-1")
def test_a_killed_worker_leaves_its_work_to_the_next_and_every_message_is_logged_once() -> None:
    assert stood(kill_workers(new_database(), 5))


@pytest.mark.req("R1", "TEAM-1")
def test_a_killed_database_has_everything_it_had_confirmed() -> None:
    with own_server(fsync="on") as server:
        assert stood(kill_database(server, server.address("app", "books", "stress", "book"), 2))


@pytest.mark.req("R2", "TEAM-1")
def test_a_connection_that_is_lost_in_a_commit_neither_loses_nor_doubles_the_write() -> None:
    report = cut_commits(prepared(), new_book(), 24)
    assert stood(report)
    assert report.rounds > 0


@pytest.mark.req("S8", "NS-1", "TEAM-1")
@pytest.mark.parametrize("unscoped", [False, True], ids=["scoped", "without the scope of the queries"])
@pytest.mark.parametrize("user", ["app", "owner"])
def test_tenants_are_apart_whatever_they_do(user: str, unscoped: bool) -> None:
    keep_apart(prepared(), user, unscoped=unscoped, operations=120)


@pytest.mark.req("S8")
def test_without_both_walls_the_same_look_sees_across() -> None:
    """The control: a user whom row-level security does not bind, and no scope."""
    assert sees_across(prepared(), "postgres")
    assert not sees_across(prepared(), "app")
