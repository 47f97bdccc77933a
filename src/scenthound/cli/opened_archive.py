"""An archive that a command may be given: opened with a bar, and closed again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scenthound.archive import Archive, open_archive
from scenthound.cli.progress import bars, reading_bar
from scenthound.cli.screen import notices


@contextmanager
def opened_archive(archive: Path | None) -> Iterator[Archive | None]:
    """The archive, with a bar while it is indexed; None where none is given."""
    if archive is None:
        yield None
        return
    with bars(notices(), quiet=False) as progress, reading_bar(progress, archive.name) as on_bytes:
        opened = open_archive(archive, progress=on_bytes)
    with opened:
        yield opened
