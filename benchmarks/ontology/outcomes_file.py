"""Every replay of a comparison in a file, for whoever wants other figures."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import asdict, fields
from io import StringIO
from pathlib import Path

from benchmarks.ontology.replays import Outcome
from scenthound.core.errors import InputError
from scenthound.storage.files import write_bytes, write_json

SUFFIXES = (".csv", ".json")


def check_outcomes_file(path: Path) -> None:
    """InputError for a name that says no kind we write, or a folder that is not there."""
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"{path}: give a file name that ends in {' or '.join(SUFFIXES)}.")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}; make it first.")


def write_outcomes(path: Path, outcomes: Sequence[Outcome]) -> None:
    """A row, or an object, for each replay; InputError where the file cannot be written."""
    rows = [asdict(outcome) for outcome in outcomes]
    try:
        if path.suffix.lower() == ".json":
            write_json(path, rows)
        else:
            write_bytes(path, _csv(rows).encode())
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; give another file.") from None


def _csv(rows: Sequence[dict[str, object]]) -> str:
    text = StringIO()
    writer = csv.DictWriter(text, [field.name for field in fields(Outcome)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
