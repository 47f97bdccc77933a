"""One contract for every recipe of the catalogue."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from crawler.web_building import Field, Outcome, Plant, at, labelled
from crawler.web_building import page as archived
from scenthound.core.crawl_loop import Strategy
from scenthound.core.errors import InputError, SettingsError, UnknownNameError
from scenthound.core.model import Candidate, FetchedPage, Link, Part, Rejection, Score, ScoredLink
from scenthound.core.parameters import Value
from scenthound.crawler.replay_plan import ReplayJob
from scenthound.frontier.memory import MemoryFrontier
from scenthound.sample.responses import Response
from scenthound.storage.state import load_state, save_state
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.text.analyzer import Analyzer
from strategies.scoring import URL, link, page, strategy_context

pytestmark = pytest.mark.filterwarnings("ignore::scenthound.core.errors.ScenthoundWarning")
"""Models trained on a few words say that they know little; that has tests of its own."""

EVERY = pytest.mark.parametrize("name", list(CATALOGUE))
UNREADING = {"breadth-first", "random", "oracle"}
"""These do not read: they have no parts to show and nothing to learn."""
PREDICTING = [name for name in CATALOGUE if name not in UNREADING | {"fish"}]
"""Their scores are similarities; those of fish are steps."""
LEARNING = [n for n in PREDICTING if not n.startswith("sentences") and n != "moaco"]
"""What a sentence means is known before the crawl, and stays so; moaco compares with one keyword,
which is there or not, whatever the pages before."""
FIXED = {*UNREADING, "best-first", "vsm", "vsm-mean", "vsm-four"}
"""Later work is measured beside these, so there is nothing to set."""
WORDS = ("storm", "flood", "rain", "cake", "bread", "wind", "tea", "hail", "river", "sugar")
LABELS = labelled("/3", "/5")


def garden() -> list[Response]:
    """Thirty pages of three words each; page n links to 2n, 2n + 1 and n + 7."""
    return [
        archived(
            "/" if n == 0 else f"/{n}",
            *((f"/{m % 30}", f"{WORDS[m % 10]} {m}") for m in (2 * n, 2 * n + 1, n + 7)),
            text=" ".join(WORDS[(n * k) % 10] for k in (1, 2, 3)),
            title=WORDS[n % 10],
        )
        for n in range(30)
    ]


OPTIONS: Mapping[str, Any] = {
    "examples": (at("/1"), at("/4"), "rain and hail"), "labels": LABELS, "budget": "13"
}  # fmt: skip


def check_record(name: str, crawl: Outcome) -> None:
    """The crawl stays within its budget and puts its predictions on record."""
    assert crawl.run.fetched == len(crawl.paths) == len(set(crawl.paths)) == 13
    assert crawl.paths[0] == "/" and crawl.run.stopped == "budget spent"
    events = crawl.events("page")
    assert not any("score is no number" in e.get("dropped", ()) for e in events)  # type: ignore[operator]
    predicts = name in PREDICTING
    assert events[0]["priority"] is None
    assert all((e["priority"] is not None) is predicts for e in events[1:])


VISITS = [
    FetchedPage(Candidate(URL, Score(1.0), 0), page("storm cake wind", title="Storm")),
    FetchedPage(
        Candidate(URL, Score(0.5, (Part("steps", 2), Part("inherited", 0.3))), 3), page("cake")
    ),
    FetchedPage(Candidate(URL, Score(0.0), 1), page("")),
    FetchedPage(Candidate(URL, Score(0.0), 1), page("the of and", title="storm " * 500)),
]
LINKS = [link(), link("storm"), link("", "storm rain"), link("cake", "cake"), link("storm " * 99)]


@EVERY
def test_scores_are_the_sum_of_their_parts_and_fresh_strategies_share_nothing(name: str) -> None:
    spec, given = CATALOGUE[name], strategy_context(examples=["storm rain"], labels=[URL])
    assert spec.check(spec.parameters) == spec.parameters
    strategy, second = (spec.build(given, p) for p in ({}, spec.parameters))
    before = second.scorer.score(VISITS[0], LINKS)
    assert strategy.scorer.predicts is (name in PREDICTING)
    assert list(strategy.scorer.score(VISITS[0], [])) == []
    for visit in VISITS:
        strategy.scorer.observe(visit)
        answers = strategy.scorer.score(visit, LINKS)
        assert len(answers) == len(LINKS)
        for score in answers:
            assert isinstance(score, Score)
            assert math.isfinite(score.value) and 0.0 <= score.value <= 1.0 + 1e-12
            assert sum(p.value * p.weight for p in score.parts) == pytest.approx(score.value)
            assert bool(score.parts) is (name not in {"breadth-first", "random"})
    assert second.scorer.score(VISITS[0], LINKS) == before


NONSENSE: dict[type, tuple[Value, ...]] = {
    str: ("nonsense", ""),
    int: (-7, 0),
    float: (-7.0, math.nan, math.inf),
}
REFUSING = [
    "scent", "fish", "shark", "annealing", "wseo", "moaco", "olmode", "ssrm", "ssvsm",
    "soft-svsm-mcoa", "sdvsm", "soft-sdvsm", "word2vec", "elmo", "bsvsm", "sentences-light",
]  # fmt: skip
"""Every text model, scorer and policy that has parameters."""
NO_SHARES = {"power", "least", "prior_weight", "psi", "xi", "pheromone"}
"""Every other fraction is a share: 2 is too much."""


@pytest.mark.parametrize("name", REFUSING)
def test_every_parameter_refuses_nonsense(name: str) -> None:
    """Before the crawl, in one sentence."""
    for key, default in CATALOGUE[name].parameters.items():
        if isinstance(default, bool):
            continue  # yes and no are both sensible
        kind = type(default)
        too_much = (2.0,) if kind is float and key not in NO_SHARES else ()
        for value in {*NONSENSE[kind], *too_much} - {default}:  # no file is given by an empty name
            with pytest.raises(InputError) as caught:
                CATALOGUE[name].build(strategy_context(), {key: value})
            assert re.fullmatch(r"[^\n]+[.?]", str(caught.value)), (value, caught.value)
            assert ". " not in str(caught.value)


def test_parameters_are_checked_by_name_and_type() -> None:
    assert all(CATALOGUE[name].parameters == {} for name in FIXED)
    with pytest.raises(UnknownNameError, match=r"key for strategy 'shark': 'dekay'.*'decay'"):
        CATALOGUE["shark"].check({"dekay": 0.5})
    with pytest.raises(UnknownNameError, match="did you mean 'vsm-mean'"):
        CATALOGUE["vsm-meen"]
    assert CATALOGUE["scent"].check({"hold": 20.0}) == {"prior_weight": 20.0}  # its old name
    with pytest.raises(UnknownNameError, match="hold"):
        CATALOGUE["vsm"].check({"hold": 20.0})
    for value in ("0.5", True, None):
        with pytest.raises(SettingsError, match=r"shark\.decay takes a value like 0\.5"):
            CATALOGUE["shark"].check({"decay": value})  # type: ignore[dict-item]
    assert type(CATALOGUE["shark"].check({"decay": 1})["decay"]) is float
    with pytest.raises(SettingsError, match=r"fish\.depth"):
        CATALOGUE["fish"].check({"depth": 2.0})


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Field]:
    with ExitStack() as stack:
        yield Plant(tmp_path_factory.mktemp("garden"), stack)(*garden())


def crawled(field: Field, name: str) -> tuple[Outcome, Strategy]:
    """A crawl of the garden, and the strategy after it."""
    made: list[Strategy] = []
    build = ReplayJob.strategy

    def remember(self: ReplayJob, analyzer: Analyzer) -> Strategy:
        made.append(build(self, analyzer))
        return made[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ReplayJob, "strategy", remember)
        return field.crawl(name, **OPTIONS), made[0]


NEXT = [
    page("storm flood rain", url=URL + "n1", title="rain"),
    page("bread cake tea", url=URL + "n2"),
    page("hail hail river", url=URL + "n3", title="storm"),
]


def answers(strategy: Strategy) -> list[Score | Rejection]:
    """What it says to the links of the next pages, learning on the way."""
    printed: list[Score | Rejection] = []
    for number, each in enumerate(NEXT):
        parts = (Part("steps", number + 1), Part("inherited", 0.3))
        visit = FetchedPage(Candidate(each.url, Score(0.5, parts), 2), each)
        strategy.scorer.observe(visit)
        links = [Link(at("/3"), "storm", "the storm rain"), *LINKS]
        printed.extend(strategy.scorer.score(visit, links))
    return printed


def draws(strategy: Strategy) -> list[str]:
    frontier = MemoryFrontier()
    frontier.add([ScoredLink(f"{URL}{n}", 1) for n in range(50)])
    chosen = [strategy.policy.choose(frontier, 0.0) for _ in range(20)]
    return [candidate.url for candidate in chosen if candidate is not None]


@EVERY
def test_a_crawl_is_on_record_and_its_saved_state_goes_on(
    field: Field, tmp_path: Path, name: str
) -> None:
    crawl, saved = crawled(field, name)
    check_record(name, crawl)
    state = saved.state()
    save_state(state, tmp_path / "state.npz")
    job = field.job(name, **OPTIONS)
    unlearned, fresh = (job.strategy(job.analyzer()) for _ in range(2))
    fresh.restore(load_state(tmp_path / "state.npz"))
    assert plain(fresh.state()) == plain(state)
    printed = answers(saved)
    assert answers(fresh) == printed
    assert draws(fresh) == draws(saved)
    if name in LEARNING:
        assert answers(unlearned) != printed


def plain(state: object) -> object:
    """A state with its arrays as lists, so that two can be compared."""
    if isinstance(state, Mapping):
        return {key: plain(value) for key, value in state.items()}
    return state.tolist() if isinstance(state, np.ndarray) else state
