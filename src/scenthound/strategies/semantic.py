"""Crawlers that compare texts by meaning: SSRM, SVSM and soft SVSM on WordNet.

Parameters that several share:

* ``terms``: topic terms, 40 as in sdvsm (two from each of twenty pages);
* ``topic``: "merged", one vector for keywords and example pages, or "pages", one for each;
* ``measure``: how similar two words are, a name of ``semantics.table.MEASURES``;
* ``lso``: the common ancestor that counts, "informative" or "deepest"; for the measures by
  information content (lin, resnik, jiang-conrath), the others do not ask;
* ``floor``: similarities of words below it are 0;
* ``power``: similarities of words are raised to it, so that they fade with distance;
* ``balance``: weight of the page's full text; the anchor gets the rest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.protocols import Scorer
from scenthound.lexicon.wordnet import WordNet
from scenthound.relevance.disambiguated import DisambiguatedModel
from scenthound.relevance.likeness import Likeness, TermSimilarity
from scenthound.relevance.model import Form, TopicModel
from scenthound.relevance.soft_svsm import SoftSvsm
from scenthound.relevance.ssrm import Ssrm
from scenthound.relevance.svsm import Svsm
from scenthound.semantics.senses import FLOOR, AllSenses, VouchedSenses
from scenthound.semantics.similarity import TaxonomySimilarity
from scenthound.semantics.table import LSOS, MEASURES
from scenthound.strategies.ingredients import Ingredients
from scenthound.strategies.model_scorer import TextModel
from scenthound.strategies.weighted import TEXTS, WeightedTexts
from scenthound.text.vocabulary import Weights
from scenthound.topics.ambiguity import FuzzyCriterion, PopularityCriterion
from scenthound.topics.coverage import TERMS
from scenthound.topics.learning_graph import GraphPlan
from scenthound.topics.model import MERGED

SENSES = ("vouched", "all")
SOFT_TEXTS = ("full", "anchor", "context")
"""The texts our own crawlers read, chosen by measurement (docs/papers.md)."""


class Lexical:
    """No lexicon: a word is similar to itself alone. For languages WordNet does not describe."""

    index: Mapping[str, int] = {}

    def senses(self, topic: Sequence[str]) -> list[tuple[int, ...]]:
        """No word has any."""
        return [()] * len(topic)

    def to_all(self, word: str, senses: tuple[int, ...]) -> Weights:
        """Nothing to compare with."""
        return np.empty(0)


@lru_cache(maxsize=4)
def _similarity(wordnet: WordNet, measure: str, lso: str) -> TaxonomySimilarity:
    """Prepared once for all crawlers: it does not change."""
    return TaxonomySimilarity(wordnet.nouns, measure, lso)


def term_similarity(
    ingredients: Ingredients, measure: str, lso: str, vouched: float | None = None
) -> TermSimilarity:
    """Similarity of words in the topic's language; with ``vouched`` only in senses that fit."""
    wordnet = ingredients.analyzer.wordnet
    # Looked up here, so that a wrong name is told in every language.
    names = (MEASURES[measure].name, LSOS[lso].name)
    if wordnet is None:
        return Lexical()
    similarity = _similarity(wordnet, *names)
    return AllSenses(similarity) if vouched is None else VouchedSenses(similarity, vouched)


def within_0_and_1(**values: float) -> None:
    """SettingsError for a value that is not."""
    for name, value in values.items():
        if not 0.0 <= value <= 1.0:
            raise SettingsError(f"{name} must lie within 0 and 1, not at {value}.")


def svsm_form(ingredients: Ingredients, measure: str, lso: str) -> Svsm:
    """SVSM over WordNet, in every sense of the words."""
    similarity = term_similarity(ingredients, measure, lso)
    return Svsm(Likeness(similarity, ingredients.analyzer.vocabulary))


def soft_form(
    ingredients: Ingredients, measure: str, lso: str, floor: float, power: float,
    vouched: bool = False,
) -> SoftSvsm:  # fmt: skip
    """Soft SVSM over WordNet, in every sense or in those that fit the topic."""
    within_0_and_1(floor=floor)
    if not 0.0 < power < math.inf:
        raise SettingsError(f"power must be a number above 0, not {power}.")
    similarity = term_similarity(ingredients, measure, lso, floor if vouched else None)
    return SoftSvsm(Likeness(similarity, ingredients.analyzer.vocabulary, floor, power))


