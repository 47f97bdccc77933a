"""The schools web, as the sections read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from scenthound.core.errors import InputError
from scenthound.similarity.sentence_models import page_lead
from scenthound.storage.archive import Archive
from scenthound.storage.pages import read_page

ARCHIVE = "schools.warc.gz"
TOPIC = "space"
"""The topic of the sections that take one."""


@dataclass(frozen=True)
class PageTexts:
    """What a sentence model reads of a page.

    Parameters
    ----------
    lead : title and beginning.
    anchors : of its links, each once; none is empty.
    contexts : the words around them, likewise.
    """

    lead: str
    anchors: tuple[str, ...]
    contexts: tuple[str, ...]

    @property
    def short(self) -> tuple[str, ...]:
        """Anchors and contexts."""
        return tuple(dict.fromkeys((*self.anchors, *self.contexts)))


def topics_of(web: Path) -> list[Path]:
    """The topic files of a web; InputError where there is none."""
    topics = sorted((web / "topics").glob("*.toml"))
    if not topics:
        raise InputError(f"{web} has no topics/*.toml; give the folder of the webs with --webs.")
    return topics


def page_texts(archive: Archive, pages: int) -> list[PageTexts]:
    """The texts of the first pages that have any."""
    return list(islice(_with_texts(archive), pages))


def _with_texts(archive: Archive) -> Iterator[PageTexts]:
    for url in archive.urls():
        response = archive.fetch(url)
        if response is None:
            continue
        page = read_page(response, (), 0.0)
        anchors = _distinct(link.anchor for link in page.links)
        contexts = _distinct(link.context for link in page.links)
        if anchors or contexts:
            yield PageTexts(page_lead(page.document), anchors, contexts)


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text.strip()))
