"""Books in a real Postgres: who may see what, what becomes of a lost connection, and how the tables come about."""

import subprocess
import sys
import threading
import uuid
from contextlib import suppress

import psycopg
import pytest

from commonplace.errors import CommonplaceError, ConfigError, StorageError, ValidationError
from commonplace.memory import Memory
from commonplace.stores import open_storage
from commonplace.stores.postgres import book_address, migrate_database, open_queue, parsed, tableindex
from commonplace.stores.postgres.queueing import FLUSH, Work
from commonplace.stores.postgres.schema import NEWEST, TABLES, TENANT
from commonplace.stores.postgres.storage import PostgresStorage
from commonplace.stores.postgres.teamtables import SHORTEST_TRAIL
from commonplace.stores.postgres.teamtables import TABLES as TEAM_TABLES
from commonplace.testing import HashingEmbedder
from commonplace.types import ABSENT, Saved
from tests.stores import new_database, prepared


def new_address(tenant: str = "tests") -> str:
    return prepared().address("app", "books", tenant, f"b{uuid.uuid4().hex}")


def opened(address: str) -> PostgresStorage:
    storage = open_storage(address, 10.0)
    assert isinstance(storage, PostgresStorage)
    return storage


def end_connections() -> None:
    """As a fail-over does: every client loses its connection at once."""
    prepared().run(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
        "WHERE datname = 'books' AND pid <> pg_backend_pid()"
    )


# -- addresses and tables ----------------------------------------------------------------------------------------------


@pytest.mark.req("NS-1")
@pytest.mark.parametrize(
    "word",
    ["postgres://host", "postgres://host/db", "postgres://host/db/", "postgres://host/db/a/b/c", "postgres://h/db/a b"],
)
def test_an_address_without_a_book_is_an_error_and_never_all_of_them(word: str) -> None:
    with pytest.raises(ValidationError):
        Memory.open(word)


@pytest.mark.req("S1")
def test_no_address_has_a_password_in_it() -> None:
    with pytest.raises(ConfigError) as told:
        Memory.open("postgres://me:hunter2@host/db/book")
    assert "hunter2" not in f"{told.value.message}{told.value.hint}"


def test_an_address_says_where_and_whose() -> None:
    found = parsed("postgres://me@db.example:5433/team/acme/notes?sslmode=require")
    assert (found.tenant, found.book) == ("acme", "notes")
    assert dict(found.database) == {
        "dbname": "team", "host": "db.example", "port": "5433", "user": "me", "sslmode": "require",
    }  # fmt: skip
    assert parsed("postgres:///team/notes").tenant == "own"


@pytest.mark.req("TEAM-1")
def test_tables_are_made_by_a_command_and_never_by_surprise() -> None:
    server, name = prepared(), f"d{uuid.uuid4().hex}"
    server.run(f"CREATE DATABASE {name} OWNER owner")
    memory = Memory.open(server.address("owner", name, "notes"))
    for use in (lambda: memory.read(), lambda: memory.remember("Plays the viola"), lambda: memory.create()):
        with pytest.raises(CommonplaceError) as told:
            use()
        assert "commonplace db migrate" in told.value.hint
    assert migrate_database(server.address("owner", name)) == (0, NEWEST)
    assert migrate_database(server.address("owner", name)) == (NEWEST, NEWEST)
    assert isinstance(memory.remember("Plays the viola"), Saved)
    with pytest.raises(StorageError):
        migrate_database(server.address("app", "postgres"))


def test_a_database_that_is_not_there_is_told_as_that() -> None:
    with pytest.raises(StorageError) as told:
        migrate_database("postgres:///books?host=/nowhere")
    assert "cannot be reached" in told.value.message


# -- a connection that is lost -----------------------------------------------------------------------------------------


@pytest.mark.req("R1", "R2", "TEAM-1")
def test_a_change_goes_on_over_a_lost_connection_neither_lost_nor_doubled() -> None:
    address = new_address()
    memory = Memory.open(address, embedder=HashingEmbedder())
    memory.remember("Was there before")
    over = threading.Event()

    def cut() -> None:
        while not over.wait(0.05):
            end_connections()

    cutting = threading.Thread(target=cut)
    cutting.start()
    saved, told = list[str](), list[str]()
    try:
        for number in range(12):
            try:
                memory.remember(f"The value of item {number} is {number * 37}", insist=True)
                saved.append(f"The value of item {number} is {number * 37}")
                memory.say("talk", "user", f"message {number}")
                told.append(f"message {number}")
            except StorageError:
                continue
    finally:
        over.set()
        cutting.join()
    texts = [entry.text for entry in memory.entries()]
    assert len(texts) == len(set(texts))
    assert set(saved) <= set(texts)
    said = [message.text for message in memory.transcript("talk").messages]
    assert len(said) == len(set(said))
    assert set(told) <= set(said)
    assert len(list(memory.changes())) == len(texts)
    assert memory.book.history.check() == []


