"""Do the intervals and verdicts of comparisons hold what they promise?

Comparisons whose truth is known are put through the functions that ``compare`` uses. The same
rounds give the same figures.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean

import numpy as np
from scipy import stats

from benchmarks.simulated_topics import (
    BASELINE,
    EQUAL,
    HARVEST,
    NORMAL,
    SKEWED,
    Kind,
    drawn_figures,
    equal_outcomes,
)
from scenthound.evaluation.outcomes import Outcome
from scenthound.evaluation.standings import compare_with
from scenthound.evaluation.statistics import (
    BETTER,
    CONFIDENCE,
    LEAST_GROUPS,
    NO_DIFFERENCE,
    RESAMPLES,
    WORSE,
    Interval,
    group_means,
    mean_interval,
    sign_flip_p,
    topic_of,
    verdict,
)

ROUNDS = 2_000
LEVEL = 0.05
HELD = (
    *((topics, NORMAL) for topics in (3, 5, 6, 10)),
    *((topics, HARVEST) for topics in (5, 6, 10, 20)),
    *((topics, SKEWED) for topics in (6, 10, 20)),
)
"""Whose intervals are looked at."""
TOPICS_PER_COMPARISON = (5, 6, 8, 10)
"""Topics on which equals are compared."""
STRATEGIES, MANY_TOPICS = 30, 12


def held(kind: Kind, topics: int, rounds: int) -> tuple[float, float, float]:
    """How often the percentile interval, BCa and ours hold the true mean."""
    hits = np.zeros(3)
    for values in kind.samples(topics, rounds):
        intervals = (*plain_intervals(values), mean_interval(values))
        hits += [_holds(interval, kind.truth) for interval in intervals]
    percentile, bca, ours = (hits / rounds).tolist()
    return percentile, bca, ours


def plain_intervals(values: Sequence[float]) -> tuple[Interval, Interval]:
    """The percentile and the BCa interval, of the same resamples. There must be two values."""
    if min(values) == max(values):
        return Interval(values[0], values[0]), Interval(values[0], values[0])
    ask = partial(stats.bootstrap, (values,), np.mean, confidence_level=CONFIDENCE)
    start = np.random.default_rng(0)
    percentile = ask(method="percentile", n_resamples=RESAMPLES, random_state=start)
    bca = ask(method="BCa", n_resamples=0, bootstrap_result=percentile)
    return Interval(*percentile.confidence_interval), Interval(*bca.confidence_interval)


def _holds(interval: Interval | None, truth: float) -> bool:
    return interval is not None and bool(interval.low <= truth <= interval.high)


def held_over_draws(topics: int, draws: int, rounds: int) -> tuple[float, float]:
    """How often intervals over topics hold the true mean, and those that take draws for topics."""
    chance = np.random.default_rng(topics)
    by_topic = by_draw = 0
    for _ in range(rounds):
        figures = drawn_figures(chance, topics, draws)
        by_topic += _holds(mean_interval(list(group_means(figures, topic_of).values())), 0.0)
        by_draw += _holds(mean_interval(list(figures.values())), 0.0)
    return by_topic / rounds, by_draw / rounds


def share_told_apart(kind: Kind, topics: int, rounds: int) -> tuple[float, float]:
    """How often equals are told apart: by the verdict, and by p.

    The rule that fewer than six topics get no verdict is left out, to see what it is good for.
    """
    verdicts = tests = 0
    for values in kind.samples(topics, rounds):
        said = verdict(mean_interval(values), max(topics, LEAST_GROUPS))
        verdicts += said != NO_DIFFERENCE
        tests += sign_flip_p(values) < LEVEL
    return verdicts / rounds, tests / rounds


@dataclass(frozen=True)
class Verdicts:
    """Of strategies that are no better than the baseline: how many are said to differ from it.

    ``stand`` counts those that do when it counts that so many were looked at (Holm's p).
    """

    better: int
    worse: int
    stand: int


def many_equals(strategies: int, topics: int, rounds: int) -> list[Verdicts]:
    """What comparisons say of so many strategies, none of which is better than another."""
    chance = np.random.default_rng(topics)
    return [_verdicts(equal_outcomes(chance, strategies, topics)) for _ in range(rounds)]


def _verdicts(outcomes: Sequence[Outcome]) -> Verdicts:
    (table,) = compare_with(outcomes, BASELINE).tables
    found = [each.difference for each in table.standings if each.difference is not None]
    verdicts = Counter(each.verdict for each in found)
    stand = sum(each.p_holm is not None and each.p_holm < LEVEL for each in found)
    return Verdicts(verdicts[BETTER], verdicts[WORSE], stand)


def coverage(rounds: int = ROUNDS) -> None:
    """Print how often intervals hold the true mean, and how often verdicts are false."""
    print(f"how often intervals at {CONFIDENCE} hold the true mean, {rounds:,} rounds each:")
    _row("topics", "values", "percentile", "BCa", "ours")
    for topics, kind in HELD:
        _row(topics, kind.name, *(f"{share:.2f}" for share in held(kind, topics, rounds)))
    by_topic, by_draw = held_over_draws(6, 10, rounds)
    print(f"6 topics of 10 draws: over topics {by_topic:.2f}, over all 60 {by_draw:.2f}")
    print(f"how often two equals are told apart, {rounds:,} rounds each:")
    _row("topics", "normal: verdict", "p", "harvest rates: verdict", "p", "smallest p")
    for topics in TOPICS_PER_COMPARISON:
        shares = (
            *share_told_apart(NORMAL, topics, rounds),
            *share_told_apart(EQUAL, topics, rounds),
        )
        _row(topics, *(f"{each:.3f}" for each in shares), f"{sign_flip_p([1.0] * topics):.4f}")
    _print_many(many_equals(STRATEGIES, MANY_TOPICS, max(1, rounds // 10)))


def _row(*cells: object) -> None:
    """A line of a table, as the documentation has it."""
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def _print_many(found: Sequence[Verdicts]) -> None:
    better, worse = fmean(each.better for each in found), fmean(each.worse for each in found)
    differ = [each.better + each.worse for each in found]
    print(
        f"{STRATEGIES} strategies as good as the baseline, {MANY_TOPICS} topics, {len(found):,} "
        f"rounds: {better:.1f} better and {worse:.1f} worse in the mean, {max(differ)} at most, "
        f"none in {fmean(each == 0 for each in differ):.0%} of the comparisons; some stand by "
        f"Holm's p in {fmean(each.stand > 0 for each in found):.1%}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="coverage", description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N",
                        help="simulated comparisons a case (default: %(default)s)")  # fmt: skip
    rounds = parser.parse_args(arguments).rounds
    if rounds < 1:
        parser.error("--rounds must be 1 or more")
    coverage(rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
