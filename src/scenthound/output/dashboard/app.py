"""The web application: routes, access control and the files of the front end."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

from jinja2 import Environment
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scenthound.core.errors import InputError
from scenthound.core.model import global_page_number
from scenthound.frontier.redis.workers import MAX_WORKERS
from scenthound.output.dashboard.crawl_list import CrawlList
from scenthound.output.dashboard.pages import PageQuery
from scenthound.output.dashboard.security import HEADERS, TOKEN_HEADER, Access, is_of_another_site
from scenthound.output.dashboard.values import ApiError, Json, number_param
from scenthound.output.dashboard.watched_crawl import WatchedCrawl

_ASSETS = Path(__file__).parent / "assets"
_INDEX = Path(__file__).parent / "index.html"


# Stands before the application: lets in who may come, and puts our headers on every answer.

_READ_METHODS = ("GET", "HEAD")
_API = "/api/"
_MAX_QUERY_BYTES = 4_000
_MISDIRECTED = "this name is not one of the dashboard's: open it at the address that was printed."
_CLOSED = "this dashboard needs its token: open it at the address that was printed, with ?token=."
_ELSEWHERE = "this request comes from a page of another site."
_PAGE = "<!doctype html><meta charset=utf-8><title>Scenthound</title><h1>Scenthound</h1><p>{}</p>"


class AccessControl:
    """An ASGI application in front of another one.

    Parameters
    ----------
    app : what is behind.
    access : who may come in.
    """

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on; uvicorn is set up without lifespan and websockets."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                stored = scope["path"].startswith("/assets/") and message["status"] == 200
                # Assets are checked every time, so that an upgrade shows; figures are not stored.
                headers.setdefault("cache-control", "no-cache" if stored else "no-store")
            await send(message)

        await (self._rejection_response(scope) or self._app)(scope, receive, with_headers)

    def _rejection_response(self, scope: Scope) -> Response | None:
        """Why a request is refused; None to accept it."""
        headers = _headers(scope)
        refused = self._rejection(scope, headers)
        if refused is None and self._access.closed:
            ticket = self._with_ticket(scope)
            if ticket is not None:
                return ticket
            refused = None if self._is_known(headers) else (403, _CLOSED)
        if refused is None:
            return None
        status, sentence = refused
        if "text/html" in headers.get("accept", "") and not _is_api(scope):  # for people
            return HTMLResponse(_PAGE.format(escape(sentence[:1].upper() + sentence[1:])), status)
        return error_response(status, sentence)

    def _rejection(self, scope: Scope, headers: Mapping[str, str]) -> tuple[int, str] | None:
        """Status and sentence for what nobody may ask, whatever he knows."""
        if not self._access.knows_host(headers.get("host")):
            return 421, _MISDIRECTED
        if len(scope["query_string"]) > _MAX_QUERY_BYTES:
            return 414, "this address is too long."
        if _is_api(scope) and is_of_another_site(headers):
            return 403, _ELSEWHERE
        reason = "" if scope["method"] in _READ_METHODS else self._access.rejects_change(headers)
        return (403, reason) if reason else None

    def _is_known(self, headers: Mapping[str, str]) -> bool:
        """Does the request carry the token, as a cookie or as a header?"""
        given = headers.get(TOKEN_HEADER)
        kept = _cookies(headers.get("cookie", ""), self._access.cookie)
        return any(map(self._access.is_token, [given] if given else kept))

    def _with_ticket(self, scope: Scope) -> Response | None:
        """Who comes with ``?token=`` gets the cookie, and goes on to the address without it."""
        pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = next((value for name, value in pairs if name == "token"), None)
        if scope["method"] not in _READ_METHODS or not self._access.is_token(given):
            return None
        rest = urlencode([(name, value) for name, value in pairs if name != "token"])
        path = "/" + scope["path"].lstrip("/")  # two slashes would lead to another host
        answer = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
        answer.set_cookie(
            self._access.cookie, self._access.token, httponly=True, samesite="strict", path="/"
        )
        return answer


def json_response(value: object, status: int = 200) -> Response:
    """A value as JSON: in ASCII, on one line, whatever strangers wrote into it."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return Response(text, status, media_type="application/json")


