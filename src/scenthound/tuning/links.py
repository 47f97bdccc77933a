"""Training links: what the texts of a link are worth, and how relevant its target turned out."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from scenthound.optimise.arrays import Array

SIMILARITY, RELEVANCE = "sim_", "relevance"
"""What the name of a column begins with that holds values of a text; the column of targets."""
SIGNS_KEPT = 200
"""Characters of an anchor or a name that are kept."""


@dataclass(frozen=True, slots=True)
class TrainingLink:
    """A link whose target was fetched.

    ``source`` is the page that holds it, ``target`` the page it leads to in the end, ``values``
    the similarities of its texts and what other evidence there is, ``relevance`` that of the
    target by the judge. ``row`` is where it stands in a file that was read; 0 where there is none.
    """

    source: str
    target: str
    anchor: str
    values: tuple[float, ...]
    relevance: float
    row: int = field(default=0, compare=False)


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


def unknown_values(links: TrainingLinks) -> str | None:
    """Where the first value is that is no finite number, and how many there are, in a sentence.

    None where all are. First is the one in the first row of the file, if the links are from one.
    """
    table = np.column_stack([links.rows, links.targets])
    places = [(links.links[n].row, n, column) for n, column in np.argwhere(~np.isfinite(table))]
    if not places:
        return None
    row, number, column = min(places)
    names = [*(f"{SIMILARITY}{name}" for name in links.names), RELEVANCE]
    first = f"{names[column]} {f'in row {row}' if row else f'of link {number + 1}'}"
    if len(places) == 1:
        return f"{first} is empty or not a finite number; correct it, or leave that link out."
    return (
        f"{first} is empty or not a finite number, the first of {len(places):,} such values; "
        "correct them, or leave those links out."
    )


def kept_line(text: str) -> str:
    """A text as it is kept: one line, nothing that is no sign, 200 characters."""
    signs = (sign if sign.isprintable() else " " for sign in text[: 10 * SIGNS_KEPT])
    return " ".join("".join(signs).split())[:SIGNS_KEPT]
