"""`python -m tests.stress`: all of it at full length, with tables; the exit status says whether anything was lost."""

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.stores import own_server
from tests.stress.contending import Contended, contend
from tests.stress.database import Stood, cut_commits, kill_clients, kill_database, kill_workers
from tests.stress.database import contend as contend_in_database
from tests.stress.failing import CODES, Failed, fail_every_call, fresh
from tests.stress.killing import Killed, kill_erasures, kill_plain_writes, kill_rounds
from tests.stress.kinds import KINDS
from tests.stress.machine import Faults, NotHere, full_disk, size_limit, strace_faults
from tests.stress.servers import kill_servers
from tests.stress.tenancy import keep_apart, sees_across
from tests.stress.visitors import team_server, visit

PARTS = ("kill", "contend", "fail", "machine", "database", "tenancy", "team")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.stress", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1000, help="kill -9 rounds for each kind of write (1000)")
    parser.add_argument("--processes", type=int, default=16, help="processes that contend for one book (16)")
    parser.add_argument("--operations", type=int, default=200, help="operations of each of them (200)")
    parser.add_argument("--seed", type=int, default=0, help="chooses other moments and orders (0)")
    names = [*PARTS, *(kind.name for kind in KINDS)]
    parser.add_argument("--only", choices=names, metavar="KIND", help=f"one part of: {', '.join(names)}")
    parser.add_argument("--folder", type=Path, help="where to make the books (the system's temporary folder)")
    options = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp(prefix="commonplace-stress-", dir=options.folder))
    started = time.monotonic()
    only: str | None = options.only
    good = True
    try:
        if only in {None, "kill"} or only not in PARTS:
            good &= _kill(only, options.rounds, options.seed, folder)
        if only in {None, "contend"}:
            good &= _contend(options.processes, options.operations, options.seed, folder)
        if only in {None, "fail"}:
            good &= _fail(folder)
        if only in {None, "machine"}:
            good &= _machine(folder)
        if only in {None, "database"}:
            good &= _database(options.rounds, options.processes, options.operations, options.seed)
        if only in {None, "tenancy"}:
            good &= _tenancy()
        if only in {None, "team"}:
            good &= _team(options.rounds, options.seed)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"\n{'Nothing was lost.' if good else 'SOMETHING WENT WRONG.'} ({time.monotonic() - started:.0f} s)")
    return 0 if good else 1


