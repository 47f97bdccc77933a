"""Topics of nouns by LDA (olmoaco 2.3, step 6), and strong pairs of words (2.4, step 7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import chain, combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import SettingsError, require_library
from scenthound.papers.olmoaco.skeleton import Draft, Proposal
from scenthound.papers.ontologies.files import INSTALL
from scenthound.papers.ontologies.model import Kind

_LIBRARIES = {"sklearn": "scikit-learn", "efficient_apriori": "efficient-apriori"}


def require_learning() -> None:
    """Raise SettingsError where a library is missing; none is loaded, which takes a second."""
    for module, name in _LIBRARIES.items():
        if find_spec(module) is None:
            raise SettingsError(
                f"the topic names no ontology, and learning one needs {name}; install it with: "
                f"{INSTALL}."
            )


DEFAULT_TOPICS = 20
WORDS_PER_TOPIC = 10
TOPIC_COUNTS_SEARCHED = (5, 10, 15, 20, 25, 30)
"""Numbers of topics that are tried where none is given."""
WordTopic = tuple[str, ...]
"""The words of a topic, the heaviest first."""
Counts = Sequence[Mapping[str, int]]
"""How often each word is in each page."""
Rows = npt.NDArray[np.float64]
_ROUNDS = 50
_MIN_OCCURRENCES = 1.0
"""Occurrences in the pages that a topic must answer for, of a word that is to stand for it."""
_DIGITS = 9
"""Digits by which weights are compared: the last ones may differ between machines."""


def word_topics(
    counts: Counts, topics: int = DEFAULT_TOPICS, words: int = WORDS_PER_TOPIC, seed: int = 0
) -> tuple[WordTopic, ...]:
    """Return the topics of the pages, each by its heaviest words (olmoaco Eq. 1, step 6).

    0 ``topics`` takes the number of :data:`TOPIC_COUNTS_SEARCHED` whose topics are least alike.
    Where there are fewer pages than topics, some topics stay as they were before learning: no
    occurrence is theirs, and they are left out (ours).
    """
    from scipy.sparse import csr_array

    names = sorted(set(chain.from_iterable(counts)))
    if not names:
        return ()
    column = {name: place for place, name in enumerate(names)}
    pages = np.repeat(np.arange(len(counts)), [len(page) for page in counts])
    places = np.array([column[word] for page in counts for word in page], np.int32)
    values = np.array([number for page in counts for number in page.values()], np.float64)
    matrix = csr_array((values, (pages, places)), shape=(len(counts), len(names)))
    fitted = [
        _fit(matrix, number, seed) for number in ([topics] if topics else TOPIC_COUNTS_SEARCHED)
    ]
    rows = min(fitted, key=mean_similarity)
    prior = 1.0 / len(rows)
    found = (heaviest(row - prior, names, words) for row in rows)
    return tuple(topic for topic in found if topic)


def mean_similarity(rows: Rows) -> float:
    """Return the mean cosine of all pairs of rows (olmoaco section 2.3); 0 for fewer than two.

    With unit rows ``u`` the squared length of their sum is the sum of the cosines of all ordered
    pairs, each row with itself included: ``(|sum u|^2 - K) / (K (K - 1))``, without the pairs.
    """
    number = len(rows)
    if number < 2:
        return 0.0
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    total = float(np.square(units.sum(axis=0)).sum())
    return (total - number) / (number * (number - 1))


def heaviest(weights: Rows, names: Sequence[str], most: int) -> WordTopic:
    """Return the ``most`` words with the largest weights, of equal ones the first by the alphabet.

    Words of which the topic explains less than one occurrence are left out.
    """
    order = np.argsort(-np.round(weights, _DIGITS), kind="stable")[:most]
    return tuple(names[place] for place in order.tolist() if weights[place] >= _MIN_OCCURRENCES)


def _fit(matrix: object, topics: int, seed: int) -> Rows:
    """Occurrences of each word that each topic explains, above the prior of 1 / topics."""
    decomposition = require_library("sklearn.decomposition", "finding topics of words", INSTALL)
    model = decomposition.LatentDirichletAllocation(
        topics, max_iter=_ROUNDS, learning_method="batch", random_state=seed, n_jobs=1
    )
    rows: Rows = model.fit(matrix).components_
    return rows


SUPPORT = 0.5
CONFIDENCE = 0.6


class Pair(NamedTuple):
    """Two words of which the first implies the second.

    ``support`` is the part of all sets that hold both, ``confidence`` the part of the sets with the
    first that hold the second too.
    """

    first: str
    second: str
    support: float
    confidence: float


def strong_pairs(
    transactions: Iterable[Iterable[str]], support: float = SUPPORT, confidence: float = CONFIDENCE
) -> list[Pair]:
    """Return strong rules of two words (Agrawal et al. 1994; olmoaco Def. 2-3).

    ``support`` is the least part of the transactions that hold both words, ``confidence`` the least
    part of those with one word that hold the other too. The strongest first: by support, then by
    confidence, then by the alphabet. A pair counts once, in the direction that is more certain.
    """
    # In order: the library counts in the order of its sets, and the order of a set of texts differs
    # from process to process.
    sets = [tuple(sorted(set(words))) for words in transactions]
    if not any(len(words) > 1 for words in sets):
        return []
    apriori = require_library("efficient_apriori", "finding pairs of words", INSTALL).apriori
    _, rules = apriori(sets, min_support=support, min_confidence=confidence, max_length=2)
    pairs = [Pair(rule.lhs[0], rule.rhs[0], rule.support, rule.confidence) for rule in rules]
    pairs.sort(key=lambda pair: (-pair.support, -pair.confidence, pair.first, pair.second))
    found: dict[frozenset[str], Pair] = {}
    for pair in pairs:
        found.setdefault(frozenset((pair.first, pair.second)), pair)
    return list(found.values())


_PASSES = 2
"""A pair without a known word is kept for the next pass, then dropped."""
MIN_TOPICS = 5
"""Below this any two words of a topic share a large part of the topics (ours)."""


def pair_proposals(draft: Draft, pairs: Iterable[Pair]) -> Iterator[Proposal]:
    """Yield the strong pairs as additions to a draft, as coordinate terms.

    Of a pair with one known word the other goes below it; two known words become related, where
    that closes no cycle. ``draft`` is asked while the proposals are drawn, and grows outside.
    """
    waiting = list(pairs)
    for _ in range(_PASSES):
        unknown = []
        for pair in waiting:
            known, other = pair.first, pair.second
            if known not in draft:
                known, other = other, known
            if known not in draft:
                unknown.append(pair)
                continue
            origin = (
                f'topics of the pages: with "{known}" in {pair.support:.0%} of them '
                f"(confidence {pair.confidence:.2f})"
            )
            yield Proposal(other, known, Kind.COORDINATE, origin, guess=True)
        waiting = unknown


def no_pairs_reason(topics: Sequence[WordTopic], support: float, confidence: float) -> str:
    """Return why no pair of words is strong, and what to do about it, as a sentence."""
    if len(topics) < MIN_TOPICS:
        return (
            f"the pages have fewer than {MIN_TOPICS} topics, in which any two words would be a "
            "pair, so there are no pairs of words (step 7); give more pages, or more --topics."
        )
    together = Counter(pair for words in topics for pair in combinations(sorted(set(words)), 2))
    most = max(together.values(), default=0) / len(topics)
    return (
        f"no pair of words is in {support:.0%} of the {len(topics)} topics of the pages with a "
        f"confidence of {confidence:g} (at most in {most:.0%}); lower --support or --confidence."
    )
