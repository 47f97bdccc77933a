"""Which program makes the figures: by its source, which changes more often than its version."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from scenthound.core.entry_points import package_of
from scenthound.strategies.installed import STRATEGIES

_ABOVE = frozenset({
    "api", "assessment", "cli", "comparison", "corpus", "dashboard", "explanation", "live",
    "reporting", "seeding", "settings", "tuning",
})  # fmt: skip
"""Packages of ours that no run can depend on: they lie above those that run it."""
_OF_RUNS = ("draws.py", "drawn_pages.py", "workplace.py")
"""What a run depends on in this package."""


@cache
def program_digest() -> str:
    """A hash of our source and data, as far as the figures of a run depend on it."""
    here = Path(__file__).parent
    return digest_of(_program(here.parent, here), here.parent)


def plugin_told(strategy: str) -> dict[str, str] | None:
    """The package that a strategy comes from, and a hash of its source; None for ours."""
    point = STRATEGIES.entry_point(strategy)
    if point is None:
        return None
    return {"package": package_of(point), "source": _source_digest(point.module)}


def digest_of(files: Iterable[Path], root: Path) -> str:
    """A hash of the names, below ``root``, and the contents of files."""
    digest = hashlib.sha256()
    for path in files:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(root)}\0{content}\n".encode("utf-8", "replace"))
    return digest.hexdigest()


def _program(root: Path, here: Path) -> Iterator[Path]:
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        if folder.name not in _ABOVE:
            yield from _files(folder)
    yield from (here / name for name in _OF_RUNS)


def _source_digest(module: str) -> str:
    """Of the whole package or module that a dotted name begins with; nothing is imported."""
    spec = find_spec(module.partition(".")[0])
    if spec is None:
        return ""
    if not spec.submodule_search_locations:
        path = Path(spec.origin or "")
        return digest_of([path], path.parent) if path.is_file() else ""
    folders = [Path(each) for each in spec.submodule_search_locations]
    return " ".join(digest_of(_files(each, ".py"), each) for each in folders)


def _files(folder: Path, ending: str = "") -> Iterator[Path]:
    found = (path for path in folder.rglob(f"*{ending}") if path.is_file())
    return (path for path in sorted(found) if path.suffix != ".pyc")
