"""The four objectives of links (olmoaco Eq. 11-15), their priority (Eq. 10), and the map."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from crawler.web_building import Plant
from crawler.web_building import page as archived
from scenthound.core import model
from scenthound.core.errors import UnknownNameError
from scenthound.core.parameters import Value
from scenthound.papers.olmoaco.objectives import BELOW_ETA, OBJECTIVES, LinkMap, LinkMapScorer
from scenthound.strategies.spec import LinkWeights, StrategyContext
from scenthound.text.analyzer import Analyzer
from strategies.scoring import URL, link, parts, scores, strategy, strategy_context, visit

pytestmark = pytest.mark.filterwarnings("ignore::scenthound.core.errors.ScenthoundWarning")
"""Models trained on a few words say that they know little; that has tests of its own."""


def mapped() -> LinkMap:
    """``a`` links to ``b`` and ``c``, ``b`` to ``c`` and ``d``; ``c`` and ``d`` wait."""
    links = LinkMap()
    links.add_page("a", 0.8, {"b": (0.5, 0.6), "c": (0.2, 0.2)})
    links.add_page("b", 0.4, {"c": (0.6, 0.7), "d": (0.0, 0.3)})
    return links


def numbers(links: LinkMap, urls: str) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array([links.graph.number(url) for url in urls], np.int32)


def row(links: LinkMap, url: str) -> dict[str, float]:
    (values,) = links.objectives(numbers(links, url)).tolist()
    return dict(zip(OBJECTIVES, values, strict=True))


def test_four_objectives_by_hand_as_promised_until_the_target_is_fetched() -> None:
    links = mapped()
    rank_a = 0.15
    rank_b = 0.15 + 0.85 * rank_a / 2 * (1 + 0.1 * 0.5)
    from_a, from_b = rank_a / 2 * (1 + 0.1 * 0.2), rank_b / 2 * (1 + 0.1 * 0.6)
    expected = {
        "a": {"anchor": 0.0, "page": 0.0, "target": 0.8, "rank": rank_a},
        "b": {"anchor": 0.5, "page": 0.8, "target": 0.4, "rank": rank_b},
        "c": {"anchor": 0.4, "page": 0.6, "target": 0.7, "rank": 0.15 + 0.85 * (from_a + from_b)},
        "d": {"anchor": 0.0, "page": 0.4, "target": 0.3, "rank": 0.15 + 0.85 * rank_b / 2},
    }
    for url, values in expected.items():
        assert row(links, url) == pytest.approx(values, abs=1e-9), url
    (c,) = numbers(links, "c").tolist()
    assert links.relevance(c) is None
    links.add_page("c", 0.1, {})
    assert links.relevance(c) == 0.1
    assert links.relevances(numbers(links, "abcd")).tolist() == [0.8, 0.4, 0.1, 0.3]


def test_what_waits_and_a_redirect_leads_to_the_page() -> None:
    links = mapped()
    c = links.graph.number("c")
    assert links.urls(links.waiting().tolist()) == ["c", "d"]
    assert links.urls(links.pages()) == ["a", "b"]
    links.close(c)
    assert links.urls(links.waiting().tolist()) == ["d"]
    assert links.are_waiting(numbers(links, "abcd")).tolist() == [False, False, False, True]
    assert [links.is_waiting(n) for n in numbers(links, "abcd").tolist()] == [False] * 3 + [True]
    links.add_page("c", 0.5, {"d": (0.1, 0.1)})  # it was given up, and comes all the same
    assert not links.is_gone(c)
    assert links.urls(links.waiting().tolist()) == ["d"]
    links = mapped()
    links.lead("c", "e")
    links.add_page("e", 0.9, {})
    assert links.urls(links.ends(numbers(links, "bcd")).tolist()) == ["b", "e", "d"]
    assert links.is_gone(links.graph.number("c"))
    assert row(links, "e")["rank"] == pytest.approx(row(mapped(), "c")["rank"])
    moving = mapped()  # what spoke for a URL speaks for where it moved
    before = row(moving, "c")
    assert moving.urls(moving.moved("c", "e")) == ["c", "e"]
    assert row(moving, "e") == pytest.approx(before)
    assert moving.urls(moving.waiting().tolist()) == ["d", "e"]


def test_a_page_costs_no_more_on_a_larger_map_and_its_state_goes_on() -> None:
    links, fresh = mapped(), LinkMap()
    links.moved("d", "e")
    links.close(links.graph.number("c"))
    fresh.restore(links.state())
    for each in (links, fresh):
        each.add_page("e", 0.3, {"f": (0.2, 0.4), "a": (0.1, 0.1)})
    everything = numbers(links, "abcdef")
    assert fresh.objectives(everything).tolist() == links.objectives(everything).tolist()
    assert fresh.waiting().tolist() == links.waiting().tolist()
    assert fresh.ends(everything).tolist() == links.ends(everything).tolist()
    # How often one more page of ten links makes a page pass rank on.
    pushes = []
    for known in (200, 2_000):
        links = LinkMap()
        for page in range(known):
            links.add_page(
                f"p{page}", 0.5, {f"p{page * 7 % known}": (0.5, 0.5), f"n{page}": (0, 0)}
            )
        before = links.rank.pushes
        links.add_page("last", 0.5, {f"p{n}": (0.5, 0.5) for n in range(10)})
        pushes.append(links.rank.pushes - before)
    assert pushes[1] <= pushes[0] + 50


STORM = visit("a storm")
"""Its only concept is the one keyword: both page and an anchor of that word are fully relevant."""


def scorer_with_map(eta: float = 0.0) -> LinkMapScorer:
    scorer = strategy("moaco", eta=eta).scorer
    assert isinstance(scorer, LinkMapScorer)
    return scorer


def test_anchor_and_page_are_weighed_4_to_1_and_examples_do_for_keywords() -> None:
    both, page_only = scores(strategy("moaco"), STORM, link("storm"), link("cake"))
    assert both.value == pytest.approx(1.0) and page_only.value == pytest.approx(0.2)
    assert parts(both) == {"full": (1.0, pytest.approx(0.2)), "anchor": (1.0, 0.8)}
    (anchor_only,) = scores(strategy("moaco"), visit("cake"), link("storm"))
    assert anchor_only.value == pytest.approx(0.8)
    given = replace(strategy_context(), weights=LinkWeights({"anchor": 0.3, "title": 0.7}))
    (found,) = scores(strategy("moaco", given), visit("cake", title="storm"), link("cake"))
    assert found.value == pytest.approx(0.7)
    examples = strategy_context([], ["typhoon typhoon typhoon landfall", "typhoon"])
    first, second, third = scores(
        strategy("moaco", examples), visit("cake"), link("typhoons"), link("landfall"), link("cake")
    )
    assert first.value > 0.0 and second.value > 0.0 and third.value == 0.0


def test_priority_and_objectives_are_means_over_all_pages_that_hold_the_link(plant: Plant) -> None:
    """0.8 x 1 + 0.2 x 1 on the one seed, 0.8 x 0 + 0.2 x 0 on the other."""
    field = plant(
        archived("/", ("/x", "storm"), text="storm"),
        archived("/other", ("/x", "tea"), text="cake"),
        archived("/x", text="flood"),
    )
    outcome = field.crawl("moaco", seeds=("/", "/other"))
    assert outcome.paths == ["/", "/other", "/x"]
    assert outcome.events("page")[2]["priority"] == pytest.approx(0.5, abs=1e-5)
    # Eq. 10 to 12: relevance 1 on one page and 0 on the other, whatever eta is.
    for eta in (0.0, 0.1):
        scorer = scorer_with_map(eta)
        scorer.score(visit("storm", url=f"{URL}a"), [link("storm", path="x")])
        scorer.score(visit("cake", url=f"{URL}b"), [link("cake", path="x")])
        number = np.array([scorer.map.graph.number(f"{URL}x")], np.int32)
        assert scorer.map.objectives(number)[0, :3].tolist() == pytest.approx([0.5, 0.5, 1.0])
    scorer = scorer_with_map(0.1)
    scorer.score(visit("cake", url=f"{URL}a"), [link("cake", path="x"), link("storm", path="y")])
    assert scorer.map.urls(scorer.map.waiting().tolist()) == [f"{URL}y"]
    scorer.score(visit("storm", url=f"{URL}b"), [link("storm", path="x")])
    assert sorted(scorer.map.urls(scorer.map.waiting().tolist())) == [f"{URL}x", f"{URL}y"]
    ahead = strategy("moaco", eta=0.5, lookahead=True)  # nothing, before the target is known
    (found,) = ahead.scorer.score(visit("cake"), [link("cake")])
    assert isinstance(found, model.Score)


def test_link_at_eta_is_refused_and_one_above_is_not() -> None:
    for name in ["moaco", "annealing", "best-first-ontology"]:
        answer = strategy(name).scorer.score(STORM, [link("storm")])[0]
        assert isinstance(answer, model.Score)
        at, below = answer.value, answer.value - 1e-9
        if at >= 1.0:
            at, below = 0.2, 0.2 - 1e-9  # that of the other link
        anchors = [link("storm"), link("cake")]
        refused = strategy(name, eta=at).scorer.score(STORM, anchors)
        kept = strategy(name, eta=below).scorer.score(STORM, anchors)
        assert model.Rejection(BELOW_ETA) in refused
        assert sum(isinstance(each, model.Score) for each in kept) > sum(
            isinstance(each, model.Score) for each in refused
        )


def test_what_scoring_puts_on_the_map() -> None:
    scorer = scorer_with_map()
    links = [link("cake", "tea"), link("storm", "tea"), link("cake", "a storm")]
    scorer.score(visit("cake", url=f"{URL}page"), links)
    assert scorer.map.objectives(scorer.map.waiting())[0, :3].tolist() == pytest.approx([1, 0, 1])
    scorer = scorer_with_map()
    links = [link("storm", path="gone"), link("storm", path="old")]
    scorer.score(visit("storm", url=f"{URL}page"), links)
    gone = model.Page(f"{URL}gone", 404, model.Document())
    new = model.Page(
        f"{URL}new", 200, model.Document(text="storm"), redirects=(f"{URL}old", f"{URL}hop")
    )
    for asked, page in ((gone.url, gone), (f"{URL}old", new)):
        found = scorer.score(
            model.FetchedPage(model.Candidate(asked, model.Score(1.0), 1), page), []
        )
        assert list(found) == []
    ends = scorer.map.ends(scorer.map.graph.links(0).targets)
    assert scorer.map.urls(ends.tolist()) == [gone.url, new.url]
    assert scorer.map.waiting().tolist() == []


# Crawlers that compare by meaning: what they see that the cosine does not, and their settings.

WORDNET = ["ssrm", "ssvsm", "svsm", "soft-svsm", "sdvsm", "soft-sdvsm"]
VEHICLES = "truck bus taxi van jeep ambulance limousine minivan sedan coupe"
CARS = (["jaguar", "car"], [f"jaguar jaguar car engine {VEHICLES}", "jaguar roadster jaguar"])
"""WordNet knows the jaguar as an animal alone."""
JUNGLE = ["jaguar cub", "jaguar prey", "jaguar claw forest", "jaguar forest", "jaguar car"]


def anchor(name: str, text: str, given: StrategyContext | None = None, **settings: Value) -> float:
    """Similarity of an anchor on an empty page."""
    (score,) = scores(strategy(name, given, **settings), visit(""), link(text))
    return score.part("anchor", -1.0)


def test_synonyms_relatives_and_strangers_in_texts_that_weigh_alike() -> None:
    """A tempest is a storm, a blizzard a kind of storm, and cake is none."""
    for name in ["ssrm", "ssvsm", "svsm", "soft-svsm", "sdvsm"]:
        assert anchor(name, "tempest") == pytest.approx(anchor(name, "storm")) == pytest.approx(1.0)
    assert anchor("vsm", "tempest") == 0.0
    for name in ["ssrm", "soft-svsm"]:
        assert 0.0 <= anchor(name, "cake") < anchor(name, "blizzard") < 1.0
    assert anchor("ssrm", "cake") < 0.3
    for name in ["ssvsm", "svsm", "sdvsm"]:  # their known flaw, on one word and one topic term
        assert anchor(name, "cake") == pytest.approx(1.0)
    for name in WORDNET:  # which does not have these words
        topic = strategy_context(["zzyzx"])
        assert anchor(name, "zzyzx", topic) == pytest.approx(1.0)
        assert anchor(name, "qwxyq", topic) == anchor(name, "storm", topic) == 0.0
    for names, texts in [
        (["ssrm", "ssvsm", "sdvsm"], ("full", "anchor")),
        (["svsm"], ("full", "anchor", "title", "context")),
        (["soft-svsm", "soft-sdvsm"], ("full", "anchor", "context")),
    ]:
        expected = {text: (float(text != "context"), 1 / len(texts)) for text in texts}
        for name in names:
            (score,) = scores(strategy(name), visit("storm", "storm"), link("storm", "zzyzx"))
            assert parts(score) == {text: pytest.approx(pair) for text, pair in expected.items()}


def in_the_jungle(name: str, text: str) -> tuple[float, float]:
    """Full text and a link "jaguar" on a page, to a topic of cars that has met the animal."""
    examples = ["jaguar car engine", "jaguar roadster"]
    made = strategy(name, strategy_context(["jaguar", "car"], examples))
    for each in JUNGLE:
        made.scorer.observe(visit(each))
    (score,) = scores(made, visit(text), link("jaguar"))
    return score.part("full", -1.0), score.part("anchor", -1.0)


def test_a_page_without_cars_is_about_no_jaguar() -> None:
    """SDVSM leaves it out of links too; ours reads the link as it stands."""
    forest, garage = "jaguar forest", "jaguar car engine roadster"
    assert in_the_jungle("ssvsm", forest)[1] > 0.5
    assert in_the_jungle("sdvsm", forest)[1] == 0.0
    assert in_the_jungle("sdvsm", garage)[1] > 0.5
    without, _ = in_the_jungle("soft-svsm", forest)
    (there, link_there), (here, link_here) = (
        in_the_jungle("soft-sdvsm", text) for text in (forest, garage)
    )
    assert there == 0.0 < without < 0.9 < here
    assert link_there == link_here > 0.3
    topic = strategy_context(*CARS)
    for name, misled in (("soft-svsm", True), ("soft-sdvsm", False)):
        assert anchor(name, "convertible", topic) > 0.0
        # Where the other words are not asked, the animal leads to lions.
        assert (anchor(name, "lions and tigers", topic) > 0.0) is misled, name


def test_floor_topic_and_terms_are_parameters_and_other_languages_compare_words() -> None:
    """Storm and cake are 0.08 similar: both are something."""
    assert anchor("ssrm", "cake") > 0.0
    assert anchor("ssrm", "cake", floor=0.5) == 0.0
    assert anchor("ssrm", "tempest", floor=0.5) == pytest.approx(1.0)
    pages = strategy_context((), ["storm", "cake"])
    assert anchor("ssrm", "cake", pages, topic="pages") == pytest.approx(1.0)  # the nearest page
    assert anchor("ssrm", "cake", pages) < 0.7
    topic = strategy_context((), ["zzyzx zzyzx qwxyq"])
    for name in WORDNET:
        assert anchor(name, "qwxyq", topic) > 0.0
        assert anchor(name, "qwxyq", topic, terms=1) == 0.0  # the heavier one alone is left
    profile = model.TopicProfile("t", ("tempête",), ())
    french = StrategyContext(profile, Analyzer("fr"), random.Random(0))
    for name in WORDNET:
        assert anchor(name, "tempête", french) == pytest.approx(1.0)
        assert anchor(name, "tempest", french) == anchor(name, "", french) == 0.0
    for key, name in (("measure", "ssrm"), ("lso", "soft-svsm")):
        with pytest.raises(UnknownNameError, match="lim"):
            strategy(name, french, **{key: "lim"})
