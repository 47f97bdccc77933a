"""The judges that a crawl may have, by name."""

from __future__ import annotations

from scenthound.core.errors import UnknownNameError

SIMILARITY, ONTOLOGY = "similarity", "ontology"
JUDGES = (SIMILARITY, ONTOLOGY)
"""By similarity to the example pages, and by the concepts of the topic's ontology."""


def check_judge(name: str) -> None:
    """UnknownNameError for a judge that there is not."""
    if name not in JUDGES:
        raise UnknownNameError("judge", name, JUDGES)
