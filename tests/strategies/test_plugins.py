"""Strategies that packages add: found by name, reported if broken, with the contract they run."""

from __future__ import annotations

import json
import math
import pickle
import random
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from examples.plugin.url_words import RECIPE, address_words

from crawler.web_building import Plant
from scenthound import CATALOGUE, plugins, replay
from scenthound.cli.settings import CRAWL, REPLAY, STRATEGY, read_settings
from scenthound.core.errors import PluginError, SettingsError
from scenthound.core.model import Topic
from scenthound.crawler.replay import run_job
from scenthound.output.explain.url_priority import strategy_spec
from scenthound.plugins import (
    Candidate,
    Frontier,
    Greedy,
    Ingredients,
    Link,
    Part,
    Recipe,
    Score,
    State,
    StrategyError,
    Visit,
    check_strategy,
)
from scenthound.strategies.catalogue import RESERVED_NAMES, STRATEGIES, parameter_descriptions
from strategies.plugin_installing import install, install_example
from strategies.test_every_strategy import garden

BROKEN = {
    "gone": ("no_such_module:RECIPE", "cannot be loaded: ModuleNotFoundError"),
    "nameless": ("spoilt:NOTHING", "cannot be loaded: AttributeError"),
    "number": ("spoilt:NUMBER", "is a value of type int, not a StrategySpec"),
    "leaving": ("leaving:RECIPE", "cannot be loaded: SystemExit: 3 (leaving.py, line 2)"),
    "going": ("spoilt:going", "cannot be loaded: SystemExit"),
    "raising": ("spoilt:raising", "cannot be loaded: RuntimeError: no key (spoilt.py"),
    "other": ("spoilt:OTHER", "names its StrategySpec 'vsm'; one name must do for both"),
    "crawl": ("spoilt:TABLE", "is named as the table [crawl] of a settings file"),
    "bare": ("spoilt:BARE", "has the parameter 'depth' without a default"),
    "mixed": ("spoilt:MIXED", "has a combination of inlinks that is no Combination"),
}
SPOILT = """\
from dataclasses import replace
from scenthound.strategies.catalogue import CATALOGUE
def raising():
    raise RuntimeError("no key")
def going():
    raise SystemExit
def bare(ingredients, *, depth):
    pass
NUMBER = 3
OTHER = CATALOGUE["vsm"]
TABLE = replace(OTHER, name="crawl")
BARE = replace(OTHER, name="bare", scorer=bare)
MIXED = replace(OTHER, name="mixed", combination="max")
"""


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which packages are found that are installed there."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    for name in ("url_words", "spoilt", "leaving", "silly"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return folder


@pytest.fixture
def example(packages: Path) -> Path:
    return install_example(packages)


def test_an_installed_strategy_crawls_by_its_name_and_is_loaded_when_it_is_asked_for(
    example: Path, plant: Plant
) -> None:
    assert "url-words" in STRATEGIES and "url-words" not in CATALOGUE
    assert list(STRATEGIES) == [*CATALOGUE, "url-words"] and len(STRATEGIES) == len(CATALOGUE) + 1
    spec = STRATEGIES["url-words"]
    assert spec.parameters == {"anchor_weight": 0.6, "enough": 2}
    assert parameter_descriptions(spec)["enough"].startswith("so many different words")
    assert STRATEGIES.packages() == {"url-words": "scenthound-url-words 1.0"}
    assert STRATEGIES.problems() == []
    assert strategy_spec("url-words") == spec and strategy_spec("url-wrods") is None
    assert set(RESERVED_NAMES) == {CRAWL, REPLAY, STRATEGY}
    given = ["url-words.enough=3", "strategy.anchor_weight=0.5"]
    settings = read_settings(None, given, ["url-words"], STRATEGIES)
    assert settings.for_strategy(STRATEGIES["url-words"]) == {"enough": 3, "anchor_weight": 0.5}
    with pytest.raises(SettingsError, match="no strategy of this run has the key 'enough'"):
        read_settings(None, ["strategy.enough=3"], ["vsm"], STRATEGIES)
    with pytest.raises(SettingsError, match="strategy key 'enuff'; did you mean 'enough'"):
        read_settings(None, ["strategy.enuff=3"], ["vsm"], STRATEGIES)
    archive = plant(*garden()).archive.path
    topic = Topic("storms", ("storm", "rain"), ("http://w.test/",))
    run = replay(archive, topic, "url-words", budget=6, parameters={"enough": 1})
    assert (run.strategy, run.fetched, run.parameters["enough"]) == ("url-words", 6, 1)
    with pytest.raises(SettingsError, match="strategy 'url-words': enough must be 1 or more"):
        replay(archive, topic, "url-words", budget=6, parameters={"enough": 0})
    code = (
        "import json, sys, scenthound\n"
        "from scenthound.strategies.catalogue import STRATEGIES\n"
        "seen = [list(STRATEGIES)[-1], 'url_words' in sys.modules, STRATEGIES['vsm'].name]\n"
        "seen.append('url_words' in sys.modules)\n"
        "print(json.dumps([*seen, STRATEGIES['url-words'].name, 'url_words' in sys.modules]))"
    )
    path = {"PYTHONPATH": str(example)}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=path)
    assert json.loads(ran.stdout) == ["url-words", False, "vsm", False, "url-words", True]


