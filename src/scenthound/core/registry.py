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
    asked for by its name; an error there is a PluginError, and all others still work. A name of the
    fixed table stays what it is; one that two packages add is a PluginError.

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
        points = [each for each in self._points() if each.name == name]
        if not points or self._load is None:
            raise UnknownNameError(self._kind, name, self)
        if points[1:]:  # neither is taken: a package that is added would change what a crawl does
            packages = " and ".join(map(package_of, points))
            raise PluginError(
                f"{packages} both add a {self._kind} {name!r}; uninstall one of them."
            )
        return self._load(points[0])

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
        found: dict[str, None] = {}
        for point in self._points():
            if point.name in self._things:
                problem = (
                    f"{package_of(point)} adds a {self._kind} {point.name!r}, but that name is "
                    "taken; rename it, or uninstall that package."
                )
                found[problem] = None
                continue
            try:
                self[point.name]
            except PluginError as error:
                found[str(error)] = None
        return list(found)

    def _added(self) -> dict[str, EntryPoint]:
        points = reversed(self._points())  # the first of a name remains
        return {point.name: point for point in points if point.name not in self._things}

    def _points(self) -> list[EntryPoint]:
        return installed_entry_points(self._group) if self._group else []


def installed_entry_points(group: str) -> list[EntryPoint]:
    """The entry points of a group, by name and then by package."""
    return sorted(entry_points(group=group), key=lambda each: (each.name, package_of(each)))


def package_of(point: EntryPoint) -> str:
    """Name and version of the package that an entry point comes from: ``storms 1.2``."""
    return "an unnamed package" if point.dist is None else f"{point.dist.name} {point.dist.version}"
