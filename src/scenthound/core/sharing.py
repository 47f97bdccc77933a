"""What workers of one crawl learn together: counts of documents, sums over links, robots.txt files.

Counts and sums add up: what two workers learnt is the sum of what each did. A part that learns says
what it learnt here since it was last asked, and takes in what was learnt elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from scenthound.core.protocols import Revising

Sums = npt.NDArray[np.float64]
"""Sums over links, in an order of the part's own; none at all where nothing was learnt yet."""
Fitted = dict[str, object]
"""Weights and when they were fitted, as JSON."""


@dataclass(frozen=True, slots=True)
class Tally:
    """In how many of so many ``documents`` each term occurs."""

    documents: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)


@runtime_checkable
class Counting(Protocol):
    """A part that counts in how many documents terms occur."""

    def share(self) -> None:
        """Keep apart from now on what is counted here; a second time changes nothing."""
        ...

    def counted_here(self) -> Tally:
        """What was counted here since this was last asked."""
        ...

    def count_elsewhere(self, tally: Tally) -> None:
        """Others have counted these."""
        ...

    def counted_by_all(self) -> Tally:
        """All that is known, but for the example pages and what is still kept apart."""
        ...

    def count_from(self, tally: Tally) -> None:
        """All workers together have counted these and no more, but for what is still kept apart.

        What was known before is forgotten, the example pages excepted.
        """
        ...


@runtime_checkable
class Fitting(Revising, Protocol):
    """A scorer whose weights are fitted to sums over the links that were followed."""

    weights: dict[str, float]
    """The weights of now, by the names of the parts."""
    publish: Callable[[Fitted], bool] | None
    """Told of new weights before what waits is weighed anew by them; do they hold?

    Where they do not, the scorer has been told to :meth:`follow` others. None: nobody is told."""

    def share(self) -> None:
        """Keep apart from now on what is learnt from links here; a second time changes nothing."""
        ...

    def links_here(self) -> Sums:
        """The sums over links that were followed here since this was last asked."""
        ...

    def fit_to(self, sums: Sums) -> None:
        """These are the sums of all workers, but for what is still kept apart here."""
        ...

    def fitted(self) -> Fitted:
        """The weights of now, for others to take over."""
        ...

    def follow(self, fitted: Fitted | None) -> None:
        """Take over what :meth:`fitted` gave elsewhere; None is the weights at the start."""
        ...

    def weigh_again(self) -> None:
        """Publish the weights of now and have all that waits weighed by them, at the next chance.

        That is when the scorer is next asked to ``revise``.
        """
        ...


class RobotsFile(NamedTuple):
    """A site's answer to ``/robots.txt``, and until when it is trusted."""

    until: float
    status: int
    body: bytes


class RobotsFiles(Protocol):
    """The robots.txt files that workers have read for each other."""

    def find(self, origin: str) -> RobotsFile | None:
        """What a worker has read there lately; None where none has, or did not say."""
        ...

    def keep(self, origin: str, found: RobotsFile) -> None:
        """Tell the others."""
        ...
