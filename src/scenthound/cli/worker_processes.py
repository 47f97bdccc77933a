"""Workers that a command starts on this machine: processes that end with it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scenthound.cli import screen as ui
from scenthound.cli.options import REDIS_VARIABLE, ServerCrawl
from scenthound.core.errors import FolderError
from scenthound.frontier.redis.crawl_status import SharedCrawlStatus, with_lost_workers
from scenthound.storage.folder import lock_holder

_END_SECONDS = 120.0
"""A worker that ends reads and stores the pages that have come, and may wait for the server."""


@dataclass(slots=True)
class StartedWorker:
    """A worker that was started here, in a folder of its own."""

    folder: Path
    process: subprocess.Popen[bytes]
    reported: bool = False

    @property
    def has_ended(self) -> bool:
        """Is its process gone?"""
        return self.process.poll() is not None

    @property
    def failed(self) -> bool:
        """Has it ended with an error?"""
        return bool(self.process.poll())

    @property
    def how(self) -> str:
        """The folder's name, and how the worker failed."""
        code = self.process.returncode
        if code == ui.INTERRUPTED_CODE:
            return f"{self.folder.name} was interrupted"
        if code < 0:
            return f"{self.folder.name} was killed by signal {-code}"
        return f"{self.folder.name} ended with exit code {code}"

    def again(self, shared: ServerCrawl) -> str:
        """The command that starts it again."""
        return shared.command("worker", "--out", str(self.folder))


@contextmanager
def start_workers(
    shared: ServerCrawl, folders: Sequence[Path], log_level: str | None
) -> Iterator[list[StartedWorker]]:
    """A worker in each folder; they end with this process."""
    for folder in folders:
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FolderError(f"cannot make the folder {folder}: {error.strerror}.") from None
    workers = [StartedWorker(folder, _start(shared, folder, log_level)) for folder in folders]
    try:
        yield workers
    finally:
        terminate_workers(workers)


def terminate_workers(workers: Sequence[StartedWorker]) -> None:
    """End the workers as by Ctrl-C, and wait until they have saved their pages.

    Not by that signal itself: a shell that starts processes in the background has them ignore it.
    """
    for worker in workers:
        if not worker.has_ended:
            worker.process.terminate()
    for worker in workers:
        try:
            worker.process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            ui.print_error(
                f"process {worker.process.pid}, a worker, does not end; it is left alone."
            )


def with_dead_workers(
    stands: SharedCrawlStatus, workers: Sequence[StartedWorker]
) -> SharedCrawlStatus:
    """The overview, where workers whose processes have died here are lost at once.

    The server notices that only when they were silent for long.
    """
    dead = {
        str(worker.folder.resolve())
        for worker in workers
        if worker.failed and lock_holder(worker.folder) is None
    }
    host = socket.gethostname() or "worker"
    lost = {each.name for each in stands.workers if each.host == host and each.folder in dead}
    return with_lost_workers(stands, lost)


def _start(shared: ServerCrawl, folder: Path, log_level: str | None) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "scenthound.cli.main", "worker", "--crawl", shared.crawl]
    words += ["--out", str(folder), "--quiet"]
    words += [] if log_level is None else ["--log-level", log_level]
    # The address may hold a password, which has no place in a list of processes. In a group of its
    # own the worker gets no Ctrl-C that is meant for this process: terminate_workers ends it.
    environment = {**os.environ, REDIS_VARIABLE: shared.redis}
    return subprocess.Popen(words, env=environment, start_new_session=True)
