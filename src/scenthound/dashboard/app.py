"""The web application: addresses in, answers out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from scenthound.core.errors import InputError
from scenthound.core.page_numbers import foreign
from scenthound.dashboard.asked import Refused, asked_number, asked_text
from scenthound.dashboard.assets import Assets
from scenthound.dashboard.guard import Guard, refusal
from scenthound.dashboard.plain_values import Json
from scenthound.dashboard.searching import Wanted
from scenthound.dashboard.security import Access
from scenthound.dashboard.streams import MEDIA_TYPE, Streams, as_json
from scenthound.dashboard.views import ACTIONS, Views
from scenthound.distributed.roll import MOST_WORKERS

_POINTS, _MOST_POINTS = 200, 1_000
_ROWS, _MOST_ROWS = 50, 200
_LAST_PAGE = foreign(MOST_WORKERS, 2**32 - 1)
_WRONG_WAY = "this address is not asked in this way: read with GET, steer with POST."


class Dashboard:
    """Answers requests; see :func:`build_app`."""

    def __init__(self, views: Views, streams: Streams, assets: Assets, access: Access) -> None:
        self._views = views
        self._streams = streams
        self._assets = assets
        self._access = access

    async def index(self, request: Request) -> Response:
        """The page."""
        return HTMLResponse(await run_in_threadpool(self._assets.index, self._access.token))

    async def asset(self, request: Request) -> Response:
        """A file of the page."""
        found = await run_in_threadpool(self._assets.read, request.path_params["name"])
        if found is None:
            raise Refused(404, "there is no such file.")
        return Response(found[0], media_type=found[1], headers={"cache-control": "no-cache"})

    async def crawls(self, request: Request) -> Response:
        """All crawls."""
        return await _json(self._views.crawls)

    async def crawl(self, request: Request) -> Response:
        """One crawl."""
        return await _json(self._views.crawl, _id(request))

    async def curve(self, request: Request) -> Response:
        """Its curve."""
        points = asked_number(request.query_params, "points", _POINTS, 2, _MOST_POINTS)
        return await _json(self._views.curve, _id(request), points)

    async def pages(self, request: Request) -> Response:
        """Its pages."""
        given = request.query_params
        relevant = asked_number(given, "relevant", 0, 0, 1)
        wanted = Wanted.of(asked_text(given, "query"), relevant == 1)
        before = given.get("before", "")
        most = asked_number(given, "limit", _ROWS, 1, _MOST_ROWS)
        return await _json(self._views.pages, _id(request), wanted, before, most)

    async def page(self, request: Request) -> Response:
        """One of its pages."""
        number = asked_number(request.path_params, "n", 0, 1, _LAST_PAGE)
        return await _json(self._views.page, _id(request), number)

    async def order(self, request: Request) -> Response:
        """Pause, resume or stop it."""
        action = request.path_params["action"]
        if action not in ACTIONS:
            raise Refused(404, "a crawl can be told to pause, resume or stop.")
        return await _json(self._views.order, _id(request), action, status=202)

    async def events(self, request: Request) -> Response:
        """News of it as they come."""
        crawl = await run_in_threadpool(self._views.shown, _id(request))
        place = asked_number({"id": request.headers.get("last-event-id", "")}, "id", None, 0)
        if request.method == "HEAD":
            return Response(media_type=MEDIA_TYPE)
        return self._streams.open(crawl, place)


def build_app(
    views: Views,
    access: Access,
    closing: Callable[[], bool] = lambda: False,
    assets: Path | None = None,
) -> ASGIApp:
    """The application, guarded.

    Parameters
    ----------
    views : what it answers with.
    access : who may ask.
    closing : is the server about to end? Streams then end by themselves.
    assets : folder of the front end; by default the one in the package.
    """
    files = Assets() if assets is None else Assets(assets)
    told = Dashboard(views, Streams(views.told, closing), files, access)
    one = "/api/crawls/{id}"
    routes = [
        Route("/", told.index),
        Route("/assets/{name}", told.asset),
        Route("/api/crawls", told.crawls),
        Route(one, told.crawl),
        Route(f"{one}/curve", told.curve),
        Route(f"{one}/pages", told.pages),
        Route(f"{one}/pages/{{n}}", told.page),
        Route(f"{one}/events", told.events),
        Route(f"{one}/{{action}}", told.order, methods=["POST"]),
    ]
    handlers = {Refused: _refused, InputError: _unreadable, HTTPException: _http, Exception: _bug}
    return Guard(Starlette(routes=routes, exception_handlers=handlers), access)


async def _json(view: Callable[..., Json], *arguments: object, status: int = 200) -> Response:
    value = await run_in_threadpool(view, *arguments)
    return Response(as_json(value), status, media_type="application/json")


def _id(request: Request) -> str:
    return str(request.path_params["id"])


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return refusal(error.status, error.sentence)


async def _unreadable(request: Request, error: Exception) -> Response:
    return refusal(503, str(error))


async def _http(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 400
    return refusal(status, _WRONG_WAY if status == 405 else "there is nothing at this address.")


async def _bug(request: Request, error: Exception) -> Response:
    return refusal(500, "this is a fault of the dashboard; its terminal says more.")
