"""Which topic terms are ambiguous (sdvsm Eq. 10-15): pages, indicators TR, TP and TI, criterion.

The pages stand for the search engine of sdvsm. Only example pages and fetched pages are searched.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

import numpy as np
import numpy.typing as npt

from scenthound.core.parameters import check_name
from scenthound.core.protocols import State
from scenthound.papers.fuzzy import (
    DEFUZZIFICATIONS,
    INFERENCES,
    Falling,
    Gaussian,
    Labels,
    Rising,
    Rule,
    defuzzified,
    inferred,
)
from scenthound.text.page_index import PageIndex
from scenthound.text.terms import Bag, Numbers, Vocabulary, Weights

MOST_PAGES = 2_000


class PageCollection:
    """Example pages, which always stay, and a fair sample of the pages fetched.

    At most ``most`` fetched pages are kept, each page of the crawl with the same chance (reservoir
    sampling: Vitter 1985, algorithm R). What is drawn for a page depends on the seed and on the
    page's place in the crawl alone.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        examples: Iterable[Bag] = (),
        most: int = MOST_PAGES,
        seed: int = 0,
    ) -> None:
        self.examples = tuple(examples)
        self.fetched = 0
        """Pages added so far, kept or not."""
        self._vocabulary = vocabulary
        self._most = most
        self._seed = seed
        self._sample: list[Bag] = []

    @property
    def pages(self) -> Sequence[Bag]:
        """The pages by number: examples first. A number is valid until the next page is added."""
        return [*self.examples, *self._sample]

    def add(self, page: Bag) -> None:
        """Add a fetched page, unless it has no terms: no search could return it."""
        if not len(page):
            return
        self.fetched += 1
        place = len(self._sample)
        if place >= self._most:
            place = random.Random(f"{self._seed}/{self.fetched}").randrange(self.fetched)
            if place >= self._most:
                return
        # A copy: bags are often views into the bags of many texts, which would stay with them.
        self._sample[place : place + 1] = [Bag(page.ids.copy(), page.counts.copy())]

    def state(self) -> State:
        """Return the fetched pages, with their terms as words: numbers differ from run to run."""
        sizes = np.array([len(page) for page in self._sample], np.int64)
        ids = np.concatenate([page.ids for page in self._sample] or [np.empty(0, np.int32)])
        counts = np.concatenate([page.counts for page in self._sample] or [np.empty(0, np.int32)])
        distinct, places = np.unique(ids, return_inverse=True)
        return {
            "fetched": self.fetched,
            "terms": list(self._vocabulary.terms(distinct.tolist())),
            "sizes": sizes,
            "places": places.astype(np.int32),
            "counts": counts.astype(np.int32),
        }

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        numbers = np.array(
            [self._vocabulary.number(str(term)) for term in state["terms"]], np.int32
        )
        ids, counts = numbers[state["places"].astype(np.intp)], state["counts"].astype(np.int32)
        self.fetched = state["fetched"]
        ends = np.cumsum(state["sizes"])
        self._sample = []
        columns = zip(np.split(ids, ends)[:-1], np.split(counts, ends)[:-1], strict=True)
        for page_ids, page_counts in columns:
            order = np.argsort(page_ids)
            self._sample.append(Bag(page_ids[order], page_counts[order]))


# Indicators of ambiguity and co-occurrence (sdvsm Eq. 10-11), from the pages of a
# :class:`PageIndex` instead of a search engine.

IMPORTANCES = ("literal", "share")
RESULTS = 20
"""Pages that a query retrieves."""
Flags = npt.NDArray[np.bool_]


def purity(relevant: npt.ArrayLike, irrelevant: npt.ArrayLike) -> Weights:
    """TR and TP of Eq. 11 with C = 1: ``R / (C + U)``, for occurrences and for pages."""
    return np.asarray(relevant, np.float64) / (1.0 + np.asarray(irrelevant, np.float64))


