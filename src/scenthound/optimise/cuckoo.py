"""Cuckoo search, to find a first population: the further work that bsvsm-ha names.

X.-S. Yang and S. Deb, Cuckoo search via Levy flights, NaBIC 2009. Every nest holds one egg, a
solution. Cuckoos fly from the nests with mostly short and a few very long steps and lay an egg
in another nest, where the better egg stays. The worst quarter of the nests is found out by the
hosts and built anew elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from scenthound.optimise.arrays import Array
from scenthound.optimise.operators import Rng
from scenthound.optimise.optimiser import at_least
from scenthound.optimise.stepwise import Stepwise

EXPONENT = 1.5
"""How heavy the tail of the steps is; between 1 and 2 (lambda - 1 in the paper)."""
STEP = 0.1
"""Scale of a step: a tenth of the range of a weight."""
FOUND_OUT = 0.25
"""Share of the nests given up in a generation (p_a)."""


def mantegna_scale(exponent: float) -> float:
    """Deviation of the numerator in Mantegna's way to draw Levy steps (1994); 0.6966 at 1.5."""
    above = math.gamma(1.0 + exponent) * math.sin(math.pi * exponent / 2.0)
    below = math.gamma((1.0 + exponent) / 2.0) * exponent * 2.0 ** ((exponent - 1.0) / 2.0)
    return float((above / below) ** (1.0 / exponent))


def levy_steps(shape: tuple[int, int], rng: Rng, exponent: float = EXPONENT) -> Array:
    """Symmetric steps with a tail like ``|s| ** (-1 - exponent)``: ``u / |v| ** (1/exponent)``."""
    above = rng.normal(0.0, mantegna_scale(exponent), shape)
    below = np.maximum(np.abs(rng.normal(0.0, 1.0, shape)), np.finfo(float).tiny)
    return np.asarray(above / below ** (1.0 / exponent), float)


class CuckooSearch(Stepwise):
    """Nests that become better.

    Parameters
    ----------
    texts : number of weights.
    rng : where chance comes from.
    nests : how many.
    generations : how often the cuckoos fly.
    """

    def __init__(self, texts: int, rng: Rng, *, nests: int = 150, generations: int = 50) -> None:
        at_least(2, nests=nests)
        at_least(1, generations=generations)
        super().__init__(generations + 1)
        self._rng, self._texts = rng, texts
        self._given_up = int(FOUND_OUT * nests)
        self.nests = rng.random((nests, texts))
        self._fitnesses = np.empty(0)
        self._asked = self.nests

    def ask(self) -> Array:
        """First the nests; then an egg from each nest, and the nests that will be built anew."""
        return self._asked

    def tell(self, fitnesses: Array) -> None:
        """Lay the eggs, give up the worst nests, fly again."""
        self.note(self._asked, fitnesses)
        if self.told == 1:
            self._fitnesses = fitnesses.copy()
        else:
            count = len(self.nests)
            self._lay(self._asked[:count], fitnesses[:count])
            self._rebuild(self._asked[count:], fitnesses[count:])
        flights = STEP * levy_steps(self.nests.shape, self._rng)
        eggs = np.clip(self.nests + flights, 0.0, 1.0)
        self._asked = np.vstack([eggs, self._rng.random((self._given_up, self._texts))])

    def report(self) -> Mapping[str, float]:
        """``last``: the best fitness in a nest."""
        return {"last": float(self._fitnesses.max(initial=0.0))}

    def _lay(self, eggs: Array, fitnesses: Array) -> None:
        """Each egg into one nest drawn at random; the better one stays."""
        hosts = self._rng.permutation(len(eggs))
        better = fitnesses > self._fitnesses[hosts]
        self.nests[hosts[better]] = eggs[better]
        self._fitnesses[hosts[better]] = fitnesses[better]

    def _rebuild(self, built: Array, fitnesses: Array) -> None:
        """New nests, anywhere, in place of the worst."""
        worst = np.argsort(self._fitnesses, kind="stable")[: len(built)]
        self.nests[worst] = built
        self._fitnesses[worst] = fitnesses
