"""The judge of olmoaco: how relevant is a page by the concepts of the topic's ontology?

Eq. 5-6 count concepts on the page alone and ask for no other page, so a page gets the same
relevance whenever and by whichever crawler it is fetched.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from scenthound.core.model import Briefing, Document
from scenthound.relevance.calibration import PERCENTILE, calibrated_threshold
from scenthound.relevance.concept_formulas import page_weights
from scenthound.relevance.concept_model import ConceptModel
from scenthound.relevance.judge import Judgement, TermShare, Threshold
from scenthound.text.analyzer import Analyzer
from scenthound.text.weights import unit

DEFAULT_SIGMA = 0.4
"""About what the example pages of six topics gave. olmoaco has 0.67 and 0.70 for its two
ontologies; how it weighs concepts is not printed, and with our weights few pages get there."""
_ROUNDING = 1e-9
"""Without it the example page that sets the threshold would not be above it."""


class OntologyJudge:
    """R(P) of a page, by the concepts that it names; relevant is what is above sigma.

    Parameters
    ----------
    concepts : weight of each concept in the topic (W_TK, olmoaco Eq. 4), by label.
    briefing : its example pages are what sigma is calibrated with.
    analyzer : reads texts.
    threshold : sigma; None to calibrate it from the examples.
    """

    def __init__(
        self,
        concepts: Mapping[str, float],
        briefing: Briefing,
        analyzer: Analyzer,
        threshold: float | None = None,
    ) -> None:
        self._analyzer = analyzer
        self._model = ConceptModel(concepts, analyzer)
        self._labels = tuple(concepts)
        self._topic = unit(np.array(list(concepts.values()), np.float64))
        own = [self._model.page_relevance(page) for page in briefing.examples if page.full.strip()]
        self.calibration = _calibrate(own, threshold)
        self.threshold = _least_above(self.calibration.value)

    def similarity(self, document: Document) -> float:
        """R(P), olmoaco Eq. 5-6; 0 for a page that names no concept."""
        return self._model.page_relevance(document)

    def judgement(self, document: Document) -> Judgement:
        """The same relevance with the concepts that make it up; no example page is nearest."""
        counts = self._model.counts_on(document)
        weights = unit(page_weights(counts))
        shares = [
            TermShare(self._labels[place], int(total), on_page, in_topic)
            for place, (total, on_page, in_topic) in enumerate(
                zip(counts.sum(axis=0), weights.tolist(), self._topic.tolist(), strict=True)
            )
            if on_page * in_topic > 0.0
        ]
        shares.sort(key=lambda share: (-share.contribution, share.term))
        return Judgement(self.similarity(document), None, tuple(shares))

    def language(self, document: Document) -> str | None:
        """The language of a page that is not in the topic's; None where nothing tells so."""
        return self._analyzer.language_of(document)


def _least_above(sigma: float) -> float:
    """The least number above sigma: olmoaco asks for R > sigma, and a record for R >= threshold."""
    return math.nextafter(sigma, math.inf)


def _calibrate(own: Sequence[float], given: float | None) -> Threshold:
    if given is not None:
        return Threshold(given, "given")
    found = calibrated_threshold(own)
    if found is None or len(own) < 2:
        return Threshold(DEFAULT_SIGMA, "default: fewer than two example pages")
    if found == 0.0:  # every page with a concept would be relevant
        return Threshold(DEFAULT_SIGMA, "default: example pages name no concept of the ontology")
    return Threshold(found - _ROUNDING, f"{PERCENTILE:g}th percentile of {len(own)} example pages")
