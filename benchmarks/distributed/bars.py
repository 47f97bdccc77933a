"""A figure beside its bar, in a line and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Bar:
    """What was measured, and what it should be: at least ``bar``, or at most that."""

    what: str
    figure: float
    bar: float
    at_most: bool = False

    @property
    def is_held(self) -> bool:
        """Does the figure hold?"""
        return self.figure <= self.bar if self.at_most else self.figure >= self.bar

    def line(self) -> str:
        """``PASS what: figure (bar: at least 1.4)``."""
        side = "at most" if self.at_most else "at least"
        verdict = "PASS" if self.is_held else "FAIL"
        return f"{verdict} {self.what}: {self.figure:.4g} (bar: {side} {self.bar:g})"


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the benchmark: its bars, what else there is to say, and the raw figures."""

    bars: Sequence[Bar]
    lines: Sequence[str]
    raw: object

    @property
    def is_held(self) -> bool:
        """Do all figures hold?"""
        return all(bar.is_held for bar in self.bars)

    def show(self) -> None:
        """Print it."""
        for line in (*self.lines, *(bar.line() for bar in self.bars)):
            print(f"  {line}", flush=True)

    def write(self, path: Path) -> None:
        """The raw figures and the bars, as JSON."""
        bars = [
            {"what": bar.what, "figure": bar.figure, "bar": bar.bar, "held": bar.is_held}
            for bar in self.bars
        ]
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"bars": bars, "said": list(self.lines), "raw": self.raw}, indent=1)
        path.write_text(text + "\n", encoding="utf-8")
