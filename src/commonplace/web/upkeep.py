"""Keeping the memory tidy: long work that is started, followed and stopped, plans of a compaction, and audits."""

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import Field

from commonplace.errors import ConfigError, NotFound
from commonplace.flows.auditing.report import Doubt, Place
from commonplace.flows.charting import DEEDS
from commonplace.memory import RECALL_BUDGET, Memory
from commonplace.tokens import estimate_tokens
from commonplace.types.book import MEMORY_FILE, EntryId
from commonplace.types.compaction import MemoryCompacted, Skipped, Step
from commonplace.web.desk import Desk, Here
from commonplace.web.entries import Body
from commonplace.web.jobs import Job, JobShape, Kind, Order
from commonplace.web.problems import READING, WRITING
from commonplace.web.shapes import DiffShape, EntryShape, IndexShape, Shape, Text

router = APIRouter(tags=["upkeep"])
COMPACT_AT = 3000
_MOST_PLANS = 8


class NewJob(Body):
    """Which work. A compaction may go without the model that is configured. An import names the `path` of a file or
    folder on this machine; with `dry_run` it only tells what would come in, with `logs` conversations are also logged
    under their days."""

    kind: Kind
    model: bool = True
    path: str = Field(default="", max_length=4096)
    dry_run: bool = False
    logs: bool = False


class JobList(Shape):
    items: list[JobShape]


class StepShape(Shape):
    """One change of a compaction: the old entries, what stands for them, and why."""

    id: int
    kind: Literal["merge", "reword", "move", "drop", "join"]
    entries: list[EntryShape]
    text: Text
    section: Text
    reason: Text

    @classmethod
    def of(cls, number: int, step: Step) -> "StepShape":
        entries = [EntryShape.of(entry) for entry in step.entries]
        return cls(
            id=number, kind=step.kind.value, entries=entries, text=step.text, section=step.section, reason=step.reason
        )


class PlanShape(Shape):
    """What a compaction would do; nothing is changed yet. `skipped` says why there is nothing to do, if so."""

    plan: str | None
    steps: list[StepShape]
    findings: list[Text]
    by_model: bool
    before: int
    after: int
    diff: DiffShape | None
    skipped: Text | None
    code: str | None


class Chosen(Body):
    """The steps to take, by their ids; null takes all."""

    steps: list[int] | None = Field(default=None, max_length=10_000)


class CompactedShape(Shape):
    """What a compaction did, and what it left as it was, with the reasons."""

    change: str | None
    backup: Text | None
    before: int
    after: int
    steps: list[StepShape]
    findings: list[Text]
    diff: DiffShape | None
    skipped: Text | None
    etag: str


class LeftOutShape(Shape):
    """How often something was not brought in for one reason, and the first places."""

    why: Text
    count: int
    places: list[Text]


class ImportShape(Shape):
    """What an import brought in, or would. What is `known` came in before; entries that say what the memory says are
    `merged`, doubtful ones `held` in the inbox. `restored` is how many files of our own export made an empty book."""

    kind: str
    path: Text
    dry_run: bool
    conversations: int
    messages: int
    known_messages: int
    taken: int
    merged: int
    held: int
    known: int
    logs: int
    known_logs: int
    undated: int
    restored: int
    skipped: list[LeftOutShape]


class PlaceShape(Shape):
    """Where a text stands; `entry` is its id, if it is an entry of MEMORY.md."""

    file: Text
    line: int
    text: Text
    entry: str | None


class DoubtShape(Shape):
    """Something doubtful, why, and how to mend it. What is `certain` can be mended by `POST /audit/mend`."""

    id: str
    kind: str
    why: Text
    fix: Text
    certainty: float
    certain: bool
    place: PlaceShape
    other: PlaceShape | None


class AuditShape(Shape):
    """How good the memory is (100 is clean), and what is doubtful in it."""

    score: int
    items: int
    counts: dict[str, int]
    trouble: Text
    doubts: list[DoubtShape]


class MendedShape(Shape):
    """The change that mended everything certain (null: there was nothing), and the backup made before."""

    change: str | None
    backup: Text | None
    etag: str


class Mending(Body):
    """The entry to mend, by its id; null mends all that is certain."""

    entry: str | None = Field(default=None, max_length=100)


class Counted(Shape):
    day: date
    count: int


class Deeds(Shape):
    """What was done on a day: how often each."""

    day: date
    counts: dict[str, int]


class SizeShape(Shape):
    """How large the memory is, against what a prompt has room for and the size from which it is compacted by itself."""

    characters: int
    tokens: int
    budget: int
    compact_at: int


