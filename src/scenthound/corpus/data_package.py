"""A WACZ file as a zip with a list of what is in it: every entry with its length and digest."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import PurePosixPath
from typing import IO

WACZ_VERSION = "1.1.1"
_NOT_IN_NAME = re.compile(r"[^a-z0-9._-]")
"""What the name of a resource must not hold, by the Data Package specification."""
_LIST, _LIST_DIGEST = "datapackage.json", "datapackage-digest.json"


class Entry:
    """A file in the package that is being written; counts and digests what goes in."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._digest = hashlib.sha256()
        self.size = 0

    def write(self, content: bytes) -> int:
        """Some more of it."""
        self._digest.update(content)
        self.size += len(content)
        return self._stream.write(content)

    @property
    def digest(self) -> str:
        """SHA-256 of all that was written."""
        return f"sha256:{self._digest.hexdigest()}"


class DataPackage:
    """Writes a WACZ file (version 1.1.1) to an open file. Use it as a context manager.

    Without :meth:`finish` it is a zip file, but no WACZ.

    Parameters
    ----------
    file : where to.
    now : the time that is written into it.
    """

    def __init__(self, file: IO[bytes], now: datetime) -> None:
        self._zip = zipfile.ZipFile(file, "w")
        self._now = now
        self._resources: list[dict[str, object]] = []

    def __enter__(self) -> DataPackage:
        return self

    def __exit__(self, *error: object) -> None:
        self._zip.close()

    @contextmanager
    def entry(self, path: str, packed: bool = True, most: int = 0) -> Iterator[Entry]:
        """A file in the package; ``most`` is about how long it may get, if that is known.

        What readers take pieces out of (``packed`` False) lies in the zip file as it is.
        """
        info = self._info(path, packed)
        info.file_size = most
        with self._zip.open(info, "w") as stream:
            entry = Entry(stream)
            yield entry
        name = _NOT_IN_NAME.sub("-", PurePosixPath(path).name.lower())
        self._resources.append(
            {"name": name, "path": path, "hash": entry.digest, "bytes": entry.size}
        )

    def finish(self, about: Mapping[str, str]) -> None:
        """Write the list of what is in it, with its digest."""
        listed = {
            "profile": "data-package",
            "wacz_version": WACZ_VERSION,
            **about,
            "created": self._now.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "resources": self._resources,
        }
        content = json.dumps(listed, indent=1).encode("ascii")
        digest = {"path": _LIST, "hash": f"sha256:{hashlib.sha256(content).hexdigest()}"}
        self._zip.writestr(self._info(_LIST), content)
        self._zip.writestr(self._info(_LIST_DIGEST), json.dumps(digest))

    def _info(self, path: str, packed: bool = True) -> zipfile.ZipInfo:
        info = zipfile.ZipInfo(path, self._now.timetuple()[:6])
        info.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
        info.external_attr = 0o644 << 16
        return info
