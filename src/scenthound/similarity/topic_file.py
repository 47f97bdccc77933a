"""Topic files (TOML) and seeds files: reading, writing, and topics from a few words."""

from __future__ import annotations

import io
import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from scenthound.core.errors import (
    MalformedUrlError,
    ScenthoundError,
    SettingsError,
    TopicError,
    UnknownNameError,
    warn_caller,
)
from scenthound.core.model import DEFAULT_LANGUAGE, Topic
from scenthound.core.parameters import check_name
from scenthound.core.urls import canonical

_LISTS = ("keywords", "seeds", "examples", "exclude")
_TEXTS = ("name", "language", "ontology")
KEYS = (*_TEXTS, *_LISTS)
_FILE_NAME_WORDS = 5


def read_topic(path: str | Path) -> Topic:
    """The topic in the TOML file at ``path``; TopicError says what is wrong with it."""
    path = Path(path)
    table = read_toml(path, "topic file", TopicError)
    try:
        return replace(_topic(table, path.parent), file=str(path))
    except (TopicError, UnknownNameError) as error:
        raise TopicError(f"topic file {path}: {error}") from None


def read_toml(
    path: Path, what: str, kind: type[ScenthoundError] = SettingsError
) -> dict[str, object]:
    """The content of a TOML file, which may be hostile; the error names ``what`` it is."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        reason = error.strerror or "cannot be read"
        raise kind(f"{what} {path}: {reason}; give the path of a TOML file.") from None
    except (ValueError, RecursionError) as error:  # TOML, UTF-8, huge numbers, deep nesting
        raise kind(f"{what} {path} is not valid TOML: {error}.") from None


def _topic(table: Mapping[str, object], folder: Path) -> Topic:
    for key in table:
        check_name("key", key, KEYS)
    if "name" not in table:
        raise TopicError('there is no name; add a line such as name = "storms".')
    found: dict[str, Any] = {}
    for key, value in table.items():
        if key in _TEXTS and not isinstance(value, str):
            raise TopicError(f"{key} must be a text in quotes, not {value!r}.")
        if key in _LISTS and not (
            isinstance(value, list) and all(isinstance(item, str) for item in value)
        ):
            raise TopicError(f'{key} must be a list of texts, such as {key} = ["one", "two"].')
        found[key] = tuple(value) if isinstance(value, list) else value
    if "examples" in found:
        found["examples"] = tuple(
            _beside(text, folder) if is_file_name(text) else text for text in found["examples"]
        )
    if "ontology" in found:
        if not found["ontology"].strip():
            raise TopicError(
                "ontology is empty; give the name of a file, or leave the line out to have one "
                "learned."
            )
        found["ontology"] = _beside(found["ontology"], folder)
    return Topic(**found)


def is_url(text: str) -> bool:
    """Is an example given as an address?"""
    return text.lstrip().lower().startswith(("http://", "https://"))


def is_file_name(text: str) -> bool:
    """Is an example given as a file? One short line that ends like a page or a text, and no URL."""
    text = text.strip().lower()
    short = "\n" not in text and len(text.split()) <= _FILE_NAME_WORDS
    page = text.endswith((".html", ".htm", ".xhtml", ".txt", ".pdf"))
    return short and page and not is_url(text)


def _beside(name: str, folder: Path) -> str:
    """File names in a topic file are relative to that file."""
    try:
        return str(folder / Path(name.strip()).expanduser())
    except RuntimeError:
        raise TopicError(f"there is no home folder for {name!r}; give the whole path.") from None


# Writing a topic file, with a comment on every key.

_FILE_HEADER = "# A topic file of Scenthound: what to look for, and where to start."
_COMMENTS = {
    "name": "A short name; it labels results.",
    "language": "Language of the topic, as a code such as en, de or zh.",
    "keywords": "Words and phrases that name the topic.",
    "seeds": "Where a crawl starts.",
    "examples": "Pages about the topic: addresses, files beside this one (.html, .txt), or texts.\n"
    "# Two or more make the topic much clearer than keywords alone. Only their text is used.",
    "exclude": "Addresses that are never followed; * stands for any text, ? for one character.",
    "ontology": "What the topic is made of, for the strategies that use an ontology.",
}


def topic_text(topic: Topic) -> str:
    """TOML that ``read_topic`` reads back as the same topic; empty lists are there too."""
    parts = [_FILE_HEADER]
    for key, comment in _COMMENTS.items():
        value = getattr(topic, key)
        if value is None:  # no ontology
            continue
        lines = "".join(f"  {_quoted(text)},\n" for text in value)
        written = _quoted(value) if isinstance(value, str) else f"[\n{lines}]" if value else "[]"
        parts.append(f"# {comment}\n{key} = {written}")
    return "\n\n".join(parts) + "\n"


def _quoted(text: str) -> str:
    """A basic string of TOML: that of JSON, but for one control character that JSON leaves bare."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


# A topic from a few words, without a topic file.


def split_keywords(keywords: str | Sequence[str]) -> tuple[str, ...]:
    """Return the keywords of a list, or of a text with commas between them, each once."""
    words = keywords.split(",") if isinstance(keywords, str) else keywords
    return tuple(dict.fromkeys(filter(None, (" ".join(word.split()) for word in words))))


