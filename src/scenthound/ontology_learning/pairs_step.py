"""Strong pairs of words, as additions to a draft (olmoaco section 2.5, step 7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from scenthound.ontology.model import Kind
from scenthound.ontology_learning.association import Pair, support_with_pairs
from scenthound.ontology_learning.proposals import Draft, Proposal
from scenthound.ontology_learning.word_topics import WordTopic

_PASSES = 2
"""A pair without a known word is kept for the next pass, then dropped."""
FEWEST_TOPICS = 5
"""Below this any two words of a topic share a large part of the topics (ours)."""


def pair_proposals(draft: Draft, pairs: Iterable[Pair]) -> Iterator[Proposal]:
    """The strong pairs as additions to a draft, as coordinate terms.

    Of a pair with one known word the other goes below it; two known words become related, where
    that closes no circle.

    Parameters
    ----------
    draft : what is known. It is asked while the proposals are drawn one by one, and grows outside.
    pairs : the strongest first.
    """
    waiting = list(pairs)
    for _ in range(_PASSES):
        unknown = []
        for pair in waiting:
            if pair.first in draft or pair.second in draft:
                yield _proposal(draft, pair)
            else:
                unknown.append(pair)
        waiting = unknown


def no_pairs(topics: Sequence[WordTopic], support: float, confidence: float) -> str:
    """Why no pair of words is strong, and what to do about it, as a sentence.

    Parameters
    ----------
    topics : the sets of words that were searched.
    support, confidence : what the pairs lack.
    """
    if not topics:
        return "no noun was found in the pages, so there are no pairs of words (step 7)."
    if len(topics) < FEWEST_TOPICS:
        return (
            f"the pages have fewer than {FEWEST_TOPICS} topics, in which any two words would be a "
            "pair, so there are no pairs of words (step 7); give more pages, or more --topics."
        )
    told = f"no pair of words is in {support:.0%} of the {len(topics)} topics of the pages"
    lower = support_with_pairs(topics)
    if lower is None:
        return f"{told}, nor in two of them."
    if lower >= support:
        return f"{told} with a confidence of {confidence:g}; lower it for more."
    return f"{told}; with support {lower:g} the first are found."


def _proposal(draft: Draft, pair: Pair) -> Proposal:
    known, other = pair.first, pair.second
    if known not in draft:
        known, other = other, known
    origin = (
        f'topics of the pages: with "{known}" in {pair.support:.0%} of them '
        f"(confidence {pair.confidence:.2f})"
    )
    return Proposal(other, known, Kind.COORDINATE, origin, guess=True)
