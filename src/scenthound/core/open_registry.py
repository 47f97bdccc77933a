"""A table of named things to which installed packages add theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import EntryPoint
from typing import TypeVar

from scenthound.core.entry_points import installed, package_of
from scenthound.core.errors import PluginError, UnknownNameError
from scenthound.core.registry import Named, Registry

T = TypeVar("T", bound=Named)


class OpenRegistry(Registry[T]):
    """A fixed table and, behind it, what installed packages add through entry points.

    Iterating gives names and loads nothing. An entry of a package is loaded each time that it is
    asked for by its name; an error there is a PluginError, and all others still work. A name of the
    fixed table stays what it is, whatever packages call theirs.

    Parameters
    ----------
    kind : what is registered, in words, for messages.
    own : the fixed table.
    group : the name of the group of entry points.
    made : gives the thing that an entry point stands for; PluginError where it is none.
    """

    def __init__(
        self, kind: str, own: Registry[T], group: str, made: Callable[[EntryPoint], T]
    ) -> None:
        super().__init__(kind, tuple(own.values()))
        self._group = group
        self._made = made

    def __getitem__(self, name: str) -> T:
        if name in self._things:
            return self._things[name]
        added = self._added()
        if name not in added:
            raise UnknownNameError(self._kind, name, [*self._things, *added])
        first, *others = added[name]
        if others:
            raise PluginError(self._twice(name, added[name]))
        return self._made(first)

    def __iter__(self) -> Iterator[str]:
        return iter([*self._things, *self._added()])

    def __len__(self) -> int:
        return len(self._things) + len(self._added())

    def __contains__(self, name: object) -> bool:
        return name in self._things or name in self._added()

    def known(self, name: str) -> T | None:
        """The entry of this name; None where there is none, or none that can be used."""
        found = self._try(name) if name in self else None
        return None if isinstance(found, PluginError) else found

    def usable(self) -> list[T]:
        """Every entry that can be used; what cannot be is left out: see :meth:`problems`."""
        tried = (each for each in self._tried() if not isinstance(each, PluginError))
        return [*self._things.values(), *tried]

    def entry_point(self, name: str) -> EntryPoint | None:
        """Where an added name comes from; None for one of the fixed table, or of nobody."""
        return next(iter(self._added().get(name, ())), None)

    def packages(self) -> dict[str, str]:
        """Which package each added name comes from; nothing is loaded."""
        return {name: package_of(points[0]) for name, points in self._added().items()}

    def problems(self) -> list[str]:
        """What packages add and cannot be used, a sentence for each; all are loaded."""
        failed = (str(each) for each in self._tried() if isinstance(each, PluginError))
        return [*self.hidden(), *failed]

    def hidden(self, name: str | None = None) -> list[str]:
        """Sentences on those that have a name of the fixed table: all, or those of ``name``."""
        return [
            f"{package_of(point)} adds a {self._kind} {each!r}, but that name is taken by one of "
            "ours, which is used; rename the other one."
            for each, points in installed(self._group).items()
            if each in self._things and name in (None, each)
            for point in points
        ]

    def _added(self) -> Mapping[str, tuple[EntryPoint, ...]]:
        found = installed(self._group).items()
        return {name: points for name, points in found if name not in self._things}

    def _tried(self) -> list[T | PluginError]:
        return [self._try(name) for name in self._added()]

    def _try(self, name: str) -> T | PluginError:
        try:
            return self[name]
        except PluginError as error:
            return error

    def _twice(self, name: str, points: tuple[EntryPoint, ...]) -> str:
        packages = " and ".join(map(package_of, points))
        return f"{packages} both add a {self._kind} {name!r}; uninstall one of them."
