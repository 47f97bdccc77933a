"""Weights from training links: the first half trains, the second tests."""

from __future__ import annotations

import time
from collections.abc import Callable
from hashlib import blake2b

from scenthound.core.parameters import Parameters
from scenthound.optimise.absolute_error import grouped_errors, mean_absolute_error
from scenthound.optimise.arrays import Array
from scenthound.optimise.catalogue import EXACT, check, solve
from scenthound.optimise.optimiser import OnProgress, Outcome
from scenthound.optimise.problem import Moments, WeightProblem, equal_weights
from scenthound.optimise.soundness import why_not
from scenthound.tuning.links import TrainingLinks, kept_line, unknown_values
from scenthound.tuning.result import Tuning


def tune_links(
    links: TrainingLinks,
    optimiser: str = EXACT,
    parameters: Parameters | None = None,
    seed: int = 0,
    on_progress: OnProgress | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Tuning:
    """Find the weights that predict the relevance of the training links' targets best.

    Where the links cannot teach weights (fewer than 20 that train, all alike, a value that is no
    number, ...) the answer has equal weights and says the reason.

    Parameters
    ----------
    links : those that train, then those that test.
    optimiser : a name of ``optimise.catalogue.NAMES``.
    parameters : the optimiser's, by name.
    seed : of the random generator, together with the name of the topic; equal ones give equal
        weights.
    on_progress : told the share of the work that is done.
    clock : seconds, for the time it took.

    Raises
    ------
    UnknownNameError, SettingsError
        There is no such optimiser, or a parameter cannot be.
    """
    settings, started = check(optimiser, parameters or {}), clock()
    problem = WeightProblem(_moments(links, links.train), links.names)
    exact = outcome = _exact(links, problem)
    if exact.reason is None and optimiser != EXACT:
        outcome = solve(problem, optimiser, settings, topic_seed(seed, links.topic), on_progress)
    elif on_progress is not None:
        on_progress(1.0)
    equal = equal_weights(len(links.names))
    train, test = slice(links.train), slice(links.train, None)
    return Tuning(
        topic=links.topic,
        model=links.model,
        names=links.names,
        weights=_numbers(outcome.weights),
        equal=_numbers(equal),
        optimiser=optimiser,
        parameters=settings,
        seed=seed,
        reason=outcome.reason,
        train_error=_error(links, train, outcome.weights),
        train_error_equal=_error(links, train, equal),
        test_error=_error(links, test, outcome.weights),
        test_error_equal=_error(links, test, equal),
        groups=grouped_errors(links.rows[test], links.targets[test], outcome.weights),
        groups_equal=grouped_errors(links.rows[test], links.targets[test], equal),
        fitness=outcome.fitness,
        exact_fitness=exact.fitness,
        exact_weights=_numbers(exact.weights),
        share=None if outcome.reason else min(outcome.fitness / exact.fitness, 1.0),
        evaluations=outcome.evaluations,
        curve=outcome.curve,
        report=dict(outcome.report),
        seconds=clock() - started,
        train=links.train,
        test=links.test,
    )


def topic_seed(seed: int, topic: str) -> int:
    """The seed of a topic's search: no two topics begin alike, on any machine the same."""
    told = f"{seed} {kept_line(topic)}".encode()
    return int.from_bytes(blake2b(told, digest_size=8).digest(), "big")


def _moments(links: TrainingLinks, first: int) -> Moments:
    return Moments.of(links.rows[:first], links.targets[:first])


def _exact(links: TrainingLinks, problem: WeightProblem) -> Outcome:
    """The best weights; equal ones and the reason where there are none to be had."""
    every = _moments(links, len(links))
    if not every.finite:  # though it be a link that only tests
        reason = unknown_values(links) or why_not(every)
        return Outcome(equal_weights(every.texts), 0.0, 0, reason=reason)
    return solve(problem)


def _error(links: TrainingLinks, part: slice, weights: Array) -> float:
    return mean_absolute_error(links.rows[part], links.targets[part], weights)


def _numbers(weights: Array) -> tuple[float, ...]:
    return tuple(map(float, weights))
