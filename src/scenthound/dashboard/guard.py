"""Stands before the application: lets in who may come, and puts our headers on every answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scenthound.dashboard.security import HEADERS, TOKEN_HEADER, Access

_READING = ("GET", "HEAD")
_LONGEST_QUERY = 4_000
_MISDIRECTED = "this name is not one of the dashboard's: open it at the address that was printed."
_CLOSED = "this dashboard needs its token: open it at the address that was printed, with ?token=."


class Guard:
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
        """Answer a request, or pass it on."""
        if scope["type"] != "http":
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        answer = self._answer(scope)
        await (answer or self._app)(scope, receive, with_headers)

    def _answer(self, scope: Scope) -> Response | None:
        """What is said instead of letting somebody in; None to let him in."""
        method, query = scope["method"], scope["query_string"]
        headers = _headers(scope)
        if headers is None or not self._access.knows_host(headers.get("host")):
            return refusal(421, _MISDIRECTED)
        if len(query) > _LONGEST_QUERY:
            return refusal(414, "this address is too long.")
        if method not in _READING:
            reason = self._access.refuses_change(headers)
            if reason:
                return refusal(403, reason)
        if not self._access.closed:
            return None
        ticket = self._with_ticket(scope, method)
        return ticket if ticket or self._is_known(headers) else refusal(403, _CLOSED)

    def _is_known(self, headers: Mapping[str, str]) -> bool:
        """Does the request carry the token, as a cookie or as a header?"""
        given = headers.get(TOKEN_HEADER) or _cookie(headers, self._access.cookie)
        return self._access.is_token(given)

    def _with_ticket(self, scope: Scope, method: str) -> Response | None:
        """Who comes with ``?token=`` gets the cookie, and goes on to the address without it."""
        pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = next((value for name, value in pairs if name == "token"), None)
        if method not in _READING or not self._access.is_token(given):
            return None
        rest = urlencode([(name, value) for name, value in pairs if name != "token"])
        path = "/" + scope["path"].lstrip("/")  # two slashes would lead to another host
        answer = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
        answer.set_cookie(
            self._access.cookie, self._access.token, httponly=True, samesite="strict", path="/"
        )
        return answer


def refusal(status: int, sentence: str) -> Response:
    """An error as the front end and people read it."""
    return Response(json.dumps({"error": sentence}), status, media_type="application/json")


def _headers(scope: Scope) -> dict[str, str] | None:
    """The headers by name; None where one that decides is there twice."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        if key in found and key in ("host", "origin", TOKEN_HEADER):
            return None
        found[key] = value.decode("latin-1")
    return found


def _cookie(headers: Mapping[str, str], name: str) -> str | None:
    try:
        jar = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return None
    return jar[name].value if name in jar else None
