"""The grid: which runs a comparison has, checked before the first one starts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from scenthound.comparison.chance import is_steady
from scenthound.comparison.contenders import Contender, refuse_twice
from scenthound.comparison.grid_keys import KEEP_CRAWLS, WEB
from scenthound.comparison.measures import HARVEST, LABELLED_HARVEST, measure_named
from scenthound.comparison.model import GIVEN, SEEDS, Cell
from scenthound.comparison.rules import Rules
from scenthound.comparison.webs import Web
from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.model import Budget
from scenthound.experiments.equipping import CacheChoice
from scenthound.experiments.preparing import BUDGET_WITH_LABELS, DEFAULT_BUDGET


@dataclass(frozen=True)
class Grid:
    """Webs with their topics x strategies x seed conditions x draws x random seeds.

    Parameters
    ----------
    webs : archives, each with its topics and labels.
    contenders : strategies with their parameters.
    baseline : the label of the contender that the others are compared with; by default the first.
    seeds : some of :data:`.model.SEEDS`.
    draws : how many; the first takes seeds and example pages as the topic file has them.
    random_seeds : how many; strategies that leave nothing to chance run with the first alone.
    rules : what holds for every run.
    cache : where pages, terms and vectors are kept between runs.
    measure : the figure that is compared; "" for labelled harvest, or HR without labels.
    keep_crawls : does every run leave its crawl folder?

    SettingsError, LabelsError or UnknownNameError for a grid that cannot be run.
    """

    webs: tuple[Web, ...]
    contenders: tuple[Contender, ...]
    baseline: str = ""
    seeds: tuple[str, ...] = (GIVEN,)
    draws: int = 1
    random_seeds: int = 1
    rules: Rules = field(default_factory=Rules)
    cache: CacheChoice = field(default_factory=CacheChoice)
    measure: str = ""
    keep_crawls: bool = False

    def __post_init__(self) -> None:
        _refuse_empty(self)
        refuse_twice(self.contenders)
        if not self.baseline:
            object.__setattr__(self, "baseline", self.contenders[0].label)
        labels = [each.label for each in self.contenders]
        if self.baseline not in labels:
            raise UnknownNameError("baseline", self.baseline, labels)
        if self.measure:
            measure_named(self.measure)
        for web in self.webs:
            _check_web(self, web)

    def web(self, name: str) -> Web:
        """The web of this name."""
        return next(web for web in self.webs if web.name == name)

    def contender(self, label: str) -> Contender:
        """The contender of this label."""
        return next(each for each in self.contenders if each.label == label)

    @property
    def steady(self) -> tuple[str, ...]:
        """Contenders that run with one random seed though more are asked for."""
        if self.random_seeds == 1:
            return ()
        return tuple(each.label for each in self.contenders if is_steady(each.recipe))

    def cells(self) -> Iterator[Cell]:
        """Every run, topic by topic, and in a topic by what the strategies are compared on."""
        steady = self.steady
        for web in self.webs:
            for topic in web.topics:
                for seeds in self.seeds:
                    for draw in range(self.draws):
                        for each in self.contenders:
                            for number in range(1 if each.label in steady else self.random_seeds):
                                yield Cell(web.name, topic.name, each.label, seeds, draw, number)

    def to_json(self) -> dict[str, object]:
        """As a grid file has it; what is not given and has no name is left out."""
        rules = {key: value for key, value in self.rules.to_json().items() if value is not None}
        return {
            "strategies": [each.label for each in self.contenders],
            "baseline": self.baseline,
            "seeds": list(self.seeds),
            "draws": self.draws,
            "random_seeds": self.random_seeds,
            **_usual(self),
            **({"measure": self.measure} if self.measure else {}),
            **rules,
            KEEP_CRAWLS: self.keep_crawls,
            **{key: value for key, value in self.cache.to_json().items() if value is not None},
            WEB: [web.to_json() for web in self.webs],
        }


def _refuse_empty(grid: Grid) -> None:
    """A comparison of nothing would end well and say nothing."""
    if not grid.webs:
        raise SettingsError(
            "there is nothing to crawl; give an archive and topics, or a grid file."
        )
    if not grid.contenders:
        raise SettingsError("there is nothing to compare; give two strategies or more.")
    if not grid.seeds:
        raise SettingsError(f"there are no seeds to start from; give some of {', '.join(SEEDS)}.")
    for name, count in (("draws", grid.draws), ("random_seeds", grid.random_seeds)):
        if count < 1:
            raise SettingsError(f"{name} is 1 or more, not {count}.")
    for kind, names in ((WEB, [web.name for web in grid.webs]), ("seeds", [*grid.seeds])):
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            hint = f' or a name of its own, name = "{twice}-2"' if kind == WEB else ""
            raise SettingsError(f"{kind} {twice!r} is given twice; give each one once{hint}.")
    for seeds in grid.seeds:
        if seeds not in SEEDS:
            raise UnknownNameError("kind of seeds", seeds, SEEDS)


def _usual(grid: Grid) -> dict[str, object]:
    """The measure and the budget as by default, where they are the same for all webs."""
    labelled = {web.labels is not None for web in grid.webs}
    measure = LABELLED_HARVEST if labelled == {True} else HARVEST
    budget = BUDGET_WITH_LABELS if labelled == {True} else DEFAULT_BUDGET
    return {"measure": measure.name, **({"budget": budget} if len(labelled) == 1 else {})}


def _check_web(grid: Grid, web: Web) -> None:
    """Topics are what the rules leave of them; what is drawn or measured by labels needs them."""
    for topic in web.topics:
        grid.rules.topic(topic)
    if web.labels is not None:
        for topic in web.topics:
            web.labels.of(topic.name)
        return
    drawn = [seeds for seeds in grid.seeds if seeds != GIVEN]
    what = "draws" if grid.draws > 1 else f"{drawn[0]} seeds" if drawn else ""
    if what:
        raise SettingsError(
            f"web {web.name!r} has no labels, and {what} are drawn by them; give --labels."
        )
    if grid.rules.budget is not None:
        Budget.parse(grid.rules.budget, None)
    for each in grid.contenders:
        each.recipe.refuse_unlabelled(None)
