"""Texts and topics by their weights, so that forms are asked without an analyzer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scenthound.similarity.text_models import Form
from scenthound.text.terms import Bag, Bags, Numbers, Vocabulary, Weights

Vector = Mapping[str, float]
"""Weight by term."""


def texts(vectors: Sequence[Vector], vocabulary: Vocabulary) -> tuple[Bags, Weights]:
    """The texts whose terms have these weights; all counts are 1."""
    bags, weights = [], [np.empty(0)]
    for vector in vectors:
        rows = sorted((vocabulary.number(term), weight) for term, weight in vector.items())
        ids = np.array([number for number, _ in rows], np.int32)
        bags.append(Bag(ids, np.ones(len(ids), np.int32)))
        weights.append(np.array([weight for _, weight in rows]))
    return Bags(bags), np.concatenate(weights)


def topic(columns: Sequence[Vector], vocabulary: Vocabulary) -> tuple[Numbers, Weights]:
    """The topic's terms, and a column of weights for each vector."""
    terms = list(dict.fromkeys(term for column in columns for term in column))
    ids = np.array([vocabulary.number(term) for term in terms], np.int32)
    rows = [[column.get(term, 0.0) for column in columns] for term in terms]
    return ids, np.array(rows, np.float64).reshape(len(terms), len(columns))


def similarities(
    form: Form, vectors: Sequence[Vector], columns: Sequence[Vector], vocabulary: Vocabulary
) -> list[float]:
    """What ``form`` says about each text, by the topic of these columns."""
    form.take(*topic(columns, vocabulary))
    found: list[float] = form.similarities(*texts(vectors, vocabulary)).tolist()
    return found
