"""Runs a live crawl with somebody watching, and tells an error in the middle of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol

from scenthound.api.advice import command
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
from scenthound.store.folder import CrawlFolder


class Work(Protocol):
    """A crawl that is yet to be run."""

    def __call__(self, *, watcher: Watcher, warn: Warn) -> Run:
        """Run it."""


def run_watched(
    work: Work, heading: Heading, quiet: bool, log_level: str | None, resumable: bool = True
) -> Run:
    """The run that ``work`` comes to.

    An error before anything has happened is bad input and raised on; one in the middle of the
    crawl is told, with how to go on, and ends the command with code 1. What nobody expected is
    raised on, after a word on the folder. Nothing is said of going on with a crawl that is not
    ``resumable``.
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
        say_error(_with_advice(str(error), heading.folder, resumable))
        raise ToldExit(1) from None
    except Exception:
        if resumable and _holds_crawl(heading.folder):
            say_error(
                f"nobody expected this; the crawl in {heading.folder} is consistent. Go on with: "
                f"{command('resume', heading.folder)}"
            )
        raise


def _with_advice(message: str, folder: str, resumable: bool) -> str:
    """The message, and how to go on unless it says so or there is nothing to go on with."""
    told = "resume" in message.replace(folder, "")
    if told or not resumable or not _holds_crawl(folder):
        return message
    return f"{message} Then go on with: {command('resume', folder)}"


def _holds_crawl(folder: str) -> bool:
    """A crawl that failed before it began has left nothing."""
    return os.path.isfile(CrawlFolder(Path(folder)).order_path)


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
