"""What somebody wants of a crawl: which pages, which columns, as what, and where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from scenthound.core.errors import SettingsError
from scenthound.corpus.choosing import Choice
from scenthound.corpus.fields import Field
from scenthound.corpus.parquet_table import require_parquet
from scenthound.corpus.target import STDOUT, check_target

OnProgress = Callable[[str, int, int], None]
"""Called with what is done now, how much of it is done, and how much there is, now and then."""

COPYING, READING = "copying records", "reading pages"
"""What is done: the first is counted in bytes, the second in pages."""


class Format(Enum):
    """What a crawl can be written as."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    WACZ = "wacz"


_PRINTABLE = (Format.JSONL, Format.CSV)


@dataclass(frozen=True, slots=True)
class Wish:
    """What to write, and where.

    Parameters
    ----------
    format : of the file.
    out : the file, ``-`` for standard output.
    fields : the columns of a table.
    choice : the pages.
    text : does the list of pages in a WACZ have their texts?
    jobs : processes to find them.
    force : overwrite a file that is there.
    """

    format: Format
    out: Path
    fields: tuple[Field, ...]
    choice: Choice
    text: bool
    jobs: int
    force: bool

    def check(self) -> None:
        """Find out before the work that it cannot be done; raises SettingsError."""
        if self.format is Format.PARQUET:
            require_parquet()
        if self.out == STDOUT and self.format not in _PRINTABLE:
            raise SettingsError(
                f"{self.format.value} cannot be written to standard output; give --out a file."
            )
        check_target(self.out, self.force)
