"""Settings of the Scrapy add-on, and its weights: given, counted over links, learned on the way."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scrapy import Request
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from crawler.addon_running import STORM, Crawling, focus, project, scheduler, scored
from scenthound.core.model import (
    INLINKS,
    Candidate,
    Combination,
    Document,
    Link,
    Page,
    Part,
    Parts,
    Score,
)
from scenthound.crawler.scrapy_addon import addon as module
from scenthound.crawler.scrapy_addon.addon import FocusedCrawl
from scenthound.crawler.scrapy_addon.focus import META, Focus, Note, note_of
from scenthound.crawler.scrapy_addon.requests import RequestPriority
from scenthound.crawler.scrapy_addon.scheduler import BestFirstScheduler
from scenthound.similarity.link_priority import WeightedTexts
from scenthound.storage.cache import FILE, VectorCache
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.spec import StrategyContext


def test_the_add_on_sets_what_it_needs_and_refuses_another_scheduler(tmp_path: Path) -> None:
    settings = project(tmp_path)
    before = settings.copy_to_dict()
    addon = FocusedCrawl()
    addon.update_settings(settings)
    after = settings.copy_to_dict()
    changed = {name for name in after if after[name] != before.get(name)}
    assert changed == {"SCHEDULER", "SPIDER_MIDDLEWARES"}
    assert addon.focus is not None and addon.focus.topic.name == "storms"
    for other in ("nix.nix", "scrapy.core.scheduler.Scheduler"):  # before the topic is read
        with pytest.raises(UsageError, match="take it out, the add-on brings its own"):
            FocusedCrawl().update_settings(Settings({"SCHEDULER": other}))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"TOPIC": None}, 'there is no topic; set SCENTHOUND_TOPIC = "topic.toml".'),
        ({"TOPIC": "t.toml"}, "topic file t.toml: No such file"),
        ({"STRATEGY": "vms"}, "unknown strategy 'vms'; did you mean 'vsm'"),
        ({"STRATEGY": "oracle"}, "steered by labels"),
        ({"STRATEGY": "moaco"}, "strategy 'moaco' goes from page to page itself"),
        ({"STRATEGY": "fish", "WEIGHTS": {"anchor": 0.5}}, "'fish' takes no weights"),
        ({"STRATEGY": "best-first-ontology", "text": STORM + 'ontology = "nowhere.owl"\n'},
         "nowhere.owl: No such file"),
        ({"JUDGE": "me"}, 'judge takes "similarity" or "ontology", not'),
        ({"THRESHOLD": 7}, "SCENTHOUND_THRESHOLD lies within 0 and 1"),
        ({"WORDNET": "nowhere"}, "nowhere"),
        ({"PARAMETERS": "depth: 3"}, "SCENTHOUND_PARAMETERS is a dict"),
        ({"WEIGHTS": "w.toml"}, "SCENTHOUND_WEIGHTS is a dict such as"),
        ({"WEIGHTS": {"anchor": 5}}, "the weight of 'anchor' "),
        ({"TRESHOLD": 0.1}, "unknown SCENTHOUND_ setting 'TRESHOLD'; did you mean 'THR"),
        ({"INLINKS": "sum"}, "not 'sum'"),
        ({"INLINKS": "max", "STRATEGY": "random"}, "'random' scores all links to a page alike"),
        ({"CACHE_LIMIT": "much"}, "'much' is no size for a cache"),
        ({"CACHE": ""}, "cache takes the path of a folder"),
        ({"text": 'name = "s"\nexamples = ["http://a.test/"]'}, "1 example pages alone"),
    ],
)  # fmt: skip
def test_a_setting_that_cannot_be_used_is_one_sentence(
    tmp_path: Path, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=re.escape(message)) as caught:
        FocusedCrawl().update_settings(project(tmp_path, **settings))
    assert "\n" not in str(caught.value)


def test_examples_that_are_addresses_are_left_out_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    focus(tmp_path, text=STORM + 'examples = ["http://a.test/", "A storm over the sea"]\n')
    (message,) = caplog.messages
    assert "1 of 2 examples are addresses" in message


def test_the_topic_is_found_from_anywhere_in_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = tmp_path / "project" / "spiders"
    inner.mkdir(parents=True)
    (tmp_path / "scrapy.cfg").touch()
    monkeypatch.chdir(inner)
    assert focus(tmp_path, TOPIC="topic.toml").topic.name == "storms"
    own = STORM.replace("storms", "of the working folder")
    assert focus(inner, text=own, TOPIC="topic.toml").topic.name == "of the working folder"


def test_inlinks_and_weights_are_used_as_the_settings_say(tmp_path: Path) -> None:
    for weights in ({"anchor": 0.75}, '{"anchor": 0.75}'):
        assert weights_of(focus(tmp_path, WEIGHTS=weights).strategy.scorer) == {"anchor": 0.75}
    assert focus(tmp_path).combination is Combination.MAX
    assert focus(tmp_path, INLINKS="mean").combination is Combination.MEAN


def test_the_strategy_gets_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[StrategyContext] = []

    def noted(*given: Any, **named: Any) -> StrategyContext:
        made.append(StrategyContext(*given, **named))
        return made[-1]

    monkeypatch.setattr(module, "StrategyContext", noted)
    focused = focus(tmp_path, CACHE=tmp_path / "c", CACHE_LIMIT="5MB")
    cache = made[0].equipment.cache
    assert isinstance(cache, VectorCache) and cache.folder == tmp_path / "c"
    cache.keep("m", {b"k" * 16: np.ones(3, dtype=np.float16)})
    assert (tmp_path / "c" / f"{FILE}-wal").exists()
    focused.close()
    assert not (tmp_path / "c" / f"{FILE}-wal").exists()
    focus(tmp_path, CACHE="none").close()
    assert made[1].equipment.cache is None


def with_ontology(folder: Path, **settings: Any) -> Focus:
    (folder / "o.txt").write_text("# topic: storm\nstorm\n  typhoon\n  flood (induced-by)\n")
    return focus(folder, text=STORM + 'ontology = "o.txt"\n', **settings)


def test_an_ontology_judges_and_a_page_at_sigma_is_not_relevant(tmp_path: Path) -> None:
    """A typhoon is a concept of the ontology and no keyword."""
    page = Page("http://a.test/", 200, Document(text="A typhoon."), ())
    seed = Candidate(page.url, Score(0.0), 0)
    assert with_ontology(tmp_path).judge(seed, page)[0] == 0.0
    by_concepts = {"JUDGE": "ontology", "THRESHOLD": 0.1}
    sigma, relevant = with_ontology(tmp_path, **by_concepts).judge(seed, page)
    assert sigma > 0.1 and relevant
    by_concepts["THRESHOLD"] = sigma
    assert not with_ontology(tmp_path, **by_concepts).judge(seed, page)[1]


def test_strategies_of_the_ant_colony_walk_and_the_others_score(tmp_path: Path) -> None:
    walking = {name for name in CATALOGUE if CATALOGUE[name].walks}
    assert walking == {"moaco", "olmoaco", "olmode", "wseo"}
    made = with_ontology(tmp_path, STRATEGY="best-first-ontology")
    links = tuple(Link(f"http://a.test/{word}", word) for word in ("kettle", "typhoon", "flood"))
    page = Page("http://a.test/", 200, Document("Front", "All kinds of pages."), links)
    scores, _ = made.score(Candidate(page.url, Score(1.0), 0), page)
    values = [score.value for score, _ in scores.values() if isinstance(score, Score)]
    assert values[1] > values[0] and values[2] > values[0]


# Weights


GOOD, POOR = "http://good.test/", "http://poor.test/"


def parts(**pairs: tuple[float, float]) -> Parts:
    return Parts.of([Part(name, value, weight) for name, (value, weight) in pairs.items()])


def weights_of(strategy: object) -> dict[str, float]:
    assert isinstance(strategy, WeightedTexts)
    return strategy.weights


def test_a_note_keeps_the_weights_to_itself() -> None:
    request = Request(GOOD)
    score = Score(0.5, parts(full=(0.4, 0.25), anchor=(0.8, 0.5)))
    Note.of(score, "storms", 7).write(request)
    assert request.meta[META]["parts"] == {"full": 0.4, "anchor": 0.8}
    assert note_of(request).with_parts(0.5) == score


@pytest.mark.parametrize("how", [Combination.MAX, Combination.MEAN])
def test_links_are_counted_with_their_weight(how: Combination) -> None:
    """Three links: ``n / (n + 1)`` is 3/4, whichever of them is the best."""
    claim = RequestPriority(0)
    for anchor in (0.2, 0.4, 0.1):
        score = parts(anchor=(anchor, 0.5), inlinks=(0.5, 0.25)).score()
        claim.see(Note.of(score, "", 1), 0, how)
    found = {part.name: part for part in claim.evidence.parts}
    assert found[INLINKS].value == pytest.approx(0.75) and found[INLINKS].weight == 0.25
    reported = sum(part.value * part.weight for part in claim.evidence.parts)
    assert claim.score == pytest.approx(reported)


LEARNING: dict[str, Any] = {"strategy": "mcoa", "parameters": {"every": 30}}
"""A strategy that fits its weights after 30 pages."""


def queued(url: str, full: float, anchor: float) -> Request:
    found = parts(full=(full, 0.25), title=(0.0, 0.25), anchor=(anchor, 0.25), context=(0.0, 0.25))
    return scored(url, found.score())


def learn(made: BestFirstScheduler) -> None:
    """Thirty pages about storms that links with the right words led to, and others."""
    for n in range(30):
        good = n % 2 == 0
        text = f"storm storm {'wind' * (1 + n % 5)}" if good else f"cake {'tea' * (1 + n % 7)}"
        url, words = f"http://w.test/{n}", 0.9 - 0.01 * n if good else 0.01 * n
        score = parts(
            full=(0.5 - 0.002 * n, 0.25), title=(0.001 * n, 0.25),
            anchor=(words, 0.25), context=(0.3 + 0.003 * (n % 4), 0.25),
        ).score()  # fmt: skip
        made._focus.judge(Candidate(url, score, 1), Page(url, 200, Document("", text)))


@pytest.mark.parametrize("on_disk", [False, True])
def test_what_waits_is_valued_again(tmp_path: Path, on_disk: bool) -> None:
    crawling = Crawling()
    with scheduler(tmp_path, crawling, tmp_path if on_disk else None, **LEARNING) as made:
        made.enqueue_request(queued(POOR, full=0.9, anchor=0.0))
        made.enqueue_request(queued(GOOD, full=0.1, anchor=0.7))
        made.enqueue_request(Request("http://start.test/"))
        made.revise()  # nothing was learned so far
        learn(made)
        made.revise()
        weights = weights_of(made._focus.strategy.scorer)
        assert weights["anchor"] > 2 * weights["full"]
        handed = [made.next_request() for _ in range(3)]
    assert [one and one.url for one in handed] == ["http://start.test/", GOOD, POOR]
    assert handed[1] is not None
    expected = 0.1 * weights["full"] + 0.7 * weights["anchor"]
    assert handed[1].meta[META]["score"] == pytest.approx(expected)
    assert crawling.stats.get_value("scenthound/revised") == 1


def test_after_a_kill_what_waits_stands_where_the_weights_of_now_put_it(tmp_path: Path) -> None:
    """The queue is written each second, what was learned every 500 pages."""
    with scheduler(tmp_path, Crawling(), tmp_path, **LEARNING) as made:
        made.enqueue_request(queued(POOR, full=0.9, anchor=0.0))
        made.enqueue_request(queued(GOOD, full=0.1, anchor=0.7))
        learn(made)
        made.revise()
        made._focus.save = lambda: None  # type: ignore[method-assign]
    with scheduler(tmp_path, Crawling(), tmp_path, **LEARNING) as again:
        assert set(weights_of(again._focus.strategy.scorer).values()) == {0.25}
        handed = [again.next_request() for _ in range(2)]
    assert [one and one.url for one in handed] == [POOR, GOOD]
    assert handed[1] is not None
    assert handed[1].meta[META]["score"] == pytest.approx(0.25 * 0.8)
