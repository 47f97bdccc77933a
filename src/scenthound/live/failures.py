"""Why there is no answer, in words, and whether it may go better later."""

from __future__ import annotations

from scrapy.core.downloader.handlers.http11 import TunnelError
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
)
from twisted.internet.error import ConnectError
from twisted.web._newclient import ConnectionAborted
from twisted.web.client import ResponseFailed

from scenthound.live.reasons import NO_CONNECTION, NO_HOST, REFUSED, TIMEOUT, TOO_LARGE

_REASONS: tuple[tuple[type[BaseException], str, bool], ...] = (
    (ConnectionAborted, "headers too large", False),  # nothing else aborts: see handler
    (DownloadTimeoutError, TIMEOUT, True),
    (CannotResolveHostError, NO_HOST, True),
    (DownloadConnectionRefusedError, REFUSED, True),
    (DownloadCancelledError, TOO_LARGE, False),
    (ConnectError, NO_CONNECTION, True),
)


def explain(error: BaseException) -> tuple[str, bool]:
    """The reason for the journal, and whether the URL is worth another try.

    A failure that wraps others (a TLS error, say) is told by the innermost one.
    """
    for cause in _causes(error):
        for kind, reason, again in _REASONS:
            if isinstance(cause, kind):
                return reason, again
        if type(cause).__module__.startswith("OpenSSL"):
            return f"TLS error: {_tls_words(cause)}", False
        if isinstance(cause, TunnelError):
            return "the proxy opens no tunnel for https", True
    if isinstance(error, DownloadFailedError | ResponseFailed):
        return f"broken answer: {_words(_causes(error)[-1])}", True
    return f"{type(error).__name__}: {_words(error)}", True


def _causes(error: BaseException) -> list[BaseException]:
    """The error and what lies behind it, outermost first."""
    found: list[BaseException] = []
    waiting = [error]
    while waiting and len(found) < 20:
        each = waiting.pop(0)
        if each in found:
            continue
        found.append(each)
        waiting += [
            reason.value
            for reason in getattr(each, "reasons", None) or ()
            if getattr(reason, "value", None) is not None
        ]
        if each.__cause__ is not None:
            waiting.append(each.__cause__)
    return found


def _tls_words(error: BaseException) -> str:
    """OpenSSL's errors are rows of library, function and reason: the reasons alone."""
    rows = error.args[0] if error.args and isinstance(error.args[0], list) else []
    reasons = [str(row[-1]) for row in rows if isinstance(row, tuple) and row]
    return ", ".join(reasons)[:120] or _words(error)


def _words(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return (text or type(error).__name__)[:120]
