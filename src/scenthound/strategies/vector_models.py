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
from functools import partial

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.relevance.soft_svsm import SoftSvsm
from scenthound.relevance.svsm import Svsm
from scenthound.relevance.vector_model import FormOf, VectorModel
from scenthound.semantics.isolated import Isolating
from scenthound.semantics.meaning import Alone, InCompany, Meaning
from scenthound.semantics.word_sources import Given, WordSource
from scenthound.strategies.equipping import (
    on_device,
    remembered_words,
    warn_of_gaps,
    warn_of_language,
)
from scenthound.strategies.ingredients import Ingredients
from scenthound.strategies.model_scorer import TextModel
from scenthound.strategies.text_forms import within_0_and_1
from scenthound.strategies.vector_sources import elmo_source, word2vec_source
from scenthound.topics.coverage import TERMS
from scenthound.topics.model import MERGED
from scenthound.vectors.bert import load_bert
from scenthound.vectors.protocols import VectorCache, WordEncoder
from scenthound.vectors.training import EVERY
from scenthound.vectors.word2vec import DIMENSIONS

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
    source = word2vec_source(ingredients, vectors, every, dimensions, architecture)
    model = _model(ingredients, Alone(source), form, floor, power, terms, topic)
    if vectors:
        warn_of_gaps(ingredients, source.newest(), list(model.topic.vector), vectors)
    return model


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
    source = elmo_source(ingredients, equipment, options, weights, layer, every)
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
    if not model:
        warn_of_language(ingredients, "MiniLM was")
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
