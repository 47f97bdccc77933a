"""Values from journals and requests, checked before use. A journal may be damaged, and strangers
wrote what it says about pages: no value is trusted to have its type, no text is longer than a
screen can show.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path

from scenthound.crawler.job import WorkerIdentity
from scenthound.frontier.redis.workers import MAX_WORKERS
from scenthound.storage.folder import KIND, WORKER

Json = dict[str, object]
_MAX_NUMBER = 2**53
"""Beyond it browsers do not count one by one, and nothing here has so many of anything."""
_DEEPEST = 12
_MAX_TEXT = 300
_MAX_URL = 2_000


def as_number(value: object) -> float | None:
    """A number that a screen can show; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if -_MAX_NUMBER <= value <= _MAX_NUMBER else None


def as_int(value: object) -> int:
    """A whole number that something can be counted with; 0 for anything else."""
    number = as_number(value)
    return number if isinstance(number, int) else 0


def as_text(value: object, most: int = _MAX_TEXT) -> str:
    """A text of at most so many letters; "" for anything else."""
    return value[:most] if isinstance(value, str) else ""


def as_url(value: object) -> str:
    """A URL, cut where it is absurdly long; "" for anything else."""
    return as_text(value, _MAX_URL)


def as_mapping(value: object) -> Mapping[str, object]:
    """Values by name; an empty table for anything else."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """A list; an empty one for anything else."""
    return value if isinstance(value, list) else []


def to_plain(value: object, deepest: int = _DEEPEST) -> object:
    """Tables and lists with numbers that a screen can show; None for what is none, or too deep."""
    if deepest == 0:
        return None
    if isinstance(value, dict):
        return {str(name): to_plain(each, deepest - 1) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain(each, deepest - 1) for each in value]
    return value if isinstance(value, str | bool) else as_number(value)


def describe_setting(value: object) -> str:
    """A setting in words: lists and tables in one line, nothing as a dash."""
    if value is None or value in ("", [], {}):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return as_text(", ".join(map(describe_setting, value[:50])))
    if isinstance(value, dict):
        return as_text(
            ", ".join(f"{name} {describe_setting(each)}" for name, each in value.items())
        )
    return as_text(str(value))


def share(part: float, of: int) -> float | None:
    """A share; None of nothing."""
    return part / of if of > 0 else None


# What a request asks for, checked: numbers in range, texts not too long.

_LAST_BYTE = 2**62
MAX_QUERY = 200


class ApiError(Exception):
    """A request that gets an error: the HTTP status, and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


def number_param(
    given: Mapping[str, str], name: str, default: int | None, least: int, most: int = _LAST_BYTE
) -> int | None:
    """A whole number within bounds; ApiError (400) for anything else, ``default`` where it is not
    given."""
    text = given.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most):
        above = f" to {most}" if most < _LAST_BYTE else " on"
        raise ApiError(400, f"{name} takes a whole number from {least}{above}.")
    return int(text)


def text_param(given: Mapping[str, str], name: str) -> str:
    """A text of some words; ApiError (400) for one that is too long, "" where it is not given."""
    text = given.get(name, "")
    if len(text) > MAX_QUERY:
        raise ApiError(400, f"{name} takes at most {MAX_QUERY} letters.")
    return text


# Which crawl and which worker of it a folder belongs to; names for both in addresses.

_ID_BYTES = 6


def worker_identity(crawl_spec: Mapping[str, object]) -> WorkerIdentity | None:
    """Whose folder it is, by its ``crawl.json``; None for a crawl of one process, and nonsense."""
    about = as_mapping(as_mapping(crawl_spec.get("settings")).get(WORKER))
    crawl, id_, name = (as_text(about.get(each)) for each in ("crawl", "id", "name"))
    number = as_int(about.get("number"))
    if crawl_spec.get("kind") != KIND or not (crawl and id_ and name):
        return None
    return WorkerIdentity(crawl, id_, name, number) if 0 < number <= MAX_WORKERS else None


def crawl_id(folder: Path) -> str:
    """A short name for a folder, with its links resolved; never that of another one."""
    return f"c{hashlib.blake2b(os.fsencode(folder), digest_size=_ID_BYTES).hexdigest()}"


def distributed_id(crawl: str) -> str:
    """A short name for a crawl of several workers, by its id: wherever their folders lie."""
    raw = crawl.encode(errors="surrogatepass")
    return f"w{hashlib.blake2b(raw, digest_size=_ID_BYTES).hexdigest()}"
