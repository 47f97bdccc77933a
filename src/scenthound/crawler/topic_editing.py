"""Accepted proposals go into the topic file, whose comments and order stay as they are."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Array

from scenthound.core.errors import TopicError
from scenthound.crawler.seed_proposals import Kind, Proposal
from scenthound.crawler.seed_search import LONGEST_TITLE
from scenthound.similarity.topic_file import is_file_name, is_url
from scenthound.storage.files import write_bytes

_KEYS = {
    "seeds": frozenset({Kind.SEED, Kind.BOTH}),
    "examples": frozenset({Kind.EXAMPLE, Kind.BOTH}),
}


def additions(accepted: Sequence[Proposal]) -> dict[str, list[str]]:
    """The URLs to add, by key of the topic file."""
    return {key: [each.url for each in accepted if each.kind in kinds]
            for key, kinds in _KEYS.items()}  # fmt: skip


def add_to_topic(source: Path, accepted: Sequence[Proposal], target: Path | None = None) -> None:
    """Write the topic file ``source`` with the accepted proposals in it.

    Parameters
    ----------
    source : a topic file that has been read before.
    accepted : what to add; each to the seeds, the examples, or both.
    target : where to write it; by default ``source`` itself, in one step.

    Raises
    ------
    TopicError
        The file cannot be edited or written.
    """
    target = target or source
    try:
        text = source.read_bytes().decode("utf-8-sig")
        _refuse_moved(text, source, target)
        write_bytes(target, with_added(text, additions(accepted)).encode())
    except (ValueError, TOMLKitError) as error:
        raise TopicError(f"{source} cannot be edited: {error}; give --out S.txt.") from None
    except OSError as error:
        raise TopicError(
            f"{target} cannot be written: {error.strerror}; give another --out."
        ) from None


def with_added(text: str, added: Mapping[str, Sequence[str]]) -> str:
    """The TOML ``text`` with these values at the end of its lists; those it has are not repeated.

    Raises ValueError or TOMLKitError where that does not come out as it should.
    """
    document = tomlkit.parse(text)
    wanted = tomllib.loads(text)
    for key, values in added.items():
        present = wanted.get(key, [])
        new = [value for value in dict.fromkeys(values) if value not in present]
        if new:
            wanted[key] = [*present, *new]
            _extend(document, key, new)
    written = _with_ends_of(text, tomlkit.dumps(document))
    if tomllib.loads(written) != wanted:
        raise ValueError("its lists are written in a way that cannot be added to")
    return written


def write_seeds_file(path: Path, accepted: Sequence[Proposal]) -> None:
    """A seeds file of all that was accepted, with its titles in comments.

    TopicError where it cannot be written.
    """
    lines = ["# Seeds found by scenthound, one a line."]
    for each in accepted:
        if each.title:
            lines.append(f"# {_in_a_line(each.title)}")
        lines.append(each.url)
    try:
        write_bytes(path, ("\n".join(lines) + "\n").encode("utf-8", "replace"))
    except OSError as error:
        raise TopicError(
            f"{path} cannot be written: {error.strerror}; give another --out."
        ) from None


def _extend(document: tomlkit.TOMLDocument, key: str, values: Sequence[str]) -> None:
    array = document.get(key)
    if isinstance(array, Array) and len(array):
        array.extend(values)
        return
    fresh = tomlkit.array()
    fresh.extend(values)
    document[key] = fresh.multiline(True)


def _with_ends_of(text: str, written: str) -> str:
    """``written`` with the line ends of ``text``, where that has CR and LF throughout."""
    if "\r\n" not in text or text.count("\r\n") != text.count("\n"):
        return written
    return written.replace("\r\n", "\n").replace("\n", "\r\n")


def _refuse_moved(text: str, source: Path, target: Path) -> None:
    """File names in a topic file are relative to it, and must not come to mean others."""
    if source.resolve().parent == target.resolve().parent:
        return
    table = tomllib.loads(text)
    names = [each for each in table.get("examples", []) if is_file_name(each) and not is_url(each)]
    if names or "ontology" in table:
        raise TopicError(
            f"{source} names files beside it; give an --out in the same folder, {source.parent}."
        )


def _in_a_line(title: str) -> str:
    """A stranger's title in a comment: no line end or other control character in it."""
    return "".join(sign if sign.isprintable() else " " for sign in title[:LONGEST_TITLE])
