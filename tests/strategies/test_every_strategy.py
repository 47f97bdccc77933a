"""One contract for every recipe of the catalogue."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engines.web_building import Field, Plant, at, labelled
from engines.web_building import page as archived
from scenthound.core.errors import InputError, SettingsError, UnknownNameError
from scenthound.core.model import Candidate, Link, Part, Refusal, Score, Sighting, Visit
from scenthound.core.parameters import Value
from scenthound.core.strategy import Strategy
from scenthound.experiments.jobs import Job
from scenthound.experiments.runner import run
from scenthound.frontier.memory import MemoryFrontier
from scenthound.sample import Response
from scenthound.store.state import load_state, save_state
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.text.analyzer import Analyzer
from strategies.scoring import URL, ingredients, link, page

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


def job(field: Field, name: str, pages: int = 5) -> Job:
    examples = [at("/1"), at("/4"), "rain and hail"]
    return field.job(name, labels=LABELS, examples=examples, budget=str(pages))


TOPICS = {
    "keywords": (("storm", "heavy rain"), ()),
    "examples": ((), (at("/1"), "storm and flood")),
    "both": (("storm",), (at("/1"), at("/4"))),
}


@EVERY
@pytest.mark.parametrize("kind", list(TOPICS))
def test_crawls_from_keywords_from_examples_and_from_both(
    plant: Plant, name: str, kind: str
) -> None:
    keywords, examples = TOPICS[kind]
    crawl = plant(*garden()).crawl(
        name, keywords=keywords, examples=examples, labels=LABELS, budget="6"
    )
    assert crawl.run.fetched == len(crawl.paths) == len(set(crawl.paths)) == 6
    assert crawl.paths[0] == "/"
    assert crawl.run.stopped == "budget spent"
    assert not any("score is no number" in e.get("dropped", ()) for e in crawl.events("page"))  # type: ignore[operator]


@EVERY
@pytest.mark.parametrize("budget", [1, 2, 29, 40])
def test_never_fetches_more_than_the_budget(plant: Plant, name: str, budget: int) -> None:
    crawl = plant(*garden()).crawl(name, labels=LABELS, budget=str(budget))
    assert crawl.run.fetched <= budget
    assert len(crawl.events("page")) == crawl.run.fetched


@EVERY
def test_predictions_are_on_record_where_the_scorer_predicts(plant: Plant, name: str) -> None:
    events = plant(*garden()).crawl(name, labels=LABELS, budget="8").events("page")
    predicts = CATALOGUE[name].build(ingredients(labels=[URL]), {}).scorer.predicts
    assert predicts is (name in PREDICTING)
    assert events[0]["priority"] is None
    assert all((e["priority"] is not None) is predicts for e in events[1:])


VISITS = [
    Visit(Candidate(URL, Score(1.0), 0), page("storm cake wind", title="Storm")),
    Visit(Candidate(URL, Score(0.5, (Part("steps", 2), Part("inherited", 0.3))), 3), page("cake")),
    Visit(Candidate(URL, Score(0.0), 1), page("")),
    Visit(Candidate(URL, Score(0.0), 1), page("the of and", title="storm " * 500)),
]
LINKS = [link(), link("storm"), link("", "storm rain"), link("cake", "cake"), link("storm " * 99)]


@EVERY
@pytest.mark.parametrize("visit", VISITS)
def test_scores_are_finite_within_0_and_1_and_the_sum_of_their_parts(
    name: str, visit: Visit
) -> None:
    strategy = CATALOGUE[name].build(ingredients(examples=["storm rain"], labels=[URL]), {})
    strategy.scorer.observe(visit)
    answers = strategy.scorer.score(visit, LINKS)
    assert len(answers) == len(LINKS)
    for score in answers:
        assert isinstance(score, Score)
        assert math.isfinite(score.value) and 0.0 <= score.value <= 1.0 + 1e-12
        assert sum(p.value * p.weight for p in score.parts) == pytest.approx(score.value)
        assert bool(score.parts) is (name not in {"breadth-first", "random"})


@EVERY
def test_page_without_links_gets_no_scores(name: str) -> None:
    strategy = CATALOGUE[name].build(ingredients(labels=[URL]), {})
    assert list(strategy.scorer.score(VISITS[0], [])) == []


PRIORITY: Mapping[str, Value] = {"anchor_weight": 0.8, "eta": 0.0}
CONCEPTS: Mapping[str, Value] = {"norm": "word", "concepts": 100, "factors": "0.2 0.2 0.2 0.2 0.2"}
MAP: Mapping[str, Value] = {**PRIORITY, "damping": 0.85, "omega": 0.1, "pagerank": "printed"}
ANTS: Mapping[str, Value] = {
    "ants": 30, "steps": 9, "psi": 1.0, "xi": 5.0, "evaporation": 0.1, "pheromone": 1.0,
    "lookahead": False,
}  # fmt: skip
EVOLUTION: Mapping[str, Value] = {"population": 30, "factor": 0.5, "crossover": 0.9, "pull": 0.5}
COOLING: Mapping[str, Value] = {
    "temperature": 0.15, "cooling": 0.0, "coldest": 0.005, "refusals": 20
}  # fmt: skip
PARAMETERS: Mapping[str, Mapping[str, Value]] = {
    **{name: {} for name in sorted(FIXED)},
    "fish": {"depth": 3, "threshold": 0.0},
    "shark": {"decay": 0.5, "inherited_weight": 0.5, "anchor_weight": 0.8},
    "annealing": {**PRIORITY, **COOLING},
    "best-first-ontology": {**CONCEPTS, **PRIORITY},
    "wseo": {**CONCEPTS, **MAP, "bank": 30, "growth": 0},
    "moaco": {"norm": "word", **MAP, **ANTS},
    "olmoaco": {**CONCEPTS, **MAP, **ANTS},
    "olmode": {**CONCEPTS, **MAP, **EVOLUTION},
}


@pytest.mark.parametrize("name", list(PARAMETERS))
def test_parameters_and_their_defaults(name: str) -> None:
    parameters = CATALOGUE[name].parameters
    assert parameters == PARAMETERS[name]
    assert {k: type(v) for k, v in parameters.items()} == {
        k: type(v) for k, v in PARAMETERS[name].items()
    }


@EVERY
def test_parameters_written_out_at_their_defaults_change_nothing(name: str) -> None:
    recipe = CATALOGUE[name]
    assert recipe.check(recipe.parameters) == recipe.parameters
    given = ingredients(examples=["storm rain", "flood"], labels=[URL])
    assert answers(recipe.build(given, recipe.parameters)) == answers(recipe.build(given, {}))


SETTABLE = [(name, key) for name in CATALOGUE for key in CATALOGUE[name].parameters]
EVERY_PARAMETER = pytest.mark.parametrize(("name", "key"), SETTABLE)
EVERY_VALUE = pytest.mark.parametrize(
    ("name", "key"),
    [(n, key) for n, key in SETTABLE if not isinstance(CATALOGUE[n].parameters[key], bool)],
)  # yes and no are both sensible


@EVERY_PARAMETER
def test_every_parameter_refuses_a_value_of_another_type(name: str, key: str) -> None:
    other = 1 if isinstance(CATALOGUE[name].parameters[key], str) else "many"
    with pytest.raises(SettingsError, match=rf"{name}\.{key} takes a value like .*, not {other!r}"):
        CATALOGUE[name].build(ingredients(), {key: other})


NONSENSE: dict[type, tuple[Value, ...]] = {
    str: ("nonsense", ""),
    int: (-7, 0),
    float: (-7.0, math.nan, math.inf),
}
NO_SHARES = {"power", "least", "hold", "psi", "xi", "pheromone"}
"""Every other fraction is a share: 2 is too much."""


@EVERY_VALUE
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_parameter_refuses_nonsense(name: str, key: str, language: str) -> None:
    """Before the crawl, in one sentence, also where there is no lexicon for the language."""
    kind = type(CATALOGUE[name].parameters[key])
    too_much = (2.0,) if kind is float and key not in NO_SHARES else ()
    given = replace(ingredients(), analyzer=Analyzer(language))
    default = CATALOGUE[name].parameters[key]
    for value in {*NONSENSE[kind], *too_much} - {default}:  # no file is given by an empty name
        with pytest.raises(InputError) as caught:
            CATALOGUE[name].build(given, {key: value})
        assert re.fullmatch(r"[^\n]+[.?]", str(caught.value)), (value, caught.value)
        assert ". " not in str(caught.value)


@EVERY
def test_unknown_parameter_is_an_error_that_names_the_strategy(name: str) -> None:
    with pytest.raises(UnknownNameError, match=f"key for strategy '{name}': 'dekay'"):
        CATALOGUE[name].build(ingredients(), {"dekay": 0.5})


def test_unknown_parameter_says_what_was_perhaps_meant() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'decay'"):
        CATALOGUE["shark"].check({"dekay": 0.5})


@pytest.mark.parametrize("value", ["0.5", True, None])
def test_parameter_of_another_type_is_refused(value: str | bool) -> None:
    with pytest.raises(SettingsError, match=r"shark\.decay takes a value like 0\.5"):
        CATALOGUE["shark"].check({"decay": value})


def test_whole_number_will_do_for_a_fraction_but_not_the_other_way_round() -> None:
    assert type(CATALOGUE["shark"].check({"decay": 1})["decay"]) is float
    with pytest.raises(SettingsError, match=r"fish\.depth"):
        CATALOGUE["fish"].check({"depth": 2.0})


@EVERY
def test_fresh_strategies_share_nothing(name: str) -> None:
    given = ingredients(examples=["storm rain"], labels=[URL])
    first, second = (CATALOGUE[name].build(given, {}) for _ in range(2))
    before = second.scorer.score(VISITS[0], LINKS)
    first.scorer.observe(Visit(VISITS[0].candidate, page("storm flood cake")))
    assert second.scorer.score(VISITS[0], LINKS) == before


def crawled(field: Field, name: str, pages: int) -> Strategy:
    """The strategy after a crawl of so many pages."""
    made: list[Strategy] = []
    build = Job.strategy

    def remember(self: Job, analyzer: Analyzer) -> Strategy:
        made.append(build(self, analyzer))
        return made[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Job, "strategy", remember)
        run(field.archive, job(field, name, pages))
    return made[0]


NEXT = [
    page("storm flood rain", url=URL + "n1", title="rain"),
    page("bread cake tea", url=URL + "n2"),
    page("hail hail river", url=URL + "n3", title="storm"),
]


def answers(strategy: Strategy) -> list[Score | Refusal]:
    """What it says to the links of the next pages, learning on the way."""
    said: list[Score | Refusal] = []
    for number, each in enumerate(NEXT):
        parts = (Part("steps", number + 1), Part("inherited", 0.3))
        visit = Visit(Candidate(each.url, Score(0.5, parts), 2), each)
        strategy.scorer.observe(visit)
        links = [Link(at("/3"), "storm", "the storm rain"), *LINKS]
        said.extend(strategy.scorer.score(visit, links))
    return said


def draws(strategy: Strategy) -> list[str]:
    frontier = MemoryFrontier()
    frontier.add([Sighting(f"{URL}{n}", 1) for n in range(50)])
    chosen = [strategy.policy.choose(frontier, 0.0) for _ in range(20)]
    return [candidate.url for candidate in chosen if candidate is not None]


@EVERY
@pytest.mark.parametrize("pages", [1, 13])
def test_saved_state_goes_on_as_if_nothing_had_happened(
    plant: Plant, tmp_path: Path, name: str, pages: int
) -> None:
    field = plant(*garden())
    saved = crawled(field, name, pages)
    save_state(saved.state(), tmp_path / "state.npz")
    fresh = job(field, name).strategy(job(field, name).analyzer())
    fresh.restore(load_state(tmp_path / "state.npz"))
    assert answers(fresh) == answers(saved)
    assert draws(fresh) == draws(saved)


def plain(state: object) -> object:
    """A state with its arrays as lists, so that two can be compared."""
    if isinstance(state, Mapping):
        return {key: plain(value) for key, value in state.items()}
    return state.tolist() if isinstance(state, np.ndarray) else state


@EVERY
def test_state_taken_from_a_restored_strategy_is_the_state_given(plant: Plant, name: str) -> None:
    field = plant(*garden())
    state = crawled(field, name, 7).state()
    fresh = job(field, name).strategy(job(field, name).analyzer())
    fresh.restore(state)
    assert plain(fresh.state()) == plain(state)


@pytest.mark.parametrize("name", LEARNING)
def test_without_its_state_a_strategy_that_learns_answers_otherwise(
    plant: Plant, name: str
) -> None:
    field = plant(*garden())
    fresh = job(field, name).strategy(job(field, name).analyzer())
    assert answers(fresh) != answers(crawled(field, name, 13))


def test_unknown_strategy_says_what_was_perhaps_meant() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'vsm-mean'"):
        CATALOGUE["vsm-meen"]