class TimelineShape(Shape):
    """Entries and conversations over time, what was done, what the gate kept out, and the size of the memory now.
    `kinds` lists all deeds. The gate's counts are named by what became of a text and the rule that said so, such as
    `refused secret`, `held web`, `alike same_fact`, `known duplicate`."""

    entries: list[Counted]
    sessions: list[Counted]
    deeds: list[Deeds]
    kinds: list[str]
    gate: list[Deeds]
    size: SizeShape


# -- jobs --------------------------------------------------------------------------------------------------------------


@router.post(
    "/jobs", status_code=202, responses={200: {"model": JobShape, "description": "Running already"}, **WRITING}
)
def start(desk: Here, body: NewJob, response: Response) -> JobShape:
    """Begin long work; if the same is under way, that is the answer (200)."""
    memory = desk.memory
    if body.kind == "import":
        _ = desk.machine  # which refuses where others may ask

    def work(order: Order) -> dict[str, Any]:
        match body.kind:
            case "reindex":
                done: Shape = IndexShape.model_validate(memory.reindex(order.progress))
            case "audit":
                done = _audited(memory, order)
            case "compact":
                done = _planned(desk, memory, order, with_model=body.model)
            case "import":
                done = _imported(desk, order, body)
        return done.model_dump(mode="json")

    job, begun = desk.jobs.start(body.kind, work)
    if not begun:
        response.status_code = 200
    return JobShape.model_validate(job)


@router.get("/jobs", responses=READING)
def list_jobs(desk: Here) -> JobList:
    """The newest long work, without what came of it."""
    items = [JobShape.model_validate(job).model_copy(update={"result": None}) for job in desk.jobs.listed()]
    return JobList(items=items)


@router.get("/jobs/{id}", responses=READING)
def read_job(desk: Here, id: str) -> JobShape:
    """How far long work is, and what came of it."""
    return JobShape.model_validate(_found(desk.jobs.get(id), id))


@router.delete("/jobs/{id}", responses=WRITING)
def stop_job(desk: Here, id: str) -> JobShape:
    """Ask long work to stop. It does so at its next step, without waiting for a model, and then says `cancelled`."""
    return JobShape.model_validate(_found(desk.jobs.stop(id), id))


def _found(job: Job | None, id: str) -> Job:
    if job is None:
        raise NotFound(f"There is no job {id}.", hint="Only the newest are kept.")
    return job


# -- compaction --------------------------------------------------------------------------------------------------------


class Plans:
    """The newest plans, as long as the server runs."""

    def __init__(self) -> None:
        self._plans: OrderedDict[str, MemoryCompacted] = OrderedDict()

    def keep(self, plan: MemoryCompacted) -> str:
        id = plan_id(plan)
        self._plans[id] = plan
        while len(self._plans) > _MOST_PLANS:
            self._plans.popitem(last=False)
        return id

    def get(self, id: str) -> MemoryCompacted:
        if id not in self._plans:
            raise no_plan(id)
        return self._plans[id]


def plan_id(plan: MemoryCompacted) -> str:
    """What a plan is called: the same for the same steps on the same text."""
    said = repr((plan.steps, plan.diff.before))
    return hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()[:16]


def no_plan(id: str) -> NotFound:
    return NotFound(f"There is no plan {id}.", hint="Begin a new one: POST /jobs with the kind compact.")


def _planned(desk: Desk, memory: Memory, order: Order, *, with_model: bool) -> PlanShape:
    model = desk.app.chat_model(stop=order.stop) if with_model else None
    if with_model and model is None:
        raise ConfigError(
            "No chat model is configured.", hint="Choose one: commonplace setup. Or compact without one: model false."
        )
    done = memory.compact(model, dry_run=True, progress=order.progress)
    if isinstance(done, Skipped):
        return PlanShape(
            plan=None,
            steps=[],
            findings=list(done.findings),
            by_model=model is not None,
            before=len(memory.entries()),
            after=len(memory.entries()),
            diff=None,
            skipped=done.reason,
            code=done.code,
        )
    return PlanShape(
        plan=desk.plans.keep(done),
        steps=_steps(done.steps),
        findings=list(done.findings),
        by_model=done.by_model,
        before=done.before,
        after=done.after,
        diff=DiffShape.of(done.diff),
        skipped=None,
        code=None,
    )


def _steps(steps: Sequence[Step]) -> list[StepShape]:
    return [StepShape.of(number, step) for number, step in enumerate(steps)]


