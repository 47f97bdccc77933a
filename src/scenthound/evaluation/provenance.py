"""What the figures of a run depend on besides its cell: program, archive, topic, plug-ins. Runs are
put together in one comparison only if all of it is the same.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from scenthound.core.model import Topic
from scenthound.core.registry import package_of
from scenthound.crawler.replay_plan import BUDGET_WITH_LABELS, DEFAULT_BUDGET
from scenthound.evaluation.grid import Grid, Web
from scenthound.similarity.bert import is_minilm_there
from scenthound.similarity.topic_file import named_files
from scenthound.strategies.catalogue import CATALOGUE, STRATEGIES

_PACKAGES_ABOVE = frozenset({"cli", "evaluation", "output"})
"""Packages of ours that no run can depend on: they lie above those that run it."""


@cache
def program_digest() -> str:
    """A hash of our source and data, as far as the figures of a run depend on it."""
    root = Path(__file__).parent.parent
    return digest_of(program_files(root), root)


def plugin_provenance(strategy: str) -> dict[str, str] | None:
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


def program_files(root: Path) -> Iterator[Path]:
    """The files of our package, which lies at ``root``, that a run depends on."""
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        if folder.name not in _PACKAGES_ABOVE:
            yield from _files(folder)
    yield root / "evaluation" / "worker.py"


def _source_digest(module: str) -> str:
    """A hash of the package or module that a dotted name begins with; nothing is imported."""
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


_DESCRIPTIONS = {
    "scenthound": "the version of Scenthound",
    "program": "the source of Scenthound",
    "archive": "the content of the archive",
    "topic": "the topic file",
    "files": "a file that the topic names",
    "plugin": "the package of the strategy",
}
_LONGEST_SHOWN = 40
"""Characters: a digest is longer, and means nothing to a reader."""
Provenance = Mapping[str, object]


def versions() -> dict[str, object]:
    """The versions of Scenthound and of what else the figures may depend on."""
    names = ("scenthound", "selectolax", "numpy", "scipy")
    return {"python": platform.python_version(), **{name: version(name) for name in names}}


def topic_provenance(grid: Grid, web: Web, topic: Topic, fingerprint: str) -> dict[str, object]:
    """The provenance that runs of a topic share; ``fingerprint`` is that of the web's archive."""
    labels = None if web.labels is None else sorted(web.labels.of(topic.name))
    wordnet = grid.options.wordnet
    about = {key: value for key, value in asdict(topic).items() if key != "file"}
    files = [Path(name.strip()).resolve() for name in named_files(grid.as_known(topic))]
    usual = DEFAULT_BUDGET if web.labels is None else BUDGET_WITH_LABELS
    return {
        "scenthound": version("scenthound"),
        "program": program_digest(),
        "archive": fingerprint,
        "topic": _digest(about),
        "labels": None if labels is None else _digest(labels),
        "files": {str(path): _file_digest(path) for path in files},
        "wordnet_files": None
        if wordnet is None
        else digest_of(_files(Path(wordnet)), Path(wordnet)),
        **grid.rules,
        "budget": (grid.options.budget or usual).strip().lower(),  # the same, named or not
    }


def strategy_provenance(strategy: str) -> dict[str, object]:
    """The provenance that runs of a strategy share: the package it comes from, if not ours.

    For a strategy that can do without MiniLM it says whether MiniLM is installed.
    """
    found: dict[str, object] = {"plugin": plugin_provenance(strategy)}
    if strategy in CATALOGUE and "sentences" in CATALOGUE[strategy].parameters:
        found["minilm"] = is_minilm_there()
    return found


def difference(before: Provenance, now: Provenance) -> str | None:
    """Describe the first difference; None where everything is the same."""
    for key, value in now.items():
        if before.get(key) != value:
            shown = f" ({before.get(key)!r}, now {value!r})"
            what = _DESCRIPTIONS.get(key, key.replace("_", " "))
            return f"{what} has changed{shown if len(shown) <= _LONGEST_SHOWN else ''}"
    return None


def _file_digest(path: Path) -> str | None:
    """None for what cannot be read: the run will say so."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _digest(value: object) -> str:
    written = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(written.encode("utf-8", "replace")).hexdigest()
