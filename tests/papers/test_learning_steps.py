"""Steps of the learner: candidate terms, topics and pairs of words, neighbours in WordNet."""

from __future__ import annotations

import math
from itertools import combinations
from math import exp, log, tanh

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.papers.olmoaco import word_topics as topics_module
from scenthound.papers.olmoaco import wordnet_neighbours as neighbours
from scenthound.papers.olmoaco.nouns import Votes, collocations, counted_votes, noun_test
from scenthound.papers.olmoaco.skeleton import Proposal
from scenthound.papers.olmoaco.sources import Source
from scenthound.papers.olmoaco.terms import (
    Candidates,
    candidate_terms,
    mean_name_shares,
    name_shares,
    specificities,
    specificity_of,
    term_scores,
)
from scenthound.papers.olmoaco.word_topics import Pair, strong_pairs
from scenthound.papers.olmoaco.wordnet_neighbours import NeighbourFinder
from scenthound.papers.ontologies.model import Kind
from scenthound.text.analyzer import Analyzer
from scenthound.text.wordnet import Taxonomy, build_taxonomy
from scenthound.text.wordnet_files import shipped
from similarity.farm import concept, farm


def source(title: str, abstract: str = "", *keywords: str, body: str = "") -> Source:
    return Source(title, title, abstract, keywords, body or abstract)


STORMS = [
    source("A storm", "The storm brings a flood. A flood of the sea, and dikes."),
    source("Storms", "Storms and a flood in San Diego. The harbour of San Diego.", "dike"),
    source("The sea", "Largely flooded: the sea and the sea."),
]


def found(
    sources: list[Source] = STORMS, least: int = 2, most: int = 60, keywords: tuple[str, ...] = ()
) -> Candidates:
    return candidate_terms(sources, Analyzer(), least=least, most=most, keywords=keywords)


def test_terms_and_which_of_them_stay() -> None:
    candidates = found()
    assert candidates.terms == ("flood", "sea", "storm", "dike", "san diego")
    assert candidates.counts.tolist() == [[2, 1, 2, 1, 0], [1, 0, 2, 1, 2], [1, 3, 0, 0, 0]]
    # "diego" is in San Diego only; "harbours" occurs once; "volcano" does not occur.
    terms = found(most=2, keywords=("Harbours", "volcano")).terms
    assert "harbours" in terms and len(terms) == 2
    assert "volcano" not in terms
    # keywords of sources are found as phrases
    papers = [
        source("One", "Of urban waterlogging.", "urban waterlogging"),
        source("Two", "On urban waterlogging in towns."),
    ]
    assert found(papers).terms == ("urban waterlogging",)
    # of too many the ones worth most stay
    texts = [source("Report", "The name of the hurricane. A part of the hurricane.") for _ in "ab"]
    everything = found(texts).terms
    assert {"hurricane", "name", "part"} <= set(everything)
    assert found(texts, most=1).terms == ("hurricane",)


def test_in_other_languages_all_terms_count_under_their_commonest_form() -> None:
    texts = [source("Sturm", "Schwere Stürme und Fluten an der Küste. Stürme!") for _ in "ab"]
    candidates = candidate_terms(texts, Analyzer("de"))
    assert "stürme" in candidates.terms and "schwere" in candidates.terms
    assert candidates.counts[:, candidates.terms.index("stürme")].tolist() == [3, 3]


def test_empty_texts() -> None:
    for sources in [[], [source("")], [source("the", "of and")]]:
        candidates = found(sources, keywords=("storm",))
        assert candidates.terms == () and candidates.counts.shape == (len(sources), 0)


FIRST = "A tropical storm came. Then tropical storms were seen. It was New York, New York."
SECOND = "The tropical storm left New York. The sea rose, and the storm: a storm, storms."


def pairs(*texts: str) -> list[str]:
    wordnet = shipped()
    votes, names = counted_votes(texts, wordnet), name_shares(texts, wordnet)
    return collocations(texts, wordnet, votes, names)


def test_collocations() -> None:
    assert pairs(FIRST, SECOND) == ["tropical storm"]
    # One text alone, two occurrences, words that mostly stand alone, apart, or a verb.
    assert pairs(FIRST + " The tropical storm.") == pairs() == []
    assert pairs("A tropical storm.", "A tropical storm.") == []
    apart = "The storm. It is tropical. " * 4
    assert pairs(FIRST + apart, "The tropical storm. " + apart) == []
    for text in (
        "Tropical, storm. Tropical and storm. Tropical\nstorm. ",
        "They cause floods. To cause floods. It will cause floods. The flood of the year.",
    ):
        assert pairs(text, text) == []
    # pairs are candidate terms
    sources = [Source(name, "", text, (), text) for name, text in (("a", FIRST), ("b", SECOND))]
    assert "tropical storm" in candidate_terms(sources, Analyzer()).terms


