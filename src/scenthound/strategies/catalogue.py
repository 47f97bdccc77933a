"""The catalogue: every named crawler, as a table."""

from __future__ import annotations

from scenthound.core.protocols import Scorer
from scenthound.core.registry import Registry
from scenthound.frontier.combination import Combination
from scenthound.relevance.vsm import VectorSpaceModel
from scenthound.strategies.ingredients import Ingredients, Recipe
from scenthound.strategies.parent import BestFirst, Fish
from scenthound.strategies.policies import Greedy, Uniform
from scenthound.strategies.semantic import (
    sdvsm,
    soft_sdvsm,
    soft_svsm,
    ssrm,
    ssvsm,
    svsm,
)
from scenthound.strategies.shark import Shark
from scenthound.strategies.unscored import Oracle, Unscored
from scenthound.strategies.weighted import TEXTS, WeightedTexts

_MAX, _MEAN = Combination.MAX, Combination.MEAN


def vsm_two(ingredients: Ingredients) -> Scorer:
    """VSM on full text and anchor, 1/2 each. Fixed: later work is measured beside it."""
    model = VectorSpaceModel(ingredients.briefing, ingredients.analyzer)
    return WeightedTexts(model, {"full": 0.5, "anchor": 0.5})


def vsm_four(ingredients: Ingredients) -> Scorer:
    """VSM on all four texts, 1/4 each. Fixed, as :func:`vsm_two` is."""
    model = VectorSpaceModel(ingredients.briefing, ingredients.analyzer)
    return WeightedTexts(model, dict.fromkeys(TEXTS, 0.25))


CATALOGUE: Registry[Recipe] = Registry(
    "strategy",
    (
        Recipe("breadth-first", Unscored, Greedy, _MAX, "svsm-mcoa, sdvsm, ssvsm, olmoaco",
               "links in the order they were found"),
        Recipe("random", Unscored, Uniform, _MAX, "ours",
               "any waiting link, each as likely as another"),
        Recipe("best-first", BestFirst, Greedy, _MAX, "olmoaco (OPS)",
               "links of the most similar page first"),
        Recipe("vsm", vsm_two, Greedy, _MAX, "svsm-mcoa, sdvsm, ssvsm",
               "cosine of full text and anchor, best inlink"),
        Recipe("vsm-mean", vsm_two, Greedy, _MEAN, "ours, after vsm",
               "the same, mean over inlinks"),
        Recipe("vsm-four", vsm_four, Greedy, _MEAN, "svsm-mcoa (equal weights)",
               "full text, anchor, title and context, mean over inlinks"),
        Recipe("ssrm", ssrm, Greedy, _MAX, "svsm-mcoa, sdvsm, ssvsm",
               "WordNet similarity of full text and anchor, best inlink", uses_wordnet=True),
        Recipe("ssvsm", ssvsm, Greedy, _MAX, "ssvsm",
               "SVSM on WordNet of full text and anchor, best inlink", uses_wordnet=True),
        Recipe("svsm", svsm, Greedy, _MAX, "ours, rival of svsm-mcoa",
               "SVSM on all four texts, equal weights, best inlink", uses_wordnet=True),
        Recipe("soft-svsm", soft_svsm, Greedy, _MEAN, "ours, after ssvsm",
               "WordNet similarity that fades, mean over inlinks", uses_wordnet=True),
        Recipe("sdvsm", sdvsm, Greedy, _MAX, "sdvsm",
               "ssvsm after a disambiguation graph, best inlink", uses_wordnet=True),
        Recipe("soft-sdvsm", soft_sdvsm, Greedy, _MEAN, "ours, after sdvsm",
               "soft-svsm in the word senses that fit the topic", uses_wordnet=True),
        Recipe("fish", Fish, Greedy, _MAX, "De Bra 1994, cited by olmoaco",
               "links of relevant pages first, the others die out"),
        Recipe("shark", Shark, Greedy, _MAX, "Hersovici 1998, cited by olmoaco",
               "inherited relevance, anchor and context"),
        Recipe("oracle", Oracle, Greedy, _MAX, "ours, for evaluation",
               "links to labelled pages first: needs labels", needs_labels=True),
    ),
)  # fmt: skip
