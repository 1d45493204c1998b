"""Going back: the history with its differences, undo, backups, and complete forgetting."""

import hashlib
from datetime import datetime
from itertools import islice
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from commonplace.errors import Conflict, NotFound
from commonplace.files.text import folded
from commonplace.types.keeping import Change, Erasure
from commonplace.web.desk import Cursor, Here, IfMatch, Limit, cursor_of, position_of, required
from commonplace.web.entries import Body, Reason
from commonplace.web.problems import READING, WRITING, ApiError
from commonplace.web.shapes import ChangeShape, DiffShape, Page, Shape, Text

router = APIRouter(tags=["history"])


class WholeChange(ChangeShape):
    """One change with what it did, and the change that took it back, if one did."""

    diff: list[DiffShape]
    undone_by: str | None


class Differences(Shape):
    diff: list[DiffShape]


class Why(Body):
    reason: Reason = None


class UndoneShape(Shape):
    """What was taken back, and the change that did it (which can be taken back, too)."""

    undone: ChangeShape
    change: str
    files: list[Text]
    etag: str


class BackupShape(Shape):
    """A copy of MEMORY.md."""

    name: Text
    at: datetime
    size: int


class Backups(Shape):
    items: list[BackupShape]


class MadeBackup(Shape):
    backup: BackupShape | None


class BackupPreview(BackupShape):
    """What a backup holds, what restoring it would change, and the ETag of MEMORY.md as that was compared with."""

    text: Text
    diff: DiffShape
    etag: str


class RestoredShape(Shape):
    """Which backup was restored, and under which name the text before is kept."""

    backup: Text
    saved_as: Text | None
    change: str | None
    etag: str


class Forgetting(Body):
    texts: list[str] = Field(min_length=1, max_length=20)
    only_words: bool = False


class RemovalShape(Shape):
    place: Text
    line: int
    before: Text
    after: Text | None


class ErasurePlan(Shape):
    """What complete forgetting would remove, and how many recorded changes it would rewrite. `plan` stands for just
    this."""

    plan: str
    removals: list[RemovalShape]
    changes: int
    unreadable: int


class Erased(Shape):
    """What was removed, and the proof: how much was searched, and where the text is still left."""

    removals: list[RemovalShape]
    changes: int
    searched_files: int
    searched_objects: int
    left: list[Text]
    proof: str


# -- history -----------------------------------------------------------------------------------------------------------


