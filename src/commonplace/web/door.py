"""Who may ask, from where, and how much: every request passes here before anything else sees it.

A cookie is sent by the browser whatever page makes it send a request, and pages of other servers on this machine count
as the same site. So a request must come from our own pages, by name and port, or from no page at all.
"""

import hashlib
import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from html import escape
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from commonplace.loopback import bears, called_by
from commonplace.web.problems import answer, problem

LARGEST_BODY = 1024 * 1024
ENTER = "/enter"
_API = "/api"
_DRAWING = frozenset({"/css/base.css", "/css/parts.css", "/icon.svg"})  # what the page for strangers is drawn with
WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_FOREIGN = frozenset({"cross-site", "same-site"})
_DAYS = 30 * 86400
_MOST_LINKS = 32
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}


class Keys:
    """What opens the door: the token of programs, links that work once, and the cookie that a link turns into. Cookies
    outlive a restart: they prove that somebody knew the token when they were given."""

    def __init__(self, token: str, now: Callable[[], float] = time.time) -> None:
        self.token = token.encode()
        self._now = now
        self._links: OrderedDict[str, None] = OrderedDict()

    def new_link(self) -> str:
        key = secrets.token_urlsafe(24)
        self._links[key] = None
        while len(self._links) > _MOST_LINKS:
            self._links.popitem(last=False)
        return key

    def redeem(self, key: str) -> str | None:
        """The cookie for a link that was not used yet."""
        if key not in self._links:
            return None
        del self._links[key]
        said = f"{int(self._now()):x}-{secrets.token_hex(16)}"
        return f"{said}-{self._proof(said)}"

    def fits(self, cookie: str) -> bool:
        said, _, proof = cookie.rpartition("-")
        if not hmac.compare_digest(proof.encode("latin-1", "replace"), self._proof(said).encode()):
            return False
        return self._now() - int(said.partition("-")[0], 16) < _DAYS

    def _proof(self, said: str) -> str:
        told = f"commonplace cookie {said}".encode("utf-8", "replace")
        return hmac.new(self.token, told, hashlib.sha256).hexdigest()


class Door:
    """Lets a request in, or says why not: called by another name 421, from a foreign page 403, without a key 401, a
    body that is no JSON 415, one that is too large 413."""

    def __init__(self, app: ASGIApp, keys: Keys, names: frozenset[str]) -> None:
        self._app = app
        self._keys = keys
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        guarded = with_headers(send, scope["path"])
        refusal = self._refusal(scope, Headers(scope=scope))
        if refusal is None and scope["method"] in WRITES:
            body = await whole_body(receive)
            refusal = too_large() if body is None else None
            receive = body_again(body or b"", receive)
        await (refusal or self._app)(scope, receive, guarded)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        path, method = scope["path"], scope["method"]
        if not called_by(headers, self._names):
            return answer(problem("misdirected", "This server is not called by that name."))
        if is_foreign(headers, method, path):
            hint = "Open the page that `commonplace serve` shows, and use it there."
            return answer(problem("foreign_origin", "Pages of other origins may not ask this server.", hint))
        if path == ENTER and method == "GET":
            return self._enter(scope)
        if path in _DRAWING and method == "GET":
            return None
        if not (bears(headers, self._keys.token) or self._keys.fits(_cookie(headers, _cookie_name(scope)))):
            return _unknown(path)
        return not_json(headers) if method in WRITES else None

    def _enter(self, scope: Scope) -> Response:
        """A link that works once, turned into a cookie. The page then goes on by itself, so that our own page asks for
        the next one, whoever showed the link."""
        cookie = self._keys.redeem(QueryParams(scope["query_string"]).get("key", ""))
        if cookie is None:
            return _unknown(ENTER)
        response = HTMLResponse(_page('<p>Opening your memory. <a href="/">Go on</a></p>', "0; url=/"))
        name = _cookie_name(scope)
        response.set_cookie(
            name, cookie, _DAYS, path="/", httponly=True, samesite="strict", secure=scope.get("scheme") == "https"
        )
        return response


def is_foreign(headers: Headers, method: str, path: str) -> bool:
    """Whether another page made the browser ask. To go to one of our pages from anywhere is no harm."""
    host = headers.get("host", "").lower()
    if any(origin.lower() not in {f"http://{host}", f"https://{host}"} for origin in headers.getlist("origin")):
        return True
    if headers.get("sec-fetch-site") not in _FOREIGN:
        return False
    return not (headers.get("sec-fetch-mode") == "navigate" and method == "GET" and not path.startswith(_API))


def not_json(headers: Headers) -> Response | None:
    """A form of any page can send a body of three kinds without asking; JSON is none of them."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    empty = headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers
    if kind == "application/json" or (empty and not kind):
        return None
    return answer(problem("unsupported_media_type", "The body must be JSON.", "Send content-type: application/json."))


def too_large() -> Response:
    """That a body is larger than any may be."""
    return answer(problem("too_large", f"A body may have {LARGEST_BODY} bytes at most.", "Send less at once."))


def _unknown(path: str) -> Response:
    hint = "Open the link that `commonplace serve` prints, or send the header `Authorization: Bearer TOKEN`."
    if path.startswith(_API):
        return answer(problem("unauthorized", "This server does not know you.", hint))
    told = (
        '<img src="/icon.svg" alt="" width="34" height="34"><h1>This page does not know your browser</h1>'
        "<p>Run <code>commonplace serve</code> in a terminal, and open the link that it prints. Each link works once; "
        "a browser that opened one is known for 30 days.</p>"
    )
    return HTMLResponse(_page(told), 401, {"www-authenticate": "Bearer"})


def _page(body: str, refresh: str = "") -> str:
    again = f'<meta http-equiv="refresh" content="{escape(refresh)}">' if refresh else ""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Commonplace</title>{again}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/css/base.css">'
        '<link rel="stylesheet" href="/css/parts.css"></head>'
        f'<body><main class="main"><div class="page empty">{body}</div></main></body></html>'
    )


def _cookie_name(scope: Scope) -> str:
    """Cookies know no ports: two servers of one machine must not take each other's for their own."""
    server = scope.get("server")
    return f"commonplace_{server[1] if server else 0}"


def _cookie(headers: Headers, name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found else ""


async def whole_body(receive: Receive) -> bytes | None:
    """All of a body; None as soon as it is too large."""
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > LARGEST_BODY:
            return None
        if message["type"] != "http.request" or not message.get("more_body"):
            return body


def body_again(body: bytes, receive: Receive) -> Receive:
    """A body that was read, to be read once more; then whatever comes."""
    told: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return told.pop() if told else await receive()

    return next_message


def with_headers(send: Send, path: str) -> Send:
    """Every answer with what keeps browsers from misusing it."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            if path.startswith((_API, ENTER)):
                headers["cache-control"] = "no-store"
        await send(message)

    return guarded
