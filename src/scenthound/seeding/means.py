"""What places are looked at with: made when first needed, let go of together."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from importlib.metadata import version

from scenthound.archive import Archive, open_archive
from scenthound.live.errands import Errands
from scenthound.seeding.order import Order
from scenthound.seeding.telling import Teller
from scenthound.text.analyzer import Analyzer

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

    @cached_property
    def errands(self) -> Errands:
        """Fetches on the web."""
        return self._entered(Errands(self._network, self.order.options.delay))

    @cached_property
    def service(self) -> Errands:
        """Asks a service that a person has named, wherever it runs: its address may be private."""
        network = replace(self._network, allow_private=True)
        return self._entered(Errands(network, self.order.options.delay))

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
