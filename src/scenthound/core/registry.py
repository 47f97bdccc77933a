"""A table of named things that helps with typing errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol, TypeVar

from scenthound.core.errors import UnknownNameError


class Named(Protocol):
    """Anything with a name."""

    @property
    def name(self) -> str:
        """What users call it."""
        ...


T = TypeVar("T", bound=Named)


class Registry(Mapping[str, T]):
    """Fixed table: name -> thing, in the order given.

    Parameters
    ----------
    kind : what is registered, in words, for the error message.
    things : the entries; two of one name are a programming error.
    """

    def __init__(self, kind: str, things: tuple[T, ...]) -> None:
        self._kind = kind
        self._things = {thing.name: thing for thing in things}
        if len(self._things) != len(things):
            raise ValueError(f"two entries of one name among the {kind} entries")

    def __getitem__(self, name: str) -> T:
        try:
            return self._things[name]
        except KeyError:
            raise UnknownNameError(self._kind, name, self._things) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._things)

    def __len__(self) -> int:
        return len(self._things)

    def __contains__(self, name: object) -> bool:
        return name in self._things

    def usable(self) -> list[T]:
        """Every entry that can be used; in a fixed table that is each one."""
        return list(self._things.values())
