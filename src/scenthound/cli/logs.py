"""What Scrapy, Twisted and this program log, shown on request."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from scenthound.cli.screen import notices, plain
from scenthound.core.errors import UnknownNameError

LEVELS = ("debug", "info", "warning", "error", "critical")
_LOGGERS = ("scenthound", "scrapy", "twisted")


@contextmanager
def logs_shown(level: str | None) -> Iterator[None]:
    """Log to stderr from this level on while this lasts; None shows nothing.

    UnknownNameError for a level that there is not.
    """
    if level is None:
        yield
        return
    handler = _Handler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    loggers = [(logger := logging.getLogger(name), logger.level) for name in _LOGGERS]
    for logger, _ in loggers:
        logger.setLevel(_number(level))
        logger.addHandler(handler)
    try:
        yield
    finally:
        for logger, before in loggers:
            logger.setLevel(before)
            logger.removeHandler(handler)


class _Handler(logging.Handler):
    """Prints as everything else is printed, above a view that is being redrawn."""

    def emit(self, record: logging.LogRecord) -> None:
        notices().print(plain(self.format(record)), style="dim", soft_wrap=True)


def _number(level: str) -> int:
    if level.lower() not in LEVELS:
        raise UnknownNameError("--log-level", level, LEVELS)
    return logging.getLevelNamesMapping()[level.upper()]
