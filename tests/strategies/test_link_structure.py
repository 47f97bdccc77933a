"""Evidence from the structure of links: host records, relevance of the source, inlinks."""

from __future__ import annotations

import pytest

from scenthound.core.model import Link
from scenthound.strategies import link_structure
from scenthound.strategies.link_structure import LinkStructure, host_record
from scenthound.strategies.model_scorer import TextModel
from scenthound.strategies.text_models import TEXT_MODELS
from scenthound.strategies.weighted import WeightedTexts
from strategies.scoring import ingredients, link, visit

A, B = "http://a.test/1", "http://b.test/1"


def model() -> TextModel:
    return TEXT_MODELS["vsm"].model(ingredients(["storm"], ["storm rain", "storm sea"]), {})


def test_a_host_without_pages_is_worth_the_mean_and_one_with_many_its_own() -> None:
    assert host_record(0, 0.0, 0.3) == pytest.approx(0.3)
    assert host_record(5, 4.0, 0.2) == pytest.approx(0.5)  # (4 + 5 x 0.2) / 10
    assert host_record(995, 995.0, 0.0) == pytest.approx(0.995)


def test_records_by_hand() -> None:
    structure = LinkStructure()
    assert structure.of_hosts([Link(A)]) == [0.0]
    structure.observe(A, 0.8)
    structure.observe(B, 0.2)  # mean 0.5
    found = structure.of_hosts([Link(A), Link(B), Link("http://c.test/")])
    assert found == pytest.approx([(0.8 + 2.5) / 6, (0.2 + 2.5) / 6, 0.5])


def test_records_come_back() -> None:
    first, second = LinkStructure(), LinkStructure()
    for url, relevance in ((A, 0.8), (B, 0.2), (A, 0.4)):
        first.observe(url, relevance)
    second.restore(first.state())
    links = [Link(A), Link(B), Link("http://c.test/")]
    assert second.of_hosts(links) == first.of_hosts(links)
    assert second.state() == first.state()


def test_the_hosts_that_gave_nothing_for_longest_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(link_structure, "HOSTS_KEPT", 2)
    structure = LinkStructure()
    for url in (A, B, A, "http://c.test/"):  # B is the oldest
        structure.observe(url, 1.0)
    assert structure.state()["hosts"] == ["a.test", "c.test"]


def test_structure_is_weighed_beside_the_texts() -> None:
    weights = {"anchor": 0.5, "host": 0.1, "source": 0.2, "inlinks": 0.4}
    scorer = WeightedTexts(model(), weights, relevance=lambda document: 0.6)
    where = visit("rain")
    scorer.observe(where)
    (score,) = scorer.score(where, [link("storm")])
    values = {part.name: part.value for part in score.parts}
    assert list(values) == ["anchor", "host", "source", "inlinks"]
    assert values["source"] == values["host"] == pytest.approx(0.6)
    assert values["inlinks"] == 0.5
    expected = 0.5 * values["anchor"] + 0.1 * 0.6 + 0.2 * 0.6 + 0.4 * 0.5
    assert score.value == pytest.approx(expected)


def test_what_has_no_weight_is_no_part_and_nobody_is_judged_for_it() -> None:
    def judged(document: object) -> float:
        raise AssertionError("nobody asked")

    scorer = WeightedTexts(model(), {"anchor": 1.0}, relevance=judged)
    scorer.observe(visit("rain"))
    (score,) = scorer.score(visit("rain"), [link("storm")])
    assert [part.name for part in score.parts] == ["anchor"]


def test_state_with_structure_comes_back() -> None:
    made = [WeightedTexts(model(), {"anchor": 0.5, "host": 0.5}, lambda d: 0.6) for _ in range(2)]
    made[0].observe(visit("storm"))
    made[1].restore(made[0].state())
    answers = [each.score(visit("rain"), [link("storm sea")]) for each in made]
    assert answers[0] == answers[1]
    assert answers[0][0].part("host", -1.0) == pytest.approx(0.6)
