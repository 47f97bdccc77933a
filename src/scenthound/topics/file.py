"""The topic file: a small TOML file that says what to look for."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from scenthound.core.errors import TopicError, UnknownNameError
from scenthound.core.model import Topic

_LISTS = ("keywords", "seeds", "examples", "exclude")
_TEXTS = ("name", "language", "ontology")
KEYS = (*_TEXTS, *_LISTS)
_FILE_NAME_WORDS = 5


def read_topic(path: str | Path) -> Topic:
    """The topic in the TOML file at ``path``; TopicError says what is wrong with it."""
    path = Path(path)
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        reason = error.strerror or "cannot be read"
        raise TopicError(f"topic file {path}: {reason}; give the path of a TOML file.") from None
    except (ValueError, RecursionError) as error:  # TOML, UTF-8, huge numbers, deep nesting
        raise TopicError(f"topic file {path} is not valid TOML: {error}.") from None
    try:
        return replace(_topic(table, path.parent), file=str(path))
    except (TopicError, UnknownNameError) as error:
        raise TopicError(f"topic file {path}: {error}") from None


def _topic(table: Mapping[str, object], folder: Path) -> Topic:
    for key in table:
        if key not in KEYS:
            raise UnknownNameError("key", key, KEYS)
    if "name" not in table:
        raise TopicError('there is no name; add a line such as name = "storms".')
    texts = {key: _text(key, table[key]) for key in _TEXTS if key in table}
    lists = {key: _list(key, table[key]) for key in _LISTS if key in table}
    return Topic(
        name=texts["name"],
        keywords=lists.get("keywords", ()),
        seeds=lists.get("seeds", ()),
        examples=tuple(_example(text, folder) for text in lists.get("examples", ())),
        exclude=lists.get("exclude", ()),
        language=texts.get("language", "en"),
        ontology=_ontology(texts["ontology"], folder) if "ontology" in texts else None,
    )


def _text(key: str, value: object) -> str:
    if not isinstance(value, str):
        raise TopicError(f"{key} must be a text in quotes, not {value!r}.")
    return value


def _list(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise TopicError(f'{key} must be a list of texts, such as {key} = ["one", "two"].')
    return tuple(value)


def is_url(text: str) -> bool:
    """Is an example given as an address?"""
    return text.lstrip().lower().startswith(("http://", "https://"))


def is_file_name(text: str) -> bool:
    """Is an example given as a file? One short line that ends like a page or a text."""
    text = text.strip().lower()
    short = "\n" not in text and len(text.split()) <= _FILE_NAME_WORDS
    return short and text.endswith((".html", ".htm", ".xhtml", ".txt", ".pdf"))


def _ontology(name: str, folder: Path) -> str:
    if not name.strip():
        raise TopicError(
            "ontology is empty; give the name of a file, or leave the line out to have one learnt."
        )
    return _beside(name, folder)


def _example(text: str, folder: Path) -> str:
    return _beside(text, folder) if is_file_name(text) and not is_url(text) else text


def _beside(name: str, folder: Path) -> str:
    """File names in a topic file are relative to that file."""
    try:
        return str(folder / Path(name.strip()).expanduser())
    except RuntimeError:
        raise TopicError(f"there is no home folder for {name!r}; give the whole path.") from None
