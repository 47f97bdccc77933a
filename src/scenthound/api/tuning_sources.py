"""Where training links come from: an archive, open or not, or a crawl folder."""

from __future__ import annotations

import os
from pathlib import Path

from scenthound.archive import Archive, open_archive
from scenthound.archive.model import Progress
from scenthound.core.errors import ArchiveError, SettingsError
from scenthound.core.model import Topic
from scenthound.corpus.stored_crawl import open_crawl
from scenthound.experiments.topic_reading import Warn
from scenthound.store.folder import CrawlFolder
from scenthound.strategies.given_weights import text_model
from scenthound.strategies.installed import STRATEGIES
from scenthound.tuning.collecting import Collected, OnLinks
from scenthound.tuning.links_file import is_links_name
from scenthound.tuning.plan import DEFAULT_MODEL, LinkPlan
from scenthound.tuning.pre_crawl import links_of_archive
from scenthound.tuning.stored_links import links_of_crawl


def is_crawl_folder(path: Path) -> bool:
    """Does a crawl lie there? Its WARC files alone would make an archive, too."""
    return os.path.isfile(CrawlFolder(path).order_path)


def default_model(source: str | Path | Archive) -> str:
    """The text model for the links of a source where none is asked for.

    For a crawl folder that of the strategy that crawled, if that takes weights; else
    ``soft-sdvsm``. The default strategy weighs what several models say, and takes none.
    """
    if not isinstance(source, Archive) and is_crawl_folder(Path(source)):
        name = str(CrawlFolder(Path(source)).order().get("strategy", ""))
        recipe = STRATEGIES.known(name)
        own = None if recipe is None else text_model(recipe)
        return own or DEFAULT_MODEL
    return DEFAULT_MODEL


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
    if is_links_name(path) and not os.path.isdir(path):
        raise SettingsError(
            f"{path} is no archive but a file of links: give tune_links(read_links(...)) instead."
        )
    with opened_archive(path) as archive:
        return links_of_archive(archive, _needed(topic), plan, warn, on_links, pdf)


def opened_archive(path: Path, progress: Progress | None = None) -> Archive:
    """The archive, as :func:`open_archive` opens it; what else could have been given is told.

    FolderError names the crawls in a folder that is no archive and no crawl itself.
    """
    try:
        return open_archive(path, progress=progress)
    except ArchiveError as error:
        if os.path.isfile(path):
            raise
        below = ("*", "*/*") if os.path.isdir(path) else ()
        if any(next(path.glob(f"{deep}/crawl.json"), None) for deep in below):
            with open_crawl(path):  # raises, and names them
                pass
        told = str(error).removesuffix(".")
        what = ", or" if "give a" in told else "; give an archive or"
        raise ArchiveError(f"{told}{what} a crawl folder.") from None


def _needed(topic: Topic | None) -> Topic:
    if topic is None:
        raise SettingsError("an archive has no topic of its own: give one with seeds in it.")
    return topic
