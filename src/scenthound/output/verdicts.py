"""The one sentence that says where a URL stands."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from scenthound.frontier.sqlite_reader import (
    AT_REST,
    FREE_NOW,
    HAD_ITS_SHARE,
    IS_BUSY,
    IS_SPENT,
    RETRYING,
    SET_ASIDE,
    UNDER_WAY,
)
from scenthound.output.explanation import FoundLink, FrontierPlace, UrlEvent, describe_reason

_HOSTS = {
    FREE_NOW: "its host may be asked now",
    IS_BUSY: "its host is being asked for other pages",
    HAD_ITS_SHARE: "its host has had its share, so that others go first",
    IS_SPENT: "its host has had all the pages it may have",
}

_DRAWN = "the next one is drawn, each as likely as another"

_NOT_RUNNING = "the crawl is not running"

_ON_A_SERVER = "what waited is on the server that the workers shared"

_OTHERS = "other workers of the crawl may know it: explain the folder that holds those of all"


def format_time(at: float) -> str:
    """A time of the crawl's clock, in UTC."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def waits(
    state: str,
    place: FrontierPlace,
    history: Sequence[UrlEvent],
    *,
    is_seed: bool,
    drawn: bool,
    running: bool,
) -> str:
    """Of a URL that is in the frontier and is not dealt with.

    ``drawn`` says that the strategy draws any URL, so that none is better than another.
    """
    if state == SET_ASIDE:
        return f"set aside: its host {place.host} has had {place.host_had} pages, all it may have"
    if state == UNDER_WAY:
        ended = "it was being fetched when the crawl ended and waits again once that is resumed"
        return "being fetched now" if running else ended
    first = _again(place, history) if state == RETRYING else "waits"
    order = "seeds go before all others" if is_seed else _DRAWN if drawn else _rank(place)
    return f"{first}; {order}; {_host(place) if running else _NOT_RUNNING}"


def _again(place: FrontierPlace, history: Sequence[UrlEvent]) -> str:
    reasons = [each.reason for each in history if each.event == "failed"]
    why = f" ({reasons[-1]})" if reasons else ""
    due = "" if place.due is None else f" and is tried again at {format_time(place.due)}"
    return f"failed {_times(place.attempts)}{why}{due}"


def _rank(place: FrontierPlace) -> str:
    if not place.better:
        return f"it is the best of {place.waiting:,} that wait"
    better = "1 is better" if place.better == 1 else f"{place.better:,} are better"
    return f"of {place.waiting:,} that wait {better}, {place.better_on_host:,} on its own host"


def _host(place: FrontierPlace) -> str:
    if place.host_state == AT_REST and place.host_until is not None:
        return f"its host rests until {format_time(place.host_until)}"
    return _HOSTS.get(place.host_state, "nothing of its host may be asked for now")


def refused(event: UrlEvent) -> str:
    """Of a URL that was not to be fetched when its turn came."""
    return f"not fetched when its turn came: {describe_reason(event.reason)}"


def given_up(event: UrlEvent) -> str:
    """Of a URL that never answered."""
    return f"given up after {_attempts(event.attempts)}: {event.reason.rstrip('.')}"


def redirects(event: UrlEvent, target: str) -> str:
    """Of a URL that leads elsewhere; ``target`` says where the other one stands."""
    state = f" ({target})" if target else ""
    return f"redirects to {event.target}{state}: {event.reason}"


def dropped(number: int, reason: str) -> str:
    """Of a URL that a page event names among the links it dropped."""
    return f"page {number:,} links to it, and the link was not queued: {describe_reason(reason)}"


def other_name(number: int, url: str) -> str:
    """Of a URL that was closed together with a page that calls it its own."""
    return f"not fetched: page {number:,}, {url}, says that this is its own address"


def unlinked(cut: int, unread: int) -> str:
    """Of a URL that no stored page links to.

    ``cut`` of them have more links than are read, ``unread`` cannot be read any more.
    """
    limits = [f"{cut:,} of them with too many"] * bool(cut)
    limits += [f"{unread:,} of them cannot be read any more"] * bool(unread)
    but = f", as far as their links were read ({', '.join(limits)})" if limits else ""
    return f"no page fetched so far links to it{but}"


def linked(found: Sequence[FoundLink], is_live: bool, keeps_waiting: bool = True) -> str:
    """Of a URL that the crawl does not have, and stored pages link to.

    Parameters
    ----------
    found : the links.
    is_live : was it a crawl of the live web?
    keeps_waiting : does the folder of such a crawl say what waits?
    """
    reason = next((each.reason for each in found if each.reason), "")
    if reason:
        return f"page {found[0].page} links to it, and the link was not queued: {reason}"
    if is_live and not keeps_waiting:
        return f"page {found[0].page} links to it; it was not fetched, and {_ON_A_SERVER}"
    if is_live:
        return f"page {found[0].page} links to it, and the journal does not say why it is not known"
    return (
        f"page {found[0].page} links to it; it was not fetched, and the replay has not kept what "
        "waited"
    )


def of_a_worker(verdict: str) -> str:
    """Of a URL that the folder of one worker knows nothing of, or little."""
    return f"{verdict}; {_OTHERS}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _attempts(count: int) -> str:
    return "one attempt" if count == 1 else f"{count} attempts"
