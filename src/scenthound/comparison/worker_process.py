"""A worker process as the comparison sees it: started, given runs, and ended."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from multiprocessing.connection import Connection

from scenthound.comparison.messages import Report, WorkOrder
from scenthound.comparison.model import Cell

_MODULE = "scenthound.comparison.worker"
PATIENCE_S = 2.0
"""For a process that was asked to end."""
LEAVING_S = 30.0
"""For one that has done its work and puts what it has read into the cache."""
_SAID_BYTES = 2_000
_THREADS = "OMP_NUM_THREADS"


class WorkerProcess:
    """One process. It is no fork of ours: threads and open files stay with us.

    Parameters
    ----------
    order : what it works on.
    threads : that its numerical libraries may use, unless the environment says how many.
    """

    def __init__(self, order: WorkOrder, threads: int) -> None:
        ours, theirs = socket.socketpair()
        end, self._lifeline = os.pipe()
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  closed by close()
        with theirs:
            try:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", "-m", _MODULE, str(theirs.fileno()), str(end)],
                    pass_fds=(theirs.fileno(), end),
                    env=_environment(threads),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=self._said,
                    start_new_session=True,  # Ctrl-C is for us
                )
            finally:
                os.close(end)
        self.connection = Connection(ours.detach())
        self.cell: Cell | None = None
        """What it does now."""
        self.pages = 0
        """That this run has fetched, as far as it has told."""
        self._send(order)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def begin(self, cell: Cell) -> None:
        """Give it a run; one that has died is noticed when it is listened to."""
        self.cell, self.pages = cell, 0
        self._send(cell)

    def hear(self) -> Report | None:
        """The next thing it says; None where it has died."""
        try:
            report: Report = self.connection.recv()
        except (EOFError, OSError):
            return None
        return report

    def dismiss(self) -> None:
        """There is nothing left to do; :meth:`close` it later."""
        self._send(None)

    def terminate(self) -> None:
        """Ask it to end, whatever it does; then :meth:`close`."""
        self._process.terminate()

    def close(self, patience_s: float = PATIENCE_S) -> None:
        """Wait until it has ended, not longer than this, and let go of everything."""
        self._reap(patience_s)
        self.connection.close()
        os.close(self._lifeline)
        self._said.close()

    def cause_of_death(self) -> str:
        """Why it is gone, in words: how it ended, and the last thing it said."""
        self._reap(PATIENCE_S)
        code = self._process.returncode
        self._said.seek(max(0, os.fstat(self._said.fileno()).st_size - _SAID_BYTES))
        lines = self._said.read().decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        how = _signal_name(-code) if code < 0 else f"exit code {code}"
        return f"{how}: {last}" if last else how

    def _send(self, what: object) -> None:
        with contextlib.suppress(OSError):
            self.connection.send(what)

    def _reap(self, patience_s: float) -> None:
        try:
            self._process.wait(patience_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _signal_name(number: int) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    hint = ", perhaps for lack of memory" if number == signal.SIGKILL else ""
    return f"killed by {name}{hint}"


def _environment(threads: int) -> dict[str, str]:
    """Ours, with the places where modules are found: the same code must run there."""
    path = os.pathsep.join(filter(None, sys.path))
    return {_THREADS: str(threads), **os.environ, "PYTHONPATH": path}
