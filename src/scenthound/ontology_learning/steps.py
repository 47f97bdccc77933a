"""The steps of learning, who is told of them, and how somebody ends them."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Told the step, how much of it is done, and of how much."""

STEPS = (
    "terms", "skeleton", "WordNet neighbours", "WordNet relations", "nouns of the pages",
    "topics of the pages", "pairs of words", "what the texts say",
)  # fmt: skip
"""Steps 1, 2, 3 (two parts), 5, 6 and 7 of the paper, and one of ours; step 4 is the search for
pages, which are given here."""
TERMS, SKELETON, NEIGHBOURS, RELATIONS, NOUNS, TOPICS, PAIRS, SAID = STEPS


class Enough(Exception):  # noqa: N818  a wish, not an error
    """A review raises this where somebody wants to end: what was accepted is kept."""


def silent(step: str, done: int, total: int) -> None:
    """Nobody watches."""
    del step, done, total
