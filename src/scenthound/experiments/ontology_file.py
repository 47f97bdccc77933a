"""Writing an ontology to a file."""

from __future__ import annotations

from pathlib import Path

from scenthound.core.errors import OntologyError
from scenthound.ontology.files import ontology_bytes
from scenthound.ontology.model import Ontology
from scenthound.store.atomic import write_bytes


def write_ontology(ontology: Ontology, path: str | Path) -> None:
    """Write an ontology, whole or not at all; a file that is there is replaced.

    Parameters
    ----------
    ontology : what to write.
    path : its ending says how: see :data:`scenthound.ontology.files.SUFFIXES`.

    OntologyError says why it cannot be done.
    """
    path = Path(path)
    try:
        write_bytes(path, ontology_bytes(ontology, path.suffix))
    except OntologyError as error:
        raise OntologyError(f"cannot write {path}; {error}") from None
    except OSError as error:
        reason = error.strerror or "cannot be written"
        raise OntologyError(f"ontology file {path}: {reason}; give a path to write to.") from None