def importance(occurrences: Numbers, form: str = "literal") -> Weights:
    """Return TI of Eq. 11 for each term, from how often the terms occur in the training texts.

    ``literal`` is as printed, ``log2(N_others / N_k)``: larger for rarer terms. The paper's words
    ask for the opposite, the term's share; that is ``share``, ours: ``log2(N_k / N_others)``. The
    base is not printed; the paper's example fits base 2. A term that never occurs, and one that is
    alone, get 0.
    """
    check_name("topic importance", form, IMPORTANCES)
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
    """Return TR, TP and TI of each term, one row each (Eq. 11 with C = 1).

    ``occurrences`` is how often each term occurs in the training texts, ``relevant`` marks the
    pages of the index, ``results`` are the pages looked at for each term; None for all that hold
    it. ``ti`` is the form of :func:`importance`.
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
    """Return cd of each pair of terms: relevant pages with both / pages with either (Eq. 10).

    Symmetric, 0 on the diagonal and for a pair that no page holds. With ``results`` each pair
    has its own random sample of so many pages, as in the paper; None takes all pages (ours:
    no sampling noise).
    """
    held = index.counts[index.rows(terms)] > 0
    if results is None:
        # Two products of matrices, of whole numbers: numpy multiplies them without BLAS threads.
        numbers = held.astype(np.int32)
        pages, good = numbers.sum(axis=1), numbers[:, relevant]
        either = pages[:, None] + pages[None, :] - numbers @ numbers.T
        degrees: Weights = good @ good.T / np.maximum(either, 1)
        np.fill_diagonal(degrees, 0.0)
        return degrees
    rng = np.random.default_rng(seed)
    table = np.zeros((len(terms), len(terms)))
    for first, second in combinations(range(len(terms)), 2):
        pages = index.search_either(int(terms[first]), int(terms[second]), results, rng)
        both = held[first, pages] & held[second, pages] & relevant[pages]
        table[first, second] = table[second, first] = both.sum() / max(len(pages), 1)
    return table


Thresholds = tuple[tuple[float, float], ...]
"""``(a, b)`` of each indicator: low up to a, high from b on."""
MEMBERSHIPS = ("piecewise-linear", "gaussian")

RULES = tuple(
    Rule(tuple(conditions), result)
    for conditions, result in (
        ("LLL", "H"), ("LLH", "H"), ("LHL", "H"), ("HLL", "H"),
        ("LHH", "L"), ("HLH", "L"), ("HHL", "L"), ("HHH", "L"),
    )
)  # fmt: skip
"""sdvsm Table 2: ambiguity is high when at least two of TR, TP and TI are low."""
OUTPUT = (10.0, 20.0)
"""a_AV and b_AV, the interval of the ambiguity value."""
_ROUNDING = 1e-9


class Criterion(Protocol):
    """Decides which terms are ambiguous."""

    def judge(self, indicators: Weights) -> tuple[Weights, Flags]:
        """Return how ambiguous each term is, and which are ambiguous.

        ``indicators`` has one row of TR, TP and TI for each term.
        """


def input_labels(a: float, b: float, membership: str = "piecewise-linear") -> Labels:
    """Return Low and High of an indicator between ``a`` and ``b`` (Eq. 12).

    ``gaussian`` puts a bell on each end, as wide as makes both 1/2 in the middle. Triangles with
    their peaks on the ends are the piecewise-linear labels over again.
    """
    if membership == "piecewise-linear" or a == b:
        return {"L": Falling(a, b), "H": Rising(a, b)}
    width = (b - a) / math.sqrt(8.0 * math.log(2.0))
    return {"L": Gaussian(a, width), "H": Gaussian(b, width)}


@dataclass(frozen=True)
class FuzzyCriterion:
    """Fuzzy inference over the three indicators (sdvsm Eq. 12-15, Table 2).

    A term is ambiguous when its value reaches the middle of the output interval. These are the
    terms with at least two indicators not above their middle ``(a + b) / 2``, whatever the other
    parameters, since the strongest rule is the one that takes the better label of each indicator.
    With quartiles for thresholds at least half of the terms are ambiguous, whatever the topic.

    Parameters
    ----------
    thresholds : ``(a, b)`` of TR, TP and TI; None for the quartiles over the terms.
    membership : ``piecewise-linear`` (the paper's) or ``gaussian``.
    inference : ``mamdani`` (the paper's) or ``larsen``.
    defuzzification : ``maximum`` (the paper's), ``centroid`` or ``bisector``.
    """

    thresholds: Thresholds | None = None
    membership: str = "piecewise-linear"
    inference: str = "mamdani"
    defuzzification: str = "maximum"

    def __post_init__(self) -> None:
        check_name("membership", self.membership, MEMBERSHIPS)
        check_name("inference", self.inference, INFERENCES)
        check_name("defuzzification", self.defuzzification, DEFUZZIFICATIONS)

    def judge(self, indicators: Weights) -> tuple[Weights, Flags]:
        """Return ambiguity values in the output interval, and which reach its middle."""
        if not len(indicators):
            return np.zeros(0), np.zeros(0, np.bool_)
        # The quartiles over the terms are ours: no thresholds are printed.
        quartiles = np.quantile(indicators, (0.25, 0.75), axis=0).T.tolist()
        thresholds = self.thresholds or quartiles
        low, high = np.array(thresholds).T
        # Beyond a and b labels stay as they are there; a bell would fall again.
        rows = np.clip(indicators, low, high) if self.membership == "gaussian" else indicators
        inputs = [input_labels(a, b, self.membership) for a, b in thresholds]
        values = np.array([self._value(inputs, row) for row in rows.tolist()])
        a, b = OUTPUT
        # A term right in the middle is ambiguous, and rounding must not decide otherwise.
        return values, values >= (a + b) / 2.0 - _ROUNDING * (b - a)

    def _value(self, inputs: Sequence[Labels], row: Sequence[float]) -> float:
        """How ambiguous a term with these indicators is."""
        degrees = [
            {label: float(fuzzy_set.degree(value)) for label, fuzzy_set in labels.items()}
            for labels, value in zip(inputs, row, strict=True)
        ]
        support = inferred(degrees, RULES, self.inference)
        output = input_labels(*OUTPUT)
        return defuzzified(output, support, OUTPUT, self.inference, self.defuzzification)


@dataclass(frozen=True)
class PopularityCriterion:
    """Ours: a term is ambiguous when its topic popularity TP is below ``least``.

    At 1, the default, these are the terms on at least as many irrelevant as relevant pages, which
    may be none or all of a topic's terms. The ambiguity value is ``1 / (1 + TP)``.
    """

    least: float = 1.0

    def judge(self, indicators: Weights) -> tuple[Weights, Flags]:
        """Return ambiguity values in (0, 1], and which terms have a low popularity."""
        popularity = indicators[:, 1]
        return 1.0 / (1.0 + popularity), popularity < self.least
