"""The first population: no two individuals alike (bsvsm-ha Eq. 5)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scenthound.optimise.arrays import Array, Marks

Draw = Callable[[int], Array]
"""Gives so many new individuals."""


def all_different(individuals: Array, draw: Draw) -> Array:
    """The individuals, with those that equal an earlier one drawn again until none does.

    If at least half equal an earlier one, all are drawn again.
    """
    individuals = individuals.copy()
    while (again := repeated(individuals)).any():
        if 2 * again.sum() >= len(individuals):
            again[:] = True
        individuals[again] = draw(int(again.sum()))
    return individuals


def repeated(individuals: Array) -> Marks:
    """Which individuals equal an earlier one."""
    _, first = np.unique(individuals, axis=0, return_index=True)
    marks = np.ones(len(individuals), bool)
    marks[first] = False
    return marks
