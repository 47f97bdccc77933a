"""The measures by name, each in [0, 1], and which common ancestor they look at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scenthound.core.registry import Registry
from scenthound.lexicon.taxonomy import Taxonomy
from scenthound.semantics import measures
from scenthound.semantics.information import Array, information_content
from scenthound.semantics.kin import Kin
from scenthound.semantics.propagation import Descent, Places


@dataclass(frozen=True)
class Lso:
    """Which common ancestor speaks for two concepts, where they have several.

    Parameters
    ----------
    name : what users call it.
    order : information content and depth of all concepts -> the concepts, the preferred last.
    """

    name: str
    order: Callable[[Array, Array], Places]


LSOS = Registry(
    "common ancestor (lso)",
    (
        # Lin's and Resnik's own convention.
        Lso("informative", lambda information, depth: np.argsort(information, kind="stable")),
        # The words of sdvsm; of equally deep ones the most informative.
        Lso("deepest", lambda information, depth: np.lexsort((information, depth))),
    ),
)


class Traits:
    """What the measures need to know of each concept, and of a concept's kin.

    Parameters
    ----------
    taxonomy : the concepts.
    lso : a name of :data:`LSOS`.
    """

    def __init__(self, taxonomy: Taxonomy, lso: str) -> None:
        self.taxonomy = taxonomy
        self.descent = Descent(taxonomy)
        self.information = information_content(taxonomy)
        self.depth = taxonomy.depth.astype(np.float64)
        self.levels = float(len(taxonomy.levels) - 1)
        order = LSOS[lso].order(self.information, self.depth)
        self._ordered = self.information[order]
        self._rank = np.empty(len(taxonomy))
        self._rank[order] = np.arange(len(taxonomy))

    @cached_property
    def features(self) -> Array:
        """Number of features of a concept: itself and its ancestors."""
        return self.descent.total(np.ones(len(self.taxonomy)))

    def informations(self, kin: Kin) -> tuple[Array, Array, Array]:
        """Information content of the common ancestor, of the concept, of the others."""
        lso = self._ordered[kin.largest(self._rank).astype(np.intp)]
        return lso, self.information[[kin.concept]], self.information[kin.others]

    def path(self, kin: Kin) -> tuple[Array, Array]:
        """Length of the shortest way, depth of the deepest common ancestor."""
        return kin.length(), kin.largest(self.depth)

    def contrast(self, kin: Kin) -> tuple[Array, Array, Array]:
        """Numbers of features: in common, of the concept alone, of the others alone."""
        common = kin.common()
        return common, self.features[[kin.concept]] - common, self.features[kin.others] - common


@dataclass(frozen=True)
class Measure:
    """A similarity of concepts within [0, 1].

    Parameters
    ----------
    name : what users call it.
    formula : its value for a concept and each of its kin. A concept with itself is set to 1
        afterwards, whatever the formula says.
    """

    name: str
    formula: Callable[[Traits, Kin], Array]


MEASURES = Registry(
    "measure of similarity",
    (
        Measure("lin", lambda traits, kin: measures.lin(*traits.informations(kin))),
        Measure("resnik", lambda traits, kin: measures.resnik(traits.informations(kin)[0])),
        Measure(
            "jiang-conrath",
            lambda traits, kin: measures.jiang_conrath_similarity(*traits.informations(kin)),
        ),
        Measure("wu-palmer", lambda traits, kin: measures.wu_palmer(*traits.path(kin))),
        Measure(
            "leacock-chodorow",
            lambda traits, kin: measures.leacock_chodorow_share(kin.length(), traits.levels),
        ),
        Measure("li", lambda traits, kin: measures.li_bandar_mclean(*traits.path(kin))),
        Measure("tversky", lambda traits, kin: measures.tversky_ratio(*traits.contrast(kin))),
    ),
)