def quick_topic(
    keywords: str | Sequence[str],
    seeds: Sequence[str],
    name: str | None = None,
    language: str = DEFAULT_LANGUAGE,
) -> Topic:
    """A topic without a file.

    ``keywords``: words or phrases, in a list or in one text with commas between them.

    TopicError: there is no keyword, or a seed is no URL.
    """
    words = split_keywords(keywords)
    if not words:
        raise TopicError('there is no keyword; give some, such as "typhoon, storm surge".')
    return Topic(
        name=words[0] if name is None else name,
        keywords=words,
        seeds=tuple(dict.fromkeys(seeds)),
        language=language,
    )


def without_examples(topic: Topic) -> Topic:
    """The same topic without its example pages; one that has none stays as it is.

    SettingsError where it has no keywords: nothing would be left of it.
    """
    if not any(keyword.strip() for keyword in topic.keywords):
        raise SettingsError(
            f"{topic} has no keywords, and with keywords only nothing else is known of it; give it "
            "keywords."
        )
    return replace(topic, examples=())


# The files that a topic names: example pages and its ontology.


def named_files(topic: Topic) -> list[str]:
    """The names of its files as the topic has them; none for one of words and URLs."""
    ontology = [topic.ontology] if topic.ontology else []
    return [*filter(is_file_name, topic.examples), *ontology]


def with_absolute_paths(topic: Topic) -> Topic:
    """The same topic, its files and its own found from every folder: names start at the root.

    Links and ``..`` stay as they are, so that reading the topic file again gives the same names.
    """
    return replace(
        topic,
        examples=tuple(
            str(Path(each.strip()).absolute()) if is_file_name(each) else each
            for each in topic.examples
        ),
        ontology=topic.ontology and str(Path(topic.ontology.strip()).absolute()),
        file=topic.file and str(Path(topic.file.strip()).absolute()),
    )


# Seeds files: a URL a line.

MAX_WARNINGS = 10
"""Lines that have a warning of their own; the others are counted."""
_COMMENT = re.compile(r"(?:^|\s)#.*")
"""A ``#`` inside a URL starts a fragment, not a comment."""
_TABLE_ROW = re.compile(r"\A[^?]*[,;](?=[^,;]*[^\W\d_])[^/.=?]*\Z")
"""Ends in a comma and a word: ``http://a.test/1.html,storm``, and not ``.../0,1518,7.html``."""
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_UTF16_STARTS = ("http".encode("utf-16-le"), "http".encode("utf-16-be"))
"""A file in UTF-16 would be left out line by line."""
_SNIFFED_BYTES = 1_000
_UNDECODED = re.compile("[\udc80-\udcff]")


def read_seeds(path: Path) -> tuple[str, ...]:
    """The URLs in the file at ``path``, canonical, each once.

    ``path``: a text file in UTF-8; blank lines and what follows a ``#`` are passed over.

    TopicError: the file cannot be read, is in another encoding, or no line of it is a URL.
    """
    try:
        with path.open("rb") as file:
            head = file.peek(_SNIFFED_BYTES)  # a pipe can be read only once
            if head.startswith(_UTF16_MARKS) or any(each in head.lower() for each in _UTF16_STARTS):
                raise TopicError(f"seeds file {path} is in UTF-16; save it as UTF-8.")
            lines = io.TextIOWrapper(file, encoding="utf-8-sig", errors="surrogateescape")
            return seeds_in(lines, f"seeds file {path}")
    except OSError as error:
        reason = error.strerror or "cannot be read"
        raise TopicError(f"seeds file {path}: {reason}; give a file with a URL a line.") from None


def seeds_in(lines: Iterable[str], where: str) -> tuple[str, ...]:
    """The URLs in lines of text such as standard input; ``where`` names them in messages.

    Raises TopicError where there is no URL in any line, or no line at all.
    """
    found: dict[str, None] = {}
    table_rows: list[int] = []
    junk = 0
    for number, line in enumerate(lines, start=1):
        text = text_of(line)
        if not text:
            continue
        try:
            found[_seed(text)] = None
            if _TABLE_ROW.match(text):
                table_rows.append(number)
        except MalformedUrlError as error:
            junk += 1
            if junk <= MAX_WARNINGS:
                warn_caller(f"{where}, line {number} is left out: {error}")
    if junk > MAX_WARNINGS:
        warn_caller(f"{where}: further lines that are no URLs and left out: {junk - MAX_WARNINGS}")
    if table_rows:
        more = f" (so in {len(table_rows)} lines)" if len(table_rows) > 1 else ""
        warn_caller(
            f"{where}, line {table_rows[0]} looks like a row of a table: all of it is taken for "
            f"the URL, the comma too{more}; keep the column with the URLs"
        )
    if not found:
        raise TopicError(f"{where} holds no URL; write one a line, such as https://example.org/.")
    return tuple(found)


def text_of(line: str) -> str:
    """What a line says, without comment and blanks around it; empty for nothing."""
    return _COMMENT.sub("", line.removeprefix("\ufeff")).strip()


def _seed(text: str) -> str:
    if _UNDECODED.search(text):
        raise MalformedUrlError("it is no UTF-8 text")
    if len(text.split()) > 1:
        raise MalformedUrlError(f"{text[:80]!r} is more than one word; write one URL a line")
    return canonical(text)
