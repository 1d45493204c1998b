"""How the book is: checks, counts, and the index."""

from typing import Literal

from fastapi import APIRouter

from commonplace.files.checkup import told
from commonplace.web.desk import Here
from commonplace.web.problems import READING
from commonplace.web.shapes import IndexShape, Shape, Text

router = APIRouter(tags=["health"])


class FindingShape(Shape):
    """One thing that was looked at, and what to do about it."""

    check: str
    level: Literal["ok", "note", "warning", "error"]
    message: Text
    fix: Text


class DoctorShape(Shape):
    healthy: bool
    findings: list[FindingShape]


class StatisticsShape(Shape):
    """Counts a person wants to see first, and how much is indexed."""

    entries: int
    sections: int
    logs: int
    sessions: int
    backups: int
    changes: int
    bytes: int
    waiting: int
    index: IndexShape


@router.get("/doctor", responses=READING)
def doctor(desk: Here) -> DoctorShape:
    """What is right and wrong with the book and around it, and what to do about it."""
    findings = [
        FindingShape.model_validate(found).model_copy(update={"message": told(found)}) for found in desk.examine()
    ]
    healthy = all(finding.level in {"ok", "note"} for finding in findings)
    return DoctorShape(healthy=healthy, findings=findings)


@router.get("/statistics", responses=READING)
def statistics(desk: Here) -> StatisticsShape:
    """How much the book holds."""
    memory = desk.memory
    counts = memory.stats()
    index = IndexShape.model_validate(memory.index_report())
    return StatisticsShape(index=index, **{name: getattr(counts, name) for name in counts.__slots__})


@router.get("/index", responses=READING)
def index(desk: Here) -> IndexShape:
    """How much is indexed, after taking in what changed."""
    return IndexShape.model_validate(desk.memory.index_report())
