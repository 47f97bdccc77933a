"""A SearXNG server as a search provider: https://docs.searxng.org/dev/search_api.html."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from urllib.parse import urlencode

from scenthound.core.errors import MalformedUrlError, SettingsError
from scenthound.core.urls import canonical
from scenthound.live.errands import Fetched, Unfetched
from scenthound.seeding.found import Found, SearchError, found_at

NAME = "searxng"
MOST_PAGES = 10
"""Pages of results asked for a query."""
_JSON_OFF = "it gives no JSON; its settings.yml needs 'json' among the formats under 'search'"


class Searxng:
    """Asks a server for its JSON results, page by page.

    Parameters
    ----------
    server : its address, such as ``https://searx.example.org``, with or without ``/search``.
    call : fetches a URL.
    language : of the results, as a code; empty for the server's own choice.

    Raises
    ------
    SettingsError
        The address is none.
    """

    name = NAME

    def __init__(
        self, server: str, call: Callable[[str], Fetched | Unfetched], language: str = ""
    ) -> None:
        self._search = f"{server_address(server)}search"
        self._call = call
        self._language = language

    def search(self, query: str, count: int) -> list[Found]:
        """Up to ``count`` results; SearchError where the server is down or speaks no JSON."""
        found: dict[str, Found] = {}
        for number in range(1, MOST_PAGES + 1):
            before = len(found)
            for each in self._page(query, number, len(found)):
                found.setdefault(each.url, each)
            if len(found) >= count or len(found) == before:
                break
        return list(found.values())[: max(0, count)]

    def _page(self, query: str, number: int, before: int) -> Iterator[Found]:
        asked = {"q": query, "format": "json", "pageno": str(number)}
        if self._language:
            asked["language"] = self._language
        answer = self._call(f"{self._search}?{urlencode(asked)}")
        if isinstance(answer, Unfetched):
            reason = _JSON_OFF if answer.reason == "status 403" else answer.reason
            raise SearchError(f"SearXNG at {self._search} cannot be asked: {reason}")
        for rank, result in enumerate(_results(answer, self._search), start=before + 1):
            found = found_at(
                result.get("url"), NAME, result.get("title"), result.get("content"), rank,
                result.get("publishedDate"),
            )  # fmt: skip
            if found is not None:
                yield found


def server_address(server: str) -> str:
    """The canonical address of a server, with ``/`` at the end; SettingsError where it is none."""
    try:
        address = canonical(server).partition("?")[0]
    except MalformedUrlError as error:
        raise SettingsError(
            f"--searxng: {error}; give the address of a server, such as https://searx.example.org."
        ) from None
    return address.removesuffix("/").removesuffix("/search") + "/"


def _results(answer: Fetched, where: str) -> list[dict[str, object]]:
    try:
        parsed = json.loads(answer.body)
    except (ValueError, RecursionError):
        is_page = answer.body.lstrip()[:1] == b"<"
        reason = _JSON_OFF if is_page else "its answer is no JSON"
        raise SearchError(f"SearXNG at {where} cannot be asked: {reason}") from None
    results = parsed.get("results") if isinstance(parsed, dict) else None
    if not isinstance(results, list):
        raise SearchError(f"SearXNG at {where} cannot be asked: its answer has no results in it")
    return [result for result in results if isinstance(result, dict)]
