"""What goes wrong, as problem+json: one table from the code of an error to the status of an answer."""

from http import HTTPStatus
from typing import Any

from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict

from commonplace.errors import CommonplaceError
from commonplace.files.text import printable

MEDIA_TYPE = "application/problem+json"
STATUS_OF = {
    "validation_error": 422,
    "not_found": 404,
    "ambiguous_match": 409,
    "conflict": 409,
    "busy": 503,
    "book_missing": 409,
    "config_error": 409,
    "embedder_failed": 503,
    "model_failed": 502,
    "usage_cap": 429,
    "storage_failed": 507,
    "save_failed": 507,
    "update_failed": 507,
    "unreadable_file": 409,
    "unsafe_path": 422,
    "unauthorized": 401,
    "done_before": 409,
    "too_many_requests": 429,
    "foreign_origin": 403,
    "forbidden": 403,
    "method_not_allowed": 405,
    "precondition_failed": 412,
    "too_large": 413,
    "unsupported_media_type": 415,
    "misdirected": 421,
    "key_reused": 422,
    "precondition_required": 428,
    "error": 500,
    "unexpected": 500,
}
_RETRY_AFTER = "2"


class Problem(BaseModel):
    """What went wrong (RFC 9457): `code` for programs, `detail` and `hint` for people. Some codes bring more fields."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    code: str
    detail: str
    hint: str


class ApiError(CommonplaceError):
    """An outcome that only this surface has: a code of the table, and what else a program should know."""

    def __init__(self, code: str, message: str, *, hint: str = "", **more: object) -> None:
        super().__init__(message, hint=hint)
        self.code = code
        self.more = more


def problem(code: str, detail: str, hint: str = "", **more: object) -> Problem:
    status = STATUS_OF.get(code, 500)
    fields: dict[str, Any] = {
        "type": f"/api/docs#{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": printable(detail),
        "hint": printable(hint),
    }
    return Problem.model_validate({**more, **fields})


def problem_of(error: CommonplaceError) -> Problem:
    more = error.more if isinstance(error, ApiError) else {}
    return problem(error.code, error.message, error.hint, **more)


def answer(told: Problem) -> JSONResponse:
    headers = {"retry-after": _RETRY_AFTER} if told.status == HTTPStatus.SERVICE_UNAVAILABLE else None
    if told.status == HTTPStatus.UNAUTHORIZED:
        headers = {"www-authenticate": "Bearer"}
    return JSONResponse(told.model_dump(mode="json"), told.status, headers, MEDIA_TYPE)


def documented(*codes: int) -> dict[int | str, dict[str, Any]]:
    """Answers with these statuses, for the OpenAPI document."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {code: {"description": HTTPStatus(code).phrase, "content": content} for code in codes}


READING = documented(401, 403, 404, 409, 421, 422, 500, 503, 507)
WRITING = READING | documented(412, 413, 415, 428, 429, 502)
