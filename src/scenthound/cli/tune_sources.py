"""Where ``scenthound tune`` takes its links from: an archive, a crawl folder, a file of links."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.progress import Progress

from scenthound import api
from scenthound.api.tuning import COLLECTING, LEARNING, OnTuning, TunedTopic
from scenthound.api.tuning_sources import is_crawl_folder, opened_archive
from scenthound.archive import Archive
from scenthound.cli.progress import reading_bar
from scenthound.cli.screen import plain, say_warning
from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic
from scenthound.core.parameters import Value
from scenthound.optimise import catalogue
from scenthound.tuning.links_file import is_links_name
from scenthound.tuning.plan import DEFAULT_LINKS, DEFAULT_MODEL

_PER_CENT = 100


@dataclass(frozen=True)
class Wish:
    """What is asked for, the same for every topic; the names are those of ``api.tune``."""

    model: str = DEFAULT_MODEL
    optimiser: str = catalogue.EXACT
    links: int = DEFAULT_LINKS
    structure: bool = False
    parameters: Mapping[str, Value] | None = None
    optimiser_parameters: Mapping[str, Value] | None = None
    random_seed: int = 0
    wordnet: Path | None = None
    pdf: bool = False
    cache: str | None = None
    cache_limit: str | None = None


def is_links_file(source: Path) -> bool:
    """Is this a table of links? Archives are never called so.

    SettingsError where there is nothing at all.
    """
    if not os.path.exists(source):
        raise SettingsError(
            f"{source} does not exist; give an archive, a crawl folder or a file of links."
        )
    return is_links_name(source) and not source.is_dir()


def tuned(
    source: Path, topics: Sequence[Topic], wish: Wish, progress: Progress
) -> Iterator[TunedTopic]:
    """One topic after the other; by default the one of the file or the crawl folder."""
    if is_links_file(source):
        yield _tuned_file(source, wish, progress)
    elif is_crawl_folder(source):
        own: list[Topic | None] = [None]
        yield from (_tuned(source, topic, wish, progress) for topic in topics or own)
    else:
        yield from _tuned_archive(source, topics, wish, progress)


def _tuned_file(source: Path, wish: Wish, progress: Progress) -> TunedTopic:
    with _bar(progress, "", "reading the links"):
        links = api.read_links(source)
    with _bar(progress, links.topic, LEARNING) as on_progress:
        tuning = api.tune_links(
            links, wish.optimiser, parameters=wish.optimiser_parameters,
            random_seed=wish.random_seed, on_progress=on_progress,
        )  # fmt: skip
    return TunedTopic(tuning, links)


def _tuned_archive(
    source: Path, topics: Sequence[Topic], wish: Wish, progress: Progress
) -> Iterator[TunedTopic]:
    with reading_bar(progress, source.name) as on_bytes:
        opened = opened_archive(source, on_bytes)
    with opened as archive:
        if not topics:
            raise SettingsError(f"{source} has no topic of its own; give one with --topic T.toml.")
        _tell_skipped(archive)
        yield from (_tuned(archive, topic, wish, progress) for topic in topics)


def _tuned(
    source: Path | Archive, topic: Topic | None, wish: Wish, progress: Progress
) -> TunedTopic:
    name = "" if topic is None else topic.name
    with _bar(progress, name, "reading the topic") as on_progress:
        return api.tune(
            source, topic, model=wish.model, optimiser=wish.optimiser, links=wish.links,
            structure=wish.structure, parameters=wish.parameters,
            optimiser_parameters=wish.optimiser_parameters, random_seed=wish.random_seed,
            wordnet=wish.wordnet, pdf=wish.pdf, cache=wish.cache, cache_limit=wish.cache_limit,
            on_progress=on_progress, warn=say_warning,
        )  # fmt: skip


@contextmanager
def _bar(progress: Progress, topic: str, first: str) -> Iterator[OnTuning]:
    """One bar for each stage, which goes when the next one comes; ``first`` is what comes first."""
    name = f"{plain(topic).plain}: " if topic else ""
    task = progress.add_task(f"{name}{first}", total=None, found="")
    drawn = ""

    def on_progress(stage: str, done: float, total: float) -> None:
        nonlocal drawn
        scale, unit = (1, "links") if stage == COLLECTING else (_PER_CENT, "%")
        if stage != drawn:
            progress.reset(task, total=total * scale, description=name + stage, found=unit)
            drawn = stage
        progress.update(task, completed=int(done * scale))

    yield on_progress
    progress.remove_task(task)


def _tell_skipped(archive: Archive) -> None:
    for reason, skipped in archive.skipped.items():
        say_warning(
            f"{archive.path.name}: {skipped.count} records skipped ({reason}), "
            f"e.g. {skipped.examples[0]}"
        )
