"""Stands before the application: lets in who may come, and puts our headers on every answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import MutableHeaders
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scenthound.dashboard.security import HEADERS, TOKEN_HEADER, Access, is_of_another_site

_READING = ("GET", "HEAD")
_API = "/api/"
_LONGEST_QUERY = 4_000
_MISDIRECTED = "this name is not one of the dashboard's: open it at the address that was printed."
_CLOSED = "this dashboard needs its token: open it at the address that was printed, with ?token=."
_ELSEWHERE = "this request comes from a page of another site."
_PAGE = "<!doctype html><meta charset=utf-8><title>Scenthound</title><h1>Scenthound</h1><p>{}</p>"

Refusal = tuple[int, str]


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

        await (self._answer(scope) or self._app)(scope, receive, with_headers)

    def _answer(self, scope: Scope) -> Response | None:
        """What is said instead of letting somebody in; None to let him in."""
        headers = _headers(scope)
        refused = self._refuses(scope, headers)
        if refused is None and self._access.closed:
            ticket = self._with_ticket(scope)
            if ticket is not None:
                return ticket
            refused = None if self._is_known(headers) else (403, _CLOSED)
        if refused is None:
            return None
        for_people = "text/html" in headers.get("accept", "") and not _is_api(scope)
        return (_page if for_people else refusal)(*refused)

    def _refuses(self, scope: Scope, headers: Mapping[str, str]) -> Refusal | None:
        """Status and sentence for what nobody may ask, whatever he knows."""
        if not self._access.knows_host(headers.get("host")):
            return 421, _MISDIRECTED
        if len(scope["query_string"]) > _LONGEST_QUERY:
            return 414, "this address is too long."
        if _is_api(scope) and is_of_another_site(headers):
            return 403, _ELSEWHERE
        reason = "" if scope["method"] in _READING else self._access.refuses_change(headers)
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
        if scope["method"] not in _READING or not self._access.is_token(given):
            return None
        rest = urlencode([(name, value) for name, value in pairs if name != "token"])
        path = "/" + scope["path"].lstrip("/")  # two slashes would lead to another host
        answer = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
        answer.set_cookie(
            self._access.cookie, self._access.token, httponly=True, samesite="strict", path="/"
        )
        return answer


def refusal(status: int, sentence: str) -> Response:
    """An error as the front end reads it."""
    return Response(json.dumps({"error": sentence}), status, media_type="application/json")


def _page(status: int, sentence: str) -> Response:
    """An error as people read it."""
    return HTMLResponse(_PAGE.format(escape(sentence[:1].upper() + sentence[1:])), status)


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
