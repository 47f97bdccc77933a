"""From an answer to a page, with what is needed to know its copies."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from scenthound.archive import Response
from scenthound.archive.http_body import decode
from scenthound.core.model import Candidate, Page
from scenthound.engines.reading import read_page
from scenthound.live.answers import robots_tag
from scenthound.live.copies import NEAR, fingerprint
from scenthound.live.messages import Answer, Headers
from scenthound.store.ledger import Ledger

COPY, NEAR_COPY = "copy", "near copy"


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page that was read: ``digest`` of its body, ``fingerprint`` of its text, if long enough.

    ``exact`` says that it is a copy byte for byte, not only nearly.
    """

    page: Page
    digest: bytes
    fingerprint: int | None
    exact: bool = False


class PageReader:
    """Reads answers.

    Parameters
    ----------
    ledger : knows the pages so far.
    max_body : bytes of a decoded body that are read.
    pdf : are PDFs read too?
    """

    def __init__(self, ledger: Ledger, max_body: int, pdf: bool = False) -> None:
        self._ledger = ledger
        self._max_body = max_body
        self._pdf = pdf

    def read(self, answer: Answer, candidate: Candidate) -> ReadPage:
        """The page that answers a candidate, marked where it is a copy of an earlier one."""
        read = answer if answer.page is not None else read_answer(answer, self._max_body, self._pdf)
        assert read.page is not None
        page = replace(read.page, redirects=candidate.redirects)
        if not page.ok or not answer.body:
            return ReadPage(page, b"", None)  # no page is a copy of an error
        shown = answer.rendered  # the same few bytes may be sent for every page of an application
        content = answer.body if shown is None else shown
        digest = hashlib.sha1(content, usedforsecurity=False).digest()
        same = self._other(self._ledger.exact_copy(digest), page)
        if same is not None:
            exact = shown is None
            return ReadPage(replace(page, copy_of=same, problem=COPY), digest, None, exact)
        fingerprint = read.fingerprint
        near = None if fingerprint is None else self._ledger.near_copy(fingerprint, NEAR)
        near = self._other(near, page)
        if near is not None:
            page = replace(page, copy_of=near, problem=NEAR_COPY)
        return ReadPage(page, digest, fingerprint)

    def _other(self, first: int | None, page: Page) -> int | None:
        """The earlier page, unless it is this very one.

        A worker that died before it told others of a page gets it again, and its links count.
        """
        return None if first is None or self._ledger.url_of(first) == page.url else first


def read_answer(answer: Answer, max_body: int, pdf: bool = False) -> Answer:
    """The answer with its page and the fingerprint of its text; with ``pdf`` a PDF is one too."""
    page = page_of(
        answer.ask.url, answer.status, answer.headers, answer.body, answer.ended, max_body,
        answer.cut is not None, pdf,
    )  # fmt: skip
    return replace(answer, page=page, fingerprint=fingerprint(page.document) if page.ok else None)


def page_of(
    url: str,
    status: int,
    headers: Headers,
    body: bytes,
    at: float,
    max_body: int,
    cut: bool = False,
    pdf: bool = False,
) -> Page:
    """The page in a raw answer: encodings undone, robots directives of its headers heeded.

    ``cut`` says that the body is not whole; with ``pdf`` a PDF is read as a page.
    """
    by_name = _without_ours(headers)
    decoded, broken = decode(iter((body,)), by_name, max_body)
    response = Response(url, status, by_name, decoded, broken or cut)
    page = read_page(response, (), at, live=True, pdf=pdf)
    directives = robots_tag([v for name, v in headers if name.lower() == "x-robots-tag"])
    if directives:
        page = replace(
            page,
            follow=page.follow and "nofollow" not in directives,
            index=page.index and "noindex" not in directives,
        )
    return page if page.index else replace(page, problem=page.problem or "noindex")


def _without_ours(headers: Headers) -> Mapping[str, str]:
    """Headers by name, but for what is seen to here or by the downloader, which undoes transfer."""
    seen_to = ("transfer-encoding", "x-robots-tag")
    return {name.lower(): value for name, value in headers if name.lower() not in seen_to}
