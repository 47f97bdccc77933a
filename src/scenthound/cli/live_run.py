"""Runs a live crawl with somebody watching, and tells an error in the middle of it."""

from __future__ import annotations

from typing import Protocol

from scenthound.cli.ending import ToldExit
from scenthound.cli.live_state import Heading
from scenthound.cli.live_view import watching
from scenthound.cli.logs import logs_shown
from scenthound.cli.screen import notices, say_error, say_warning
from scenthound.core.errors import InputError
from scenthound.core.events import Event
from scenthound.experiments.result import Run
from scenthound.experiments.topic_reading import Warn
from scenthound.live.status import Status, Watcher


class Work(Protocol):
    """A crawl that is yet to be run."""

    def __call__(self, *, watcher: Watcher, warn: Warn) -> Run:
        """Run it."""


def run_watched(work: Work, heading: Heading, quiet: bool, log_level: str | None) -> Run:
    """The run that ``work`` comes to.

    An error before anything has happened is bad input and raised on; one in the middle of the
    crawl is told, with how to go on, and ends the command with code 1.
    """
    begun = _Begun()
    try:
        logging = log_level is not None
        with logs_shown(log_level), watching(heading, notices(), quiet, logging) as watcher:
            begun.watcher = watcher
            return work(watcher=begun, warn=_ignored if quiet else say_warning)
    except InputError as error:
        if not begun.yes:
            raise
        say_error(f"{error} Then go on with: scenthound resume {heading.folder}")
        raise ToldExit(1) from None


class _Begun:
    """Passes on what it sees, and knows whether it has seen anything."""

    def __init__(self) -> None:
        self.watcher: Watcher | None = None
        self.yes = False

    def saw(self, event: Event) -> None:
        self.yes = True
        if self.watcher is not None:
            self.watcher.saw(event)

    def look(self, status: Status) -> None:
        if self.watcher is not None:
            self.watcher.look(status)


def _ignored(message: str) -> None:
    del message
