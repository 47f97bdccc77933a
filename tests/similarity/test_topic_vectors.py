"""What WordNet knows of a topic's words."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from scenthound.core.errors import InputError, SettingsError
from scenthound.core.model import Document, TopicProfile
from scenthound.crawler.topics.summary import (
    AmbiguousTerm,
    DisambiguationTerm,
    TopicSummary,
    ambiguous_terms,
    summarize_topic,
)
from scenthound.similarity.text_models import TOPIC_TERMS, TopicVectors, keyword_text
from scenthound.similarity.topic_senses import (
    MAX_SHOWN,
    ConceptNames,
    KeywordSenses,
    Sense,
    fitting_sense,
    known_share,
    read_keyword,
    sense_fit,
    senses_of,
    shortened,
    topic_terms,
)
from scenthound.similarity.word_similarity import TaxonomySimilarity
from scenthound.storage.state import load_state, save_state
from scenthound.text.analyzer import Analyzer
from scenthound.text.terms import DocumentFrequencies, Vocabulary
from scenthound.text.wordnet import ROOT, Integers, Taxonomy, WordNet
from scenthound.text.wordnet_files import load_wordnet, shipped
from similarity.bag_building import graph
from similarity.farm import concept, farm
from text.wordnet_building import write


def test_a_keyword_as_wordnet_reads_it() -> None:
    cases: list[tuple[str, bool, tuple[str, ...], tuple[str, ...]]] = [
        ("storm", True, ("storm",), ()),
        ("Storms", True, ("storm",), ()),
        ("dust storms", True, ("dust", "storm", "dust storm"), ()),
        ("tropical cyclone", False, ("cyclone",), ("tropical",)),
        ("severe dust storm", False, ("dust", "storm", "dust storm"), ("severe",)),
        ("Wirbelsturm", False, (), ("wirbelsturm",)),
        ("the", False, (), ()),
        ("", False, (), ()),
    ]
    for keyword, is_noun, nouns, others in cases:
        analyzer = Analyzer(phrases=[keyword])
        assert read_keyword(keyword, analyzer) == KeywordSenses(keyword, is_noun, nouns, others)
    assert senses_of("storm", Analyzer("de")) == 0 < senses_of("storm", Analyzer("en-GB"))
    assert read_keyword("storm", Analyzer("de")).others == ("storm",)


def test_the_share_of_the_weight_that_is_known() -> None:
    analyzer = Analyzer()
    assert known_share({"storm": 1.0, "xylofrob": 3.0}, analyzer) == 0.25
    four = dict.fromkeys(("storm", "hail", "xylofrob", "derecho"), 0.3)
    assert known_share(four, analyzer) == 0.5
    assert known_share({}, analyzer) == known_share({"xylofrob": 1.0}, analyzer) == 0.0
    assert shortened("x" * MAX_SHOWN) == "x" * 60
    assert shortened("x" * 61) == "x" * 57 + "..."


def test_topic_terms_come_heaviest_first_then_by_the_alphabet() -> None:
    of = profile(("hail", "gale"), "gale gale wind")
    terms = topic_terms(of, Analyzer())
    assert list(terms) == ["gale", "hail", "wind"]
    assert list(terms.values()) == sorted(terms.values(), reverse=True)
    assert list(topic_terms(of, Analyzer(), most=1)) == ["gale"]


# The topic as vectors, worked out by hand.


def profile(keywords: tuple[str, ...] = (), *examples: str) -> TopicProfile:
    return TopicProfile("t", keywords, tuple(Document(text=text) for text in examples))


class Collection:
    """An analyzer and the frequencies over its terms."""

    def __init__(self, *texts: str) -> None:
        self.analyzer = Analyzer()
        self.frequencies = DocumentFrequencies(self.analyzer.vocabulary)
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        self.frequencies.add(self.analyzer.bag(text))

    def topic(self, of: TopicProfile, most: int = TOPIC_TERMS, by: str = "merged") -> TopicVectors:
        return TopicVectors(of, self.analyzer, self.frequencies, most, by)


def columns(of: Collection, vectors: TopicVectors) -> list[dict[str, float]]:
    """Each column by term, without the zeros."""
    terms = of.analyzer.vocabulary.terms(vectors.ids.tolist())
    assert vectors.weights.shape[0] == len(terms) == len(set(terms))
    return [
        {term: weight for term, weight in zip(terms, column, strict=True) if weight}
        for column in vectors.weights.T.tolist()
    ]


def test_keywords_and_examples_are_added_as_unit_vectors() -> None:
    """N = 2, idf(storm) = ln(3/2) + 1 = 1.405465, idf(flood) = ln(3/3) + 1 = 1.

    keywords (1, 0); first example (1.405465, 1) / 1.724915; second example (0, 1).
    """
    vector = Collection().topic(profile(("storm",), "storm flood", "floods")).vector
    assert vector == pytest.approx({"storm": 1.814803, "flood": 1.579739}, abs=1e-6)
    # A rain forest is a term; rain and a forest are two.
    assert sorted(Collection().topic(profile(("rain", "forest"))).vector) == ["forest", "rain"]
    assert sorted(Collection().topic(profile(("rain forest",))).vector) == [
        "forest",
        "rain",
        "rain forest",
    ]
    assert Analyzer().count(keyword_text([])) == {}


def test_a_topic_without_terms_is_empty_in_one_column() -> None:
    nothing = (profile(), profile((), "the of and"))
    for by, of in product(("merged", "pages"), nothing):
        empty = Collection().topic(of, by=by)
        assert empty.vector == {}
        assert empty.ids.shape == (0,) and empty.weights.shape == (0, 1)
    for most in [0, -1]:
        with pytest.raises(SettingsError, match=f"terms must be at least 1, not {most}"):
            Collection().topic(profile(("storm",)), most=most)


def test_by_pages_keywords_and_each_example_have_a_column_of_their_own() -> None:
    """As above, N = 2: keywords (1, 0), (1.405465, 1) / 1.724915, (0, 1)."""
    collection = Collection()
    by_pages = collection.topic(profile(("storm",), "storm flood", "floods"), by="pages")
    keywords, first, second = columns(collection, by_pages)
    assert keywords == pytest.approx({"storm": 1.0})
    assert first == pytest.approx({"storm": 0.814803, "flood": 0.579739}, abs=1e-6)
    assert second == pytest.approx({"flood": 1.0})
    assert by_pages.vector == pytest.approx({"storm": 1.0, "flood": 1.0})
    of = profile((), "storm storm flood", "cake cake cake bread tea")
    again = Collection()
    found = columns(again, again.topic(of, most=1, by="pages"))
    assert found == [
        {"storm": pytest.approx(2 / math.sqrt(5))},
        {"cake": pytest.approx(3 / math.sqrt(11))},
    ]


def test_by_pages_a_text_without_terms_has_no_column() -> None:
    cases: list[tuple[TopicProfile, list[list[str]]]] = [
        (profile(("storm", "flood")), [["flood", "storm"]]),
        (profile((), "storm", "flood"), [["storm"], ["flood"]]),
        (profile(("hail",), "storm"), [["hail"], ["storm"]]),
        (profile(("hail",), "the of and", "storm"), [["hail"], ["storm"]]),
        (profile(("the",), "storm", ""), [["storm"]]),
    ]
    for of, expected in cases:
        collection = Collection()
        found = columns(collection, collection.topic(of, by="pages"))
        assert [sorted(column) for column in found] == expected


@pytest.mark.parametrize("by", ["merged", "pages"])
def test_vector_is_worked_out_again_when_the_collection_has_grown_by_a_tenth(by: str) -> None:
    for start, refreshed_at in [(1, 2), (9, 10), (10, 11), (20, 22), (25, 28)]:
        collection = Collection(*["other"] * (start - 1))
        vectors = collection.topic(profile(("storm",), "storm flood"), by=by)
        first = vectors.vector
        for number in range(start, refreshed_at):
            assert vectors.vector == first
            collection.add("flood")
            assert vectors.refresh() is (number + 1 == refreshed_at)
        assert vectors.vector != first


def test_restored_vector_is_as_old_as_the_saved_one(tmp_path: Path) -> None:
    """Saved between two refreshes: it must not be fresher afterwards, whatever the numbers are."""
    of = profile(("storm",), "storm flood", "storm")
    for by, known in product(("merged", "pages"), ("", "other flood words")):
        collection, fresh = Collection(*["other"] * 20), Collection(known)
        saved, restored = collection.topic(of, by=by), fresh.topic(of, by=by)
        collection.add("flood")
        assert not saved.refresh()
        save_state(saved.state(), tmp_path / "state.npz")
        restored.restore(load_state(tmp_path / "state.npz"))
        assert restored.vector == saved.vector
        assert columns(fresh, restored) == columns(collection, saved)
        assert restored.state()["fresh_until"] == saved.state()["fresh_until"]
        assert np.array_equal(restored.weights, saved.weights)


# Senses by their company, worked out by hand on the farm; "cat" is an animal or a gossip.

FARM = farm()
SIMILARITY = TaxonomySimilarity(FARM)
ANIMAL, GOSSIP = concept(FARM, "cat"), concept(FARM, "gossip")


def company(**weights: float) -> list[tuple[Integers, float]]:
    return [(FARM.concepts(term), weight) for term, weight in weights.items()]


def test_the_fit_is_the_weighted_sum_and_the_best_sense_is_taken() -> None:
    cases: list[tuple[int, dict[str, float], float]] = [
        (ANIMAL, {"dog": 1.0}, 4 / 7),
        (ANIMAL, {"dog": 2.0, "singer": 5.0}, 8 / 7),
        (GOSSIP, {"dog": 2.0, "singer": 5.0}, 5 / 2),
        (GOSSIP, {"tractor": 3.0}, 0.0),
        (GOSSIP, {}, 0.0),
    ]
    for sense, weights, fit in cases:
        assert sense_fit(SIMILARITY.concept_to(sense), company(**weights)) == pytest.approx(fit)
    # Of equal fits the more frequent sense is taken: the animal.
    fitting: list[tuple[dict[str, float], int]] = [
        ({"cat": 9.0, "dog": 1.0, "singer": 1.0}, ANIMAL),
        ({"cat": 9.0, "dog": 1.0, "singer": 2.0}, GOSSIP),
        ({"cat": 9.0, "tractor": 1.0}, ANIMAL),
        ({"cat": 9.0}, ANIMAL),
    ]
    for weights, sense in fitting:
        assert fitting_sense(SIMILARITY, "cat", weights) == sense


def test_a_sense_is_reported_by_synonyms_and_what_it_is_a_kind_of() -> None:
    names = ConceptNames(FARM)
    assert names.sense(GOSSIP, "cat") == Sense(("cat", "gossip"), ("person",))
    dog = names.sense(concept(FARM, "dog"), "hound")
    assert dog.synonyms == ("hound", "dog") and set(dog.kind_of) == {"animal", "pet"}
    assert names.sense(ROOT, "entity") == Sense(("entity",), ())


def test_names_against_a_slow_search() -> None:
    cases: list[Taxonomy] = [FARM, shipped().verbs]
    for taxonomy in cases:
        slow: dict[int, list[tuple[int, str]]] = {}
        for lemma in taxonomy.lemmas:
            for rank, number in enumerate(taxonomy.concepts(lemma).tolist()):
                slow.setdefault(number, []).append((rank, lemma))
        names = ConceptNames(taxonomy)
        for number in range(len(taxonomy)):
            expected = tuple(lemma for _, lemma in sorted(slow.get(number, [])))
            assert names.of(number) == expected


# A topic put together from its parts, over a WordNet of a dozen concepts.


@pytest.fixture(scope="module")
def wordnet(tmp_path_factory: pytest.TempPathFactory) -> WordNet:
    return load_wordnet(write(tmp_path_factory.mktemp("wordnet")))


def understood(
    wordnet: WordNet,
    *keywords: str,
    pages: tuple[str, ...] = (),
    language: str = "en",
    most: int = 40,
) -> TopicSummary:
    of = replace(profile(keywords, *pages), language=language)
    analyzer = Analyzer(language, wordnet, keywords)
    return summarize_topic(of, analyzer, examples_given=2, most=most)


def test_the_topic_decides_what_a_word_means(wordnet: WordNet) -> None:
    cases: list[tuple[str, Sense]] = [
        ("wolf", Sense(("pack", "dog", "domestic dog"), ("animal", "pet"))),
        ("species", Sense(("pack", "group"), ("entity",))),
    ]
    for company, sense in cases:
        terms = {term.term: term for term in understood(wordnet, "pack", company).terms}
        assert terms["pack"].senses == 2 and terms[company].senses == 1
        assert terms["pack"].sense == sense


def test_what_a_word_means_does_not_depend_on_how_many_are_reported(wordnet: WordNet) -> None:
    everything = understood(wordnet, "pack", "wolf", "xylofrob")
    first = understood(wordnet, "pack", "wolf", "xylofrob", most=1)
    assert first == replace(everything, terms=everything.terms[:1])
    with pytest.raises(InputError, match="0 terms"):
        understood(wordnet, "pack", most=0)


def test_a_stranger_among_enough_words_has_no_sense() -> None:
    cats = ("lion", "tiger", "leopard", "cheetah", "lynx", "puma", "panther", "ocelot", "cougar",
            "bobcat", "caracal", "serval", "sonnet")  # fmt: skip
    topic = understood(shipped(), *cats)
    terms = {term.term: term for term in topic.terms}
    assert topic.vouching and terms["lynx"].sense is not None
    assert (terms["sonnet"].vouched, terms["sonnet"].sense) == (0, None)
    assert terms["sonnet"].senses == 1


def test_pages_wordnet_and_graph_are_reported(wordnet: WordNet) -> None:
    topic = understood(wordnet, "storm", pages=("A tempest.",))
    assert (topic.examples, topic.examples_given, topic.graph_origin) == (1, 2, None)
    assert topic.wordnet == f"3.0, {wordnet.origin}"
    assert [term.term for term in topic.terms] == ["storm", "tempest"]
    assert topic.ambiguous == ()
    gale = understood(wordnet, "storm", "severe gale")
    assert gale.unknown == ("gale", "severe", "severe gale")
    (of_gale,) = (term for term in gale.terms if term.term == "gale")
    assert (of_gale.senses, of_gale.sense) == (0, None)
    phrase = gale.keywords[1]
    assert (phrase.nouns, phrase.others) == ((), ("severe", "gale"))


def test_ambiguous_terms_come_with_their_company() -> None:
    """Bank goes with river (0.5) and loan (0.25); loan was never seen with river."""
    names, edges = ("bank", "river", "loan"), {(0, 1): 0.5, (0, 2): 0.25}
    made = graph(names, edges, [0, 2], Vocabulary(), threshold=0.0)
    first, second = DisambiguationTerm("river", 0.5), DisambiguationTerm("loan", 0.25)
    loan, bank = ambiguous_terms(replace(made, ambiguity=np.array([15.0, 10.0, 20.0])))
    assert loan == AmbiguousTerm("loan", 20.0, (DisambiguationTerm("bank", 0.25),))
    assert bank == AmbiguousTerm("bank", 15.0, (first, second))


def test_it_is_json(wordnet: WordNet) -> None:
    topic = understood(wordnet, "pack", "wolf")
    written = json.loads(json.dumps(topic.to_json()))
    assert written["terms"][0]["sense"] == {
        "synonyms": ["pack", "dog", "domestic dog"],
        "kind_of": ["animal", "pet"],
    }
    assert written["keywords"][1] == {
        "keyword": "wolf", "is_noun": True, "nouns": ["wolf"], "others": [],
    }  # fmt: skip
