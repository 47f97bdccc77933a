"""Webs with labelled topics: the schools web, or generated ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.neural.schools import ARCHIVE, topics_of
from scenthound.core.errors import UnknownNameError
from scenthound.core.model import Topic
from scenthound.crawler.metrics import Labels, read_labels
from scenthound.sample.web import build, write_labels, write_warc
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.archive import Archive, open_archive


@dataclass(frozen=True)
class Web:
    """An archive, its topics, and which pages are about them.

    Parameters
    ----------
    name : of the web.
    folder : where the archive and ``labels.tsv`` are.
    archive : the file in it.
    topics : to crawl for.
    cache : folder for the index of the archive; None for the one that all commands share.
    """

    name: str
    folder: Path
    archive: str
    topics: tuple[Topic, ...]
    cache: Path | None = None

    def opened(self) -> Archive:
        """The archive; to be closed. ArchiveError where there is none."""
        return open_archive(self.folder / self.archive, cache=self.cache)

    def labels(self) -> Labels:
        """The labelled pages; LabelsError where there are none."""
        return read_labels(self.folder / "labels.tsv")


def schools(folder: Path) -> Web:
    """The schools web in its folder; InputError where that has no topics."""
    return Web(folder.name, folder, ARCHIVE, tuple(map(read_topic, topics_of(folder))))


def generated(seed: int, folder: Path) -> Web:
    """The sample web of a seed, written to ``folder``."""
    web, name = build(seed), f"sample{seed}"
    folder = folder / name
    folder.mkdir()
    write_warc(web, folder / "sample.warc.gz")
    write_labels(web, folder / "labels.tsv")
    return Web(name, folder, "sample.warc.gz", tuple(web.topics), folder / "cache")


def with_topics(webs: Iterable[Web], names: Sequence[str]) -> list[Web]:
    """The webs with the topics of these names alone; with all, where none is named."""
    webs = list(webs)
    known = {topic.name for web in webs for topic in web.topics}
    for name in names:
        if name not in known:
            raise UnknownNameError("topic", name, known)
    chosen = set(names) or known
    return [replace(web, topics=tuple(t for t in web.topics if t.name in chosen)) for web in webs]