def two_texts(model: TextModel, balance: float) -> Scorer:
    """Full text and anchor (sdvsm Eq. 21): ``balance`` for the one, the rest for the other."""
    within_0_and_1(balance=balance)
    return WeightedTexts(model, {"full": balance, "anchor": 1.0 - balance})


def equal_texts(model: TextModel, texts: Sequence[str]) -> Scorer:
    """The same weight for each text."""
    return WeightedTexts(model, dict.fromkeys(texts, 1.0 / len(texts)))


def plain_model(ingredients: Ingredients, form: Form, terms: int, topic: str) -> TopicModel:
    """A model without disambiguation."""
    return TopicModel(ingredients.briefing, ingredients.analyzer, form, terms, topic)


def ssrm(
    ingredients: Ingredients, *, floor: float = 0.0, balance: float = 0.5, terms: int = TERMS,
    topic: str = MERGED, measure: str = "lin", lso: str = "informative",
) -> Scorer:  # fmt: skip
    """SSRM (sdvsm Eq. 18) on full text and anchor; similarities below ``floor`` are 0 (ours)."""
    within_0_and_1(floor=floor)
    similarity = term_similarity(ingredients, measure, lso)
    form = Ssrm(Likeness(similarity, ingredients.analyzer.vocabulary, floor))
    return two_texts(plain_model(ingredients, form, terms, topic), balance)


def ssvsm(
    ingredients: Ingredients, *, balance: float = 0.5, terms: int = TERMS,
    topic: str = MERGED, measure: str = "lin", lso: str = "informative",
) -> Scorer:  # fmt: skip
    """SVSM (sdvsm Eq. 19) on full text and anchor: the crawler of ssvsm-2015.

    Our copy of that paper does not print the balance factor; 1/2 is our choice.
    """
    form = svsm_form(ingredients, measure, lso)
    return two_texts(plain_model(ingredients, form, terms, topic), balance)


def svsm(
    ingredients: Ingredients, *, terms: int = TERMS, topic: str = MERGED,
    measure: str = "lin", lso: str = "informative",
) -> Scorer:  # fmt: skip
    """SVSM on all four texts, 1/4 each: what the learnt weights of svsm-mcoa are compared with."""
    form = svsm_form(ingredients, measure, lso)
    return equal_texts(plain_model(ingredients, form, terms, topic), TEXTS)


def soft_svsm(
    ingredients: Ingredients, *, floor: float = FLOOR, power: float = 4.0, terms: int = TERMS,
    topic: str = MERGED, measure: str = "lin", lso: str = "informative",
) -> Scorer:  # fmt: skip
    """Soft SVSM (ours) on full text, anchor and context, 1/3 each."""
    form = soft_form(ingredients, measure, lso, floor, power)
    return equal_texts(plain_model(ingredients, form, terms, topic), SOFT_TEXTS)


def sdvsm(
    ingredients: Ingredients, *, balance: float = 0.5, terms: int = TERMS, topic: str = MERGED,
    measure: str = "lin", lso: str = "informative", per_page: int = 2, idf: str = "literal",
    results: int = 20, ti: str = "literal", membership: str = "piecewise-linear",
    inference: str = "mamdani", defuzzification: str = "maximum", degree: float = 0.0,
) -> Scorer:  # fmt: skip
    """Disambiguation graph, then SVSM on full text and anchor (sdvsm Eq. 10-21).

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
    model = DisambiguatedModel(
        ingredients.briefing, ingredients.analyzer, svsm_form(ingredients, measure, lso),
        plan, terms, topic, seed=ingredients.rng.randrange(2**31),
    )  # fmt: skip
    return two_texts(model, balance)


def soft_sdvsm(
    ingredients: Ingredients, *, floor: float = FLOOR, power: float = 4.0, terms: int = TERMS,
    topic: str = MERGED, measure: str = "lin", lso: str = "informative", senses: str = "vouched",
    per_page: int = 5, least: float = 1.0,
) -> Scorer:  # fmt: skip
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
    model = DisambiguatedModel(
        ingredients.briefing, ingredients.analyzer,
        soft_form(ingredients, measure, lso, floor, power, vouched=senses == "vouched"),
        plan, terms, topic, seed=ingredients.rng.randrange(2**31), links_too=False,
    )  # fmt: skip
    return equal_texts(model, SOFT_TEXTS)
