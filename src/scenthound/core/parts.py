"""The parts of a score, kept by column: many scores share their names and weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter, mul
from typing import overload

from scenthound.core.model import Part, Score

_PART = attrgetter("name", "value", "weight")


class Parts(Sequence[Part]):
    """What a score is made up of.

    To read, a sequence of :class:`Part`. A crawl has millions of them, all of a few names, so
    that only the values are a score's own.

    Parameters
    ----------
    names, values, weights : one for each part.

    Examples
    --------
    >>> parts = Parts(("page", "anchor"), (0.5, 0.25), (1.0, 2.0))
    >>> parts[1]
    Part(name='anchor', value=0.25, weight=2.0)
    >>> parts.score()
    Score(value=1.0, parts=Parts(('page', 'anchor'), (0.5, 0.25), (1.0, 2.0)))
    """

    __slots__ = ("names", "values", "weights")

    def __init__(
        self, names: tuple[str, ...], values: tuple[float, ...], weights: tuple[float, ...]
    ) -> None:
        if not len(names) == len(values) == len(weights):
            raise ValueError(f"{len(values)} values, {len(weights)} weights for {names}")
        self.names, self.values, self.weights = names, values, weights

    @classmethod
    def of(cls, parts: Sequence[Part]) -> Parts:
        """The same parts by column; as they are, if they are so already."""
        if isinstance(parts, Parts):
            return parts
        return cls(*zip(*map(_PART, parts), strict=True)) if parts else cls((), (), ())

    def valued(self, values: tuple[float, ...]) -> Parts:
        """Other values under the same names and weights."""
        return Parts(self.names, values, self.weights)

    def score(self) -> Score:
        """The priority that the parts make up: ``sum of weight x value`` (svsm-mcoa Eq. 7)."""
        return Score(sum(map(mul, self.values, self.weights)), self)

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[Part]:
        return map(Part, self.names, self.values, self.weights)

    @overload
    def __getitem__(self, place: int) -> Part: ...

    @overload
    def __getitem__(self, place: slice) -> Parts: ...

    def __getitem__(self, place: int | slice) -> Part | Parts:
        if isinstance(place, slice):
            return Parts(self.names[place], self.values[place], self.weights[place])
        return Part(self.names[place], self.values[place], self.weights[place])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Parts | tuple | list):
            return tuple(self) == tuple(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Parts({self.names}, {self.values}, {self.weights})"
