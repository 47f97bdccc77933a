"""Training links as a crawl finds them, made up; and what is fast in the package, done slowly."""

from __future__ import annotations

import itertools

import numpy as np

from scenthound.papers.genetic_operators import Populations
from scenthound.papers.weight_problem import Array, Moments


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def links(seed: int, count: int = 500, texts: int = 4, noise: float = 0.08) -> tuple[Array, Array]:
    """Similarities that go together, many of them 0, and targets that follow from them roughly."""
    chance = rng(seed)
    page = chance.beta(1.2, 4.0, count)
    rows = page[:, None] * chance.uniform(0.5, 1.3, texts) + chance.normal(0.0, 0.1, (count, texts))
    rows = np.clip(rows, 0.0, 1.0) * (
        chance.random((count, texts)) > chance.uniform(0.0, 0.5, texts)
    )
    weights = chance.dirichlet(np.full(texts, 0.7)) * chance.uniform(0.6, 1.4)
    return rows, np.clip(rows @ weights + chance.normal(0.0, noise, count), 0.0, 1.0)


def problem(seed: int, count: int = 500, texts: int = 4) -> Moments:
    return Moments.of(*links(seed, count, texts))


def slow_fitness(rows: Array, targets: Array, weights: Array) -> float:
    """svsm-mcoa Eq. 4 over every link."""
    error = 0.0
    for row, target in zip(rows.tolist(), targets.tolist(), strict=True):
        estimate = sum(w * similarity for w, similarity in zip(weights, row, strict=True))
        error += (target - estimate) ** 2
    return float(1.0 / np.sqrt(error))


def recomputed(rows: Array, targets: Array, objects: Array) -> Array:
    """The same for many objects, as fast as it goes without the moments."""
    return np.asarray(1.0 / np.linalg.norm(targets - objects @ rows.T, axis=1))


def best_by_cases(moments: Moments) -> float:
    """Least error on the box, by trying each weight at 0, at 1 and free: 3^k linear systems."""
    least = np.inf
    for sides in itertools.product((0.0, 1.0, None), repeat=moments.texts):
        free = [place for place, side in enumerate(sides) if side is None]
        weights = np.array([side or 0.0 for side in sides])
        if free:
            rest = moments.moment - moments.gram @ weights
            weights[free] = np.linalg.solve(moments.gram[np.ix_(free, free)], rest[free])
        if weights.min() >= 0.0 and weights.max() <= 1.0:
            error = moments.square - 2 * weights @ moments.moment + weights @ moments.gram @ weights
            least = min(least, float(error))
    return least


def slow_entropy(objects: Array) -> float:
    """The formula of svsm-mcoa Eq. 5 over the categories of equal rows."""
    _, counts = np.unique(objects, axis=0, return_counts=True)
    shares = counts / len(objects)
    return float(-(shares * np.log2(shares)).sum())


def by_group(values: Array, groups: Populations) -> list[Array]:
    return [values[groups.span(group)] for group in range(len(groups))]