@router.get("/changes", responses=READING)
def list_changes(
    desk: Here,
    file: Annotated[str | None, Query(max_length=300, description="Only changes of this file.")] = None,
    q: Annotated[str, Query(max_length=1000, description="Words of their summary or reason.")] = "",
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Page[ChangeShape]:
    """The changes of the book, newest first."""
    memory = desk.memory
    words = folded(q).split()
    changes = memory.changes(file=file, before=position_of(cursor))
    fitting = (change for change in changes if all(word in _said(change) for word in words))
    found = list(islice(fitting, limit + 1))
    more = cursor_of(found[limit - 1].id) if len(found) > limit else None
    total = memory.count_changes() if file is None and not words else None
    return Page[ChangeShape](items=[ChangeShape.of(one) for one in found[:limit]], next=more, total=total)


def _said(change: Change) -> str:
    return folded(f"{change.note.summary} {change.note.reason or ''}")


@router.get("/changes/{id}", responses=READING)
def read_change(desk: Here, id: str) -> WholeChange:
    """One change: who, why, and what it did."""
    memory = desk.memory
    change, undone_by = memory.change(id)
    diff = [DiffShape.of(one) for one in memory.diff(change.id)]
    return WholeChange(**ChangeShape.of(change).model_dump(), diff=diff, undone_by=undone_by)


@router.get("/changes/{old}/diff/{new}", responses=READING)
def compare(desk: Here, old: str, new: str) -> Differences:
    """What lies between two changes."""
    return Differences(diff=[DiffShape.of(one) for one in desk.memory.diff(old, new)])


@router.post("/changes/{id}/undo", responses=WRITING)
def undo(desk: Here, id: str, body: Why) -> UndoneShape:
    """Take back one change; later ones stay. Where they touched the same lines, nothing is done (409)."""
    with desk.writing() as memory:
        done = memory.undo(id, reason=body.reason)
    undone = ChangeShape.of(done.undone)
    return UndoneShape(undone=undone, change=done.change, files=list(done.files), etag=desk.version())


# -- backups -----------------------------------------------------------------------------------------------------------


@router.get("/backups", responses=READING)
def list_backups(desk: Here) -> Backups:
    """The backups, newest first."""
    return Backups(items=[BackupShape.model_validate(one) for one in desk.memory.backups()])


@router.post("/backups", responses=WRITING)
def make_backup(desk: Here) -> MadeBackup:
    """Copy MEMORY.md; nothing is copied where nothing is."""
    if not desk.memory.read().strip():
        return MadeBackup(backup=None)
    with desk.writing() as memory:
        made = memory.backup()
    return MadeBackup(backup=BackupShape.model_validate(made) if made else None)


@router.get("/backups/{name}", responses=READING)
def preview_backup(desk: Here, name: str) -> BackupPreview:
    """What a backup holds, and what restoring it would change."""
    memory = desk.memory
    version = desk.version()
    diff = memory.restoration(name)
    found = next((one for one in memory.backups() if one.name == name), None)
    if found is None:
        raise NotFound(f"There is no backup {name}.", hint="List the backups.")
    shape = BackupShape.model_validate(found)
    return BackupPreview(**shape.model_dump(), text=diff.after or "", diff=DiffShape.of(diff), etag=version)


@router.post("/backups/{name}/restore", responses=WRITING)
def restore(desk: Here, name: str, body: Why, if_match: IfMatch = None) -> RestoredShape:
    """Make MEMORY.md what a backup holds, if it is still what was previewed. What it holds now is backed up first."""
    expected = required(if_match)
    try:
        with desk.writing() as memory:
            done = memory.restore(name, reason=body.reason, expected=expected)
    except Conflict as error:
        raise ApiError("precondition_failed", error.message, hint=error.hint, etag=desk.version()) from error
    return RestoredShape(backup=done.backup, saved_as=done.saved_as, change=done.change, etag=desk.version())


# -- complete forgetting -----------------------------------------------------------------------------------------------


@router.post("/erasures/preview", responses=WRITING)
def preview_erasure(desk: Here, body: Forgetting) -> ErasurePlan:
    """What complete forgetting of some texts would remove. Changes nothing."""
    return _plan(desk.memory.erase(*body.texts, whole_entries=not body.only_words))


@router.post("/erasures", responses=WRITING)
def erase(desk: Here, body: Forgetting, if_match: IfMatch = None) -> Erased:
    """Remove texts from files, backups, index and history, for good. `If-Match` names the plan that was previewed; if
    anything else would go by now, nothing is done."""
    expected = required(if_match)
    plan = preview_erasure(desk, body)
    if plan.plan != expected:
        raise ApiError(
            "precondition_failed",
            "Something else than what was previewed would be removed; nothing was done.",
            hint="Look at the new plan, then decide again.",
            current=plan.model_dump(mode="json"),
        )
    with desk.writing() as memory:
        done = memory.erase(*body.texts, dry_run=False, whole_entries=not body.only_words)
    left = f"{len(done.left)} places still have it" if done.left else "0 copies are left"
    proof = f"Searched {done.searched_files} files and {done.searched_objects} history objects; {left}."
    return Erased(
        removals=[RemovalShape.model_validate(one) for one in done.removals],
        changes=done.commits,
        searched_files=done.searched_files,
        searched_objects=done.searched_objects,
        left=list(done.left),
        proof=proof,
    )


def _plan(planned: Erasure) -> ErasurePlan:
    removals = [RemovalShape.model_validate(one) for one in planned.removals]
    said = "\0".join(one.model_dump_json() for one in removals)
    digest = hashlib.sha256(
        f"{planned.text}\0{planned.commits}\0{planned.unreadable}\0{said}".encode("utf-8", "replace")
    )
    return ErasurePlan(
        plan=digest.hexdigest(), removals=removals, changes=planned.commits, unreadable=planned.unreadable
    )
