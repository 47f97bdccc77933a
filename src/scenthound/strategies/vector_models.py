"""Text models by vectors of words and of whole texts (bsvsm-ha): word2vec, ELMo, BERT, sentences.

bsvsm-ha does not say which text model carries the word2vec and ELMo vectors of its rivals: SVSM,
as for BERT, is our reading. One vector for a whole text is its future work. Parameters that several
share:

* ``form``: "svsm" as the paper prints it, or "soft", soft SVSM (ours);
* ``floor``: similarities of words below it are 0;
* ``power``: similarities of words are raised to it, so that they fade with distance;
* ``context``: whether a word is read in the company it has on its page, as the paper asks, or
  alone;
* ``every``: pages after which a model that the crawl trains itself is trained again;
* ``nearest``: with the topic by "pages", how many nearest ones count, in the mean;
* ``lead``: characters of a page's text that are read, after its title;
* ``device``: "auto" for the GPU where there is one, "cpu", "cuda", ...
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from scenthound.core.errors import SettingsError
from scenthound.core.model import Document
from scenthound.core.parameters import Parameters, Value, check_name, check_unit_interval
from scenthound.core.protocols import State
from scenthound.papers.elmo import LAYERS, load_elmo, rebuild_elmo
from scenthound.papers.elmo_training import train_elmo
from scenthound.similarity import encoders, training
from scenthound.similarity import text_models as models
from scenthound.similarity.bert import load_bert
from scenthound.similarity.link_priority import TextModel
from scenthound.similarity.sentence_models import LEAD, NEAREST, SentenceModel, load_static
from scenthound.similarity.vector_files import load_word_vectors
from scenthound.similarity.vector_similarity import (
    ContextualSimilarity,
    IsolatedWords,
    VectorSimilarity,
    WordSimilarity,
)
from scenthound.similarity.word2vec import (
    DIMENSIONS,
    check_training,
    rebuild_word2vec,
    train_word2vec,
)
from scenthound.strategies.spec import StrategyContext
from scenthound.text.analyzer import Analyzer
from scenthound.text.rules import is_english

ELMO_EVERY = 500
"""Pages from one training of ELMo to the next: each takes half a minute and more."""
FORMS: dict[str, models.FormOf] = {"svsm": models.Svsm, "soft": models.SoftSvsm}
_FILES = frozenset({"model", "vectors", "options", "weights"})
"""Parameters that name a file or a folder, or may do so."""


def absolute_paths(parameters: Parameters) -> dict[str, Value]:
    """Files and folders by their absolute path, so that a crawl can be resumed from anywhere.

    A path that does not exist stays as it is: it may be the name of a model on the hub.
    """
    return {
        key: str(Path(str(value)).expanduser().resolve())
        if key in _FILES and value and Path(str(value)).expanduser().exists()
        else value
        for key, value in parameters.items()
    }


def word2vec(
    setup: StrategyContext, *, vectors: str = "", every: int = training.EVERY,
    dimensions: int = DIMENSIONS, architecture: str = "skip-gram", form: str = "svsm",
    floor: float = 0.0, power: float = 1.0, terms: int = models.TERMS, topic: str = models.MERGED,
) -> TextModel:  # fmt: skip
    """SVSM on word2vec vectors (bsvsm-ha IV.A).

    ``vectors`` is a file of word2vec, GloVe or fastText vectors. Without one, vectors of so many
    ``dimensions`` are trained on the example pages, and again as pages are fetched;
    ``architecture`` is "skip-gram" or "cbow".
    """
    source: training.WordSource
    if vectors:
        source = training.PretrainedSource(load_word_vectors(vectors))
    else:
        encoders.require("gensim", "word2vec")
        check_training(dimensions, architecture)
        train = partial(train_word2vec, dimensions=dimensions, architecture=architecture)
        source = _trained_source(setup, train, rebuild_word2vec, every, _terms_in_order)
    model = _model(setup, source, VectorSimilarity, form, floor, power, terms, topic)
    if vectors:
        _warn_about_missing_vectors(setup, source.newest(), list(model.topic.vector), vectors)
    return model


def elmo(
    setup: StrategyContext, *, options: str = "", weights: str = "", layer: str = "mean",
    every: int = ELMO_EVERY, context: bool = True, form: str = "svsm", floor: float = 0.0,
    power: float = 1.0, terms: int = models.TERMS, topic: str = models.MERGED, device: str = "auto",
) -> TextModel:  # fmt: skip
    """SVSM on ELMo vectors (bsvsm-ha IV.A).

    ``options`` and ``weights`` are the two files of a published model. Without them a small one
    is trained on the example pages, and again as pages are fetched. ``layer`` is "mean" of all
    layers or "top".
    """
    runtime = _on_device(setup, device)
    if bool(options) != bool(weights):
        raise SettingsError("an ELMo model is two files: give both options and weights.")
    source: training.WordSource
    if options:
        files = (Path(options), Path(weights))
        source = training.PretrainedSource(load_elmo(*files, equipment=runtime, layer=layer))
    else:
        encoders.require("torch", "ELMo")
        check_name("layer of ELMo", layer, LAYERS)
        encoders.chosen_device(runtime.device)
        setup.equipment.warn(
            "ELMo is trained on the pages of the crawl, now and then; for half a minute each time "
            "the crawl waits"
        )
        train = partial(train_elmo, layer=layer, equipment=runtime)
        rebuild = partial(rebuild_elmo, equipment=runtime)
        source = _trained_source(setup, train, rebuild, every, _words_in_order)
    # Vectors of a model that this crawl trains are of no use to other crawls.
    compare = _comparison(setup, context, runtime.cache if weights else None)
    return _model(setup, source, compare, form, floor, power, terms, topic)


def bsvsm(
    setup: StrategyContext, *, model: str = "", context: bool = True, form: str = "svsm",
    floor: float = 0.0, power: float = 1.0, terms: int = models.TERMS, topic: str = models.MERGED,
    device: str = "auto",
) -> TextModel:  # fmt: skip
    """SVSM on BERT vectors (bsvsm-ha Eq. 1-4).

    ``model`` is a folder with a BERT model, or the name of one on the hub for those who have a
    network; without it the MiniLM that is installed.
    """
    runtime = _on_device(setup, device)
    if not model:
        _warn_about_language(setup, "MiniLM was")
    source = training.PretrainedSource(load_bert(model, equipment=runtime))
    compare = _comparison(setup, context, runtime.cache)
    return _model(setup, source, compare, form, floor, power, terms, topic)


def sentences(
    setup: StrategyContext, *, topic: str = models.PAGES, nearest: int = NEAREST, lead: int = LEAD,
    model: str = "", device: str = "auto",
) -> TextModel:  # fmt: skip
    """Vectors of a sentence model: MiniLM, or the BERT ``model`` in a folder or on the hub."""
    if not model:
        _warn_about_language(setup, "MiniLM was")
    encoder = sentence_encoder(_on_device(setup, device), model)
    return SentenceModel(setup.profile, encoder, topic, lead, nearest)


def sentence_encoder(runtime: encoders.ModelRuntime, model: str = "") -> encoders.CachedEncoder:
    """A BERT model that makes one vector of a text, and reads no text twice."""
    return encoders.CachedEncoder(load_bert(model, equipment=runtime), runtime.cache)


def sentences_light(
    setup: StrategyContext, *, topic: str = models.MERGED, nearest: int = NEAREST, lead: int = LEAD
) -> TextModel:
    """Static vectors, of which a text is the mean: no more to install, and fast."""
    _warn_about_language(setup, "the static vectors were")
    return SentenceModel(setup.profile, load_static(), topic, lead, nearest)


def check_floor_and_power(floor: float, power: float) -> None:
    """SettingsError for a floor or an exponent that similarities of words cannot have."""
    check_unit_interval(floor=floor)
    if not 0.0 < power < math.inf:
        raise SettingsError(f"power must be a number above 0, not {power}.")


def _on_device(setup: StrategyContext, device: str) -> encoders.ModelRuntime:
    """The runtime with the device that a strategy asks for; "auto" leaves it as it is."""
    return setup.equipment if device == "auto" else replace(setup.equipment, device=device)


def _model(
    setup: StrategyContext, source: training.WordSource, compare: Callable[[Any], WordSimilarity],
    form: str, floor: float, power: float, terms: int, topic: str,
) -> models.VectorModel:  # fmt: skip
    check_name("form", form, FORMS)
    check_floor_and_power(floor, power)
    return models.VectorModel(
        setup.profile, setup.analyzer, FORMS[form], source, compare, floor, power, terms, topic
    )


def _comparison(
    setup: StrategyContext, context: bool, cache: encoders.VectorCache | None
) -> Callable[[Any], WordSimilarity]:
    """Compares words in the company of others, or each alone."""
    if context:
        return lambda model: ContextualSimilarity(model, setup.profile, setup.analyzer, cache=cache)
    return lambda model: VectorSimilarity(IsolatedWords(encoders.CachedWords(model, cache)))


# Vectors that the crawl trains itself, on the example pages and on the pages it fetches.


def _trained_source(
    setup: StrategyContext, train: Callable[[Sequence[training.Passage], int], Any],
    rebuild: Callable[[State], Any], every: int, words: Callable[[Analyzer, Document], list[str]],
) -> training.RetrainedModel:  # fmt: skip
    """A model of the example pages, and of the pages that are fetched."""

    def train_and_warn(passages: Sequence[training.Passage], seed: int) -> Any:
        model = train(passages, seed)
        if model.reason:
            setup.equipment.warn(f"words are compared as they are written for now: {model.reason}")
        return model

    def passages(page: Document) -> list[list[str]]:
        return [words(setup.analyzer, page)]

    examples = [passages(page) for page in setup.profile.examples]
    seed = setup.rng.randrange(2**31)
    return training.RetrainedModel(
        train_and_warn, rebuild, examples, every=every, seed=seed, passages=passages
    )


def _words_in_order(analyzer: Analyzer, page: Document) -> list[str]:
    """All words of a page: a model that reads company needs the small ones too."""
    return analyzer.reader(page).occurrences(page.full).words


def _terms_in_order(analyzer: Analyzer, page: Document) -> list[str]:
    """The terms of a page that are one word: what its texts will be compared by."""
    found = analyzer.reader(page).occurrences(page.full)
    return analyzer.vocabulary.terms(found.terms[found.lengths == 1].tolist())


def _warn_about_language(setup: StrategyContext, model: str) -> None:
    """Warn where a model that reads English is used for another language."""
    if not is_english(setup.profile.language):
        setup.equipment.warn(
            f"{model} trained on English, and the topic is in {setup.profile.language!r}; take "
            "sentences with a model for that language (its parameter model), or vsm-mean"
        )


def _warn_about_missing_vectors(
    setup: StrategyContext, words: encoders.WordVectors, terms: Sequence[str], file: str
) -> None:
    """Warn where half of the topic's terms have no vector: the file may not fit the topic."""
    known = int(words.look_up(terms).any(axis=1).sum()) if terms else 0
    if 2 * known < len(terms):
        setup.equipment.warn(
            f"{file} has vectors of {known} of the {len(terms)} terms of the topic; the others are "
            "compared as they are written"
        )
