"""Pages that lie in an archive, read as a crawl would read them."""

from __future__ import annotations

from scenthound.archive import Archive, Response
from scenthound.core.model import Page
from scenthound.engines.reading import read_page
from scenthound.engines.redirects import final_response
from scenthound.live.answers import wanted_type
from scenthound.text.decode import media_type

_NO_PAGES = frozenset({"text/xml", "application/xml"})
"""Read by a crawl, which meets them by links; in an archive they are sitemaps and feeds."""


def archived_page(archive: Archive, url: str, pdf: bool = False) -> Page | None:
    """The page that a canonical ``url`` leads to; None where there is no page to read.

    With ``pdf`` a PDF is a page too.
    """
    response = final_response(archive, url)
    return None if response is None else page_in(response, pdf)


def page_in(response: Response, pdf: bool = False) -> Page | None:
    """The page in a response; None for redirects, errors and what is no page."""
    content_type = response.headers.get("content-type", "")
    if not 200 <= response.status < 300 or media_type(content_type) in _NO_PAGES:
        return None
    if wanted_type(content_type, response.url, pdf) is not None:
        return None
    return read_page(response, (), 0.0, pdf=pdf)
