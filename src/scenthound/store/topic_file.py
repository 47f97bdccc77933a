"""What a crawl knows of its topic, in its folder: resuming needs no example page again."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.core.model import Briefing, Document
from scenthound.store.atomic import write_json

NAME = "topic.json"


def write_briefing(folder: Path, briefing: Briefing) -> None:
    """Keep the briefing, in one step."""
    try:
        write_json(folder / NAME, asdict(briefing))
    except OSError as error:
        raise FolderError(f"{folder / NAME} cannot be written: {error.strerror}.") from None


def read_briefing(folder: Path) -> Briefing | None:
    """The briefing that was kept; None where none was, FolderError where it is damaged."""
    path = folder / NAME
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        examples = tuple(Document(**example) for example in stored.pop("examples"))
        keywords = tuple(stored.pop("keywords"))
        return Briefing(keywords=keywords, examples=examples, **stored)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise FolderError(f"{path} is damaged: {error}; start a new crawl.") from None
