"""Long work: started by a request, told of by events, asked to stop by another request."""

import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from commonplace.errors import CommonplaceError
from commonplace.flows.modelcalls import Stopped
from commonplace.web.problems import Problem, problem, problem_of
from commonplace.web.shapes import Shape

Progress = Callable[[int, int], None]
Kind = Literal["reindex", "compact", "audit", "import"]
State = Literal["running", "done", "failed", "cancelled"]
_MOST = 32
_GRACE = 3.0


class JobShape(Shape):
    """Long work: how far it is, and what came of it."""

    id: str
    kind: Kind
    state: State
    done: int
    of: int
    started: datetime
    ended: datetime | None
    result: dict[str, Any] | None
    problem: Problem | None


@dataclass(frozen=True, slots=True)
class Job:
    """One state of long work."""

    id: str
    kind: Kind
    state: State
    started: datetime
    done: int = 0
    of: int = 0
    ended: datetime | None = None
    result: dict[str, Any] | None = None
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """What long work is told, and tells: `progress` raises once it is asked to stop, and `stop` is set then."""

    progress: Progress
    stop: threading.Event


Work = Callable[[Order], dict[str, Any]]


class Jobs:
    """The long work of one server: the newest, and at most one of each kind at a time."""

    def __init__(self, publish: Callable[[str, object], None]) -> None:
        self._publish = publish
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._running: dict[str, tuple[threading.Thread, threading.Event]] = {}
        self._lock = threading.Lock()

    def start(self, kind: Kind, work: Work) -> tuple[Job, bool]:
        """Begin, unless the same is under way; then that is returned, and False."""
        with self._lock:
            running = next((job for job in self._jobs.values() if job.kind == kind and job.state == "running"), None)
            if running is not None:
                return running, False
            job = Job(uuid.uuid4().hex[:12], kind, "running", datetime.now().astimezone())
            self._jobs[job.id] = job
            stop = threading.Event()
            thread = threading.Thread(target=self._run, args=(job.id, work, stop), name=kind, daemon=True)
            self._running[job.id] = (thread, stop)
            ended = [id for id in self._jobs if id not in self._running]
            for id in ended[: max(len(self._jobs) - _MOST, 0)]:
                del self._jobs[id]
            thread.start()
        return job, True

    def listed(self) -> list[Job]:
        with self._lock:
            return list(reversed(self._jobs.values()))

    def get(self, id: str) -> Job | None:
        with self._lock:
            return self._jobs.get(id)

    def stop(self, id: str) -> Job | None:
        """Ask a job to stop; it does so at its next step, and waits for no model any longer."""
        with self._lock:
            if id in self._running:
                self._running[id][1].set()
            return self._jobs.get(id)

    def close(self) -> None:
        """Stop all of it, and wait a moment until it has."""
        with self._lock:
            running = list(self._running.values())
        for _, stop in running:
            stop.set()
        for thread, _ in running:
            thread.join(_GRACE)

    def _run(self, id: str, work: Work, stop: threading.Event) -> None:
        def progress(done: int, of: int) -> None:
            if stop.is_set():
                raise Stopped
            self._update(id, done=done, of=of)

        self._update(id, **outcome_of(work, Order(progress, stop)))
        with self._lock:
            del self._running[id]

    def _update(self, id: str, **fields: Any) -> Job | None:
        with self._lock:
            job = self._jobs.get(id)
            if job is None:
                return None
            changed = self._jobs[id] = replace(job, **fields)
        self._publish("job", JobShape.model_validate(changed).model_dump(mode="json"))
        return changed


def outcome_of(work: Work, order: Order) -> dict[str, Any]:
    """Do long work to its end; what is to be told of it then, whichever end it is."""
    end: dict[str, Any]
    try:
        order.progress(0, 0)
        end = {"state": "done", "result": work(order)}
    except Stopped:
        end = {"state": "cancelled"}
    except CommonplaceError as error:
        end = {"state": "failed", "problem": problem_of(error)}
    except Exception as error:
        end = {"state": "failed", "problem": problem("unexpected", f"{type(error).__name__}: {error}")}
    return {"ended": datetime.now().astimezone(), **end}
