"""A process that reads pages, as the export sees it: started, asked, and replaced when it fails."""

from __future__ import annotations

import contextlib
import select
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import IO

from scenthound.core.errors import ScenthoundError
from scenthound.corpus.bodies import Body
from scenthound.corpus.main_text import PageText
from scenthound.live.wire import READY, Head, read_frame, write_frame

PATIENCE_S = 30.0
"""Longer no page may take; the slowest honest ones take a few seconds."""
MOST_PAGES = 1_000
"""Then a new process takes over: libraries keep caches, and this bounds them all."""
COMMAND = (sys.executable, "-P", "-m", "scenthound.corpus.text_process")


class TextChild:
    """One process, started when it is first needed, and again when it is gone.

    Parameters
    ----------
    patience_s : how long one page may take.
    command : what to start.
    """

    def __init__(self, patience_s: float, command: Sequence[str]) -> None:
        self._patience_s = patience_s
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = False
        self._pages = 0
        self._changing = threading.Lock()

    def read(self, body: Body) -> PageText:
        """What a page says: its main text, or what there is without looking for that."""
        self._pages += 1
        if self._pages % MOST_PAGES == 0:
            self.close()
        for main in (True, False):
            answer = self._ask(body, main)
            if answer is not None:
                failed = bool(answer["failed"]) or not main
                return PageText(**{**answer, "failed": failed})  # type: ignore[arg-type]
        return PageText(failed=True)

    def end(self) -> None:
        """Read no more; whoever waits for an answer gets none. From another thread."""
        with self._changing:
            self._ended = True
            if self._process is not None:
                self._process.kill()

    def close(self) -> None:
        """End the process, however it is."""
        with self._changing:
            process, self._process = self._process, None
        if process is not None:
            _close(process)

    def _ask(self, body: Body, main: bool) -> Head | None:
        """What the process answers; None where it hangs, or dies of the page."""
        process = self._running()
        if process is None:
            return None
        head = {
            "url": body.url,
            "content_type": body.content_type,
            "language": body.headers.get("content-language", ""),
            "main": main,
        }
        with contextlib.suppress(BrokenPipeError):
            write_frame(_pipe(process.stdin), head, body.content)
            if _speaks(_pipe(process.stdout), self._patience_s):
                frame = read_frame(_pipe(process.stdout))
                if frame is not None:
                    return frame[0]
        self.close()
        return None

    def _running(self) -> subprocess.Popen[bytes] | None:
        """The process, ready to read; None once it was ended."""
        with self._changing:
            if self._ended or self._process is not None:
                return None if self._ended else self._process
            process = self._process = _started(self._command)
        ready = read_frame(_pipe(process.stdout))
        if (ready is None or ready[0] != READY) and not self._ended:
            raise ScenthoundError(
                f"the process that reads pages does not start; see why with: "
                f"{' '.join(self._command)}"
            )
        return process


def _started(command: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for the export to hear
    )


def _speaks(stream: IO[bytes], seconds: float) -> bool:
    """Does something come, or the end, within this time?"""
    poll = select.poll()
    poll.register(stream, select.POLLIN)
    return bool(poll.poll(seconds * 1_000))


def _close(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with contextlib.suppress(OSError):  # what it has not taken any more
        _pipe(process.stdin).close()
    _pipe(process.stdout).close()
    process.wait()


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream
