"""Text models by name: how similar is a text to the topic? VSM, SSRM, SVSM, soft SVSM, ...

Parameters that several share:

* ``terms``: topic terms, 40 as in sdvsm (two from each of twenty pages);
* ``topic``: "merged", one vector for keywords and example pages, or "pages", one for each;
* ``measure``: how similar two words are, a name of ``semantics.table.MEASURES``;
* ``lso``: the common ancestor that counts, "informative" or "deepest"; for the measures by
  information content (lin, resnik, jiang-conrath), the others do not ask;
* ``floor``: similarities of words below it are 0;
* ``power``: similarities of words are raised to it, so that they fade with distance.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.parameters import Parameters, Value, checked, keyword_parameters
from scenthound.core.registry import Registry
from scenthound.relevance.disambiguated import DisambiguatedModel
from scenthound.relevance.likeness import Likeness
from scenthound.relevance.ssrm import Ssrm
from scenthound.relevance.vsm import VectorSpaceModel
from scenthound.semantics.senses import FLOOR
from scenthound.strategies.concept_models import ONTOLOGY, ontology, subject_words
from scenthound.strategies.ingredients import Ingredients
from scenthound.strategies.model_scorer import TextModel
from scenthound.strategies.sentence_models import sentences, sentences_light
from scenthound.strategies.text_forms import (
    plain_model,
    soft_form,
    svsm_form,
    term_similarity,
    within_0_and_1,
)
from scenthound.strategies.vector_models import bsvsm, elmo, word2vec
from scenthound.topics.ambiguity import FuzzyCriterion, PopularityCriterion
from scenthound.topics.coverage import TERMS
from scenthound.topics.learning_graph import GraphPlan
from scenthound.topics.model import MERGED

SENSES = ("vouched", "all")
NEURAL = "neural"
"""The extra that brings PyTorch, transformers, gensim and the weights of MiniLM."""


def vsm(ingredients: Ingredients) -> TextModel:
    """The cosine of TF-IDF vectors. The model has no parameters: others are measured beside it."""
    return VectorSpaceModel(ingredients.briefing, ingredients.analyzer)


def ssrm(
    ingredients: Ingredients, *, floor: float = 0.0, terms: int = TERMS,
    topic: str = MERGED, measure: str = "lin", lso: str = "informative",
) -> TextModel:  # fmt: skip
    """SSRM (sdvsm Eq. 18); similarities below ``floor`` are 0 (ours)."""
    within_0_and_1(floor=floor)
    similarity = term_similarity(ingredients, measure, lso)
    form = Ssrm(Likeness(similarity, ingredients.analyzer.vocabulary, floor))
    return plain_model(ingredients, form, terms, topic)


def svsm(
    ingredients: Ingredients, *, terms: int = TERMS, topic: str = MERGED,
    measure: str = "lin", lso: str = "informative",
) -> TextModel:  # fmt: skip
    """SVSM (sdvsm Eq. 19, svsm-mcoa Eq. 1-3) on WordNet, in every sense of the words."""
    return plain_model(ingredients, svsm_form(ingredients, measure, lso), terms, topic)


def soft_svsm(
    ingredients: Ingredients, *, floor: float = FLOOR, power: float = 4.0, terms: int = TERMS,
    topic: str = MERGED, measure: str = "lin", lso: str = "informative",
) -> TextModel:  # fmt: skip
    """Soft SVSM (ours) on WordNet."""
    form = soft_form(ingredients, measure, lso, floor, power)
    return plain_model(ingredients, form, terms, topic)


def sdvsm(
    ingredients: Ingredients, *, terms: int = TERMS, topic: str = MERGED,
    measure: str = "lin", lso: str = "informative", per_page: int = 2, idf: str = "literal",
    results: int = 20, ti: str = "literal", membership: str = "piecewise-linear",
    inference: str = "mamdani", defuzzification: str = "maximum", degree: float = 0.0,
) -> TextModel:  # fmt: skip
    """Disambiguation graph, then SVSM (sdvsm Eq. 10-20).

    ``per_page`` terms of each example page, by ``idf`` "literal" or "smooth", are nodes;
    ``results`` pages are looked at for a query; ``ti`` is the form of the topic importance,
    "literal" or "share"; ``membership``, ``inference`` and ``defuzzification`` are those of the
    fuzzy inference (they move ambiguity values, not which terms are ambiguous); companions
    of a term reach the co-occurrence ``degree``, 0 for the mean of the term's degrees.
    """
    if results < 1:
        raise SettingsError(f"a query of {results} results finds nothing; give 1 or more.")
    within_0_and_1(degree=degree)
    criterion = FuzzyCriterion(
        membership=membership, inference=inference, defuzzification=defuzzification
    )
    plan = GraphPlan(per_page, idf, results, ti, criterion, threshold=degree or None)
    return DisambiguatedModel(
        ingredients.briefing, ingredients.analyzer, svsm_form(ingredients, measure, lso),
        plan, terms, topic, seed=ingredients.rng.randrange(2**31),
    )  # fmt: skip


def soft_sdvsm(
    ingredients: Ingredients, *, floor: float = FLOOR, power: float = 4.0, terms: int = TERMS,
    topic: str = MERGED, measure: str = "lin", lso: str = "informative", senses: str = "vouched",
    per_page: int = 5, least: float = 1.0,
) -> TextModel:  # fmt: skip
    """Soft SVSM with words taken in the senses that fit the topic (ours).

    Topic terms count in the WordNet senses that other topic terms vouch for (``senses``
    "vouched") or in "all"; on a page, an ambiguous term counts as far as its companions are
    there. ``per_page`` terms of each example page are nodes of the graph; a term is ambiguous
    when its topic popularity (relevant pages that hold it over irrelevant ones) is below
    ``least``, so that 0 does without the graph. Links are read as they stand: their texts are
    short, and the company of a page's words is not theirs.
    """
    if senses not in SENSES:
        raise UnknownNameError("choice of senses", senses, SENSES)
    if not 0.0 <= least < math.inf:
        raise SettingsError(f"least is a topic popularity, a number from 0 on, not {least}.")
    plan = GraphPlan(
        per_page=per_page, results=None, criterion=PopularityCriterion(least), rule="evidence"
    )
    return DisambiguatedModel(
        ingredients.briefing, ingredients.analyzer,
        soft_form(ingredients, measure, lso, floor, power, vouched=senses == "vouched"),
        plan, terms, topic, seed=ingredients.rng.randrange(2**31), links_too=False,
    )  # fmt: skip


@dataclass(frozen=True)
class TextModelRecipe:
    """One row: name -> text model."""

    name: str
    build: Callable[..., TextModel]
    """Called with the ingredients and, by keyword, its parameters."""
    summary: str
    extra: str = ""
    """The extra of the package that it needs; "" for none."""

    @property
    def parameters(self) -> dict[str, Value]:
        """What may be set, with the defaults."""
        return keyword_parameters(self.build)

    def check(self, parameters: Parameters) -> dict[str, Value]:
        """``parameters`` with their types put right; an error names the key and what it takes."""
        return checked("model", self.name, parameters, self.parameters)

    def model(self, ingredients: Ingredients, parameters: Parameters) -> TextModel:
        """A fresh model."""
        try:
            return self.build(ingredients, **self.check(parameters))
        except SettingsError as error:
            raise SettingsError(f"model {self.name!r}: {error}") from None


TEXT_MODELS: Registry[TextModelRecipe] = Registry(
    "model",
    (
        TextModelRecipe("vsm", vsm, "cosine of TF-IDF vectors"),
        TextModelRecipe("ssrm", ssrm, "SSRM on WordNet"),
        TextModelRecipe("svsm", svsm, "SVSM on WordNet"),
        TextModelRecipe("soft-svsm", soft_svsm, "WordNet similarity that fades"),
        TextModelRecipe("sdvsm", sdvsm, "SVSM after a disambiguation graph"),
        TextModelRecipe("soft-sdvsm", soft_sdvsm, "soft-svsm in the senses that fit the topic"),
        TextModelRecipe("word2vec", word2vec, "SVSM on word2vec vectors", NEURAL),
        TextModelRecipe("elmo", elmo, "SVSM on ELMo vectors", NEURAL),
        TextModelRecipe("bsvsm", bsvsm, "SVSM on BERT vectors", NEURAL),
        TextModelRecipe("sentences", sentences, "one vector for a text: MiniLM", NEURAL),
        TextModelRecipe("sentences-light", sentences_light, "the mean of static vectors"),
        TextModelRecipe("subject-words", subject_words, "the keywords, all alike"),
        TextModelRecipe("ontology", ontology, "the concepts of an ontology", ONTOLOGY),
    ),
)