@pytest.mark.req("R2", "TRIG-3")
def test_who_was_alone_and_lost_the_connection_writes_nothing_more() -> None:
    storage = opened(new_address())
    storage.write("a.md", b"one", expected=ABSENT)
    with storage.alone("flush", timeout=1):
        end_connections()
        with pytest.raises(StorageError):
            storage.write("b.md", b"two", expected=ABSENT)
        with pytest.raises(StorageError):
            storage.append("c.jsonl", b"three\n")
    storage.write("d.md", b"four", expected=ABSENT)
    assert list(storage.walk()) == ["a.md", "d.md"]


@pytest.mark.req("R2")
def test_the_lock_of_the_book_is_taken_again_after_a_lost_connection() -> None:
    storage, address = opened(address := new_address()), address
    with storage.lock():
        version = storage.write("a.md", b"one", expected=ABSENT)
        end_connections()
        storage.write("a.md", b"two", expected=version)
        with psycopg.connect(host=str(prepared().socket), user="app", dbname="books") as other:
            held = other.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted").fetchone()
    assert held is not None
    assert held[0] >= 1
    assert opened(address).read("a.md").data == b"two"


@pytest.mark.req("R1")
def test_what_a_killed_process_was_told_is_there(tmp_path_factory: pytest.TempPathFactory) -> None:
    address = new_address()
    Memory.open(address).remember("Was there before")
    program = (
        "import sys; from commonplace.memory import Memory; from commonplace.testing import HashingEmbedder\n"
        "memory = Memory.open(sys.argv[1], embedder=HashingEmbedder())\n"
        "for number in range(1000):\n"
        "    memory.log(f'item {number} of {sys.argv[2]}')\n"
        "    print(f'item {number} of {sys.argv[2]}', flush=True)\n"
    )
    told: list[str] = []
    for round in range(3):
        with subprocess.Popen([sys.executable, "-c", program, address, str(round)], stdout=subprocess.PIPE) as running:
            assert running.stdout is not None
            told += [running.stdout.readline().decode().strip() for _ in range(2 + round)]
            running.kill()
    memory = Memory.open(address)
    log = memory.read_log(memory.log_days()[0])
    assert [line for line in told if log.count(f"{line}\n") != 1] == []
    assert memory.book.history.check() == []
    memory.log("And on it goes")


# -- forgetting --------------------------------------------------------------------------------------------------------


@pytest.mark.req("BOOK-7", "S9", "TEAM-1")
def test_what_is_forgotten_everywhere_is_in_no_table_and_what_the_engine_keeps_is_told() -> None:
    """Looked for by the owner of everything, in every column of every table, and then in the files of the engine."""
    text, database = "Her blood type is zebra-negative", new_database()
    name = database.split("/")[3].partition("?")[0]
    memory = Memory.open(book_address(database, "acme", "notes"), embedder=HashingEmbedder())
    memory.remember("Plays the viola")
    memory.remember(text, session="talk", reason=f"since {text}")
    memory.say("talk", "user", f"You know: {text}.")
    memory.log(f"Told me: {text}.")
    memory.backup()
    memory.revise(text, f"{text}, she says")
    memory.search("blood")
    open_queue(database).put(Work("acme", "notes", FLUSH, "talk"))

    def rows_with(word: str) -> list[str]:
        with psycopg.connect(host=str(prepared().socket), user="postgres", dbname=name) as connection:
            tables = connection.execute(
                "SELECT oid::regclass::text FROM pg_class WHERE relkind IN ('r', 'm') "
                "AND relnamespace = 'commonplace'::regnamespace"
            ).fetchall()
            forms = [word, word.encode().hex(), word.encode("utf-16-le").hex()]
            return [
                str(table)
                for (table,) in tables
                for (row,) in connection.execute(f"SELECT t::text FROM {table} t".encode())  # noqa: S608 of its own list
                if any(form in row for form in forms)
            ]

    def files_with(word: str, folder: str) -> list[str]:
        found = (prepared().folder / "data" / folder).rglob("*")
        return [file.name for file in found if file.is_file() and word.encode() in file.read_bytes()]

    assert {table.rpartition("_")[0] for table in rows_with("zebra-negative")} == {
        "commonplace.document", "commonplace.object", "commonplace.piece",
    }  # fmt: skip
    done = memory.erase(text, dry_run=False)
    assert done.left == ()
    assert rows_with("zebra-negative") == []
    assert "VACUUM FULL" in done.residue
    assert "WAL" in done.residue
    assert [entry.text for entry in memory.entries()] == ["Plays the viola"]
    prepared().run("CHECKPOINT", database=name)
    assert files_with("zebra-negative", "base") != [], "else this test looks in the wrong place"
    assert files_with("zebra-negative", "pg_wal") != []
    prepared().run("VACUUM FULL", "CHECKPOINT", database=name)
    assert files_with("zebra-negative", "base") == []


