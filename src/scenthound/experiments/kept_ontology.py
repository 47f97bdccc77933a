"""The ontology that steers a crawl, in its folder, and a line that tells of one that was learnt."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.core.model import Briefing
from scenthound.core.protocols import Scorer
from scenthound.ontology.model import Ontology
from scenthound.ontology.text_file import ontology_text
from scenthound.store.atomic import write_bytes
from scenthound.strategies.mapped import Taught

NAME = "ontology.txt"
Warn = Callable[[str], None]


def keep_ontology(scorer: Scorer, briefing: Briefing, folder: Path | None, warn: Warn) -> None:
    """Keep the ontology that a scorer goes by; nothing is done for a scorer without one.

    Parameters
    ----------
    scorer : of a crawl that has begun, so that what it learns before the first fetch is learnt.
    briefing : the topic; where it names an ontology, none was learnt.
    folder : of the crawl; None where nothing is written.
    warn : is told of an ontology that was learnt, since nobody has seen it.
    """
    ontology = scorer.ontology if isinstance(scorer, Taught) else None
    if ontology is None:
        return
    path = None if folder is None else folder / NAME
    if path is not None:
        _write(ontology, path)
    if briefing.ontology is None:
        warn(learnt_line(ontology, briefing, path))


def learnt_line(ontology: Ontology, briefing: Briefing, path: Path | None) -> str:
    """``storms: learnt an ontology of 91 concepts from 8 example pages, kept in ...``."""
    pages = len(briefing.examples)
    source = "1 example page" if pages == 1 else f"{pages} example pages" if pages else "keywords"
    where = "" if path is None else f", kept in {path}"
    return f"{briefing.name}: learnt an ontology of {len(ontology)} concepts from {source}{where}"


def _write(ontology: Ontology, path: Path) -> None:
    try:
        write_bytes(path, ontology_text(ontology).encode())
    except OSError as error:
        raise FolderError(f"{path} cannot be written: {error.strerror}.") from None
