"""The seven steps together: what comes out, and what becomes of poor input."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from papers.ontology_building import STORMS
from scenthound.core.errors import OntologyError, SettingsError
from scenthound.papers.olmoaco import learner as learner_module
from scenthound.papers.olmoaco.learner import Learner, LearningPlan, LearningResult
from scenthound.papers.olmoaco.nouns import noun_counts
from scenthound.papers.olmoaco.skeleton import Draft, Proposal
from scenthound.papers.olmoaco.sources import Source
from scenthound.papers.olmoaco.word_topics import MIN_TOPICS, Pair, no_pairs_reason, pair_proposals
from scenthound.papers.ontologies.checks import find_problems
from scenthound.papers.ontologies.files import SUFFIXES, ontology_bytes
from scenthound.papers.ontologies.model import Kind
from scenthound.text.analyzer import Analyzer

TEXTS = (
    "The storm brought wind and rain to the coast. The wind tore roofs away, the rain fell.",
    "The hurricane was a storm with wind and waves. The waves broke on the coast, the wind blew.",
    "A flood followed the rain. The flood of the river came after the storm and the rain.",
    "The storm raised waves at the coast. The waves of the storm hit the harbour and the coast.",
)


def pages(texts: tuple[str, ...] = TEXTS) -> list[Source]:
    return [Source(f"page {n}", "", text, (), text) for n, text in enumerate(texts)]


def learn(**given: object) -> LearningResult:
    arguments: dict[str, object] = {
        "name": "severe-weather", "keywords": ["storm", "natural disaster"], "papers": [],
        "pages": pages(), "analyzer": Analyzer("en"), "plan": LearningPlan(topics=2),
    }  # fmt: skip
    return Learner(**(arguments | given)).learn()  # type: ignore[arg-type]


def test_all_steps_together() -> None:
    learned = learn(plan=LearningPlan(topics=2, support=0.5))
    ontology = learned.ontology
    assert (ontology.name, ontology.topic) == ("severe-weather", "severe weather")
    assert [r.parent for r in ontology.parents["storm"]][:1] == ["severe weather"]
    assert {"natural disaster", "coast", "rain", "wind", "wave"} <= set(ontology.labels)
    assert ontology["storm"].origin == "keyword of the topic"
    assert learned.origins["keywords"] == 2 and learned.origins["WordNet"] > 3
    assert sum(learned.origins.values()) == len(ontology)
    assert not any(each.is_serious for each in find_problems(ontology))
    assert learned.complete and learned.topics
    assert learned.context.attributes and len(learned.lattice.concepts) > 2


def test_the_same_in_another_process() -> None:
    """What is learned, and the files that ontologies are written to."""
    code = (
        "import sys; from papers.test_learner import learn_and_write;"
        "sys.stdout.buffer.write(learn_and_write())"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True,
        env={**os.environ, "PYTHONHASHSEED": "1"}, cwd=Path(__file__).parent.parent,
    ).stdout  # fmt: skip
    assert found == learn_and_write()


def learn_and_write() -> bytes:
    learned = learn(pages=pages(TEXTS[:2])).ontology
    files = (ontology_bytes(each, suffix) for each in (STORMS, learned) for suffix in SUFFIXES)
    return b"".join([f"{learned}\n".encode(), *files])


def test_topics_and_concepts_follow_the_plan() -> None:
    found = [learn(plan=LearningPlan(topics=3, seed=seed)).topics for seed in (0, 1, 1)]
    assert found[0] != found[1] == found[2]
    assert len(learn().topics) < len(found[0])
    assert len(learn(plan=LearningPlan(concepts=5, topics=2)).ontology) == 5
    assert learn(plan=LearningPlan(concepts=1, topics=2)).ontology.labels == ("severe weather",)


def test_little_or_other_input_is_reported() -> None:
    learned = learn(pages=pages(TEXTS[:1]))
    assert {"wind", "rain"} <= set(learned.ontology.labels)
    assert "one text gives no order" in learned.notes[0]
    assert learned.topics and not learned.pairs  # in one topic everything goes together
    assert any(f"fewer than {MIN_TOPICS} topics" in note for note in learned.notes)
    # keywords alone
    learned = learn(pages=[])
    assert {"storm", "natural disaster"} <= set(learned.ontology.labels)
    assert any("no term was found" in note for note in learned.notes)
    for texts in [(), ("",), ("the of and", "12 34")]:
        with pytest.raises(OntologyError, match="nothing to learn from"):
            learn(keywords=["  "], pages=pages(texts))
    # other languages go without WordNet
    texts = ("Der Sturm und die Wellen. Die Welle brach.", "Stürme und Wellen. Der Sturm kam.")
    learned = learn(keywords=["Sturm"], pages=pages(texts), analyzer=Analyzer("de"))
    assert "WordNet" not in learned.origins and "wellen" in learned.ontology
    assert any("WordNet is English" in note for note in learned.notes)


def test_a_review_decides_and_keeps_what_was_accepted_when_it_ends() -> None:
    asked: list[Proposal] = []

    def only_keywords(proposal: Proposal) -> bool:
        asked.append(proposal)
        return proposal.origin == "keyword of the topic"

    learned = learn(review=only_keywords)
    assert set(learned.ontology.labels) == {"severe weather", "storm", "natural disaster"}
    assert {"wind", "rain"} <= {proposal.label for proposal in asked}
    learned = learn(review=after(3, learner_module.ReviewEnded))
    assert len(learned.ontology) == 4 and not learned.complete
    assert learned.notes == ("the review was ended; what was accepted until then is kept.",)
    learner = Learner(
        "storms", ["storm"], [], pages(), Analyzer("en"), review=after(2, KeyboardInterrupt)
    )
    with pytest.raises(KeyboardInterrupt):
        learner.learn()
    assert len(learner.so_far().ontology) == 3 and not learner.so_far().complete


def after(number: int, error: type[BaseException]) -> Callable[[Proposal], bool]:
    left = iter(range(number))

    def review(proposal: Proposal) -> bool:
        del proposal
        if next(left, None) is None:
            raise error
        return True

    return review


def test_progress_goes_through_all_steps() -> None:
    reported: list[tuple[str, int, int]] = []
    learn(progress=lambda *step: reported.append(step))
    assert list(dict.fromkeys(step for step, _, _ in reported)) == list(learner_module.STEPS)
    assert all(0 <= done <= total for _, done, total in reported)
    last = {step: (done, total) for step, done, total in reported}
    assert all(done == total for done, total in last.values())
    assert last[learner_module.SKELETON][1] > 2 and last[learner_module.PAIRS] == (1, 1)


def test_pairs_extend_a_draft_or_say_why_there_are_none() -> None:
    draft = Draft("d", "storm")
    draft.offer(Proposal("wind", "storm", Kind.IS_A, ""))
    pairs = [Pair("bread", "flour", 1, 1), Pair("roof", "tile", 1, 1), Pair("roof", "wind", 1, 1)]
    for found in pair_proposals(draft, [*pairs, Pair("wind", "storm", 0.5, 0.75)]):
        draft.offer(found)
    ontology = draft.ontology()
    # roof was unknown when roof and tile came along; the next pass knows it
    assert [(r.child, r.parent, r.kind) for r in ontology.relations] == [
        ("wind", "storm", Kind.IS_A),
        ("roof", "wind", Kind.COORDINATE),
        ("tile", "roof", Kind.COORDINATE),
    ]
    assert "bread" not in ontology
    for topics, reported in [
        ((("a", "b"),) * 4, "no pairs of words (step 7); give more pages, or more --topics."),
        (
            (("a", "b"), ("a", "b"), *([("c",)] * 3)),
            "0.9 (at most in 40%); lower --support or --confidence.",
        ),
    ]:
        assert no_pairs_reason(topics, 0.6, 0.9).endswith(reported)


def test_nouns_and_the_concept_of_the_topic() -> None:
    """Nouns are counted without the words of phrases."""
    text = "The black pepper and the pepper of a kitchen."
    (found,) = noun_counts(pages((text,)), Analyzer("en"))
    assert found == {"black pepper": 1, "pepper": 1, "kitchen": 1}
    # a topic and a keyword that read alike are one
    for name, keywords, label in [
        ("storms", ["wind", "Storm"], "storm"),
        ("storm-surges", ["storm", "storm_surge"], "storm surge"),
        ("storms", ["storms", "storm"], "storms"),
        ("storms", ["storm surge"], "storms"),
        ("?", ["!", "storm"], "?"),
        ("storms", [], "storms"),
        ("Severe-weather", [], "severe weather"),
        ("A_B c", [], "a b c"),
        ("--", [], "topic"),
    ]:
        assert learner_module.topic_concept(name, keywords, Analyzer("en").rules) == label


def test_a_plan_that_cannot_be() -> None:
    for name, value in (
        ("terms", 0), ("concepts", 10**6), ("topics", -1), ("topics", 201), ("seed", 1.5),
        ("concepts", True), ("gamma", 1.1),
    ):  # fmt: skip
        with pytest.raises(SettingsError, match=f"^{name} (takes|lies within|is) "):
            LearningPlan(**{name: value})  # type: ignore[arg-type]
