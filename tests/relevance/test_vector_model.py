"""SVSM over vectors of words: the printed example, pages, training and resuming."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from relevance.weighing import similarities
from scenthound.core.errors import SettingsError
from scenthound.core.model import Briefing, Document
from scenthound.core.protocols import State
from scenthound.relevance.soft_svsm import SoftSvsm
from scenthound.relevance.svsm import Svsm
from scenthound.relevance.vector_likeness import VectorLikeness
from scenthound.relevance.vector_model import VectorModel
from scenthound.semantics.meaning import Alone, InCompany
from scenthound.semantics.vector_similarity import Table
from scenthound.semantics.word_sources import Given, Learnt
from scenthound.text.analyzer import Analyzer
from scenthound.text.vocabulary import Vocabulary
from scenthound.vectors.protocols import Vectors
from scenthound.vectors.training import Retrained
from semantics.told_vectors import ToldReader, ToldWords

TOPIC = Briefing("rivers", ("river",), ())
VECTORS = {"river": (1.0, 0.0), "stream": (1.0, 1.0), "money": (0.0, 1.0), "bank": (0.0, 0.0)}


class Printed:
    """The similarities of bsvsm-ha Fig. 2."""

    def similarities(self, terms: Sequence[str], topic_terms: Sequence[str]) -> Table:
        told = {"d1t1": 0.85, "d1t2": 0.40, "d2t1": 0.99, "d2t2": 0.84}
        return np.array([[told[d + t] for t in topic_terms] for d in terms], np.float32)

    def among(self, topic_terms: Sequence[str]) -> Table:
        return np.eye(len(topic_terms), dtype=np.float32)


def test_the_printed_example() -> None:
    """bsvsm-ha Fig. 2 by its own Eq. 4: 0.869. (Its 0.92 uses a wrong row of similarities.)"""
    vocabulary = Vocabulary()
    form = Svsm(VectorLikeness(Printed(), vocabulary))
    text, topic = {"d1": 0.32, "d2": 1.18}, {"t1": 0.84, "t2": 0.52}
    assert similarities(form, [text], [topic], vocabulary) == pytest.approx([0.869], abs=5e-4)


def test_words_that_mean_the_same_everywhere() -> None:
    """One topic term and one word: SVSM is 1 whatever their similarity; soft SVSM is s^power."""
    analyzer = Analyzer()
    meaning = Alone(Given(ToldWords(VECTORS)))
    plain = VectorModel(TOPIC, analyzer, Svsm, meaning)
    soft = VectorModel(TOPIC, analyzer, SoftSvsm, meaning, floor=0.5, power=2.0)
    page = Document()
    assert plain.similarities(["stream", "money", ""], page) == pytest.approx([1.0, 0.0, 0.0])
    assert soft.similarities(["stream", "river"], page) == pytest.approx([0.5, 1.0], abs=1e-3)


def test_words_that_mean_what_the_page_makes_of_them() -> None:
    """Bank alone has no vector; after river it gets the half of river's, after money of money's."""
    analyzer = Analyzer()
    topic = Briefing("banks", ("river bank",), ())
    model = VectorModel(
        topic, analyzer, SoftSvsm, InCompany(Given(ToldReader(VECTORS)), topic, analyzer)
    )
    wet, dry = Document(text="river bank"), Document(text="money bank")
    for _ in range(2):  # whatever page was read before
        assert model.similarities(["bank"], wet)[0] > 0.5
        assert model.similarities(["bank"], dry) == [0.0]


class Counting:
    """A training that notes how many passages it saw: its only word grows more like a river."""

    name = "counting"
    dimensions = 2

    def __init__(self, passages: int) -> None:
        self.passages = passages

    def look_up(self, words: Sequence[str]) -> Vectors:
        vectors = {"river": (1.0, 0.0), "stream": (float(self.passages), 1.0)}
        return np.array([vectors.get(word, (0.0, 0.0)) for word in words], np.float32)

    def state(self) -> State:
        return {"passages": self.passages}


def trained_model(trainings: list[int]) -> VectorModel:
    def train(passages: object, seed: int) -> Counting:
        assert isinstance(passages, list)
        trainings.append(len(passages))
        return Counting(len(passages))

    def rebuild(state: State) -> Counting:
        passages = state["passages"]
        assert isinstance(passages, int)
        return Counting(passages)

    retrained = Retrained(train, rebuild, [[["river"]]], every=2)
    source = Learnt(retrained, lambda page: [page.text.split()])
    return VectorModel(TOPIC, Analyzer(), SoftSvsm, Alone(source))


def test_a_model_that_is_trained_again_compares_anew() -> None:
    """Stream is (1, 1) after one passage, and (3, 1) after three."""
    trainings: list[int] = []
    model = trained_model(trainings)
    assert model.similarities(["stream"], Document()) == pytest.approx([2**-0.5], abs=1e-3)
    for text in ("one page", "another page"):
        model.learn(Document(text=text))
    assert model.similarities(["stream"], Document()) == pytest.approx([3 / 10**0.5], abs=1e-3)
    assert trainings == [1, 3]


def test_a_resumed_model_answers_alike_and_trains_nothing() -> None:
    model = trained_model([])
    for text in ("one page", "another page", "a third"):
        model.learn(Document(text=text))
    trainings: list[int] = []
    resumed = trained_model(trainings)
    resumed.restore(model.state())
    texts = ["stream", "river stream", "page"]
    assert resumed.similarities(texts, Document()) == model.similarities(texts, Document())
    assert trainings == []


def test_a_crawl_does_not_go_on_with_another_model() -> None:
    class Other(ToldWords):
        name = "other"

    def with_words(words: ToldWords) -> VectorModel:
        return VectorModel(TOPIC, Analyzer(), SoftSvsm, Alone(Given(words)))

    state = with_words(ToldWords(VECTORS)).state()
    with_words(ToldWords(VECTORS)).restore(state)
    with pytest.raises(SettingsError, match="began with another model, told, than"):
        with_words(Other(VECTORS)).restore(state)
