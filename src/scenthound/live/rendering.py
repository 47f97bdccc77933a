"""Which pages need a browser to be read, what waits for it, and whether it was of use."""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import replace

from scenthound.archive.http_body import decode
from scenthound.core.model import Page
from scenthound.core.urls import host_of
from scenthound.live.messages import Answer, Headers
from scenthound.live.pages import read_answer
from scenthound.store.exchange import OF_THE_BODY, RENDERED_TYPE
from scenthound.text.decode import media_type

FEW_CHARACTERS = 100
"""A page with less text than this is thought to have none: "Loading ..." is no text."""
MOST_IN_VAIN = 3
"""A host whose first so many pages gained nothing from a browser is read without one."""
MOST_HOSTS = 10_000
_SCRIPT = re.compile(rb"<script\b", re.IGNORECASE)
_HTML = frozenset({"", "text/html", "application/xhtml+xml"})


class Renderings:
    """The pages that wait for the browser, and the hosts where it was of use.

    Used by the thread that reads pages and by the one with the sockets; no step leaves it half
    done.

    Parameters
    ----------
    most : pages that are held; of more than that the oldest is forgotten, and fetched again.
    max_body : bytes of a decoded body that are read.
    """

    def __init__(self, most: int, max_body: int) -> None:
        self._most = most
        self._max_body = max_body
        self._held: OrderedDict[str, Answer] = OrderedDict()
        self._helped: OrderedDict[str, None] = OrderedDict()
        self._in_vain: OrderedDict[str, int] = OrderedDict()

    def hold(self, answer: Answer) -> bool:
        """Keep a page that was read until it is rendered, if it should be; says whether."""
        url = answer.ask.url
        if self._in_vain.get(host_of(url), 0) >= MOST_IN_VAIN:
            return False
        if not seems_empty(answer) or not _SCRIPT.search(html_of(answer, self._max_body)):
            return False
        self._held[url] = answer
        if len(self._held) > self._most:
            self._held.popitem(last=False)
        return True

    def take(self, url: str) -> Answer | None:
        """The page that was held; None where it is no longer known."""
        return self._held.pop(url, None)

    def better(self, answer: Answer) -> Answer:
        """The page as the browser showed it; as it came, where that says no less.

        The host is remembered by it: in the end a browser is used only where it helps.
        """
        read = read_rendered(answer, self._max_body)
        assert answer.page is not None and read.page is not None
        helped = shows_more(answer.page, read.page)
        self._learn(host_of(answer.ask.url), helped)
        return read if helped else replace(answer, rendered=None)

    def failed(self, url: str) -> None:
        """The browser could not show this page."""
        self._learn(host_of(url), helped=False)

    def _learn(self, host: str, helped: bool) -> None:
        if helped:
            self._helped[host] = None
            self._in_vain.pop(host, None)
        elif host not in self._helped:
            self._in_vain[host] = self._in_vain.get(host, 0) + 1
        for known in (self._helped, self._in_vain):
            if len(known) > MOST_HOSTS:
                known.popitem(last=False)


def seems_empty(answer: Answer) -> bool:
    """Is it a whole HTML page, that may be kept, without text or without links?"""
    page = answer.page
    if page is None or answer.status != 200 or answer.cut is not None or not page.index:
        return False
    if media_type(answer.header("content-type")) not in _HTML:
        return False
    return not page.links or len(page.document.text) < FEW_CHARACTERS


def html_of(answer: Answer, max_body: int) -> bytes:
    """The body with its content encoding undone, up to ``max_body`` bytes."""
    by_name = {"content-encoding": answer.header("content-encoding")}
    return decode(iter((answer.body,)), by_name, max_body)[0]


def read_rendered(answer: Answer, max_body: int) -> Answer:
    """The answer with the page in ``answer.rendered``, which must be there."""
    assert answer.rendered is not None
    shown = replace(answer, body=answer.rendered, headers=_of_rendered(answer.headers))
    read = read_answer(shown, max_body)
    assert read.page is not None
    page = replace(read.page, rendered=True)
    return replace(answer, page=page, fingerprint=read.fingerprint)


def shows_more(plain: Page, rendered: Page) -> bool:
    """Was it worth it: is there a link, or text, where there was none?"""
    if len(rendered.links) > len(plain.links):
        return True
    gained = len(rendered.document.text) - len(plain.document.text)
    return gained >= FEW_CHARACTERS or (gained > 0 and not plain.document.text)


def _of_rendered(headers: Headers) -> Headers:
    """The headers of a page, as they are true of what a browser made of it."""
    kept = tuple(pair for pair in headers if pair[0].lower() not in OF_THE_BODY)
    return (*kept, ("Content-Type", RENDERED_TYPE))
