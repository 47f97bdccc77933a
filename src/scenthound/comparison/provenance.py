"""What the figures of a run depend on besides its cell; runs go together only if it is the same."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from scenthound.comparison.code_version import plugin_told, program_digest
from scenthound.comparison.grid import Grid
from scenthound.comparison.webs import Web
from scenthound.core.model import Topic
from scenthound.experiments.preparing import BUDGET_WITH_LABELS, DEFAULT_BUDGET
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.topics.local_files import named_files
from scenthound.vectors.bert import is_minilm_there

_IN_WORDS = {"scenthound": "the version of Scenthound", "minilm": "MiniLM's being there"}
_CHANGED = {
    "program": "the source of Scenthound has changed",
    "archive": "the content of the archive has changed",
    "topic": "the topic file has changed",
    "labels": "the labels have changed",
    "wordnet_files": "the files of the WordNet have changed",
}
"""Known by a digest, which tells nobody anything."""
_PLUGIN, _FILES = "plugin", "files"
MadeWith = Mapping[str, object]


def versions() -> dict[str, object]:
    """Of Scenthound, and of what else the figures may depend on."""
    names = ("scenthound", "selectolax", "numpy", "scipy")
    return {"python": platform.python_version(), **{name: version(name) for name in names}}


def made_with(grid: Grid, web: Web, topic: Topic, fingerprint: str) -> dict[str, object]:
    """What the runs of a topic are made with; ``fingerprint`` is that of the web's archive."""
    labels = None if web.labels is None else sorted(web.labels.of(topic.name))
    about = {key: value for key, value in asdict(topic).items() if key != "file"}
    return {
        "scenthound": version("scenthound"),
        "program": program_digest(),
        "archive": fingerprint,
        "topic": _digest(about),
        "labels": None if labels is None else _digest(labels),
        _FILES: {str(path): _file_digest(path) for path in _files_of(grid.rules.topic(topic))},
        "wordnet_files": _wordnet_digest(grid.rules.wordnet),
        **grid.rules.to_json(),
        "budget": _budget(grid, web),
    }


def made_by(strategy: str) -> dict[str, object]:
    """What else the runs of a strategy are made with: the package it comes from, if not ours.

    And whether there is MiniLM, for one that does without where it is not.
    """
    told: dict[str, object] = {_PLUGIN: plugin_told(strategy)}
    if strategy in CATALOGUE and "sentences" in CATALOGUE[strategy].parameters:
        told["minilm"] = is_minilm_there()
    return told


def difference(before: MadeWith, now: MadeWith) -> str | None:
    """What is not the same, in words; None where everything is."""
    for key in now:
        if before.get(key) != now[key]:
            return _told(key, before.get(key), now[key])
    return None


def _told(key: str, before: object, now: object) -> str:
    if key in _CHANGED:
        return _CHANGED[key]
    if key == _FILES:
        return f"the file {_changed_name(before, now)} has changed"
    if key == _PLUGIN:
        return f"the package of the strategy has changed ({_package(before)}, {_package(now)})"
    return f"{_IN_WORDS.get(key, key)} was {before!r} and is now {now!r}"


def _changed_name(before: object, now: object) -> str:
    known = before if isinstance(before, Mapping) else {}
    assert isinstance(now, Mapping)
    changed = [*(each for each in now if known.get(each) != now[each]), *(known.keys() - now)]
    return str(changed[0])


def _package(told: object) -> str:
    """A plug-in in words: by its package, and by its source where that is all that differs."""
    if not isinstance(told, Mapping):
        return "Scenthound's own"
    return f"{told.get('package')} with source {str(told.get('source'))[:8]}"


def _files_of(topic: Topic) -> list[Path]:
    return [Path(name.strip()).resolve() for name in named_files(topic)]


def _file_digest(path: Path) -> str | None:
    """None for what cannot be read: the run will say so."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _wordnet_digest(folder: str | None) -> str | None:
    if folder is None:
        return None
    found = sorted(path for path in Path(folder).iterdir() if path.is_file())
    return _digest([[path.name, _file_digest(path)] for path in found])


def _budget(grid: Grid, web: Web) -> str:
    """The budget in words; the one by default is the same whether it is named or not."""
    usual = DEFAULT_BUDGET if web.labels is None else BUDGET_WITH_LABELS
    return (grid.rules.budget or usual).strip().lower()


def _digest(value: object) -> str:
    written = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(written.encode("utf-8", "replace")).hexdigest()
