"""The file in which somebody else's crawler wrote what it fetched."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from scenthound.core.errors import MalformedUrlError, SettingsError
from scenthound.core.urls import canonical

LONGEST_LINE = 1 << 20
MOST_LINES = 1_000_000


@dataclass(frozen=True, slots=True)
class OutsideOrder:
    """Addresses in the order they were asked for, and how many lines held none."""

    urls: tuple[str, ...]
    unreadable: int = 0


def read_order(path: Path) -> OutsideOrder:
    """The addresses in a file: one a line, or JSON lines with a ``url``.

    Empty lines and lines that start with # are passed.

    Raises
    ------
    SettingsError
        The file cannot be read, is too large, or no line of it holds an address.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            return _read(file, path)
    except OSError as error:
        raise SettingsError(f"--score {path}: {error.strerror}; give the file's path.") from None
    except UnicodeDecodeError:
        raise SettingsError(f"--score {path} is not UTF-8 text; give a file of URLs.") from None


def _read(file: TextIO, path: Path) -> OutsideOrder:
    urls: list[str] = []
    unreadable = lines = 0
    while line := file.readline(LONGEST_LINE):
        lines += 1
        if lines > MOST_LINES:
            raise SettingsError(
                f"--score {path} has more than {MOST_LINES:,} lines; give the first ones."
            )
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        url = _address(text)
        unreadable += url is None
        urls.extend(() if url is None else (url,))
    if not urls:
        raise SettingsError(
            f"--score {path} holds no address; give one URL a line, in the order of fetching, "
            'or JSON lines with a "url".'
        )
    return OutsideOrder(tuple(urls), unreadable)


def _address(text: str) -> str | None:
    """The canonical address in a line; None where there is none."""
    try:
        return canonical(_url_of(text))
    except MalformedUrlError:
        return None


def _url_of(text: str) -> str:
    if not text.startswith("{"):
        return text
    try:
        found = json.loads(text).get("url")
    except (ValueError, RecursionError):
        return ""
    return found if isinstance(found, str) else ""
