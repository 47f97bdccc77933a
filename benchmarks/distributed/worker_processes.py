"""Workers as processes of their own: started, followed, killed, and what CPU they took."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
_TICKS = os.sysconf("SC_CLK_TCK")
_LOOK_S = 0.02
_PAGE = b'{"event":"page"'


class CrawlProcess:
    """A command of Scenthound, and the downloader below it.

    Parameters
    ----------
    words : the command and its options.
    redis : address of the server; None for a crawl without.
    core : the only one it may run on; None for any.
    log : where its messages go.
    more : variables of its environment beside those of this process.
    """

    def __init__(
        self,
        words: Sequence[str],
        log: Path,
        redis: str | None = None,
        core: int | None = None,
        more: Mapping[str, str] | None = None,
    ) -> None:
        kept = {n: v for n, v in os.environ.items() if not n.lower().endswith("_proxy")}
        address = {} if redis is None else {"SCENTHOUND_REDIS": redis}
        environment = {**kept, **address, **(more or {})}
        with log.open("ab") as messages:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "scenthound.cli.main", *words],
                cwd=ROOT, env=environment, stdout=messages, stderr=messages,
                start_new_session=True, preexec_fn=_pinned(core),
            )  # fmt: skip
        self.returncode: int | None = None
        self._used = 0.0

    def poll(self) -> bool:
        """Has it ended?"""
        if self.returncode is None:
            pid, status, usage = os.wait4(self._process.pid, os.WNOHANG)
            if pid:
                self._used = usage.ru_utime + usage.ru_stime
                self.returncode = self._process.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode is not None

    def wait(self) -> None:
        """Until it has ended."""
        while not self.poll():
            time.sleep(_LOOK_S)

    def kill(self) -> None:
        """With SIGKILL; the downloader below it finds that out by itself."""
        if not self.poll():
            os.kill(self._process.pid, signal.SIGKILL)
            self.wait()

    def cpu(self) -> float:
        """CPU seconds so far, of its children too."""
        return self._used if self.poll() else _tree_cpu(self._process.pid)


def worker(
    folder: Path,
    redis: str,
    crawl: str,
    core: int | None = None,
    options: Iterable[str] = (),
    more: Mapping[str, str] | None = None,
) -> CrawlProcess:
    """A worker in its folder; what it says goes into a file beside it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    words = ["worker", "--crawl", crawl, "--out", str(folder), "--quiet", *options]
    return CrawlProcess(words, folder.with_suffix(".log"), redis, core, more)


@contextmanager
def ended_at_last(processes: Sequence[CrawlProcess]) -> Iterator[None]:
    """None of them outlives the context."""
    try:
        yield
    finally:
        for process in processes:
            process.kill()


def await_all(processes: Sequence[CrawlProcess], seconds: float) -> None:
    """Until all have ended well; RuntimeError where one did not, or it takes too long."""
    codes = await_ended(processes, seconds)
    if any(codes):
        raise RuntimeError(f"a crawl failed: exit codes {codes}")


def await_ended(processes: Sequence[CrawlProcess], seconds: float) -> list[int | None]:
    """Until all have ended, well or not: their exit codes; RuntimeError where it takes too long."""
    until = time.monotonic() + seconds
    while not all(process.poll() for process in processes):
        if time.monotonic() > until:
            raise RuntimeError(f"the crawl has not ended after {seconds:g} s")
        time.sleep(_LOOK_S)
    return [process.returncode for process in processes]


def await_true(what: Callable[[], bool], seconds: float) -> None:
    """Until it is so; RuntimeError where that takes too long."""
    until = time.monotonic() + seconds
    while not what():
        if time.monotonic() > until:
            raise RuntimeError(f"waited {seconds:g} s in vain")
        time.sleep(_LOOK_S)


def stored(folder: Path) -> int:
    """How many pages the journal of this folder has by now."""
    try:
        with (folder / "journal.jsonl").open("rb") as journal:
            return sum(line.startswith(_PAGE) for line in journal)
    except OSError:
        return 0


def _pinned(core: int | None) -> Callable[[], None] | None:
    return None if core is None else lambda: os.sched_setaffinity(0, {core})


def _tree_cpu(pid: int) -> float:
    """CPU seconds of a process, of its children, and of those of them that have ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0.0
    used = sum(map(int, text.rpartition(")")[2].split()[11:15])) / _TICKS
    return used + sum(_tree_cpu(int(child)) for child in children)
