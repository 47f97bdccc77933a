"""May a crawl that has ended go on, and is its topic still the same?"""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from scenthound.api.advice import command
from scenthound.core.errors import FolderError, InputError, SettingsError
from scenthound.core.model import Topic
from scenthound.corpus.workers import MERGED
from scenthound.experiments.topic_reading import Warn
from scenthound.live.job import WORKER, LiveJob
from scenthound.live.options import FILES, CrawlOptions, auth_hosts
from scenthound.live.stopping import OUT_OF_TIME
from scenthound.store.folder import CrawlFolder
from scenthound.store.journal import last_summary
from scenthound.topics.file import read_topic

_TAIL_BYTES = 64 * 1024


def check_whole(folder: CrawlFolder) -> None:
    """FolderError for a worker's folder, and for a merged one: what waits is not in them."""
    found = folder.order().get("settings")
    settings = found if isinstance(found, dict) else {}
    if MERGED in settings:
        raise FolderError(
            f"{folder.path} was merged from the folders of workers and has no frontier, so it "
            "cannot be resumed; go on with the crawl on its server, and merge again."
        )
    as_worker = worker_command(folder)
    if as_worker is not None:
        raise FolderError(
            f"{folder.path} is the folder of one worker, whose frontier is on a server; go on "
            f"with: {as_worker}"
        )


def worker_command(folder: CrawlFolder) -> str | None:
    """How a worker goes on in its folder; None where it is not one's."""
    settings = folder.order().get("settings")
    mark = settings.get(WORKER) if isinstance(settings, dict) else None
    if not isinstance(mark, dict):
        return None
    words = "--redis", "URL", "--crawl", str(mark.get("crawl")), "--out", str(folder.path)
    return shlex.join(["scenthound", "worker", *words])


def check_limits(folder: CrawlFolder, stored: CrawlOptions, wanted: CrawlOptions) -> None:
    """SettingsError where the crawl would stop at once: its pages or its time are spent.

    FolderError for a folder that cannot go on at all; see :func:`check_whole`.

    Parameters
    ----------
    folder : of the crawl.
    stored : the options it ran with.
    wanted : the options it would go on with.
    """
    check_whole(folder)
    path, reason, fetched = folder.path, last_reason(folder), _fetched(folder)
    if wanted.max_pages < fetched:
        raise SettingsError(
            f"--max-pages counts over the whole crawl, and the one in {path} has fetched "
            f"{fetched:,} pages; give more than that."
        )
    if reason is not None and wanted.max_pages == fetched:
        raise SettingsError(
            f"the crawl in {path} has fetched all of its {fetched:,} pages; to go on, raise them: "
            f"{command('resume', path, '--max-pages', str(2 * fetched))}"
        )
    used = stored.max_time if reason == OUT_OF_TIME else None
    if used is not None and wanted.max_time is not None and wanted.max_time <= used:
        raise SettingsError(
            f"the crawl in {path} has used up its time of {used:g} s; to go on, raise it: "
            f"{command('resume', path, '--max-time', f'{2 * used:g}')}"
        )


def check_files(folder: CrawlFolder, options: CrawlOptions) -> None:
    """SettingsError where a file that the crawl logs in with is gone."""
    for name in FILES:
        path = getattr(options, name)
        if path is not None and not Path(path).is_file():
            option = f"--{name.replace('_', '-')}"
            raise SettingsError(
                f"there is no file {path}, which the crawl in {folder.path} logs in with; say "
                f"where it is now: {command('resume', folder.path, option, 'FILE')}"
            )


def last_reason(folder: CrawlFolder) -> str | None:
    """Why the crawl ended; None where it was killed, or where nothing is on record."""
    try:
        with folder.journal_path.open("rb") as file:
            file.seek(max(0, file.seek(0, 2) - _TAIL_BYTES))
            event = json.loads(file.read().splitlines()[-1])
    except (OSError, ValueError, IndexError):
        return None
    stopped = isinstance(event, dict) and event.get("event") == "stopped"
    return str(event.get("reason")) if stopped else None


def _fetched(folder: CrawlFolder) -> int:
    """Pages so far; after a kill perhaps a few more than were kept."""
    try:
        summary = last_summary(folder.journal_path)
    except FolderError:
        return 0
    found = 0 if summary is None else summary.get("fetched")
    return found if isinstance(found, int) else 0


def tell_changed_topic(topic: Topic, warn: Warn) -> None:
    """Warn where the topic's file says something else by now; one that is gone says nothing."""
    if topic.file is None or not Path(topic.file).exists():
        return
    try:
        same = read_topic(topic.file) == topic
    except InputError:
        same = False
    if not same:
        warn(
            f"topic file {topic.file} has changed since; the crawl goes on with the topic it "
            "began with. For the new one start a new crawl"
        )


def tell_missing_auth(job: LiveJob, warn: Warn) -> None:
    """Warn of hosts that the crawl once had a password for, and has none now."""
    missing = [host for host in job.auth_hosts if host not in auth_hosts(job.options.auth)]
    if missing:
        warn(
            f"the crawl had a password for {', '.join(missing)}, which is not kept in its folder; "
            "to log in there again, stop it and resume it with --auth HOST=USER:PASSWORD"
        )
