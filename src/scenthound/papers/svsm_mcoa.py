"""The membrane computing of svsm-mcoa: Algorithm 1, communication between membranes (Eq. 6)."""

from __future__ import annotations

import numpy as np

from scenthound.core.options import Options
from scenthound.papers.genetic_operators import Breeding, Evolution, Populations, Rng, cross_both
from scenthound.papers.weight_problem import Array, Evaluator, Generations, Mask, Objects, Report

# Eight nested populations that send their best outwards (sections 3.2.1-3.2.3 and Algorithm 1). The
# skin, membrane 1, holds 2 and 3; membrane 2 holds 4, 5 and 6; membrane 3 holds 7 and 8.
#
# Algorithm 1 cannot be run as printed: the counter of generations is never reset, so only
# membrane 1 would evolve, and only in the first round. Here it is reset for each membrane and
# each round: 3 rounds of 3,000 generations in all membranes, each round ended by a communication.

SKIN = 0
OUTER = (SKIN, SKIN, SKIN, 1, 1, 1, 2, 2)
"""The membrane around each membrane; counted from 0, the paper counts from 1."""
MIDDLE = (1, 2)


class Membranes(Options):
    """Sizes of the membranes, and for how long their objects evolve.

    Parameters
    ----------
    rounds : how often the membranes communicate.
    generations : how often the objects change before each communication.
    skin : objects of membrane 1.
    middle : objects of membranes 2 and 3, each.
    elemental : objects of membranes 4 to 8, each.
    """

    rounds: Generations = 3
    generations: Generations = 3000
    skin: Objects = 150
    middle: Objects = 150
    elemental: Objects = 50

    @property
    def sizes(self) -> list[int]:
        """Number of objects of membranes 1 to 8."""
        return [self.skin, *[self.middle] * 2, *[self.elemental] * 5]

    @property
    def steps(self) -> int:
        """Number of generations in all rounds."""
        return self.rounds * self.generations


def membrane_computing(
    evaluate: Evaluator, rng: Rng, membranes: Membranes, breeding: Breeding
) -> Report:
    """MCOA (Algorithm 1). The best is the best ever seen; the skin (line 21) may have lost it.

    Reports ``last``: the best fitness in the skin after the last communication.
    """
    groups = Populations(membranes.sizes)
    evolution = Evolution(groups, cross_both, breeding)
    objects = rng.random((groups.objects, evaluate.texts))
    fitnesses = evaluate(objects)
    for round_ in range(1, membranes.rounds + 1):
        fathers = groups.largest(fitnesses)
        for generation in range(1, membranes.generations + 1):
            objects = evolution.after(objects, fitnesses, generation, rng)
            fitnesses = evaluate(objects)
        objects, fitnesses = communicate(objects, fitnesses, groups, fathers, round_, rng)
    return {"last": float(fitnesses[groups.span(SKIN)].max())}


def communicate(
    objects: Array, fitnesses: Array, groups: Populations, fathers: Array, round_: int, rng: Rng
) -> tuple[Array, Array]:
    """Send objects from every membrane to the one around it, the innermost first (svsm-mcoa Eq. 6).

    So an object can travel from an elemental membrane to the skin in one round. Whether objects are
    moved or copied is not printed; here they are copied, and the receiver keeps its fittest.
    """
    objects, fitnesses = objects.copy(), fitnesses.copy()
    for inner in range(len(groups) - 1, SKIN, -1):
        here, there = groups.span(inner), groups.span(OUTER[inner])
        sent: Mask = np.arange(groups.sizes[inner]) == fitnesses[here].argmax()  # the first best
        if inner in MIDDLE:
            sent |= metropolis_mask(fitnesses[here], float(fathers[inner]), round_, rng)
        pool = np.concatenate([fitnesses[there], fitnesses[here][sent]])
        fittest = np.argsort(-pool, kind="stable")[: groups.sizes[OUTER[inner]]]
        objects[there] = np.concatenate([objects[there], objects[here][sent]])[fittest]
        fitnesses[there] = pool[fittest]
    return objects, fitnesses


def metropolis_mask(fitnesses: Array, father: float, round_: int, rng: Rng) -> Mask:
    """Return which objects a middle membrane sends beside its best, by a Metropolis-like rule.

    Those as fit as ``father``, and others with probability ``exp((fit - father) / round)``.
    ``father`` is the best of the membrane before the generations of this round; the paper says
    "father generation".
    """
    return rng.random(len(fitnesses)) <= np.exp(np.minimum(fitnesses - father, 0.0) / round_)
