"""Weights from training links, their figures on both halves, and links that teach nothing."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.tuning.learning import topic_seed, tune_links
from scenthound.tuning.links import TrainingLink, TrainingLinks, unknown_values
from scenthound.tuning.result import Tuning, rounded_share
from tuning.link_making import made_links
from tuning.tuning_values import searched, tuning

TRUE = (0.2, 0.0, 0.5, 0.1)


def changed(
    links: TrainingLinks, change: Callable[[int, TrainingLink], TrainingLink]
) -> TrainingLinks:
    return replace(links, links=tuple(change(n, link) for n, link in enumerate(links.links)))


def test_exact_weights_are_found_and_leave_no_error() -> None:
    tuning = tune_links(made_links(100))
    assert tuning.weights == pytest.approx(TRUE, abs=1e-6)
    assert tuning.by_name == pytest.approx(
        {"full": 0.2, "title": 0.0, "anchor": 0.5, "context": 0.1}, abs=1e-6
    )
    assert tuning.train_error == pytest.approx(0.0, abs=1e-6)
    assert tuning.test_error == pytest.approx(0.0, abs=1e-6)
    assert tuning.gain == pytest.approx(1.0, abs=1e-4)
    assert (tuning.train, tuning.test, tuning.reason, tuning.share) == (50, 50, None, 1.0)
    assert (tuning.topic, tuning.model, tuning.optimiser) == ("storms", "vsm", "exact")


def test_errors_are_those_of_equal_weights_worked_out_by_hand() -> None:
    rows = [(0.4, 0.8), (0.0, 0.4), (1.0, 0.0), (0.2, 0.2)]
    made = [TrainingLink("s", str(n), "", row, 0.5) for n, row in enumerate(rows)]
    tuning = tune_links(TrainingLinks("t", "vsm", ("full", "anchor"), tuple(made)))
    assert tuning.equal == (0.5, 0.5)
    assert tuning.train_error_equal == pytest.approx((0.1 + 0.3) / 2)
    assert tuning.test_error_equal == pytest.approx((0.0 + 0.3) / 2)
    assert tuning.groups_equal == pytest.approx([0.0, 0.3])
    assert tuning.reason is not None and "2 training links and at least 20" in tuning.reason
    assert tuning.weights == tuning.equal == tuning.exact_weights
    assert (tuning.share, tuning.curve, tuning.evaluations) == (None, (), 0)


def test_only_the_first_half_trains() -> None:
    links = made_links(60)
    spoilt = changed(links, lambda n, link: link if n < 30 else replace(link, relevance=1.0))
    assert tune_links(spoilt).weights == tune_links(links).weights
    assert tune_links(spoilt).test_error > 0.3


def test_a_split_of_ones_own_is_heeded() -> None:
    tuning = tune_links(replace(made_links(60), split=45))
    assert (tuning.train, tuning.test, len(tuning.groups)) == (45, 15, 15)
    assert len(tune_links(replace(made_links(60), split=60)).groups) == 0


def test_there_are_fifty_groups_of_test_links() -> None:
    tuning = tune_links(made_links(1000))
    assert tuning.groups.shape == tuning.groups_equal.shape == (50,)
    assert float(np.mean(tuning.groups_equal)) == pytest.approx(tuning.test_error_equal)


@pytest.mark.parametrize("name", ["sa", "hybrid"])
def test_other_optimisers_come_near_and_say_how_near(name: str) -> None:
    noisy = changed(
        made_links(200), lambda n, link: replace(link, relevance=link.relevance + n % 3)
    )
    settings: dict[str, int | float] = {"cold": 1e-3} if name == "sa" else {"generations": 50}
    heard: list[float] = []
    tuning = tune_links(noisy, name, settings, 3, heard.append)
    exact = tune_links(noisy)
    assert tuning.exact_fitness == exact.fitness and tuning.exact_weights == exact.weights
    assert tuning.share is not None and 0.5 < tuning.share <= 1.0
    assert tuning.share == pytest.approx(tuning.fitness / exact.fitness)
    assert tuning.curve[-1] == (tuning.evaluations, tuning.fitness)
    assert tuning.report and heard[-1] == 1.0
    assert (tuning.seed, dict(tuning.parameters)) == (3, settings)
    assert tune_links(noisy, name, settings, 3).weights == tuning.weights
    assert tune_links(noisy, name, settings, 4).weights != tuning.weights


def with_nan(n: int, link: TrainingLink) -> TrainingLink:
    return replace(link, values=(math.nan, *link.values[1:])) if n == 3 else link


def with_late_nan(n: int, link: TrainingLink) -> TrainingLink:
    return replace(link, relevance=math.inf) if n == 90 else link


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (with_nan, "not a finite number"),
        (with_late_nan, "not a finite number"),
        (lambda _, link: replace(link, values=(0.0,) * 4), "every similarity is 0"),
        (lambda _, link: replace(link, values=(0.1, 0.2, 0.3, 0.4)), "same similarities"),
        (lambda _, link: replace(link, relevance=0.5), "equally relevant"),
        (lambda n, link: replace(link, values=(0.0,) * 4 if n % 2 else link.values,
                                 relevance=float(n % 2)), "best weights are all 0"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("optimiser", ["exact", "mcoa"])
def test_links_that_teach_nothing_give_equal_weights_and_a_reason(
    change: Callable[[int, TrainingLink], TrainingLink], said: str, optimiser: str
) -> None:
    tuning = tune_links(changed(made_links(100), change), optimiser)
    assert tuning.reason is not None and said in tuning.reason
    assert tuning.weights == (0.25,) * 4
    json.dumps(tuning.to_json(), allow_nan=False)


def test_the_first_value_that_is_none_is_named_and_the_others_counted() -> None:
    one = changed(made_links(100), with_late_nan)
    both = changed(one, with_nan)
    assert unknown_values(made_links(100)) is None
    assert unknown_values(one) == (
        "relevance of link 91 is empty or not a finite number; correct it, or leave that link out."
    )
    told = unknown_values(both)
    assert told is not None and told.startswith("sim_full of link 4 is empty or not a finite")
    assert "the first of 2 such values; correct them" in told
    from_file = changed(both, lambda n, link: replace(link, row=200 - n))
    told = unknown_values(from_file)
    assert told is not None and told.startswith("relevance in row 110 is")


def test_every_topic_has_a_search_of_its_own() -> None:
    seeds = {topic_seed(seed, name) for seed in (0, 1) for name in ("storms", "sea", "")}
    assert len(seeds) == 6
    assert topic_seed(0, "storms") == 0x4C64A1AA7C510711  # the same on every machine
    assert topic_seed(3, "a\x1bb") == topic_seed(3, "a b")  # as a file of links has it
    settings: dict[str, int | float] = {"generations": 1}
    storms = tune_links(made_links(100), "ga", settings)
    sea = tune_links(replace(made_links(100), topic="sea"), "ga", settings)
    assert storms.curve[0] != sea.curve[0] and storms.seed == sea.seed == 0


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (tuning(), []),
        (searched(), []),
        (searched(share=0.949), ["ga reached only 0.949 of the best fitness there is; take the "
                                 "optimiser exact, or a search that comes nearer "
                                 "(mcoa-symmetric or hybrid-relative)."]),
        (searched(optimiser="hybrid-relative", share=0.5), ["comes nearer (mcoa-symmetric)"]),
        (tuning(reason="few links.", share=None, test=0), ["equal weights, since few links."]),
        (tuning(test=0), ["there are no test links"]),
        (searched(test_error=0.3, share=0.9), ["equal weights are better", "only 0.900 of"]),
    ],
)  # fmt: skip
def test_what_speaks_against_weights_is_said(given: Tuning, told: list[str]) -> None:
    assert len(given.doubts) == len(told)
    assert all(part in doubt for part, doubt in zip(told, given.doubts, strict=True))


def test_a_share_below_1_is_never_told_as_1() -> None:
    assert rounded_share(0.99999999) == 0.999999
    assert rounded_share(0.99999, 4) == 0.9999
    assert rounded_share(0.57, 4) == 0.57
    assert rounded_share(1.0, 4) == 1.0
    assert searched(share=1.0 - 1e-12).to_json()["share"] == 0.999999


def test_no_links_at_all_are_no_crash() -> None:
    tuning = tune_links(made_links(0))
    assert tuning.reason is not None and tuning.reason.startswith("there are 0 training links")
    assert (tuning.train_error, tuning.test_error, tuning.gain, len(tuning.groups)) == (0, 0, 0, 0)


def test_names_and_parameters_that_there_are_not() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'mcoa'"):
        tune_links(made_links(3), "mcao")
    with pytest.raises(SettingsError, match="nothing to set"):
        tune_links(made_links(3), "exact", {"step": 1.0})


def test_the_time_it_took_is_told_by_the_clock() -> None:
    ticks = iter((10.0, 12.5))
    assert tune_links(made_links(40), clock=lambda: next(ticks)).seconds == 2.5


def test_as_json() -> None:
    told = tune_links(made_links(100)).to_json()
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert told["links"] == {"train": 50, "test": 50}
    assert told["weights"] == pytest.approx(
        {"full": 0.2, "title": 0.0, "anchor": 0.5, "context": 0.1}, abs=1e-5
    )
    assert told["optimiser"] == "exact" and told["share"] == 1.0
