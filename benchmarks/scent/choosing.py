"""Is the choice of parameters sound on topics that it was not made on?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from benchmarks.scent.comparing import harvests
from benchmarks.scent.grids import variant
from benchmarks.scent.markdown import named, share, table
from scenthound.core.errors import InputError
from scenthound.evaluation.outcomes import Outcome
from scenthound.evaluation.statistics import Topic, group_means, topic_of

ByTopic = Mapping[str, Mapping[Topic, float]]
"""By variant, its harvest on each topic."""


@dataclass(frozen=True)
class Choice:
    """What would have been chosen without a topic, and what that is worth on it.

    Parameters
    ----------
    topic : that was left out.
    chosen : the variant with the best mean on the other topics.
    found : its harvest on this one.
    by_default : the harvest of the defaults.
    best : the variant that is best on this topic, which one knows in hindsight only.
    hindsight : its harvest.
    """

    topic: Topic
    chosen: str
    found: float
    by_default: float
    best: str
    hindsight: float


def choices(found: ByTopic, default: str) -> list[Choice]:
    """A choice for each topic, made on the others; of equals the first is taken.

    Variants without a figure on every topic are left out. InputError where there is nothing to
    choose on: fewer than two topics, or no figures of the defaults.
    """
    topics = list(dict.fromkeys(topic for own in found.values() for topic in own))
    whole = {name: own for name, own in found.items() if len(own) == len(topics)}
    if len(topics) < 2 or default not in whole:
        raise InputError(
            "parameters are chosen on other topics; give two topics or more, and run the same "
            "command again where runs of the defaults have failed."
        )
    return [_choice(whole, default, topic, topics) for topic in topics]


def _choice(found: ByTopic, default: str, topic: Topic, topics: Sequence[Topic]) -> Choice:
    others = [each for each in topics if each != topic]
    chosen = max(found, key=lambda name: _mean(found[name], others))
    best = max(found, key=lambda name: found[name][topic])
    return Choice(
        topic, chosen, found[chosen][topic], found[default][topic], best, found[best][topic]
    )


def _mean(own: Mapping[Topic, float], topics: Sequence[Topic]) -> float:
    return round(fmean(own[topic] for topic in topics), 9)


def of_choices(runs: Sequence[Outcome]) -> list[str]:
    """The variants in the mean, the choice for every topic, and what is lost by not knowing it."""
    default = variant().label
    found = {name: group_means(own, topic_of) for name, own in harvests(runs).items()}
    made = choices(found, default)
    return [*_variants(found, default), "", *_choices(made), "", *losses(made)]


def _variants(found: ByTopic, default: str) -> list[str]:
    topics = list(dict.fromkeys(topic for own in found.values() for topic in own))
    best_first = sorted(found, key=lambda name: -fmean(found[name].values()))
    return table(
        ["variant", *(topic.topic for topic in topics), "mean"],
        (
            [
                f"`{name}`" + (" (default)" if name == default else ""),
                *(share(found[name].get(topic)) for topic in topics),
                share(fmean(found[name].values()), 4),
            ]
            for name in best_first
        ),
    )


def _choices(made: Sequence[Choice]) -> list[str]:
    head = ["topic", "chosen on the others", "harvest", "defaults", "best in hindsight", "harvest"]
    return table(
        head,
        (
            [
                each.topic.topic, named([each.chosen]), share(each.found), share(each.by_default),
                named([each.best]), share(each.hindsight),
            ]
            for each in made
        ),
    )  # fmt: skip


def losses(made: Sequence[Choice]) -> list[str]:
    """What the choice and the defaults harvest less than the best in hindsight, in the mean."""
    best = fmean(each.hindsight for each in made)
    chosen = best - fmean(each.found for each in made)
    kept = best - fmean(each.by_default for each in made)
    return [
        f"mean loss against the best in hindsight ({share(best, 4)}): {share(chosen, 4)} where "
        f"parameters are chosen on the other topics, {share(kept, 4)} with the defaults"
    ]
