"""Requests left in a crawl folder for the process that crawls there: pause, stop.

DIR/pause.request   be there: fetch nothing new until it is gone
DIR/stop.request    stop; taken away once it is heeded
"""

from __future__ import annotations

from pathlib import Path

from scenthound.core.errors import FolderError

PAUSE, STOP = "pause", "stop"


class Requests:
    """The requests in one crawl folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def leave(self, name: str) -> None:
        """Leave a request; a second time does nothing."""
        try:
            self._path(name).touch()
        except OSError as error:
            raise FolderError(
                f"cannot leave a request in {self._folder}: {error.strerror}."
            ) from None

    def withdraw(self, name: str) -> bool:
        """Take a request away; False where there was none."""
        try:
            self._path(name).unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise FolderError(
                f"cannot take the request out of {self._folder}: {error.strerror}."
            ) from None
        return True

    def is_left(self, name: str) -> bool:
        """Does somebody ask for this?"""
        try:
            return self._path(name).exists()
        except OSError:
            return False

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.request"
