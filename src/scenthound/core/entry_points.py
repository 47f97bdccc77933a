"""What installed packages add to this one: entry points, found unloaded and loaded when asked for.

Packages are found by the metadata that they were installed with, so that looking for one imports
none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points

from scenthound.core.errors import PluginError
from scenthound.core.foreign import failure


def installed(group: str) -> Mapping[str, tuple[EntryPoint, ...]]:
    """The entry points of a group by name, each name's by package; empty where there are none."""
    found: dict[str, tuple[EntryPoint, ...]] = {}
    for point in sorted(entry_points(group=group), key=lambda each: (each.name, package_of(each))):
        found[point.name] = (*found.get(point.name, ()), point)
    return found


def package_of(point: EntryPoint) -> str:
    """Name and version of the package that an entry point comes from: ``storms 1.2``."""
    return "an unnamed package" if point.dist is None else f"{point.dist.name} {point.dist.version}"


def loaded(point: EntryPoint, kind: str) -> object:
    """What an entry point names, imported.

    Parameters
    ----------
    point : where it is.
    kind : what it is to be, for the message.

    Raises
    ------
    PluginError
        Importing it failed; somebody else wrote it, so that may be for any reason.
    """
    try:
        return point.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit() too: it would end the program without a word
        raise PluginError(
            f"the {kind} {point.name!r} of {package_of(point)} cannot be loaded: "
            f"{failure(error)}; correct that package, or uninstall it."
        ) from error
