"""What several texts say, and what a draft makes of it."""

from __future__ import annotations

import pytest

from scenthound.ontology.model import Kind, Relation
from scenthound.ontology_learning import said_step
from scenthound.ontology_learning.learner import learn_ontology
from scenthound.ontology_learning.plan import LearningPlan
from scenthound.ontology_learning.proposals import Draft, Proposal
from scenthound.ontology_learning.said_step import Said, said_relations
from scenthound.ontology_learning.source import Source
from scenthound.text.analyzer import Analyzer

LABELS = ("storm", "rain", "flood", "eye")


def source(text: str, title: str = "") -> Source:
    return Source("s", title, text, (), text)


def found(*texts: str) -> list[Said]:
    return said_relations(map(source, texts), LABELS, Analyzer("en"))


def test_what_most_texts_say_comes_first() -> None:
    texts = (
        "An eye is part of a storm.",
        "A flood is due to rain.",
        "Rain causes floods.\nRain " * 2,
    )
    assert found(*texts) == [
        Said("flood", "rain", Kind.INDUCED_BY, "flood is due to rain", 2),
        Said("eye", "storm", Kind.PART_OF, "eye is part of a storm", 1),
    ]


def test_titles_are_read_and_so_are_abstracts_without_a_body() -> None:
    sources = [source("", "Floods caused by rain"), Source("s", "", "A storm consists of an eye.")]
    relations = said_relations(sources, LABELS, Analyzer("en"))
    assert [(said.child, said.parent) for said in relations] == [
        ("flood", "rain"), ("eye", "storm")
    ]  # fmt: skip


def test_nothing_to_read_says_nothing() -> None:
    assert found() == [] == found("", "A storm.")
    assert said_relations([source("Rain causes floods.")], (), Analyzer("en")) == []


def test_what_a_page_says_is_quoted_without_what_steers_a_terminal() -> None:
    (said,) = found("Floods\u202e are\tcaused \x1b by rain")
    assert said.words == "Floods are caused by rain"
    (said,) = found("Floods are caused by rain".replace("by", "by" + " " * 500))
    assert said.words == "Floods are caused by..." and said.words.isprintable()


def test_a_long_quotation_is_cut() -> None:
    long = "very" * 40
    (said,) = found(f"Floods are caused by {long} rain")
    assert said.words.endswith("veryvery...") and len(said.words) == 80


def test_a_page_cannot_claim_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(said_step, "MOST_SAID", 1)
    assert len(found("Rain causes floods. A storm consists of an eye.")) == 1


def test_origins_say_the_words() -> None:
    said = Said("flood", "rain", Kind.INDUCED_BY, "floods caused by rain")
    assert said.proposal.origin == 'texts: "floods caused by rain"'
    more = Said("flood", "rain", Kind.INDUCED_BY, "floods caused by rain", 3)
    assert more.proposal.origin == 'texts: "floods caused by rain", and 2 more'


def draft_of(*guesses: tuple[str, str], review: object = None) -> Draft:
    draft = Draft("d", "storm", review or (lambda _: True))  # type: ignore[arg-type]
    for label, parent in guesses:
        draft.offer(Proposal(label, parent, Kind.IS_A, "a guess", guess=True))
    return draft


CAUSED = Proposal("rain", "storm", Kind.INDUCED_BY, "texts: x")


def test_a_kind_that_was_guessed_gets_known() -> None:
    draft = draft_of(("rain", "storm"))
    assert draft.offer(CAUSED)
    ontology = draft.ontology()
    assert ontology.relations == (Relation("rain", "storm", Kind.INDUCED_BY),)
    assert ontology["rain"].origin == "a guess"
    assert not draft.offer(CAUSED)
    assert not draft.offer(Proposal("rain", "storm", Kind.PART_OF, "texts: y"))


def test_a_kind_that_is_known_stays() -> None:
    draft = draft_of(("rain", "storm"))
    assert not draft.offer(Proposal("rain", "storm", Kind.IS_A, "WordNet"))  # it says so too
    assert not draft.offer(CAUSED)
    assert draft.ontology().relations == (Relation("rain", "storm"),)


def test_a_guess_changes_nothing() -> None:
    draft = draft_of(("rain", "storm"))
    assert not draft.offer(Proposal("rain", "storm", Kind.COORDINATE, "", guess=True))
    assert draft.ontology().relations == (Relation("rain", "storm"),)


def test_what_would_close_a_circle_is_refused() -> None:
    draft = draft_of(("rain", "storm"), ("flood", "rain"))
    assert not draft.offer(Proposal("rain", "flood", Kind.INDUCED_BY, "texts: x"))
    assert len(draft.ontology().relations) == 2


def test_a_change_is_asked_about() -> None:
    asked: list[Proposal] = []

    def review(proposal: Proposal) -> bool:
        asked.append(proposal)
        return proposal.kind is Kind.IS_A

    draft = draft_of(("rain", "storm"), review=review)
    assert not draft.offer(CAUSED)
    assert asked[-1].origin == "texts: x; until now is-a"
    assert draft.ontology().relations == (Relation("rain", "storm"),)
    assert draft.offer(Proposal("flood", "rain", Kind.IS_A, ""))  # rain was not dropped


PAGES = [
    source("The storm and the rain. Rain is caused by a storm. A flood."),
    source("The storm and the rain. The flood was triggered by the rain. An eye."),
    source("The storm again, and the eye. The eye is part of the storm."),
]


def test_learning_heeds_what_texts_say() -> None:
    plan = LearningPlan(gamma=1.0, least=1)
    learned = learn_ontology("storm", ["rain"], [], PAGES, Analyzer("en"), plan)
    assert {(said.child, said.kind.value, said.parent) for said in learned.said} == {
        ("rain", "induced-by", "storm"),
        ("flood", "induced-by", "rain"),
        ("eye", "part-of", "storm"),
    }
    relations = set(learned.ontology.relations)
    assert {Relation(said.child, said.parent, said.kind) for said in learned.said} <= relations
    assert Relation("rain", "storm") not in relations
    assert learned.ontology["rain"].origin == "keyword of the topic"


def test_what_a_review_drops_is_not_said() -> None:
    def review(proposal: Proposal) -> bool:
        return not proposal.origin.startswith("texts: ")

    plan = LearningPlan(gamma=1.0, least=1)
    learned = learn_ontology("storm", ["rain"], [], PAGES, Analyzer("en"), plan, review=review)
    assert learned.said == ()
    assert all(each.kind is not Kind.INDUCED_BY for each in learned.ontology.relations)


def test_other_languages_are_told() -> None:
    learned = learn_ontology("sturm", ["Regen"], [], PAGES, Analyzer("de"))
    assert learned.said == ()
    assert "what texts say of their concepts is only understood in English." in learned.notes
