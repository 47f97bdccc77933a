"""The rules for addresses of a live crawl: no traps, no session ids, nobody's private network."""

from __future__ import annotations

from scenthound.core.addresses import refusal
from scenthound.core.protocols import State
from scenthound.core.traps import SeriesLimit, trap, without_session
from scenthound.core.urls import host_of


class LiveRules:
    """Which addresses may be followed.

    Parameters
    ----------
    year : the present year; calendars far from it are not followed.
    allow_private : may private addresses be followed?
    """

    def __init__(self, year: int, allow_private: bool) -> None:
        self._year = year
        self._allow_private = allow_private
        self._series = SeriesLimit()

    def clean(self, url: str) -> str:
        """The URL without a session id."""
        return without_session(url)

    def refusal(self, url: str) -> str | None:
        """Why a URL is not followed."""
        if not self._allow_private and (reason := refusal(host_of(url))) is not None:
            return reason
        return trap(url, self._year) or self._series.admit(url)

    def state(self) -> State:
        """The counts of calendars."""
        return {"series": [list(pair) for pair in self._series.state()]}

    def restore(self, state: State) -> None:
        """Count on."""
        series = state["series"]
        assert isinstance(series, list)
        self._series.restore([[str(item) for item in pair] for pair in series])  # type: ignore[union-attr]
