"""Link weights: what the optimisers reach, what the weights are worth, what a fitness costs."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from os import cpu_count
from pathlib import Path
from statistics import fmean, median

import numpy as np

from scenthound.core.errors import InputError
from scenthound.evaluation.link_collection import links_of_archive
from scenthound.evaluation.training_links import LinkPlan, TrainingLinks
from scenthound.evaluation.tune import tune_links
from scenthound.evaluation.tuning_result import Tuning
from scenthound.papers.optimiser_catalogue import EXACT, OPTIMISERS, solve
from scenthound.papers.weight_problem import Array, Moments
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.archive import open_archive

MODELS = ("vsm", "svsm", "soft-svsm")
SEEDS = (0, 1, 2, 3, 4)
BARS = {"hybrid": 0.99, "hybrid-relative": 0.99, "mcoa": 0.95}
SIZES = (500, 5_000, 50_000)
_ROUNDS = 5


@dataclass(frozen=True)
class Tried:
    """One topic and text model: what was learned from its links, and what optimisers reached."""

    exact: Tuning
    mixed: Tuning
    """The same links, every second of them for the test."""
    squares: tuple[float, float]
    """Root mean square error on the test half, learned and equal weights."""
    relevance: tuple[float, float]
    """Mean of the targets in the half that trains, and in the one that tests."""
    fetched: int
    shares: dict[str, list[float]]
    """Of the exact fitness, by optimiser, one for each seed."""


def link_weights(web: Path, seeds: Sequence[int] = SEEDS) -> None:
    """Print errors against equal weights, shares of the exact fitness, and costs."""
    topics = sorted((web / "topics").glob("*.toml"))
    if not topics:
        raise InputError(f"{web} has no topics/*.toml; give the folder of the webs with --webs.")
    with ProcessPoolExecutor(cpu_count()) as pool:
        tried = list(pool.map(partial(_tried, web, seeds), topics))
    for model in MODELS:
        each = [by_model[model] for by_model in tried]
        print_errors(model, each)
        print_shares(each, len(seeds))
    _print_costs()


def _tried(web: Path, seeds: Sequence[int], path: Path) -> dict[str, Tried]:
    return {model: tried_on(web, LinkPlan(model), OPTIMISERS, seeds, path) for model in MODELS}


def tried_on(
    web: Path, plan: LinkPlan, optimisers: Iterable[str], seeds: Sequence[int], path: Path
) -> Tried:
    """Links of the topic in ``path``, taken as ``plan`` says, and what is learned of them."""
    with open_archive(web / "schools.warc.gz") as archive:
        found = links_of_archive(archive, read_topic(path), plan)
    return _learned(found.links, found.fetched, optimisers, seeds)


def _learned(
    links: TrainingLinks, fetched: int, optimisers: Iterable[str], seeds: Sequence[int]
) -> Tried:
    exact = tune_links(links)
    mixed = replace(links, links=(*links.links[::2], *links.links[1::2]))
    rows, targets = links.rows[links.train :], links.targets[links.train :]
    learned, equal = (
        float(np.sqrt(np.mean((targets - rows @ np.array(weights)) ** 2)))
        for weights in (exact.weights, exact.equal)
    )
    shares = {
        name: [tune_links(links, name, random_seed=seed).share or 0.0 for seed in seeds]
        for name in optimisers
    }
    halves = links.targets[: links.train].mean(), links.targets[links.train :].mean()
    relevance = float(halves[0]), float(halves[1])
    return Tried(exact, tune_links(mixed), (learned, equal), relevance, fetched, shares)


def print_errors(model: str, tried: Sequence[Tried]) -> None:
    """Topic by topic, then on how many of them the errors are smaller than with equal weights."""
    print(f"{model}: errors on the test half, exact weights against equal ones")
    for each in tried:
        one, mixed = each.exact, each.mixed
        weights = ", ".join(f"{name} {value:.3f}" for name, value in one.by_name.items())
        print(
            f"  {one.topic:14} {one.train} + {one.test} links, {each.fetched} fetches: "
            f"mean absolute {one.test_error:.4f} / {one.test_error_equal:.4f} ({one.gain:+.0%}), "
            f"root mean square {each.squares[0]:.4f} / {each.squares[1]:.4f}, "
            f"halves mixed {mixed.gain:+.0%}; {weights}; mean relevance of the halves "
            f"{each.relevance[0]:.3f} and {each.relevance[1]:.3f}"
        )
    better = sum(each.exact.gain > 0.0 for each in tried)
    squares = sum(learned < equal for learned, equal in (each.squares for each in tried))
    mixed_better = sum(each.mixed.gain > 0.0 for each in tried)
    print(
        f"  smaller on {better} of {len(tried)} topics (bar: 5 of 6); "
        f"root mean square on {squares}; halves mixed on {mixed_better}"
    )


def print_shares(tried: Sequence[Tried], seeds: int) -> None:
    """What each optimiser reached of the exact fitness, topic by topic."""
    print(f"  share of the exact fitness by topic, {seeds} seeds (best/mean):")
    for name in tried[0].shares:
        shares = [each.shares[name] for each in tried]
        cells = "  ".join(f"{max(each):.4f}/{fmean(each):.4f}" for each in shares)
        bar = f" (bar: {BARS[name]})" if name in BARS else ""
        lowest = min(map(fmean, shares))
        print(f"    {name:15} {cells}  lowest mean {lowest:.4f}{bar}")


def _print_costs() -> None:
    ratios = [_speedup() for _ in range(_ROUNDS)]
    print(
        f"700 fitnesses by the quadratic form are {median(ratios):.0f} x faster than over 500 "
        f"links ({min(ratios):.0f} to {max(ratios):.0f} in {_ROUNDS} rounds; bar: 10)"
    )
    for name in ("mcoa", EXACT):
        rounds = [{size: _seconds(name, size) for size in SIZES} for _ in range(3)]
        times = {size: median(each[size] for each in rounds) for size in SIZES}
        first = times[SIZES[0]]
        listed = ", ".join(f"{size} links {t / first:.2f}" for size, t in times.items())
        print(
            f"time of {name} ({first:.4f} s with {SIZES[0]} links) as a multiple of that: {listed}"
        )


def _links_of(count: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(0)
    rows = rng.random((count, 4))
    return rows, np.clip(rows @ [0.3, 0.1, 0.5, 0.2] + 0.1 * rng.standard_normal(count), 0, 1)


def _speedup(objects: int = 700, repeats: int = 100) -> float:
    rows, targets = _links_of(500)
    population = np.random.default_rng(1).random((objects, 4))
    problem = Moments.of(rows, targets)
    began = time.perf_counter()
    for _ in range(repeats):
        problem.fitnesses(population)
    between = time.perf_counter()
    for _ in range(repeats):
        slow = 1.0 / np.sqrt(((targets - population @ rows.T) ** 2).sum(axis=1))
    ended = time.perf_counter()
    assert np.allclose(slow, problem.fitnesses(population), rtol=1e-9)
    return (ended - between) / (between - began)


def _seconds(name: str, count: int) -> float:
    """Time of an optimiser once the moments are taken."""
    problem = Moments.of(*_links_of(count))
    began = time.perf_counter()
    solve(problem, name)
    return time.perf_counter() - began
