"""Every example in a docstring gives what it says."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import scenthound

ROOT = Path(scenthound.__file__).parent
MODULES = sorted(
    ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in ROOT.rglob("*.py")
    if ">>> " in path.read_text("utf-8")
)


def test_there_are_examples() -> None:
    assert {"scenthound.core.parameters", "scenthound.similarity.sentence_models"} <= set(MODULES)


def test_examples_give_what_they_say() -> None:
    found = {name: doctest.testmod(import_module(name)) for name in MODULES}
    assert [name for name, each in found.items() if each.failed or not each.attempted] == []