@router.post("/compactions/{plan}", responses=WRITING)
def compact(desk: Here, plan: str, body: Chosen) -> CompactedShape:
    """Take the steps of a plan, all or some. Those whose entries have changed meanwhile are left out, and told."""
    planned = desk.plans.get(plan)
    numbers = range(len(planned.steps)) if body.steps is None else sorted(set(body.steps))
    unknown = [number for number in numbers if not 0 <= number < len(planned.steps)]
    if unknown:
        raise NotFound(f"The plan has no step {unknown[0]}.", hint=f"It has {len(planned.steps)}, from 0.")
    with desk.writing() as memory:
        done = memory.carry_out(planned, [planned.steps[number] for number in numbers])
    skipped = isinstance(done, Skipped)
    return CompactedShape(
        change=None if skipped else done.change,
        backup=done.backup,
        before=planned.before if skipped else done.before,
        after=planned.before if skipped else done.after,
        steps=[] if skipped else _steps(done.steps),
        findings=list(done.findings),
        diff=None if skipped else DiffShape.of(done.diff),
        skipped=done.reason if skipped else None,
        etag=desk.version(),
    )


# -- import ------------------------------------------------------------------------------------------------------------


def _imported(desk: Desk, order: Order, asked: NewJob) -> ImportShape:
    """Each thing is durable once it is in, and comes in once: stopped, it goes on where it was when it is asked for
    again."""
    model = desk.app.chat_model(stop=order.stop) if asked.logs and asked.model and not asked.dry_run else None
    with desk.writing() as memory:
        report = memory.import_from(
            asked.path, dry_run=asked.dry_run, logs=asked.logs, model=model, progress=order.progress
        )
    if not asked.dry_run:
        memory.embed(order.progress)
    return ImportShape.model_validate(report)


# -- audit -------------------------------------------------------------------------------------------------------------


def _audited(memory: Memory, order: Order) -> AuditShape:
    found = memory.audit(progress=order.progress)
    document = memory.document()
    at_line = {entry.line: str(id) for entry, id in zip(document.entries, document.ids, strict=True)}
    return AuditShape(
        score=found.score,
        items=found.items,
        counts={kind.value: number for kind, number in found.counts.items()},
        trouble=found.trouble,
        doubts=[_doubt(doubt, at_line) for doubt in found.doubts],
    )


def _doubt(doubt: Doubt, at_line: dict[int, str]) -> DoubtShape:
    said = f"{doubt.kind}\0{doubt.place}\0{doubt.place.text}\0{doubt.other}"
    return DoubtShape(
        id=hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()[:16],
        kind=doubt.kind.value,
        why=doubt.why,
        fix=doubt.fix,
        certainty=doubt.certainty,
        certain=doubt.certain,
        place=_place(doubt.place, at_line),
        other=_place(doubt.other, at_line) if doubt.other else None,
    )


def _place(place: Place, at_line: dict[int, str]) -> PlaceShape:
    entry = at_line.get(place.line) if place.file == MEMORY_FILE else None
    return PlaceShape(file=place.file, line=place.line, text=place.text, entry=entry)


@router.post("/audit/mend", responses=WRITING)
def mend(desk: Here, body: Mending) -> MendedShape:
    """Mend what is certain: all of it, after a backup, or one entry (a duplicate goes, a secret is taken out). The
    change can be taken back. The other doubts are for a person: change, move or forget the entry."""
    with desk.writing() as memory:
        if body.entry is not None:
            change = memory.mend_entry(EntryId(body.entry))
            return MendedShape(change=change, backup=None, etag=desk.version())
        backup, change = memory.mend()
    return MendedShape(change=change, backup=backup.name if backup else None, etag=desk.version())


# -- over time ---------------------------------------------------------------------------------------------------------


@router.get("/statistics/timeline", responses=READING)
def timeline(desk: Here, days: Annotated[int, Query(ge=1, le=36_500)] = 365) -> TimelineShape:
    """How the memory grew, what was done with it, and what the gate kept out, day by day."""
    memory = desk.memory
    since = date.fromordinal(max(1, memory.today().toordinal() - days))
    text = memory.document().text
    began: dict[date, int] = {}
    for one in memory.session_glances():
        began[one.started.date()] = began.get(one.started.date(), 0) + 1
    size = SizeShape(characters=len(text), tokens=estimate_tokens(text), budget=RECALL_BUDGET, compact_at=COMPACT_AT)
    return TimelineShape(
        entries=[Counted(day=day, count=count) for day, count in sorted(memory.growth(days).items())],
        sessions=[Counted(day=day, count=count) for day, count in sorted(began.items()) if day >= since],
        deeds=[Deeds(day=day, counts=_kinds(done)) for day, done in sorted(memory.deeds().items()) if day >= since],
        kinds=list(DEEDS),
        gate=[Deeds(day=day, counts=counts) for day, counts in memory.verdicts().items() if day >= since],
        size=size,
    )


def _kinds(counts: dict[str, int]) -> dict[str, Any]:
    return {kind: counts[kind] for kind in DEEDS if kind in counts}
