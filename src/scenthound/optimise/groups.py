"""Populations side by side in one array: the objects of a membrane lie next to each other.

Between two communications the membranes know nothing of each other, so they can be evolved one
after the other, as the paper prints it, or all at once, as we do: eight small populations cost
little more than one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.optimise.arrays import Array, Places


class Groups:
    """Where each population begins and ends.

    Parameters
    ----------
    sizes : number of objects of each population, at least 1 each.
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        if not sizes or min(sizes) < 1:
            raise SettingsError(f"a population has at least one object, not {list(sizes)}.")
        self.sizes: Places = np.array(sizes, np.intp)
        ends = np.cumsum(self.sizes)
        self.starts: Places = ends - self.sizes
        self.lasts: Places = ends - 1
        self.member: Places = np.repeat(np.arange(len(sizes)), self.sizes)
        self.objects = int(ends[-1])
        bounds = zip(self.starts, self.lasts, strict=True)
        self.firsts: Places = np.concatenate([np.arange(*bound, 2) for bound in bounds])

    def __len__(self) -> int:
        return len(self.sizes)

    def span(self, group: int) -> slice:
        """The places of one population."""
        return slice(int(self.starts[group]), int(self.lasts[group]) + 1)

    def sums(self, values: Array) -> Array:
        """The sum in each population of a value for each object."""
        return np.add.reduceat(values, self.starts)

    def means(self, values: Array) -> Array:
        """The mean in each population."""
        return self.sums(values) / self.sizes

    def largest(self, values: Array) -> Array:
        """The maximum in each population."""
        return np.maximum.reduceat(values, self.starts)

    def each(self, values: Array) -> Array:
        """A value for each population, given to each of its objects."""
        return values[self.member]

    def pairs(self, rng: np.random.Generator) -> tuple[Places, Places]:
        """Every population shuffled, neighbours taken as pairs; an odd object stays alone.

        The papers do not say how pairs are formed.
        """
        shuffled = np.argsort(self.member + rng.random(self.objects), kind="stable")
        return shuffled[self.firsts], shuffled[self.firsts + 1]
