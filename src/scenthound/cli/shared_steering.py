"""Pause, resume and stop all the workers of a crawl on a server."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from scenthound import api
from scenthound.cli.screen import notices, plain, say_warning
from scenthound.cli.shared_options import OnServer
from scenthound.core.errors import SettingsError
from scenthound.distributed.overview import Overview
from scenthound.distributed.roll import ERROR, LOST
from scenthound.settings import CrawlValue

STOP_SECONDS = 30.0
_POLL_SECONDS = 0.5
_FOR_ALL = ("max_pages", "max_time")


def pause_shared(shared: OnServer) -> None:
    """Have all workers fetch nothing new."""
    api.pause_workers(shared.redis, shared.crawl)
    _say(f"all workers of {shared.crawl!r} pause; go on with: {shared.command('resume')}")


def stop_shared(shared: OnServer, wait: bool, sleep: Callable[[float], None] = time.sleep) -> None:
    """Have all workers end."""
    api.stop_workers(shared.redis, shared.crawl)
    go_on = f"go on with: {shared.command('resume')}, then start workers"
    for _ in range(round(STOP_SECONDS / _POLL_SECONDS) if wait else 0):
        stands = api.shared_overview(shared.redis, shared.crawl)
        if stands.has_ended:
            _tell_failed(stands)
            _say(f"all workers of {shared.crawl!r} have stopped; {go_on}")
            return
        sleep(_POLL_SECONDS)
    _say(f"all workers of {shared.crawl!r} are asked to stop; each ends when what it has is kept")


def _tell_failed(stands: Overview) -> None:
    """Which workers did not end because they were asked to."""
    for worker in stands.workers:
        if worker.shown_state(stands.at) == LOST:
            say_warning(f"worker {worker.name!r} ({worker.folder}) was not heard of any more")
        elif worker.reason.startswith(ERROR):
            why = worker.reason.removeprefix(ERROR)
            say_warning(f"worker {worker.name!r} ({worker.folder}) ended with an error: {why}")


def resume_shared(shared: OnServer, changes: Mapping[str, CrawlValue], quiet: bool) -> None:
    """Take back a pause or a stop, with more pages or time if given."""
    others = [f"--{key.replace('_', '-')}" for key in changes if key not in _FOR_ALL]
    if others:
        raise SettingsError(
            f"{' and '.join(others)} is for one worker; give it to: {shared.command('worker')}"
        )
    stands = api.resume_workers(shared.redis, shared.crawl, **changes)  # type: ignore[arg-type]
    if quiet:
        return
    if stands.has_ended or not stands.workers:
        _say(f"{shared.crawl!r} may go on; start workers: {shared.command('worker')}")
    else:
        _say(f"{shared.crawl!r} goes on")


def _say(text: str) -> None:
    notices().print(plain(text), soft_wrap=True)
