"""Numbers of requests, checked; names of crawls in addresses; settings and shares for a screen."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Json = dict[str, Any]
_MAX_TEXT = 300


def describe_setting(value: object) -> str:
    """A setting in words: lists and tables in one line, nothing as a dash."""
    if value is None or value in ("", [], {}):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        value = ", ".join(map(describe_setting, value))
    if isinstance(value, dict):
        value = ", ".join(f"{name} {describe_setting(each)}" for name, each in value.items())
    return str(value)[:_MAX_TEXT]


def share(part: float, of: int) -> float | None:
    """A share; None of nothing."""
    return part / of if of > 0 else None


class ApiError(Exception):
    """A request that gets an error: the HTTP status, and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


def number_param(given: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    """A whole number within bounds; ApiError (400) for anything else, ``default`` where it is not
    given."""
    text = given.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most):
        raise ApiError(400, f"{name} takes a whole number from {least} to {most}.")
    return int(text)


_ID_BYTES = 6


def crawl_id(folder: Path) -> str:
    """A short name for a folder, with its links resolved; never that of another one."""
    return f"c{hashlib.blake2b(os.fsencode(folder), digest_size=_ID_BYTES).hexdigest()}"


def distributed_id(crawl: str) -> str:
    """A short name for a crawl of several workers, by its id: wherever their folders lie."""
    return f"w{hashlib.blake2b(crawl.encode(), digest_size=_ID_BYTES).hexdigest()}"
