"""Topics of words in pages, by latent Dirichlet allocation (olmoaco section 2.3, step 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from scenthound.core.extras import require
from scenthound.ontology_learning.extra import INSTALL

TOPICS = 20
WORDS = 10
SEARCHED = (5, 10, 15, 20, 25, 30)
"""Numbers of topics that are tried where none is given."""
WordTopic = tuple[str, ...]
"""The words of a topic, the heaviest first."""
Counts = Sequence[Mapping[str, int]]
"""How often each word is in each page."""
Rows = npt.NDArray[np.float64]
_ROUNDS = 50
_LEAST = 1.0
"""Occurrences in the pages that a topic must answer for, of a word that is to stand for it."""
_DIGITS = 9
"""Digits by which weights are compared: the last ones may differ between machines."""


def word_topics(
    counts: Counts, topics: int = TOPICS, words: int = WORDS, seed: int = 0
) -> tuple[WordTopic, ...]:
    """The topics of the pages, each by its heaviest words; no pages, or no words, give none.

    Where there are fewer pages than topics, some topics stay as they were before learning: no
    occurrence is theirs, and their heaviest words are just the first ones. Those words, and topics
    without any other, are left out (ours).

    Parameters
    ----------
    counts : of the nouns of each page.
    topics : how many; 0 takes the number of :data:`SEARCHED` whose topics are least alike.
    words : at most so many of each.
    seed : same seed, same pages, same topics.
    """
    names = sorted(set(chain.from_iterable(counts)))
    if not names:
        return ()
    fitted = [_fitted(counts, names, number, seed) for number in ([topics] if topics else SEARCHED)]
    rows = min(fitted, key=mean_similarity)
    prior = 1.0 / len(rows)
    found = (heaviest(row - prior, names, words) for row in rows)
    return tuple(topic for topic in found if topic)


def mean_similarity(rows: Rows) -> float:
    """Mean cosine of all pairs of rows (olmoaco section 2.3); 0 for fewer than two.

    With unit rows ``u`` the squared length of their sum is the sum of the cosines of all ordered
    pairs, each row with itself included: ``(|sum u|^2 - K) / (K (K - 1))``, without the pairs.

    Parameters
    ----------
    rows : one for each topic, a weight for each word; none is all zero.
    """
    number = len(rows)
    if number < 2:
        return 0.0
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    total = float(np.square(units.sum(axis=0)).sum())
    return (total - number) / (number * (number - 1))


def heaviest(weights: Rows, names: Sequence[str], most: int) -> WordTopic:
    """The words with the largest weights, of equal ones the first by the alphabet.

    Parameters
    ----------
    weights : occurrences of each word that the topic answers for.
    names : the words, in order of the alphabet.
    most : so many at most; words of less than one occurrence are left out.
    """
    order = np.argsort(-np.round(weights, _DIGITS), kind="stable")[:most]
    return tuple(names[place] for place in order.tolist() if weights[place] >= _LEAST)


def _fitted(counts: Counts, names: Sequence[str], topics: int, seed: int) -> Rows:
    """Occurrences of each word that each topic answers for, above the prior of 1 / topics."""
    decomposition = require("sklearn.decomposition", "finding topics of words", INSTALL)
    model = decomposition.LatentDirichletAllocation(
        topics, max_iter=_ROUNDS, learning_method="batch", random_state=seed, n_jobs=1
    )
    rows: Rows = model.fit(_matrix(counts, names)).components_
    return rows


def _matrix(counts: Counts, names: Sequence[str]) -> object:
    """Pages by words, sparse."""
    from scipy.sparse import csr_array

    column = {name: place for place, name in enumerate(names)}
    pages = np.repeat(np.arange(len(counts)), [len(page) for page in counts])
    words = np.array([column[word] for page in counts for word in page], np.int32)
    values = np.array([number for page in counts for number in page.values()], np.float64)
    return csr_array((values, (pages, words)), shape=(len(counts), len(names)))
