"""The formulas behind the text models by meaning, over the words of a topic's language."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.lexicon.wordnet import WordNet
from scenthound.relevance.likeness import Likeness, TermSimilarity
from scenthound.relevance.model import Form, TopicModel
from scenthound.relevance.soft_svsm import SoftSvsm
from scenthound.relevance.svsm import Svsm
from scenthound.semantics.senses import AllSenses, VouchedSenses
from scenthound.semantics.similarity import TaxonomySimilarity
from scenthound.semantics.table import LSOS, MEASURES
from scenthound.strategies.ingredients import Ingredients
from scenthound.text.vocabulary import Weights


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


def plain_model(ingredients: Ingredients, form: Form, terms: int, topic: str) -> TopicModel:
    """A model without disambiguation."""
    return TopicModel(ingredients.briefing, ingredients.analyzer, form, terms, topic)
