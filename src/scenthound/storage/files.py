"""Files that are there whole or not at all: bytes, JSON, and tables of rows as CSV, JSON Lines or
Parquet. Names of WARC segments, which grow and survive a kill in another way.

:func:`atomic_replace` comes first: all files here are written by it. Text of strangers in a table
is made harmless for spreadsheets: :func:`guard_formula`.
"""

from __future__ import annotations

import codecs
import csv
import errno
import io
import json
import os
import re
import secrets
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum, IntEnum
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypedDict

from scenthound.core.errors import ScenthoundError, SettingsError

if TYPE_CHECKING:
    import pyarrow as pa

_NEW = 0o666
"""Mode of a new file, less what the umask takes away."""
_MEANWHILE = 0o600
"""Mode of what takes the place of another file until it has that one's."""
_WRITABLE = 0o222


@contextmanager
def os_errors_as(kind: type[ScenthoundError], problem: str, advice: str = "") -> Iterator[None]:
    """Raise an OSError as ``kind``: the problem, what the system says, and what to do."""
    try:
        yield
    except OSError as error:
        number = error.errno or 0  # the event loop adds its own words to what the system says
        why = os.strerror(number) if number > 0 else error.strerror or error
        raise kind(f"{problem}: {why}{advice}.") from None


@contextmanager
def atomic_replace(path: Path) -> Iterator[Path]:
    """A file to write beside ``path``, which takes its place at the end, and not on an error.

    A symbolic link stays one: what it points to is replaced. Devices and pipes are written to. A
    file that is there keeps its mode; PermissionError for one that may not be written to, though
    its folder may.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        yield path
        return
    mode = check_replaceable(path)
    beside = _create_temporary(path, _NEW if mode is None else _MEANWHILE)
    try:
        yield beside
        if mode is not None:
            os.chmod(beside, mode)
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise


def check_replaceable(path: Path) -> int | None:
    """The mode of the file at ``path``; None where there is none, or a device or a pipe.

    PermissionError where the file is closed to everyone, and so to root too, or to us.
    """
    if not path.is_file():
        return None
    mode = stat.S_IMODE(path.stat().st_mode)
    if not mode & _WRITABLE or not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    return mode


def check_target(
    path: Path | None, option: str = "", suffixes: Sequence[str] = (), *, force: bool = True
) -> None:
    """Raise SettingsError where a file cannot be written: before the work, not after it.

    Parameters
    ----------
    path : of the file; nothing to check for None and standard output.
    option : that names it, for the message.
    suffixes : one of which the name must have; none for any.
    force : may an existing file be replaced?
    """
    if path is None:
        return
    name = f"{option} {path}".strip()
    if suffixes and path.suffix.lower() not in suffixes:
        raise SettingsError(f"{name}: give a file name that ends in {' or '.join(suffixes)}.")
    if path == STDOUT:
        return
    if path.is_dir():
        raise SettingsError(f"{name} is a folder; give the name of a file.")
    if not path.parent.is_dir():
        raise SettingsError(f"{name}: there is no folder {path.parent}; make it first.")
    if path.exists() and not force:
        raise SettingsError(f"{name} exists already; give another name, or --force.")
    with os_errors_as(SettingsError, f"{name} cannot be written", "; give another name"):
        check_replaceable(path.resolve())
        if path.is_file() or not path.exists():  # a device or a pipe cannot be tried beforehand
            tempfile.TemporaryFile(dir=path.resolve().parent).close()


@contextmanager
def open_atomic(path: Path) -> Iterator[IO[bytes]]:
    """A file to write, on the disk and in its place in one step; see :func:`atomic_replace`."""
    with atomic_replace(path) as target, target.open("wb") as file:
        yield file
        file.flush()
        # Before the rename: after a loss of power the new name could stand for an empty file.
        if target.is_file():  # a pipe has no disk to be on
            os.fsync(file.fileno())


def write_bytes(path: Path, content: bytes) -> None:
    """``content``, on the disk and in its place in one step."""
    with open_atomic(path) as file:
        file.write(content)


def write_json(path: Path, value: object) -> None:
    """``value`` as readable JSON, in one step."""
    text = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)
    write_bytes(path, text.encode("utf-8", "replace") + b"\n")


def bytes_on_disk(files: Iterable[Path]) -> int:
    """Bytes of files; those that are gone meanwhile, such as logs, count nothing."""
    total = 0
    for path in files:
        with suppress(OSError):
            total += path.stat().st_size
    return total


def _create_temporary(path: Path, mode: int) -> Path:
    """A new, empty file in the same folder; its suffix stays, since some writers go by it."""
    # In the same folder, since a rename is one step only within one file system.
    beside = path.with_name(f".{path.stem[:100]}.{secrets.token_hex(8)}{path.suffix}")
    os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, mode))
    return beside


# Segments of the WARC files, by their numbers in the crawl folder.

_SEGMENT = re.compile(r"pages-(\d{5,})\.warc\.gz")


def segment_path(folder: Path, segment: int) -> Path:
    """Where the segment of that number is."""
    return folder / f"pages-{segment:05d}.warc.gz"


def segments_in(folder: Path) -> list[int]:
    """The numbers of the segments that are there, in order."""
    found = (_SEGMENT.fullmatch(entry.name) for entry in folder.iterdir())
    return sorted(int(match[1]) for match in found if match)


# Tables of rows.

Value = str | int | float | bool | None


class Weight(TypedDict):
    """One part of a priority: its value, and the weight it entered with."""

    value: float
    weight: float


Row = dict[str, Value | list[str] | dict[str, Weight]]
"""One page by column name; None where a value is unknown."""


class Kind(Enum):
    """What a column holds: a single value, a list of texts, or the parts of a priority."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    TRUTH = "true or false"
    TEXTS = "list of texts"
    PARTS = "value and weight by name"


