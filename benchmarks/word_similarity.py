"""How fast is the similarity of one word to all others, and a pair-by-pair library beside it?

A pair is two words, in all their senses. Both sides compare the same topic terms with noun
lemmas, ours with all of them at once, the library with a few drawn at random. Most of the
ratio comes from that: a library that answers pair by pair starts again for each. Our own result
to a single pair is printed as well.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from statistics import fmean, median

from benchmarks.pairwise_library import agree, is_tree_above, pairwise_library
from scenthound.similarity.word_similarity import TaxonomySimilarity
from scenthound.text.wordnet import Taxonomy
from scenthound.text.wordnet_files import shipped

TERMS = (
    "animal", "book", "car", "child", "coffee", "computer", "engine", "film", "garden", "history",
    "house", "language", "market", "music", "planet", "river", "school", "science", "storm", "war",
)  # fmt: skip
LEMMAS_EACH = 20
ROUNDS = 5
BAR_NS = 200
BAR_RATIO = 100
Pair = tuple[str, str]


def word_similarity() -> None:
    """Print nanoseconds a pair for two measures, and the library's as a multiple of them."""
    taxonomy = shipped().nouns
    pairs = _pairs(taxonomy)
    senses = fmean(len(taxonomy.concepts(term)) for term in TERMS)
    print(
        f"similarity of a word to {len(taxonomy.lemmas)} noun lemmas in all senses, "
        f"median of {len(TERMS)} words ({senses:.1f} senses each):"
    )
    with pairwise_library(taxonomy, {word for pair in pairs for word in pair}) as library:
        for name, pairwise in (("lin", library.lin), ("wu-palmer", library.wu_palmer)):
            ours = TaxonomySimilarity(taxonomy, name)
            _print_speed(name, _ns_a_pair(ours), _ns_each(pairwise, pairs))
            _print_agreement(ours, pairwise, pairs)


def _pairs(taxonomy: Taxonomy) -> list[Pair]:
    rng = random.Random(0)
    return [(term, other) for term in TERMS for other in rng.sample(taxonomy.lemmas, LEMMAS_EACH)]


def _ns_a_pair(similarity: TaxonomySimilarity) -> float:
    """Median over the terms of the median over the rounds; the first call prepares."""
    similarity.to_all(TERMS[0])
    pairs = len(similarity.taxonomy.lemmas)
    return median(
        median(_nanoseconds(similarity.to_all, term) for _ in range(ROUNDS)) / pairs
        for term in TERMS
    )


def _ns_each(pairwise: Callable[[str, str], float], pairs: Sequence[Pair]) -> float:
    """The same median over the terms, of the mean over each term's lemmas."""
    pairwise(*pairs[0])
    times: dict[str, list[float]] = {}
    for first, second in pairs:
        times.setdefault(first, []).append(_nanoseconds(pairwise, first, second))
    return median(fmean(row) for row in times.values())


def _nanoseconds(work: Callable[..., object], *given: str) -> float:
    started = time.perf_counter_ns()
    work(*given)
    return time.perf_counter_ns() - started


def _print_speed(name: str, ours: float, theirs: float) -> None:
    print(
        f"  {name}: {ours:.0f} ns a pair (bar: {BAR_NS}); the library wn, pair by pair: "
        f"{theirs / 1e6:.2f} ms; {theirs / ours:.0f} times ours (bar: {BAR_RATIO})"
    )


def _print_agreement(
    ours: TaxonomySimilarity, pairwise: Callable[[str, str], float], pairs: Sequence[Pair]
) -> None:
    """Definitions differ where a concept has several ways up: which ancestor, which depth."""
    index = ours.index
    to_all = {term: ours.to_all(term) for term in TERMS}
    same = {(a, b): agree(to_all[a][index[b]], pairwise(a, b)) for a, b in pairs}
    simple = [pair for pair in pairs if all(is_tree_above(ours.taxonomy, word) for word in pair)]
    print(
        f"    equal values on {sum(same[pair] for pair in simple)} of the {len(simple)} pairs "
        f"with one way up from every sense, on {sum(same.values())} of all {len(pairs)}"
    )
