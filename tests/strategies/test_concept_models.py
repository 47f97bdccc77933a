"""Text models over an ontology: where it comes from, what is said of a poor one, what is saved."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from scenthound.core.errors import OntologyError, SettingsError
from scenthound.core.model import Document, Topic, TopicProfile
from scenthound.papers.concept_model import ConceptModel
from scenthound.papers.olmoaco.objectives import PriorityScorer
from scenthound.papers.olmoaco.ontology import Concept, Kind, Ontology, Relation
from scenthound.papers.olmoaco.topic_ontology import (
    OntologyModel,
    check_topic_ontology,
    read_topic_ontology,
    topic_ontology,
    topic_weights,
    with_topic_concept,
)
from scenthound.similarity.encoders import ModelRuntime
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.spec import StrategyContext
from scenthound.strategies.text_models import five_factors
from scenthound.text.analyzer import Analyzer

STORMS = "# topic: storm\nstorm\n  typhoon\n  flood (induced-by)\n"
PAGES = (
    "The typhoon is a storm. The typhoon brings heavy rain and a storm surge to the coast.",
    "A storm surge follows the typhoon. The storm surge floods the coast after heavy rain.",
    "Heavy rain and the flood: the typhoon moved along the coast, and the storm surge came.",
)


def briefing(
    keywords: Sequence[str] = ("typhoon",),
    examples: Sequence[str] = (),
    ontology: Path | None = None,
    language: str = "en",
) -> TopicProfile:
    documents = tuple(Document(text=text) for text in examples)
    path = None if ontology is None else str(ontology)
    return TopicProfile("t", tuple(keywords), documents, language, path)


def scorer(
    given: TopicProfile, warned: list[str], name: str = "best-first-ontology", **parameters: int
) -> PriorityScorer:
    equipment = ModelRuntime(warn=warned.append)
    strategy_context = StrategyContext(
        given, Analyzer(given.language), random.Random(0), equipment=equipment
    )
    made = CATALOGUE[name].build(strategy_context, parameters).scorer
    assert isinstance(made, PriorityScorer)
    return made


@pytest.fixture
def storms(tmp_path: Path) -> Path:
    path = tmp_path / "storms.txt"
    path.write_text(STORMS)
    return path


def test_ontology_that_the_topic_names_is_taken(storms: Path) -> None:
    found = topic_ontology(briefing(ontology=storms), Analyzer(), print)
    assert found.labels == ("storm", "typhoon", "flood") and found.topic == "storm"
    assert read_topic_ontology(briefing(), print) is None


def test_weights_are_similarities_to_the_topic(storms: Path) -> None:
    found = topic_weights(topic_ontology(briefing(ontology=storms), Analyzer(), print))
    assert set(found) == {"storm", "typhoon", "flood"}
    assert found["storm"] == 1.0 and 0.0 < found["flood"] < 1.0
    with pytest.raises(OntologyError, match="does not say what it is about"):
        topic_weights(Ontology("o", (Concept("a"),), ()))


def test_topic_concept_is_the_one_that_the_words_of_the_topic_name() -> None:
    concepts = tuple(map(Concept, ("weather", "typhoon", "rain", "tea")))
    relations = (Relation("typhoon", "weather", Kind.IS_A), Relation("rain", "weather", Kind.IS_A))
    plain = Ontology("o", concepts, relations)
    assert with_topic_concept(plain, briefing()).topic == "typhoon"
    assert with_topic_concept(plain, replace(briefing(), name="rain")).topic == "rain"
    assert with_topic_concept(plain, briefing(["cake"])).topic == "weather"  # the most is below it
    said = Ontology("o", concepts, relations, "tea")
    assert with_topic_concept(said, briefing()).topic == "tea"


def test_nothing_is_learnt_before_it_is_needed() -> None:
    warned: list[str] = []
    made = scorer(briefing(examples=PAGES), warned, concepts=10)
    assert made.state() == {}
    made.prepare()
    assert made.state()["labels"] and warned == []


@pytest.mark.parametrize("examples", [(), PAGES[:1]])
def test_topic_with_one_example_page_or_none_is_told_to_be_poor(examples: tuple[str, ...]) -> None:
    warned: list[str] = []
    scorer(briefing(examples=examples), warned).prepare()
    (told,) = warned
    few = "one" if examples else "no"
    assert f"learned from {few} example page " in told and "your own file" in told


@pytest.mark.parametrize(
    ("language", "keywords", "text"),
    [
        ("de", ["Überschwemmung"], "Die Überschwemmung kam mit dem Sturm. Der Sturm war stark."),
        ("zh", ["台风"], "台风带来暴雨。台风登陆。暴雨成灾。"),
        ("ja", ["台風"], "台風が上陸した。台風の大雨。"),
    ],
)
def test_topics_in_other_languages(language: str, keywords: list[str], text: str) -> None:
    warned: list[str] = []
    given = briefing(keywords, [text, text], language=language)
    made = scorer(given, warned)
    made.prepare()
    about, other = Document(text=text), Document(text="Tee und Kuchen")
    assert made.page_similarity(about) > 0.0 == made.page_similarity(other)


def test_examples_that_name_no_concept_are_told(storms: Path) -> None:
    warned: list[str] = []
    scorer(briefing(examples=["Cake and tea."], ontology=storms), warned).prepare()
    (told,) = warned
    assert "is named on the example page; is it about this topic?" in told
    warned.clear()
    scorer(briefing(examples=["A flood."], ontology=storms), warned).prepare()
    assert warned == []


def test_pages_that_name_no_concept_are_told_once(storms: Path) -> None:
    warned: list[str] = []
    ontology = topic_ontology(briefing(ontology=storms), Analyzer(), print)
    model = OntologyModel(
        ontology, lambda found: ConceptModel(topic_weights(found), Analyzer()), warned.append
    )
    for number in range(60):
        model.learn(Document(text=f"cake {number}"))
        assert len(warned) == (number >= 19)
    assert "none of the first 20 pages names a concept" in warned[0]


def test_crawl_that_goes_on_keeps_its_ontology_whatever_the_file_says_now(storms: Path) -> None:
    before = scorer(briefing(ontology=storms), [])
    before.prepare()
    page = Document(text="A typhoon and a flood.")
    told = before.page_similarity(page)
    state = before.state()
    storms.write_text("# topic: cake\ncake\n  tea\n")
    after = scorer(briefing(ontology=storms), [])
    assert after.page_similarity(page) == 0.0
    after.restore(state)
    assert after.page_similarity(page) == told > 0.0
    assert after.state()["relations"] == state["relations"]


def test_refusal_comes_before_anything_is_fetched(tmp_path: Path, storms: Path) -> None:
    check_topic_ontology(Topic("t", ("storm",), ontology=str(storms)))
    check_topic_ontology(Topic("t", ("storm",)))
    with pytest.raises(OntologyError, match=r"nowhere\.owl"):
        check_topic_ontology(Topic("t", ("storm",), ontology=str(tmp_path / "nowhere.owl")))


def test_five_factors() -> None:
    for text in ["0.2, 0.2, 0.2, 0.2, 0.2", "1 0 0 0 0"]:
        assert sum(five_factors(text)) == pytest.approx(1.0)


def test_factors_that_cannot_be() -> None:
    for text in ["", "1", "a b c d e", "1 1 1 1 1", "2 -1 0 0 0", "nan 0 0 0 1"]:
        with pytest.raises(SettingsError):
            five_factors(text)


def test_factors_change_the_weights(storms: Path) -> None:
    ontology = topic_ontology(briefing(ontology=storms), Analyzer(), print)
    distance, relation = (five_factors(text) for text in ("1 0 0 0 0", "0 0 0 0 1"))
    assert topic_weights(ontology, distance)["typhoon"] == pytest.approx(0.5)  # 1 / (1 + 1)
    assert topic_weights(ontology, relation)["typhoon"] == pytest.approx(1 / 3)  # is-a
    assert topic_weights(ontology, relation)["flood"] == pytest.approx(0.5)  # induced-by
