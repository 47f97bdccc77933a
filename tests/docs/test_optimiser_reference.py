"""Optimisers can be looked up: their names, their parameters and what those are."""

from __future__ import annotations

import re
from pathlib import Path

from tools.reference import optimisers

from scenthound.papers.optimiser_catalogue import NAMES, OPTIMISERS

HOW_TO = Path(__file__).parent.parent.parent / "docs" / "howto" / "tune.md"


def test_every_parameter_is_in_the_reference() -> None:
    for name in OPTIMISERS:
        page = optimisers.page()
        for key, value in OPTIMISERS[name].parameters.items():
            (about,) = re.findall(
                rf"^\| `{name}\.{key}` \| `{value}` \| (.+) \|$", page, re.MULTILINE
            )
            assert about.endswith(".")


def test_every_optimiser_is_in_the_reference_and_in_the_how_to() -> None:
    for text in (optimisers.page(), HOW_TO.read_text(encoding="utf-8")):
        rows = re.findall(r"^\| `([\w-]+)` \| ", text, re.MULTILINE)
        assert tuple(name for name in rows if name in NAMES) == NAMES


def test_the_how_to_says_what_the_catalogue_says() -> None:
    for name in OPTIMISERS:
        text = " ".join(HOW_TO.read_text(encoding="utf-8").split())
        method = OPTIMISERS[name]
        assert f"| `{name}` | {method.paper} | {method.summary} |" in text
        for key, value in method.parameters.items():
            assert f"`{key}` {value}" in text
