"""Why there is no answer: each error of Twisted and Scrapy has its reason."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from OpenSSL import SSL
from scrapy.core.downloader.handlers.http11 import TunnelError
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
)
from twisted.internet.error import ConnectError, ConnectionLost, NoRouteError
from twisted.python.failure import Failure
from twisted.web._newclient import ConnectionAborted
from twisted.web.client import ResponseFailed, ResponseNeverReceived

from live.part_building import NoJitter, candidate
from scenthound.live.failures import explain
from scenthound.live.retries import Retries


def caused(error: BaseException, cause: BaseException) -> BaseException:
    error.__cause__ = cause
    return error


def wrapped(kind: Callable[..., BaseException], *errors: BaseException) -> BaseException:
    """As Twisted wraps what went wrong with an answer."""
    failure: Callable[..., object] = Failure
    return kind([failure(error) for error in errors])


no_way: Callable[..., BaseException] = ConnectError
no_route: Callable[..., BaseException] = NoRouteError
NO_WAY, NO_ROUTE = no_way("no way"), no_route("no route")
TLS = SSL.Error([("SSL routines", "", "certificate verify failed")])
CASES: list[tuple[BaseException, str, bool]] = [
    (DownloadTimeoutError("took longer than 5 s"), "timeout", True),
    (CannotResolveHostError("x.test"), "host not found", True),
    (DownloadConnectionRefusedError("111"), "connection refused", True),
    (DownloadCancelledError("larger than 9"), "too large", False),
    (NO_WAY, "no connection", True),
    (NO_ROUTE, "no connection", True),
    (caused(DownloadFailedError("x"), NO_ROUTE), "no connection", True),
    (wrapped(ResponseFailed, ConnectionAborted()), "headers too large", False),
    (
        caused(DownloadFailedError("x"), wrapped(ResponseFailed, ConnectionAborted())),
        "headers too large",
        False,
    ),
    (
        wrapped(ResponseNeverReceived, TLS),
        "TLS error: certificate verify failed",
        False,
    ),
    (SSL.Error(), "TLS error: Error", False),
    (TunnelError("[{'status': 502}]"), "the proxy opens no tunnel for https", True),
    (wrapped(ResponseFailed, ConnectionLost("cut")), "broken answer:", True),
    (DownloadFailedError("half  an\nanswer"), "broken answer: half an answer", True),
    (DownloadFailedError(), "broken answer: DownloadFailedError", True),
    (ValueError("of another kind"), "ValueError: of another kind", True),
    (ValueError(), "ValueError: ValueError", True),
    (RuntimeError("x" * 500), f"RuntimeError: {'x' * 120}", True),
]


@pytest.mark.parametrize(("error", "reason", "again"), CASES)
def test_reasons(error: BaseException, reason: str, again: bool) -> None:
    told, worth = explain(error)
    assert told.startswith(reason)
    assert worth is again
    assert len(told) <= 160 and told.isprintable()


def test_errors_that_cause_each_other_end() -> None:
    other = DownloadFailedError("other")
    one = wrapped(ResponseFailed, other)
    other.__cause__ = one
    assert explain(one) == ("broken answer: other", True)


# again, later


def retries(most: int) -> Retries:
    return Retries(most, 30.0, NoJitter())


@pytest.mark.parametrize(
    ("attempts", "at"), [(0, 130.0), (1, 160.0), (2, 220.0), (3, None), (4, None)]
)
def test_a_url_is_tried_again_later_and_later(attempts: int, at: float | None) -> None:
    assert retries(3).at(candidate("a/1", attempts=attempts), 100.0, True) == at


def test_what_will_not_go_better_is_not_tried_again() -> None:
    assert retries(3).at(candidate("a/1"), 100.0, False) is None
    assert retries(0).at(candidate("a/1"), 100.0, True) is None


@pytest.mark.parametrize(("least", "at"), [(10.0, 130.0), (500.0, 600.0)])
def test_a_server_may_ask_for_more_time(least: float, at: float) -> None:
    assert retries(3).at(candidate("a/1"), 100.0, True, least) == at


def test_waits_are_at_most_an_hour_and_spread() -> None:
    many = Retries(99, 30.0, random.Random(1))
    waits = {many.pause(candidate("a/1", attempts=20)) for _ in range(50)}
    assert len(waits) > 40
    assert all(1_800.0 < wait <= 3_600.0 for wait in waits)