class Source(IntEnum):
    """Where a column comes from, the cheapest first."""

    JOURNAL = 0
    BODY = 1
    TEXT = 2


@dataclass(frozen=True, slots=True)
class Field:
    """One column."""

    name: str
    kind: Kind
    source: Source
    about: str


# Text of strangers in a spreadsheet: what would run as a formula is given an apostrophe.


_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a spreadsheet may take for the start of a formula, full-width signs too."""


def guard_formula(text: str) -> str:
    """The text, with an apostrophe in front if a spreadsheet would run it."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def unguard_formula(text: str) -> str:
    """The text as it was before it was guarded."""
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA) else text


# Rows as CSV for spreadsheets: RFC 4180, UTF-8, text that looks like a formula made harmless.


class CsvTable:
    """Writes rows to an open file, the names of the columns first.

    Parameters
    ----------
    file : where to.
    fields : the columns.
    mark : begin with a byte order mark, without which Excel takes UTF-8 for something else.
    """

    def __init__(self, file: IO[bytes], fields: Sequence[Field], mark: bool = True) -> None:
        if mark:
            file.write(codecs.BOM_UTF8)
        self._text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
        self._writer = csv.writer(self._text)
        self._writer.writerow([field.name for field in fields])

    def write(self, row: Row) -> None:
        """One more line, or several: texts keep their line ends, in quotes."""
        self._writer.writerow([cell(value) for value in row.values()])

    def close(self) -> None:
        """Let go of the file, which stays open."""
        self._text.flush()
        self._text.detach()


def cell(value: object) -> str | int | float | None:
    """A value as a spreadsheet shows it.

    Text that a spreadsheet would run as a formula is given an apostrophe in front; lists and
    objects are JSON; ``true`` and ``false`` are written in small letters; None is empty.
    """
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return guard_formula(value)
        case list() | dict():
            return json.dumps(value, ensure_ascii=False) if value else None
        case int() | float() | None:
            return value
        case _:
            raise TypeError(f"no cell for {value!r}")


# Rows as JSON Lines: UTF-8, one object a line, an empty value is ``null``.


class JsonLinesTable:
    """Writes rows to an open file."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def write(self, row: Row) -> None:
        """One more line."""
        line = json.dumps(row, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        self._file.write(line.encode("utf-8") + b"\n")

    def close(self) -> None:
        """Nothing is left to write."""


# Rows as Parquet, written a group of rows at a time. Only this file knows pyarrow.


_GROUP_ROWS = 1_000
_GROUP_CHARACTERS = 8_000_000
"""Texts are of very different lengths: a group ends at whichever comes first."""


def require_parquet() -> None:
    """SettingsError where the extra is not installed."""
    if find_spec("pyarrow") is None:
        raise SettingsError(
            "Parquet needs a library; install it with: pip install 'scenthound[parquet]'"
        )


class ParquetTable:
    """Writes rows to an open file; what is in memory is one group of them.

    Lists of texts are lists; ``priority_parts`` is a list of (name, value, weight).
    """

    def __init__(self, file: IO[bytes], fields: Sequence[Field]) -> None:
        import pyarrow.parquet as pq

        self._schema = _schema(fields)
        self._writer = pq.ParquetWriter(file, self._schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []
        self._characters = 0

    def write(self, row: Row) -> None:
        """One more row."""
        self._rows.append({name: _listed(value) for name, value in row.items()})
        self._characters += len(str(row.get("text") or ""))
        if len(self._rows) >= _GROUP_ROWS or self._characters >= _GROUP_CHARACTERS:
            self._flush()

    def close(self) -> None:
        """Write the last group, and what a reader needs to find the others."""
        if self._rows:
            self._flush()
        self._writer.close()

    def _flush(self) -> None:
        import pyarrow as pa

        self._writer.write_table(pa.Table.from_pylist(self._rows, self._schema))
        self._rows, self._characters = [], 0


def _listed(value: object) -> object:
    """Parts by name as a list, which every reader of Parquet understands."""
    if not isinstance(value, dict):
        return value
    return [{"name": name, **part} for name, part in value.items()]


def _schema(fields: Sequence[Field]) -> pa.Schema:
    import pyarrow as pa

    parts = pa.struct([("name", pa.string()), ("value", pa.float64()), ("weight", pa.float64())])
    types = {
        Kind.TEXT: pa.string(),
        Kind.INTEGER: pa.int64(),
        Kind.NUMBER: pa.float64(),
        Kind.TRUTH: pa.bool_(),
        Kind.TEXTS: pa.list_(pa.string()),
        Kind.PARTS: pa.list_(parts),
    }
    columns = [
        pa.field(field.name, types[field.kind], metadata={"about": field.about}) for field in fields
    ]
    return pa.schema(columns)


STDOUT = Path("-")


@contextmanager
def open_target(path: Path) -> Iterator[IO[bytes]]:
    """The file to write to, which takes its place at the end, and not on an error.

    Raises
    ------
    SettingsError
        The disk is full or failing.
    """
    try:
        if path == STDOUT:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        else:
            with open_atomic(path) as file:
                yield file
    except BrokenPipeError:
        raise
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror or error}.") from None