def _kill(only: str | None, rounds: int, seed: int, folder: Path) -> bool:
    print("\nkill -9 at a random moment\n")
    head = ("kind", "rounds", "confirmed", "torn", "lost", "orphans", "collected", "misattributed", "undone", "fsck")
    row = _table(head)
    reports: list[Killed] = []

    def show(report: Killed) -> None:
        reports.append(report)
        row(
            report.kind,
            report.rounds,
            report.confirmed,
            report.torn,
            report.lost,
            report.orphans,
            "all" if not report.uncollected else f"not {report.uncollected}",
            report.misattributed,
            report.undos,
            report.fscks,
        )
        _complain(report.problems)

    for kind in KINDS:
        if only in {None, "kill", kind.name}:
            show(kill_rounds(kind, rounds, folder, seed=seed))
    if only in {None, "kill"}:
        show(kill_erasures(max(1, rounds // 10), folder, seed=seed))
        plain = kill_plain_writes(rounds, folder)
        row("for scale: " + plain.kind, plain.rounds, plain.confirmed, plain.torn, *["-"] * 6)
    return all(report.good for report in reports)


def _contend(processes: int, operations: int, seed: int, folder: Path) -> bool:
    print("\nmany processes on one book\n")
    row = _table(
        (
            "who",
            "operations",
            "refused",
            "lost",
            "untyped",
            "changes missing",
            "hand saves",
            "lines lost",
            "compactions",
            "longest wait",
            "s",
        )
    )
    reports: list[Contended] = []
    for person, compacting in ((False, False), (True, False), (False, True), (True, True)):
        place = fresh(folder, f"contend {person} {compacting}")
        report = contend(place, processes, operations, person=person, compacting=compacting, seed=seed)
        reports.append(report)
        row(
            f"{processes} processes" + ", a person" * person + ", compaction" * compacting,
            report.operations,
            ", ".join(f"{count} {name}" for name, count in report.refused.items()) or "none",
            report.lost,
            report.unexpected,
            report.missing_changes,
            report.person_saves,
            report.person_lines_lost,
            f"{report.compactions} ({report.steps} steps)",
            f"{report.longest:.1f} s",
            f"{report.seconds:.0f}",
        )
        _complain(report.problems)
    return all(report.good for report in reports)


def _fail(folder: Path) -> bool:
    print("\nevery Nth call fails, for every N\n")
    row = _table(("kind", "fault", "calls", "refused", "passed", "half", "untyped", "not recovered"))
    reports: list[Failed] = []
    for kind in KINDS:
        for code in CODES:
            for forever in (False, True):
                report = fail_every_call(kind, code, fresh(folder, f"fail {kind.name}"), forever=forever)
                reports.append(report)
                row(
                    report.kind,
                    report.code,
                    report.calls,
                    report.refused,
                    report.passed,
                    report.half,
                    report.untyped,
                    report.not_recovered,
                )
                _complain(report.problems)
    return all(report.good for report in reports)


def _machine(folder: Path) -> bool:
    print("\nfaults of the machine\n")
    row = _table(("fault", "runs", "refused", "passed", "half"))
    reports: list[Faults] = []
    checks: list[tuple[str, Callable[[Path], list[Faults]]]] = [
        ("full disk", lambda place: [full_disk(place)]),
        ("size limit", lambda place: [size_limit(place)]),
        ("strace", strace_faults),
    ]
    for name, check in checks:
        try:
            found = check(fresh(folder, f"machine {name}"))
        except NotHere as reason:
            print(f"  {name}: skipped, {reason}")
            continue
        for report in found:
            row(report.fault, report.runs, report.refused, report.passed, report.half)
            _complain(report.problems)
        reports += found
    return all(report.good for report in reports)


def _database(rounds: int, processes: int, operations: int, seed: int) -> bool:
    print("\nbooks in Postgres\n")
    row = _table(("what", "rounds", "confirmed", "refused", "lost", "doubled"))
    reports: list[Stood] = []

    def show(report: Stood) -> None:
        reports.append(report)
        row(report.way, report.rounds, report.confirmed, report.refused, report.lost, report.doubled)
        _complain(report.problems)

    with own_server(fsync="on", max_connections="200") as server:
        books = (server.address("app", "books", "stress", f"book{number}") for number in range(5))
        show(kill_clients(next(books), rounds, seed=seed))
        show(kill_workers(server.address("app", "books"), rounds, seed=seed))
        show(kill_database(server, next(books), rounds, seed=seed))
        show(cut_commits(server, next(books), rounds, seed=seed))
        show(contend_in_database(next(books), processes, operations, seed=seed))
    return all(report.good for report in reports)


def _tenancy() -> bool:
    print("\nthree tenants, random operations\n")
    row = _table(("database user", "scope", "operations", "crossed"))
    with own_server() as server:
        for user in ("app", "owner"):
            for unscoped in (False, True):
                keep_apart(server, user, unscoped=unscoped, operations=10_000)
                row(user, "taken out" if unscoped else "as it is", 10_000, 0)
        return sees_across(server, "postgres")


def _team(rounds: int, seed: int) -> bool:
    print("\na server for a team: everybody of three tenants, then servers that are killed\n")
    row = _table(("what", "times", "went wrong"))
    with own_server() as server:
        database = server.address("app", "books")
        for unscoped in (False, True):
            with team_server(database) as client:
                sent = visit(client, database, unscoped=unscoped, operations=10_000)
            row("requests, the scope taken out" if unscoped else "requests", sent, 0)
        report = kill_servers(database, rounds=rounds, seed=seed)
        row("servers killed", report.killed, len(report.problems))
        row("writes answered", report.acknowledged, 0)
        row("writes sent again", report.resent, 0)
        _complain(report.problems)
    return not report.problems


def _table(head: Sequence[str]) -> Callable[..., None]:
    widths = [max(32 if index == 0 else 8, len(title)) for index, title in enumerate(head)]

    def row(*cells: object) -> None:
        print("  " + "  ".join(str(cell).ljust(width) for cell, width in zip(cells, widths, strict=True)), flush=True)

    row(*head)
    return row


def _complain(problems: Sequence[str]) -> None:
    for problem in problems[:5]:
        print("    ! " + problem.strip().replace("\n", "\n      "))
    if len(problems) > 5:
        print(f"    ! … and {len(problems) - 5} more")


if __name__ == "__main__":
    sys.exit(main())
