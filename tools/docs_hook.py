"""Fills the reference in while the documentation is built, and lists the decisions.

A page under ``docs/reference/`` has a line ``<!-- reference: NAME -->``, in whose place the text
is put that the code gives.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from pathlib import Path
from typing import Any

# The hook is loaded as a file of its own; what it needs lies beside it.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.reference import (
    commands,
    fields,
    journal,
    optimisers,
    python_api,
    settings,
    strategies,
)

_PLACE = re.compile(r"^<!-- reference: (\w+) -->$", re.MULTILINE)

PAGES: Mapping[str, Callable[[], str]] = {
    "commands": commands.page,
    "settings": settings.page,
    "strategies": strategies.page,
    "optimisers": optimisers.page,
    "export": fields.page,
    "journal": journal.page,
    "python": python_api.page,
}


def on_config(config: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Called by MkDocs at first: a pattern in ``nav`` stands for all pages that it matches."""
    config["nav"] = spread(config["nav"], Path(config["docs_dir"]))
    return config


def spread(entries: Iterable[Any], folder: Path) -> list[Any]:
    """The entries of a navigation, with the pages of ``folder`` in the place of patterns."""
    found: list[Any] = []
    for entry in entries:
        if isinstance(entry, str) and "*" in entry:
            found += [path.relative_to(folder).as_posix() for path in sorted(folder.glob(entry))]
        elif isinstance(entry, dict):
            found.append(
                {k: spread(v, folder) if isinstance(v, list) else v for k, v in entry.items()}
            )
        else:
            found.append(entry)
    return found


def filled(markdown: str) -> str:
    """The text with every reference in its place; KeyError for one that does not exist."""
    return _PLACE.sub(lambda found: PAGES[found[1]](), markdown)


def on_page_markdown(markdown: str, **others: object) -> str:
    """Called by MkDocs with the text of every page."""
    del others
    return filled(markdown)