TEXT = """A tropical storm is a storm with strong winds. Storms cause floods. The flood was higher
than before. It caused large waves, and large waves are rarely seen. In January the wind reached
30 km. The twelve dikes were broken. Each zibethinus is a tree. The zibethinus grows in the
east. New dikes were built by people of the sea."""


def test_votes_and_nouns() -> None:
    for text, word, votes in [
        ("The storm.", "storm", Votes(noun=1, certain=1)),
        ("Storm!", "storm", Votes(noun=1)),
        ("heavy storms hit", "storm", Votes(noun=1, certain=1)),
        ("to storm", "storm", Votes(verb=1)),
        ("he storms the tower", "storm", Votes(verb=1)),
        ("it flooded", "flood", Votes(verb=1)),
        ("mice run", "mouse", Votes(noun=1, certain=1)),
        ("a storm surge", "storm", Votes(adjective=1)),
        ("the sea is calm.", "calm", Votes(adjective=1)),
        ("larger than it", "larger", Votes(adjective=1)),
        ("a non-stop flight", "non", Votes(adjective=1)),
        ("storm\nsurge", "storm", Votes(noun=1)),
    ]:
        assert counted_votes([text], shipped())[word] == votes
    # stop words and numbers have none
    assert set(counted_votes(["the 1953 storm of 2 days"], shipped())) == {"storm", "day"}
    is_noun = noun_test(counted_votes([TEXT], shipped()), shipped())
    for term in ["storm", "flood", "wind", "dike", "zibethinus", "storm surge"]:
        assert is_noun(term)
    for term in (
        "tropical cause large strong rarely higher built reach unseen km january twelve east"
    ).split():
        assert not is_noun(term)


def test_worth_specificity_and_names() -> None:
    """In 3 abstracts; 12 times in 4 texts; half specific; every second time a name."""
    one = [np.array([value]) for value in (3.0, 12.0, 4.0, 0.5, 0.5)]
    assert term_scores(*one).tolist() == pytest.approx([log(4) * log(4) * 0.5 * 0.625])
    assert specificity_of([0.8, 0.6], 2) == pytest.approx(0.7 / (1 + log(4)))
    assert specificity_of([1.0], 0) == 1.0
    assert specificity_of([], 3) == 0.5
    # without a WordNet all are alike
    assert specificities(["a", "b"], None).tolist() == [0.5, 0.5]
    # particular words come before those of every text
    terms = ["hurricane", "locomotive", "storm", "name", "form", "part"]
    found = specificities(terms, shipped()).tolist()
    assert min(found[:2]) > found[2] > max(found[3:])
    # names are recognised by their capitals inside a sentence
    text = "Storms of Texas. Texas has storms; Storms come from the Gulf.\nTexas"
    shares = name_shares([text], shipped())
    assert (shares["storm"], shares["texas"], shares["gulf"]) == (0.0, 1.0, 1.0)
    assert mean_name_shares(["gulf", "gulf storm", "sea"], shares).tolist() == [1.0, 0.5, 0.0]


# Topics of words, and strong pairs: by hand, and equal to counting.


PAGES = [
    {"storm": 9, "wind": 7},
    {"storm": 5, "wind": 8},
    {"bread": 6, "flour": 5},
    {"bread": 7, "flour": 9},
]


def test_mean_similarity_and_heaviest_words_by_hand() -> None:
    # cosines: first with second 0, first with third and second with third 1 / sqrt 2
    rows = np.array([[2.0, 0.0], [0.0, 5.0], [1.0, 1.0]])
    assert topics_module.mean_similarity(rows) == pytest.approx(2 / math.sqrt(2) / 3)
    assert topics_module.mean_similarity(np.array([[1.0, 2.0], [2.0, 4.0]])) == pytest.approx(1.0)
    assert topics_module.mean_similarity(np.ones((1, 3))) == 0.0
    # heaviest words, and ties
    names = ["air", "bay", "cape", "dune"]
    weights = np.array([1.0, 3.0, 3.0 + 1e-12, 0.5])
    assert topics_module.heaviest(weights, names, 10) == ("bay", "cape", "air")
    assert topics_module.heaviest(weights, names, 1) == ("bay",)
    assert topics_module.heaviest(np.zeros(4), names, 10) == ()


@settings(max_examples=25)
@given(st.lists(st.lists(st.floats(0.01, 100), min_size=3, max_size=3), min_size=2, max_size=8))
def test_mean_similarity_is_that_of_all_pairs(given_rows: list[list[float]]) -> None:
    rows = np.array(given_rows)
    cosines = [
        float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b))) for a, b in combinations(rows, 2)
    ]
    assert topics_module.mean_similarity(rows) == pytest.approx(sum(cosines) / len(cosines))


