"""The judge: how similar is a page to the topic, apart from the model that steers the crawl?

The papers judge by VSM, the maximum over the example pages (svsm-mcoa section 4.1.3, sdvsm
Eq. 22). They leave the collection behind the IDF unsaid. Ours is the example pages alone, so
that a page gets the same similarity whenever and by whichever crawler it is fetched.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scenthound.core.model import Briefing, Document
from scenthound.relevance.calibration import (
    DEFAULT_THRESHOLD,
    PERCENTILE,
    calibrated_threshold,
    leave_one_out,
)
from scenthound.text.terms import Analyzer, TermCounts
from scenthound.text.weights import DocumentFrequencies, smooth_idf, tf_idf, unit

_ROUNDING = 1e-9
"""Without it a copy of an example page may fall below a threshold that another copy set."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """From which similarity on a page counts as relevant, and where that value comes from."""

    value: float
    origin: str


class SimilarityJudge:
    """VSM similarity to the nearest example page (to the keywords, where there is none).

    Parameters
    ----------
    briefing : the topic's words and example texts.
    analyzer : counts terms.
    threshold : from where on a page is relevant; None to calibrate it from the examples.
    """

    def __init__(
        self, briefing: Briefing, analyzer: Analyzer, threshold: float | None = None
    ) -> None:
        self._analyzer = analyzer
        frequencies = DocumentFrequencies()
        counts = [analyzer.count(e.full) for e in briefing.examples]
        counts = [c for c in counts if c] or [analyzer.count(" . ".join(briefing.keywords))]
        for each in counts:
            frequencies.add(each)
        vectors = [unit(tf_idf(each, frequencies.idf)) for each in counts]
        self._row, matrix = _columns(vectors)
        idf = np.array(frequencies.idfs(self._row))
        self._weighted = matrix * idf[:, None]
        self._squared_idf = idf**2
        self._unseen_idf = smooth_idf(frequencies.documents, 0)
        self.calibration = _calibrate(leave_one_out(vectors), threshold)
        self.threshold = self.calibration.value

    def similarity(self, document: Document) -> float:
        """Highest cosine with an example page; 0 for a document without terms."""
        counts = self._analyzer.count(document.full)
        rows, frequencies, elsewhere = self._shared(counts)
        if not rows:
            return 0.0
        found = np.array(frequencies, dtype=np.float64)
        squares = float(found**2 @ self._squared_idf[rows]) + elsewhere * self._unseen_idf**2
        products = found @ self._weighted[rows]
        return min(1.0, float(products.max()) / math.sqrt(squares))

    def _shared(self, counts: TermCounts) -> tuple[list[int], list[int], int]:
        """Rows and frequencies of the terms that an example has too; squares of the others."""
        rows: list[int] = []
        frequencies: list[int] = []
        elsewhere = 0
        row_of = self._row.get
        for term, n in counts.items():
            row = row_of(term)
            if row is None:
                elsewhere += n * n
            else:
                rows.append(row)
                frequencies.append(n)
        return rows, frequencies, elsewhere


def _columns(vectors: list[dict[str, float]]) -> tuple[dict[str, int], npt.NDArray[np.float64]]:
    """The vectors as columns of one matrix, and the row of each term."""
    row = {term: i for i, term in enumerate(dict.fromkeys(t for v in vectors for t in v))}
    matrix = np.zeros((len(row), len(vectors)))
    for column, vector in enumerate(vectors):
        for term, weight in vector.items():
            matrix[row[term], column] = weight
    return row, matrix


def _calibrate(own: list[float], given: float | None) -> Threshold:
    if given is not None:
        return Threshold(given, "given")
    found = calibrated_threshold(own)
    if found is None:
        return Threshold(DEFAULT_THRESHOLD, "default: fewer than two example pages")
    if found == 0.0:  # every page would be relevant
        return Threshold(DEFAULT_THRESHOLD, "default: the example pages have no word in common")
    origin = f"{PERCENTILE:g}th percentile of {len(own)} example pages, each left out in turn"
    return Threshold(found - _ROUNDING, origin)
