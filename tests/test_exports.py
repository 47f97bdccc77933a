"""What ``import scenthound`` gives, and what it must not drag in."""

from __future__ import annotations

import json
import subprocess
import sys

import scenthound

HEAVY = {"typer", "rich", "scrapy", "twisted", "torch", "scipy", "pandas", "matplotlib", "redis"}


def test_everything_exported_is_there() -> None:
    assert [name for name in scenthound.__all__ if not hasattr(scenthound, name)] == []
    assert {"Topic", "replay", "read_topic"} <= set(scenthound.__all__)


def test_importing_it_loads_nothing_heavy() -> None:
    code = "import json, sys, scenthound; print(json.dumps(sorted(sys.modules)))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert HEAVY.isdisjoint(json.loads(loaded))
