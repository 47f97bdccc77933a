"""WACZ files: zip files that hold WARCs under ``archive/``."""

from __future__ import annotations

import shutil
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from scenthound.core.errors import ArchiveError

ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06")

_ENCRYPTED = 1
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_LOCAL_HEADER = struct.Struct("<4s22xHH")
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, struct.error)


class Member(NamedTuple):
    """A WARC in a zip file. Where it is not ``compressed`` it can be read in place."""

    name: str
    start: int
    size: int
    compressed: bool


def members(path: Path) -> list[Member]:
    """The WARCs in a WACZ file, by name.

    Raises
    ------
    ArchiveError
        The zip file is truncated, damaged, encrypted or unreadable.
    """
    with _opened(path) as archive:
        found = sorted(filter(_is_warc, archive.infolist()), key=lambda info: info.filename)
        return [_member(path, archive, info) for info in found]


def extract(path: Path, name: str, target: Path) -> None:
    """Write the member called ``name`` to ``target``; zip checks it against its CRC."""
    with _opened(path) as archive, archive.open(name) as packed, target.open("wb") as unpacked:
        shutil.copyfileobj(packed, unpacked)


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except OSError as error:
        raise ArchiveError(f"{path} cannot be unpacked: {error.strerror or error}.") from None
    except _BROKEN as error:
        raise ArchiveError(
            f"{path} is a truncated or damaged WACZ (zip) file ({error}): download it again."
        ) from None


def _is_warc(info: zipfile.ZipInfo) -> bool:
    return info.filename.startswith("archive/") and info.filename.endswith((".warc", ".warc.gz"))


def _member(path: Path, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Member:
    if info.flag_bits & _ENCRYPTED or info.compress_type not in _METHODS:
        raise ArchiveError(
            f"{path} has an encrypted or unusually packed member ({info.filename}): "
            "make a WACZ whose WARCs are stored."
        )
    compressed = info.compress_type != zipfile.ZIP_STORED
    start = 0 if compressed else _start_of_data(archive, info)
    return Member(info.filename, start, info.file_size, compressed)


def _start_of_data(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> int:
    """The local header may carry other extra fields than the central directory: ask it."""
    file = archive.fp
    assert file is not None  # it is None only once the archive is closed
    file.seek(info.header_offset)
    magic, name_size, extra_size = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
    start = info.header_offset + _LOCAL_HEADER.size + name_size + extra_size
    if magic not in ZIP_MAGICS or start + info.file_size > archive.start_dir:
        raise zipfile.BadZipFile(f"{info.filename} is not where it should be")
    return int(start)
