"""Pages that need a browser: held back, shown when their host has rested, and read."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from scenthound.live.browser import BrowserDiedError, BrowserLostError, RenderingError
from scenthound.live.messages import Answer, Ask, Message, NoAnswer
from scenthound.live.pages import read_answer
from scenthound.live.reasons import NEEDS_BROWSER, NO_BROWSER, NOT_RENDERED
from scenthound.live.rendering import Renderings, html_of
from scenthound.live.showing import Source

_LOG = logging.getLogger(__name__)


class Shows(Protocol):
    """Shows pages: the browser, or what stands for it in a test."""

    async def start(self) -> None:
        """Begin; SettingsError where that cannot be."""

    async def show(self, source: Source) -> bytes:
        """The HTML of a page once its scripts have run; RenderingError where there is none."""

    async def stop(self) -> None:
        """End."""


class Browsing:
    """Reads pages, with a browser where they need one.

    Parameters
    ----------
    browser : shows pages.
    most : pages that wait for it.
    max_body : bytes of a decoded body that are read.
    pdf : are PDFs read too?
    clock : the time.
    """

    def __init__(
        self,
        browser: Shows,
        most: int,
        max_body: int,
        pdf: bool = False,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._browser = browser
        self._renderings = Renderings(most, max_body)
        self._max_body = max_body
        self._pdf = pdf
        self._clock = clock
        self._lost = False

    async def start(self) -> None:
        """Start the browser; SettingsError where that cannot be."""
        await self._browser.start()

    async def stop(self) -> None:
        """End the browser."""
        await self._browser.stop()

    def read(self, answer: Answer) -> Message:
        """The answer with its page, or the reason that it needs a browser first."""
        if answer.rendered is not None:
            return self._renderings.better(answer)
        if answer.page is not None:  # the browser could not show it
            return answer
        read = read_answer(answer, self._max_body, self._pdf)
        if not self._lost and self._renderings.hold(read):
            return NoAnswer(answer.ask, answer.ended, NEEDS_BROWSER, True)
        return read

    def take(self, ask: Ask) -> Answer | None:
        """The page that was held back until this ask; None where there is none, so fetch it."""
        return self._renderings.take(ask.url) if ask.render else None

    async def render(self, ask: Ask, plain: Answer) -> Answer:
        """The page with what the browser shows of it; without that, and why, where it fails.

        Whatever happens, there is an answer. Once the browser is lost no page waits for it.
        """
        try:
            rendered = await self._shown(ask, plain)
        except BrowserLostError:
            self._lost = True
            return self._as_it_came(ask, plain, NO_BROWSER)
        except BrowserDiedError as error:
            return self._as_it_came(ask, plain, f"{NOT_RENDERED}: {error}")
        except RenderingError as error:
            self._renderings.failed(ask.url)
            return self._as_it_came(ask, plain, f"{NOT_RENDERED}: {error}")
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - somebody waits
            _LOG.exception("not rendered: %s", ask.url)
            return self._as_it_came(ask, plain, f"{NOT_RENDERED}: {type(error).__name__}")
        return replace(plain, ask=ask, ended=self._clock(), rendered=rendered)

    async def _shown(self, ask: Ask, plain: Answer) -> bytes:
        content_type = plain.header("content-type") or "text/html"
        source = Source(ask.url, content_type, html_of(plain, self._max_body))
        return await self._browser.show(source)

    def _as_it_came(self, ask: Ask, plain: Answer, problem: str) -> Answer:
        assert plain.page is not None
        page = replace(plain.page, problem=problem)
        return replace(plain, ask=ask, ended=self._clock(), page=page)
