"""Long work and plans that any server of a team may be asked about, whichever does it.

Both are derived files of the book: complete forgetting throws them away, and they go with the book. Whoever does a
piece of work holds the book's lock for that; where nobody holds it, the server that did it is gone, and that is what is
told of the work.
"""

from __future__ import annotations

import json
import threading
import time
import uuid
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from commonplace.errors import BookBusy, CommonplaceError, Conflict
from commonplace.files.folders import SERVED, SERVED_TASK
from commonplace.flows.modelcalls import Stopped
from commonplace.types.compaction import MemoryCompacted
from commonplace.web.jobs import Job, JobShape, Kind, Order, Progress, Work, outcome_of
from commonplace.web.problems import problem
from commonplace.web.upkeep import no_plan, plan_id

if TYPE_CHECKING:
    from commonplace.ports import Storage

JOBS = f"{SERVED}/jobs"
_PLANS = f"{SERVED}/plans"
_MOST = 32
_MOST_PLANS = 8
_PLAN = TypeAdapter(MemoryCompacted)
_JOB = TypeAdapter(Job)
_TOLD = 0.5
"""Seconds between two notes of how far work is."""
_PATIENCE = 30.0


class SharedJobs:
    """The long work on one book, on any server: the newest, and one at a time."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._here: dict[str, threading.Event] = {}

    def start(self, kind: Kind, work: Work) -> tuple[Job, bool]:
        """Begin, unless the same is under way anywhere; then that is returned, and False."""
        job = Job(uuid.uuid4().hex[:12], kind, "running", datetime.now().astimezone())
        begun, stop = threading.Event(), threading.Event()
        trouble: list[CommonplaceError] = []

        def run() -> None:
            try:
                with self._storage.alone(SERVED_TASK, timeout=0):
                    self._here[job.id] = stop
                    self._put(job)
                    begun.set()
                    self._put(replace(job, **outcome_of(work, Order(self._progress(job, stop), stop))))
            except CommonplaceError as error:  # where it had begun, whoever asks finds that nobody does it any more
                trouble.append(error)
            finally:
                self._here.pop(job.id, None)
                begun.set()

        threading.Thread(target=run, name=f"{kind}-{job.id}", daemon=True).start()
        begun.wait(_PATIENCE)
        if not trouble:
            self._trim()
            return job, True
        running = next((one for one in self.listed() if one.kind == kind and one.state == "running"), None)
        if running is not None:
            return running, False
        if isinstance(trouble[0], BookBusy):
            raise Conflict("Other long work is under way in this book.", hint="See GET jobs; begin when it has ended.")
        raise trouble[0]

    def _progress(self, job: Job, stop: threading.Event) -> Progress:
        last = -_TOLD

        def progress(done: int, of: int) -> None:
            nonlocal last
            if stop.is_set():
                raise Stopped
            if time.monotonic() - last < _TOLD:
                return
            last = time.monotonic()
            if self._storage.read(_stop(job.id)).data is not None:  # another server was asked to stop it
                stop.set()
                raise Stopped
            self._put(replace(job, done=done, of=of))

        return progress

    def listed(self) -> list[Job]:
        names = [file.name.rpartition("/")[2] for file in self._storage.list_folder(JOBS)]
        found = [self.get(name.removesuffix(".json")) for name in names if name.endswith(".json")]
        return sorted((job for job in found if job), key=lambda job: job.started, reverse=True)

    def get(self, id: str) -> Job | None:
        data = self._storage.read(_place(id)).data if _is_id(id) else None
        if data is None:
            return None
        job = _JOB.validate_json(data)
        return job if job.state != "running" else self._looked_after(job)

    def _looked_after(self, job: Job) -> Job:
        """Work that is under way, or that its server left behind."""
        try:
            with self._storage.alone(SERVED_TASK, timeout=0):
                data = self._storage.read(_place(job.id)).data
        except BookBusy:
            return job
        now = job if data is None else _JOB.validate_json(data)
        if now.state != "running":  # it ended just now
            return now
        told = problem("unexpected", "The server that did this is gone.", "Begin it again.")
        left = replace(now, state="failed", ended=datetime.now().astimezone(), problem=told)
        self._put(left)
        return left

    def stop(self, id: str) -> Job | None:
        """Ask a job to stop; it does so at its next step."""
        job = self.get(id)
        if job is not None and job.state == "running":
            self._storage.put_derived(_stop(id), [b"stop"])
            if id in self._here:
                self._here[id].set()
        return job

    def close(self) -> None:
        """Ask what is done here to stop."""
        for stop in list(self._here.values()):
            stop.set()

    def _put(self, job: Job) -> None:
        shown = JobShape.model_validate(job).model_dump(mode="json")
        self._storage.put_derived(_place(job.id), [json.dumps(shown).encode()])

    def _trim(self) -> None:
        for job in self.listed()[_MOST:]:
            self._storage.delete_derived(_place(job.id))
            self._storage.delete_derived(_stop(job.id))


class SharedPlans:
    """The newest plans of compactions of one book."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def keep(self, plan: MemoryCompacted) -> str:
        id = plan_id(plan)
        self._storage.put_derived(f"{_PLANS}/{id}.json", [_PLAN.dump_json(plan)])
        newest = sorted(self._storage.list_folder(_PLANS), key=lambda file: int(file.stamp), reverse=True)
        for file in newest[_MOST_PLANS:]:
            self._storage.delete_derived(file.name)
        return id

    def get(self, id: str) -> MemoryCompacted:
        data = self._storage.read(f"{_PLANS}/{id}.json").data if _is_id(id) else None
        if data is None:
            raise no_plan(id)
        return _PLAN.validate_json(data)


def job_told(storage: Storage, name: str) -> object | None:
    """What listeners are told of a changed file of long work; None if it is no such file, or gone."""
    data = storage.read(name).data if name.endswith(".json") else None
    return None if data is None else json.loads(data)


def _is_id(id: str) -> bool:
    return id.isascii() and id.isalnum()


def _place(id: str) -> str:
    return f"{JOBS}/{id}.json"


def _stop(id: str) -> str:
    return f"{JOBS}/{id}.stop"
