"""A topic put together from its parts, over a WordNet of a dozen concepts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scenthound.core.errors import InputError
from scenthound.core.model import Document, TopicProfile
from scenthound.crawler.topic_summary import (
    AmbiguousTerm,
    DisambiguationTerm,
    TopicSummary,
    ambiguous_terms,
    summarize_topic,
)
from scenthound.papers.disambiguation import DisambiguationGraph, GraphTerms
from scenthound.similarity.topic_senses import Sense
from scenthound.text.analyzer import Analyzer
from scenthound.text.wordnet import WordNet
from scenthound.text.wordnet_files import load_wordnet, shipped
from text.wordnet_building import write


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
    documents = tuple(Document(text=page) for page in pages)
    return summarize_topic(
        TopicProfile("t", keywords, documents, language),
        Analyzer(language, wordnet, keywords),
        examples_given=2,
        most=most,
    )


def hand_made() -> DisambiguationGraph:
    """ "bank" goes with river (0.5) and loan (0.25); "loan" was never seen with river."""
    degrees = np.array([[0.0, 0.5, 0.25], [0.5, 0.0, 0.0], [0.25, 0.0, 0.0]])
    nodes = GraphTerms(
        np.arange(3, dtype=np.int32), ("bank", "river", "loan"), np.ones(3), np.ones(3, np.int32)
    )
    ambiguous = np.array([True, False, True])
    company = ~np.eye(3, dtype=np.bool_) & ambiguous[:, None]
    values = np.array([15.0, 10.0, 20.0])
    return DisambiguationGraph(nodes, degrees, np.zeros((3, 3)), values, ambiguous, company)


def test_the_topic_decides_what_a_word_means(wordnet: WordNet) -> None:
    cases: list[tuple[str, Sense]] = [
        ("wolf", Sense(("pack", "dog", "domestic dog"), ("animal", "pet"))),
        ("species", Sense(("pack", "group"), ("entity",))),
    ]
    for company, sense in cases:
        terms = {term.term: term for term in understood(wordnet, "pack", company).terms}
        assert terms["pack"].senses == 2 and terms[company].senses == 1
        assert terms["pack"].sense == sense


def test_a_word_outside_wordnet_has_no_sense_and_is_told(wordnet: WordNet) -> None:
    topic = understood(wordnet, "storm", "severe gale")
    assert topic.unknown == ("gale", "severe", "severe gale")
    assert [(t.term, t.senses, t.sense) for t in topic.terms if t.term == "gale"] == [
        ("gale", 0, None)
    ]
    phrase = topic.keywords[1]
    assert (phrase.nouns, phrase.others) == ((), ("severe", "gale"))


def test_what_a_word_means_does_not_depend_on_how_many_are_told(wordnet: WordNet) -> None:
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


def test_pages_wordnet_and_graph_are_told(wordnet: WordNet, tmp_path: Path) -> None:
    topic = understood(wordnet, "storm", pages=("A tempest.",))
    assert (topic.examples, topic.examples_given, topic.graph_origin) == (1, 2, None)
    assert topic.wordnet == f"3.0, {wordnet.origin}"
    assert [term.term for term in topic.terms] == ["storm", "tempest"]
    assert topic.ambiguous == ()


def test_ambiguous_terms_come_with_their_company() -> None:
    assert ambiguous_terms(hand_made()) == (
        AmbiguousTerm("loan", 20.0, (DisambiguationTerm("bank", 0.25),)),
        AmbiguousTerm(
            "bank", 15.0, (DisambiguationTerm("river", 0.5), DisambiguationTerm("loan", 0.25))
        ),
    )


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
