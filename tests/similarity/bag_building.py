"""Bags and graphs from a few letters: every word of a text is a term."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from scenthound.papers.sdvsm import DisambiguationGraph, GraphTerms, disambiguation_terms
from scenthound.text.terms import Bag, Vocabulary


def bag(text: str, vocabulary: Vocabulary) -> Bag:
    """Count the words of ``text`` as they stand."""
    counts = sorted((vocabulary.number(word), n) for word, n in Counter(text.split()).items())
    table = np.array(counts, np.int32).reshape(-1, 2)
    return Bag(table[:, 0].copy(), table[:, 1].copy())


def numbers(text: str, vocabulary: Vocabulary) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Numbers of the words, in the order of the text."""
    return np.array([vocabulary.number(word) for word in text.split()], np.int32)


def graph(
    names: Sequence[str],
    edges: dict[tuple[int, int], float],
    ambiguous: Sequence[int],
    vocabulary: Vocabulary,
    threshold: float | None = None,
    rule: str = "removal",
) -> DisambiguationGraph:
    """A graph with these degrees; terms weigh 1, 2, 3, ... and indicators are made up."""
    degrees = np.zeros((len(names), len(names)))
    for (first, second), degree in edges.items():
        degrees[first, second] = degrees[second, first] = degree
    flags = np.isin(np.arange(len(names)), ambiguous)
    terms = GraphTerms(
        np.array([vocabulary.number(name) for name in names], np.int32),
        tuple(names),
        np.arange(1.0, len(names) + 1.0),
        np.ones(len(names), np.int32),
    )
    return DisambiguationGraph(
        terms,
        degrees,
        np.arange(3.0 * len(names)).reshape(-1, 3),
        np.where(flags, 16.0, 12.0),
        flags,
        disambiguation_terms(degrees, flags, threshold),
        rule,
    )