def test_what_cannot_be_used_is_reported_in_a_sentence(packages: Path) -> None:
    points = {each: place for each, (place, _) in BROKEN.items()}
    modules = {"spoilt": SPOILT, "leaving": "import sys\nsys.exit(3)\n"}
    install_example(install(packages, "spoilt-pack", points, modules))
    problems = STRATEGIES.problems()
    assert len(problems) == len(BROKEN)
    assert [each.name for each in STRATEGIES.usable()] == [*CATALOGUE, "url-words"]
    for name, (_, problem) in BROKEN.items():
        with pytest.raises(PluginError) as caught:
            STRATEGIES[name]
        reported = str(caught.value)
        assert reported.startswith(f"the strategy {name!r} of spoilt-pack 1.0 {problem}"), reported
        assert re.fullmatch(r"[^\n]+; correct that package, or uninstall it\.", reported)
        assert reported in problems and strategy_spec(name) is None


def test_names_that_are_taken_are_reported(packages: Path) -> None:
    install(packages, "thief", {"vsm": "nowhere:RECIPE"})
    assert STRATEGIES["vsm"] is CATALOGUE["vsm"]
    assert list(STRATEGIES) == list(CATALOGUE) and STRATEGIES.packages() == {}
    (reported,) = STRATEGIES.problems()
    assert reported == (
        "thief 1.0 adds a strategy 'vsm', but that name is taken; rename it, or uninstall that "
        "package."
    )
    install(install_example(packages), "zebra", {"url-words": "url_words:RECIPE"})
    both = "both add a strategy 'url-words'; uninstall one of them."
    with pytest.raises(PluginError, match=re.escape(both)):
        STRATEGIES["url-words"]
    twice, _ = STRATEGIES.problems()
    assert twice == f"scenthound-url-words 1.0 and zebra 1.0 {both}"


class Failing:
    """A scorer of somebody else, who made a mistake."""

    predicts = True
    first = 0

    def __init__(self, strategy_context: object) -> None:
        self.asked = self.first

    def observe(self, visit: object) -> None: ...

    def score(self, visit: object, links: list[object]) -> list[object]:
        self.asked += 1
        return [1 / (self.asked - 2)] if self.asked > 1 else [None] * len(links)

    def state(self) -> dict[str, object]:
        return {}

    def restore(self, state: object) -> None: ...


