"""What somebody wants of a crawl: which pages, which columns, as what, and where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from scenthound.core.errors import SettingsError, UnknownNameError
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
_ENDINGS = {f".{each.value}": each for each in Format} | {".ndjson": Format.JSONL}


def format_for(name: str | None, out: Path | None) -> Format:
    """The format of that name; without one what the file is called, or else JSON Lines.

    Raises
    ------
    UnknownNameError
        There is no format of that name.
    SettingsError
        The file is called otherwise: a CSV file must not end in ``.jsonl``.
    """
    by_file = None if out is None else _ENDINGS.get(out.suffix.lower())
    if name is None:
        return by_file or Format.JSONL
    try:
        chosen = Format(name)
    except ValueError:
        raise UnknownNameError("format", str(name), [each.value for each in Format]) from None
    if by_file not in (None, chosen):
        raise SettingsError(
            f"{out} is called as a file of another format than {chosen.value}; "
            "leave out --format, or give another --out."
        )
    return chosen


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
