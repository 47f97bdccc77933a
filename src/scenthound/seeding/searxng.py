"""A SearXNG server as a search provider: https://docs.searxng.org/dev/search_api.html."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import urlencode

from scenthound.core.errors import MalformedUrlError, SettingsError
from scenthound.core.urls import canonical
from scenthound.live.errands import Fetched, Unfetched
from scenthound.seeding.found import Found, SearchError, found_at

NAME = "searxng"
MOST_PAGES = 10
"""Pages of results asked for a query."""
_JSON_OFF = "it gives no JSON; its settings.yml needs 'json' among the formats under 'search'"
_MEANING = {
    "status 401": "status 401; give --auth HOST=USER:PASSWORD",
    "status 429": "status 429, it has been asked too often; wait, or take another server",
}
_MOST_ENGINES = 5
_LONGEST_REASON = 60


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
        self._gives_json = False

    def search(self, query: str, count: int) -> Iterator[Found]:
        """Up to ``count`` results, as they come.

        SearchError where the server is down, tells us to wait, or speaks no JSON.
        """
        seen: set[str] = set()
        for number in range(1, MOST_PAGES + 1):
            before = len(seen)
            for each in self._page(query, number, before):
                if each.url not in seen and len(seen) < count:
                    seen.add(each.url)
                    yield each
            if len(seen) >= count or len(seen) == before:
                return

    def _page(self, query: str, number: int, before: int) -> Iterator[Found]:
        asked = {"q": query, "format": "json", "pageno": str(number)}
        if self._language:
            asked["language"] = self._language
        for rank, result in enumerate(self._results(asked, number), start=before + 1):
            found = found_at(
                result.get("url"), NAME, result.get("title"), result.get("content"), rank,
                result.get("publishedDate"),
            )  # fmt: skip
            if found is not None:
                yield found

    def _results(self, asked: Mapping[str, str], number: int) -> list[dict[str, object]]:
        answer = self._call(f"{self._search}?{urlencode(asked)}")
        if isinstance(answer, Unfetched):
            raise self._error(self._why(answer.reason))
        parsed = self._parsed(answer)
        results = parsed.get("results")
        if not isinstance(results, list):
            raise self._error("its answer has no results in it")
        self._gives_json = True
        silent = _silent_engines(parsed)
        if not results and number == 1 and silent:
            raise self._error(f"its engines do not answer: {silent}")
        return [result for result in results if isinstance(result, dict)]

    def _parsed(self, answer: Fetched) -> dict[str, object]:
        try:
            parsed = json.loads(answer.body)
        except (ValueError, RecursionError):
            is_page = answer.body.lstrip()[:1] == b"<"
            raise self._error(_JSON_OFF if is_page else "its answer is no JSON") from None
        return parsed if isinstance(parsed, dict) else {}

    def _why(self, reason: str) -> str:
        if reason == "status 403" and not self._gives_json:
            return _JSON_OFF
        return _MEANING.get(reason, reason)

    def _error(self, reason: str) -> SearchError:
        return SearchError(f"SearXNG at {self._search} cannot be asked: {reason}")


def server_address(server: str) -> str:
    """The canonical address of a server, with ``/`` at the end; SettingsError where it is none."""
    try:
        address = canonical(server).partition("?")[0]
    except MalformedUrlError as error:
        raise SettingsError(
            f"--searxng: {error}; give the address of a server, such as https://searx.example.org."
        ) from None
    return address.removesuffix("/").removesuffix("/search") + "/"


def _silent_engines(answer: Mapping[str, object]) -> str:
    """The engines that the server itself had no answer from, with the reasons it gives."""
    listed = answer.get("unresponsive_engines")
    told = []
    for each in listed[:_MOST_ENGINES] if isinstance(listed, list) else ():
        words = [part for part in each if isinstance(part, str)] if isinstance(each, list) else []
        if words:
            reason = f" ({words[1][:_LONGEST_REASON]})" if len(words) > 1 else ""
            told.append(f"{words[0][:_LONGEST_REASON]}{reason}")
    return ", ".join(told)
