"""Judges by name, and replays that are judged by an ontology."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crawler.warning_recording import recorded_warnings
from crawler.web_building import Field, Plant, at, page
from scenthound.core.errors import FolderError, OntologyError, SettingsError
from scenthound.core.model import Document, Topic, TopicProfile
from scenthound.crawler import judges
from scenthound.crawler.judges import (
    build_judge,
    judge_concepts,
    load_or_learn_concepts,
    stored_concepts,
)
from scenthound.crawler.metrics import Result
from scenthound.crawler.replay import run_job
from scenthound.crawler.replay_plan import ReplayPlan
from scenthound.papers.concept_model import OntologyJudge
from scenthound.papers.olmoaco import topic_ontology
from scenthound.papers.ontologies.model import Concept, Ontology
from scenthound.similarity.judge import SimilarityJudge
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.text.analyzer import Analyzer

TOPIC = Topic("storms", ("storm",), (at("/"),), examples=("A storm.", "A typhoon and a flood."))


@pytest.fixture
def ontology(tmp_path: Path) -> Path:
    path = tmp_path / "storms.txt"
    path.write_text("# topic: storm\nstorm\n  typhoon\n  flood (induced-by)\n")
    return path


@pytest.fixture
def topic(ontology: Path) -> Topic:
    return replace(TOPIC, ontology=str(ontology))


@pytest.fixture
def web(plant: Plant) -> Field:
    return plant(
        page("/", "/storm", "/cake", title="storm typhoon flood"),
        page("/storm", text="A storm."),
        page("/cake", text="Cake and tea."),
    )


def profile_of(topic: Topic) -> TopicProfile:
    examples = tuple(Document(text=text) for text in topic.examples)
    return TopicProfile(topic.name, topic.keywords, examples, ontology=topic.ontology)


def crawled(web: Field, topic: Topic, **plan: Any) -> Result:
    given = ReplayPlan([(CATALOGUE["breadth-first"], {})], **plan)
    with recorded_warnings():
        (job,) = given.jobs(web.archive, [topic])
        return run_job(web.archive, job)


def test_each_name_has_its_judge(topic: Topic, warned: list[str]) -> None:
    by_pages = build_judge("similarity", profile_of(topic), Analyzer(), 0.3)
    by_concepts = build_judge("ontology", profile_of(topic), Analyzer(), 0.3)
    assert isinstance(by_pages, SimilarityJudge) and isinstance(by_concepts, OntologyJudge)
    assert by_pages.threshold == by_concepts.calibration.value == 0.3 < by_concepts.threshold
    assert warned == []


@pytest.fixture
def learned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the topics that an ontology of storm and hail was learned for."""
    names: list[str] = []

    def learn(profile: TopicProfile, *_: object) -> Ontology:
        names.append(profile.name)
        return Ontology(profile.name, (Concept("storm"), Concept("hail")), topic="storm")

    monkeypatch.setattr(judges, "learn_topic_ontology", learn)
    return names


def test_a_topic_without_an_ontology_has_one_learned_once_for_all_strategies(
    web: Field, learned: list[str], warned: list[str]
) -> None:
    concepts = judge_concepts("ontology", profile_of(TOPIC), Analyzer())
    assert concepts is not None and concepts["storm"] == 1.0 > concepts["hail"]
    assert len(warned) == 1
    assert "the judge learns one from its keywords and example pages (2); name" in warned[0]
    learned.clear()
    plan = ReplayPlan([(CATALOGUE[n], {}) for n in ("breadth-first", "random")], judge="ontology")
    jobs = plan.jobs(web.archive, [TOPIC])
    assert [job.plan.judge for job in jobs] == ["ontology", "ontology"] and learned == ["storms"]


def test_a_library_that_is_missing_for_learning_is_an_error_at_once(
    monkeypatch: pytest.MonkeyPatch, topic: Topic
) -> None:
    def missing() -> None:
        raise SettingsError("install it.")

    for module in (judges, topic_ontology):
        monkeypatch.setattr(module, "require_learning", missing)
    with pytest.raises(SettingsError, match="install it"):
        topic_ontology.check_topic_ontology(TOPIC)
    with pytest.raises(SettingsError, match="install it"):
        judge_concepts("ontology", profile_of(TOPIC), Analyzer())
    topic_ontology.check_topic_ontology(topic)


def test_an_ontology_that_cannot_be_used_is_refused_before_the_crawl(
    web: Field, topic: Topic, ontology: Path
) -> None:
    ontology.write_text("# ontology: nothing\n")
    with pytest.raises(OntologyError):
        topic_ontology.check_topic_ontology(topic)
    with pytest.raises(OntologyError):
        crawled(web, topic, judge="ontology")
    assert crawled(web, topic).judge == "similarity"


def test_a_replay_is_judged_by_the_concepts(web: Field, topic: Topic) -> None:
    """R of a page that names all three concepts is the cosine of (1, 1, 1) with their weights."""
    by_concepts = crawled(web, topic, judge="ontology", threshold=0.5)
    by_pages = crawled(web, topic, threshold=0.5)
    assert (by_concepts.final.rn, by_concepts.judge) == (2, "ontology")
    assert by_concepts.final.ar != by_pages.final.ar
    reported = by_concepts.to_json()
    assert (reported["judge"], reported["threshold"]) == (
        "ontology",
        {"value": 0.5, "origin": "given"},
    )
    assert by_pages.to_json()["judge"] == "similarity"


def test_the_folder_of_a_replay_keeps_what_it_was_judged_by(
    web: Field, topic: Topic, tmp_path: Path
) -> None:
    crawled(web, topic, judge="ontology", out=tmp_path / "o")
    folder = tmp_path / "o" / "storms" / "breadth-first"
    assert json.loads((folder / "crawl.json").read_text())["settings"]["judge"] == "ontology"
    assert json.loads((folder / "results.json").read_text())["judge"] == "ontology"
    expected = judge_concepts("ontology", profile_of(topic), Analyzer())
    assert stored_concepts(folder, "ontology") == expected
    assert stored_concepts(folder, "similarity") is None
    (folder / "concepts.json").unlink()
    with pytest.raises(FolderError, match="is gone"):
        stored_concepts(folder, "ontology")


def test_a_resumed_crawl_keeps_its_concepts(
    topic: Topic, ontology: Path, tmp_path: Path, learned: list[str]
) -> None:
    known = profile_of(topic)
    first = load_or_learn_concepts(tmp_path, "ontology", known, Analyzer())
    ontology.unlink()
    assert load_or_learn_concepts(tmp_path, "ontology", known, Analyzer()) == first
    assert load_or_learn_concepts(tmp_path / "none", "similarity", known, Analyzer()) is None
    assert learned == []
