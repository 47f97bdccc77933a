"""The journal on disk: one JSON object a line, only ever appended to."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from scenthound.core.errors import FolderError
from scenthound.core.events import Event

_TAIL_BYTES = 64 * 1024


class FileJournal:
    """Appends events to a file. A line is with the operating system when ``append`` returns.

    A crash of the program therefore loses nothing; at worst the last line is cut, which the
    readers below pass over.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab", buffering=0)

    def append(self, event: Event) -> None:
        """Write one event."""
        line = json.dumps(event.to_json(), ensure_ascii=False, separators=(",", ":"))
        self._file.write(line.encode("utf-8", "replace") + b"\n")

    def sync(self) -> None:
        """Have everything so far on the disk itself."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """End writing."""
        self._file.close()

    def __enter__(self) -> FileJournal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def read_journal(path: Path) -> Iterator[dict[str, object]]:
    """All events in order; a last line that was cut is left out, another one is an error."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                event = json.loads(line)
            except ValueError:
                if not line.endswith(b"\n"):
                    return
                raise FolderError(f"{path}, line {number} is not a journal line.") from None
            yield event


def last_summary(path: Path) -> dict[str, object] | None:
    """The newest running summary, read from the tail alone; None if nothing was fetched."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _TAIL_BYTES))
        lines = file.read().split(b"\n")
    for line in reversed(lines):
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict) and isinstance(event.get("summary"), dict):
            return dict(event["summary"])
    return None
