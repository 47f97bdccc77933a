"""What tells an ambiguous topic term from a clear one, and how terms go together.

sdvsm Eq. 10-11, asked of the pages of a :class:`PageIndex` instead of a search engine.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import UnknownNameError
from scenthound.text.vocabulary import Numbers, Weights
from scenthound.topics.page_index import PageIndex

IMPORTANCES = ("literal", "share")
RESULTS = 20
"""Pages that a query retrieves."""
Flags = npt.NDArray[np.bool_]


def purity(relevant: npt.ArrayLike, irrelevant: npt.ArrayLike, c: float = 1.0) -> Weights:
    """TR and TP of Eq. 11: ``R / (C + U)``, for occurrences and for pages."""
    return np.asarray(relevant, np.float64) / (c + np.asarray(irrelevant, np.float64))


def importance(occurrences: Numbers, form: str = "literal") -> Weights:
    """TI of Eq. 11 for each term, from how often the terms occur in the training texts.

    ``literal`` is as printed, ``log2(N_others / N_k)``: larger for rarer terms. The paper's
    words ask for the opposite, the term's share; that is ``share``, ours:
    ``log2(N_k / N_others)``. The base is not printed; the paper's example fits base 2. A term
    that never occurs, and one that is alone, get 0.
    """
    if form not in IMPORTANCES:
        raise UnknownNameError("topic importance", form, IMPORTANCES)
    own = occurrences.astype(np.float64)
    others = own.sum() - own
    defined = (own > 0.0) & (others > 0.0)
    literal = np.log2(np.where(defined, others, 1.0)) - np.log2(np.where(defined, own, 1.0))
    return literal if form == "literal" else -literal


def topic_indicators(
    index: PageIndex,
    terms: Numbers,
    occurrences: Numbers,
    relevant: Flags,
    *,
    results: int | None = RESULTS,
    ti: str = "literal",
) -> Weights:
    """TR, TP and TI of each term, one row each (Eq. 11 with C = 1).

    Parameters
    ----------
    index : the pages that are searched for each term.
    terms : the topic terms.
    occurrences : how often each occurs in the training texts.
    relevant : is each page of the index relevant to the topic?
    results : pages looked at for each term; None for all that hold it.
    ti : form of the topic importance, ``literal`` or ``share``.
    """
    table = np.zeros((len(terms), 3))
    table[:, 2] = importance(occurrences, ti)
    for place, (row, term) in enumerate(zip(index.rows(terms), terms.tolist(), strict=True)):
        pages = index.search(term, results)
        counts, good = index.counts[row, pages], relevant[pages]
        table[place, 0] = purity(counts[good].sum(), counts[~good].sum())
        table[place, 1] = purity(good.sum(), (~good).sum())
    return table


def cooccurrence(
    index: PageIndex,
    terms: Numbers,
    relevant: Flags,
    *,
    results: int | None = RESULTS,
    seed: int = 0,
) -> Weights:
    """cd of each pair of terms: relevant pages with both / pages with either (Eq. 10).

    Symmetric, 0 on the diagonal and for a pair that no page holds. With ``results`` each pair
    has its own random sample of so many pages, as in the paper; None takes all pages (ours:
    no sampling noise).
    """
    if results is None:
        return _cooccurrence_on_all(index, terms, relevant)
    rng = np.random.default_rng(seed)
    held = index.counts[index.rows(terms)] > 0
    table = np.zeros((len(terms), len(terms)))
    for first in range(len(terms)):
        for second in range(first + 1, len(terms)):
            pages = index.search_either(int(terms[first]), int(terms[second]), results, rng)
            both = held[first, pages] & held[second, pages] & relevant[pages]
            table[first, second] = table[second, first] = both.sum() / max(len(pages), 1)
    return table


def _cooccurrence_on_all(index: PageIndex, terms: Numbers, relevant: Flags) -> Weights:
    """All pairs at once: the counts in Eq. 10 are two products of matrices."""
    # Whole numbers: numpy multiplies them itself, without waking the threads of a BLAS.
    held = (index.counts[index.rows(terms)] > 0).astype(np.int32)
    pages = held.sum(axis=1)
    either = pages[:, None] + pages[None, :] - held @ held.T
    good = held[:, relevant]
    table: Weights = good @ good.T / np.maximum(either, 1)
    np.fill_diagonal(table, 0.0)
    return table
