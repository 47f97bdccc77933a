"""What places are looked at with: made when first needed, let go of together."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from importlib.metadata import version

from scenthound.archive import Archive, open_archive
from scenthound.core.addresses import refusal
from scenthound.core.model import Page
from scenthound.core.urls import host_of
from scenthound.live.errands import Errands, Unfetched
from scenthound.live.scoping import bounds_of
from scenthound.seeding.archived_pages import archived_page
from scenthound.seeding.order import Order
from scenthound.seeding.telling import Teller
from scenthound.text.analyzer import Analyzer

_NOT_ARCHIVED = "the archive has no page there"
_SHOWN_EVERY = 100


class Means:
    """The tools for one order.

    Parameters
    ----------
    order : what was asked for.
    analyzer : counts terms.
    teller : gets what goes on and what is left out.
    resources : closes what was opened.
    """

    def __init__(
        self, order: Order, analyzer: Analyzer, teller: Teller, resources: ExitStack
    ) -> None:
        self.order = order
        self.analyzer = analyzer
        self.teller = teller
        self.queries: Sequence[str] = ()
        """What search providers are asked; set once the topic has been read."""
        self._resources = resources
        self._network = order.options.network(version("scenthound"))
        self._bounds = bounds_of(order.topic, order.options)
        self._errands: Errands | None = None

    @property
    def errands(self) -> Errands:
        """Fetches on the web, within the bounds that were given."""
        if self._errands is None:
            made = Errands(
                self._network,
                self.order.options.delay,
                denied=self._denied,
                warn=self.teller.warn,
            )
            self._errands = self._entered(made)
        return self._errands

    @cached_property
    def sites(self) -> tuple[str, ...]:
        """The seeds whose sites may be looked at."""
        return tuple(url for url in self.order.topic.seeds if self._denied(url) is None)

    def forbids(self, url: str) -> bool:
        """Does a robots.txt that has been read forbid a canonical URL?"""
        return self._errands is not None and self._errands.forbids(url)

    def service(self, address: str) -> Errands:
        """Asks a service that a person has named, wherever it runs.

        Its address may be private; then no proxy is asked for it, which could not reach it.
        """
        network = replace(self._network, allow_private=True)
        if is_nearby(address):
            network = replace(network, proxy=None)
        return self._entered(Errands(network, self.order.options.delay))

    def page(self, url: str) -> Page | Unfetched:
        """The page at a canonical URL: that of the archive where it has it, else of the web."""
        if self.archive is not None and url in self.archive:
            found = archived_page(self.archive, url, self.order.options.pdf)
            return found or Unfetched(url, _NOT_ARCHIVED)
        answer = self.errands.page(url)
        if isinstance(answer, Unfetched):
            return answer
        assert answer.page is not None
        return answer.page

    @cached_property
    def archive(self) -> Archive | None:
        """The archive; None where none was given."""
        if self.order.archive is None:
            return None
        name = self.order.archive.name

        def on_bytes(done: int, total: int) -> None:
            self.teller.doing(f"indexing {name}: {done >> 20} of {total >> 20} MB")

        opened = open_archive(self.order.archive, progress=on_bytes)
        return self._resources.enter_context(opened)

    def on_page(self, done: int, total: int) -> None:
        """Tells how far the reading of the archive is."""
        if done % _SHOWN_EVERY == 0:
            self.teller.doing(f"reading the archive: {done:,} of {total:,} pages")

    def _entered(self, errands: Errands) -> Errands:
        self.teller.doing("starting")
        return self._resources.enter_context(errands)

    def _denied(self, url: str) -> str | None:
        breach = self._bounds.denial(url)
        return None if breach is None else breach.reason


def is_nearby(url: str) -> bool:
    """Is the host of a canonical URL this machine, a private address, or a name without a dot?"""
    host = host_of(url)
    name = host.partition(":")[0]
    return refusal(host) is not None or ("." not in name and not host.startswith("["))
