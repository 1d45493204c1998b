"""The API's own page: what the OpenAPI document says, as plain HTML without a script."""

from html import escape
from typing import Any, cast

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse

from commonplace.web.problems import STATUS_OF

router = APIRouter()
Document = dict[str, Any]


@router.get("/openapi.json")
def openapi(request: Request) -> JSONResponse:
    return JSONResponse(request.app.openapi())


@router.get("/docs")
def docs(request: Request) -> HTMLResponse:
    return HTMLResponse(page(request.app.openapi()))


def page(document: Document) -> str:
    """The whole page."""
    about = cast(Document, document["info"])
    routes = [
        _route(path, method, cast(Document, route))
        for path, methods in cast(Document, document["paths"]).items()
        for method, route in cast(Document, methods).items()
    ]
    codes = "".join(f"<tr id={_quoted(code)}><td>{code}<td>{status}" for code, status in sorted(STATUS_OF.items()))
    shapes = "".join(
        f"<h3 id={_quoted(name)}>{escape(name)}</h3>{_fields(shape)}"
        for name, shape in cast(Document, document["components"]["schemas"]).items()
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(about["title"])} API</title>'
        '<meta name="viewport" content="width=device-width"></head><body><main>'
        f"<h1>{escape(about['title'])} API {escape(about['version'])}</h1><p>{escape(about['summary'])}</p>"
        '<p>The document for programs: <a href="/api/openapi.json">openapi.json</a></p>'
        f"<h2>Requests</h2>{''.join(routes)}<h2>Shapes</h2>{shapes}<h2>Codes of problems</h2>"
        f"<table><tr><th>code<th>status{codes}</table></main></body></html>"
    )


def _route(path: str, method: str, route: Document) -> str:
    parameters = "".join(
        f"<li><code>{escape(one['name'])}</code> ({escape(one['in'])}{', required' if one.get('required') else ''}) "
        f"{escape(one.get('description', ''))}</li>"
        for one in cast(list[Document], route.get("parameters", []))
    )
    body = _shape_in(cast(Document, route.get("requestBody", {})))
    answers = [
        f"{status} {_shape_in(cast(Document, told))}"
        for status, told in cast(Document, route["responses"]).items()
        if status.startswith(("2", "3"))
    ]
    return (
        f"<h3><code>{method.upper()} {escape(path)}</code></h3><p>{escape(route.get('description', ''))}</p>"
        + (f"<ul>{parameters}</ul>" if parameters else "")
        + (f"<p>Body: {body}</p>" if body else "")
        + f"<p>Answers: {', '.join(answers)}</p>"
    )


def _shape_in(told: Document) -> str:
    schemas = (cast(Document, one).get("schema", {}) for one in cast(Document, told.get("content", {})).values())
    return ", ".join(filter(None, map(_named, schemas)))


def _named(schema: Document) -> str:
    """A schema in a word, with a link where it is one of the shapes."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return f"<a href={_quoted('#' + name)}>{escape(name)}</a>"
    if "anyOf" in schema:
        return " or ".join(_named(one) for one in cast(list[Document], schema["anyOf"]))
    if schema.get("type") == "array":
        return f"list of {_named(cast(Document, schema.get('items', {})))}"
    if "enum" in schema:
        return escape(" | ".join(map(str, cast(list[object], schema["enum"]))))
    return escape(str(schema.get("format") or schema.get("type") or schema.get("const") or "any"))


def _fields(shape: Document) -> str:
    rows = "".join(
        f"<tr><td><code>{escape(name)}</code><td>{_named(field)}<td>{escape(field.get('description', ''))}"
        for name, field in cast(dict[str, Document], shape.get("properties", {})).items()
    )
    about = f"<p>{escape(shape.get('description', ''))}</p>" if shape.get("description") else ""
    return about + (f"<table>{rows}</table>" if rows else f"<p>{_named(shape)}</p>")


def _quoted(text: str) -> str:
    return f'"{escape(text)}"'
