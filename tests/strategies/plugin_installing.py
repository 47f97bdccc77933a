"""Packages that add strategies, installed by hand: what pip would write, without a network."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "plugin"
FAILING = """\
from scenthound.plugins import Combination, Greedy, Recipe
class Scorer:
    predicts = True
    def __init__(self, ingredients): pass
    def observe(self, visit): pass
    def score(self, visit, links): return [1 / 0 for link in links]
    def state(self): return {}
    def restore(self, state): pass
RECIPE = Recipe("failing", Scorer, Greedy, Combination.MAX, "", "fails")
"""
"""A module with a strategy that cannot score."""
TIRING = """\
from pathlib import Path
from scenthound.plugins import Combination, Greedy, Recipe, Score
class Scorer:
    predicts = True
    def __init__(self, ingredients): self.seen = 0
    def observe(self, visit): self.seen += 1
    def score(self, visit, links):
        if self.seen > 4 and Path(__file__).with_name("tired").exists():
            raise ValueError("enough\\nof it")
        return [Score(0.5) for link in links]
    def state(self): return {}
    def restore(self, state): pass
RECIPE = Recipe("tiring", Scorer, Greedy, Combination.MAX, "", "fails now and then")
"""
"""A module with a strategy that fails at its fifth page, while a file ``tired`` lies beside it."""


def install(
    folder: Path, package: str, points: Mapping[str, str], modules: Mapping[str, str] | None = None
) -> Path:
    """Write a package with these entry points, and its modules by name, to ``folder``."""
    info = folder / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = "".join(f"{name} = {value}\n" for name, value in points.items())
    (info / "entry_points.txt").write_text(f"[scenthound.strategies]\n{lines}")
    for name, text in (modules or {}).items():
        (folder / f"{name}.py").write_text(text)
    return folder


def install_example(folder: Path) -> Path:
    """The example package, with the entry points that its own project file declares."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    shutil.copy(EXAMPLE / "url_words.py", folder)
    return install(folder, project["name"], project["entry-points"]["scenthound.strategies"])
