"""Text models by vectors of words: SVSM and soft SVSM over word2vec, ELMo and BERT (bsvsm-ha).

bsvsm-ha does not say which text model carries the word2vec and ELMo vectors of its rivals: SVSM,
as for BERT, is our reading. Parameters that several share:

* ``form``: "svsm" as the paper prints it, or "soft", soft SVSM (ours);
* ``floor``: similarities of words below it are 0;
* ``power``: similarities of words are raised to it, so that they fade with distance;
* ``context``: whether a word is read in the company it has on its page, as the paper asks, or
  alone;
* ``every``: pages after which a model that the crawl trains itself is trained again;
* ``device``: "auto" for the GPU where there is one, "cpu", "cuda", ...
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.model import Document
from scenthound.core.protocols import State
from scenthound.relevance.soft_svsm import SoftSvsm
from scenthound.relevance.svsm import Svsm
from scenthound.relevance.vector_model import FormOf, VectorModel
from scenthound.semantics.isolated import Isolating
from scenthound.semantics.meaning import Alone, InCompany, Meaning
from scenthound.semantics.word_sources import Given, Learnt, WordSource
from scenthound.strategies.equipping import on_device, remembered_words, warn_of_language
from scenthound.strategies.ingredients import Ingredients
from scenthound.strategies.model_scorer import TextModel
from scenthound.strategies.text_forms import within_0_and_1
from scenthound.text.analyzer import Analyzer
from scenthound.topics.coverage import TERMS
from scenthound.topics.model import MERGED
from scenthound.vectors.bert import load_bert
from scenthound.vectors.elmo_encoder import check_layer, rebuild_elmo
from scenthound.vectors.elmo_loading import load_elmo
from scenthound.vectors.elmo_training import train_elmo
from scenthound.vectors.extra import require
from scenthound.vectors.protocols import Equipment, VectorCache, WordEncoder, WordVectors
from scenthound.vectors.torch_device import chosen_device
from scenthound.vectors.training import EVERY, Model, Retrained
from scenthound.vectors.training_sample import Passage
from scenthound.vectors.vector_file import load_word_vectors
from scenthound.vectors.word2vec import (
    DIMENSIONS,
    check_training,
    rebuild_word2vec,
    train_word2vec,
)

Train = Callable[[Sequence[Passage], int], Model]
ELMO_EVERY = 500
"""Pages from one training of ELMo to the next: each takes half a minute and more."""
FORMS: dict[str, FormOf] = {"svsm": Svsm, "soft": SoftSvsm}


def word2vec(
    ingredients: Ingredients, *, vectors: str = "", every: int = EVERY,
    dimensions: int = DIMENSIONS, architecture: str = "skip-gram", form: str = "svsm",
    floor: float = 0.0, power: float = 1.0, terms: int = TERMS, topic: str = MERGED,
) -> TextModel:  # fmt: skip
    """SVSM on word2vec vectors (bsvsm-ha IV.A).

    ``vectors`` is a file of word2vec, GloVe or fastText vectors. Without one, vectors of so many
    ``dimensions`` are trained on the example pages, and again as pages are fetched;
    ``architecture`` is "skip-gram" or "cbow".
    """
    source = _word2vec_source(ingredients, vectors, every, dimensions, architecture)
    return _model(ingredients, Alone(source), form, floor, power, terms, topic)


def elmo(
    ingredients: Ingredients, *, options: str = "", weights: str = "", layer: str = "mean",
    every: int = ELMO_EVERY, context: bool = True, form: str = "svsm", floor: float = 0.0,
    power: float = 1.0, terms: int = TERMS, topic: str = MERGED, device: str = "auto",
) -> TextModel:  # fmt: skip
    """SVSM on ELMo vectors (bsvsm-ha IV.A).

    ``options`` and ``weights`` are the two files of a published model. Without them a small one
    is trained on the example pages, and again as pages are fetched. ``layer`` is "mean" of all
    layers or "top".
    """
    equipment = on_device(ingredients.equipment, device)
    source = _elmo_source(ingredients, equipment, options, weights, layer, every)
    cache = equipment.cache if weights else None  # what the crawl trains is of no use to others
    meaning = _meaning(ingredients, source, context, cache)
    return _model(ingredients, meaning, form, floor, power, terms, topic)


def bsvsm(
    ingredients: Ingredients, *, model: str = "", context: bool = True, form: str = "svsm",
    floor: float = 0.0, power: float = 1.0, terms: int = TERMS, topic: str = MERGED,
    device: str = "auto",
) -> TextModel:  # fmt: skip
    """SVSM on BERT vectors (bsvsm-ha Eq. 1-4).

    ``model`` is a folder with a BERT model, or the name of one on the hub for those who have a
    network; without it the MiniLM that is installed.
    """
    equipment = on_device(ingredients.equipment, device)
    warn_of_language(ingredients, model)
    source = Given(load_bert(model, equipment=equipment))
    meaning = _meaning(ingredients, source, context, equipment.cache)
    return _model(ingredients, meaning, form, floor, power, terms, topic)


def _model(
    ingredients: Ingredients, meaning: Meaning, form: str, floor: float, power: float,
    terms: int, topic: str,
) -> VectorModel:  # fmt: skip
    if form not in FORMS:
        raise UnknownNameError("form", form, FORMS)
    within_0_and_1(floor=floor)
    if not 0.0 < power < math.inf:
        raise SettingsError(f"power must be a number above 0, not {power}.")
    briefing, analyzer = ingredients.briefing, ingredients.analyzer
    return VectorModel(briefing, analyzer, FORMS[form], meaning, floor, power, terms, topic)


def _meaning(
    ingredients: Ingredients, source: WordSource[WordEncoder], context: bool,
    cache: VectorCache | None,
) -> Meaning:  # fmt: skip
    """Words in company, or each alone."""
    if context:
        return InCompany(source, ingredients.briefing, ingredients.analyzer, cache=cache)
    return Alone(Isolating(source, partial(remembered_words, cache=cache)))


def _word2vec_source(
    ingredients: Ingredients, vectors: str, every: int, dimensions: int, architecture: str
) -> WordSource[WordVectors]:
    """The vectors of a file, or those of the pages of the crawl."""
    if vectors:
        return Given(load_word_vectors(vectors))
    require("gensim", "word2vec")
    check_training(dimensions, architecture=architecture)
    train = partial(train_word2vec, dimensions=dimensions, architecture=architecture)
    return _learnt(ingredients, train, rebuild_word2vec, every, _terms_in_order)


def _elmo_source(
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
    return _learnt(ingredients, train, rebuild, every, _words_in_order)


def _learnt(
    ingredients: Ingredients, train: Train[Model], rebuild: Callable[[State], Model], every: int,
    words: Callable[[Analyzer, Document], list[str]],
) -> Learnt[Model]:  # fmt: skip
    """A model of the example pages, and of the pages that are fetched."""
    passages = partial(_passages, words, ingredients.analyzer)
    examples = [passages(page) for page in ingredients.briefing.examples]
    seed = ingredients.rng.randrange(2**31)
    return Learnt(Retrained(train, rebuild, examples, every=every, seed=seed), passages)


def _passages(
    words: Callable[[Analyzer, Document], list[str]], analyzer: Analyzer, page: Document
) -> list[list[str]]:
    return [words(analyzer, page)]


def _words_in_order(analyzer: Analyzer, page: Document) -> list[str]:
    """All words of a page: a model that reads company needs the small ones too."""
    return analyzer.reader(page).occurrences(page.full).words


def _terms_in_order(analyzer: Analyzer, page: Document) -> list[str]:
    """The terms of a page that are one word: what its texts will be compared by."""
    found = analyzer.reader(page).occurrences(page.full)
    return analyzer.vocabulary.terms(found.terms[found.lengths == 1].tolist())
