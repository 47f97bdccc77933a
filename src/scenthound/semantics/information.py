"""How much does naming a concept tell? Read off the taxonomy, without counting in a corpus."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scenthound.lexicon.taxonomy import ROOT, Taxonomy

Array = npt.NDArray[np.float64]


def information_content(taxonomy: Taxonomy) -> Array:
    """Intrinsic information content of every concept, in [0, 1] (sdvsm Eq. 7, right-hand side).

    ``IC(c) = 1 - log(hypo(c) + 1) / log(max_nodes)``, where ``hypo`` counts the distinct
    concepts below ``c`` and ``max_nodes`` all concepts. A leaf has 1, the root 0, and every
    concept more than those it is a kind of. The middle part of Eq. 7 as printed, ``-log(c)``,
    is the logarithm of a probability and another quantity.

    A taxonomy of one concept gives 0/0; its information is 0, because it is the root.
    """
    below = np.log(taxonomy.hyponyms + 1.0)
    highest = np.log(float(max(2, len(taxonomy))))
    information: Array = 1.0 - below / highest  # Eq. 7
    information[ROOT] = 0.0  # what it is but for rounding, and but for 0/0
    return information
