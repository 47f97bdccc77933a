"""What a command is about: its topic, from a file or from words and URLs, its strategies and its
archive.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from scenthound.cli.options import option
from scenthound.cli.screen import STDIN, bars, notices, print_warning, reading_bar
from scenthound.core.errors import SettingsError
from scenthound.core.model import DEFAULT_LANGUAGE, Topic
from scenthound.similarity import topic_file
from scenthound.storage.archive import Archive, open_archive
from scenthound.strategies.catalogue import DEFAULT_STRATEGY

KEYWORDS = option("WORDS", 'Keywords of the topic, with or without a topic file: "typhoon, surge".')
SEED_URLS = option("URL", "Start here; may be repeated.", "--seed")
SEEDS_FILE = option("FILE", "File with one URL to start from on each line (- for stdin).")
TOPIC_NAME = option("NAME", "Name of the topic. [default: the first keyword]")
LANGUAGE = option("CODE", f"Language of the topic. [default: {DEFAULT_LANGUAGE}]")
STRATEGY_NAME = option(
    "NAME", "Strategy that orders the URLs.", "--strategy -s", DEFAULT_STRATEGY, show_default=True
)


@dataclass(frozen=True, slots=True)
class TopicOptions:
    """The options that make up a topic; None is not given."""

    file: Path | None = None
    keywords: str | None = None
    seeds: Sequence[str] = ()
    seeds_file: Path | None = None
    name: str | None = None
    language: str | None = None

    def topic(self) -> Topic:
        """The topic of the file with the other options added, or one of the keywords alone.

        Lines of a seeds file that are no URLs are warned of. InputError where there is neither
        file nor keywords, or one of them cannot be used.
        """
        if self.file is None and self.keywords is None:
            raise SettingsError(
                'there is no topic: give --topic T.toml, or --keywords "storm, flood" with '
                "--seed URL."
            )
        for seed in filter(str.isdecimal, self.seeds):  # a number was the option's value once
            raise SettingsError(
                f"--seed {seed} is no URL; the random generator's is --random-seed."
            )
        seeds = (*self.seeds, *self._listed_seeds())
        if self.file is None:
            language = self.language or DEFAULT_LANGUAGE
            return topic_file.quick_topic(self.keywords or "", seeds, self.name, language)
        read = topic_file.read_topic(self.file.resolve())  # it may be resumed from another folder
        topic = replace(
            read,
            name=self.name or read.name,
            keywords=tuple(
                dict.fromkeys((*read.keywords, *topic_file.split_keywords(self.keywords or "")))
            ),
            seeds=tuple(dict.fromkeys((*read.seeds, *seeds))),
            language=self.language or read.language,
        )
        # URLs become canonical, and perhaps equal. A changed topic is no longer the file's.
        return replace(
            topic,
            seeds=tuple(dict.fromkeys(topic.seeds)),
            file=read.file if topic == read else None,
        )

    def _listed_seeds(self) -> tuple[str, ...]:
        if self.seeds_file is None:
            return ()
        if self.seeds_file == STDIN:
            return topic_file.seeds_in(sys.stdin, "standard input")
        return topic_file.read_seeds(self.seeds_file)


@contextmanager
def opened_archive(archive: Path | None) -> Iterator[Archive | None]:
    """The archive, with a bar while it is indexed; None where none is given."""
    if archive is None:
        yield None
        return
    with bars(notices(), quiet=False) as progress, reading_bar(progress, archive.name) as on_bytes:
        opened = open_archive(archive, progress=on_bytes)
    with opened:
        yield opened


def warn_skipped(archive: Archive) -> None:
    """Warn of records of an archive that cannot be read, by reason."""
    for reason, skipped in archive.skipped.items():
        print_warning(
            f"{archive.path.name}: {skipped.count} records skipped ({reason}), "
            f"e.g. {skipped.examples[0]}"
        )
