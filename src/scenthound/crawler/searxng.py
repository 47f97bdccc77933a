"""Search for seeds by a SearXNG server (https://docs.searxng.org/dev/search_api.html)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import urlencode

from scenthound.core.errors import MalformedUrlError, SettingsError
from scenthound.core.urls import canonical
from scenthound.crawler.seed_search import SearchError, SearchResult, search_result
from scenthound.fetch.fetcher import FetchedUrl, FetchFailure

SEARXNG = "searxng"

MAX_RESULT_PAGES = 10
"""Pages of results requested for a query."""

_JSON_OFF = "it gives no JSON; its settings.yml needs 'json' among the formats under 'search'"

_MEANING = {
    "status 401": "status 401; give --auth HOST=USER:PASSWORD",
    "status 429": "status 429, it has been asked too often; wait, or take another server",
}

_MAX_ENGINES = 5

_LONGEST_REASON = 60


class Searxng:
    """A SearXNG server, which returns its results as JSON, page by page.

    Parameters
    ----------
    server : its address, such as ``https://searx.example.org``, with or without ``/search``.
    call : fetches a URL.
    language : of the results, as a code; empty for the server's own choice.
    """

    name = SEARXNG

    def __init__(
        self, server: str, call: Callable[[str], FetchedUrl | FetchFailure], language: str = ""
    ) -> None:
        self._search = f"{server_address(server)}search"
        self._call = call
        self._language = language
        self._gives_json = False

    def search(self, query: str, count: int) -> Iterator[SearchResult]:
        """Yield up to ``count`` results, as they come.

        SearchError where the server is down, asks for a pause, or gives no JSON.
        """
        seen: set[str] = set()
        for number in range(1, MAX_RESULT_PAGES + 1):
            before = len(seen)
            for rank, result in enumerate(self._page(query, number), start=before + 1):
                found = search_result(
                    result.get("url"), SEARXNG, result.get("title"), result.get("content"), rank,
                    result.get("publishedDate"),
                )  # fmt: skip
                if found is not None and found.url not in seen and len(seen) < count:
                    seen.add(found.url)
                    yield found
            # A page without new results is the last one: engines may repeat it for every number.
            if len(seen) >= count or len(seen) == before:
                return

    def _page(self, query: str, number: int) -> list[dict[str, object]]:
        """Fetch one page of results, as the server returns it."""
        parameters = {"q": query, "format": "json", "pageno": str(number)}
        if self._language:
            parameters["language"] = self._language
        answer = self._call(f"{self._search}?{urlencode(parameters)}")
        if isinstance(answer, FetchFailure):
            # SearXNG answers 403 to a format that is switched off. A server that has given JSON
            # before means something else by it.
            off = answer.reason == "status 403" and not self._gives_json
            raise self._error(_JSON_OFF if off else _MEANING.get(answer.reason, answer.reason))
        parsed = self._parsed(answer)
        results = parsed.get("results")
        if not isinstance(results, list):
            raise self._error("its answer has no results in it")
        self._gives_json = True
        silent = _silent_engines(parsed)
        if not results and number == 1 and silent:
            raise self._error(f"its engines do not answer: {silent}")
        return [result for result in results if isinstance(result, dict)]

    def _parsed(self, answer: FetchedUrl) -> dict[str, object]:
        """Parse the JSON of a response; HTML instead means that JSON is switched off."""
        try:
            parsed = json.loads(answer.body)
        except (ValueError, RecursionError):
            is_page = answer.body.lstrip()[:1] == b"<"
            raise self._error(_JSON_OFF if is_page else "its answer is no JSON") from None
        return parsed if isinstance(parsed, dict) else {}

    def _error(self, reason: str) -> SearchError:
        return SearchError(f"SearXNG at {self._search} cannot be asked: {reason}")


def server_address(server: str) -> str:
    """Return the canonical address of a server, with ``/`` at the end."""
    try:
        address = canonical(server).partition("?")[0]
    except MalformedUrlError as error:
        raise SettingsError(
            f"--searxng: {error}; give the address of a server, such as https://searx.example.org."
        ) from None
    return address.removesuffix("/").removesuffix("/search") + "/"


def _silent_engines(answer: Mapping[str, object]) -> str:
    """Return the engines that did not respond to the server, with the reasons it gives."""
    listed = answer.get("unresponsive_engines")
    engines = []
    for each in listed[:_MAX_ENGINES] if isinstance(listed, list) else ():
        words = [part for part in each if isinstance(part, str)] if isinstance(each, list) else []
        if words:
            reason = f" ({words[1][:_LONGEST_REASON]})" if len(words) > 1 else ""
            engines.append(f"{words[0][:_LONGEST_REASON]}{reason}")
    return ", ".join(engines)
