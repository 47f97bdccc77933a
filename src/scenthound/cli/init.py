"""``scenthound init``: asks a few questions and writes a commented topic file."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from scenthound.api.advice import command
from scenthound.cli.answers import (
    keyword_advice,
    read_example,
    read_keywords,
    read_language,
    read_pattern,
    read_seed,
)
from scenthound.cli.asking import Answer, ask, ask_many, can_ask
from scenthound.cli.screen import notices, plain
from scenthound.core.errors import SettingsError, TopicError
from scenthound.core.model import Topic
from scenthound.store.atomic import check_replaceable, write_bytes
from scenthound.topics.coverage import shown
from scenthound.topics.writing import topic_text

_NEEDS_EXAMPLE = (
    "there are no keywords, so the topic needs an example page; give one (Ctrl-C ends)."
)


def _many(name: str, metavar: str, text: str) -> object:
    return typer.Option(name, metavar=metavar, help=f"{text}; may repeat.", show_default=False)


TopicPath = Annotated[Path, typer.Argument(metavar="FILE", help="Topic file to write.")]
Name = Annotated[
    str | None, typer.Option(metavar="NAME", help="Name [default: the first keyword].")
]
Language = Annotated[
    str | None, typer.Option(metavar="CODE", help="Language of the topic [default: en].")
]
Keywords = Annotated[
    str | None, typer.Option(metavar="WORDS", help="Keywords, with commas between them.")
]
Seeds = Annotated[list[str] | None, _many("--seed", "URL", "Where a crawl starts")]
Examples = Annotated[
    list[str] | None, _many("--example", "PAGE", "A page about the topic: address, file or text")
]
Excluded = Annotated[
    list[str] | None, _many("--exclude", "PATTERN", "Addresses that are never followed")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing; what is not given is empty.")]
Force = Annotated[bool, typer.Option("--force", help="Write over a file that is there.")]


def init(
    file: TopicPath = Path("topic.toml"),
    name: Name = None,
    keywords: Keywords = None,
    seeds: Seeds = None,
    examples: Examples = None,
    exclude: Excluded = None,
    language: Language = None,
    yes: Yes = False,
    force: Force = False,
) -> None:
    """Write a topic file, after a few questions.

    Every answer can be given as an option; with --yes nothing is asked.
    """
    _check_target(file, force)
    asks = not yes and can_ask()
    if not asks and not keywords and not examples:
        raise SettingsError(
            "there is no terminal to ask on, or --yes was given; "
            'give --keywords "typhoon, storm surge" or --example PAGE.'
        )
    tongue = _one(language, "Language of the topic, as a code [en]", read_language, asks)
    words = _one(keywords, "Keywords, with commas between them", partial(_words, tongue), asks)
    label = _one(name, f"Name of the topic {_brackets(words)}", partial(_name, words), asks)
    starts = _several(seeds, "Seeds: addresses where a crawl starts", read_seed, asks)
    pages = _several(
        examples,
        "Example pages: addresses, .html or .txt files, or texts",
        partial(read_example, folder=file.parent),
        asks,
        "" if words else _NEEDS_EXAMPLE,
    )
    left_out = _several(
        exclude,
        "Addresses to leave out, with * and ?",
        partial(read_pattern, named=(*starts, *pages)),
        asks,
    )
    topic = Topic(label, words, starts, pages, left_out, tongue)
    _write(file, topic)
    _say_next(file, topic)


def _one(given: str | None, question: str, read: Callable[[str], Answer], asks: bool) -> Answer:
    """What an option says, else the answer to a question, else what ``read`` makes of nothing."""
    if given is None and asks:
        return ask(question, read)
    return read((given or "").strip())


def _several(
    given: Sequence[str] | None,
    question: str,
    read: Callable[[str], str],
    asks: bool,
    needed: str = "",
) -> tuple[str, ...]:
    """The same for a list; ``needed`` says why it cannot be empty, where it cannot."""
    if given is None and asks:
        return ask_many(question, read, needed)
    return tuple(dict.fromkeys(map(read, given or ())))


def _words(language: str, text: str) -> tuple[str, ...]:
    """The keywords; what WordNet knows of them is told at once."""
    keywords = read_keywords(text, language)
    advice = keyword_advice(keywords, language)
    if advice:
        notices().print(plain(advice), style="dim", soft_wrap=True)
    return keywords


def _name(keywords: Sequence[str], text: str) -> str:
    if not text and not keywords:
        raise TopicError("a topic without keywords needs a name; give one.")
    return text or keywords[0]


def _brackets(keywords: Sequence[str]) -> str:
    """The name that is taken where none is given, for the question."""
    return f"[{shown(keywords[0])}]" if keywords else ""


def _check_target(file: Path, force: bool) -> None:
    """Find out before anything is asked that nothing could be written there."""
    if file.is_dir():
        raise SettingsError(f"{file} is a folder; give the name of a file, such as storms.toml.")
    if file.exists() and not force:
        raise SettingsError(f"{file} is there already; give another name, or --force.")
    if not file.parent.is_dir():
        raise SettingsError(f"{file}: there is no folder {file.parent}; make it first.")
    try:
        check_replaceable(file.resolve())
    except OSError as error:
        raise SettingsError(
            f"{file} cannot be written: {error.strerror}; give another name."
        ) from None


def _write(file: Path, topic: Topic) -> None:
    try:
        write_bytes(file, topic_text(topic).encode())
    except (OSError, UnicodeError) as error:
        raise SettingsError(f"{file} cannot be written: {error}.") from None


def _say_next(file: Path, topic: Topic) -> None:
    if topic.seeds:
        step = shlex.join(
            ["scenthound", "crawl", "--topic", str(file), "--out", f"{file.stem}-crawl"]
        )
    else:
        step = command("seeds", file, "--searxng", "URL")
    lines = (f"wrote {file}", f"next: {step}")
    for line in lines:
        notices().print(plain(line), soft_wrap=True)
