"""What sentences say of concepts, and what a draft makes of it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.papers.olmoaco import statements as module
from scenthound.papers.olmoaco.learner import Learner, LearningPlan
from scenthound.papers.olmoaco.skeleton import Draft, Proposal
from scenthound.papers.olmoaco.sources import Source
from scenthound.papers.olmoaco.statements import StatedRelation, sentences, statements
from scenthound.papers.ontologies.model import Kind, Relation
from scenthound.text.analyzer import Analyzer
from scenthound.text.wordnet_files import shipped

LABELS = (
    "rain", "flood", "landslide", "storm", "storm surge", "wind", "eye", "wave", "dam", "typhoon",
    "slope", "disease", "trigger",
)  # fmt: skip
NOUNS = frozenset({"debris", "rain", "river", "storm"})
RULES = Analyzer("en").rules
FINDER = module.ConceptFinder(LABELS, RULES)

Triple = tuple[str, str, str]


def stated(text: str) -> list[Triple]:
    return [
        (found.child, found.kind.value, found.parent)
        for sentence in sentences(text)
        for found in statements(
            sentence.tokens, FINDER.places(sentence.tokens), lambda word: word in NOUNS
        )
    ]


def test_causes_and_parts() -> None:
    for text in [
        "Landslides triggered by rain",
        "Landslides are often triggered by very heavy rain.",
        "The landslide, which was mostly caused by the rain, closed a road.",
        "Slides differ: landslides are due to rain",
        "Landslides result from rain.",
        "A landslide stems from intense rain",
        "Rain triggers landslides.",
        "Rain may also cause a deep landslide.",
        "Rain that leads to landslides is heavy.",
        "Long rain results in landslides downhill.",
        "The rain-induced landslide",
        "People fear the risk of landslides triggered by rain.",
        "Most of the landslides were brought about by rain.",
        "wrapped lines: a landslide is\n  caused by rain",
    ]:
        assert stated(text) == [("landslide", "induced-by", "rain")]
    for text in [
        "The eye is a part of a typhoon.",
        "An eye is the calmest part of every typhoon",
        "A typhoon consists of an eye.",
        "A strong typhoon is made up of its eye.",
        "Look at the parts of a typhoon, such as the eye.",
        "They measure parts of a typhoon including its small eye.",
    ]:
        assert stated(text) == [("eye", "part-of", "typhoon")]


def test_what_is_not_reported() -> None:
    for text in [
        "Landslides are not caused by rain.",
        "Rain doesn't cause floods.",
        "No flood was caused by rain.",
        "Rain hardly ever causes a flood.",
        "The eye is never part of a storm surge.",
        "Floods. Caused by rain, they say.",
        "Floods\nCaused by rain",
        "The flood came after the dam was caused by rain to break.",
        "The foot of the slope is caused by rain.",  # the foot is
        "Flood damage caused by wind",  # the damage is
        "Floods caused by rain clouds",  # the clouds do it
        "Floods caused by the failure of a dam",
        "Floods caused by opening the dam",
        "The storm hit the slope, causing floods.",
        "Debris flows and river floods are caused by wind.",  # no flood, but one of a river
        "Residents of a slope are led to the dam.",
        "A storm brings down the dam.",
        "The map of what a storm would flood are part of the wind.",  # "flood" does something
        "Rain causes rain.",
        "Rain causes nothing.",
        "caused by rain",
        "rain causes",
        "parts of such as",
        "",
    ]:
        assert stated(text) == []


def test_lists_and_cues() -> None:
    assert stated("Wind and heavy rain cause floods, waves and a landslide in summer.") == [
        (child, "induced-by", parent)
        for parent in ("rain", "wind")
        for child in ("flood", "wave", "landslide")
    ]
    # a comma alone is no list
    assert stated("The dam broke in the wind, rain caused floods, disease and waves followed.") == [
        ("flood", "induced-by", "rain")
    ]
    assert stated("Rain causes floods, and disease is common.") == [("flood", "induced-by", "rain")]
    # lists are not endless
    wide = " and ".join(["rain", "wind", "wave", "dam", "eye", "slope", "disease", "typhoon"])
    found = stated(f"{wide} cause floods")
    assert len(found) == module.MOST_LISTED and found[0] == ("flood", "induced-by", "typhoon")
    # a concept that is a cue is none
    assert stated("Rain triggers floods.") == [("flood", "induced-by", "rain")]
    assert stated("A trigger causes floods.") == []
    # the longest cue counts
    (cue,) = module.CUE.finditer("it is caused by ")
    assert (cue[0], cue.lastgroup) == ("caused by ", "PASSIVE")


def test_sentences() -> None:
    found = [sentence.tokens for sentence in sentences("A dam (old)\nbroke. 2.5 m!\nWaves; wind")]
    assert found == [
        ("a", "dam", ",", "old", ",", "broke"), ("2",), ("5", "m"), ("waves",), ("wind",),
    ]  # fmt: skip
    assert [found.tokens for found in sentences("dam\n  wave\n\n rain")] == [
        ("dam", "wave"), ("rain",)
    ]  # fmt: skip
    (one,) = sentences("Rain-induced floods")
    assert one.tokens == ("rain", "induced", "floods")
    assert one.spans == ((0, 4), (5, 12), (13, 19))
    # an endless one is cut
    text = "rain causes floods " * 10_000
    assert max(len(sentence.tokens) for sentence in sentences(text)) == module.MOST_TOKENS
    assert set(stated(text)) == {("flood", "induced-by", "rain")}


WORDS = st.sampled_from(
    "rain storm surge flood floods causes caused by is are part parts of such as not and , . \n "
    "the which leads to".split(" ")
)


@settings(max_examples=40)
@given(st.lists(WORDS, max_size=40).map(" ".join))
def test_any_text_gives_statements_about_two_concepts(text: str) -> None:
    for sentence in sentences(text):
        places = FINDER.places(sentence.tokens)
        for found in statements(sentence.tokens, places, lambda word: word in NOUNS):
            assert found.child != found.parent and {found.child, found.parent} <= set(LABELS)
            assert 0 <= found.start < found.end <= len(sentence.tokens)


LABELS_SAID_STEP = ("storm", "rain", "flood", "eye")


def source(text: str, title: str = "") -> Source:
    return Source("s", title, text, (), text)


def found(*texts: str) -> list[StatedRelation]:
    return module.stated_relations(map(source, texts), LABELS_SAID_STEP, RULES, shipped())


def test_what_most_texts_say_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = (
        "An eye is part of a storm.",
        "A flood is due to rain.",
        "Rain causes floods.\nRain " * 2,
    )
    assert found(*texts) == [
        StatedRelation("flood", "rain", Kind.INDUCED_BY, "flood is due to rain", 2),
        StatedRelation("eye", "storm", Kind.PART_OF, "eye is part of a storm", 1),
    ]
    assert found() == [] == found("", "A storm.")
    assert module.stated_relations([source("Rain causes floods.")], (), RULES, shipped()) == []
    # a page cannot claim everything
    monkeypatch.setattr(module, "MAX_STATED", 1)
    assert len(found("Rain causes floods. A storm consists of an eye.")) == 1


def test_what_is_quoted_from_a_page() -> None:
    (printed,) = found("Floods\u202e are\tcaused \x1b by rain")
    assert printed.words == "Floods are caused by rain"
    (printed,) = found("Floods are caused by rain".replace("by", "by" + " " * 500))
    assert printed.words == "Floods are caused by..." and printed.words.isprintable()
    printed = StatedRelation("flood", "rain", Kind.INDUCED_BY, "floods caused by rain")
    assert printed.proposal.origin == 'texts: "floods caused by rain"'
    more = StatedRelation("flood", "rain", Kind.INDUCED_BY, "floods caused by rain", 3)
    assert more.proposal.origin == 'texts: "floods caused by rain", and 2 more'


def draft_of(*guesses: tuple[str, str], review: object = None) -> Draft:
    draft = Draft("d", "storm", review or (lambda _: True))  # type: ignore[arg-type]
    for label, parent in guesses:
        draft.offer(Proposal(label, parent, Kind.IS_A, "a guess", guess=True))
    return draft


CAUSED = Proposal("rain", "storm", Kind.INDUCED_BY, "texts: x")


def test_a_kind_that_was_guessed_gets_known_and_then_stays() -> None:
    draft = draft_of(("rain", "storm"))
    assert draft.offer(CAUSED)
    ontology = draft.ontology()
    assert ontology.relations == (Relation("rain", "storm", Kind.INDUCED_BY),)
    assert ontology["rain"].origin == "a guess"
    assert not draft.offer(CAUSED)
    assert not draft.offer(Proposal("rain", "storm", Kind.PART_OF, "texts: y"))
    draft = draft_of(("rain", "storm"))
    assert not draft.offer(Proposal("rain", "storm", Kind.IS_A, "WordNet"))  # it says so too
    assert not draft.offer(CAUSED)
    assert not draft.offer(Proposal("rain", "storm", Kind.COORDINATE, "", guess=True))
    assert draft.ontology().relations == (Relation("rain", "storm"),)
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
    plan = LearningPlan(gamma=1.0, least=1, topics=2)
    learned = Learner("storm", ["rain"], [], PAGES, Analyzer("en"), plan).learn()
    assert {(each.child, each.kind.value, each.parent) for each in learned.stated} == {
        ("rain", "induced-by", "storm"),
        ("flood", "induced-by", "rain"),
        ("eye", "part-of", "storm"),
    }
    relations = set(learned.ontology.relations)
    assert {Relation(each.child, each.parent, each.kind) for each in learned.stated} <= relations
    assert Relation("rain", "storm") not in relations
    assert learned.ontology["rain"].origin == "keyword of the topic"
