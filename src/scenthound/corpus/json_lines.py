"""Rows as JSON Lines: UTF-8, one object a line, an empty value is ``null``."""

from __future__ import annotations

import json
from typing import IO

from scenthound.corpus.fields import Row


class JsonLines:
    """Writes rows to an open file."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def write(self, row: Row) -> None:
        """One more line."""
        line = json.dumps(row, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        self._file.write(line.encode("utf-8") + b"\n")

    def close(self) -> None:
        """Nothing is left to write."""
