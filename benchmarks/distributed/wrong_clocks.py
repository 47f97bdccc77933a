"""The environment of a process whose clock is wrong, and that of the processes it starts."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "wrong_clock"


def wrong_clock(seconds: float) -> dict[str, str]:
    """Variables that put the time of day ahead by so many seconds; negative ones put it behind."""
    found = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([str(FOLDER), *([found] if found else [])])
    return {"PYTHONPATH": path, "WRONG_BY": str(seconds)}
