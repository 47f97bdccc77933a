"""What the figures of a run depend on besides its cell; runs go together only if it is the same."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version

from scenthound.comparison.grid import Grid
from scenthound.comparison.webs import Web
from scenthound.core.model import Topic
from scenthound.experiments.jobs import BUDGET_WITH_LABELS, DEFAULT_BUDGET

_IN_WORDS = {
    "scenthound": "the version of Scenthound",
    "archive": "the content of the archive",
    "topic": "the topic file",
    "labels": "the labels",
}
_SHOWN = frozenset({"archive", "topic", "labels"})
"""Known by a digest, which tells nobody anything."""
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
        "archive": fingerprint,
        "topic": _digest(about),
        "labels": None if labels is None else _digest(labels),
        **grid.rules.to_json(),
        "budget": _budget(grid, web),
    }


def difference(before: MadeWith, now: MadeWith) -> str | None:
    """What is not the same, in words; None where everything is."""
    for key in now:
        if before.get(key) != now[key]:
            name = _IN_WORDS.get(key, key)
            if key in _SHOWN:
                return f"{name} has changed" if key != "labels" else f"{name} have changed"
            return f"{name} was {before.get(key)!r} and is now {now[key]!r}"
    return None


def _budget(grid: Grid, web: Web) -> str:
    """The budget in words; the one by default is the same whether it is named or not."""
    usual = DEFAULT_BUDGET if web.labels is None else BUDGET_WITH_LABELS
    return (grid.rules.budget or usual).strip().lower()


def _digest(value: object) -> str:
    written = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(written.encode("utf-8", "replace")).hexdigest()
