"""Where training links come from: an archive, open or not, or a crawl folder."""

from __future__ import annotations

from pathlib import Path

from scenthound.archive import Archive, open_archive
from scenthound.archive.model import Progress
from scenthound.core.errors import ArchiveError, SettingsError
from scenthound.core.model import Topic
from scenthound.corpus.stored_crawl import open_crawl
from scenthound.experiments.topic_reading import Warn
from scenthound.store.folder import CrawlFolder
from scenthound.tuning.collecting import Collected, OnLinks
from scenthound.tuning.plan import LinkPlan
from scenthound.tuning.pre_crawl import links_of_archive
from scenthound.tuning.stored_links import links_of_crawl


def is_crawl_folder(path: Path) -> bool:
    """Does a crawl lie there? Its WARC files alone would make an archive, too."""
    return CrawlFolder(path).order_path.is_file()


def collect(
    source: str | Path | Archive,
    topic: Topic | None,
    plan: LinkPlan,
    pdf: bool,
    warn: Warn,
    on_links: OnLinks | None,
) -> Collected:
    """The training links of a source; see :func:`scenthound.tune` for what can go wrong.

    Parameters
    ----------
    source : an archive, or its path, or that of a crawl folder.
    topic : None for that of a crawl folder.
    plan : how many links, and what reads them.
    pdf : are PDFs in an archive pages too?
    warn : gets what is left out, in words.
    on_links : told how many links there are by now.
    """
    if isinstance(source, Archive):
        return links_of_archive(source, _needed(topic), plan, warn, on_links, pdf)
    path = Path(source)
    if is_crawl_folder(path):
        if pdf:
            raise SettingsError(
                f"the crawl in {path} says itself if PDFs are pages: leave out pdf."
            )
        with open_crawl(path) as stored:
            return links_of_crawl(stored, topic, plan, warn, on_links)
    with opened_archive(path) as archive:
        return links_of_archive(archive, _needed(topic), plan, warn, on_links, pdf)


def opened_archive(path: Path, progress: Progress | None = None) -> Archive:
    """The archive, as :func:`open_archive` opens it; what else could have been given is told.

    FolderError names the crawls in a folder that is no archive and no crawl itself.
    """
    try:
        return open_archive(path, progress=progress)
    except ArchiveError as error:
        if path.is_file():
            raise
        if any(next(path.glob(f"{deep}/crawl.json"), None) for deep in ("*", "*/*")):
            with open_crawl(path):  # raises, and names them
                pass
        raise ArchiveError(f"{str(error).removesuffix('.')}, or a crawl folder.") from None


def _needed(topic: Topic | None) -> Topic:
    if topic is None:
        raise SettingsError("an archive has no topic of its own: give one with seeds in it.")
    return topic
