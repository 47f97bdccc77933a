"""One finished run in the folder of a comparison: ``runs/NAME.json``, there whole or not at all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from scenthound.comparison.messages import Drawn
from scenthound.comparison.model import Cell, Outcome
from scenthound.comparison.outcome_json import outcome_from_json, outcome_to_json
from scenthound.core.errors import FolderError
from scenthound.store.atomic import write_json
from scenthound.store.folder import folder_name

FORMAT, VERSION = "scenthound-comparison-run", 1


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run, what it was made with, and the seeds and example pages it had."""

    outcome: Outcome
    made_with: Mapping[str, object]
    drawn: Drawn


def run_name(cell: Cell) -> str:
    """A name that people can read and that no other run has: for files and crawl folders.

    Examples
    --------
    >>> run_name(Cell("schools", "storms", "shark decay=0.3"))
    'storms-shark-decay-0.3-given-0-0-37277402'
    """
    written = json.dumps(cell.to_json(), sort_keys=True)
    digest = hashlib.sha256(written.encode("utf-8", "replace")).hexdigest()[:8]
    parts = (cell.topic, cell.strategy, cell.seeds, str(cell.draw), str(cell.random_seed))
    return f"{folder_name('-'.join(parts))}-{digest}"


def write_run(folder: Path, record: RunRecord) -> Outcome:
    """Keep a run in ``folder`` and give it back with its figures rounded as they are kept.

    FolderError where it cannot be written.
    """
    written = outcome_to_json(record.outcome)
    content = {
        "format": FORMAT,
        "version": VERSION,
        "made_with": dict(record.made_with),
        "drawn": asdict(record.drawn),
        "run": written,
    }
    path = folder / f"{run_name(record.outcome.cell)}.json"
    try:
        write_json(path, content)
    except OSError as error:
        raise FolderError(f"{path} cannot be written: {error.strerror or error}.") from None
    return outcome_from_json(written)


def read_run(path: Path) -> RunRecord:
    """The run in a file; FolderError, one sentence, where it cannot be used."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise FolderError(f"{path} cannot be read: {error}.") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise FolderError(f"{path} is not what scenthound compare writes.")
    if content.get("version") != VERSION:
        raise FolderError(f"{path} is of version {str(content.get('version'))[:20]}.")
    run, made_with = content.get("run"), content.get("made_with")
    if not isinstance(run, dict) or not isinstance(made_with, dict):
        raise FolderError(f"{path} lacks the run, or what it was made with.")
    return RunRecord(outcome_from_json(run), made_with, _drawn(content.get("drawn")))


def _drawn(stored: object) -> Drawn:
    if not isinstance(stored, dict):
        return Drawn()
    lists = (stored.get(key) for key in ("seeds", "examples"))
    return Drawn(*(tuple(map(str, each)) if isinstance(each, list) else () for each in lists))
