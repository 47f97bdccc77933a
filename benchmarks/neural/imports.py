"""What does an import cost, and what does it load?"""

from __future__ import annotations

import subprocess
import sys
from statistics import median

ROUNDS = 5
HEAVY = ("torch", "transformers", "gensim")
"""Libraries that ``import scenthound`` leaves alone."""
_TIMED = "import time; t = time.perf_counter(); {}; print(time.perf_counter() - t)"
_LOADED = "import sys; import {}; print(*(m for m in {} if m in sys.modules))"


def imports(rounds: int = ROUNDS) -> None:
    """Print the time of each import, every one in a process of its own, and what ours loads."""
    for name in ("scenthound", *HEAVY):
        seconds = [seconds_of(f"import {name}") for _ in range(rounds)]
        measured = [each for each in seconds if each is not None]
        time = f"{median(measured):.2f} s (median of {rounds})" if measured else "not installed"
        print(f"import {name}: {time}")
    found = loaded("scenthound")
    print(f"import scenthound loads {', '.join(found) or 'none'} of {', '.join(HEAVY)} (bar: none)")


def loaded(name: str) -> list[str]:
    """Which of :data:`HEAVY` an import of ``name`` loads."""
    return _output(_LOADED.format(name, HEAVY), check=True).split()


def seconds_of(statement: str) -> float | None:
    """Of a statement in a fresh process, without its start; None where it fails."""
    said = _output(_TIMED.format(statement))
    return float(said) if said else None


def _output(code: str, check: bool = False) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=check).stdout.strip()
