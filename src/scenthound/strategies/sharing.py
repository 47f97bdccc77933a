"""Which strategies several workers can crawl by, and what they learn together.

* What is known of a link lies in the frontier, which is shared: fish (steps left) and shark (what
  a page inherited) read it from there. So do all that only choose: breadth-first, random.
* Document frequencies, and pages that name a concept, are counts: workers add them up.
* Weights that a crawl learns are fitted by one worker to the links of all.
* annealing cools in each worker as that one fetches: as many walks as workers, none of which needs
  to know of the others. Records of hosts, the graph of sdvsm, and vectors that word2vec and ELMo
  learn in the crawl are made from the pages of a worker: a sample of the crawl's.
* Ants, banks and populations walk a map of all links with PageRank and pheromones, and no worker
  sees more than its own pages: those are refused.
"""

from __future__ import annotations

from scenthound.core.errors import SettingsError
from scenthound.core.foreign import is_foreign
from scenthound.core.parameters import Parameters
from scenthound.core.protocols import Scorer
from scenthound.core.sharing import Counting, Fitting
from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.metropolis import Metropolis
from scenthound.strategies.model_scorer import ModelScorer
from scenthound.strategies.scent import Scent
from scenthound.strategies.weighing import Weighing

_TRAINED = {"word2vec": "vectors", "elmo": "weights"}
"""Text models that learn vectors in the crawl, unless a file is given for this parameter."""
_GRAPHS = ("sdvsm", "soft-sdvsm")
_TELLING = ("counted_here", "links_here")
"""What the class of a scorer has that tells others what it learns (``core.sharing``)."""


def refuse_sharing(recipe: Recipe) -> None:
    """SettingsError for a strategy that only one process can crawl by."""
    if recipe.walks:
        raise SettingsError(
            f"strategy {recipe.name!r} walks a map of all links, which several workers do not "
            "have; crawl without --redis, or choose another strategy, such as scent."
        )


def sharing_advice(recipe: Recipe, parameters: Parameters | None = None) -> str | None:
    """What to know of a strategy that each worker learns for itself; None where there is nothing.

    Parameters
    ----------
    recipe : of the strategy.
    parameters : that were given for it.
    """
    if is_foreign(recipe.scorer) or is_foreign(recipe.policy):
        if any(hasattr(recipe.scorer, name) for name in _TELLING):
            return None
        return (
            f"strategy {recipe.name!r} does not say how workers learn together: each learns from "
            "its own pages, and weights of links stay as they are at the start"
        )
    if recipe.policy is Metropolis:
        return f"strategy {recipe.name!r} cools in each worker as that one fetches pages"
    model = recipe.scorer.model.name if isinstance(recipe.scorer, Weighing) else ""
    if model in _GRAPHS:
        return f"strategy {recipe.name!r} learns its graph in each worker from that one's pages"
    if model in _TRAINED and not (parameters or {}).get(_TRAINED[model]):
        return (
            f"strategy {recipe.name!r} trains its vectors in each worker on that one's pages; give "
            f"a file for all with --set {_TRAINED[model]}=FILE"
        )
    return None


def counting_of(scorer: Scorer) -> Counting | None:
    """What counts documents in a scorer; None where nothing does."""
    if isinstance(scorer, Counting):
        return scorer
    if isinstance(scorer, Scent):
        return scorer.counting
    model = scorer.model if isinstance(scorer, ModelScorer) else None
    return model if isinstance(model, Counting) else None


def fitting_of(scorer: Scorer) -> Fitting | None:
    """A scorer whose weights workers learn together; None for any other."""
    return scorer if isinstance(scorer, Fitting) else None