# -- whose book it is --------------------------------------------------------------------------------------------------


def tenants_in(connection: psycopg.Connection, table: str) -> set[object]:
    """Whose rows a connection sees in a table, if it asks for all."""
    query = f"SELECT DISTINCT tenant FROM commonplace.{table}"  # noqa: S608 a name of ours
    return {row[0] for row in connection.execute(query.encode()).fetchall()}


@pytest.mark.req("S8", "NS-1", "TEAM-1")
def test_without_its_scope_a_query_still_sees_no_other_tenant(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second wall: the scope of every query is taken away, and only the row-level security is left."""
    monkeypatch.setattr(tableindex, "MOST_IN_ARRAYS", 0)  # every book is too large for arrays: each table has rows
    addresses = {tenant: new_address(f"{tenant}{uuid.uuid4().hex}") for tenant in ("a", "b", "c")}
    for tenant, address in addresses.items():
        memory = Memory.open(address)
        memory.remember(f"A secret of {tenant}, and of nobody else")
        memory.say("talk", "user", f"Something that {tenant} said")
        memory.reindex()
        open_queue(address).put(Work(parsed(address).tenant, "any", FLUSH, "talk"))
    with psycopg.connect(host=str(prepared().socket), user="app", dbname="books", autocommit=True) as connection:
        for table in TABLES:
            assert tenants_in(connection, table) == set()
        for address in addresses.values():
            tenant = parsed(address).tenant
            connection.execute("SELECT set_config(%s, %s, false)", [TENANT, tenant])
            for table in TABLES:
                assert tenants_in(connection, table) == {tenant}, table
            # and not through the parts of a table either
            for part in ("book_0", "document_3", "object_15", "chunk_7", "posting_11"):
                with suppress(psycopg.errors.InsufficientPrivilege):
                    assert tenants_in(connection, part) <= {tenant}
            other = parsed(addresses["a" if tenant[0] != "a" else "b"]).tenant
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute("INSERT INTO commonplace.book (tenant, book) VALUES (%s, 'mine')", [other])
            assert connection.execute("DELETE FROM commonplace.document WHERE tenant = %s", [other]).rowcount == 0


@pytest.mark.req("S8", "TEAM-1")
def test_the_trail_of_a_team_is_written_and_read_and_never_changed() -> None:
    tenant = f"t{uuid.uuid4().hex}"
    row = "INSERT INTO commonplace.team_trail (tenant, person, token, book, operation, status, at) VALUES (%s, 'ada', 't', 'b', 'GET', 200, now() - %s * interval '1 day')"  # noqa: E501
    with psycopg.connect(host=str(prepared().socket), user="app", dbname="books", autocommit=True) as connection:
        connection.execute("SELECT set_config(%s, %s, false)", [TENANT, tenant])
        for age in (0, SHORTEST_TRAIL - 1, SHORTEST_TRAIL + 1):
            connection.execute(row, [tenant, age])
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("UPDATE commonplace.team_trail SET person = 'nobody'")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(row, ["somebody else", 0])
        assert connection.execute("DELETE FROM commonplace.team_trail").rowcount == 1
        connection.execute("SELECT set_config(%s, %s, false)", [TENANT, "somebody else"])
        assert [tenants_in(connection, table) for table in TEAM_TABLES] == [set()] * len(TEAM_TABLES)
