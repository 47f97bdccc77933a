"""Where the vectors of a strategy's words come from: files that are given, or the crawl itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from scenthound.core.errors import SettingsError
from scenthound.core.model import Document
from scenthound.core.protocols import State
from scenthound.semantics.word_sources import Given, Learnt, WordSource
from scenthound.strategies.ingredients import Ingredients
from scenthound.text.analyzer import Analyzer
from scenthound.vectors.elmo_encoder import check_layer, rebuild_elmo
from scenthound.vectors.elmo_loading import load_elmo
from scenthound.vectors.elmo_training import train_elmo
from scenthound.vectors.extra import require
from scenthound.vectors.protocols import Equipment, WordEncoder, WordVectors
from scenthound.vectors.torch_device import chosen_device
from scenthound.vectors.training import Retrained, Trained
from scenthound.vectors.training_sample import Passage
from scenthound.vectors.vector_file import load_word_vectors
from scenthound.vectors.word2vec import check_training, rebuild_word2vec, train_word2vec

WordsOf = Callable[[Analyzer, Document], list[str]]
"""The words of a page, in order, as a model is trained on them."""


class _Learner(Trained, Protocol):
    """A model that the crawl trains; ``reason`` says why it has learnt nothing, if so."""

    @property
    def reason(self) -> str | None: ...


Learner = TypeVar("Learner", bound=_Learner)
Train = Callable[[Sequence[Passage], int], Learner]


def word2vec_source(
    ingredients: Ingredients, vectors: str, every: int, dimensions: int, architecture: str
) -> WordSource[WordVectors]:
    """The vectors of a file, or those of the pages of the crawl."""
    if vectors:
        return Given(load_word_vectors(vectors))
    require("gensim", "word2vec")
    check_training(dimensions, architecture=architecture)
    train = partial(train_word2vec, dimensions=dimensions, architecture=architecture)
    return _learnt(ingredients, train, rebuild_word2vec, every, _terms_in_order)


def elmo_source(
    ingredients: Ingredients, equipment: Equipment, options: str, weights: str, layer: str,
    every: int,
) -> WordSource[WordEncoder]:  # fmt: skip
    """A published model, or one of the pages of the crawl."""
    if bool(options) != bool(weights):
        raise SettingsError("an ELMo model is two files: give both options and weights.")
    if options:
        files = (Path(options), Path(weights))
        return Given(load_elmo(*files, equipment=equipment, layer=layer))
    require("torch", "ELMo")
    check_layer(layer)
    chosen_device(equipment.device)
    train = partial(train_elmo, layer=layer, equipment=equipment)
    rebuild = partial(rebuild_elmo, equipment=equipment)
    ingredients.equipment.warn(
        "ELMo is trained on the pages of the crawl, now and then; for half a minute each time the "
        "crawl waits"
    )
    return _learnt(ingredients, train, rebuild, every, _words_in_order)


def _learnt(
    ingredients: Ingredients, train: Train[Learner], rebuild: Callable[[State], Learner],
    every: int, words: WordsOf,
) -> Learnt[Learner]:  # fmt: skip
    """A model of the example pages, and of the pages that are fetched."""
    warn = ingredients.equipment.warn

    def telling(passages: Sequence[Passage], seed: int) -> Learner:
        model = train(passages, seed)
        if model.reason:
            warn(f"words are compared as they are written for now: {model.reason}")
        return model

    passages = partial(_passages, words, ingredients.analyzer)
    examples = [passages(page) for page in ingredients.briefing.examples]
    seed = ingredients.rng.randrange(2**31)
    return Learnt(Retrained(telling, rebuild, examples, every=every, seed=seed), passages)


def _passages(words: WordsOf, analyzer: Analyzer, page: Document) -> list[list[str]]:
    return [words(analyzer, page)]


def _words_in_order(analyzer: Analyzer, page: Document) -> list[str]:
    """All words of a page: a model that reads company needs the small ones too."""
    return analyzer.reader(page).occurrences(page.full).words


def _terms_in_order(analyzer: Analyzer, page: Document) -> list[str]:
    """The terms of a page that are one word: what its texts will be compared by."""
    found = analyzer.reader(page).occurrences(page.full)
    return analyzer.vocabulary.terms(found.terms[found.lengths == 1].tolist())
