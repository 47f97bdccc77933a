"""The pages of an archive as they are read, and where redirects lead."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from scenthound.archive import Archive
from scenthound.core.model import Page
from scenthound.engines.reading import read_page
from scenthound.engines.redirects import redirect_target


class ReadPage(NamedTuple):
    """What an address holds.

    Parameters
    ----------
    page : as if it had been come to at once, and at time 0.
    target : where it redirects to; None for a page.
    """

    page: Page
    target: str | None = None


class PageSource(Protocol):
    """Pages by their address."""

    def read(self, url: str) -> ReadPage | None:
        """What a canonical URL holds; None where there is nothing."""
        ...


class ArchivedPages:
    """Reads each page anew.

    Parameters
    ----------
    archive : where they lie.
    pdf : are PDFs pages too?
    """

    def __init__(self, archive: Archive, pdf: bool = False) -> None:
        self._archive = archive
        self._pdf = pdf

    def read(self, url: str) -> ReadPage | None:
        """What a canonical URL holds; None where the archive holds nothing."""
        response = self._archive.fetch(url)
        if response is None:
            return None
        return ReadPage(read_page(response, (), 0.0, pdf=self._pdf), redirect_target(response))
