"""The concepts that a crawl is judged by, in its folder.

An ontology may be changed after the crawl, and one that was learnt takes long to learn again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.store.atomic import write_json

NAME = "concepts.json"


def write_concepts(folder: Path, concepts: Mapping[str, float]) -> None:
    """Keep the weight of each concept, in one step."""
    try:
        write_json(folder / NAME, dict(concepts))
    except OSError as error:
        raise FolderError(f"{folder / NAME} cannot be written: {error.strerror}.") from None


def read_concepts(folder: Path) -> dict[str, float] | None:
    """The weights that were kept, by concept; None where none were, FolderError where damaged."""
    path = folder / NAME
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        found = {label: float(weight) for label, weight in stored.items()}
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise FolderError(f"{path} is damaged: {error}; start a new crawl.") from None
    if not found or not all(0.0 <= weight <= 1.0 for weight in found.values()):
        raise FolderError(f"{path} is damaged: weights lie within 0 and 1; start a new crawl.")
    return found
