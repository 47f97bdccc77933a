"""Optimisers can be looked up: their names, their parameters and what those are."""

from __future__ import annotations

import re
from pathlib import Path

from tools.reference import optimisers

from scenthound.papers.optimiser_catalogue import NAMES, OPTIMISERS

HOW_TO = Path(__file__).parent.parent.parent / "docs" / "howto" / "tune.md"


def test_every_optimiser_is_in_the_reference_and_in_the_how_to() -> None:
    page, how_to = optimisers.page(), HOW_TO.read_text(encoding="utf-8")
    for text in (page, how_to):
        rows = re.findall(r"^\| `([\w-]+)` \| ", text, re.MULTILINE)
        assert tuple(name for name in rows if name in NAMES) == NAMES
    said = " ".join(how_to.split())
    for name, method in OPTIMISERS.items():
        assert f"| `{name}` | {method.paper} | {method.summary} |" in said
        for key, value in method.parameters.items():
            assert f"`{key}` {value}" in said
            (about,) = re.findall(rf"^\| `{name}\.{key}` \| `{value}` \| (.+) \|$", page, re.M)
            assert about.endswith(".")