def error_response(status: int, sentence: str) -> Response:
    """An error as the front end reads it."""
    return json_response({"error": sentence}, status)


def _is_api(scope: Scope) -> bool:
    return str(scope["path"]).startswith(_API)


def _headers(scope: Scope) -> dict[str, str]:
    """The headers by name; none, so that nothing is let in, where one that decides is twice."""
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    once = ("host", "origin", TOKEN_HEADER)
    twice = any(len(found.get(name, ())) > 1 for name in once)
    return {} if twice else {name: "; ".join(values) for name, values in found.items()}


def _cookies(header: str, name: str) -> list[str]:
    """The values of a cookie. Others may be of any form: all of a host's programs share them."""
    pairs = (pair.strip().partition("=") for pair in header.split(";"))
    return [value for given, _, value in pairs if given == name]


_ROWS, _MOST_ROWS = 50, 200
_MAX_QUERY = 200
_LAST_PAGE = global_page_number(MAX_WORKERS, 2**32 - 1)
ACTIONS = ("pause", "resume", "stop")
View = Callable[[WatchedCrawl, Request], Json]
_WRONG_METHOD = "this address is not asked in this way: read with GET, steer with POST."


def build_app(crawls: CrawlList, access: Access) -> ASGIApp:
    """The application, behind access control.

    Parameters
    ----------
    crawls : what it shows.
    access : who may ask.
    """
    page = Environment(autoescape=True).from_string(_INDEX.read_text(encoding="utf-8"))
    index = page.render(token=access.token)  # which the buttons of the page send

    def route(path: str, view: View, method: str = "GET", status: int = 200) -> Route:
        """Views read files and may take a while: Starlette calls what is not async in threads."""

        def endpoint(request: Request) -> Response:
            answer = view(crawls.find(request.path_params["id"]), request)
            return json_response(answer, status)

        return Route(f"/api/crawls/{{id}}{path}", endpoint, methods=[method])

    routes = [
        Route("/", lambda request: HTMLResponse(index)),
        Mount("/assets", StaticFiles(directory=_ASSETS)),
        Route("/api/crawls", lambda request: json_response(crawls.overviews())),
        route("", lambda crawl, request: crawl.detail(crawls.now())),
        route("/curve", lambda crawl, request: crawl.curve()),
        route("/pages", _pages),
        route("/pages/{n}", _page),
        route("/{action}", _control, "POST", 202),
    ]
    handlers = dict.fromkeys((ApiError, InputError, HTTPException, Exception), _error)
    return AccessControl(Starlette(routes=routes, exception_handlers=handlers), access)


def _pages(crawl: WatchedCrawl, request: Request) -> Json:
    given = request.query_params
    words = given.get("query", "")
    if len(words) > _MAX_QUERY:
        raise ApiError(400, f"query takes at most {_MAX_QUERY} letters.")
    relevant = number_param(given, "relevant", 0, 0, 1) == 1
    query = PageQuery(tuple(words.casefold().split()), relevant)
    most = number_param(given, "limit", _ROWS, 1, _MOST_ROWS)
    return crawl.pages(query, given.get("before", ""), most)


def _page(crawl: WatchedCrawl, request: Request) -> Json:
    return crawl.page(number_param(request.path_params, "n", 0, 1, _LAST_PAGE))


def _control(crawl: WatchedCrawl, request: Request) -> Json:
    action = request.path_params["action"]
    if action not in ACTIONS:
        raise ApiError(404, "a crawl can pause, resume or stop.")
    return crawl.control(action)


async def _error(request: Request, error: Exception) -> Response:
    """The answer to an error; a fault of ours is in the log of the server."""
    if isinstance(error, ApiError):
        return error_response(error.status, error.sentence)
    if isinstance(error, InputError):
        return error_response(503, str(error))
    if isinstance(error, HTTPException):
        wrong = error.status_code == 405
        sentence = _WRONG_METHOD if wrong else "there is nothing at this address."
        return error_response(error.status_code, sentence)
    return error_response(500, "this is a fault of the dashboard; its terminal says more.")
