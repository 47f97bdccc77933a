"""Training links: what the texts of a link are worth, and how relevant its target turned out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scenthound.optimise.arrays import Array

ANCHOR_KEPT = 200
"""Characters of an anchor that are kept."""


@dataclass(frozen=True, slots=True)
class TrainingLink:
    """A link whose target was fetched.

    ``source`` is the page that holds it, ``target`` the page it leads to in the end, ``values``
    the similarities of its texts and what other evidence there is, ``relevance`` that of the
    target by the judge.
    """

    source: str
    target: str
    anchor: str
    values: tuple[float, ...]
    relevance: float


@dataclass(frozen=True)
class TrainingLinks:
    """The training links of a topic, in the order in which their targets were fetched.

    Those that are collected have each target once, so that none stands among both the links that
    train and those that test.

    Parameters
    ----------
    topic : its name; empty where it is not known.
    model : the text model that compared the texts; empty where it is not known.
    names : what the values of a link are called, in order.
    links : those that train first; none at all is allowed.
    split : how many of them train. By default the first half; of an odd number the middle one
        trains too.
    """

    topic: str
    model: str
    names: tuple[str, ...]
    links: tuple[TrainingLink, ...]
    split: int | None = None

    def __len__(self) -> int:
        return len(self.links)

    @property
    def train(self) -> int:
        """How many links train: the first ones."""
        return len(self) - len(self) // 2 if self.split is None else self.split

    @property
    def test(self) -> int:
        """How many links test: the others."""
        return len(self) - self.train

    @cached_property
    def rows(self) -> Array:
        """The values, one row a link; without links no rows, but all columns."""
        return np.array([link.values for link in self.links], float).reshape(-1, len(self.names))

    @cached_property
    def targets(self) -> Array:
        """The relevance of each target."""
        return np.array([link.relevance for link in self.links], float)


def kept_anchor(anchor: str) -> str:
    """The words of a link as they are kept: one line, nothing that is no sign, 200 characters."""
    signs = (sign if sign.isprintable() else " " for sign in anchor[: 10 * ANCHOR_KEPT])
    return " ".join("".join(signs).split())[:ANCHOR_KEPT]
