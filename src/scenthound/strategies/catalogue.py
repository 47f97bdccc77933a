"""The catalogue: every named crawler, as a table."""

from __future__ import annotations

from scenthound.core.registry import Registry
from scenthound.frontier.combination import Combination
from scenthound.strategies.ants import Ants
from scenthound.strategies.concept_models import ONTOLOGY
from scenthound.strategies.differential import Differential
from scenthound.strategies.evolution import Evolution
from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.mapped import LinkPriority, MappedPriority
from scenthound.strategies.metropolis import Metropolis
from scenthound.strategies.parent import BestFirst, Fish
from scenthound.strategies.policies import Greedy, Uniform
from scenthound.strategies.scent import scent
from scenthound.strategies.shark import Shark
from scenthound.strategies.text_models import NEURAL
from scenthound.strategies.unscored import Oracle, Unscored
from scenthound.strategies.weighing import (
    SOFT_TEXTS,
    BalancedTexts,
    FixedWeights,
    LearnedWeights,
)
from scenthound.strategies.weighted import TEXTS

_MAX, _MEAN = Combination.MAX, Combination.MEAN
_TWO = ("full", "anchor")
DEFAULT_STRATEGY = "scent"


CATALOGUE: Registry[Recipe] = Registry(
    "strategy",
    (
        Recipe("scent", scent, Greedy, _MEAN, "ours",
               "all the evidence there is, weighed as the crawl learns to", uses_wordnet=True),
        Recipe("breadth-first", Unscored, Greedy, _MAX, "svsm-mcoa, sdvsm, ssvsm, olmoaco",
               "links in the order they were found"),
        Recipe("random", Unscored, Uniform, _MAX, "ours",
               "any waiting link, each as likely as another"),
        Recipe("best-first", BestFirst, Greedy, _MAX, "olmoaco (OPS)",
               "links of the most similar page first"),
        Recipe("vsm", FixedWeights("vsm", _TWO), Greedy, _MAX, "svsm-mcoa, sdvsm, ssvsm",
               "cosine of full text and anchor, best inlink"),
        Recipe("vsm-mean", FixedWeights("vsm", _TWO), Greedy, _MEAN, "ours, after vsm",
               "the same, mean over inlinks"),
        Recipe("vsm-four", FixedWeights("vsm", TEXTS), Greedy, _MEAN, "svsm-mcoa (equal weights)",
               "full text, anchor, title and context, mean over inlinks"),
        Recipe("ssrm", BalancedTexts("ssrm"), Greedy, _MAX, "svsm-mcoa, sdvsm, ssvsm",
               "WordNet similarity of full text and anchor, best inlink", uses_wordnet=True),
        Recipe("ssvsm", BalancedTexts("svsm"), Greedy, _MAX, "ssvsm",
               "SVSM on WordNet of full text and anchor, best inlink", uses_wordnet=True),
        Recipe("svsm", FixedWeights("svsm", TEXTS), Greedy, _MAX, "ours, rival of svsm-mcoa",
               "SVSM on all four texts, equal weights, best inlink", uses_wordnet=True),
        Recipe("soft-svsm", FixedWeights("soft-svsm", SOFT_TEXTS), Greedy, _MEAN,
               "ours, after ssvsm", "WordNet similarity that fades, mean over inlinks",
               uses_wordnet=True),
        Recipe("sdvsm", BalancedTexts("sdvsm"), Greedy, _MAX, "sdvsm",
               "ssvsm after a disambiguation graph, best inlink", uses_wordnet=True),
        Recipe("soft-sdvsm", FixedWeights("soft-sdvsm", SOFT_TEXTS), Greedy, _MEAN,
               "ours, after sdvsm", "soft-svsm in the word senses that fit the topic",
               uses_wordnet=True),
        Recipe("mcoa", LearnedWeights("vsm", TEXTS), Greedy, _MEAN, "svsm-mcoa (CMCFC)",
               "vsm-four with weights learnt in the crawl"),
        Recipe("svsm-mcoa", LearnedWeights("svsm", TEXTS), Greedy, _MAX,
               "svsm-mcoa", "svsm with weights learnt in the crawl", uses_wordnet=True),
        Recipe("soft-svsm-mcoa", LearnedWeights("soft-svsm", SOFT_TEXTS, hold=400.0), Greedy,
               _MEAN, "ours, after svsm-mcoa", "soft-svsm with weights learnt in the crawl",
               uses_wordnet=True),
        Recipe("word2vec", FixedWeights("word2vec", TEXTS), Greedy, _MAX, "bsvsm-ha",
               "SVSM on word2vec vectors, all four texts, best inlink", extra=NEURAL),
        Recipe("elmo", FixedWeights("elmo", TEXTS), Greedy, _MAX, "bsvsm-ha",
               "SVSM on ELMo vectors, all four texts, best inlink", extra=NEURAL),
        Recipe("bsvsm", FixedWeights("bsvsm", TEXTS), Greedy, _MAX, "bsvsm-ha",
               "SVSM on BERT vectors, all four texts, best inlink", extra=NEURAL),
        Recipe("bsvsm-ha", LearnedWeights("bsvsm", TEXTS), Greedy, _MAX, "bsvsm-ha",
               "bsvsm with weights learnt in the crawl", extra=NEURAL),
        Recipe("soft-bsvsm", FixedWeights("bsvsm", SOFT_TEXTS, form="soft", context=False,
                                          floor=0.3, power=1.0),
               Greedy, _MEAN, "ours, after bsvsm-ha", "soft-svsm on BERT vectors of words",
               extra=NEURAL),
        Recipe("sentences", FixedWeights("sentences", SOFT_TEXTS), Greedy, _MEAN,
               "ours, after bsvsm-ha", "one MiniLM vector for each text, mean over inlinks",
               extra=NEURAL),
        Recipe("sentences-light", FixedWeights("sentences-light", SOFT_TEXTS), Greedy, _MEAN,
               "ours, after bsvsm-ha", "the same with static vectors: fast, nothing to install"),
        Recipe("fish", Fish, Greedy, _MAX, "De Bra 1994, cited by olmoaco",
               "links of relevant pages first, the others die out"),
        Recipe("shark", Shark, Greedy, _MAX, "Hersovici 1998, cited by olmoaco",
               "inherited relevance, anchor and context"),
        Recipe("annealing", LinkPriority("vsm"), Metropolis, _MEAN, "olmoaco (SA)",
               "any waiting link, if it is good enough for the temperature"),
        Recipe("best-first-ontology", LinkPriority("ontology"), Greedy, _MEAN,
               "ours, after olmoaco", "anchor and page by an ontology, mean over inlinks",
               extra=ONTOLOGY),
        Recipe("wseo", MappedPriority("ontology"), Evolution, _MEAN, "olmoaco (WSEO)",
               "a bank of links that evolves by four objectives", extra=ONTOLOGY),
        Recipe("moaco", MappedPriority("subject-words"), Ants, _MEAN, "olmoaco (MOACO)",
               "ants, four objectives, the keywords alone"),
        Recipe("olmoaco", MappedPriority("ontology"), Ants, _MEAN, "olmoaco",
               "ants, four objectives, an ontology", extra=ONTOLOGY),
        Recipe("olmode", MappedPriority("ontology"), Differential, _MEAN,
               "ours, the future work of olmoaco", "differential evolution in place of the ants",
               extra=ONTOLOGY),
        Recipe("oracle", Oracle, Greedy, _MAX, "ours, for evaluation",
               "links to labelled pages first: needs labels", needs_labels=True),
    ),
)  # fmt: skip