def test_topics_of_pages() -> None:
    found = topics_module.word_topics(PAGES, topics=2)
    assert {frozenset(topic) for topic in found} == {
        frozenset({"storm", "wind"}),
        frozenset({"bread", "flour"}),
    }
    assert topics_module.word_topics(PAGES, topics=2) == found
    # What 20 topics make of one page: those that got nothing are not reported.
    found = topics_module.word_topics(PAGES[:1], topics=20)
    assert found and {word for topic in found for word in topic} <= {"storm", "wind"}
    assert len(found) < 20
    cases: list[list[dict[str, int]]] = [[], [{}], [{}, {}]]
    for counts in cases:
        assert topics_module.word_topics(counts) == ()


def test_the_number_whose_topics_are_least_alike_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two topics each: those of 15 share no word, those of 25 are most alike (cosine 0.45)."""
    shared = {5: 3.0, 10: 2.0, 15: 0.0, 20: 1.0, 25: 8.0, 30: 4.0}
    tried: list[int] = []

    def fitted(matrix: object, topics: int, seed: int) -> topics_module.Rows:
        tried.append(topics)
        own = shared[topics]
        return np.array([[9.0 + topics, own], [own, 9.0 + topics]])

    monkeypatch.setattr(topics_module, "_fit", fitted)
    pages = [{"storm": 1, "wind": 1}]
    assert topics_module.word_topics(pages, topics=0) == (("storm",), ("wind",))
    assert tried == [5, 10, 15, 20, 25, 30] == list(topics_module.TOPIC_COUNTS_SEARCHED)
    assert topics_module.word_topics(pages, topics=25) == (("storm", "wind"), ("wind", "storm"))
    assert tried[6:] == [25]


SETS = [("storm", "wind", "rain"), ("storm", "wind"), ("storm", "coast"), ("rain", "river")]


def test_pairs_worked_out_by_hand() -> None:
    # storm and wind: 2 of 4 sets; of the 2 sets with wind both have storm, of the 3 with storm two
    # have wind. No other pair is in more than one set.
    assert strong_pairs(SETS, 0.5, 0.6) == [Pair("wind", "storm", 0.5, 1.0)]
    assert strong_pairs(SETS, 0.51, 0.6) == []
    # confidence is needed too
    sets = [("a", "b"), ("a",), ("a",), ("b",), ("b",)]
    assert strong_pairs(sets, 0.2, 0.34) == []
    assert strong_pairs(sets, 0.2, 0.33) == [Pair("a", "b", 0.2, 1 / 3)]
    # no two words, no pair
    cases: list[list[tuple[str, ...]]] = [[], [()], [("storm",), ("wind",)], [("storm", "storm")]]
    for sets in cases:
        assert strong_pairs(sets) == []


def slow_pairs(sets: list[set[str]], support: float, confidence: float) -> set[Pair]:
    """By counting every pair of words."""
    found = set()
    for first, second in combinations(sorted(set().union(*sets)), 2):
        both = sum({first, second} <= words for words in sets)
        if both / len(sets) < support or not both:
            continue
        rules = [
            (both / sum(one in words for words in sets), one, other)
            for one, other in ((first, second), (second, first))
        ]
        best, one, other = max(rules, key=lambda rule: rule[0])
        if best >= confidence:
            found.add(Pair(one, other, both / len(sets), best))
    return found


@settings(max_examples=25)
@given(
    st.lists(st.sets(st.sampled_from("abcdef"), min_size=1), min_size=1, max_size=12),
    st.sampled_from([0.1, 0.3, 0.5, 0.9]),
    st.sampled_from([0.2, 0.6, 1.0]),
)
def test_pairs_are_equal_to_counting(
    sets: list[set[str]], support: float, confidence: float
) -> None:
    found = strong_pairs(sets, support, confidence)
    assert len(found) == len(set(found))
    assert set(found) == slow_pairs(sets, support, confidence)
    assert [pair.support for pair in found] == sorted((p.support for p in found), reverse=True)


# Neighbours in WordNet: by hand on a farm, and what the shipped WordNet says of storms.


STORM_LABELS = ["severe weather", "storm", "hurricane", "wind", "rain"]


def names(taxonomy: Taxonomy, concepts: set[int]) -> set[str]:
    return {lemma for lemma in taxonomy.lemmas for c in concepts if c in taxonomy.concepts(lemma)}


def carriages() -> Taxonomy:
    """thing > vehicle > car > taxi; a wheel (a thing) is a part of a car."""
    senses = {"thing": [0], "vehicle": [1], "car": [2], "taxi": [3], "wheel": [4]}
    return build_taxonomy(senses, {0: [], 1: [0], 2: [1], 3: [2], 4: [0]}, {4: [2]})


def test_what_is_near_and_where_it_stands() -> None:
    taxonomy = farm()
    dog = concept(taxonomy, "dog")
    one = {"animal", "pet", "puppy"}
    assert names(taxonomy, neighbours.near(taxonomy, dog, 1)) == one
    two = {"object", "entity", "cat", "horse", "cow", "goat", "sheep"}
    assert names(taxonomy, neighbours.near(taxonomy, dog)) == one | two
    taxonomy = carriages()
    car, taxi, wheel, thing = (concept(taxonomy, n) for n in ("car", "taxi", "wheel", "thing"))
    assert neighbours.position(taxonomy, car, car) is Kind.SYNONYM
    assert neighbours.position(taxonomy, taxi, car) is Kind.IS_A
    assert neighbours.position(taxonomy, thing, car) is None
    assert neighbours.position(taxonomy, wheel, car) is Kind.PART_OF
    assert neighbours.position(taxonomy, wheel, taxi) is Kind.COORDINATE
    # 3 * 1^4 + 1 * 0.8^4; 0.5 is not near
    similarities = np.array([[1.0, 0.5], [0.8, 0.6]])
    weights = np.array([3.0, 1.0])
    assert neighbours.fit(similarities, weights) == pytest.approx([3.4096, 0.1296])


def test_neighbours_and_parts() -> None:
    around = NeighbourFinder(farm(), {})
    hound, puppy = around.find({"dog": concept(farm(), "dog")}, ["dog"])
    assert (hound.label, hound.place, hound.similarity) == ("hound", Kind.SYNONYM, 1.0)
    # puppy is one edge away; the common ancestor, dog, lies two edges below entity
    assert puppy.similarity == pytest.approx(exp(-0.2) * tanh(0.6 * 2))
    assert (puppy.label, puppy.host, puppy.place) == ("puppy", "dog", Kind.IS_A)
    # parts join where texts name them
    taxonomy = carriages()
    car = {"car": concept(taxonomy, "car")}
    assert "wheel" not in [each.label for each in NeighbourFinder(taxonomy, {}).find(car, ["car"])]
    found = {
        each.label: each for each in NeighbourFinder(taxonomy, {"wheel": 1}).find(car, ["car"])
    }
    assert found["wheel"].place is Kind.PART_OF
    assert found["wheel"].similarity == pytest.approx(exp(-0.2) * tanh(0.6 * 2))


def proposals(counts: dict[str, int]) -> dict[str, Proposal]:
    around = NeighbourFinder(shipped().nouns, counts)
    found = neighbours.neighbour_proposals(
        around, STORM_LABELS, STORM_LABELS[0], ["storm", "hurricane"]
    )
    return {each.label: each for each in found}


def test_what_wordnet_says_of_storms() -> None:
    found = proposals({"tornado": 3})
    assert (found["tornado"].parent, found["tornado"].kind) == ("hurricane", Kind.COORDINATE)
    assert (found["blizzard"].parent, found["blizzard"].kind) == ("storm", Kind.IS_A)
    assert (found["rainfall"].parent, found["rainfall"].kind) == ("rain", Kind.SYNONYM)
    assert found["blizzard"].origin == 'WordNet: a kind of "storm" (similarity 0.82)'
    assert not found.keys() & set(STORM_LABELS)
    # general names join only where texts use them
    assert not proposals({}).keys() & {"atmospheric phenomenon", "weather"}
    assert proposals({"weather": 1})["weather"].parent in STORM_LABELS
    # above hurricane, but a kind of storm
    assert proposals({})["windstorm"].parent == "storm"
    hosts = [each.parent for each in proposals({}).values()]
    assert max(hosts.count(host) for host in hosts) == 5  # one concept brings no more


def test_what_lies_between_and_relations_of_what_is_there() -> None:
    around = NeighbourFinder(shipped().nouns, {"shore": 4})
    found = list(neighbours.neighbour_proposals(around, ["seaside", "coast"], "seaside", ["coast"]))
    shore = next(each for each in found if each.label == "shore")
    assert (shore.parent, shore.kind) == ("seaside", Kind.IS_A)
    assert shore.origin.startswith('WordNet: "coast" is a kind of it')
    # nothing goes above the topic
    assert "shore" not in [
        p.label for p in neighbours.neighbour_proposals(around, ["coast"], "coast")
    ]
    around = NeighbourFinder(shipped().nouns, {})
    assert around.senses(["xyzzy", "severe weather"]) == {}
    assert list(neighbours.neighbour_proposals(around, ["xyzzy"], "xyzzy")) == []
    labels = ["storm", "hurricane", "windstorm", "atlantic", "atlantic ocean"]
    known = neighbours.known_relations(around.nouns, around.senses(labels))
    assert {(each.label, each.parent, each.kind) for each in known} == {
        ("hurricane", "windstorm", Kind.IS_A),  # and not below storm as well
        ("windstorm", "storm", Kind.IS_A),
        ("atlantic ocean", "atlantic", Kind.SYNONYM),
    }
