"""Accepted proposals go into the topic file, whose comments and order stay as they are."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Array

from scenthound.core.errors import TopicError
from scenthound.crawler.seeds.proposals import Kind, Proposal
from scenthound.crawler.seeds.search import LONGEST_TITLE
from scenthound.similarity.topic_file import is_file_name
from scenthound.storage.files import write_bytes

_KEYS = {
    "seeds": frozenset({Kind.SEED, Kind.BOTH}),
    "examples": frozenset({Kind.EXAMPLE, Kind.BOTH}),
}


def additions(accepted: Sequence[Proposal]) -> dict[str, list[str]]:
    """Return the URLs to add, by key of the topic file."""
    return {key: [each.url for each in accepted if each.kind in kinds]
            for key, kinds in _KEYS.items()}  # fmt: skip


def add_to_topic(source: Path, accepted: Sequence[Proposal], target: Path | None = None) -> None:
    """Write the topic file ``source`` with the accepted proposals in it.

    ``target`` is where to write it; by default ``source`` itself, in one step. TopicError where
    the file cannot be edited or written.
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
    """Return the TOML ``text`` with these values at the end of its lists, each once.

    ValueError or TOMLKitError where the text cannot be edited.
    """
    document = tomlkit.parse(text)
    wanted = tomllib.loads(text)
    for key, values in added.items():
        present = wanted.get(key, [])
        new = [value for value in dict.fromkeys(values) if value not in present]
        if new:
            wanted[key] = [*present, *new]
            array = document.get(key)
            if isinstance(array, Array) and len(array):
                array.extend(new)
            else:
                document[key] = tomlkit.array()
                document[key].extend(new)
                document[key].multiline(True)
    written = tomlkit.dumps(document)
    # tomlkit ends added lines with \n alone: a file from Windows keeps its line ends.
    if "\r\n" in text and text.count("\r\n") == text.count("\n"):
        written = written.replace("\r\n", "\n").replace("\n", "\r\n")
    # tomlkit may put a value in the wrong place of an unusual file: the text is read again, and a
    # topic file is never replaced by one that says something else.
    if tomllib.loads(written) != wanted:
        raise ValueError("its lists are written in a way that cannot be added to")
    return written


def write_seeds_file(path: Path, accepted: Sequence[Proposal]) -> None:
    """Write a seeds file of all that was accepted, with its titles in comments.

    TopicError where it cannot be written.
    """
    lines = ["# Seeds found by scenthound, one a line."]
    for each in accepted:
        if each.title:  # untrusted text: no line end may be in the comment
            title = each.title[:LONGEST_TITLE]
            lines.append("# " + "".join(sign if sign.isprintable() else " " for sign in title))
        lines.append(each.url)
    try:
        write_bytes(path, ("\n".join(lines) + "\n").encode("utf-8", "replace"))
    except OSError as error:
        raise TopicError(
            f"{path} cannot be written: {error.strerror}; give another --out."
        ) from None


def _refuse_moved(text: str, source: Path, target: Path) -> None:
    """TopicError where file names in a topic file, which are relative to it, would change."""
    if source.resolve().parent == target.resolve().parent:
        return
    table = tomllib.loads(text)
    names = [each for each in table.get("examples", []) if is_file_name(each)]
    if names or "ontology" in table:
        raise TopicError(
            f"{source} names files beside it; give an --out in the same folder, {source.parent}."
        )
