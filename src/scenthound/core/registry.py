"""Named things: a fixed table, and what installed packages add to it through entry points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol, TypeVar

from scenthound.core.errors import PluginError, UnknownNameError


class Named(Protocol):
    """Anything with a name."""

    @property
    def name(self) -> str:
        """What users call it."""


T = TypeVar("T", bound=Named)


class Registry(Mapping[str, T]):
    """A fixed table and, behind it, what installed packages add.

    Iterating gives names and loads nothing. An entry of a package is loaded each time that it is
    asked for by its name; an error there is a PluginError, and all others still work. Of two
    entries of one name the first counts; the fixed table comes first.

    Parameters
    ----------
    kind : what is registered, in words, for messages.
    things : the fixed table; two of one name are a programming error.
    group : the name of the group of entry points; "" for a table that nobody adds to.
    load : gives the thing that an entry point stands for; PluginError where it is none.
    """

    def __init__(
        self,
        kind: str,
        things: Sequence[T],
        group: str = "",
        load: Callable[[EntryPoint], T] | None = None,
    ) -> None:
        self._kind = kind
        self._things = {thing.name: thing for thing in things}
        if len(self._things) != len(things):
            raise ValueError(f"two entries of one name among the {kind} entries")
        self._group = group
        self._load = load

    def __getitem__(self, name: str) -> T:
        if name in self._things:
            return self._things[name]
        point = self.entry_point(name)
        if point is None or self._load is None:
            raise UnknownNameError(self._kind, name, self)
        return self._load(point)

    def __iter__(self) -> Iterator[str]:
        return iter([*self._things, *self._added()])

    def __len__(self) -> int:
        return len(self._things) + len(self._added())

    def __contains__(self, name: object) -> bool:
        return name in self._things or name in self._added()

    def known(self, name: str) -> T | None:
        """The entry of this name; None where there is none, or none that can be used."""
        with suppress(PluginError):
            return self.get(name)
        return None

    def usable(self) -> list[T]:
        """Every entry that can be used; what cannot be is left out: see :meth:`problems`."""
        tried = (self.known(name) for name in self)
        return [each for each in tried if each is not None]

    def entry_point(self, name: str) -> EntryPoint | None:
        """Where an added name comes from; None for one of the fixed table, or an unknown one."""
        return self._added().get(name)

    def packages(self) -> dict[str, str]:
        """Which package each added name comes from; nothing is loaded."""
        return {name: package_of(point) for name, point in self._added().items()}

    def problems(self) -> list[str]:
        """What packages add and cannot be used, a sentence for each; all are loaded."""
        found, packages = [], self.packages()
        for point in installed_entry_points(self._group):
            if packages.get(point.name) != package_of(point):
                found.append(
                    f"{package_of(point)} adds a {self._kind} {point.name!r}, but that name is "
                    "taken; rename the other one, or uninstall one of the two."
                )
                continue
            try:
                self[point.name]
            except PluginError as error:
                found.append(str(error))
        return found

    def _added(self) -> dict[str, EntryPoint]:
        added: dict[str, EntryPoint] = {}
        for point in installed_entry_points(self._group) if self._group else ():
            if point.name not in self._things:
                added.setdefault(point.name, point)
        return added


def installed_entry_points(group: str) -> list[EntryPoint]:
    """The entry points of a group, by name and then by package."""
    return sorted(entry_points(group=group), key=lambda each: (each.name, package_of(each)))


def package_of(point: EntryPoint) -> str:
    """Name and version of the package that an entry point comes from: ``storms 1.2``."""
    return "an unnamed package" if point.dist is None else f"{point.dist.name} {point.dist.version}"
