"""Text models by name: how similar is a text to the topic? VSM, SSRM, SVSM, soft SVSM, ...

Parameters that several share:

* ``terms``: topic terms, 40 as in sdvsm (two from each of twenty pages);
* ``topic``: "merged", one vector for keywords and example pages, or "pages", one for each;
* ``measure``: how similar two words are, lin, resnik, jiang-conrath, wu-palmer,
  leacock-chodorow, li or tversky;
* ``lso``: the common ancestor that counts, "informative" or "deepest"; for the measures by
  information content (lin, resnik, jiang-conrath), the others do not ask;
* ``floor``: similarities of words below it are 0;
* ``power``: similarities of words are raised to it, so that they fade with distance;
* ``norm``: maximum of olmoaco Eq. 5: "word" over the tag groups that contain the word, as printed,
  or "group" over the words of that group.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from scenthound.core.errors import SettingsError
from scenthound.core.parameters import (
    Parameters,
    Value,
    check_at_least,
    check_name,
    check_parameters,
    check_unit_interval,
    keyword_parameters,
)
from scenthound.core.registry import Registry
from scenthound.papers.ambiguity import FuzzyCriterion, PopularityCriterion
from scenthound.papers.concept_model import NORMS, OVER_GROUPS, ConceptModel
from scenthound.papers.olmoaco.concept_similarity import check_weights
from scenthound.papers.olmoaco.topic_ontology import MAX_CONCEPTS, OntologyModel
from scenthound.papers.olmoaco.word_topics import require_learning
from scenthound.papers.sdvsm import DisambiguatedModel, GraphPlan
from scenthound.similarity.link_priority import TextModel
from scenthound.similarity.text_models import (
    MERGED,
    TERMS,
    Cosine,
    SoftSvsm,
    Ssrm,
    Svsm,
    TopicModel,
    merged_vector,
)
from scenthound.similarity.word_similarity import (
    FLOOR,
    LexiconSimilarityTable,
    SupportedSenses,
    TaxonomySimilarity,
    TermSimilarity,
)
from scenthound.strategies import vector_models
from scenthound.strategies.spec import StrategyContext
from scenthound.text.terms import DocumentFrequencies
from scenthound.text.wordnet import WordNet, build_taxonomy

ONTOLOGY = "ontology"
"""The extra that brings rdflib, scikit-learn, concepts and efficient-apriori."""
EQUAL_FACTORS = "0.2 0.2 0.2 0.2 0.2"
SUBJECT_WORDS = 20
"""Words that stand for the subject of a topic without keywords."""


def ontology(
    context: StrategyContext, *, norm: str = OVER_GROUPS, concepts: int = MAX_CONCEPTS,
    factors: str = EQUAL_FACTORS,
) -> TextModel:  # fmt: skip
    """Relevance by the topic's ontology; one is learned from the example pages if it names none.

    Parameters
    ----------
    concepts : maximum size of a learned ontology.
    factors : weights of distance, density, depth, coincidence and relation in the similarity of two
        concepts (olmoaco Eq. 3): five numbers that add up to 1.
    """
    check_name("norm", norm, NORMS)
    shares = five_factors(factors)
    check_at_least(2, concepts=concepts)
    if context.profile.ontology is None:
        require_learning()
    return OntologyModel(context.profile, context.analyzer, concepts, shares, norm)


def subject_words(context: StrategyContext, *, norm: str = OVER_GROUPS) -> TextModel:
    """Relevance by the subject words, all alike: the keywords of the topic.

    olmoaco compares its crawler with one without an ontology and does not say what that reads;
    equal weights in place of Eq. 4 are ours. Without keywords the heaviest terms of the example
    pages are the subject words.
    """
    check_name("norm", norm, NORMS)
    profile, analyzer = context.profile, context.analyzer
    words = [word for word in profile.keywords if word.strip()]
    if not words:
        frequencies = DocumentFrequencies(analyzer.vocabulary)
        bags = [analyzer.page_bag(page) for page in profile.examples]
        ids, _ = merged_vector(bags, frequencies, SUBJECT_WORDS, analyzer.vocabulary)
        words = analyzer.vocabulary.terms(ids.tolist())
    return ConceptModel(dict.fromkeys(words, 1.0), analyzer, norm)


def five_factors(text: str) -> tuple[float, ...]:
    """The five numbers of a text such as "0.2 0.2 0.2 0.2 0.2"; SettingsError for any other."""
    try:
        numbers = tuple(map(float, text.replace(",", " ").split()))
    except ValueError:
        problem = f"factors are five numbers such as {EQUAL_FACTORS!r}, not {text!r}."
        raise SettingsError(problem) from None
    check_weights(numbers)
    return numbers


SENSES = ("vouched", "all")
NEURAL = "neural"
"""The extra that brings PyTorch, transformers, gensim and the weights of MiniLM."""


def vsm(context: StrategyContext) -> TextModel:
    """The cosine of TF-IDF vectors. The model has no parameters: others are measured beside it."""
    return TopicModel(context.profile, context.analyzer, Cosine())


def ssrm(
    context: StrategyContext, *, floor: float = 0.0, terms: int = TERMS,
    topic: str = MERGED, measure: str = "lin", lso: str = "informative",
) -> TextModel:  # fmt: skip
    """SSRM (sdvsm Eq. 18); similarities below ``floor`` are 0 (ours)."""
    check_unit_interval(floor=floor)
    similarity = term_similarity(context, measure, lso)
    form = Ssrm(LexiconSimilarityTable(similarity, context.analyzer.vocabulary, floor))
    return TopicModel(context.profile, context.analyzer, form, terms, topic)


def svsm(
    context: StrategyContext, *, terms: int = TERMS, topic: str = MERGED,
    measure: str = "lin", lso: str = "informative",
) -> TextModel:  # fmt: skip
    """SVSM (sdvsm Eq. 19, svsm-mcoa Eq. 1-3) on WordNet, in every sense of the words."""
    form = svsm_form(context, measure, lso)
    return TopicModel(context.profile, context.analyzer, form, terms, topic)


def soft_svsm(
    context: StrategyContext, *, floor: float = FLOOR, power: float = 4.0, terms: int = TERMS,
    topic: str = MERGED, measure: str = "lin", lso: str = "informative",
) -> TextModel:  # fmt: skip
    """Soft SVSM (ours) on WordNet."""
    form = soft_svsm_form(context, measure, lso, floor, power)
    return TopicModel(context.profile, context.analyzer, form, terms, topic)


def sdvsm(
    context: StrategyContext, *, terms: int = TERMS, topic: str = MERGED,
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
    check_at_least(1, results=results)
    check_unit_interval(degree=degree)
    criterion = FuzzyCriterion(
        membership=membership, inference=inference, defuzzification=defuzzification
    )
    plan = GraphPlan(per_page, idf, results, ti, criterion, threshold=degree or None)
    return DisambiguatedModel(
        context.profile, context.analyzer, svsm_form(context, measure, lso), plan, terms, topic,
        seed=context.rng.randrange(2**31),
    )  # fmt: skip


def soft_sdvsm(
    context: StrategyContext, *, floor: float = FLOOR, power: float = 4.0, terms: int = TERMS,
    topic: str = MERGED, measure: str = "lin", lso: str = "informative",
    senses: str = "vouched", per_page: int = 5, least: float = 1.0,
) -> TextModel:  # fmt: skip
    """Soft SVSM with words taken in the senses that fit the topic (ours).

    Topic terms count in the WordNet senses that other topic terms vouch for (``senses``
    "vouched") or in "all"; on a page, an ambiguous term counts as far as its companions are
    there. ``per_page`` terms of each example page are nodes of the graph; a term is ambiguous
    when its topic popularity (relevant pages that hold it over irrelevant ones) is below
    ``least``, so that 0 does without the graph. Links are read as they stand: their texts are
    short, and the company of a page's words is not theirs.
    """
    check_name("choice of senses", senses, SENSES)
    if not 0.0 <= least < math.inf:
        raise SettingsError(f"least is a topic popularity, a number from 0 on, not {least}.")
    plan = GraphPlan(
        per_page=per_page, results=None, criterion=PopularityCriterion(least), rule="evidence"
    )
    return DisambiguatedModel(
        context.profile, context.analyzer,
        soft_svsm_form(context, measure, lso, floor, power, supported=senses == "vouched"),
        plan, terms, topic, seed=context.rng.randrange(2**31), links_too=False,
    )  # fmt: skip


@dataclass(frozen=True)
class TextModelSpec:
    """One row: name -> text model."""

    name: str
    build: Callable[..., TextModel]
    """Called with the context and, by keyword, its parameters."""
    extra: str = ""
    """The extra of the package that it needs; "" for none."""

    @property
    def parameters(self) -> dict[str, Value]:
        """What may be set, with the defaults."""
        return keyword_parameters(self.build)

    def check(self, parameters: Parameters) -> dict[str, Value]:
        """``parameters`` with their types put right; an error names the key and what it takes."""
        return check_parameters("model", self.name, parameters, self.parameters)

    def model(self, context: StrategyContext, parameters: Parameters) -> TextModel:
        """A fresh model."""
        try:
            return self.build(context, **self.check(parameters))
        except SettingsError as error:
            raise SettingsError(f"model {self.name!r}: {error}") from None


TEXT_MODELS: Registry[TextModelSpec] = Registry(
    "model",
    (
        TextModelSpec("vsm", vsm),
        TextModelSpec("ssrm", ssrm),
        TextModelSpec("svsm", svsm),
        TextModelSpec("soft-svsm", soft_svsm),
        TextModelSpec("sdvsm", sdvsm),
        TextModelSpec("soft-sdvsm", soft_sdvsm),
        TextModelSpec("word2vec", vector_models.word2vec, NEURAL),
        TextModelSpec("elmo", vector_models.elmo, NEURAL),
        TextModelSpec("bsvsm", vector_models.bsvsm, NEURAL),
        TextModelSpec("sentences", vector_models.sentences, NEURAL),
        TextModelSpec("sentences-light", vector_models.sentences_light),
        TextModelSpec("subject-words", subject_words),
        TextModelSpec("ontology", ontology, ONTOLOGY),
    ),
)


# The formulas of the text models on WordNet, in the language of the topic.


@lru_cache(maxsize=4)
def _similarity(wordnet: WordNet | None, measure: str, lso: str) -> TaxonomySimilarity:
    """Prepared once for all crawlers: it does not change.

    Without a WordNet for the language a word is similar to itself alone.
    """
    nouns = build_taxonomy({}, {}) if wordnet is None else wordnet.nouns
    return TaxonomySimilarity(nouns, measure, lso)


def term_similarity(
    context: StrategyContext, measure: str, lso: str, floor: float | None = None
) -> TermSimilarity:
    """Similarity of words in the topic's language; with ``floor`` in senses that fit it."""
    similarity = _similarity(context.analyzer.wordnet, measure, lso)
    return similarity if floor is None else SupportedSenses(similarity, floor)


def svsm_form(context: StrategyContext, measure: str, lso: str) -> Svsm:
    """SVSM over WordNet, in every sense of the words."""
    similarity = term_similarity(context, measure, lso)
    return Svsm(LexiconSimilarityTable(similarity, context.analyzer.vocabulary))


def soft_svsm_form(
    context: StrategyContext, measure: str, lso: str, floor: float, power: float,
    supported: bool = False,
) -> SoftSvsm:  # fmt: skip
    """Soft SVSM over WordNet, in every sense or in those that fit the topic."""
    vector_models.check_floor_and_power(floor, power)
    similarity = term_similarity(context, measure, lso, floor if supported else None)
    return SoftSvsm(LexiconSimilarityTable(similarity, context.analyzer.vocabulary, floor, power))
