"""What a command is to look for: a topic file, words and URLs on the command line, or both."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from scenthound.cli.screen import say_warning
from scenthound.core.errors import SettingsError
from scenthound.core.model import DEFAULT_LANGUAGE, Topic
from scenthound.experiments.topic_reading import Warn
from scenthound.topics.file import read_topic
from scenthound.topics.quick import quick_topic, split_keywords
from scenthound.topics.seeds_file import read_seeds, seeds_in

STDIN = Path("-")

Keywords = Annotated[
    str | None,
    typer.Option(metavar="WORDS", help='Instead of a topic file or with it: "typhoon, surge".'),
]
SeedUrls = Annotated[
    list[str] | None, typer.Option("--seed", metavar="URL", help="Start here; may repeat.")
]
SeedsFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="A file with a URL to start from a line (- for stdin)."),
]
TopicName = Annotated[
    str | None, typer.Option(metavar="NAME", help="Name of the topic. [default: first keyword]")
]
Language = Annotated[
    str | None, typer.Option(metavar="CODE", help=f"Its language. [default: {DEFAULT_LANGUAGE}]")
]


@dataclass(frozen=True, slots=True)
class AskedTopic:
    """What was given on the command line to say what to look for; None is not given."""

    file: Path | None = None
    keywords: str | None = None
    seeds: Sequence[str] = ()
    seeds_file: Path | None = None
    name: str | None = None
    language: str | None = None

    def topic(self, warn: Warn = say_warning) -> Topic:
        """The topic: that of the file with the rest added, or one of the words alone.

        ``warn`` gets the lines of a seeds file that are no URLs.

        Raises
        ------
        InputError
            There is neither file nor keywords, or one of them cannot be used.
        """
        if self.file is None and self.keywords is None:
            raise SettingsError(
                'there is no topic: give --topic T.toml, or --keywords "storm, flood" with '
                "--seed URL."
            )
        for seed in filter(str.isdecimal, self.seeds):  # what the option once took
            raise SettingsError(
                f"--seed {seed} is no URL; the random generator's is --random-seed."
            )
        seeds = (*self.seeds, *self._listed(warn))
        if self.file is None:
            language = self.language or DEFAULT_LANGUAGE
            return quick_topic(self.keywords or "", seeds, self.name, language)
        read = read_topic(self.file.resolve())  # the day it is resumed may be in another folder
        return self._added(read, seeds)

    def _listed(self, warn: Warn) -> tuple[str, ...]:
        if self.seeds_file is None:
            return ()
        if self.seeds_file == STDIN:
            return seeds_in(sys.stdin, "standard input", warn)
        return read_seeds(self.seeds_file, warn)

    def _added(self, read: Topic, seeds: tuple[str, ...]) -> Topic:
        """The topic of the file, with what stands beside it; then it is no longer the file's."""
        words = split_keywords(self.keywords or "")
        topic = replace(
            read,
            name=self.name or read.name,
            keywords=_each_once(read.keywords, words),
            seeds=_each_once(read.seeds, seeds),
            language=self.language or read.language,
        )
        return replace(topic, seeds=_each_once(topic.seeds), file=_file(read, topic))


def _file(read: Topic, topic: Topic) -> str | None:
    return read.file if topic == read else None


def _each_once(*lists: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for texts in lists for text in texts))