def test_a_strategy_that_fails_or_scores_no_numbers_is_blamed_by_name_and_ours_is_not(
    plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    field = plant(*garden())
    broken = replace(CATALOGUE["vsm"], name="broken", scorer=Failing)
    with pytest.raises(StrategyError) as caught:
        field.crawl(broken)
    assert str(caught.value).startswith("strategy 'broken' returned NoneType for a link, not")
    monkeypatch.setattr(Failing, "first", 1)
    with pytest.raises(StrategyError) as caught:
        field.crawl(broken)
    reported = str(caught.value)
    failure = r"strategy 'broken' failed in score\(\): ZeroDivisionError: .* \(test_plugins.py, "
    assert re.match(failure, reported)
    assert str(pickle.loads(pickle.dumps(caught.value))) == reported
    monkeypatch.setattr("scenthound.strategies.baselines.BestFirst.score", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        field.crawl("best-first")
    with pytest.raises(StrategyError, match=r"'poor' returned \d+ scores, and none is a number"):
        field.crawl(POOR)
    monkeypatch.setattr(Poor, "value", 0.5)
    assert field.crawl(POOR).run.fetched > 1
    monkeypatch.setattr(Poor, "observe", lambda *_: sys.exit("bye"))  # it leaves the program
    with pytest.raises(StrategyError, match=r"'poor' failed in observe\(\): SystemExit: bye"):
        field.crawl(POOR)


class Poor(Failing):
    """A scorer of somebody else, which scores and saves what nobody can use."""

    value: float = math.nan
    learned: object = None

    def score(self, visit: object, links: list[object]) -> list[object]:
        return [Score(self.value) for _ in links]

    def state(self) -> dict[str, object]:
        return {"learnt": [self.learned]}


POOR = replace(CATALOGUE["vsm"], name="poor", scorer=Poor)


def test_a_state_that_no_file_can_hold_is_reported_and_the_folder_let_go(
    plant: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Poor, "value", 0.5)
    monkeypatch.setattr(Poor, "learned", {1, 2})
    field, out = plant(*garden()), tmp_path / "out"
    with pytest.raises(StrategyError) as caught:
        run_job(field.archive, field.job(POOR, budget="3", out=out))
    reported = "it has a set in its state, which holds JSON values and arrays"
    assert str(caught.value).startswith(f"strategy 'poor' failed in state(): {reported}")
    assert not list(out.rglob("crawl.lock")) and list(out.rglob("journal.jsonl"))


def test_ours_and_the_example_keep_the_contract_and_everything_public_is_there() -> None:
    """One of each kind of scorer and policy; ``test_every_strategy`` runs over all."""
    for name in ("scent", "vsm", "annealing", "moaco", "oracle"):
        assert check_strategy(CATALOGUE[name]) is None  # type: ignore[func-returns-value]
    assert check_strategy(RECIPE, {"enough": 1}) is None  # type: ignore[func-returns-value]
    assert address_words("http://a.test/heavy-rain_2.html") == "heavy rain html"
    assert [name for name in plugins.__all__ if not hasattr(plugins, name)] == []


class Plain:
    """A scorer that is right; what is given replaces one of its answers."""

    predicts = True

    def __init__(self, strategy_context: Ingredients) -> None:
        self.rng = strategy_context.rng
        self.pages = 0

    def observe(self, visit: Visit) -> None:
        self.pages += 1

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[Score]:
        return [Score(min(1.0, self.pages / 100)) for _ in links]

    def state(self) -> State:
        return {"pages": self.pages}

    def restore(self, state: State) -> None:
        self.pages = int(str(state["pages"]))


def spec(**changes: object) -> Recipe:
    scorer = type("Changed", (Plain,), {"__module__": __name__, **changes})
    return replace(RECIPE, name="changed", scorer=scorer)


def scoring(answer: Callable[[Plain], Score]) -> Recipe:
    return spec(score=lambda self, visit, links: [answer(self) for _ in links])


class Stuck(Greedy):
    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        return None


class Peeking(Greedy):
    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        return Candidate("http://trial.test/", Score(1.0), 1)


FAULTS = {
    "no number": (scoring(lambda self: Score(float("nan"))), "no finite number"),
    "no finite part": (scoring(lambda self: Score(0.0, (Part("a", float("inf")),))), "no finite"),
    "too large": (scoring(lambda self: Score(1.5)), "gives 1.5, not within 0 and 1"),
    "other parts": (scoring(lambda self: Score(0.5, (Part("a", 0.4),))), "parts that come to 0.4"),
    "chance": (scoring(lambda self: Score(random.random())), "draws from the global generator"),
    "too few": (spec(score=lambda self, visit, links: [Score(0.1)]), "returned 1 scores for 0"),
    "none": (spec(score=lambda self, visit, links: None), "failed in score()"),
    "forgets": (spec(restore=lambda self, state: None), "after its state was restored"),
    "keeps a set": (spec(state=lambda self: {"pages": set()}), "has a set in its state"),
    "keeps a number": (spec(state=lambda self: {"pages": [{1: 2}]}), "a key that is not a string"),
    "keeps of numpy": (spec(state=lambda self: {"pages": np.int64(3)}), "has a int64 in its state"),
    "keeps objects": (spec(state=lambda self: {"a": np.array([None])}), "an array of Python obj"),
    "does not start": (spec(__init__=lambda self, _: 1 / 0), "failed in making its scorer"),
    "stuck": (replace(spec(), policy=Stuck), "chooses nothing though links wait"),
    "again": (replace(spec(), policy=Peeking), "chooses a link that was fetched before"),
    "name": (replace(RECIPE, name="two words"), "not made of letters"),
}


def test_what_breaks_the_contract_is_named() -> None:
    assert check_strategy(spec()) is None  # type: ignore[func-returns-value]
    for fault, (broken, words) in FAULTS.items():
        with pytest.raises(StrategyError) as caught:
            check_strategy(broken)
        assert words in str(caught.value), fault
    given = iter(range(10_000))
    with pytest.raises(StrategyError, match="otherwise with the same random seed"):
        check_strategy(scoring(lambda self: Score(next(given) / 10_000)))
